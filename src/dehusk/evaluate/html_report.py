"""One HTML file with all figures and a plot, for somebody who was not there; it loads nothing."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from html import escape

from dehusk.evaluate.scores import Row, Tables, lowest
from dehusk.evaluate.table_columns import ORDER, QUALITY, Column
from dehusk.evaluate.tools import TOOLS

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:78rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 1.5rem;font-size:14px}
th,td{padding:.15rem .5rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}
th{vertical-align:bottom}
th:first-child,td:first-child{text-align:left}
.wide th{white-space:normal;max-width:9rem;overflow-wrap:anywhere}
.fail{color:#a30000}
.ours{color:#2b7a4b}
svg text{font:12px system-ui,sans-serif}
p,ul,dl{max-width:56rem}
dt{font-weight:600;float:left;clear:left;width:6.5rem}
dd{margin-left:7rem}
"""
_INTRO = (
    "Each tool was given the same decoded web pages and was to give back their main text, without navigation, "
    "advertisements and footers. The text was compared with a text made by hand or by the set's own rule (the gold "
    "text). Green: dehusk's methods; grey: other tools. Tools marked ° learn from the pages of a site together and get "
    "them together; all others see one page at a time. A set's figures follow from what its makers took for main text: "
    "what is content in one set (comments, captions, dates) is noise in another, so figures of different sets do not "
    "compare, and no tool can be best on all."
)
_KNOWN = {
    "cleaneval-dev": "CLEANEVAL 2007, development set: all running text of a page, with its headings and lists",
    "cleaneval-final": "CLEANEVAL 2007, final set: all running text of a page, so that keeping everything scores high",
    "cleanportaleval-a": "articles of two portals",
    "wcxb-dev": "main content by page type: article, forum, product, collection, listing, documentation, service",
    "dragnet-a": "news and blogs of 2012, comments and dates included",
    "l3s-gn1-a": "news of 2008 to 2010: headline, text and supplementary text",
    "scrapinghub-a": "news of 2019: the body of the article without its headline",
    "readability-a": "fixtures of a reader mode: what that reader mode keeps",
    "chaos-a": "articles of many sites, 2017",
    "big9-2005": "articles of nine news sites as archived in 2005",
    "big9-2013": "articles of nine news sites as archived in 2013",
    "gold-pages": "seven pages of dehusk's own, one of a kind",
}
"""What the gold text of public sets holds (docs/data.md); other sets are named only."""
_ALL = (
    "Mean over pages of each set, 1 is perfect; the best of each set is bold. †: trained on this set, so that the "
    "figure is no measure of the tool on pages it has not seen, and is never called the best."
)
_SITES = 8
_WIDTH, _LABEL, _BAR = 820, 220, 22


def report(
    tables: Tables,
    *,
    title: str,
    notes: Sequence[str],
    hashes: Mapping[str, str],
    trained: Collection[tuple[str, str]] = (),
) -> str:
    """Return the report.

    Args:
        tables: of one or more tools.
        title: heading of the page.
        notes: what did not fit or failed, a line each.
        hashes: set -> hash of its contents.
        trained: (tool, set) where the tool was trained on the set's pages.
    """
    found = tables.sets
    tools = list(dict.fromkeys(row.tool for row in found))
    sizes = {row.group: row.pages for row in found}
    sets = sorted(sizes)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{sum(sizes.values())} pages of {len(sets)} sets, {len(tools)} tools, {dt.date.today()}.</p>",
        f"<p>{_INTRO}</p>",
        "<h2>Read with care</h2>" + _list(notes) if notes else "",
        f"<h2>F1 on all sets</h2><p>{_ALL}</p>",
        _overview(tools, found, trained=trained),
        *(part for name in sets for part in _of_set(name, tools, tables, _of(name, trained))),
        "<h2>What the columns are</h2>" + _legend((*QUALITY, *ORDER)),
        "<h2>Sets</h2><p>A hash stands for a set's contents: the same hash, the same pages and gold texts.</p>",
        _list([f"{name}: {value}" for name, value in hashes.items()]),
    ]
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width">\n<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n'
    )


def _of(name: str, trained: Collection[tuple[str, str]]) -> set[str]:
    """Return the tools that were trained on a set."""
    return {tool for tool, own in trained if own == name}


def _of_set(name: str, tools: Sequence[str], tables: Tables, trained: Collection[str]) -> list[str]:
    """Return the parts about one set: plot, tables, page types, sites; some tools may have been trained on it."""
    rows = sorted((row for row in tables.sets if row.group == name), key=lambda row: -row.f1)
    about = f"What belongs to the main text here: {_KNOWN[name]}. " if name in _KNOWN else ""
    sizes = f"{rows[0].pages} pages of {rows[0].sites} sites."
    parts = [
        f"<h2>{escape(name)}</h2><p>{escape(about)}{sizes} Bars: F1 with its 95 % interval.</p>",
        _plot(rows, trained),
        _table(rows, QUALITY),
        "<p>What words in a bag do not show (order, repeats, ends, structure, blocks):</p>",
        _table(rows, ORDER),
    ]
    types = [row for row in tables.types if row.group.startswith(f"{name}: ")]
    if len({row.group for row in types}) > 1:
        parts += ["<h3>F1 by page type</h3>", _types_or_sites(name, tools, types, trained)]
    sites = [row for row in tables.sites if row.group.startswith(f"{name}: ")]
    if sites:
        several = len({row.group for row in sites})
        title = "F1 by site" if several <= _SITES else f"F1 of the {_SITES} hardest of {several} sites"
        what = "Sites with more than one page, the lowest mean F1 over tools first."
        hardest = lowest(sites, _SITES)
        parts += [f"<h3>{title}</h3><p>{what}</p>", _types_or_sites(name, tools, hardest, trained)]
    return parts


def _types_or_sites(name: str, tools: Sequence[str], found: Sequence[Row], trained: Collection[str]) -> str:
    """Return the table of a set's page types or sites: who was trained on the set was trained on each of them."""
    marked = {(row.tool, row.group) for row in found if row.tool in trained}
    return _overview(tools, found, cut=f"{name}: ", trained=marked)


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _legend(columns: Sequence[Column]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(one.head)}</dt><dd>{escape(one.about)}</dd>" for one in columns) + "</dl>"


def _name(tool: str) -> str:
    """Return a tool's name for a table: a tool of ours in colour, one that sees sites with its mark."""
    text = escape(tool) + (" °" if _sees_sites(tool) else "")
    return f'<span class="ours">{text}</span>' if _ours(tool) else text


def _sees_sites(tool: str) -> bool:
    known = TOOLS.get(tool.split(" ", maxsplit=1)[0])
    return bool(known and known.by_site)


def _ours(tool: str) -> bool:
    return tool.startswith("dehusk")


def _overview(
    tools: Sequence[str], found: Sequence[Row], *, cut: str = "", trained: Collection[tuple[str, str]] = ()
) -> str:
    """Return a table of F1: tools down, groups across in their order, the best that is fair marked."""
    groups = list(dict.fromkeys(row.group for row in found))
    cells = {(row.tool, row.group): row for row in found}
    fair = [row for row in found if (row.tool, row.group) not in trained]
    best = {group: max((row.f1 for row in fair if row.group == group), default=None) for group in groups}
    pages = {group: max(row.pages for row in found if row.group == group) for group in groups}
    head = "".join(f"<th>{escape(group.removeprefix(cut))}<br>({pages[group]})</th>" for group in groups)
    lines = []
    for tool in tools:
        shown = []
        for group in groups:
            row = cells.get((tool, group))
            text = f"{row.f1:.3f}" if row else ""
            if (tool, group) in trained:
                text += "†"
            elif row and row.f1 == best[group]:
                text = f"<b>{text}</b>"
            shown.append(f"<td>{text}</td>")
        lines.append(f"<tr><td>{_name(tool)}</td>{''.join(shown)}</tr>")
    return f'<table class="wide"><tr><th>F1 (pages)</th>{head}</tr>{"".join(lines)}</table>'


def _table(found: Sequence[Row], columns: Sequence[Column]) -> str:
    head = "".join(f'<th title="{escape(column.about)}">{escape(column.head)}</th>' for column in columns)
    lines = []
    for row in found:
        cells = "".join(f"<td{_warning(row, column)}>{column.cell(row)}</td>" for column in columns)
        lines.append(f"<tr><td>{_name(row.tool)}</td>{cells}</tr>")
    return f"<table><tr><th>tool</th>{head}</tr>{''.join(lines)}</table>"


def _warning(row: Row, column: Column) -> str:
    bad = (column.head == "failures" and row.failures) or (column.head == "lost" and row.lost)
    return ' class="fail"' if bad else ""


def _plot(found: Sequence[Row], trained: Collection[str]) -> str:
    """Return bars of F1 with their intervals, from 0 to 1; tools that were trained on the set are marked."""
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
        low, high = (row.f1 if end is None else end for end in (row.low, row.high))
        mark = " °" * _sees_sites(row.tool) + " †" * (row.tool in trained)
        fill = "#2b7a4b" if _ours(row.tool) else "#9bb7c9"
        bars.append(
            f'<text x="{_LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(row.tool)}{mark}</text>'
            f'<rect x="{_LABEL}" y="{y + 3}" width="{scale * row.f1:.1f}" height="{_BAR - 7}" fill="{fill}"/>'
            f'<line x1="{x(low):.1f}" y1="{y + 10}" x2="{x(high):.1f}" y2="{y + 10}" stroke="#000"/>'
            f'<text x="{x(max(row.f1, high)) + 6:.1f}" y="{y + 15}">{row.f1:.3f}</text>'
        )
    return (
        f'<svg width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="F1 of each tool">{ticks}{"".join(bars)}</svg>'
    )
