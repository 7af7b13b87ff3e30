"""YAML front matter reads back as what is known about the page."""

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.base.version import __version__
from dehusk.document import Document
from dehusk.write.preamble import front_matter

URL = "https://example.org/tea"
PAGE = """<html lang="en"><head><title>Tea: a story | Leaves</title>
<meta property="og:site_name" content="Leaves"><meta name="author" content="Ann Leaf; Bo Cup">
<meta name="date" content="2026-05-03"><meta name="keywords" content="tea, cups">
<meta name="description" content="On tea.">
<link rel="license" href="/free"><meta property="og:image" content="/tea.png"></head><body><h1>Tea: a story</h1>
<p>The kettle is on, and the leaves wait in the pot until the water has cooled down a little.</p></body></html>"""


def read(document: Document) -> dict[str, object]:
    text = front_matter(document)
    assert text.startswith("---\n")
    assert text.endswith("\n---\n")
    assert len(re.findall("^---", text, re.MULTILINE)) == 2
    return yaml.safe_load(text[4:-4])


def test_all_keys_in_order():
    document = dehusk.clean(PAGE, url=URL)
    record = read(document)
    assert record.pop("confidence") == round(document.confidence, 4)
    assert record.pop("language_probability") > 0.5
    assert list(record.items()) == [
        ("title", "Tea: a story"),
        ("authors", ["Ann Leaf", "Bo Cup"]),
        ("date", "2026-05-03"),
        ("site_name", "Leaves"),
        ("description", "On tea."),
        ("language", "en"),
        ("license", "https://example.org/free"),
        ("tags", ["tea", "cups"]),
        ("image", "https://example.org/tea.png"),
        ("url", URL),
        ("status", "ok"),
        ("dehusk", __version__),
        ("model", document.model),
    ]
    assert re.fullmatch(r"united [0-9a-f]{16}", document.model)


def test_what_is_not_known_is_left_out():
    assert list(read(dehusk.clean("", method="keep-all"))) == ["status", "message", "confidence", "dehusk"]


def test_guesses_are_named():
    assert read(dehusk.clean("<h1>Tea</h1><p>By Ann Leaf</p>", method="keep-all"))["guessed"] == ["authors"]


TITLES = ["a: b", "'x' \"y\"", "---", "- a", "# a", "&a *b !c %d @e `f`", "{a: [b", "yes", "2026-05-03", "null", "1e3",
          "x\\n", "a\u2028b", "\U0001f375 茶", "a" * 299, "...", "|", "> x", "? x", "a #b", "a\u00adb"]  # fmt: skip


@pytest.mark.parametrize("title", TITLES)
def test_titles_survive(title):
    document = dehusk.clean(PAGE, method="keep-all")
    document.__dict__["metadata"] = dehusk.Metadata(title=title, authors=(title,))
    assert read(document)["title"] == title
    assert read(document)["authors"] == [title]


@given(st.text(max_size=40))
def test_any_title_can_be_read_back(title):
    document = dehusk.clean("<p>text", method="keep-all")
    document.__dict__["metadata"] = dehusk.Metadata(title=title)
    expected = re.sub("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]", "\ufffd", title)
    assert read(document).get("title", "") == expected


@pytest.mark.parametrize("title", ["a\nb", "a\r\n---\nb", "a\x00b\x1fc\x85d", "\ud800 x", "&#xd800; x"])
def test_control_characters_and_line_ends_of_a_page_do_no_harm(title):
    record = read(dehusk.clean(f"<title>{title}</title><p>text", method="keep-all"))
    assert "\n" not in record["title"]
    record["title"].encode("utf-8")
