"""Labels of many pages in one file, kept apart from the pages: one JSON object per line.

`{"set": "city-a", "id": "0001", "page": "<SHA-256>", "text": "<SHA-256>", "site": "city.example", "kind": "table",
"language": "en", "split": "train", "annotator": "a", "flags": [], "spans": [[0, 12, "header"], …]}`

`page` is the SHA-256 of the page's bytes, `text` that of `page.text`, to which the offsets of the spans refer. The file
contains no text of the pages, so it can be published where the pages cannot. All keys are required; only `language` may
be null. `split` says whether a page is for training or for testing; all pages of a site are on the same side.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base.atomic import write_text
from dehusk.base.errors import GoldError, explaining, unknown
from dehusk.blocks.annotation import Annotation, Span
from dehusk.lab.gold.datasets import Sample
from dehusk.read.page import digest

SPLITS = ("train", "test")

_TEXTS = ("set", "id", "page", "text", "site", "kind", "split", "annotator")
_KEYS = ("set", "id", "page", "text", "site", "kind", "language", "split", "annotator", "flags", "spans")


@dataclass(frozen=True)
class HandLabels:
    """The labels that one annotator gave one page of a set.

    Raises:
        GoldError: `split` is neither "train" nor "test".
    """

    set: str
    id: str
    site: str
    kind: str
    """The kind of page, such as "thread"."""
    split: str
    """"train" or "test"."""
    annotation: Annotation
    """The labels, without excerpts of the text."""
    language: str | None = None
    flags: tuple[str, ...] = ()
    """Remarks of the annotator, such as "hard"."""

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise GoldError(unknown("split", self.split, SPLITS))

    @property
    def name(self) -> str:
        """The page as "<set>/<id>"."""
        return f"{self.set}/{self.id}"

    def line(self) -> str:
        """Return the labels as one line of JSON."""
        annotation = self.annotation
        row = {key: getattr(self, key) for key in _KEYS if hasattr(self, key)}
        row |= {key: getattr(annotation, key) for key in ("page", "text", "annotator")}
        row["spans"] = [span[:3] for span in annotation.spans]
        return json.dumps({key: row[key] for key in _KEYS}, ensure_ascii=False) + "\n"


def read_hand_labels(path: Path) -> list[HandLabels]:
    """Read a file of labels, in its order.

    Raises:
        InputError: the file cannot be read.
        GoldError: a line is malformed, an annotator labels a page twice, or a site is on both sides of the split.
    """
    with explaining(f"{path}: cannot be read"):
        lines = path.read_bytes().split(b"\n")
    labels = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                labels.append(_from_row(line))
            except GoldError as error:
                raise GoldError(f"{path}: line {number}: {error}") from None
    try:
        _check_together(labels)
    except GoldError as error:
        raise GoldError(f"{path}: {error}") from None
    return labels


def write_hand_labels(path: Path, labels: Sequence[HandLabels]) -> None:
    """Write a file of labels atomically; excerpts of the text are left out.

    Raises:
        GoldError: an annotator labels a page twice, or a site is on both sides of the split.
        OSError: the file cannot be written; an existing file is unchanged.
    """
    _check_together(labels)
    write_text(path, "".join(of_page.line() for of_page in labels))


def join_hand_labels(labels: Iterable[HandLabels], samples: Iterable[Sample]) -> Iterator[tuple[HandLabels, Sample]]:
    """Yield the labels of the pages of some sets with their pages, in the order of the pages.

    Labels of pages of other sets are skipped.

    Raises:
        GoldError: a page has changed since it was labelled, is missing from its set, or has labels of two annotators.
    """
    by_page: dict[tuple[str, str], HandLabels] = {}
    for of_page in labels:
        if other := by_page.get((of_page.set, of_page.id)):
            people = f"{other.annotation.annotator} and {of_page.annotation.annotator}"
            raise GoldError(f"{of_page.name}: labelled by {people}; choose one of them")
        by_page[of_page.set, of_page.id] = of_page
    sets = set()
    for sample in samples:
        sets.add(sample.set)
        if found := by_page.pop((sample.set, sample.id), None):
            if digest(sample.data) != found.annotation.page:
                raise GoldError(f"{found.name}: the page has changed since it was labelled")
            yield found, sample
    if missing := [of_page.name for of_page in by_page.values() if of_page.set in sets]:
        raise GoldError(f"{missing[0]}: labelled, but not in its set ({len(missing)} such labels)")


def _check_together(labels: Iterable[HandLabels]) -> None:
    """Check what a single line does not show."""
    done: set[tuple[str, str, str | None]] = set()
    sides: dict[str, str] = {}
    for of_page in labels:
        key = (of_page.set, of_page.id, of_page.annotation.annotator)
        if key in done:
            raise GoldError(f"{of_page.name}: labelled twice by {of_page.annotation.annotator}")
        done.add(key)
        if sides.setdefault(of_page.site, of_page.split) != of_page.split:
            raise GoldError(f"{of_page.name}: site {of_page.site} has pages for training and for testing")


def _from_row(line: bytes) -> HandLabels:
    try:
        row: Any = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise GoldError(f"not JSON in UTF-8: {error}") from None
    if not isinstance(row, dict):
        raise GoldError("labels must be an object")
    for key in sorted(row.keys() ^ set(_KEYS)):
        raise GoldError(f"{'unknown' if key in row else 'missing'} key {key!r}")
    for key in _TEXTS:
        if not isinstance(row[key], str) or not row[key]:
            raise GoldError(f"{key} must be a text")
    if not isinstance(row["language"], str | None):
        raise GoldError("language must be a text or null")
    if not isinstance(row["flags"], list) or not all(isinstance(flag, str) for flag in row["flags"]):
        raise GoldError("flags must be a list of texts")
    return HandLabels(
        set=row["set"],
        id=row["id"],
        site=row["site"],
        kind=row["kind"],
        split=row["split"],
        annotation=Annotation(row["page"], row["text"], _spans(row["spans"]), annotator=row["annotator"]),
        language=row["language"],
        flags=tuple(row["flags"]),
    )


def _spans(rows: object) -> tuple[Span, ...]:
    if not isinstance(rows, list):
        raise GoldError("spans must be a list")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or [type(value) for value in row] != [int, int, str]:
            raise GoldError(f"span {number} must be [start, end, label]")
    return tuple(Span(start, end, label, "") for start, end, label in rows)
