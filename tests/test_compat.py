"""The functions of other libraries, with the calls of their own documentation."""

import csv
import inspect
import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from command_line import EXAMPLE
from dehusk.base.errors import ConfigError
from dehusk.compat import UnsupportedError, readability, trafilatura
from dehusk.compat.trafilatura import bare_extraction, extract, extract_metadata, extract_with_metadata, html2txt

TEA = EXAMPLE.read_bytes()
URL = "https://www.tea.example/green"
TABLE = "<article><h1>Tea</h1><p>Good leaves give three cups of tea.</p><table><tr><th>leaf</th><th>cups</th></tr>"
TABLE += "<tr><td>Sencha</td><td>3</td></tr><tr><td>Gyokuro</td><td>4</td></tr></table></article>"


def test_the_plain_call() -> None:
    text = extract(TEA)
    assert text is not None
    assert text.startswith("How to brew green tea\n\nBy Ann Leaf, 3 May 2026\n\nGreen tea turns bitter")
    assert text == text.strip()
    assert extract(TEA.decode()) == text
    assert extract(TEA, fast=True) == extract(TEA, no_fallback=True) == extract(TEA, deduplicate=True) == text


@pytest.mark.parametrize("page", ["", "<html><body></body></html>", b"%PDF-1.4"])
def test_a_page_without_text_is_none(page: str | bytes) -> None:
    assert extract(page) is bare_extraction(page) is extract_with_metadata(page) is None


def test_links_images_and_marks() -> None:
    page = (
        "<article><h1>Tea</h1><p>Good <b>leaves</b> give <a href=/cups>three cups</a> of tea.<img src=/a.png alt=pot>"
    )
    assert extract(page, output_format="markdown") == "# Tea\n\nGood **leaves** give three cups of tea."
    assert extract(page, include_formatting=True) == "# Tea\n\nGood **leaves** give three cups of tea."
    linked = extract(page, url=URL, output_format="markdown", include_links=True, include_images=True)
    assert linked is not None
    assert "[three cups](https://www.tea.example/cups)" in linked
    assert "![pot](https://www.tea.example/a.png)" in linked


def test_metadata_before_the_text() -> None:
    text = extract(TEA, url=URL, output_format="markdown", with_metadata=True, record_id="7")
    assert text is not None
    head, _, body = text.partition("---\n# ")
    assert head.startswith("---\ntitle: How to brew green tea\nauthor: Ann Leaf\nurl: https://www.tea.example/green\n")
    assert "hostname: tea.example\nsitename: The Tea Room\ndate: '2026-05-03'\n" in head
    assert body.startswith("How to brew green tea\n")


def test_json() -> None:
    fields = json.loads(extract(TEA, url=URL, output_format="json", with_metadata=True, record_id="7") or "")
    assert (fields["title"], fields["author"], fields["date"]) == ("How to brew green tea", "Ann Leaf", "2026-05-03")
    assert (fields["hostname"], fields["id"], fields["text"]) == ("tea.example", "7", extract(TEA))
    assert set(json.loads(extract(TEA, output_format="json") or "")) == {"text", "comments"}


def test_xml_and_tei_and_html() -> None:
    root = ET.fromstring(extract(TEA, output_format="xml", include_comments=False, with_metadata=True) or "")  # noqa: S314
    assert (root.tag, root.attrib["title"]) == ("doc", "How to brew green tea")
    main = root.find("main")
    assert main is not None
    assert [child.tag for child in main][:6] == ["head", "p", "p", "head", "p", "list"]
    assert next(item.text for item in main.iter("item")) == "Sencha: 70 °C for one minute"
    assert [head.attrib for head in main.iter("head")][:2] == [{"rend": "h1"}, {"rend": "h2"}]
    assert not [*root.iter("ref")]
    assert "cooler still; gunpowder forgives" in "".join(main.itertext())
    assert ET.fromstring(extract(TEA, output_format="xml") or "").attrib == {}  # noqa: S314
    assert "<teiHeader>" in (extract(TEA, output_format="xmltei") or "")
    assert (extract(TEA, output_format="html") or "").startswith("<!DOCTYPE html>")


def test_links_leave_their_text_in_xml() -> None:
    page = (
        "<h1>Tea</h1><p><a href=/a>Good <b>leaves</b> of</a> tea <a href=/b>give</a><a href=/c> three</a> <i>cups</i>"
    )
    root = ET.fromstring(extract(page, output_format="xml") or "")  # noqa: S314
    assert "".join(root.itertext()).split() == ["Tea", "Good", "leaves", "of", "tea", "give", "three", "cups"]
    assert [each.tag for each in root.iter("hi")] == ["hi", "hi"]
    beside = ET.fromstring(extract("<h1>Tea</h1><p><b>Good</b><i>leaves</i></p>", output_format="xml") or "")  # noqa: S314
    assert "Goodleaves" in "".join(beside.itertext())
    linked = ET.fromstring(extract(page, url=URL, output_format="xml", include_links=True) or "")  # noqa: S314
    assert [ref.get("target") for ref in linked.iter("ref")] == [f"https://www.tea.example/{name}" for name in "abc"]


def test_csv() -> None:
    (row,) = csv.reader([*(extract(TEA, url=URL, output_format="csv") or "").splitlines(keepends=True)], delimiter="\t")
    assert row[0] == URL
    assert row[7] == extract(TEA)


def test_bare_extraction() -> None:
    document = bare_extraction(TEA, url=URL)
    assert isinstance(document, trafilatura.Document)
    assert (document.title, document.author, document.sitename) == ("How to brew green tea", "Ann Leaf", "The Tea Room")
    assert (document.text, document.language) == (extract(TEA), "en")
    assert document.as_dict() == bare_extraction(TEA, url=URL, as_dict=True)
    marked = bare_extraction(TEA, include_formatting=True)
    assert isinstance(marked, trafilatura.Document)
    assert marked.text == extract(TEA, output_format="markdown")
    whole = extract_with_metadata(TEA, url=URL, output_format="markdown", record_id="7")
    assert whole is not None
    assert (whole.title, whole.id) == (document.title, "7")
    assert whole.text == extract(TEA, url=URL, output_format="markdown", record_id="7", with_metadata=True)


def test_what_is_asked_of_the_page() -> None:
    assert extract(TEA, url=URL, only_with_metadata=True) == extract(TEA, url=URL)
    assert extract("<p>Good leaves give three cups of tea.</p>", only_with_metadata=True) is None
    assert extract(TEA, target_language="en") == extract(TEA)
    assert extract(TEA, target_language="de") is None
    assert extract(TEA, url=URL, url_blacklist={URL}) is None
    bare = bare_extraction(TEA, author_blacklist={"ann leaf"})
    assert isinstance(bare, trafilatura.Document)
    assert bare.author is None
    assert "Sencha" in (extract(TABLE) or "")
    assert "Sencha" not in (extract(TABLE, include_tables=False) or "")
    assert len(extract(TEA, favor_precision=True) or "") <= len(extract(TEA, favor_recall=True) or "")
    assert len(extract("<p>tea</p>" * 100, max_tree_size=20) or "") < len(extract("<p>tea</p>" * 100) or "")


def test_metadata_and_all_text() -> None:
    metadata = extract_metadata(TEA.decode(), default_url=URL)
    assert (metadata.title, metadata.date, metadata.url) == ("How to brew green tea", "2026-05-03", URL)
    text = html2txt("<nav>Menu</nav><p>Tea</p><script>x</script>")
    assert text.split() == ["Menu", "Tea"]


class _Response:
    data = TEA


def test_what_a_page_may_be() -> None:
    html = pytest.importorskip("lxml.html")
    assert extract(html.fromstring(TEA)) == extract(_Response()) == extract(TEA)
    with pytest.raises(TypeError, match="a page must be bytes, str, an element of lxml or a response, not int"):
        extract(7)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"prune_xpath": "//p"},
            UnsupportedError,
            "prune_xpath has no counterpart in dehusk: rules drop elements by CSS",
        ),
        (
            {"tei_validation": True},
            UnsupportedError,
            "tei_validation has no counterpart in dehusk: the TEI of dehusk is",
        ),
        ({"deduplicate": object()}, UnsupportedError, "deduplicate has no counterpart"),
        ({"output_format": "docx"}, ConfigError, "unknown output_format 'docx'"),
        ({"output_format": "python"}, ConfigError, "unknown output_format 'python'"),
        ({"include_everything": True}, TypeError, r"extract\(\) has no argument include_everything"),
    ],
)
def test_what_is_not_there_is_an_error(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        extract(TEA, **options)


def test_the_arguments_are_those_of_trafilatura() -> None:
    original = pytest.importorskip("trafilatura")
    ours = {*inspect.signature(extract).parameters, *inspect.signature(trafilatura._extracted).parameters}
    known = ours | set(trafilatura._UNSUPPORTED)
    assert set(inspect.signature(original.extract).parameters) <= known
    from trafilatura.settings import Document

    assert set(Document.__slots__) - {"body", "commentsbody"} <= set(trafilatura.Document().as_dict())


def test_readability() -> None:
    document = readability.Document(TEA, url=URL)
    assert (document.title(), document.short_title()) == (
        "How to brew green tea | The Tea Room",
        "How to brew green tea",
    )
    assert document.author() == "Ann Leaf"
    summary = document.summary()
    assert summary.startswith('<html><body id="readabilityBody">')
    assert "Green tea turns bitter" in summary
    assert "cookie" not in summary.lower()
    assert document.summary(html_partial=True).startswith("<div>")
    assert document.content().lower().startswith("<body")
    assert readability.Document("<p>tea").title() == "[no-title]"
    with pytest.raises(UnsupportedError, match="positive_keywords has no counterpart"):
        readability.Document(TEA, positive_keywords=["tea"])
    with pytest.raises(TypeError, match="unexpected keyword argument 'keywords'"):
        readability.Document(TEA, keywords=["tea"])
