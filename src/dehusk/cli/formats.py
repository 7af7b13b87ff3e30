"""The option type for output formats."""

import click
from click.shell_completion import CompletionItem

from dehusk.errors import ConfigError, unknown
from dehusk.write import find_writer, format_names


class FormatName(click.ParamType):  # type: ignore[type-arg] # (generic from click 8.5 on)
    """The name of an output format; unlike `click.Choice`, it reads `dehusk.write.WRITERS` when it is used.

    Args:
        text_only: whether to accept only formats that contain nothing but the kept text.
    """

    name = "format"

    def __init__(self, *, text_only: bool = False) -> None:
        self.text_only = text_only

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 (click's signature)
        """Return the formats as click shows choices."""
        return f"[{'|'.join(self._names())}]"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of a known format; an unknown one is a usage error that suggests the nearest."""
        try:
            name = find_writer(value).name
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        if name not in self._names():
            self.fail(unknown("format", value, self._names()), param, ctx)
        return name

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Return the formats that start with what was typed."""
        return [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]

    def _names(self) -> list[str]:
        return format_names(text_only=self.text_only)
