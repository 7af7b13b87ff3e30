"""A list of addresses in place of an entrance."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from dehusk.crawl.plan import entrance, host_of
from dehusk.errors import InputError


def read_url_list(lines: Iterable[str], name: str) -> list[str]:
    """Return the addresses of a list, each once and in their order.

    Args:
        lines: an address each; blank ones and those that begin with `#` are passed over.
        name: of the list, for messages.

    Raises:
        InputError: a line is no address of the web, with its number; there is no address, or the file is no text.
    """
    found: dict[str, None] = {}
    try:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                found[_address(text, f"{name}, line {number}")] = None
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is no text in UTF-8: {error.reason}") from error
    if not found:
        raise InputError(f"{name} has no address")
    return list(found)


def _address(text: str, where: str) -> str:
    """Return a line as an address; of a list it must be whole, so that a heading or a word is not taken for a host."""
    if "://" not in text or len(text.split()) > 1 or not host_of(text):
        raise InputError(f"{where}: {text[:200]!r} is no address of the web: it must be like https://example.org/")
    try:
        if "\\" in urlsplit(text).netloc:
            raise InputError(f"{text[:200]!r} has no host")
        return entrance(text)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
