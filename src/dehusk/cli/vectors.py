"""`dehusk vectors`: weighted word vectors of pages."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError, counted, explaining
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import NearestChoice, output_option, silencing_option
from dehusk.cli.output import open_output, report
from dehusk.cli.vectorizing import read_vectors, vector_options
from dehusk.sites.structure_tree.vector_files import (
    BINARY_FORMATS,
    SUFFIXES,
    TEXT_FORMATS,
    NamedVectors,
    words_path,
    write_words,
)


@click.command("vectors")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@vector_options
@click.option("--normalise", is_flag=True, help="Give vectors unit length, after all other options.")
@click.option(
    "-f",
    "--format",
    "form",
    type=NearestChoice([*TEXT_FORMATS, *BINARY_FORMATS], "format"),
    help="Output format.  [default: by the suffix of the output, else jsonl]",
)
@output_option
@silencing_option
def vectors_command(pages: tuple[str, ...], **options: Any) -> int:
    """Write word vectors of pages, weighted by the structure that the pages of a site share (Yi & Liu 2003).

    PAGE is a file, a folder, or a glob in quotes. Words that the pages of a site have in common at the same place weigh
    little, words of a single page most. Pages of several sites have a tree for each site, and one vocabulary.

    \b
    Examples:
      dehusk vectors saved/example.org -o example.npz
      dehusk vectors news shops --labels folder --normalise -o train.svmlight
      dehusk vectors new-pages --words train.svmlight.words.txt -o test.svmlight
    """
    output = options["output"]
    form = options["form"] or SUFFIXES.get(Path(output or "").suffix.lower(), "" if output else "jsonl")
    _check_output(form, output)
    done = read_vectors(pages, options)
    table = replace(done.table, vectors=done.table.vectors.normalised()) if options["normalise"] else done.table
    _write(table, form, output)
    sizes = (len(table.vectors), "page"), (len(set(table.sites)), "site"), (len(table.vectors.words), "word")
    report(f"{output or 'vectors'}: {', '.join(counted(size, noun) for size, noun in sizes)}")
    if done.failed:
        return ExitCode.SOME_FAILED
    return ExitCode.OK if len(table.vectors.weights.data) else ExitCode.NOTHING


def _check_output(form: str, output: str | None) -> None:
    """Refuse, before any page is read, what cannot be written.

    Raises:
        UsageError: the format is unknown, or needs a file.
        InputError: the folder of the output does not exist.
    """
    if not form:
        raise click.UsageError(f"{output}: no format has this suffix; add one of {', '.join(SUFFIXES)}, or -f")
    if output is None and form != "jsonl":
        raise click.UsageError(f"format {form} needs a file: add -o FILE")
    if output is not None and not Path(output).parent.is_dir():
        raise InputError(f"{output} cannot be written: folder {Path(output).parent} does not exist")


def _write(table: NamedVectors, form: str, output: str | None) -> None:
    if form in TEXT_FORMATS:
        with open_output(output) as stream:
            TEXT_FORMATS[form](table, stream)
        if form == "svmlight" and output is not None:
            write_words(table.vectors.words, words_path(Path(output)))
        return
    assert output is not None  # noqa: S101 (binary formats need a file)
    with explaining(f"{output} cannot be written"), replacing(Path(output)) as temporary:
        BINARY_FORMATS[form](table, temporary)
