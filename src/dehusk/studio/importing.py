"""Labels from files: annotations, which name their page by its hash, and CLEANEVAL texts, which are named like it."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import eq
from pathlib import Path
from sqlite3 import Row
from typing import NamedTuple

import numpy as np

from dehusk.base.errors import DehuskError, GoldError
from dehusk.blocks import Blocks
from dehusk.blocks.annotation import SUFFIX, UNKNOWN_SOURCE, UNLABELLED, Annotation, Codes, text_digest
from dehusk.blocks.labels import OTHER, by_markup
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.cleaneval import from_cleaneval
from dehusk.many.files.formats import FOLDER
from dehusk.studio.bodies import read_body
from dehusk.studio.labelling import Change, apply_changes, checked_annotator, labels_of
from dehusk.studio.project import Project
from dehusk.studio.sources import PAGE

_TEXTS = (".cleaneval.txt", "-cleaned.txt", ".cleaned.txt", ".txt")
_TAGGED = re.compile(r"<[hpl]>", re.IGNORECASE)
_MOST_TEXT = 20_000_000  # bytes of a gold text
_PAGES = "SELECT page.id, page.name, path, format FROM page JOIN input ON input.id = input"
_LEAST_COVERAGE = 0.5  # of a gold text that is on the page; less, and it is of another page


class LabelFile(NamedTuple):
    """A file with labels, as somebody chose it."""

    name: str
    content: str
    folder: Path | None = None
    """Where it is; None if that is not known."""


@dataclass
class ImportReport:
    """What was imported."""

    pages: int = 0
    labels: int = 0
    unchanged: int = 0
    """Files whose page had labels already."""
    messages: list[str] = field(default_factory=list)
    """What could not be imported, one line each."""


def import_labels(project: Project, annotator: str, files: Iterable[LabelFile]) -> ImportReport:
    """Give pages the labels of annotations and CLEANEVAL texts, each as an action that can be undone.

    Labels of an annotation belong to the annotator that it names. Blocks that have a label keep it.

    Args:
        project: the project.
        annotator: to whom labels without a name belong.
        files: annotations by their name's end `.anno.json`; all others are texts, named like their page.
    """
    report = ImportReport()
    for file in files:
        try:
            found = list(_pages_of(project, file))
            if not found:
                report.messages.append(f"{file.name}: the project has no such page")
            for page in found:
                _import(project, annotator, file, page, report)
        except DehuskError as error:
            report.messages.append(f"{file.name}: {error}")
    return report


def files_beside(project: Project) -> Iterator[LabelFile]:
    """Yield the annotations and the tagged gold texts that are beside the project's pages, or in a folder near them."""
    rows = project.reading.execute("SELECT path, format FROM input WHERE format IN (?, ?)", (PAGE, FOLDER.name))
    roots = {Path(row["path"]).parent if row["format"] == PAGE else Path(row["path"]) for row in rows}
    outermost = [root for root in sorted(roots) if not any(other in root.parents for other in roots)]
    for root in outermost:
        for folder, _, names in os.walk(root):
            for name in sorted(names):
                if name.endswith((SUFFIX, *_TEXTS)) and (text := _read(Path(folder, name), root)) is not None:
                    yield LabelFile(name, text, Path(folder))


def _read(path: Path, root: Path) -> str | None:
    """Return the content of a file; None if it is not one with labels, or a link out of its folder."""
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            return None
        with path.open("rb") as stream:
            text = stream.read(_MOST_TEXT).decode("utf-8-sig", "replace")
    except OSError:
        return None
    return text if path.name.endswith(SUFFIX) or _TAGGED.search(text) else None


def _pages_of(project: Project, file: LabelFile) -> Iterator[Row]:
    """Yield the pages that a file is about."""
    if file.name.endswith(SUFFIX):
        yield from _annotated(project, Annotation.parse(file.content.encode()))
        return
    ending = next((ending for ending in _TEXTS if file.name.endswith(ending)), "")
    stem = Path(file.name).name.removesuffix(ending)
    likely = project.reading.execute(f"{_PAGES} WHERE instr(page.name, ?) > 0", (stem,))
    named = [row for row in likely if stem in (Path(row["name"]).name, Path(row["name"]).stem)]
    yield from named if file.folder is None else _nearest(named, file.folder)


def _annotated(project: Project, annotation: Annotation) -> list[Row]:
    """Return the pages that an annotation is of.

    That of a page whose text depends on its HTTP headers names other bytes, those of its file, but the same text.
    """
    found = project.reading.execute(f"{_PAGES} WHERE sha = ?", (annotation.page,)).fetchall()
    if found or not annotation.url:
        return found
    likely = project.reading.execute(f"{_PAGES} WHERE page.url = ? AND headers <> '{{}}'", (annotation.url,))
    return [row for row in likely if text_digest(read_body(project, row["id"]).blocks().page) == annotation.text]


def _nearest(pages: Sequence[Row], folder: Path) -> list[Row]:
    """Return those of some pages that are nearest to a folder; of equally near ones, those in folders named like it.

    Raises:
        GoldError: they are in several folders.
    """
    found: dict[tuple[int, int], list[Row]] = defaultdict(list)
    folders: dict[tuple[int, int], set[Path]] = defaultdict(set)
    for row in pages:
        own = (Path(row["path"]) if row["format"] == PAGE else Path(row["path"], row["name"])).parent
        key = _common(own.parts, folder.parts), _common(own.parts[::-1], folder.parts[::-1])
        found[key].append(row)
        folders[key].add(own)
    if not found:
        return []
    if len(folders[max(found)]) > 1:
        raise GoldError("pages in several folders have its name")
    return found[max(found)]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many parts two paths have in common at the start."""
    return sum(takewhile(bool, map(eq, one, other)))


def _import(project: Project, annotator: str, file: LabelFile, row: Row, report: ImportReport) -> None:
    body = read_body(project, row["id"])
    blocks = body.blocks()
    sources = np.full(len(blocks), UNKNOWN_SOURCE, dtype=np.int8)
    if file.name.endswith(SUFFIX):
        annotation = Annotation.parse(file.content.encode())
        sources = annotation.sources_for(blocks)
        annotator, codes = checked_annotator(annotation.annotator or annotator), annotation.labels_for(blocks)
    else:
        codes = _of_text(blocks, file.content)
    known = labels_of(project, row["id"], annotator, len(blocks))
    new = np.flatnonzero((codes != UNLABELLED) & (known == UNLABELLED))
    change = Change(row["id"], len(blocks), new.tolist(), codes[new].tolist(), sources[new].tolist())
    count = apply_changes(project, annotator, [change], {row["id"]: body.data})
    report.labels += count
    report.pages += bool(count)
    report.unchanged += not count


def _of_text(blocks: Blocks, text: str) -> Codes:
    segments = from_cleaneval(text)
    codes, agreement = label_blocks(blocks, segments)
    if agreement.coverage < _LEAST_COVERAGE:
        raise GoldError(f"only {agreement.coverage:.0%} of its words are on the page of this name")
    if not _TAGGED.search(text):
        codes = by_markup(blocks, codes != OTHER)
    return codes.astype(np.int8)
