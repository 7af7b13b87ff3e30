"""What the functions of other libraries take as a page, and the error for what has no counterpart."""

from collections.abc import Mapping
from typing import Any

from dehusk.base.errors import ConfigError


class UnsupportedError(ConfigError):
    """An argument of another library that dehusk has no counterpart for."""


def source_of(page: Any) -> bytes | str:
    """Return the source of a page: bytes or str, an element of lxml, or a response with its bytes in `data`.

    Raises:
        TypeError: it is none of these.
    """
    if isinstance(page, bytes | str):
        return page
    if hasattr(page, "getroottree"):
        from lxml import etree  # noqa: PLC0415 (who has an element has lxml)

        return bytes(etree.tostring(page, method="html", encoding="utf-8", with_tail=False))
    if isinstance(data := getattr(page, "data", None), bytes):
        return data
    raise TypeError(f"a page must be bytes, str, an element of lxml or a response, not {type(page).__name__}")


def refuse(given: Mapping[str, tuple[object, object, str]]) -> None:
    """Raise an error for the first argument that is not what it is by default.

    Args:
        given: name -> value, default, and what to do instead.

    Raises:
        UnsupportedError: there is one.
    """
    for name, (value, default, instead) in given.items():
        if value is not default and value != default:
            raise UnsupportedError(f"{name} has no counterpart in dehusk: {instead}")
