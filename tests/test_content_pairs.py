"""Labels with their values in elements side by side are lists in Markdown, and definition lists in HTML and TEI."""

import re
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_quick
from dehusk.blocks.layout import Nodes
from dehusk.compiled.tokens import element_names
from dehusk.read import parse
from dehusk.write.content.pairs import _are_amounts, _begins_line, _is_list, _Pairs, with_pairs
from oracle import pairs as oracle

START = "<h1>Pots</h1><p>A pot of clay holds a litre of tea, and keeps it warm for an hour."
LISTS = {
    "labels with colons": "<div><b>Weight:</b><i>5 kg</i></div><div><b>Height:</b><i>9 cm</i></div>",
    "named labels": "<div><i class=a-label>Weight</i><p>5 kg</div><div><i class=a-label>Height</i><p>9 cm</div>",
    "values in links": (
        "<div><span class=key>Weight</span> <span><a href=/5>5 kg</a></span></div> "
        "<div class=odd><span class=key>Height</span> <span><a href=/9>9 cm</a></span></div>"
    ),
    "definition lists of one pair": "<div><dl><dt>Weight<dd>5 kg</dl></div><div><dl><dt>Height<dd>9 cm</dl></div>",
    "columns": (
        "<div><div><div><b>Weight:</b><i>5 kg</i></div></div></div>"
        "<div><div><div><b>Height:</b><i>9 cm</i></div></div></div>"
    ),
}
ROWS = "<div><p>Weight<p>5 kg</div><div><p>Height<p>9 cm</div>"
OTHERS = {
    "two pairs of no names": ROWS,
    "amounts and prices": "<div><p>2 cups<p>€5</div><div><p>1 cup<p>€3</div><div><p>½ cup<p>€2</div>",
    "titles that are links": "".join(f"<div><p><a href=/{n}>Pot {n}</a><p>{n} kg</div>" for n in "abc"),
    "one label again and again": "<div><p>Ann<p>yes</div><div><p>Ann<p>no</div><div><p>Ann<p>well</div>",
    "three parts": "".join(f"<div><p>Pot {n}<p>{n} kg<p>new</div>" for n in "abc"),
    "headings": "".join(f"<div><h3>Pot {n}</h3><p>{n} kg</div>" for n in "abc"),
    "long texts": "".join(f"<div><p>Pot {n}<p>{'It is heavy, and stands well. ' * 4}</div>" for n in "abc"),
    "text between": "".join(f"<div><p>Pot {n}<p>{n} kg</div>and" for n in "abc"),
    "pictures": "".join(f"<div><p>Pot {n}<p>{n} kg <img src=/{n}.jpg alt=pot></div>" for n in "abc"),
}


def markdown_of(html: str) -> str:
    return dehusk.clean(START + html, method="keep-all").markdown


@pytest.mark.parametrize("name", LISTS)
def test_pairs_are_lists(name: str) -> None:
    document = dehusk.clean(START + LISTS[name], method="keep-all")
    assert re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", document.markdown).endswith(
        "\n\n- **Weight:** 5 kg\n- **Height:** 9 cm\n"
    )
    assert document.html.count("<dt>") == 2
    assert document.render("tei").count('<list type="gloss">') == 2
    assert dehusk.clean(document.html, method="keep-all").markdown == document.markdown


@pytest.mark.parametrize("name", OTHERS)
def test_other_elements_of_two_texts_are_none(name: str) -> None:
    assert "**" not in markdown_of(OTHERS[name])
    assert "<dl>" not in dehusk.clean(START + OTHERS[name], method="keep-all").html


def test_three_pairs_of_no_names_are_a_list() -> None:
    assert markdown_of(ROWS + "<div><p>Colour<p>red</div>").endswith("- **Height:** 9 cm\n- **Colour:** red\n")


def test_a_row_that_is_written_otherwise_is_of_the_list() -> None:
    rows = "<div class=row><p class='{0} cell'>{1}</p><p class='{0} cell'>{2}</p></div>"
    parts = (("bold", "Energy", "128"), ("", "Fat", "8 g"), ("odd", "Salt", "1 g"))
    written = markdown_of("".join(rows.format(*part) for part in parts))
    assert written.endswith("\n\n- **Energy:** 128\n- **Fat:** 8 g\n- **Salt:** 1 g\n")


def test_a_label_with_its_value_in_itself_is_none() -> None:
    row = "<div><span class=label><b>{0}</b> {1} mg</span><span class=share>{2}%</span></div>"
    written = markdown_of("".join(row.format(*part) for part in (("Fat", 43, 66), ("Salt", 188, 63), ("Fibre", 5, 9))))
    assert written.endswith("\n\n**Fat** 43 mg 66%\n\n**Salt** 188 mg 63%\n\n**Fibre** 5 mg 9%\n")


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Ann Leaf", "- **Author:** Ann Leaf\n"),
        (f"Ann Leaf, {'of the valley, ' * 8}", "**Author**\n\nAnn Leaf, "),
        ("<p>Ann Leaf<p>Bo Cup", "**Author**\n\nAnn Leaf\n"),
    ],
    ids=["short", "long", "two paragraphs"],
)
def test_one_pair_of_a_few_characters_is_an_item(description: str, expected: str) -> None:
    assert f"\n\n{expected}" in markdown_of(f"<dl><dt>Author<dd>{description}</dl>")


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("<div>Last updated:</div><div>3 May 2026</div>", "Last updated: 3 May 2026"),
        ("<span>By</span><div><a href=/ann>Ann Leaf</a></div>", "By [Ann Leaf](/ann)"),
        ("<b>Availability:</b><p>4 in stock", "**Availability:** 4 in stock"),
        ("<div>Pots</div><div>of clay</div>", "Pots\n\nof clay"),
        (f"<div>Pots:</div><div>{'They are heavy, and stand well. ' * 3}</div>", "Pots:\n\nThey"),
    ],
    ids=["a date", "a writer", "a strong label", "no label", "a long text"],
)
def test_a_label_that_stands_alone_begins_the_line_of_its_value(pair: str, expected: str) -> None:
    assert f"\n\n{expected}" in markdown_of(f"<div>{pair}</div>")


def test_amounts_and_what_they_count_are_lines() -> None:
    amounts = "<div><p class=n>300K+</p><p>Moves <b>done</b></p></div><div><p class=n>$2 bn</p><p>of trust</p></div>"
    document = dehusk.clean(START + amounts, method="keep-all")
    assert document.markdown.endswith("\n\n300K+ Moves **done**\n\n$2 bn of trust\n")
    assert document.html.count("<p><span>") == 2
    assert dehusk.clean(document.html, method="keep-all").markdown == document.markdown


@pytest.mark.parametrize(
    ("items", "lines"),
    [
        ("<li><p>Flour<p>200 g</li><li><p>Tea<p>5 g</li>", "- Flour: 200 g\n- Tea: 5 g\n"),
        ("<li><p>200 g<p>flour</li><li><p>5 g<p><b>tea</b></li>", "- 200 g flour\n- 5 g **tea**\n"),
        ("<li><p>Hot?<p>Yes.</li><li><p>Cold.<p>No.</li>", "- Hot? Yes.\n- Cold. No.\n"),
    ],
)
def test_items_of_two_short_lines_are_one(items: str, lines: str) -> None:
    assert markdown_of(f"<ul>{items}</ul>").endswith(f"\n\n{lines}")
    assert markdown_of(f"<ul>{items}<li><p>a<p>b<p>c</li></ul>").count("\n\n") > 3, "all items of a list are alike"


def test_pairs_beside_a_thread_are_lists_and_those_in_posts_stay() -> None:
    post = "<div class=post id=p{0}><b class=author>Ann {0}</b><time datetime=2026-05-03>3 May 2026</time>"
    post += "<p>The {0} pot of clay keeps tea warm for an hour, if the lid is on it.{1}</div>"
    thread = "".join(post.format(n, LISTS["labels with colons"] if n == 2 else "") for n in range(4))
    written = markdown_of(LISTS["labels with colons"] + thread)
    assert "- **Weight:** 5 kg\n- **Height:** 9 cm\n" in written
    assert written.count("Weight") == 2


def check(html: str, random: Random) -> None:
    """Compare the pairs of some nodes of a page, with all elements above them, with those of the oracle."""
    page = parse(html)
    texts = [node for node in page.is_text.nonzero()[0].tolist() if random.random() < 0.9]
    above = {outer for node in texts for outer in oracle.lineages(page)[node]} - {0}
    nodes: Nodes = np.array(sorted(above), dtype=np.intp)
    names = element_names(page, nodes)
    found = dict(zip(nodes.tolist(), names.tolist(), strict=True))
    for run in oracle.runs(page, nodes.tolist(), names.tolist()):
        pairs, is_alone = _Pairs(*nodes.searchsorted(np.array(run).T)), len(run) == 1
        is_list = not is_alone and _is_list(page, nodes, pairs)
        is_line = _begins_line(page, nodes, pairs) if is_alone else _are_amounts(page, nodes, pairs)
        own = ("dl", "dt", "dd") if is_list else ("p", "span", "span") if is_line else ()
        marks = {"b", "dfn", "em", "i", "strong"} if is_alone else set[str]()
        renamed = {node: name for pair in run for node, name in zip(pair, own, strict=False)}
        found |= {node: name for node, name in renamed.items() if found[node] not in marks}
    assert with_pairs(page, nodes, names)[0].tolist() == list(found.values())


cells = st.sampled_from(
    ("a", "A b", "Weight:", "5 kg", "7", " ", "", "<a href=/>x</a>", "<b>y</b>", "<img>", "z" * 50, "<p>d")
)
sides = st.builds(
    "<{0}{1}>{2}</{0}>".format, st.sampled_from(("b", "div", "h2")), st.sampled_from(("", " class=key")), cells
)
holders = st.lists(st.one_of(sides, cells), min_size=1, max_size=3).map(lambda parts: f"<div>{''.join(parts)}</div>")


@settings(max_examples=300)
@given(
    st.lists(st.one_of(holders, holders.map(lambda own: f"<div>{own}</div>"), sides), max_size=7),
    st.randoms(use_true_random=False),
)
def test_pairs_of_random_elements(parts: list[str], random: Random) -> None:
    check("".join(parts), random)


@pytest.mark.parametrize("name", [*LISTS, *OTHERS])
def test_pairs_of_pages(name: str) -> None:
    for seed in range(3):
        check((START + (LISTS | OTHERS)[name]) * 2, Random(seed))  # noqa: S311 (nothing secret)


def test_many_pairs_take_little_time() -> None:
    document = dehusk.clean(START + "".join(f"<div><b>Part {n}:</b><i>{n} kg</i></div>" for n in range(20_000)))
    assert_quick(lambda: document.markdown, 20)


def test_pairs_that_are_the_items_of_a_list_are_no_lists_in_it() -> None:
    item = "<li><div><strong class=name>{}:</strong><span class=value>{}</span></div></li>"
    pairs = "".join(
        item.format(*pair) for pair in (("Type", "Bug"), ("Status", "<span>Open</span>"), ("Version", "2.1"))
    )
    written = dehusk.clean(f"{START}<ul>{pairs}</ul>").markdown
    assert "- **Type:** Bug\n- **Status:** Open\n- **Version:** 2.1" in written
