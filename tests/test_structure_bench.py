"""Elements of pages and of Markdown, their comparison, and the bench that reads Markdown back."""

import sys
from pathlib import Path

import pytest

from dehusk import clean
from dehusk.evaluate.kept_structure import kept_elements
from dehusk.evaluate.markdown_elements import read_markdown
from dehusk.measures.structure import Element, ElementCounts, compare_elements, ink, unmatched

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import markdown_back

MARKDOWN = """# Green *tea*

Water at [75 °C](https://tea.example/water "title") and `code`.

- one
  1. inner **one**
  2. inner two

     with more
- two ![leaf](leaf.png)

```python
def brew():
    return 1
```

|   |   |
|---|---|
| a | b |
|   | d |
"""

PAGE = """<html><body><h1>Green <em>tea</em></h1>
<p>Water at <a href="https://tea.example/water">75 °C</a> and <code>code</code>.</p>
<ul><li>one<ol><li>inner <b>one</b></li><li>inner two<p>with more</p></li></ol></li><li>two</li></ul>
<pre>def brew():
    return 1
</pre>
<table><tr><td>a</td><td>b</td></tr><tr><td></td><td>d</td></tr></table>
<p><a href="javascript:go()">Act</a> <a name="x">Named</a></p></body></html>"""

ELEMENTS = [
    Element("heading", "Greentea", (1,)),
    Element("link", "75°C", ("https://tea.example/water",)),
    Element("item", "one", (0, "ul")),
    Element("item", "innerone", (1, "ol")),
    Element("item", "innertwowithmore", (1, "ol")),
    Element("item", "two", (0, "ul")),
    Element("code", "def brew():"),
    Element("code", "    return 1"),
    Element("cell", "a", (0, 0)),
    Element("cell", "b", (0, 1)),
    Element("cell", "d", (1, 1)),
]


def test_markdown_has_the_elements_that_a_reader_sees() -> None:
    read = read_markdown(MARKDOWN)
    assert [element for element in read.elements if element.kind != "image"] == ELEMENTS
    assert [element for element in read.elements if element.kind == "image"] == [Element("image", "", ("leaf.png",))]
    assert ink(read.text).startswith("GreenteaWaterat75°Candcode.oneinneroneinnertwowithmoretwodefbrew")
    assert (read.listings, read.raw_tags, read.entities, read.empty) == (1, [], 0, 0)


def test_what_markdown_should_not_contain_is_counted() -> None:
    read = read_markdown(
        "a&#160;b `&#160;` [](x) [c]() ![](y) 10<sup>6</sup>\n\n<table><tr><td>e</td><td></td></tr></table>"
    )
    assert (read.entities, read.empty, read.raw_cells) == (1, 2, 1)
    assert read.raw_tags == ["sup", "sup", "table", "tr", "td", "td", "td", "td", "tr", "table"]
    assert ink(read.text) == "ab&#160;c106e"


def test_a_page_has_the_elements_of_its_kept_nodes() -> None:
    labels = clean(PAGE, method="keep-all").labels
    assert sorted(kept.element for kept in kept_elements(labels)) == sorted(ELEMENTS)


def test_cells_stand_in_their_columns_despite_spans() -> None:
    page = """<table><tr><th rowspan=2>k</th><th colspan=2>wide</th><th>x</th></tr>
    <tr><td>1</td><td>2</td><td>3</td></tr></table>"""
    found = {kept.element.text: kept.element.place for kept in kept_elements(clean(page, method="keep-all").labels)}
    assert found == {"k": (0, 0), "wide": (0, 1), "x": (0, 3), "1": (1, 1), "2": (1, 2), "3": (1, 3)}


def test_elements_are_matched_by_text_and_by_place() -> None:
    gold = [Element("heading", "a", (1,)), Element("heading", "b", (2,)), Element("heading", "b", (2,))]
    found = [Element("heading", "b", (2,)), Element("heading", "a", (3,)), Element("heading", "c", (1,))]
    counts = compare_elements(gold, found)["heading"]
    assert counts == ElementCounts(gold=3, found=3, by_text=2, right=1)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert unmatched(gold, found) == ([gold[0], gold[1]], [found[1], found[2]])
    assert ElementCounts().f1 == 1


@pytest.mark.parametrize(
    ("text", "rendered", "fault"),
    [
        ("a b\n\n- c\n  1. d\n", "ab\nc\nd", ""),
        ("1. May\n", "1. May", ""),
        ("a\tb\n", "a\tb", ""),
        ("a b\n", "a", "text 'a b'"),
        ("a\n", "a c", "Markdown goes on: 'c'"),
        ("- a\n", "ba", "text '- a'"),
    ],
)
def test_text_is_compared_without_marks_of_lists(text: str, rendered: str, fault: str) -> None:
    found = markdown_back.text_fault(text, rendered)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)


def test_links_to_one_address_that_follow_each_other_are_one() -> None:
    links = [
        Element("link", text, (address,))
        for text, address in (("a", "/x%20y"), ("b", "/x y"), ("c", "/z"), ("d", "/x"))
    ]
    assert [link.text for link in markdown_back.joined(links)] == ["ab", "c", "d"]
