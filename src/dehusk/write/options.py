"""What users can choose about an output, whatever the format; each writer declares which choices it has."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args

from dehusk.base.errors import ConfigError, unknown

TitleChoice = Literal["auto", "always", "never"]
LinksChoice = Literal["keep", "drop", "footnotes"]
PostsChoice = Literal["auto", "plain", "lines", "headings", "quotes"]
FrontMatterChoice = Literal["none", "yaml"]
IN_LINES: tuple[PostsChoice, ...] = ("auto", "plain", "lines")
"""The choices of formats that do not make headings or quotes of posts."""
_CHOICES: dict[str, tuple[str, ...]] = {
    "title": get_args(TitleChoice),
    "links": get_args(LinksChoice),
    "posts": get_args(PostsChoice),
    "front_matter": get_args(FrontMatterChoice),
}


@dataclass(frozen=True)
class WriteOptions:
    """How to write the kept content of a page.

    Raises:
        ConfigError: an unknown value.
    """

    title: TitleChoice | None = None
    """Whether the page's title comes first: "always", "never", or "auto": if the kept text does not have it. None
    means the usual choice of the format: "auto" in Markdown, "never" in text."""
    links: LinksChoice | None = None
    """Whether links have their address, or are text, or have it in a footnote. None means the usual choice of the
    format: "keep" in Markdown, "drop" in prompts."""
    images: bool = True
    """Whether images are written, with their alternative text and address."""
    tracking: bool = True
    """Whether addresses keep parameters that only serve to track who follows a link, such as `utm_source`."""
    posts: PostsChoice | None = None
    """Whether each post of a thread starts with its author and date: in a line of its own, as a heading, or as the
    first line of a quote, one level deeper for each reply. "plain" writes only what the page's blocks say; "auto"
    writes lines if the page's markup names the authors (`dehusk.about.posts.Posts.is_sure`). None means the usual
    choice of the format: "plain" in text without readers' comments, else "auto"."""
    front_matter: FrontMatterChoice = "none"
    """Whether metadata comes before the text, in YAML."""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices and not (name in ("title", "links", "posts") and value is None):
                raise ConfigError(unknown(name, value, choices))
        for name in ("images", "tracking"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be True or False, not {getattr(self, name)!r}")

    def changed(self) -> list[str]:
        """Return the names of the choices that are not the default."""
        return [each.name for each in fields(self) if getattr(self, each.name) != each.default]


DEFAULTS = WriteOptions()
