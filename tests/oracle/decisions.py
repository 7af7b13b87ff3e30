"""What `dehusk.compiled.decide` computes: which blocks are kept."""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from oracle.characters import lower
from oracle.groups import grouping
from oracle.skeleton import Tree, lineage, nearest, outermost, skeleton_of, with_tag
from oracle.structures import element_masks

NEVER = frozenset({"object", "embed", "applet", "select", "option", "textarea", "frame", "audio", "video", "canvas"})


class Case(NamedTuple):
    """What a decision is about."""

    blocks: Blocks
    excluded: Sequence[bool]
    """Blocks that can never be content."""

    @property
    def weights(self) -> list[int]:
        """Return how much each block counts in its group."""
        return [0 if out else words + 1 for words, out in zip(self.blocks.words.tolist(), self.excluded, strict=True)]


def inside(tree: Tree, block: int, tags: frozenset[str]) -> bool:
    """Return whether a block is in an element with one of some tags."""
    return any(tree.names[e] in tags for e in lineage(tree, tree.innermost[block]))


def never_content(blocks: Blocks) -> list[bool]:
    """Return whether each block is in an element whose text belongs to programs or forms."""
    return [inside(skeleton_of(blocks), block, NEVER) for block in range(len(blocks))]


def chance(score: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-max(-30, min(score, 30))))


@lru_cache(maxsize=4)
def members(blocks: Blocks) -> dict[int, list[int]]:
    """Return the blocks of each group."""
    found: dict[int, list[int]] = {}
    for block, its in enumerate(grouping(blocks)[2]):
        found.setdefault(its, []).append(block)
    return found


def members_of(blocks: Blocks, block: int) -> list[int]:
    """Return the blocks of a block's group."""
    return members(blocks)[grouping(blocks)[2][block]]


@lru_cache(maxsize=4)
def is_link_repeated(blocks: Blocks) -> list[bool]:
    """Return whether each block only acts."""
    return [is_repeated_link(blocks, block) for block in range(len(blocks))]


def pooled(case: Case, scores: Sequence[float]) -> list[float]:
    """Return the probability of each block: the mean of its group if the group is bound or agrees; 0 if excluded.

    A group agrees if the standard deviation of its log-odds is at most 1.5; each counts as 9.2 at most.
    """
    found, weight, bound = [], case.weights, grouping(case.blocks)[1]
    odds = [max(-9.2, min(score, 9.2)) for score in scores]
    for block, score in enumerate(scores):
        like = members_of(case.blocks, block)
        total = max(sum(weight[i] for i in like), 1e-9)
        mean = sum(weight[i] * chance(scores[i]) for i in like) / total
        level = sum(weight[i] * odds[i] for i in like) / total
        square = sum(weight[i] * odds[i] * odds[i] for i in like) / total
        agrees = square - level * level <= 1.5 * 1.5
        found.append(0.0 if case.excluded[block] else mean if bound[block] or agrees else chance(score))
    return found


def expected_f(probability: Sequence[float], words: Sequence[int], beta: float) -> list[bool]:
    """Keep the most probable blocks, as many as maximise the expected F of words; none if no block reaches .2."""
    order = sorted(range(len(words)), key=lambda block: -probability[block])
    expected = sum(probability[block] * words[block] for block in order)
    if not order or expected <= 0 or max(probability) < 0.2:
        return [False] * len(words)
    hits, size, best, least = 0.0, 0, -1.0, 1.0
    for block in order:
        hits, size = hits + probability[block] * words[block], size + words[block]
        score = hits / (size + beta * beta * expected + 1e-12)
        if score > best:
            best, least = score, probability[block]
    return [each >= least for each in probability]


def is_repeated_link(blocks: Blocks, block: int) -> bool:
    """Return whether a block only acts: all of its group are links of up to eight words, each text three times."""
    bound, like = grouping(blocks)[1], members_of(blocks, block)
    for other in like:
        if bound[other] or blocks.link_words[other] < blocks.words[other] or blocks.words[other] > 8:
            return False
    texts = {"".join(map(lower, blocks.texts[other])) for other in like}
    return len(like) >= 3 and 3 * len(texts) <= len(like)


def with_title(case: Case, kept: list[bool], scores: Sequence[float]) -> list[bool]:
    """Return the kept blocks and, if none is in an h1, the likeliest that is, if before the middle of the kept text."""
    blocks, tree = case.blocks, skeleton_of(case.blocks)
    titles = [block for block in range(len(kept)) if inside(tree, block, frozenset({"h1"}))]
    open_titles = [block for block in titles if not case.excluded[block]]
    if any(kept[block] for block in titles) or not open_titles:
        return kept
    title = max(open_titles, key=lambda block: chance(scores[block]))
    read = [words if is_kept else 0 for words, is_kept in zip(blocks.words.tolist(), kept, strict=True)]
    is_early = 2 * sum(read[: title + 1]) < sum(read)
    is_added = chance(scores[title]) >= 0.05 and is_early
    return [is_kept or (is_added and block == title) for block, is_kept in enumerate(kept)]


def neighbours(tree: Tree, element: int) -> tuple[int, int]:
    """Return the blocks before and after an element in the smallest element with other text; -1 if there is none."""
    around = element
    while around and (tree.first[around], tree.end[around]) == (tree.first[element], tree.end[element]):
        around = tree.parent[around]
    before = tree.first[element] - 1 if tree.first[element] > tree.first[around] else -1
    return before, tree.end[element] if tree.end[element] < tree.end[around] else -1


def with_listings(case: Case, kept: list[bool], probability: Sequence[float], closed: Sequence[bool]) -> list[bool]:
    """Return the kept blocks, and those of probable listings outside of noscript elements."""
    tree, listings, found = skeleton_of(case.blocks), element_masks(case.blocks).listings, list(kept)
    for block, innermost in enumerate(tree.innermost):
        is_listed = nearest(tree, innermost, listings) >= 0 and not inside(tree, block, frozenset({"noscript"}))
        found[block] |= is_listed and probability[block] >= 0.2 and not closed[block]
    return found


def with_captions(case: Case, kept: list[bool], probability: Sequence[float], closed: Sequence[bool]) -> list[bool]:
    """Return the kept blocks, and probable captions of what is kept or between what is kept."""
    tree, found = skeleton_of(case.blocks), list(kept)
    for block, innermost in enumerate(tree.innermost):
        caption = outermost(tree, innermost, with_tag(tree, "caption figcaption"))
        if caption < 0 or probability[block] < 0.1 or closed[block]:
            continue
        around = nearest(tree, caption, with_tag(tree, "table figure"))
        has_kept = around >= 0 and any(kept[tree.first[around] : tree.end[around]])
        is_between = all(beside >= 0 and kept[beside] for beside in neighbours(tree, caption))
        found[block] |= has_kept or (is_between and probability[block] >= 0.35)
    return found


def with_tags_between(
    case: Case, kept: list[bool], probability: Sequence[float], tags: str, between: float, above: float
) -> list[bool]:
    """Return the kept blocks, and those in some elements that are likely enough between kept ones or above one.

    The neighbours of several such blocks in a row are the first beyond them.
    """
    tree, found = skeleton_of(case.blocks), list(kept)
    own = [outermost(tree, innermost, with_tag(tree, tags)) for innermost in tree.innermost]
    likely = [own[i] >= 0 and not kept[i] and probability[i] >= between for i in range(len(kept))]
    for block, is_likely in enumerate(likely):
        ends = []
        for side in range(2):
            beside = block
            while beside >= 0 and likely[beside]:
                beside = neighbours(tree, own[beside])[side]
            ends.append(beside >= 0 and kept[beside])
        found[block] |= is_likely and ends[1] and (ends[0] or probability[block] >= above)
    return found


def completed(case: Case, kept: list[bool], probability: Sequence[float], closed: Sequence[bool]) -> list[bool]:
    """Return the kept blocks and what goes with them: listings, captions, then paragraphs, then headings."""
    bound = grouping(case.blocks)[1]
    free = [0.0 if closed[i] or bound[i] else p for i, p in enumerate(probability)]
    can_head = [0.0 if closed[i] else p for i, p in enumerate(probability)]
    kept = with_listings(case, kept, probability, closed)
    kept = with_captions(case, kept, probability, closed)
    kept = with_tags_between(case, kept, free, "p blockquote", 0.45, 1.0)
    return with_tags_between(case, kept, can_head, " ".join(HEADINGS), 0.1, 0.2)


def is_template(case: Case, template: Sequence[bool], block: int) -> bool:
    """Return whether a block is template; if it is bound to its group, most words of the group decide."""
    if not grouping(case.blocks)[1][block]:
        return template[block]
    like, weight = members_of(case.blocks, block), [weight or 1e-9 for weight in case.weights]
    return 2 * sum(weight[i] for i in like if template[i]) / sum(weight[i] for i in like) > 1


def decide(
    case: Case, scores: Sequence[float], evidence: tuple[Sequence[float], Sequence[bool]] | None, beta: float
) -> tuple[list[float], list[bool]]:
    """Return the probability of each block and whether it is kept.

    `evidence` are the scores with what the site's other pages say, and which blocks are template.
    """
    blocks, by_page = case.blocks, pooled(case, scores)
    closed = [out or acts for acts, out in zip(is_link_repeated(blocks), case.excluded, strict=True)]
    chosen = expected_f(by_page, blocks.words.tolist(), beta)
    kept = [is_chosen and not closed[block] for block, is_chosen in enumerate(chosen)]
    if any(kept):
        kept = completed(case, with_title(case, kept, scores), by_page, closed)
    if evidence is None:
        return by_page, kept
    probability, least = pooled(case, evidence[0]), min(0.5, 1 / (1 + beta))
    for block, likelihood in enumerate(probability):
        kept[block] &= not (is_template(case, evidence[1], block) and likelihood < least)
    return probability, kept
