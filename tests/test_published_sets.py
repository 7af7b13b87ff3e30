"""`dehusk sets`: small archives made by us in the layout of each published one, good, cut, changed and missing."""

import gzip
import http.server
import io
import json
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from dehusk.base.errors import FetchError, InputError
from dehusk.cli import main
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.lab.sets import building
from dehusk.lab.sets.archives import download, read_archive
from dehusk.lab.sets.building import build, check, identify
from dehusk.lab.sets.catalogue import ManifestPage, PublishedSet, manifest, published_sets
from dehusk.lab.sets.layouts import LAYOUTS, LINE_LAYOUTS
from dehusk.read import parse

PAGE = b"<html><body><h1>Green tea</h1><ul><li>2 g leaves<li>80 ml water</ul><p>Wait two minutes.</p></body></html>"
TWO = PAGE.replace(b"Green", b"Black")
RECIPE = {
    "title": "Green tea",
    "ingredients": ["2 g leaves", "80 ml water"],
    "instructions_list": ["Wait two minutes."],
}
FACTS = ["Green tea", "2 g leaves", "80 ml water", "Wait two minutes."]
CASES = [
    {"case_names": "Green tea", "docket_numbers": "2 g"},
    {"case_names": "Not on the page", "docket_numbers": "2 g"},
]
OLD = {"title": "Old", "body": {"summary": [], "sections": []}}
NEWS = {
    "title": "Green tea",
    "authors": ["A. Leaf"],
    "images": [],
    "body": {"summary": ["In short."], "sections": [{"headline": ["How"], "paragraphs": ["Wait."]}]},
}

Archive = Mapping[str, bytes]
Row = Mapping[str, object]


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


EXAMPLES: Mapping[str, tuple[Archive, Row, str | None]] = {
    "wcxb": (
        {
            "dev/html/0001.html.gz": gzip.compress(PAGE),
            "dev/ground-truth/0001.json": _json(
                {"ground_truth": {"main_content": "Tea", "with": ["a"], "without": []}}
            ),
        },
        {"with": ["a"], "without": []},
        "Tea",
    ),
    "scrapinghub": (
        {
            "html/ab.html.gz": gzip.compress(PAGE),
            "ground-truth.json": _json({"ab": {"articleBody": "Tea", "url": "u"}}),
        },
        {},
        "Tea",
    ),
    "products": (
        {"dataset/html/ab.html.gz": gzip.compress(PAGE), "dataset/ground-truth.json": _json({"ab": {"sku": ["7"]}})},
        {"attributes": {"sku": ["7"]}},
        None,
    ),
    "fundus": (
        {
            "tests/resources/parser/test_data/at/Blatt_2024_05_03.html.gz": gzip.compress(PAGE),
            "tests/resources/parser/test_data/at/Blatt.json": _json({"V1": NEWS, "V2": OLD}),
        },
        {"meta": {"title": "Green tea", "authors": ["A. Leaf"]}},
        "Green tea\nIn short.\nHow\nWait.",
    ),
    "recipes": (
        {"tests/test_data/tea.example/tea.testhtml": PAGE, "tests/test_data/tea.example/tea.json": _json(RECIPE)},
        {"facts": FACTS},
        None,
    ),
    "courts": (
        {
            "tests/examples/opinions/us/a_example.html": PAGE,
            "tests/examples/opinions/us/a_example.compare.json": _json(CASES),
        },
        {"facts": ["Green tea", "2 g"]},
        None,
    ),
    "magic_article": (
        {
            "benchmark/data/article/htmls/ab.html": PAGE,
            "benchmark/data/article/base.json": _json({"ab": {"content": "Tea"}}),
        },
        {},
        "Tea",
    ),
    "magic_forum": (
        {
            "benchmark/data/forum/htmls/ab.html": PAGE,
            "benchmark/data/forum/base.json": _json({"ab": {"content": "Tea"}}),
        },
        {},
        "Tea",
    ),
    "daniel": (
        {
            "Corpus_daniel_v2.0/html/20111101_www.tea.gr_ab": PAGE,
            "Corpus_daniel_v2.0/reference/20111101_www.tea.gr_ab": b"Tea",
        },
        {},
        "Tea",
    ),
    "cleaneval": (
        {"cleaneval/orig/1.html": PAGE, "cleaneval/clean/1.txt": b"URL: http://tea/\n<p>Th\xe9"},
        {},
        "<p>Thé",
    ),
    "cleanportaleval": (
        {"cleanportaleval/input/a.html": PAGE, "cleanportaleval/GoldStandard/a.txt": b"<p>Tea"},
        {},
        "<p>Tea",
    ),
    "dragnet": (
        {"dragnet/HTML/1.html": PAGE, "dragnet/corrected/Corrected/1.html.corrected.txt": b"Tea"},
        {},
        "Tea",
    ),
    "big9": (
        {
            "Extraction/big5-05/html/amd (1).htm": PAGE,
            "Extraction/big5-05/gold/amd (1).txt": b"Tea",
            "Extraction/big5-09/gold/amd (1).txt": b"Other",
        },
        {},
        "Tea",
    ),
    "city": ({"tests/files/a.html": PAGE}, {}, None),
}
"""Layout -> the files of its archive, what its row says besides id and url, its gold text."""


def _zip(path: Path, files: Archive) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"repository-main/{name}", data)
    return path


def _tar(path: Path, files: Archive) -> Path:
    with tarfile.open(path, "w:xz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"raw/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def _measured(path: Path, row: Row, gold: str | None) -> Path:
    """Write the set that was measured, of one page."""
    (path / "html").mkdir(parents=True)
    (path / "gold").mkdir()
    line = json.dumps({"id": "p", "url": "http://tea/é", **row}, ensure_ascii=False)
    (path / "pages.jsonl").write_text(line + "\n", "utf-8")
    (path / "html/p.html").write_bytes(PAGE)
    if gold is not None:
        (path / "gold/p.txt").write_text(gold, "utf-8")
    return path


def _published(layout: str, name: str = "tea") -> PublishedSet:
    return PublishedSet(name, "Tea", 1, "ours", "", "", "", "", layout=layout, archive="tea.zip")


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The measured set of WCXB's layout, whose manifest is the package's."""
    _, row, gold = EXAMPLES["wcxb"]
    path = _measured(tmp_path / "measured", row, gold)
    _use_manifest(monkeypatch, path)
    return path


def _use_manifest(monkeypatch: pytest.MonkeyPatch, path: Path) -> list[ManifestPage]:
    pages = list(identify(path))
    monkeypatch.setattr(building, "manifest", lambda _: pages)
    return pages


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("pack", [_zip, _tar])
def test_each_layout_builds_the_set_that_was_measured(
    layout: str, pack: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, row, gold = EXAMPLES[layout]
    measured = _measured(tmp_path / "measured", row, gold)
    _use_manifest(monkeypatch, measured)
    archive = pack(tmp_path / "archive", files)  # type: ignore[operator]
    folder, differences = build(_published(layout), archive, tmp_path / "data")
    assert differences == []
    assert folder == tmp_path / "data/tea"
    assert set_fingerprint(folder) == set_fingerprint(measured)
    assert [sample.gold for sample in read_set(folder)] == [gold]


@pytest.mark.usefixtures("measured")
def test_a_changed_gold_text_gives_a_partial_set_and_leaves_the_old_one(tmp_path: Path) -> None:
    files = dict(EXAMPLES["wcxb"][0])
    build(_published("wcxb"), _zip(tmp_path / "good.zip", files), tmp_path)
    before = set_fingerprint(tmp_path / "tea")
    files["dev/ground-truth/0001.json"] = _json({"ground_truth": {"main_content": "Coffee", "with": [], "without": []}})
    folder, differences = build(_published("wcxb"), _zip(tmp_path / "changed.zip", files), tmp_path)
    assert folder.name == "tea.partial"
    assert [str(difference) for difference in differences] == ["other gold texts: p", "other rows: p"]
    assert set_fingerprint(tmp_path / "tea") == before
    assert check(_published("wcxb"), tmp_path / "tea") == []
    assert check(_published("wcxb"), folder) == differences


def test_a_changed_page_is_a_missing_page(measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = list(identify(measured))
    lost = ManifestPage("q", building.short_hash(TWO), "", "", {})
    monkeypatch.setattr(building, "manifest", lambda _: [*pages, lost])
    _, differences = build(_published("wcxb"), _zip(tmp_path / "a.zip", EXAMPLES["wcxb"][0]), tmp_path)
    assert [str(difference) for difference in differences] == ["missing pages: q"]


def test_two_pages_of_the_same_bytes_keep_their_own_facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _measured(tmp_path / "measured", {"facts": ["Green tea"]}, None)
    (folder / "html/q.html").write_bytes(PAGE)
    with (folder / "pages.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "q", "facts": ["2 g leaves"]}) + "\n")
    _use_manifest(monkeypatch, folder)
    files = {
        "tests/test_data/a/1.testhtml": PAGE, "tests/test_data/a/1.json": _json({"title": "2 g leaves"}),
        "tests/test_data/a/2.testhtml": PAGE, "tests/test_data/a/2.json": _json({"title": "Green tea"}),
    }  # fmt: skip
    built, differences = build(_published("recipes"), _zip(tmp_path / "a.zip", files), tmp_path / "data")
    assert differences == []
    assert set_fingerprint(built) == set_fingerprint(folder)


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda _: None, "does not exist"),
        (lambda path: path.write_bytes(b"no archive"), "cannot be read"),
        (
            lambda path: path.write_bytes(_zip(path.with_suffix(".whole"), EXAMPLES["wcxb"][0]).read_bytes()[:-40]),
            "read",
        ),
        (lambda path: path.write_bytes(_tar(path.with_suffix(".tar"), EXAMPLES["wcxb"][0]).read_bytes()[:200]), "read"),
        (lambda path: _zip(path, {"README": b"moved"}), "none of the 1 pages"),
        (lambda path: _zip(path, {"dev/html/0001.html.gz": gzip.compress(PAGE)}), "another layout"),
        (lambda path: _zip(path, {"dev/html/0001.html.gz": b"no gzip"}), "cannot be read"),
    ],
)
def test_bad_archives_are_one_line(make: object, says: str, tmp_path: Path) -> None:
    make(tmp_path / "bad.zip")  # type: ignore[operator]
    with pytest.raises(InputError, match=says):
        build(_published("wcxb"), tmp_path / "bad.zip", tmp_path / "data")
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []


@pytest.mark.usefixtures("measured")
def test_an_encrypted_archive_is_one_line(tmp_path: Path) -> None:
    data = bytearray(_zip(tmp_path / "a.zip", EXAMPLES["wcxb"][0]).read_bytes())
    data[6] |= 1  # the flag of the first file, and where the directory lists it
    data[data.index(b"PK\1\2") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(InputError, match="encrypted"):
        build(_published("wcxb"), tmp_path / "a.zip", tmp_path / "data")


MARKED = (
    '<meta charset="gb2312"><div class="tea mark-selected big" cc-select="true"><h1 cc-select=\'true\'>Grüner Tee</h1>'
    "</div>"
    '<p class="mark-selected">cc-select is text here</p>'
)
UNMARKED = '<meta charset="gb2312"><div class="tea big"><h1>Grüner Tee</h1></div><p class="">cc-select is text here</p>'
MAIN_PAGES = [
    {
        "track_id": "0b7f-1", "url": "http://tea/1", "html": MARKED, "main_html": "<h1>Grüner Tee</h1>",
        "convert_main_content": "# Grüner Tee", "groundtruth_content": "# Grüner  Tee",
        "meta": {"language": "de", "style": "Article", "level": "mid", "table": [], "code": ["inline"], "equation": []},
    },
    {"track_id": "0b7f-2", "html": "<p>Tea", "convert_main_content": None, "meta": None},
    {"id": "sample_3", "html": "<p>Tea", "convert_main_content": "Tea", "language": "en", "content_type": "article"},
]  # fmt: skip


def _lines(path: Path, rows: list[Row]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _never_measured() -> PublishedSet:
    return PublishedSet(
        "main", "Main", 3, "ours", "", "", "", "", layout="webmainbench", archive="main.jsonl", unmeasured="not ours"
    )


def test_a_set_that_was_never_measured_is_built_as_published_without_its_annotators_marks(tmp_path: Path) -> None:
    folder, differences = build(_never_measured(), _lines(tmp_path / "main.jsonl", MAIN_PAGES), tmp_path)
    assert (folder, differences) == (tmp_path / "main", [])
    rows = [json.loads(line) for line in (folder / "pages.jsonl").read_text("utf-8").splitlines()]
    assert rows == [
        {
            "id": "0b7f-1", "url": "http://tea/1", "type": "Article", "language": "de", "level": "mid",
            "code": ["inline"], "calibrated": "# Grüner  Tee",
        },
        {"id": "0b7f-2"},
        {"id": "sample_3", "type": "article", "language": "en"},
    ]  # fmt: skip
    first, second, third = read_set(folder)
    assert first.data.decode("utf-8-sig") == UNMARKED
    assert "Grüner Tee" in parse(first.bare).text  # although its markup declares another encoding
    assert [first.gold, second.gold, third.gold] == ["# Grüner Tee", None, "Tea"]
    assert (first.url, first.type, third.language) == ("http://tea/1", "Article", "en")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1 is not JSON"),
        ('{"track_id": "a", "html": ""}\n\n[]', "line 3 is not an object"),
        ('{"track_id": "a"}', "another layout"),
        ('{"track_id": "../a", "html": ""}', "cannot name a file"),
        ('{"track_id": "a", "html": ""}\n' * 2, "page a stands twice"),
    ],
)
def test_bad_lines_are_one_line_and_leave_nothing(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "main.jsonl").write_text(text, "utf-8")
    with pytest.raises(InputError, match=says):
        build(_never_measured(), tmp_path / "main.jsonl", tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []
    with pytest.raises(InputError, match="does not exist"):
        build(_never_measured(), tmp_path / "none.jsonl", tmp_path / "data")


def test_the_topmost_folder_of_a_repository_does_not_matter(tmp_path: Path) -> None:
    files = read_archive(
        _zip(tmp_path / "a.zip", {"x/1.html": b"1", "y/2.html": b"2"}), lambda path: path == "x/1.html"
    )
    assert files == {"x/1.html": b"1"}


class _Ranges(http.server.BaseHTTPRequestHandler):
    """Serves bytes; /short promises more than it sends, /whole knows ranges, /plain does not."""

    data = bytes(range(256)) * 40

    def do_GET(self) -> None:
        if self.path == "/none":
            self.send_error(404)
            return
        start = int((self.headers["Range"] or "bytes=0-").removeprefix("bytes=").rstrip("-"))
        if start >= len(self.data):
            self.send_error(416)
            return
        start = 0 if self.path == "/plain" else start
        rest = self.data[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest[:100] if self.path == "/short" else rest)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Ranges) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


def test_an_interrupted_download_is_resumed(server: str, tmp_path: Path) -> None:
    target = tmp_path / "archives/a.zip"
    with pytest.raises(FetchError, match="100 of 10240 bytes came; repeat to resume"):
        download(f"{server}/short", target)
    assert not target.exists()
    download(f"{server}/whole", target)
    assert target.read_bytes() == _Ranges.data
    assert not target.with_name("a.zip.part").exists()


@pytest.mark.parametrize("path", ["plain", "whole"])
def test_a_server_without_ranges_sends_all_again_and_a_whole_part_is_kept(
    server: str, tmp_path: Path, path: str
) -> None:
    have = _Ranges.data[:50] if path == "plain" else _Ranges.data
    (tmp_path / "a.zip.part").write_bytes(have)
    download(f"{server}/{path}", tmp_path / "a.zip")
    assert (tmp_path / "a.zip").read_bytes() == _Ranges.data


def test_downloads_that_fail_are_one_line(server: str, tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="HTTP 404"):
        download(f"{server}/none", tmp_path / "a.zip")
    with pytest.raises(FetchError, match="refused"):
        download("http://127.0.0.1:9/a.zip", tmp_path / "a.zip")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be written"):
        download(f"{server}/whole", tmp_path / "file/a.zip")


def test_the_catalogue_is_whole() -> None:
    for name, published in published_sets().items():
        assert published.licence
        assert published.gold
        assert (published.layout == "") == (published.why != ""), name
        assert not published.unmeasured or published.layout in LINE_LAYOUTS
        if published.layout:
            assert published.address.startswith("https://")
        if published.layout and not published.unmeasured:
            pages = manifest(name)
            assert len(pages) == published.pages, name
            assert len({page.id for page in pages}) == len(pages)
    assert {published.layout for published in published_sets().values()} - {""} == {*LAYOUTS, *LINE_LAYOUTS}


Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Return what `dehusk sets` with some arguments exits with, prints and says."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dehusk", "sets", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return int(str(ended.value.code)), printed.out, printed.err

    return run


def test_commands_as_typed(typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, row, gold = EXAMPLES["wcxb"]
    measured = _measured(tmp_path / "measured", row, gold)
    _use_manifest(monkeypatch, measured)
    (tmp_path / "archives").mkdir()
    data = str(tmp_path / "data")
    code, _, said = typed("get", data, "wcxb-dev", "--archives", str(tmp_path / "archives"))
    assert code == 1
    assert "wcxb.zip does not exist" in said
    _zip(tmp_path / "archives/wcxb.zip", EXAMPLES["wcxb"][0])
    assert typed("get", data, "wcxb-dev", "--archives", str(tmp_path / "archives"))[:2] == (
        0,
        f"{data}/wcxb-dev: all 1298 pages, as measured\n",
    )
    assert typed("check", data)[:2] == (0, "wcxb-dev: all 1298 pages, as measured\n")
    (tmp_path / "data/wcxb-dev/html/p.html").write_bytes(TWO)
    assert typed("check", data)[:2] == (1, "wcxb-dev: other pages: p\n")


def test_a_set_that_was_never_measured_says_so(typed: Typed, tmp_path: Path) -> None:
    _lines(tmp_path / "WebMainBench_545.jsonl", MAIN_PAGES)
    data = str(tmp_path / "data")
    code, shown, _ = typed("get", data, "webmainbench-545", "--archives", str(tmp_path))
    assert code == 1  # pages are missing
    assert shown.startswith(f"{data}/webmainbench-545: 3 of 545 pages, not checked: we never had its pages")
    code, _, said = typed("check", data, "webmainbench-545")
    assert code == 2
    assert "webmainbench-545 cannot be checked: we never had its pages" in said
    code, _, said = typed("check", data)
    assert code == 2
    assert "holds none of the sets that can be checked" in said
    code, shown, _ = typed("list", "webmainbench-545")
    assert code == 0
    assert "not checked" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["get", "DATA", "l3s-gn1-a"], 2, "cannot be built: its gold texts"),
        (["get", "DATA", "wcxb"], 2, "Did you mean wcxb-dev?"),
        (["list", "cleaneval"], 2, "Did you mean cleaneval-"),
        (["get", "DATA"], 2, "Missing argument 'SET...'"),
        (["check", ".", "l3s-gn1-a"], 2, "cannot be built: its gold texts"),
        (["check", "."], 2, "holds none of the sets that can be checked"),
    ],
)
def test_mistakes_are_one_line(
    typed: Typed, arguments: list[str], code: int, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    got, _, said = typed(*arguments)
    assert got == code
    assert says in said


def test_the_list_names_licences_and_what_cannot_be_built(typed: Typed) -> None:
    code, shown, _ = typed("list")
    assert code == 0
    assert len(shown.splitlines()) == len(published_sets())
    assert "wcxb-dev                 1298  CC BY 4.0" in shown
    assert "  Apache-2.0 (repository; pages belong to their publishers); cannot be built: its gold texts" in shown
    code, shown, _ = typed("list", "recipes-a", "site-webkb")
    assert code == 0
    assert "known faults" in shown
    assert "recipe-scrapers.zip" in shown
    assert "cannot be built" in shown
