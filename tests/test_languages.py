"""Nine languages and scripts: what must be kept of a page, and what must go."""

import re

import pytest

import dehusk
from dehusk import Status
from dehusk.base.characters import CharClass
from language_pages import CODECS, NAMES, Texts, texts

KINDS = ("article", "records")
EACH = [(name, kind) for name in NAMES for kind in KINDS]
LETTERS = 12  # no language here has words that are longer than this on average


def missing(of: Texts, kind: str, text: str) -> list[str]:
    """Return the parts of the body that the text does not contain whole."""
    folded = " ".join(text.split())
    return [part for unit in of.body(kind) for part in unit.kept if part not in folded]


def chrome_in(of: Texts, kind: str, text: str, *, tools: bool = False) -> list[str]:
    """Return the texts of menus, notices and the like, or of tools, that the text contains besides the body."""
    rest = " ".join(text.split())
    for part in sorted((part for unit in of.body(kind) for part in unit.parts), key=len, reverse=True):
        rest = rest.replace(part, "|")
    entries = [entry for name, of_part in of.chrome.items() if (name == "tools") is tools for entry in of_part]
    return [entry for entry in entries if entry in rest]


@pytest.mark.parametrize(("name", "kind"), EACH)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_body_is_kept_whole(name: str, kind: str, form: str) -> None:
    of = texts(name)
    doc = dehusk.clean(of.page(kind).encode())
    assert doc.status is Status.OK
    assert missing(of, kind, doc.render(form)) == []


@pytest.mark.parametrize(("name", "kind"), EACH)
@pytest.mark.parametrize("form", ["text", "markdown"])
def test_menus_notices_related_pages_and_the_footer_go(name: str, kind: str, form: str) -> None:
    of = texts(name)
    assert chrome_in(of, kind, dehusk.clean(of.page(kind).encode()).render(form)) == []


def test_tools_of_posts_and_recipes_mostly_go() -> None:
    """Links that only act ("Reply", "Add to favourites") stand inside what is kept; a few are mistaken for content."""
    all_tools = [(of, entry) for of in map(texts, NAMES) for entry in of.chrome["tools"]]
    left = [entry for of in map(texts, NAMES) for entry in chrome_in(of, "records", _records(of), tools=True)]
    assert len(all_tools) > 15
    assert len(left) <= len(all_tools) / 6, left


def _records(of: Texts) -> str:
    return dehusk.clean(of.page("records").encode()).text


@pytest.mark.parametrize(("name", "kind"), EACH)
def test_in_style_whole_nothing_of_the_body_is_lost(name: str, kind: str) -> None:
    of = texts(name)
    assert missing(of, kind, dehusk.clean(of.page(kind).encode(), style="whole").text) == []


@pytest.mark.parametrize(("name", "kind"), EACH)
@pytest.mark.parametrize("favour", [0.2, 0.5, 0.8])
def test_units_are_kept_or_dropped_together(name: str, kind: str, favour: float) -> None:
    of = texts(name)
    text = " ".join(dehusk.clean(of.page(kind).encode(), favour=favour).text.split())
    for unit_kind in ("li", "step", "tr", "post"):
        whole = " ".join(part for unit in of.body(kind) for part in unit.kept)
        parts = [part for unit in of.body(kind) if unit.kind == unit_kind for part in unit.kept]
        parts = [part for part in parts if whole.count(part) == 1]  # others may be in the text without their unit
        lost = [part for part in parts if part not in text]
        assert len(lost) in (0, len(parts)), unit_kind


@pytest.mark.parametrize("name", NAMES)
def test_markdown_has_the_structure_of_the_page(name: str) -> None:
    of = texts(name)
    for kind in KINDS:
        lines = dehusk.clean(of.page(kind).encode()).markdown.splitlines()
        for unit in of.body(kind):
            if unit.kind in ("h1", "h2", "li"):
                assert {"h1": "# ", "h2": "## ", "li": "- "}[unit.kind] + unit.parts[0] in lines
            elif unit.kind == "step":
                assert [line for line in lines if re.fullmatch(rf"\d+\. +{re.escape(unit.parts[0])}", line)]
            elif unit.kind == "tr":
                assert f"| {' | '.join(unit.parts)} |" in lines


@pytest.mark.parametrize("name", NAMES)
def test_words_are_counted_in_every_script(name: str) -> None:
    blocks = dehusk.segment(dehusk.parse(texts(name).page("article").encode()))
    letters = int((blocks.char_class == CharClass.ALPHA).sum())
    words = int(blocks.words.sum())
    assert letters / LETTERS < words < 1.1 * letters  # a bracket before a Han character counts, too
    longest = blocks.chars.argmax()
    assert int(blocks.words[longest]) > int(blocks.chars[longest]) / LETTERS


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "not declared"])
def test_an_encoding_from_before_utf_8(name: str, declared: bool) -> None:
    of = texts(name)
    html = of.page("article")
    label = f"<head><meta http-equiv=Content-Type content='text/html; charset={of.encoding}'>" if declared else "<head>"
    data = html.replace("<head>", label).encode(CODECS.get(of.encoding, of.encoding), "xmlcharrefreplace")
    page = dehusk.parse(data)
    assert page.text == dehusk.parse(html).text
    assert page.encoding.errors == 0


@pytest.mark.parametrize("name", ["arabic", "hebrew"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('dir="rtl"', ""),
        ('dir="rtl"', 'style="direction: rtl; unicode-bidi: embed"'),
        ("<main>", '<main><bdo dir="rtl">'),
    ],
)
def test_the_direction_of_the_text_changes_nothing(name: str, old: str, new: str) -> None:
    page = texts(name).page("article")
    assert old in page
    assert dehusk.clean(page.replace(old, new)).text == dehusk.clean(page).text


@pytest.mark.parametrize("mark", ["\u200f", "\u200e", "\u202b", "\u2067"])
def test_marks_of_direction_lose_no_word(mark: str) -> None:
    of = texts("hebrew")
    marked = of.page("records").replace('<div class="post-body">', f'<div class="post-body">{mark}')
    text = dehusk.clean(marked).text
    assert missing(of, "records", text) == missing(of, "records", dehusk.clean(of.page("records")).text)


@pytest.mark.parametrize("name", ["chinese", "japanese", "korean"])
@pytest.mark.parametrize("kind", KINDS)
def test_vertical_text_is_read_like_any_other(name: str, kind: str) -> None:
    page = texts(name).page(kind)
    vertical = page.replace("<body>", '<body style="writing-mode: vertical-rl; text-orientation: upright">')
    assert vertical != page
    assert dehusk.clean(vertical).text == dehusk.clean(page).text


def test_ruby_stays_with_its_text() -> None:
    of = texts("japanese")
    word = "望遠鏡"
    page = of.page("article").replace(word, f"<ruby>{word}<rp>(</rp><rt>ぼうえんきょう</rt><rp>)</rp></ruby>")
    text = dehusk.clean(page).text
    assert text.replace("(ぼうえんきょう)", "") == dehusk.clean(of.page("article")).text


def test_the_pages_are_of_the_size_that_the_laws_are_meant_for() -> None:
    for name, kind in EACH:
        assert 30 <= len(dehusk.segment(dehusk.parse(texts(name).page(kind)))) <= 80
