"""Why a block is kept or dropped: the features that the trees weighed, the site's evidence, and the neighbours."""

import numpy as np
import numpy.typing as npt

from dehusk.labels import Labels
from dehusk.methods.united.columns import GROUPS, NAMES, meaning
from dehusk.methods.united.evidence import SiteEvidence

Reals = npt.NDArray[np.float64]

_GROUPS, _FEATURES = 3, 6
"""How many of the strongest groups a sentence names, and how many of the strongest features a record lists."""


class Reasons:
    """The reasons for the labels of a page.

    Args:
        labels: the labels.
        contributions: (k, b) log-odds that each column adds.
        columns: (k, b) the columns.
        page_scores: (b,) log-odds from the page only.
        scores: (b,) log-odds with the site's evidence.
    """

    def __init__(
        self, labels: Labels, contributions: Reals, columns: npt.NDArray[np.float32], page_scores: Reals, scores: Reals
    ) -> None:
        self.labels, self.contributions, self.columns = labels, contributions, columns
        self.page_scores, self.scores = page_scores, scores
        names = list(dict.fromkeys(GROUPS.values()))
        group = [names.index(GROUPS[name.partition(".")[0]]) for name in NAMES]
        self._by_group = np.zeros((len(names), contributions.shape[1]))
        np.add.at(self._by_group, group, contributions)
        self._names = names

    def sentences(self, evidence: SiteEvidence | None) -> list[str]:
        """Return one line per block: the strongest groups of features, the site, the neighbours."""
        return [self._line(block, evidence) for block in range(len(self.labels))]

    def _line(self, block: int, evidence: SiteEvidence | None) -> str:
        weight = self._by_group[:, block]
        strongest = np.argsort(-np.abs(weight), kind="stable")[:_GROUPS]
        parts = [f"{self._names[g]} {weight[g]:+.1f}" for g in strongest.tolist() if abs(weight[g]) >= 0.05]
        if evidence is not None:
            parts.append(f"site {self.scores[block] - self.page_scores[block]:+.1f} ({evidence.reason(block)})")
        parts.append(self._neighbours(block))
        return "; ".join(parts)

    def _neighbours(self, block: int) -> str:
        kept = self.labels.kept
        neighbours = [bool(kept[index]) for index in (block - 1, block + 1) if 0 <= index < len(kept)]
        if not neighbours:
            return "no neighbours"
        if all(neighbours):
            return "neighbours kept"
        return "one neighbour kept" if any(neighbours) else "neighbours dropped"

    def records(self, evidence: SiteEvidence | None) -> list[dict[str, object]]:
        """Return, for each block, its log-odds and the features that shift them most, as plain values."""
        order = np.argsort(-np.abs(self.contributions), axis=0, kind="stable")[:_FEATURES]
        return [self._record(block, order[:, block].tolist(), evidence) for block in range(len(self.labels))]

    def _record(self, block: int, rows: list[int], evidence: SiteEvidence | None) -> dict[str, object]:
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
        if evidence is not None:
            record["site"] = {
                "adds": round(float(self.scores[block] - self.page_scores[block]), 3),
                "template": bool(evidence.template[block]),
                "same-path": int(evidence.same_slot[block]),
                "same-text": int(evidence.same_text[block]),
            }
        return record
