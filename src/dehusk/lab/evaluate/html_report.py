"""The report of a benchmark: one HTML file with all figures and plots, which loads nothing from elsewhere."""

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from html import escape

from dehusk.base.errors import counted
from dehusk.lab.evaluate.fact_scores import FactRow
from dehusk.lab.evaluate.scores import FigureRow, FigureTables, lowest_groups
from dehusk.lab.evaluate.table_columns import FACTS, ORDER, QUALITY, Column, Row
from dehusk.lab.evaluate.tools import find_by_title

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
    "Each tool gets the same decoded web pages and returns their main text, without navigation, advertisements and "
    "footers. That text is compared with the gold text, which was written by hand or by a rule of the set. Green: "
    "dehusk's methods; grey: other tools. Tools marked ° learn from all pages of a site, which they get together; all "
    "others get one page at a time. Each set has its own idea of main text: comments, captions or dates are content in "
    "one set and noise in another. Therefore figures of different sets do not compare, and no tool can be best on all."
)
_ABOUT_SETS = {
    "cleaneval-dev": "CLEANEVAL 2007, development set: all running text of a page, with its headings and lists",
    "cleaneval-final": "CLEANEVAL 2007, final set: all running text of a page; keeping everything scores high",
    "cleanportaleval-a": "articles of two portals",
    "wcxb-dev": "main content by page type: article, forum, product, collection, listing, documentation, service",
    "dragnet-a": "news and blogs of 2012, comments and dates included",
    "l3s-gn1-a": "news of 2008 to 2010: headline, text and supplementary text",
    "scrapinghub-a": "news of 2019: the body of the article without its headline",
    "readability-a": "test pages of a reader mode, with what that reader mode keeps",
    "chaos-a": "articles of many sites, 2017",
    "big9-2005": "articles of nine news sites as archived in 2005",
    "big9-2013": "articles of nine news sites as archived in 2013",
    "gold-pages": "seven pages written for dehusk, each of another type",
}
"""What the gold text of each public set contains (docs/data.md); other sets have no description."""
_ABOUT_OVERVIEW = (
    "Mean over the pages of each set; 1 is perfect, the best of each set is bold. †: the tool was trained on this set. "
    "Such a figure does not show how the tool does on unseen pages, and is never bold."
)
_ABOUT_FACTS = (
    "Some sets state facts instead of the main text: texts that belong to the content of a page, such as the steps of "
    "a recipe. Precision cannot be measured there: compare the number of words kept."
)
_MAX_SITES = 8
_WIDTH, _LABEL, _BAR = 820, 220, 22


def render_report(
    tables: FigureTables,
    *,
    title: str,
    notes: Sequence[str],
    hashes: Mapping[str, str],
    trained: Collection[tuple[str, str]] = (),
) -> str:
    """Return the report as HTML.

    Args:
        tables: the figures of one or more tools.
        title: heading of the page.
        notes: warnings, one line each.
        hashes: set -> hash of its contents.
        trained: (tool, set) for each tool that was trained on the set's pages.
    """
    rows: list[FigureRow | FactRow] = [*tables.sets, *tables.facts]
    tools = list(dict.fromkeys(row.tool for row in rows))
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row.group] = max(row.pages, sizes.get(row.group, 0))
    sets = sorted({row.group for row in tables.sets})
    numbers = f"{counted(len(sizes), 'set')}, {counted(len(tools), 'tool')}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{counted(sum(sizes.values()), 'page')} of {numbers}, {dt.date.today()}.</p>",
        f"<p>{_INTRO}</p>",
        "<h2>Warnings</h2>" + _bullets(notes) if notes else "",
        f"<h2>F1 on all sets</h2><p>{_ABOUT_OVERVIEW}</p>{_overview(tools, tables.sets, trained=trained)}"
        if sets
        else "",
        _fact_section(tables.facts),
        *(part for name in sets for part in _set_section(name, tools, tables, _trained_on(name, trained))),
        "<h2>What the columns mean</h2>" + (_legend((*QUALITY, *ORDER)) if sets else ""),
        _legend(FACTS) if tables.facts else "",
        "<h2>Sets</h2><p>Sets with the same hash have the same pages and gold texts.</p>",
        _bullets([f"{name}: {value}" for name, value in hashes.items()]),
    ]
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" '
        f'content="width=device-width">\n<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n'
    )


def _fact_section(rows: Sequence[FactRow]) -> str:
    """Return a table of facts kept for each set with facts, tools that keep most first."""
    parts = [f"<h2>Facts kept</h2><p>{_ABOUT_FACTS}</p>"] if rows else []
    for name in dict.fromkeys(row.group for row in rows):
        of_set = sorted((row for row in rows if row.group == name), key=lambda row: -row.kept)
        about = f"{escape(name)}: {of_set[0].pages} pages of {of_set[0].sites} sites."
        parts += [f"<p>{about}</p>", _table(of_set, FACTS)]
    return "".join(parts)


def _trained_on(name: str, trained: Collection[tuple[str, str]]) -> set[str]:
    """Return the tools that were trained on a set."""
    return {tool for tool, set_ in trained if set_ == name}


def _set_section(name: str, tools: Sequence[str], tables: FigureTables, trained: Collection[str]) -> list[str]:
    """Return the section on one set: plot, tables, page types, sites; `trained` names the tools trained on it."""
    rows = sorted((row for row in tables.sets if row.group == name), key=lambda row: -row.f1)
    about = f"Its main text: {_ABOUT_SETS[name]}. " if name in _ABOUT_SETS else ""
    sizes = f"{rows[0].pages} pages of {rows[0].sites} sites."
    parts = [
        f"<h2>{escape(name)}</h2><p>{escape(about)}{sizes} Bars: F1 with its 95 % interval.</p>",
        _plot(rows, trained),
        _table(rows, QUALITY),
        "<p>What F1 does not show: order, repetition, ends, structure, blocks.</p>",
        _table(rows, ORDER),
    ]
    types = [row for row in tables.types if row.group.startswith(f"{name}: ")]
    if len({row.group for row in types}) > 1:
        parts += ["<h3>F1 by page type</h3>", _types_or_sites(name, tools, types, trained)]
    sites = [row for row in tables.sites if row.group.startswith(f"{name}: ")]
    if sites:
        count = len({row.group for row in sites})
        title = "F1 by site" if count <= _MAX_SITES else f"F1 on the {_MAX_SITES} hardest of {count} sites"
        about = "Sites with more than one page, by mean F1 over tools, lowest first."
        hardest = lowest_groups(sites, _MAX_SITES)
        parts += [f"<h3>{title}</h3><p>{about}</p>", _types_or_sites(name, tools, hardest, trained)]
    return parts


def _types_or_sites(name: str, tools: Sequence[str], rows: Sequence[FigureRow], trained: Collection[str]) -> str:
    """Return the table of a set's page types or sites; a tool trained on the set was trained on each of them."""
    marked = {(row.tool, row.group) for row in rows if row.tool in trained}
    return _overview(tools, rows, prefix=f"{name}: ", trained=marked)


def _bullets(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _legend(columns: Sequence[Column[Row]]) -> str:
    return (
        "<dl>"
        + "".join(f"<dt>{escape(column.head)}</dt><dd>{escape(column.about)}</dd>" for column in columns)
        + "</dl>"
    )


def _name(tool: str) -> str:
    """Return a tool's name for a table: dehusk's own in colour, those that learn from sites with a mark."""
    text = escape(tool) + (" °" if _learns_sites(tool) else "")
    return f'<span class="ours">{text}</span>' if _is_own(tool) else text


def _learns_sites(title: str) -> bool:
    tool = find_by_title(title)
    return tool is not None and tool.by_site


def _is_own(title: str) -> bool:
    return title.startswith("dehusk")


def _overview(
    tools: Sequence[str], rows: Sequence[FigureRow], *, prefix: str = "", trained: Collection[tuple[str, str]] = ()
) -> str:
    """Return a table of F1: a row per tool, a column per group; bold is the best tool not trained on the group."""
    groups = list(dict.fromkeys(row.group for row in rows))
    by_name = {(row.tool, row.group): row for row in rows}
    fair = [row for row in rows if (row.tool, row.group) not in trained]
    best = {group: max((row.f1 for row in fair if row.group == group), default=None) for group in groups}
    pages = {group: max(row.pages for row in rows if row.group == group) for group in groups}
    head = "".join(f"<th>{escape(group.removeprefix(prefix))}<br>({pages[group]})</th>" for group in groups)
    lines = []
    for tool in tools:
        cells = []
        for group in groups:
            row = by_name.get((tool, group))
            text = f"{row.f1:.3f}" if row else ""
            if (tool, group) in trained:
                text += "†"
            elif row and row.f1 == best[group]:
                text = f"<b>{text}</b>"
            cells.append(f"<td>{text}</td>")
        lines.append(f"<tr><td>{_name(tool)}</td>{''.join(cells)}</tr>")
    return f'<table class="wide"><tr><th>F1 (pages)</th>{head}</tr>{"".join(lines)}</table>'


def _table(rows: Sequence[Row], columns: Sequence[Column[Row]]) -> str:
    head = "".join(f'<th title="{escape(column.about)}">{escape(column.head)}</th>' for column in columns)
    lines = []
    for row in rows:
        cells = "".join(_cell(column.head, column.cell(row)) for column in columns)
        lines.append(f"<tr><td>{_name(row.tool)}</td>{cells}</tr>")
    return f"<table><tr><th>tool</th>{head}</tr>{''.join(lines)}</table>"


def _cell(head: str, text: str) -> str:
    """Return a table cell; numbers of failed and lost pages are red."""
    is_bad = head in ("failures", "lost") and text != "0"
    mark = ' class="fail"' if is_bad else ""
    return f"<td{mark}>{text}</td>"


def _plot(rows: Sequence[FigureRow], trained: Collection[str]) -> str:
    """Return bars of F1 from 0 to 1 with their intervals; tools trained on the set are marked."""
    height = _BAR * len(rows) + 24
    scale = _WIDTH - _LABEL - 60

    def x(value: float) -> float:
        return _LABEL + scale * value

    ticks = "".join(
        f'<line x1="{x(t / 5):.0f}" y1="0" x2="{x(t / 5):.0f}" y2="{height - 18}" stroke="#ddd"/>'
        f'<text x="{x(t / 5):.0f}" y="{height - 4}" text-anchor="middle" fill="#555">{t / 5:.1f}</text>'
        for t in range(6)
    )
    bars = []
    for index, row in enumerate(rows):
        y = index * _BAR
        low, high = (row.f1 if end is None else end for end in (row.low, row.high))
        mark = " °" * _learns_sites(row.tool) + " †" * (row.tool in trained)
        fill = "#2b7a4b" if _is_own(row.tool) else "#9bb7c9"
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
