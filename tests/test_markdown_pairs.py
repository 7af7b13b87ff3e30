"""Definition lists of labels with their values are lists in Markdown; others are terms with their descriptions."""

import pytest

import dehusk
from test_markdown_cards import markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<dl><dt>Weight<dd>5 kg<dt>Colour:<dd>green <b>and</b> black<dt>Sold?<dd>No</dl><p>Next",
            "- **Weight:** 5 kg\n- **Colour:** green **and** black\n- **Sold?** No\n\nNext\n",
        ),
        (
            "<dl><dt><a href=/w>Weight</a><dd><a href=/k>5 kg</a><dt>重量：<dd>5 公斤</dl>",
            "- **[Weight](/w):** [5 kg](/k)\n- **重量：** 5 公斤\n",
        ),
        ("<dl><div><dt>a<dd>b</div><div><dt>c<dd>d<br>e</div></dl>", "- **a:** b\n- **c:** d  \n  e\n"),
        (
            "<ul><li>Tea<dl><dt>a<dd>b<dt>c<dd>d</dl></ul>",
            "- Tea\n\n  - **a:** b\n  - **c:** d\n",
        ),
        ("<ul><li>Tea</ul><dl><dt>a<dd>b<dt>c<dd>d</dl>", "- Tea\n\n* **a:** b\n* **c:** d\n"),
        ("<dl><dt>a<dd>b</dl>", "- **a:** b\n"),
        ("<dl><dt>a<dd>b<dt>c<dd>d<dd>e</dl>", "**a**\n\nb\n\n**c**\n\nd\n\ne\n"),
        ("<dl><dt>a<dd>b<dt>c<dd><p>d<p>e</dl>", "**a**\n\nb\n\n**c**\n\nd\n\ne\n"),
        ("<dl><dt>a<dd><ul><li>b</ul><dt>c<dd>d</dl>", "**a**\n\n- b\n\n**c**\n\nd\n"),
        ("<dl><dt>a<dt>b<dd>c<dt>d<dd>e</dl>", "**a**\n\n**b**\n\nc\n\n**d**\n\ne\n"),
    ],
    ids=[
        "pairs",
        "links",
        "groups",
        "in an item",
        "after a list",
        "one pair",
        "two values",
        "paragraphs",
        "a list",
        "two labels",
    ],
)
def test_a_definition_list(html: str, expected: str) -> None:
    assert markdown(html) == expected


PAIRS = "<tr><th>Weight<td>5 kg<tr><th>Colour:<td><ul><li>green<li>black</ul>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<table>{PAIRS}</table>", "|  |  |\n| --- | --- |\n| Weight | 5 kg |\n| Colour: | green black |\n"),
        (
            f"<table><caption>Pot</caption>{PAIRS}</table>",
            "**Pot**\n\n|  |  |\n| --- | --- |\n| Weight | 5 kg |\n| Colour: | green black |\n",
        ),
        (
            "<table><tr><th>a<td>1<td>2<tr><th>b<td>3<td>4</table>",
            "|  |  |  |\n| --- | --- | --- |\n| a | 1 | 2 |\n| b | 3 | 4 |\n",
        ),
        ("<table><tr><th>a<td>1<tr><th>b<td></table>", "|  |  |\n| --- | --- |\n| a | 1 |\n| b |  |\n"),
        ("<table><tr><th>a<th>b<tr><th>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |\n"),
        ("<table><thead><tr><th>a<td>b<tbody><tr><th>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |\n"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |\n"),
    ],
    ids=[
        "pairs",
        "caption",
        "more columns",
        "no value",
        "header",
        "head",
        "no labels",
    ],
)
def test_a_table_whose_rows_start_with_their_labels(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_the_table_is_one_in_other_formats() -> None:
    document = dehusk.clean(f"<table>{PAIRS}</table>", method="keep-all")
    assert "<table>" in document.render("tei")
    assert "<table>" in document.html
    assert document.text == "Weight\t5 kg\nColour:\tgreen black\n"


def test_text_and_html_are_as_they_were() -> None:
    document = dehusk.clean("<dl><dt>Weight<dd>5 kg<dt>Colour<dd>green</dl>", method="keep-all")
    assert document.text == "- Weight\n- 5 kg\n- Colour\n- green\n"
    assert "<dt>Weight</dt>" in document.html
