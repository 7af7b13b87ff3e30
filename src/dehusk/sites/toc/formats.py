"""The formats of `dehusk toc`: what is written before, for each and after the records of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from dehusk.read.addresses import Addresses
from dehusk.sites.toc import opml
from dehusk.sites.toc.folding import POLICY, TREE_STYLE, foldable
from dehusk.sites.toc.listing import record_text
from dehusk.sites.toc.wording import block_facts, link_api, page_title, score, share
from dehusk.write.json import dumps

# ---------------------------------------------------------------- html sections
# Records of pages as one HTML file that loads nothing and needs no scripts.

_STYLE = (
    """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.3rem;margin:.3rem 0}h2{font-size:1.1rem;margin:.3rem 0}
section{border-top:2px solid #369;margin-top:1.5rem}
.facts,.note{font-size:12px;color:#555;margin:.2rem 0;overflow-wrap:anywhere}
.note{color:#943}
nav{border-left:4px solid #369;padding-left:.8rem;margin:.8rem 0}
article{border-left:4px solid #693;padding-left:.8rem;margin:.8rem 0}
article p,li{overflow-wrap:anywhere}
ol{margin:.2rem 0;padding-left:2.2rem}
small{color:#666}
.mark{background:#fe9;border-radius:3px;padding:0 .3rem}
"""
    + TREE_STYLE
)

_ADDRESSES = Addresses()  # what records hold may come from anywhere

FOOT = "</body></html>\n"


def html_head(title: str) -> str:
    """Return the start of the file, before the records."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n<h1>{escape(title)}</h1>\n"
    )


def record_html(record: Mapping[str, Any]) -> str:
    """Return a record as a section."""
    parts = [f"<section><h2>{_anchor(record.get('url'), page_title(record))}</h2>"]
    parts.append(f'<p class="facts">{escape(str(record["page"]))}</p>')
    if record.get("message"):
        parts.append(f'<p class="note">{escape(record["status"])}: {escape(record["message"])}</p>')
    parts += [f'<p class="note">{escape(note)}</p>' for note in record.get("notes", ())]
    for block in record.get("toc", ()):
        parts += ["<nav>", _facts("TOC block", block), *_nested(block["links"]), "</nav>"]
    for block in record.get("article", ()):
        paragraphs = "".join(f'<p dir="auto">{escape(line)}</p>' for line in block["text"].split("\n"))
        parts += ["<article>", _facts("Article block", block), paragraphs, "</article>"]
    if record.get("tree"):
        parts.append(f"<details><summary>Reduced tree</summary>{_tree(record['tree'])}</details>")
    return "".join([*parts, "</section>\n"])


def _facts(name: str, block: Mapping[str, Any]) -> str:
    return f'<p class="facts">{name}: {escape(block_facts(block))}</p>'


def _nested(links: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield links as nested lists: a deeper link goes into a list in the item of the link before it."""
    levels: list[int] = []
    for link in links:
        while levels and levels[-1] > link["level"]:
            levels.pop()
            yield "</li></ol>"
        if levels and levels[-1] == link["level"]:
            yield "</li>"
        else:
            levels.append(link["level"])
            yield "<ol>"
        facts = f"CII {share(link['cii'])}, API {link_api(link)}"
        yield f"<li>{_anchor(link['url'], link['text'] or '(no text)')} <small>{facts}</small>"
    yield "</li></ol>" * len(levels)


def _anchor(url: str | None, text: str) -> str:
    shown, url = f"<bdi>{escape(text)}</bdi>", _ADDRESSES.resolve(url or "")
    return f'<a href="{escape(url)}" rel="nofollow noreferrer">{shown}</a>' if url else shown


def _tree(entries: Sequence[Mapping[str, Any]]) -> str:
    parents = [-1 if entry["parent"] is None else entry["parent"] for entry in entries]
    return foldable(parents, [_entry(entry) for entry in entries], [True] * len(entries))


def _entry(entry: Mapping[str, Any]) -> str:
    if "text" in entry:
        return f"<bdi>{escape(entry['text'])}</bdi>"
    marks = (
        f' <span class="mark">{block["type"]} {block["feature"]} {score(block)}, CII {share(block["cii"])}</span>'
        for block in entry.get("blocks", ())
    )
    return f"<code>{escape(entry['tag'])}</code>{''.join(marks)}"


# ---------------------------------------------------------------- formats


def _nothing(_title: str) -> str:
    return ""


@dataclass(frozen=True)
class TocFormat:
    """A format of files with the records of several pages."""

    write: Callable[[Mapping[str, Any]], str]
    """Return a record in the format."""
    head: Callable[[str], str] = _nothing
    """Return the start of the file, given its title."""
    foot: str = ""


TOC_FORMATS: dict[str, TocFormat] = {
    "text": TocFormat(record_text),
    "json": TocFormat(lambda record: dumps(dict(record))),
    "html": TocFormat(record_html, html_head, FOOT),
    "opml": TocFormat(opml.record_opml, opml.opml_head, opml.FOOT),
}
"""Name -> format."""
