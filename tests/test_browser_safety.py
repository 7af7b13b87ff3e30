"""What a real browser does with the outputs of hostile pages: nothing runs, loads or leads to a script."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from dehusk.document import Document
from hostile_pages import CANARY, TEMPLATES, hostile_pages
from test_bad_input import SCHEMES, clean, rendered

BROWSER = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None
)
PAGES = 6 * len(TEMPLATES)

AUDIT = """
const found = {frames: 0, schemes: {}, handlers: {}, elements: {}, loaded: 0};
const addresses = ['href', 'src', 'action', 'formAction', 'data', 'cite', 'poster', 'background'];
for (const frame of document.querySelectorAll('iframe')) {
  const inside = frame.contentDocument;
  found.frames += 1;
  found.loaded += frame.contentWindow.performance.getEntriesByType('resource').length;
  for (const element of inside.querySelectorAll('*')) {
    found.elements[element.localName] = 1;
    for (const attribute of element.attributes)
      if (attribute.name.toLowerCase().startsWith('on')) found.handlers[attribute.name] = 1;
    for (const name of addresses) {
      const value = element[name];
      if (typeof value !== 'string' || !value || !element.hasAttribute(name.toLowerCase())) continue;
      const scheme = new URL(value, document.baseURI).protocol.slice(0, -1);
      found.schemes[scheme] = 1;
      if (scheme.includes('script') && element.click) element.click();
    }
  }
}
setTimeout(() => {
  const report = document.createElement('output');
  report.textContent = JSON.stringify(
    {...found, ran: document.documentElement.hasAttribute('data-ran'),
     schemes: Object.keys(found.schemes), handlers: Object.keys(found.handlers),
     elements: Object.keys(found.elements)});
  document.body.replaceChildren(report);
}, 200);
"""


def opened(outputs: list[str], folder: Path) -> dict[str, object]:
    """Open each output in a frame that may run scripts, and return what the browser made of them.

    Returns:
        frames (how many), elements and handlers (names), schemes (of all addresses), loaded (how many files frames
        asked for), ran (whether a script of an output ran).
    """
    frames = "".join(f'<iframe srcdoc="{html.escape(output)}"></iframe>' for output in outputs)
    page = (
        f'<!DOCTYPE html><meta charset=utf-8><base href="https://example.invalid/"><body>{frames}'
        f"<script>addEventListener('load', () => {{{AUDIT}}})</script>"
    )
    folder.mkdir(exist_ok=True)
    (folder / "page.html").write_text(page, encoding="utf-8", errors="replace")
    command = [
        str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000",
        "--dump-dom", (folder / "page.html").as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    report = re.search(r"<output>(.*?)</output>", done.stdout.decode("utf-8", "replace"), re.DOTALL)
    assert report, "the browser has finished the page"
    return json.loads(html.unescape(report[1]))


OUTPUTS = {
    "html": lambda doc: doc.html,
    "overlay": lambda doc: doc.overlay,
    "markdown": lambda doc: rendered(doc.render("markdown", title="always", posts="headings", front_matter="yaml")),
    "markdown with footnotes": lambda doc: rendered(doc.render("markdown", links="footnotes", posts="quotes")),
}


@cache
def documents() -> list[Document]:
    return [clean(page) for page in hostile_pages(PAGES, seed=3)]


pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_browser_runs_and_opens_nothing_of_hostile_pages(name: str, tmp_path: Path) -> None:
    outputs = list(map(OUTPUTS[name], documents()))
    report = opened(outputs, tmp_path)
    assert report["frames"] == PAGES
    assert not report["ran"]
    assert report["handlers"] == []
    assert set(report["schemes"]) <= SCHEMES
    assert not {"script", "iframe", "object", "embed", "form", "svg", "link", "base"} & set(report["elements"])
    if name == "overlay":
        assert report["loaded"] == 0


def test_the_browser_would_have_run_scripts(tmp_path: Path) -> None:
    image = f"<img src=/x.png onerror={CANARY}>"
    assert opened([image], tmp_path / "1") == {
        "frames": 1,
        "loaded": 1,
        "ran": True,
        "schemes": ["https"],
        "handlers": ["onerror"],
        "elements": ["html", "head", "body", "img"],
    }
    link = f"<a href=' java&#10;script:{CANARY}'>x</a><a href='data:x'>y</a>"
    report = opened([link], tmp_path / "2")
    assert (report["ran"], report["schemes"]) == (True, ["javascript", "data"])
    assert opened([f"<script>{CANARY}</script>", "<p>x"], tmp_path / "3")["ran"]
