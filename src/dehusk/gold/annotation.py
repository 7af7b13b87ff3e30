"""Stand-off annotations: which characters of a page carry which label, in a file beside the page.

The page itself is never touched. The file names the page by the SHA-256 of its raw bytes, and the text that the
offsets count in by a hash of its own: another parser, or another decoding, must not shift labels silently.
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

from dehusk.blocks import Blocks
from dehusk.characters import CharClass
from dehusk.errors import GoldError, InputError
from dehusk.labels import CONTINUATION, LABELS, OTHER
from dehusk.page import Bools, Page, digest

Codes = npt.NDArray[np.int8]
"""(b,) index into `LABELS` for each block, `UNLABELLED` where nobody has said."""

_Index = npt.NDArray[np.intp]

UNLABELLED = -1
SUFFIX = ".anno.json"
FORMAT = "dehusk-annotation"
VERSION = 1

_SHOWN = 60  # characters of a span's text in the file, for the eye only
_LARGEST = 2**31 - 1
_KEYS = ("format", "version", "page", "text", "url", "annotator", "spans")


class Span(NamedTuple):
    """One labelled stretch of `page.text`."""

    start: int
    end: int
    label: str
    shown: str
    """How the text begins; for people who read the file, never compared."""


@dataclass(frozen=True)
class Annotation:
    """The labels of one page.

    Raises:
        GoldError: a field holds what it cannot; the message names it.
    """

    page: str
    """SHA-256 of the page's raw bytes, in hex."""
    text: str
    """SHA-256 of `page.text` in UTF-8, in hex."""
    spans: tuple[Span, ...] = ()
    """In document order, not overlapping; text in none of them is unlabelled."""
    url: str | None = None
    annotator: str | None = None

    def __post_init__(self) -> None:
        _check_fields(self)
        _check_spans(self.spans)

    @classmethod
    def from_labels(
        cls, data: bytes, blocks: Blocks, codes: npt.ArrayLike, *, url: str | None = None, annotator: str | None = None
    ) -> "Annotation":
        """Annotate the blocks of a page.

        Args:
            data: the page's raw bytes.
            blocks: any segmentation of that page.
            codes: (b,) index into `LABELS` for each block, -1 where it is unlabelled.
            url: where the page is from; the page's own where it is not given.
            annotator: who says so.

        Raises:
            ValueError: there is not one known code a block.
        """
        listed = np.asarray(codes)
        if listed.shape != (len(blocks),) or ((listed < UNLABELLED) | (listed >= len(LABELS))).any():
            raise ValueError(f"codes must be {len(blocks)} numbers from {UNLABELLED} to {len(LABELS) - 1}")
        spans = tuple(
            Span(*blocks.span(block), LABELS[listed[block]], blocks.texts[block][:_SHOWN])
            for block in np.flatnonzero(listed != UNLABELLED).tolist()
        )
        page = blocks.page
        return cls(digest(data), _text_digest(page), spans, page.url if url is None else url, annotator)

    @classmethod
    def load(cls, path: str | Path) -> "Annotation":
        """Read an annotation file.

        Raises:
            InputError: the file cannot be read.
            GoldError: it is malformed; the message names the file and the problem.
        """
        try:
            raw = Path(path).read_bytes()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from error
        try:
            return cls(**_fields(raw))
        except GoldError as error:
            raise GoldError(f"{path}: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write the annotation file: all of it or nothing, even if the machine stops half-way.

        Raises:
            OSError: it cannot be written; what stood there before is as it was.
        """
        path = Path(path)
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with temporary.open("w", encoding="utf-8", newline="\n") as file:
                file.write(self._json())
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    def check(self, data: bytes, page: Page) -> None:
        """Check that this is an annotation of the page and of the text that was read from it.

        Raises:
            GoldError: it is not.
        """
        if digest(data) != self.page:
            raise GoldError(f"annotation of another page: SHA-256 {self.page[:12]}…, not {digest(data)[:12]}…")
        self._check_text(page)

    def labels_for(self, blocks: Blocks) -> Codes:
        """Return the code of each block, shape (b,), for any segmentation of the page.

        A block is unlabelled if less than half of its ink is annotated, and other text if less than half of that
        is content. A content span and the continuations after it are one unit (a paragraph in pieces); a content
        block belongs to the unit that holds most of its ink, and the first block of a unit takes the unit's label,
        every further one is its continuation.

        Raises:
            GoldError: the blocks are of another page or text.
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
        kinds = np.append(CONTINUATION, label[starts]).astype(np.int8)  # unit 0 is what goes on from nothing
        mine = _is_content(code) & (result[block] == CONTINUATION)
        first, of_unit = _first_blocks(block[mine], unit[span[mine]])
        result[first] = kinds[of_unit]
        return result

    def _span_at(self, position: npt.NDArray[np.int32]) -> _Index:
        """Return the number of the span that holds each position, -1 where none does."""
        starts = np.array([s.start for s in self.spans], dtype=np.int64)
        ends = np.array([*(s.end for s in self.spans), 0], dtype=np.int64)
        span = np.searchsorted(starts, position, side="right") - 1
        span[position >= ends[span]] = -1
        return span

    def _check_text(self, page: Page) -> None:
        if _text_digest(page) != self.text:
            raise GoldError("annotation of another text: the page was decoded or parsed otherwise when it was made")
        if self.spans and self.spans[-1].end > len(page.text):
            raise GoldError(f"span {len(self.spans)} ends at {self.spans[-1].end}, the text at {len(page.text)}")

    def _json(self) -> str:
        values = (FORMAT, VERSION, self.page, self.text, self.url, self.annotator)
        lines = [f"  {_dump(key)}: {_dump(value)},\n" for key, value in zip(_KEYS, values, strict=False)]
        spans = ",\n".join(f"    {_dump(span)}" for span in self.spans)
        return "".join(["{\n", *lines, '  "spans": [', f"\n{spans}\n  " if spans else "", "]\n}\n"])


def _is_content(code: Codes) -> Bools:
    content: Bools = (code != UNLABELLED) & (code != OTHER)
    return content


def _by_majority(block: _Index, code: Codes, b: int) -> Codes:
    """Return CONTINUATION for content, OTHER or UNLABELLED for each block, from the block and code of characters."""
    labelled = np.bincount(block[code != UNLABELLED], minlength=b)
    content = np.bincount(block[_is_content(code)], minlength=b)
    result = np.where(2 * content >= labelled, CONTINUATION, OTHER).astype(np.int8)
    result[2 * labelled < np.bincount(block, minlength=b)] = UNLABELLED
    return result


def _first_blocks(block: _Index, unit: _Index) -> tuple[_Index, _Index]:
    """Give each block the unit of most of its characters; return the first block of each unit, and its unit.

    One row a character. Of two units with as many characters the earlier is taken.
    """
    width = int(unit.max(initial=0)) + 1
    pairs, counts = np.unique(block * width + unit, return_counts=True)
    blocks, units = pairs // width, pairs % width
    order = np.lexsort((-units, counts, blocks))
    is_last = np.append(blocks[1:] != blocks[:-1], True)[: len(blocks)]  # sorted by block, before and after
    taken = units[order[is_last]]
    of_unit, first = np.unique(taken, return_index=True)
    return blocks[is_last][first], of_unit


def _text_digest(page: Page) -> str:
    return hashlib.sha256(page.text.encode("utf-8")).hexdigest()


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fields(raw: bytes) -> dict[str, Any]:
    """Return the fields of an annotation file, its format and version checked."""
    try:
        document = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise GoldError(f"not JSON in UTF-8: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise GoldError(f'not an annotation: "format" is not "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise GoldError(f"version {version!r} is not {VERSION}, the one this dehusk reads")
    for key in sorted(document.keys() ^ set(_KEYS)):
        raise GoldError(f"{'unknown' if key in document else 'missing'} key {key!r}")
    if not isinstance(document["spans"], list):
        raise GoldError("spans must be a list")
    fields = {key: document[key] for key in _KEYS[2:]}
    fields["spans"] = tuple(_span(number, row) for number, row in enumerate(document["spans"], 1))
    return fields


def _span(number: int, row: object) -> Span:
    kinds = [type(value) for value in row] if isinstance(row, list) else []
    if not isinstance(row, list) or kinds != [int, int, str, str]:
        raise GoldError(f"span {number} is not [start, end, label, text]")
    return Span(*row)


def _check_fields(annotation: Annotation) -> None:
    for name in ("page", "text"):
        value = getattr(annotation, name)
        if not isinstance(value, str) or len(value) != 64 or set(value) - set("0123456789abcdef"):
            raise GoldError(f"{name} must be a SHA-256 in hex")
    for name in ("url", "annotator"):
        if not isinstance(getattr(annotation, name), str | None):
            raise GoldError(f"{name} must be text or null")


def _check_spans(spans: Sequence[Span]) -> None:
    before = 0
    for number, span in enumerate(spans, 1):
        if span.label not in LABELS:
            raise GoldError(f"span {number}: unknown label {span.label!r}")
        if not 0 <= span.start < span.end <= _LARGEST:
            raise GoldError(f"span {number}: {span.start} to {span.end} is out of range")
        if span.start < before:
            raise GoldError(f"span {number} overlaps or comes before the one above it")
        before = span.end
