"""Display properties by a page's own style sheets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cpu_time import assert_quick
from dehusk.counts.display import sheet_display
from dehusk.read import parse
from dehusk.sites.structure_tree import CompressedStructureTree


def declared(sheet: str, body: str, *, style: str = "<style>") -> list[tuple[str, str]]:
    """Return tag and display properties of the elements of a body with a style sheet."""
    page = parse(f"<html><head>{style}{sheet}</style></head><body>{body}")
    display = sheet_display(page)
    nodes = [node for node in range(1, len(page)) if not page.is_text[node]]
    return [(page.tag_name(node), display.texts.get(int(display.keys[node]), "")) for node in nodes]


@pytest.mark.parametrize(
    ("sheet", "properties"),
    [
        ("p { color: RED; margin:0 }", "color:red margin:0"),
        ("p { cursor: pointer; --x: 1; transition: all 1s }", ""),
        ("P.note { color: red }", "color:red"),
        ("p.other { color: red }", ""),
        ("#main p { color: red }", "color:red"),
        ("#main > p { color: red }", ""),
        ("div > p, h9 { color: red }", "color:red"),
        ("* { color: red }", "color:red"),
        ("section div p.note.big { color: red }", "color:red"),
        ("p { color: red } p { color: blue }", "color:blue"),
        ("p.note { color: red } p { color: blue; width: 1px }", "color:red width:1px"),
        ("#main p { color: red } section div p.note { color: blue }", "color:red"),
        ("p { background: URL( a.png ) no-repeat }", "background:url()no-repeat"),
        ("p:hover { color: red } p + p { color: red } p[x] { color: red }", ""),
        ("@media print { p { color: red } } p { color: blue", "color:blue"),
        ("/* p { color: red } */ } p } { p { color", ""),
    ],
)
def test_rules_reach_the_elements_that_css_says(sheet, properties):
    body = "<section id=main><div><p class='big note'>text</p></div></section>"
    found = dict(declared(sheet, body))
    assert found["p"] == properties


def test_only_sheets_that_readers_see():
    for style, end in (
        ("<style media=print>", ""),
        ("<noscript><style>", "</noscript>"),
        ("<!--[if IE]><style>", "-->"),
    ):
        assert declared("p { color: red }", f"{end}<p>text", style=style)[-1] == ("p", "")
    for style in ("<style media='only screen'>", "<style media=all type=text/css>"):
        assert declared("p { color: red }", "<p>text", style=style) == [("p", "color:red")]


@settings(max_examples=60)
@given(st.text("p{}.#a:;,> @\"'\\/*\n!red", max_size=60), st.sampled_from(["<p class=a>x", "<p id=a><b>y", ""]))
def test_no_sheet_breaks_a_page(sheet, body):
    declared(sheet, body)


def test_sheets_part_elements_of_one_class_and_join_those_of_several():
    """What looks the same is the same, also by other classes; the paper's pages had no classes."""
    looks = "<style>.x1, .y { color: red } .z { color: blue }</style>"
    pages = [parse(f"{looks}<div><p class={name}>menu {name}</p><p>own {i}</p></div>") for i, name in enumerate("yyz")]
    names = {}
    for sheets in (False, True):
        tree = CompressedStructureTree(classes=False, sheets=sheets, leaves=0).fit(pages).tree()
        names[sheets] = {tree.names[int(label)]: int(m) for label, m in zip(tree.label, tree.m, strict=True)}
    assert names[False]["p"] == 3
    assert names[True]["p[color:red]"] == 2
    assert names[True]["p[color:blue]"] == 1


@pytest.mark.parametrize("others", [399, 400, 1000])
def test_the_most_specific_of_many_rules_count(others):
    sheet = "#x { color: red }" + "".join(f".a {{ width: {number}px }}" for number in range(others))
    assert declared(sheet, "<p id=x class=a>text") == [("p", f"color:red width:{others - 1}px")]


def test_hostile_sheets_take_linear_time():
    body = "<div class=a>" * 200 + "<p class=a>text</p>" * 20_000
    sheet = "".join(f".a .a .a p.a{{color:c{number}}}" for number in range(3000))
    page = parse(f"<style>{sheet}</style>{body}")
    assert_quick(lambda: sheet_display(page), 20)
