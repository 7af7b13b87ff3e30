"""What `columns` and `counts` of `dehusk.compiled.blocks` compute: how a page becomes blocks."""

from typing import NamedTuple

from dehusk.base.characters import CharClass
from dehusk.base.tags import PREFORMATTED, TAG_NUMBER, is_block_level
from dehusk.blocks import Blocks
from dehusk.read.page import Page
from oracle.characters import INVISIBLE, class_of, is_letter, is_white
from oracle.tree import is_in, lineages, tag_names

BLOCK_LEVEL = frozenset(name for name, number in TAG_NUMBER.items() if is_block_level()[number])
SPACELESS = (("\u0e01", "\u0e4e"), ("\u0e81", "\u0ecd"), ("\u1000", "\u109d"), ("\u1780", "\u17d3"))


class Character(NamedTuple):
    """A visible character of a page, with the text node that it is in."""

    character: str
    source: int
    """Its offset in the page's text."""
    node: int
    is_pre: bool
    """Whether it is in preformatted text."""


def boundaries(page: Page, every_tag: bool, alt: bool) -> set[int]:
    """Return the nodes before which one block ends and another may start."""
    found = set(page.line_nodes.tolist())
    for node, name in enumerate(tag_names(page)):
        if name != "#text" and (every_tag or name in BLOCK_LEVEL):
            found |= {node, int(page.end[node])}
    if alt:
        for node in page.alt_nodes.tolist():
            found |= {node, node + 1}
    return found


def runs(page: Page, every_tag: bool, alt: bool) -> list[list[Character]]:
    """Return the visible characters between the boundaries of a page; some runs are empty."""
    bounds, alts, found = boundaries(page, every_tag, alt), set(page.alt_nodes.tolist()), [list[Character]()]
    for node, name in enumerate(tag_names(page)):
        if node in bounds:
            found.append([])
        if name == "#text" and (alt or node not in alts):
            is_pre = is_in(page, node, PREFORMATTED)
            for source in range(int(page.text_start[node]), int(page.text_end[node])):
                character = page.text[source]
                if character not in INVISIBLE:
                    found[-1].append(Character(character, source, node, is_pre))
    return found


def fold(run: list[Character]) -> list[Character]:
    """Return a run without the white space that a browser does not show; other white space becomes spaces."""
    kept: list[Character] = []
    follows_ink = False
    for each in run:
        white = is_white(each.character)
        is_shown = each.is_pre and each.character not in "\n\r"
        if not white:
            kept.append(each)
        elif follows_ink or is_shown:
            stays = each.is_pre and each.character == "\t"
            kept.append(each if stays else each._replace(character=" "))
        follows_ink = not white
    while kept and is_white(kept[-1].character):
        kept.pop()
    return kept


def columns(page: Page, every_tag: bool, alt: bool) -> tuple[list[int | str | bool], ...]:
    """Return the columns of the blocks, in the order of the fields of `Blocks`, code points as characters."""
    found = tuple(list[int | str | bool]() for _ in range(9))
    firsts, lasts, nodes, characters, starts, ends, classes, sources, linked = found
    for kept in filter(None, map(fold, runs(page, every_tag, alt))):
        first, last = kept[0].node, kept[-1].node
        firsts.append(first)
        lasts.append(last)
        nodes.append(next(outer for outer in lineages(page)[first][1:] if outer in lineages(page)[last]))
        starts.append(len(characters))
        for each in kept:
            characters.append(each.character)
            classes.append(class_of(each.character))
            sources.append(each.source)
            linked.append(is_in(page, each.node, frozenset({"a"})))
        ends.append(len(characters))
    return found


def texts(blocks: Blocks) -> list[str]:
    """Return the text of each block."""
    characters = [chr(point) for point in blocks.code_points.tolist()]
    return ["".join(characters[a:b]) for a, b in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)]


def word_starts(text: str) -> list[int]:
    """Return where the words of a text start: after white space, at Han and kana, and after five Thai letters."""
    starts, spaceless = [], 0
    for at, character in enumerate(text):
        starts_token = not is_white(character) and (at == 0 or is_white(text[at - 1]))
        is_han_or_kana = "\u3040" <= character < "\ua000" and is_letter(character)
        spaceless = spaceless + 1 if any(a <= character <= z for a, z in SPACELESS) else 0
        starts_piece = spaceless > 1 and spaceless % 5 == 1
        if starts_token or is_han_or_kana or starts_piece:
            starts.append(at)
    return starts


def counts(blocks: Blocks) -> tuple[list[int], ...]:
    """Return the words of each block, the words that start in a link, the characters in links, and the digits."""
    words, link_words, link_chars, digits = [], [], [], []
    for start, text in zip(blocks.start.tolist(), texts(blocks), strict=True):
        digits.append(sum(class_of(character) == CharClass.DIGIT for character in text))
        linked = blocks.linked[start : start + len(text)].tolist()
        starts = word_starts(text)
        words.append(len(starts))
        link_words.append(sum(linked[at] for at in starts))
        link_chars.append(sum(linked))
    return words, link_words, link_chars, digits
