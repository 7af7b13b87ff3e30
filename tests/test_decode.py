"""Decoding: every type of evidence, wrong declarations, damaged bytes."""

import codecs
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.base.errors import Status
from dehusk.read import decode, parse
from dehusk.read.page import Encoding

FRENCH = "L'été dernier, nous étions allés à la plage où le café coûtait très cher. "
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
CHINESE = "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。寒来暑往，秋收冬藏。我们的学校在北京。"
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. "

LANGUAGES = {  # Python codec -> a text, and the names that are correct for it
    "utf-8": (FRENCH, {"utf-8"}),
    "cp1252": (FRENCH, {"windows-1252"}),
    "windows-1251": (RUSSIAN, {"windows-1251"}),
    "gb18030": (CHINESE, {"gbk", "gb18030"}),
    "shift_jis": (JAPANESE, {"shift_jis"}),
    "euc-jp": (JAPANESE, {"euc-jp"}),
    "euc-kr": (KOREAN, {"euc-kr"}),
}


def header(charset: str) -> dict[str, str]:
    return {"content-TYPE": f'text/html; charset="{charset}"'}


@pytest.mark.parametrize("codec", LANGUAGES)
def test_the_detector_finds_an_encoding_that_is_not_declared(codec):
    text, names = LANGUAGES[codec]
    decoded = decode(f"<p>{text}".encode(codec))
    assert decoded.text == f"<p>{text}"
    assert decoded.encoding.name in names
    assert decoded.encoding.evidence == ("utf-8" if codec == "utf-8" else "detector")
    assert decoded.encoding.errors == 0


def test_japanese_with_escape_sequences_is_recognised_without_a_label():
    decoded = decode(f"<p>{JAPANESE}".encode("iso2022_jp"))
    assert (decoded.text, decoded.encoding) == (f"<p>{JAPANESE}", Encoding("iso-2022-jp", "detector"))
    assert decode(b"<p>an \x1b$ escape and US$B").encoding.name == "utf-8"


@pytest.mark.parametrize(
    "text",
    [
        "<p>It costs £3,000, and in all £15,000 a year.",
        "<p>©1999 the authors",
        "<a href=next>»</a>",
        "§§§§§<p>“quoted” – 12 ½ °",
        "<p>100 € · 20 €",
    ],
)
def test_a_few_signs_are_not_letters_of_another_language(text):
    decoded = decode(text.encode("cp1252"))
    assert (decoded.text, decoded.encoding) == (text, Encoding("windows-1252", "detector"))


@pytest.mark.parametrize("codec", [codec for codec in LANGUAGES if codec != "utf-8"])
def test_a_wrong_utf8_label_gives_way_to_the_detector(codec):
    text, names = LANGUAGES[codec]
    decoded = decode(f"<meta charset=utf-8><p>{text * 2}".encode(codec))
    assert decoded.text.endswith(text * 2)
    assert decoded.encoding.name in names
    assert decoded.encoding.evidence == "detector"


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "koi8-r", "us-ascii"])
@pytest.mark.parametrize("text", [FRENCH, RUSSIAN, JAPANESE])
def test_valid_utf8_overrules_a_single_byte_label(label, text):
    data = f"<meta charset={label}>{text}"
    assert decode(data.encode()).text == data
    assert decode(data.encode()).encoding == Encoding("utf-8", "utf-8")
    assert decode(text.encode(), header(label)) == decode(text.encode())


@pytest.mark.parametrize(("label", "text"), [("gbk", "模"), ("euc-kr", "친"), ("big5", "耀"), ("euc-jp", "函")])
def test_valid_utf8_does_not_overrule_a_multi_byte_label(label, text):
    data = text.encode(label)
    assert data.decode("utf-8")  # by chance these bytes are UTF-8, too
    assert decode(b"<meta charset=" + label.encode() + b">" + data).text.endswith(text)


@pytest.mark.parametrize(
    ("codec", "mark", "name"),
    [
        ("utf-8", codecs.BOM_UTF8, "utf-8"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "utf-16le"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "utf-16be"),
    ],
)
def test_a_byte_order_mark_beats_every_label(codec, mark, name):
    text = f"<meta charset=koi8-r>{RUSSIAN}"
    decoded = decode(mark + text.encode(codec), header("euc-jp"))
    assert (decoded.text, decoded.encoding) == (text, Encoding(name, "bom"))


@pytest.mark.parametrize("size", [60, 61])
@pytest.mark.parametrize(("codec", "name"), [("utf-16-le", "utf-16le"), ("utf-16-be", "utf-16be")])
def test_utf16_without_a_mark_is_recognised_by_its_zero_bytes(codec, name, size):
    text = ("<p>" + FRENCH)[:size]
    assert decode(text.encode(codec)).text == text
    assert decode(text.encode(codec)).encoding == Encoding(name, "detector")


def test_a_header_declares_utf16_of_a_script_without_zero_bytes():
    text = f"<p>{JAPANESE}"
    decoded = decode(text.encode("utf-16-le"), header("utf-16le"))
    assert (decoded.text, decoded.encoding.evidence) == (text, "header")


DECLARED = [  # markup before the text, headers, evidence; the text is Russian in windows-1251
    ("", "windows-1251", "header"),
    ("<meta charset=koi8-r>", "windows-1251", "header"),
    ("<meta charset='windows-1251'>", None, "meta"),
    ('<META Charset = "Windows-1251" >', None, "meta"),
    ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', None, "meta"),
    ("<!-- <meta charset=koi8-r> --><meta charset=windows-1251>", None, "meta"),
    ('<?xml version="1.0" encoding="windows-1251"?>', None, "meta"),
    ('<text id="a" title="t" encoding="windows-1251">', None, "wrapper"),
    ('<text id="a" encoding="windows-1251"><meta charset=koi8-r>', None, "wrapper"),
    ("<meta charset=windows-1251>", "klingon", "meta"),
]


@pytest.mark.parametrize(("before", "charset", "evidence"), DECLARED)
def test_the_order_of_declarations(before, charset, evidence):
    decoded = decode((before + RUSSIAN).encode("windows-1251"), header(charset) if charset else None)
    assert decoded.text == before + RUSSIAN
    assert decoded.encoding == Encoding("windows-1251", evidence)


def test_a_correct_utf8_label_is_the_evidence():
    for text in ("<meta charset=UTF-8>" + FRENCH, "<meta charset=utf-8>abc"):
        assert decode(text.encode()).encoding == Encoding("utf-8", "meta")
        assert decode(text.encode(), header("utf8")).encoding == Encoding("utf-8", "header")


def test_a_meta_element_with_utf16_means_utf8():
    text = f"<meta charset=utf-16>{FRENCH}"
    assert (decode(text.encode()).text, decode(text.encode()).encoding.name) == (text, "utf-8")
    assert decode(b"<meta charset=utf-16le>abc").text == "<meta charset=utf-16le>abc"


def test_an_unknown_label_is_ignored():
    text = f"<meta charset=klingon>{FRENCH}"
    assert decode(text.encode("cp1252")).text == text
    assert decode(text.encode("cp1252")).encoding == Encoding("windows-1252", "detector")
    assert decode(b"<meta charset=klingon>abc").encoding == Encoding("utf-8", "default")


@pytest.mark.parametrize(("label", "codec", "text"), [("euc-jp", "shift_jis", JAPANESE), ("euc-jp", "cp1252", FRENCH)])
def test_a_label_that_leaves_many_errors_gives_way_to_the_detector(label, codec, text):
    decoded = decode(text.encode(codec) * 3, header(label))
    assert (decoded.text, decoded.encoding.evidence, decoded.encoding.errors) == (text * 3, "detector", 0)


def test_a_label_with_few_errors_is_used():
    data = (JAPANESE * 3).encode("euc-jp") + b"\xff!"
    decoded = decode(data, header("euc-jp"))
    assert (decoded.text, decoded.encoding) == (JAPANESE * 3 + "\ufffd!", Encoding("euc-jp", "header", 1))


CUT = (FRENCH + "é").encode()[:-1]


@pytest.mark.parametrize("before", [b"<meta charset=utf-8>", codecs.BOM_UTF8])
def test_one_truncated_character_becomes_one_replacement_character(before):
    page = parse(before + CUT)
    assert page.text == FRENCH + "\ufffd"
    assert (page.encoding.errors, page.status) == (1, Status.OK)


@pytest.mark.parametrize("before", [b"", b"<meta charset=iso-8859-1>", b"<meta charset=windows-1251>"])
def test_one_truncated_character_of_unlabelled_utf8_becomes_one_replacement_character(before):
    page = parse(before + CUT)
    assert page.text == FRENCH + "\ufffd"
    assert (page.encoding.errors, page.status) == (1, Status.OK)


@pytest.mark.parametrize("label", ["hz-gb-2312", "iso-2022-kr"])
def test_labels_without_a_usable_encoding_are_ignored(label):
    data = f"<meta charset={label}>hello".encode()
    assert decode(data).text == data.decode()


def test_a_meta_element_with_x_user_defined_means_windows_1252():
    assert decode(b"<meta charset=x-user-defined>caf\xe9").text.endswith("café")


@pytest.mark.parametrize(
    ("label", "name"), [("latin1", "windows-1252"), ("sjis", "shift_jis"), ("x-cp1251", "windows-1251")]
)
def test_the_name_of_an_encoding_is_its_canonical_name(label, name):
    assert decode(b"\x83\x41\xe9", header(label)).encoding.name == name


def test_latin_1_means_windows_1252_as_in_browsers():
    assert decode(b"\x93q\x94 \x80", header("iso-8859-1")).text == "“q” €"


@pytest.mark.parametrize("charset", [None, "utf-8", "iso-8859-1", "shift_jis", "klingon"])
@given(data=st.binary(max_size=200))
def test_any_bytes_become_text_that_can_be_encoded(charset, data):
    decoded = decode(data, header(charset) if charset else None)
    assert decoded.encoding.errors == decoded.text.count("\ufffd")
    decoded.text.encode("utf-8")


FOREIGN = [
    (b"%PDF-1.4", None, "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", None, "a PNG image"),
    (b"\x1f\x8b\x08", None, "gzip data"),
    (b"PK\x03\x04", None, "a zip archive"),
    (b"<p>x", {"Content-Type": "image/png"}, "declared as image/png"),
    (b"a\0b\0\0\0c" * 20, None, "binary data"),
    (bytes(range(1, 32)) * 20, None, "binary data"),
]


@pytest.mark.parametrize(("data", "headers", "description"), FOREIGN)
def test_data_that_is_not_a_page_has_no_text_and_is_named(data, headers, description):
    page = parse(data, headers=headers)
    assert (page.status, page.message, page.text, len(page)) == (Status.NOT_HTML, description, "", 0)


def test_bytes_that_no_encoding_can_decode():
    page = parse(codecs.BOM_UTF16_LE + b"\x00\xdc" * 50)  # fifty halves of surrogate pairs
    assert (page.status, page.message) == (Status.UNDECODABLE, "50 of 50 characters cannot be decoded")
    assert (page.text, page.encoding) == ("\ufffd" * 50, Encoding("utf-16le", "bom", 50))


@pytest.mark.parametrize("data", ["<p>text", None, 5])
def test_only_bytes_can_be_decoded(data):
    with pytest.raises(TypeError, match=rf"^decode\(\) takes bytes, not {type(data).__name__}$"):
        decode(data)


def test_a_page_that_was_encoded_twice_is_decoded_twice() -> None:
    page = "<p>½ cup of café, naïve and Zürich, and “tea” in Łódź".encode().decode("latin-1").encode()
    decoded = decode(page)
    assert decoded.text == "<p>½ cup of café, naïve and Zürich, and “tea” in Łódź"
    assert decoded.encoding.name == "utf-8"
    document = dehusk.clean(page)
    assert document.text.startswith("½ cup of café")
    assert any("decoded twice" in note for note in document.notes)


@pytest.mark.parametrize("text", ["<p>Ã© and café", "<p>« MANHÃ »", "<p>plain", "<p>Ã© and “tea”"])
def test_other_pages_are_decoded_once(text: str) -> None:
    decoded = decode(text.encode())
    assert decoded.text == text
    assert not decoded.note


def test_the_first_page_of_a_process_may_be_in_any_encoding() -> None:
    """The codecs are registered by a module that is imported when the first page needs one."""
    page = "<meta charset=windows-1252><p>café".encode("cp1252")
    code = f"import dehusk.read; print(ascii(dehusk.read.decode({page!r}).text[-4:]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ascii("café")
