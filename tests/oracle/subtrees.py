"""What `dehusk.compiled.features` computes, and the elements and groups that several families of features use."""

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from dehusk.blocks import Blocks
from oracle.tree import lineages, tag_names

SHARES = {"half": 0.5, "most": 0.8, "nearly-all": 0.95}


class Counts(NamedTuple):
    """The numbers of blocks and words in the subtree of each node, as `SubtreeCounts` has them."""

    running_words: list[int]
    before: list[int]
    blocks: list[int]
    words: list[int]
    linked: list[int]
    running: list[int]


def running_words(blocks: Blocks) -> list[int]:
    """Return the unlinked words of each block with at least ten words, of which at most half are linked; else 0."""
    found = []
    for words, linked in zip(blocks.words.tolist(), blocks.link_words.tolist(), strict=True):
        found.append(words - linked if words >= 10 and words - linked >= linked else 0)
    return found


@lru_cache(maxsize=4)
def count_subtrees(blocks: Blocks) -> Counts:
    """Return what is in each subtree; a block is in the subtrees that its first text node is in."""
    n, running, first = len(blocks.page), running_words(blocks), blocks.first.tolist()
    counts = Counts(running, *([0] * n for _ in range(5)))
    for node in range(n):
        counts.before[node] = sum(each < node for each in first)
    for block, text_node in enumerate(first):
        for node in lineages(blocks.page)[text_node]:
            counts.blocks[node] += 1
            counts.words[node] += int(blocks.words[block])
            counts.linked[node] += int(blocks.link_words[block])
            counts.running[node] += running[block]
    return counts


def topmost(blocks: Blocks) -> list[int]:
    """Return for each node the outermost element that it is or lies in and that has no more blocks than it has."""
    count = count_subtrees(blocks).blocks
    return [[outer for outer in lineage if count[outer] == count[lineage[0]]][-1] for lineage in lineages(blocks.page)]


def text_holders(blocks: Blocks) -> dict[str, int]:
    """Return for each share the innermost element with more of the page's running text than that; else the root."""
    page, running = blocks.page, count_subtrees(blocks).running
    found = {}
    for name, share in SHARES.items():
        holders = [n for n, words in enumerate(running) if words > share * running[0] and not page.is_text[n]]
        found[name] = max(holders, key=lambda node: len(lineages(page)[node]), default=0)
    return found


def like_siblings(blocks: Blocks) -> dict[tuple[int, int, int], list[int]]:
    """Return the elements with text by parent, tag and class."""
    page, count = blocks.page, count_subtrees(blocks).blocks
    groups = defaultdict(list)
    for node, name in enumerate(tag_names(page)):
        if count[node] and name != "#text":
            groups[int(page.parent[node]), int(page.tag[node]), int(page.class_code[node])].append(node)
    return groups


def blocks_in(blocks: Blocks, node: int) -> list[int]:
    """Return the blocks that start in the subtree of a node."""
    return [block for block, first in enumerate(blocks.first.tolist()) if node in lineages(blocks.page)[first]]
