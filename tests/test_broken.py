"""Bad input: every page gets a status, no text is lost, and nothing crashes."""

import gzip
import re

import pytest

import dehusk
from dehusk import Limits, Status
from dehusk.base.errors import ConfigError
from dehusk.blocks.labels import Labels
from dehusk.label.baseline import KeepAll
from dehusk.write import format_names

KEEP_ALL = KeepAll()
SENTENCE = "This sentence stands around so that the page holds text, and enough of it to be worth keeping. "


def everything(data: bytes | str, **options: object) -> dehusk.Document:
    """Keep all blocks, so that the output contains everything that the parser returned."""
    return dehusk.clean(data, method=KEEP_ALL, **options)  # type: ignore[arg-type]


NESTS = {
    "div": ("<div>", "</div>"),
    "span": ("<span>", "</span>"),
    "ul/li": ("<ul><li>", "</li></ul>"),
    "table": ("<table><tr><td>", "</td></tr></table>"),
    "unclosed b i font": ("<b><i><font>", ""),
    "unclosed fonts of many colours": ("<font color=c{i}><p>x", ""),
}


@pytest.mark.parametrize("depth", [300, 5_000, 30_000, 200_000])
@pytest.mark.parametrize("nest", NESTS)
def test_depth_loses_nothing(nest: str, depth: int) -> None:
    start, end = NESTS[nest]
    opened = "".join(start.replace("{i}", str(i)) for i in range(depth)) if "{i}" in start else start * depth
    doc = everything(f"<p>BEFORE</p>{opened}INSIDE{end * depth}<p>AFTER</p>")
    assert doc.status is Status.OK or doc.status is Status.TRUNCATED
    if doc.status is Status.OK:
        assert re.findall("BEFORE|INSIDE|AFTER", doc.text) == ["BEFORE", "INSIDE", "AFTER"]
    elif depth <= 30_000:
        pytest.fail(f"{doc.message} at a depth of {depth}")


@pytest.mark.parametrize("format_name", format_names())
@pytest.mark.parametrize("nest", ["div", "ul/li", "table", "unclosed b i font"])
def test_every_writer_survives_depth(nest: str, format_name: str) -> None:
    start, end = NESTS[nest]
    doc = everything(f"{start * 2_000}INSIDE{end * 2_000}<p>AFTER</p>")
    output = doc.render(format_name)
    assert output.count("INSIDE") == 1
    assert output.count("AFTER") == 1


RECORD = "<div class=post><p>MARK</p><p>x</p>{}</div>"
UNITS = {
    "records nested in records": (RECORD.format("") + RECORD[: -len("{}</div>")]) * 100,
    "a list of 50,000 items": "<ul>" + "<li>MARK" * 50_000 + "</ul>",
    "a table of 120 rows and 1,000 columns": "<table>" + ("<tr>" + "<td>MARK" * 1_000) * 120 + "</table>",
    "a thread with one post": RECORD.format("<div class=reply>Reply</div>"),
    "advertisements between records": (RECORD.format("") + "<div class=ad>MARK</div>") * 20,
    "two lists of records": RECORD.format("") * 5 + "<div class=card><h3>MARK</h3>x</div>" * 5,
    "an empty list": "<ul></ul><ol><li></ol><dl><dt></dl><table><tr><td></table><p>MARK",
    "right-to-left and vertical text": f"<div dir=rtl style='writing-mode: vertical-rl'>{RECORD.format('') * 3}</div>",
}


@pytest.mark.parametrize("name", UNITS)
def test_units_lose_nothing(name: str) -> None:
    doc = everything(UNITS[name])
    assert doc.status is Status.OK
    assert doc.text.count("MARK") == UNITS[name].count("MARK")
    assert all(unit.kept == 1 for unit in doc.units)
    assert len(doc.units) > 0


def test_misnested_anchors() -> None:
    doc = everything("<a href=x>" * 5_000 + "INSIDE" + "</b></a><p>" * 5_000 + "AFTER")
    assert doc.text.split() == ["INSIDE", "AFTER"]


def test_one_text_node_of_12_megabytes() -> None:
    doc = everything("<p>" + "word " * 2_400_000 + "END")
    assert doc.status is Status.OK
    assert doc.text.endswith("word END\n")
    assert len(doc.text) == 5 * 2_400_000 + 4


def test_data_uri_of_4_megabytes() -> None:
    doc = everything(f"<p>BEFORE<img alt=x src='data:image/png;base64,{'A' * 4_000_000}'>AFTER")
    assert doc.status is Status.OK
    assert "BEFORE" in doc.text
    assert len(doc.html) < 10_000


@pytest.mark.parametrize(
    "bad", ["&#1;", "&#0;", "&#31;", "&#xD800;", "&#x110000;", "\x01", "\x00", "\ud800", "\udfff x"]
)
def test_control_characters_and_surrogates_cost_one_character(bad: str) -> None:
    doc = everything(f"<p>{SENTENCE}</p><p>before {bad} after</p><p>{SENTENCE}</p>")
    assert doc.status is Status.OK
    for format_name in format_names():
        output = doc.render(format_name)
        output.encode("utf-8")
        assert "before" in output
        assert "after" in output
        assert not re.search("[\x00-\x08\x0b\x0e-\x1f]", output)


def test_page_in_one_form() -> None:
    doc = dehusk.clean(f"<form action=x><h1>A heading of the page</h1>{f'<p>{SENTENCE}</p>' * 8}</form>")
    assert doc.status is Status.OK
    assert doc.text.count("This sentence") == 8


def test_frameset_gives_the_text_of_noframes() -> None:
    doc = everything("<frameset cols=*><frame src=a><noframes><body><p>No <b>frames</b> here</p></noframes></frameset>")
    assert doc.text == "No frames here\n"
    assert doc.page.notes == ("text taken from noframes",)


def test_frameset_without_text() -> None:
    assert dehusk.clean("<frameset><frame src=a></frameset>").status is Status.NO_CONTENT


@pytest.mark.parametrize(
    "data", [b"", b"   \n\t ", b"<!-- only a comment -->", b"<html><head></head></html>", "", "\ufeff"]
)
def test_an_empty_page(data: bytes | str) -> None:
    doc = dehusk.clean(data)
    assert doc.status is Status.NO_CONTENT
    assert doc.message
    assert doc.text == doc.markdown == ""
    assert doc.blocks == []


@pytest.mark.parametrize(
    ("data", "description"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "a PNG image"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "a PDF document"),
        (gzip.compress(b"<p>text</p>", mtime=0), "gzip data"),
        (bytes(range(256)) * 40, "binary data"),
    ],
)
def test_not_a_page(data: bytes, description: str) -> None:
    doc = dehusk.clean(data)
    assert (doc.status, doc.message) == (Status.NOT_HTML, description)


def test_declared_as_something_else() -> None:
    doc = dehusk.clean(b"<p>x", headers={"content-type": "application/pdf"})
    assert doc.status is Status.NOT_HTML


def test_undecodable() -> None:
    doc = everything(b"\x00\xd8" * 400, headers={"Content-Type": "text/html; charset=utf-16le"})
    assert doc.status is Status.UNDECODABLE
    assert doc.page.encoding.errors > len(doc.page.text) // 10
    assert re.fullmatch(r"\d+ of \d+ characters cannot be decoded", doc.message)


def test_truncated_utf8_costs_one_character() -> None:
    doc = everything("<p>Grüße aus dem Süden, ganz am Ende ein Umlaut: ü".encode()[:-1])
    assert doc.status is Status.OK
    assert doc.page.encoding.errors == 1
    assert doc.text.startswith("Grüße aus dem Süden")


TEXTS = {
    "utf-8": "naïve café – “quoted” ελληνικά",
    "windows-1252": "naïve café – “quoted” crème brûlée",
    "gb18030": "这是一个中文网页，里面有很多文字，用来检测编码是否正确。",
    "shift_jis": "これは日本語のページです。文字コードの検出を確認します。",
    "euc-kr": "이것은 한국어 페이지입니다. 문자 인코딩을 확인합니다.",
    "windows-1251": "Это русская страница, на которой много текста для проверки кодировки.",
    "utf-16le": "Any text – with ümlauts and 日本語",
    "utf-16be": "Any text – with ümlauts and 日本語",
}
PYTHON = {"utf-16le": "utf-16-le", "utf-16be": "utf-16-be"}


@pytest.mark.parametrize("real", TEXTS)
@pytest.mark.parametrize("declared", ["utf-8", "iso-8859-1", "shift_jis", "x-user-klingon", ""])
def test_a_wrong_declared_encoding(real: str, declared: str) -> None:
    label = f"<meta charset={declared}>" if declared else ""
    html = f"<html><head>{label}<title>t</title></head><body>" + f"<p>{TEXTS[real]}</p>" * 20
    doc = everything(html.encode(PYTHON.get(real, real)))
    assert doc.status in (Status.OK, Status.UNDECODABLE)
    plausible = declared == "iso-8859-1" and real not in ("utf-8", "utf-16le", "utf-16be")  # any byte is latin-1
    plausible |= declared == "shift_jis" and real in ("windows-1252", "windows-1251", "gb18030", "euc-kr")
    if not plausible:
        assert doc.text.count(TEXTS[real]) == 20, doc.page.encoding


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_byte_order_mark_beats_every_label(mark: str) -> None:
    doc = everything(
        "<meta charset=shift_jis><p>naïve café".encode(mark), headers={"Content-Type": "text/html; charset=big5"}
    )
    assert doc.text == "naïve café\n"
    assert doc.page.encoding.evidence == "bom"


@pytest.mark.parametrize("attribute", ["colspan", "rowspan", "width", "start", "value"])
@pytest.mark.parametrize("value", ["9007199254740991", "-1", "NaN", "1e999", "9" * 5_000])
def test_extreme_attribute_values(attribute: str, value: str) -> None:
    doc = everything(
        f"<table><tr><td {attribute}={value}>quince</table><ol {attribute}={value}><li {attribute}={value}>medlar</ol>"
    )
    for format_name in format_names():
        output = doc.render(format_name)
        assert output.count("quince") == output.count("medlar") == 1
        assert len(output) < 20_000


FLOODS = ["[", "<", "&amp", "<p", "</p", "<p/", "<p x=", "<!--", "</", "<a b='", "]]>", "<![CDATA["]
FLOODS += ["x='<a y=\">\" z='"]  # of which each tag ends in another one's value, and none ends


@pytest.mark.parametrize("before", ["", "<a ", "<textarea>", "<script>", "<svg>", "<table>", "<!--"])
@pytest.mark.parametrize("flood", FLOODS)
def test_floods(flood: str, before: str) -> None:
    """Work that grows with the square of the length would meet the limit of time here."""
    doc = everything(f"<p>BEFORE</p>{before}{flood * 100_000}")
    assert doc.status is Status.OK
    assert "BEFORE" in doc.text


def test_limits_are_statuses() -> None:
    page = f"<p>{SENTENCE}</p>" * 200
    cases = {Status.TRUNCATED: [Limits(bytes=5_000), Limits(nodes=50)], Status.LIMIT: [Limits(seconds=1e-9)]}
    for status, limits in cases.items():
        for limit in limits:
            doc = everything(page, limits=limit)
            assert doc.status is status
            assert doc.message
    assert everything(page, limits=Limits(bytes=5_000)).text.startswith("This sentence")


def test_a_low_depth_limit_flattens_and_adds_a_note() -> None:
    doc = everything("<div><div><div><div>INSIDE</div></div></div></div>AFTER", limits=Limits(depth=3))
    assert doc.text.split() == ["INSIDE", "AFTER"]
    assert doc.page.notes == ("2 elements below depth 3 flattened",)


def test_an_exception_in_a_method_becomes_a_status() -> None:
    class Broken(KeepAll):
        def label(self, blocks: dehusk.Blocks, *, explain: bool = False) -> Labels:
            raise RuntimeError(f"a fault in {len(blocks)} block{'s' * explain}")

    doc = dehusk.clean("<p>x", method=Broken())
    assert (doc.status, doc.message) == (Status.ERROR, "RuntimeError: a fault in 1 block")


def test_wrong_type_raises() -> None:
    with pytest.raises(TypeError, match="bytes, str or Path"):
        dehusk.clean(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"site": 5}, TypeError, "site must be a Site or the folder of a site model, not int"),
        ({"model": 5}, TypeError, "model must be a name or a path, not int"),
        ({"config": 5}, TypeError, "config must be a name or a path, not int"),
        ({"options": 5}, TypeError, "options must be a mapping of names to values, not int"),
        ({"config": "\0"}, ConfigError, r"config '\\x00' is no path: it has a null character"),
        ({"site": "a\0b"}, ConfigError, r"site 'a\\x00b' is no path: it has a null character"),
    ],
)
def test_arguments_of_the_wrong_type_say_what_would_be_right(options, error, message) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        dehusk.clean("<p>x", **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dehusk.Rules(5), "rules must be mappings of hosts to tuples of rules, as .* return them, not int"),  # type: ignore[arg-type]
        (
            lambda: dehusk.Rules({"*": 5}),
            "rules must be mappings of hosts to tuples of rules, as .* return them, not int",
        ),  # type: ignore[dict-item]
        (lambda: dehusk.Rules.load(5), "rules must be the path of a rules file, not int"),  # type: ignore[arg-type]
        (lambda: dehusk.Rules.parse(5), "rules must be TOML in a str, not int"),  # type: ignore[arg-type]
        (lambda: dehusk.clean_url(5), "a URL must be a str, not int"),  # type: ignore[arg-type]
        (lambda: dehusk.clean_url("x.org", plan=5), "plan must be a CrawlPlan, not int"),  # type: ignore[arg-type]
        (lambda: dehusk.clean_file(5), "the path of a page must be a str or Path, not int"),  # type: ignore[arg-type]
        (lambda: dehusk.load_config(5), "a configuration must be the name of a preset or a path, not int"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_text_path_or_rules_is_refused_at_once(call, message) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        call()


def test_quotations_and_queries_are_text() -> None:
    doc = dehusk.clean("<p>" + "Good leaves give three cups, says Ann. " * 9)
    with pytest.raises(TypeError, match=r"^a quotation must be a str, not int$"):
        doc.locate(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^a query must be a str, not int$"):
        doc.within(max_tokens=10, query=5)  # type: ignore[arg-type]
