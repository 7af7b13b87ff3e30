"""Who may ask the studio: hosts, origins, the secret, methods, bodies, paths; and the headers of its answers."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from studio_server import SECRET, TICKET, Served, routes, served

PAGE = "<title>Tea</title><h1>Green tea</h1>" + "<p>Good leaves give three cups, says Ann, and a fourth one. " * 9
JSON = {"Content-Type": "application/json"}
VIEWS = ["/", "/page/1", "/rules", "/rules?page=1", "/agreement", "/train", "/sites"]


@dataclass
class Answer:
    """What the server sent."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        return str(json.loads(self.body)["error"])


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("requests")
    (folder / "pages").mkdir()
    for name in ("tea", "coffee"):
        (folder / "pages" / f"{name}.html").write_text(PAGE.replace("tea", name), "utf-8")
    with served(folder / "project", [str(folder / "pages")]) as running:
        yield running


def send(studio: Served, raw: bytes) -> Answer:
    """Send bytes as they are, and read the answer to the end."""
    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
        connection.sendall(raw)
        received = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return Answer(int(first.split()[1]), headers, body)


def ask(studio: Served, target: str, method: str = "GET", body: bytes = b"", **changes: str | None) -> Answer:
    """Ask as the studio's own pages do, apart from changes of headers (with _ for -); None leaves one out."""
    own = {
        "host": f"127.0.0.1:{studio.port}",
        "cookie": f'dehusk_studio_{studio.port}="{SECRET}"',
        "origin": studio.address,
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
    }
    headers = own | {name.replace("_", "-"): value for name, value in changes.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value is not None)
    return send(studio, f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode("latin-1") + body)


def label(studio: Served, **changes: str | None) -> Answer:
    """Ask for a change."""
    body = b'{"annotator": "Mallory", "blocks": [0], "label": 2}'
    return ask(studio, "/api/page/1/labels", "POST", body, **changes)


def changes_of(studio: Served) -> int:
    return int(studio.studio.project.reading.execute("SELECT count(*) FROM change").fetchone()[0])


FOREIGN_HOSTS = [
    "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}0", "127.0.0.1.:{port}",
    "127.0.0.1:{port}.", "localhost", "localhost.:{port}", "localhost:1", "127.0.0.1.nip.io:{port}", "[::1]:{port}",
    "[::ffff:127.0.0.1]:{port}", "0.0.0.0:{port}", "127.1:{port}", "127.0.0.2:{port}", "2130706433:{port}",
    "0x7f.0.0.1:{port}", "user@127.0.0.1:{port}", "127.0.0.1:{port}@evil.example", "127.0.0.1:{port}/", "",
    "studio.localhost:{port}", "127.0.0.1:{port}, evil.example",
]  # fmt: skip


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_a_foreign_host_is_refused(studio: Served, host: str) -> None:
    """A page elsewhere whose name resolves to this machine (DNS rebinding) names its own host."""
    before = changes_of(studio)
    named = host.format(port=studio.port)
    for answer in (
        ask(studio, "/", host=named),
        ask(studio, f"/?key={SECRET.replace(' ', '%20')}", host=named),
        label(studio, host=named, origin=f"http://{named}"),
    ):
        assert answer.status in (400, 421)  # 400: no host at all
        assert SECRET.encode() not in answer.body
        assert "set-cookie" not in answer.headers
    assert changes_of(studio) == before


def test_own_hosts_are_answered(studio: Served) -> None:
    for host in (f"127.0.0.1:{studio.port}", f"localhost:{studio.port}", f"LOCALHOST:{studio.port}"):
        assert ask(studio, "/", host=host).status == 200


def test_two_hosts_are_refused(studio: Served) -> None:
    own, cookie = f"Host: 127.0.0.1:{studio.port}", f'Cookie: dehusk_studio_{studio.port}="{SECRET}"'
    raw = f"GET / HTTP/1.1\r\n{own}\r\nHost: evil.example\r\n{cookie}\r\nConnection: close\r\n\r\n"
    assert send(studio, raw.encode()).status in (400, 421)


@pytest.mark.parametrize("target", ["http://evil.example/", "http://evil.example/page/1", "//evil.example/page/1", "*"])
def test_targets_that_name_another_host_lead_nowhere(studio: Served, target: str) -> None:
    assert ask(studio, target).status in (400, 404)
    assert ask(studio, target, host="evil.example").status in (400, 421)


def test_headers_of_proxies_change_nothing(studio: Served) -> None:
    assert ask(studio, "/", x_forwarded_host="evil.example", forwarded="host=evil.example").status == 200
    assert ask(studio, "/", host="evil.example", x_forwarded_host=f"127.0.0.1:{studio.port}").status == 421


@pytest.mark.parametrize(("method", "path"), routes())
def test_every_route_is_guarded(studio: Served, method: str, path: str) -> None:
    """Also those that come later."""
    before = changes_of(studio)
    assert ask(studio, path, method, cookie=None).status == 403
    assert ask(studio, path, method, host="evil.example").status == 421
    assert ask(studio, path, method, sec_fetch_site="same-site").status == 403
    if method != "GET":
        assert ask(studio, path, method, origin=None).status == 403
        assert ask(studio, path, method, origin="null").status == 403
    answer = ask(studio, path, method, b"[" * 100_000)
    assert answer.status in (200, 400, 404, 409), answer.body
    kind = answer.headers["content-type"].partition(";")[0]
    assert kind in ("application/json", "text/plain") or method == "GET"
    assert (kind == "text/html") <= (not path.startswith("/api/"))
    assert ("sandbox" in answer.headers["content-security-policy"]) == path.startswith("/frame/")
    assert changes_of(studio) == before


FOREIGN_ORIGINS = [
    None, "null", "", "https://evil.example", "http://evil.example:{port}", "http://127.0.0.1", "http://127.0.0.1:1",
    "https://127.0.0.1:{port}", "http://localhost:{port}", "http://127.0.0.1:{port}.evil.example",
    "http://[::1]:{port}", "http://127.0.0.1:{port}/", "HTTP://127.0.0.1:{port}", "127.0.0.1:{port}", "file://",
    "http://http://127.0.0.1:{port}", "chrome-extension://abcdef", "http://127.0.0.1:{port} http://evil.example",
]  # fmt: skip


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/x-www-form-urlencoded"])
def test_a_foreign_origin_changes_nothing(studio: Served, origin: str | None, kind: str) -> None:
    """`null` is the origin of sandboxed frames and of saved pages; forms send the other two types."""
    before = changes_of(studio)
    answer = label(studio, origin=origin and origin.format(port=studio.port), content_type=kind)
    assert answer.status == 403
    assert changes_of(studio) == before


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None]
)
def test_bodies_that_forms_can_send_are_refused(studio: Served, kind: str | None) -> None:
    before = changes_of(studio)
    answer = label(studio, content_type=kind)
    assert (answer.status, changes_of(studio)) == (400, before)
    assert "application/json" in answer.error


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_other_pages_ask_for_is_refused(studio: Served, site: str) -> None:
    """Pages of other servers of this machine are of the same site: their requests carry the cookie."""
    assert ask(studio, "/api/pages", sec_fetch_site=site, sec_fetch_mode="no-cors").status == 403
    assert ask(studio, "/page/1", sec_fetch_site=site, sec_fetch_mode="navigate").status == 403
    assert label(studio, sec_fetch_site=site).status == 403
    assert ask(studio, "/", sec_fetch_site="same-origin").status == 200
    assert ask(studio, "/", sec_fetch_site="none").status == 200


WRONG_COOKIES = [
    None, "", "dehusk_studio_{port}=", "dehusk_studio_{port}=wrong", "dehusk_studio_{port}={secret}x",
    "dehusk_studio={secret}", "dehusk_studio_1={secret}", "DEHUSK_STUDIO_{port}={secret}", "key={secret}", "{secret}",
    "dehusk_studio_{port}=\xe9", "dehusk_studio_{port}", ";;;=", "$Version=1; $Path=/",
]  # fmt: skip


@pytest.mark.parametrize("cookie", WRONG_COOKIES)
def test_without_the_secret_nothing_is_answered(studio: Served, cookie: str | None) -> None:
    named = cookie and cookie.format(port=studio.port, secret=SECRET)
    for target in (
        *VIEWS,
        "/frame/1",
        "/api/pages",
        "/api/page/1/outcome",
        f"{studio.studio.static}/base.js",
        "/nowhere",
        "/?key=wrong",
    ):
        answer = ask(studio, target, cookie=named)
        assert answer.status == 403
        assert b"tea" not in answer.body.lower()
    before = changes_of(studio)
    assert label(studio, cookie=named).status == 403
    assert label(studio, cookie=named, authorization=f"Bearer {SECRET}").status == 403
    assert changes_of(studio) == before


@pytest.mark.parametrize("other", ["a@b=1", "=", 'y="', "a b=c", "z=1,2", "{", "é=1"])
def test_cookies_of_other_servers_do_no_harm(studio: Served, other: str) -> None:
    """All ports of a host share their cookies."""
    own = f'dehusk_studio_{studio.port}="{SECRET}"'
    assert ask(studio, "/api/pages", cookie=f"{other}; {own}".encode().decode("latin-1")).status == 200


@pytest.mark.parametrize(
    "path", ["/", "/page/1", "//evil.example/x", "/\\evil.example", "/%09/evil.example", "/%0d%0aX:y"]
)
def test_the_secret_is_taken_out_of_the_address(studio: Served, path: str) -> None:
    answer = ask(studio, f"{path}?key={SECRET.replace(' ', '%20')}&x=1", cookie=None)
    assert answer.status == 303
    assert answer.headers["location"].startswith("/")
    assert answer.headers["location"][1:2] not in ("/", "\\")
    assert SECRET not in answer.headers["location"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))
    assert "domain" not in cookie
    assert answer.body == b""


def test_a_link_of_another_page_with_the_secret_goes_on_by_itself(studio: Served) -> None:
    """Such as a terminal in the browser: after a redirect that began elsewhere, the cookie is not sent."""
    answer = ask(studio, f"/page/1?key={SECRET.replace(' ', '%20')}", cookie=None, sec_fetch_site="cross-site")
    assert answer.status == 200
    assert b'content="0;url=/page/1"' in answer.body
    assert SECRET.encode() not in answer.body
    assert "samesite=strict" in answer.headers["set-cookie"]


def test_a_ticket_admits_once(studio: Served) -> None:
    """The browser is started with it: other users of the machine can see the arguments of its process."""
    target = f"/?key={TICKET.replace(' ', '%20')}"
    assert ask(studio, target, host="evil.example", cookie=None).status == 421, "a refused request leaves it valid"
    assert ask(studio, "/", cookie=f'dehusk_studio_{studio.port}="{TICKET}"').status == 403
    first = ask(studio, target, cookie=None)
    assert first.status == 303
    assert SECRET in first.headers["set-cookie"]
    assert ask(studio, target, cookie=None).status == 403


def test_no_answer_has_the_secret_in_it(studio: Served) -> None:
    for target in (*VIEWS, "/frame/1", "/api/pages", "/api/rules", "/api/training", "/api/page/1/labels"):
        answer = ask(studio, target)
        assert answer.status == 200, target
        assert SECRET.encode() not in answer.body
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"])
def test_other_methods_need_an_origin_and_do_nothing(studio: Served, method: str) -> None:
    before = changes_of(studio)
    assert ask(studio, "/page/1", method, origin=None).status in (400, 403)
    assert ask(studio, "/page/1", method).status in (400, 404, 405)
    assert changes_of(studio) == before


def test_what_only_reads_cannot_be_told_to_write(studio: Served) -> None:
    before = changes_of(studio)
    body = b'{"annotator": "Mallory", "blocks": [0], "label": 2}'
    assert ask(studio, "/api/page/1/labels", "GET", body, x_http_method_override="POST").status == 200
    for path in (
        "/api/rules/undo",
        "/api/training/accept",
        "/api/training/discard",
        "/api/training/cancel",
        "/api/label-files",
    ):
        assert ask(studio, path).status == 405
    assert changes_of(studio) == before


def test_a_preflight_of_another_origin_is_refused(studio: Served) -> None:
    answer = ask(studio, "/api/rules", "OPTIONS", origin="https://evil.example", access_control_request_method="PUT")
    assert answer.status == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


NEVER_CACHED = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
TARGETS = [
    *VIEWS,
    "/frame/1",
    "/frame/99",
    "/frame/x",
    "/api/pages",
    "/api/page/99/blocks",
    "/nowhere",
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("cookie", ["", "dehusk_studio=wrong"])
def test_all_answers_have_the_headers(studio: Served, target: str, cookie: str) -> None:
    answer = ask(studio, target, **({"cookie": cookie} if cookie else {}))
    assert {name: answer.headers.get(name) for name in NEVER_CACHED} == NEVER_CACHED
    assert not [name for name in answer.headers if name.startswith("access-control")]
    directives = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["base-uri"] == "'none'"
    if target.startswith("/frame/"):
        assert directives["sandbox"] == "allow-same-origin"
        assert directives["img-src"] == "data:"
        assert directives["form-action"] == "'none'"
        assert directives["frame-ancestors"] == "'self'"
        assert not {"script-src", "connect-src", "font-src", "frame-src", "media-src", "object-src"} & directives.keys()
        assert answer.headers["x-frame-options"] == "sameorigin"
    else:
        assert directives["script-src"] == "'self'"
        is_refusal = answer.status == 403 and answer.headers["content-type"].startswith("text/html")
        assert directives["style-src"].startswith("'sha256-" if is_refusal else "'self'")
        assert directives["frame-ancestors"] == "'none'"
        assert directives["require-trusted-types-for"] == "'script'"
        assert answer.headers["x-frame-options"] == "deny"


@pytest.mark.parametrize(("target", "kind"), [
    ("/api/pages", "application/json"), ("/api/page/1/annotation", "text/plain; charset=utf-8"),
    ("/api/page/1/cleaneval", "text/plain; charset=utf-8"), ("/frame/1", "text/html; charset=utf-8"),
])  # fmt: skip
def test_answers_say_what_they_are(studio: Served, target: str, kind: str) -> None:
    """With `nosniff`, a browser takes none of them for a script or a page that it is not."""
    answer = ask(studio, target)
    assert (answer.status, answer.headers["content-type"]) == (200, kind)


def test_static_files_are_kept_by_browsers_and_nothing_else_is(studio: Served) -> None:
    answer = ask(studio, f"{studio.studio.static}/base.js")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for path in (f"{studio.studio.static}/nothing.js", "/static/base.js", "/static/0/base.js"):
        answer = ask(studio, path)
        assert (answer.status, answer.headers["cache-control"]) == (404, "no-store")
    refused = ask(studio, f"{studio.studio.static}/base.js", cookie=None)
    assert (refused.status, refused.headers["cache-control"]) == (403, "no-store")


def test_without_the_key_a_page_says_what_to_do_and_an_answer_one_line(studio: Served) -> None:
    page = ask(studio, "/page/1", cookie=None)
    assert (page.status, page.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert b"dehusk studio --project" in page.body
    assert str(studio.studio.project.folder).encode() not in page.body
    answer = ask(studio, "/api/pages", cookie=None)
    assert (answer.status, answer.error) == (403, "open the address that dehusk studio printed: it contains the key")


def test_a_change_is_made_once_however_often_it_is_sent(studio: Served) -> None:
    def post(path: str, **body: object) -> Answer:
        return ask(studio, path, "POST", json.dumps({"annotator": "Twice", **body}).encode())

    before = changes_of(studio)
    answers = [post("/api/page/1/labels", blocks=[0], label=2, id="one") for _ in range(2)]
    assert [json.loads(answer.body)["labelled"] for answer in answers] == [1, 1]
    post("/api/page/1/labels", blocks=[0], label=3, id="two")
    post("/api/page/1/labels", blocks=[0], label=2, id="one")
    assert changes_of(studio) == before + 2
    steps = [json.loads(post("/api/page/1/labels/undo", id="three").body) for _ in range(2)]
    assert [step["pages"] for step in steps] == [[1], []]
    assert steps[1]["codes"][0] == 2
    for odd in (1, None, [], "x" * 81, "a b"):
        assert post("/api/page/1/labels", blocks=[0], label=2, id=odd).status == 400
    own = studio.studio.project.identity
    assert post("/api/page/1/labels", blocks=[0], label=2, project=own).status == 200
    for other in ("another", None, 1):
        assert post("/api/page/1/labels", blocks=[0], label=1, project=other).status == 421
    assert json.loads(ask(studio, "/api/page/1/labels?annotator=Twice").body)["codes"][0] == 2


BAD_BODIES = [
    b"", b"[]", b"1", b"null", b'"text"', b"{", b"{}x", b"\xff\xfe", b'{"a":' * 100_000, b"[" * 1_000_000,
    b'{"x": NaN}', b'{"x": -Infinity}', b'{"comment": "\\ud800"}', b'{"comment": "\xed\xa0\x80"}',
    b'{"seconds": ' + b"9" * 5_000 + b"}", '{"comment": "x"}'.encode("utf-16"), b'{"blocks": [0], "blocks": [1]',
]  # fmt: skip
WRITING = {
    ("/api/page/1/labels", "POST"): "annotator blocks label labels",
    ("/api/page/1/labels/undo", "POST"): "annotator",
    ("/api/page/1/seconds", "POST"): "annotator seconds",
    ("/api/page/1/note", "PUT"): "flag comment",
    ("/api/page/1/site-preview", "POST"): "annotator blocks pages same_text",
    ("/api/page/1/compare", "POST"): "settings other with text",
    ("/api/site-labels", "POST"): "annotator label pages",
    ("/api/label-keys", "PUT"): "undo",
    ("/api/label-files", "POST"): "annotator files",
    ("/api/rules", "POST"): "add",
    ("/api/rules", "PUT"): "old new",
    ("/api/rules", "DELETE"): "rule",
    ("/api/rules/propose", "POST"): "page wanted unwanted action",
    ("/api/rules/covered", "POST"): "page selectors",
    ("/api/rules/effects", "POST"): "add remove host start",
    ("/api/rules/reach", "POST"): "host start",
    ("/api/training", "POST"): "method fill one_by_one",
    ("/api/training/default", "POST"): "model",
}
"""Target and method -> the fields of the object that it takes."""


@pytest.mark.parametrize(("target", "method"), WRITING)
def test_bodies_that_are_no_objects_of_json_are_refused(studio: Served, target: str, method: str) -> None:
    for body in BAD_BODIES:
        answer = ask(studio, target, method, body)
        assert answer.status == 400, (body[:40], answer.body)
        assert answer.error.startswith("not ")


HUGE = 10**30
ODD_VALUES = [
    None, True, -1, 1.5, HUGE, "", "x", "../../x", "/etc/passwd", "\\\\host\\share", "\0", "é" * 5_000, [], [-1],
    [HUGE], ["x"], [[]], [{}], {}, {"x": 1}, {"1": [0]}, {"99": [0]}, {str(HUGE): [0]}, {"²": [0]},
    {"9" * 5_000: [0]}, [0] * 10_000,
]  # fmt: skip


@pytest.mark.parametrize(("target", "method"), WRITING)
def test_odd_values_are_answered_in_one_line(studio: Served, target: str, method: str) -> None:
    """Whatever a field contains, it is used or refused, and never ends in a fault of the studio."""
    usual = {
        "annotator": "Ann",
        "blocks": [0],
        "label": 2,
        "pages": [1],
        "seconds": 1,
        "page": 1,
        "wanted": [0],
        "host": "*",
    }
    rule = {"action": "drop", "selector": "p", "host": "*"}
    usual |= {"with": "text", "text": "tea", "selectors": ["p"], "add": [rule], "rule": rule, "old": rule, "new": rule}
    for field in WRITING[target, method].split():
        for value in ODD_VALUES:
            answer = ask(studio, target, method, json.dumps(usual | {field: value}).encode())
            assert answer.status in (200, 400, 404, 409), (field, str(value)[:40], answer.status, answer.body)


def test_a_body_that_is_too_large_is_refused(studio: Served, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.web.answers.MOST_BYTES", 1_000)
    body = b'{"comment": "%s"}' % (b"x" * 2_000)
    assert ask(studio, "/api/page/1/note", "PUT", body).status == 413
    chunked = b"7d0\r\n" + b"x" * 2_000 + b"\r\n0\r\n\r\n"
    answer = ask(studio, "/api/page/1/note", "PUT", chunked, content_length=None, transfer_encoding="chunked")
    assert answer.status == 413
    assert ask(studio, "/api/page/1/note", "PUT", b'{"comment": ""}').status == 200


BAD_QUERIES = [
    "page=x", "start=-1", "count=0", "count=501", f"start={HUGE}", "confidence=x", "confidence=nan,nan", "kept=1",
    "sort=id;--", "sort=id)%20--", "host=%00", "host=%ff%fe", "search=%22%20OR%20%22", "search=" + "a%20" * 5_000,
    "search=NEAR(a%20b)*", "search=%00", "labelled=maybe", "descending=%0a", "status='%20OR%201=1", "count=%C2%B2",
    "=", "&&&", "%", "language=" + "x" * 9_000, "model=/etc/passwd", "model=../../models", "model=%5C%5Chost%5Cshare",
    "method=nothing", "style=x", "favour=nan", "favour=inf", "favour=9", "format=html", "format=../x", "blocks=x",
    "blocks=-1", "blocks=" + "9" * 40, "annotator=", "annotator=%00", "annotator=..%2F..%2Fx",
    "annotator=" + "x" * 99, "by=%0a", "first=a&second=%07", "preset=x", "n=1&a=999", "text_weight=nan",
    "corrected=012", "stop=0", "first=9&stop=1", "stop=" + "9" * 40,
]  # fmt: skip
READING = [
    "/", "/page/1", "/rules", "/api/pages", "/api/facets", "/api/next/confidence", "/api/next/site", "/api/sites",
    "/api/page/1/outcome", "/api/page/1/reason/0", "/api/page/1/labels", "/api/page/1/suggestions",
    "/api/page/1/alike", "/api/page/1/neighbours", "/api/page/1/annotation", "/api/labelling", "/api/agreement",
    "/queue", "/api/queue", "/api/page/1/unit",
    "/api/next-pages", "/api/site/-", "/api/site/-/page/1/information", "/api/site/-/page/1/grey",
]  # fmt: skip


@pytest.mark.parametrize("target", READING)
def test_odd_queries_are_answered_in_one_line(studio: Served, target: str) -> None:
    for query in BAD_QUERIES:
        answer = ask(studio, f"{target}?{query}")
        assert answer.status in (200, 400, 404, 409), (query[:40], answer.status, answer.body)
        if answer.status != 200:
            assert "\n" not in answer.error


def test_models_of_elsewhere_are_not_read(studio: Served, tmp_path: Path) -> None:
    for model in (str(tmp_path), "/etc", "..", "../models", "\\\\host\\share", "~", "united/../../x"):
        query = f"/api/page/1/outcome?method=united&model={model}"
        assert "one that the studio lists" in ask(studio, query).error
        settings = json.dumps({"with": "settings", "settings": {"model": model}, "other": {}}).encode()
        assert "one that the studio lists" in ask(studio, "/api/page/1/compare", "POST", settings).error
        chosen = json.dumps({"model": model}).encode()
        assert "the project has no model" in ask(studio, "/api/training/default", "POST", chosen).error


ODD_PATHS = [
    "/page/0", "/page/99", f"/page/{HUGE}", "/page/-1", "/page/1.5", "/page/%31", "/page/1%00", "/page/../page/1",
    "/page/" + "9" * 5_000, "/frame/0", f"/frame/{HUGE}", "/frame/../page/1", "/frame/%2e%2e/page/1", "/frame/1/",
    "/frame//1", "/api/page/1/reason/999999", f"/api/page/1/reason/{HUGE}", "/api/next/nothing",
    "/site/nowhere.example", "/site/~zz", "/site/~2e2e", "/site/..", "/site/%2e%2e", "/site/%2e%2e%2f%2e%2e%2fetc",
    "/api/site/..%2f..%2fx", "/api/site/~2e2e2f/surface", "/api/site/-/page/99/template",
    "/api/site/-/page/1/structure/99999", "/" + "a" * 9_000,
]  # fmt: skip


@pytest.mark.parametrize("path", ODD_PATHS)
def test_odd_paths_are_answered_in_one_line(studio: Served, path: str) -> None:
    answer = ask(studio, path)
    assert answer.status in (200, 400, 404, 405, 409, 414), answer.body
    assert b"Traceback" not in answer.body
    if answer.status == 200:
        assert path == "/page/%31"


STATIC_PATHS = [
    "/../templates/base.html", "/..%2ftemplates/base.html", "/%2e%2e/templates/base.html",
    "/..%5ctemplates%5cbase.html", "/....//templates/base.html", "//etc/passwd",
    "/%2fetc%2fpasswd", "/../../../../../../etc/passwd", "/base.js%00.html", "/",
    "/.", "/..", "/c:%5cx", "/%252e%252e/templates/base.html",
    "/file:%2f%2f%2fetc%2fpasswd", "/../__init__.py",
]  # fmt: skip


@pytest.mark.parametrize("path", STATIC_PATHS)
def test_nothing_but_static_files_is_served(studio: Served, path: str) -> None:
    answer = ask(studio, studio.studio.static + path)
    assert answer.status in (404, 405)
    assert b"{% block" not in answer.body
    assert b"root:" not in answer.body


@pytest.mark.parametrize(
    "name", ["..", "../../x", "/etc/x", "a/../../b", "\\..\\x", "C:\\x", ".", "...", "-", "~root", "con", "x" * 80]
)
def test_an_annotator_is_a_folder_of_the_project(studio: Served, name: str) -> None:
    body = json.dumps({"annotator": name, "blocks": [0], "label": 2}).encode()
    assert ask(studio, "/api/page/1/labels", "POST", body).status == 200
    quoted = "".join(f"%{byte:02x}" for byte in name.encode())
    file = Path(json.loads(ask(studio, f"/api/page/1/labels?annotator={quoted}").body)["file"])
    annotations = studio.studio.project.annotations.resolve()
    assert file.resolve().parent.parent == annotations
    assert os.path.normpath(file) == str(file)


def test_a_fault_of_the_studio_says_nothing_of_itself(studio: Served, monkeypatch, caplog) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a secret detail in <b>words</b>")

    monkeypatch.setattr("dehusk.studio.web.page_table.list_losses", fail)
    answer = ask(studio, "/api/losses")
    assert answer.status == 500
    assert b"secret detail" not in answer.body
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "a secret detail" in caplog.text


def test_a_selector_that_rules_may_not_have_is_not_tried_on_a_page_either(studio: Served) -> None:
    body = rb'{"page": 1, "selectors": ["div:ha\\73(div) p"]}'
    answer = ask(studio, "/api/rules/covered", "POST", body)
    assert (answer.status, b"a pseudo-class has a backslash" in answer.body) == (400, True)
