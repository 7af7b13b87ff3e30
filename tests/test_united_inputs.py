"""What the net sees of a page: tags, words of names and texts, groups of blocks."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_linear
from dehusk.base.hashing import mix
from dehusk.base.tags import TAG_NUMBER
from dehusk.blocks import Blocks
from dehusk.compiled.features import table
from dehusk.compiled.text import text_key
from dehusk.label.features.lexicon import name_parts
from dehusk.label.united import NAMES, inputs
from dehusk.label.united.inputs import (
    GROUP_COUNT,
    NAME_ROWS,
    TAG_ROWS,
    TAGS,
    TEXT_ROWS,
    Bags,
    NetInputs,
    inputs_hash,
    net_inputs,
)
from dehusk.read import parse
from nets import random_html, random_net


def cut(html: str) -> Blocks:
    return dehusk.segment(dehusk.parse(html))


def inputs_of(html: str) -> NetInputs:
    return net_inputs(cut(html))


def bag(bags: Bags, number: int) -> list[int]:
    return sorted(bags.row[bags.start[number] : bags.start[number + 1]].tolist())


def text_row(word: str) -> int:
    return text_key(word) % TEXT_ROWS


def near_row(part: str) -> int:
    return text_key(part) % NAME_ROWS


def far_row(part: str) -> int:
    far = np.array([text_key(part)], dtype=np.uint64) + np.uint64(1)
    return int(mix(far)[0]) % NAME_ROWS


def names_of(page: NetInputs, block: int) -> list[int]:
    return bag(page.names, int(page.chain[block]))


def assert_same(one: NetInputs, two: NetInputs) -> None:
    np.testing.assert_array_equal(one.columns, two.columns)
    np.testing.assert_array_equal(one.tags, two.tags)
    np.testing.assert_array_equal(one.chain, two.chain)
    for bags, others in ((one.names, two.names), (one.texts, two.texts)):
        np.testing.assert_array_equal(bags.row, others.row)
        np.testing.assert_array_equal(bags.start, others.start)
    for group, other in zip(one.groups, two.groups, strict=True):
        np.testing.assert_array_equal(group, other)


# tags


def test_tags_are_those_of_the_innermost_elements() -> None:
    page = inputs_of("<section><div><p>one<p>two <b>three</b></div></section><x-own><p>four</p></x-own>")
    own = {name: TAG_NUMBER[name] for name in ("p", "div", "section", "body")}
    assert page.tags[0].tolist() == [own["p"], own["div"], own["section"]]
    assert page.tags[1].tolist() == page.tags[0].tolist()
    assert page.tags[2].tolist() == [own["p"], TAG_ROWS - 1, own["body"]]
    assert inputs_of("<p>one").tags[0].tolist() == [own["p"], own["body"], 0]


def test_all_unknown_tags_share_a_row() -> None:
    page = inputs_of("<x-one><p>one</p></x-one><x-two><p>two</p></x-two>")
    assert page.tags[:, 1].tolist() == [TAG_ROWS - 1] * 2


# words of names


def parts_of(name: str) -> list[int]:
    """Return the keys of the parts of a name, those of a single letter left out."""
    page = parse(f'<p class="{name}">x')
    parts, code = name_parts(page), page.class_names.index(name)
    source = (parts.source | 32).tobytes()
    extents = zip(parts.start, parts.end, strict=True)
    words = [source[start:end].decode() for start, end in extents][parts.first[code] : parts.first[code + 1]]
    return keys_of(*(word for word in words if len(word) > 1))


def keys_of(*parts: str) -> list[int]:
    return [text_key(part) for part in parts]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("topNav", ["top", "nav"]),
        ("nav-top", ["nav", "top"]),
        ("TOP_NAV", ["top", "nav"]),
        ("post17 col-2", ["post", "col"]),
        ("a b-c x1y", []),
        ("xTop", ["top"]),
        ("main  main", ["main", "main"]),
        ("überschrift", ["berschrift"]),
        ("主文", []),
        ("", []),
        ("--- 12", []),
        ("tail", ["tail"]),
    ],
)
def test_parts_of_names(name: str, parts: list[str]) -> None:
    assert parts_of(name) == keys_of(*parts)


def test_names_of_the_three_innermost_elements_are_near_and_the_others_far() -> None:
    page = inputs_of("<main id=outer><section class=topNav><div id=menu-list><p class='item a'>one")
    assert names_of(page, 0) == sorted([*map(near_row, ("item", "menu", "list", "top", "nav")), far_row("outer")])


def test_only_ten_levels_give_names() -> None:
    nested = "".join(f"<div class={name * 2}>" for name in "abcdefghij")
    page = inputs_of(f"<div class=outermost>{nested}<p class=own>one")
    rows = names_of(page, 0)
    assert len(rows) == 10
    assert far_row("bb") in rows
    assert far_row("aa") not in rows
    assert far_row("outermost") not in rows


def test_class_and_id_with_the_same_words_have_the_same_rows() -> None:
    by_class, by_id = inputs_of("<p class=topNav>one"), inputs_of("<p id=nav-top>one")
    assert names_of(by_class, 0) == names_of(by_id, 0) == sorted(map(near_row, ("top", "nav")))


def test_blocks_with_the_same_names_around_them_share_a_chain() -> None:
    page = inputs_of(
        "<div class=menu><p>one<p>two</div><div class=menu><p>three</div><div id=menu><p>four</div><p>five"
    )
    assert page.chain[0] == page.chain[1] == page.chain[2]
    assert len(set(page.chain.tolist())) == len(page.names.start) - 1 == 3
    assert names_of(page, 0) == names_of(page, 3) == [near_row("menu")]
    assert names_of(page, 4) == []


# words of texts


def test_words_of_a_short_text() -> None:
    page = inputs_of("<p>Tea is")
    pair = mix(
        mix(np.array([text_key("tea")], np.uint64) + np.uint64(4 + 0x9E3779B97F4A7C15)) + np.uint64(text_key("is"))
    )
    start = mix(np.array([text_key("tea")], np.uint64) + np.uint64(2))
    length = mix(np.array([5 << 32], np.uint64))
    rows = [text_row("tea"), text_row("is"), *(int(key[0]) % TEXT_ROWS for key in (pair, start, length))]
    assert bag(page.texts, 0) == sorted(rows)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("Tea of 1999", "tea OF 2024", True),
        ("Tea of 1999", "tea OF 99", False),
        ("12:30", "07:45", True),
        ("٣ чая", "0 чая", True),
        ("Чай", "чай", True),
        ("茶館", "館茶", False),
        ("Tea, now!", "tea now…", True),
        ("tea now", "now tea", False),
        ("tea", "tees", False),
        ("!", "—", True),
    ],
)
def test_texts_with_the_same_rows(one: str, two: str, same: bool) -> None:
    page = inputs_of(f"<p>{one}</p><p>{two}</p>")
    assert (bag(page.texts, 0) == bag(page.texts, 1)) == same


def test_each_han_character_is_a_word() -> None:
    rows = bag(inputs_of("<p>茶館 Café").texts, 0)
    assert {text_row("茶"), text_row("館"), text_row("café")} <= set(rows)
    assert len(rows) == 6


def test_the_length_of_a_text_is_a_word() -> None:
    page = inputs_of("<p>—</p><p>—————————————</p><p>……</p>")
    assert [len(bag(page.texts, block)) for block in range(3)] == [1, 1, 1]
    assert bag(page.texts, 0) == bag(page.texts, 2) != bag(page.texts, 1)


def test_only_the_first_and_the_last_words_of_a_long_text_count() -> None:
    start, end = "one two three four five six seven eight", "yesterday evening"
    middles = (
        "nine ten eleven twelve thirteen fourteen fifteen sixteen",
        "a quite different middle of the same size it has",
    )
    page = inputs_of("".join(f"<p>{start} {middle * 3} {end}</p>" for middle in middles) + f"<p>{start} nine")
    assert bag(page.texts, 0) == bag(page.texts, 1)
    assert len(bag(page.texts, 0)) == 8 + 1 + 2 + 1 + 1
    assert len(bag(page.texts, 2)) == 8 + 1 + 1 + 1


def test_each_block_has_a_bag_also_without_words() -> None:
    page = inputs_of("<p>—</p><p>tea</p><p>!</p>")
    assert len(page.texts.start) == 4
    assert (np.diff(page.texts.start) > 0).all()


# groups


def test_blocks_of_the_same_path_form_a_group() -> None:
    html = """<div class="post p17 new"><p>one</p></div><div class="post9 p18"><p>two</p></div><div class=Post><p>three
    </p></div><div class=" post2 "><p>four</p></div><div class=poster><p>five</p></div><section class=post><p>six"""
    path = inputs_of(html).groups[0]
    assert len(set(path[:4].tolist())) == 1
    assert len(set(path.tolist())) == 3


def test_paths_differ_by_order_and_depth() -> None:
    html = (
        "<div><section><p>1</p></section></div><section><div><p>2</p></div></section><div><div><p>3</p></div></div>"
        "<div><p>4</p></div>"
    )
    path = inputs_of(html).groups[0]
    assert len(set(path.tolist())) == 4


def test_paths_take_the_first_class_in_lower_case_without_digits() -> None:
    classes = ("post", "Post17", " 4post2\tx", "poste", "x post", "", "17", "über", "ÜBER")
    path = inputs_of("".join(f"<div class='{name}'><p>x</p></div>" for name in classes)).groups[0].tolist()
    assert path[0] == path[1] == path[2]
    assert path[5] == path[6]
    assert path[7] == path[8]
    assert len(set(path)) == 5


def test_containers_have_more_and_more_blocks() -> None:
    blocks = cut("<section><div><span><ul><li>1<li>2</ul></span><p>3</p></div><p>4</p></section><p>5</p>")
    groups = [group.tolist() for group in net_inputs(blocks).groups[1:]]
    assert [len(set(group)) for group in groups] == [4, 3, 2, 1]
    assert groups[0][0] == groups[0][1]


def test_an_element_of_one_block_is_no_container() -> None:
    inner = inputs_of("<ul><li><b><i>1</i></b><li><p>2</p></ul><p>3</p>").groups[1]
    assert len(set(inner.tolist())) == 2
    assert inner[0] == inner[1]


# laws


def check(page: NetInputs, blocks: Blocks) -> None:
    b = len(blocks)
    assert len(page) == b
    assert page.columns.shape == (len(NAMES), b)
    assert page.columns.dtype == np.float32
    assert np.isfinite(page.columns).all()
    assert page.tags.shape == (b, TAGS)
    assert ((page.tags >= 0) & (page.tags < TAG_ROWS)).all()
    for bags, count, rows in ((page.names, len(set(page.chain.tolist())), NAME_ROWS), (page.texts, b, TEXT_ROWS)):
        assert bags.start[0] == 0
        assert bags.start[-1] == len(bags.row)
        assert len(bags.start) == count + 1
        assert (np.diff(bags.start) >= 0).all()
        assert ((bags.row >= 0) & (bags.row < rows)).all()
    for numbers in (page.chain, *page.groups):
        assert numbers.shape == (b,)
        assert set(numbers.tolist()) == set(range(int(numbers.max()) + 1))
    assert len(page.groups) == GROUP_COUNT


@given(st.integers(0, 10**6), st.integers(1, 60))
def test_inputs_of_random_pages(seed: int, elements: int) -> None:
    html = random_html(seed, elements)
    blocks = cut(html)
    page = net_inputs(blocks)
    check(page, blocks)
    assert_same(page, inputs_of(html))


def test_the_same_inputs_whatever_ran_before() -> None:
    html = random_html(7, 80)
    blocks = cut(html)
    dehusk.blocks.units.find_units(blocks)
    table(cut(random_html(8)))
    first = net_inputs(blocks)
    assert_same(first, net_inputs(blocks))
    page = dehusk.parse(html)
    page.release()
    assert_same(first, net_inputs(dehusk.segment(page)))


def test_one_block_and_a_page_of_text_only() -> None:
    for html in ("tea", "<p>tea", "<title>x</title>tea<script>no</script>"):
        blocks = cut(html)
        assert len(blocks) == 1
        check(net_inputs(blocks), blocks)


def test_the_time_grows_with_the_page() -> None:
    def prepare(items: int) -> Callable[[], object]:
        body = "".join(
            f'<li class="item{i} row-{i % 7}" id=i{i}><a href=/{i}>Tea {i}</a> and cups' for i in range(items)
        )
        blocks = cut(f"<ul>{body}</ul>" + "<div>" * 200 + "deep")
        table(blocks)
        return lambda: net_inputs(blocks)

    assert_linear(prepare, 5_000)


def test_the_hash_covers_what_the_inputs_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    before = inputs_hash()
    assert before == inputs_hash()
    for name, value in (("VERSION", 10**6), ("NAME_ROWS", 8), ("TEXT_ROWS", 8), ("TAGS", 2), ("CONTAINERS", 2)):
        with monkeypatch.context() as patch:
            patch.setattr(inputs, name, value)
            assert inputs_hash() != before
    assert inputs_hash() == before


def nested(attributes: dict[int, str], text: str) -> str:
    """Return ten elements, each in the next, with attributes for some of the levels around the text."""
    return "".join(f"<div {attributes.get(level, '')}>" for level in reversed(range(10))) + text + "</div>" * 10


COLLIDING = (
    "<p class=a>Before them</p>"
    + nested({6: "class=main", 9: "class=main"}, "one")
    + nested({3: "id=side", 9: "id=side"}, "other")
)
"""Two blocks whose chains of names have the same key: twice the weights of two classes are those of two ids."""


def test_chains_whose_keys_collide_stay_apart() -> None:
    weights = inputs._CHAIN_WEIGHTS
    assert (weights[[6, 9]].sum() * np.uint64(2)) == weights[[13, 19]].sum()
    blocks, net = cut(COLLIDING), random_net()
    page = net_inputs(blocks)
    np.testing.assert_array_equal(net.scores_of(blocks, 0), net.scores(page, 0))
    assert names_of(page, 1) == sorted([far_row("main")] * 2)
    assert names_of(page, 2) == sorted([far_row("side")] * 2)
