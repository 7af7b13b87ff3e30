"""`dehusk paper`: the main experiment of each of the four papers, beside its own figures, floors and rivals."""

import time
from pathlib import Path

import click

from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.mined_files import check_folder, write_files
from dehusk.cli.options import NearestChoice, silencing_option
from dehusk.cli.output import report
from dehusk.lab.papers.experiment import PAPERS, run_paper


@click.command("paper")
@click.argument("name", type=NearestChoice(tuple(PAPERS), "paper"), metavar="PAPER")
@click.argument("data", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("-o", "--output", type=click.Path(), help="Folder for report.md and the picture.")
@silencing_option
def paper_command(name: str, data: Path | None, output: str | None) -> int:
    """Run the main experiment of a paper: its table, the paper's figures, floors and rivals, a picture.

    PAPER is victor, cst, wisdom or findoptimal. DATA is a folder of the open sets (docs/data.md); without it, pages are
    generated whose content is known. The report goes to standard output, or with the picture to OUTPUT.

    \b
    Examples:
      dehusk paper wisdom
      dehusk paper findoptimal data -o findoptimal
    """
    check_folder(output)
    start = time.monotonic()
    found = run_paper(name, data)
    if output is None:
        click.echo(found.markdown(pictures=False), nl=False)
    else:
        write_files(output, {"report.md": found.markdown(), **found.pictures})
    report(f"{name}: {time.monotonic() - start:.0f} seconds{f', report and picture in {output}' if output else ''}")
    return ExitCode.OK
