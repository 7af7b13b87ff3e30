"""How much text a page has, and whether it shows its data, against what defines them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.compiled.text import chars_of_texts, is_shown, strings_of
from dehusk.read import parse
from dehusk.read.decoding import decode
from dehusk.read.islands.literals import Value
from dehusk.read.nodes import read_nodes
from oracle import cases
from oracle import shown_data as oracle
from strategies import htmls

WORDS = (
    "tea",
    "Green",
    "leaf",
    "of",
    "the",
    "İzmir",
    "漢",
    "字",
    "ไท",
    "é1",
    "a漢b",
    "ς",
    "😀",
    "<b>x</b>",
    "&lt;p&gt;",
    "_",
)
texts = st.builds(
    lambda start, words, n: " ".join((start, *words) * n),
    st.sampled_from(("In the morning, a cup of tea is made from leaves", "Σίσυφος", "")),
    st.lists(st.sampled_from(WORDS), max_size=12),
    st.integers(1, 6),
)
ARTICLE = "It is late and I have said what I wanted to say in some words of which none stands twice as far as one sees"


def value_of(text: str, owner: int) -> Value:
    return Value(text, ("key",), (owner, 0), 0, 0)


@settings(max_examples=60)
@given(st.lists(texts, max_size=3), st.lists(st.tuples(texts, st.integers(1, 2)), max_size=3), st.integers(0, 4))
def test_random_data_and_texts_shown(shown: list[str], other: list[tuple[str, int]], chosen: int) -> None:
    """Some data is that of the page."""
    values = [value_of(text, owner) for text, owner in [*other, *((text, 1) for text in shown[:chosen])]]
    assert is_shown(values, shown) == oracle.is_shown(values, shown)


@settings(max_examples=60)
@given(*(st.integers(0, 23),) * 3, st.integers(0, 60), st.lists(st.integers(0, 23), max_size=3))
def test_parts_of_a_text_that_is_shown(start: int, end: int, cut: int, more: int, doubled: list[int]) -> None:
    """All shares on both sides of those that tell, of the page's text, of a string, and of its object."""
    words = ARTICLE.split()
    part = " ".join(
        [*words[start:end], *(f"and more of that {n}" for n in range(more // 9)), *(words[n] for n in doubled)]
    )
    values = [value_of(part, 1), value_of(" ".join(f"other{n}" for n in range(more)), 1), value_of(ARTICLE[cut:], 2)]
    for shown in ([ARTICLE], [" ".join(words[cut:])], [ARTICLE[:61], ARTICLE[:60]]):
        for those in (values, values[:2], values[:1]):
            assert is_shown(those, shown) == oracle.is_shown(those, shown)


def check_chars(html: str) -> None:
    columns = read_nodes(html, max_nodes=300_000, max_depth=512)
    for shortest, enough in ((1, 200), (1, 4001), (60, 2000), (0, 0), (2, 3), (3, 1)):
        assert chars_of_texts(columns, shortest, enough) == oracle.chars_of_texts(columns, shortest, enough)


@settings(max_examples=30)
@given(htmls)
def test_characters_of_random_pages(html: str) -> None:
    check_chars(html)
    check_chars(f"{html}<p>\u00a0\u2003{'漢 ' * 70}\x1f<p>\u0085 \u200b")


def test_characters_of_pages_and_whether_they_show_their_data() -> None:
    for source in cases.sources(6):
        text = decode(source, None).text
        check_chars(text)
        values, shown = strings_of(text[:20_000], 0, False, 0, 0, 0).values, [parse(source).text, text[:3000]]
        assert is_shown(values, shown) == oracle.is_shown(values, shown)
