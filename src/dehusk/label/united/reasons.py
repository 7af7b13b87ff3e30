"""Why a block is kept or dropped: a sentence that quotes the page, what adds up to its log-odds, what would change it.

"Why was this dropped?" asks what tells a text from those that are kept. So the sum begins with the mean log-odds of the
page's blocks on the other side: of the kept ones for a block that is dropped, and of the dropped ones for one that is
kept. What lies between is shared by the families of inputs.

Shares are Shapley values (Shapley 1953; Štrumbelj & Kononenko 2014): what a family adds when it joins those before it,
from none to all, in the mean over orders of the families, less what it adds on the other side. `ORDERS` orders are
drawn, each with its reverse, which lessens the error (Mitchell et al. 2022). Within an order, what the families add
sums exactly to the log-odds f(all) − f(none), so the means do, and so do their differences. f(none), where every block
is a typical one, differs only near the edges of the page; that difference belongs to the position. The error is the
standard error over pairs of orders.

What comes after the net adds up by itself: the site's elements, labels on them, its template, the unit, the slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.errors import counted
from dehusk.base.hashing import mix
from dehusk.blocks.labels import Labels
from dehusk.blocks.units.decisions import grouping
from dehusk.label.united.columns import FAMILIES, NAMES, family_of, meaning
from dehusk.label.united.elements import Weighed
from dehusk.label.united.inputs import NetInputs
from dehusk.label.united.net import LeftOut, Net
from dehusk.label.united.quotes import Fact, Quotes
from dehusk.read.page import Bools

Reals = npt.NDArray[np.float64]

ORDERS = 6
"""Orders of the families that are drawn, each used forwards and backwards."""
FAVOURS = tuple(step / 20 for step in range(21))
"""The settings of `favour` that are tried, as the slider of the studio has them."""
_FACTS = 3
"""How many facts a sentence has at most."""
_LEAST, _SHARE = 0.3, 0.15  # log-odds that are worth a fact, and their least share of the strongest
_SHOWN, _LISTED = 0.05, 4  # log-odds that are worth naming, and how many families a line names
_POSITION = FAMILIES.index("its position on the page")
_CERTAIN = 1e-13  # from certainty; the decision clips log-odds at 30


@dataclass(frozen=True, eq=False)
class Shares:
    """What the families of inputs add to the log-odds of b blocks."""

    base: Reals
    """(b,) the log-odds that the sum begins with."""
    adds: Reals
    """(families, b) of each of `FAMILIES`; with the base, they sum to the log-odds."""
    error: Reals
    """(families, b) standard error of each."""


def shares(net: Net, inputs: NetInputs, style: int, scores: Reals, kept: Bools) -> Shares:
    """Return how the families of inputs share the log-odds of a page's blocks.

    Args:
        net: the net.
        inputs: the inputs of the page.
        style: row of the style.
        scores: (b,) the log-odds with all inputs.
        kept: (b,) the side that each block is on; if all are on one side, the sums begin with f(none).
    """
    none = net.scores(inputs, style, left_out(FAMILIES))
    base, pairs = none.copy(), np.zeros((ORDERS, len(FAMILIES), len(inputs)))
    for number, order in enumerate(_orders()):
        before = none
        for place, family in enumerate(order, start=1):
            absent = tuple(FAMILIES[other] for other in order[place:])
            after = net.scores(inputs, style, left_out(absent)) if absent else scores
            pairs[number // 2, family] += (after - before) / 2
            before = after
    if kept.any() and not kept.all():
        centres = {side: pairs[:, :, kept == side].mean(axis=2, keepdims=True) for side in (False, True)}
        for side, other in ((False, True), (True, False)):
            pairs[:, :, kept == side] -= centres[other]
            pairs[:, _POSITION, kept == side] += none[kept == side] - none[kept == other].mean()
            base[kept == side] = scores[kept == other].mean()
    return Shares(base, pairs.mean(axis=0), pairs.std(axis=0, ddof=1) / ORDERS**0.5)


@cache
def _orders() -> tuple[tuple[int, ...], ...]:
    """Return the orders of the families: the same in every run, each followed by its reverse."""
    keys = mix(np.arange(1, 1 + ORDERS * len(FAMILIES), dtype=np.uint64)).reshape(ORDERS, -1)
    drawn = [tuple(row) for row in keys.argsort(axis=1, kind="stable").tolist()]
    return tuple(order for one in drawn for order in (one, one[::-1]))


@cache
def left_out(families: tuple[str, ...]) -> LeftOut:
    """Return the inputs of some families."""
    return LeftOut(
        columns=tuple(number for number, name in enumerate(NAMES) if family_of(name) in families),
        tags="the tags around it" in families,
        names="names of classes" in families,
        texts="its words" in families,
    )


@cache
def _columns_of(family: str) -> tuple[tuple[int, str, str], ...]:
    """Return the columns of a family: row, name, and what it means."""
    return tuple((row, name, meaning(name)) for row, name in enumerate(NAMES) if family_of(name) == family)


@dataclass(frozen=True)
class Step:
    """One part of the log-odds of a block."""

    name: str
    adds: float
    error: float | None = None
    """Standard error, of what is estimated."""

    def record(self) -> dict[str, object]:
        """Return the step as plain values."""
        own: dict[str, object] = {"name": self.name, "adds": round(self.adds, 3)}
        return own if self.error is None else {**own, "error": round(self.error, 3)}


@dataclass(frozen=True, eq=False)
class Reasons:
    """The reasons for the labels of a page of b blocks."""

    decided: Labels
    """The labels before slots are filled."""
    final: Labels
    """The labels; the reasons of these are what slots changed, "" for blocks that they left alone."""
    shares: Shares
    columns: npt.NDArray[np.float32]
    """(k, b) the columns."""
    weighed: Weighed
    """The log-odds."""
    above: Bools
    """(b,) whether the cut alone keeps each block; the template of a site is not known to it."""
    kept_at: Bools
    """(favours, b) what is kept at each of `FAVOURS`."""
    favour: float

    @cached_property
    def _quotes(self) -> Quotes:
        return Quotes(self.final.blocks)

    @cached_property
    def is_one_sided(self) -> bool:
        """Whether all blocks are kept, or all dropped."""
        return bool(self.final.kept.all() or not self.final.kept.any())

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        """Group -> its blocks."""
        members: dict[int, list[int]] = {}
        for block, group in enumerate(grouping(self.final.blocks).group.tolist()):
            members.setdefault(group, []).append(block)
        return members

    def explained(self) -> Labels:
        """Return the final labels with a line and a record for each block."""
        found = [self._explain(block) for block in range(len(self.final))]
        return replace(self.final, reasons=[line for line, _ in found], evidence=[record for _, record in found])

    def _explain(self, block: int) -> tuple[str, dict[str, object]]:
        steps = self._steps(block)
        facts = self._facts(block, steps)
        why, otherwise = self._sentence(block, facts), self._otherwise(block)
        odds = float(self.shares.base[block]) + sum(step.adds for step in steps)
        record: dict[str, object] = {
            "why": why,
            "otherwise": otherwise,
            "log-odds": round(odds, 3),
            "base": round(float(self.shares.base[block]), 3),
            "base-of": self._base_of(block),
            "steps": [step.record() for step in steps],
            "facts": [{"says": fact.says, "node": fact.node} for fact in facts],
            "features": self._features(block, steps[0].name),
            "unit-adds": round(self._shift(block), 3),
            **self._of_site(block),
        }
        return f"{why} {otherwise} [{self._sum(block, odds, steps)}]", record

    # ------------------------------------------------------------ the sum

    def _steps(self, block: int) -> list[Step]:
        """Return what adds up to the log-odds: the families, the strongest first, then what comes after the net."""
        adds, error = self.shares.adds[:, block], self.shares.error[:, block]
        order = (-np.abs(adds)).argsort(kind="stable").tolist()
        steps = [Step(FAMILIES[family], float(adds[family]), float(error[family])) for family in order]
        weighed = self.weighed
        if weighed.pooled is not None:
            steps.append(Step("its element on the site", float(weighed.by_elements[block] - weighed.own[block])))
        if weighed.taught is not None:
            steps.append(Step("labels on the site", float(weighed.page[block] - weighed.by_elements[block])))
        if weighed.evidence is not None:
            steps.append(Step("repeated on the site", float(weighed.all[block] - weighed.page[block])))
        if shift := self._shift(block):
            steps.append(Step("its unit", shift))
        if self.final.reasons[block]:
            change = _odds(float(self.final.probability[block])) - _odds(float(self.decided.probability[block]))
            steps.append(Step(self.final.reasons[block], change))
        return steps

    def _shift(self, block: int) -> float:
        """Return by how much the log-odds change because the block is decided with its unit."""
        if self._is_excluded(block):
            return 0.0
        shift = _odds(float(self.decided.probability[block])) - float(self.weighed.all[block])
        return shift if abs(shift) > 1e-6 else 0.0  # what rounding leaves

    def _is_excluded(self, block: int) -> bool:
        """Return whether the block is in an element that never has content: its probability is exactly 0."""
        return not self.decided.probability[block]

    def _base_of(self, block: int) -> str:
        """Return whose log-odds the sum begins with; "" if all texts are decided alike, so that there are no others."""
        return "" if self.is_one_sided else "dropped texts" if self.final.kept[block] else "kept texts"

    def _sum(self, block: int, odds: float, steps: Sequence[Step]) -> str:
        """Return the sum on one line; what is not named is the rest."""
        families = len(FAMILIES)
        named = [step for step in steps[:_LISTED] if abs(step.adds) >= _SHOWN]
        rest = sum(step.adds for step in steps[:families]) - sum(step.adds for step in named)
        later = [step for step in steps[families:] if abs(step.adds) >= _SHOWN]
        parts = [*named, Step("the rest", rest), *later]
        of = self._base_of(block)
        return f"log-odds {odds:+.1f} = {self.shares.base[block]:+.1f}{f' as {of} have' if of else ''}; " + "; ".join(
            f"{step.name} {step.adds:+.1f}" for step in parts
        )

    # ------------------------------------------------------------ the sentence

    def _facts(self, block: int, steps: Sequence[Step]) -> list[Fact]:
        """Return what to quote for the strongest steps towards the decision, each element once."""
        if self.final.reasons[block]:
            return []
        if self._is_excluded(block):
            never = self._quotes.never(block)
            return [Fact("labels on this site drop its element") if never is None else never]
        sign = 1 if self.final.kept[block] else -1
        towards = sorted((step for step in steps if sign * step.adds > 0), key=lambda step: -abs(step.adds))
        least = max(_LEAST, _SHARE * abs(towards[0].adds)) if towards else 0
        plain: list[Fact] = []
        telling: list[Fact] = []
        for step in towards:
            if len(telling) == _FACTS or (abs(step.adds) < least and (telling or plain)):
                break
            fact = self._fact(block, step.name, sign)
            if fact is None or any(fact.node == other.node >= 0 for other in telling):
                continue
            (telling if fact.is_telling else plain).append(fact)
        return sorted(telling, key=lambda fact: fact.node < 0) or plain[:1]  # elements first: they can be pointed at

    def _fact(self, block: int, name: str, sign: int) -> Fact | None:
        """Return what can be quoted for a step of the sum."""
        if name in FAMILIES:
            return self._quotes.about(name, block, sign)
        weighed = self.weighed
        if name == "its unit":
            return self._quotes.together(self._members[int(grouping(self.final.blocks).group[block])])
        if name == "its element on the site" and weighed.pooled is not None:
            looks = "look" if weighed.pooled.mean[block] > 0 else "do not look"
            pages = counted(int(weighed.pooled.pages[block]), "page")
            return Fact(f"on {pages} of this site, texts in this place {looks} like content")
        if name == "labels on the site" and weighed.taught is not None:
            verb = "keep" if weighed.taught.mean[block] > 0 else "drop"
            return Fact(f"labels on {counted(int(weighed.taught.pages[block]), 'page')} of this site {verb} this place")
        return None if weighed.evidence is None else Fact(weighed.evidence.reason(block))

    def _sentence(self, block: int, facts: Sequence[Fact]) -> str:
        verdict = "Kept" if self.final.kept[block] else "Dropped"
        if slot := self.final.reasons[block]:
            return f"{verdict}: {slot}."
        lead = "" if self._is_excluded(block) else self._lead(block)
        listed = "; ".join([*([lead] if lead else ()), *(fact.says for fact in facts)])
        return f"{verdict}: {listed or 'no single part decides it'}."

    def _lead(self, block: int) -> str:
        """Return what decided about a block if it was not the cut; "" if it was."""
        is_above, is_kept = bool(self.above[block]), bool(self.final.kept[block])
        if is_above == is_kept:
            return ""
        if is_kept:
            return "it goes with the kept text around it, though alone it is not likely enough"
        if self.weighed.evidence is not None and self.weighed.evidence.template[block]:
            return ""
        return "it is a link that only acts, repeated on the page, though likely enough"

    def _otherwise(self, block: int) -> str:
        """Return which settings of `favour` would decide otherwise."""
        kept = self.kept_at[:, block].tolist()
        is_kept = bool(self.final.kept[block])
        if all(each == is_kept for each in kept):
            return f"{'Every' if is_kept else 'No'} setting of favour keeps it."
        if is_kept:
            low = kept.index(True) - 1
            if low == 0 < self.favour:
                return "Dropped only at favour 0 (precision)."
            if low > 0 and FAVOURS[low] < self.favour:
                return f"Dropped from favour {FAVOURS[low]:.2f} (precision) down."
        else:
            high = len(kept) - kept[::-1].index(False) if kept[-1] else -1
            if high == len(FAVOURS) - 1 and self.favour < 1:
                return "Kept only at favour 1 (recall)."
            if high >= 0 and FAVOURS[high] > self.favour:
                return f"Kept from favour {FAVOURS[high]:.2f} (recall) on."
        other = FAVOURS[kept.index(not is_kept)]
        return f"{'Dropped' if is_kept else 'Kept'} at favour {other:.2f}, for one."

    # ------------------------------------------------------------ the record

    def _of_site(self, block: int) -> dict[str, object]:
        """Return what other pages of the site say."""
        record: dict[str, object] = {}
        weighed = self.weighed
        if (pooled := weighed.pooled) is not None:
            record["element"] = {
                "adds": round(float(weighed.page[block] - weighed.own[block]), 3),
                "pages": int(pooled.pages[block]),
                "log-odds": round(float(pooled.mean[block]), 3),
            }
        if (taught := weighed.taught) is not None:
            record["labels"] = {"pages": int(taught.pages[block]), "log-odds": round(float(taught.mean[block]), 3)}
        if (evidence := weighed.evidence) is not None:
            record["site"] = {
                "adds": round(float(weighed.all[block] - weighed.page[block]), 3),
                "template": bool(evidence.template[block]),
                "same-path": int(evidence.same_slot[block]),
                "same-text": int(evidence.same_text[block]),
            }
        return record

    def _features(self, block: int, family: str) -> list[dict[str, object]]:
        """Return the columns of the strongest family, with their values."""
        return [
            {"name": name, "value": round(float(self.columns[row, block]), 4), "means": means}
            for row, name, means in _columns_of(family)
        ]


def kept_at(decided: Callable[[float], Labels], filled: Callable[[Labels], Labels]) -> Bools:
    """Return what is kept at each of `FAVOURS`, shape (favours, b).

    Args:
        decided: the labels at a favour, before slots are filled.
        filled: fills the slots.
    """
    rows: list[Bools] = []
    before: Labels | None = None
    for favour in FAVOURS:
        labels = decided(favour)
        is_same = before is not None and bool((before.kept == labels.kept).all())
        rows.append(rows[-1] if is_same else filled(labels).kept)
        before = labels
    return np.array(rows)


def _odds(probability: float) -> float:
    chance = min(max(probability, _CERTAIN), 1 - _CERTAIN)
    return float(np.log(chance / (1 - chance)))
