"""The options of commands that write kept text: title, links, images, posts, front matter."""

from functools import partial
from typing import Any, get_args

import click

from dehusk.cli.options import NearestChoice, adding
from dehusk.write import format_named, format_names, unknown_format
from dehusk.write.options import DEFAULTS, FrontMatterChoice, LinksChoice, PostsChoice, TitleChoice, WriteOptions

_NAMES = ("title", "links", "images", "tracking", "posts", "front_matter")
writing_options = adding(
    click.option(
        "--title",
        type=NearestChoice(get_args(TitleChoice), "title"),
        help="Whether the page's title comes first; auto: if the kept text does not have it.  [default: auto in "
        "Markdown, never in text]",
    ),
    click.option(
        "--links",
        type=NearestChoice(get_args(LinksChoice), "links"),
        help="Whether links keep their address, as in the text or as a footnote.  [default: keep in Markdown, drop in "
        "prompts]",
    ),
    click.option("--images/--no-images", default=DEFAULTS.images, help="Whether images are written."),
    click.option(
        "--tracking/--no-tracking",
        default=DEFAULTS.tracking,
        help="Whether addresses keep parameters that only track who follows a link.",
    ),
    click.option(
        "--posts",
        type=NearestChoice(get_args(PostsChoice), "posts"),
        help="How to show the author and date of each post of a thread.  [default: auto; plain in text without "
        "comments]",
    ),
    click.option(
        "--front-matter",
        type=NearestChoice(get_args(FrontMatterChoice), "front matter"),
        default=DEFAULTS.front_matter,
        help="Whether metadata comes before the text.",
    ),
)
"""Adds the options that say how to write the kept text; not every format has all of them."""


def writing_of(options: dict[str, Any]) -> WriteOptions:
    """Return the choices among a command's options."""
    return WriteOptions(**{name: options[name] for name in _NAMES})


class FormatName(NearestChoice):
    """The name of an output format; an unknown one is a usage error that suggests the nearest.

    Args:
        text_only: whether to accept only formats that contain nothing but the kept text.
    """

    def __init__(self, *, text_only: bool = False) -> None:
        super().__init__(partial(format_names, text_only=text_only), "format")
        self.text_only = text_only

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of the format, also for another name and for a suffix such as md; fail on an unknown one."""
        known = format_named(value, text_only=self.text_only)
        if known is None:
            self.fail(unknown_format(value, text_only=self.text_only), param, ctx)
        return known
