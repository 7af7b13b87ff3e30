"""Documents as code points with white space folded (section 3), and pages written as such documents.

The document of a page is its body as markup: tags with their attributes, and text as a reader sees it. It is gathered
from the page's columns at once: each tag and each text node is a piece of one pool of characters, and the pieces follow
in document order. The index of each character in the pool is known, and so is the position of each character of the
page's text.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import require_type
from dehusk.base.tags import TAG_NUMBER, VOID, numbers
from dehusk.read.page import Attributes, Ints, Page

Points = npt.NDArray[np.uint32]
_SPACE = 32
_IS_WHITE = np.zeros(_SPACE + 2, dtype=np.bool_)  # the last entry is for all code points above the space
_IS_WHITE[[9, 10, 11, 12, 13, _SPACE]] = True
_SPARE, _SHARE = 1 << 20, 8  # characters, also times those of the source; only copies of long tags exceed this
_NAMES = tuple(TAG_NUMBER)
_VOID = numbers(VOID)


def code_points(text: str) -> Points:
    """Return a text as code points, shape (len(text),); lone surrogates are letters like any other."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Folded:
    """A document of f characters after folding, with their offsets before folding."""

    points: Points
    """(f,) code points."""
    first: Ints
    """(f + 1,) offset of each character in the document, for a run of spaces of the first one; last, its length."""


def fold(text: str) -> Folded:
    """Fold white space: tabs and line ends become spaces, and runs of spaces become one space (section 3)."""
    points, kept = _fold(code_points(text))
    return Folded(points, np.append(kept, len(text)).astype(np.int32))


def folded_text(points: Points) -> str:
    """Return code points as text."""
    return points.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def _fold(points: Points) -> tuple[Points, npt.NDArray[np.intp]]:
    """Return the folded code points and the indices of those that are kept."""
    white = _IS_WHITE[np.minimum(points, _SPACE + 1)]
    repeats = np.zeros(len(points), dtype=np.bool_)
    repeats[1:] = white[1:] & white[:-1]
    kept = np.flatnonzero(~repeats)
    folded = np.where(white[kept], _SPACE, points[kept]).astype(np.uint32)
    return folded, kept


@dataclass(frozen=True, eq=False)
class PageString:
    """A page as a document."""

    text: str
    """Tags, attributes and text of the body, white space folded."""
    positions: Ints
    """(len(page.text),) position in `text` of each character of the page's text; folded characters share a position."""
    is_cut: bool = False
    """Whether the attributes are left out because the document would be too long."""


def page_string(page: Page, *, attributes: Collection[str] | None = ("class",)) -> PageString:
    """Write the body of a page as a document, in time and memory linear in its length.

    Comments are omitted, as are elements that contain no text of the page (scripts, styles, drawings). The alternative
    text of an image follows its tag and is never inside it, because it is text of the page.

    Args:
        page: a page; without nodes its document is the empty string.
        attributes: names of the attributes to write; None for all. Addresses and item numbers double the length and do
            not change the results (`bench/alternation.py`). A document that would have more than 2^20 characters and
            eight times those of the page's source, because the parser copies long tags, is written without attributes.

    Raises:
        TypeError: it is not a `Page`.
    """
    require_type(page, Page, "page_string() takes Page")
    if not len(page):
        return PageString("", np.zeros(0, dtype=np.int32))
    tags, start, length = _pieces(page, attributes)
    if is_cut := int(length.sum(dtype=np.int64)) > max(_SPARE, _SHARE * len(page.elements.text)):
        tags, start, length = _pieces(page, ())
    source = _gather(start, length)
    points, kept = _fold(np.concatenate([page.code_points, code_points(tags)])[source])
    is_kept = np.zeros(len(source), dtype=np.bool_)
    is_kept[kept] = True
    text_indices = np.flatnonzero(source < len(page.text))
    positions = np.empty(len(page.text), dtype=np.int32)
    positions[source[text_indices]] = (np.cumsum(is_kept, dtype=np.int32) - 1)[text_indices]
    return PageString(folded_text(points), positions, is_cut)


def _gather(start: Ints, length: Ints) -> npt.NDArray[np.intp]:
    """Return start, start + 1, … of each piece, concatenated."""
    before = np.cumsum(length, dtype=np.intp) - length
    return np.repeat(start - before, length) + np.arange(int(length.sum()))


def _pieces(page: Page, attributes: Collection[str] | None) -> tuple[str, Ints, Ints]:
    """Return the text of all tags, and the start and length of each piece in the page's text followed by that text.

    The start of node i is preceded by the starts of i nodes and the ends of all elements that end at or before i. The
    end of an element is preceded by the starts of all nodes before it and by earlier ends: those of elements that end
    before it or, at the same node, that are inside the element.
    """
    n, elements = len(page), np.flatnonzero(~page.is_text)
    tags, start_tag, start_tag_length, end_tag, end_tag_length = _tags(page, elements, attributes)
    ended = np.cumsum(np.bincount(page.end[elements], minlength=n + 1))
    start_index = np.arange(n) + ended[:n]
    order = np.lexsort((-elements, page.end[elements]))
    end_index = np.empty(len(elements), dtype=np.intp)
    end_index[order] = page.end[elements[order]] + np.arange(len(elements))
    start, length = (np.empty(n + len(elements), dtype=np.int32) for _ in range(2))
    start[start_index], length[start_index] = page.text_start, page.text_end - page.text_start
    start[start_index[elements]], length[start_index[elements]] = start_tag + len(page.text), start_tag_length
    start[end_index], length[end_index] = end_tag + len(page.text), end_tag_length
    return tags, start, length


def _tags(
    page: Page, elements: npt.NDArray[np.intp], attributes: Collection[str] | None
) -> tuple[str, Ints, Ints, Ints, Ints]:
    """Return all distinct tags as one text, and offset and length in it of each element's start tag and end tag."""
    names = (*_NAMES, *page.extra_tags)
    tags = page.tag.tolist()
    number = page.tag.astype(np.int32)
    code_of: dict[tuple[int, str], int] = {}
    nodes, codes = [], []
    for node, pairs in page.attributes.items():
        text = _attributes(pairs, attributes)
        if text:
            nodes.append(node)
            codes.append(code_of.setdefault((tags[node], text), len(code_of)))
    number[nodes] = 2 * len(names) + np.array(codes, dtype=np.int32)
    texts = [f"<{name}>" for name in names] + [f"</{name}>" for name in names]
    texts += [f"<{names[tag]}{text}>" for tag, text in code_of]
    sizes = np.fromiter(map(len, texts), np.int32, len(texts))
    starts = np.cumsum(sizes, dtype=np.int32) - sizes
    sizes[len(names) + _VOID] = 0  # these elements have no end tag
    start_tag, end_tag = number[elements], len(names) + page.tag[elements].astype(np.int32)
    return "".join(texts), starts[start_tag], sizes[start_tag], starts[end_tag], sizes[end_tag]


def _attributes(pairs: Attributes, names: Collection[str] | None) -> str:
    """Return the attributes of a tag as markup."""
    kept = [(name, value) for name, value in pairs if name != "alt" and (names is None or name in names)]
    return "".join(f' {name}="{value}"' for name, value in kept)
