"""The typed face of `markdown.pyx`."""

from collections.abc import Callable

from dehusk.labels import Labels
from dehusk.write.kept_content import KeptContent
from dehusk.write.options import WriteOptions
from dehusk.write.tokens import Token

def content_written(kept: KeptContent, options: WriteOptions, title: str = "") -> str:
    """Return the kept content of a page as Markdown, after a title; unless empty, it ends with a line end."""

def part_writer(
    labels: Labels, tokens: list[Token], options: WriteOptions | None = None
) -> Callable[[list[Token]], str]:
    """Return a function that writes parts of a page, each of balanced tokens; all keep to the bounds of the one page.

    Args:
        labels: the labels of the page.
        tokens: all tokens of the page.
        options: what is written.
    """
