"""The picture that a page declares as its own is kept where it stands beside kept text."""

import pytest

import dehusk

PROSE = "<p>Tea needs water that has just boiled, and five minutes in a warm pot before it is poured.</p>" * 3
SHARE = "<div class='share'><a href='/f'>Facebook</a></div>"
PICTURE = "<div class='hero'><img src='/img/old-brown-teapot-1200x800.jpg' alt=''></div>"
NAME = "https://example.org/media/old-brown-teapot.jpg"


def markdown(body: str, declared: str = NAME) -> str:
    head = f"<title>Tea</title><meta property='og:image' content='{declared}'>"
    return dehusk.clean(f"<html><head>{head}</head><body>{body}</body></html>").markdown


@pytest.mark.parametrize(
    "body",
    [
        f"{PICTURE}{SHARE}<article><h1>How tea is made</h1>{PROSE}</article>",
        f"<article><h1>How tea is made</h1>{SHARE}{PICTURE}{SHARE}{PROSE}</article>",
        f"<article><h1>How tea is made</h1>{PROSE}{PICTURE}</article>",
    ],
    ids=["above the title", "between buttons", "below the text"],
)
def test_the_declared_picture_stays(body: str) -> None:
    assert markdown(body).count("old-brown-teapot-1200x800.jpg") == 1


def test_it_stays_once() -> None:
    """The picture within the text is kept anyway, so the one above it is not added."""
    inside = PICTURE.replace("old-brown-teapot-1200x800", "old-brown-teapot-600x400")
    body = f"{PICTURE}{SHARE}<article><h1>How tea is made</h1>{PROSE}{inside}{PROSE}</article>"
    text = markdown(body)
    assert "old-brown-teapot-600x400.jpg" in text
    assert "old-brown-teapot-1200x800.jpg" not in text


@pytest.mark.parametrize(
    ("body", "declared"),
    [
        (f"{PICTURE}{SHARE}<article><h1>How tea is made</h1>{PROSE}</article>", "https://example.org/media/cup.jpg"),
        (f"<nav>{PICTURE}</nav><article><h1>How tea is made</h1>{PROSE}</article>", NAME),
        (f"{PICTURE}{SHARE * 4}<article><h1>How tea is made</h1>{PROSE}</article>", NAME),
        (f"<article><h1>How tea is made</h1>{PROSE}</article>{SHARE}{PICTURE}", NAME),
        (
            f"{PICTURE.replace('old-brown-teapot-', 'the-logo-')}<article><h1>How tea is made</h1>{PROSE}</article>",
            "https://example.org/the-logo.jpg",
        ),
    ],
    ids=["another", "of a menu", "far above", "far below", "of the site"],
)
def test_other_pictures_do_not(body: str, declared: str) -> None:
    assert ".jpg" not in markdown(body, declared)


@pytest.mark.parametrize(
    ("address", "declared", "is_kept"),
    [
        ("/a/2024/pot.jpg", "https://b.org/a/2024/pot.jpg", True),
        ("/green-tea/max/640/pot.jpg", "https://b.org/green-tea/max/1200/pot.jpg", True),
        ("/green-tea/pot.jpg", "https://b.org/black-tea/pot.jpg", False),
        ("/apps/4184650/capsule_231x87.jpg", "https://b.org/apps/236390/capsule_616x353.jpg", False),
        ("/x/capsule_sm_120.jpg", "https://b.org/y/capsule_616x353.jpg", False),
        ("/x/c6259af572280.jpg", "https://b.org/y/c6259af572280.jpg", True),
        ("/x/tea-party.jpg", "https://b.org/x/tea.jpg", False),
        ("/x/my-brown-teapot-small.jpg", "https://b.org/y/my-brown-teapot.png", True),
    ],
)
def test_names_that_others_may_have_need_the_folder(address: str, declared: str, *, is_kept: bool) -> None:
    body = f"<article><h1>How tea is made</h1>{SHARE}<div><img src='{address}' alt=''></div>{SHARE}{PROSE}</article>"
    assert (".jpg" in markdown(body, declared)) == is_kept


def test_html_and_tei_have_it_too() -> None:
    head = f"<meta property='og:image' content='{NAME}'>"
    page = dehusk.clean(f"<head>{head}</head>{PICTURE}{SHARE}<article><h1>How tea is made</h1>{PROSE}</article>")
    for text in (page.html, page.render("tei", images=True)):
        assert text.count("old-brown-teapot-1200x800.jpg") == 1


DATA = "data:image/svg+xml,%3Csvg%3E%3C/svg%3E"
LATE = f"<img src='{DATA}' alt='' width=800 data-src='/img/cup.jpg'>"


@pytest.mark.parametrize(
    "picture",
    [
        LATE,
        "<img alt='' data-lazy-srcset='/img/cup.jpg 800w'>",
        f"<picture><source data-srcset='/img/cup.jpg'><img src='{DATA}' alt=''></picture>",
        f"{LATE}<noscript><img src='/img/cup.jpg' alt=''></noscript>",
        f"<img src='{DATA}' alt=''><noscript><img src='/img/cup.jpg' alt=''></noscript>",
    ],
    ids=["data-src", "srcset", "picture", "noscript too", "only in noscript"],
)
def test_pictures_that_scripts_load_stay_without_alternative_text(picture: str) -> None:
    text = markdown(f"<article><h1>How tea is made</h1>{PROSE}<figure>{picture}</figure>{PROSE}</article>")
    assert text.count("/img/cup.jpg") == 1


@pytest.mark.parametrize("picture", [f"<img src='{DATA}' alt=''>", "<img alt=''>", LATE.replace("800", "1")])
def test_placeholders_and_pixels_do_not(picture: str) -> None:
    text = markdown(f"<article><h1>How tea is made</h1>{PROSE}<figure>{picture}</figure>{PROSE}</article>")
    assert "![" not in text
