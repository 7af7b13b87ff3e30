"""Items that hold nothing but lists have no mark of their own: `- - tea` is `- tea`."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from test_markdown_cards import markdown

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from elements import ink
from markdown_elements import read_markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><ul><li>a<li>b</ul></ul>", "- a\n- b\n"),
        ("<ul><li><ul><li>a<li>b</ul><li><ul><li>c</ul></ul>", "- a\n- b\n\n* c\n"),
        ("<ul><li>x<li><ul><li>a<li>b</ul><li>y</ul>", "- x\n- a\n- b\n- y\n"),
        ("<ul><li><ul><li><ul><li>a</ul></ul><li>b</ul>", "- a\n- b\n"),
        ("<ol><li><ul><li>a<li>b</ul></ol>", "- a\n- b\n"),
        ("<ul><li><ol><li>a<li>b</ol></ul>", "1. a\n2. b\n"),
        ("<ul><li>x<ul><li><ul><li>a</ul></ul></ul>", "- x\n  - a\n"),
        ("<ul><li><ul><li><pre>a\nb</pre></ul></ul><pre lang=c>d</pre>", "- ```\n  a\n  b\n  ```\n\n```c\nd\n```\n"),
    ],
    ids=["one", "two lists", "among others", "deeper", "one number", "numbers within", "in an item", "listings"],
)
def test_an_item_of_lists_only_has_no_mark(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ol><li><ul><li>a</ul><li><ul><li>b</ul></ol>", "1. - a\n2. - b\n"),
        ("<ol><li>x<li><ul><li>a</ul></ol>", "1. x\n2. - a\n"),
        ("<ul><li>x<li><ul><li><ol><li>a<li>b</ol></ul></ul>", "- x\n- 1. a\n  2. b\n"),
    ],
    ids=["numbers that count", "numbers beside text", "numbers beside items"],
)
def test_numbers_stay(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><ul><li>a<ul><li>b</ul></ul></ul>", "- - a\n    - b\n"),
        ("<ul><li>x<ul><li>y</ul><li><ul><li>a</ul></ul>", "- x\n  - y\n- - a\n"),
        ("<ul><li><ul><li>a<ul><li>b</ul></ul><li><ul><li>c</ul></ul>", "- - a\n    - b\n- - c\n"),
    ],
    ids=["a reply to what is not kept", "beside levels", "beside deeper lists"],
)
def test_levels_of_a_thread_stay(html: str, expected: str) -> None:
    assert markdown(html) == expected


_LISTS = st.recursive(
    st.sampled_from(["tea", "<b>pot</b>", ""]),
    lambda inner: st.tuples(st.sampled_from(["ul", "ol"]), st.lists(st.lists(inner, max_size=2), max_size=3)).map(
        lambda made: f"<{made[0]}>" + "".join(f"<li>{''.join(item)}</li>" for item in made[1]) + f"</{made[0]}>"
    ),
    max_leaves=12,
)


@given(_LISTS)
def test_no_text_is_lost(lists: str) -> None:
    document = dehusk.clean(f"<p>x</p>{lists}<p>y</p>", method="keep-all")
    words = ink(dehusk.clean(f"<p>x</p>{lists.replace('li>', 'div>')}<p>y</p>", method="keep-all").text)
    written = read_markdown(document.render("markdown", title="never")).text
    assert ink(written) == words.replace("-", "")
