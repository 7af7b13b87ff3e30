"""`dehusk colour` as a user types it."""

import json
import re
import sys
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import made_sites
from dehusk.cli import main
from dehusk.sites.alternation import FindOptimal
from made_sites import folder_bytes, page, site

ROOT = Path(__file__).parents[1]
PAGES = 6


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the pages of a site and of two sites."""
    made_sites.write(tmp_path / "pages", site(PAGES))
    made_sites.write(tmp_path / "two", [*site(2), *site(2, host="coffee.example")])
    (tmp_path / "void").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Return a function that runs dehusk: exit code and lines on standard error."""

    def typed(*arguments: object) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", ["dehusk", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capfd.readouterr()
        assert out == ""
        return done.value.code, err.splitlines()

    return typed


def shown(path: Path) -> tuple[str, str]:
    """Return the document that a coloured page shows, and its grey part."""
    body = path.read_text("utf-8").split("<p>", 1)[1].removesuffix("</p>\n</html>\n")
    return unescape(re.sub("</?i>", "", body)), unescape("".join(re.findall("<i>(.*?)</i>", body, re.DOTALL)))


def test_pages_are_coloured_by_what_they_share(folder: Path, run) -> None:
    code, lines = run("colour", "pages", "-o", "out", "--search", "df", "--n", 24)
    assert code == 0
    assert lines[0] == "dehusk: out: 6 pages; n-grams of 24 characters in 2 or more of 6 documents"
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "delimiters.json",
        *(f"page{i}.html" for i in range(PAGES)),
    ]
    cut = FindOptimal(n=24).fit([(folder / f"pages/page{i}.html").read_text("utf-8") for i in range(PAGES)])
    report = json.loads((folder / "out/delimiters.json").read_text("utf-8"))
    assert (report["search"], report["n"], report["t"], report["path"]) == ("df", 24, 2, [])
    for i, described in enumerate(report["pages"]):
        source = (folder / f"pages/page{i}.html").read_text("utf-8")
        document, grey = shown(folder / f"out/page{i}.html")
        assert document == source
        assert grey == "".join(source[a:b] for a, b in cut.useless(source))
        assert described["name"] == f"page{i}.html"
        assert described["useless"] == pytest.approx(len(grey) / len(source), abs=1e-4)
    assert any(pair["right"] == "</p>" and pair["documents"] > 1 for pair in report["delimiters"])


def test_the_example_of_the_documentation(tmp_path: Path, monkeypatch, run) -> None:
    text = (ROOT / "docs/alternation.md").read_text("utf-8")
    command, output = re.findall("```(?:sh|text)\n(.*?)```", text, re.DOTALL)[:2]
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert run(*command.split()[1:]) == (0, output.splitlines())
    assert "By Ann Leaf" not in shown(tmp_path / "coloured/matcha.html")[1]
    assert (tmp_path / "surface.svg").exists()


def test_the_printed_search_is_the_default_and_its_surface_is_drawn(folder: Path, run) -> None:
    options = ("--ties", "first-seen", "--look-ahead", 3, "--longest", 80)
    assert run("colour", "-q", "pages", "-o", "out", *options, "--surface", "surface.svg") == (0, [])
    report = json.loads((folder / "out/delimiters.json").read_text("utf-8"))
    texts = [(folder / f"pages/page{i}.html").read_text("utf-8") for i in range(PAGES)]
    cut = FindOptimal("printed", ties="first-seen", look_ahead=3, longest=80).fit(texts)
    assert (report["search"], report["n"], report["a"]) == ("printed", cut.n_, cut.a_)
    assert [(step["n"], step["a"]) for step in report["path"]] == [step[:2] for step in cut.path_]
    assert ET.fromstring((folder / "surface.svg").read_text("utf-8")).tag.endswith("svg")  # noqa: S314


def test_a_new_page_is_coloured_by_a_model_or_a_folder(folder: Path, run) -> None:
    (folder / "new.html").write_text(site(PAGES + 1)[-1], "utf-8")
    learned = ("--method", "alternation", "--search", "printed", "--set", "look_ahead=4", "--set", "attributes=class")
    assert run("site", "learn", "-q", "pages", *learned, "-o", "model") == (0, [])
    assert run("colour", "-q", "new.html", "--site", "model", "-o", "by-model") == (0, [])
    printed = ("--strings", "page", "--look-ahead", 4)
    assert run("colour", "-q", "new.html", "--site", "pages", *printed, "-o", "by-pages") == (0, [])
    assert folder_bytes(folder / "by-model") == folder_bytes(folder / "by-pages")
    document, grey = shown(folder / "by-model/new.html")
    assert document.startswith("<body>")
    assert 0 < len(grey) < len(document)
    raw = FindOptimal("printed", look_ahead=4).fit([(folder / f"pages/page{i}.html").read_text() for i in range(PAGES)])
    raw.save(folder / "raw")
    assert run("colour", "-q", "new.html", "--site", "raw", "-o", "by-raw") == (0, [])
    assert run("colour", "-q", "new.html", "--site", "pages", "--look-ahead", 4, "-o", "raw-pages") == (0, [])
    assert folder_bytes(folder / "by-raw") == folder_bytes(folder / "raw-pages")


def test_attributes_and_shortened_parts(folder: Path, run) -> None:
    for number, names in enumerate(("", "class,href", "all")):
        assert run("colour", "-q", "pages", "--strings", "page", "--attributes", names, "-o", f"out{number}")[0] == 0
    documents = [shown(folder / f"out{number}/page0.html")[0] for number in range(3)]
    assert "class=" not in documents[0]
    assert len(documents[0]) < len(documents[1]) <= len(documents[2])
    assert run("colour", "-q", "pages", "--search", "df", "--omit", 10, "-o", "short")[0] == 0
    assert "□□□" in (folder / "short/page0.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("pages", "options", "line"),
    [
        ({"a.html": page(["Tea is hot."])}, ("--search", "df"), "one document cannot be compared with others: every"),
        (
            dict.fromkeys(("a.html", "b.html", "c.html"), page(["Tea is hot."])),
            ("--search", "df"),
            "because all 3 are copies of it or empty",
        ),
        (
            {"a.html": "<p> ", "b.html": "<p>"},
            ("--strings", "page", "--attributes", ""),
            "have no useless 2-grams",
        ),
        ({"a.html": "<p>tea, milk and water", "b.html": "<h1>茶与水"}, ("--search", "df"), "share no 32-grams"),
    ],
)
def test_pages_that_teach_nothing_have_one_clear_line(tmp_path, monkeypatch, run, pages, options, line) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pages").mkdir()
    for name, html in pages.items():
        (tmp_path / "pages" / name).write_text(html, "utf-8")
    code, lines = run("colour", "pages", "-o", "out", *options)
    assert code == 0
    assert sum(line in said for said in lines) == 1, lines


def test_a_page_that_cannot_be_read_is_named(folder: Path, run) -> None:
    (folder / "pages/photo.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    code, lines = run("colour", "pages", "-o", "out", "--search", "df")
    assert code == 1
    assert "pages/photo.html: not-html" in lines[0]
    assert not (folder / "out/photo.html").exists()
    assert run("colour", "pages/page1.html", "--site", "pages", "-o", "one", "--search", "df")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "x"), "name a PAGE or a --list"),
        (("pages",), "Missing option '-o'"),
        (("pages", "-o", "x", "--search", "print"), "unknown search 'print'. Did you mean printed"),
        (("pages", "-o", "x", "--n", "32"), "option n is for search 'df', not 'printed'"),
        (("pages", "-o", "x", "--search", "df", "--ties", "join"), "option ties is for search 'printed', not 'df'"),
        (("pages", "-o", "x", "--search", "df", "--t", "1"), 't must be an integer of 2 or more, or "records", not 1'),
        (("pages", "-o", "x", "--t", "many"), "'many' is neither an integer nor records"),
        (("pages", "-o", "x", "--search", "df", "--surface", "s"), "--surface is of the printed search"),
        (("pages", "-o", "x", "--attributes", "id"), "--attributes needs --strings page"),
        (("two", "--by", "domain", "--mixed", "-o", "x"), "--by says what counts as a site, --mixed that all pages do"),
        (("two", "-o", "x"), "pages of two sites, tea.example and coffee.example"),
        (("void", "-o", "x"), "folder void contains no pages"),
        (("pages", "--site", "void", "-o", "x"), "folder void contains no pages"),
        (("-q", "nowhere.html", "-o", "x"), "no pages to colour"),
        (("pages", "--site", "model", "--search", "df", "-o", "x"), "--search is for learning, and model is a model"),
        (("pages", "--site", "model", "--strings", "raw", "-o", "x"), "the model is of page strings"),
        (
            ("pages", "--site", "counts", "-o", "x"),
            "site model counts was learned for method site; learn one with --method alternation",
        ),
        (("pages", "-o", "pages"), "is one of the pages"),
    ],
)
def test_wrong_use_is_one_line_and_code_2(folder: Path, run, arguments: tuple[str, ...], message: str) -> None:
    for method, name in (("alternation", "model"), ("site", "counts")):
        if name in arguments:
            run("site", "learn", "-q", "pages", "--method", method, "-o", name)
    code, lines = run("colour", *arguments)
    assert code == 2
    assert message in lines[-1]
    assert not (folder / "x").exists()
