"""Selectors proposed for blocks of a page: the narrowest that cover them and nothing that should stay, site-wide.

What should stay: blocks of other pages that people or the method want otherwise, and blocks of this page that nobody
clicked. A block of another page at the same place of the design counts as clicked if on this page everything at this
place is: so a rule for dates is not kept from the dates of other pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dehusk.base.errors import ConfigError, DehuskError
from dehusk.label.rules import covered
from dehusk.read.page import Bools
from dehusk.studio.rule_pages import KnownPage, RulePages, positions
from dehusk.studio.selectors import Candidate, find_candidates

MOST_PAGES = 24
"""Other pages of the site that selectors are judged on."""
_JUDGED = 30  # candidates that are judged on other pages
_SHOWN = 6
_MOST_SELECTORS = 4  # together, if no single one covers all


@dataclass
class _JudgedSelector:
    """A candidate with what it does on other pages."""

    candidate: Candidate
    uncovered: int
    """Wanted blocks that it does not cover."""
    against_people: int
    """Blocks that it decides against their labels, on all pages."""
    against_method: int
    """Further blocks that nobody clicked, and that the method decides otherwise."""
    extra: int
    """Blocks that it covers besides those wanted, on the page itself."""
    missed: int = 0
    """Blocks of other pages at the places of those wanted that it does not cover."""
    covered: int = 0
    """Blocks of other pages."""
    pages: int = 0
    """Other pages on which it covers a block."""

    @property
    def rank(self) -> tuple[object, ...]:
        """Sorts the best first."""
        return (
            self.uncovered,
            self.against_people,
            self.against_method,
            self.missed,
            self.candidate.is_fragile,
            self.extra + self.covered,
            self.candidate.cost,
        )

    def plain(self, looked_at: int) -> dict[str, Any]:
        """Return plain values for the browser."""
        return {
            "selectors": [self.candidate.selector],
            "covered": positions(self.candidate.covered),
            "uncovered": self.uncovered,
            "extra": self.extra,
            "against": self.against_people + self.against_method,
            "elsewhere": self.covered,
            "pages": self.pages,
            "of": looked_at,
            "fragile": self.candidate.is_fragile,
        }


def propose(
    pages: RulePages, page: int, wanted: Sequence[int], unwanted: Sequence[int], *, keep: bool
) -> list[dict[str, Any]]:
    """Return selectors for blocks of a page, the best first, as plain values.

    Args:
        pages: pages without rules.
        page: number of the page.
        wanted: blocks to cover.
        unwanted: blocks that must not be covered.
        keep: whether the rule will keep the blocks; else it drops them.

    Raises:
        KeyError: there is no such page.
        ConfigError: a block does not exist, or no selector can cover the wanted ones alone.
    """
    own = pages.page(page)
    if not wanted or not all(0 <= block < len(own.blocks) for block in (*wanted, *unwanted)):
        raise ConfigError(f"choose blocks from 0 to {len(own.blocks) - 1}")
    wanted = sorted(set(wanted) - set(unwanted))
    candidates = find_candidates(own.blocks, wanted, list(unwanted)) if wanted else []
    if not candidates:
        raise ConfigError("no element contains the wanted blocks without an unwanted one")
    judged = sorted((_on_page(own, each, wanted, keep=keep) for each in candidates), key=lambda each: each.rank)
    best = _distinct(judged)[:_JUDGED]
    looked_at = _on_site(pages, page, own, wanted, best, keep=keep)
    best.sort(key=lambda each: each.rank)
    own.blocks.page.release()
    effect: dict[tuple[object, ...], _JudgedSelector] = {}
    for each in best:
        effect.setdefault((each.candidate.covered.tobytes(), each.covered, each.pages), each)
    plain = [each.plain(looked_at) for each in list(effect.values())[:_SHOWN]]
    together = _together(best, wanted) if best[0].uncovered else []
    return ([_joined(together, wanted, looked_at)] if together else []) + plain


def _on_page(own: KnownPage, candidate: Candidate, wanted: Sequence[int], *, keep: bool) -> _JudgedSelector:
    is_wanted = np.zeros(len(own.blocks), dtype=np.bool_)
    is_wanted[list(wanted)] = True
    by_people, by_method = own.should_be(kept=not keep)
    others = candidate.covered & ~is_wanted
    alike = np.isin(own.text, own.text[is_wanted]) & np.isin(own.slot, own.slot[is_wanted])
    return _JudgedSelector(
        candidate,
        uncovered=int((is_wanted & ~candidate.covered).sum()),
        against_people=int((others & by_people).sum()),
        against_method=int((others & by_method & ~alike).sum()),
        extra=int(others.sum()),
    )


def _distinct(judged: Sequence[_JudgedSelector]) -> list[_JudgedSelector]:
    """Return the first two of those that cover the same blocks of the page: other pages tell them apart."""
    found: dict[tuple[bytes, bool], int] = {}
    kept = []
    for each in judged:
        key = (each.candidate.covered.tobytes(), each.candidate.is_fragile)
        found[key] = found.get(key, 0) + 1
        if found[key] <= 1 + 3 * (not each.candidate.is_fragile):
            kept.append(each)
    return kept


def _on_site(
    pages: RulePages, page: int, own: KnownPage, wanted: Sequence[int], judged: Sequence[_JudgedSelector], *, keep: bool
) -> int:
    """Judge candidates on other pages of the site; return on how many."""
    others = pages.others_of_site(page)
    step = max(1, len(others) // MOST_PAGES)
    places = _own_places(own, wanted, keep=keep)
    looked_at = 0
    for number in others[::step][:MOST_PAGES]:
        try:
            other = pages.page(number)
        except DehuskError:
            continue  # its file is gone; the others still tell
        if other.host != own.host:
            continue
        looked_at += 1
        _add_page(other, judged, places, keep=keep)
    return looked_at


def _own_places(own: KnownPage, wanted: Sequence[int], *, keep: bool) -> Bools:
    """Return the places of the design at which everything that could be wanted is wanted."""
    _, by_method = own.should_be(kept=not keep)
    by_method[list(wanted)] = False
    chosen = own.slot[list(wanted)]
    return np.unique(chosen[~np.isin(chosen, own.slot[by_method])])


def _add_page(other: KnownPage, judged: Sequence[_JudgedSelector], places: Bools, *, keep: bool) -> None:
    by_people, by_method = other.should_be(kept=not keep)
    alike = np.isin(other.slot, places)
    masks = covered(other.blocks, [each.candidate.selector for each in judged])
    other.blocks.page.release()
    for each, mask in zip(judged, masks, strict=True):
        each.against_people += int((mask & by_people).sum())
        each.against_method += int((mask & by_method & ~alike).sum())
        each.missed += int((alike & ~mask).sum())
        each.covered += int(mask.sum())
        each.pages += bool(mask.any())


def _together(judged: Sequence[_JudgedSelector], wanted: Sequence[int]) -> list[_JudgedSelector]:
    """Return few candidates that cover all wanted blocks together; none if that takes too many."""
    left = set(wanted)
    chosen: list[_JudgedSelector] = []
    while left and len(chosen) < _MOST_SELECTORS:
        gains = [(len(left & set(positions(each.candidate.covered))), -index) for index, each in enumerate(judged)]
        gain, index = max(gains)
        if not gain:
            return []
        chosen.append(judged[-index])
        left -= set(positions(judged[-index].candidate.covered))
    return [] if left else chosen


def _joined(judged: Sequence[_JudgedSelector], wanted: Sequence[int], looked_at: int) -> dict[str, Any]:
    mask = np.logical_or.reduce([each.candidate.covered for each in judged])
    return {
        "selectors": [each.candidate.selector for each in judged],
        "covered": positions(mask),
        "uncovered": 0,
        "extra": int(mask.sum()) - len(wanted),
        "against": sum(each.against_people + each.against_method for each in judged),
        "elsewhere": sum(each.covered for each in judged),
        "pages": max(each.pages for each in judged),
        "of": looked_at,
        "fragile": any(each.candidate.is_fragile for each in judged),
    }
