"""`dehusk annotate`: label the segments of pages by hand."""

import shlex
import sys
from pathlib import Path

import click

from dehusk.cli.options import silencing_option
from dehusk.cli.output import report

_MAX_NAMED = 3  # pages in the hint at the end


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
    help="Model that suggests labels for you to confirm: united, web, cleaneval or a folder.",
)
@click.option("--annotator", help="Your name, stored in the annotation.")
@silencing_option
def annotate_command(
    pages: tuple[str, ...],
    annotation_dir: str | None,
    *,
    blocks: bool,
    suggest: str | None,
    annotator: str | None,
) -> int:
    """Label the segments of pages in a full-screen terminal program; the pages are never changed.

    Labels are saved as <page>.anno.json; run the command again to continue. Needs the extra "terminal".
    """
    from dehusk.annotate import annotate, annotation_path, suggest_by
    from dehusk.methods import load_method
    from dehusk.read.files import find_pages

    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("needs a terminal: run it interactively, not in a pipe")
    paths = [Path(source.name) for source in find_pages(pages).sources]
    folder = None if annotation_dir is None else Path(annotation_dir)
    code = annotate(
        paths,
        every_tag=not blocks,
        suggest=suggest_by(load_method(model=suggest)) if suggest else None,
        annotation_dir=folder,
        annotator=annotator,
    )
    if any(annotation_path(path, folder).exists() for path in paths):
        report(f"next: {_train_command(pages, annotation_dir)}")
    return code


def _train_command(pages: tuple[str, ...], annotation_dir: str | None) -> str:
    """Return the command that trains on these pages."""
    named = shlex.join(pages) if len(pages) <= _MAX_NAMED else "PAGE..."
    gold = f" --gold {shlex.quote(annotation_dir)}" if annotation_dir else ""
    return f"dehusk train {named}{gold} -o my-model"
