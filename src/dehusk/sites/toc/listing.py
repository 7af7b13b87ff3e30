"""Records of pages as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dehusk.base.errors import counted
from dehusk.sites.outline import entries_text
from dehusk.sites.toc.wording import block_facts, link_api, page_heading, share

_INDENT = "    "


def record_text(record: Mapping[str, Any]) -> str:
    """Return a record: a line for the page, for each block, for each link its CII, API, text and target."""
    lines = [page_heading(record)]
    lines += [f"  {record['status']}: {record['message']}"] if record.get("message") else []
    lines += [f"  note: {note}" for note in record.get("notes", ())]
    for block in record.get("toc", ()):
        lines += ["", f"  TOC block of {counted(len(block['links']), 'link')}: {block_facts(block)}"]
        lines += _link_lines(block)
    for block in record.get("article", ()):
        lines += ["", f"  article block: {block_facts(block)}"]
        lines += [f"{_INDENT}{line}" for line in block["text"].split("\n")]
    if record.get("tree"):
        lines += ["", "  reduced tree"]
        lines += [f"{_INDENT}{line}" for line in entries_text(record["tree"]).splitlines()]
    return "\n".join(lines) + "\n\n"


def _link_lines(block: Mapping[str, Any]) -> Iterator[str]:
    yield f"{_INDENT}CII    API"
    for link in block["links"]:
        text = "  " * (link["level"] - 1) + (link["text"] or "(no text)")
        yield f"{_INDENT}{share(link['cii']):<4}{link_api(link):>6}  {text}  <{link['url'] or 'no address'}>"
