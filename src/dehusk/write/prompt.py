"""Prompt: Markdown for the context of a language model, with few tokens beside the facts.

One line says whose page it is: authors, date of publication (else of the last change), site, address. Below it stands
what Markdown says, without images and the addresses of links; the option `links` keeps these in the text ("keep"), or
lists them at the end, each once ("footnotes"). A page that is not whole says so in a line of its own, since a model
cannot see the status.
"""

from __future__ import annotations

from dataclasses import replace

from dehusk.base.errors import Status
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.markdown import write_markdown
from dehusk.write.options import WriteOptions


def write_prompt(cleaned: CleanedPage, options: WriteOptions) -> str:
    """Return a page as a prompt; empty if nothing is kept."""
    body = write_markdown(cleaned, replace(options, links=options.links or "drop", images=False, tracking=False))
    if not body:
        return ""
    lines = [_origin(cleaned)]
    if cleaned.status is not Status.OK:
        lines.append(f"({cleaned.status}: {_line(cleaned.message)})")
    head = "".join(f"{line}\n" for line in lines if line)
    return f"{head}\n{body}" if head else body


def _origin(cleaned: CleanedPage) -> str:
    about = cleaned.metadata
    names = [", ".join(about.authors), about.date or about.modified, about.site_name, about.url]
    return " · ".join(dict.fromkeys(_line(name) for name in names if name))


def _line(text: str) -> str:
    return " ".join(text.split())


WRITER = Writer(
    name="prompt",
    extension=".prompt.md",
    media_type="text/markdown",
    write=write_prompt,
    options=frozenset({"title", "links", "posts"}),
    aliases=("llm", "context"),
)
