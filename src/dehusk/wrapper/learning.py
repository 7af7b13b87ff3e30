"""How a template is learned from its pages: what its rows are, and the columns of these."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np

from dehusk.blocks import Blocks
from dehusk.page import Bools, Page
from dehusk.units.keys import Indices
from dehusk.wrapper.columns import RecordColumn
from dehusk.wrapper.fitting import Learned, learn_columns
from dehusk.wrapper.pieces import Pieces, joined, pieces_of
from dehusk.wrapper.record_units import POST_COLUMNS, RecordUnits, RowPlan, best_list, records_of
from dehusk.wrapper.runs import runs_of
from dehusk.wrapper.template import PageTemplate
from dehusk.wrapper.templates import PathShares
from dehusk.wrapper.value_types import ColumnType, ValueType

RowChoice = Literal["auto", "page", "record"]
ROWS: tuple[RowChoice, ...] = get_args(RowChoice)

PAGES_WITH_POSTS = 0.5
"""Share of the pages that must have two posts and more if rows are posts."""
RECORD_SHARE = 0.5
"""Rows are posts, or those of a list, if they hold this share of the words that vary."""
FIELDS = 4
"""Rows are pages if so many labelled fields stand outside of posts and lists, whatever these hold."""
_POST_TYPES: dict[str, ValueType] = {
    "date": "date", "author address": "address", "permalink": "address", "depth": "number"
}  # fmt: skip


def learn_template(pages: list[Blocks], shares: PathShares, rows: RowChoice) -> PageTemplate:
    """Learn what the rows of a template are, and its columns.

    Args:
        pages: pages that are built alike.
        shares: their paths.
        rows: what a row is to be.
    """
    language = _language([blocks.page for blocks in pages])
    by_page = joined([pieces_of(blocks) for blocks in pages])
    whole = learn_columns(by_page, [blocks.page for blocks in pages], language)
    for plan in _plans(pages) if rows != "page" else ():
        units = [records_of(blocks, plan) for blocks in pages]
        if rows == "record" or _hold_most(units, by_page, whole):
            return _of_records(plan, pages, units, shares, language)
    return PageTemplate("", RowPlan(), shares, whole, (), len(pages))


def _language(pages: list[Page]) -> str:
    """Return the language that most pages declare, "" if none does."""
    declared = Counter(page.meta.language for page in pages if page.meta.language)
    return declared.most_common(1)[0][0] if declared else ""


def _plans(pages: list[Blocks]) -> Iterator[RowPlan]:
    """Yield what rows can be, other than pages: posts before lists."""
    posts = RowPlan("post")
    if sum(len(records_of(blocks, posts)) > 1 for blocks in pages) >= PAGES_WITH_POSTS * len(pages):
        yield posts
    listed = best_list(pages)
    if listed.kind == "list":
        yield listed


def _hold_most(units: list[RecordUnits], by_page: Pieces, whole: Learned) -> bool:
    """Return whether records hold most of the words that vary, and few labelled fields stand outside of them."""
    runs = runs_of(by_page, whole.lexicon)
    place, pieces = whole.layout.place_of(runs), runs.pieces
    total = np.append(0, np.cumsum(pieces.words))
    words = total.take(runs.last + 1) - total.take(runs.first)
    inside = _inside(units, pieces, runs.first)
    if words[inside].sum() < RECORD_SHARE * words.sum():
        return False
    outer = {number for number in place[~inside].tolist() if number >= 0} - set(place[inside].tolist())
    fields = [
        column
        for column in whole.columns
        if column.is_labelled and not column.many and column.readings[0].place in outer
    ]
    return sum(2 * column.records > whole.records for column in fields) < FIELDS


def _inside(units: list[RecordUnits], pieces: Pieces, first: Indices) -> Bools:
    """Return which runs, given by their first pieces, are in a record of their page, shape (r,)."""
    spans = [_spans(unit) for unit in units]
    page, node = pieces.record.take(first), pieces.node.take(first)
    inside = np.zeros(len(first), dtype=np.bool_)
    bounds = np.searchsorted(page, np.arange(len(units) + 1))
    for number, (starts, ends) in enumerate(spans):
        low, high = bounds[number], bounds[number + 1]
        if len(starts):
            of = np.maximum(starts.searchsorted(node[low:high], "right") - 1, 0)
            inside[low:high] = (starts.take(of) <= node[low:high]) & (node[low:high] < ends.take(of))
    return inside


def _spans(units: RecordUnits) -> tuple[Indices, Indices]:
    order = np.argsort(units.roots, kind="stable")
    return units.roots.take(order), units.ends.take(order)


def _of_records(
    plan: RowPlan, pages: list[Blocks], units: list[RecordUnits], shares: PathShares, language: str
) -> PageTemplate:
    """Return a template with a row per record."""
    parts: list[Pieces] = []
    owners: list[Page] = []
    known: dict[str, dict[int, str]] = defaultdict(dict)
    for blocks, unit in zip(pages, units, strict=True):
        if not len(unit):
            continue
        for number, fixed in enumerate(unit.fixed):
            for name, value in fixed.items():
                if value is not None:
                    known[name][len(owners) + number] = str(value)
        parts.append(pieces_of(blocks, unit.record_of, unit.roots))
        owners += [blocks.page] * len(unit)
    sizes = [len(unit) for unit in units if len(unit)]
    learned = learn_columns(joined(parts, records=sizes), owners, language, known=known)
    return PageTemplate("", plan, shares, learned, _post_columns(known), len(pages))


def _post_columns(known: dict[str, dict[int, str]]) -> tuple[RecordColumn, ...]:
    """Return the columns of posts that have values."""
    return tuple(
        RecordColumn(
            name=name,
            type=ColumnType(_POST_TYPES.get(name, "text")),
            many=False,
            readings=(),
            evidence="posts",
            records=len(known[name]),
            example=next(iter(known[name].values())),
        )
        for name in POST_COLUMNS
        if known.get(name)
    )
