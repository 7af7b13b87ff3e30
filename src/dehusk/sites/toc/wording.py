"""How records are named in all formats for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def page_heading(record: Mapping[str, Any]) -> str:
    """Return the name of a page, and its address unless that is the name."""
    return "  ".join(dict.fromkeys(filter(None, (str(record["page"]), record.get("url")))))


def page_title(record: Mapping[str, Any]) -> str:
    """Return the title of a page; its address or name if it has none."""
    return record.get("title") or record.get("url") or str(record["page"])


def block_facts(block: Mapping[str, Any]) -> str:
    """Return the values of a block in one line."""
    facts = [f"{block['feature']} {score(block)}", f"CII {share(block['cii'])}"]
    if block["feature"].endswith("API") and block.get("api") is not None:
        facts.append(f"API {block['api']:.1f} a link")
    facts.append("skeleton" if block["skeleton"] else "merged")
    return f"{', '.join(facts)}, at {block['xpath']}"


def score(block: Mapping[str, Any]) -> str:
    """Return f_A of a block with at most one decimal."""
    return f"{block['score']:.1f}".removesuffix(".0")


def share(value: float | None) -> str:
    """Return a number from 0 to 1 with two digits, as .25; "-" for none."""
    return "-" if value is None else f"{value:.2f}".removeprefix("0")


def link_api(link: Mapping[str, Any]) -> str:
    """Return the API of a link; with "~" before it if it is estimated, "-" if there is nothing to estimate it from."""
    if link["learned"]:
        return f"{link['api']:.1f}"
    return f"~{link['estimated_api']:.1f}" if link["estimated_api"] else "-"
