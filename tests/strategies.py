"""Random pages for property tests: tags and texts in any order, nested correctly and incorrectly."""

from hypothesis import strategies as st

from dehusk.read.text_pages import form_of

TAGS = (
    "div", "p", "b", "i", "a", "span", "font", "table", "tr", "td", "ul", "li", "h1", "pre", "blockquote", "section",
    "select", "option", "button", "noscript", "text", "o:p", "x-y", "math", "br", "hr", "img",
)  # fmt: skip

TEXTS = (
    "a", "Bc d.", " ", "\n", "\t", " e  f ", "1", "A 2nd one!", "é", "漢字。", "😀", "\u00a0", "\u200b", "&nbsp;",
    "&amp;", "&#12;", "\x0c", "-", "g\nh\n\n  i", "k\u00adl", "It works. It does?",
)  # fmt: skip

_ATTRIBUTES = (
    ' class="x"', ' class="y z"', ' id=n', ' href="/u"', ' alt="Pic ture"', ' alt=" "', ' ALT=q class', ' lang=en',
)  # fmt: skip

_starts = st.builds(
    "<{}{}>".format, st.sampled_from(TAGS), st.lists(st.sampled_from(_ATTRIBUTES), max_size=2).map("".join)
)
_ends = st.sampled_from(TAGS).map("</{}>".format)
_odd = st.sampled_from(("<!-- c -->", "<script>s</script>", "<style>s</style>", "<", "<svg><b>v</b></svg>", "</p>"))

_pieces = st.one_of(_starts, _starts, _ends, st.sampled_from(TEXTS), _odd)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from(("p", "div", "li", "td", "pre", "b", "i", "span", "a"))
    return st.builds("<{0}>{1}</{0}>".format, tags, st.lists(inner, min_size=1, max_size=4).map("".join))


htmls = (
    st.lists(st.one_of(_pieces, st.recursive(_pieces, _nested, max_leaves=8)), max_size=20)
    .map("".join)
    .filter(lambda source: form_of(source) == "html")
)
"""Small pages, none of them plain text: tags nested correctly and incorrectly, several scripts, all types of white
space, empty elements."""

prose = st.lists(st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "and", "ate"]), max_size=25)
"""Lists of words, some of which repeat."""
