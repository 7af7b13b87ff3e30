"""Paragraphs of pictures next to kept text: they are kept, and those of others are not."""

import pytest

import dehusk
from cpu_time import assert_quick

WORDS = "the pot of clay keeps tea warm for an hour, if the lid is on it and the room is not too cold for that"
TEXT = "".join(f"<p>On day {number}, {WORDS}.</p>" for number in range(6))


def markdown(inside: str, before: str = "", after: str = "") -> str:
    page = f"<title>Pots of clay</title><body>{before}<article><h1>Pots of clay</h1>{TEXT}{inside}</article>{after}"
    return dehusk.clean(page).markdown


@pytest.mark.parametrize(
    "inside",
    [
        "<p><img src=/pot-1.jpg></p>",
        "<p><a href=/large/pot-1.jpg><img src=/pot-1.jpg></a></p>",
        "<div><p>--<br><img src=/pot-1.jpg></p></div>",
        "<p><span><img src=/pot-1.jpg width=480 height=320></span></p>",
    ],
)
def test_pictures_after_the_last_text_stay(inside: str) -> None:
    assert "/pot-1.jpg)" in markdown(inside)


def test_a_set_of_pictures_stays_whole() -> None:
    written = markdown("".join(f"<p><img src=/pot-{number}.jpg></p>" for number in range(30)))
    assert written.count("![](/pot-") == 30


@pytest.mark.parametrize(
    "inside",
    [
        "<p><a href=/buy/this><img src=/pot-1.jpg></a></p>",
        "<p><img src=/pot-1.jpg width=1 height=1></p>",
        "<p><img src=/our-logo.png></p>",
        "<aside><p><img src=/pot-1.jpg></p></aside>",
        "<div><div><div><p><img src=/pot-1.jpg></p></div></div></div>",
    ],
)
def test_pictures_that_are_no_content_go(inside: str) -> None:
    assert "![" not in markdown(inside)


def test_pictures_next_to_dropped_text_go() -> None:
    menu = "<div class=related><p><a href=/1>More cups</a> <a href=/2>Our tins</a></p><p><img src=/cup.jpg></p></div>"
    assert "cup.jpg" not in markdown("", after=menu)


def test_all_formats_with_pictures_have_them() -> None:
    page = f"<title>Pots of clay</title><article><h1>Pots of clay</h1>{TEXT}<p><img src=/pot-1.jpg></p></article>"
    document = dehusk.clean(page)
    assert all("pot-1.jpg" in document.render(name) for name in ("markdown", "html", "tei"))


def test_many_paragraphs_take_little_time() -> None:
    page = f"<article>{TEXT}{'<p><img src=/a.jpg></p><p>--</p>' * 20_000}</article>"
    document = dehusk.clean(page)
    assert_quick(lambda: document.markdown, 5)
