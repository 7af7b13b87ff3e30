"""The option `--follow-links`, and the line on links that were not followed."""

import click

from dehusk.cli.output import report
from dehusk.read.folder_links import FolderLinks

_LINKS = "dehusk.links"


def _begin(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    links = context.meta[_LINKS] = FolderLinks(follow=value)
    context.call_on_close(lambda: report(f"{links.describe()}, or add --follow-links") if links.skipped else None)


follow_links_option = click.option(
    "--follow-links",
    is_flag=True,
    expose_value=False,
    callback=_begin,
    help="Also read what links in a folder lead to outside of it.",
)
"""The option of commands that take folders; when the command ends, the links that it did not follow are reported."""


def folder_links() -> FolderLinks:
    """Return how the running command treats links in folders."""
    links: FolderLinks = click.get_current_context().meta[_LINKS]
    return links
