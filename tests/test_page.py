"""The columns of a page: a small page in full, properties, and tree operations compared with loops over parents."""

import re
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.about.posts import authors, depths, kinds
from dehusk.base.tags import KNOWN, TAG_NUMBER, is_block_level, numbers
from dehusk.blocks import segment
from dehusk.blocks.headlines import titles_of
from dehusk.blocks.units import admonitions
from dehusk.label.united import copies, headings, headline_slots, naming, rubric, side_parts, teasers
from dehusk.read import parse
from dehusk.read.names import ElementNames, NamePattern, NameWords
from dehusk.read.page import Page, digest
from dehusk.read.parsing import FROM_1252
from dehusk.visible import leaving_out, line_numbers, shop_prices
from dehusk.write import inserts, pruning
from dehusk.write.content import boxes, callouts, headline, ornaments
from strategies import htmls

HTML = (
    "<title>T</title><body id=top><p class='x y'>a <b>c</b><p><img alt=' A I '><br>z"
    "<pre>l1\nl2</pre><x:y class=z>q &amp; r</x:y>"
)
COLUMNS = [  # node, tag, parent, end, text of the subtree
    (0, "body", -1, 15, "a cA Izl1\nl2q & r"),
    (1, "p", 0, 5, "a c"),
    (2, "#text", 1, 3, "a "),
    (3, "b", 1, 5, "c"),
    (4, "#text", 3, 5, "c"),
    (5, "p", 0, 10, "A Iz"),
    (6, "img", 5, 8, "A I"),
    (7, "#text", 6, 8, "A I"),
    (8, "br", 5, 9, ""),
    (9, "#text", 5, 10, "z"),
    (10, "pre", 0, 13, "l1\nl2"),
    (11, "#text", 10, 12, "l1\n"),
    (12, "#text", 10, 13, "l2"),
    (13, "x:y", 0, 15, "q & r"),
    (14, "#text", 13, 15, "q & r"),
]


def above(page: Page, node: int) -> list[int]:
    """The node and all elements above it, innermost first."""
    nodes = []
    while node >= 0:
        nodes.append(node)
        node = int(page.parent[node])
    return nodes


def chosen_nodes(page: Page, picks: list[bool]) -> np.ndarray:
    return np.resize(np.array([*picks, False]), len(page))


def test_columns_of_a_small_page():
    page = parse(HTML)
    rows = [
        (
            node,
            page.tag_name(node),
            int(page.parent[node]),
            int(page.end[node]),
            page.text[page.text_start[node] : page.text_end[node]],
        )
        for node in range(len(page))
    ]
    assert rows == COLUMNS
    assert page.text == "a cA Izl1\nl2q & r"
    assert page.text_start.tolist() == [0, 0, 0, 2, 2, 3, 3, 3, 6, 6, 7, 7, 10, 12, 12]
    assert page.text_end.tolist() == [17, 3, 2, 3, 3, 7, 6, 6, 6, 7, 12, 10, 12, 17, 17]
    assert page.attributes == {
        0: (("id", "top"),),
        1: (("class", "x y"),),
        6: (("alt", " A I "),),
        13: (("class", "z"),),
    }
    assert page.alt_nodes.tolist() == [7]
    assert page.line_nodes.tolist() == [12]
    assert page.extra_tags == ("x:y",)
    assert page.depth.tolist() == [0, 1, 2, 2, 3, 1, 2, 3, 2, 2, 1, 2, 2, 1, 2]
    assert np.flatnonzero(page.is_text).tolist() == [2, 4, 7, 9, 11, 12, 14]
    assert page.class_names == ("", "x y", "z")
    assert page.class_code.tolist() == [0, 1, *[0] * 11, 2, 0]
    assert "".join(map(chr, page.code_points)) == page.text
    assert (page.attribute(1, "class"), page.attribute(1, "id"), page.attribute(2, "id")) == ("x y", None, None)


def test_an_attribute_without_a_value_is_empty_and_a_missing_one_none():
    page = parse("<p hidden title=''>a")
    assert (page.attribute(1, "hidden"), page.attribute(1, "title"), page.attribute(1, "lang")) == ("", "", None)


def test_attributes_can_be_read_after_the_tree_is_released():
    page, kept = parse(HTML), parse(HTML)
    page.release()
    assert page.attribute(6, "alt") == " A I "
    page.release()
    assert page.attributes == kept.attributes


def test_columns_are_read_only():
    page = parse(HTML)
    for column in (page.tag, page.parent, page.end, page.text_start, page.text_end, page.alt_nodes, page.line_nodes):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1
    with pytest.raises(FrozenInstanceError):
        page.text = ""


@given(htmls)
def test_every_page_is_valid_and_its_text_is_that_of_its_text_nodes(html):
    page = parse(html)
    page.validate()
    texts = [page.text[page.text_start[i] : page.text_end[i]] for i in np.flatnonzero(page.is_text)]
    assert "".join(texts) == page.text


def column(page: Page, name: str, node: int, value: int) -> Page:
    changed = getattr(page, name).copy()
    changed[node] = value
    return replace(page, **{name: changed})


BROKEN = {
    "columns differ in length": lambda page: replace(page, text_end=page.text_end[:-1]),
    "the root has a parent or is a text node": lambda page: column(page, "parent", 0, 0),
    "a parent comes after its child": lambda page: column(page, "parent", 3, 3),
    "a subtree ends after its parent's": lambda page: column(page, "end", 3, 6),
    "a node is outside its parent's subtree": lambda page: column(column(page, "parent", 9, 1), "end", 9, 5),
    "a text node has children": lambda page: column(page, "end", 2, 4),
    "text offsets descend": lambda page: column(page, "text_start", 5, 0),
    "text nodes do not cover the text": lambda page: replace(page, text=page.text + "!"),
    "the node after a subtree is below its root": lambda page: column(page, "end", 1, 6),
    "an element's text is not that of its subtree": lambda page: column(page, "text_end", 1, 4),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_validate_names_the_first_fault(fault):
    page = parse(HTML)
    page.validate()
    with pytest.raises(ValueError, match=f"^invalid page: {fault}$"):
        BROKEN[fault](page).validate()


def test_validate_refuses_a_subtree_without_its_root():
    with pytest.raises(ValueError, match="invalid page"):
        column(parse(HTML), "end", 8, 8).validate()


def test_a_page_without_nodes_is_valid():
    page = parse(b"%PDF-1.7")
    page.validate()
    assert (len(page), page.text, page.depth.tolist(), page.within(np.zeros(0, np.intp)).tolist()) == (0, "", [], [])
    assert page.nearest(page.is_text).tolist() == []


@given(htmls)
def test_depth_counts_the_elements_above(html):
    page = parse(html)
    assert page.depth.tolist() == [len(above(page, node)) - 1 for node in range(len(page))]


@given(htmls, st.lists(st.booleans(), max_size=12))
def test_within_counts_the_given_nodes_above(html, picks):
    page = parse(html)
    mask = chosen_nodes(page, picks)
    expected = [sum(mask[a] for a in above(page, node)) for node in range(len(page))]
    assert page.within(np.flatnonzero(mask)).tolist() == expected


@given(htmls, st.lists(st.booleans(), max_size=12))
def test_nearest_finds_the_innermost_target(html, picks):
    page = parse(html)
    mask = chosen_nodes(page, picks)
    expected = [next((a for a in above(page, node) if mask[a]), -1) for node in range(len(page))]
    assert page.nearest(mask).tolist() == expected


@given(htmls, st.lists(st.integers(0, 2**63), min_size=1, max_size=12))
def test_above_joins_the_bits_of_all_elements_above(html, bits):
    page = parse(html)
    own = np.resize(np.array(bits, dtype=np.uint64), len(page))
    expected = [int(np.bitwise_or.reduce(own[above(page, node)])) for node in range(len(page))]
    assert page.above(own).tolist() == expected


@given(htmls)
def test_nodes_of_gives_the_nodes_of_tags(html):
    page, names = parse(html), ("p", "b", "td")
    tags = np.array([TAG_NUMBER[name] for name in names], dtype=np.uint16)
    assert page.nodes_of(tags).tolist() == [n for n in range(len(page)) if page.tag_name(n) in names]


def test_the_tag_table_has_no_duplicates_and_knows_block_level_tags():
    assert sorted(TAG_NUMBER.values()) == list(range(KNOWN))
    block_level = {name for name, number in TAG_NUMBER.items() if is_block_level()[number]}
    assert {"p", "div", "td", "li", "h1", "br", "hr", "pre"} <= block_level
    assert not {"a", "b", "span", "img", "#text", "html", "script"} & block_level
    assert numbers("p b").tolist() == sorted([TAG_NUMBER["p"], TAG_NUMBER["b"]])
    with pytest.raises(KeyError, match="nosuch"):
        numbers("p nosuch")


def test_unknown_tags_keep_their_text():
    page = parse("<x:y>b</x:y>c")
    assert page.text == "bc"
    assert page.is_one_of(np.arange(1, KNOWN, dtype=np.uint16)).tolist() == [True, False, False, False]  # the body


def test_more_tag_names_than_numbers():
    page = parse("".join(f"<t{i}>x</t{i}>" for i in range(70_000)))
    page.validate()
    assert page.text == "x" * 70_000
    assert len(page) == 140_001
    assert page.tag_name(1) == "t0"
    assert page.tag_name(2 * 60_000 + 1) == "t60000"
    assert segment(page).texts == ["x" * 70_000]


def test_digest_is_sha_256():
    assert digest(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_the_repr_of_a_page_is_one_line():
    assert (
        repr(parse("<p>five!", url="https://example.org/"))
        == "<Page ok, 'https://example.org/', 3 nodes, 5 characters>"
    )
    assert repr(parse(b"%PDF-1.7")) == "<Page not-html, 0 nodes, 0 characters>"


@given(
    st.lists(st.text("aAbBçÇİΣ \n-", max_size=6), max_size=8).map(tuple),
    st.lists(st.text("abç-", min_size=2, max_size=3), max_size=3).map(" ".join),
)
def test_names_having_words_are_those_that_contain_one_in_lower_case(values: tuple[str, ...], words: str) -> None:
    having = [code for code, value in enumerate(values) if any(word in value.lower() for word in words.split())]
    assert ElementNames(values).having(NameWords(words)) == having
    found = [code for code in having if re.search("b|ç", values[code].lower())]
    assert ElementNames(values).named(NamePattern("b|ç", words)) == found


def test_words_of_modules_that_are_imported_later_are_looked_for() -> None:
    names = ElementNames(("", "Tea", "tea-cup"))
    assert names.having(NameWords("coffee")) == []
    assert names.having(NameWords("cup tea")) == [1, 2]


PATTERNS = [
    value
    for module in (
        admonitions,
        authors,
        boxes,
        callouts,
        copies,
        headings,
        headline,
        headline_slots,
        inserts,
        leaving_out,
        line_numbers,
        naming,
        ornaments,
        pruning,
        rubric,
        shop_prices,
        side_parts,
        teasers,
    )
    for value in vars(module).values()
    if isinstance(value, NamePattern)
]
OTHERS = [
    (side_parts._OF_READERS, side_parts._STEMS),
    (side_parts._OF_SHOP, side_parts._STEMS),
    (kinds._NAMES, kinds._WORDS),
    (authors._NAMED, authors._PERSONS),
    (depths._LEVEL, depths._LEVELS),
    (authors._NAMED_BY_CAMEL, authors._PERSONS),
]
NAMING = [*((wanted.pattern, wanted) for wanted in PATTERNS), *OTHERS]


@pytest.mark.parametrize("number", range(len(NAMING)))
@given(data=st.data())
def test_one_of_the_words_is_in_whatever_a_pattern_of_names_finds(number: int, data: st.DataObject) -> None:
    wanted, words = NAMING[number]
    name = data.draw(st.from_regex(re.compile(wanted.pattern, wanted.flags)))
    assert any(word in name.lower() for word in words.words), name


def test_values_of_meta_elements_are_found_by_names_in_any_case() -> None:
    page = parse("<meta property='OG:Title' content=Tea><meta name=other content=1><meta name='og:title ' content=Cup>")
    assert [*page.meta.values("og:title")] == ["Tea", "Cup"]
    assert [*page.meta.values("other", "og:title")] == ["Tea", "1", "Cup"]
    assert titles_of(page).whole == (["tea"], ["cup"])


def test_signs_of_windows_1252_that_were_encoded_as_control_characters_are_signs() -> None:
    page = parse(
        "<title>Ann\x92s tea</title><p>It\x92s \x93tea\x94 for 5 \x80\x85 <img alt='Ann\x92s'><pre>a\x81b</pre>"
    )
    assert page.text == "It’s “tea” for 5 €… Ann’sa\x81b"
    assert (page.meta.title, page.notes) == ("Ann’s tea", (FROM_1252,))
    assert parse("<p>Ann’s café").notes == ()
