"""How far a tool of others agrees with what the project keeps of each page: where it does not, look at the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from dehusk.base.errors import ChildError, DehuskError
from dehusk.base.processes.pool import ChildPool
from dehusk.lab.evaluate.tools import PageView, load_tool, to_outputs
from dehusk.measures.metrics import word_bag
from dehusk.read import decode
from dehusk.read.parsing import unwrap
from dehusk.studio.background import BackgroundWork, RunProgress
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.making import Making, making_of
from dehusk.studio.other_tools import installed_title
from dehusk.studio.page_facts import SECONDS, find_facts
from dehusk.studio.project import Project

_BATCH = 16  # pages in one transaction
_UNKNOWN = """
SELECT page.id FROM page LEFT JOIN agreement ON page.id = page AND tool = ? AND agreement.made_by = page.made_by
WHERE page IS NULL ORDER BY page.id
"""


@dataclass(frozen=True)
class Compared(RunProgress):
    """How far the comparison of a project's pages with a tool is."""

    tool: str = ""
    """Its name and version."""
    failed: int = 0
    """Pages that could not be read, or on which the tool fails: nothing is known of them."""


class _Asked(NamedTuple):
    page: int
    body: PageBody


class ToolAgreements(BackgroundWork[Compared]):
    """Compares all pages with one tool and forgets what is known of another; what a cancelled run found stays."""

    busy = "pages are being compared with a tool"

    def start(self, name: str) -> None:
        """Compare the pages of which it is not known by the project's model and rules of now, in a thread.

        Raises:
            InputError: a run is under way, or no such tool is offered.
            MissingExtraError: the tool is not installed.
        """
        title = installed_title(name)
        self._begin(Compared(tool=title), lambda: self._compare(name, title))

    def _compare(self, name: str, title: str) -> None:
        with self._project.writing() as connection:
            connection.execute("DELETE FROM agreement WHERE tool <> ?", (title,))
        pages = [row["id"] for row in self._project.reading.execute(_UNKNOWN, (title,))]
        self._say(of=len(pages))
        given = name, making_of(self._project)
        with ChildPool(
            _comparer, given, workers=self._workers, seconds=2 * SECONDS, preload=find_facts.__module__
        ) as children:
            found = children.map(self._bodies(pages))
            while batch := list(islice(found, _BATCH)):
                self._store(batch, title)
        self._check()

    def _bodies(self, pages: list[int]) -> Iterator[_Asked]:
        for page in pages:
            if self._stopping.is_set():
                return
            try:
                body = read_body(self._project, page)
            except (DehuskError, KeyError):
                self._say(done=self._now.done + 1, failed=self._now.failed + 1)
                continue
            yield _Asked(page, body)

    def _store(self, batch: list[tuple[_Asked, tuple[float, str] | ChildError]], title: str) -> None:
        rows = [(asked.page, title, *found[::-1]) for asked, found in batch if not isinstance(found, ChildError)]
        with self._project.writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO agreement VALUES (?, ?, ?, ?)", rows)
        self._say(done=self._now.done + len(batch), failed=self._now.failed + len(batch) - len(rows))


def compared_tool(project: Project) -> str:
    """Return the name and version of the tool that pages were compared with; "" if they were not."""
    row = project.reading.execute("SELECT tool FROM agreement LIMIT 1").fetchone()
    return "" if row is None else str(row["tool"])


def _comparer(given: tuple[str, Making]) -> Callable[[_Asked], tuple[float, str]]:
    """Return the function of a child process: word F1 of what tool and project keep, and what made the latter."""
    name, making = given
    clean = load_tool(name)

    def compare(asked: _Asked) -> tuple[float, str]:
        data, url, headers = asked.body.data, asked.body.url, asked.body.headers
        ours = find_facts(data, url, headers, making)
        (theirs,) = to_outputs(clean([PageView(unwrap(decode(data, headers).text)[0], url)]))
        return round(word_bag(theirs.text, ours.text).f1, 4), ours.made_by

    return compare
