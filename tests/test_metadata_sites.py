"""Which part of a title is the page's and which the site's, by signs between them and by what the page shows."""

from dataclasses import replace

import numpy as np
import pytest

import dehusk
from dehusk import parse
from dehusk.about.metadata import read_metadata

TEXT = "<p>The kettle is on, and the leaves wait in the pot until the water has cooled down a little.</p>"

CASES = {
    "a logo that links to the folder of a book": (
        "<title>White tea | The Book of Leaves</title><h1><a href=./>The Book of Leaves</a></h1><h2>White tea</h2>",
        ("White tea", "The Book of Leaves"),
    ),
    "a site that comes twice, before a title with a hyphen": (
        "<title>Tea Scale - Tea Scale - All Cups - Notes of a Fair</title><h2>All Cups - Notes\xa0of a Fair</h2>",
        ("All Cups - Notes of a Fair", "Tea Scale"),
    ),
    "a part with the heading in it": (
        "<title>Harvest: white tea sells out | Tea | Leaf Daily</title><h1>White tea sells out</h1><p>Leaf Daily</p>",
        ("White tea sells out", "Leaf Daily"),
    ),
    "an address before a colon": (
        "<title>Teashop.com: White tea, 50 g</title><h1>White tea, 50 g</h1>",
        ("White tea, 50 g", "Teashop.com"),
    ),
    "an address and a department after colons": (
        "<title>White tea, 50 g: Teashop.co.uk: Kitchen</title><p>Kitchen</p>",
        ("White tea, 50 g", "Teashop.co.uk"),
    ),
    "an address before two colons": ("<title>TeaWeekly.com :: White tea</title>", ("White tea", "TeaWeekly.com")),
    "a program that is named like an address": (
        "<title>Steep.js: the guide</title><h1>Steep.js: the guide</h1>",
        ("Steep.js: the guide", None),
    ),
    "the number of a page is no site": (
        "<title>White tea - Page 3</title><h1>White tea</h1>",
        ("White tea", None),
    ),
    "a title that is cut off, and the heading in full": (
        "<meta property=og:title content='White tea for two...'><h1>White tea for two cups</h1>",
        ("White tea for two cups", None),
    ),
    "a title that ends in dots": ("<title>White tea and then...</title>", ("White tea and then...", None)),
    "a title that is the name of a file": (
        "<title>white-tea-for-two</title><h1>White Tea for Two</h1>",
        ("White Tea for Two", None),
    ),
    "forums behind slashes, after a heading": (
        "<title>White tea for two / Brewing / Leaf Forums</title><h3>White tea for two</h3>",
        ("White tea for two", "Leaf Forums"),
    ),
    "a site in brackets, after a heading": (
        "<title>White tea for two (Leaves.org)</title><h2>White tea for two</h2>",
        ("White tea for two", "Leaves.org"),
    ),
    "a part in brackets is of the title": (
        "<title>White tea for two (a guide)</title><h2>White tea for two</h2>",
        ("White tea for two (a guide)", None),
    ),
    "a shop's verb before the heading": (
        "<title>Buy White Tea, 50 g | Leaves | Teashop</title><h2><b>White Tea, 50 g</b><i>1234</i></h2>",
        ("White Tea, 50 g", "Teashop"),
    ),
    "a blog before a colon, as its feeds are named": (
        (
            "<title>Notes of a Fair: White tea for two</title><link rel=alternate type=application/atom+xml "
            "title='Notes of a Fair - Atom' href=a><h3 class=post-title>White tea for two</h3>"
        ),
        ("White tea for two", "Notes of a Fair"),
    ),
    "a feed that is named like the address": (
        (
            "<link rel=canonical href=https://leafdaily.example/a><title>White tea for two</title>"
            "<link rel=alternate type=application/rss+xml title='Leaf Daily » Kommentar-Feed' href=a>"
        ),
        ("White tea for two", "Leaf Daily"),
    ),
    "feeds of a list, and of the page": (
        (
            "<title>Newest tea questions - Cups</title><link rel=alternate type=application/rss+xml href=a "
            "title='newest tea questions feed'><link rel=alternate type=application/rss+xml href=b "
            "title='Newest tea questions for two » Cups'><h1>Newest tea questions</h1>"
        ),
        ("Newest tea questions", "Cups"),
    ),
    "a title that is declared as the name of the site": (
        (
            "<meta property=og:site_name content='White tea for two | Cups'><title>White tea for two | Cups</title>"
            "<h1>White tea for two</h1>"
        ),
        ("White tea for two", "Cups"),
    ),
    "a sign before the title": ("<title>» White tea for two : leaves</title><h2>» White tea for two</h2>", None),
    "quotation marks": ("<title>The grower: »It was a strength«</title><h1>The grower: »It was a strength«</h1>", None),
}


@pytest.mark.parametrize("name", CASES)
def test_titles_and_sites_are_parted(name: str) -> None:
    html, expected = CASES[name]
    metadata = read_metadata(parse(html + TEXT))
    if expected:
        assert (metadata.title, metadata.site_name) == expected
    else:
        assert metadata.title in ("White tea for two", "The grower: »It was a strength«")


def test_a_widget_with_the_content_is_not_another_part_of_the_page() -> None:
    by = "<div class=post-footer>Posted by <span class=author>Ann Leaf</span></div>"
    post = f"<h3 class=post-title>White tea</h3>{TEXT}{by}"
    blog = f"<title>Cups</title><div class='widget Blog'><h2 class=date-header>May 3, 2026</h2>{post}</div>"
    archive = f"<div class='widget Archive'><p>{'Notes of an earlier year. ' * 20}</p></div>"
    document = dehusk.clean(blog + archive, method="keep-all")
    assert document.metadata.date is None
    kept = [text in "White tea" or "kettle" in text for text in document.labels.blocks.texts]
    metadata = read_metadata(document.page, replace(document.labels, kept=np.array(kept)))
    assert (metadata.authors, metadata.date) == (("Ann Leaf",), "2026-05-03")


def test_a_heading_of_the_frame_is_the_site_if_a_heading_of_the_content_is_the_title() -> None:
    page = f"<title>The Great Leaf Blog | White tea</title><h1>The Great Leaf Blog</h1><h2>White tea</h2>{TEXT}"
    document = dehusk.clean(page, method="keep-all")
    assert document.metadata.title == "The Great Leaf Blog"
    without = replace(document.labels, kept=np.arange(len(document.labels.kept)) > 0)
    metadata = read_metadata(document.page, without)
    assert (metadata.title, metadata.site_name) == ("White tea", "The Great Leaf Blog")


def test_a_heading_that_is_the_last_part_of_the_title_is_the_site_if_another_part_is_a_heading_below() -> None:
    page = f"<title>White tea - The Great Leaf Blog</title><h1>The Great Leaf Blog</h1><h3>White tea</h3>{TEXT}"
    metadata = dehusk.clean(page, method="keep-all").metadata
    assert (metadata.title, metadata.site_name) == ("White tea", "The Great Leaf Blog")


def test_a_title_that_is_cut_off_gives_way_to_a_main_heading() -> None:
    page = f"<title>We sell the best leaves of…</title><h1>White tea</h1>{TEXT}"
    assert dehusk.clean(page, method="keep-all").metadata.title == "White tea"


def test_the_name_of_an_app_is_no_site() -> None:
    app = (
        "<meta name=twitter:app:name:iphone content='Leaf iOS'><title>White tea - Leaf Notes</title><h1>White tea</h1>"
    )
    assert read_metadata(parse(app)).site_name == "Leaf Notes"


def test_no_title_is_written_above_a_heading_that_has_it_and_a_number() -> None:
    page = f"<title>Buy White Tea, 50 g | Leaves</title><h2><b>White Tea, 50 g</b><i>1234</i></h2>{TEXT}"
    assert not dehusk.clean(page, method="keep-all").render("markdown").startswith("# ")
