"""The information coverage tree of a page as indented text, and as HTML that folds without scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from dehusk.sites.outline import DEEPEST
from dehusk.sites.toc.formats import POLICY, TREE_STYLE, foldable, share

_LEVELS = 5
_REACH = 2000  # characters between two words
_SHADES = "".join(f".w{level}{{background:rgba(240,160,0,{level * 0.14:.2f})}}" for level in range(1, _LEVELS + 1))
_STYLE = (
    """
body{font:14px/1.5 system-ui,sans-serif;max-width:75rem;margin:1rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.3rem;margin:.3rem 0}
.facts{font-size:12px;color:#555;overflow-wrap:anywhere}
small{color:#567;font-variant-numeric:tabular-nums}
.mark{border-radius:3px;padding:0 .3rem;color:#fff;background:#777}
.article{background:#473}.toc{background:#258}.removed{background:#a43}
"""
    + _SHADES
    + TREE_STYLE
)


def tree_text(tree: Mapping[str, Any]) -> str:
    """Return a tree as indented lines: an element with its values, or a text with the EN of its words."""
    lines = [_heading(tree), ""]
    levels: list[int] = []
    for entry in tree["nodes"]:
        levels.append(0 if entry["parent"] is None else levels[entry["parent"]] + 1)
        indent = "  " * min(levels[-1], DEEPEST)
        if "text" in entry:
            words = (f"{word} {share(entropy)}" for word, entropy in entry["terms"])
            lines += [f'{indent}"{" ".join(entry["text"].split())}"']
            lines += [f"{indent}  EN {', '.join(words)}"] if entry["terms"] else []
        else:
            marks = "".join(f" [{mark}]" for mark in entry.get("marks", ()))
            lines.append(f"{indent}{entry['tag']}  {_values(entry)}{marks}")
    return "\n".join(lines) + "\n"


def tree_html(tree: Mapping[str, Any], name: str) -> str:
    """Return a tree as one HTML file, unfolded down to the roots of its blocks. The darker a word, the higher its W.

    Args:
        tree: `information_tree` of a page.
        name: the page, for the title.
    """
    entries = tree["nodes"]
    parents = [-1 if entry["parent"] is None else entry["parent"] for entry in entries]
    title = escape(f"Information coverage tree of {tree['title'] or name}")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>\n"
        f'<p class="facts">{escape(_heading(tree))}<br>A word is the darker, the higher its W = 1 - EN. SII says how '
        "evenly a value is spread over the children of an element.</p>\n"
        f"{foldable(parents, [_content(entry) for entry in entries], _unfolded(entries, parents))}</body></html>\n"
    )


def _heading(tree: Mapping[str, Any]) -> str:
    pages = "1 page" if tree["learned"] == 1 else f"{tree['learned']} pages"
    return "  ".join(filter(None, (tree["title"], tree["url"], f"learned from {pages}")))


def _values(entry: Mapping[str, Any]) -> str:
    sii = entry["sii"]
    shown = [f"CII {share(entry['cii'])}"]
    for name in ("clen", "alen", "api"):
        if entry[name]:
            spread = f" (SII {share(sii[name])})" if sii[name] else ""
            shown.append(f"{name.upper()} {entry[name]:.4g}{spread}" if name == "api" else _length(name, entry, spread))
    return ", ".join(shown) + (f", {entry['links']} links" if entry["links"] > 1 else "")


def _length(name: str, entry: Mapping[str, Any], spread: str) -> str:
    return f"{name.upper()} {entry[name]:.0f}{spread}"


def _content(entry: Mapping[str, Any]) -> str:
    if "text" in entry:
        return f"<bdi>{_shaded(entry)}</bdi>"
    marks = "".join(
        f' <span class="mark {"removed" if mark.endswith("removed") else mark.split()[0]}">{mark}</span>'
        for mark in entry.get("marks", ())
    )
    return f"<code>{escape(entry['tag'])}</code> <small>{_values(entry)}</small>{marks}"


def _shaded(entry: Mapping[str, Any]) -> str:
    """Return the text of a node with each run of words of a similar weight in an element that shades it."""
    parts, end = list[tuple[int, str]](), 0
    text, lowered = entry["text"], entry["text"].lower()
    for word, entropy in entry["terms"]:
        start = lowered.find(word, end, end + len(word) + _REACH)
        if start < 0:  # a word that ends in the next text, or changes its length in lower case
            continue
        parts += [(0, text[end:start])] if start > end else []
        parts.append((_level(entropy), text[start : start + len(word)]))
        end = start + len(word)
    runs = groupby([*parts, (0, text[end:])], key=lambda part: part[0])
    joined = ((level, escape("".join(piece for _, piece in run))) for level, run in runs)
    return "".join(f'<span class="w{level}">{piece}</span>' if level else piece for level, piece in joined)


def _level(entropy: float) -> int:
    return min(_LEVELS, int((1 - entropy) * (_LEVELS + 1)))


def _unfolded(entries: Sequence[Mapping[str, Any]], parents: Sequence[int]) -> list[bool]:
    """Return which elements contain a root of a block, or are one."""
    unfolded = [bool(entry.get("marks")) for entry in entries]
    for index in range(len(entries) - 1, 0, -1):
        if unfolded[index]:
            unfolded[parents[index]] = True
    return unfolded
