"""Elements of pages and of Markdown, their comparison, and the bench that reads Markdown back."""

import sys
from pathlib import Path

import pytest

from dehusk import clean, parse
from dehusk.base.errors import GoldError
from dehusk.lab.gold.datasets import Sample
from dehusk.read.page import Page

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import markdown_back
import structure
from elements import ELEMENT_KINDS, Element, ElementCounts, compare_elements, ink, unmatched
from kept_elements import kept_elements
from kernel_pages import kernel_page
from markdown_elements import read_markdown
from structure_labels import PlacedElement, StructureLabels, of_page, read_structure_labels

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
| e | f |
"""

PAGE = """<html><body><h1>Green <em>tea</em></h1>
<p>Water at <a href="https://tea.example/water">75 °C</a> and <code>code</code>.</p>
<ul><li>one<ol><li>inner <b>one</b></li><li>inner two<p>with more</p></li></ol></li><li>two</li></ul>
<pre>def brew():
    return 1
</pre>
<table><tr><td>a</td><td>b</td></tr><tr><td></td><td>d</td></tr><tr><td>e</td><td>f</td></tr></table>
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
    Element("cell", "e", (2, 0)),
    Element("cell", "f", (2, 1)),
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


def test_footnotes_are_links_and_text() -> None:
    read = read_markdown(
        "A[^1] and `x`, b[^*], c[^9].\n\n[^1]: First.\n\n    - more\n[^*]: https://tea.example\n\nEnd.\n"
    )
    assert read.notes == 2
    assert ink(read.text) == "A1andx,b*,c[^9].First.morehttps://tea.exampleEnd."
    assert read.elements == [
        Element("link", "1", ("#%5E1",)),
        Element("link", "*", ("#%5E*",)),
        Element("item", "more", (0, "ul")),
    ]
    html = '<p>A<sup><a href="#n">1</a></sup>.</p><ol><li id="n">Note. <a href="#r">↩</a></li></ol><p id="r">B</p>'
    labels = clean(html.replace("<sup>", '<sup id="r">').replace(' id="r">B', ">B"), method="keep-all").labels
    assert [kept.element.kind for kept in kept_elements(labels)] == ["item", "link", "link"]
    assert [kept.element.kind for kept in kept_elements(labels, notes=True)] == ["link"]


def test_a_page_has_the_elements_of_its_kept_nodes() -> None:
    labels = clean(PAGE, method="keep-all").labels
    assert sorted(kept.element for kept in kept_elements(labels)) == sorted(ELEMENTS)


def test_cells_stand_in_their_columns_despite_spans() -> None:
    page = """<table><tr><th rowspan=2>k</th><th colspan=2>wide</th><th>x</th></tr>
    <tr><td>1</td><td>2</td><td>3</td></tr></table>"""
    found = {kept.element.text: kept.element.place for kept in kept_elements(clean(page, method="keep-all").labels)}
    assert found == {"k": (0, 0), "wide": (0, 1), "x": (0, 3), "1": (1, 1), "2": (1, 2), "3": (1, 3)}
    assert [cell.place for cell in read_markdown("| |a| |b|\n|-|-|-|-|\n| | | | |\n| |c| | |\n").elements] == [
        (0, 0),
        (0, 1),
        (1, 0),
    ]


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


def test_a_title_added_to_the_kept_text_is_not_compared() -> None:
    page = "<title>Tea</title><p>Water.</p><h2>Leaves</h2>"
    document = clean(page, method="keep-all")
    read = markdown_back.without_added_title(read_markdown("# Tea\n\nWater.\n\n## Leaves"), document)
    assert ([element.text for element in read.elements], ink(read.text)) == (["Leaves"], "Water.Leaves")
    below = clean("<title>Tea</title><p>3 May</p><h1>Tea</h1>", method="keep-all")
    kept = markdown_back.without_added_title(read_markdown("3 May\n\n# Tea"), below)
    assert ([element.text for element in kept.elements], ink(kept.text)) == (["Tea"], "3MayTea")


def test_headings_in_items_may_be_written_in_two_ways() -> None:
    page = "<h2>Teas</h2><ul><li><h3>Green</h3><p>Fresh.<li><h3>Black</h3></ul><ol><li><h3>Green</h3><li>Brew.</ol>"
    document = clean(page, method="keep-all")
    kept = markdown_back.page_elements(document, notes=False)
    for markdown, headings in (
        ("## Teas\n\n### Green\n\nFresh.\n\n### Black\n\n1. **Green**\n2. Brew.", 0),
        ("## Teas\n\n- ### Green\n\n  Fresh.\n\n- ### Black\n\n1. ### Green\n2. Brew.", 3),
    ):
        read = read_markdown(markdown)
        assert read.headings_in_items == headings
        rest, left = markdown_back.without_cards(kept, read.elements, document)
        assert markdown_back.counts(rest, left) == {"h2": (1, 1)}
    rest, left = markdown_back.without_cards(kept, read_markdown("## Teas\n\n### Mugs\n\n### Green").elements, document)
    assert left == [Element("heading", "Teas", (2,)), Element("heading", "Mugs", (3,))]


def test_links_to_one_address_that_follow_each_other_are_one() -> None:
    links = [
        Element("link", text, (address,))
        for text, address in (("a", "/x%20y"), ("b", "/x y"), ("c", "/z"), ("d", "/x"))
    ]
    assert [link.text for link in markdown_back.joined(links)] == ["ab", "c", "d"]


PAGE_OF_MENUS = b"""<html><head><base href="https://tea.example/a/"></head><body class=husk>
<div id=menu><a href="/">Home</a><img src=logo.png></div>
<div id=main class=hidden style="display:none"><h2>Green tea<a href="#tea">\xc2\xb6</a></h2>
<p id=tea>Drink <a href=it>it</a>.</p>
<ul><li>one<ul><li>inner</li></ul></li><li><h3>Section</h3>text</li></ul>
<table><tr><th colspan=2>wide</th></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td><td></td></tr></table>
<pre><code class=language-py>  x = 1</code></pre>
<p><img src=blank.gif data-src=leaf.jpg> </p><a href=b>By <div>Ann</div></a></div>
<div id=foot>Imprint</div></body></html>"""


def structure_of_menus() -> tuple[Page, StructureLabels]:
    page = parse(PAGE_OF_MENUS)

    def spans(*texts: str) -> tuple[tuple[int, int], ...]:
        return tuple((page.text.index(text), page.text.index(text) + len(text)) for text in texts)

    elements = [
        ("heading", (2,), spans("Green tea")),
        ("link", (), ((page.text.index("Drink it") + 6, page.text.index("Drink it") + 8),)),
        ("item", (0, "ul"), spans("one")),
        ("item", (1, "ul"), spans("inner")),
        ("heading", (3,), spans("Section")),
        ("cell", (0, 0, 1, 2), spans("wide")),
        *(("cell", (row, column, 1, 1), spans(text)) for text, row, column in (("1", 1, 0), ("2", 1, 1), ("3", 2, 0))),
        ("code", (), spans("  x = 1")),
        ("link", (), spans("By ", "Ann")),
        ("image", (1,), ()),
    ]
    kernel = ((page.text.index("Green tea"), page.text.index("Imprint") - 1),)
    optional = (PlacedElement("item", (0, "ul"), spans("Section", "text")),)
    gold = tuple(PlacedElement(*each) for each in elements)
    return page, of_page("teas", "1", PAGE_OF_MENUS, page, kernel=kernel, elements=gold, optional=optional)


def test_a_kernel_page_has_the_kernel_with_nothing_that_hides_it_or_tells_it_apart() -> None:
    html = kernel_page(*structure_of_menus())
    assert all(
        text not in html for text in ("Home", "Imprint", "logo.png", "husk", "hidden", "display", "menu", "main")
    )
    assert '<p id="tea">Drink <a href="it">it</a>.</p>' in html
    assert '<code class="language-py">  x = 1</code>' in html
    assert "<tr><td>3</td><td></td></tr>" in html
    assert '<img src="blank.gif" data-src="leaf.jpg">' in html


def test_what_a_tool_writes_is_compared_with_the_gold_in_its_terms() -> None:
    gold = structure.GoldPage(structure_of_menus()[1], Sample("teas", "1", PAGE_OF_MENUS, None, None, None, None))
    written = """## Green tea\n\nDrink [it](https://tea.example/a/it).\n\n- one\n  - inner\n- ### Section\n  text

| wide | wide |\n|-|-|\n| 1 | 2 |\n| 3 | |\n\n```\n  x = 1\n```\n\n![](leaf.jpg) [By](b) [Ann](b)\n"""
    found = gold.seen(read_markdown(written).elements)
    assert unmatched(gold.elements, found) == ([], [])
    wrong = gold.seen(
        read_markdown("# Green tea\n\n[it](there)\n\n1. one\n\n![](blank.gif)\n\n```\nx = 1\n```").elements
    )
    counts = compare_elements(gold.elements, wrong)
    assert sum(count.right for count in counts.values()) == 0
    assert [counts[kind].by_text for kind in ELEMENT_KINDS] == [1, 1, 0, 0, 1, 1]


def test_labels_of_structure_are_read_as_written_and_fit_one_page_only(tmp_path: Path) -> None:
    page, labels = structure_of_menus()
    file = tmp_path / "structure.jsonl"
    file.write_text(labels.line() * 2)
    assert read_structure_labels(file) == [labels, labels]
    labels.check(PAGE_OF_MENUS, page)
    with pytest.raises(GoldError, match="teas/1: the page has changed"):
        labels.check(PAGE_OF_MENUS + b" ", page)
    with pytest.raises(GoldError, match="read otherwise"):
        labels.check(PAGE_OF_MENUS, parse("<p>other</p>"))
    file.write_text(labels.line().replace("heading", "headline"))
    with pytest.raises(GoldError, match=r"line 1: malformed labels of structure: unknown kind 'headline'"):
        read_structure_labels(file)


def test_the_labelled_pages_have_all_kinds_of_elements() -> None:
    pages = read_structure_labels(structure.LABELS)
    assert len({page.page for page in pages}) == 60
    for page in pages:
        ends = [span[-1][1] for element in page.elements if (span := element.spans)]
        assert page.kernel[-1][1] >= max(ends)
    kinds = [element.kind for page in pages for element in page.elements]
    assert all(kinds.count(kind) > 100 for kind in ELEMENT_KINDS)
