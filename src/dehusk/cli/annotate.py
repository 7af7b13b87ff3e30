"""`dehusk annotate`: label the segments of pages by hand."""

import sys
from pathlib import Path
from typing import Any

import click

from dehusk.base.errors import GoldError, InputError, counted
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import silencing_option
from dehusk.cli.output import OutputFolder, report

_MOST_READ = 500  # pages that are looked at in the end


@click.command("annotate")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--annotation-dir", type=click.Path(file_okay=False), help="Folder of the annotations. [default: beside the pages]"
)
@click.option(
    "--blocks", is_flag=True, help="Label whole blocks; by default text is split at every tag, as in Victor's thesis."
)
@click.option(
    "--suggest",
    metavar="NAME|FOLDER",
    help="Model or method that suggests labels for you to confirm: united, web, site, ..., or a model folder.",
)
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False),
    help="With --suggest: site model to use. [default: what the PAGEs share, for methods that need a site]",
)
@click.option(
    "--to-cleaneval",
    "texts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write what is annotated as texts with CLEANEVAL's tags instead: <page>.txt, as Victor's victor2cleaneval.",
)
@click.option("--annotator", help="Your name, stored in the annotation.")
@follow_links_option
@silencing_option
def annotate_command(pages: tuple[str, ...], annotation_dir: str | None, **options: Any) -> int:
    """Label the segments of pages in a full-screen terminal program; the pages are never changed.

    Labels are saved as <page>.anno.json; run the command again to continue. Needs the extra "terminal", except
    --to-cleaneval, which needs no terminal.
    """
    every_tag = not options["blocks"]
    if options["texts"] is not None:
        return _write_texts(pages, annotation_dir, options["texts"], every_tag=every_tag)
    from dehusk.lab.annotate import annotate, suggest_by, suggesting_method
    from dehusk.read.files import find_pages

    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("needs a terminal: run it interactively, not in a pipe")
    suggest, site = options["suggest"], options["site"]
    if site and not suggest:
        raise click.UsageError("--site requires --suggest")
    paths = [Path(source.name) for source in find_pages(pages, links=folder_links()).sources]
    folder = None if annotation_dir is None else Path(annotation_dir)
    code = annotate(
        paths,
        every_tag=every_tag,
        suggest=suggest_by(suggesting_method(suggest, paths, site)) if suggest else None,
        annotation_dir=folder,
        annotator=options["annotator"],
    )
    _report_progress(pages, paths, annotation_dir, every_tag=every_tag)
    return code


def _write_texts(pages: tuple[str, ...], annotation_dir: str | None, texts: Path, *, every_tag: bool) -> int:
    """Write the text of each page that is annotated whole; name the others."""
    from dehusk.lab.annotate import annotated_text, annotation_path
    from dehusk.read.files import find_pages

    folder = None if annotation_dir is None else Path(annotation_dir)
    sources = find_pages(pages, links=folder_links()).sources
    output = OutputFolder(texts, ".txt", [Path(source.name) for source in sources])
    written, failed = 0, 0
    for source in sources:
        page = Path(source.name)
        annotation = annotation_path(page, folder)
        if not annotation.is_file():
            continue
        try:
            text = annotated_text(page, annotation, every_tag=every_tag)
        except (GoldError, InputError) as error:
            report(f"{page}: {error}")
            failed += 1
        else:
            output.put(source.relative, text)
            written += 1
    report(f"{counted(written, 'text')} in {texts}")
    if failed:
        return ExitCode.SOME_FAILED
    return ExitCode.OK if written else ExitCode.NOTHING


def _report_progress(pages: tuple[str, ...], paths: list[Path], annotation_dir: str | None, *, every_tag: bool) -> None:
    """Say how far the pages are, and what to do next."""
    from dehusk.lab.annotate import next_steps, read_progress, summary_line

    folder = None if annotation_dir is None else Path(annotation_dir)
    progress = [read_progress(path, folder, every_tag=every_tag) for path in paths[:_MOST_READ]]
    report(summary_line(progress) + (f" (of the first {_MOST_READ})" if len(paths) > _MOST_READ else ""))
    for step in next_steps(pages, progress, annotation_dir, every_tag=every_tag):
        report(f"next: {step}")
