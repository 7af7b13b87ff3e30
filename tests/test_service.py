"""`dehusk serve`: the same bytes as everywhere else, a code for whatever is wrong, and a service that goes on."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("prometheus_client", reason="the extra serve is not installed")
pytest.importorskip("pydantic", reason="the extra serve is not installed")
pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("uvicorn", reason="the extra serve is not installed")

import uvicorn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

import dehusk
from command_line import dehusk as run
from dehusk.base.errors import Status
from dehusk.base.listening import listen, own_hosts
from dehusk.read import Limits
from dehusk.service import heads
from dehusk.service.http import Bounds, Service, make_app
from dehusk.service.load import Capacity
from dehusk.service.openapi import ERRORS, describe
from dehusk.service.operations import OPERATIONS, SentPage
from dehusk.service.requests import RecordsWanted, TocWanted, checked
from dehusk.service.workers import Workers
from dehusk.write import WRITERS, format_names

ROOT = Path(__file__).parents[1]
TEA = (ROOT / "examples" / "tea.html").read_bytes()
ROOM = sorted((ROOT / "examples" / "tea-room").glob("*.html"))
DEADLY = Path(__file__).with_name("deadly")
KILLER = "<div>" * 502 + "<table><td><font><table><td></table> <div></font>"
HTML = {"Content-Type": "text/html"}
JSON = {"Content-Type": "application/json"}
NDJSON = {"Content-Type": "application/x-ndjson"}
ADDRESS = "https://tea.example/"
BASE = "http://127.0.0.1:8420"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with Workers(workers=2, limits=Limits()) as workers:
        yield Service(workers, Capacity(2, 16), Bounds(1_000_000, 3_000_000, 5.0))


@pytest.fixture(scope="module")
def client(service: Service) -> Iterator[TestClient]:
    app = make_app(service, hosts=own_hosts(8420))
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:  # one loop for all threads
        yield client


@pytest.mark.parametrize("name", format_names())
def test_the_content_is_that_of_the_package(client: TestClient, name: str) -> None:
    answer = client.post(
        "/clean", params={"format": name, "address": "https://tea.example/"}, content=TEA, headers=HTML
    )
    assert answer.status_code == 200
    assert answer.content.decode() == dehusk.clean(TEA, url=ADDRESS).render(name)
    writer = next(each for each in WRITERS if each.name == name)
    assert answer.headers["content-type"].partition(";")[0] == writer.media_type
    assert answer.headers["dehusk-status"] == "ok"


@pytest.mark.parametrize("name", ["text", "markdown", "html", "tei"])
def test_the_content_is_that_of_the_command_line(client: TestClient, name: str) -> None:
    printed = run("clean", "-f", name, ROOT / "examples" / "tea.html").stdout
    assert client.post("/clean", params={"format": name}, content=TEA, headers=HTML).content == printed


def test_threads_of_requests_get_the_bytes_of_their_own_pages(client: TestClient) -> None:
    pages = [TEA, *(path.read_bytes() for path in ROOM)]
    styles = [("auto", 0.5), ("core", 0.5), ("whole", 0.9)]
    wanted = [(page, style, favour) for page in pages for style, favour in styles] * 2

    def ask(one: tuple[bytes, str, float]) -> bytes:
        return client.post("/clean", params={"style": one[1], "favour": one[2]}, content=one[0], headers=HTML).content

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(ask, wanted))
    for answer, (page, style, favour) in zip(answers, wanted, strict=True):
        assert answer.decode() == dehusk.clean(page, style=style, favour=favour).markdown


def test_json_says_the_same_as_parameters(client: TestClient) -> None:
    given = {"html": TEA.decode(), "style": "core", "format": "text", "address": "https://tea.example/"}
    whole = client.post("/clean", json=given)
    html = given.pop("html")
    assert whole.content == client.post("/clean", params=given, content=html.encode(), headers=HTML).content
    assert whole.content == client.post("/clean", params=given, json={"html": html}).content
    assert client.post("/clean", params={"style": "core"}, json={"html": html, "style": "core"}).json() == {
        "error": "style is given twice: in the address and in the body"
    }


def test_half_of_a_character_is_no_fault(client: TestClient) -> None:
    answer = client.post("/clean", content=rb'{"html": "<p>Green \ud800 tea", "format": "text"}', headers=JSON)
    assert (answer.status_code, answer.text) == (200, dehusk.clean("<p>Green \ud800 tea").text)
    answer = client.post("/locate", content=rb'{"html": "<p>Green tea", "quote": "\ud800"}', headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("quote: input should be a valid string")


def test_the_charset_of_the_request_is_that_of_the_page(client: TestClient) -> None:
    page = "<title>Чай</title><p>" + "Зелёный чай горчит, если вода слишком горячая. " * 5
    headers = {"Content-Type": "text/html; charset=koi8-r"}
    answer = client.post("/clean", params={"format": "text"}, content=page.encode("koi8-r"), headers=headers)
    assert answer.text == dehusk.clean(page).text


def test_operations_of_a_page(client: TestClient) -> None:
    document = dehusk.clean(TEA)
    chunks = client.post("/chunks", params={"max_words": 40, "overlap": 5}, content=TEA, headers=HTML).json()
    assert chunks["chunks"] == [
        json.loads(json.dumps(each.record())) for each in document.chunks(max_words=40, overlap=5)
    ]
    part = client.post("/within", params={"max_tokens": 80, "query": "cold water"}, content=TEA, headers=HTML).json()
    excerpt = document.within(max_tokens=80, query="cold water")
    assert (part["markdown"], part["size"], part["left_out"]) == (excerpt.markdown, excerpt.size, excerpt.describe())
    found = client.post("/locate", json={"html": TEA.decode(), "quote": "the water was too hot"}).json()
    assert found["places"] == [
        json.loads(json.dumps(each.record())) for each in document.locate("the water was too hot")
    ]
    assert len(found["places"]) == 1
    assert (
        client.post("/locate", params={"quote": "no such words here"}, content=TEA, headers=HTML).json()["places"] == []
    )


def test_operations_of_a_site(client: TestClient) -> None:
    pages = [{"html": path.read_text("utf-8"), "address": f"https://tea.example/{path.name}"} for path in ROOM]
    table = client.post("/records", json={"pages": pages}).json()
    wrapper = dehusk.Wrapper().fit([path.read_text("utf-8") for path in ROOM])
    assert [row["title"] for row in table["rows"]] == [wrapper.extract(p["html"])[0].values["title"] for p in pages]
    assert (table["status"], len(table["rows"])) == ("ok", len(ROOM))
    contents = client.post("/toc", json={"pages": pages}).json()
    assert [page["url"] for page in contents["pages"]] == [page["address"] for page in pages]
    assert {page["learned"] for page in contents["pages"]} == {len(ROOM)}


def test_of_several_pages_one_that_cannot_be_read_is_named() -> None:
    pages = [SentPage(b"%PDF-1.4"), *(SentPage(path.read_bytes()) for path in ROOM)]
    given = {"pages": [{"html": ""}]}
    table = OPERATIONS["records"].run(checked(RecordsWanted, given), pages, Limits())
    assert (table.status, table.message) == ("ok", "page 1: not-html: a PDF document")
    assert [row["page"] for row in table.rows] == [str(number) for number in range(2, len(pages) + 1)]
    contents = OPERATIONS["toc"].run(checked(TocWanted, given), pages, Limits())
    assert [page["status"] for page in contents.pages] == ["not-html", *["ok"] * len(ROOM)]
    alone = OPERATIONS["records"].run(checked(RecordsWanted, given), pages[:1], Limits())
    assert (alone.status, alone.rows) == ("error", [])
    lost = SentPage("", problem=(Status.ERROR, "no response within 30 s"))
    alone = OPERATIONS["toc"].run(checked(TocWanted, given), [lost], Limits())
    assert (alone.status, alone.message) == ("error", "page 1: error: no response within 30 s")


def test_a_page_that_is_none_has_its_status(client: TestClient) -> None:
    answer = client.post("/clean", content=b"%PDF-1.4 ...", headers=HTML)
    assert (answer.status_code, answer.content, answer.headers["dehusk-status"]) == (200, b"", "not-html")
    assert "PDF" in answer.headers["dehusk-message"]
    assert client.post("/clean", content=b"", headers=HTML).headers["dehusk-status"] == "no-content"


@pytest.mark.parametrize(
    ("path", "sent", "code", "line"),
    [
        ("/clean?stile=core", {"content": TEA, "headers": HTML}, 400, "unknown parameter 'stile'. Did you mean"),
        ("/clean?style=artical", {"content": TEA, "headers": HTML}, 400, "unknown style 'artical'. Did you mean a"),
        ("/clean?format=marxdown", {"content": TEA, "headers": HTML}, 400, "unknown format 'marxdown'. Did you mean"),
        ("/clean?favour=2", {"content": TEA, "headers": HTML}, 400, "favour: input should be less than or equal to 1"),
        ("/clean?favour=x", {"content": TEA, "headers": HTML}, 400, "favour: input should be a valid number"),
        ("/clean?style=core&style=auto", {"content": TEA, "headers": HTML}, 400, "style is given twice"),
        ("/clean?format=text&links=drop", {"content": TEA, "headers": HTML}, 400, "format text has no option links"),
        ("/clean?html=tea", {"content": TEA, "headers": HTML}, 400, "html is too long for an address"),
        ("/clean", {"content": b"{", "headers": JSON}, 400, "not JSON"),
        ("/clean", {"json": [1]}, 400, "not a JSON object"),
        ("/clean", {"json": {}}, 400, "no page: send its html, or its address"),
        ("/clean", {"json": {"html": "https://tea.example/"}}, 400, "html is an address, not a page"),
        ("/clean", {"json": {"address": "https://tea.example/"}}, 400, "this service fetches no addresses"),
        ("/chunks?max_words=0", {"content": TEA, "headers": HTML}, 400, "max_words: input should be greater than"),
        ("/chunks?overlap=200", {"content": TEA, "headers": HTML}, 400, "overlap must be at most half"),
        ("/within?max_words=9&max_tokens=9", {"content": TEA, "headers": HTML}, 400, "cannot be used together"),
        ("/locate", {"content": TEA, "headers": HTML}, 400, "quote is missing"),
        ("/records", {"json": {"pages": []}}, 400, "pages: list should have at least 1 item"),
        ("/records", {"json": {"pages": [{"html": "<p>tea"}]}}, 400, "one page does not show what varies"),
        ("/records", {"content": TEA, "headers": HTML}, 415, "records is about several pages"),
        ("/clean", {"content": TEA, "headers": {"Content-Type": "image/png"}}, 415, "image/png is no page"),
        ("/clean", {"content": TEA, "headers": HTML | {"Content-Encoding": "gzip"}}, 415, "without Content-Encoding"),
        ("/clean", {"content": b"x" * 1_000_001, "headers": HTML}, 413, "more than 1,000,000 bytes"),
        ("/batch", {"content": b"{}", "headers": HTML}, 415, "a batch is lines of JSON"),
        ("/batch?links=drop&format=text", {"content": b"{}", "headers": NDJSON}, 400, "format text has no option"),
        ("/batch?address=x", {"content": b"{}", "headers": NDJSON}, 400, "address is of a page"),
        ("/batch", {"content": b"x" * 3_000_001, "headers": NDJSON}, 413, "more than 3,000,000 bytes"),
        ("/claen", {"content": TEA, "headers": HTML}, 404, "there is no /claen"),
        ("/health", {"content": TEA, "headers": HTML}, 405, "/health takes"),
        ("/clean", {"content": TEA, "headers": HTML | {"Host": "evil.example"}}, 421, "this host is not the service's"),
        ("/clean", {"content": TEA, "headers": HTML | {"Origin": "http://evil.example"}}, 403, "pages of other sites"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_line(
    client: TestClient, path: str, sent: dict[str, Any], code: int, line: str
) -> None:
    answer = client.post(path, **sent)
    assert answer.status_code == code
    assert list(answer.json()) == ["error"]
    assert line in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_body_without_a_length_is_bounded(client: TestClient) -> None:
    answer = client.post("/clean", content=(b"x" * 100_000 for _ in range(20)), headers=HTML)
    assert answer.status_code == 413


def test_a_bad_line_of_a_batch_costs_only_itself(client: TestClient, service: Service) -> None:
    lines = [{"id": number, "html": f"<title>{number}</title><p>Tea number {number} is good."} for number in range(50)]
    texts = [json.dumps(line) for line in lines]
    texts[3], texts[5] = "not json", json.dumps({"id": "five", "htm": "x"})
    texts[7] = json.dumps({"id": 7, "address": "https://tea.example/"})
    texts.insert(20, "")
    answer = client.post("/batch", params={"format": "text"}, content="\n".join(texts), headers=NDJSON)
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert [row["id"] for row in rows] == [*range(3), None, 4, "five", 6, 7, *range(8, 50)]
    bad = {3: "line 4: not JSON", 5: "line 6: unknown parameter 'htm'", 7: "line 8: html is missing"}
    for number, row in enumerate(rows):
        if number in bad:
            assert row["status"] == "error"
            assert row["message"].startswith(bad[number])
        else:
            assert (row["status"], row["text"]) == ("ok", f"Tea number {number} is good.\n")
    assert service.capacity.running == service.capacity.admitted == 0


def test_a_batch_of_json_has_the_records_of_the_package(client: TestClient) -> None:
    lines = [json.dumps({"id": path.name, "html": path.read_text("utf-8")}) for path in ROOM]
    answer = client.post("/batch", params={"format": "json"}, content="\n".join(lines), headers=NDJSON)
    for row, path in zip(map(json.loads, answer.text.splitlines()), ROOM, strict=True):
        assert row["text"] == json.loads(dehusk.clean(path.read_text("utf-8")).render("json"))


def test_health_metrics_and_usage(client: TestClient) -> None:
    client.post("/clean", content=TEA, headers=HTML)
    health = client.get("/health").json()
    assert (health["status"], health["workers"], health["version"]) == ("ok", 2, dehusk.__version__)
    metrics = client.get("/metrics").text
    assert 'dehusk_requests_total{code="200",path="/clean"}' in metrics
    assert 'dehusk_pages_total{status="ok"}' in metrics
    assert "dehusk_workers 2.0" in metrics
    client.get("/made-up/path")
    assert 'path="other"' in client.get("/metrics").text
    assert "made-up" not in client.get("/metrics").text
    assert "POST /clean" in client.get("/").text


def test_an_overloaded_service_says_when_to_try_again() -> None:
    capacity = Capacity(1, 1)
    with Workers(workers=1, limits=Limits()) as workers:
        app = make_app(Service(workers, capacity, Bounds(1_000_000, 1_000_000, 5.0)), hosts=own_hosts(8420))
        client = TestClient(app, base_url=BASE)
        capacity.admitted = 2  # as if one ran and one waited
        answer = client.post("/clean", content=TEA, headers=HTML)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert "try again in 1 s" in answer.json()["error"]
        assert client.post("/batch", content=b"{}", headers=NDJSON).status_code == 503
        assert client.get("/health").status_code == 200
        capacity.admitted = 1
        assert client.post("/clean", content=TEA, headers=HTML).status_code == 200


def test_a_page_that_takes_too_long_has_the_status_limit() -> None:
    with Workers(workers=1, limits=Limits(seconds=1e-6)) as workers:
        app = make_app(Service(workers, Capacity(1, 1), Bounds(1_000_000, 1_000_000, 5.0)), hosts=own_hosts(8420))
        answer = TestClient(app, base_url=BASE).post("/clean", content=TEA, headers=HTML)
    assert (answer.status_code, answer.headers["dehusk-status"]) == (200, "limit")


# ---------------------------------------------------------------- the description


DESCRIPTION = json.loads(json.dumps(describe()))
PATHS = [path for path, methods in DESCRIPTION["paths"].items() if "post" in methods and path != "/batch"]


def test_the_description_is_served(client: TestClient) -> None:
    assert client.get("/openapi.json").json() == DESCRIPTION
    assert DESCRIPTION["openapi"] == "3.1.0"
    for schema in DESCRIPTION["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def schema_of(content: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**content["schema"], "components": DESCRIPTION["components"]})


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 400), st.floats(-1, 2), st.text(max_size=8),
    st.sampled_from(["auto", "core", "json", "markdown", "tei", "drop", "keep", "never", "<p>Green tea", "tea"]),
    st.lists(st.fixed_dictionaries({"html": st.sampled_from(["<p>Green tea", "<h1>Tea</h1><p>Iced", ""])}), max_size=3),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=150, deadline=None)
@given(data=st.data())
def test_answers_are_as_described(client: TestClient, data: st.DataObject) -> None:
    """A request that the description allows is carried out, or refused for a reason that a schema cannot say."""
    path = data.draw(st.sampled_from(PATHS))
    described = DESCRIPTION["paths"][path]["post"]
    whole = described["requestBody"]["content"]["application/json"]
    names = DESCRIPTION["components"]["schemas"][whole["schema"]["$ref"].rpartition("/")[2]]["properties"]
    body = data.draw(st.dictionaries(st.sampled_from([*names, "made up"]), VALUES, max_size=4))
    if data.draw(st.booleans()):
        body |= (
            {"pages": [{"html": "<p>Green"}, {"html": "<p>Black"}]} if "pages" in names else {"html": "<p>Green tea"}
        )
    answer = client.post(path, json=body)
    code = str(answer.status_code)
    assert code in ("200", "400"), (body, answer.text)
    media_type = answer.headers["content-type"].partition(";")[0]
    content = described["responses"][code]["content"][media_type]
    if media_type == "application/json":
        schema_of(content).validate(answer.json())
    if code == "200":
        schema_of(whole).validate(body)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60, deadline=None)
@given(data=st.data())
def test_parameters_are_as_described(client: TestClient, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([path for path in PATHS if "parameters" in DESCRIPTION["paths"][path]["post"]]))
    described = {one["name"]: one["schema"] for one in DESCRIPTION["paths"][path]["post"]["parameters"]}
    texts = st.sampled_from(
        ["true", "false", "1", "0", "7", "0.5", "1e-1", "-3", "x", "", "core", "auto", "json", "never"]
    )
    query = data.draw(st.dictionaries(st.sampled_from([*described, "made up"]), texts, max_size=3))
    answer = client.post(path, params=query, content=b"<title>Tea</title><p>Green tea", headers=HTML)
    assert answer.status_code in (200, 400), answer.text
    if answer.status_code == 200:
        for name, text in query.items():
            kind = described[name]["type"]
            value = text if kind == "string" else json.loads(text)
            Draft202012Validator(described[name]).validate(value)


def test_every_code_is_described() -> None:
    codes = set(DESCRIPTION["paths"]["/clean"]["post"]["responses"])
    assert codes == {"200", *map(str, ERRORS)}


@pytest.fixture
def prompt(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server that waits half a second for the head of a request."""
    monkeypatch.setattr(heads, "HEAD_SECONDS", 0.5)

    async def app(_: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    server = uvicorn.Server(uvicorn.Config(app, http=heads.PromptProtocol, lifespan="off", log_level="warning"))
    with listen(0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def received(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize(
    ("sent", "answer"),
    [(b"", b""), (b"POST /clean HT", b"HTTP/1.1 408 "), (b"GET / HTTP/1.1\r\nHost: a", b"HTTP/1.1 408 ")],
)
def test_a_request_without_the_rest_of_its_head_holds_no_connection(prompt: int, sent: bytes, answer: bytes) -> None:
    with socket.create_connection(("127.0.0.1", prompt), timeout=20) as slow:
        slow.sendall(sent)
        assert received(slow).startswith(answer)


def test_a_slow_body_and_a_second_request_are_not_cut_by_the_limit_of_heads(prompt: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
    with socket.create_connection(("127.0.0.1", prompt), timeout=20) as slow:
        slow.sendall(head + b"\r\nte")
        time.sleep(0.8)
        slow.sendall(b"a!")
        assert slow.recv(20).startswith(b"HTTP/1.1 200")
        time.sleep(0.8)
        slow.sendall(head + b"Connection: close\r\n\r\ntea!")
        assert b"HTTP/1.1 200" in received(slow)


# ---------------------------------------------------------------- as it is typed


class Started:
    """`dehusk serve` in a process of its own."""

    def __init__(self, *arguments: str, path: Path | None = None) -> None:
        environment = dict(os.environ)
        if path:
            environment["PYTHONPATH"] = os.pathsep.join([str(path), environment.get("PYTHONPATH", "")])
        command = [sys.executable, "-m", "dehusk", "serve", "--port", "0", *arguments]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=ROOT
        )
        assert self.process.stderr
        line = self.process.stderr.readline().decode()
        assert line.startswith("dehusk: service: http://127.0.0.1:"), line
        self.port = int(line.split(":")[4].partition("/")[0])

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def __enter__(self) -> "Started":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def test_a_service_works_is_overloaded_and_ends_in_order() -> None:
    with Started("--workers", "1", "--queue", "2", "--body-timeout", "0.7") as started:
        code, _, body = started.ask("GET", "/health")
        assert (code, json.loads(body)["status"]) == (200, "ok")
        code, headers, body = started.ask("POST", "/clean", TEA, HTML)
        assert (code, headers["dehusk-status"]) == (200, "ok")
        assert body.decode() == dehusk.clean(TEA).markdown
        large = b"<title>Tea</title>" + b"<p>Green tea turns bitter, says Ann, if the water is hot.</p>" * 5_000

        def ask(_: int) -> tuple[int, bytes]:
            answer = started.ask("POST", "/clean", large, HTML)
            return answer[0], answer[2]

        with ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(ask, range(32)))
        codes = Counter(code for code, _ in answers)
        assert set(codes) == {200, 503}
        assert len({body for code, body in answers if code == 200}) == 1

        with socket.create_connection(("127.0.0.1", started.port), timeout=30) as slow:
            head = f"POST /clean HTTP/1.1\r\nHost: 127.0.0.1:{started.port}\r\nContent-Type: text/html\r\n"
            slow.sendall(f"{head}Content-Length: 900\r\n\r\n<p>Green".encode())
            assert slow.recv(20).startswith(b"HTTP/1.1 408")

        batch = b"\n".join([json.dumps({"html": large.decode()}).encode()] * 40)
        with socket.create_connection(("127.0.0.1", started.port), timeout=30) as leaving:
            head = f"POST /batch HTTP/1.1\r\nHost: 127.0.0.1:{started.port}\r\nContent-Type: application/x-ndjson\r\n"
            leaving.sendall(f"{head}Content-Length: {len(batch)}\r\n\r\n".encode() + batch)
            assert leaving.recv(20).startswith(b"HTTP/1.1 200")
            assert json.loads(started.ask("GET", "/health")[2])["admitted"] == 1
        end = time.monotonic() + 30
        while json.loads(started.ask("GET", "/health")[2])["running"] and time.monotonic() < end:
            time.sleep(0.1)
        assert b"dehusk_admitted 0.0" in started.ask("GET", "/metrics")[2]

        with ThreadPoolExecutor(2) as threads:
            waiting = [threads.submit(ask, number) for number in range(2)]
            time.sleep(0.2)
            started.process.send_signal(signal.SIGTERM)
            assert [each.result()[0] for each in waiting] == [200, 200]
        _, errors = started.process.communicate(timeout=30)
        assert started.process.returncode == 143
        assert errors.strip() == b""
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", started.port))


@pytest.mark.skipif(sys.platform != "linux", reason="the known page ends a process elsewhere in another way")
def test_a_page_that_ends_its_process_costs_only_itself() -> None:
    with Started("--workers", "2", path=DEADLY) as started:
        code, headers, body = started.ask("POST", "/clean", KILLER.encode(), HTML)
        assert (code, body) == (200, b"")
        assert headers["dehusk-status"] == "error"
        assert headers["dehusk-message"] == "its process died (signal 11)"
        pages = ["<p>Green tea is good."] * 6
        pages[2] = pages[4] = KILLER
        lines = "\n".join(json.dumps({"id": number, "html": page}) for number, page in enumerate(pages))
        code, _, body = started.ask("POST", "/batch?format=text", lines.encode(), NDJSON)
        rows = [json.loads(line) for line in body.splitlines()]
        assert [row["status"] for row in rows] == ["ok", "ok", "error", "ok", "error", "ok"]
        assert rows[2]["message"] == "its process died (signal 11)"
        both = json.dumps({"pages": [{"html": "<p>Green"}, {"html": KILLER}]}).encode()
        code, _, body = started.ask("POST", "/records", both, JSON)
        assert (code, json.loads(body)["status"]) == (200, "error")
        assert started.ask("POST", "/clean", TEA, HTML)[2].decode() == dehusk.clean(TEA).markdown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--port", "99999"], "99999 is not in the range"),
        (["--workers", "0"], "0 is not in the range"),
        (["--host", "192.0.2.1"], "port 8420 of 192.0.2.1: "),
        (["--host", ""], "the address to listen on is empty: 0.0.0.0 stands for all of this machine"),
        (["--colour", "red"], "No such option"),
    ],
)
def test_bad_arguments_give_one_line(arguments: list[str], message: str) -> None:
    done = run("serve", *arguments, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.decode().splitlines()
    assert message in line


@pytest.mark.parametrize(("command", "module"), [("serve", "prometheus_client"), ("serve", "uvicorn"), ("mcp", "mcp")])
def test_a_missing_library_names_what_to_install(command: str, module: str) -> None:
    code = f"import runpy, sys; sys.modules[{module!r}] = None; sys.argv = ['dehusk', {command!r}]; "
    code += "runpy.run_module('dehusk', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line == f"dehusk: dehusk {command} needs {module}, which is not installed: pip install 'dehusk[{command}]'"
