"""Whether tables, lists and records are kept as a whole, on pages whose units are known."""

import numpy as np
import pytest

from dehusk.blocks import Blocks, segment
from dehusk.blocks.units import find_units
from dehusk.measures.units_kept import Completeness, UnitCounts, completeness
from dehusk.read import parse

TABLE = (
    "<table><tr><th>Capital</th><th>People</th></tr><tr><td>Wellington</td><td>215</td></tr>"
    "<tr><td>Canberra</td><td>456</td></tr></table>"
)
LIST = "<ul><li>flour<li>sugar<li>two eggs</ul>"
POSTS = "".join(
    f"<div class=post><h3>{name}</h3><p>{name} wrote a long answer here.</p><span>Reply</span></div>"
    for name in ("Ann", "Bob", "Cleo")
)


def blocks_of(html: str) -> Blocks:
    return segment(parse(html))


def measure(html: str, dropped: str = "") -> Completeness:
    """Measure a page of which the blocks with these texts, separated by |, are dropped."""
    blocks = blocks_of(html)
    assert set(filter(None, dropped.split("|"))) <= set(blocks.texts)
    kept = np.array([text not in dropped.split("|") for text in blocks.texts], dtype=np.bool_)
    return completeness(find_units(blocks), kept)


def test_a_table_with_all_cells_is_whole() -> None:
    assert measure(TABLE) == Completeness(tables=UnitCounts(1, 1, 1), rows=UnitCounts(3, 3, 3))


def test_a_table_without_a_cell_is_full_and_without_a_row_is_not() -> None:
    assert measure(TABLE, "215") == Completeness(tables=UnitCounts(1, 1, 0), rows=UnitCounts(3, 3, 2))
    assert measure(TABLE, "Canberra|456") == Completeness(tables=UnitCounts(1, 0, 0), rows=UnitCounts(2, 2, 2))


def test_units_that_are_dropped_as_a_whole_do_not_count() -> None:
    assert measure(TABLE + LIST, "flour|sugar|two eggs").lists == UnitCounts()
    everything = "Capital|People|Wellington|215|Canberra|456"
    assert measure(TABLE + LIST, everything) == Completeness(lists=UnitCounts(1, 1, 1))


def test_a_list_without_an_item_is_partial() -> None:
    counts = measure(LIST, "sugar").lists
    assert counts == UnitCounts(1, 0, 0)
    assert (counts.full_share, counts.whole_share) == (0, 0)


def test_posts_without_their_links_are_full_and_without_an_author_are_not_whole() -> None:
    assert measure(POSTS).records == UnitCounts(1, 1, 1)
    assert measure(POSTS, "Reply").records == UnitCounts(1, 1, 0)
    assert measure(POSTS, "Bob|Bob wrote a long answer here.|Reply").records == UnitCounts(1, 0, 0)


def test_a_list_of_one_item_does_not_count() -> None:
    assert measure("<ul><li><p>a<p>b</ul>", "a") == Completeness()


def test_blocks_that_do_not_count_cannot_be_missing() -> None:
    blocks = blocks_of(TABLE.replace("215", "–") + "<ul><li>tea<li>…<li>milk</ul>")
    has_words = np.array([any(map(str.isalnum, text)) for text in blocks.texts])
    units = find_units(blocks)
    assert completeness(units, has_words).tables == UnitCounts(1, 1, 0)
    assert completeness(units, has_words).lists == UnitCounts(1, 0, 0)
    counts = completeness(units, has_words, counted=has_words)
    assert (counts.tables, counts.lists) == (UnitCounts(1, 1, 1), UnitCounts(1, 1, 1))
    assert counts.rows == UnitCounts(2, 2, 2)  # the row of the dash has one block that counts
    assert completeness(units, ~has_words, counted=has_words) == Completeness()


def test_counts_add_up_and_nothing_is_complete() -> None:
    both = measure(LIST) + measure(LIST, "sugar")
    assert both.lists == UnitCounts(2, 1, 1)
    assert both.lists.full_share == 0.5
    nothing = Completeness().tables
    assert (nothing.full_share, nothing.whole_share) == (1, 1)
    assert measure("") == Completeness()


def test_each_block_needs_a_value() -> None:
    with pytest.raises(ValueError, match="kept and counted need 3 values, not 2 and 3"):
        completeness(find_units(blocks_of(LIST)), np.ones(2, dtype=np.bool_))
