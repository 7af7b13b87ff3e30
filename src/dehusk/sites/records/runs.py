"""Runs: the values of records, pieces that belong together, with the label and the heading that stand before them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, contains, pair_keys
from dehusk.blocks.units.keys import Indices, distinct, run_starts
from dehusk.read.page import Bools
from dehusk.sites.records.lexicon import LABEL, TEMPLATE, VALUE, Lexicon, label_key
from dehusk.sites.records.pieces import Pieces


@dataclass(frozen=True, eq=False)
class Runs:
    """The r values of the records of one or more pages, in document order, as columns."""

    pieces: Pieces
    start: Indices
    """(r,) offset of each in `pieces.text`."""
    end: Indices
    """(r,) offset one past its last character."""
    first: Indices
    """(r,) its first piece."""
    last: Indices
    """(r,) its last piece."""
    record: Indices
    """(r,) its record."""
    key: Keys
    """(r,) key of its place: the label with the path to the block-level element, or the path."""
    label: Indices
    """(r,) piece with its label, -1 if it has none."""
    before: Indices
    """(r,) template piece before it in its record, -1 if there is none."""
    heading: Indices
    """(r,) template piece that is the last heading before it in its record, -1 if there is none."""
    heading_key: Keys
    """(r,) key of the heading's text, 0 if there is none."""

    def __len__(self) -> int:
        return len(self.start)

    def strings(self, which: npt.NDArray[np.integer]) -> list[str]:
        """Return the texts of some runs."""
        text = self.pieces.text
        return [text[a:b] for a, b in zip(self.start[which].tolist(), self.end[which].tolist(), strict=True)]


def runs_of(pieces: Pieces, lexicon: Lexicon) -> Runs:
    """Return the values of records.

    Args:
        pieces: the pieces of the records.
        lexicon: what is template or label in them.
    """
    pieces = pieces.only(pieces.has_ink)
    roles = lexicon.roles(pieces)
    running = contains(lexicon.running, pieces.holder)
    value = roles == VALUE
    starts = value & ~_continues(pieces, value, running)
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(pieces))[: len(first)]
    ends = np.append(np.flatnonzero(~value), len(pieces))
    last = np.minimum(last, ends.take(ends.searchsorted(first))) - 1
    label = _labels(pieces, roles, first)
    before = _last_before(roles == TEMPLATE, pieces, first)
    heading = _last_before((roles == TEMPLATE) & pieces.is_heading, pieces, first)
    is_whole = (first < last) | running.take(first)
    path = np.where(is_whole, pair_keys(pieces.holder, pieces.holder).take(first), pieces.path.take(first))
    return Runs(
        pieces=pieces,
        start=pieces.start.take(first),
        end=pieces.end.take(last),
        first=first,
        last=last,
        record=pieces.record.take(first),
        key=np.where(label >= 0, _labelled(pieces, label, first), path),
        label=label,
        before=before,
        heading=heading,
        heading_key=np.where(heading >= 0, pieces.key.take(heading, mode="clip"), np.uint64(0)),
    )


def _continues(pieces: Pieces, value: Bools, running: Bools) -> Bools:
    """Return which pieces, shape (p,), belong to the same value as the piece before."""
    mask = np.zeros(len(pieces), dtype=np.bool_)
    mask[1:] = value[:-1] & (pieces.block[1:] == pieces.block[:-1]) & (pieces.record[1:] == pieces.record[:-1])
    mask[1:] &= running[1:] | (pieces.node[1:] == pieces.node[:-1])
    return mask


def _last_before(mask: Bools, pieces: Pieces, first: Indices) -> Indices:
    """Return the last piece of a mask before each run in the same record, -1 if there is none, shape (r,)."""
    chosen = np.append(-1, np.flatnonzero(mask))
    found = chosen.take(chosen[1:].searchsorted(first))
    same = pieces.record.take(np.maximum(found, 0)) == pieces.record.take(first)
    return np.where((found >= 0) & same, found, -1)


def _labels(pieces: Pieces, roles: npt.NDArray[np.uint8], first: Indices) -> Indices:
    """Return the piece with the label of each run, -1 for none, shape (r,).

    A label belongs to what follows it in its block, or to the next block if it is the last of its own; a term or a
    header cell to all that follows beside it.
    """
    label, other = _last_before(roles == LABEL, pieces, first), _last_before(roles == TEMPLATE, pieces, first)
    at, block = np.maximum(label, 0), pieces.block
    ends_block = np.append(block[1:] != block[:-1], True)
    near = block.take(at) == block.take(first)
    following = np.minimum(at + 1, len(pieces) - 1)
    near |= ends_block.take(at) & (block.take(following) == block.take(first))
    near |= pieces.is_term.take(at) & (pieces.parent.take(at) == pieces.parent.take(first))
    return np.where((label >= 0) & (label > other) & near, label, -1)


def _labelled(pieces: Pieces, label: Indices, first: Indices) -> Keys:
    """Return the key of the labels' words with the paths of the values' block-level elements, shape (r,)."""
    lead, number, _ = distinct(pieces.key.take(label, mode="clip"))
    texts = pieces.strings(np.maximum(label.take(lead), 0)) if len(pieces) else []
    keys = np.array([label_key(text) for text in texts], dtype=np.uint64)
    return pair_keys(keys.take(number), pieces.holder.take(first)) if len(first) else np.zeros(0, dtype=np.uint64)


def ranks(record: Indices, key: Keys) -> Indices:
    """Return how many runs of the same record and key come before each, shape (r,)."""
    order = np.lexsort((np.arange(len(key)), key, record))
    starts = run_starts(record.take(order)) | run_starts(key.take(order))
    index, found = np.arange(len(key)), np.zeros(len(key), dtype=np.intp)
    found[order] = index - np.maximum.accumulate(np.where(starts, index, 0))
    return found
