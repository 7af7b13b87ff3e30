"""Writers turn a cleaned page into text in one of the output formats.

A writer is a module of this folder that declares itself as `WRITER`, and a line in `MODULES`. `Document.render`, the
command line, corpora and the tests read `WRITERS`. Writers work on the original nodes of the page, so tables, lists,
links and the white space of code survive.
"""

from importlib import import_module

from dehusk.errors import ConfigError, unknown
from dehusk.write.cleaneval import to_cleaneval
from dehusk.write.html import to_html
from dehusk.write.interface import CleanedPage, Writer, from_labels
from dehusk.write.json import to_json
from dehusk.write.markdown import to_markdown
from dehusk.write.overlay import to_overlay
from dehusk.write.text import to_text

__all__ = [
    "WRITERS",
    "CleanedPage",
    "Writer",
    "find_writer",
    "format_names",
    "from_labels",
    "to_cleaneval",
    "to_html",
    "to_json",
    "to_markdown",
    "to_overlay",
    "to_text",
    "unknown_format",
]

MODULES = (
    "text",
    "markdown",
    "html",
    "json",
    "tei",
    "cleaneval",
    "annotation",
)
"""The modules of this folder that declare a writer, in the order in which formats are listed."""

WRITERS: tuple[Writer, ...] = tuple(import_module(f"dehusk.write.{name}").WRITER for name in MODULES)


def format_names(*, text_only: bool = False) -> list[str]:
    """Return the names of the output formats, or only of those that contain nothing but the kept text."""
    return [writer.name for writer in WRITERS if writer.text_only or not text_only]


def find_writer(name: str) -> Writer:
    """Return the writer of a format.

    Raises:
        ConfigError: unknown format; the message lists the formats and suggests the nearest.
    """
    for writer in WRITERS:
        if writer.name == name:
            return writer
    raise ConfigError(unknown_format(name))


def unknown_format(name: str, *, text_only: bool = False) -> str:
    """Return the message for an unknown format: the nearest one, and the list; `text_only` as in `format_names`."""
    writers = [writer for writer in WRITERS if writer.text_only or not text_only]
    aliases = {alias: each.name for each in writers for alias in (*each.aliases, each.extension.removeprefix("."))}
    return unknown("format", name, format_names(text_only=text_only), aliases=aliases)
