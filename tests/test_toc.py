"""`dehusk toc` and `dehusk site show --tree` as a user types them, and what their records say."""

import json
import os
import re
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import made_sites
from command_line import dehusk as run
from dehusk.cli import main
from dehusk.read import parse
from dehusk.sites.toc.formats import foldable, record_html, record_opml
from dehusk.sites.toc.information_nodes import information_tree, tree_html
from dehusk.sites.toc.page_records import RecordChoice, page_record
from dehusk.sites.wisdom import Wisdom

MAGAZINE = Path(__file__).parents[1] / "examples" / "tea-magazine"
INDEX = MAGAZINE / "index.html"
STORIES = re.findall(r'<h3><a href="(/stories/\w+)">([^<]+)</a></h3>', INDEX.read_text("utf-8"))
HOST = "https://leaf.example"
HOSTILE = (
    '<ul><li><a href="javascript:alert(1)">Scripts of the <b>&lt;script&gt;</b> harbour</a>'
    '<li><a href="/one">One <i>quiet</i> evening &amp; more</a><a href="#top" aria-label="Up to the top"></a>'
    '<ul><li><a href="two" title="x"><img alt="A picture of two herons" src=x></a>'
    '<li><a href="//other.example/three#a">Three\u202e elsewhere</a></ul>'
    "<li><a name=nothing>no link</a></ul>"
)


def typed(monkeypatch, capfd, *arguments: object) -> tuple[int, str, list[str]]:
    """Run the command in this process: return the exit code, what it prints, and the lines on standard error."""
    monkeypatch.setattr("sys.argv", ["dehusk", *map(str, arguments)])
    with pytest.raises(SystemExit) as done:
        main()
    out, err = capfd.readouterr()
    return done.value.code, out, err.splitlines()


def rows(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


def record_of(html: str, *others: str, url: str | None = f"{HOST}/", **options: object) -> dict:
    pages = [parse(html, url=url), *(parse(other, url=f"{HOST}/{number}") for number, other in enumerate(others))]
    return page_record(pages[0], Wisdom(**options).fit(pages), RecordChoice())


def test_the_contents_of_an_index_page(monkeypatch, capfd) -> None:
    code, out, err = typed(monkeypatch, capfd, "toc", "--site", MAGAZINE, "-f", "json", INDEX)
    assert (code, err) == (0, ["dehusk: 1 page: 1 TOC block, 6 links"])
    (row,) = rows(out)
    assert (row["url"], row["title"], row["learned"], row["status"]) == (
        f"{HOST}/",
        "Stories about tea | The Leaf",
        7,
        "ok",
    )
    (block,) = row["toc"]
    assert [(link["url"], link["text"]) for link in block["links"]] == [(HOST + path, text) for path, text in STORIES]
    assert block["skeleton"] == [block["xpath"]] == ["/html/body/main[1]/ul[1]"]
    assert all(link["learned"] and link["api"] == link["estimated_api"] > 0 for link in block["links"])
    assert {(link["depth"], link["level"], link["own"]) for link in block["links"]} == {(5, 1, False)}
    assert "article" not in row


def test_the_whole_pipeline_of_the_paper(monkeypatch, capfd) -> None:
    arguments = ("toc", "--preset", "paper", "--blocks", "both", "--tree", "-f", "json", MAGAZINE)
    code, out, err = typed(monkeypatch, capfd, *arguments)
    assert code == 0
    assert err[-1].startswith("dehusk: 7 pages: ")
    by_name = {Path(row["page"]).stem: row for row in rows(out)}
    index = by_name["index"]
    assert [link["url"] for link in index["toc"][0]["links"]] == [HOST + path for path, _ in STORIES]
    assert index["toc"][0]["feature"] == "API"
    assert {block["feature"] for row in by_name.values() for block in row["article"]} == {"CLEN"}
    assert any("falls silent just before it boils" in block["text"] for block in by_name["kettle"]["article"])
    tags = [entry["tag"] for entry in index["tree"] if "tag" in entry]
    assert tags[:2] == ["body", "main"]
    assert "footer" not in tags
    again = typed(monkeypatch, capfd, *arguments)
    assert again[1] == out


def test_text_names_every_link(monkeypatch, capfd) -> None:
    code, out, _ = typed(monkeypatch, capfd, "toc", "--site", MAGAZINE, "--tree", "--blocks", "both", INDEX)
    assert code == 0
    positions = [out.index(f"{text}  <{HOST}{path}>") for path, text in STORIES]
    assert positions == sorted(positions)
    assert "reduced tree\n    body\n      main\n" in out


def test_documentation_shows_what_the_command_prints() -> None:
    shown = run("toc", "--site", "examples/tea-magazine", "examples/tea-magazine/index.html", cwd=MAGAZINE.parents[1])
    documented = (MAGAZINE.parents[1] / "docs" / "wisdom.md").read_text("utf-8")
    assert shown.stdout.decode().strip() in documented


def test_opml_is_valid(monkeypatch, capfd, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(HOSTILE.replace("quiet", "qui\x0bet \ufffe"), "utf-8")
    code, _, _ = typed(monkeypatch, capfd, "toc", MAGAZINE, page, "-f", "opml", "-o", tmp_path / "out.opml")
    assert code == 0
    root = ET.parse(tmp_path / "out.opml").getroot()  # noqa: S314 (our own)
    assert (root.tag, root.get("version")) == ("opml", "2.0")
    head, body = root
    assert (head.tag, body.tag, [child.tag for child in head]) == ("head", "body", ["title"])
    outlines = list(body.iter("outline"))
    assert len(body) == 8
    assert all(outline.get("text") for outline in outlines)
    assert all((outline.get("type") == "link") == (outline.get("url") is not None) for outline in outlines)
    assert all(re.match(r"https?://", outline.get("url", "http://")) for outline in outlines)
    index = next(outline for outline in body if outline.get("url") == f"{HOST}/")
    assert [outline.get("text") for outline in index] == [text for _, text in STORIES]


def test_links_are_safe_named_and_nested() -> None:
    record = record_of(HOSTILE, toc="alen", tc_alen=0.0)
    links = [link for block in record["toc"] for link in block["links"]]
    assert [(link["text"], link["url"], link["level"], link["own"]) for link in links] == [
        ("Scripts of the <script> harbour", None, 1, False),
        ("One quiet evening & more", f"{HOST}/one", 1, False),
        ("Up to the top", f"{HOST}/#top", 1, True),
        ("A picture of two herons", f"{HOST}/two", 2, False),
        ("Three\u202e elsewhere", "https://other.example/three#a", 2, False),
    ]


class Reader(HTMLParser):
    """Collects links, elements and unclosed elements of a file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.hrefs: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.hrefs += [value or "" for name, value in attributes if name == "href"]
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("options", [("--blocks", "both", "--tree"), ()])
def test_html_is_safe_and_balanced(monkeypatch, capfd, tmp_path: Path, options: tuple[str, ...]) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<title><img onerror=x></title>{HOSTILE}<p>A paragraph about <b onclick=x>herons", "utf-8")
    listed = tmp_path / "list"
    listed.write_text(f"{page}\thttps://h.example/?a=<script>\n", "utf-8")
    chosen = ("--feature", "alen", "--tc-alen", "0", *options)
    code, out, _ = typed(monkeypatch, capfd, "toc", "--list", listed, "-f", "html", *chosen)
    assert code == 0
    reader = Reader(out)
    assert not reader.open
    assert not reader.handlers
    assert not reader.names & {"script", "img", "iframe"}
    assert all(href.startswith("https://") for href in reader.hrefs)
    assert "default-src 'none'" in out


def test_the_information_coverage_tree(monkeypatch, capfd) -> None:
    command = ("site", "show", MAGAZINE, "--tree", MAGAZINE / "kettle.html")
    code, out, err = typed(monkeypatch, capfd, *command)
    assert (code, err) == (0, [])
    assert "article  CII .52, CLEN 397 (SII .84) [article skeleton]" in out
    tree = json.loads(typed(monkeypatch, capfd, *command, "-f", "json")[1])
    page = parse((MAGAZINE / "kettle.html").read_bytes(), url=f"{HOST}/stories/kettle")
    site = [parse(path.read_bytes(), url=f"{HOST}/{path.stem}") for path in sorted(MAGAZINE.glob("*.html"))]
    features = Wisdom().fit(site).features(page)
    by_node = {entry["node"]: entry for entry in tree["nodes"]}
    for node, entry in by_node.items():
        if "tag" in entry:
            assert entry["clen"] == features.clen[node]
            assert entry["alen"] == features.alen[node]
            assert entry["cii"] == pytest.approx(features.cii[node], abs=1e-4)
            assert all(0 <= value <= 1 for value in entry["sii"].values())
        else:
            assert [word for word, _ in entry["terms"]] == re.findall(r"\w+", entry["text"].lower())
    assert all(entry["parent"] is None or entry["parent"] < row for row, entry in enumerate(tree["nodes"]))
    html = typed(monkeypatch, capfd, *command, "-f", "html")[1]
    reader = Reader(html)
    assert not reader.open
    assert "script" not in reader.names
    assert html.count("<details") > 10
    words = re.sub("<[^>]+>", "", html)
    assert "Bubbles" not in words
    assert "the kettle falls silent just before it boils" in words


def test_a_deep_page_and_a_page_without_text_have_trees() -> None:
    for html in ("<div>" * 400 + "deep words <a href=/x>of a link</a>", "<p></p>", ""):
        page = parse(html, url=f"{HOST}/")
        tree = information_tree(page, Wisdom().fit([page]))
        assert not Reader(tree_html(tree, "page")).open
    assert foldable([], [], []) == '<div class="tree"></div>'


def test_long_and_deep_lists_take_linear_time_and_lose_nothing() -> None:
    long = "<ul>" + "".join(f"<li><a href=/p{number}>story number {number}</a>" for number in range(20_000)) + "</ul>"
    deep = "<ul><li><a href=/p>a story</a>" * 200
    for html, expected in ((long, 20_000), (deep, 200)):
        started = time.process_time()
        record = record_of(html, k=float("inf"), toc="alen", tc_alen=0.0)
        assert sum(len(block["links"]) for block in record["toc"]) == expected
        facts = {"page": "p", "url": None, "title": "", "message": ""}
        outline = ET.fromstring(f"<body>{record_opml(facts | record)}</body>")  # noqa: S314 (our own)
        assert len(list(outline.iter("outline"))) - 1 >= expected
        assert not Reader(record_html(facts | record)).open
        assert time.process_time() - started < 20


def test_a_model_of_its_own(monkeypatch, capfd, tmp_path: Path) -> None:
    model = tmp_path / "model"
    learn = ("site", "learn", MAGAZINE, "--method", "wisdom", "--set", "preset=paper", "-o", model)
    code, _, err = typed(monkeypatch, capfd, *learn)
    assert (code, err) == (0, [f"dehusk: {model}: learned for method wisdom from 7 pages, 0 of them copies"])
    by_model = typed(monkeypatch, capfd, "toc", "--site", model, "-f", "json", INDEX)
    by_pages = typed(monkeypatch, capfd, "toc", "--site", MAGAZINE, "--preset", "paper", "-f", "json", INDEX)
    assert by_model == by_pages
    code, out, err = typed(monkeypatch, capfd, "toc", "--site", model, "--preset", "recommended", INDEX)
    assert (code, out, len(err)) == (2, "", 1)
    assert "dehusk site learn --method wisdom" in err[0]
    counts = tmp_path / "counts"
    assert typed(monkeypatch, capfd, "site", "learn", "-q", MAGAZINE, "-o", counts)[0] == 0
    code, _, err = typed(monkeypatch, capfd, "toc", "--site", counts, "--preset", "paper", INDEX)
    assert (code, len(err)) == (2, 1)
    assert typed(monkeypatch, capfd, "toc", "--site", counts, INDEX)[0] == 0
    code, _, err = typed(monkeypatch, capfd, "site", "show", model)
    assert (code, len(err)) == (2, 1)
    assert "with --tree PAGE" in err[0]


def test_files_of_pages_and_rows_say_the_same(monkeypatch, capfd, tmp_path: Path) -> None:
    pytest.importorskip("fastwarc", reason="the extra corpus is not installed")
    import warcs

    records = [
        warcs.record(number, warcs.answer(path.read_bytes()), url=f"{HOST}/{path.stem}".replace("/index", "/"))
        for number, path in enumerate(sorted(MAGAZINE.glob("*.html")))
    ]
    file = warcs.write(tmp_path / "job" / "pages.warc.gz", records)
    code, out, err = typed(monkeypatch, capfd, "toc", file, "-f", "json", "--blocks", "both")
    assert code == 0
    found = {row["url"]: row for row in rows(out)}
    assert len(found) == 7
    (tmp_path / "job" / "job.json").write_text("{}")
    assert typed(monkeypatch, capfd, "toc", tmp_path / "job", "-f", "json", "--blocks", "both") == (code, out, err)
    corpus = ("corpus", file, "-o", tmp_path / "out", "-f", "jsonl", "--find", "wisdom", "--sample", "7", "-q")
    assert typed(monkeypatch, capfd, *corpus)[0] == 0
    for stored in (tmp_path / "out", tmp_path / "out" / "pages" / "pages.warc.gz.jsonl"):
        code, out, _ = typed(monkeypatch, capfd, "toc", stored, "-f", "json", "--blocks", "both")
        assert code == 0
        for row in rows(out):
            assert (row["toc"], row["article"]) == (found[row["url"]]["toc"], found[row["url"]]["article"])
    for option in (("--k", "2"), ("--tree",), ("--site", MAGAZINE)):
        code, _, err = typed(monkeypatch, capfd, "toc", tmp_path / "out", *option)
        assert (code, len(err)) == (2, 1)
        assert "found before" in err[0]


def test_standard_input_and_broken_pages(tmp_path: Path) -> None:
    (tmp_path / "image.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    done = run("toc", "-", tmp_path / "image.html", tmp_path / "missing.html", "-f", "json", given=INDEX.read_bytes())
    assert done.returncode == 1
    first, image, missing = rows(done.stdout.decode())
    assert len(first["toc"][0]["links"]) > 3
    assert (image["status"], missing["status"]) == ("not-html", "error")
    err = done.stderr.decode().splitlines()
    assert sum("image.html: not-html" in line for line in err) == 1
    assert sum("missing.html: error: cannot be read" in line for line in err) == 1


PLAIN = "".join(f"<p>{words}" for words in ("the river is quiet this evening", "herons wait in the reeds for fish"))
RUSSIAN = "<p>" + "чайник поёт прежде чем закипит вода и потом внезапно молчит " * 4

OWN = '<ul><li><a href="#a">The first part of it</a><li><a href="#b">The other part of it</a></ul>'
ALEN = ("--feature", "alen")
BAD = [
    ([PLAIN + "<p><a href=/a>one long evening</a>"], (), "one page: all its words weigh the same"),
    ([PLAIN] * 3, (), "3 pages with the same words: none of them weighs anything"),
    ([PLAIN], (), "no links"),
    ([OWN], ALEN, "all links of the TOC blocks lead to the page itself"),
    (["<ul><li><a href=/a>The first of them all</a></ul>"], ("--k", "50", *ALEN), "fewer than k = 50 TOC blocks"),
]


@pytest.mark.parametrize(("pages", "options", "message"), BAD)
def test_what_pages_lack_is_said_in_one_line(
    monkeypatch, capfd, tmp_path: Path, pages: list[str], options: tuple[str, ...], message: str
) -> None:
    folder = made_sites.write(tmp_path / "pages", pages)
    code, out, err = typed(monkeypatch, capfd, "toc", folder, "-f", "json", *options)
    assert code in (0, 3)
    assert sum(message in line for line in err) == 1
    assert len(rows(out)) == len(pages)


def test_pages_that_cannot_be_read_are_named(monkeypatch, capfd, tmp_path: Path) -> None:
    missing = tmp_path / "missing.html"
    code, out, err = typed(monkeypatch, capfd, "toc", missing)
    assert (code, out) == (2, "")
    unread = f"dehusk: {missing}: error: cannot be read: No such file or directory"
    assert err == [unread, "dehusk: no pages to learn a site from"]


def test_blocks_are_named_in_html(monkeypatch, capfd) -> None:
    _, out, _ = typed(monkeypatch, capfd, "toc", "--site", MAGAZINE, "--blocks", "both", "-f", "html", INDEX)
    assert out.count("TOC block: estimated API 58.6, CII ") == 1
    assert out.count("Article block: CLEN ") >= 1


def test_help_lists_the_options_of_wisdom_only(monkeypatch, capfd) -> None:
    for command in (("toc",), ("site", "show")):
        text = " ".join(typed(monkeypatch, capfd, *command, "--help")[1].split())
        assert "Option of method wisdom; can be repeated. preset, k," in text
        assert "alternation: search" not in text


def test_a_page_in_another_language(monkeypatch, capfd, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"{RUSSIAN}<p><a href=/a>{'ещё ' * 5}</a>", "utf-8")
    code, out, err = typed(monkeypatch, capfd, "toc", "--site", MAGAZINE, "-f", "json", page)
    assert code in (0, 3)
    note = "the site knows few of its words: another site or another language?"
    assert f"dehusk: {page}: {note}" in err
    assert note in rows(out)[0]["notes"]
    assert not any("few of its words" in line for line in typed(monkeypatch, capfd, "toc", MAGAZINE)[2])


def test_sites_are_learned_apart_unless_they_are_mixed(monkeypatch, capfd, tmp_path: Path) -> None:
    folder = made_sites.write(tmp_path / "two", [*made_sites.site(4), *made_sites.site(3, host="coffee.example")])
    _, out, _ = typed(monkeypatch, capfd, "toc", folder, "-f", "json", "--blocks", "article")
    assert [row["learned"] for row in rows(out)] == [4] * 4 + [3] * 3
    _, out, _ = typed(monkeypatch, capfd, "toc", folder, "-f", "json", "--blocks", "article", "--mixed")
    assert {row["learned"] for row in rows(out)} == {7}
    other = made_sites.write(tmp_path / "other", made_sites.site(1, host="milk.example"))
    _, out, err = typed(monkeypatch, capfd, "toc", other, "--site", folder, "-f", "json")
    assert rows(out)[0]["notes"] == ["no page of its site was learned"]
    assert len(err) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a PAGE"),
        (("missing*.html",), "no file matches missing*.html"),
        ((".",), "contains neither pages nor files of pages"),
        ((INDEX, "--k", "0"), "'0' is neither a positive integer nor all"),
        ((INDEX, "--set", "k=0"), "k must be a positive integer or infinity"),
        ((INDEX, "--k", "2", "--set", "k=3"), "k is given twice"),
        ((INDEX, "-f", "opml", "--tree"), "-f opml has links only"),
        ((INDEX, "-f", "xml"), "unknown format 'xml'. Did you mean opml?"),
        ((INDEX, "--preset", "papers"), "unknown preset 'papers'. Did you mean paper?"),
        ((INDEX, "-o", INDEX), "is one of the pages"),
        (("-", "-"), "standard input can be read only once"),
    ],
)
def test_wrong_usage_is_one_line(
    monkeypatch, capfd, tmp_path: Path, arguments: tuple[object, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = typed(monkeypatch, capfd, "toc", *arguments)
    assert (code, out, len(err)) == (2, "", 1)
    assert message in err[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--tree", "missing.html"), "missing.html: error: cannot be read"),
        (("--tree", MAGAZINE), "names several pages: --tree shows one"),
        (("--tree", INDEX, "-f", "svg"), "--tree is text, json or html"),
        (("-f", "html"), "-f html and --set need --tree PAGE"),
        (("--tree", INDEX, "--set", "st=2"), "st must be a number from 0 to 1"),
    ],
)
def test_wrong_usage_of_show_is_one_line(monkeypatch, capfd, arguments: tuple[object, ...], message: str) -> None:
    code, out, err = typed(monkeypatch, capfd, "site", "show", MAGAZINE, *arguments)
    assert (code, out, len(err)) == (2, "", 1)
    assert message in err[0]


def test_output_does_not_depend_on_the_hash_seed() -> None:
    command = [sys.executable, "-c", "from dehusk.cli import main; main()", "toc", str(MAGAZINE), "--blocks", "both"]
    outputs = {
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_links_of_the_frame_are_no_contents() -> None:
    """Their pages were not learned, so that only an estimate says what they are worth; README's own example."""
    shown = run("toc", "examples/tea-magazine", "-f", "json", cwd=MAGAZINE.parents[1])
    pages = [json.loads(line) for line in shown.stdout.splitlines()]
    links = [link["url"] for page in pages for block in page["toc"] for link in block["links"]]
    assert len(links) == 12
    assert all("/stories/" in link for link in links)
