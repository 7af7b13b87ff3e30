"""Feeds: the entries of RSS and Atom keep their titles, addresses, dates and texts."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk

RSS = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>The Leaf</title><link>https://tea.example/</link><description>All about tea</description>
<item><title>First flush &amp;amp; more</title><link>https://tea.example/1</link><dc:creator>Ann Leaf</dc:creator>
<pubDate>Mon, 06 Sep 2021 00:01:00 +0000</pubDate><description>Short.</description>
<content:encoded><![CDATA[<p>Forty <b>chests</b> came today.</p>
<ul><li>green</li><li>black</li></ul>]]></content:encoded>
</item>
<item><title>Cups&nbsp;& pots</title><guid>https://tea.example/2</guid>
<description>Prices &lt; ten euros.</description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>The Leaf</title><link rel="self" href="https://tea.example/f.xml"/>
<link href="https://tea.example/"/><entry><title type="html">A &lt;b&gt;cup&lt;/b&gt;</title>
<link rel="enclosure" href="a.mp3"/><link rel="alternate" href="https://tea.example/a"/>
<author><name>Bo Cup</name></author><updated>2026-01-02T03:04:05Z</updated><summary>Short.</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <em>cup</em>.</p></div></content></entry>
</feed>"""


def test_entries_of_rss() -> None:
    document = dehusk.clean(RSS.encode(), url="https://tea.example/feed")
    assert document.status == "ok"
    assert document.notes == ("the page is a feed, not HTML: all of its entries are kept",)
    assert document.metadata.title == "The Leaf"
    assert document.metadata.date is None
    assert document.markdown == (
        "# The Leaf\n\nAll about tea\n\n## [First flush & more](https://tea.example/1)\n\n"
        "Mon, 06 Sep 2021 00:01:00 +0000 · Ann Leaf\n\nForty **chests** came today.\n\n- green\n- black\n\n"
        "## Cups & pots\n\nPrices < ten euros.\n"
    )


def test_entries_of_atom() -> None:
    assert dehusk.clean(ATOM).markdown == (
        "# The Leaf\n\n## [A cup](https://tea.example/a)\n\n2026-01-02T03:04:05Z · Bo Cup\n\nOne *cup*.\n"
    )


@pytest.mark.parametrize("kind", ["description", "summary"])
def test_text_beside_elements_of_an_entry_is_kept(kind: str) -> None:
    entry = f"<item><title>Tea</title><{kind}>Ten <b>bold</b> cups, 3 &lt; 4</{kind}></item>"
    page = f'<rss version="2.0"><channel><title>The Leaf</title>{entry}</channel></rss>'
    assert dehusk.clean(page).markdown == "# The Leaf\n\n## Tea\n\nTen **bold** cups, 3 < 4\n"


def test_rdf_has_its_entries_beside_the_channel() -> None:
    start = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
    page = f"{start}<channel><title>The Leaf</title></channel><item><title>Cups</title><link>/c</link></item></rdf:RDF>"
    assert dehusk.clean(page).markdown == "# The Leaf\n\n## [Cups](/c)\n"


@pytest.mark.parametrize("size", range(450, len(RSS), 97))
def test_of_a_feed_that_is_cut_the_whole_entries_stand(size: int) -> None:
    document = dehusk.clean(RSS[:size])
    assert document.status in ("ok", "no-content")
    assert document.markdown.count("\n## ") == RSS[:size].count("</item>") or document.page.form == "html"


@pytest.mark.parametrize(
    "page",
    [
        "<rss>",
        "<rss><channel><title>The Leaf</title></channel></rss>",
        '<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">]><rss><channel><item><title>&a;</title></item></channel></rss>',
        '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "b">]><rss><item><title>&a;</title></item></rss>',
        "<p>An article about &lt;rss&gt;</p>",
        "<html><body><rss><item><title>x</title></item></rss></body></html>",
    ],
)
def test_what_is_no_feed_is_read_as_html(page: str) -> None:
    assert dehusk.parse(page).form == "html"


@settings(max_examples=30)
@given(st.text(max_size=200), st.integers(0, len(RSS)))
def test_any_text_in_a_feed_gives_a_result(text: str, at: int) -> None:
    assert dehusk.clean(RSS[:at] + text + RSS[at:]).status != "error"


@pytest.mark.parametrize(
    "page",
    [
        "<rss><channel>" + "<item><title>x</title></item>" * 20_000,
        "<feed><entry><content type='xhtml'>"
        + "<div>" * 5_000
        + "tea"
        + "</div>" * 5_000
        + "</content></entry></feed>",
        "<rss><item><title>" + "&" * 200_000 + "</title></item></rss>",
        "<rss><item><title>" + "&lt;" * 100_000 + "</title></item></rss>",
        "<!-- " + "<!-- " * 50_000 + "<rss>",
    ],
)
def test_hostile_feeds_take_little_time(page: str) -> None:
    start = time.process_time()
    assert dehusk.clean(page).status != "error"
    assert time.process_time() - start < 5


def test_a_script_in_a_feed_is_no_text() -> None:
    page = RSS.replace("<p>Forty", "<script>alert(1)</script><p onclick=x>Forty")
    assert not re.search("alert|onclick", dehusk.clean(page).html)
