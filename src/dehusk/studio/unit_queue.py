"""The queue of an annotator: units of all pages that the method is least sure of, and those to read a second time.

A unit comes to an annotator who has not labelled all of its blocks: as *unsure* if nobody has, for a *second* reading
if one other annotator has. If two did, and one keeps what the other drops, it is a *disagreement* until it is settled.
"""

from __future__ import annotations

import heapq
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from dehusk.blocks.annotation import SOURCES, UNLABELLED, Codes
from dehusk.blocks.labels import OTHER
from dehusk.measures.intervals import wilson_interval
from dehusk.studio.agreeing import agreement_report, list_annotators
from dehusk.studio.labelling import SETTLED, sources_of
from dehusk.studio.page_rows import PageFilter, PageList
from dehusk.studio.project import Project
from dehusk.studio.unsure_units import UNSURE

TEN = 10
"""Decisions after which the queue says what they were worth."""
_LATEST = 30  # decisions whose rate counts
_SITE, _TEMPLATE = 0.03, 0.06  # margin that each doubling of the units of a site, of one place in its design, costs
_CONSIDERED = 20_000  # units of pages without labels; of huge projects the least sure ones
_SINGLE = bytes([SOURCES.index("single")])


class _Unit(NamedTuple):
    page: int
    first: int
    stop: int
    margin: float
    """Distance of its probability from 1/2."""
    site: str
    template: tuple[str, int]
    text: int


def list_queue(project: Project, annotator: str, chosen: PageFilter, *, count: int = 20) -> dict[str, Any]:
    """Return the next units of an annotator as plain values; no page is cleaned for it.

    Args:
        project: the project.
        annotator: whose queue.
        chosen: the pages whose units are asked.
        count: units of each kind.

    Returns:
        unsure (at its end the rest, which is rather sure) and second (disagreements come first): each a list of page,
        first, stop (the blocks of a unit) and turn ("unsure", "rest", "second" or "disagreement"); left: turn -> number
        of units, of unsure ones at most those that are considered. Of units with the same text, one is asked.
    """
    labels = _labels(project)
    turns: dict[str, list[_Unit]] = {"unsure": [], "second": [], "disagreement": [], "done": []}
    for unit in _units(project, PageList(project, chosen).ids().tolist()):
        turns[_turn(project, labels.get(unit.page, {}), unit, annotator)].append(unit)
    asked = {unit.text for unit in turns["done"]}
    once: dict[int, _Unit] = {}
    for unit in sorted(turns["unsure"], key=attrgetter("margin", "page", "first")):
        if unit.text not in asked:
            once.setdefault(unit.text, unit)
    turns["unsure"] = list(once.values())
    done = turns.pop("done")
    left = {turn: len(units) for turn, units in turns.items()}
    left["unsure"] = sum(unit.margin <= UNSURE for unit in turns["unsure"])
    rows = {turn: [_row(unit, turn) for unit in _mixed(units, done, count)] for turn, units in turns.items()}
    return {"unsure": rows["unsure"], "second": (rows["disagreement"] + rows["second"])[:count], "left": left}


def _row(unit: _Unit, turn: str) -> dict[str, Any]:
    is_rest = turn == "unsure" and unit.margin > UNSURE
    return {"page": unit.page, "first": unit.first, "stop": unit.stop, "turn": "rest" if is_rest else turn}


def _labels(project: Project) -> dict[int, dict[str, Codes]]:
    """Return page -> annotator -> labels."""
    found: dict[int, dict[str, Codes]] = {}
    for row in project.reading.execute("SELECT page, annotator, codes FROM labelling WHERE labelled > 0"):
        found.setdefault(row["page"], {})[row["annotator"]] = np.frombuffer(row["codes"], dtype=np.int8)
    return found


def _units(project: Project, listed: list[int]) -> Iterator[_Unit]:
    """Yield all units of labelled pages, the least sure ones of the others, and those asked before a page changed."""
    known: dict[int, set[int]] = {}
    among, ids = "page IN (SELECT value FROM json_each(?))", json.dumps(listed)
    for index, are, most in (("", "IN", -1), ("INDEXED BY unsure_margin", "NOT IN", _CONSIDERED)):
        rows = project.reading.execute(
            "SELECT page, first, stop, abs(probability - 0.5) AS margin, host, template, text "  # noqa: S608 (constants)
            f"FROM unsure {index} CROSS JOIN page ON page.id = page "
            f"WHERE flag = '' AND page {are} (SELECT page FROM labelling WHERE labelled > 0) AND {among} "
            "ORDER BY abs(probability - 0.5) LIMIT ?",
            (ids, most),
        )
        for page, first, stop, margin, host, template, text in rows.fetchall():
            if are == "IN":
                known.setdefault(page, set()).update(range(first, stop))
            site = host or f"page {page}"
            yield _Unit(page, first, stop, margin, site, (site, template), text)
    rows = project.reading.execute(
        "SELECT DISTINCT page, change.blocks, host FROM change JOIN page ON page.id = page "  # noqa: S608
        f"WHERE undone = 0 AND instr(sources, ?) > 0 AND page.flag = '' AND {among}",
        (_SINGLE, ids),
    )
    for page, data, host in rows.fetchall():
        blocks = np.frombuffer(data, dtype=np.int32).tolist()
        if known.get(page, set()).isdisjoint(blocks):
            known.setdefault(page, set()).update(blocks)
            site = host or f"page {page}"
            yield _Unit(page, min(blocks), max(blocks) + 1, 0.5, site, (site, 0), -page)


def _turn(project: Project, labels: Mapping[str, Codes], unit: _Unit, annotator: str) -> str:
    decisions = {name: found for name, codes in labels.items() if (found := _decision(codes, unit)) is not None}
    others = decisions.keys() - {annotator}
    if annotator not in decisions and len(others) < 2:
        return "second" if others else "unsure"
    return "disagreement" if len(set(decisions.values())) > 1 and not _is_settled(project, labels, unit) else "done"


def _decision(codes: Codes, unit: _Unit) -> bytes | None:
    """Return which blocks of a unit labels keep; None if one has no label."""
    own = codes[unit.first : unit.stop]
    return (own != OTHER).tobytes() if len(own) and (own != UNLABELLED).all() else None


def _is_settled(project: Project, labels: Mapping[str, Codes], unit: _Unit) -> bool:
    sources = (sources_of(project, unit.page, name, len(codes)) for name, codes in labels.items())
    return any(SETTLED in found[unit.first : unit.stop] for found in sources)


def _mixed(units: Sequence[_Unit], before: Sequence[_Unit], count: int) -> list[_Unit]:
    """Return the least sure of some units, in an order that changes between sites and places of their designs.

    Each unit of a site or a place, also of those before, delays the next one; unsure units come before all others.
    """
    sites, templates = Counter(unit.site for unit in before), Counter(unit.template for unit in before)

    def score(unit: _Unit) -> tuple[bool, float]:
        delay = _SITE * math.log2(1 + sites[unit.site]) + _TEMPLATE * math.log2(1 + templates[unit.template])
        return unit.margin > UNSURE, unit.margin + delay

    heap = [(score(unit), number) for number, unit in enumerate(units)]
    heapq.heapify(heap)
    found: list[_Unit] = []
    while heap and len(found) < count:
        unit = units[heap[0][1]]
        now = score(unit)
        if now > heap[0][0]:  # scores only grow, so that the first one that is up to date is the least
            heapq.heapreplace(heap, (now, heap[0][1]))
            continue
        heapq.heappop(heap)
        found.append(unit)
        sites[unit.site] += 1
        templates[unit.template] += 1
    return found


def agreement_with_others(project: Project, annotator: str) -> list[dict[str, Any]]:
    """Return for each other annotator the name, kappa of content or not, and the blocks that both labelled."""
    found = []
    for name in (each["name"] for each in list_annotators(project) if each["name"] != annotator):
        report = agreement_report(project, annotator, name)
        if report["blocks"]:
            found.append({"name": name, "kappa": report["content"]["kappa"], "blocks": report["blocks"]})
    return found


def expected_gain(corrected: Sequence[bool], left: int) -> str:
    """Return in one sentence or two what the latest decisions were worth, and what the next ones may be.

    The rate of the latest decisions, with its Wilson interval, is applied to the units that are left. These are surer
    than those before, so that it is rather too high.

    Args:
        corrected: of each decision on an unsure unit, the latest last, whether it was not what the method had decided.
        left: unsure units that are left.
    """
    wrong, of = sum(corrected[-_LATEST:]), len(corrected[-_LATEST:])
    low, high = wilson_interval(wrong, of)
    said = f"{sum(corrected[-TEN:])} of the last {min(TEN, of)} decisions corrected the tool."
    if not left:
        return f"{said} No unsure unit is left."
    all_left = "the one unsure unit left" if left == 1 else f"the {left:,} unsure units left"
    ahead = [("ten more", TEN), (all_left, left)] if left > TEN else [(all_left, left)]
    parts = [
        f"{words} would correct about {wrong / of * n:,.0f} ({math.floor(low * n):,} to {math.ceil(high * n):,})"
        for words, n in ahead
    ]
    rate = f"the rate of the last {of}" if of > TEN else "this rate"
    return f"{said} At {rate}, {' and '.join(parts)}."
