"""Words of pages: examples, and properties compared with a loop over characters."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks import segment
from dehusk.compiled.text import lower, text_key
from dehusk.counts.display import normalise_attribute
from dehusk.counts.terms import page_terms
from dehusk.read import parse
from strategies import htmls

CASES = [
    ("Hello <i>World</i>!", ["hello", "world"]),
    ("<b>D</b>rop cap", ["drop", "cap"]),
    ("x<div>y</div>z", ["x", "y", "z"]),
    ("A4 snake_case it's 3.14", ["a4", "snake", "case", "it", "s", "3", "14"]),
    ("漢字abcカナ", ["漢", "字", "abc", "カ", "ナ"]),
    ("ab漢cd", ["ab", "漢", "cd"]),
    ("İstanbul ΟΔΟΣ οδος Straße", ["istanbul", "οδοσ", "οδοσ", "straße"]),
    ("𐐀𐐁 😀", ["𐐨𐐩"]),  # capitals of Deseret, beyond the basic plane
    ("Donau&shy;dampf", ["donaudampf"]),
    ("e\u0301te\u0301 हिन्दी", ["e\u0301te\u0301", "हिन्दी"]),
    ("<pre>a\nb</pre>", ["a", "b"]),
    ("<script>s</script>.,; <img alt=x>", []),
    ("", []),
]


@pytest.mark.parametrize(("html", "words"), CASES)
def test_words(html, words):
    terms = page_terms(parse(html))
    assert terms.words == words
    assert terms.key.tolist() == [text_key(word) for word in words]


def one_by_one(blocks):
    """Return (word, block) pairs, found by a loop over characters."""
    words, before = [], None
    for offset, character in enumerate(blocks.text):
        block = int(blocks.block_of[offset])
        kind = "word" if unicodedata.category(character)[0] in "LMN" else None
        if kind and "\u3040" <= character < "\ua000" and unicodedata.category(character)[0] != "N":
            kind = "alone"
        if kind == "word" and before == ("word", block):
            words[-1][0] += character
        elif kind:
            words.append([character, block])
        before = (kind, block)
    return [("".join(c.lower()[0].replace("ς", "σ") for c in word), block) for word, block in words]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("class", " B  a a", ".a.b"),
        ("class", "col-md-4 post-1234", ".col-md-0.post-0"),
        ("class", "x_80f4ab12cd34 deadbeef", ".deadbeef.x_0"),
        ("class", "s-1x2y3z grid12col", ".grid0col.s-0"),
        ("class", "", ""),
        ("style", "Color: RED; background:url(a?id=7) ;", "style=color:red;background:url()"),
        ("style", " ", ""),
        ("width", "800", "width=800"),
        ("background", "/b17.gif", "background=/b0.gif"),
        ("nowrap", "", "nowrap="),
    ],
)
def test_differences_between_pages_of_one_design_are_removed(name, value, shown):
    assert normalise_attribute(name, value) == shown


def test_long_attributes():
    for value in ("a" * 200_000, "1" * 200_000, "a1" * 100_000, "a1b" * 100_000, "url(" * 50_000):
        assert normalise_attribute("class", value).startswith(".")
        assert normalise_attribute("style", value).startswith("style=")


@given(htmls)
def test_words_match_a_loop_over_characters(html):
    blocks = segment(parse(html))
    words = page_terms(blocks)
    assert list(zip(words.words, words.block.tolist(), strict=True)) == one_by_one(blocks)


@given(htmls, st.booleans())
def test_spans_of_words_contain_the_words(html, alt):
    page = parse(html)
    blocks = segment(page, alt=alt)
    words = page_terms(blocks)
    offset = blocks.source[words.start]
    assert page.is_text[words.node].all()
    assert (page.text_start[words.node] <= offset).all()
    assert (offset < page.text_end[words.node]).all()
    assert (np.diff(words.node) >= 0).all()
    for node in range(len(page)):
        inside = (words.node >= node) & (words.node < page.end[node])
        assert words.before[page.end[node]] - words.before[node] == inside.sum()


@given(htmls)
def test_distinct_words(html):
    terms = page_terms(parse(html))
    keys, words = terms.distinct
    assert keys.tolist() == sorted(set(terms.key.tolist()))
    assert dict(zip(keys.tolist(), words, strict=True)) == dict(zip(terms.key.tolist(), terms.words, strict=True))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_lower_case_keeps_the_number_of_characters(text):
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    expected = [("σ" if c == "ς" else c.lower()[0]) for c in text]
    assert [chr(point) for point in lower(points).tolist()] == expected
