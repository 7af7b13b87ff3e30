"""One HTML file with all figures and a plot, for somebody who was not there; it loads nothing."""

import datetime as dt
from collections.abc import Sequence
from html import escape

from dehusk.evaluate.scores import Row, Score, rows

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}
th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
tr.best td{font-weight:600}
.fail{color:#a30000}
svg text{font:12px system-ui,sans-serif}
p.note{color:#555;max-width:46rem}
"""
_HOW = (
    "F1 is that of bags of words, the mean over pages; the line at each bar is the 95 % interval when sites are drawn "
    "anew. A page that a tool failed on scores 0 and is counted. 4-gram F1 is that of runs of four words; first and "
    "last say how often the first and the last block of the gold text were found. Time is CPU of one thread for a "
    "decoded page."
)
_HEAD = ("tool", "pages", "failures", "P", "R", "F1", "95 %", "4-gram F1", "first", "last", "ms a page")
_WIDTH, _LABEL, _BAR = 780, 210, 22


def report(scores: Sequence[Score], *, title: str, notes: Sequence[str], hashes: dict[str, str]) -> str:
    """Return the report.

    Args:
        scores: of one or more tools.
        title: heading of the page.
        notes: what did not fit or failed, a line each.
        hashes: set -> hash of its contents.
    """
    tools = list(dict.fromkeys(one.tool for one in scores))
    by_set = rows(scores, lambda one: one.set)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{len({(one.set, one.id) for one in scores})} pages, {len(tools)} tools, {dt.date.today()}. {_HOW}</p>",
        "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>" if notes else "",
        "<h2>All sets</h2>",
        _overview(tools, by_set),
    ]
    for name in sorted({row.group for row in by_set}):
        own = sorted((row for row in by_set if row.group == name), key=lambda row: -row.f1)
        parts += [f"<h2>{escape(name)}</h2>", _plot(own), _table(own)]
        types = [one for one in scores if one.set == name and one.type]
        if len({one.type for one in types}) > 1:
            parts += ["<h3>F1 by page type</h3>", _overview(tools, rows(types, lambda one: one.type))]
    parts.append("<h2>Read with care</h2><ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>")
    parts.append(
        "<h2>Sets</h2><ul>" + "".join(f"<li>{escape(k)}: {escape(v)}</li>" for k, v in hashes.items()) + "</ul>"
    )
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width">\n<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n'
    )


def _overview(tools: Sequence[str], found: Sequence[Row]) -> str:
    """Return a table of F1: tools down, groups across, the best of each group marked."""
    groups = sorted({row.group for row in found})
    cells = {(row.tool, row.group): row for row in found}
    best = {group: max(row.f1 for row in found if row.group == group) for group in groups}
    head = "".join(f"<th>{escape(group)}</th>" for group in groups)
    lines = []
    for tool in tools:
        shown = []
        for group in groups:
            row = cells.get((tool, group))
            text = f"{row.f1:.3f}" if row else ""
            shown.append(f"<td>{f'<b>{text}</b>' if row and row.f1 == best[group] else text}</td>")
        lines.append(f"<tr><td>{escape(tool)}</td>{''.join(shown)}</tr>")
    return f"<table><tr><th>F1</th>{head}</tr>{''.join(lines)}</table>"


def _table(found: Sequence[Row]) -> str:
    head = "".join(f"<th>{name}</th>" for name in _HEAD)
    lines = []
    for row in found:
        failures = f'<td class="fail">{row.failures}</td>' if row.failures else "<td>0</td>"
        ms = "" if row.ms is None else f"{row.ms:.1f}"
        lines.append(
            f"<tr><td>{escape(row.tool)}</td><td>{row.pages}</td>{failures}<td>{row.precision:.3f}</td>"
            f"<td>{row.recall:.3f}</td><td>{row.f1:.3f}</td><td>{row.low:.3f}–{row.high:.3f}</td>"
            f"<td>{row.shingle_f1:.3f}</td><td>{row.first:.3f}</td><td>{row.last:.3f}</td><td>{ms}</td></tr>"
        )
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def _plot(found: Sequence[Row]) -> str:
    """Return bars of F1 with their intervals, from 0 to 1."""
    height = _BAR * len(found) + 24
    scale = _WIDTH - _LABEL - 60

    def x(value: float) -> float:
        return _LABEL + scale * value

    ticks = "".join(
        f'<line x1="{x(t / 5):.0f}" y1="0" x2="{x(t / 5):.0f}" y2="{height - 18}" stroke="#ddd"/>'
        f'<text x="{x(t / 5):.0f}" y="{height - 4}" text-anchor="middle" fill="#555">{t / 5:.1f}</text>'
        for t in range(6)
    )
    bars = []
    for number, row in enumerate(found):
        y = number * _BAR
        fill = "#2b7a4b" if row.tool.startswith("dehusk") else "#9bb7c9"
        bars.append(
            f'<text x="{_LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(row.tool)}</text>'
            f'<rect x="{_LABEL}" y="{y + 3}" width="{scale * row.f1:.1f}" height="{_BAR - 7}" fill="{fill}"/>'
            f'<line x1="{x(row.low):.1f}" y1="{y + 10}" x2="{x(row.high):.1f}" y2="{y + 10}" stroke="#000"/>'
            f'<text x="{x(max(row.f1, row.high)) + 6:.1f}" y="{y + 15}">{row.f1:.3f}</text>'
        )
    return (
        f'<svg width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="F1 of each tool">{ticks}{"".join(bars)}</svg>'
    )
