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

from dehusk.base.framed import to_file, to_text
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
.panes{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
.page{padding:1rem;overflow-x:auto;border-right:1px solid light-dark(#ccc,#444)}
.list{padding:1rem;font-size:13px}
mark{color:inherit;background:none}
mark.keep{box-shadow:0 2px rgba(35,150,70,.7)}
.omit{text-decoration:line-through dotted;opacity:.7}
.hide{outline:1px dashed light-dark(#a0a,#e7e)}
mark.drop{box-shadow:0 1px rgba(150,60,60,.4)}
mark:hover{outline:2px solid light-dark(#333,#ddd)}
mark:target,details:target{outline:3px solid #c60}
mark a{position:relative;font:11px/1 system-ui,sans-serif;vertical-align:super;padding:0 .15rem;
text-decoration:none}
mark a:focus::after{content:attr(title);position:absolute;z-index:1;left:0;top:1.3em;width:24rem;padding:.5rem;
white-space:pre-line;background:light-dark(#fffbe6,#33301f);
color:light-dark(#1a1a1a,#e8e6e1);border:1px solid light-dark(#333,#aaa);font:13px/1.4 system-ui,sans-serif}
.page table{border-collapse:collapse}
.page td,.page th{border:1px dotted light-dark(#ccc,#555);padding:.1rem .3rem;vertical-align:top}
[data-unit]{outline:1px dotted #58b;outline-offset:1px}
[data-unit]::before{content:attr(data-unit);float:right;font:10px/1 system-ui,sans-serif;
color:light-dark(#368,#9bd);padding:1px 3px}
table[data-unit]::before,tbody[data-unit]::before,tr[data-unit]::before,[data-unit=item]::before{content:none}
.list details{margin:2px 0;padding:1px 6px;border-left:4px solid #962}
.list details.keep{border-color:#239646}
details table{border-collapse:collapse;background:light-dark(#fff,#202225);margin:.3rem 0}
details td,details th{border:1px solid light-dark(#ddd,#444);padding:0 .4rem;text-align:left;vertical-align:top}
summary{cursor:pointer;overflow-wrap:anywhere}
code{overflow-wrap:anywhere}
@media(max-width:60rem){.panes{display:block}.page{border:0}}
""" + "".join(f".s{level}{{--a:{0.04 + 0.30 * level / _LEVELS:.3f}}}" for level in range(_LEVELS + 1))
_MOST_BRIEF = 500
_LONGEST_BRIEF = 200_000  # characters


def to_overlay(
    labels: Labels, *, facts: Mapping[str, str] | None = None, notes: Sequence[str] = (), brief: bool = False
) -> str:
    """Return a page with the label of each of its blocks as a complete HTML document.

    Args:
        labels: labels of the page; with reasons and evidence if it was cleaned with `explain=True`.
        facts: facts about the page to show first, name -> value.
        notes: lines to show below the facts.
        brief: show no more than the first 500 blocks and 200,000 characters, as a notebook stores what it shows.
    """
    page = labels.blocks.page
    kept = int(labels.kept.sum())
    shown = _count_brief(labels) if brief else len(labels)
    if shown < len(labels):
        notes = [*notes, f"only the first {shown:,} of {len(labels):,} blocks are here; Document.overlay has all"]
    elif len(labels) > MAX_MARKED:
        notes = [*notes, f"more than {MAX_MARKED:,} blocks: the others are shown without marks, and are not listed"]
    language = f' lang="{escape(page.meta.language)}"' if page.meta.language else ""
    body = (
        f'<div class="panes"><div class="page" dir="auto"{language}>\n'
        f"{_marked(labels, shown, longest=_LONGEST_BRIEF if brief else None)}</div>\n"
        f'<div class="list">\n{_listed(labels, shown)}</div></div>\n'
    )
    return to_file(
        page.meta.title or page.url or "page",
        body,
        style=_STYLE,
        facts={"address": page.url or "", **(facts or {}), "kept": f"{kept} of {len(labels)} blocks"},
        notes=notes,
        top=_legend("the reason" if len(labels.reasons) else "its label; clean(…, explain=True) adds the reason"),
    )


def _count_brief(labels: Labels) -> int:
    """Return how many blocks a brief overlay shows."""
    ends = np.cumsum([len(text) for text in labels.blocks.texts[:_MOST_BRIEF]])
    return max(int(np.searchsorted(ends, _LONGEST_BRIEF, "right")), min(1, len(labels)))


def _legend(shown: str) -> str:
    return (
        '<p><mark class="keep s10">kept, certain</mark> <mark class="keep s2">kept, uncertain</mark> '
        '<mark class="drop s2">dropped, uncertain</mark> <mark class="drop s10">dropped, certain</mark>. Hover over a '
        f"text, or focus its number, to see {shown}; the number links to the list of all blocks, whose entries open. "
        'Dotted frames are units, such as lists and records; <mark class="hide">dashed ones</mark> are text that '
        'readers of the page do not see. <mark class="omit">Crossed out</mark>: left out of a kept block.</p>'
    )


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


def _marked(labels: Labels, count: int, longest: int | None) -> str:
    """Return the elements of a page's first blocks with each text, up to a length, in a mark of its block."""
    page = labels.blocks.page
    everything = replace(labels, kept=np.arange(len(labels)) < count, omitted=labels.omitted[:0])
    pruned = _plain(prune(everything))
    block_of, omitted = _block_of(labels), set(labels.omitted.tolist())
    started: set[int] = set()

    def write_text(node: int, text: str) -> str:
        is_image = page.tag[node] == TAG_NUMBER["img"]
        shown = (f"[image: {text.strip()}]" if text.strip() else "[image]") if is_image else text[:longest]
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


def _listed(labels: Labels, count: int) -> str:
    """Return the list of the first blocks, if they are marked; each entry can be opened."""
    nodes, texts = labels.blocks.node[: min(count, MAX_MARKED)].tolist(), labels.blocks.texts
    paths = xpaths(labels.blocks.page, nodes)
    return "".join(_entry(labels, block, texts[block], paths[node]) for block, node in enumerate(nodes))


def _entry(labels: Labels, block: int, text: str, path: str) -> str:
    short = text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"
    reason = f"<p>{to_text(labels.reasons[block])}</p>" if len(labels.reasons) else ""
    if block in labels.hidden:
        reason += f"<p>hidden text: {to_text(labels.hidden[block])}</p>"
    said = {"why", "otherwise", "facts"}  # in the reason
    own = labels.evidence[block] if len(labels.evidence) else {}
    evidence = _table({key: value for key, value in own.items() if key not in said}) if own else ""
    position = f'<p><a href="#p{block}">on the page</a> <code>{to_text(path)}</code></p>'
    return (
        f'<details class="{_classes(labels, block)}" id="b{block}"><summary>{block} <b>{_verdict(labels, block)}</b> '
        f"{to_text(short)}</summary>{reason}{evidence}{position}</details>\n"
    )


def _table(value: object) -> str:
    """Return plain values as HTML: a mapping as rows, a list of mappings as a table with their keys as header."""
    if isinstance(value, Mapping):
        rows = "".join(f"<tr><th>{to_text(str(key))}</th><td>{_table(inner)}</td></tr>" for key, inner in value.items())
        return f"<table>{rows}</table>"
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        keys = list(dict.fromkeys(key for row in value for key in row))
        header = "".join(f"<th>{to_text(str(key))}</th>" for key in keys)
        rows = "".join(
            "<tr>" + "".join(f"<td>{_table(row.get(key, ''))}</td>" for key in keys) + "</tr>" for row in value
        )
        return f"<table><tr>{header}</tr>{rows}</table>"
    return to_text(str(value))
