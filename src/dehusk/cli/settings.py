"""The options of commands that label: method, style and favour, and `--set` for those of one method only."""

from collections.abc import Callable, Iterable
from typing import Any, get_args

import click

from dehusk.about import CommentsChoice
from dehusk.cli.options import HelpLater, NearestChoice, adding
from dehusk.label import STYLES
from dehusk.label.declaration import Declaration
from dehusk.label.registry import DEFAULT, declaration, declarations, names
from dehusk.visible import HiddenText

hidden_option = click.option(
    "--hidden",
    type=NearestChoice(get_args(HiddenText), "value"),
    default="drop",
    help="Drop or keep text that readers of the page do not see, such as white text on white.",
)

comments_option = click.option(
    "--comments",
    type=NearestChoice(get_args(CommentsChoice), "value"),
    default="drop",
    help="Drop or keep what readers write below an article, a recipe or a product.",
)


def labelling_options(condition: str = "") -> Callable[[Any], Any]:
    """Return what adds the options that most methods have; `condition` says when they count: ", with --clean"."""

    def describe(what: str, name: str, default: str) -> Callable[[], str]:
        return lambda: f"{what}, {with_option(name)}{condition}. [default: {default}]"

    style = describe("How much of the page to keep", "style", "auto")
    favour = describe("0 favours precision, 1 recall", "favour", "0.5")

    return adding(
        click.option("--method", type=NearestChoice(names, "method"),
                     help=f"Labelling method{condition}. [default: {DEFAULT}]"),
        click.option("--style", cls=HelpLater, type=NearestChoice(STYLES, "style"), describe=style),
        click.option("--favour", "--favor", "favour", cls=HelpLater, type=click.FloatRange(0, 1), describe=favour),
    )  # fmt: skip


def _describe() -> str:
    by_method = [f"{declared.name}: {', '.join(declared.options)}" for declared in declarations() if declared.options]
    return f"Option of the method; can be repeated. {'; '.join(by_method)}."


def _describe_wisdom() -> str:
    return f"Option of method wisdom; can be repeated. {', '.join(declaration('wisdom').options)}."


def _set_option(describe: Callable[[], str]) -> Callable[[Any], Any]:
    return click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", cls=HelpLater, describe=describe)


set_option = _set_option(_describe)
"""Adds the option `--set`; its values are for `method_options`."""

wisdom_set_option = _set_option(_describe_wisdom)
"""The same for commands that always use WISDOM."""


def with_option(name: str) -> str:
    """Return the names of the methods that have an option, as a phrase for help texts."""
    methods = [declared.name for declared in declarations() if name in declared.options]
    return f"for method{'' if len(methods) == 1 else 's'} {', '.join(methods)}"


def method_options(declared: Declaration, settings: Iterable[str]) -> dict[str, Any]:
    """Return the options of a method that the values of `--set` name.

    Args:
        declared: the method.
        settings: texts of the form NAME=VALUE.

    Raises:
        ConfigError: the method does not have the option, or the value is not of its type.
        click.UsageError: a text has no "=", or an option is set twice.
    """
    texts: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise click.UsageError(f"--set {setting}: write an option and its value as NAME=VALUE")
        if name in texts:
            raise click.UsageError(f"--set {name} is given twice")
        texts[name] = value
    return declared.parse_options(texts)
