"""Characters that nobody sees, and texts that are numbers, against what defines them."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.compiled.blocks import line_numbers, suspicions
from dehusk.read import parse
from dehusk.read.page import Page
from oracle import cases
from oracle import visibility as oracle
from strategies import htmls

PAGE = parse("<p>x")
SIGNS = (
    *("\u200a", "\u200b", "\u200d", "\u200f", "\u2010", "\u202c", "\u202d", "\u202e", "\u202f", "\ud800", "\udfff"),
    *("\U000dffff", "\U000e0000", "\U000e0041", "\U0010ffff", "\u000e", "é", "\uffff", "漢", "😀", "\U0001200b"),
    *(
        "\u205f",
        "\u2060",
        "\u2061",
        "\u2064",
        "\u2065",
        "\ufeff",
        "\ufefe",
        "\ufe00",
        "\ufe01",
        "\ufe0f",
        "\ufe10",
        "\ufdff",
    ),
)
texts = st.lists(
    st.one_of(
        st.sampled_from(SIGNS),
        st.builds(str.__mul__, st.sampled_from(SIGNS[:5]), st.integers(1, 8)),
        st.sampled_from((1, 13, 15, 16, 31, 48, 63, 64, 65, 80)).map("x".__mul__),
    ),
    max_size=6,
).map("".join)


@given(texts)
def test_suspicions_of_random_texts(text: str) -> None:
    page = replace(PAGE, text=text)
    assert suspicions(page) == oracle.suspicions(page)


def test_suspicious_characters_at_every_place_of_a_block() -> None:
    for sign in (
        "\u202d",
        "\u202e",
        "\U000e0000",
        "\u200b" * 8,
        "\u200f" * 7,
        f"\u200f{'x' * 70}" * 8,
        "\ufe0f" * 3,
        "\ufe0f" * 2,
        "✓\ufe0f" * 4,
    ):
        for wide in ("漢", "😀"):
            for before in range(84):
                page = replace(PAGE, text=f"{'x' * before}{sign}{'x' * (before % 19)}{wide}")
                assert suspicions(page) == oracle.suspicions(page)


def check_numbers(page: Page) -> None:
    nodes = np.flatnonzero(page.is_text)
    for those in (nodes, nodes[::2].copy(), nodes[:0]):
        assert line_numbers(page, those) == oracle.line_numbers(page, those.tolist())


NUMBERS = (
    *("1", "12345678", "123456789", " 1234567", " 12345678", "1\n", "\t 12 ", "1\u00a0", "\u20071", "1.", "1 2", "-1"),
    *("\u0661", "\u00b2", "007", "", " ", "0", "1\x1f", "1\u200b", "\u30001\u2003", "a", "1a", "\uff11"),
    *("9" * 8, "1\n2\n3\n"),
)
number_htmls = st.builds(
    lambda texts, wide, html: f"<pre>{'<i>'.join(texts)}</pre>{wide}{html}",
    st.lists(st.sampled_from(NUMBERS), max_size=8),
    st.sampled_from(("", "漢", "😀")),
    htmls,
)


@settings(max_examples=40)
@given(number_htmls)
def test_numbers_in_random_pages(html: str) -> None:
    check_numbers(parse(html))


def test_numbers_and_suspicions_of_pages() -> None:
    for source in cases.sources(6):
        page = parse(source)
        check_numbers(page)
        assert suspicions(page) == oracle.suspicions(page)
