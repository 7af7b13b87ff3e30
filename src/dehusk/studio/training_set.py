"""The labelled pages of a project, split by site into those to train on and those kept aside."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from dehusk.base.errors import GoldError, counted
from dehusk.blocks.annotation import UNLABELLED
from dehusk.blocks.labels import OTHER
from dehusk.studio.labelling import joint_labels
from dehusk.studio.project import Project

LEAST = 4
"""Labelled pages that training needs."""
FEW_ASIDE = 8
"""Fewer pages kept aside say little."""
LEFT_OUT = ("no content", "broken", "wrong language")
"""Flags of pages that are not trained on."""
_ASIDE = 0.25  # of the pages, at least


@dataclass(frozen=True)
class LabelledRow:
    """A labelled page."""

    page: int
    title: str
    host: str
    source: str
    """Name of the input that it is from."""
    codes: bytes
    """One int8 per common block."""
    is_aside: bool = False

    @property
    def site(self) -> str:
        """The host; a page whose address is not known counts as a site of its own."""
        return self.host or f"page {self.page}"


@dataclass(frozen=True)
class TrainingPlan:
    """What training would use."""

    rows: tuple[LabelledRow, ...]
    problem: str
    """What is missing, in words; "" if nothing is."""
    notes: tuple[str, ...]
    """What limits the figures."""

    def plain(self) -> dict[str, Any]:
        """Return plain values for the browser."""
        aside = [row for row in self.rows if row.is_aside]
        return {
            "pages": len(self.rows),
            "sites": len({row.site for row in self.rows}),
            "aside": len(aside),
            "aside_sites": len({row.site for row in aside}),
            "problem": self.problem,
            "notes": list(self.notes),
        }


def plan_training(project: Project, *, one_by_one: bool = False) -> TrainingPlan:
    """Return which labelled pages are trained on and which are kept aside, always the same ones of the same pages.

    Args:
        project: the project.
        one_by_one: whether to leave out labels that were given to a whole page, or a whole site, at once.
    """
    rows = _labelled(project, one_by_one=one_by_one)
    sites = {row.site for row in rows}
    by_site = len(sites) > 1
    aside = _aside([row.site if by_site else str(row.page) for row in rows])
    split = tuple(
        LabelledRow(
            row.page, row.title, row.host, row.source, row.codes, (row.site if by_site else str(row.page)) in aside
        )
        for row in rows
    )
    notes = [*_notes(split, by_site=by_site), *_left_out(_flagged(project))]
    return TrainingPlan(split, _problem(split), tuple(notes))


def _labelled(project: Project, *, one_by_one: bool) -> list[LabelledRow]:
    """Return the pages with labels, those of several annotators as one."""
    rows = project.reading.execute(
        "SELECT page.id, title, page.name, url, host, input.name AS source FROM page "
        "JOIN input ON input.id = page.input WHERE page.labelled > 0 ORDER BY page.id"
    ).fetchall()
    flagged = _flagged(project)
    found = []
    for row in rows:
        labels = joint_labels(project, row["id"], one_by_one=one_by_one)
        if labels is not None and (labels[1] != UNLABELLED).any() and row["id"] not in flagged:
            name = row["title"] or row["name"] or row["url"]
            found.append(LabelledRow(row["id"], name, row["host"], row["source"], labels[1].tobytes()))
    return found


def _flagged(project: Project) -> dict[int, str]:
    """Return the labelled pages that do not teach -> their flag."""
    rows = project.reading.execute("SELECT page.id, flag FROM page WHERE flag IN (?, ?, ?) AND labelled > 0", LEFT_OUT)
    return {row["id"]: row["flag"] for row in rows}


def _aside(sites: list[str]) -> set[str]:
    """Return sites with about a quarter of the pages, chosen by a hash of their names; never all of them."""
    order = sorted(set(sites), key=lambda site: hashlib.sha256(site.encode("utf-8", "replace")).digest())
    chosen: set[str] = set()
    pages, wanted = 0, max(1, round(_ASIDE * len(sites)))
    for site in order:
        size = sites.count(site)
        if pages < wanted and (2 * (pages + size) <= len(sites) or (not pages and site == order[-1])):
            chosen.add(site)
            pages += size
    return chosen if len(chosen) < len(order) else set()


def _problem(rows: tuple[LabelledRow, ...]) -> str:
    if len(rows) < LEAST:
        more = LEAST - len(rows)
        return f"Training needs {LEAST} labelled pages; there are {len(rows)}: label {counted(more, 'more page')}."
    for aside, words in ((False, "to train on"), (True, "kept aside")):
        codes = [np.frombuffer(row.codes, dtype=np.int8) for row in rows if row.is_aside == aside]
        joined = np.concatenate(codes) if codes else np.zeros(0, np.int8)
        if not codes:
            return f"No page could be {words}: one site has nearly all labelled pages. Label pages of other sites."
        content, noise = int(((joined != UNLABELLED) & (joined < OTHER)).sum()), int((joined == OTHER).sum())
        if not content or not (noise or aside):
            missing = "content" if not content else "other"
            return f"The pages {words} have no block labelled as {missing}: label such blocks too."
    return ""


def _notes(rows: tuple[LabelledRow, ...], *, by_site: bool) -> list[str]:
    notes = []
    aside = sum(row.is_aside for row in rows)
    if rows and not by_site:
        notes.append("All labelled pages are of one site: the figures hold for this site only.")
    if 0 < aside < FEW_ASIDE:
        notes.append(
            f"Only {counted(aside, 'page')} can be kept aside: the figures say little before there are {FEW_ASIDE}."
        )
    unknown = sum(not row.host for row in rows)
    if unknown:
        notes.append(f"{counted(unknown, 'page')} without a known address: each counts as a site of its own.")
    partly = sum(bool((np.frombuffer(row.codes, dtype=np.int8) == UNLABELLED).any()) for row in rows)
    if partly:
        notes.append(f"{counted(partly, 'page')} labelled in part: only labelled blocks count in the figures.")
    return notes


def _left_out(flagged: dict[int, str]) -> list[str]:
    if not flagged:
        return []
    numbers = Counter(flagged.values())
    which = ", ".join(f"{numbers[flag]} {flag}" for flag in LEFT_OUT if numbers[flag])
    return [f"{counted(len(flagged), 'labelled page')} left out because of a flag: {which}."]


def require_trainable(plan: TrainingPlan) -> None:
    """Raise GoldError if something is missing."""
    if plan.problem:
        raise GoldError(plan.problem)
