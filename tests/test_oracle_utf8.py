"""The strict decoder of UTF-8 against what defines it."""

from hypothesis import given
from hypothesis import strategies as st

from dehusk.compiled.text import decoded_again, strict_utf8
from oracle import cases
from oracle import decoding as oracle


def check_utf8(data: bytes) -> None:
    assert strict_utf8(data) == oracle.strict_utf8(data)


EDGES = "\0\x7f\x80\xff\u0100\u07ff\u0800\ud7ff\ue000\ufffc\ufffd\ufffe\uffff\U00010000\U000fffff\U0010ffff"
edges = st.lists(st.one_of(st.sampled_from(EDGES), st.integers(0, 35).map("x".__mul__)), max_size=8).map("".join)


@given(edges)
def test_utf8_of_all_lengths(text: str) -> None:
    data = text.encode()
    for end in range(max(0, len(data) - 5), len(data) + 1):
        check_utf8(data[:end])


@given(edges, edges, st.binary(min_size=1, max_size=4))
def test_damaged_utf8(before: str, after: str, damage: bytes) -> None:
    check_utf8(before.encode() + damage + after.encode())


def test_all_starts_of_characters() -> None:
    second = (0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    for first in range(0x80, 0x100):
        for after in (
            bytes((byte, *end)) for byte in second for end in (b"", b"\x80", b"\xbf\x80", b"\x80\xc0", b"aa")
        ):
            check_utf8(bytes((first,)) + after)


def test_utf8_of_pages() -> None:
    for source in cases.sources(2):
        check_utf8(source)


@given(edges, st.sampled_from(("", "é", "\x80", "–")))
def test_what_is_decoded_again(text: str, more: str) -> None:
    for twice in (text.encode().decode("latin-1") + more, text + more):
        assert decoded_again(twice) == oracle.decoded_again(twice)
