"""Tools of the npm registry, run by Node where it is installed: Readability.js by Mozilla, and Defuddle.

Packages are found as Node finds them: in a folder `node_modules` of the working directory, or of one above it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import IO, NamedTuple, cast

from dehusk.base.errors import InputError

PACKAGES = {"readability.js": ("@mozilla/readability", "jsdom"), "defuddle": ("defuddle", "linkedom")}
"""The tools, and the packages that each needs: its own, and one that parses pages."""
_PROGRAM = Path(__file__).with_name("node_tool.mjs")


class NodeText(NamedTuple):
    """What a tool keeps of a page, and what that took."""

    text: str
    seconds: float
    """CPU time of the Node process."""


def node_version(name: str) -> str:
    """Return the version of a tool; "" if Node, the tool or the parser that it needs is not installed."""
    versions = [_package_version(package) for package in PACKAGES[name]]
    return versions[0] if all(versions) and shutil.which("node") else ""


def _package_version(package: str) -> str:
    here = Path.cwd()
    for folder in (here, *here.parents):
        try:
            found = json.loads((folder / "node_modules" / package / "package.json").read_text("utf-8"))
            return str(found["version"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return ""


class NodeTool:
    """A process of Node that cleans one page after the other.

    Args:
        name: of the tool.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        program = [shutil.which("node") or "node", "--input-type=module", "--eval", _PROGRAM.read_text("utf-8")]
        return subprocess.Popen(  # noqa: S603 (the user asks for this tool by its name)
            [*program, self._name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def clean(self, html: str, url: str) -> NodeText:
        """Return what the tool keeps of a page.

        Raises:
            InputError: the tool fails on the page, or the page ends its process; the next page has a new one.
        """
        if self._process.returncode is not None:
            self._process = self._start()
        asked, answers = cast("IO[str]", self._process.stdin), cast("IO[str]", self._process.stdout)
        try:
            asked.write(json.dumps({"html": html, "url": url}) + "\n")
            asked.flush()
            answer = json.loads(answers.readline())
        except (OSError, ValueError) as error:
            self.close()
            raise InputError(f"{self._name} ended its process") from error
        if "error" in answer:
            raise InputError(f"{self._name}: {' '.join(answer['error'].split())}")
        return NodeText(answer["text"], answer["seconds"])

    def close(self) -> None:
        """End the process."""
        with self._process:
            self._process.kill()
