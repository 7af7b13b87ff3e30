"""API of links whose pages were not learned: places, match rates, estimates, and the links that TOC blocks keep."""

from dataclasses import replace

import numpy as np
import pytest

from dehusk.base.hashing import text_keys
from dehusk.read import parse
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Wisdom, WisdomCounts
from dehusk.sites.wisdom.link_estimates import at_strong_places, places
from dehusk.sites.wisdom.link_targets import Anchors

HOST = "http://forum.example"
SUBJECTS = ["kettle", "teapot", "strainer", "infuser", "saucer", "spoon", "caddy", "tray"]
NAMES = ["anna", "bela", "cora", "dora", "emma", "fred", "gina", "hans"]


MENU = "<ul><li><a href=/>Home</a><li><a href=/help>Help for all readers</a></ul>"


def row(number, thread, author):
    """One row of a list of threads: a title, its author, and the number of its last page."""
    title = f"How do I clean a very old {SUBJECTS[number]} made of silver"
    return (
        f"<tr><td><h2><a href=/t/{thread}>{title}</a></h2><p>by <a href=/members/{author}>{author}</a></p></td>"
        f"<td><a href=/t/{thread}?page=2>{number}</a></td></tr>"
    )


def index(url="/", threads=range(100, 108), extra=""):
    rows = "".join(row(i, thread, NAMES[i]) for i, thread in enumerate(threads))
    return parse(f"<body>{MENU}{extra}<table>{rows}</table></body>", url=f"{HOST}{url}")


def thread(number):
    text = (
        f"<h1>How do I clean a very old {SUBJECTS[number]} made of silver</h1><p>Answer {number}: with sand and time."
    )
    return parse(f"<body>{MENU}{text}</body>", url=f"{HOST}/t/{100 + number}")


def targets(blocks):
    page = blocks.page
    return [page.attribute(node, "href") for node in Anchors.of(page).node.tolist() if blocks.inside[node]]


def test_a_block_keeps_the_titles_and_drops_authors_and_page_numbers():
    pages = [index(), thread(0), thread(1), thread(2)]
    found = Wisdom().fit(pages).blocks(pages[0])
    assert found.loaded < 0.5  # most targets were not learned
    assert found.toc.feature == "estimated API"
    assert targets(found.toc) == [f"/t/{number}" for number in range(100, 108)]
    assert "anna" not in found.toc.texts[0]
    before = Wisdom(toc="auto").fit(pages).blocks(pages[0])
    assert "/members/anna" in targets(before.toc)


def test_the_printed_preset_stays_as_printed():
    assert PAPER.toc == "api"
    assert (RECOMMENDED.toc, RECOMMENDED.link_share) == ("estimated", 0.6)
    pages = [index(), thread(0)]
    assert Wisdom(preset="paper").fit(pages).blocks(pages[0]).toc.feature == "API"


def test_estimates_by_hand():
    """Of two links at one place whose pages are known, one says what its page says; so do others, at that rate."""
    links = "<p><a href=/1>river flood</a> <a href=/2>painter</a> <a href=/9>concert</a>"
    other = "<p>concert <a href=http://elsewhere.example/>river</a>"
    pages = [parse(html, url=f"{HOST}/{i}") for i, html in enumerate([links, "<p>river flood", "<p>no artist", other])]
    method = Wisdom().fit(pages)
    value = dict.fromkeys(("river", "flood", "painter", "concert"), 0.0)
    value |= {word: 1 / max(0.15, float(method.entropy_.entropy(text_keys([word]))[0])) for word in value}
    assert value["painter"] == pytest.approx(1 / 0.15)  # on one page only
    matched, offered = value["river"] + value["flood"], value["river"] + value["flood"] + value["painter"]
    overall = matched / offered
    rate = (matched + 10 * overall) / (offered + 10)
    features = method.features(pages[0])
    expected = [matched, 0.0, rate * value["concert"]]
    assert features.estimated_api == pytest.approx(np.array(expected), abs=1e-5)
    assert method.features(pages[3]).estimated_api.tolist() == [0]


def test_without_known_targets_links_are_believed():
    page = index()
    alone = Wisdom().fit([page])
    assert alone.rates_.other == 1
    assert alone.features(page).estimated_api[Anchors.of(page).in_site].min() > 0


def test_a_place_is_the_path_of_tags_and_the_class_of_the_link():
    html = "<div class=x1><a href=/a>a</a></div><div class=y><a href=/b>b</a><a class='post-7 on' href=/c>c</a></div>"
    html += "<div><a class=post-8 href=/d>d</a><p><a href=/e>e</a></div>"
    a, b, c, d, e = places(Anchors.of(parse(html, url=HOST))).tolist()
    assert a == b
    assert c == d
    assert len({a, c, e}) == 3


def test_strong_places_are_measured_by_the_dominant_one():
    html = "<h2><a href=/1>1</a><a href=/2>2</a></h2><p><a href=/3>3</a></p><b><a href=/4>4</a></b>"
    html += "<i><a href=//x>5</a></i>"
    anchors = Anchors.of(parse(html, url=HOST))
    api = np.array([4.0, 6.0, 3.0, 9.0, 99.0])
    one = np.ones(5)
    assert at_strong_places(anchors, api, one, 0.6).tolist() == [True, True, True, True, False]
    assert at_strong_places(anchors, api, one, 0.61).tolist() == [True, True, False, True, False]
    assert at_strong_places(Anchors.of(parse("<p>none", url=HOST)), np.zeros(0), np.zeros(0), 0.6).tolist() == []


def test_the_dominant_place_has_long_texts_too():
    """Three members with more API' than two titles, whose texts are four times as long."""
    html = "<b><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a></b><h2><a href=/4>4</a><a href=/5>5</a></h2>"
    anchors = Anchors.of(parse(html, url=HOST))
    api, chars = np.array([6.0, 6.0, 6.0, 5.0, 5.0]), np.array([8.0, 8.0, 8.0, 32.0, 32.0])
    assert at_strong_places(anchors, api, np.ones(5), 0.9).tolist() == [True, True, True, False, False]
    assert at_strong_places(anchors, api, chars, 0.9).tolist() == [True, True, True, True, True]


@pytest.mark.parametrize("url", [None, "file:///saved/page.html"])
def test_pages_without_an_address_use_the_criterion_for_all_links(url):
    page = replace(index(), url=url)
    toc = Wisdom().fit([index(), thread(0)]).blocks(page).toc
    assert toc.feature == "ALEN"
    assert len(toc)


def test_an_index_that_only_points_to_itself_has_no_toc_block():
    page = parse("<ul><li><a href=#a>A first long heading</a><li><a href=/self#b>A second</a></ul>", url=f"{HOST}/self")
    found = Wisdom(toc="estimated").fit([page, index()]).blocks(page)
    assert found.toc.feature == "ALEN"  # there is no link to another page to estimate
    assert found.loaded == 0


def test_a_base_that_is_not_an_address_does_not_matter():
    page = parse("<base href='http://[x'><p><a href=/1>One river and another</a>", url=f"{HOST}/")
    assert Wisdom().fit([page]).blocks(page).toc.feature == "estimated API"


def test_counts_of_links_add_up():
    pages = [index(), thread(0), index("/2", range(105, 113)), thread(4)]
    method = Wisdom()
    whole, parts = method.count(pages), WisdomCounts.total([method.count([page]) for page in reversed(pages)])
    for name, array in whole.arrays().items():
        assert np.array_equal(array, parts.arrays()[name])
    assert len(whole.anchored)
    first, second = Wisdom().fit_counts(whole), Wisdom().fit_counts(WisdomCounts.from_arrays(whole.arrays()))
    assert targets(first.blocks(pages[2]).toc) == targets(second.blocks(pages[2]).toc)
