"""`dehusk studio`: look at pages, correct them and learn from the corrections, in a browser."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.base.errors import InputError, counted
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import silencing_option, workers_option
from dehusk.cli.output import report
from dehusk.cli.read import columns_of, table_options

if TYPE_CHECKING:
    from dehusk.studio.project import Project


@click.command("studio")
@click.argument("pages", nargs=-1, metavar="[PAGES|CORPUS|SITE|WARC]...")
@click.option(
    "--project",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("dehusk-studio"),
    help="Folder that keeps everything: pages, labels, rules, models.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    show_default=False,
    help="Port of this machine. [default: the last one, or a free one]",
)
@click.option("--new-key", is_flag=True, help="Renew the key: the tabs and addresses of earlier runs no longer work.")
@click.option("--no-open", is_flag=True, help="Do not open a browser; the address is printed in any case.")
@click.option("--annotator", default="me", help="Your name, stored with your labels.")
@workers_option(None, "Processes that clean pages. [default: all processors but one]")
@click.option(
    "--export",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Instead of opening the studio, write the project's pages to this .jsonl, .parquet, .csv or .zip file.",
)
@click.option(
    "--list", "query", metavar="QUERY", help="Which pages to export: what the address of a list has after its `?`."
)
@click.option(
    "--content",
    metavar="CONTENT",
    help="What to export of each page: markdown, text, html, tei, json, prompt, or the annotator's labels.  "
    "[default: markdown]",
)
@click.option(
    "--save-copy",
    "copy",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save a copy of the project's database, and end; a studio may be using it.",
)
@click.option(
    "--bundle",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save rules, models and labels as one .zip file, and end; dehusk clean --project reads it.",
)
@table_options
@silencing_option
def studio_command(pages: tuple[str, ...], folder: Path, **options: Any) -> int:
    """Look at pages in a browser: what was kept and why; correct it, and train on the corrections.

    PAGES are files and folders of pages, WARC files, tables, and everything else that dehusk corpus reads; the job
    folder of a crawl; the output folder of dehusk corpus; web addresses, which are fetched by the rules of dehusk
    crawl. Without any, the project is opened as it is: pages can be added in the browser. To resume an interrupted
    start, repeat the command. The server listens on this machine only. Needs the extra "studio".

    \b
    Examples:
      dehusk studio saved-pages/
      dehusk studio https://example.org/article
      dehusk studio crawl.warc.gz --project study --annotator Ann
      dehusk studio --project study
      dehusk studio --project study --list 'status=ok&language=de' --export pages.jsonl
    """
    _check_usage(options)
    from dehusk.base.extras import require

    require("starlette", "uvicorn", "jinja2", extra="studio", purpose="dehusk studio")
    from dehusk.base.processes.processors import available
    from dehusk.read.folder_links import FolderLinks

    workers = options["workers"] or max(1, available() - 1)
    if any(options[mode] for mode in _WITH):
        return _write(folder, options, workers)
    from dehusk.studio import serve
    from dehusk.studio.sources import find_sources

    links = FolderLinks()
    addresses = [page for page in pages if page.lower().startswith(("http://", "https://"))]
    inputs = find_sources([page for page in pages if page not in addresses], links)
    if links.skipped:
        report(links.describe())
    return serve(
        folder,
        inputs,
        addresses=addresses,
        port=options["port"],
        browse=not options["no_open"],
        workers=workers,
        annotator=options["annotator"],
        columns=columns_of(options),
        new_key=options["new_key"],
        announce=report,
    )


_WITH = {
    "export": ("folder", "export", "query", "content", "annotator", "workers", "quiet"),
    "copy": ("folder", "copy", "quiet"),
    "bundle": ("folder", "bundle", "quiet"),
}
"""What to write instead of opening the studio -> the parameters that go with it."""


def _check_usage(options: dict[str, Any]) -> None:
    """Refuse what would be ignored."""
    context = click.get_current_context()
    shown = {
        each.name or "": each.opts[0] if each.opts[0].startswith("-") else "PAGES" for each in context.command.params
    }
    given = [name for name in shown if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE]
    for mode, names in _WITH.items():
        if options[mode] and (others := [name for name in given if name not in names]):
            raise click.UsageError(f"{shown[mode]} works on the project as it is: omit {shown[others[0]]}")
    for name in ("query", "content"):
        if options[name] is not None and not options["export"]:
            raise click.UsageError(f"{shown[name]} needs --export")


def _write(folder: Path, options: dict[str, Any], workers: int) -> int:
    """Write what the command wants of a project."""
    import sqlite3

    from dehusk.studio.project import DATABASE, Project, explained

    if not (folder / DATABASE).is_file():
        raise InputError(f"{folder} is no project: name its folder by --project")
    with closing(Project(folder)) as project:
        try:
            if options["export"]:
                return _export(project, options, workers)
            return _bundle(project, options["bundle"]) if options["bundle"] else _copy(project, options["copy"])
        except sqlite3.Error as error:
            raise InputError(explained(error)) from error


def _copy(project: Project, path: Path) -> int:
    project.save_copy(path)
    report(f"saved {path}")
    return ExitCode.OK


def _bundle(project: Project, path: Path) -> int:
    from dehusk.studio.bundle import write_bundle

    labelled, lost = write_bundle(project, path)
    left_out = f"; {lost} left out: their pages cannot be read" if lost else ""
    report(f"saved {path} with {counted(labelled, 'annotation')}{left_out}")
    return ExitCode.SOME_FAILED if lost else ExitCode.OK


def _export(project: Project, options: dict[str, Any], workers: int) -> int:
    from dehusk.studio.list_export import LABELS, ListFile, export_list
    from dehusk.studio.web.parameters import listed_pages

    path = options["export"]
    wanted = ListFile(path.suffix.lower(), options["content"] or "markdown", options["annotator"]).checked()
    done = export_list(project, listed_pages(project, options["query"] or ""), wanted, path, workers=workers)
    if wanted.content == LABELS:
        report(f"{path} has {counted(done.done - done.failed, 'page')} with labels, of {done.of} in the list")
        return ExitCode.OK if done.done > done.failed else ExitCode.NOTHING
    report(f"{path} has {counted(done.done, 'page')}{f'; {done.failed} failed' if done.failed else ''}")
    return ExitCode.SOME_FAILED if done.failed else ExitCode.OK
