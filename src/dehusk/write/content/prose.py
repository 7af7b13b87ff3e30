"""Preformatted text that is prose: old pages set paragraphs in `pre`, shops the lines of a description.

What counts is the text of the element, on a page without any sign of code: sentences, or titles, of several words to a
line, without columns, indentation, and the characters of code.
"""

from collections.abc import Sequence

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_PREFORMATTED, _CODE = numbers("pre"), numbers("code samp kbd var")
_WORDS_A_LINE = 5  # by hand: of 1,362 open listings 8 are prose by these rules, and all 8 are when read
_WORDS_AN_ITEM = 2  # of a list that is named a description
_DESCRIPTION = NamePattern(r"(?:^|[\s_-])desc(?:ription)?(?:$|[\s_-])", "desc")
_LONGEST = 5_000
"""Characters; what is longer is a document with a layout of its own."""
_BULLET = pattern(r"[-\u2022\u00b7*]\s+(?=\S)")
_CODE_SIGN = pattern(r"[{}\[\]<>=|\\^`$#@_~]|\(\)|::|//|;$|(?:^|\s)--?\w|\S(?:\t|  )")
_WORD = pattern(r"[\"'(\u201c\u2018]*[^\W\d_][\w'\u2019-]*[.,:;!?)\"'\u201d\u2019]*")


def prose_listings(page: Page) -> frozenset[int]:
    """Return the `pre` elements whose text is prose, none on a page with elements of code."""
    nodes = page.nodes_of(_PREFORMATTED)
    if not len(nodes) or page.is_one_of(_CODE).any():
        return frozenset()
    nodes = nodes[page.text_end[nodes] - page.text_start[nodes] <= _LONGEST]
    described = page.has_class(page.classes.named(_DESCRIPTION))[nodes].tolist()
    texts = [page.text_of(node) for node in nodes.tolist()]
    rows = zip(nodes.tolist(), texts, described, strict=True)
    return frozenset(node for node, text, is_named in rows if _is_prose(text, is_named=is_named))


def prose_items(lines: Sequence[str]) -> list[str]:
    """Return the lines without their bullets, if there are two at least and all have one, else none."""
    filled = [line for line in lines if line]
    bullets = [_BULLET.match(line) for line in filled]
    if len(filled) < 2 or None in bullets:
        return []
    return [_BULLET.sub("", line, count=1) for line in filled]


def _is_prose(text: str, *, is_named: bool) -> bool:
    """Return whether a text starts with a capital, and has several words to a line and nothing of code.

    Items need fewer words to a line if the element is named a description.
    """
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()]
    if not lines or any(line[0].isspace() for line in lines):
        return False
    said = [_BULLET.sub("", line, count=1) for line in lines]
    words = [word for line in said for word in line.split()]
    least = _WORDS_AN_ITEM if is_named and prose_items(lines) else _WORDS_A_LINE
    if len(words) < least * len(lines) or any(_CODE_SIGN.search(line) for line in said):
        return False
    plain = [word for word in words if _WORD.fullmatch(word)]
    has_lower = sum(any(map(str.islower, word)) for word in plain)
    return said[0][0].isupper() and 5 * len(plain) >= 4 * len(words) and 3 * has_lower >= 2 * len(plain)
