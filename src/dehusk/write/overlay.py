"""A page with every block marked, as one HTML file: what is kept, how certain that is, and why.

The page is written like cleaned HTML (everything with text, then sanitized), with each text in a mark of its block.
Links lead nowhere and images are replaced by their alternative texts, so the file loads nothing and shows only what was
labelled. It needs no scripts: the reason is in the title of a block's first mark, next to a block's number if that has
the focus, and with the evidence in the list of blocks. `MAX_MARKED` blocks are marked and listed; the text of others is
shown as it is, and a note says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape

import numpy as np

from dehusk.base.tags import TAG_NUMBER
from dehusk.blocks.labels import KINDS, Labels
from dehusk.blocks.units import UNIT_KINDS, find_units
from dehusk.read.xpath import xpaths
from dehusk.write.bounds import MAX_MARKED
from dehusk.write.html import serialise
from dehusk.write.pruning import Pruned, prune
from dehusk.write.safety import MATH, sanitize_marked

_MAX_SHOWN = 120  # characters of a block in the list
_PLAIN = {"a": "span", "mark": "span", "details": "div", "summary": "div", "img": ""}
"""Elements that would load something, link elsewhere, hide text or look like marks -> what replaces them; for an image,
its text."""

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
.omit{text-decoration:line-through dotted;opacity:.7}
.hide{outline:1px dashed #a0a}
mark.drop{box-shadow:0 1px rgba(150,60,60,.4)}
mark:hover{outline:2px solid #333}
mark:target,details:target{outline:3px solid #c60}
mark a{position:relative;font:11px/1 system-ui,sans-serif;vertical-align:super;padding:0 .15rem;color:#036;
text-decoration:none}
mark a:focus::after{content:attr(title);position:absolute;z-index:1;left:0;top:1.3em;width:24rem;padding:.5rem;
white-space:pre-line;background:#fffbe6;color:#1a1a1a;border:1px solid #333;font:13px/1.4 system-ui,sans-serif}
.page table{border-collapse:collapse}.page td,.page th{border:1px dotted #ccc;padding:.1rem .3rem;vertical-align:top}
[data-unit]{outline:1px dotted #58b;outline-offset:1px}
[data-unit]::before{content:attr(data-unit);float:right;font:10px/1 system-ui,sans-serif;color:#368;padding:1px 3px}
table[data-unit]::before,tbody[data-unit]::before,tr[data-unit]::before,[data-unit=item]::before{content:none}
.list details{margin:2px 0;padding:1px 6px;border-left:4px solid #962}
.list details.keep{border-color:#239646}
details table{border-collapse:collapse;background:#fff;margin:.3rem 0}
details td,details th{border:1px solid #ddd;padding:0 .4rem;text-align:left;vertical-align:top}
summary{cursor:pointer;overflow-wrap:anywhere}
code{overflow-wrap:anywhere}
@media(max-width:60rem){.panes{display:block}.page{border:0}}
""" + "".join(f".s{level}{{--a:{0.04 + 0.30 * level / _LEVELS:.3f}}}" for level in range(_LEVELS + 1))
_FRAME_HEIGHT = "32rem"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_overlay(labels: Labels, *, facts: Mapping[str, str] | None = None, notes: Sequence[str] = ()) -> str:
    """Return a page with the label of each of its blocks as a complete HTML document.

    Args:
        labels: labels of the page; with reasons and evidence if it was cleaned with `explain=True`.
        facts: facts about the page to show first, name -> value.
        notes: lines to show below the facts.
    """
    page = labels.blocks.page
    kept = int(labels.kept.sum())
    shown = {"address": page.url or "", **(facts or {}), "kept": f"{kept} of {len(labels)} blocks"}
    fact_items = "".join(
        f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in shown.items() if value
    )
    if len(labels) > MAX_MARKED:
        notes = [*notes, f"more than {MAX_MARKED:,} blocks: the others are shown without marks, and are not listed"]
    note_items = "".join(f"<li>{_text(note)}</li>" for note in notes)
    language = f' lang="{escape(page.meta.language)}"' if page.meta.language else ""
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{_text(page.meta.title or 'page')}: explained</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<div class="top"><h1>{_text(page.meta.title or page.url or "page")}</h1><dl>{fact_items}</dl>'
        f"{f'<ul>{note_items}</ul>' if note_items else ''}{_LEGEND}</div>\n"
        f'<div class="panes"><div class="page" dir="auto"{language}>\n{_marked(labels)}</div>\n'
        f'<div class="list">\n{_listed(labels)}</div></div>\n</body>\n</html>\n'
    )


_LEGEND = (
    '<p><mark class="keep s10">kept, certain</mark> <mark class="keep s2">kept, uncertain</mark> '
    '<mark class="drop s2">dropped, uncertain</mark> <mark class="drop s10">dropped, certain</mark>. Hover over a '
    "text, or focus its number, to see the reason; the number links to the list of all blocks, whose entries open. "
    'Dotted frames are units, such as lists and records; <mark class="hide">dashed ones</mark> are text that readers '
    'of the page do not see. <mark class="omit">Crossed out</mark>: left out of a kept block.</p>'
)


def to_frame(overlay: str) -> str:
    """Return an overlay as an HTML element to embed in another page, such as a notebook.

    The frame is sandboxed: it runs no scripts, opens nothing and cannot reach the page around it.
    """
    # links to "#b1" are resolved against the page around the frame unless a base says otherwise
    document = overlay.replace("<head>", '<head>\n<base href="about:srcdoc">', 1)
    return (
        f'<iframe sandbox srcdoc="{escape(document)}" title="cleaned page" '
        f'style="width:100%;height:{_FRAME_HEIGHT};border:1px solid #ccc"></iframe>'
    )


def _text(value: str) -> str:
    """Return a text as HTML on one line; lone surrogates, which cannot be encoded, become question marks."""
    return escape(" ".join(value.encode("utf-8", "replace").decode().split()))


def _classes(labels: Labels, block: int) -> str:
    """Return the CSS classes of a block: kept or dropped, and how certain that is."""
    probability = float(labels.probability[block])
    probability = min(max(probability, 0.0), 1.0) if np.isfinite(probability) else 0.5
    kept = bool(labels.kept[block])
    level = round(_LEVELS * (probability if kept else 1 - probability))
    return f"{'keep' if kept else 'drop'} s{level}{' hide' if block in labels.hidden else ''}"


def _number(labels: Labels, block: int) -> str:
    """Return what to show before the text of a block: its number, and its label if it is kept."""
    return f"{block} {KINDS[labels.label[block]]}" if labels.kept[block] else str(block)


def _verdict(labels: Labels, block: int) -> str:
    verb = "keep" if labels.kept[block] else "drop"
    return f"{verb} {labels.probability[block]:.2f} {KINDS[labels.label[block]]}"


def _marked(labels: Labels) -> str:
    """Return the page's elements with each text in a mark of its block."""
    page = labels.blocks.page
    everything = replace(labels, kept=np.ones(len(labels), dtype=np.bool_), omitted=labels.omitted[:0])
    pruned = _plain(prune(everything))
    block_of, omitted = _block_of(labels), set(labels.omitted.tolist())
    started: set[int] = set()

    def write_text(node: int, text: str) -> str:
        is_image = page.tag[node] == TAG_NUMBER["img"]
        shown = (f"[image: {text.strip()}]" if text.strip() else "[image]") if is_image else text
        block = block_of.get(node, -1)
        if block < 0 or not text.strip():
            return escape(shown)
        classes = _classes(labels, block) + (" omit" if node in omitted else "")
        if block in started:
            verdict = f"{block}: {_verdict(labels, block)}"
            return f'<mark class="{classes}" title="{verdict}">{escape(shown)}</mark>'
        started.add(block)
        title = escape(_title(labels, block))
        number = f'<a href="#b{block}" title="{title}">{_number(labels, block)}</a>'
        return f'<mark class="{classes}" id="p{block}" title="{title}">{number}{escape(shown)}</mark>'

    return sanitize_marked(serialise(pruned, write_text, _unit_marks(labels)))


def _unit_marks(labels: Labels) -> dict[int, str]:
    """Return node -> attribute with the kinds of the units whose element it is."""
    units = find_units(labels.blocks)
    kinds: dict[int, str] = {}
    for node, kind in zip(units.node.tolist(), units.kind.tolist(), strict=True):
        kinds[node] = f"{kinds[node]} {UNIT_KINDS[kind]}" if node in kinds else UNIT_KINDS[kind]
    return {node: f' data-unit="{names}"' for node, names in kinds.items() if node >= 0}


def _plain(pruned: Pruned) -> Pruned:
    names = [_PLAIN.get(name, "span" if name in MATH else name) for name in pruned.names.tolist()]
    return replace(pruned, names=np.array(names, dtype=object), fold=True)


def _block_of(labels: Labels) -> dict[int, int]:
    """Return text node -> its block, of the marked blocks; for an alternative text, the image."""
    blocks, page = labels.blocks, labels.blocks.page
    columns = (column[:MAX_MARKED].tolist() for column in (blocks.first, blocks.last, blocks.is_alt))
    block_of: dict[int, int] = {}
    for block, (first, last, is_alt) in enumerate(zip(*columns, strict=True)):
        nodes = [int(page.parent[first])] if is_alt else range(first, last + 1)
        block_of.update((node, block) for node in nodes if is_alt or page.is_text[node])
    return block_of


def _title(labels: Labels, block: int) -> str:
    """Return the tooltip of a block: the verdict and the reason, one line each."""
    lines = [f"{block}: {_verdict(labels, block)}"]
    if len(labels.reasons):
        lines.append(labels.reasons[block])
    if block in labels.hidden:
        lines.append(f"hidden text: {labels.hidden[block]}")
    return "\n".join(lines)


def _listed(labels: Labels) -> str:
    """Return the list of the marked blocks; each entry can be opened."""
    nodes, texts = labels.blocks.node[:MAX_MARKED].tolist(), labels.blocks.texts
    paths = xpaths(labels.blocks.page, nodes)
    return "".join(_entry(labels, block, texts[block], paths[node]) for block, node in enumerate(nodes))


def _entry(labels: Labels, block: int, text: str, path: str) -> str:
    short = text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"
    reason = f"<p>{_text(labels.reasons[block])}</p>" if len(labels.reasons) else ""
    if block in labels.hidden:
        reason += f"<p>hidden text: {_text(labels.hidden[block])}</p>"
    said = {"why", "otherwise", "facts"}  # in the reason
    own = labels.evidence[block] if len(labels.evidence) else {}
    evidence = _table({key: value for key, value in own.items() if key not in said}) if own else ""
    position = f'<p><a href="#p{block}">on the page</a> <code>{_text(path)}</code></p>'
    return (
        f'<details class="{_classes(labels, block)}" id="b{block}"><summary>{block} <b>{_verdict(labels, block)}</b> '
        f"{_text(short)}</summary>{reason}{evidence}{position}</details>\n"
    )


def _table(value: object) -> str:
    """Return plain values as HTML: a mapping as rows, a list of mappings as a table with their keys as header."""
    if isinstance(value, Mapping):
        rows = "".join(f"<tr><th>{_text(str(key))}</th><td>{_table(inner)}</td></tr>" for key, inner in value.items())
        return f"<table>{rows}</table>"
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        keys = list(dict.fromkeys(key for row in value for key in row))
        header = "".join(f"<th>{_text(str(key))}</th>" for key in keys)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_table(row.get(key, ''))}</td>" for key in keys) + "</tr>" for row in value
        )
        return f"<table><tr>{header}</tr>{rows}</table>"
    return _text(str(value))
