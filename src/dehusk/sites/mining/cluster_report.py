"""What k-means finds before and after weighting, and by a rival: assignments, a report, a picture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.errors import InputError, counted
from dehusk.sites.mining.clusters import KMeansPlan, PageClusters, agreement, cluster_pages, v_measure
from dehusk.sites.mining.map_picture import Panel, map_svg
from dehusk.sites.mining.page_map import map_of
from dehusk.sites.mining.report_tables import csv_text, markdown_table
from dehusk.sites.mining.unit_vectors import SIDES, side_vectors, vectors_name
from dehusk.sites.structure_tree.vector_files import NamedVectors

Colour = Literal["label", "cluster", "site"]
COLOURS_OF: tuple[Colour, ...] = ("label", "cluster", "site")
_COLUMNS = {"after": "", "before": " before", "rival": " by site idf"}
"""Side -> the end of its columns in the assignments, in their order."""
_DIGITS = 6


@dataclass(frozen=True, eq=False)
class ClusterResult:
    """The clusters of pages before and after weighting, and by the rival.

    Attributes:
        table: the pages.
        plan: how they were clustered.
        idf: whether words were weighted by idf as well.
        sides: `SIDES` -> clusters; without the rival if its vectors are too few.
    """

    table: NamedVectors
    plan: KMeansPlan
    idf: bool
    sides: Mapping[str, PageClusters]

    def files(self, colour: Colour, *, raw_cells: bool = False) -> dict[str, str]:
        """Return file name -> content.

        Args:
            colour: what the colours of the picture say.
            raw_cells: whether texts in CSV that a spreadsheet takes for formulas get no quote before them.
        """
        facts = self.facts
        return {
            "assignments.csv": self._assignments(raw_cells=raw_cells),
            "report.json": json.dumps(facts, ensure_ascii=False, indent=1) + "\n",
            "report.md": _markdown(facts),
            "map.svg": self._picture(facts, colour),
        }

    @cached_property
    def facts(self) -> dict[str, Any]:
        """The report as JSON values."""
        table = self.table
        labels = Counter(sorted(label for label in table.labels if label is not None))
        return {
            "pages": len(table.vectors),
            "sites": len(set(table.sites)),
            "words": len(table.vectors.words),
            "labels": dict(labels),
            "k": self.plan.k,
            "starts": self.plan.starts,
            "seed": self.plan.seed,
            "init": self.plan.init,
            **{
                side: {"vectors": vectors_name(side, idf=self.idf), **self._side(found)}
                for side, found in self.sides.items()
            },
        }

    def _side(self, found: PageClusters) -> dict[str, Any]:
        judged = agreement(found, self.table.labels)
        inside = found.silhouette[found.cluster > 0]
        facts: dict[str, Any] = {
            "pages in no cluster": int((found.cluster == 0).sum()),
            "silhouette": round(float(inside.mean()), _DIGITS),
        }
        if judged is not None:
            starts = judged.f_of_starts
            facts |= {"F": judged.f, "purity": judged.purity, "V-measure": judged.v_measure}
            facts |= {"mean F of starts": fmean(starts), "lowest F": min(starts), "highest F": max(starts)}
            facts = {name: round(value, _DIGITS) for name, value in facts.items()}
        if len(set(self.table.sites)) > 1:
            facts["V-measure with the sites"] = round(v_measure(found, self.table.sites), _DIGITS)
        return {**facts, "clusters": [self._cluster(found, number) for number in range(1, len(found.words) + 1)]}

    def _cluster(self, found: PageClusters, number: int) -> dict[str, Any]:
        inside = np.flatnonzero(found.cluster == number).tolist()
        labels = Counter(label for label in (self.table.labels[row] for row in inside) if label is not None)
        return {
            "cluster": number,
            "pages": len(inside),
            "silhouette": round(float(found.silhouette[inside].mean()), _DIGITS),
            "words": list(found.words[number - 1]),
            "central page": self.table.pages[found.centres[number - 1]],
            "labels": dict(sorted(labels.items(), key=lambda item: (-item[1], item[0]))),
            "sites": len({self.table.sites[row] for row in inside}),
        }

    def _assignments(self, *, raw_cells: bool) -> str:
        shown = [side for side in _COLUMNS if side in self.sides]
        columns = [value for side in shown for value in _columns(self.sides[side])]
        rows = zip(self.table.pages, self.table.sites, self.table.labels, *columns, strict=True)
        own = [f"{name}{_COLUMNS[side]}" for side in shown for name in ("cluster", "silhouette")]
        return csv_text(["page", "site", "label", *own], rows, raw_cells=raw_cells)

    def _known(self, found: PageClusters) -> Iterable[tuple[str | None, str, int]]:
        return zip(self.table.labels, self.table.sites, found.cluster.tolist(), strict=True)

    def _picture(self, facts: Mapping[str, Any], colour: Colour) -> str:
        panels = []
        for side, found in self.sides.items():
            rows = side_vectors(self.table, side, idf=self.idf)
            shown = [
                f"{name} {facts[side][name]:.3f}" for name in ("silhouette", "F", "V-measure") if name in facts[side]
            ]
            title = f"{SIDES[side]}: {facts[side]['vectors']}"
            told = [_told(label, site, number) for label, site, number in self._known(found)]
            groups = groups_of(self.table, found, colour)
            panels.append(Panel(title, ", ".join(shown), map_of(rows), groups, told))
        return map_svg(panels, self.table.pages, title=f"{counted(facts['pages'], 'page')}, coloured by {colour}")


def cluster_vectors(table: NamedVectors, plan: KMeansPlan, *, idf: bool = False) -> ClusterResult:
    """Cluster pages before and after weighting, and by the rival.

    Args:
        table: pages with their words.
        plan: how.
        idf: whether to multiply what words count by ln(pages / pages with the word), before and after weighting.

    Raises:
        InputError: fewer pages than clusters have words.
        MissingExtraError: scikit-learn is not installed.
    """
    found = {}
    for side in SIDES:
        try:
            found[side] = cluster_pages(side_vectors(table, side, idf=idf), table.vectors.words, plan)
        except InputError:
            if side != "rival":
                raise
    return ClusterResult(table, plan, idf, found)


def _told(label: str | None, site: str, cluster: int) -> str:
    return " · ".join(filter(None, (label, site, f"cluster {cluster}" if cluster else "in no cluster")))


def groups_of(table: NamedVectors, found: PageClusters, colour: Colour) -> list[str]:
    """Return what the colour of each page says, "" for nothing."""
    if colour == "cluster":
        return [str(number) if number else "" for number in found.cluster.tolist()]
    return (
        [label or "" for label in table.labels] if colour == "label" else [site or "(unknown)" for site in table.sites]
    )


def _columns(found: PageClusters) -> tuple[list[int | None], list[float | None]]:
    """Return the cluster and the silhouette of each page; None for pages in no cluster."""
    clusters = [number or None for number in found.cluster.tolist()]
    return clusters, [
        value if number else None for number, value in zip(clusters, found.silhouette.tolist(), strict=True)
    ]


_MEASURES = (
    "silhouette",
    "F",
    "purity",
    "V-measure",
    "V-measure with the sites",
    "mean F of starts",
    "lowest F",
    "highest F",
    "pages in no cluster",
)


def _markdown(facts: Mapping[str, Any]) -> str:
    shown = [side for side in SIDES if side in facts]
    sides = [facts[side] for side in shown]
    size = f"{counted(facts['pages'], 'page')} of {counted(facts['sites'], 'site')}, {counted(facts['words'], 'word')}"
    how = f"k-means with k = {facts['k']}, {counted(facts['starts'], 'start')} ({facts['init']}), seed {facts['seed']}"
    measures = [(name, *(side[name] for side in sides)) for name in _MEASURES if name in sides[0]]
    lines = ["# Clusters of pages", "", f"{size}; {how}.", ""]
    lines += markdown_table(["", *(f"{side}: {facts[side]['vectors']}" for side in shown)], measures)
    for side in (side for side in _COLUMNS if side in facts):
        lines += [f"## {SIDES[side].capitalize()}", "", *_cluster_table(facts[side]["clusters"])]
    return "\n".join([*lines, *_notes(facts)]) + "\n"


def _cluster_table(clusters: Sequence[Mapping[str, Any]]) -> list[str]:
    labelled = any(cluster["labels"] for cluster in clusters)
    head = ["cluster", "pages", "sites", "silhouette", "characteristic words", "central page"]
    rows = []
    for found in clusters:
        row = [found["cluster"], found["pages"], found["sites"], found["silhouette"], " ".join(found["words"])]
        labels = ", ".join(f"{label} {count}" for label, count in list(found["labels"].items())[:5])
        rows.append([*row, found["central page"], *([labels] if labelled else [])])
    return markdown_table([*head, *(["labels"] if labelled else [])], rows)


_SILHOUETTE = (
    "The silhouette is from -1 to 1, by cosine distance. It compares the clusters of one side; vectors of the other "
    "side have other distances. Characteristic words have a higher mean weight in the cluster than in all pages."
)
_F = (
    "F is the mean over the labels of 2pr / (p + r), with the best one-to-one assignment of clusters to labels (Yi & "
    "Liu 2003). Each start is a run of k-means; the clusters are those of the run with the smallest distances."
)
_SITES = "The V-measure with the sites says how much the clusters follow sites, which noise of sites makes them do."


def _notes(facts: Mapping[str, Any]) -> list[str]:
    notes = [_SILHOUETTE, *([_F] if facts["labels"] else []), *([_SITES] if facts["sites"] > 1 else [])]
    return [line for note in notes for line in (note, "")][:-1]
