"""A studio that is ended while it trains and learns a site: no process of it is left."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dehusk.blocks.labels import OTHER, PARAGRAPH
from tea_pages import TEMPLATES, write_sites
from test_studio_killed import Client

PROC = Path("/proc")
pytestmark = pytest.mark.skipif(not (PROC / "self/stat").exists(), reason="processes are found in /proc")
SECONDS = 60  # on a machine that does much else


def parents() -> dict[int, int]:
    """Return the parent of each process that has not ended."""
    found = {}
    for path in PROC.glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
        except OSError:  # it ended meanwhile
            continue
        if state not in "ZX":
            found[int(path.parent.name)] = int(parent)
    return found


def descendants(process: int) -> set[int]:
    known, wanted = parents(), {process}
    while more := {child for child, parent in known.items() if parent in wanted} - wanted:
        wanted |= more
    return wanted - {process}


def until(condition) -> bool:
    end = time.monotonic() + SECONDS
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_no_process_is_left(tmp_path: Path, number: signal.Signals, code: int) -> None:
    write_sites(tmp_path / "tea", TEMPLATES[:2])
    command = [sys.executable, "-m", "dehusk", "studio", "tea", "--no-open", "--workers", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        try:
            client = Client(process.stderr.readline())
            assert until(lambda: client.ask("/api/adding")["done"])
            for page in range(1, 17, 3):
                size = len(client.ask(f"/api/page/{page}/labels")["codes"])
                for label, blocks in ((PARAGRAPH, range(size // 2)), (OTHER, range(size // 2, size))):
                    client.ask(f"/api/page/{page}/labels", {"blocks": list(blocks), "label": label})
            before = descendants(process.pid)
            client.ask("/api/training", {"method": "united"})
            client.ask(f"/api/site/{TEMPLATES[0].host}/learning", {})
            assert until(lambda: len(descendants(process.pid) - before) >= 2)
            started = descendants(process.pid)
            process.send_signal(number)
            assert process.wait(SECONDS) == code
            assert until(lambda: not started & set(parents())), "processes are left"
        finally:
            client.connection.close()
            process.kill()
