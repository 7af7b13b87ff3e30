"""Tools of the npm registry, with packages made here that stand for them; the program and its process are real."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from dehusk.base.errors import InputError, MissingExtraError
from dehusk.cli import command
from dehusk.lab.evaluate.benchmark import tool_child, warm_up
from dehusk.lab.evaluate.node_tools import PACKAGES, NodeTool
from dehusk.lab.evaluate.tools import OTHER_TOOLS
from dehusk.studio.bodies import PageBody
from dehusk.studio.other_tools import offered_tools, text_by_tool

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
READABILITY = """
class Readability {
  constructor(document) { this.html = document.html; }
  parse() {
    if (this.html.includes("nothing")) return null;
    if (this.html.includes("fault")) throw new Error("no page\\nat all");
    if (this.html.includes("end")) process.exit(3);
    if (this.html.includes("for good")) for (;;);
    console.log("not an answer");
    return { content: this.html };
  }
}
module.exports = { Readability };
"""
JSDOM = """
class JSDOM {
  constructor(html, { url, virtualConsole }) { this.window = { document: { html, url, virtualConsole } }; }
  static fragment(html) { return { textContent: html.replace(/<[^>]*>/g, "") }; }
}
module.exports = { JSDOM, VirtualConsole: class {} };
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch) -> Path:
    """A working directory with packages that do what the real ones do, on the simplest pages."""
    for name, code in {"@mozilla/readability": READABILITY, "jsdom": JSDOM}.items():
        folder = tmp_path / "node_modules" / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"name": name, "version": "9.8.7", "main": "index.js"}))
        (folder / "index.js").write_text(code)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_tool_is_installed_with_its_parser_only(packages) -> None:
    if shutil.which("node"):
        assert offered_tools()["readability.js"] == "9.8.7"
    shutil.rmtree(packages / "node_modules" / "jsdom")
    assert OTHER_TOOLS["readability.js"].version == OTHER_TOOLS["defuddle"].version == ""


def test_a_tool_that_is_not_installed_says_what_installs_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text("<p>Tea")
    result = CliRunner().invoke(command, ["compare", "page.html", "--with", "defuddle"])
    assert isinstance(result.exception, MissingExtraError)
    assert str(result.exception).endswith("not installed: npm install defuddle linkedom in the working directory")


@needs_node
@pytest.mark.usefixtures("packages")
def test_pages_are_cleaned_one_after_the_other(request) -> None:
    tool = NodeTool("readability.js")
    request.addfinalizer(tool.close)
    found = tool.clean("<p>Tea</p><p>für drei\u2028</p>", "")
    assert found.text.split() == ["Tea", "für", "drei"]
    assert 0 <= found.seconds < 5
    assert tool.clean("nothing", "https://tea.example/").text == ""
    with pytest.raises(InputError, match=r"^readability\.js: no page at all$"):
        tool.clean("fault", "")
    assert tool.clean("Tea", "").text == "Tea"
    for _ in range(2):
        with pytest.raises(InputError, match="ended its process"):
            tool.clean("end", "")
        assert tool.clean("Tea", "").text == "Tea"


@needs_node
@pytest.mark.usefixtures("packages")
def test_its_time_is_that_of_its_own_process() -> None:
    with tool_child("readability.js", seconds=20) as child:
        warm_up(child)
        found = text_by_tool(child, PageBody(b"<p>Tea", "", {}))
        assert (found.text.strip(), found.failure) == ("Tea", "")
        assert found.ms is not None
        assert found.ms > 0
        assert "no page at all" in text_by_tool(child, PageBody(b"fault", "", {})).failure


@needs_node
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for an orphan in /proc")
@pytest.mark.usefixtures("packages")
def test_a_page_that_keeps_it_busy_for_good_does_not_outlive_who_waits() -> None:
    code = (
        "from dehusk.lab.evaluate.node_tools import NodeTool; tool = NodeTool('readability.js'); "
        "tool.clean('Tea', ''); print(tool._process.pid, flush=True); tool.clean('for good', '')"
    )
    waiting = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    node = Path(f"/proc/{waiting.stdout.readline().strip()}/stat")
    with waiting:
        waiting.kill()
    end = time.monotonic() + 20
    while node.exists() and node.read_text("utf-8").rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end, "Node goes on"
        time.sleep(0.1)


def test_every_tool_of_node_is_offered() -> None:
    assert set(PACKAGES) <= set(offered_tools())
