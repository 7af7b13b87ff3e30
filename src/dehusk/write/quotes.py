"""Where a quotation stands on its page, whatever became of its spaces, quotation marks, case and markup.

Texts are compared by their letters and digits in lower case. A quotation is looked for as it is, then without the marks
of Markdown and HTML; first in the kept text, then in what writers make of it, then in all text of the page, then with
the alternative texts of images. Writers have who wrote a post and when above its text, and other signs for some texts,
such as TeX for a formula. If a quotation is nowhere, words of it may be missing or different: the part of the page that
has most of them is its place, if they have a share of `least` of the letters. The figures are in docs/quotes.md.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from html import unescape
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote as percent_encoded

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.base.errors import ConfigError, is_number, require_type
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks, segment, word_starts
from dehusk.blocks.headlines import HEADING_TAGS
from dehusk.blocks.labels import Labels
from dehusk.compiled.decide import heading_levels
from dehusk.compiled.text import classify, lower, text_of
from dehusk.read.addresses import address_of
from dehusk.read.page import Bools, Page
from dehusk.read.xpath import xpaths
from dehusk.write.attribution import shows_posts, signed
from dehusk.write.inserts import replacements
from dehusk.write.pruning import prune

Offsets = npt.NDArray[np.intp]

LEAST = 0.7
"""Share of the letters of a quotation that a place with other words has, at least; set by hand, below what the names
and dates that Markdown shows above posts leave of most pieces of 400 characters."""
_MOST, _TRIED = 20, 2_000  # places of a quotation, and of its letters, if those within words come before
_LONG, _END = 600, 200  # words of a quotation of which only the ends are compared word by word, and words of an end
_FRAGMENT, _SIDE = 10, 4  # words of a text fragment that is written whole, and of its start and end otherwise
_TAGS = pattern(
    r"alt=\"|</?[A-Za-z!][^<>]{0,1000}?(?=alt=\")|</?[A-Za-z!][^<>]{0,1000}>|\A[^<>]{0,1000}=[\"“”][^<>]{0,1000}>|<[^<>]{0,1000}\Z"
)
"""Tags of HTML and TEI, without alternative texts; the first and the last may be cut."""
_MARKS = pattern(  # what Markdown has around the words of a page, and what plain text has before items
    r"\[\^[^\[\]\n]{1,50}\]:?|!?\[(?=[^\[\]]{0,500}\])"  # references to footnotes; the start of links and images
    r"|(?<!\\)\]\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?(?:\)|\Z)|\A[^()\[\]\s]{1,2000}\)(?=\W)"  # ends
    r"|^[ \t>]{0,50}\d{1,4}[.)](?:[ \t]|\Z)|^[ ]{0,3}(?:`{3,9}|~{3,9})[^\n]*$",
    re.MULTILINE,
)
_REFERENCE = pattern(r"\[\^([^\[\]\n]{1,50})\](?!:)")
"""A reference to a footnote, which may have the text of its link on the page; the note itself has its label only."""
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")  # as plain text has raised numbers


@dataclass(frozen=True)
class QuotePlace:
    """A place of a quotation on its page."""

    text: str
    """What the page has there, with folded white space; of kept text without what was dropped in between."""
    match: float
    """Share of the letters and digits of the quotation that are there, 0 to 1."""
    kept: bool
    """Whether the blocks with these letters are kept."""
    span: tuple[int, int]
    """(start, end) in characters of `page.text`."""
    blocks: tuple[int, int]
    """(first, end) in `Document.blocks`; the end is one past the last block. An image is in the block before it."""
    xpath: str
    """XPath of the innermost element that contains all of it."""
    fragment: str
    """A text fragment for browsers: `#:~:text=…`."""
    url: str | None
    """The page's address with the fragment; None if the address is not known."""
    source: tuple[int, int] | None = None
    """(start, end) in bytes of `page.data`, the page as it was given, with the markup in between; None if it is not
    known, as for text of scripts."""

    def record(self) -> dict[str, object]:
        """Return the place as plain values, ready for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def find_quote(labels: Labels, quote: str, *, least: float = LEAST) -> list[QuotePlace]:
    """Return the places of a quotation, the best first; none if it stands nowhere.

    Args:
        labels: the labels of a page's blocks.
        quote: what was quoted: a part of the page's text, or of what dehusk wrote of it.
        least: share of its letters and digits that a place must have, 0 to 1; 1 for nothing but the words as they are.

    Raises:
        TypeError: `quote` is no str.
        ConfigError: `least` is not between 0 and 1.
    """
    if not is_number(least, 0, 1):
        raise ConfigError(f"least must be between 0 and 1, not {least!r}")
    require_type(quote, str, "a quotation must be a str")
    wanted = [each for each in map(_Letters.of_text, _forms(quote)) if each.text]
    known = list[_Letters]()
    for letters in _texts(labels):
        known.append(letters)
        for each in wanted:
            if found := [*letters.places_of(each)]:
                return [_place(labels, letters, place, match=1.0) for place in found]
    if not wanted or least >= 1:
        return []
    for letters in known:
        place, match = letters.nearest(wanted[-1])
        if match and match >= least:
            return [_place(labels, letters, place, match=match)]
    return []


def _forms(quote: str) -> Iterable[str]:
    """Return a quotation as it is, and without the marks of Markdown: with what is like tags in code, and without."""
    marked = [_MARKS.sub(" ", text).translate(_RAISED) for text in (_REFERENCE.sub(r"\1", quote), quote)]
    return dict.fromkeys((quote, *marked, *(unescape(_TAGS.sub(" ", text)) for text in marked)))


def _texts(labels: Labels) -> "Iterator[_Letters]":
    """Yield the letters of the kept text, as it is and as written, of all text, and of these with alternative texts."""
    page = labels.blocks.page
    for blocks in (labels.blocks, segment(page, alt=True)) if len(page.alt_nodes) else (labels.blocks,):
        yield _Letters.of_blocks(blocks, _is_kept(labels, blocks))
        for written, changes in _as_written(labels):
            yield _Letters.as_written(blocks, _is_kept(written, blocks), changes)
        yield _Letters.of_blocks(blocks, np.ones(len(blocks.code_points), np.bool_))


def _is_kept(labels: Labels, blocks: Blocks) -> Bools:
    """Return whether each character of some blocks of the page is kept text, or that of an image that is written."""
    page, kept = labels.blocks.page, np.zeros(len(blocks), np.bool_)
    if len(labels):
        kept = labels.kept[_blocks_of(labels, blocks.first)] & ~blocks.is_alt
    if blocks.is_alt.any():
        is_written = np.zeros(len(page), dtype=np.bool_)
        is_written[prune(labels).nodes] = True
        kept |= blocks.is_alt & is_written[page.parent[blocks.first]]
    is_kept: Bools = kept.repeat(blocks.chars)
    for node in labels.omitted.tolist():
        is_kept[slice(*blocks.source.searchsorted((page.text_start[node], page.text_end[node])))] = False
    return is_kept


class _Written(NamedTuple):
    """What writers have instead of a part of the page's text; between two characters if it is empty."""

    start: int
    end: int
    text: str


def _as_written(labels: Labels) -> Iterator[tuple[Labels, list[_Written]]]:
    """Yield the labels without lines that say who wrote a post, and what writers have instead of text of the page.

    TEI has who wrote a post below its heading, all other formats above it.
    """
    page = labels.blocks.page
    starts, ends = page.text_start.tolist(), page.text_end.tolist()
    changes = [_Written(starts[node], ends[node], text) for node, text in replacements(page).items()]
    if changes:  # plain text has no lines that say who wrote a post
        yield labels, sorted(changes)
    if not shows_posts(labels, "auto"):
        return
    written, signatures = signed(labels)
    lines = {block: f" {each.author}{each.rest} " for block, each in signatures.items()}
    first, last = labels.blocks.first, labels.blocks.last
    yield (
        written,
        sorted([*changes, *(_Written(at := starts[first[block]], at, line) for block, line in lines.items())]),
    )
    levels = heading_levels(labels.blocks, HEADING_TAGS)
    if any(levels[block] for block in lines):
        below = ((ends[last[block]] if levels[block] else starts[first[block]], line) for block, line in lines.items())
        yield written, sorted([*changes, *(_Written(at, at, line) for at, line in below)])


def _blocks_of(labels: Labels, nodes: npt.NDArray[np.integer]) -> Offsets:
    """Return the block in which each node is, or after which."""
    found: Offsets = np.maximum(labels.blocks.first.searchsorted(nodes, "right") - 1, 0)
    return found


class _Letters(NamedTuple):
    """The letters and digits of a text in lower case."""

    text: str
    at: Offsets
    """(len(text),) where each stands among the characters that it was taken from."""
    starts: Bools
    """(len(text),) whether a word starts at each."""
    blocks: Blocks | None = None
    """The blocks that it was taken from."""

    @classmethod
    def of(cls, points: npt.NDArray[np.uint32], classes: npt.NDArray[np.uint8], starts: Bools, of: Bools) -> "_Letters":
        at = (((classes == CharClass.ALPHA) | (classes == CharClass.DIGIT)) & of).nonzero()[0]
        begins = np.diff(at, prepend=-2) > 1
        return cls(text_of(lower(points[at])), at, begins | starts[at])

    @classmethod
    def of_blocks(cls, blocks: Blocks, kept: Bools) -> "_Letters":
        return cls.of(blocks.code_points, blocks.char_class, blocks.word_start, kept)._replace(blocks=blocks)

    @classmethod
    def as_written(cls, blocks: Blocks, kept: Bools, changes: Sequence[_Written]) -> "_Letters":
        """Return the letters of kept characters with changes, which stand where what they change is."""
        own, done, parts = cls.of_blocks(blocks, kept), 0, list[_Letters]()
        is_kept = np.append(kept, False)
        for change in changes:
            start, end = blocks.source.searchsorted((change.start, change.end)).tolist()
            if is_kept[start]:
                first, last = own.at.searchsorted((start, end)).tolist()
                new = cls.of_text(change.text)
                at = blocks.source.searchsorted(change.start + new.at)  # most of what is new begins with what was there
                at = np.clip(at, start, max(end - 1, start))
                parts += (own.part(done, first), new._replace(at=at))
                done = last
        text, at, starts = zip(*(part[:3] for part in [*parts, own.part(done, len(own.text))]), strict=True)
        return cls("".join(text), np.concatenate(at), np.concatenate(starts), blocks)

    def part(self, start: int, end: int) -> "_Letters":
        """Return some of the letters."""
        return self._replace(text=self.text[start:end], at=self.at[start:end], starts=self.starts[start:end])

    @classmethod
    def of_text(cls, text: str) -> "_Letters":
        points = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
        classes = classify(points)
        starts = word_starts(points, classes, np.zeros(min(len(points), 1), np.int32))
        return cls.of(points, classes, starts, np.ones(len(points), np.bool_))

    def places_of(self, other: "_Letters") -> Iterator[tuple[int, int]]:
        """Yield (start, end) of each place with the letters of another text; only of whole words, if there are any."""
        found, at = list[int](), self.text.find(other.text)
        while at >= 0 and len(found) < _TRIED:
            found.append(at)
            at = self.text.find(other.text, at + 1)
        size, ends = len(other.text), np.append(self.starts, True)
        whole = [start for start in found if self.starts[start] and ends[start + size]]
        yield from ((start, start + size) for start in (whole or found)[:_MOST])

    def nearest(self, other: "_Letters") -> tuple[tuple[int, int], float]:
        """Return the (start, end) of the part that has most words of another text, and their share of its letters."""
        own, wanted = self.words(), other.words()
        if len(wanted) <= _LONG:
            return self._nearest(own, wanted)
        (start, _), match = self._nearest(own, wanted[:_END])
        (_, end), last = self._nearest(own, wanted[-_END:])
        return (start, end), min(match, last) if start < end else 0.0

    def _nearest(self, own: Sequence[str], wanted: Sequence[str]) -> tuple[tuple[int, int], float]:
        size, known = 3 * len(wanted) // 2 + 4, set(wanted)
        hits = np.append(0, np.cumsum([len(word) * (word in known) for word in own], dtype=np.intp))
        ends = np.minimum(np.arange(len(own)) + size, len(own))
        if not len(own) or not hits[-1]:
            return (0, 0), 0.0
        begin = int((hits[ends] - hits[: len(own)]).argmax())
        matcher = SequenceMatcher(None, own[begin : begin + size], wanted, autojunk=False)
        runs = [run for run in matcher.get_matching_blocks() if run.size]
        letters = sum(len(word) for run in runs for word in wanted[run.b : run.b + run.size])
        starts = np.append(self.starts.nonzero()[0], len(self.text))
        first, end = begin + runs[0].a, begin + runs[-1].a + runs[-1].size
        return (int(starts[first]), int(starts[end])), letters / sum(map(len, wanted))

    def words(self) -> list[str]:
        """Return the words."""
        starts = [*self.starts.nonzero()[0].tolist(), len(self.text)]
        return [self.text[start:end] for start, end in pairwise(starts)]


def _place(labels: Labels, letters: _Letters, place: tuple[int, int], *, match: float) -> QuotePlace:
    blocks, page = letters.blocks or labels.blocks, labels.blocks.page
    at = letters.at[slice(*place)]
    inside = np.unique(blocks.start.searchsorted(at, "right") - 1).tolist()
    first, last = int(at[0]), int(at[-1]) + 1
    if at[0] == at[-1] and len(at) > 1:  # all of it stands above a post: its place is the first block of the post
        last = int(blocks.end[inside[0]])
    parts = [blocks.text[max(first, blocks.start[each]) : min(last, blocks.end[each])].strip() for each in inside]
    fragment, of_labels = _fragment(parts), _blocks_of(labels, blocks.first[inside])
    node = _around(page, int(blocks.node[inside[0]]), int(blocks.node[inside[-1]]))
    url = address_of(page)
    return QuotePlace(
        text=" ".join(parts),
        match=round(match, 4),
        kept=bool((labels.kept[of_labels] | blocks.is_alt[inside]).all()),
        span=(int(blocks.source[first]), int(blocks.source[last - 1]) + 1),
        blocks=(int(of_labels[0]), int(of_labels[-1]) + 1),
        xpath=xpaths(page, [node])[node],
        fragment=fragment,
        url=None if url is None else url.partition("#")[0] + fragment,
    )


def _around(page: Page, first: int, last: int) -> int:
    """Return the innermost element that contains two elements."""
    node = first
    while node > 0 and not node <= last < page.end[node]:
        node = int(page.parent[node])
    return node


def _fragment(parts: Sequence[str]) -> str:
    """Return the text fragment of a text in several blocks (https://wicg.github.io/scroll-to-text-fragment/)."""
    words = [part.split() for part in parts]
    if len(words) == 1 and len(words[0]) <= _FRAGMENT:
        sides = [parts[0]]
    else:
        sides = [" ".join(words[0][:_SIDE]), " ".join(words[-1][-_SIDE:])]
    return "#:~:text=" + ",".join(percent_encoded(side, safe="").replace("-", "%2D") for side in sides)
