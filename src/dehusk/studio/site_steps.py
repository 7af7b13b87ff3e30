"""What a child process does to learn a site: read its pages one by one, then learn step by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import dehusk
from dehusk.base.errors import MissingExtraError
from dehusk.counts.model import Site
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, page_string
from dehusk.sites.alternation.find_optimal import Search
from dehusk.sites.wisdom import Wisdom, WisdomCounts
from dehusk.studio.site_store import ALTERNATION, SITE, SURFACE, WISDOM, write_documents

MOST_CHARACTERS = 2_000_000
"""Characters of the documents that the surface is computed of; further pages are left out of it."""
_MOST_BYTES = 60_000_000  # of all pages
_PATHS: dict[str, dict[str, Any]] = {"as printed": {}, "looking 4 steps ahead": {"look_ahead": 4}}
_LENGTHS, _PERCENTS, _MARGIN = 60, 40, 4  # least extent of a surface, and what is shown beyond the end of a path
_MOST_LENGTHS = 150


class StudyPage(NamedTuple):
    """A page to learn from."""

    data: bytes
    url: str
    headers: Mapping[str, str]


class StudyStep(NamedTuple):
    """One step after the pages: its name in `STEPS`, and the folder to write to."""

    name: str
    folder: Path


STEPS = {
    "site": "what the pages share, and the structure tree",
    "wisdom": "the entropy of words, and links",
    "alternation": "frequent n-grams",
    "surface": "FindOptimal's search and surface",
}
"""Step -> what it learns."""


class SiteStudy:
    """Collects pages and learns from them; used in a child process."""

    def __init__(self) -> None:
        self._pages: list[Page] = []
        self._bytes = 0

    def work(self, item: StudyPage | StudyStep) -> str:
        """Do one step; return what people should know about it, in one line, or ""."""
        if isinstance(item, StudyPage):
            return self._add(item)
        steps: dict[str, Callable[[Path], str]] = {
            "site": self._site,
            "wisdom": self._wisdom,
            "alternation": self._alternation,
            "surface": self._surface,
        }
        return steps[item.name](item.folder)

    def _add(self, given: StudyPage) -> str:
        self._bytes += len(given.data)
        if self._bytes > _MOST_BYTES:
            return f"left out: the pages are larger than {_MOST_BYTES // 1_000_000} MB together"
        page = dehusk.parse(given.data, given.url or None, given.headers)
        if not len(page):
            return f"left out: {page.message or 'it has no content'}"
        self._pages.append(page)
        return ""

    def _site(self, folder: Path) -> str:
        site = Site(mixed=True).fit(self._pages)  # one site by the host of the pages' addresses
        site.save(folder / SITE)
        return site.warning

    def _wisdom(self, folder: Path) -> str:
        for preset, name in WISDOM.items():
            try:
                _wisdom_of(self._pages, preset).save(folder / name)
            except MissingExtraError as error:
                return f"WISDOM with the paper's terms: {error}"
        return ""

    def _alternation(self, folder: Path) -> str:
        method = Alternation().fit(self._pages)
        method.save(folder / ALTERNATION)
        return method.warning

    def _surface(self, folder: Path) -> str:
        documents, size = list[str](), 0
        for page in self._pages:
            text = page_string(page).text
            size += len(text)
            if len(documents) > 1 and size > MOST_CHARACTERS:
                break
            documents.append(text[:MOST_CHARACTERS])
        write_documents(folder, documents)
        (folder / SURFACE).write_text(json.dumps(surface_record(documents)), "utf-8")
        left = len(self._pages) - len(documents)
        return f"the surface is of the first {len(documents)} pages, {size:,} characters" if left else ""


def begin_study(_argument: None) -> Callable[[StudyPage | StudyStep], str]:
    """Return the function that does the steps of one site."""
    return SiteStudy().work


def surface_record(documents: list[str]) -> dict[str, Any]:
    """Return the alternation counts of documents over n and a, and the paths of the search, as plain values."""
    search: Search = "printed"
    found = {name: FindOptimal(search, **options).fit(documents) for name, options in _PATHS.items()}
    ends = [cut.path_[-1] for cut in found.values()]
    lengths = range(2, min(_MOST_LENGTHS, max(_LENGTHS, *(end.n + _MARGIN for end in ends))) + 1)
    percents = range(1, min(100, max(_PERCENTS, *(end.a + _MARGIN for end in ends))) + 1)
    grid = FindOptimal(search).surface(documents, lengths, percents)
    return {
        "documents": len(documents),
        "characters": sum(map(len, documents)),
        "lengths": list(lengths),
        "percents": list(percents),
        "alternation": grid.alternation.tolist(),
        "threshold": grid.threshold.tolist(),
        "paths": [
            {"name": name, "points": [list(point) for point in cut.path_], "warning": cut.warning}
            for name, cut in found.items()
        ],
    }


def _wisdom_of(pages: list[Page], preset: str) -> Wisdom:
    method = Wisdom(preset=preset)  # type: ignore[arg-type]
    return method.fit_counts(WisdomCounts.total([method.count([page]) for page in pages]))
