"""Tools of others that are installed: what they keep of a project's pages, in processes as in `dehusk bench`."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import NamedTuple

from dehusk.base.caching import Latest
from dehusk.base.errors import ChildError, InputError, encodable, unknown
from dehusk.lab.evaluate.benchmark import DEFAULT_SECONDS, ToolChild, tool_child, tool_title
from dehusk.lab.evaluate.tools import OTHER_TOOLS, PageView
from dehusk.read import decode
from dehusk.read.parsing import unwrap
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.project import Project

_MOST_TEXTS = 64


class ToolText(NamedTuple):
    """What a tool keeps of a page."""

    text: str
    ms: float | None
    """CPU time from the decoded page to the text; None if the tool failed."""
    failure: str = ""
    """Why it failed, in one line."""


def offered_tools() -> dict[str, str]:
    """Return the names of the tools that clean one page at a time, and their versions; "" if one is not installed."""
    return {name: tool.version for name, tool in OTHER_TOOLS.items() if not tool.by_site}


def install_lines(names: Iterable[str]) -> list[str]:
    """Return what installs some of the tools, each line once."""
    return list(dict.fromkeys(OTHER_TOOLS[name].install for name in names))


def installed_title(name: str) -> str:
    """Return the name and the version of an installed tool.

    Raises:
        InputError: no such tool is offered.
        MissingExtraError: it is not installed.
    """
    tools = offered_tools()
    if name not in tools:
        raise InputError(unknown("tool", name, tools))
    if not tools[name]:
        raise OTHER_TOOLS[name].missing(f"running {name}")
    return tool_title(name)


def text_by_tool(child: ToolChild, body: PageBody) -> ToolText:
    """Return what the tool of a process keeps of a page; if it fails, an empty text."""
    page = unwrap(decode(body.data, body.headers).text)[0]
    try:
        (output,), seconds = child.work([PageView(page, body.url)])
    except ChildError as error:
        return ToolText("", None, " ".join(str(error).split()))
    return ToolText(encodable(output.text), round(1000 * (seconds + output.seconds), 3))


class ToolTexts:
    """What tools keep of the pages that people look at; the latest texts are remembered.

    Args:
        project: the project.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._texts: Latest[tuple[str, int], str] = Latest(_MOST_TEXTS)
        self._locks: Latest[tuple[str, int], threading.Lock] = Latest(_MOST_TEXTS)

    def text(self, page: int, name: str) -> str:
        """Return what a tool keeps of a page.

        Raises:
            InputError: no such tool is offered, it fails on the page, or the page cannot be read.
            KeyError: there is no such page.
            MissingExtraError: the tool is not installed.
        """
        key = installed_title(name), page
        with self._locks.once(key, threading.Lock):  # two requests for a text must not run the tool twice
            return self._texts.get(key, lambda: self._text(page, name))

    def _text(self, page: int, name: str) -> str:
        body = read_body(self._project, page)
        with tool_child(name, seconds=DEFAULT_SECONDS) as child:
            found = text_by_tool(child, body)
        if found.failure:
            raise InputError(f"{name} fails on this page: {found.failure}")
        return found.text
