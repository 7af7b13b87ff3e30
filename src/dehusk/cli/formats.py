"""The option type for output formats."""

from functools import partial
from typing import Any

import click

from dehusk.cli.options import NearestChoice
from dehusk.write import format_named, format_names, unknown_format


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
