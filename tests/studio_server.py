"""A studio in a thread of the test's process, and a browser that looks at it."""

from __future__ import annotations

import re
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in BROWSERS if (path := shutil.which(name))), None)
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECRET = "a secret of the tests"  # noqa: S105
TICKET = "a ticket of the tests"


@dataclass
class Served:
    """A studio that answers."""

    studio: Any
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        """Return the address of a view, with the secret."""
        return f"{self.address}{path}?key={SECRET.replace(' ', '%20')}"


def routes() -> list[tuple[str, str]]:
    """Return method and path of all routes, with the first page and the pages without a host in them."""
    from dehusk.studio.web.app import VIEWS

    values = {"step": "undo", "kind": "confidence", "key": "-"}
    found = []
    for route in (route for view in VIEWS for route in view.ROUTES):
        path = re.sub(r"{(\w+)(?::\w+)?}", lambda match: values.get(match[1], "1"), route.path)
        found += [(method, path) for method in sorted(route.methods or ()) if method != "HEAD"]
    return found


@contextmanager
def served(folder: Path, arguments: Sequence[str] = ()) -> Iterator[Served]:
    """Serve a project, with the pages that arguments name, until the block ends."""
    from dehusk.base.listening import listen
    from dehusk.studio.adding import Adding
    from dehusk.studio.project import Project
    from dehusk.studio.serving import make_server
    from dehusk.studio.sources import find_sources
    from dehusk.studio.web.state import Studio

    studio = Studio(Project(folder), annotator="Ann")
    if arguments:
        studio.adding = Adding(studio.project, find_sources(arguments), workers=1)
        studio.adding.run()
    listener = listen(0)
    port = listener.getsockname()[1]
    server = make_server(studio, secret=SECRET, port=port, ticket=TICKET)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield Served(studio, port)
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
        studio.autosave.stop()
        studio.project.close()


@dataclass
class Window:
    """A page of a browser that remembers every complaint: console errors, exceptions, requests to elsewhere."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self._note(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requested.append(request.url))

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def allow(self, words: str) -> None:
        """Let complaints with some words pass, whenever they come: the browser tells them after what caused them."""
        self.allowed.append(words)

    def unexpected(self) -> list[str]:
        """The complaints that nothing allows."""
        return [each for each in self.complaints if not any(words in each for words in self.allowed)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a screen; the test is skipped if it is not installed.

    It ends with the module's tests, because Playwright's event loop keeps others from running in the thread.
    """
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield started
        started.close()


@contextmanager
def window(browser: Browser, *, width: int = 1440, height: int = 900, dark: bool = False) -> Iterator[Window]:
    """Open a window that fails the test if it complained, or asked for anything but the studio."""
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
    )
    context.set_default_timeout(60_000)  # on machines that do much else
    shown = Window(context.new_page())
    yield shown
    context.close()
    assert not (found := shown.unexpected()), found
    elsewhere = [url for url in shown.requested if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))]
    assert elsewhere == []


def wait_until_saved(project: Any, seconds: float) -> bool:
    """Wait until the files have all labels; return whether they do."""
    end = time.monotonic() + seconds
    while project.reading.execute("SELECT 1 FROM labelling WHERE changed > saved").fetchone():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press the mouse at a point, move it and release it.

    Playwright's own mouse runs a script in all frames when it drags, and waits forever for frames without scripts.
    """
    session = page.context.new_cdp_session(page)
    (x, y), *moves = [
        (start[0] + (end[0] - start[0]) * step / 10, start[1] + (end[1] - start[1]) * step / 10) for step in range(11)
    ]
    event = {"x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
    session.send("Input.dispatchMouseEvent", event | {"type": "mousePressed"})
    for x, y in moves:
        session.send("Input.dispatchMouseEvent", event | {"type": "mouseMoved", "x": x, "y": y})
    session.send("Input.dispatchMouseEvent", event | {"type": "mouseReleased", "x": x, "y": y, "buttons": 0})
