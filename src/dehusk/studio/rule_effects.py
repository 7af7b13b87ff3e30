"""What rules change on the pages of a host, page by page, so that a browser can show it as it is found."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dehusk.base.errors import DehuskError
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import Labels
from dehusk.cleaning import apply_rules
from dehusk.label.rules import ANY_HOST, Reach, Rule, Rules
from dehusk.read.page import Bools, Page
from dehusk.studio.rule_pages import KnownPage, RulePages, heading, positions

_SECONDS = 0.5  # of one answer
_MOST_TEXTS = 12  # changed blocks of a page that are shown
_MOST_TEXT = 200  # characters
_LEAST = 1  # pages of an answer, however slow they are


def effects(pages: RulePages, host: str, before: Rules, after: Rules, start: int) -> dict[str, Any]:
    """Return what other rules change on some pages of a host.

    Args:
        pages: pages without rules.
        host: the host.
        before: the rules as they are.
        after: the rules as they would be.
        start: number of pages to skip.

    Returns:
        Plain values: rows (a page each that changes or cannot be read), reach (for each new rule the numbers of pages
        with blocks, without, and with nothing), looked_at, next (the start of the next answer, None at the end), total.
    """
    new = [rule for rule in after if rule not in set(before)]
    reach: dict[str, Counter[int]] = {str(rule): Counter() for rule in new}

    def row_of(known: KnownPage) -> dict[str, Any]:
        row = _changes(known, before, after)
        for rule, reached in after.match(known.blocks).reach.items():
            if str(rule) in reach:
                reach[str(rule)][int(reached)] += 1
        return row

    answer = _walk(pages, host, start, row_of)
    return answer | {"reach": {name: _reached(counts) for name, counts in reach.items()}}


def reach_of_rules(pages: RulePages, host: str, rules: Rules, start: int) -> dict[str, Any]:
    """Return what each rule for a host does on some of its pages, as plain values in the manner of `effects`.

    Each row has for each rule, by its action and selector, how it reaches, and the blocks and words that it changes.
    """

    def row_of(known: KnownPage) -> dict[str, Any]:
        return {"rules": _of_each(known, rules, host)}

    return _walk(pages, host, start, row_of)


def _walk(pages: RulePages, host: str, start: int, row_of: Any) -> dict[str, Any]:
    numbers, until = pages.pages_of(host), time.monotonic() + _SECONDS
    rows: list[dict[str, Any]] = []
    at, looked_at = start, 0
    while at < len(numbers) and (at - start < _LEAST or time.monotonic() < until):
        head = heading(pages.row(numbers[at]))
        at += 1
        try:
            known = pages.page(numbers[at - 1])
        except DehuskError as error:
            rows.append(head | {"error": " ".join(str(error).split())})
            continue
        if not _is_of(known.host, host):
            continue
        looked_at += 1
        rows.append(head | row_of(known))
        known.blocks.page.release()
    return {"rows": rows, "looked_at": looked_at, "next": at if at < len(numbers) else None, "total": len(numbers)}


def _is_of(host: str, wanted: str) -> bool:
    return wanted in (ANY_HOST, host) or host.endswith(f".{wanted}")


@dataclass(frozen=True)
class _KnownLabels:
    """A method that has labelled the page."""

    labels: Labels
    style: str

    def segment(self, page: Page) -> Blocks:
        """Return the common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:  # noqa: ARG002 (as methods are called)
        """Return the labels."""
        return self.labels


def _kept(known: KnownPage, rules: Rules) -> Bools:
    labels = rules.label(known.blocks, _KnownLabels(known.by_method, known.style))
    return apply_rules(labels, rules).kept


def _changes(known: KnownPage, before: Rules, after: Rules) -> dict[str, Any]:
    """Return how many blocks and words of a page are kept and dropped more, and their texts."""
    old, new = _kept(known, before), _kept(known, after)
    words, (keep, drop) = known.blocks.words, (known.should_be(kept=kept)[0] for kept in (True, False))
    against, mended = ((new & ~old & wrong) | (old & ~new & right) for wrong, right in ((drop, keep), (keep, drop)))
    changed = positions(old != new)
    return {
        "kept": _counts(new & ~old, words),
        "dropped": _counts(old & ~new, words),
        "before": int(words[old].sum()),
        "after": int(words[new].sum()),
        "against": int(against.sum()),
        "mended": int(mended.sum()),
        "texts": [
            {"block": block, "keep": bool(new[block]), "text": _excerpt(known.blocks.texts[block])}
            for block in changed[:_MOST_TEXTS]
        ],
        "more": max(0, len(changed) - _MOST_TEXTS),
    }


def _of_each(known: KnownPage, rules: Rules, host: str) -> list[dict[str, Any]]:
    matches = rules.match(known.blocks)
    found = []
    for rule, reached in matches.reach.items():
        if rule.host != host:
            continue
        decided = np.array([each == rule for each in matches.rule], dtype=np.bool_)
        changed = decided & (known.kept != (rule.action == "keep"))
        words = known.blocks.words
        found.append(
            {"rule": plain_rule(rule), "reach": int(reached), "decided": int(decided.sum())} | _counts(changed, words)
        )
    return found


def _counts(mask: Bools, words: Any) -> dict[str, int]:
    return {"blocks": int(mask.sum()), "words": int(words[mask].sum())}


def _reached(counts: Counter[int]) -> dict[str, int]:
    return {"blocks": counts[Reach.BLOCKS], "parts": counts[Reach.PARTS], "nothing": counts[Reach.NOTHING]}


def _excerpt(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"


def plain_rule(rule: Rule) -> dict[str, str]:
    """Return a rule as plain values."""
    return {"host": rule.host, "action": rule.action, "selector": rule.selector}


def with_changes(rules: Rules, add: Sequence[Rule], remove: Sequence[Rule]) -> Rules:
    """Return rules with and without some others."""
    wanted = [rule for rule in (*rules, *add) if rule not in set(remove)]
    by_host: dict[str, list[Rule]] = {}
    for rule in dict.fromkeys(wanted):
        by_host.setdefault(rule.host, []).append(rule)
    hosts = {host: tuple(sorted(own, key=lambda rule: rule.action == "drop")) for host, own in by_host.items()}
    return Rules(hosts, rules.templates)
