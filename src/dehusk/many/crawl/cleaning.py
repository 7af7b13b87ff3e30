"""Cleans the pages of a crawl: `clean.jsonl`, and a file for each method that finds more, such as `wisdom.jsonl`.

`dehusk.many.corpus` does the work on the WARC files of the job, in child processes with deadlines and memory limits, so
that a page that hangs or crashes does not affect the others. To resume an interrupted call, repeat it.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from dehusk.base.atomic import remove, replacing
from dehusk.base.errors import InputError, counted
from dehusk.counts.model import ENOUGH, SiteModel
from dehusk.label import DEFAULT, Style
from dehusk.label.declaration import Findings
from dehusk.label.registry import declaration, declarations
from dehusk.many.corpus.folder import RunFolder, read_values
from dehusk.many.corpus.job import CorpusJob, CorpusSummary
from dehusk.many.corpus.runner import run
from dehusk.many.crawl.job_folder import warc_files
from dehusk.many.files.inputs import Input
from dehusk.read import Limits
from dehusk.write.json import dumps
from dehusk.write.options import DEFAULTS, WriteOptions

CLEAN = "clean.jsonl"
WORKING_FOLDER = ".clean"
"""Folder in the job folder for the rows and site models of an unfinished call."""

Row = dict[str, Any]


@dataclass
class CleaningSummary:
    """Counts over the pages of a job."""

    statuses: dict[str, int] = field(default_factory=dict)
    """Number of pages by `dehusk.Status`."""
    extracted: int = 0
    """Number of pages with at least some text kept."""
    lost: int = 0
    """Number of damaged parts of the WARC files."""
    warnings: list[str] = field(default_factory=list)


def clean_crawl(  # noqa: PLR0913 (keyword arguments of a public function)
    folder: str | Path,
    *,
    form: str = "text",
    writing: WriteOptions = DEFAULTS,
    method: str | None = None,
    style: Style | None = None,
    favour: float | None = None,
    limits: Limits | None = None,
    memory: float = 2000.0,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> CleaningSummary:
    """Learn each host of a crawl from its pages, and clean all pages.

    Writes `clean.jsonl`, one line of JSON per page, the row of `dehusk.many.rows` with its metadata, and for
    each method that finds more than it keeps a file of its name, such as `wisdom.jsonl`, one line per page with its
    article and TOC blocks; all in the order in which the pages were stored. Pages of a host with fewer than five pages
    are cleaned individually, and nothing more is found on them.

    Args:
        folder: the job folder.
        form: the format of the content, one of `dehusk.write.format_names()`.
        writing: choices of that format, such as front matter.
        method: a method that can use a site; by default "united".
        style: which parts of a page to keep; see `dehusk.clean`.
        favour: 0 for precision, 1 for recall; see `dehusk.clean`.
        limits: limits on each page.
        memory: MB of memory that a page may use.
        workers: number of WARC files processed at the same time.
        progress: called with the number of pages cleaned so far.

    Raises:
        InputError: the folder contains no pages, or cannot be written.
        ConfigError: the method is unknown, or the options do not fit it.
        MissingExtraError: the extra "crawl" is not installed.
    """
    job_folder = Path(folder)
    inputs = [Input(path, path.name, "warc") for path in warc_files(job_folder)]
    if not inputs:
        raise InputError(f"{folder} contains no pages to clean")
    finders = {declared.name: declared.findings for declared in declarations() if declared.findings}
    options = CorpusJob(method=method, style=style, favour=favour, limits=limits or Limits(), memory=memory)
    job = _learning_all(replace(options, format="jsonl", metadata=True, content=form, writing=writing), finders)
    output = job_folder / WORKING_FOLDER
    summary = run(job, inputs, output, workers=workers, on_progress=_page_counter(progress))
    if not summary.tally.pages:
        remove(output)
        raise InputError(f"{folder} contains no pages to clean")
    cleaned = _write_lines(job_folder, _rows(RunFolder(output), inputs), finders)
    cleaned.lost = len(summary.tally.losses)
    cleaned.warnings = _warnings(summary, RunFolder(output), method, finders)
    remove(output)
    return cleaned


def _learning_all(job: CorpusJob, finders: Mapping[str, Findings]) -> CorpusJob:
    """Return a job that learns from all pages of a host, since methods compare each page with those it links to."""
    return replace(job, sample=sys.maxsize, findings=tuple(finders))


def _page_counter(progress: Callable[[int], None] | None) -> Callable[[str, int, int, str], None]:
    """Return a progress listener for the corpus run that adds up the cleaned pages."""
    cleaned = 0

    def count(stage: str, done: int, _total: int, _status: str) -> None:
        nonlocal cleaned
        if stage == "clean" and progress is not None:
            cleaned += done
            progress(cleaned)

    return count


def _write_lines(job_folder: Path, rows: Iterator[Row], finders: Mapping[str, Findings]) -> CleaningSummary:
    """Write `clean.jsonl`, and what each method finds, from the rows of the corpus run."""
    cleaned = CleaningSummary()
    with ExitStack() as stack:
        texts = stack.enter_context(_open_lines(job_folder / CLEAN))
        found = {name: stack.enter_context(_open_lines(job_folder / f"{name}.jsonl")) for name in finders}
        for row in rows:
            texts.write(dumps({name: value for name, value in row.items() if name != "findings"}))
            facts = {"url": row["url"], "record": f"<{row['id']}>", "status": row["status"]}
            findings = row.get("findings") or {}
            for name, lines in found.items():
                lines.write(dumps({**facts, **findings.get(name, finders[name].nothing)}))
            cleaned.statuses[row["status"]] = cleaned.statuses.get(row["status"], 0) + 1
            cleaned.extracted += bool(row["confidence"])
    return cleaned


@contextmanager
def _open_lines(path: Path) -> Iterator[TextIO]:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream


def _rows(output: RunFolder, inputs: Sequence[Input]) -> Iterator[Row]:
    """Yield the rows of all WARC files in the order of storage."""
    for file in inputs:
        with (output.pages / f"{file.name}.jsonl").open("rb") as lines:
            yield from map(json.loads, lines)


def _warnings(
    summary: CorpusSummary, output: RunFolder, method: str | None, finders: Mapping[str, Findings]
) -> list[str]:
    """Return warnings about hosts and about damaged or skipped parts, one line each."""
    pages_of: Counter[str] = Counter()
    for path in sorted((output.state / "index").rglob("*.json")):
        pages_of.update(read_values(path)["index"]["sites"])
    small = [host for host, pages in pages_of.items() if pages < ENOUGH]
    warnings = []
    if small:
        which = small[0] if len(pages_of) == 1 else f"{len(small)} of {len(pages_of)} hosts"
        how = f" by method {DEFAULT}" if declaration(method or DEFAULT).site == "required" else ""
        without = " and ".join(findings.summary for findings in finders.values())
        warnings.append(
            f"{which}: fewer than {ENOUGH} pages; each page is cleaned individually{how}, without {without}"
        )
    for host in sorted(pages_of.keys() - set(small)):
        folder = output.site(host)
        if folder.is_dir() and (warning := SiteModel.load(str(folder)).warning):
            warnings.append(f"{host}: {warning}")
    warnings += [f"could not learn from {line}" for line in sorted(summary.unlearned)]
    skipped = {reason: count for reason, count in summary.tally.skipped.items() if not _is_expected(reason)}
    warnings += [f"{counted(count, 'page')} skipped: {reason}" for reason, count in sorted(skipped.items())]
    losses = sorted(summary.tally.losses)
    warnings += [f"{file} at {offset}: {counted(size, 'byte')} lost: {why}" for file, offset, size, why in losses]
    return warnings


def _is_expected(reason: str) -> bool:
    """Return whether a skipped record is one that a crawl stores without counting it as a page."""
    return reason in ("request", "warcinfo") or reason.startswith("HTTP ")
