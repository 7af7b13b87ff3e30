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


def test_a_heading_of_the_frame_is_the_site_if_a_heading_of_the_content_is_the_title() -> None:
    page = f"<title>The Great Leaf Blog | White tea</title><h1>The Great Leaf Blog</h1><h2>White tea</h2>{TEXT}"
    document = dehusk.clean(page, method="keep-all")
    assert document.metadata.title == "The Great Leaf Blog"
    without = replace(document.labels, kept=np.arange(len(document.labels.kept)) > 0)
    metadata = read_metadata(document.page, without)
    assert (metadata.title, metadata.site_name) == ("White tea", "The Great Leaf Blog")
