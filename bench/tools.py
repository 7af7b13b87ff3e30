"""The tools to compare with, as functions from decoded page to text."""

from collections.abc import Callable
from importlib.metadata import version

from resiliparse.extract.html2text import extract_plain_text
from trafilatura import extract


def _trafilatura(html: str) -> str:
    return extract(html) or ""


def _resiliparse(html: str) -> str:
    return extract_plain_text(html, main_content=True)


def _all_text(html: str) -> str:
    return extract_plain_text(html)


TOOLS: dict[str, Callable[[str], str]] = {
    f"trafilatura {version('trafilatura')}": _trafilatura,
    f"resiliparse {version('resiliparse')}": _resiliparse,
    "all text": _all_text,
}


def run(tool: Callable[[str], str], html: str) -> tuple[str, bool]:
    """Return a tool's text, and whether it failed; the text of a failure is empty."""
    try:
        return tool(html), False
    except Exception:  # (any exception counts as a failure of the tool)
        return "", True
