"""A page with every block marked, as one HTML file: what is kept, how sure that is, and why.

The page's elements and texts go the way of cleaned HTML (pruned of nothing but what holds no text, then sanitized),
each text in a mark of its block. Links lead nowhere and images are their alternative texts, so that the file loads
nothing and shows nothing but what was labelled. It works without scripts: what decided is in the title of a mark,
beside the number of a block that has the focus, and in the list of all blocks.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from itertools import count

import numpy as np

from dehusk.labels import KINDS, Labels
from dehusk.tags import TAG_NUMBER
from dehusk.write.html import serialise
from dehusk.write.pruning import Pruned, prune
from dehusk.write.safety import MATH, sanitize_marked
from dehusk.xpath import xpaths

_SHOWN = 120  # characters of a block in the list
_PLAIN = {"a": "span", "mark": "span", "details": "div", "summary": "div", "img": ""}
"""Elements that would load, lead away, hide text or look like marks -> what they become; an image its text."""

_LEVELS = 10
_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:0;color:#1a1a1a;background:#fff}
.top{padding:.6rem 1rem;border-bottom:1px solid #ccc}
.top h1{font-size:1.1rem;margin:0 0 .3rem}
.top dl{display:flex;flex-wrap:wrap;gap:.1rem 1.5rem;margin:0}
.top dl div{display:flex;gap:.4rem}
.top dt{font-weight:600}.top dd{margin:0}
.top ul{margin:.3rem 0;padding-left:1.2rem}
.panes{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
.page{padding:1rem;overflow-x:auto;border-right:1px solid #ccc}
.list{padding:1rem;font-size:13px}
mark{color:inherit;background:none}
.keep{background:rgba(35,150,70,var(--a,.3))}
.drop{background:rgba(170,80,70,var(--a,.3));color:#444}
mark.keep{box-shadow:0 2px rgba(35,150,70,.7)}
mark.drop{box-shadow:0 1px rgba(150,60,60,.4)}
mark:hover{outline:2px solid #333}
mark:target,details:target{outline:3px solid #c60}
mark a{position:relative;font:11px/1 system-ui,sans-serif;vertical-align:super;padding:0 .15rem;color:#036;
text-decoration:none}
mark a:focus::after{content:attr(title);position:absolute;z-index:1;left:0;top:1.3em;width:24rem;padding:.5rem;
white-space:pre-line;background:#fffbe6;color:#1a1a1a;border:1px solid #333;font:13px/1.4 system-ui,sans-serif}
.page table{border-collapse:collapse}.page td,.page th{border:1px dotted #ccc;padding:.1rem .3rem;vertical-align:top}
.list details{margin:2px 0;padding:1px 6px;border-left:4px solid #962}
.list details.keep{border-color:#239646}
details table{border-collapse:collapse;background:#fff;margin:.3rem 0}
details td,details th{border:1px solid #ddd;padding:0 .4rem;text-align:left;vertical-align:top}
summary{cursor:pointer;overflow-wrap:anywhere}
code{overflow-wrap:anywhere}
@media(max-width:60rem){.panes{display:block}.page{border:0}}
""" + "".join(f".s{level}{{--a:{0.04 + 0.30 * level / _LEVELS:.3f}}}" for level in range(_LEVELS + 1))
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_overlay(labels: Labels, *, facts: Mapping[str, str] | None = None, notes: Sequence[str] = ()) -> str:
    """Return a page and what a method says of each of its blocks as a complete HTML document.

    Args:
        labels: with reasons and evidence where the method was asked for them.
        facts: of the page, name -> value, shown first.
        notes: lines that a reader should know.
    """
    page = labels.blocks.page
    kept = int(labels.kept.sum())
    shown = {"address": page.url or "", **(facts or {}), "kept": f"{kept} of {len(labels)} blocks"}
    told = "".join(
        f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in shown.items() if value
    )
    said = "".join(f"<li>{_text(note)}</li>" for note in notes)
    language = f' lang="{escape(page.meta.language)}"' if page.meta.language else ""
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{_text(page.meta.title or 'page')}: explained</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<div class="top"><h1>{_text(page.meta.title or page.url or "page")}</h1><dl>{told}</dl>'
        f"{f'<ul>{said}</ul>' if said else ''}{_LEGEND}</div>\n"
        f'<div class="panes"><div class="page" dir="auto"{language}>\n{_marked(labels)}</div>\n'
        f'<div class="list">\n{_listed(labels)}</div></div>\n</body>\n</html>\n'
    )


_LEGEND = (
    '<p><mark class="keep s10">kept, sure</mark> <mark class="keep s2">kept, hardly</mark> '
    '<mark class="drop s2">dropped, hardly</mark> <mark class="drop s10">dropped, sure</mark>. Point at a text, or go '
    "to its number, for the reason; the number leads to the list of all blocks, where each opens.</p>"
)


def _text(value: str) -> str:
    """Return a text as HTML on one line; lone surrogates, which no file can hold, become question marks."""
    return escape(" ".join(value.encode("utf-8", "replace").decode().split()))


def _classes(labels: Labels, block: int) -> str:
    """Return the classes of a block: kept or dropped, and how sure that is."""
    chance = min(max(float(labels.probability[block]), 0.0), 1.0) if np.isfinite(labels.probability[block]) else 0.5
    kept = bool(labels.kept[block])
    return f"{'keep' if kept else 'drop'} s{round(_LEVELS * (chance if kept else 1 - chance))}"


def _number(labels: Labels, block: int) -> str:
    """Return what stands before the text of a block: its number, and its label where it is kept."""
    return f"{block} {KINDS[labels.label[block]]}" if labels.kept[block] else str(block)


def _verdict(labels: Labels, block: int) -> str:
    kept = "keep" if labels.kept[block] else "drop"
    return f"{kept} {labels.probability[block]:.2f} {KINDS[labels.label[block]]}"


def _marked(labels: Labels) -> str:
    """Return the page's elements with each text in a mark of its block."""
    page = labels.blocks.page
    pruned = _plain(prune(replace(labels, kept=np.ones(len(labels), dtype=np.bool_))))
    block_of = _block_of(labels)
    titles: dict[int, str] = {}
    begun: set[int] = set()

    def write_text(node: int, text: str) -> str:
        is_image = page.tag[node] == TAG_NUMBER["img"]
        written = escape(f"[image: {text.strip()}]" if is_image and text.strip() else "[image]" if is_image else text)
        block = block_of.get(node, -1)
        if block < 0 or not text.strip():
            return written
        title = titles.setdefault(block, escape(_title(labels, block)))
        number, place = "", ""
        if block not in begun:
            begun.add(block)
            place = f' id="p{block}"'
            number = f'<a href="#b{block}" title="{title}">{_number(labels, block)}</a>'
        return f'<mark class="{_classes(labels, block)}"{place} title="{title}">{number}{written}</mark>'

    return sanitize_marked(serialise(pruned, write_text))


def _plain(pruned: Pruned) -> Pruned:
    names = [_PLAIN.get(name, "span" if name in MATH else name) for name in pruned.names.tolist()]
    return replace(pruned, names=np.array(names, dtype=object), fold=True)


def _block_of(labels: Labels) -> dict[int, int]:
    """Return text node (an image for its alternative text) -> its block."""
    blocks, page = labels.blocks, labels.blocks.page
    ranges = zip(count(), blocks.first.tolist(), blocks.last.tolist(), blocks.is_alt.tolist(), strict=False)
    found: dict[int, int] = {}
    for block, first, last, is_alt in ranges:
        nodes = [int(page.parent[first])] if is_alt else range(first, last + 1)
        found.update((node, block) for node in nodes if is_alt or page.is_text[node])
    return found


def _title(labels: Labels, block: int) -> str:
    """Return what is said of a block where one points at it, a line each."""
    lines = [f"{block}: {_verdict(labels, block)}"]
    if len(labels.reasons):
        lines.append(labels.reasons[block])
    if len(labels.evidence):
        lines += _lines(labels.evidence[block])
    return "\n".join(lines)


def _lines(evidence: Mapping[str, object]) -> list[str]:
    """Return evidence as lines: one for each plain value, each mapping, and each mapping of a list."""
    lines = []
    for name, value in evidence.items():
        listed = value if isinstance(value, list) else [value]
        for one in listed:
            told = ", ".join(f"{key} {inner}" for key, inner in one.items()) if isinstance(one, Mapping) else str(one)
            lines.append(f"{name}: {told}")
    return lines


def _listed(labels: Labels) -> str:
    """Return the list of all blocks, each to be opened."""
    paths = xpaths(labels.blocks.page, labels.blocks.node.tolist())
    nodes, texts = labels.blocks.node.tolist(), labels.blocks.texts
    return "".join(_entry(labels, block, texts[block], paths[nodes[block]]) for block in range(len(labels)))


def _entry(labels: Labels, block: int, text: str, path: str) -> str:
    short = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    reason = f"<p>{_text(labels.reasons[block])}</p>" if len(labels.reasons) else ""
    evidence = _table(labels.evidence[block]) if len(labels.evidence) else ""
    place = f'<p><a href="#p{block}">on the page</a> <code>{_text(path)}</code></p>'
    return (
        f'<details class="{_classes(labels, block)}" id="b{block}"><summary>{block} <b>{_verdict(labels, block)}</b> '
        f"{_text(short)}</summary>{reason}{evidence}{place}</details>\n"
    )


def _table(value: object) -> str:
    """Return plain values as HTML: a mapping as rows, a list of mappings as a table with their keys as its head."""
    if isinstance(value, Mapping):
        rows = "".join(f"<tr><th>{_text(str(key))}</th><td>{_table(inner)}</td></tr>" for key, inner in value.items())
        return f"<table>{rows}</table>"
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        keys = list(dict.fromkeys(key for row in value for key in row))
        head = "".join(f"<th>{_text(str(key))}</th>" for key in keys)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_table(row.get(key, ''))}</td>" for key in keys) + "</tr>" for row in value
        )
        return f"<table><tr>{head}</tr>{rows}</table>"
    return _text(str(value))
