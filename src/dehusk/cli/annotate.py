"""`dehusk annotate`: label the segments of pages by hand."""

import sys
from pathlib import Path

import click

from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import silencing_option
from dehusk.cli.output import report


@click.command("annotate")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--annotation-dir", type=click.Path(file_okay=False), help="Folder of the annotations. [default: beside the page]"
)
@click.option(
    "--blocks", is_flag=True, help="Segments are blocks; by default text is split at every tag, as in the thesis."
)
@click.option(
    "--suggest", metavar="NAME|FOLDER", help="Victor model that suggests labels; they count once they are confirmed."
)
@click.option("--annotator", help="Your name, kept in the annotation.")
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

    Labels are saved as <page>.anno.json and are resumed from there.
    """
    from dehusk.annotate import annotate as run
    from dehusk.methods import load_method
    from dehusk.methods.victor.method import Victor
    from dehusk.read.files import find_pages

    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("annotate needs a terminal")
    model = load_method("victor", model=suggest) if suggest else None
    if isinstance(model, Victor) and model.config.every_tag == blocks:
        cut = "without" if blocks else "with"
        raise click.UsageError(f"model {suggest} labels other segments: use it {cut} --blocks")
    code = run(
        [Path(source.name) for source in find_pages(pages).sources],
        every_tag=not blocks,
        suggest=None if model is None else lambda segments: model.label(segments).label,
        annotation_dir=None if annotation_dir is None else Path(annotation_dir),
        annotator=annotator,
    )
    if code == ExitCode.OK:
        report("next: dehusk train PAGE... -o my-model")
    return code
