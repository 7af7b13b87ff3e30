"""A unit of the queue as people see it: its text, what is around it, what the method decided and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dehusk.base.errors import InputError
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import UNLABELLED, Codes
from dehusk.blocks.labels import OTHER, by_markup
from dehusk.blocks.units import UNIT_KINDS, find_units
from dehusk.document import Document
from dehusk.studio.explaining import why
from dehusk.studio.outcome import BlockOutcome, block_outcome, suggested_codes

_AROUND = 4  # blocks before and after
_SHOWN = 60  # blocks of a unit
_MOST, _HEADING = 1_500, 200  # characters of a block, of a heading


def surroundings(
    document: Document, first: int, stop: int, annotator: str, labels: Mapping[str, Codes]
) -> dict[str, Any]:
    """Return a unit with its surroundings as plain values.

    Args:
        document: its page, cleaned with reasons.
        first: its first common block.
        stop: one past its last block.
        annotator: who is asked.
        labels: annotator -> labels of the page, shape (b,). Those of others are told only to who labelled the unit, or
            if two others did: nobody should know them before.

    Returns:
        headings (above all that, the outermost first), before, unit and after (lines: text, kept, probability), more
        (blocks that are not shown), kept, probability (the mean), reason (of its least sure block), labels (name and
        decision of each annotator, if told), blocks (those that a decision labels), keep and drop (the label of each).

    Raises:
        InputError: the page has no such blocks.
    """
    blocks, outcome = segment(document.page), block_outcome(document)
    if not 0 <= first < stop <= len(blocks):
        raise InputError(f"the page has {len(blocks)} blocks, none from {first} to {stop}")
    lines = _lines(blocks, outcome)
    probability = outcome.probability[first:stop]
    given = {name: codes[first:stop] for name, codes in labels.items()}
    told = _told(given)
    own = given.get(annotator, np.full(stop - first, UNLABELLED, dtype=np.int8))
    chosen = np.flatnonzero((own == UNLABELLED) | bool(told))
    keep = _kept_codes(document, first, stop, given if told else {})
    return {
        "headings": _headings(blocks, first, stop),
        "before": lines(max(0, first - _AROUND), first),
        "unit": lines(first, min(stop, first + _SHOWN)),
        "after": lines(stop, min(stop + _AROUND, len(blocks))),
        "more": max(0, stop - first - _SHOWN),
        "kept": bool(outcome.kept[first]),
        "probability": round(float(probability.mean()), 4),
        "reason": why(document, first + int(np.argmin(abs(probability - 0.5))))["words"],
        "labels": told,
        "blocks": (first + chosen).tolist(),
        "keep": keep[chosen].tolist(),
        "drop": np.full(len(chosen), OTHER).tolist(),
    }


def _lines(blocks: Blocks, outcome: BlockOutcome) -> Callable[[int, int], list[dict[str, Any]]]:
    def lines(first: int, stop: int) -> list[dict[str, Any]]:
        return [
            {
                "text": blocks.texts[block][:_MOST],
                "kept": bool(outcome.kept[block]),
                "probability": round(float(outcome.probability[block]), 2),
            }
            for block in range(first, stop)
        ]

    return lines


def _headings(blocks: Blocks, first: int, stop: int) -> list[str]:
    units = find_units(blocks)
    around = (units.kind == UNIT_KINDS.index("section")) & (units.first < first - _AROUND) & (units.end >= stop)
    return [blocks.texts[block][:_HEADING] for block in np.unique(units.first[around]).tolist()]


def _told(given: Mapping[str, Codes]) -> list[dict[str, str]]:
    """Return what each annotator decided, if two did: the one who is asked and another one, or two others."""
    whole = {name: codes != OTHER for name, codes in given.items() if (codes != UNLABELLED).all()}
    if len(whole) < 2:
        return []
    words = {name: "keep" if kept.all() else "keep a part" if kept.any() else "drop" for name, kept in whole.items()}
    return [{"name": name, "decision": words[name]} for name in sorted(words)]


def _kept_codes(document: Document, first: int, stop: int, given: Mapping[str, Codes]) -> Codes:
    """Return the labels of a unit if it is kept: those that somebody gave it, else of the method, else by markup."""
    blocks, keep = segment(document.page), suggested_codes(document)
    by_tags = by_markup(blocks, np.ones(len(blocks), dtype=np.bool_))
    keep = np.where(keep == OTHER, by_tags, keep)[first:stop].astype(np.int8)
    for codes in given.values():
        keep = np.where((codes != OTHER) & (codes != UNLABELLED), codes, keep)
    return keep
