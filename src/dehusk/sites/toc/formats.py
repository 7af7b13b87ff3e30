"""The formats of `dehusk toc`, for people and for programs: what is written before, for each and after the records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from dehusk.base.errors import counted
from dehusk.read.addresses import Addresses
from dehusk.sites.outline import entries_text
from dehusk.write.json import dumps
from dehusk.write.tei_text import xml_attribute, xml_text

# ---------------------------------------------------------------- wording


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


# ---------------------------------------------------------------- text

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


# ---------------------------------------------------------------- folding
# Trees as HTML that folds without scripts: an element `details` for each node that has children.

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The files load nothing and run nothing, whatever is in them."""

TREE_STYLE = """
.tree details{margin-left:1rem;border-left:1px solid #ddd}
.tree p{margin:0 0 0 1rem;padding-left:1rem;overflow-wrap:anywhere}
.tree summary{cursor:pointer;padding-left:.2rem;overflow-wrap:anywhere}
"""


def foldable(parents: Sequence[int], contents: Sequence[str], is_open: Sequence[bool]) -> str:
    """Return a tree as nested elements `details`.

    Args:
        parents: index of the parent of each node, -1 for roots; nodes are in document order.
        contents: HTML of each node, already escaped.
        is_open: whether each node is unfolded at first.
    """
    has_children = set(parents)
    parts, above = ['<div class="tree">'], list[int]()
    for index, (parent, content, unfolded) in enumerate(zip(parents, contents, is_open, strict=True)):
        while above and above[-1] != parent:
            above.pop()
            parts.append("</details>")
        if index in has_children:
            parts.append(f"<details{' open' if unfolded else ''}><summary>{content}</summary>")
            above.append(index)
        else:
            parts.append(f"<p>{content}</p>")
    return "".join([*parts, "</details>" * len(above), "</div>"])


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

_HTML_FOOT = "</body></html>\n"


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


# ---------------------------------------------------------------- opml
# TOC blocks as OPML 2.0 (http://opml.org/spec2.opml), which outliners and readers of feeds import: a `head` with a
# title, a `body` of outlines, each with `text`; an outline of the type "link" has a `url`. Each page is an outline with
# its links, nested as their lists are; a page with several TOC blocks has an outline for each of them.

_OPML_FOOT = "</body>\n</opml>\n"
_NAMELESS = "(no text)"


def opml_head(title: str) -> str:
    """Return the start of the file, before the records."""
    head = f"<head><title>{xml_text(title)}</title></head>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n{head}\n<body>\n'


def record_opml(record: Mapping[str, Any]) -> str:
    """Return a record as an outline; a page without TOC blocks is an outline without others in it."""
    blocks = record.get("toc", ())
    parts = [_outline(page_title(record), record.get("url"))]
    for block in blocks:
        links = "".join(_outlines(block["links"]))
        parts.append(f"{_outline(block['xpath'], None)}{links}</outline>\n" if len(blocks) > 1 else links)
    return "".join([*parts, "</outline>\n"])


def _outlines(links: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    levels: list[int] = []
    for link in links:
        while levels and levels[-1] >= link["level"]:
            levels.pop()
            yield "</outline>\n"
        levels.append(link["level"])
        yield _outline(link["text"], link["url"])
    yield "</outline>\n" * len(levels)


def _outline(text: str, url: str | None) -> str:
    """Return the start of an outline. Only absolute addresses are links: others lead nowhere outside of their page."""
    url = _ADDRESSES.resolve(url or "")
    shown = xml_attribute("text", text) or xml_attribute("text", url) or xml_attribute("text", _NAMELESS)
    target = f' type="link"{xml_attribute("url", url)}' if url and ":" in url.partition("/")[0] else ""
    return f"<outline{shown}{target}>"


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
    "html": TocFormat(record_html, html_head, _HTML_FOOT),
    "opml": TocFormat(record_opml, opml_head, _OPML_FOOT),
}
"""Name -> format."""
