"""Why a block is kept or dropped: the inputs that the net weighed, the site's evidence, and the neighbours.

What a family of inputs contributes to a block's log-odds is what leaving it out really changes: the net runs once more
with these inputs of the whole page at the values of a typical block, and the contribution is the difference. Families
overlap, so contributions need not add up to the log-odds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks.labels import Labels
from dehusk.label.united.columns import FAMILIES, NAMES, family_of, meaning
from dehusk.label.united.elements import Weighed
from dehusk.label.united.inputs import NetInputs
from dehusk.label.united.net import LeftOut, Net

Reals = npt.NDArray[np.float64]

_NAMED, _LISTED = 3, 6
"""How many of the strongest families a sentence names, and how many a record lists."""
_LEAST = 0.05  # contributions below this, in log-odds, are not worth a word


def contributions(net: Net, inputs: NetInputs, style: int, scores: Reals) -> Reals:
    """Return what each of `FAMILIES` adds to the log-odds of each block, shape (families, b).

    Args:
        net: the net.
        inputs: the inputs of the page.
        style: row of the style.
        scores: (b,) the log-odds with all inputs.
    """
    return np.stack([scores - net.scores(inputs, style, left_out(family)) for family in FAMILIES])


def left_out(family: str) -> LeftOut:
    """Return the inputs of a family."""
    return LeftOut(
        columns=tuple(number for number, name in enumerate(NAMES) if family_of(name) == family),
        tags=family == "the tags around it",
        names=family == "names of classes",
        texts=family == "its words",
    )


@dataclass(frozen=True, eq=False)
class Reasons:
    """The reasons for the labels of a page of b blocks."""

    labels: Labels
    contributions: Reals
    """(families, b) log-odds that each of `FAMILIES` adds."""
    columns: npt.NDArray[np.float32]
    """(k, b) the columns."""
    weighed: Weighed
    """Their log-odds."""

    def sentences(self) -> list[str]:
        """Return one line per block: the strongest families of inputs, the site, the unit, the neighbours."""
        return [self._line(block) for block in range(len(self.labels))]

    def _line(self, block: int) -> str:
        weight = self.contributions[:, block]
        strongest = (-np.abs(weight)).argsort(kind="stable")[:_NAMED]
        pooled, taught, evidence = self.weighed.pooled, self.weighed.taught, self.weighed.evidence
        parts = [f"log-odds {self.weighed.own[block]:+.1f}"]
        parts += [f"{FAMILIES[f]} {weight[f]:+.1f}" for f in strongest.tolist() if abs(weight[f]) >= _LEAST]
        if pooled is not None:
            by_labels = "" if taught is None else f"; by labels {taught.reason(block)}"
            parts.append(f"element {self._moved(block):+.1f} ({pooled.reason(block)}{by_labels})")
        if evidence is not None:
            parts.append(f"site {self._template(block):+.1f} ({evidence.reason(block)})")
        shift = self._shift(block)
        if self._is_excluded(block):
            is_labelled = taught is not None and taught.is_noise(self.weighed.own)[block]
            parts.append("labels drop its element" if is_labelled else "but its element never has content")
        elif abs(shift) >= _LEAST:
            parts.append(f"its unit {shift:+.1f}")
        parts.append(self._neighbours(block))
        return "; ".join(parts)

    def _moved(self, block: int) -> float:
        """Return by how much the log-odds change because of what other pages say of the block's element."""
        return float(self.weighed.page[block] - self.weighed.own[block])

    def _template(self, block: int) -> float:
        """Return by how much they change because the site repeats the block."""
        return float(self.weighed.all[block] - self.weighed.page[block])

    def _shift(self, block: int) -> float:
        """Return by how much the log-odds change because the block is decided with its unit."""
        if self._is_excluded(block):
            return 0.0
        probability = min(max(float(self.labels.probability[block]), 1e-6), 1 - 1e-6)
        return float(np.log(probability / (1 - probability)) - np.clip(self.weighed.all[block], -13.8, 13.8))

    def _is_excluded(self, block: int) -> bool:
        """Return whether the block is in an element that never has content: its probability is exactly 0."""
        return not self.labels.probability[block]

    def _neighbours(self, block: int) -> str:
        kept = self.labels.kept
        neighbours = [bool(kept[index]) for index in (block - 1, block + 1) if 0 <= index < len(kept)]
        if not neighbours:
            return "no neighbours"
        if all(neighbours):
            return "neighbours kept"
        return "one neighbour kept" if any(neighbours) else "neighbours dropped"

    def records(self) -> list[dict[str, object]]:
        """Return, for each block, its log-odds and the families that shift them most, as plain values."""
        order = (-np.abs(self.contributions)).argsort(axis=0, kind="stable")[:_LISTED]
        return [self._record(block, order[:, block].tolist()) for block in range(len(self.labels))]

    def _record(self, block: int, families: list[int]) -> dict[str, object]:
        record: dict[str, object] = {
            "log-odds": round(float(self.weighed.all[block]), 3),
            "families": [
                {"name": FAMILIES[family], "adds": round(float(self.contributions[family, block]), 3)}
                for family in families
            ],
            "features": self._features(block, FAMILIES[families[0]]),
            "unit-adds": round(self._shift(block), 3),
        }
        if (pooled := self.weighed.pooled) is not None:
            record["element"] = {
                "adds": round(self._moved(block), 3),
                "pages": int(pooled.pages[block]),
                "log-odds": round(float(pooled.mean[block]), 3),
            }
        if (taught := self.weighed.taught) is not None:
            labelled = {"pages": int(taught.pages[block]), "log-odds": round(float(taught.mean[block]), 3)}
            record["labels"] = labelled
        if (evidence := self.weighed.evidence) is not None:
            record["site"] = {
                "adds": round(self._template(block), 3),
                "template": bool(evidence.template[block]),
                "same-path": int(evidence.same_slot[block]),
                "same-text": int(evidence.same_text[block]),
            }
        return record

    def _features(self, block: int, family: str) -> list[dict[str, object]]:
        """Return the columns of the strongest family, with their values."""
        return [
            {"name": name, "value": round(float(self.columns[row, block]), 4), "means": meaning(name)}
            for row, name in enumerate(NAMES)
            if family_of(name) == family
        ]
