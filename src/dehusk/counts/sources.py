"""The pages that sites and site methods learn from: HTML, files, parsed pages or blocks."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from dehusk.base.errors import InputError, explaining, require_type
from dehusk.blocks import Blocks
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.read.parsing import place_of

PageSource = bytes | str | Path | Page | Blocks
"""A page to learn from: HTML as bytes or text, the path of a file, a parsed page, or the blocks of one."""
_READS = {"an address": "the bytes of the page, which nothing here fetches", "a path": "pathlib.Path(…)"}
"""What a text is instead of a page -> what to pass."""


def read_pages(sources: Iterable[PageSource]) -> Iterator[Page | Blocks]:
    """Return an iterator over pages; each page is parsed when the iterator reaches it.

    Raises:
        TypeError: `sources` is a single page. While iterating: an item is not a `PageSource`.
        InputError: while iterating: a file cannot be read, or a text only names one.
    """
    require_several(sources)
    return map(read_page, sources)


def require_several(sources: object) -> None:
    """Raise TypeError for a single page where several are expected: a text would be read letter by letter."""
    if isinstance(sources, str | bytes | bytearray | memoryview | Path | Page | Blocks):
        raise TypeError(f"expected several pages, not one {type(sources).__name__}: pass a list")


def read_page(source: PageSource, url: str | None = None) -> Page | Blocks:
    """Parse a page; return parsed pages and blocks unchanged.

    Args:
        source: the page.
        url: address of the page, for bytes, text and files.

    Raises:
        TypeError: `source` is not a `PageSource`.
        InputError: the file cannot be read, or the text only names one.
    """
    if isinstance(source, Page | Blocks):
        return source
    if named := place_of(source):
        raise InputError(f"the text is {named}, not a page: pass {_READS[named]}")
    if isinstance(source, Path):
        with explaining(f"{source}: cannot be read"):
            return parse(source.read_bytes(), url)
    types = str | bytes | bytearray | memoryview
    require_type(source, types, "a page to learn from must be bytes, str, Path, Page or Blocks")
    return parse(source, url)


def page_of(source: Page | Blocks) -> Page:
    """Return a page itself, or the page of some blocks."""
    return source.page if isinstance(source, Blocks) else source
