"""Values of metadata as single lines."""

import html
import re
from functools import lru_cache

MAX_LINE = 300
"""Characters of a title or name; longer values are something else."""

_ADDRESS = re.compile(r"(?:https?:)?//|www\.|[\w.+-]+@[\w-]+\.\w", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\ufeff]")
_MARKUP = re.compile(
    r"</?(?:a|abbr|b|big|br|center|cite|code|del|div|em|font|h[1-6]|i|img|ins|mark|p|s|small|span|strong|sub|sup|u|wbr)"
    r"(?:[\s/][^<>]{0,200})?>|<[A-Za-z][\w:-]{0,30}[\s/][^<>]{0,200}>|</[A-Za-z][^<>]{0,200}>",
    re.IGNORECASE,
)
"""Tags that are left in values: of style, with attributes, and end tags. "<table>: The Table element" names another."""
_NOT_LETTER = re.compile(r"[\W_]+")


def one_line(value: object, limit: int = MAX_LINE) -> str:
    """Return a text with its white space folded; "" if it is not a text, or longer than `limit` characters.

    Character references that are left because a page escaped its text twice are resolved, and tags removed.
    """
    if not isinstance(value, str) or len(value) > 4 * limit + 1000:
        return ""
    if "&" in value:
        value = html.unescape(value)
    if "<" in value:
        value = _MARKUP.sub(" ", value)
    line = " ".join(_CONTROL.sub("", _SURROGATE.sub("\ufffd", value)).split())
    return line if len(line) <= limit else ""


def is_address(line: str) -> bool:
    """Return whether a line starts like a web or mail address."""
    return _ADDRESS.match(line) is not None


@lru_cache(maxsize=512)
def folded(line: str) -> str:
    """Return the letters and digits of a line in lower case, words separated by single spaces."""
    return _NOT_LETTER.sub(" ", line.casefold()).strip()


def letters(line: str) -> str:
    """Return the letters and digits of a line in lower case."""
    return folded(line).replace(" ", "")
