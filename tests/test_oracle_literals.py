"""The strings of data in scripts against what defines them."""

import json
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.compiled.text import strings_of
from dehusk.read.decoding import decode
from dehusk.read.islands.literals import MAX_TOKENS, Value
from oracle import cases
from oracle import literals as oracle

PARTS = (
    *('"', "'", "`", "\\", "{", "}", "[", "]", ":", ",", " ", "\n", "/", "//", "/*", "*/", " // a: 'b'\n", " /* c: */"),
    *("\r", '"key":', "key:", "'key':", "$a_1 :", "1a:", "12:", '"":', '"12":', '"x-1":', "\u00e9a:", "a\u00e9:", "_:"),
    *("\u00b2\u0661", '"text"', "'te\"xt'", "`a\nb`", '"a\nb"', '"1"', '"a"', '" ab "', '"\u0661\u0661"'),
    *('"\u00b2\u00b2"', '"漢字"', '"\u00a0é_"', r"\n", r"\"", r"\'", r"\u00e9", r"\u{1f600}", r"\ud83d\ude00"),
    r"\ud83d",
    *(r"\ude00", r"\x41", r"\q", "\\\n", "\\\r\n", '"[1, \\"inner text\\", 2, 3]"', '"{\\"a\\": \\"inner text\\", b}"'),
    *("'[ [\"inner text that is long\"] ]'", "😀", "\ud800", '"%7Bno data in this one"', "a" * 40),
    *(f"{'a' * n}:" for n in (40, 41, 99, 100, 101)),
    *(f"{'1' * n}a:" for n in (98, 99, 100, 101)),
    *(f"a{'1' * n}:" for n in (98, 99, 100)),
    *("key \n :", '"key" \t :', "$:"),
    *(f'"{"k" * n}":' for n in (40, 41)),
    *('"a\ud800\\n"', "{" * 9, "[" * 70, "{a:" * 70, '"k":{' * 7, "}" * 9, "\\\\", "true"),
    *("-1.5", '"[x is no data, only a text]"'),
    *('"%7B%22a%22%3A%22inner%20text%22%7D"', '"%5b%22inner%20text%20\u00e9%22%5d"'),
)
sources = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
tokens_before = st.one_of(st.just(0), st.integers(MAX_TOKENS - 12, MAX_TOKENS + 2))


def check_strings(source: str, tokens: int = 0) -> None:
    for is_json in (False, True):
        found = strings_of(source, 3, is_json, tokens, 5, 7)
        assert found == oracle.strings_of(source, 3, is_json, tokens, 5, 7)
        assert all(type(value) is Value for value in found.values)


@given(sources, tokens_before)
def test_strings_of_random_sources(source: str, tokens: int) -> None:
    check_strings(source, tokens)


AROUND = (
    *("{}'a value'", "{{'k': 'v w', {} 'a value', \"b c\"}}", "({} 'a value'\n'b c'", "x = [ {}\n'a value']; 'b c'"),
    *('{}"a value"', '{{"k": "v w", {}{{"a value", "b c"}}}}', "a/{} 'a value'\n'b c'"),
)


def test_strings_around_each_part() -> None:
    for part, around in product(PARTS, AROUND):
        check_strings(around.format(part))


keys = st.sampled_from(("a", "b", "text", "12", "k" * 41, "é", ""))
trees = st.recursive(
    st.sampled_from(
        ("text", "a longer text, of words", "漢字", "😀 b", " x ", "1", None, 2, 'a "quoted" text', "a\\b")
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(keys, inner, max_size=3),
        st.builds(json.dumps, st.dictionaries(keys, inner, min_size=1, max_size=2)),
    ),
    max_leaves=12,
)


@settings(max_examples=60)
@given(trees, st.booleans())
def test_strings_of_random_data(data: object, is_ascii: bool) -> None:
    """Strings of data may be data."""
    check_strings(f"window.data = {json.dumps(data, ensure_ascii=is_ascii)};")


def test_data_in_strings_of_data() -> None:
    check_strings(json.dumps({"key": '[1, 2, 3, 4, 5, 6, 7]]} "after more ends than starts"'}))
    text = '["a text that is long"]'
    for _ in range(8):
        check_strings(text)
        text = json.dumps({"inner": text, "after it": "b c"})


def test_strings_of_pages() -> None:
    for source in cases.sources(4):
        check_strings(decode(source, None).text[:20_000])
