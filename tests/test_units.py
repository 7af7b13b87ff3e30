"""Units of small pages: lists, tables, records and sections, which nest; and the blocks that are decided together.

A page is written down as the texts of its blocks, with each unit in brackets after its kind: "list(item(a) item(b))".
"""

from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_quick
from dehusk import Unit
from dehusk.blocks import segment
from dehusk.blocks.units import UNIT_KINDS, decision_groups, fields, find_units, is_bound
from dehusk.read import parse
from strategies import htmls

SENTENCE = "This is a sentence of ten words in some text. "


def outline(html: str, *omit: str) -> str:
    """Return a page's units and the first words of its blocks; `omit` are kinds of units that are left out."""
    blocks = segment(parse(html))
    units, written = find_units(blocks), []
    for block, text in enumerate(blocks.texts):
        opened = [UNIT_KINDS[kind] for kind in units.kind[units.first == block].tolist()]
        closed = [UNIT_KINDS[kind] for kind in units.kind[units.end == block + 1].tolist()]
        start = "".join(f"{kind}(" for kind in opened if kind not in omit)
        written.append(start + text.split()[0] + ")" * len([kind for kind in closed if kind not in omit]))
    return " ".join(written)


def groups(html: str) -> str:
    """Return a page's decision groups: the first words of the blocks of each group, separated by semicolons."""
    blocks = segment(parse(html))
    return _grouped(blocks.texts, decision_groups(blocks).tolist())


def field_groups(html: str) -> str:
    """Return the blocks of each field, as `groups`, without blocks outside records."""
    blocks = segment(parse(html))
    inside = [(text, field) for text, field in zip(blocks.texts, fields(blocks).tolist(), strict=True) if field >= 0]
    return _grouped([text for text, _ in inside], [field for _, field in inside])


def _grouped(texts: list[str], numbers: list[int]) -> str:
    grouped: dict[int, list[str]] = {}
    for text, number in zip(texts, numbers, strict=True):
        grouped.setdefault(number, []).append(text.split()[0])
    return "; ".join(" ".join(words) for words in grouped.values())


def test_lists_and_items() -> None:
    html = "<ul><li>a<li>b<ul><li>c</ul></ul><p>d"
    assert outline(html) == "list(item(a) item(b list(item(c)))) paragraphs(d)"
    assert groups(html) == "a b; c; d"


def test_a_list_of_one_item_is_a_list_and_an_empty_one_is_none() -> None:
    assert outline("<ul><li>a</ul><ol></ol><ul><li> </ul>") == "list(item(a))"


def test_items_are_decided_together_whether_they_are_links_or_not() -> None:
    assert groups("<ul><li><a href=x>a</a><li>b<li><b>c</b></ul>") == "a b c"


def test_definitions() -> None:
    html = "<dl><dt>a<dt>b<dd>c<dt>d<dd>e<dd>f</dl>"
    assert outline(html) == "definitions(item(a b c) item(d e f))"
    assert field_groups(html) == groups(html) == "a b d; c e f"


def test_a_data_table() -> None:
    html = "<table><caption>a</caption><tr><th>b<th>c<tr><td>d<td>e<tr><td>f<td>g</table>"
    assert outline(html) == "table(a row(b c) row(d e) row(f g))"
    assert groups(html) == "a b c d e f g"
    units = find_units(segment(parse(html)))
    assert units.is_header.tolist() == [False, True, False, False]
    assert units.members.tolist() == [3, 0, 0, 0]


@pytest.mark.parametrize(
    "cell",
    [
        "<h2>d</h2>",
        "<pre>d\ne</pre>",
        "<table><tr><td>d</table>",
        f"d {SENTENCE * 20}<p>e",
        f"d {SENTENCE * 80}",
        "d<br>e<br>f<br>g<br>h<br>i",
    ],
    ids=["heading", "preformatted", "nested table", "running text", "huge", "many blocks"],
)
def test_a_table_for_layout(cell: str) -> None:
    assert "table" not in outline(f"<table><tr><td>a<td>b<tr><td>c<td>{cell}</table>")


@pytest.mark.parametrize(
    "head", ["<caption><h4>a</h4></caption>", "<tr><th><h3>a</h3><th>b", "<thead><tr><td><h3>a</h3>"]
)
def test_a_heading_may_head_a_table(head: str) -> None:
    assert outline(f"<table>{head}<tr><td>c<td>d<tr><td>e<td>f</table>").startswith("table(")


@pytest.mark.parametrize("row", ["<td colspan=2><h3>a</h3>", "<td><h3>a</h3><td>", "<td><div><h3>a</h3></div>"])
def test_a_heading_alone_in_its_row_may_head_the_rows_below(row: str) -> None:
    rows = "<tr><td>c<td>d<tr><td>e<td>f"
    assert outline(f"<table><tr>{row}{rows}<tr>{row}{rows}</table>").startswith("table(")
    assert "table" not in outline(f"<table><tr>{row}<tr><td>c<td><h3>d</h3>{rows}</table>")


PAPERS = "<br>".join(f"<a href=/{number}>{SENTENCE * 2}</a>" for number in range(9))


def test_links_are_no_running_text_below_header_cells() -> None:
    rows = f"<tr><td>1 May<br>in the tea room<td>{PAPERS}<tr><td>2 May<br>in the tea room<td>"
    assert outline(f"<table><tr><th>Meeting<th>Papers{rows}</table>").startswith("table(")
    assert "table" not in outline(f"<table><tr><td>Meeting<td>Papers{rows}</table>")
    assert "table" not in outline(f"<table><tr><th>Meeting<th>Papers{rows.replace('a href', 'b id')}</table>")


HEAD = "<tr><th>Thread<th>Views"
ROWS = "<tr><td><h3>Sencha</h3>by Ann<p>Latest by Bo<td>29" * 8
LONG = f"<tr><td>a {SENTENCE * 40}<p>b<td>c"


@pytest.mark.parametrize(
    ("rows", "is_data"),
    [
        (HEAD + ROWS, True),
        (HEAD + ROWS + LONG, True),
        (HEAD + LONG * 3, False),
        (HEAD + ROWS + "<tr><td>a<td>b<td>c", False),
        (HEAD + ROWS + "<tr><td colspan=2>all", True),
        ("<tr><td>Tea<td>Cups" + HEAD + ROWS, False),
        (HEAD.replace("<th>Views", "<td>Views") + ROWS, False),
        (HEAD + ROWS + "<tr><td><pre>a\nb</pre><td>b", False),
        (HEAD + ROWS + "<tr><td><table><tr><td>a</table><td>b", False),
        (HEAD + "<tr><td>a<br>b<br>c<br>d<br>e<br>f<td>a<br>b<br>c<br>d<br>e<br>f" * 3, False),
        (HEAD + "<tr><td><h3>Sencha</h3><td>29", False),
    ],
    ids=[
        "threads",
        "a long cell",
        "long cells",
        "uneven",
        "a line",
        "no first row",
        "no header row",
        "code",
        "nested",
        "many blocks",
        "one row",
    ],
)
def test_a_row_of_header_cells_makes_a_table_whatever_the_cells_hold(rows: str, is_data: bool) -> None:
    assert outline(f"<table>{rows}</table>").startswith("table(row(") == is_data


def test_one_row_is_a_table_only_with_header_cells() -> None:
    assert outline("<table><tr><td>a<td>b</table>") == "a b"
    assert outline("<table><tr><th>a<td>b</table>") == "table(row(a b))"


def test_a_listing_is_one_unit() -> None:
    html = "<pre><code>a\nb\n</code></pre><code><div>c</div><div>d</div></code><p><code>e</code>"
    assert outline(html) == "listing(a b) listing(c d) paragraphs(e)"
    assert groups(html) == "a b; c d; e"


def test_a_figure_with_its_caption() -> None:
    assert outline("<p>a<figure><img alt=b><figcaption>c</figcaption></figure>") == "paragraphs(a) figure(c)"


def test_paragraphs_and_lines() -> None:
    assert outline("<p>a<p>b<hr><p>c<h2>d</h2><p>e") == "paragraphs(a b c) section(d paragraphs(e))"
    assert outline("<div>a<br>b</div><div class=x>c</div>") == "paragraphs(a b) c"


def test_sections_nest_by_level() -> None:
    html = "<h1>a</h1><p>b<h2>c</h2><p>d<h3>e</h3><p>f<h2>g</h2><p>h"
    assert outline(html, "paragraphs") == "section(a b section(c d section(e f)) section(g h))"


def test_a_heading_without_text_is_no_section() -> None:
    assert outline("<h2>a</h2><h2>b</h2><p>c") == "a section(b paragraphs(c))"


def test_a_section_ends_with_the_element_that_has_its_text() -> None:
    html = f"<div><div><h1>a</h1></div><p>b {SENTENCE * 3}</div><div>c</div><div><h3>d</h3></div>"
    assert outline(html, "paragraphs") == "section(a b) c d"


@pytest.mark.parametrize("text", ["ข้อความภาษาไทยไม่มีช่องว่างระหว่างคำ" * 6, "中文文字之间没有空格" * 6])
def test_a_section_in_a_script_without_spaces_ends_with_the_element_that_has_its_text(text: str) -> None:
    html = f"<div><div><h1>a</h1></div><div>{text}</div></div><div>c</div>"
    assert outline(html, "paragraphs") == f"section(a {text}) c"


def test_a_section_ends_before_the_list_with_the_next_heading() -> None:
    html = "<body><h2>a</h2>b<ul><li>c<li><h2>d</h2>e</ul>"
    assert outline(html) == "section(a b) list(item(c) item(section(d e)))"


POST = "<div class='post {}' id=p{}><b class=name>{}</b><div class=text><p>{}<p>{}</div></div>"
POSTS = [POST.format("odd" if i % 2 else "even", i, *"abcdefghi"[3 * i :][:3]) for i in range(3)]


def test_records() -> None:
    html = "".join(POSTS)
    assert outline(html, "paragraphs") == "records(record(a b c) record(d e f) record(g h i))"
    assert field_groups(html) == groups(html) == "a d g; b c e f h i"


def test_records_with_advertisements_between() -> None:
    html = f"<div class=ad>x</div>{POSTS[0]}<div class=ad>y</div>{POSTS[1]}{POSTS[2]}"
    assert outline(html, "paragraphs") == "x records(record(a b c) y record(d e f) record(g h i))"
    assert groups(html) == "x; a d g; b c e f h i; y"


def test_records_in_reversed_source_order() -> None:
    html = "".join(reversed(POSTS))
    assert groups(html) == "g d a; h i e f b c"


@pytest.mark.parametrize("direction", ["rtl", "ltr"])
def test_records_in_arabic(direction: str) -> None:
    html = "".join("<article class=card><h3>عنوان</h3><p>نص</p></article>" for _ in range(3))
    assert groups(f"<div dir={direction}>{html}</div>") == "عنوان عنوان عنوان; نص نص نص"


def test_separators_of_a_list_are_no_records() -> None:
    advertisement = "<div class=ad>x</div>"
    assert "record" not in outline("".join(f"<p>{word}" + advertisement * (word in "ceh") for word in "abcdefghi"))


def test_one_post_is_no_list_of_records() -> None:
    assert "record" not in outline(f"<h1>x</h1>{POSTS[0]}<div class=footer>y</div>")


def test_two_posts_are_records_by_their_class_name() -> None:
    assert outline(POSTS[0] + POSTS[1], "paragraphs") == "records(record(a b c) record(d e f))"
    assert "record" not in outline((POSTS[0] + POSTS[1]).replace("class='post ", "class='x "))


def test_two_lists_of_records_on_a_page() -> None:
    cards = "".join(f"<div class=card><a>{name}</a><p>{name}1</div>" for name in "xyz")
    html = f"<div>{''.join(POSTS)}</div><div>{cards}</div>"
    assert groups(html) == "a d g; b c e f h i; x y z; x1 y1 z1"
    html = f"<div>{''.join(POSTS)}{cards}</div>"
    assert outline(html, "paragraphs", "record") == "records(a b c d e f g h i) records(x x1 y y1 z z1)"


def test_records_of_several_siblings() -> None:
    html = "".join(f"<h3>{title}</h3><p>{title}1<p>{title}2" for title in "abc")
    assert outline(html, "paragraphs", "section") == "records(record(a a1 a2) record(b b1 b2) record(c c1 c2))"
    assert groups(html) == "a b c; a1 a2 b1 b2 c1 c2"


def test_sections_of_an_article_are_no_records() -> None:
    html = "<h2>a</h2><p>b<h2>c</h2><p>d<p>e<ul><li>f</ul><h2>g</h2><p>h<p>i<p>j"
    assert "record" not in outline(html)


def test_records_of_two_table_rows() -> None:
    rows = "".join(
        f"<tr class=thing><td>{n}<td><h4>{n}1</h4><tr><td><td>{n}2<tr class=spacer><td></td>" for n in "abcd"
    )
    html = f"<table>{rows}</table>"
    assert outline(html, "section") == "records(record(a a1 a2) record(b b1 b2) record(c c1 c2) record(d d1 d2))"
    assert groups(html) == "a b c d; a1 b1 c1 d1; a2 b2 c2 d2"


def test_columns_of_a_layout_table_are_different_fields() -> None:
    rows = "".join(f"<tr><td>{n}<td><h4>{n}1</h4>{n}2" for n in "abc")
    assert groups(f"<table>{rows}</table>") == "a b c; a1 b1 c1; a2 b2 c2"


def test_siblings_with_other_classes_but_the_same_elements_are_alike() -> None:
    html = "".join(f"<div class={name}><b class=t>{name}</b><p>{name}1</div>" for name in ("first", "mid", "last"))
    assert outline(html, "paragraphs") == "records(record(first first1) record(mid mid1) record(last last1))"


def test_the_skeleton_of_a_page_is_no_list_of_records() -> None:
    html = (
        "<div id=top><img alt=x><a>a</a></div><div id=main><h1>b</h1><p>c<blockquote>d</blockquote></div>"
        "<div id=foot><form><label>e</label></form></div>"
    )
    assert "record" not in outline(html)
    assert "record" not in outline(html.replace("id=", "x="))


def test_paragraphs_and_inline_elements_are_no_records() -> None:
    assert "record" not in outline("<p>a<p>b<p>c<p>d" + "<span>x</span> <span>y</span> <span>z</span>")
    assert "record" not in outline("<p class=x>a<p class=x>b<p class=x>c<p class=x>d")


REPLY = "<div class=comment><p>{}</p>{}</div>"


def test_lists_of_records_at_the_same_path_of_records_share_fields() -> None:
    post = (
        "<div class=post><p>{0}</p><div class=facts><div class=fact>{0}1</div><div class=fact>{0}2</div>{1}</div></div>"
    )
    third = "<div class=fact>{}3</div>"
    html = "".join(post.format(name, third.format(name)) for name in "abc")
    assert groups(html) == "a b c; a1 a2 a3 b1 b2 b3 c1 c2 c3"


def test_lists_in_many_records_are_decided_together() -> None:
    post = "<div class=post><p>{0}</p><ul><li class=share>{0}1<li>{0}2</ul></div>"
    assert groups("".join(map(post.format, "ab"))) == "a b; a1 a2; b1 b2"
    assert groups("".join(map(post.format, "abcde"))) == "a b c d e; a1 b1 c1 d1 e1; a2 b2 c2 d2 e2"


def test_comments_with_replies() -> None:
    html = REPLY.format("a", REPLY.format("b", "")) + REPLY.format("c", "") + REPLY.format("d", REPLY.format("e", ""))
    assert outline(html, "paragraphs") == "records(record(a records(record(b))) record(c) record(d records(record(e))))"
    assert groups(html) == "a b c d e"


def test_a_thread_of_nested_posts() -> None:
    html = REPLY.format("a", REPLY.format("b", REPLY.format("c", "")))
    assert groups(html) == "a b c"


def test_parts_of_posts_that_are_named_like_posts_are_no_records() -> None:
    html = "".join(f"<li class=item><div class=Comment><b>{name}</b><p>{name}1</div>" for name in "abc")
    assert "record" not in outline(f"<ul>{html}</ul>")


def test_items_with_several_blocks_have_fields() -> None:
    html = "<ol><li><h3>a</h3><p>b<li><h3>c</h3><p>d</ol><ul><li>e</ul>"
    assert field_groups(html) == "a c; b d"
    assert groups(html) == "a c; b d; e"


def test_the_units_of_a_document() -> None:
    document = dehusk.clean("<h2>a</h2><ul><li>b c<li>d</ul>", method="keep-all")
    kept = replace(document, labels=replace(document.labels, kept=np.array([True, True, False])))
    assert kept.units == [
        Unit("section", (0, 3), None, 0, False, 0.75, 1.0, None, (0, 5)),
        Unit("list", (1, 3), 0, 2, False, 0.6667, 1.0, "/html/body/ul[1]", (1, 5)),
        Unit("item", (1, 2), 1, 0, False, 1.0, 1.0, "/html/body/ul[1]/li[1]", (1, 4)),
        Unit("item", (2, 3), 1, 0, False, 0.0, 1.0, "/html/body/ul[1]/li[2]", (4, 5)),
    ]
    records = kept.record(evidence=True)["units"]
    assert isinstance(records, list)
    assert records[1] == asdict(kept.units[1]) | {"blocks": [1, 3], "span": [1, 5]}
    assert "units" not in kept.record()


def test_a_page_without_text_has_no_units() -> None:
    assert dehusk.clean("", method="keep-all").units == []
    assert len(find_units(segment(parse("<ul><li></ul>")))) == 0


repeated = st.lists(htmls, min_size=1, max_size=3).flatmap(
    lambda parts: st.lists(st.sampled_from(parts), max_size=10).map("".join)
)


@given(st.one_of(htmls, repeated), st.booleans(), st.booleans())
def test_units_nest(html: str, every_tag: bool, alt: bool) -> None:
    blocks = segment(parse(html), every_tag=every_tag, alt=alt)
    units = find_units(blocks)
    assert (units.first < units.end).all()
    assert units.unit_of.shape == (len(blocks),)
    stack: list[int] = []
    for unit, (first, end) in enumerate(zip(units.first.tolist(), units.end.tolist(), strict=True)):
        while stack and units.end[stack[-1]] <= first:
            stack.pop()
        assert units.parent[unit] == (stack[-1] if stack else -1)
        assert not stack or end <= units.end[stack[-1]]
        stack.append(unit)
    for block, unit in enumerate(units.unit_of.tolist()):
        assert unit == max(np.flatnonzero((units.first <= block) & (block < units.end)), default=-1)


@given(st.one_of(htmls, repeated))
def test_groups_are_numbered_in_order_and_contain_fields(html: str) -> None:
    blocks = segment(parse(html))
    group, field = decision_groups(blocks), fields(blocks)
    assert list(dict.fromkeys(group.tolist())) == list(range(int(group.max(initial=-1)) + 1))
    seen = [number for number in dict.fromkeys(field.tolist()) if number >= 0]
    assert seen == list(range(len(seen)))


BIG = {
    "a list of 50,000 items": "<ul>" + "<li>a" * 50_000 + "</ul>",
    "a table of 200 rows and 2,000 columns": "<table>" + ("<tr>" + "<td>a" * 2_000) * 200 + "</table>",
    "10,000 nested divs": "<div>a" * 10_000,
    "records in records": ("<div class=post><p>a</p><p>b</p></div>" * 100 + "<div class=post>") * 300,
    "20,000 headings": "".join(f"<h{i % 6 + 1}>a</h{i % 6 + 1}>b" for i in range(20_000)),
    "10,000 classes": "".join(f"<div class={chr(0x4E00 + i)}><p>a</p>b</div>" for i in range(10_000)),
}


@pytest.mark.parametrize("name", BIG)
def test_large_pages_take_linear_time(name: str) -> None:
    blocks = segment(parse(BIG[name]))
    assert assert_quick(lambda: len(find_units(blocks)) + int(decision_groups(blocks).max()), 2) > 0


def test_blocks_of_lists_tables_and_listings_are_bound() -> None:
    source = (
        "<p>prose<ul><li>one<li>two</ul><dl><dt>a<dd>b</dl><pre>x = 1\ny = 2</pre>"
        "<table><tr><th>k<th>v<tr><td>1<td>2<tr><td>3<td>4</table><h2>heading</h2>"
    )
    blocks = segment(parse(source))
    bound = {text for text, is_in in zip(blocks.texts, is_bound(blocks).tolist(), strict=True) if is_in}
    assert bound == {"one", "two", "a", "b", "x = 1", "y = 2", "k", "v", "1", "2", "3", "4"}


def test_a_listing_of_one_line_in_a_cell_leaves_the_table_a_table() -> None:
    page = "<table><tr><td>Default:<td><pre>tea off;</pre><tr><td>Context:<td>pot</table>"
    assert outline(page).startswith("table(row(")
    assert (
        dehusk.clean(page, method="keep-all").markdown
        == "| Default: | `tea off;` |\n| --- | --- |\n| Context: | pot |\n"
    )
