"""Lists, tables and threads of unusual shape: a status, linear time, and each list kept or dropped as a whole."""

import re
from collections.abc import Callable

import pytest

import dehusk
from cpu_time import assert_linear
from dehusk import Status
from dehusk.blocks.units import find_units

NAV = "<ul class=nav><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About us</a></ul>"
FOOTER = "<div class=footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></div>"
AD = "<div class=ad><a href='http://ads.example.org/'>Buy new garden chairs</a></div>"
NOUNS = ("kettle", "ladder", "garden", "engine", "window", "basket", "harbour", "lantern", "mirror", "saddle")
VERBS = ("repaired", "painted", "lost", "measured", "borrowed", "sold", "cleaned")


def sentence(number: int) -> str:
    """A sentence that ends with its own number, so that each record can be told from the others."""
    noun, verb = NOUNS[number % 10], VERBS[number % 7]
    return f"Last week I {verb} the old {noun} of my neighbour, and it took longer than I had thought (#{number})."


def page(body: str, title: str = "Things of my neighbour") -> str:
    return (
        f"<html><head><title>{title}</title></head><body>{NAV}<main><h1>{title}</h1>{body}</main>{FOOTER}</body></html>"
    )


def post(number: int, inside: str = "") -> str:
    return (
        f"<div class=post><div class=head><a href='/u/{number % 5}'>user{number % 5}</a> <span>12 May 2021</span></div>"
        f"<div class=body><p>{sentence(number)}</p>{inside}</div><a class=reply href='#{number}'>Reply</a></div>"
    )


def unequal(number: int) -> str:
    """A post of two words or of many sentences."""
    text = f"Me too (#{number})" if number % 3 else f"{sentence(number)} " * (number + 1)
    return f"<div class=post><b>user{number}</b><div>{text}</div></div>"


def nested(depth: int) -> str:
    html = ""
    for number in range(depth, -1, -1):
        html = post(number, html)
    return html


def items(numbers: range) -> str:
    return "<ul>" + "".join(f"<li>{sentence(number)}</li>" for number in numbers) + "</ul>"


def table(rows: int, columns: int) -> str:
    cells = ("".join(f"<td>{row * columns + column}</td>" for column in range(columns)) for row in range(rows))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"


POSTS = range(12)
SHAPES: dict[str, tuple[str, range]] = {
    "a thread with one post": (post(0), range(1)),
    "a thread": ("".join(map(post, POSTS)), POSTS),
    "posts in reversed order": ("".join(map(post, reversed(POSTS))), POSTS),
    "ads between posts": (AD.join(map(post, POSTS)), POSTS),
    "an ad after each second post": ("".join(post(n) + AD * (n % 2) for n in POSTS), POSTS),
    "replies nested in replies": (nested(11), POSTS),
    "two levels of replies": ("".join(post(n, post(n + 1) + post(n + 2)) for n in range(0, 12, 3)), POSTS),
    "a list of long items": (items(POSTS), POSTS),
    "a list from right to left": (f"<div dir=rtl>{items(POSTS)}</div>", POSTS),
    "a vertical list": (f"<div style='writing-mode: vertical-rl'>{items(POSTS)}</div>", POSTS),
    "rows of a flexbox in reversed order": (
        "<div style='display: flex; flex-direction: column-reverse'>" + "".join(map(post, POSTS)) + "</div>",
        POSTS,
    ),
    "an empty list before the posts": ("<ul></ul><ol><li></li><li> </li></ol>" + "".join(map(post, POSTS)), POSTS),
    "posts of unequal length": ("".join(unequal(n) for n in POSTS), POSTS),
    "lines of unequal length": (
        "<ul>" + "".join(f"<li>{'2 g of salt' if n % 3 else sentence(n)} (#{n})</li>" for n in POSTS) + "</ul>",
        POSTS,
    ),
    "cards of links": (
        "".join(
            f"<div class=card><h3><a href='/{n}'>The {NOUNS[n % 10]} (#{n})</a></h3><p>{n} EUR</p></div>" for n in POSTS
        ),
        POSTS,
    ),
    "a definition list": (
        "<dl>" + "".join(f"<dt>{NOUNS[n % 10]} {n}</dt><dd>{sentence(n)}</dd>" for n in POSTS) + "</dl>",
        POSTS,
    ),
}


def found(text: str) -> list[int]:
    return sorted({int(number) for number in re.findall(r"\(#(\d+)\)", text)})


@pytest.mark.parametrize("shape", SHAPES)
def test_all_records_of_a_page_are_kept(shape: str) -> None:
    html, numbers = SHAPES[shape]
    doc = dehusk.clean(page(html))
    assert doc.status is Status.OK
    assert found(doc.text) == list(numbers)
    assert "Imprint" not in doc.text


@pytest.mark.parametrize("favour", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("shape", SHAPES)
def test_records_are_kept_or_dropped_together(shape: str, favour: float) -> None:
    html, numbers = SHAPES[shape]
    doc = dehusk.clean(page(html), favour=favour)
    assert doc.status in (Status.OK, Status.NO_CONTENT)
    assert found(doc.text) in ([], list(numbers))


def test_each_of_two_lists_is_whole() -> None:
    recipe = (
        "<h2>Ingredients</h2><ul>"
        + "".join(f"<li>{n + 1} g of spice number {n}</li>" for n in range(9))
        + "</ul><h2>Steps</h2><ol>"
        + "".join(f"<li>{sentence(n)}</li>" for n in range(9))
        + "</ol>"
    )
    text = dehusk.clean(page(recipe)).text
    assert len(re.findall(r"spice number \d", text)) in (0, 9)
    assert found(text) == list(range(9))


@pytest.mark.parametrize("html", ["<ul></ul>", "<ul><li></li></ul>", "<table><tr><td></td></tr></table>", "<dl></dl>"])
def test_an_empty_list_is_a_page_without_content(html: str) -> None:
    doc = dehusk.clean(f"<body>{html}</body>")
    assert doc.status is Status.NO_CONTENT
    assert doc.message
    assert doc.markdown == ""


@pytest.mark.parametrize("count", [50_000])
def test_a_list_of_many_items_is_not_thinned_out(count: int) -> None:
    doc = dehusk.clean(page(items(range(count))))
    assert doc.status is Status.OK
    assert len(found(doc.text)) in (0, count)


def test_a_wide_table_is_not_thinned_out() -> None:
    doc = dehusk.clean(page(table(20, 5_000)))
    assert doc.status is Status.OK
    assert len(re.findall(r"\b\d+\b", doc.text)) in (0, 100_000)


def test_a_table_of_a_million_cells_has_a_status() -> None:
    doc = dehusk.clean(page(table(200, 5_000)))
    assert (doc.status, doc.message) == (Status.TRUNCATED, "more than 300000 nodes")
    numbers = list(map(int, re.findall(r"\b\d+\b", doc.text)))
    assert numbers in ([], list(range(len(numbers))))
    assert not numbers or len(numbers) > 140_000


BIG: dict[str, Callable[[int], str]] = {
    "posts": lambda n: "".join(map(post, range(n))),
    "posts and ads": lambda n: AD.join(map(post, range(n))),
    "items": lambda n: items(range(n)),
    "rows": lambda n: table(n, 5),
    "columns": lambda n: table(5, n),
    "lists": lambda n: "".join(items(range(i, i + 2)) for i in range(n // 2)),
    "nested posts": lambda n: nested(150) * (n // 150),
}


@pytest.mark.parametrize("shape", BIG)
def test_time_grows_with_the_number_of_records(shape: str) -> None:
    def prepare(count: int) -> Callable[[], object]:
        html = page(BIG[shape](count))
        return lambda: dehusk.clean(html)

    assert_linear(prepare, 750)


def test_a_class_of_many_dashes_takes_linear_time() -> None:
    def prepare(dashes: int) -> Callable[[], object]:
        page = dehusk.parse(f'<div class="post{"-" * dashes}x"><p>one</p><p>two</p></div>' * 5)
        return lambda: find_units(dehusk.segment(page))

    assert_linear(prepare, 4_000)
