"""What the process does that judges methods: it cleans pages and counts the words that outcome and gold share."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from dehusk.base.errors import GoldError, InputError
from dehusk.document import Document
from dehusk.measures.metrics import WordBag, word_bag
from dehusk.measures.outcomes import FAILED
from dehusk.studio.opened import OpenedPages, ViewSettings, method_with
from dehusk.studio.page_gold import find_gold, judged_texts
from dehusk.studio.project import Project

READY = 0
"""A page that no project has: the process answers once it is ready."""

_PLAIN = ViewSettings("keep-all", rules=False)  # to know the blocks of a page that another tool cleaned


class JudgingChoice(NamedTuple):
    """What to judge."""

    folder: Path
    """Of the project."""
    settings: ViewSettings | None
    """None: texts of another tool, which come with the pages."""


class JudgedItem(NamedTuple):
    """A page to judge, as sent to the process."""

    page: int
    text: str = ""
    """What another tool kept of it."""


class PageJudgement(NamedTuple):
    """How an outcome compares with the gold of its page."""

    words: WordBag
    ms: float | None
    """CPU time from the bytes of the page to its text; None if it was not measured."""
    failure: str = ""
    """Why the page could not be cleaned, in one line."""


def begin_judging(choice: JudgingChoice) -> Callable[[JudgedItem], PageJudgement | str]:
    """Return the function that judges pages, called in the child process; it returns why a page is left out, in words.

    Raises:
        DehuskError: the project or the model cannot be read.
    """
    project = Project(choice.folder)
    opened, settings = OpenedPages(project), choice.settings
    if settings is not None and settings.site is None:
        method_with(settings, None)  # its model can be read
    warmed: list[bool] = []

    def handle(item: JudgedItem) -> PageJudgement | str:
        if item.page == READY:
            return ""
        try:
            if settings is None:
                return _of_tool(project, opened, item)
            clean = opened.prepared(item.page, settings)
            if not warmed:
                warmed.append(bool(clean().text))  # so that no time includes what is loaded on first use
            return _of_method(project, item.page, clean)
        except (InputError, GoldError) as error:
            return " ".join(str(error).split())

    return handle


def _of_method(project: Project, page: int, clean: Callable[[], Document]) -> PageJudgement | str:
    began = time.process_time()
    document = clean()
    document.text  # noqa: B018 (it is written when it is read)
    ms = 1000 * (time.process_time() - began)
    gold = find_gold(project, page, document)
    if gold is None:
        return "has no gold any more"
    texts = judged_texts(document, gold)
    failure = f"{document.status}: {document.message}" if document.status in FAILED else ""
    return PageJudgement(word_bag(texts.kept, texts.gold), round(ms, 3), failure)


def _of_tool(project: Project, opened: OpenedPages, item: JudgedItem) -> PageJudgement | str:
    gold = find_gold(project, item.page, opened.cleaned(item.page, _PLAIN))
    if gold is None:
        return "has no gold any more"
    if gold.is_partial:
        return "is labelled in part: nobody says whether the tool should have kept the rest"
    return PageJudgement(word_bag(item.text, gold.text), None)
