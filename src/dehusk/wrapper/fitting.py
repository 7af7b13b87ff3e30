"""From the places of a template to columns: divided, typed, joined where they say the same, named."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dehusk.hashing import span_keys
from dehusk.page import Page
from dehusk.units.keys import Indices
from dehusk.wrapper.columns import Reading, RecordColumn, constant_ends, separator_of
from dehusk.wrapper.layout import Layout, Omitted, learn_layout
from dehusk.wrapper.lexicon import Lexicon, label_key, learn_lexicon
from dehusk.wrapper.naming import NameEvidence, UniqueNames, best_name
from dehusk.wrapper.pieces import Pieces
from dehusk.wrapper.runs import Runs, runs_of
from dehusk.wrapper.value_types import ColumnType, column_type
from dehusk.xpath import xpaths

SAME_VALUES = 0.95
"""Two columns are one if so many of the records that have both have the same value in both."""
RESERVED = ("page", "url", "template", "record", "places")
"""Columns that every table has, or that tell its rows apart."""
TOGETHER = 0.02
"""Two columns with the same label are one if at most this share of their records have both."""
_MIN_SAME = 2


@dataclass
class Draft:
    """A column before it has its name."""

    readings: tuple[Reading, ...]
    many: bool
    values: dict[int, list[str]]
    """Record -> its values."""
    evidence: tuple[NameEvidence, ...]
    """What may name it; the first is of its first reading."""
    type: ColumnType = field(default_factory=ColumnType)

    @property
    def is_labelled(self) -> bool:
        """Whether a label stands before the values."""
        return bool(self.evidence[0].label)


@dataclass(frozen=True, eq=False)
class Learned:
    """What is learned from the records of one template."""

    lexicon: Lexicon
    layout: Layout
    columns: tuple[RecordColumn, ...]
    records: int
    omitted: Omitted


def learn_columns(
    pieces: Pieces, pages: Sequence[Page], language: str, *, known: Mapping[str, Mapping[int, str]] | None = None
) -> Learned:
    """Learn the columns of a template from records.

    Args:
        pieces: the pieces of all records.
        pages: the page of each record.
        language: the language of the pages.
        known: column -> record -> value of what is known already; columns with the same values are left out.
    """
    records = len(pages)
    pieces = pieces.only(pieces.has_ink)
    lexicon = learn_lexicon(pieces, records)
    runs = runs_of(pieces, lexicon)
    points = np.frombuffer(pieces.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    layout, omitted = learn_layout(runs, span_keys(points, runs.start, runs.end), records)
    drafts = [part for draft in _drafts(runs, layout, pages) for part in _divided(draft, language)]
    drafts = _with_same_label_joined(_with_copies_joined(_without_known(drafts, known or {})))
    named = _named(_in_order(drafts, runs, layout), UniqueNames((*RESERVED, *(known or {}))))
    return Learned(lexicon, layout, tuple(named), records, omitted)


def _drafts(runs: Runs, layout: Layout, pages: Sequence[Page]) -> list[Draft]:
    """Return a draft for each place."""
    place = layout.place_of(runs)
    known = np.flatnonzero(place >= 0)
    values: list[dict[int, list[str]]] = [{} for _ in range(len(layout.places))]
    rows = zip(place[known].tolist(), runs.record[known].tolist(), runs.strings(known), strict=True)
    for number, record, text in rows:
        values[number].setdefault(record, []).append(text)
    first = np.full(len(layout.places), -1)
    first[place[known][::-1]] = known[::-1]
    many = layout.many.tolist()
    return [
        Draft((Reading(number),), many[number], values[number], (_evidence(runs, int(run), pages),))
        for number, run in enumerate(first.tolist())
    ]


def _evidence(runs: Runs, run: int, pages: Sequence[Page]) -> NameEvidence:
    pieces = runs.pieces

    def text(column: Indices) -> str:
        return pieces.string(int(column[run])) if column[run] >= 0 else ""

    return NameEvidence(
        page=pages[int(runs.record[run])],
        node=int(pieces.node[runs.first[run]]),
        label=text(runs.label),
        before=text(runs.before),
        heading=text(runs.heading),
    )


def _divided(draft: Draft, language: str) -> list[Draft]:
    """Return a draft without constant words, divided at separators, with types."""
    flat = [text for texts in draft.values.values() for text in texts]
    type_ = column_type(flat, language)
    if type_.name != "text" or draft.many:
        return [replace(draft, type=type_)]
    prefix, suffix = constant_ends(flat)
    reading = replace(draft.readings[0], prefix=prefix, suffix=suffix)
    flat = [value for text in flat if (value := reading.value(text))]
    evidence = (replace(draft.evidence[0], constant=suffix or prefix),)
    separator, types = separator_of(flat, language)
    if not separator:
        return [_read(replace(draft, type=column_type(flat, language), evidence=evidence), reading)] if flat else []
    names = tuple(type_.name for type_ in types)
    readings = [replace(reading, separator=separator, types=names, part=part) for part in range(len(types))]
    found = [_read(replace(draft, type=t, evidence=evidence), r) for t, r in zip(types, readings, strict=True)]
    return [part for part in found if len({text for texts in part.values.values() for text in texts}) > 1]


def _read(draft: Draft, reading: Reading) -> Draft:
    """Return a draft with the values that a reading gives."""
    values = {
        record: found
        for record, texts in draft.values.items()
        if (found := [value for text in texts if (value := reading.value(text))])
    }
    return replace(draft, readings=(reading,), values=values)


def folded(text: str) -> str:
    """Return a text for comparison: without case, punctuation and repeated white space."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _with_copies_joined(drafts: list[Draft]) -> list[Draft]:
    """Join columns that have the same values; those with labels, then those with more values, lead."""
    order = sorted(
        range(len(drafts)), key=lambda n: (drafts[n].many, not drafts[n].is_labelled, -len(drafts[n].values), n)
    )
    same: Counter[tuple[int, int]] = Counter()
    for bucket in _by_value(drafts, order):
        same.update((bucket[0], other) for other in bucket[1:])
    leader = list(range(len(drafts)))
    for (one, other), count in sorted(same.items(), key=lambda item: (-item[1], item[0])):
        lead, copy = drafts[one], drafts[other]
        both = sum(record in lead.values for record in copy.values)
        are_free = leader[one] == one and leader[other] == other and lead.many == copy.many
        overlap = 2 * both >= min(len(lead.values), len(copy.values))
        if are_free and overlap and count >= max(_MIN_SAME, SAME_VALUES * both):
            leader[other] = one
    members = defaultdict(list)
    for number in order:
        members[leader[number]].append(number)
    return [_joined([drafts[number] for number in numbers]) for numbers in members.values()]


def _without_known(drafts: list[Draft], known: Mapping[str, Mapping[int, str]]) -> list[Draft]:
    """Return the drafts that do not just repeat what is known."""
    folded_values = [{record: folded(text) for record, text in values.items()} for values in known.values()]
    return [
        draft
        for draft in drafts
        if not any(
            sum(values.get(record) == folded(texts[0]) for record, texts in draft.values.items())
            >= SAME_VALUES * len(draft.values)
            for values in folded_values
        )
    ]


def _by_value(drafts: list[Draft], order: list[int]) -> list[list[int]]:
    """Return the numbers of the drafts that have the same value in a record, for each record and value."""
    buckets: dict[tuple[int, str], list[int]] = {}
    for number in order:
        for record, texts in drafts[number].values.items():
            buckets.setdefault((record, folded("\n".join(texts))), []).append(number)
    return [bucket for bucket in buckets.values() if len(bucket) > 1]


def _joined(drafts: list[Draft]) -> Draft:
    """Return drafts as one; the first that has a value in a record counts."""
    if len(drafts) == 1:
        return drafts[0]
    values: dict[int, list[str]] = {}
    for draft in drafts:
        for record, texts in draft.values.items():
            values.setdefault(record, texts)
    readings = tuple(reading for draft in drafts for reading in draft.readings)
    evidence = tuple(one for draft in drafts for one in draft.evidence)
    return replace(drafts[0], readings=readings, values=values, evidence=evidence)


def _with_same_label_joined(drafts: list[Draft]) -> list[Draft]:
    """Join columns with the same label of which hardly any record has two."""
    labels: dict[tuple[int, bool], list[Draft]] = defaultdict(list)
    found = []
    for draft in drafts:
        if draft.is_labelled:
            labels[label_key(draft.evidence[0].label), draft.many].append(draft)
        else:
            found.append(draft)
    for alike in labels.values():
        alike.sort(key=lambda draft: -len(draft.values))
        total = sum(len(draft.values) for draft in alike)
        union = len({record for draft in alike for record in draft.values})
        if total - union <= TOGETHER * union:
            found.append(_joined(alike))
        else:
            found += alike
    return found


def _in_order(drafts: list[Draft], runs: Runs, layout: Layout) -> list[Draft]:
    """Return drafts in the order in which their places follow each other on pages, on average."""
    place = layout.place_of(runs)
    known = np.flatnonzero(place >= 0)
    size = np.bincount(runs.record, minlength=1)
    offset = np.arange(len(runs)) - (np.cumsum(size) - size).take(runs.record)
    share = offset / np.maximum(size.take(runs.record), 1)
    total = np.bincount(place[known], weights=share[known], minlength=len(layout.places))
    mean = total / np.maximum(np.bincount(place[known], minlength=len(layout.places)), 1)
    return sorted(drafts, key=lambda draft: (float(mean[draft.readings[0].place]), draft.readings[0].part))


def _named(drafts: list[Draft], names: UniqueNames) -> list[RecordColumn]:
    columns = []
    places = _places([draft.evidence[0] for draft in drafts])
    for draft, xpath in zip(drafts, places, strict=True):
        name, source = best_name(draft.evidence)
        column = RecordColumn(
            name=names.take(name),
            type=draft.type,
            many=draft.many,
            readings=draft.readings,
            evidence=source,
            records=len(draft.values),
            example=next(iter(draft.values.values()))[0],
            xpath=xpath,
        )
        columns.append(column)
    return columns


def _places(evidence: Sequence[NameEvidence]) -> list[str]:
    """Return the XPath of the element around each value."""
    nodes: dict[int, tuple[Page, set[int]]] = {}
    for one in evidence:
        nodes.setdefault(id(one.page), (one.page, set()))[1].add(one.element)
    found = {key: xpaths(page, chosen) for key, (page, chosen) in nodes.items()}
    return [found[id(one.page)][one.element] for one in evidence]
