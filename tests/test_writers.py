"""Writers: golden cases, and each output parsed back with a strict parser.

The golden cases are tests/golden/writers/*.md: a title, a page, and the output in each format; blocks with the
word "drop" are dropped. `DEHUSK_REWRITE_GOLDEN=1 pytest tests/test_writers.py` rewrites the outputs: review the diff.
"""

import inspect
import json
import os
import re
import sys
import threading
import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import dehusk
from dehusk.about.metadata import Metadata
from dehusk.base.errors import Status
from dehusk.blocks import segment
from dehusk.blocks.labels import LABELS, PARAGRAPH, Labels
from dehusk.lab.gold.cleaneval import from_cleaneval
from dehusk.read import Limits, parse
from dehusk.read.xpath import xpaths
from dehusk.write import find_writer, format_names, to_cleaneval, to_html, to_markdown, to_text
from dehusk.write.cleaneval import segments
from dehusk.write.html import fragment
from dehusk.write.interface import CleanedPage
from dehusk.write.json import document_record, dumps

URL = "http://example.org/dir/page.html"
TEA = Path(__file__).parents[1] / "examples" / "tea.html"
GOLDEN = Path(__file__).parent / "golden" / "writers"
PAGE_KEYS = ["url", "status", "message", "kind", *Metadata().record(), "title_element", "encoding", "notes"]
PAGE_KEYS += ["confidence", "model", "blocks"]
SECTION = re.compile(r"(^## (\w+)\n\n~~~~~\w*\n)(.*?)(^~~~~~$)", re.MULTILINE | re.DOTALL)


def label(source, keep=bool, *, labels=(), **options):
    """Label all blocks of a page as paragraphs (or by `labels`) and keep those selected by `keep`."""
    limits = options.pop("limits", None)
    blocks = segment(parse(source, options.pop("url", URL), limits=limits), **options)
    b = len(blocks)
    numbers = [LABELS.index(name) for name in labels] or [PARAGRAPH] * b
    kept = np.array([keep(each) for each in blocks.texts], dtype=np.bool_)
    result = Labels(blocks, np.array(numbers, dtype=np.uint8), np.full(b, 0.5), kept)
    result.validate()
    return result


def written(name, labels):
    return find_writer(name).render(CleanedPage(labels.blocks.page.status, "", labels))


def without_header(output):
    """Return an output without the header of TEI, which names the version of dehusk."""
    return re.sub(r"<teiHeader>.*</teiHeader>\n", "", output, flags=re.DOTALL)


def kept_texts(labels):
    return [each.strip() for each, kept in zip(labels.texts, labels.kept, strict=True) if kept and each]


def without(labels, omits):
    """Return labels that omit the text nodes selected by `omits`, which takes the text of a node."""
    page = labels.blocks.page
    nodes = np.flatnonzero(page.is_text & ~np.isin(np.arange(len(page)), page.alt_nodes))
    texts = (page.text[page.text_start[node] : page.text_end[node]] for node in nodes.tolist())
    result = replace(labels, omitted=nodes[np.fromiter(map(omits, texts), np.bool_, len(nodes))].astype(np.int32))
    result.validate()
    return result


def omitted(labels):
    """Return the texts of the omitted nodes of kept blocks."""
    page, blocks = labels.blocks.page, labels.blocks
    kept = [(blocks.first[block], blocks.last[block]) for block in np.flatnonzero(labels.kept)]
    nodes = [node for node in labels.omitted.tolist() if any(first <= node <= last for first, last in kept)]
    return [page.text[page.text_start[node] : page.text_end[node]] for node in nodes]


def blocks_of(source):
    return [each.strip() for each in segment(parse(source)).texts]


def words(texts):
    return " ".join(texts).split()


def added(longer, shorter):
    """Return the characters of `longer` that `shorter` lacks; without them, `longer` must equal `shorter`."""
    characters = iter(longer)
    assert all(each in characters for each in shorter)
    return set(Counter(longer) - Counter(shorter))


def rendered(source):
    return (
        MarkdownIt("commonmark", {"html": True, "maxNesting": 2000}).enable(["table", "strikethrough"]).render(source)
    )


def lowered(text):
    """Return a text with raised and lowered numbers and signs as plain ones."""
    return unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-")


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.md")), ids=lambda path: path.stem)
def test_golden(path):
    case = path.read_text(encoding="utf-8")
    parts = {match[2]: match[3] for match in SECTION.finditer(case)}
    labels = label(parts.pop("page"), lambda text: "drop" not in text, labels=parts.pop("labels", "").split())
    outputs = {name: without_header(written(name, labels)) for name in parts}
    if os.environ.get("DEHUSK_REWRITE_GOLDEN"):
        path.write_text(SECTION.sub(lambda m: m[1] + outputs.get(m[2], m[3]) + m[4], case), encoding="utf-8")
    assert outputs == parts


ink = st.sampled_from(["alpha", "b*c", "d_e", "1.", "-", "#", "x|y", "`q`", "&lt;t>", "&amp;amp;", "\\", "文", "“z”"])
texts = st.lists(ink, min_size=1, max_size=3).map(" ".join)
LEAVES = st.one_of(texts, st.sampled_from([" ", "\n", "<br>", "<br><br>", "<hr>", "<img src=i>", "<p>"]))
# `q` is not among them, as it adds marks
TAGS = "p div h2 ul ol li dl dt dd a b i em code span sup s table tr td th blockquote pre option button x-y"


def elements(children):
    inside = st.lists(children, max_size=4).map("".join)
    return st.builds(lambda tag, body: f"<{tag} href=u>{body}</{tag}>", st.sampled_from(TAGS.split()), inside)


pages = st.lists(st.recursive(LEAVES, elements, max_leaves=20), max_size=8).map("".join)


@settings(max_examples=75, deadline=None)
@given(pages, st.integers(0, 2**31), st.booleans())
def test_every_output_read_back_has_the_kept_blocks_in_order(source, seed, every_tag):
    chance = np.random.default_rng(seed)
    labels = label(source, lambda _: bool(chance.random() < 0.7), every_tag=every_tag)
    labels.label[:] = chance.integers(0, len(LABELS), len(labels))
    share = chance.choice([0, 0.3])
    labels = without(labels, lambda _: bool(chance.random() < share))
    kept = kept_texts(labels)
    assert "".join(words(blocks_of(to_html(labels)))) == "".join(words(kept))
    if not every_tag:
        assert blocks_of(to_html(labels)) == kept
    assert words(blocks_of(lowered(rendered(to_markdown(labels))))) == words(blocks_of(to_html(labels)))
    read = from_cleaneval(to_cleaneval(labels))
    assert [each.text for each in read] == [each for _, each in segments(labels)]
    assert "".join(words(each.text for each in read)) == "".join(words(kept))
    plain = to_text(labels)
    assert plain == "" or plain.endswith("\n")
    assert added("".join(lowered(plain).split()), "".join(words(kept))) <= set("-.0123456789")
    record = json.loads(written("json", labels))
    dropped = [each["text"] for each in record["blocks"] if not each["kept"]]
    assert [each["text"].strip() for each in record["blocks"] if each["kept"] and each["text"]] == kept
    assert Counter("".join(words(labels.blocks.texts))) == Counter("".join(words(kept + dropped + omitted(labels))))


OMISSIONS = {
    "<h2>Steeping <a href='#s'>¶</a></h2><p>Boil.": "Steeping\n\nBoil.\n",
    "<h2><a href='#s'>¶</a> Steeping</h2>": "Steeping\n",
    "<p>Green <i>¶</i> tea, bl<i>¶</i>ack": "Green tea, black\n",
    "<p>One<div>¶</div><p>two": "One\n\ntwo\n",
    "<ul><li>One<li>¶<li>two</ul>": "- One\n- two\n",
    "<pre><i>¶</i>  if x:\n<i>¶</i>    y</pre>": "  if x:\n    y\n",
    "<table><tr><td>a<td>¶<td>c<tr><td>d<td>e<td>f</table>": "a\t\tc\nd\te\tf\n",
    "<p>¶": "",
}
"""Page -> its text if text nodes that are only ¶ are omitted."""


@pytest.mark.parametrize("source", OMISSIONS)
def test_omitted_text_leaves_no_trace(source):
    labels = without(label(source, url=None), lambda text: text.strip() == "¶")
    assert to_text(labels) == OMISSIONS[source]
    expected = OMISSIONS[source].replace("- ", "").split()
    for name in ("html", "markdown", "cleaneval"):
        output = written(name, labels)
        assert words(blocks_of(rendered(output) if name == "markdown" else output)) == expected, name
    assert "href" not in to_html(labels), "nor an empty link"
    assert all("¶" not in each["text"] for each in json.loads(written("json", labels))["blocks"])
    assert "¶" in labels.blocks.text


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        ({"omitted": [3, 2]}, "the omitted nodes do not ascend"),
        ({"omitted": [0]}, "an omitted node is not a text node"),
        ({"omitted": [99]}, "an omitted node is not a text node"),
        ({"hidden": {5: "white on white"}}, "a hidden block is not one of the blocks"),
        ({"hidden": {0: ""}}, "a hidden block has no reason"),
    ],
)
def test_omitted_and_hidden_fit_the_page(columns, fault):
    if "omitted" in columns:
        columns["omitted"] = np.array(columns["omitted"], dtype=np.int32)
    with pytest.raises(ValueError, match=fault):
        replace(label("<p>a</p><p>b</p>"), **columns).validate()


@pytest.mark.parametrize(
    "source",
    [
        "<p onclick=alert(1) style='x:expression(1)' id=x>ok</p>",
        "<a href='javascript:alert(1)'>ok</a>",
        "<a href=' java&#9;script&colon;alert(1)'>ok</a>",
        "<a href='JaVa\nScRiPt:alert(1)'>ok</a>",
        "<a href='vbscript:x'>ok</a><a href='data:text/html,alert(1)'> </a>",
        "<base href='javascript:alert(1)//'><a href='x'>ok</a>",
        "<p>ok<svg><script>alert(1)</script><a xlink:href='javascript:alert(1)'>s</a></svg></p>",
        "<math><mtext><img src=x onerror=alert(1)></mtext><annotation-xml encoding=text/html><p>ok</annotation-xml>",
        "<p>ok<img src='data:image/svg+xml,alert(1)' onload=alert(1)><iframe src='javascript:alert(1)'></iframe></p>",
        "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>ok</button></form>",
        "<p>ok</p><xmp></pre><img src=x onerror=alert(1)></xmp>",
        "<title></title><img src=x onerror=alert(1)></title><p>ok",
    ],
)
def test_html_is_safe(source):
    labels = label(source, url=None)
    for written in (fragment(labels), to_markdown(labels)):
        page = parse(rendered(written))
        given_ = [(name, value or "") for attributes in page.attributes.values() for name, value in attributes]
        assert not [name for name, _ in given_ if name.startswith("on") or name in ("style", "id", "action")]
        assert not [value for _, value in given_ if "script:" in value.lower() or "data:" in value]
        assert not {page.tag_name(n) for n in range(len(page))} & {"script", "form", "button", "iframe", "svg"}
        assert "ok" in page.text


@pytest.mark.parametrize("value", ["9007199254740991", "-1", "NaN", "0", "1" * 100_000, "", "2x", " 3"])
def test_absurd_spans_are_bounded(value):
    source = f"<table><tr><td colspan='{value}' rowspan='{value}'>a<td>b</table><ol start='{value}'><li>c</ol>"
    labels = label(source)
    for name in format_names():
        assert len(written(name, labels)) < 2000, name
    assert all(int(span) <= 1000 for span in re.findall(r'span="(.*?)"', to_html(labels)))


DEEP = {
    "div": ("<div>" * 500, ""),
    "list": ("<ul><li>" * 250, ""),
    "quote": ("<blockquote>" * 500, ""),
    "table": ("<table><tr><td>" * 160, ""),
    "bold": ("<p>" + "<b>" * 300, ""),
    "link in table": ("<a href=u><table><tr><td>" * 100, ""),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_pages_do_not_overflow_a_small_stack(name):
    labels = label(DEEP[name][0] + "marker<p>after" + DEEP[name][1], limits=Limits(depth=512))
    outputs = {}

    def write():
        outputs.update({name: written(name, labels) for name in format_names()})

    limit, size = sys.getrecursionlimit(), threading.stack_size(256 * 1024)
    thread = threading.Thread(target=write)
    try:
        sys.setrecursionlimit(len(inspect.stack()) + 60)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    assert [name for name in format_names() if not re.search(r"marker.*after", outputs.get(name, ""), re.DOTALL)] == []
    assert blocks_of(outputs["html"]) == ["marker", "after"]


@pytest.mark.parametrize("depth", [3, 5, 8])
def test_tables_whose_elements_were_flattened_keep_their_text_in_order(depth):
    source = "<table><tr><td>a<table><tr><td><p>b<td>c<table><tr><td>d</table>e</table><td>f</table>"
    labels = label(source, limits=Limits(depth=depth))
    assert "".join(words(blocks_of(to_html(labels)))) == "abcdef"
    assert "".join(words(blocks_of(rendered(to_markdown(labels))))) == "abcdef"


@pytest.mark.parametrize("source", ["", "<p>", "<p>secret<p>more", b"\x89PNG\r\n\x1a\n"])
@pytest.mark.parametrize("name", format_names())
def test_a_page_of_which_nothing_is_kept_has_no_text_in_the_output(source, name):
    writer, nothing_kept = find_writer(name), label(source, lambda _: False, url=None)
    output = written(name, nothing_kept)
    if writer.includes_dropped:
        assert output.count("secret") == nothing_kept.blocks.texts.count("secret")
    else:
        empty = without_header(written(name, label("", url=None)))
        assert without_header(output) == empty, "the same as for an empty page"
        assert blocks_of(without_header(output)) == []
    if writer.text_only:
        assert output == ""


def test_links_are_resolved_against_the_base_if_there_is_one():
    link = "<a href='../x'>a</a><img src='//h/i.png'> <a href='http://[bad'>b</a> <a href='#f'>c</a>"
    assert 'href="../x"' in to_html(label(link, url=None))
    output = to_html(label(link))
    assert 'href="http://example.org/x"' in output
    assert 'src="http://h/i.png"' in output
    assert "<a>b</a>" in output
    assert 'href="http://other.org/b/x"' in to_html(label("<base href='//other.org/b/c/'>" + link))


def test_cleaneval_uses_the_address_of_the_wrapper():
    labels = label('<text id="http://x.org/" title="t" encoding="utf-8"><p>a</p></text>', url=None)
    assert to_cleaneval(labels) == "URL: http://x.org/\n\n<p>a\n"


def test_json_is_strict_and_its_keys_have_an_order():
    labels = label("<p>a</p><p>b</p>", url="http://x/\ud800")
    labels.probability[:] = 0.123456, float("nan")
    record = document_record(CleanedPage(Status.NO_CONTENT, "nothing \udfff", labels))
    assert list(record) == PAGE_KEYS
    assert list(record["blocks"][0]) == [
        "text",
        "label",
        "probability",
        "kept",
        "reason",
        "xpath",
        "span",
        "hidden",
        "source",
    ]
    assert json.loads(dumps(record).encode()) == record | {"url": "http://x/\ufffd", "message": "nothing \ufffd"}
    assert [block["probability"] for block in record["blocks"]] == [0.1235, None]
    assert record["status"] == "no-content"


@pytest.mark.parametrize("explain", [False, True])
def test_there_is_one_json_of_a_document(explain):
    document = dehusk.clean(TEA.read_bytes(), explain=explain)
    assert document.render("json") == written_json(document)
    assert json.loads(document.render("json")) == json.loads(dumps(document.record()))
    assert json.loads(document.render("json"))["confidence"] == round(document.confidence, 4)
    assert document.facts() == {key: value for key, value in document.record().items() if key != "blocks"}
    assert "evidence" not in document.record()["blocks"][0]
    assert ("evidence" in document.record(evidence=True)["blocks"][0]) is explain


def written_json(document):
    return find_writer("json").render(CleanedPage(document.status, document.message, document.labels, document.model))


@given(pages)
def test_spans_contain_the_text_of_their_blocks(source):
    labels = label(source)
    page = labels.blocks.page
    for record in document_record(CleanedPage(Status.OK, "", labels))["blocks"]:
        start, stop = record["span"]
        assert page.text[start:stop].split() == record["text"].split()


def test_xpaths_of_invalid_element_names():
    page = parse("<o:p>a</o:p><o:p>b</o:p><x'y>c")
    nodes = [node for node in range(1, len(page)) if not page.is_text[node]]
    expected = ["/html/body/*[name()='o:p'][1]", "/html/body/*[name()='o:p'][2]", '/html/body/*[name()="x\'y"][1]']
    assert list(xpaths(page, nodes).values()) == expected
