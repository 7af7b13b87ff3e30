"""A list of pages as a file: rows as `dehusk corpus` writes them, or an archive with a file for each page.

Each page is cleaned for it as the project cleans pages now: by its model and its rules. A page that cannot be read or
cleaned has a row that says so, so that a list of n pages has n rows.
"""

from __future__ import annotations

import json
import shlex
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import dehusk
from dehusk.base.atomic import replacing
from dehusk.base.csv_cells import write_cells
from dehusk.base.errors import ChildSlowError, ConfigError, DehuskError, InputError, Status, unknown
from dehusk.base.processes.child import PAGE_MEMORY, one_line
from dehusk.base.processes.pool import ChildPool
from dehusk.many.corpus.sinks import SINKS, WriteRow
from dehusk.many.rows import COLUMNS, Row, document_columns, make_row
from dehusk.studio.background import BackgroundWork, RunProgress
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.exporting import save_labels
from dehusk.studio.making import Making, making_of
from dehusk.studio.page_facts import SECONDS
from dehusk.studio.project import Project
from dehusk.write import find_writer
from dehusk.write.json import dumps

LABELS = "labels"
"""Content of an archive: what an annotator labelled, instead of what is kept."""
CONTENTS = ("markdown", "text", "html", "tei", "json", "prompt", LABELS)
"""What to export of each page."""
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of all members, so that equal lists are equal archives


class ListFile(NamedTuple):
    """What to export.

    Raises:
        ConfigError: from `checked`.
    """

    suffix: str
    """One of `FILES`."""
    content: str = "markdown"
    """One of `CONTENTS`."""
    annotator: str = "me"
    """Whose labels."""

    @property
    def name(self) -> str:
        """Of the file, if nobody chooses another."""
        return f"pages-{self.content}{self.suffix}"

    def checked(self) -> ListFile:
        """Return it, if it can be exported."""
        if self.suffix not in FILES:
            raise ConfigError(unknown("kind of file", self.suffix, tuple(FILES)))
        if self.content not in CONTENTS:
            raise ConfigError(unknown("content", self.content, CONTENTS))
        if self.content == LABELS and self.suffix != ".zip":
            raise ConfigError("labels are exported as an archive: choose .zip")
        return self


@dataclass(frozen=True)
class Exported(RunProgress):
    """How far an export is, and what became of the pages."""

    failed: int = 0
    """Pages that could not be read or cleaned, or have no labels."""
    name: str = ""
    """Of the file."""


def export_list(
    project: Project,
    pages: Sequence[int],
    wanted: ListFile,
    path: Path,
    *,
    workers: int = 1,
    tell: Callable[[Exported], bool] = lambda _: True,
) -> Exported:
    """Write pages to a file, in their order. The file appears once it is complete.

    Args:
        project: the project.
        pages: ids of its pages.
        wanted: what to write of them.
        path: the file.
        workers: processes that clean pages.
        tell: called after each page; returns whether to go on.

    Raises:
        ConfigError: `wanted` is impossible.
        InputError: the file is one of the project's files of pages.
        MissingExtraError: Parquet needs an extra.
        OSError: the file cannot be written.
    """
    wanted.checked()
    progress = Exported(of=len(pages), name=path.name)
    steps = _label_steps if wanted.content == LABELS else _row_steps
    with replacing(project.outside(path)) as temporary:
        for failed in steps(project, pages, wanted, temporary, workers=workers):
            progress = replace(progress, done=progress.done + 1, failed=progress.failed + failed)
            if not tell(progress):
                raise InterruptedError("the export was cancelled")
    return replace(progress, state="done")


def export_command(folder: Path, query: str, wanted: ListFile) -> str:
    """Return the command that exports a list again.

    Args:
        folder: of the project.
        query: what the address of the list says after its question mark.
        wanted: what to export.
    """
    listed = ["--list", query] if query else []
    whose = ["--annotator", wanted.annotator] if wanted.content == LABELS else []
    project = ["--project", str(folder)]
    return shlex.join(
        ["dehusk", "studio", *project, *listed, *whose, "--content", wanted.content, "--export", wanted.name]
    )


# ---------------------------------------------------------------- rows


class _Listed(NamedTuple):
    """A page of the list, and what its row says besides its content."""

    about: Row
    body: PageBody
    incomplete: str = ""
    """Why the bytes are not all; "" if they are. What cleans them cannot know."""


def _row_steps(project: Project, pages: Sequence[int], wanted: ListFile, path: Path, *, workers: int) -> Iterator[bool]:
    """Write the rows; after each, yield whether its page has failed."""
    with (
        FILES[wanted.suffix](path, wanted.content) as write_row,
        ChildPool(
            _row_maker, (making_of(project), wanted.content), workers=workers, seconds=SECONDS, memory=PAGE_MEMORY,
            preload=__name__,
        ) as children,
    ):  # fmt: skip
        for item, outcome in children.map(_listed(project, pages)):
            row = outcome if isinstance(outcome, dict) else make_row(**item.about, **_failure(outcome))
            write_row(row)
            yield not isinstance(outcome, dict) or row["status"] == Status.ERROR


def _listed(project: Project, pages: Iterable[int]) -> Iterator[_Listed]:
    query = "SELECT page.*, input.name AS file FROM page JOIN input ON input.id = input WHERE page.id = ?"
    for page in pages:
        row = project.reading.execute(query, (page,)).fetchone()
        if row is None:  # removed meanwhile
            continue
        about = {"file": row["file"], "number": max(0, row["number"]), "id": row["name"], "url": row["url"]}
        about |= {"host": row["host"]}
        try:
            body = read_body(project, page)
        except (DehuskError, KeyError) as error:  # its file is gone, or has changed
            yield _Listed(about | _failure(error), PageBody(b"", "", {}))
        else:
            yield _Listed(about, body, row["message"] if row["status"] == Status.TRUNCATED else "")


def _failure(error: Exception) -> Row:
    status = Status.LIMIT if isinstance(error, ChildSlowError) else Status.ERROR
    return {"status": str(status), "message": one_line(error), "version": dehusk.__version__}


def _row_maker(how: tuple[Making, str]) -> Callable[[_Listed], Row]:
    """Return the function of a child process: it cleans a page and makes its row."""
    making, content = how
    return lambda item: _row(making, content, item)


def _row(making: Making, content: str, item: _Listed) -> Row:
    if "status" in item.about:  # it could not be read
        return make_row(**item.about)
    body = item.body
    document = dehusk.clean(
        body.data,
        url=body.url or None,
        headers=body.headers,
        method=making.method,
        model=making.model,
        rules=making.parsed_rules(),
    )
    columns = document_columns(document, content, metadata=True)
    if item.incomplete and document.status.is_fine:
        columns |= {"status": str(Status.TRUNCATED), "message": item.incomplete}
    given = {name: value for name, value in item.about.items() if name not in columns or not columns[name]}
    return make_row(**columns | given, html_bytes=len(body.data), method=making.method)


# ---------------------------------------------------------------- files


@contextmanager
def _open_csv(path: Path, _: str) -> Iterator[WriteRow]:
    """Write a table for spreadsheets; lists and objects are JSON."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        write_cells(stream, list(COLUMNS), [])
        yield lambda row: write_cells(stream, [_csv_cell(row[name]) for name in COLUMNS], [])


def _csv_cell(value: object) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


@contextmanager
def _open_archive(path: Path, content: str) -> Iterator[WriteRow]:
    """Write a file for each page with content, and `rows.jsonl`: all rows, with `text_file` instead of `text`."""
    suffix = find_writer(content).extension
    lines: list[str] = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:

        def write_row(row: Row) -> None:
            name = f"{len(lines) + 1:06d}{suffix}" if row["text"] else None
            if name:
                add_member(archive, name, row["text"].encode())
            renamed = {("text_file" if key == "text" else key): value for key, value in row.items()}
            lines.append(dumps(renamed | {"text_file": name}))

        yield write_row
        add_member(archive, "rows.jsonl", "".join(lines).encode())


def add_member(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file to an archive; equal files give equal archives, whenever they are made."""
    archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)


def _sink(name: str) -> Callable[[Path, str], AbstractContextManager[WriteRow]]:
    def opened(path: Path, _: str) -> AbstractContextManager[WriteRow]:
        SINKS[name].require()
        return SINKS[name].open(path)

    return opened


FILES: Mapping[str, Callable[[Path, str], AbstractContextManager[WriteRow]]] = {
    ".jsonl": _sink("jsonl"),
    ".parquet": _sink("parquet"),
    ".csv": _open_csv,
    ".zip": _open_archive,
}
"""Suffix of a file -> opens it, given the content of its rows."""


def _label_steps(
    project: Project, pages: Sequence[int], wanted: ListFile, path: Path, *, workers: int
) -> Iterator[bool]:
    """Write the files of an annotator's labels, as `annotations/` has them; yield whether a page has none."""
    del workers  # nothing is cleaned
    labelled = "SELECT 1 FROM labelling WHERE page = ? AND annotator = ? AND labelled > 0"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for page in pages:
            files: list[Path] = []
            if project.reading.execute(labelled, (page, wanted.annotator)).fetchone() is not None:
                with suppress(InputError, KeyError):  # its file has changed: its labels have no page any more
                    files = [each for each in save_labels(project, page, wanted.annotator) if each.is_file()]
            for each in files:
                add_member(archive, each.name, each.read_bytes())
            yield not files


# ---------------------------------------------------------------- in the background


class ListExports(BackgroundWork[Exported]):
    """The exports of a studio; the file is in the project's folder `exports`."""

    busy = "another list is being exported"

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._project.inside(self._project.folder / "exports")

    def start(self, pages: Sequence[int], wanted: ListFile) -> None:
        """Start in a thread.

        Raises:
            ConfigError: `wanted` is impossible.
            InputError: another export is under way.
        """
        path = self.folder / wanted.checked().name
        self._begin(Exported(of=len(pages), name=path.name), lambda: self._export(pages, wanted, path))

    def _export(self, pages: Sequence[int], wanted: ListFile, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        with suppress(InterruptedError):  # cancelled
            export_list(self._project, pages, wanted, path, workers=self._workers, tell=self._told)
        self._check()

    def _told(self, progress: Exported) -> bool:
        self.progress = progress
        return not self._stopping.is_set()
