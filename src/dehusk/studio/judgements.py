"""Judgements of a project: which are up to date, the figures of each setup, and the pages with the worst ones."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

import dehusk
from dehusk.base.errors import ConfigError, unknown
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import WordBag
from dehusk.studio.gold_pages import GoldPages
from dehusk.studio.judging import PageJudgement
from dehusk.studio.model_list import list_models
from dehusk.studio.project import Project
from dehusk.studio.setups import name_of_setup, query_of
from dehusk.studio.site_store import learned_times, learns_from_whole_sites

ORDERS = ("f1", "precision", "recall", "missing", "extra", "ms", "name", "lead")
"""What the pages of a setup can be sorted by."""


class _PageFigures(NamedTuple):
    page: int
    words: WordBag
    ms: float | None
    failure: str


def stamps_of(project: Project, setup: str, gold: GoldPages) -> dict[int, str]:
    """Return for each page with gold what an up-to-date judgement of a setup has as its stamp."""
    query = query_of(setup)
    if query is None:
        return gold.stamps
    rules = "" if query.get("rules") == "no" else _rules_stamp(project)
    shared = f"dehusk {dehusk.__version__}{rules}"
    sites: Mapping[int, object] | None = None
    if "site" in query:
        is_learned = learns_from_whole_sites(query["method"])
        sites = pages_of_learned_sites(project) if is_learned else _pages_of_hosts(project)
        shared += "" if is_learned else f"; {_labels_stamp(project)}"
    return {
        page: f"{stamp}; {shared}" + ("" if sites is None else f"; {sites.get(page, 1)} of host")
        for page, stamp in gold.stamps.items()
    }


def missing_pages(project: Project, setup: str, gold: GoldPages, pages: Iterable[int]) -> list[int]:
    """Return which of some pages a setup has no up-to-date judgement of."""
    stamps = stamps_of(project, setup, gold)
    done = {row["page"] for row in _rows(project, setup) if row["stamp"] == stamps.get(row["page"])}
    return [page for page in pages if page not in done]


def pages_with_company(project: Project, pages: Iterable[int]) -> list[int]:
    """Return which of some pages have another page of the same host in the project."""
    hosts = _pages_of_hosts(project)
    return [page for page in pages if hosts.get(page, 0) > 1]


def store_judgement(project: Project, page: int, setup: str, stamp: str, judged: PageJudgement, text: str = "") -> None:
    """Store the judgement of a page, in the place of an older one.

    Args:
        project: the project.
        page: number of the page.
        setup: the setup.
        stamp: of `stamps_of`.
        judged: the judgement.
        text: what another tool kept.
    """
    words = judged.words
    stored = zlib.compress(text.encode("utf-8", "replace")) if query_of(setup) is None else None
    values = (page, setup, stamp, words.tp, words.predicted, words.gold, judged.ms, judged.failure, stored)
    with project.writing() as connection:
        connection.execute("INSERT OR REPLACE INTO judgement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def gold_words(project: Project, page: int) -> int:
    """Return how many words the gold of a page had in another judgement; 1 if there is none."""
    found: int | None = project.reading.execute("SELECT max(gold) FROM judgement WHERE page = ?", (page,)).fetchone()[0]
    return max(1, found or 1)


def remove_setup(project: Project, setup: str) -> None:
    """Remove all judgements of a setup."""
    with project.writing() as connection:
        connection.execute("DELETE FROM judgement WHERE setup = ?", (setup,))


def tool_text(project: Project, page: int, setup: str) -> str:
    """Return what another tool kept of a page.

    Raises:
        KeyError: it is not known.
    """
    query = "SELECT text FROM judgement WHERE page = ? AND setup = ? AND text IS NOT NULL"
    row = project.page_row(page, query, setup)
    return zlib.decompress(row["text"]).decode()


def setup_rows(project: Project, gold: GoldPages) -> list[dict[str, Any]]:
    """Return the figures of each setup as plain values: means over pages, as `dehusk bench` prints them.

    Returns:
        setup, name, query (None: of another tool), pages, outdated (judgements that do not count any more), failures,
        lost, precision, recall, f1, low, high (95 % interval of F1; None for a single site) and ms.
    """
    setups = [row["setup"] for row in project.reading.execute("SELECT DISTINCT setup FROM judgement ORDER BY setup")]
    sites, models = _sites(project), list_models(project)
    rows = []
    for setup in setups:
        figures, outdated = _current(project, setup, gold)
        row = {"setup": setup, "name": name_of_setup(setup, models), "query": query_of(setup), "outdated": outdated}
        rows.append(row | _figures(figures, [sites[each.page] for each in figures]))
    return rows


def _figures(pages: list[_PageFigures], sites: list[str]) -> dict[str, Any]:
    if not pages:
        empty = dict.fromkeys(("precision", "recall", "f1", "low", "high", "ms"))
        return {"pages": 0, "failures": 0, "lost": 0} | empty
    f1 = np.array([page.words.f1 for page in pages])
    low, high = bootstrap_interval(f1, sites) if len(set(sites)) > 1 else (None, None)
    times = [page.ms for page in pages if page.ms is not None]
    return {
        "pages": len(pages),
        "failures": sum(bool(page.failure) for page in pages),
        "lost": sum(page.words.gold > 0 and not page.words.predicted and not page.failure for page in pages),
        "precision": float(np.mean([page.words.precision for page in pages])),
        "recall": float(np.mean([page.words.recall for page in pages])),
        "f1": float(f1.mean()),
        "low": low,
        "high": high,
        "ms": float(np.mean(times)) if times else None,
    }


def setup_pages(
    project: Project, gold: GoldPages, setup: str, *, sort: str = "f1", descending: bool = False, most: int = 200
) -> dict[str, Any]:
    """Return the pages of a setup as plain values, those with the lowest F1 first unless asked otherwise.

    Args:
        project: the project.
        gold: its pages with gold.
        setup: the setup.
        sort: one of `ORDERS`; "lead" is how much better the best other setup does.
        descending: whether the largest come first.
        most: how many pages to return.

    Returns:
        total, and pages: page, name, host, f1, precision, recall, missing and extra (words), ms, failure, best (name
        and f1 of the best other setup; None if there is none), lead.

    Raises:
        ConfigError: pages cannot be sorted by that.
    """
    if sort not in ORDERS:
        raise ConfigError(unknown("order", sort, ORDERS))
    figures, _ = _current(project, setup, gold)
    best = _best_others(project, gold, setup)
    facts = {row["id"]: row for row in project.reading.execute("SELECT id, title, name, url, host FROM page")}
    rows = [_page_row(each, facts[each.page], best.get(each.page)) for each in figures]
    known = [row for row in rows if row[sort] is not None]
    known.sort(key=lambda row: row[sort].casefold() if sort == "name" else row[sort], reverse=descending)
    return {"total": len(rows), "pages": [*known, *(row for row in rows if row[sort] is None)][:most]}


def _page_row(figures: _PageFigures, facts: Any, best: tuple[str, float] | None) -> dict[str, Any]:
    words = figures.words
    return {
        "page": figures.page,
        "name": facts["title"] or facts["name"] or facts["url"],
        "host": facts["host"],
        "f1": words.f1,
        "precision": words.precision,
        "recall": words.recall,
        "missing": words.gold - words.tp,
        "extra": words.predicted - words.tp,
        "ms": figures.ms,
        "failure": figures.failure,
        "best": None if best is None else {"name": best[0], "f1": best[1]},
        "lead": None if best is None else best[1] - words.f1,
    }


def _best_others(project: Project, gold: GoldPages, setup: str) -> dict[int, tuple[str, float]]:
    """Return for each page the name and the F1 of the best setup but one."""
    models, best = list_models(project), dict[int, tuple[str, float]]()
    setups = project.reading.execute("SELECT DISTINCT setup FROM judgement WHERE setup <> ? ORDER BY setup", (setup,))
    for other in [row["setup"] for row in setups]:
        name = name_of_setup(other, models)
        for each in _current(project, other, gold)[0]:
            if each.page not in best or best[each.page][1] < each.words.f1:
                best[each.page] = name, each.words.f1
    return best


def _current(project: Project, setup: str, gold: GoldPages) -> tuple[list[_PageFigures], int]:
    """Return the judgements of a setup that are up to date, and how many are not."""
    stamps = stamps_of(project, setup, gold)
    rows = _rows(project, setup)
    current = [row for row in rows if row["stamp"] == stamps.get(row["page"])]
    figures = [
        _PageFigures(row["page"], WordBag(row["common"], row["kept"], row["gold"]), row["ms"], row["failure"])
        for row in current
    ]
    return figures, len(rows) - len(current)


def _rows(project: Project, setup: str) -> list[Any]:
    return project.reading.execute(
        "SELECT page, stamp, common, kept, gold, ms, failure FROM judgement WHERE setup = ? ORDER BY page", (setup,)
    ).fetchall()


def _sites(project: Project) -> Mapping[int, str]:
    """Return the site of each page with a judgement; a page whose host is not known is a site by itself."""
    rows = project.reading.execute("SELECT DISTINCT id, host FROM page JOIN judgement ON page = id")
    return {row["id"]: row["host"] or f"page {row['id']}" for row in rows}


def pages_of_learned_sites(project: Project) -> dict[int, str]:
    """Return the pages whose site is learned, and when it was."""
    times = learned_times(project)
    rows = project.reading.execute("SELECT id, host FROM page")
    return {row["id"]: times[row["host"]] for row in rows if row["host"] in times}


def _pages_of_hosts(project: Project) -> dict[int, int]:
    rows = project.reading.execute(
        "SELECT id, pages FROM page JOIN (SELECT host, count(*) AS pages FROM page WHERE host <> '' GROUP BY host) "
        "USING (host)"
    )
    return {row["id"]: row["pages"] for row in rows}


def _labels_stamp(project: Project) -> str:
    """Return what changes when labels do: they teach the sites of their pages."""
    found = project.reading.execute("SELECT count(*), max(changed) FROM labelling WHERE labelled > 0").fetchone()
    return f"labels {found[0]} {found[1] or 0:.3f}"


def _rules_stamp(project: Project) -> str:
    try:
        rules = project.rules.read_bytes()
    except OSError:
        return ""
    return f"; rules {hashlib.sha256(rules).hexdigest()[:16]}" if rules.strip() else ""


def known_setups(project: Project) -> set[str]:
    """Return the setups that have judgements."""
    return {row["setup"] for row in project.reading.execute("SELECT DISTINCT setup FROM judgement")}
