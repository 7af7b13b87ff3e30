"""What the records of a template have in common: texts that repeat, labels, and where running text stands."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, contains, pair_keys
from dehusk.blocks.units.keys import Indices, distinct, run_starts
from dehusk.compiled.text import text_key
from dehusk.read.page import Bools
from dehusk.sites.records.pieces import Pieces

VALUE, TEMPLATE, LABEL = range(3)
"""Roles of pieces."""

TEMPLATE_SHARE = 0.5
"""A text in the same place of this share of the records is template, if the place is not that of one field."""
CONSTANT = 0.95
"""A place with one text per record holds a field unless so many of the records have the same text there."""
SINGLE = 1.1
"""A place has one text per record if it has at most so many on average."""
LABELLED = 0.5
"""A text that ends with a colon and repeats is a label if this share of the texts in its place begin so, or if it is in
this share of the records that have the place."""
MIN_LABELLED, MIN_LABEL_SHARE = 3, 0.1
"""Where records have several texts, it is also a label if so many, and this share, of the records have it."""
VOCABULARY = 0.8
"""Texts in a place are labels if this share of them repeat, each followed by a text that repeats less."""
RUNNING_DIRECT, RUNNING_WORDS, LONG_RUNNING = 0.3, 5.0, 25.0
"""A block with inline elements is one text if this share of its words, and so many, are outside of these elements, or
if it has so many words on average as in the third number."""
_ENDS = " :：\t"


@dataclass(frozen=True, eq=False)
class Lexicon:
    """What is learned from the records of a template; all columns are sorted keys."""

    template: Keys
    """Places with their texts that are template."""
    labels: Keys
    """Places with their texts that are labels."""
    running: Keys
    """Paths of block-level elements whose blocks are single texts."""

    def roles(self, pieces: Pieces) -> npt.NDArray[np.uint8]:
        """Return the role of each piece, shape (p,)."""
        is_label = contains(self.labels, pair_keys(pieces.path, pieces.key)) | pieces.is_term
        is_template = contains(self.template, pair_keys(pieces.path, pieces.key)) & ~is_label
        is_template &= ~follows_label(pieces, is_label)
        roles = np.full(len(pieces), VALUE, dtype=np.uint8)
        roles[is_template], roles[is_label] = TEMPLATE, LABEL
        return roles


def follows_label(pieces: Pieces, is_label: Bools) -> Bools:
    """Return which pieces, shape (p,), directly follow a label in the same record and are no labels themselves."""
    mask = np.zeros(len(pieces), dtype=np.bool_)
    mask[1:] = is_label[:-1] & ~is_label[1:] & (pieces.record[1:] == pieces.record[:-1])
    mask &= ~pieces.is_heading
    return mask


def label_text(text: str) -> str:
    """Return the words of a label, without its colon."""
    return text.strip(_ENDS).strip()


@lru_cache(maxsize=1 << 14)  # pages of a site have the same labels
def label_key(text: str) -> int:
    """Return the key of a label, the same in capitals and with or without a colon."""
    return text_key(label_text(text).casefold())


def learn_lexicon(pieces: Pieces, records: int) -> Lexicon:
    """Learn what the records of a template have in common.

    Args:
        pieces: the pieces of all records.
        records: number of records.
    """
    frequency = document_frequency(pieces, pair_keys(pieces.path, pieces.key))
    place = PiecePlaces.of(pieces, frequency)
    is_label = _labels(pieces, place, frequency, records)
    enough = frequency >= max(2.0, TEMPLATE_SHARE * records)
    is_vocabulary = pieces.is_heading & (frequency >= max(2.0, 0.05 * records)) & ~place.is_single
    is_template = (enough | is_vocabulary) & ~place.is_field & ~is_label
    both = pair_keys(pieces.path, pieces.key)
    running = _running(pieces, ~is_template & ~is_label)
    return Lexicon(np.unique(both[is_template]), np.unique(both[is_label]), running)


def document_frequency(pieces: Pieces, keys: Keys) -> Indices:
    """Return in how many records the key of each piece occurs, shape (p,)."""
    _, number, _ = distinct(keys)
    lead, _, _ = distinct(number * (int(pieces.record.max(initial=0)) + 1) + pieces.record)
    return np.bincount(number[lead], minlength=len(keys) + 1).take(number)


@dataclass(frozen=True, eq=False)
class PiecePlaces:
    """What is known of the place (path) of each piece, shape (p,) each."""

    number: Indices
    """Number of the place."""
    records: Indices
    """Records that have it."""
    is_single: Bools
    """Whether records have one piece there."""
    is_field: Bools
    """Whether they have one piece there, of which the text varies."""

    @classmethod
    def of(cls, pieces: Pieces, frequency: Indices) -> "PiecePlaces":
        """Return the places of pieces whose texts occur there in so many records."""
        _, number, size = distinct(pieces.path)
        records = document_frequency(pieces, pieces.path)
        is_single = size.take(number) <= SINGLE * records
        top = np.zeros(len(size), dtype=np.intp)
        np.maximum.at(top, number, frequency)
        varies = top.take(number) <= np.minimum(CONSTANT * records, records - 1)
        return cls(number, records, is_single, is_single & varies)


def _labels(pieces: Pieces, place: PiecePlaces, frequency: Indices, records: int) -> Bools:
    """Return which pieces are labels, shape (p,)."""
    recurring = pieces.is_label_like & (frequency >= 2)
    counted = pieces.starts_node & pieces.has_ink
    begins = np.bincount(place.number, weights=counted & recurring)
    total = np.bincount(place.number, weights=counted)
    share = begins / np.maximum(total, 1)
    by_colon = recurring & ((share.take(place.number) >= LABELLED) | (frequency >= LABELLED * place.records))
    by_colon |= recurring & ~place.is_single & (frequency >= max(MIN_LABELLED, MIN_LABEL_SHARE * records))
    return (by_colon & ~pieces.is_heading) | (pieces.is_term & (frequency >= 2)) | _vocabulary(pieces, place, frequency)


def _vocabulary(pieces: Pieces, place: PiecePlaces, frequency: Indices) -> Bools:
    """Return which pieces stand where a few texts alternate with other texts, as names of properties do, shape (p,)."""
    p = len(pieces)
    if p < 2:
        return np.zeros(p, dtype=np.bool_)
    repeats, n = frequency >= 2, int(place.number.max()) + 1
    pairs = np.zeros(p, dtype=np.bool_)
    pairs[:-1] = (pieces.record[1:] == pieces.record[:-1]) & (pieces.path[1:] != pieces.path[:-1])
    pairs[:-1] &= (pieces.parent[1:] == pieces.parent[:-1]) | (pieces.block[1:] == pieces.block[:-1])
    next_repeats = np.append(repeats[1:], False)
    size = np.bincount(place.number, minlength=n)
    share = np.bincount(place.number, weights=repeats & pairs, minlength=n) / size
    followers = np.bincount(place.number, weights=next_repeats & pairs, minlength=n) / size
    once = np.bincount(place.number, weights=_occur_once(pieces), minlength=n) / size
    short = np.bincount(place.number, weights=pieces.words <= 4, minlength=n) / size
    good = (share >= VOCABULARY) & (followers <= 0.75 * share) & (once >= 0.9) & (short >= 0.9)
    return good.take(place.number) & ~place.is_single & repeats & pairs & ~pieces.is_heading & pieces.ends_word


def _occur_once(pieces: Pieces) -> Bools:
    """Return which pieces, shape (p,), are the only ones of their record with their place and text."""
    records = int(pieces.record.max(initial=0)) + 1
    _, text, _ = distinct(pair_keys(pieces.path, pieces.key))
    _, number, size = distinct(text * records + pieces.record)
    mask: Bools = size.take(number) == 1
    return mask


def _running(pieces: Pieces, is_value: Bools) -> Keys:
    """Return the paths of the block-level elements whose blocks are single texts, ascending."""
    held = pieces.only(is_value)
    if not len(held):
        return np.zeros(0, dtype=np.uint64)
    lead, number, _ = distinct(held.holder)
    words = np.bincount(number, weights=held.words)
    direct = np.bincount(number, weights=held.words * held.is_direct)
    blocks = np.bincount(number, weights=run_starts(held.block))
    mean = words / np.maximum(blocks, 1)
    is_running = ((direct >= RUNNING_DIRECT * words) & (mean >= RUNNING_WORDS)) | (mean >= LONG_RUNNING)
    return np.sort(held.holder[lead[is_running]])
