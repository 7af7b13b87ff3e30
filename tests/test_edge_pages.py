"""Pages that went wrong once, of what is kept and written: each line says what a reader missed or had too much of."""

import numpy as np
import pytest

import dehusk
from dehusk.blocks import segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label.united.rubric import with_slots
from dehusk.read import parse

TEXT = "<p>" + "The farmers of the valley have sold their tea at the market for three hundred years now. " * 4 + "</p>"
URL = "https://tea.example/valley"


def whole(body: str, head: str = "") -> dehusk.Document:
    """Return a page of which all is kept but controls and hidden text."""
    return dehusk.clean(f"<html><head>{head}</head><body>{body}", url=URL, method="keep-all")


def filled(body: str, head: str = "", url: str = URL) -> list[str]:
    """Return the texts that the rubric leaves of a page of which all was kept."""
    blocks = segment(parse(f"<html><head>{head}</head><body>{body}", url=url))
    kept = np.ones(len(blocks), dtype=np.bool_)
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.9), kept))
    after.validate()
    return [after.blocks.texts[block] for block in after.kept.nonzero()[0]]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("By Ann <i>|</i> <a href='#comments'>36 Comments</a>", "By Ann"),
        ("By Ann <i>|</i> <a href='/valley#respond'>Leave a comment</a> <i>|</i> 3 May", "By Ann | 3 May"),
        ("By Ann <a href='#disqus_thread'>13</a>", "By Ann"),
        ("By Ann <i>(</i><a href='#Comments'>comments: 133</a><i>)</i>", "By Ann"),
        ("Am 3. Mai <a href='#comments'>7 Kommentare</a>", "Am 3. Mai"),
    ],
)
def test_numbers_of_comments_in_a_line_go(line: str, left: str) -> None:
    assert whole(f"<h1>Tea</h1><p>{line}</p>{TEXT}").text.split("\n")[2] == left


@pytest.mark.parametrize(
    "line",
    [
        "You can <a href='#respond'>comment</a> on it.",
        "<a href='#comment-200481'>1</a> Chris",
        "Comments: <a href='#comments'>3</a>",
        "2025 <b>May 3</b><a href='#comments'>0</a>1747 views",
    ],
)
def test_other_links_to_comments_stay(line: str) -> None:
    assert "](" in whole(f"<h1>Tea</h1><p>{line}</p>{TEXT}").markdown


def test_a_heading_of_comments_stays() -> None:
    assert "3 Comments" in whole(f"<h1>Tea</h1>{TEXT}<h2><a href='#comments'>3 Comments</a></h2>{TEXT}").text


@pytest.mark.parametrize(
    ("title", "heading", "is_added"),
    [("User Ali Hamdani", "Ali Hamdani", False), ("User Ali", "Ali", False), ("The best of all users", "Ali", True)],
)
def test_a_title_is_not_written_above_a_heading_that_is_half_of_it(title: str, heading: str, *, is_added: bool) -> None:
    markdown = whole(f"<h2>{heading}</h2>{TEXT}", f"<title>{title}</title>").markdown
    assert markdown.startswith(f"# {title}" if is_added else f"## {heading}")
