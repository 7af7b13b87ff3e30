"""How a template is learned from its pages: what its rows are, and the columns of these."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.counts.templates import PathShares
from dehusk.read.page import Bools, Page
from dehusk.sites.records.channels import channels_of, page_channels
from dehusk.sites.records.columns import RecordColumn
from dehusk.sites.records.fitting import MAX_COLUMNS, Learned, Owners, folded, learn_columns
from dehusk.sites.records.pieces import Pieces, joined, link_addresses
from dehusk.sites.records.record_units import POST_COLUMNS, RecordUnits, RowPlan, best_list, records_of
from dehusk.sites.records.runs import runs_of
from dehusk.sites.records.template import PageTemplate
from dehusk.sites.records.value_types import ColumnType, ValueType

RowChoice = Literal["auto", "page", "record"]
ROWS: tuple[RowChoice, ...] = get_args(RowChoice)

PAGES_WITH_POSTS = 0.5
"""Share of the pages that must have two posts and more if rows are posts."""
RECORD_SHARE = {"post": 0.35, "list": 0.5}
"""Rows are posts, or those of a list, if they hold this share of the words that vary."""
_SAMPLE = 12  # pages on which it is decided what rows are
FIELDS = 4
"""Rows are pages if so many labelled fields stand outside of posts and lists, whatever these hold."""
_POST_TYPES: dict[str, ValueType] = {
    "date": "date", "author address": "address", "permalink": "address", "depth": "number"
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class SeenPage:
    """A page to learn from."""

    blocks: Blocks
    channels: tuple[Pieces, Pieces, Pieces]
    """Its pieces, the page as one record."""

    @classmethod
    def of(cls, blocks: Blocks) -> "SeenPage":
        """Return what is learned from a page; the parser's tree is freed."""
        found = page_channels(blocks)
        link_addresses(blocks.page)
        blocks.page.release()
        return cls(blocks, found)


def learn_template(
    seen: Sequence[SeenPage], shares: PathShares, rows: RowChoice, limit: int = MAX_COLUMNS
) -> PageTemplate:
    """Learn what the rows of a template are, and its columns.

    Args:
        seen: pages that are built alike.
        shares: their paths.
        rows: what a row is to be.
        limit: number of columns, at most.
    """
    pages = [page.blocks for page in seen]
    language = _language([blocks.page for blocks in pages])
    channels = [joined(parts) for parts in zip(*(page.channels for page in seen), strict=True)]
    whole = learn_columns(channels, Owners([blocks.page for blocks in pages], language, limit=limit))
    sample = range(0, len(pages), -(-len(pages) // _SAMPLE))
    for plan in _plans([pages[n] for n in sample]) if rows != "page" else ():
        units = [records_of(pages[n], plan) for n in sample]
        if rows == "record" or _hold_most(
            units, joined([seen[n].channels[0] for n in sample]), whole, RECORD_SHARE[plan.kind]
        ):
            return _of_records(plan, pages, shares, Owners((), language, limit=limit))
    return PageTemplate("", RowPlan(), shares, whole, (), len(pages))


def _language(pages: list[Page]) -> str:
    """Return the language that most pages declare, "" if none does."""
    declared = Counter(page.meta.language for page in pages if page.meta.language)
    return declared.most_common(1)[0][0] if declared else ""


def _plans(pages: list[Blocks]) -> Iterator[RowPlan]:
    """Yield what rows can be, other than pages: posts before lists."""
    posts = RowPlan("post")
    if _have_several(pages, posts):
        yield posts
    listed = best_list(pages)
    if listed.kind == "list":
        yield listed


def _have_several(pages: list[Blocks], plan: RowPlan) -> bool:
    """Return whether enough of the pages have several records; no more pages are read than that takes."""
    enough, found = PAGES_WITH_POSTS * len(pages), 0
    for left, blocks in zip(range(len(pages), 0, -1), pages, strict=True):
        if found >= enough or found + left < enough:
            break
        found += len(records_of(blocks, plan)) > 1
    return found >= enough


def _hold_most(units: list[RecordUnits], by_page: Pieces, whole: Learned, share: float) -> bool:
    """Return whether records hold a share of the words that vary, and few labelled fields stand outside of them."""
    channel = whole.channels[0]
    runs = runs_of(by_page, channel.lexicon)
    place, pieces = channel.layout.place_of(runs), runs.pieces
    total = np.append(0, np.cumsum(pieces.words))
    words = total.take(runs.last + 1) - total.take(runs.first)
    inside = _inside(units, pieces, runs.first)
    page = pieces.record.take(runs.first)
    of_page = np.bincount(page, weights=words, minlength=len(units))
    of_records = np.bincount(page, weights=words * inside, minlength=len(units))
    if not of_page.any() or (of_records[of_page > 0] / of_page[of_page > 0]).mean() < share:
        return False
    outer = {number for number in place[~inside].tolist() if number >= 0} - set(place[inside].tolist())
    fields = [
        column
        for column in whole.columns
        if column.is_labelled and not column.many and column.readings[0].place in outer
        if column.readings[0].channel == 0
    ]
    return sum(2 * column.records > whole.records for column in fields) < FIELDS


def _inside(units: list[RecordUnits], pieces: Pieces, first: Indices) -> Bools:
    """Return which runs, given by their first pieces, are in a record of their page, shape (r,)."""
    page, node = pieces.record.take(first), pieces.node.take(first)
    bounds = np.searchsorted(page, np.arange(len(units) + 1)).tolist()
    spans = zip(units, bounds[:-1], bounds[1:], strict=True)
    parts = [unit.record_around(node[low:high]) >= 0 for unit, low, high in spans]
    return np.concatenate(parts)


def _of_records(plan: RowPlan, pages: Sequence[Blocks], shares: PathShares, owners: Owners) -> PageTemplate:
    """Return a template with a row per record."""
    parts: list[tuple[Pieces, ...]] = []
    of_record: list[Page] = []
    known: dict[str, dict[int, str]] = defaultdict(dict)
    examples: dict[str, list[str]] = defaultdict(list)
    sizes = []
    for blocks in pages:
        unit = records_of(blocks, plan)
        if not len(unit):
            continue
        sizes.append(len(unit))
        for number, fixed in enumerate(unit.fixed):
            for name, value in fixed.items():
                if value is not None:
                    known[name][len(of_record) + number] = folded(str(value))
                    examples[name].append(str(value))
        parts.append(channels_of(blocks, unit))
        blocks.page.release()
        of_record += [blocks.page] * len(unit)
    channels = [joined(of_channel, records=sizes) for of_channel in zip(*parts, strict=True)]
    learned = learn_columns(channels, replace(owners, pages=of_record, known=known))
    return PageTemplate("", plan, shares, learned, _post_columns(examples), len(pages))


def _post_columns(examples: dict[str, list[str]]) -> tuple[RecordColumn, ...]:
    """Return the columns of posts that have values."""
    return tuple(
        RecordColumn(
            name=name,
            type=ColumnType(_POST_TYPES.get(name, "text")),
            many=False,
            readings=(),
            evidence="posts",
            records=len(examples[name]),
            example=examples[name][0],
        )
        for name in POST_COLUMNS
        if examples.get(name)
    )
