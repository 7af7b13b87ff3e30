"""A page that never ends within one step is given up: its own page, none of the others."""

import json
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

import dehusk
from cpu_time import assert_quick
from dehusk.base.processes.alarm import AlarmError, alarm_after
from dehusk.base.store import feature_hash
from dehusk.cli import command
from dehusk.cli.clean import PageCleaner
from dehusk.label.registry import model_folder
from dehusk.label.victor.config import parse_config
from dehusk.label.victor.tabulation import Tabulation
from dehusk.read.files import PageLocation

pytestmark = pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="needs SIGALRM")
ENDLESS = re.compile("(a+)+$")
EVIL = "a" * 60 + "!"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model whose configuration has an expression that backtracks without an end."""
    folder = Path(shutil.copytree(model_folder("web"), tmp_path / "model"))
    card = json.loads((folder / "card.json").read_text("utf-8"))
    card["config"] = re.sub(r"\[bullet\]\npatterns = \[", "[bullet]\npatterns = ['(a+)+$', ", card["config"])
    assert "(a+)+$" in card["config"]
    card["features"] = feature_hash(Tabulation(parse_config(card["config"])).signature())
    (folder / "card.json").write_text(json.dumps(card), "utf-8")
    return folder


def test_an_expression_without_an_end_is_interrupted() -> None:
    start = time.monotonic()
    with pytest.raises(AlarmError), alarm_after(0.2):
        ENDLESS.match(EVIL)
    assert time.monotonic() - start < 10


def test_what_ends_in_time_is_not_interrupted() -> None:
    with alarm_after(60):
        pass
    with alarm_after(1e300):
        assert ENDLESS.match("aaa")


def test_other_threads_are_not_interrupted() -> None:
    ended = []

    def work() -> None:
        with alarm_after(0.01):
            time.sleep(0.1)
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ended


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_page_that_never_ends_costs_its_own_time(tmp_path: Path, model: Path, workers: str) -> None:
    for name, text in (("a", "first"), ("b", EVIL), ("c", "last")):
        (tmp_path / f"{name}.html").write_text(
            f"<p>{text} of the pages of this folder, a sentence that is long enough.</p>"
        )
    (tmp_path / "b.html").write_text(f"<p>{EVIL}</p>")
    command = ["clean", "--model", str(model), "--timeout", "4", "--workers", workers]
    done = subprocess.run(
        [sys.executable, "-m", "dehusk", *command, *(str(tmp_path / f"{name}.html") for name in "abc")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["status"] == "limit" for row in rows] == [False, True, False], done.stderr
    assert rows[1]["message"] == "took longer than 5.5 s"
    assert done.returncode == 1


@pytest.mark.parametrize("options", [[], ["-f", "markdown"], ["-f", "json"], ["-f", "tei"], ["--chunks", "50"]])
def test_a_page_that_takes_too_long_to_write_has_a_row_and_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    """The writer of one page never ends; the text of the page is there if the format is one of text."""
    for name in ("slow", "quick"):
        (tmp_path / f"{name}.html").write_text("<p>A sentence of the page that is long enough to be kept.</p>" * 3)
    pages = [str(tmp_path / f"{name}.html") for name in ("slow", "quick")]
    monkeypatch.setattr("dehusk.cli.clean._children", lambda *_: nullcontext())
    CliRunner().invoke(command, ["clean", *options, *pages])  # what is only imported now takes none of the time below
    outcome = PageCleaner._outcome

    def endless(self: PageCleaner, source: PageLocation, document: dehusk.Document) -> object:
        if "slow" in source.name and document.status == "ok":
            ENDLESS.match(EVIL)
        return outcome(self, source, document)

    monkeypatch.setattr(PageCleaner, "_outcome", endless)
    found = CliRunner().invoke(command, ["clean", "--timeout", "1", *options, *pages])
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    stated = [(row["status"], row["message"]) for row in rows]
    assert stated[:2] == [("limit", "writing took longer than 1.75 s"), ("ok", "")]
    assert (rows[0].get("text") or "").startswith("A sentence of the page") == (options in ([], ["-f", "markdown"]))
    assert "slow.html: limit: writing took longer than 1.75 s" in found.stderr


WRAPPERS = [
    "id= " * 4000,
    "id" + " " * 16_000,
    "id " * 5000,
    "encoding " * 2000,
    "encoding" + " " * 100_000,
    "x" * 100_000,
]


@pytest.mark.parametrize("attributes", WRAPPERS)
def test_the_wrapper_of_cleaneval_is_read_in_linear_time(attributes: str) -> None:
    page = "<text " + attributes + "<p>kept"
    assert_quick(lambda: dehusk.parse(page), 0.3)
    assert_quick(lambda: dehusk.parse(page.encode()), 0.3)
