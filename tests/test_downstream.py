"""The tasks and scores of bench/downstream.py: classes come from the pages, and cleaners do not see what names them."""

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from dehusk.lab.evaluate import tools
from dehusk.lab.gold.datasets import Sample

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import downstream
import downstream_tasks
import mining_scores
import tool_texts


def sample(number: int, html: str, url: str, *, site: str | None = None, type_: str | None = None) -> Sample:
    return Sample("set", f"page{number}", html.encode(), url, site, type_, None)


def thread(number: int, board: str, *, page: int = 0) -> Sample:
    html = (
        f'<title>Thread {number}</title><div class="header-breadcrumb-content">'
        '<a href="/default.aspx/7" title="All">All</a>'
        f'<a href="/{len(board)}.aspx/1?x" title="{board}">{board}</a><a href="/t/{number}.aspx" title="T">T</a></div>'
        f'<div class="module-nav-container"><h2>Links of {board}</h2></div><ul class="comment-list">'
        f"<li>Post {number} of page {page}</ul>"
    )
    return sample(100 * page + number, html, f"http://forums.asp.net/{'p' if page else 't'}/{number}.aspx")


def question(number: int, *tags: str) -> Sample:
    links = "".join(f'<a href="/questions/tagged/{tag}" class="post-tag" rel="tag">{tag}</a>' for tag in tags)
    html = (
        f"<title>{tags[0].replace('-', ' ')} - A question - Site</title><p>Question {number}</p>"
        f'<div class="post-taglist">{links}</div><h2>Browse other questions tagged {links}</h2>'
        '<div class="module sidebar-related"><h4>Related</h4><div>Another adb</div></div>'
        '<div id="hot-network-questions">'
    )
    return sample(number, html, f"http://android.stackexchange.com/questions/{number}/words")


def test_boards_come_from_breadcrumbs_that_cleaners_do_not_see() -> None:
    pages = [thread(n, "Web Forms" if n % 2 else "R&amp;D") for n in range(12)]
    pages += [thread(1, "Web Forms", page=1), thread(50, "Small"), sample(60, "<p>No breadcrumb", "http://x.example/")]
    task = downstream_tasks.boards("forums", pages, least=5)
    assert task.classes == {"Web Forms": 6, "R&D": 6}  # each thread once, small boards not at all
    for page, board in zip(task.samples, task.truth, strict=True):
        assert b"Post" in page.data
        assert board.encode() not in page.data
        assert b"breadcrumb" not in page.data
    assert all(Counter(folds[task.truth == "R&D"].tolist()).keys() == set(range(5)) for folds in task.folds)


def test_tags_come_from_questions_with_exactly_one_of_them_and_are_removed() -> None:
    pages = [question(n, "factory-reset", f"rare{n}") for n in range(6)] + [question(n, "adb") for n in range(10, 16)]
    pages += [question(20, "adb", "factory-reset"), question(10, "adb")]  # two classes; a second address of a question
    task = downstream_tasks.questions("questions", pages, least=6)
    assert task.classes == {"factory-reset": 6, "adb": 6}
    for page in task.samples:
        assert b"Question" in page.data
        assert not any(word in page.data for word in (b"adb", b"factory", b"rare", b"Related"))
    kept = downstream_tasks.questions("questions", pages, least=6, related=True)
    assert kept.classes == task.classes
    assert all(b"Another adb" in page.data for page in kept.samples)


def test_pages_of_a_site_are_never_in_two_folds() -> None:
    types = ("Greek", "Polish", "English")
    pages = [
        sample(n, "<p>x", f"http://s{n % 11}.example/{n}", site=f"s{n % 11}.example", type_=types[n % 3])
        for n in range(60)
    ]
    task = downstream_tasks.languages("languages", pages)
    assert len(task.folds) == 3
    for folds in task.folds:
        assert len(np.unique(folds)) == 5
        assert len({(site, fold) for site, fold in zip(task.groups, folds.tolist(), strict=True)}) == 11


def test_the_tools_exist() -> None:
    assert all(tool in tools.known_tools() for tool in downstream.TOOLS)


def test_a_table_compares_each_tool_with_all_text() -> None:
    pages = [thread(n, "Web Forms" if n % 2 else "Other board") for n in range(10)]
    task = downstream_tasks.boards("forums", pages, least=5)
    good = [f"{'form grid' if label == 'Web Forms' else 'board other'} {n}" for n, label in enumerate(task.truth)]
    figures = {downstream.ALL_TEXT: downstream.evaluate(["same words"] * 9 + [""], task)}
    figures["dehusk"] = downstream.evaluate(good, task)
    assert figures["dehusk"]["macro F"] == 1
    assert np.mean(figures["dehusk"]["F of clusters"]) > np.mean(figures[downstream.ALL_TEXT]["F of clusters"])
    assert figures[downstream.ALL_TEXT]["empty pages"] == 1
    text = downstream.table(task, figures)
    assert "| 1.000 (1.000–1.000) | +0.5" in " ".join(text.split())


def test_the_interval_of_macro_f_contains_it_and_agrees_with_scikit_learn() -> None:
    random = np.random.default_rng(0)
    truth = random.choice(["a", "b", "c"], 300)
    predicted = np.where(random.random(300) < 0.7, truth, random.choice(["a", "b", "c"], 300))
    f = f1_score(truth, predicted, average="macro")
    assert mining_scores.macro_f(predicted, truth) == pytest.approx(f)
    low, high = mining_scores.macro_f_interval(predicted, truth, np.zeros(300))
    assert low < f < high
    assert 0.05 < high - low < 0.2
    exact = mining_scores.macro_f_interval(truth, truth, np.zeros(300))
    assert exact == (1, 1)


def test_texts_of_tools_are_kept_and_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [thread(n, "Board") for n in range(3)]
    first = tool_texts.tool_texts(["dehusk-keep-all"], pages[:2], tmp_path / "new")
    (cache,) = (tmp_path / "new").iterdir()
    assert "Post 1 of page 0" in first["dehusk-keep-all"][1]
    assert len(cache.read_text("utf-8").splitlines()) == 2
    both = tool_texts.tool_texts(["dehusk-keep-all"], pages, cache.parent)
    assert both["dehusk-keep-all"][:2] == first["dehusk-keep-all"]
    assert len(cache.read_text("utf-8").splitlines()) == 3
    monkeypatch.setattr("dehusk.lab.evaluate.benchmark.Child", None)  # nothing is left to run
    assert tool_texts.tool_texts(["dehusk-keep-all"], pages, cache.parent) == both
    monkeypatch.setattr(tool_texts, "package_hash", lambda: "other code")
    with pytest.raises(TypeError):  # the texts of other code do not count
        tool_texts.tool_texts(["dehusk-keep-all"], pages, cache.parent)
