"""Access to the arguments of a method's constructor by name, as in scikit-learn, and checks of what callers pass."""

from collections.abc import Mapping
from functools import cache
from inspect import signature
from typing import Any, Self

from dehusk.base.errors import ConfigError, unknown
from dehusk.blocks import Blocks, segment
from dehusk.read.page import Page


def page_count(pages: int) -> str:
    """Return a number of pages with its noun: "1 page", "2 pages"."""
    return f"{pages} page{'' if pages == 1 else 's'}"


class WithParameters:
    """Base class of methods that store the arguments of their constructor in attributes of the same names."""

    @classmethod
    @cache  # because they are needed for each page
    def _defaults(cls) -> dict[str, Any]:
        """Return parameter -> its default, `inspect.Parameter.empty` if it has none."""
        return {name: parameter.default for name, parameter in signature(cls).parameters.items()}

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 (scikit-learn's signature)
        """Return the constructor's arguments."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **params: Any) -> Self:
        """Set the constructor's arguments by name.

        Raises:
            ConfigError: a name is unknown; no argument is set.
        """
        for name in params:
            if name not in self._defaults():
                raise ConfigError(unknown("option", name, self._defaults()))
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return one line: the arguments that differ from their defaults, and what the method has learned."""
        defaults = self._defaults()
        arguments = [f" {name}={value!r}" for name, value in self.get_params().items() if value != defaults[name]]
        state = self._state()
        return f"<{type(self).__name__}{','.join(arguments)}{f': {state}' if state else ''}>"

    def _state(self) -> str:
        """Return what the method has learned, in a few words; "" if it does not learn."""
        return ""


class BlockMethod(WithParameters):
    """Base class of methods that label the common blocks of pages."""

    def segment(self, page: Page) -> Blocks:
        """Split a page into the common blocks."""
        return segment(page)


def check_options(options: object, rules: Mapping[str, tuple[bool, str]]) -> None:
    """Check the options that an object has as attributes.

    Args:
        options: the object, for example a method.
        rules: name of an option -> whether its value is valid, and what it must be: "a positive integer".

    Raises:
        ConfigError: an option has an invalid value; the message names the first.
    """
    for name, (is_valid, description) in rules.items():
        if not is_valid:
            raise ConfigError(f"{name} must be {description}, not {getattr(options, name)!r}")


def check_blocks(blocks: object, method: object) -> None:
    """Check that the argument of a method's `label` is `Blocks`, as returned by its `segment`.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(blocks, Blocks):
        name = type(method).__name__
        raise TypeError(f"{name}.label() takes Blocks, not {type(blocks).__name__}: pass {name}.segment(page)")
