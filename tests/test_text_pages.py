"""Pages of Markdown and plain text: nothing of them is lost, and their structure stays."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from dehusk.read import Limits, parse
from dehusk.read.text_pages import form_of

TEA = """---
title: Brewing tea
authors: [Ann Leaf, Bo Cup]
date: 2026-05-03
url: https://tea.example/brewing
---

# Brewing tea

Water that has *just* boiled is too hot, see [gunpowder](/blog/gunpowder).

## Steps

1. Heat the water
2. Wait

- Sencha: 70 °C
- Gyokuro: 55 °C

```python
def f(x):
    return x  # not a $formula$
```

| leaf | °C |
| --- | --- |
| Sencha | 70 |

The sum $a_1 + b_1$ and

$$E = mc^2$$
"""
BODY = TEA.partition("---\n\n")[2].replace("(/blog", "(https://tea.example/blog")
AS_MARKDOWN = {"content-type": "text/markdown; charset=utf-8"}


def test_markdown_stays_markdown() -> None:
    document = dehusk.clean(TEA.encode())
    assert (str(document.status), document.markdown) == ("ok", BODY)
    assert document.page.form == "markdown"
    assert document.notes == ("the page is Markdown, not HTML: all of it is kept",)
    assert document.labels.kept.all()
    metadata = document.metadata
    assert (metadata.title, metadata.authors, metadata.date) == ("Brewing tea", ("Ann Leaf", "Bo Cup"), "2026-05-03")
    assert metadata.url == "https://tea.example/brewing"
    assert dehusk.clean(document.markdown).markdown == document.markdown


def test_markdown_has_text_chunks_and_reasons() -> None:
    document = dehusk.clean(TEA, explain=True)
    assert document.text.startswith("Brewing tea\n\nWater that has just boiled is too hot, see gunpowder.\n")
    assert "Sencha\t70" in document.text
    assert "$a_1 + b_1$" in document.text
    assert [chunk.headings for chunk in document.chunks(max_words=12)][-1] == ("Brewing tea", "Steps")
    assert {block.reason for block in document.blocks} == {"all text of a page of markdown"}
    assert document.confidence > 0.9


def test_a_header_says_that_a_text_is_markdown() -> None:
    assert dehusk.clean(b"a *word* only", headers=AS_MARKDOWN).markdown == "a *word* only\n"
    assert dehusk.clean(b"a *word* only").page.form == "html"
    assert dehusk.clean(b"<html><body><p># tea", headers=AS_MARKDOWN).page.form == "html"


def test_plain_text_keeps_its_paragraphs() -> None:
    document = dehusk.clean("The first cup\nis for thirst.\n\nThe second & third:\n\n    a  b\n    1  2\n")
    assert document.page.form == "text"
    assert document.markdown == "The first cup is for thirst.\n\nThe second & third:\n\n```\n    a  b\n    1  2\n```\n"
    assert document.notes == ("the page is plain text, not HTML: all of it is kept",)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("", "html"), ("tea", "html"), ("tea & cups\nof it", "html"), ("<p>tea\n\ncups", "html"),
        ("<!DOCTYPE html># tea\n\n## cups", "html"), ("a < b\n\nc > d", "text"), ("tea\n \t\ncups", "text"),
        ("# tea", "markdown"), ("#hashtag\nand #another", "html"), ("- a\n- b\n- c\n", "markdown"),
        ("- a\n- b\n\ntea", "text"), ("```\nx\n```", "markdown"), ("[a](b) and [c](d)", "markdown"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "markdown"), ("---\ntitle: tea\n---\ncups", "markdown"),
        ("# a\n\n## b\n\n<br>\n\n## c\n\n## d\n", "markdown"), ("<div># a</div><p>b</p>", "html"),
        ('{"a": [1, 2]}', "html"),
    ],
)  # fmt: skip
def test_what_a_text_is(text: str, form: str) -> None:
    assert form_of(text) == form


def test_markdown_with_html_in_it_is_cleaned_of_scripts() -> None:
    source = "# Tea\n\n<script>alert(1)</script>\n\nGood <b>leaves</b>.\n\n- a\n- b\n- c\n\n[x](javascript:alert(1))\n"
    document = dehusk.clean(source.encode(), headers=AS_MARKDOWN)
    assert document.page.form == "markdown"
    assert "<script" not in document.html
    assert 'href="javascript' not in document.html
    assert "Good **leaves**." in document.markdown


@pytest.mark.parametrize(
    "value",
    ["!!timestamp foo", "!!bool foo", "!!int ''", f"0x{'f' * 5_000}", "!!float x", "&a [*a, *a]", "[" * 9_000, "true"],
)
def test_values_of_front_matter_that_do_not_fit(value: str) -> None:
    page = parse(f"---\ntitle: {value}\n---\n\n# Tea\n\nGood leaves.\n")
    assert (page.form, page.text.split()[-2:]) == ("markdown", ["Good", "leaves."])


def test_front_matter_that_is_none() -> None:
    for matter in (
        "- a\n- b",
        "title: [1, {a: b}]",
        "a: &a [*a]",
        "title: tea\nb: !!python/object:os.system x",
        "\tx: :",
    ):
        document = dehusk.clean(f"---\n{matter}\n---\n\n# Tea\n\nGood leaves.\n")
        assert document.markdown == "# Tea\n\nGood leaves.\n"


@pytest.mark.parametrize(
    "piece", ["[", "![", "`", "` `` ", "$a ", "*a ", "a**b", "> ", "- ", "- a\n", "|", "# a\n", "\\(", "$$a\n"]
)
def test_floods_take_time_in_proportion(piece: str) -> None:
    source = "# Tea\n\n" + piece * (60_000 // len(piece))
    start = time.process_time()
    document = dehusk.clean(source.encode(), headers=AS_MARKDOWN)
    assert document.markdown
    assert time.process_time() - start < 20  # a square of the length takes minutes


def test_long_markdown_is_plain_text() -> None:
    document = dehusk.clean("# Tea\n\n" + "Good leaves give three cups.\n\n" * 17_000, limits=Limits(seconds=60))
    assert document.page.form == "text"
    assert document.text.count("Good leaves") == 17_000


WORDS = st.text("abc", min_size=1, max_size=6)


@settings(max_examples=40)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=8).map(" ".join), min_size=2, max_size=6))
def test_every_word_of_a_plain_text_is_kept(paragraphs: list[str]) -> None:
    text = "\n\n".join(paragraphs)
    assert dehusk.clean(text).text.split() == text.split()
    assert dehusk.clean(f"# h\n\n{text}").text.split() == ["h", *text.split()]


@settings(max_examples=60)
@given(st.text(st.sampled_from("a# *_`[]()$\\\n-|>1.<&~!:"), max_size=80))
def test_any_text_gives_a_page(text: str) -> None:
    page = parse(text.encode(), headers=AS_MARKDOWN)
    assert page.form in ("markdown", "html")
    assert str(dehusk.clean(text, headers=AS_MARKDOWN).status) in ("ok", "no-content")
