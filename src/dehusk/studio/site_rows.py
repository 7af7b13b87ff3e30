"""The sites of a project, and the pages of one: listed, sorted and chosen by the database."""

from __future__ import annotations

from typing import Any

from dehusk.base.errors import ConfigError, InputError, unknown
from dehusk.counts.model import ENOUGH
from dehusk.studio.project import Project
from dehusk.studio.site_store import key_of, learned_record

SORTABLE_SITES = {"host": "host", "pages": "pages", "labelled": "labelled", "confidence": "confidence"}
"""Columns to sort sites by."""
MOST_LEARNED = 100
"""Pages that a site is learned from; more of them change little (docs/site.md)."""
_COUNTS = "count(*) AS pages, sum(labelled > 0) AS labelled, avg(confidence) AS confidence"
_MOST_LISTED = 500  # pages of a site to choose from
_UNUSABLE = ("not-html", "undecodable", "limit", "error")


def list_sites(
    project: Project,
    *,
    search: str = "",
    sort: str = "pages",
    descending: bool = True,
    start: int = 0,
    count: int = 200,
) -> dict[str, Any]:
    """Return some sites of the project, and how many there are.

    Args:
        project: the project.
        search: a part of the host.
        sort: one of `SORTABLE_SITES`; equal values by host.
        descending: whether the largest come first.
        start: number of sites to skip.
        count: maximum number of sites.

    Returns:
        `sites`: dicts of host, key, pages, labelled, confidence (mean), learned (number of pages learned from, 0 if it
        is not learned); `count`: the number of sites that the search finds.

    Raises:
        ConfigError: unknown column.
    """
    if sort not in SORTABLE_SITES:
        raise ConfigError(unknown("column", sort, SORTABLE_SITES))
    condition, values = ("instr(host, ?)", [search.strip().lower()]) if search.strip() else ("1", [])
    direction = "DESC" if descending else "ASC"
    query = (
        f"SELECT host, {_COUNTS} FROM page "  # noqa: S608 (names are checked)
        f"WHERE {condition} GROUP BY host ORDER BY {SORTABLE_SITES[sort]} {direction}, host LIMIT ? OFFSET ?"
    )
    rows = [dict(row) for row in project.reading.execute(query, (*values, count, start))]
    for row in rows:
        row["key"] = key_of(row["host"])
        row["learned"] = len((learned_record(project, row["host"]) or {}).get("pages", ()))
    [number] = project.reading.execute(f"SELECT count(DISTINCT host) FROM page WHERE {condition}", values).fetchone()  # noqa: S608
    return {"sites": rows, "count": int(number)}


def site_facts(project: Project, host: str) -> dict[str, Any]:
    """Return what is known of a site without learning it: counts, and pages to look at.

    Raises:
        KeyError: no page is of this host.
    """
    row = project.reading.execute(
        f"SELECT {_COUNTS} FROM page WHERE host = ?",  # noqa: S608 (a constant)
        (host,),
    ).fetchone()
    if not row["pages"]:
        raise KeyError(host)
    return {
        **dict(row),
        "host": host,
        "usable": len(usable_pages(project, host)),
        "list": list_site_pages(project, host)["list"],
    }


def list_site_pages(project: Project, host: str, *, search: str = "", around: int = 0) -> dict[str, Any]:
    """Return some pages of a site in the order of their ids, and how many there are.

    Args:
        project: the project.
        host: of the site.
        search: words that the title, the name or the address has.
        around: a page that the list is to have, with those before and after it.
    """
    words = search.lower().split()
    has_word = "instr(lower(title || ' ' || name || ' ' || url), ?) > 0"
    condition = " AND ".join(["host = ?", *(has_word for _ in words)])
    values = (host, *words)
    [found] = project.reading.execute(f"SELECT count(*) FROM page WHERE {condition}", values).fetchone()  # noqa: S608
    before = f"SELECT id FROM page WHERE {condition} AND id <= ? ORDER BY id DESC LIMIT 1 OFFSET ?"  # noqa: S608
    first = project.reading.execute(before, (*values, around, _MOST_LISTED // 2)).fetchone() if around else None
    columns = "id, title, url, name, confidence, labelled"
    query = f"SELECT {columns} FROM page WHERE {condition} AND id >= ? ORDER BY id LIMIT ?"  # noqa: S608
    rows = project.reading.execute(query, (*values, first["id"] if first else 0, _MOST_LISTED))
    return {"list": [dict(row) for row in rows], "found": found}


def usable_pages(project: Project, host: str) -> list[int]:
    """Return the pages that a site can be learned from: those with HTML, and of equal pages the first."""
    query = (
        f"SELECT min(id) FROM page WHERE host = ? AND status NOT IN ({', '.join('?' * len(_UNUSABLE))}) "  # noqa: S608
        "GROUP BY sha ORDER BY 1"
    )
    return [page for [page] in project.reading.execute(query, (host, *_UNUSABLE))]


def choose_pages(project: Project, host: str) -> list[int]:
    """Return at most `MOST_LEARNED` pages of a site to learn from, spread evenly over its pages.

    Raises:
        InputError: there are too few.
    """
    pages = usable_pages(project, host)
    if len(pages) < ENOUGH:
        raise InputError(too_few_pages(len(pages)))
    step = max(1.0, len(pages) / MOST_LEARNED)
    return [pages[int(index * step)] for index in range(min(MOST_LEARNED, len(pages)))]


def too_few_pages(count: int) -> str:
    """Return in one line that a site has too few pages to learn from, and what to do."""
    pages = "one page that differs" if count == 1 else f"{count} pages that differ"
    return (
        f"the site has {pages}, and what pages share shows from {ENOUGH} on: add more pages of this host "
        "(dehusk studio --project FOLDER MORE-PAGES)"
    )
