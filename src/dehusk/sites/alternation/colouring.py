"""The documents of a site with what is useless in them: coloured pages, delimiters, figures."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.errors import counted
from dehusk.sites.alternation.find_optimal import FindOptimal
from dehusk.sites.alternation.grams import Spans
from dehusk.sites.alternation.strings import Points, code_points, fold, folded_text

# ---------------------------------------------------------------- document
# Figures 4 and 5: a document as an HTML page in which the useless parts are grey.

_HEAD = (
    '<!DOCTYPE html>\n<html lang="und">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    "<style>body{{font:14px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere;color:#000;background:#fff}}"
    "i{{font-style:normal;color:#999}}h1{{font-size:18px}}small{{font-family:sans-serif}}</style>\n"
    "<h1>{title}</h1>\n"
)


def draw_document(
    document: str,
    useless: Spans,
    *,
    title: str = "Useless parts are grey",
    note: str = "",
    omit: int | None = None,
) -> str:
    """Return a document as an HTML page.

    Args:
        document: the document, as given to `FindOptimal.useless`.
        useless: its useless parts, shape (k, 2), as `FindOptimal.useless` returns them.
        title: the heading of the page.
        note: a line below the heading.
        omit: shortens parts of more than twice as many characters: this many are shown at the start and at the end,
            with the number of omitted ones between two rows of boxes, as in figure 4. None shows everything.

    Returns:
        A complete HTML page without scripts and without anything to load. If nothing is omitted, the text of its only
        paragraph is the document.

    Raises:
        ValueError: `omit` is negative.
    """
    if omit is not None and omit < 0:
        raise ValueError(f"omit must be a non-negative number of characters, not {omit}")
    edges = [0, *useless.ravel().tolist(), len(document)]
    parts = [_HEAD.format(title=escape(title)), f"<small>{escape(note)}</small>\n" if note else "", "<p>"]
    for number, (start, end) in enumerate(pairwise(edges)):
        if start < end:
            text = escape(_shortened(document[start:end], omit))
            parts.append(f"<i>{text}</i>" if number % 2 else text)
    return "".join([*parts, "</p>\n</html>\n"])


def _shortened(text: str, omit: int | None) -> str:
    if omit is None or len(text) <= 2 * omit:
        return text
    return f"{text[:omit]}□□□{len(text) - 2 * omit}□□□{text[len(text) - omit :]}"


# ---------------------------------------------------------------- recurring
# Delimiters: the tags that recur at the start and the end of what is not useless (sections 4.1 and 5).
#
# The paper's authors extract records with delimiters that begin with "<" and end with ">", near the boundaries of non-
# useless parts. Here the delimiter of a boundary is the tag next to it in the useless text, or, if the boundary is
# inside a tag, the useless part of this tag.

_SHORTEST, _LONGEST = 2, 200  # characters of a delimiter; longer tags have values that do not recur
_OPEN, _CLOSE = ord("<"), ord(">")
_AFTER_OPEN = (ord("/"), ord("!"))
_FEWEST = 2


class DelimiterPair(NamedTuple):
    """A left and a right delimiter, and what is between them in a set of documents."""

    left: str
    right: str
    documents: int
    """Number of documents with such a part."""
    parts: int
    characters: int
    """Number of characters in these parts."""

    @property
    def is_unique(self) -> bool:
        """Whether no document has two such parts."""
        return self.parts == self.documents


@dataclass
class _Tally:
    documents: int = 0
    parts: int = 0
    characters: int = 0
    last: int = field(default=-1, repr=False)

    def add(self, document: int, characters: int) -> None:
        self.documents += document != self.last
        self.last = document
        self.parts += 1
        self.characters += characters


def recurring_delimiters(documents: Sequence[str], useless: Sequence[Spans]) -> list[DelimiterPair]:
    """Return the delimiters of the non-useless parts that recur in at least two documents.

    Args:
        documents: the documents, with markup; white space in delimiters is folded.
        useless: the useless parts of each, as `FindOptimal.useless` returns them.

    Returns:
        The pairs by falling number of characters between them, then alphabetically.
    """
    tallies: dict[tuple[str, str], _Tally] = defaultdict(_Tally)
    for number, (document, spans) in enumerate(zip(documents, useless, strict=True)):
        for left, right, characters in _delimited(document, spans):
            tallies[left, right].add(number, characters)
    pairs = [
        DelimiterPair(left, right, tally.documents, tally.parts, tally.characters)
        for (left, right), tally in tallies.items()
        if tally.documents >= _FEWEST
    ]
    return sorted(pairs, key=lambda pair: (-pair.characters, pair.left, pair.right))


def _delimited(document: str, useless: Spans) -> list[tuple[str, str, int]]:
    """Return the delimiters and the length of the parts between useless ones that have a tag on both sides."""
    start, end = useless[:-1, 1], useless[1:, 0]
    points = code_points(document)
    opens, closes = _tag_starts(points), np.flatnonzero(points == _CLOSE)
    if not len(start) or not len(opens) or not len(closes):
        return []
    left, right = _left(opens, closes, start), _right(opens, closes, end, len(document))
    lengths = np.stack([left[:, 1] - left[:, 0], right[:, 1] - right[:, 0]])
    chosen = np.flatnonzero(((lengths >= _SHORTEST) & (lengths <= _LONGEST)).all(axis=0))
    found = []
    for row in chosen.tolist():
        before, after = (_folded(document[a:b]) for a, b in (left[row].tolist(), right[row].tolist()))
        found.append((before, after, int(end[row] - start[row])))
    return found


def _tag_starts(points: Points) -> npt.NDArray[np.intp]:
    """Return where "<" is followed by a letter, "/" or "!"; in scripts it is an operator, too."""
    opens = np.flatnonzero(points[:-1] == _OPEN)
    following = points[opens + 1]
    is_letter = (following | 32) - ord("a") < 26
    return opens[is_letter | np.isin(following, _AFTER_OPEN)]


def _left(
    opens: npt.NDArray[np.intp], closes: npt.NDArray[np.intp], start: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Return where the left delimiters of parts start and end; they are empty where no tag begins before a part."""
    index = np.searchsorted(opens, start) - 1
    tag = opens[np.maximum(index, 0)]
    closing = np.searchsorted(closes, tag)
    end = np.where(closing < len(closes), closes[np.minimum(closing, len(closes) - 1)] + 1, start)
    end = np.where(
        start - tag < _SHORTEST, end, np.minimum(end, start)
    )  # of a tag that is useless up to "<": all of it
    return np.stack([tag, np.where(index >= 0, end, tag)], axis=1)


def _right(
    opens: npt.NDArray[np.intp], closes: npt.NDArray[np.intp], end: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.int64]:
    """Return where the right delimiters of parts start and end; they are empty where no tag ends after a part."""
    opening, closing = np.searchsorted(opens, end), np.searchsorted(closes, end)
    tag_end = closes[np.minimum(closing, len(closes) - 1)]
    tag = np.where(opening < len(opens), opens[np.minimum(opening, len(opens) - 1)], size)
    is_inside = tag_end < tag
    first = np.where(is_inside, end, tag)
    last = closes[np.minimum(np.searchsorted(closes, first), len(closes) - 1)] + 1
    return np.stack([first, np.where(closing < len(closes), np.maximum(last, first), first)], axis=1)


def _folded(text: str) -> str:
    return folded_text(fold(text).points).strip()


# ---------------------------------------------------------------- colouring


@dataclass(frozen=True, eq=False)
class ColouredSite:
    """Documents and the finder whose n-grams colour them."""

    cut: FindOptimal
    names: Sequence[str]
    documents: Sequence[str]

    @cached_property
    def useless(self) -> list[Spans]:
        """The useless parts of each document."""
        return [self.cut.useless(document) for document in self.documents]

    @cached_property
    def delimiters(self) -> list[DelimiterPair]:
        """What recurs around the parts that are not useless."""
        return recurring_delimiters(self.documents, self.useless)

    def share(self, index: int) -> float:
        """Return the share of a document's characters that are useless."""
        spans = self.useless[index]
        return float((spans[:, 1] - spans[:, 0]).sum()) / max(len(self.documents[index]), 1)

    def picture(self, index: int, *, omit: int | None = None) -> str:
        """Return a document as an HTML page in which useless characters are grey, the others black."""
        spans, document = self.useless[index], self.documents[index]
        note = f"{self.describe()}; {self.share(index):.0%} of {len(document):,} characters are useless (grey)"
        return draw_document(document, spans, title=self.names[index], note=note, omit=omit)

    def describe(self) -> str:
        """Return what is useless, in a few words."""
        cut = self.cut
        if cut.search == "df":
            return f"n-grams of {cut.n_} characters in {cut.t_} or more of {cut.documents_} documents"
        alternation = f", {cut.path_[-1].alternation:,} alternations" if cut.path_ else ""
        return f"cut point ({cut.n_}, {cut.a_:g}) of {counted(cut.documents_, 'document')}{alternation}"

    def report(self) -> dict[str, Any]:
        """Return cut point, path, delimiters and figures of each document, for JSON."""
        cut = self.cut
        return {
            "search": cut.search,
            "n": cut.n_,
            "a": cut.a_,
            "t": cut.t_,
            "documents": cut.documents_,
            "path": [step._asdict() for step in cut.path_],
            "delimiters": [{**pair._asdict(), "unique": pair.is_unique} for pair in self.delimiters],
            "pages": [
                {
                    "name": name,
                    "characters": len(document),
                    "useless": round(self.share(index), 4),
                    "useless_parts": len(self.useless[index]),
                }
                for index, (name, document) in enumerate(zip(self.names, self.documents, strict=True))
            ],
        }
