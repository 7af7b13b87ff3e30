"""The map of pages and its picture."""

import re

import numpy as np
import pytest
from lxml import etree

from dehusk.sites.mining import page_map
from dehusk.sites.mining.map_picture import COLOURS, MOST_POINTS, Panel, map_svg
from dehusk.sites.mining.page_map import PageMap, map_of
from dehusk.sites.structure_tree.vectors import to_scipy
from test_mining_clusters import groups, rows

SVG = "{http://www.w3.org/2000/svg}"


def test_the_map_shows_principal_components():
    vectors = groups([6, 7, 8])
    found = map_of(vectors)
    dense = to_scipy(vectors).toarray()
    centred = dense - dense.mean(axis=0)
    left, size, _ = np.linalg.svd(centred, full_matrices=False)
    assert np.allclose(np.abs(found.place), np.abs(left[:, :2] * size[:2]), atol=1e-9)
    assert found.share == pytest.approx((size[:2] ** 2).sum() / (size**2).sum())
    assert (found.place[np.abs(found.place).argmax(axis=0), [0, 1]] > 0).all()


def test_many_pages_have_the_same_map_as_few(monkeypatch):
    vectors = groups([16, 17, 18])
    exact = map_of(vectors)
    monkeypatch.setattr(page_map, "_MOST_EXACT", 3)
    for found in (map_of(vectors), map_of(vectors)):
        assert np.allclose(found.place, exact.place, atol=1e-6)
        assert found.share == pytest.approx(exact.share)
    wide = rows(np.pad(to_scipy(vectors).toarray(), ((0, 0), (0, 90))))
    monkeypatch.setattr(page_map, "_MOST_EXACT", 60)
    assert np.allclose(map_of(wide).place, exact.place, atol=1e-6)


def test_pages_far_from_all_others_do_not_decide_the_axes():
    vectors = groups([40, 40, 1], seed=4)
    found = map_of(vectors)
    assert not found.is_far[:80].any()
    apart = found.place[:40].mean(axis=0) - found.place[40:80].mean(axis=0)
    assert np.abs(apart).max() > 3 * found.place[:40].std(axis=0).max()


@pytest.mark.parametrize(
    "matrix",
    [
        [[1, 0]],
        [[1, 0], [1, 0]],
        [[0, 0]],
        [[1, 0], [0, 1]],
        [[0, 0], [1, 0], [0, 1]],
        [[1, 0]] * 401,
        [[1, *[0] * 401]] * 402,
        [[1, *[0] * 401], [0, 1, *[0] * 400]] * 201,
    ],
)
def test_a_map_without_directions_is_finite(matrix):
    found = map_of(rows(matrix))
    filled = np.array(matrix).any(axis=1)
    assert np.isfinite(found.place[filled]).all()
    assert np.isnan(found.place[~filled]).all()
    assert 0 <= found.share <= 1 + 1e-9
    panel = Panel("title", "", found, ["x"] * len(matrix), [""] * len(matrix))
    etree.fromstring(map_svg([panel], ["page"] * len(matrix), title="pages").encode())


def picture(names, labels, wrong=()):
    count = len(names)
    place = np.array([[number, number % 3] for number in range(count)], dtype=float)
    pages = PageMap(place, np.zeros(count, dtype=np.bool_), 0.5)
    return map_svg([Panel("before", "facts", pages, labels, labels, wrong)] * 2, names, title="T", rings="wrong")


def test_the_picture_is_safe_xml_and_tells_pages():
    hostile = '<script>alert(1)</script>&"\x00\x1b\udcff.html'
    root = etree.fromstring(picture([hostile, "b"], ["<a>", ""], [True, False]).encode("utf-8", "replace"))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert sum("<script>alert(1)</script>" in title for title in titles) == 2
    assert not list(root.iter(f"{SVG}script"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"<a>", "none", "wrong"} <= set(texts)


def test_groups_differ_in_colour_and_mark():
    text = picture([str(number) for number in range(20)], [f"g{number:02}" for number in range(20)])
    marks = re.findall(r'<path id="page-mark-\d+" d="([^"]+)" fill="(#\w+)"', text)
    assert len(set(marks)) == 20
    assert len({colour for _, colour in marks}) == len(COLOURS)


def test_more_pages_than_a_panel_holds_are_counted():
    count = MOST_POINTS + 10
    text = picture([str(number) for number in range(count)], ["x"] * count)
    assert f"{MOST_POINTS} of {count} pages shown" in text
    assert text.count("<g transform=") == 2 * MOST_POINTS + 2  # and the legend
