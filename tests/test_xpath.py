"""XPaths of blocks, evaluated on the parser's tree."""

from unittest.mock import patch

import numpy as np
import pytest
import turbohtml
from hypothesis import given
from lxml import etree

import dehusk.read.xpath
from dehusk.blocks import segment
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.read.xpath import ordinals, xpaths
from strategies import htmls


@given(htmls)
def test_ordinals_count_earlier_siblings_of_the_same_name(html):
    page = parse(html)
    key = [(int(page.parent[node]), page.tag_name(node)) for node in range(len(page))]
    assert ordinals(page).tolist() == [key[: node + 1].count(key[node]) for node in range(len(page))]


def visible(page: Page, node: int) -> str:
    inside = [i for i in range(node, page.end[node]) if page.is_text[i] and i not in page.alt_nodes]
    return "".join(page.text[page.text_start[i] : page.text_end[i]] for i in inside)


@given(htmls.map("<body>{}".format))
def test_xpaths_find_the_element_of_each_block_in_the_parsers_tree(html):
    page, document = parse(html), turbohtml.parse(html)
    for dropped in document.select("script, style, svg"):
        dropped.decompose()
    holders = segment(page, every_tag=True, alt=True).node.tolist()
    paths = xpaths(page, holders)
    assert set(paths) == set(holders)
    for node in holders:
        elements = document.xpath(paths[node])
        assert [(e.tag, e.text) for e in elements] == [(page.tag_name(node), visible(page, node))]


def test_xpaths_of_a_small_page():
    page = parse("<p>a<p><img alt='A'><br>z<pre>l1\nl2</pre><x:y>q</x:y>")
    assert [page.tag_name(node) for node in (3, 4, 8, 11)] == ["p", "img", "pre", "x:y"]
    assert xpaths(page, [0, 4, 8, 11]) == {
        0: "/html/body",
        4: "/html/body/p[2]/img[1]",
        8: "/html/body/pre[1]",
        11: "/html/body/*[name()='x:y'][1]",
    }
    assert xpaths(page, []) == {}


@pytest.mark.parametrize("name", ["o:p", "a$b", 'a"b', "a'b", "a\"'b", "''\"", "pé", "x-1.2"])
def test_xpaths_find_elements_with_unusual_names(name):
    name = f"x{name}"
    html = f"<{name}>a</{name}><{name}>b</{name}><p><{name}>c</{name}>"
    page, document = parse(html), turbohtml.parse(html)
    nodes = [node for node in range(len(page)) if page.tag_name(node) == name]
    assert [e.text for node in nodes for e in document.xpath(xpaths(page, [node])[node])] == ["a", "b", "c"]


def checked(html: str, longest: int = dehusk.read.xpath.MAX_PATH) -> dict[int, str]:
    """Return the XPaths of all elements of a page; each selects its element, and no other, in the parser's tree."""
    page, document = parse(html), turbohtml.parse(html)
    nodes = [node for node in range(len(page)) if not page.is_text[node]]
    with patch.object(dehusk.read.xpath, "MAX_PATH", longest):
        paths = xpaths(page, nodes)
    assert list(paths) == nodes
    selected = [document.xpath(path) for path in paths.values()]
    assert [[element.tag for element in elements] for elements in selected] == [[page.tag_name(i)] for i in nodes]
    in_order = {id(element): index for index, element in enumerate(document.descendants)}
    places = [in_order[id(elements[0])] for elements in selected]
    assert places == sorted(set(places))
    return paths


@given(htmls)
def test_numbers_of_elements_select_them(html):
    paths = checked(html, longest=0)
    assert all(path.startswith(("(//*)[", "(//*[not(")) for path in paths.values())


@given(htmls)
def test_paths_of_a_page_may_be_of_both_kinds(html):
    paths = checked(html, longest=20)
    assert all(path.startswith("/html") == (len(path) <= 20) or "(//*" in path for path in paths.values())


HIDDEN_PARTS = """<!DOCTYPE html><!-- c --><html><head><title>t</title><script>s</script>{}</head><body><p>a</p>
<svg><g><a>q</a></g></svg><noscript><b>n</b></noscript><!-- d --><ul><li>b<i>c</i></li></ul></body></html>"""


def test_numbers_count_all_elements_of_the_document():
    numbered = checked(HIDDEN_PARTS.format(""), longest=0)
    assert list(numbered.values()) == [f"(//*)[{number}]" for number in (5, 6, 10, 11, 12, 13, 14)]


def test_numbers_do_not_count_what_is_in_templates():
    numbered = checked(HIDDEN_PARTS.format("<template><p>x<template><i>y</i></template></template>"), longest=0)
    assert list(numbered.values())[:2] == ["(//*[not(ancestor::template)])[6]", "(//*[not(ancestor::template)])[7]"]
    assert "(//*)[6]" in checked(HIDDEN_PARTS.format("<template>x</template>"), longest=0).values()


def test_numbers_select_the_same_elements_in_lxml():
    html = HIDDEN_PARTS.format("<template><p>x</p></template>")
    tree = etree.fromstring(html.replace("<!DOCTYPE html>", ""))
    selected = [tree.xpath(path) for path in checked(html, longest=0).values()]
    assert [[element.tag for element in elements] for elements in selected] == [
        [tag] for tag in ("body", "p", "noscript", "b", "ul", "li", "i")
    ]


def test_a_path_that_is_too_long_is_the_number_of_its_element():
    name = "x" + "a" * 300
    paths = list(checked(f"<{name}>" * 4 + "<p>a</p>").values())
    assert [len(path) for path in paths[1:4]] == [10 + 305 * depth for depth in (1, 2, 3)]
    assert paths[4:] == ["(//*)[7]", "(//*)[8]"]


def test_names_that_share_a_number_are_not_spelled():
    checked_names = "".join(f"<x{number}>" for number in range(3))
    with patch.object(dehusk.read.xpath, "_SHARED_TAG", parse(checked_names).tag[2]):
        assert list(xpaths(parse(checked_names), [1, 2]).values()) == ["/html/body/x0[1]", "(//*)[5]"]


def test_paths_of_a_page_are_bounded_by_its_size():
    name = "x" + "a" * 1000
    html = f"<{name}>" * 50 + "<b>" * 400 + "<p>x" * 20_000
    page = parse(html)
    paths = xpaths(page, np.flatnonzero(~page.is_text))
    assert sum(map(len, paths.values())) <= dehusk.read.xpath.PATH_CHARS + dehusk.read.xpath.PATH_SHARE * len(html)
