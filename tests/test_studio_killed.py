"""A studio that is killed while somebody labels: what it confirmed is there, in the project and soon in the files."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from studio_server import wait_until_saved

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX")

PAGE = "<title>Tea</title>" + "".join(f"<p>Leaf {number} gives three cups, says Ann.</p>" for number in range(6))
SIZE = 6


class Client:
    """Asks a studio as its pages do."""

    def __init__(self, address: str) -> None:
        host, key = re.search(r"http://([\d.:]+)/\S*\?key=(\S+)", address).groups()
        self.connection = http.client.HTTPConnection(host, timeout=20)
        port = host.partition(":")[2]
        self.headers = {
            "Cookie": f"dehusk_studio_{port}={key}",
            "Origin": f"http://{host}",
            "Content-Type": "application/json",
        }

    def ask(self, path: str, body: object = None) -> dict:
        method = "GET" if body is None else "POST"
        self.connection.request(method, path, body and json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        assert answer.status == 200, answer.read()
        return json.loads(answer.read())

    def close(self) -> None:
        self.connection.close()


def codes_after(count: int) -> list[int]:
    codes = [-1] * SIZE
    for turn in range(count):
        codes[turn % SIZE] = turn // SIZE % 5
    return codes


def label_until_killed(folder: Path, begin: int, seconds: float) -> tuple[list[int], int]:
    """Start a studio, label, and kill it; return the labels that it found, and how many changes it confirmed in all."""
    command = [sys.executable, "-m", "dehusk", "studio", "tea.html", "--no-open", "--workers", "1"]
    with (
        subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process,
        closing(Client(process.stderr.readline())) as client,
    ):
        while not client.ask("/api/pages")["count"]:
            time.sleep(0.05)
        found = client.ask("/api/page/1/labels")["codes"]
        confirmed = begin
        while codes_after(confirmed) != found and confirmed <= begin + 1:
            confirmed += 1  # the last change may have been stored without being confirmed
        killer = threading.Timer(seconds, process.send_signal, [signal.SIGKILL])
        try:
            while True:
                turn = confirmed
                client.ask("/api/page/1/labels", {"blocks": [turn % SIZE], "label": turn // SIZE % 5})
                confirmed += 1
                if killer.ident is None:  # not before a change is confirmed, however slow the machine is
                    killer.start()
        except (OSError, http.client.HTTPException):
            return found, confirmed


def test_labels_that_were_confirmed_survive_kills(tmp_path: Path) -> None:
    from dehusk.blocks.annotation import Annotation
    from dehusk.studio.autosave import Autosave
    from dehusk.studio.labelling import labels_of
    from dehusk.studio.project import Project

    (tmp_path / "tea.html").write_text(PAGE, "utf-8")
    confirmed = 0
    for seconds in (0.05, 0.3, 0.8):
        found, after = label_until_killed(tmp_path, confirmed, seconds)
        assert found in (codes_after(confirmed), codes_after(confirmed + 1))
        assert after > confirmed
        confirmed = after
    project = Project(tmp_path / "dehusk-studio")
    codes = labels_of(project, 1, "me", SIZE).tolist()
    assert codes in (codes_after(confirmed), codes_after(confirmed + 1))
    Autosave(project).wake()  # as at the next start
    assert wait_until_saved(project, 20)
    [file] = project.annotations.glob("me/*.anno.json")
    assert len(Annotation.load(file).spans) == sum(code >= 0 for code in codes)
    project.close()
