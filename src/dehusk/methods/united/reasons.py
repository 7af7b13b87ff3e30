"""Why a block is kept or not: what the trees went by, what the site says, and its neighbours."""

import numpy as np
import numpy.typing as npt

from dehusk.labels import Labels
from dehusk.methods.united.columns import GROUPS, NAMES, meaning
from dehusk.methods.united.evidence import Evidence

Reals = npt.NDArray[np.float64]

_GROUPS, _FEATURES = 3, 6
"""Groups told in words and features told in records, the strongest ones."""


class Reasons:
    """What decided about each block of a page.

    Args:
        labels: the decisions.
        contributions: (k, b) log-odds that each column adds.
        columns: (k, b) the columns.
        own: (b,) log-odds by the page alone.
        scores: (b,) log-odds with the site's evidence.
    """

    def __init__(
        self, labels: Labels, contributions: Reals, columns: npt.NDArray[np.float32], own: Reals, scores: Reals
    ) -> None:
        self.labels, self.contributions, self.columns = labels, contributions, columns
        self.own, self.scores = own, scores
        names = list(dict.fromkeys(GROUPS.values()))
        group = [names.index(GROUPS[name.partition(".")[0]]) for name in NAMES]
        self._by_group = np.zeros((len(names), contributions.shape[1]))
        np.add.at(self._by_group, group, contributions)
        self._names = names

    def words(self, of_site: Evidence | None) -> list[str]:
        """Return a line for each block: the strongest groups of features, the site, the neighbours."""
        return [self._line(block, of_site) for block in range(len(self.labels))]

    def _line(self, block: int, of_site: Evidence | None) -> str:
        weight = self._by_group[:, block]
        strongest = np.argsort(-np.abs(weight), kind="stable")[:_GROUPS]
        parts = [f"{self._names[g]} {weight[g]:+.1f}" for g in strongest.tolist() if abs(weight[g]) >= 0.05]
        if of_site is not None:
            parts.append(
                f"site {self.scores[block] - self.own[block]:+.1f} ({of_site.repeated[block]:.0%} repeated, "
                f"on {of_site.on_pages[block]:.0%} of the other pages)"
            )
        parts.append(self._neighbours(block))
        return "; ".join(parts)

    def _neighbours(self, block: int) -> str:
        kept = self.labels.kept
        beside = [bool(kept[at]) for at in (block - 1, block + 1) if 0 <= at < len(kept)]
        if not beside:
            return "no neighbours"
        return "neighbours kept" if all(beside) else "neighbours dropped" if not any(beside) else "at an edge"

    def records(self, of_site: Evidence | None) -> list[dict[str, object]]:
        """Return for each block its log-odds and the features that moved it most, as plain values."""
        order = np.argsort(-np.abs(self.contributions), axis=0, kind="stable")[:_FEATURES]
        return [self._record(block, order[:, block].tolist(), of_site) for block in range(len(self.labels))]

    def _record(self, block: int, rows: list[int], of_site: Evidence | None) -> dict[str, object]:
        record: dict[str, object] = {
            "log-odds": round(float(self.scores[block]), 3),
            "features": [
                {
                    "name": NAMES[row],
                    "value": round(float(self.columns[row, block]), 4),
                    "adds": round(float(self.contributions[row, block]), 3),
                    "means": meaning(NAMES[row]),
                }
                for row in rows
                if self.contributions[row, block]
            ],
        }
        if of_site is not None:
            record["site"] = {
                "adds": round(float(self.scores[block] - self.own[block]), 3),
                "repeated": round(float(of_site.repeated[block]), 4),
                "on-pages": round(float(of_site.on_pages[block]), 4),
            }
        return record
