"""CLEANEVAL's gold texts, with the oddities of the real files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.lab.gold import from_cleaneval, segments_to_cleaneval
from dehusk.measures.metrics import cleaneval as score

labels = st.sampled_from(["header", "paragraph", "list"])
SYMBOLS = [
    "<p>",
    "</P>",
    "<h<",
    "<l.",
    ",l>",
    "&",
    "&lt;",
    "&amp;amp;",
    "&copy",
    "&#60;p>",
    ";",
    "<",
    "p>",
    "<!--",
    "-->",
]
SPACES = ["\n", "\r", " ", "\u00a0", "\x1d", "\ufeff"]
text = st.lists(st.sampled_from([*SYMBOLS, *SPACES, "word", "URL:", "http://x"]) | st.text(max_size=5)).map("".join)
segments = st.lists(st.tuples(labels, text.map(lambda t: " ".join(t.split())).filter(bool)), max_size=8)


@given(written=segments, url=st.none() | st.sampled_from(["http://example.org/", "a b\nc"]))
def test_a_written_text_is_read_back(written: list[tuple[str, str]], url: str | None) -> None:
    assert from_cleaneval(segments_to_cleaneval(written, url)) == written


@given(
    raw=st.lists(
        st.sampled_from(["<h>", "<p> ", "<L>", "</p>", "\n", "\r\n", "\n\n", "  ", "a b", "&amp;", "URL: x"])
    ).map("".join)
)
def test_reading_is_idempotent_and_collapses_white_space(raw: str) -> None:
    read = from_cleaneval(raw)
    assert all(segment.text == " ".join(segment.text.split()) != "" for segment in read)
    assert from_cleaneval(segments_to_cleaneval(read)) == read


@given(written=segments)
def test_the_scorer_reads_the_same_words(written: list[tuple[str, str]]) -> None:
    plain = [(label, "".join(c for c in text if c.isalnum() or c == " ")) for label, text in written]
    first, second = segments_to_cleaneval(plain), segments_to_cleaneval(plain, "http://x/")
    assert score(first, segments_to_cleaneval(from_cleaneval(second))).distance == 0


def test_a_typical_file() -> None:
    gold = "URL: http://x/\n\n<h>   Your Home\n\n<l>     * Fast\n   For Top Dollar\n\n<p>AT&T &#8217;s   big\nplan\n"
    assert from_cleaneval(gold) == [
        ("header", "Your Home"),
        ("list", "* Fast For Top Dollar"),
        ("paragraph", "AT&T \u2019s big plan"),
    ]


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ("", []),
        ("\n<!-- this page contains no article -->\n", []),
        ("<p>\n<h>\n<p> x", [("paragraph", "x")]),
        ("Title of the page\n<p>x", [("paragraph", "Title of the page"), ("paragraph", "x")]),
        ("no tag\n\nat all", [("paragraph", "no tag at all")]),
        ("\ufeffURL: http://x/y?z\r\n\r\n<h>a\r\nb", [("header", "a b")]),
        ("http://books.example/a,1.html\n\n<h>Your", [("header", "Your")]),
        ("http://x is\n<p>y", [("paragraph", "http://x is"), ("paragraph", "y")]),
        ("<p>see\nURL: www.example.com\nnow", [("paragraph", "see URL: www.example.com now")]),
        ("<h>Figure 2. <p>Curve <l>Rating", [("header", "Figure 2."), ("paragraph", "Curve"), ("list", "Rating")]),
        ("<H>NAME\n<P>x</p>\n</l>", [("header", "NAME"), ("paragraph", "x")]),
        ("  <h<CLIMATE\n<l. Next\n<h. E", [("header", "CLIMATE"), ("list", "Next"), ("header", "E")]),
        (' <l."Surf"\n ,l>How', [("list", '"Surf"'), ("list", "How")]),
        ("<p>if p <l and x <p.05 or a,l> b", [("paragraph", "if p <l and x <p.05 or a,l> b")]),
        ("<p>a <> b <CR> <http://x> <br> 1 < 2", [("paragraph", "a <> b <CR> <http://x> <br> 1 < 2")]),
        ("<p>&lt;h&gt; is a tag", [("paragraph", "<h> is a tag")]),
        ("<p>a&nbsp;&nbsp;b&#10;c", [("paragraph", "a b c")]),
    ],
)  # fmt: skip
def test_oddities(gold: str, expected: list[tuple[str, str]]) -> None:
    assert from_cleaneval(gold) == expected


def test_writing() -> None:
    written = segments_to_cleaneval(
        [("header", " A &  B "), ("paragraph", ""), ("list", "use <p> or &lt;")], "http://x/"
    )
    assert written == "URL: http://x/\n\n<h> A & B\n<l> use &lt;p> or &amp;lt;\n"
    assert segments_to_cleaneval([]) == ""


def test_a_label_without_a_tag_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown CLEANEVAL label 'other'.*Known: header, paragraph, list"):
        segments_to_cleaneval([("other", "menu")])
