"""Where a crawl starts: the URL of a site, or a list of URLs."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from dehusk.base.errors import InputError, require_type
from dehusk.counts.grouping import site_name


def complete_url(text: str) -> str:
    """Return a URL as typed by a user, completed with scheme (by default https) and path.

    Raises:
        InputError: not an http or https URL, or one with a user name or password.
    """
    require_type(text, str, "a URL must be a str")
    typed = text.strip()
    url = typed if "://" in typed else f"https://{typed}"
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"{text!r} is not a valid URL: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or " " in typed:
        raise InputError(f"{text!r} is not a web address, e.g. https://example.org/")
    if "@" in parts.netloc:
        raise InputError("URLs with a user name or password are not fetched")
    return parts._replace(path=parts.path or "/").geturl()


def read_url_list(lines: Iterable[str], name: str) -> list[str]:
    """Return the URLs in a list without duplicates, in their order.

    Args:
        lines: one URL per line; blank lines and lines starting with `#` are ignored.
        name: the list's name, for messages.

    Raises:
        InputError: a line is not a complete web address, the list has no URLs, or the file is not UTF-8 text.
    """
    urls: dict[str, None] = {}
    try:
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                urls[_listed_url(text, f"{name}, line {number}")] = None
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text: {error.reason}") from error
    if not urls:
        raise InputError(f"{name} contains no URLs")
    return list(urls)


def _listed_url(text: str, where: str) -> str:
    """Return the URL on a line; it must have a scheme, so that a stray word is not mistaken for a host."""
    if "://" not in text or len(text.split()) > 1 or not site_name(text):
        raise InputError(f"{where}: {text[:200]!r} is not a complete web address, e.g. https://example.org/")
    try:
        if "\\" in urlsplit(text).netloc:
            raise InputError(f"{text[:200]!r} has no host")
        return complete_url(text)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
