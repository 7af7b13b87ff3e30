"""The names of the elements of a cleaned page against what defines them."""

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.base.tags import TEXT, numbers
from dehusk.compiled.tokens import element_names
from dehusk.read import parse
from dehusk.read.page import Page
from oracle import cases
from oracle import element_names as oracle
from oracle.tree import lineages
from strategies import htmls


def check(page: Page, random: Random) -> None:
    """Compare the names of nodes of which all that they lie in is kept, too, and of any others."""
    some = {node for node in range(1, len(page)) if random.random() < 0.4}
    whole = {outer for node in some for outer in lineages(page)[node]} - {0}
    for nodes in (sorted(some), sorted(whole), list(range(len(page)))):
        assert element_names(page, np.array(nodes, dtype=np.intp)).tolist() == oracle.element_names(page, nodes)


ODD = (
    "<math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>",
    *("<table><tr><td>a", "<table><caption>b</caption><tbody><tr><th>c", "</table>", "<thead>", "<tr>", "<td>"),
    *("<tfoot>", "<table><tr><td>", "<table><tr>d", "<table><tr><form><td>e", "<table><colgroup><col>"),
    *("<select><tr><td>f", "<caption>", "<a href=x>g", "<a href=x><table><td><a href=y>h"),
    *("<a href=x><button><a href=y>i", "<object><a href=z>j", "</a>", "<math><mi>k</mi></math>"),
    *("<math><mrow><mi>l<mn>1</mrow><p>", "<math><mtext><b>m</b></mtext></math>", "<mi>n</mi>"),
    *("<math><semantics><math><mi>o</mi></math><annotation-xml>", "<math><mtext>", "</math>", "<math></math>", "<x-y>"),
    *("<listing>p", "<menu>q", "<strike>r", "<tt>s</tt>", "<acronym>t</acronym>", "<dialog>u", "<font>v", "<center>w"),
    *("<svg><foreignobject><table>", "<template><tr><td>x</template>", "<table><template>"),
    *("<table><tr><td><tr>", "<br><wbr>"),
)
odd_htmls = st.lists(st.one_of(st.sampled_from(ODD), st.sampled_from(ODD), htmls), max_size=7).map("".join)


@settings(max_examples=50)
@given(odd_htmls, st.randoms(use_true_random=False))
def test_names_in_random_pages(html: str, random: Random) -> None:
    check(parse(html), random)
    check(parse(f"<math><mi>x{html}"), random)


PARTS = numbers("table tbody tr td caption a")


def test_names_in_trees_that_no_parser_makes() -> None:
    page, random = parse("<div><div><div>a</div></div></div>"), Random(1)  # noqa: S311 (nothing secret)
    for tags in product(PARTS.tolist(), repeat=3):
        check(replace(page, tag=np.array([page.tag[0], *tags, TEXT], dtype=np.uint16)), random)


def test_names_in_pages() -> None:
    random = Random(8)  # noqa: S311 (nothing secret)
    for source in (*(part.encode() for part in ODD), *cases.sources(5)):
        page = parse(source)
        if len(page) < 300:
            check(page, random)
