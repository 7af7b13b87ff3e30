"""`dehusk site show --tree`: the information coverage tree of a page."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import click

from dehusk.base.errors import InputError
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.output import open_output, report
from dehusk.cli.settings import method_options
from dehusk.label.registry import declaration


def show_tree(folder: str, form: str, output: str | None, name: str, settings: Iterable[str]) -> int:
    """Write the information coverage tree of a page.

    Args:
        folder: a model of the page's site, or a folder of its pages.
        form: "text", "json" or "html".
        output: the file to write; None for standard output.
        name: the page.
        settings: the values of `--set`.

    Raises:
        InputError: the page cannot be read, or its site was not learned.
    """
    from dehusk.cli.toc import learn_sites
    from dehusk.sites.toc.information_nodes import information_tree
    from dehusk.sites.toc.information_writers import tree_html, tree_text
    from dehusk.sites.toc.inputs import PageSet
    from dehusk.write.json import dumps

    if form == "svg":
        raise click.UsageError("-f svg draws the structure tree: --tree is text, json or html")
    options = method_options(declaration("wisdom"), settings)
    first = list(islice(PageSet([name]), 2))
    if len(first) > 1:
        raise InputError(f"{name} names several pages: --tree shows one")
    given = first[0] if first else None
    if given is None or given.page is None or not given.page.status.is_readable:
        raise InputError(f"{name}: {given.problem if given else 'no page'}")
    if given.problem:
        report(f"{name}: {given.problem}")
    wisdom = learn_sites(PageSet([]), folder, options).of(given.page)
    if wisdom is None:
        raise InputError(f"{name}: no page of its site was learned from {folder}")
    tree = information_tree(given.page, wisdom)
    with open_output(output) as stream:
        if form == "json":
            stream.write(dumps(tree))
        else:
            stream.write(tree_html(tree, name) if form == "html" else tree_text(tree))
    return ExitCode.SOME_FAILED if given.problem else ExitCode.OK
