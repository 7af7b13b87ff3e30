"""Real pages with classes that do not depend on any cleaner, and how they are divided for cross-validation.

Classes of forum pages are what the pages themselves say, so what says it, or was chosen by it, is removed before any tool
sees the page:

* forums.asp.net: the board of a thread, from the breadcrumb; one page per thread, boards with 20 threads and more. The
  box beside the thread goes too: its links depend on the board.
* android.stackexchange.com: the tag of a question, from its list of tags; tags with 15 questions and more, questions
  with exactly one of them. All links to tags are removed, the tag with which some titles start, and the lists of related
  questions, which the site chooses by tags; a second task keeps these lists, to show what they are worth.

Boards' and tags' names that people use in their posts stay, because they are content. Pages of site-webkb and daniel-a
are as published; their classes come with the sets (class of page, language).
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedKFold

from dehusk.lab.evaluate.site_groups import site_of_sample
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.lab.papers.cst import Strings
from sets import set_path

SEEDS = (0, 1, 2)
_BOARD = re.compile(r'<a href="/\d+\.aspx/1[^"]*" title="([^"]*)"')
_BREADCRUMB = re.compile(r'<div class="header-breadcrumb-content">(.*?)</div>', re.DOTALL)
_BOX = re.compile(r'<div class="module-nav-container">.*?(?=<ul class="comment-list")', re.DOTALL)
_THREAD = re.compile(r"forums\.asp\.net/+(?:t/\d+\.aspx|p/\d+)")
_THREAD_NUMBER = re.compile(r'href="/t/(\d+)')
_TAG_LIST = re.compile(r'<div class="post-taglist">(.*?)</div>', re.DOTALL)
_TAG = re.compile(r'/questions/tagged/([^"]*)"')
_TAG_LINK = re.compile(r'<a href="/questions/tagged/[^>]*>.*?</a>', re.DOTALL)
_RELATED = re.compile(
    r'<div class="module sidebar-(?:linked|related)">.*?(?=<div id="hot-network-questions")', re.DOTALL
)
_QUESTION = re.compile(r"stackexchange\.com/questions/(\d+)")
_TITLE = re.compile(r"<title>\s*([^<]*?) - ")


@dataclass(frozen=True)
class Task:
    """Pages with their classes.

    Attributes:
        name: the set and what is to be told.
        samples: the pages, without the elements that name the class.
        truth: the class of each page.
        groups: the site of each page; for pages of one site, the page.
        folds: for each seed the fold of each page.
    """

    name: str
    samples: tuple[Sample, ...]
    truth: Strings
    groups: tuple[str, ...]
    folds: tuple[np.ndarray, ...]

    @property
    def classes(self) -> Counter[str]:
        """Number of pages of each class."""
        return Counter(self.truth.tolist())


def tasks(data: Path) -> list[Task]:
    """Return all tasks."""
    pages = {name: list(read_set(set_path(data, name))) for name, _ in TASKS}
    return [make(name, pages[name]) for name, make in TASKS]


def universities(name: str, samples: Sequence[Sample]) -> Task:
    """Return the task of the class of a page; each university is a fold."""
    truth, site = _types(samples), [str(sample.site) for sample in samples]
    ids = tuple(sample.id for sample in samples)
    return Task(f"{name} by class", tuple(samples), truth, ids, (np.array(site),))


def languages(name: str, samples: Sequence[Sample]) -> Task:
    """Return the task of the language of a page; the pages of a site are in the same fold."""
    truth, sites = _types(samples), tuple(map(site_of_sample, samples))
    folds = [GroupKFold(5, shuffle=True, random_state=seed).split(truth, groups=sites) for seed in SEEDS]
    return Task(
        f"{name} by language", tuple(samples), truth, sites, tuple(_numbers(fold, len(truth)) for fold in folds)
    )


def _types(samples: Sequence[Sample]) -> Strings:
    return np.array([sample.type for sample in samples], dtype=np.str_)


def boards(name: str, samples: Sequence[Sample], *, least: int = 20) -> Task:
    """Return the task of the board of a thread, for boards with enough threads."""
    threads: dict[str, tuple[str, Sample]] = {}
    for sample in samples:
        html = sample.data.decode("latin-1")
        crumbs = _BREADCRUMB.search(html) if _THREAD.search(sample.url or "") else None
        board = _BOARD.search(crumbs[1]) if crumbs else None
        thread = _THREAD_NUMBER.search(crumbs[1]) if crumbs else None
        if board and thread and thread[1] not in threads:
            threads[thread[1]] = unescape(board[1]), _with_html(sample, _BOX.sub("", _BREADCRUMB.sub("", html)))
    return _of_one_site(f"{name} by board", list(threads.values()), least)


def questions_with_related(name: str, samples: Sequence[Sample]) -> Task:
    """Return the task of the tag of a question, with the lists of related questions."""
    task = questions(name, samples, related=True)
    return replace(task, name=f"{task.name}, with the lists of related questions")


def questions(name: str, samples: Sequence[Sample], *, least: int = 15, related: bool = False) -> Task:
    """Return the task of the tag of a question, for tags with enough questions."""
    tagged: dict[str, tuple[set[str], Sample]] = {}
    for sample in samples:
        html = sample.data.decode("latin-1")
        tag_list, question = _TAG_LIST.search(html), _QUESTION.search(sample.url or "")
        if tag_list and question and question[1] not in tagged:
            bare = _without_tags(html if related else _RELATED.sub("", html), tag_list[1])
            tagged[question[1]] = set(_TAG.findall(tag_list[1])), _with_html(sample, bare)
    common = {
        tag for tag, count in Counter(tag for tags, _ in tagged.values() for tag in tags).items() if count >= least
    }
    single = [(*(tags & common), sample) for tags, sample in tagged.values() if len(tags & common) == 1]
    return _of_one_site(f"{name} by tag", single, 0)


def _without_tags(html: str, tag_list: str) -> str:
    tags = set(_TAG.findall(tag_list))
    bare = _TITLE.sub(lambda title: "<title>" if title[1].replace(" ", "-") in tags else title[0], html)
    return _TAG_LINK.sub("", bare)


def _with_html(sample: Sample, html: str) -> Sample:
    return replace(sample, data=html.encode("latin-1"))


def _of_one_site(name: str, labelled: Sequence[tuple[str, Sample]], least: int) -> Task:
    """Return the task of the classes with enough pages, divided into five folds with the same share of each class."""
    counts = Counter(label for label, _ in labelled)
    chosen = [(label, sample) for label, sample in labelled if counts[label] >= least]
    truth = np.array([label for label, _ in chosen], dtype=np.str_)
    folds = [StratifiedKFold(5, shuffle=True, random_state=seed).split(truth, truth) for seed in SEEDS]
    samples = tuple(sample for _, sample in chosen)
    numbers = tuple(_numbers(fold, len(truth)) for fold in folds)
    return Task(name, samples, truth, tuple(sample.id for sample in samples), numbers)


def _numbers(splits: object, count: int) -> np.ndarray:
    """Return the fold of each page."""
    fold = np.zeros(count, dtype=int)
    for number, (_, test) in enumerate(splits):  # type: ignore[arg-type, var-annotated]
        fold[test] = number
    return fold


TASKS: tuple[tuple[str, Callable[[str, Sequence[Sample]], Task]], ...] = (
    ("site-webkb", universities),
    ("daniel-a", languages),
    ("site-asp-forums", boards),
    ("site-android-questions", questions),
    ("site-android-questions", questions_with_related),
)
"""The set of each task, and what makes the task of the set's pages."""
