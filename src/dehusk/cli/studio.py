"""`dehusk studio`: look at pages, correct them and learn from the corrections, in a browser."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from dehusk.cli.options import silencing_option
from dehusk.cli.output import report
from dehusk.cli.read import columns_of, table_options


@click.command("studio")
@click.argument("pages", nargs=-1, metavar="[PAGES|CORPUS|SITE|WARC]...")
@click.option(
    "--project",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("dehusk-studio"),
    show_default=True,
    help="Folder that keeps everything: pages, labels, rules, models.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="Port of this machine. [default: the last one, or a free one]",
)
@click.option(
    "--new-key", is_flag=True, help="Renew the key, so that tabs and addresses of earlier runs do not work any more."
)
@click.option("--no-open", is_flag=True, help="Do not open a browser; the address is printed in any case.")
@click.option("--annotator", default="me", show_default=True, help="Your name, stored with your labels.")
@click.option("--workers", type=click.IntRange(1), help="Processes that clean pages. [default: all processors but one]")
@click.option(
    "--save-copy",
    "copy",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save a copy of the project's database, and end; a studio may be using it.",
)
@table_options
@silencing_option
def studio_command(pages: tuple[str, ...], folder: Path, copy: Path | None, **options: Any) -> int:
    """Look at pages in a browser: what was kept and why; correct it, and train on the corrections.

    PAGES are files and folders of pages, WARC files, tables, and everything else that dehusk corpus reads; the job
    folder of a crawl; the output folder of dehusk corpus. Without any, the project is opened as it is. To resume an
    interrupted start, repeat the command. The server listens on this machine only. Needs the extra "studio".

    \b
    Examples:
      dehusk studio saved-pages/
      dehusk studio crawl.warc.gz --project study --annotator Ann
      dehusk studio --project study
    """
    from dehusk.base.extras import require

    for module in ("starlette", "uvicorn", "jinja2"):
        require(module, extra="studio", purpose="dehusk studio")
    if copy is not None:
        return _save_copy(folder, copy)
    from dehusk.base.processes.processors import available
    from dehusk.read.folder_links import FolderLinks
    from dehusk.studio import serve
    from dehusk.studio.sources import find_sources

    links = FolderLinks()
    inputs = find_sources(pages, links)
    if links.skipped:
        report(links.describe())
    return serve(
        folder,
        inputs,
        port=options["port"],
        browse=not options["no_open"],
        workers=options["workers"] or max(1, available() - 1),
        annotator=options["annotator"],
        columns=columns_of(options),
        new_key=options["new_key"],
        announce=report,
    )


def _save_copy(folder: Path, copy: Path) -> int:
    from dehusk.base.errors import InputError
    from dehusk.studio.project import Project

    source = click.get_current_context().get_parameter_source
    for parameter in click.get_current_context().command.params:
        name = parameter.name or ""
        if name not in ("folder", "copy", "quiet") and source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("--save-copy takes no PAGES and no other option than --project")
    if not (folder / "project.db").is_file():
        raise InputError(f"{folder} is no project: name its folder by --project")
    with closing(Project(folder)) as project:
        project.save_copy(copy)
    report(f"saved {copy}")
    return 0
