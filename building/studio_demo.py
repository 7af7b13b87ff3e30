"""A demo of dehusk studio without a server: its front end, and what a studio answered about a few pages.

`python building/studio_demo.py FOLDER` adds the sites of `examples/` to a project, asks a studio what the front end
would ask, and writes static files, which any web server can offer below any path. The front end is the studio's own;
`studio_demo.js` answers it from the recordings, and keeps labels in the browser. The same commit gives the same bytes.
With a number after the folder, only so many pages are recorded by themselves, to see that the bytes are the same.
"""

import http.client
import json
import re
import shutil
import sys
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from html import escape
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from dehusk.base.listening import LOCAL, listen
from dehusk.label import STYLES
from dehusk.studio.adding import Adding
from dehusk.studio.judgements import ORDERS
from dehusk.studio.opened import ViewSettings
from dehusk.studio.other_tools import offered_tools
from dehusk.studio.project import Project
from dehusk.studio.rule_editing import add_rules, checked_rule
from dehusk.studio.serving import make_server
from dehusk.studio.setups import offered_methods
from dehusk.studio.site_learning import SiteLearning
from dehusk.studio.site_store import key_of
from dehusk.studio.sources import find_sources
from dehusk.studio.web import page_table, page_view, report_view
from dehusk.studio.web.security import COOKIE, headers_of
from dehusk.studio.web.state import STATIC, Studio

ROOT = Path(__file__).parents[1]
SITES = ("tea-room", "tea-magazine", "gold-pages")
HOSTS = ("tea.example", "leaf.example")
"""Hosts with enough pages to learn what they share."""
RULE = ("drop", ".meta", "tea.example")
REPORTED = ("united", "victor", "keep-all")
FORMATS = ("text", "markdown", "json", "outline")
FAVOURS = [f"{step / 20:g}" for step in range(21)]
SAYS = "This is a demo: nothing runs behind it, and your labels stay in this browser."
NOT_IN_META = re.compile(r"(?:sandbox [^;]*; )|; (?:frame-ancestors [^;]*)")
NOWHERE = "#not-in-the-demo"
ADDRESS = re.compile(r'(?<= )(href|src)="(/[^"]*)"')
TIMES = re.compile(rb'"(at|seconds)": (?:"[^"]*"|[\d.]+)')
"""When, and in what time, something was done: it differs from run to run."""


def make_demo(folder: Path, most: int | None = None) -> None:
    """Write the demo to a folder, which is replaced if it is there; with `most`, only about so many pages open."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(STATIC, folder / "static")
    for name in ("studio_demo.js", "studio_demo.css"):
        shutil.copy(Path(__file__).with_name(name), folder / "static")
    with (
        TemporaryDirectory() as place,
        closing(Project(Path(place, "tea").resolve())) as project,
        _no_tools(),
        _answering(_prepared(project)) as client,
    ):
        _Recording(client, folder).write(most)


def _prepared(project: Project) -> Studio:
    """Return a studio with pages, learned sites, a rule and a report."""
    add_rules(project, [checked_rule(*RULE)])
    Adding(project, find_sources([str(ROOT / "examples" / site) for site in SITES]), workers=1).run()
    for host in HOSTS:
        SiteLearning(project, host).run()
    studio = Studio(project)
    studio.report.start([ViewSettings(method) for method in REPORTED])
    while studio.report.progress is not None and studio.report.progress.state == "running":
        time.sleep(0.05)
    with project.writing() as connection:
        connection.execute("UPDATE judgement SET ms = NULL")  # times differ from run to run
    return studio


@contextmanager
def _no_tools() -> Iterator[None]:
    """Let a studio find no tools of others: those that are installed here are not so elsewhere."""
    none = dict.fromkeys(offered_tools(), "")
    with ExitStack() as patches:
        for view in (page_table, page_view, report_view):
            patches.enter_context(patch.object(view, "offered_tools", lambda: none))
        yield


class _Client:
    """Asks a studio, and takes out of its answers what another run would say otherwise."""

    def __init__(self, studio: Studio, port: int) -> None:
        self.studio = studio
        self._connection = http.client.HTTPConnection(LOCAL, port)
        self._headers = {"Cookie": f"{COOKIE}_{port}={_SECRET}", "Origin": f"http://{LOCAL}:{port}"}
        folder = studio.project.folder
        identity = studio.project.identity
        self._own = {str(folder): "tea", str(ROOT): "dehusk", studio.static: "/static", identity: "demo"}

    def ask(self, path: str, body: object = None) -> bytes:
        """Return an answer, also one that says what is wrong."""
        headers = self._headers | ({} if body is None else {"Content-Type": "application/json"})
        sent = None if body is None else json.dumps(body)
        self._connection.request("GET" if body is None else "POST", path, sent, headers)
        data = self._connection.getresponse().read()
        for own, always in self._own.items():
            data = data.replace(own.encode(), always.encode())
        return data


_SECRET = "recording"  # noqa: S105 (of a studio that ends with this program)


@contextmanager
def _answering(studio: Studio) -> Iterator[_Client]:
    with listen(0) as listener:
        port = listener.getsockname()[1]
        server = make_server(studio, secret=_SECRET, port=port)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield _Client(studio, port)
        finally:
            server.should_exit = True
            thread.join()


class _Recording:
    """What the front end asks, and what it is answered.

    Answers are in a file for each page and each site, and one for the rest: `answers` has the number of the value for
    each request, `values` the values, because many settings have the same outcome.
    """

    def __init__(self, client: _Client, folder: Path) -> None:
        self._client, self._folder = client, folder
        self._files: dict[str, dict[str, Any]] = {}

    def write(self, most: int | None) -> None:
        """Record everything, but at most so many of the pages by themselves, at equal distances, and write it."""
        rows = self._get("/api/pages?count=500")["rows"]
        for path in ("/", "/rules", "/agreement", "/train", "/sites", "/report"):
            self._view(path)
        for row in rows[:: -(-len(rows) // most) if most else 1]:
            self._page(row)
        self._studio(rows)
        for host in HOSTS:
            self._site(host)
        for name, file in self._files.items():
            record = {"answers": file["answers"], "values": [json.loads(value) for value in file["values"]]}
            path = self._folder / "answers" / f"{name}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")), "utf-8")

    def _get(self, path: str, **query: str) -> Any:
        return self._keep(path, query, None)

    def _post(self, path: str, body: object) -> Any:
        return self._keep(path, {}, body)

    def _keep(self, path: str, query: dict[str, str], body: object) -> Any:
        """Ask and record; the key is the same as that of `studio_demo.js`."""
        address = urlsplit(path)
        query = dict(parse_qsl(address.query, keep_blank_values=True)) | query
        asked = address.path + (f"?{urlencode(query)}" if query else "")
        answer = TIMES.sub(rb'"\1": null', self._client.ask(asked, body))
        self._record([address.path, query, body], answer)
        return json.loads(answer)

    def _record(self, request: list[Any], answer: bytes) -> None:
        file = self._files.setdefault(_file_of(request[0]), {"answers": {}, "values": {}})
        key = json.dumps(request, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        file["answers"][key] = file["values"].setdefault(answer, len(file["values"]))

    def _view(self, path: str, name: str = "") -> None:
        """Write a view: its addresses are those of the demo, and it says that it is one."""
        page = self._client.ask(path).decode()
        policy = NOT_IN_META.sub("", headers_of(path)["Content-Security-Policy"])
        head = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        if not path.startswith("/frame/"):
            page = ADDRESS.sub(lambda link: f'{link[1]}="{_place(link[2])}"', page)
            head += '<link rel="stylesheet" href="static/studio_demo.css"><script src="static/studio_demo.js"></script>'
            page = page.replace(
                '<div id="unsaved"', f'<aside class="demo" aria-label="Demo">{SAYS}</aside>\n<div id="unsaved"', 1
            )
        page = re.sub(r'(<meta charset="?utf-8"?>)', lambda match: match[1] + head, page, count=1)
        (self._folder / (name or _place(path))).write_text(page, "utf-8")

    def _page(self, row: dict[str, Any]) -> None:
        page, path = row["id"], f"/api/page/{row['id']}"
        self._view(f"/page/{page}")
        self._view(f"/frame/{page}")
        texts = self._get(f"{path}/blocks")["texts"]
        settings = list(self._settings(has_site=row["host"] in HOSTS))
        for query in settings:
            for each in FORMATS:
                self._get(f"{path}/outcome", **query, format=each)
            self._get(f"{path}/suggestions", **query)
        usual = settings[0]
        for block in range(len(texts)):
            self._get(f"{path}/reason/{block}", **usual)
            self._get(f"{path}/alike?blocks={block}")
        (self._folder / f"overlay-{page}.html").write_bytes(self._client.ask(f"{path}/overlay?{urlencode(usual)}"))
        gold = self._get(f"{path}/gold")
        for other in settings:
            if other.get("favour", "0.5") == "0.5":
                self._post(f"{path}/compare", {"with": "settings", "settings": usual, "other": other})
                if gold:
                    self._post(f"{path}/compare", {"with": "gold", "settings": other})
        self._get(f"{path}/labels?annotator=me")

    def _text(self, row: dict[str, Any]) -> str:
        """Return the text that a page opens with; it is not recorded."""
        query = next(self._settings(has_site=row["host"] in HOSTS)) | {"format": "text"}
        text: str = json.loads(self._client.ask(f"/api/page/{row['id']}/outcome?{urlencode(query)}"))["text"]
        return text

    def _settings(self, *, has_site: bool) -> Iterator[dict[str, str]]:
        """Yield settings, first those that a page opens with; all others differ from these in one thing."""
        shared = {"rules": "yes"} | ({"site": "no"} if has_site else {})
        usual: dict[str, str] = {}
        for method in offered_methods(self._client.studio.project):
            if method["site"] == "required" and not has_site:
                continue
            query = {"method": method["method"], **shared} | ({"model": method["model"]} if method["model"] else {})
            if not method["options"]:
                yield query
                continue
            usual = query | {"style": STYLES[0], "favour": "0.5"}
            yield usual
            yield from (usual | {"favour": favour} for favour in FAVOURS)
            yield from (usual | {"style": style} for style in STYLES)
        yield usual | {"rules": "no"}
        if has_site:
            yield usual | {"site": "yes"}

    def _studio(self, rows: list[dict[str, Any]]) -> None:
        texts = {row["id"]: [row["title"], row["url"], self._text(row)] for row in rows}
        self._record(
            ["/texts", {}, None], json.dumps({page: _words(" ".join(own)) for page, own in texts.items()}).encode()
        )
        for path in (
            "adding",
            "losses",
            "clean-again",
            "rules",
            "training",
            "next-pages",
            "label-keys",
            "report/files",
        ):
            self._get(f"/api/{path}")
        self._get("/api/sites?search=&sort=pages&descending=yes&start=0")
        self._post("/api/rules/reach", {"host": RULE[2], "start": 0})
        for row in self._get("/api/report?anew=yes")["rows"]:
            setup = row["setup"]
            for key, descending in product(ORDERS, ("no", "yes")):
                self._get("/api/report/pages", setup=setup, sort=key, descending=descending, most="200")
            for page in self._get("/api/report/pages", setup=setup, most="20")["pages"]:
                self._post(f"/api/report/compare/{page['page']}", {"setup": setup})

    def _site(self, host: str) -> None:
        key = key_of(host)
        path = f"/api/site/{quote(key)}"
        self._view(f"/site/{quote(key)}")
        pages = self._get(path)["list"]
        self._get(f"{path}/learning")
        cuts = [point[:2] for search in self._get(f"{path}/surface")["paths"] for point in search["points"]]
        for page in pages:
            own = f"{path}/page/{page['id']}"
            texts = self._get(f"{own}/template")["texts"]
            for block in range(len(texts)):
                self._get(f"{own}/structure/{block}")
            self._get(f"{own}/structure")
            self._get(f"{own}/methods")
            self._get(f"{own}/grey")
            for n, a in cuts:
                self._get(f"{own}/grey", n=str(n), a=str(a))
            for preset in self._get(f"{own}/information?preset=recommended")["presets"]:
                self._get(f"{own}/information", preset=preset)


def _words(text: str) -> list[str]:
    """Return the words that the search of the list finds, as `fold` of `studio_demo.js` does."""
    plain = "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter)[0] != "M")
    return sorted(set(re.findall(r"\w+", plain.lower())))


def _file_of(path: str) -> str:
    parts = path.split("/")
    return "-".join(parts[2:4]) if parts[2:3] and parts[2] in ("page", "site") else "studio"


def _place(path: str) -> str:
    """Return the file of a view; `studio_demo.js` has the same rule."""
    address = urlsplit(path)
    if address.path.startswith("/static"):
        return address.path[1:]
    if address.path.startswith("/api"):
        return NOWHERE
    name = address.path.strip("/").replace("/", "-") or "index"
    return f"{name}.html" + (f"#{address.fragment}" if address.fragment else "")


if __name__ == "__main__":
    make_demo(Path(sys.argv[1]), *map(int, sys.argv[2:]))
