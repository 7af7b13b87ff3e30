"""Delimiters of what is not useless, and pictures of surfaces."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from dehusk.sites.alternation import FindOptimal
from dehusk.sites.alternation.colouring import DelimiterPair, recurring_delimiters
from dehusk.sites.alternation.surface import Surface
from dehusk.sites.alternation.surface_picture import draw_surface
from ikeda import site

SVG = "{http://www.w3.org/2000/svg}"


def spans(document: str, *kept: str) -> np.ndarray:
    """Return the spans around some parts of a document, each of which is in it once."""
    edges = [0]
    for part in kept:
        start = document.index(part)
        edges += [start, start + len(part)]
    return np.array([*edges, len(document)]).reshape(-1, 2)


def test_the_tags_around_parts_that_are_not_useless() -> None:
    documents = [
        f'<html><h1 class="t">{name}</h1> <p>by <b>{author}</b>, today</p><a href="/{name}">{name}, more</a></html>'
        for name, author in (("Tea", "Ann"), ("Milk", "Bob"), ("Water", "Cy"))
    ]
    parts = [("Tea", "Ann"), ("Milk", "Bob"), ("Water", "Cy")]
    useless = [spans(x, *own) for x, own in zip(documents, parts, strict=True)]
    assert recurring_delimiters(documents, useless) == [
        DelimiterPair('<h1 class="t">', "</h1>", 3, 3, len("TeaMilkWater")),
        DelimiterPair("<b>", "</b>", 3, 3, len("AnnBobCy")),
    ]
    assert all(pair.is_unique for pair in recurring_delimiters(documents, useless))


def test_a_part_that_starts_or_ends_in_a_tag_is_delimited_by_the_rest_of_the_tag() -> None:
    documents = [f'<p>x <a class=more href="/{name}/top">go</a></p>' for name in ("tea", "milk")]
    useless = [spans(x, name) for x, name in zip(documents, ("tea", "milk"), strict=True)]
    assert recurring_delimiters(documents, useless) == [DelimiterPair('<a class=more href="/', '/top">', 2, 2, 7)]


def test_a_tag_of_which_only_the_first_character_is_useless_is_a_delimiter() -> None:
    documents = [f"<div>x</div><h1>{name}</h1>" for name in ("tea", "milk")]
    useless = [spans(x, f"h1>{name}") for x, name in zip(documents, ("tea", "milk"), strict=True)]
    assert recurring_delimiters(documents, useless) == [DelimiterPair("<h1>", "</h1>", 2, 2, len("h1>teah1>milk"))]


def test_delimiters_of_repeated_parts_and_of_text_without_markup() -> None:
    documents = ["<ul><li>one</li><li>two</li></ul>", "<ul>\n<li>six</li>\n\n<li>ten</li></ul>"]
    useless = [spans(documents[0], "one", "two"), spans(documents[1], "six", "ten")]
    (pair,) = recurring_delimiters(documents, useless)
    assert pair == ("<li>", "</li>", 2, 4, 12)
    assert not pair.is_unique
    for text in ("no tags, just words", "a < b", "a > b", "", "words <only> once"):
        assert recurring_delimiters([text, text], [spans(text), spans(text)]) == []
    assert recurring_delimiters(["a only b", "a once b"], [spans("a only b", "only"), spans("a once b", "once")]) == []


def test_white_space_in_delimiters_is_folded() -> None:
    documents = ['<b\n class="x">tea</b>', '<b class="x">cup</b>']
    useless = [spans(documents[0], "tea"), spans(documents[1], "cup")]
    assert recurring_delimiters(documents, useless)[0].left == '<b class="x">'


def test_the_path_crosses_the_middle_of_its_cells() -> None:
    cut = FindOptimal("printed").fit(site(5))
    surface = cut.surface(site(5), range(2, cut.n_ + 3), range(1, int(cut.a_) + 2))
    root = ET.fromstring(draw_surface(surface, {"a < b": cut.path_}, title="1 < 2"))  # noqa: S314 (our own text)
    cells = [cell for cell in root.iter(f"{SVG}rect") if cell.find(f"{SVG}title") is not None]
    assert len(cells) == np.count_nonzero(surface.alternation)
    line = root.find(f"{SVG}polyline")
    assert line is not None
    dots = [tuple(map(float, dot.split(","))) for dot in line.get("points", "").split()]
    assert len(dots) == len(cut.path_)
    for (x, y), step in zip(dots, cut.path_, strict=True):
        (inside,) = [
            cell.findtext(f"{SVG}title")
            for cell in cells
            if float(cell.get("x", "")) < x < float(cell.get("x", "")) + float(cell.get("width", ""))
            and float(cell.get("y", "")) < y < float(cell.get("y", "")) + float(cell.get("height", ""))
        ]
        assert inside == f"{step.alternation:,}"
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"1 < 2", "a < b", "n, characters"} < texts


def test_a_surface_without_useless_grams_is_empty() -> None:
    zeros = np.zeros((2, 3), dtype=np.int64)
    root = ET.fromstring(draw_surface(Surface((2, 3), (1, 2, 3), zeros, zeros), {}, title=""))  # noqa: S314
    assert not [cell for cell in root.iter(f"{SVG}rect") if cell.find(f"{SVG}title") is not None]
    assert root.find(f"{SVG}polyline") is None


@pytest.mark.parametrize(
    ("documents", "options", "warning"),
    [
        (["", " "], {}, "2 documents without text: everything is kept"),
        (["one text"], {}, "one document cannot be compared with others: everything is kept"),
        (["one text"], {"search": "printed"}, "one document cannot be compared with others: only repetitions inside"),
        (["one text"] * 3, {}, "one document cannot be compared with others, because all 3 are copies of it or empty"),
        (["tea and milk " * 4, "水太热会让茶变苦" * 6], {}, "the 2 documents share no 32-grams: everything is kept"),
        (["abc", "def"], {"search": "printed"}, "the 2 documents have no useless 2-grams: everything is kept"),
        (["ab ab ab cd", "ab ab ab ef"], {"search": "printed", "start": (2, 60)}, "the search stopped early, at (2, "),
        (site(6, known=0), {}, ""),
    ],
)
def test_warnings(documents: list[str], options: dict[str, object], warning: str) -> None:
    given = FindOptimal(**options).fit(documents).warning
    assert given.startswith(warning) if warning else given == ""
