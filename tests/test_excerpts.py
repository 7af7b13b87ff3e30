"""Passages that answer a query, within a limit: order and headings stay, and what is left out is named."""

import json
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from command_line import EXAMPLE
from command_line import dehusk as run_command
from dehusk.base.errors import ConfigError, MissingExtraError
from dehusk.write.chunks import Relevance

TEA = dehusk.clean(EXAMPLE.read_bytes())
SECTIONS = {
    "Kettles": "A kettle of iron keeps the heat for a long time, and it rusts if you leave water in it.",
    "Leaves": "Leaves are steamed in Japan and roasted in China, which gives them different flavours and colours.",
    "Water": "Boiling water burns the leaves of green tea: let it cool to seventy degrees before you pour it.",
    "Cups": "Thin cups of porcelain lose their heat quickly, and thick ones of clay keep it for an hour.",
}
OTHER = "<p>Much is told of other things here, in words that nobody asked for.</p>" * 3
LONG = dehusk.clean(
    "<main><h1>All about tea</h1>"
    + "".join(f"<h2>{head}</h2><p>{text}</p>" for head, text in SECTIONS.items())
    + "".join(f"<h2>Part {number}</h2>{OTHER}" for number in range(9))
)


def likes(*words: str) -> Relevance:
    """Return a relevance by the first of some words that a text has."""

    def relevance(_: str, texts: Sequence[str]) -> list[float]:
        return [next((10.0 - place for place, word in enumerate(words) if word in text), 0.0) for text in texts]

    return relevance


def constant(value: float, count: int | None = None) -> Relevance:
    return lambda _, texts: [value] * (len(texts) if count is None else count)


def test_the_passages_that_answer_a_query() -> None:
    pytest.importorskip("bm25s")
    excerpt = LONG.within(max_words=60, query="How hot may the water be for green tea?")
    assert SECTIONS["Water"] in excerpt.markdown
    assert "nobody asked for" not in excerpt.markdown
    assert excerpt.size <= 60
    assert {chunk.id for chunk in (*excerpt.passages, *excerpt.left_out)} == {
        chunk.id for chunk in LONG.chunks(max_words=40)
    }
    assert excerpt.describe().startswith("left out: ")
    assert "Cups" in excerpt.describe()


def test_order_headings_and_gaps() -> None:
    excerpt = LONG.within(max_words=80, query="x", relevance=likes("porcelain", "iron"))
    assert excerpt.markdown.index("iron") < excerpt.markdown.index("porcelain")
    assert "## Kettles" in excerpt.markdown or "Kettles**" in excerpt.markdown
    assert "## Cups" in excerpt.markdown or "Cups**" in excerpt.markdown
    assert excerpt.markdown.count("[…]") == 2
    assert [chunk.index for chunk in excerpt.passages] == sorted(chunk.index for chunk in excerpt.passages)


def test_without_a_query_the_start_of_the_page() -> None:
    excerpt = LONG.within(max_words=50)
    assert excerpt.markdown.startswith("# All about tea")
    assert SECTIONS["Kettles"] in excerpt.markdown
    assert excerpt.markdown.endswith("[…]")
    whole = TEA.within(max_tokens=10_000)
    assert (whole.left_out, whole.describe()) == ((), "")
    assert whole.markdown.split() == TEA.markdown.split()


def test_what_has_nothing_to_do_with_the_query_is_left_out() -> None:
    pytest.importorskip("bm25s")
    excerpt = TEA.within(max_tokens=500, query="xylophone")
    assert (excerpt.markdown, excerpt.passages) == ("", ())
    assert dehusk.clean("").within(query="tea").markdown == ""


def test_an_excerpt_prints_as_its_markdown_and_shows_as_one_line() -> None:
    excerpt = TEA.within(max_words=60, query="water", relevance=likes("boiling"))
    assert str(excerpt) == excerpt.markdown
    assert repr(excerpt) == f"<Excerpt of size {excerpt.size}, 1 of {1 + len(excerpt.left_out)} passages>"


def test_languages_without_spaces() -> None:
    source = "".join(
        f"<p>好的茶叶可以泡三杯茶，水不能太热，也不能放太久，这是第{number}段。</p>" for number in range(20)
    )
    excerpt = dehusk.clean(f"<h1>茶</h1>{source}").within(max_words=100)
    assert 40 < excerpt.size <= 100
    assert len(excerpt.markdown) < 200
    assert excerpt.left_out


def test_images_take_no_room() -> None:
    page = dehusk.clean(
        "<h1>Tea</h1><p>Good leaves give three cups.</p><img src=/a.png alt='A pot of tea'><p>Drink it cold.</p>"
    )
    assert "a.png" in page.markdown
    assert "a.png" not in page.within(max_tokens=100).markdown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_words": 10, "max_tokens": 10}, "cannot be used together"),
        ({"max_words": 0}, "max_words must be an integer, at least 1"),
        ({"relevance": constant(1)}, "give a query"),
        ({"query": "tea", "relevance": constant(1, 1)}, "a number for each text"),
        ({"query": "tea", "relevance": constant(float("nan"))}, "a number for each text"),
    ],
)
def test_wrong_arguments(options: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LONG.within(**options)


def test_a_query_needs_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtraError, match=r"dehusk\[query\]"):
        TEA.within(query="water")


def test_the_command_line() -> None:
    pytest.importorskip("bm25s")
    done = run_command("--within", 150, "--query", "how hot should the water be", EXAMPLE)
    assert done.stdout.decode() == TEA.within(max_tokens=150, query="how hot should the water be").markdown + "\n"
    assert done.stderr.decode().startswith(f"dehusk: {EXAMPLE}: left out: ")
    lines = run_command("--within", 150, EXAMPLE, EXAMPLE)
    assert [json.loads(line)["text"] for line in lines.stdout.splitlines()] == [
        TEA.within(max_tokens=150).markdown + "\n"
    ] * 2
    assert lines.stderr == b"dehusk: 2 pages: 2 ok\n"
    for arguments in (("--query", "x"), ("--within", "9", "-f", "json"), ("--within", "9", "--explain")):
        refused = run_command("clean", *arguments, EXAMPLE)
        assert (refused.returncode, refused.stdout) == (2, b"")
        assert b"--within" in refused.stderr


@settings(max_examples=40)
@given(st.integers(1, 400), st.sampled_from(["max_words", "max_tokens"]))
def test_an_excerpt_is_within_its_limit(limit: int, unit: str) -> None:
    excerpt = LONG.within(**{unit: limit}, query="x", relevance=constant(1))
    assert excerpt.size <= limit
    assert len(excerpt.passages) + len(excerpt.left_out) > 0
