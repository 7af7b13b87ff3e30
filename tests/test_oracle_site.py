"""The words, slots and evidence of sites, and what the net sees, against what defines them."""

from functools import cache
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import cast

import numpy as np
from hypothesis import given

import made_sites
from dehusk import Site
from dehusk.blocks import Blocks, segment
from dehusk.compiled import net
from dehusk.compiled import site as compiled_site
from dehusk.counts.table import Table
from dehusk.counts.terms import page_terms
from dehusk.label.united.inputs import Bags
from dehusk.read import parse
from oracle import cases
from oracle import input_words as input_oracle
from oracle import net_inputs as net_oracle
from oracle import site_evidence as evidence_oracle
from oracle import site_words as words_oracle
from oracle.groups import by_first
from strategies import htmls


def check_words(blocks: Blocks) -> None:
    assert tuple(column.tolist() for column in compiled_site.term_spans(blocks)) == words_oracle.term_spans(blocks)
    assert tuple(column.tolist() for column in compiled_site.term_columns(blocks)) == words_oracle.term_columns(blocks)
    assert compiled_site.path_keys(blocks.page).tolist() == words_oracle.path_keys(blocks.page)
    found, expected = compiled_site.slot_texts(page_terms(blocks)), words_oracle.slot_texts(blocks)
    for name in words_oracle.SlotText._fields:
        assert getattr(found, name).tolist() == [getattr(text, name) for text in expected], name


def test_words_of_pages() -> None:
    for blocks in cases.segmented(3):
        check_words(blocks)


@given(htmls)
def test_words_of_random_pages(html: str) -> None:
    check_words(segment(parse(html)))


@cache
def fitted() -> Site:
    return Site().fit([*made_sites.site(6), *REPEATED])


REPEATED = [
    (
        f"<body><nav class=top><p>Home of tea</p><p>{n}</p><p>7</p></nav><ul><li>New {n}<li>Old</ul>"
        f"<dl><dt>Price<dd>{n % 3}</dl><dl><dt>Sort<dd>Tea</dl><table><tr><th>Tea<th>Cup<tr><td>Pu<td>{n % 2}</table>"
        f"<div class=c{n}><p>{n} comments on this text, which all of the pages of the site have here</p></div>"
        f"<{tag}><p>{cases.words(25)}</p></{tag}><p>Only here {n}."
    )
    for n, tag in enumerate(("section", "div", "section", "div", "main"))
]
"""Pages of one design: some texts are the same on all, some differ, and one stands at two paths."""


def counts(table: Table) -> dict[int, int]:
    return dict(zip(table.keys[:, 0].tolist(), table.counts.tolist(), strict=True))


def check_evidence(blocks: Blocks) -> None:
    tables = fitted().tables
    site = evidence_oracle.Tables(
        counts(tables.slot_texts), counts(tables.slots), counts(tables.texts), tables.distinct
    )
    found, expected = compiled_site.site_evidence(blocks, fitted()), evidence_oracle.site_evidence(blocks, site)
    assert found is not None
    for name in evidence_oracle.Evidence._fields:
        assert getattr(found, name).tolist() == [getattr(each, name) for each in expected], name


def test_evidence_about_pages() -> None:
    for source in (*made_sites.site(6), *REPEATED, *made_sites.site(8)[6:]):
        check_evidence(segment(parse(source)))
    for blocks in cases.segmented(9):
        check_evidence(blocks)


def table_of(counts_of_keys: dict[int, int]) -> Table:
    keys = sorted(key for key, count in counts_of_keys.items() if count)
    return Table(
        np.array(keys, dtype=np.uint64).reshape(-1, 1), np.array([counts_of_keys[key] for key in keys], np.int64)
    )


def test_evidence_of_any_counts() -> None:
    """A site may have counted anything: the counts are on both sides of all bounds."""
    random = Random(6)  # noqa: S311 (nothing secret)
    for blocks in (*cases.segmented(5), *cases.rows(100)):
        texts, pages = words_oracle.slot_texts(blocks), random.randrange(2, 10)
        in_slots = {key for text in texts for key in (text.text, text.without_numbers)}
        some_keys = (in_slots, {text.slot for text in texts}, {text.words for text in texts})
        of_texts, of_slots, anywhere = ({key: random.randrange(pages + 1) for key in sorted(s)} for s in some_keys)
        site = evidence_oracle.Tables(of_texts, of_slots, anywhere, pages)
        tables = SimpleNamespace(
            slot_texts=table_of(of_texts), slots=table_of(of_slots), texts=table_of(anywhere), distinct=pages
        )
        found = compiled_site.site_evidence(blocks, cast("Site", SimpleNamespace(tables=tables)))
        expected = evidence_oracle.site_evidence(blocks, site)
        assert found is not None
        for name in evidence_oracle.Evidence._fields:
            assert getattr(found, name).tolist() == [getattr(each, name) for each in expected], name


def test_a_site_with_one_page_says_nothing() -> None:
    assert compiled_site.site_evidence(segment(parse("<p>One")), Site().fit(["<p>One", "<p>One"])) is None


def test_counts_in_tables() -> None:
    table = fitted().tables.slots
    keys = [*table.keys[:, 0].tolist(), 0, 1, 2**64 - 1]
    of_key = counts(table)
    for some in (keys, []):
        found = compiled_site.look_up(table, np.array(some, dtype=np.uint64))
        assert found.tolist() == [of_key.get(key, 0) for key in some]
    assert compiled_site.look_up(Table.empty(1), np.array(keys, dtype=np.uint64)).tolist() == [0] * len(keys)


def listed(bags: Bags) -> list[list[int]]:
    return [bags.row[a:b].tolist() for a, b in pairwise(bags.start.tolist())]


def check_inputs(blocks: Blocks) -> None:
    levels = net.innermost_levels(blocks)
    assert levels.tolist() == net_oracle.innermost_levels(blocks)
    assert net.innermost_tags(blocks).tolist() == net_oracle.innermost_tags(blocks)
    for group, keys in zip(net.groups_of(blocks), net_oracle.groups_of(blocks), strict=True):
        numbers = group.tolist()
        assert by_first(numbers) == by_first(keys)  # which number a group has is left open
        assert set(numbers) == set(range(len(set(numbers))))
    assert listed(net.text_bags(blocks)) == input_oracle.text_bags(blocks)
    bags, chain = net.name_bags(blocks.page, levels)
    assert by_first(chain.tolist()) == by_first(input_oracle.chains(blocks))
    assert len(listed(bags)) == len(set(chain.tolist()))
    assert [listed(bags)[number] for number in chain.tolist()] == input_oracle.name_bags(blocks)


def test_inputs_of_pages() -> None:
    for blocks in cases.segmented(3):
        check_inputs(blocks)


@given(htmls)
def test_inputs_of_random_pages(html: str) -> None:
    for blocks in cases.blocks_of(html):
        check_inputs(blocks)
