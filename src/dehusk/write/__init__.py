"""Writers turn a cleaned page into text in one of the output formats.

A writer is a module of this folder that declares itself as `WRITER`, and a line in `MODULES`. `Document.render`, the
command line, corpora and the tests read `WRITERS`. A module is imported when its format is used: plain text does not
wait for Markdown and TEI. Writers work on the original nodes of the page, so tables, lists,
links and the white space of code survive.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.base.errors import ConfigError, require_type, unknown
from dehusk.compiled.write import to_text
from dehusk.write.interface import CleanedPage, Writer, from_labels

if TYPE_CHECKING:
    from dehusk.write.cleaneval import to_cleaneval
    from dehusk.write.html import to_html
    from dehusk.write.json import to_json
    from dehusk.write.markdown import to_markdown
    from dehusk.write.overlay import to_overlay

    WRITERS: tuple[Writer, ...]

__all__ = [
    "WRITERS",
    "CleanedPage",
    "Writer",
    "find_writer",
    "format_named",
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
    "prompt",
    "html",
    "json",
    "tei",
    "cleaneval",
    "annotation",
)
"""The modules of this folder that declare a writer of the same name, in the order in which formats are listed."""


def __getattr__(name: str) -> Any:
    """Import what is asked for: all writers, or the module of a function such as `to_html`."""
    if name == "WRITERS":
        writers = globals()["WRITERS"] = tuple(import_module(f"dehusk.write.{each}").WRITER for each in MODULES)
        return writers
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"dehusk.write.{name.removeprefix('to_')}"), name)


def _writers() -> tuple[Writer, ...]:
    writers: tuple[Writer, ...] = globals().get("WRITERS") or __getattr__("WRITERS")
    return writers


def format_names(*, text_only: bool = False) -> list[str]:
    """Return the names of the output formats, or only of those that contain nothing but the kept text."""
    if not text_only and "WRITERS" not in globals():
        return list(MODULES)  # as their writers are named, so that none is imported for the list
    return [writer.name for writer in _writers() if writer.text_only or not text_only]


def find_writer(name: str) -> Writer:
    """Return the writer of a format.

    Args:
        name: of the format, another name of it, or the suffix of its files: "markdown", "gfm", "md".

    Raises:
        ConfigError: unknown format; the message lists the formats and suggests the nearest.
        TypeError: `name` is no str.
    """
    require_type(name, str, "a format must be a str")
    if name in MODULES:
        writer: Writer = import_module(f"dehusk.write.{name}").WRITER
        return writer
    known = format_named(name)
    for writer in _writers():
        if writer.name == known:
            return writer
    raise ConfigError(unknown_format(name))


def format_named(name: str, *, text_only: bool = False) -> str | None:
    """Return the name of the format that a name, another name or a suffix of files denotes; None if none does.

    Args:
        name: as `find_writer` has it; a suffix may have its point.
        text_only: as in `format_names`.
    """
    known = format_names(text_only=text_only)
    return name if name in known else _aliases(text_only=text_only).get(name.removeprefix(".").lower())


def _aliases(*, text_only: bool) -> dict[str, str]:
    writers = [writer for writer in _writers() if writer.text_only or not text_only]
    return {alias: each.name for each in writers for alias in (*each.aliases, each.extension.removeprefix("."))}


def unknown_format(name: str, *, text_only: bool = False) -> str:
    """Return the message for an unknown format: the nearest one, and the list; `text_only` as in `format_names`."""
    return unknown("format", name, format_names(text_only=text_only), aliases=_aliases(text_only=text_only))
