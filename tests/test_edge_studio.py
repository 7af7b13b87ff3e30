"""The studio, the service and the adapters where they went wrong once: what users found by running them."""

import asyncio
import gzip
import http.client
import json
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unicodedata import normalize

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")
pytest.importorskip("jinja2", reason="the extra studio is not installed")
pytest.importorskip("prometheus_client", reason="the extra serve is not installed")
pytest.importorskip("pydantic", reason="the extra serve is not installed")

import numpy as np
import uvicorn
from starlette.testclient import TestClient

from dehusk.base.errors import ConfigError, InputError
from dehusk.base.listening import listen, own_hosts
from dehusk.cli import main
from dehusk.integrations.retrieval import PageTexts
from dehusk.read import Limits
from dehusk.service import heads
from dehusk.service.http import Bounds, Service, ServicePlan, make_app
from dehusk.service.load import Capacity
from dehusk.service.workers import Workers
from dehusk.studio.adding import Adding
from dehusk.studio.bodies import read_body
from dehusk.studio.exporting import annotation_of
from dehusk.studio.importing import LabelFile, files_beside, import_labels
from dehusk.studio.labelling import Change, apply_changes, labels_of
from dehusk.studio.list_export import ListFile, export_list
from dehusk.studio.page_rows import PageFilter, PageList
from dehusk.studio.project import Project, explained
from dehusk.studio.receiving import receive_file, receive_text
from dehusk.studio.sources import find_sources
from studio_server import SECRET, Served, served

TEXT = "Steep sencha at seventy degrees, and gyokuro at less, for a minute or two, says Ann. "
PAGE = f"<title>Tea</title><h1>Green tea</h1><p>{TEXT * 3}</p><p>{TEXT * 2}</p>"


def run_command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["dehusk", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path / "project")
    yield project
    project.close()


def add(project: Project, *files: Path) -> None:
    Adding(project, find_sources([*map(str, files)]), workers=1).run()


# ---------------------------------------------------------------- searches


@pytest.mark.parametrize(
    ("text", "search", "finds"),
    [
        ("Green_tea", "Green_tea", True),
        ("green tea", "_", True),
        (normalize("NFD", "Käse"), "Käse", True),
        ("Käse", normalize("NFD", "Käs"), True),
        (normalize("NFD", "한국"), "한국", True),
        ("हिन्दी", "हिन्दी", True),
        ("हिन्दी", "हिन", True),
        ("ह न द", "हिन्दी", False),
        ("שָׁלוֹם", "שלום", True),
        ("ชาเขียว", "เขียว", True),
        ("tea ❤\ufe0f you", "you", True),
    ],
)
def test_a_search_takes_words_as_readers_do(project: Project, text: str, search: str, finds: bool) -> None:
    receive_text(project, PAGE.replace("Ann", text))
    assert len(PageList(project, PageFilter(search)).ids()) == finds


def test_errors_of_the_database_are_one_line_and_true(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "the disk is full" not in explained(sqlite3.OperationalError("phrase queries (detail!=full)"))
    assert "the disk is full" in explained(sqlite3.OperationalError("database or disk is full"))
    project.reading.execute("DROP TABLE word")
    words = ["--project", str(project.folder), "--list", "search=tea", "--export", "out.jsonl"]
    assert run_command(monkeypatch, "studio", *words) == 2
    assert capsys.readouterr().err.startswith("dehusk: the project's database: it is damaged")


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["pages.jsonl", "folder", "folder/out.jsonl"])
def test_an_export_never_replaces_pages(project: Project, tmp_path: Path, name: str) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": PAGE}))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "tea.html").write_text(PAGE)
    add(project, tmp_path / "pages.jsonl", tmp_path / "folder")
    with pytest.raises(InputError, match="choose another file"):
        export_list(project, [1], ListFile(".jsonl"), tmp_path / name)
    export_list(project, [1], ListFile(".jsonl"), project.folder / "out.jsonl")


def gold_of(project: Project, folders: dict[str, str], text: str) -> tuple[list[str], list[str]]:
    """Return the folders of the pages that a gold text labels, and what is told."""
    root = project.folder.parent / "pages"
    for folder, page in folders.items():
        (root / folder).mkdir(parents=True)
        (root / folder / "index.html").write_text(page)
    (root / text).parent.mkdir(exist_ok=True, parents=True)
    (root / text).write_text(f"<h>Green tea\n<p>{TEXT * 3}\n<p>{TEXT * 2}")
    add(project, root)
    report = import_labels(project, "Ann", files_beside(project))
    labelled = project.reading.execute("SELECT name FROM page WHERE labelled > 0 ORDER BY name")
    return [Path(name).parent.name for (name,) in labelled], report.messages


@pytest.mark.parametrize(
    ("text", "labelled"),
    [("a/index.txt", ["a"]), ("a/gold/index.txt", ["a"]), ("gold/b/index.txt", ["b"]), ("gold/index.txt", [])],
)
def test_gold_is_of_the_page_beside_it(project: Project, text: str, labelled: list[str]) -> None:
    found, messages = gold_of(project, {"a": PAGE, "b": PAGE.replace("Ann", "Bob")}, text)
    assert found == labelled
    assert messages == ([] if labelled else ["index.txt: pages in several folders have its name"])


def test_an_annotation_of_a_page_with_headers_is_read_back(project: Project, tmp_path: Path) -> None:
    html = PAGE.replace("Ann", "Zoë for 4 €").encode("iso-8859-15")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-15\r\n\r\n"
    (tmp_path / "tea.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://tea.example/\r\n"
        b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(head + html) + head + html + b"\r\n\r\n"
    )
    add(project, tmp_path / "tea.warc")
    body = read_body(project, 1)
    size = len(body.blocks())
    apply_changes(project, "Ann", [Change(1, size, [0, 1], 2)], {1: body.data})
    data, annotation = annotation_of(project, 1, "Ann")
    assert data != body.data
    report = import_labels(project, "Ann", [LabelFile("1.html.anno.json", annotation.json().replace('"Ann"', '"Ben"'))])
    assert (report.messages, report.labels) == ([], 2)
    assert labels_of(project, 1, "Ben", size).tolist() == labels_of(project, 1, "Ann", size).tolist()


@pytest.mark.parametrize("name", ["新闻报道" * 14 + "标题.html", "A very long title of an article " * 8 + ".warc.HTML"])
def test_a_page_may_have_a_long_name(project: Project, name: str) -> None:
    assert receive_file(project, name, PAGE.encode()).page == 1


# ---------------------------------------------------------------- requests


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("studio")
    (folder / "tea.html").write_text(PAGE)
    with served(folder / "project", [str(folder / "tea.html")]) as running:
        yield running


def ask(studio: Served, method: str, path: str, **values: object) -> tuple[int, Any]:
    cookie = f'dehusk_studio_{studio.port}="{SECRET}"'
    headers = {"Cookie": cookie, "Origin": studio.address, "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", studio.port, timeout=20)) as connection:
        connection.request(method, path, json.dumps(values), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_invalid_rules_do_not_hinder_who_labels_and_are_named(studio: Served) -> None:
    rules = studio.studio.project.rules
    rules.write_text("[broken")
    try:
        assert ask(studio, "POST", "/api/page/1/labels", blocks=[1], label=2)[0] == 200
        code, state = ask(studio, "PUT", "/api/page/1/note", flag="broken")
        assert (code, state["flag"], state["codes"][1]) == (200, "broken", 2)
        for expected in ("", ""):
            code, state = ask(studio, "POST", "/api/page/1/labels/undo")
            assert (code, state["flag"]) == (200, expected)
        assert state["codes"][1] == -1
        code, answer = ask(studio, "GET", "/api/page/1/outcome")
        assert code == 400
        assert answer["error"].startswith("rules rules.toml: ")
    finally:
        rules.unlink()


@pytest.mark.parametrize("path", ["reason/99", "alike?blocks=99"])
def test_blocks_that_a_page_lacks_are_told(studio: Served, path: str) -> None:
    code, answer = ask(studio, "GET", f"/api/page/1/{path}")
    assert (code, answer["error"]) == (404, "the page has 3 blocks, numbered from 0: there is no block 99")


@pytest.mark.parametrize("values", [{"page": 1, "wanted": [True]}, {"page": True, "wanted": [1]}])
def test_true_is_no_number(studio: Served, values: dict[str, object]) -> None:
    assert ask(studio, "POST", "/api/rules/propose", **values)[0] == 400


# ---------------------------------------------------------------- the service


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with Workers(workers=1, limits=Limits()) as workers:
        service = Service(workers, Capacity(1, 4), Bounds(1_000_000, 1_000_000, 5.0))
        with TestClient(make_app(service, hosts=own_hosts(80, ["testserver"]))) as client:
            yield client


@pytest.mark.parametrize("pages", [[PAGE, PAGE], ["", "<p>"], ["<p>tea", "<ul><li>coffee"]])
def test_pages_without_records_are_no_failed_request(client: TestClient, pages: list[str]) -> None:
    answer = client.post("/records", json={"pages": [{"html": page} for page in pages]})
    assert (answer.status_code, answer.json()["status"], answer.json()["rows"]) == (200, "no-content", [])
    assert not {"--", "="} & {*re.findall("--|=", answer.json()["message"])}


def test_errors_name_no_options_of_the_command_line(client: TestClient) -> None:
    pages = [{"html": PAGE, "address": f"https://{name}.example/"} for name in "ab"]
    for sent in (pages, pages[:1]):
        answer = client.post("/records", json={"pages": sent})
        assert answer.status_code == 400
        assert "(option " in answer.json()["error"]
        assert "--" not in answer.json()["error"]


def test_a_packed_batch_is_refused(client: TestClient) -> None:
    headers = {"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"}
    answer = client.post("/batch", content=gzip.compress(b'{"html": "<p>tea"}'), headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (415, "send the body without Content-Encoding")


def test_whole_numbers_may_have_a_point_and_ids_are_no_truth_values(client: TestClient) -> None:
    assert client.post("/chunks", json={"html": PAGE, "max_words": 10.0, "overlap": 2.0}).status_code == 200
    assert client.post("/chunks", json={"html": PAGE, "max_words": 10.5}).status_code == 400
    answer = client.post(
        "/batch", content=b'{"id": true, "html": ""}', headers={"Content-Type": "application/x-ndjson"}
    )
    assert answer.json()["message"] == "line 1: id: must be a text or a whole number"


def test_a_slow_head_is_answered_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.1)

    async def answer() -> bytes:
        loop = asyncio.get_running_loop()
        config = uvicorn.Config(lambda *_: None, http=heads.PromptProtocol, lifespan="off", log_config=None)
        config.load()
        state = uvicorn.server.ServerState()
        made = await loop.create_server(lambda: config.http_protocol_class(config, state, {}), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*made.sockets[0].getsockname())
        writer.write(b"POST /clean HT")
        found = await reader.read()
        writer.close()
        made.close()
        return found

    head, _, body = asyncio.run(answer()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body) == {"error": "the head of the request was not complete after 0.1 s"}


@pytest.mark.parametrize("name", ["", "http://tea.example/", "tea example", "tea.example/", "tea.example:x"])
def test_a_name_of_the_service_is_a_host(name: str) -> None:
    for right in ("tea.example", "tea.example:8080", "::1", "[::1]:80"):
        ServicePlan(names=(right,))
    with pytest.raises(ConfigError, match="is no name of a host"):
        ServicePlan(names=(name,))


def test_a_port_in_use_is_told_with_the_option_of_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    monkeypatch.setattr(Workers, "start", lambda _: None)
    with listen(0) as taken:
        assert run_command(monkeypatch, "mcp", "--http", str(taken.getsockname()[1])) == 2
    assert "with --http 0, a free one is taken" in capsys.readouterr().err


def test_half_a_character_is_answered_over_streams() -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    about = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    page = {"name": "clean", "arguments": {"html": "<p>Half \ud800 \U0001f375 \\ud800 tea", "format": "text"}}
    sent = [
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": page},
    ]
    lines = [json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in sent]
    with subprocess.Popen(
        [sys.executable, "-m", "dehusk", "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        timer = threading.Timer(60, process.kill)  # else an answer that never comes would be waited for
        timer.start()
        process.stdin.write("".join(lines))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline() or "{}") for _ in range(2)]
        process.stdin.close()
        timer.cancel()
    assert answers[1]["result"]["content"][0]["text"].strip() == "Half \ufffd \U0001f375 \\ud800 tea"


# ---------------------------------------------------------------- adapters


@pytest.mark.parametrize("pages", [{"html": [PAGE]}, np.array([[PAGE]], dtype=object)])
def test_a_table_is_no_list_of_pages(pages: Any) -> None:
    cleaner = pytest.importorskip("dehusk.integrations.sklearn").HtmlCleaner
    with pytest.raises(TypeError, match="name the column, as in frame"):
        cleaner().fit([]).transform(pages)


def test_pages_of_a_generator_are_learned_from_and_cleaned() -> None:
    cleaner = pytest.importorskip("dehusk.integrations.sklearn").HtmlCleaner
    pages = [PAGE, PAGE.replace("Ann", "Bob")]
    assert cleaner("site", site="fit").fit_transform(iter(pages)).shape == (2,)


@pytest.mark.parametrize("source", [Path("tea.html"), 7, 0])
def test_a_source_may_be_a_path_or_a_number(source: object) -> None:
    for texts in (PageTexts(), PageTexts(whole=True)):
        assert [text.metadata["source"] for text in texts.of_page(PAGE, source=source)] == [str(source)]
    assert PageTexts().of_page("", source=source)


def test_equal_pages_have_ids_of_their_own() -> None:
    ids = [next(PageTexts().of_page(PAGE, source=name)).id for name in ("a.html", "b.html", "a.html")]
    assert ids[0] == ids[2] != ids[1]
    with_address = [next(PageTexts().of_page(PAGE, url="https://a.example/", source=name)).id for name in "ab"]
    assert with_address[0] == with_address[1]


def test_options_are_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="unknown hidden"):
        PageTexts(clean_options={"hidden": "maybe"})  # type: ignore[typeddict-item]
    parser = pytest.importorskip("dehusk.integrations.llama_index").DehuskNodeParser
    with pytest.raises(ConfigError, match="max_words"):
        parser(max_words=0)


def test_models_see_only_metadata_that_mean_something() -> None:
    parser = pytest.importorskip("dehusk.integrations.llama_index").DehuskNodeParser
    from llama_index.core.schema import Document, MetadataMode

    given = Document(
        text=PAGE,
        metadata={"file_path": "/home/ann/tea.html", "author": "Ann"},
        excluded_embed_metadata_keys=["author"],
    )
    [node] = parser().get_nodes_from_documents([given])
    assert "Ann" in node.get_metadata_str(MetadataMode.LLM)
    assert "Ann" not in node.get_metadata_str(MetadataMode.EMBED)
    assert "/home" not in node.get_metadata_str(MetadataMode.LLM) + node.get_metadata_str(MetadataMode.EMBED)


def test_scrapy_keeps_the_text_in_the_field_of_the_page_and_names_unknown_options() -> None:
    pipeline = pytest.importorskip("dehusk.integrations.scrapy").CleanPipeline
    from scrapy.exceptions import NotConfigured
    from scrapy.settings import Settings

    item = pipeline(Settings({"DEHUSK_KEEP_HTML": False, "DEHUSK_TEXT_FIELD": "html"})).process_item({"html": PAGE})
    assert item["html"].startswith("Green tea")
    with pytest.raises(NotConfigured, match="unknown option in DEHUSK_WRITING 'lnks'"):
        pipeline(Settings({"DEHUSK_WRITING": {"lnks": "drop"}}))


def test_spark_refuses_a_column_of_numbers() -> None:
    frames = pytest.importorskip("dehusk.many.spark.frames")
    from pyspark.sql.types import IntegerType

    table = SimpleNamespace(columns=["html"], schema={"html": SimpleNamespace(dataType=IntegerType())})
    with pytest.raises(InputError, match="column 'html' is of integer: pages are text or bytes"):
        frames.clean_pages(table)
