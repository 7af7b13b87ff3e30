"""Documents as strings of code points, white space folded as section 3 says, and pages written as such strings.

A page's string is its body as markup again: tags with their attributes, text as the reader sees it. It is written from
the page's columns in one gather: every tag and every text node is a piece of one pool of characters, and the pieces
follow each other in document order. Since each character knows where in the pool it came from, each character of the
page's text knows its place in the string.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.page import Attributes, Ints, Page
from dehusk.tags import TAG_NUMBER, VOID, numbers

Points = npt.NDArray[np.uint32]
_SPACE = 32
_IS_WHITE = np.zeros(_SPACE + 2, dtype=np.bool_)  # the last is for all that come after the space
_IS_WHITE[[9, 10, 11, 12, 13, _SPACE]] = True
_MOST = 1 << 26  # characters: no page is as long as that, but its parser may copy one long tag many thousand times
_NAMES = tuple(TAG_NUMBER)
_VOID = numbers(VOID)


def code_points(text: str) -> Points:
    """Return a text as code points, shape (len(text),); lone surrogates are letters like others."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Folded:
    """A document of f characters after folding, and where they came from."""

    points: Points
    """(f,) code points."""
    first: Ints
    """(f + 1,) offset in the document of each character; of a folded run, of its first one. The last is the length."""


def fold(text: str) -> Folded:
    """Fold white space: tabs and line ends become spaces, and of a run of spaces the first stays (section 3)."""
    points, kept = _fold(code_points(text))
    return Folded(points, np.append(kept, len(text)).astype(np.int32))


def folded_text(points: Points) -> str:
    """Return code points as text."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def _fold(points: Points) -> tuple[Points, npt.NDArray[np.intp]]:
    """Return the folded points and which of the points stay."""
    white = _IS_WHITE[np.minimum(points, _SPACE + 1)]
    repeats = np.zeros(len(points), dtype=np.bool_)
    repeats[1:] = white[1:] & white[:-1]
    kept = np.flatnonzero(~repeats)
    folded = np.where(white[kept], _SPACE, points[kept]).astype(np.uint32)
    return folded, kept


@dataclass(frozen=True, eq=False)
class PageString:
    """A page as the string that the method works on."""

    text: str
    """Tags, attributes and text of the body, white space folded."""
    place: Ints
    """(len(page.text),) where in `text` each character of the page's text stands; folded ones share a place."""


def page_string(page: Page, *, attributes: Collection[str] | None = ("class",)) -> PageString:
    """Write a page's body as a string.

    Elements that hold no text of the page (scripts, styles, drawings) are not there, comments neither. An image's
    alternative text stands behind its tag and never in it, because it is text of the page.

    Args:
        page: a page; one without nodes gives the empty string.
        attributes: names of the attributes that are written; None writes all. Addresses and numbers of items double
            the string and make no difference to what is found (`bench/alternation.py`). A page whose string would
            have more than 2^26 characters is written without attributes.

    Returns:
        The string; time and memory are linear in its length.
    """
    if not len(page):
        return PageString("", np.zeros(0, dtype=np.int32))
    tags, start, length = _pieces(page, attributes)
    if int(length.sum(dtype=np.int64)) > _MOST:
        tags, start, length = _pieces(page, ())
    source = _gather(start, length)
    points, kept = _fold(np.concatenate([page.code_points, code_points(tags)])[source])
    stays = np.zeros(len(source), dtype=np.bool_)
    stays[kept] = True
    is_text = np.flatnonzero(source < len(page.text))
    place = np.empty(len(page.text), dtype=np.int32)
    place[source[is_text]] = (np.cumsum(stays, dtype=np.int32) - 1)[is_text]
    return PageString(folded_text(points), place)


def _gather(start: Ints, length: Ints) -> npt.NDArray[np.intp]:
    """Return start, start + 1, … of each piece, one after the other."""
    before = np.cumsum(length, dtype=np.intp) - length
    return np.repeat(start - before, length) + np.arange(int(length.sum()))


def _pieces(page: Page, attributes: Collection[str] | None) -> tuple[str, Ints, Ints]:
    """Return the text of all tags, and start and length of each piece in the page's text followed by that text.

    Before the start of node i stand the starts of i nodes and the ends of the elements that end at or before i; before
    the end of an element, all nodes that start before it ends, and the ends that come earlier: those of elements that
    end earlier or, at the same place, that lie within.
    """
    n, elements = len(page), np.flatnonzero(~page.is_text)
    tags, begin, begin_length, finish, finish_length = _tags(page, elements, attributes)
    ended = np.cumsum(np.bincount(page.end[elements], minlength=n + 1))
    at = np.arange(n) + ended[:n]
    order = np.lexsort((-elements, page.end[elements]))
    at_end = np.empty(len(elements), dtype=np.intp)
    at_end[order] = page.end[elements[order]] + np.arange(len(elements))
    start, length = (np.empty(n + len(elements), dtype=np.int32) for _ in range(2))
    start[at], length[at] = page.text_start, page.text_end - page.text_start
    start[at[elements]], length[at[elements]] = begin + len(page.text), begin_length
    start[at_end], length[at_end] = finish + len(page.text), finish_length
    return tags, start, length


def _tags(
    page: Page, elements: npt.NDArray[np.intp], attributes: Collection[str] | None
) -> tuple[str, Ints, Ints, Ints, Ints]:
    """Return all different tags in one text, and start and length there of each element's start and end tag."""
    names = (*_NAMES, *page.extra_tags)
    tags = page.tag.tolist()
    number = page.tag.astype(np.int32)
    written: dict[tuple[int, str], int] = {}
    nodes, codes = [], []
    for node, pairs in page.attributes.items():
        text = _attributes(pairs, attributes)
        if text:
            nodes.append(node)
            codes.append(written.setdefault((tags[node], text), len(written)))
    number[nodes] = 2 * len(names) + np.array(codes, dtype=np.int32)
    texts = [f"<{name}>" for name in names] + [f"</{name}>" for name in names]
    texts += [f"<{names[tag]}{text}>" for tag, text in written]
    sizes = np.fromiter(map(len, texts), np.int32, len(texts))
    starts = np.cumsum(sizes, dtype=np.int32) - sizes
    sizes[len(names) + _VOID] = 0  # these elements have no end tag
    begin, finish = number[elements], len(names) + page.tag[elements].astype(np.int32)
    return "".join(texts), starts[begin], sizes[begin], starts[finish], sizes[finish]


def _attributes(pairs: Attributes, names: Collection[str] | None) -> str:
    """Return attributes as they stand in a tag."""
    kept = [(name, value) for name, value in pairs if name != "alt" and (names is None or name in names)]
    return "".join(f' {name}="{value}"' for name, value in kept)
