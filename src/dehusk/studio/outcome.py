"""What was decided about the common blocks of a page, whatever blocks a method has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import counted
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import Codes
from dehusk.blocks.labels import KINDS, LABELS, OTHER, PARAGRAPH, Labels
from dehusk.document import Document


class NoBlockError(KeyError):
    """A page has no such block; the message says how many it has."""


def check_block(block: int, size: int) -> None:
    """Raise NoBlockError if a page of so many common blocks has no block of a number."""
    if not 0 <= block < size:
        raise NoBlockError(f"the page has {counted(size, 'block')}, numbered from 0: there is no block {block}")


@dataclass(frozen=True)
class BlockOutcome:
    """What was decided about the common blocks of a page."""

    kept: npt.NDArray[np.bool_]
    label: npt.NDArray[np.uint8]
    """Index into `KINDS`."""
    probability: npt.NDArray[np.float64]
    own: npt.NDArray[np.intp]
    """The block of the method that each common block starts in, for its reason."""

    def columns(self) -> dict[str, list[object]]:
        """Return the columns as plain values."""
        return {
            "kept": self.kept.astype(int).tolist(),
            "label": [KINDS[label] for label in self.label.tolist()],
            "probability": np.round(self.probability, 4).tolist(),
        }


def block_outcome(document: Document) -> BlockOutcome:
    """Return the outcome for the common blocks, whatever blocks the method has.

    A common block takes over what was decided about most of its characters; its probability is their mean.
    """
    labels = document.labels
    common = segment(document.page)
    if _are_same(labels.blocks, common):
        probability = np.clip(np.nan_to_num(labels.probability, nan=0.5), 0, 1)
        return BlockOutcome(labels.kept, labels.label, probability, np.arange(len(common)))
    return _projected(labels, common)


def common_of(document: Document) -> npt.NDArray[np.intp]:
    """Return the common block in which each block of the method starts."""
    own, common = document.labels.blocks, segment(document.page)
    if _are_same(own, common):
        return np.arange(len(own))
    starts = common.source[common.start]
    found = np.searchsorted(starts, own.source[own.start], side="right") - 1
    return np.clip(found, 0, max(0, len(common) - 1)).astype(np.intp)


def _are_same(own: Blocks, common: Blocks) -> bool:
    return len(own) == len(common) and np.array_equal(own.first, common.first)


def _projected(labels: Labels, common: Blocks) -> BlockOutcome:
    own, b = labels.blocks, len(common)
    if not b or not len(own):
        return BlockOutcome(np.zeros(b, np.bool_), np.full(b, OTHER, np.uint8), np.zeros(b), np.zeros(b, np.intp))
    own_place = own.source[own.start]
    in_own = np.clip(np.searchsorted(own_place, common.source, side="right") - 1, 0, None).astype(np.intp)
    size = np.maximum(common.chars, 1)
    probability = np.clip(np.nan_to_num(labels.probability, nan=0.5), 0, 1)
    mean = np.bincount(common.block_of, probability[in_own], minlength=b) / size
    kept = 2 * np.bincount(common.block_of, labels.kept[in_own], minlength=b) > size
    starts_in = in_own[common.start]
    return BlockOutcome(kept, labels.label[starts_in], np.clip(mean, 0, 1), starts_in)


def suggested_codes(document: Document) -> Codes:
    """Return the label that a method suggests for each common block, shape (b,).

    What the method keeps as a table, a listing or a comment is a paragraph, as in the thesis; so is what it keeps
    without saying as what.
    """
    outcome = block_outcome(document)
    is_content = (outcome.label < len(LABELS)) & (outcome.label != OTHER)
    codes = np.where(is_content, outcome.label, PARAGRAPH)
    return np.where(outcome.kept, codes, OTHER).astype(np.int8)
