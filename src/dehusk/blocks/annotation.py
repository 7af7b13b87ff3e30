"""Stand-off annotations: the labels of a page's characters, in a file beside the page.

The page itself is never changed. The file identifies the page by the SHA-256 of its raw bytes, and the text that its
offsets refer to by a second hash: a different parser or decoding must not shift labels silently.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.atomic import replacing
from dehusk.base.characters import CharClass
from dehusk.base.errors import GoldError, explaining, unknown
from dehusk.blocks import Blocks
from dehusk.blocks.labels import CONTINUATION, LABELS, OTHER
from dehusk.read.page import Bools, Page, digest

Codes = npt.NDArray[np.int8]
"""(b,) index into `LABELS` for each block, `UNLABELLED` if it has no label."""

_Index = npt.NDArray[np.intp]

UNLABELLED = -1
SUFFIX = ".anno.json"
FORMAT = "dehusk-annotation"
VERSIONS = (1, 2)
"""Of the file; 2 if it says how labels were given."""
SOURCES = ("given", "single", "confirmed", "all", "site", "settled")
"""How a label was given: by its key; to one unit of the queue; by confirming a suggestion; to all blocks of a page at
once; to all alike on a site; or after two annotators disagreed."""
UNKNOWN_SOURCE = -1

_MOST_BYTES = 50_000_000  # of a file: 300,000 spans take 40 MB
_EXCERPT = 60  # characters of a span's text in the file
_MAX_OFFSET = 2**31 - 1
_KEYS = ("format", "version", "page", "text", "url", "annotator", "spans")


class Span(NamedTuple):
    """One labelled range of `page.text`."""

    start: int
    end: int
    label: str
    excerpt: str
    """The start of the text, only for people who read the file."""
    source: str = ""
    """One of `SOURCES`; "" if it is not known."""


@dataclass(frozen=True)
class Annotation:
    """The labels of one page.

    Raises:
        GoldError: a field has an invalid value; the message names it.
    """

    page: str
    """SHA-256 of the page's raw bytes, in hex."""
    text: str
    """SHA-256 of `page.text` in UTF-8, in hex."""
    spans: tuple[Span, ...] = ()
    """In document order, not overlapping; text outside of all spans is unlabelled."""
    url: str | None = None
    annotator: str | None = None

    def __post_init__(self) -> None:
        _check_fields(self)
        _check_spans(self.spans)

    @classmethod
    def from_labels(
        cls,
        data: bytes,
        blocks: Blocks,
        codes: npt.ArrayLike,
        *,
        url: str | None = None,
        annotator: str | None = None,
        sources: Codes | None = None,
    ) -> "Annotation":
        """Annotate the blocks of a page.

        Args:
            data: the page's raw bytes.
            blocks: any segmentation of that page.
            codes: (b,) index into `LABELS` for each block, -1 if it is unlabelled.
            url: the page's URL; by default that of `blocks.page`.
            annotator: the person who labelled the page.
            sources: (b,) index into `SOURCES` for each block, -1 if it is not known how its label was given.

        Raises:
            ValueError: `codes` does not have exactly one valid code per block.
        """
        codes = np.asarray(codes)
        is_whole = codes.dtype.kind in "iu" or not codes.size
        if codes.shape != (len(blocks),) or not is_whole or ((codes < UNLABELLED) | (codes >= len(LABELS))).any():
            raise ValueError(f"codes must be {len(blocks)} numbers from {UNLABELLED} to {len(LABELS) - 1}")
        names = (*SOURCES, "")
        source = [""] * len(blocks) if sources is None else [names[code] for code in sources.tolist()]
        spans = tuple(
            Span(*blocks.span(block), LABELS[codes[block]], blocks.texts[block][:_EXCERPT], source[block])
            for block in np.flatnonzero(codes != UNLABELLED).tolist()
        )
        page = blocks.page
        return cls(digest(data), text_digest(page), spans, page.url if url is None else url, annotator)

    @classmethod
    def load(cls, path: str | Path) -> "Annotation":
        """Read an annotation file.

        Raises:
            InputError: the file cannot be read.
            GoldError: it is malformed; the message names the file and the problem.
        """
        with explaining(f"{path}: cannot be read"), Path(path).open("rb") as stream:
            raw = stream.read(_MOST_BYTES + 1)
        if len(raw) > _MOST_BYTES:
            raise GoldError(f"{path}: longer than {_MOST_BYTES} bytes")
        try:
            return cls.parse(raw)
        except GoldError as error:
            raise GoldError(f"{path}: {error}") from None

    @classmethod
    def parse(cls, raw: bytes) -> "Annotation":
        """Read the content of an annotation file.

        Raises:
            GoldError: it is malformed.
        """
        return cls(**_fields(raw))

    def save(self, path: str | Path) -> None:
        """Write the annotation file atomically: even after a power failure, the file is the old or the new one.

        Raises:
            OSError: the file cannot be written; an existing file is unchanged.
        """
        with replacing(Path(path)) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.write(self.json())
            file.flush()
            os.fsync(file.fileno())

    def check(self, data: bytes, page: Page) -> None:
        """Check that this annotation belongs to a page and to its parsed text.

        Args:
            data: the page's raw bytes.
            page: the parsed page.

        Raises:
            GoldError: it belongs to another page or text.
        """
        if digest(data) != self.page:
            raise GoldError(f"annotation of another page: SHA-256 {self.page[:12]}…, not {digest(data)[:12]}…")
        self._check_text(page)

    def labels_for(self, blocks: Blocks) -> Codes:
        """Return the code of each block, shape (b,), for any segmentation of the page.

        A block is unlabelled if less than half of its characters (white space excluded) are annotated, and `other` if
        less than half of the annotated ones are content. A content span and the continuations after it form a unit, for
        example a paragraph split into several segments. A content block belongs to the unit that most of its characters
        are in; the first block of a unit gets the unit's label, and the others become continuations.

        Raises:
            GoldError: the blocks are from another page or text.
        """
        self._check_text(blocks.page)
        ink = np.flatnonzero(blocks.char_class != CharClass.WHITE)
        block = np.repeat(np.arange(len(blocks)), blocks.chars)[ink]
        span = self._span_at(blocks.source[ink])
        label = np.array([LABELS.index(s.label) for s in self.spans], dtype=np.int8)
        code = np.append(label, UNLABELLED)[span]
        result = _by_majority(block, code, len(blocks))
        starts = label < CONTINUATION
        unit = np.cumsum(starts)
        label_of_unit = np.append(CONTINUATION, label[starts]).astype(np.int8)  # unit 0: continuations of nothing
        in_content = _is_content(code) & (result[block] == CONTINUATION)
        first, of_unit = _first_blocks(block[in_content], unit[span[in_content]])
        result[first] = label_of_unit[of_unit]
        return result

    def sources_for(self, blocks: Blocks) -> Codes:
        """Return how the label of each block was given, shape (b,): that of its start, an index into `SOURCES` or -1.

        Raises: as `labels_for`.
        """
        self._check_text(blocks.page)
        sources = [(*SOURCES, "").index(span.source) for span in self.spans]
        found = np.array([*sources, len(SOURCES)], dtype=np.int8)[self._span_at(blocks.source[blocks.start])]
        return np.where(found == len(SOURCES), UNKNOWN_SOURCE, found).astype(np.int8)

    def _span_at(self, position: npt.NDArray[np.int32]) -> _Index:
        """Return the index of the span that contains each position, -1 if none does."""
        starts = np.array([s.start for s in self.spans], dtype=np.int64)
        ends = np.array([*(s.end for s in self.spans), 0], dtype=np.int64)
        span = np.searchsorted(starts, position, side="right") - 1
        span[position >= ends[span]] = -1
        return span

    def _check_text(self, page: Page) -> None:
        if text_digest(page) != self.text:
            raise GoldError(
                "annotation of another text: the page was decoded or parsed differently when it was annotated"
            )
        if self.spans and self.spans[-1].end > len(page.text):
            raise GoldError(f"span {len(self.spans)} ends at {self.spans[-1].end}, the text at {len(page.text)}")

    def json(self) -> str:
        """Return the content of the annotation file."""
        version = VERSIONS[any(span.source for span in self.spans)]
        values = (FORMAT, version, self.page, self.text, self.url, self.annotator)
        lines = [f"  {_dump(key)}: {_dump(value)},\n" for key, value in zip(_KEYS, values, strict=False)]
        spans = ",\n".join(f"    {_dump(span if span.source else span[:-1])}" for span in self.spans)
        return "".join(["{\n", *lines, '  "spans": [', f"\n{spans}\n  " if spans else "", "]\n}\n"])


def _is_content(code: Codes) -> Bools:
    content: Bools = (code != UNLABELLED) & (code != OTHER)
    return content


def _by_majority(block: _Index, code: Codes, b: int) -> Codes:
    """Return CONTINUATION for content, OTHER or UNLABELLED for each of b blocks.

    Args:
        block: the block of each character.
        code: the code of each character.
        b: the number of blocks.
    """
    labelled = np.bincount(block[code != UNLABELLED], minlength=b)
    content = np.bincount(block[_is_content(code)], minlength=b)
    result = np.where(2 * content >= labelled, CONTINUATION, OTHER).astype(np.int8)
    result[2 * labelled < np.bincount(block, minlength=b)] = UNLABELLED
    return result


def _first_blocks(block: _Index, unit: _Index) -> tuple[_Index, _Index]:
    """Assign each block to the unit of most of its characters; return the first block of each unit, and the units.

    `block` and `unit` have one entry per character. If two units have equally many characters, the earlier wins.
    """
    width = int(unit.max(initial=0)) + 1
    pairs, counts = np.unique(block * width + unit, return_counts=True)
    blocks, units = pairs // width, pairs % width
    order = np.lexsort((-units, counts, blocks))
    is_last = np.append(blocks[1:] != blocks[:-1], True)[: len(blocks)]  # sorted by block, before and after
    taken = units[order[is_last]]
    of_unit, first = np.unique(taken, return_index=True)
    return blocks[is_last][first], of_unit


def text_digest(page: Page) -> str:
    """Return the SHA-256 of a page's text as parsed, in hex, which tells whether offsets into it are valid."""
    return hashlib.sha256((page.parsed_text or page.text).encode("utf-8")).hexdigest()


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fields(raw: bytes) -> dict[str, Any]:
    """Return the fields of an annotation file, after checking its format and version."""
    try:
        document = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise GoldError(f"not JSON in UTF-8: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise GoldError(f'not an annotation: "format" is not "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or version not in VERSIONS:
        raise GoldError(f"version {version!r} is not supported; supported: {' and '.join(map(str, VERSIONS))}")
    for key in sorted(document.keys() ^ set(_KEYS)):
        raise GoldError(f"{'unknown' if key in document else 'missing'} key {key!r}")
    if not isinstance(document["spans"], list):
        raise GoldError("spans must be a list")
    fields = {key: document[key] for key in _KEYS[2:]}
    fields["spans"] = tuple(_span(number, row) for number, row in enumerate(document["spans"], 1))
    return fields


def _span(number: int, row: object) -> Span:
    types = [type(value) for value in row] if isinstance(row, list) else []
    if not isinstance(row, list) or types not in ([int, int, str, str], [int, int, str, str, str]):
        raise GoldError(f"span {number} must be [start, end, label, text] or [start, end, label, text, source]")
    return Span(*row)


def _check_fields(annotation: Annotation) -> None:
    for name in ("page", "text"):
        value = getattr(annotation, name)
        if not isinstance(value, str) or len(value) != 64 or set(value) - set("0123456789abcdef"):
            raise GoldError(f"{name} must be a SHA-256 in hexadecimal")
    for name in ("url", "annotator"):
        if not isinstance(getattr(annotation, name), str | None):
            raise GoldError(f"{name} must be text or null")


def _check_spans(spans: Sequence[Span]) -> None:
    previous_end = 0
    for number, span in enumerate(spans, 1):
        if span.label not in LABELS:
            raise GoldError(f"span {number}: {unknown('label', span.label, LABELS)}")
        if span.source and span.source not in SOURCES:
            raise GoldError(f"span {number}: {unknown('source', span.source, SOURCES)}")
        if not 0 <= span.start < span.end <= _MAX_OFFSET:
            raise GoldError(f"span {number}: {span.start} to {span.end} is out of range")
        if span.start < previous_end:
            raise GoldError(f"span {number} overlaps the previous span or comes before it")
        previous_end = span.end
