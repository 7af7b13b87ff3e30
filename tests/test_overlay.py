"""The overlay: all text is in marks of its blocks, nothing loads or links elsewhere, reasons are shown."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.blocks import segment
from dehusk.blocks.labels import CODE, HEADER, OTHER, PARAGRAPH, Labels
from dehusk.cli import command
from dehusk.read import parse
from dehusk.write import to_overlay

PAGES = sorted((Path(__file__).parents[1] / "examples" / "gold-pages" / "html").glob("*.html"))
PAGE = """<title>Tea & "cake"</title><nav><a href="https://example.org/">Home</a></nav><h1>Tea</h1>
<p>Green <b>tea</b> is <i>bitter</i>.</p><pre>a  &lt; b
c</pre><table><tr><td>1<td>2</table><img src="https://example.org/x.png" alt="A cup"><p>End</p>"""


def labelled(html: str = PAGE, kept: tuple[int, ...] = (1, 2, 3), *, alt: bool = False, explain: bool = True) -> Labels:
    blocks = segment(parse(html), alt=alt)
    b = len(blocks)
    keep = np.isin(np.arange(b), kept)
    label = np.where(keep, PARAGRAPH, OTHER).astype(np.uint8)
    label[1:2], label[3:4] = HEADER, CODE
    reasons = [f'because <{n}> "so"' for n in range(b)] if explain else []
    features = [{"name": "link.density", "value": 0.5, "adds": -1.25}]
    evidence = [{"log-odds": n + 0.5, "features": features, "site": {"repeated": 1}} for n in range(b)]
    chance = np.where(keep, 0.8, 0.3)
    return Labels(blocks, label, chance, keep, reasons, evidence if explain else [])


class Reader(HTMLParser):
    """Collects the marks of each block and the text in them, with an independent parser."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.marks: list[dict[str, str | None]] = []
        self._title, self._in_number = "", False

    def handle_starttag(self, tag, attrs):
        given_attributes = dict(attrs)
        self.elements.append((tag, given_attributes))
        if tag == "mark" and "title" in given_attributes:
            self._title = given_attributes["title"].split(":")[0]
            self.marks.append(given_attributes)
        self._in_number |= tag == "a"

    def handle_endtag(self, tag):
        self._title = "" if tag == "mark" else self._title
        self._in_number &= tag != "a"

    def handle_data(self, data):
        if self._title and not self._in_number:
            self.texts[self._title] = self.texts.get(self._title, "") + data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader


def letters(text: str) -> str:
    return "".join(text.split())


def check_complete(labels: Labels) -> Reader:
    reader = read(to_overlay(labels))
    expected = {str(n): letters(text) for n, text in enumerate(labels.blocks.texts)}
    marked = {n: letters(text).removeprefix("[image:").removesuffix("]") for n, text in reader.texts.items()}
    assert marked == expected
    return reader


def test_every_block_is_marked_once_with_its_verdict():
    reader = check_complete(labelled())
    first = [mark for mark in reader.marks if "id" in mark]
    assert [mark["id"] for mark in first] == [f"p{n}" for n in range(8)]
    assert [mark["class"] for mark in first] == ["drop s7", *["keep s8"] * 3, *["drop s7"] * 4]
    assert first[1]["title"].splitlines() == [
        "1: keep 0.80 header",
        'because <1> "so"',
    ]
    others = [mark["title"] for mark in reader.marks if "id" not in mark]
    assert others == ["2: keep 0.80 paragraph"] * 4


def test_a_page_of_many_blocks_has_marks_on_the_first_ones_only(monkeypatch):
    monkeypatch.setattr("dehusk.write.overlay.MAX_MARKED", 3)
    html = to_overlay(labelled(), notes=["first note"])
    document = turbohtml.parse(html)
    assert [entry.attr("id") for entry in document.select(".list details")] == ["b0", "b1", "b2"]
    assert {mark["title"].split(":")[0] for mark in read(html).marks} == {"0", "1", "2"}
    assert "End" in document.select_one(".page").text
    assert [note.text for note in document.select(".top li")] == [
        "first note",
        "more than 3 blocks: the others are shown without marks, and are not listed",
    ]


def test_the_list_has_every_block_with_its_reason_and_evidence():
    html = to_overlay(labelled())
    document = turbohtml.parse(html)
    entries = document.select(".list details")
    assert [entry.attr("id") for entry in entries] == [f"b{n}" for n in range(8)]
    assert entries[3].select_one("summary").text == "3 keep 0.80 code a < b"
    assert entries[3].select_one("p").text == 'because <3> "so"'
    cells = [[cell.text for cell in row.select("th, td")] for row in entries[3].select("td table")[0].select("tr")]
    assert cells == [["name", "value", "adds"], ["link.density", "0.5", "-1.25"]]
    assert entries[3].select_one("code").text == "/html/body/pre[1]"
    assert [link.attr("href") for link in document.select(".list a")] == [f"#p{n}" for n in range(8)]
    assert [link.attr("href") for link in document.select(".page a")] == [f"#b{n}" for n in range(8)]
    assert [link.text for link in document.select(".page a")][:4] == ["0", "1 header", "2 paragraph", "3 code"]


def test_hidden_and_omitted_text_is_shown_and_marked():
    labels = labelled("<p>First <a href='#f'>¶</a></p><p>Second</p>", (0,))
    sign = np.flatnonzero(labels.blocks.page.is_text)[1:2]
    labels = replace(labels, omitted=sign.astype(np.int32), hidden={1: "white on <white>"})
    marks = check_complete(labels).marks
    assert [mark["class"] for mark in marks] == ["keep s8", "keep s8 omit", "drop s7 hide"]
    assert marks[2]["title"].splitlines()[2] == "hidden text: white on <white>"
    assert "<p>hidden text: white on &lt;white&gt;</p>" in to_overlay(labels)


def test_elements_of_units_have_their_kinds():
    html = "<ul data-unit=x><li>a<li>b</ul><div><article>c</article><article>d</article><article>e</article></div>"
    framed = turbohtml.parse(to_overlay(labelled(html))).select("[data-unit]")
    assert [(element.tag, element.attr("data-unit")) for element in framed] == [
        ("ul", "list"), ("li", "item"), ("li", "item"), ("div", "records"), *[("article", "record")] * 3
    ]  # fmt: skip


def test_facts_and_notes_come_first():
    html = to_overlay(labelled(), facts={"confidence": "0.93", "empty": ""}, notes=["a <note>"])
    top = turbohtml.parse(html).select_one(".top")
    assert top.select_one("h1").text == 'Tea & "cake"'
    assert [(item.select_one("dt").text, item.select_one("dd").text) for item in top.select("dl div")] == [
        ("confidence", "0.93"),
        ("kept", "3 of 8 blocks"),
    ]
    assert [note.text for note in top.select("li")] == ["a <note>"]
    assert len(top.select("mark")) == 6


def test_without_reasons_only_verdicts_are_shown():
    html = to_overlay(labelled(explain=False))
    assert "because" not in html
    assert 'title="1: keep 0.80 header"' in html


def test_an_image_is_its_text_and_marked_if_it_is_a_block():
    assert "[image: A cup]" in to_overlay(labelled())
    reader = check_complete(labelled(alt=True))
    assert "[image: A cup]" in reader.texts.values()


@pytest.mark.parametrize(
    ("chance", "kept", "level"), [(1.0, True, 10), (0.51, True, 5), (0.0, False, 10), (0.9, False, 1)]
)
def test_the_class_shows_how_certain_a_decision_is(chance, kept, level):
    labels = labelled("<p>a</p>", ())
    labels = replace(labels, probability=np.array([chance]), kept=np.array([kept]))
    assert [mark["class"] for mark in read(to_overlay(labels)).marks] == [f"{'keep' if kept else 'drop'} s{level}"]


HOSTILE = """<title></title><script>alert(1)</script><base href="https://evil.example/"><p onclick="x()" id="b0"
style="background:url(https://evil.example/)" class="keep s10">a</p><mark class="keep s10" title="0: keep">b</mark>
<a href="javascript:alert(1)" ping="https://evil.example/">c</a><a href="https://evil.example/">d</a>
<iframe src="//e"></iframe><img src="https://evil.example/i.png" alt='"><script>x</script>'><details>
<summary>e</summary>f</details><q cite="https://evil.example/">g</q>
<video poster="//e">h</video><math href="//e"><mi>i</mi></math><form
action="//e"><input name=x><button>j</button></form><object data="//e">k</object><svg><a href="//e">l</a></svg>
<div title="&quot;<b>">m</div>"""


def test_the_overlay_loads_nothing_and_links_nowhere_else():
    labels = labelled(HOSTILE, (0,))
    html = to_overlay(labels)
    reader = read(html)
    names = {tag for tag, _ in reader.elements}
    assert not names & {"script", "img", "iframe", "base", "link", "object", "video", "form", "input", "svg", "math"}
    for _, given_attributes in reader.elements:
        assert not {"src", "style", "onclick", "ping", "cite", "action", "data", "poster"} & given_attributes.keys()
        assert (given_attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import", html)
    assert "default-src 'none'" in html
    ids = [given_attributes["id"] for _, given_attributes in reader.elements if "id" in given_attributes]
    assert len(ids) == len(set(ids)), "ids of the page cannot take the place of ours"
    assert "evil.example" not in html
    assert len(turbohtml.parse(html).select(".list details")) == len(labels.blocks)
    check_complete(labels)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_all_text_of_real_pages_is_there_once(path):
    document = dehusk.clean(path.read_bytes(), method="victor", explain=True)
    check_complete(document.labels)
    assert document.overlay == dehusk.clean(path.read_bytes(), method="victor", explain=True).overlay


PARTS = ["a", " ", "b<c ", "&lt;", "<p>", "</p>", "<b>", "</b>", "<br>", "<pre>", "\n", "<table>", "<td>", "<a href=x>",
         "<img alt=x src=y>", "<mark>", "<math><mi>", "<li>", "<details>", "<textarea>", "<select>",
         "<option>", "<h1>"]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=25), st.booleans())
def test_all_text_of_any_page_is_there_once(parts, alt):
    check_complete(labelled("".join(parts), (0, 2), alt=alt))


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", "<title>\ud800</title>"])
def test_pages_without_text_have_an_empty_overlay(data):
    document = dehusk.clean(data, url="http://x/\ud800", method="keep-all", explain=True)
    assert "0 of 0 blocks" in document.overlay
    document.overlay.encode("utf-8")


def run(*arguments: str):
    return CliRunner().invoke(command, ["clean", "--method", "keep-all", *arguments], standalone_mode=False)


def test_explain_with_format_html_writes_the_overlay(tmp_path: Path):
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.html").write_text(PAGE)
    assert run("--explain", "-f", "html", str(tmp_path / "a.html"), "-o", str(tmp_path / "o")).return_value == 0
    assert (tmp_path / "o").read_text().count("<details") == 8
    assert "<details" not in run("-f", "html", str(tmp_path / "a.html")).stdout
    assert "<details" not in run("--explain", "-f", "text", str(tmp_path / "a.html")).stdout
    lines = run("--explain", "-f", "html", str(tmp_path / "a.html"), str(tmp_path / "b.html")).stdout.splitlines()
    assert [json.loads(line)["text"].count("<details") for line in lines] == [8, 8]


class Frames(HTMLParser):
    """Collects all start tags, with an independent parser."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("html", [PAGE, HOSTILE, "", '<p>"></iframe><script>alert(1)</script>&quot;'])
def test_a_notebook_shows_the_overlay_in_a_frame_that_can_do_nothing(html):
    document = dehusk.clean(html, method="keep-all", explain=True)
    tags = Frames(document._repr_html_()).tags
    assert [tag for tag, _ in tags] == ["iframe"], "nothing of the page is outside of the frame"
    frame = tags[0][1]
    assert frame["sandbox"] is None, "no permission is granted"
    assert "src" not in frame
    assert frame["srcdoc"].replace('\n<base href="about:srcdoc">', "", 1) == document.overlay
    assert ("base", {"href": "about:srcdoc"}) in Frames(frame["srcdoc"]).tags


def test_a_notebook_stores_only_the_beginning_of_a_long_page():
    words = "tea leaves are harvested by hand "
    many = dehusk.clean("<p>" + f"</p><p>{words * 3}" * 20_000, method="keep-all", explain=True)
    long = dehusk.clean(f"<p>{words * 60_000}</p><p>end</p>", method="keep-all")
    for document, shown in ((many, 500), (long, 1)):
        assert len(document._repr_html_()) < 1_000_000
        frame = Frames(document._repr_html_()).tags[0][1]["srcdoc"]
        count = len(document.labels)
        assert f"only the first {shown:,} of {count:,} blocks are here" in frame
        assert frame.count("<details") == shown
        assert len(document.overlay) > 1_800_000
        assert "only the first" not in document.overlay[:10_000]


def test_without_reasons_the_overlay_says_how_to_get_them():
    assert "explain=True" in dehusk.clean(PAGE).overlay
    assert "explain=True" not in dehusk.clean(PAGE, explain=True).overlay


def test_a_notebook_shows_what_the_pages_of_a_site_share():
    shared = "<p>Subscribe to the <b>tea</b> &lt;script&gt;</p>"
    pages = [f"<title>{name}</title>{shared}<p>{name} is a tea of its own, unlike any other.</p>" for name in "abcdef"]
    site = dehusk.Site().fit([*pages, "<p>a page alone</p><p>With few words.</p>", "<p>With few words.</p>"])
    tags = Frames(site._repr_html_()).tags
    assert [tag for tag, _ in tags] == ["iframe"]
    frame = tags[0][1]
    assert frame["sandbox"] is None
    rows = re.findall(r'<td>(\d+%)</td>.*<td class="(.*)">(.*)</td>', frame["srcdoc"] or "")
    assert rows == [("75%", "drop", "Subscribe to the tea &lt;script&gt;"), ("25%", "", "With few words.")]
    assert "0 pages" in dehusk.Site()._repr_html_()


def test_the_repr_of_a_document_is_one_line_without_arrays():
    document = dehusk.clean(PAGE, method="keep-all")
    assert repr(document) == ("<Document ok, 'Tea & \"cake\"', 8 of 8 blocks and 13 of 13 words kept, confidence 1.00>")
    assert repr(dehusk.clean(b"\x89PNG\r\n\x1a\n")) == (
        "<Document not-html, '', 0 of 0 blocks and 0 of 0 words kept, confidence 0.00>"
    )
    assert "\n" not in (shown := repr(dehusk.clean("<title>a\nb" + "c" * 9999 + "</title><p>" + "many words " * 1000)))
    assert len(shown) < 200
