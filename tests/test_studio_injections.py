"""Hostile pages and hostile names in every view of a real browser: nothing runs, nothing loads, nothing leads away."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from studio_payloads import TEXTS, contents, filled
from studio_server import Served, browser, routes, served
from studio_trap import Trap, trap, trapped

__all__ = ["browser", "trap", "trapped"]
FIRST_TEXT = 1_000  # numbers of texts, so that traces of texts and of pages differ
TEXT_PAYLOADS = [str(filled(text, FIRST_TEXT + number)) for number, text in enumerate(TEXTS)]
TOGETHER = 21  # payloads of a page that is shown in the views
GOOD = "<p>Good leaves give three cups, says Ann, and the fourth one is for the cat of the house.</p>"
SITE = "<b>tea</b>.example"
READY = 60_000


def unsafe_page() -> bytes:
    """Return a page with all payloads as they are, each in a frame that may do all but move the top window."""
    html = [content for _, content in contents() if isinstance(content, str)]
    sandbox = "allow-scripts allow-same-origin allow-forms allow-popups allow-modals"
    frames = "".join(f'<iframe sandbox="{sandbox}" srcdoc="{escape(text)}"></iframe>' for text in html)
    return f"<!DOCTYPE html><script>window.to='http://evil.example/'</script>{frames}".encode()


def hostile_pages(folder: Path) -> list[str]:
    """Write one page for each payload; return their names."""
    folder.mkdir()
    names = []
    for number, (_, content) in enumerate(contents()):
        names.append(f"{number:03d}.html")
        data = content if isinstance(content, bytes) else content.encode()
        (folder / names[-1]).write_bytes(data if isinstance(content, bytes) else f"{GOOD}{content}{GOOD}".encode())
    return names


def joined_pages(folder: Path) -> None:
    """Write pages with several payloads each: for the views, where all of them at once would take long."""
    folder.mkdir()
    texts = [content for _, content in contents() if isinstance(content, str)]
    for start in range(0, len(texts), TOGETHER):
        body = "".join(
            f"<section><h2>{start}</h2>{GOOD}{text}{GOOD}</section>" for text in texts[start : start + TOGETHER]
        )
        (folder / f"joined{start:03d}.html").write_text(f"<title>joined</title>{body}", "utf-8")


def named_pages(folder: Path) -> None:
    """Write pages whose titles, texts, file names, ids and addresses are hostile, and gold beside them."""
    (folder / "html").mkdir(parents=True)
    (folder / "gold").mkdir()
    lines = []
    for number, text in enumerate(TEXT_PAYLOADS):
        name = text.replace("/", "-").replace("\0", "")[:90]
        shown = escape(text)
        attributes = f"title='{shown}' id='{shown}' class='{shown}'"
        body = f"<h1>{shown}</h1>{GOOD}<p {attributes}>{shown}: {GOOD}</p><p>{shown} {number}</p>"
        (folder / "html" / f"{name}.html").write_text(f"<title>{shown}</title>{body}", "utf-8")
        (folder / "gold" / f"{name}.txt").write_text(f"<h> {text}\n<p> Good leaves {text}", "utf-8")
        host = SITE if number % 3 == 0 else text
        lines.append({"id": text, "file": f"html/missing {text}"})  # a loss that is named
        lines.append({"id": text, "file": f"html/{name}.html", "url": f"http://{host}/{text}"})
    rows = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / "pages.jsonl").write_text(rows, "utf-8")


def hostile_rules() -> str:
    """Return rules of one host: the view of rules looks for each host on all pages that have none."""
    lines = ["# </script><script>top.ran=1</script>", "# <img src=x: onerror=top.ran=2>", '["h.example"]', "drop = ["]
    lines += [f"{json.dumps(f'[title={json.dumps(text)}]')}, # {text}" for text in TEXT_PAYLOADS]
    return "\n".join([*lines, "]"])


def fill(studio: Any) -> None:
    """Give a project labels, comments, rules, models and a training result with hostile texts in them."""
    from dehusk.label.registry import MODELS
    from dehusk.studio.labelling import Change, apply_changes, set_note

    project = studio.project
    rows = project.reading.execute("SELECT id, blocks FROM page WHERE url <> '' AND blocks > 0 ORDER BY id").fetchall()
    texts = [text for text in TEXT_PAYLOADS if len(text) <= 80 and text.isprintable()]
    for number, row in enumerate(rows):
        set_note(project, row["id"], "Ann", flag="other", comment=TEXT_PAYLOADS[number % len(TEXT_PAYLOADS)])
        for annotator in (*texts[:2], texts[number % len(texts)]):
            apply_changes(
                project,
                annotator,
                [Change(row["id"], row["blocks"], [0], number % 5)],
                {row["id"]: studio.opened.body(row["id"]).data},
            )
    for text in TEXT_PAYLOADS[:6]:
        shutil.copytree(MODELS / "web", project.models / text.replace("/", "-"))
    row = {"page": 1, "title": TEXT_PAYLOADS[0], "site": TEXT_PAYLOADS[1], "source": TEXT_PAYLOADS[2]}
    figures = {"before": [1, 2, 3], "after": [2, 2, 3], "shipped": [1, 2, 2]}
    result = {
        "method": "victor",
        "at": "2026-01-01T00:00:00",
        "rows": [row | figures],
        "notes": TEXT_PAYLOADS,
        "pages": 4,
    }
    (project.folder / "training").mkdir()
    facts = {
        "aside": 1,
        "aside_sites": 1,
        "sites": 2,
        "seconds": 1.0,
        "fill": False,
        "before": ["united", None],
        "problem": "",
    }
    (project.folder / "training" / "record.json").write_text(json.dumps(result | facts))


@pytest.fixture(scope="module")
def studio(tmp_path_factory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("injections")
    hostile_pages(root / "single")
    joined_pages(root / "joined")
    named_pages(root / "<img src=x: onerror=top.ran=3>")
    project = root / '"><img src=x: onerror=top.ran=4>'
    folders = [str(root / name) for name in ("single", "joined", "<img src=x: onerror=top.ran=3>")]
    with served(project, folders) as running:
        fill(running.studio)
        running.studio.project.rules.write_text(hostile_rules(), "utf-8")
        yield running


TEMPLATE = (Path(__file__).parents[1] / "src/dehusk/studio/templates/pages.html").read_text("utf-8")
BOOKMARKLET = unescape(re.search(r'href="(javascript:[^"]+)"', TEMPLATE)[1])
"""The studio's own, to be dragged away: its policy lets nothing of it run in the studio."""
KNOWN = re.compile(
    r"/(|page/\d+|frame/\d+|queue|rules|agreement|train|sites|site/[^/]+|report|static/\w+/\w+\.(js|css|svg|md)|api/[\w/.~%-]+)(\?.*)?"
)


@dataclass
class Watched:
    """A page of the browser, and all that it does which it must not."""

    page: Any
    studio: Served
    trap: Trap
    complaints: list[str] = field(default_factory=list)
    before: int = 0

    def __post_init__(self) -> None:
        self.before = len(self.trap.seen)
        self.page.set_default_timeout(READY)
        self.page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("console", lambda message: self.complaints.append(f"console {message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error {error}"))
        self.page.on("popup", lambda page: self.complaints.append(f"popup {page.url}"))
        self.page.on("download", lambda download: self.complaints.append(f"download {download.url}"))
        self.page.on("worker", lambda worker: self.complaints.append(f"worker {worker.url}"))
        self.page.on("websocket", lambda socket: self.complaints.append(f"websocket {socket.url}"))
        self.page.context.on("request", self._note)
        self.page.on("framenavigated", self._moved)

    def _note(self, request: Any) -> None:
        own = request.url.startswith(self.studio.address)
        path = request.url.removeprefix(self.studio.address).partition("#")[0]
        if not (own and KNOWN.fullmatch(path)) and not request.url.startswith("data:image/"):
            self.complaints.append(f"request {request.url}")

    def _moved(self, frame: Any) -> None:
        allowed = (f"{self.studio.address}/frame/", "about:blank") if frame.parent_frame else (self.studio.address,)
        if not frame.url.startswith(allowed):
            self.complaints.append(f"moved {frame.url}")

    def visit(self, path: str) -> None:
        self.page.goto(f"{self.studio.address}{path}")

    def inspect(self, *, poke: bool = False) -> None:
        """Look for what can run, load or lead away in the page and its frames, after touching all of the frames."""
        found = self.page.evaluate(INSPECT, poke)
        self.complaints += [f"{self.page.url}: {each}" for each in found if each != f"app: href={BOOKMARKLET}"]

    def check(self) -> None:
        self.page.wait_for_timeout(50)  # what was started may end
        complaints = self.complaints + self.trap.seen[self.before :]
        assert not complaints, complaints[:10]


POKE = """
function poke(inner) {
  for (const element of [inner.defaultView, inner, ...inner.querySelectorAll("*")]) {
    for (const name of ["mouseover", "pointerenter", "mousedown", "focus", "submit", "toggle", "error", "load"]) {
      element.dispatchEvent(new Event(name, { bubbles: false, cancelable: true }));
    }
    if (element.focus && element.nodeType) element.focus();
    if (element.click) element.click();
  }
}
"""
INSPECT = f"""(touch) => {{
  {POKE}
  const bad = [];
  const LOADING = ["src", "srcset", "href", "action", "formaction", "data", "poster", "background", "ping", "srcdoc",
    "xlink:href", "cite"];
  const RUNNING = ["script", "iframe", "object", "embed", "applet", "base", "meta[http-equiv]", "template", "svg",
    "math", "noscript", "portal", "frame", "frameset", "video", "audio", "link", "input"];
  const OWN = /^\\s*(\\/|data:image\\/|#|$)/;
  function look(inner, where, isFrame) {{
    for (const element of inner.querySelectorAll("*")) for (const {{ name, value }} of element.attributes) {{
      if (name.startsWith("on")) bad.push(`${{where}}: ${{element.nodeName}} has ${{name}}`);
      if (LOADING.includes(name) && !OWN.test(value)) bad.push(`${{where}}: ${{name}}=${{value}}`);
    }}
    const markup = isFrame ? RUNNING.join() : "main :is(script, object, embed, base, meta, img, style, link)";
    for (const element of inner.querySelectorAll(markup)) bad.push(`${{where}}: <${{element.nodeName}}>`);
    if (inner.querySelectorAll("body").length !== 1) bad.push(`${{where}}: bodies`);
    if (inner.defaultView.ran !== undefined) bad.push(`${{where}}: ran ${{inner.defaultView.ran}}`);
  }}
  look(document, "app", false);
  for (const frame of document.querySelectorAll("iframe")) {{
    if (!frame.contentDocument) {{ bad.push(`${{frame.src}}: not shown`); continue; }}
    if (touch) poke(frame.contentDocument);
    look(frame.contentDocument, frame.src, true);
  }}
  return bad;
}}"""


@contextmanager
def watched(trapped: Any, studio: Served, trap: Trap) -> Iterator[Watched]:
    context = trapped.new_context(viewport={"width": 1440, "height": 900})
    shown = Watched(context.new_page(), studio, trap)
    shown.page.goto(studio.url("/agreement"))
    yield shown
    shown.check()
    context.close()


def pages(studio: Served, condition: str) -> list[int]:
    query = f"SELECT id FROM page WHERE {condition} ORDER BY id"  # noqa: S608 (constants)
    return [row["id"] for row in studio.studio.project.reading.execute(query)]


def acted(trap: Trap) -> set[int]:
    """Return the numbers of the payloads that left a trace."""
    return {int(number) for line in trap.seen for number in re.findall(r"^\w+ /(\d+)", line)}


def test_the_payloads_act_where_nothing_stops_them(trapped, trap: Trap) -> None:
    """Else the other tests would prove nothing."""
    trap.pages["/unsafe"] = unsafe_page()
    page = trapped.new_context().new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.goto("http://evil.example/unsafe", wait_until="domcontentloaded")
    page.wait_for_timeout(1_500)
    every = "for (const frame of document.querySelectorAll('iframe')) try { poke(frame.contentDocument) } catch {}"
    page.evaluate(f"() => {{ {POKE} {every} }}")
    deadline = time.monotonic() + READY / 1000  # a busy machine takes long to load a hundred frames
    while len(acted(trap)) < 90 and time.monotonic() < deadline:
        page.wait_for_timeout(500)
    page.context.close()
    assert len(acted(trap)) >= 90, sorted(acted(trap))  # others act only in other browsers, or by a gesture


@pytest.mark.parametrize("sandbox", ['sandbox="allow-same-origin"', ""])
def test_pages_in_frames(trapped, studio: Served, trap: Trap, sandbox: str) -> None:
    """Each payload by itself; without the attribute, only the policy of the answer confines the page."""
    with watched(trapped, studio, trap) as shown:
        shown.visit("/agreement")
        numbers = pages(studio, "name LIKE '___.html'")
        assert len(numbers) == len(contents())
        shown.page.evaluate(
            """async ([numbers, attribute]) => {
              await Promise.all(numbers.map((number) => new Promise((resolve) => {
                const frame = document.createElement("iframe");
                if (attribute) frame.setAttribute("sandbox", "allow-same-origin");
                frame.addEventListener("load", resolve);
                frame.src = `/frame/${number}`;
                document.body.append(frame);
              })));
            }""",
            [numbers, sandbox],
        )
        shown.inspect(poke=True)
        shown.page.wait_for_timeout(300)
        shown.inspect()
        assert shown.page.locator("iframe").count() == len(numbers)


def test_a_page_of_a_frame_in_a_tab(trapped, studio: Served, trap: Trap) -> None:
    """Whoever opens the address of a frame: the policy of the answer holds there too."""
    with watched(trapped, studio, trap) as shown:
        for number in pages(studio, "name LIKE 'joined%'"):
            shown.visit(f"/frame/{number}")
            session = shown.page.context.new_cdp_session(shown.page)
            for y in range(40, 900, 120):
                for kind in ("mousePressed", "mouseReleased"):
                    event = {"type": kind, "x": 60, "y": y, "button": "left", "clickCount": 1}
                    session.send("Input.dispatchMouseEvent", event)
            for key in ("Tab", "Enter"):
                session.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key})
            assert shown.page.url == f"{studio.address}/frame/{number}"


def test_hostile_pages_in_the_view_of_a_page(trapped, studio: Served, trap: Trap) -> None:
    with watched(trapped, studio, trap) as shown:
        for number in pages(studio, "name LIKE 'joined%'"):
            shown.visit(f"/page/{number}?correct=yes")
            shown.page.wait_for_selector("#correct[data-ready]", state="attached")
            for tab in ("markdown", "json", "blocks", "text"):
                shown.page.locator(f"#tab-{tab}").click()
            shown.inspect(poke=True)
            shown.page.evaluate("document.querySelectorAll('#settings [name=heat]')[0].click()")
            shown.page.locator("#panel-outcome").focus()
            shown.page.keyboard.press("j")
            shown.page.locator("#details *").first.wait_for()
            shown.inspect()


def test_hostile_pages_in_the_making_of_rules(trapped, studio: Served, trap: Trap) -> None:
    with watched(trapped, studio, trap) as shown:
        for number in pages(studio, "name LIKE 'joined%' OR url <> ''")[::4]:
            with shown.page.expect_response("**/api/rules/effects"):
                shown.visit(f"/rules?page={number}&blocks=0")
            shown.page.wait_for_selector("#make[data-ready]")
            shown.inspect(poke=True)


def test_hostile_names_in_the_list(trapped, studio: Served, trap: Trap) -> None:
    with watched(trapped, studio, trap) as shown:
        shown.visit("/")
        shown.page.locator("#losses summary").click()
        shown.page.locator("#losses li").nth(len(TEXTS) - 1).wait_for()
        shown.page.locator("#search").fill("forged")
        shown.page.locator(".row[data-page]").first.wait_for()
        shown.inspect()
        for text in TEXT_PAYLOADS:
            shown.page.locator("#search").fill(text)
            shown.page.wait_for_timeout(30)
        shown.inspect()
        for query in ("sort=host&descending=yes", "sort=url&descending=yes", "flag=other"):
            shown.visit(f"/?{query}")
            shown.page.locator(".row[data-page]").first.wait_for()
            shown.page.locator("#rows").focus()
            for _ in range(8):
                shown.page.keyboard.press("j")
            shown.page.keyboard.press("c")
            shown.page.locator("#remark[open]").wait_for()
            shown.inspect()
            shown.page.keyboard.press("Escape")
        for text in TEXT_PAYLOADS:
            shown.visit(f"/?{urlencode({'host': text, 'search': text, 'type': text, 'flag': text, text: text})}")
            shown.page.locator("#count").wait_for()
        shown.inspect()


def test_hostile_names_in_the_view_of_a_page(trapped, studio: Served, trap: Trap) -> None:
    with watched(trapped, studio, trap) as shown:
        for number, text in zip(pages(studio, "url <> ''"), TEXT_PAYLOADS, strict=True):
            given = {
                "correct": "yes",
                "with-method": text,
                "with-model": text,
                "suggest": text,
                "search": text,
                text: text,
            }
            shown.visit(f"/page/{number}?{urlencode(given)}#{text}")
            shown.page.wait_for_selector("#correct[data-ready]", state="attached")
            shown.inspect(poke=True)


def test_texts_and_files_of_others(trapped, studio: Served, trap: Trap, tmp_path: Path) -> None:
    """Another tool's text, gold, imported annotations, annotators, comments."""
    files = annotation_files(studio, tmp_path)
    with watched(trapped, studio, trap) as shown:
        page = shown.page
        number = pages(studio, "url <> ''")[0]
        shown.visit(f"/page/{number}?correct=yes")
        page.wait_for_selector("#correct[data-ready]", state="attached")
        page.locator("#tab-compare").click()
        for kind in ("text", "gold"):
            page.locator("#compare [name=with]").select_option(kind)
            if kind == "text":
                page.locator("#compare textarea").fill("\n".join(TEXT_PAYLOADS))
            page.locator("#diff .diff-row").first.wait_for()
            shown.inspect()
        page.get_by_role("button", name="Files").click()
        page.locator("dialog[open] input[type=file]").set_input_files(files)
        page.locator("dialog[open] li").first.wait_for()
        shown.inspect()
        page.keyboard.press("Escape")
        page.keyboard.press("f")
        page.locator("dialog[open]").wait_for()
        shown.inspect()


def annotation_files(studio: Served, folder: Path) -> list[str]:
    """Write annotations of the first named page, and texts, whose names and values are hostile."""
    from dehusk.studio.exporting import annotation_of

    _, annotation = annotation_of(studio.studio.project, pages(studio, "url <> ''")[0], "Ann")
    files = []
    for number, text in enumerate(TEXT_PAYLOADS):
        name = text.replace("/", "-")[:80]
        value = json.loads(annotation.json()) | {"annotator": text, "url": text}
        (folder / f"{name}.anno.json").write_text(json.dumps(value), "utf-8")
        (folder / f"{name}.{number}.anno.json").write_text(json.dumps(value | {"format": text}), "utf-8")
        (folder / f"{name}.txt").write_text(f"<p> {text}", "utf-8")
        files += [f"{name}.anno.json", f"{name}.{number}.anno.json", f"{name}.txt"]
    return [str(folder / name) for name in files]


def test_hostile_names_in_the_other_views(trapped, studio: Served, trap: Trap) -> None:
    waits = {
        "/agreement": "#differences a",
        "/rules": "tr[data-rule]",
        "/train": "#figures tbody tr",
        "/sites": "#sites tbody tr",
    }
    with watched(trapped, studio, trap) as shown:
        for path, selector in waits.items():
            shown.visit(path)
            shown.page.locator(selector).first.wait_for()
            shown.inspect()
        for by in ("site", "source"):
            shown.visit("/train")
            shown.page.locator(f"[data-by={by}]").click()
            shown.inspect()
        asked = ("/agreement?first={0}&second={0}", "/sites?search={0}", "/rules?page=1&blocks={0}&host={0}#{0}")
        for number, text in enumerate(TEXT_PAYLOADS):  # each in one view, all together in each
            shown.visit(asked[number % len(asked)].format(quote(text, safe="")))
        for path in asked:
            shown.visit(path.format(quote(" ".join(TEXT_PAYLOADS), safe="")))
            shown.inspect()


def test_every_view(trapped, studio: Served, trap: Trap) -> None:
    """Also those that come later."""
    shown_paths = [path for method, path in routes() if method == "GET" and not path.startswith(("/api/", "/frame/"))]
    assert "/page/1" in shown_paths
    numbers = (pages(studio, "name LIKE 'joined%'")[-1], pages(studio, "url <> ''")[1])
    with watched(trapped, studio, trap) as shown:
        for path in shown_paths:
            for number in numbers if "/page/" in path else numbers[:1]:
                shown.visit(path.replace("/page/1", f"/page/{number}"))
                shown.page.wait_for_load_state("networkidle")
                shown.inspect(poke=True)


def test_hostile_names_in_the_views_of_a_site(trapped, studio: Served, trap: Trap) -> None:
    from dehusk.studio.site_learning import SiteLearning
    from dehusk.studio.site_store import key_of

    [host] = {row["host"] for row in studio.studio.project.reading.execute(
        "SELECT host FROM page WHERE host LIKE '%tea%' AND url <> '' GROUP BY host HAVING count(*) > 4"
    )}  # fmt: skip
    assert SiteLearning(studio.studio.project, host).run().state == "done"
    with watched(trapped, studio, trap) as shown:
        for view in ("template", "structure", "grey", "information", "methods"):
            shown.visit(f"/site/{quote(key_of(host), safe='')}?view={view}")
            shown.page.wait_for_selector(f"#site[data-ready={view}]")
            shown.inspect(poke=True)
