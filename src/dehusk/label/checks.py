"""Check what callers pass to a method: values of options, types of arguments."""

from collections.abc import Mapping

from dehusk.base.errors import ConfigError
from dehusk.blocks import Blocks


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
