"""XPaths of blocks, evaluated on the parser's tree."""

import pytest
import turbohtml
from hypothesis import given

from dehusk.blocks import segment
from dehusk.page import Page
from dehusk.read import parse
from dehusk.xpath import ordinals, xpaths
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
