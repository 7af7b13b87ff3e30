"""The tools we compare with: decoded page to text. A failure is an empty text and is counted."""

from collections.abc import Callable
from importlib.metadata import version

from resiliparse.extract.html2text import extract_plain_text
from trafilatura import extract


def _trafilatura(html: str) -> str:
    return extract(html) or ""


def _resiliparse(html: str) -> str:
    return extract_plain_text(html, main_content=True)


def _keep_all(html: str) -> str:
    return extract_plain_text(html)


TOOLS: dict[str, Callable[[str], str]] = {
    f"trafilatura {version('trafilatura')}": _trafilatura,
    f"resiliparse {version('resiliparse')}": _resiliparse,
    "all text": _keep_all,
}


def run(tool: Callable[[str], str], html: str) -> tuple[str, bool]:
    """Return a tool's text and whether it failed."""
    try:
        return tool(html), False
    except Exception:  # (whatever a tool raises is its failure)
        return "", True
