"""Text lost to an element of raw text, such as a script or an iframe, that swallows what follows it.

Browsers lose that text, too. It is recovered where the element is self-closed, as in XML, or never closed, so that it
holds the rest of the page; if it is unclear where the element should have ended, a note tells what is lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dehusk.base.lazy import pattern
from dehusk.read.self_closed import expand_raw

MIN_CHARS = 100
_BLOCK_END = pattern(r"</(?:p|div|td|tr|li|h[1-6]|article|section|body|table|ul)\s*>", re.IGNORECASE)
_PAGE_TAG = pattern(r"^[ \t]*</?(?:head|body)\b", re.IGNORECASE | re.MULTILINE)
_LINE_TAG = pattern(
    r"^[ \t]*</?(?:head|body|div|p|table|tr|td|ul|ol|li|h[1-6]|article|section|main|header|nav|footer|form)\b[^<>`]*>",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = pattern(r"<[^<>]*>")
_WORD = pattern(r"[^\W\d_]{2,}")
_MIN_WORDS = 5
_PROBE = 60  # characters by which the content of an element is found in the source


def holds_markup(content: str) -> bool:
    """Return whether the content of an element of raw text looks like a part of the page."""
    return "</" in content and len(content) >= MIN_CHARS and _BLOCK_END.search(content) is not None


def release(source: str, swallowing: Sequence[tuple[str, str]]) -> tuple[str, tuple[str, ...]]:
    """Return a page without elements of raw text that swallow a part of it, and notes.

    Args:
        source: the page.
        swallowing: tag and content of the elements whose content holds markup, in document order.
    """
    for tag, content in swallowing:
        start = _place(source, tag, content) if _starts_as_markup(content) else -1
        if start > 0 and source[:start].endswith("/>") and _has_text(content):
            return expand_raw(source)
    for tag, content in swallowing:
        at_end = tag != "xmp" and _reaches_end(source, content)
        if (at_end or (tag == "script" and "`" not in content and _PAGE_TAG.search(content))) and _has_text(content):
            return _closed(source, tag, content)
    return source, ()


def _closed(source: str, tag: str, content: str) -> tuple[str, tuple[str, ...]]:
    """Return the page with an element closed where its own content ends, or the page and a note."""
    end = _line_of_markup(source, content) if tag in ("script", "style") else _place(source, tag, content)
    if end < 0:
        return source, (f"an unclosed {tag} holds {len(content)} characters of markup, which are not read",)
    return f"{source[:end]}</{tag}>{source[end:]}", (f"unclosed {tag} closed before the markup in it",)


def _line_of_markup(source: str, content: str) -> int:
    """Return where in the source the first line of the content starts that is markup; -1 if there is none."""
    line = _LINE_TAG.search(content)
    if line is None or "`" in content[: line.start()]:
        return -1
    probe = content[line.start() : line.start() + _PROBE]
    return max(source.find(probe), source.find(probe.replace("\n", "\r\n")))


def _place(source: str, tag: str, content: str) -> int:
    """Return where in the source the content of an element starts, -1 if it cannot be found."""
    probe = _squeezed(content[: 4 * _PROBE])[:_PROBE]
    for start in re.finditer(rf"<{tag}(?=[\s/>])[^<>]*+>", source, re.IGNORECASE):
        if _squeezed(source[start.end() : start.end() + 8 * _PROBE]).startswith(probe):
            return start.end()
    return -1


def _reaches_end(source: str, content: str) -> bool:
    return _squeezed(source[-8 * _PROBE :]).endswith(_squeezed(content[-4 * _PROBE :])[-_PROBE:])


def _squeezed(text: str) -> str:
    """Return a text without white space and NUL, which the parser may have changed."""
    return "".join(text.replace("\0", "").replace("\ufffd", "").split())


def _starts_as_markup(content: str) -> bool:
    return content.lstrip()[:1] == "<"


def _has_text(content: str) -> bool:
    return len(_WORD.findall(_TAG.sub(" ", content[:20_000]))) >= _MIN_WORDS
