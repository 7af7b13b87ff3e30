"""Headings that head nothing, as another one that is not below them follows at once."""

from collections.abc import Callable

import pytest

import dehusk
from cpu_time import assert_linear
from dehusk.label.rules import Rules

PROSE = "<p>Tea needs water that has just boiled, and five minutes in a warm pot before it is poured.</p>" * 2


def lines(body: str) -> list[str]:
    text = dehusk.clean(f"<title>How tea is made</title><article>{body}</article>").markdown
    return [line for line in text.splitlines() if line and not line.startswith("Tea needs")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<h3>Kitchen</h3><h1>How tea is made</h1>{PROSE}", ["Kitchen", "# How tea is made"]),
        (
            f"<h1>How tea is made</h1>{PROSE}<h3>Black</h3><h2>Assam</h2>{PROSE}<h3>Green</h3><h2>Sencha</h2>{PROSE}",
            ["# How tea is made", "Black", "## Assam", "Green", "## Sencha"],
        ),
        (
            f"<h1>How tea is made</h1>{PROSE}<h2>More</h2><h3>Pots</h3><h3>Cups</h3><h3>Trays</h3><h2>Milk</h2>{PROSE}",
            ["# How tea is made", "## More", "Pots", "Cups", "Trays", "## Milk"],
        ),
    ],
    ids=["above the title", "above each title", "names of cards"],
)
def test_they_become_lines(body: str, expected: list[str]) -> None:
    assert lines(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>How tea is made</h1>{PROSE}<h2>Steps</h2><h3>Boil</h3>{PROSE}<h3>Pour</h3>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h3>Boil</h3>{PROSE}<h2>Pour</h2>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h2>Steps</h2><h1>Boil</h1>{PROSE}<h1>Pour</h1>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h3>Pots</h3><img src='pot.jpg' alt=''><h2>Pour</h2>{PROSE}",
        f"<h3>How tea is made</h3><h2>Posted by Ann</h2>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h3><button><h2>Boil</h2></button></h3>{PROSE}<h2>Pour</h2>{PROSE}",
    ],
    ids=["subsections", "with text", "h1 for parts of a section", "with a picture", "the title", "one in another"],
)
def test_others_stay(body: str) -> None:
    assert sum(line.startswith("#") for line in lines(body)) == body.count("</h") - body.count("</h2></button>")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            f"<h2>Steps</h2><div><h2>Boil</h2>{PROSE}<h3>Water</h3>{PROSE}<h2>Pour</h2>{PROSE}</div><h2>Milk</h2>{PROSE}",
            ["## Steps", "### Boil", "#### Water", "### Pour", "## Milk"],
        ),
        (
            f"<h2>Questions</h2><h2>Which pot?</h2>{PROSE}<h2>Why milk?</h2>{PROSE}<h2>Cups</h2>{PROSE}",
            ["## Questions", "### Which pot?", "### Why milk?", "## Cups"],
        ),
        (
            f"<h2>How to</h2><h2>Step 1</h2>{PROSE}<h2>Step 2</h2>{PROSE}<h2>Milk</h2>{PROSE}",
            ["## How to", "### Step 1", "### Step 2", "## Milk"],
        ),
        (
            f"<h2>Pots</h2><h2 class=s>Clay</h2>{PROSE}<h3>Red</h3>.<h2 class=s>Glass</h2>{PROSE}<h2>Milk</h2>{PROSE}",
            ["## Pots", "### Clay", "#### Red", ".", "### Glass", "## Milk"],
        ),
        (
            f"<h2>Storing</h2><h2>In tins</h2>{PROSE}<h2>Milk</h2>{PROSE}",
            ["## Storing", "### In tins", "## Milk"],
        ),
    ],
    ids=["in an element", "questions", "numbered", "of one class", "the first only"],
)
def test_what_they_head_gets_a_lower_level(body: str, expected: list[str]) -> None:
    assert lines(f"<h1>How tea is made</h1>{PROSE}{body}") == ["# How tea is made", *expected]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<h2>Tea from China and from India</h2><h2>Get the teas that you have always wanted to your home</h2>",
            ["## Tea from China and from India", "Get the teas that you have always wanted to your home"],
        ),
        (
            "<h2>Get the teas that you have always wanted to your home</h2><h2>Teas</h2>",
            ["Get the teas that you have always wanted to your home", "## Teas"],
        ),
    ],
    ids=["below", "above"],
)
def test_a_sentence_beside_a_heading_becomes_a_line(body: str, expected: list[str]) -> None:
    assert lines(f"<h1>How tea is made</h1>{PROSE}{body}{PROSE}") == ["# How tea is made", *expected]


def test_the_price_below_the_name_of_a_product_is_a_line() -> None:
    body = f"<h2>A pot of clay</h2><ul><li><h2>£9.99</h2></ul><h2>About it</h2>{PROSE}<h2>£5</h2>{PROSE}"
    assert lines(f"<h1>How tea is made</h1>{PROSE}{body}") == [
        "# How tea is made",
        "## A pot of clay",
        "- £9.99",
        "## About it",
        "## £5",
    ]


def test_those_in_a_table_of_contents_stay_as_they_are() -> None:
    title = "How to make the tea that you have always wanted to drink"
    body = f"<h2 id=how>{title}<a href=#how>#</a></h2><h2 id=m>Methods</h2>{PROSE}<h2>Milk</h2>"
    contents = "<ul><li><a href='#how'>How</a><li><a href=/tea#m>Methods</a></ul>"
    head = f"<h1>How tea is made</h1>{PROSE}"
    assert title in [line.strip("#") for line in lines(head + body + PROSE)]
    written = [line.strip("#") for line in lines(head + contents + body + PROSE)]
    assert [each for each in written if each[:1] == " "] == [" How tea is made", f" {title}", " Methods", " Milk"]


def test_three_of_a_kind_in_a_row_become_lines() -> None:
    cards = "".join(f"<div class=card><h3>{name}</h3></div>" for name in ("Pots", "Cups", "Trays"))
    body = f"<h1>How tea is made</h1>{PROSE}<h2>More</h2>{cards}<h3>Milk</h3>{PROSE}"
    assert lines(body) == ["# How tea is made", "## More", "Pots", "Cups", "Trays", "### Milk"]


def test_the_last_card_with_its_title_below_its_picture_is_a_line() -> None:
    cards = "".join(f"<img src={name}.jpg alt=''><h2 class=card>{name}</h2>" for name in ("Pot", "Cup"))
    body = f"<h1>How tea is made</h1>{PROSE}<h2>Tools</h2>{cards}<h2>Steps</h2>{PROSE}"
    assert lines(body)[-2:] == ["Cup", "## Steps"]


def test_the_title_and_a_heading_of_parts_are_no_cards() -> None:
    body = f"<h1>Tea pots</h1><h1>Do you sell tea?</h1><h1>Start here</h1>{PROSE}"
    assert lines(body)[0] == "# Tea pots"
    servings = "<h2>Four</h2><h2>Half an hour</h2><h2>What you need</h2><h3>For the pot</h3>"
    assert "## What you need" in lines(f"<h1>How tea is made</h1>{PROSE}{servings}{PROSE}")


def test_a_heading_right_above_the_title_is_a_line_whatever_its_level() -> None:
    assert lines(f"<h2>Kitchen</h2><h2>How tea is made</h2>{PROSE}") == ["Kitchen", "# How tea is made"]


def test_one_between_two_numbered_ones_becomes_a_line() -> None:
    body = f"<h3>1. Boil</h3>{PROSE}<h3>Our kettles</h3><h3>2. Pour</h3>{PROSE}"
    expected = ["# How tea is made", "## Steps", "### 1. Boil", "Our kettles", "### 2. Pour"]
    assert lines(f"<h1>How tea is made</h1>{PROSE}<h2>Steps</h2>{PROSE}{body}") == expected


def test_one_whose_own_text_is_not_kept_becomes_a_line() -> None:
    rules = Rules.parse('["*"]\ndrop = [".pots"]')

    def headings(pots: str) -> list[str]:
        body = f"<h1>How tea is made</h1>{PROSE}<h2>Tea pots</h2><p class=pots>{pots}<h2>Water</h2>{PROSE}"
        text = dehusk.clean(body, method="keep-all", rules=rules).markdown
        return [line for line in text.splitlines() if "Tea pots" in line or "Water" in line]

    assert headings("Clay, glass, iron, steel, silver and china") == ["Tea pots", "## Water"]
    assert headings("Clay") == ["## Tea pots", "### Water"]


def test_time_is_linear() -> None:
    def prepare(size: int) -> Callable[[], object]:
        page = dehusk.clean(
            f"<h1>Tea</h1>{PROSE}" + "<h4>a</h4><h3>b</h3><h2>c</h2><h2>d?</h2><div><h2>e</h2>x</div>" * size,
            method="keep-all",
        )
        return lambda: page.render("html")

    assert_linear(prepare, 1_500)


def test_html_says_the_same() -> None:
    page = dehusk.clean(f"<article><h3>Kitchen</h3><h1>How tea is made</h1>{PROSE}</article>")
    assert "<h3>" not in page.html
    assert "Kitchen" in page.html
