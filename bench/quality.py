"""Measure word-bag F1 of Victor on sites not seen in training, and of other tools on the same pages."""

import datetime as dt
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.evaluate.verdicts import judge, summarise_verdicts
from dehusk.lab.gold import splits
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.lab.train.labelled_pages import LabelledPage, label_samples
from dehusk.lab.train.victor import train_victor
from dehusk.label.victor.config import load_config
from dehusk.label.victor.method import Victor
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import word_bag
from dehusk.read import decode
from sets import OPEN_SETS, data_argument, set_path, write_results
from tools import TOOLS, run

FOLDS, SEED = 3, 0
Score = tuple[str, str, str, str | None, float, bool]
"""(set, page, site, page type, F1, failed) of one tool on one page."""


def labelled(data: Path, name: str) -> list[LabelledPage]:
    method = Victor(load_config(name))
    return [page for set_ in OPEN_SETS for page in label_samples(read_set(set_path(data, set_)), method)]


def web_fold(data: Path, left_out: int) -> list[Score]:
    """Train on all folds but one, and judge on that one."""
    pages = labelled(data, "web")
    fold = splits.folds_by_site([page.site for page in pages], FOLDS, seed=SEED)
    victor = train_victor(
        load_config("web"), [page for page, number in zip(pages, fold, strict=True) if number != left_out]
    )
    test_pages = [page for page, number in zip(pages, fold, strict=True) if number == left_out]
    return [_score(page, judge(victor, page).words.f1) for page in test_pages]


def _score(page: LabelledPage, f1: float, *, failed: bool = False) -> Score:
    return (page.sample.set, page.sample.id, page.site, page.sample.type, f1, failed)


def score_tools(data: Path, set_name: str) -> dict[str, list[Score]]:
    """Score the other tools on one set."""
    scores: dict[str, list[Score]] = defaultdict(list)
    for page in label_samples(read_set(set_path(data, set_name)), Victor(load_config("web"))):
        html = decode(page.sample.bare).text
        for name, tool in TOOLS.items():
            text, failed = run(tool, html)
            scores[name].append(_score(page, word_bag(text, page.sample.gold_text).f1, failed=failed))
    return dict(scores)


def cleaneval(data: Path) -> list[list[str]]:
    """Train `cleaneval` on the development set and score the final set, by both decision rules."""
    rows = [["decide", "P", "R", "F1", "5 labels", "content-noise", "text-only", "markup-only"]]
    for decide in ("labels", "expected-f1"):
        config = load_config("cleaneval")
        config = type(config)(**{**vars(config), "decide": decide})
        train_pages, test_pages = (
            label_samples(read_set(set_path(data, name)), Victor(config))
            for name in ("cleaneval-dev", "cleaneval-final")
        )
        victor = train_victor(config, train_pages)
        summary = summarise_verdicts([judge(victor, page) for page in test_pages])
        assert summary.five_labels and summary.content_noise and summary.text_only and summary.markup_only
        words = [f"{figure.mean:.3f}" for figure in (summary.precision, summary.recall, summary.words)]
        labels = [f"{figure.pooled:.1f}" for figure in (summary.five_labels, summary.content_noise)]
        scores = [f"{figure.mean:.1f}" for figure in (summary.text_only, summary.markup_only)]
        rows.append([decide, *words, *labels, *scores])
    return rows


def interval(scores: list[Score]) -> str:
    """Return a 95 % bootstrap interval of the mean, resampled by site."""
    return str(bootstrap_interval([score[4] for score in scores], [score[2] for score in scores], seed=SEED))


def table(scores: dict[str, list[Score]]) -> list[list[str]]:
    """Return a row for each set, and for each page type of WCXB."""
    groups: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for tool, rows in scores.items():
        for row in rows:
            groups[row[0]][tool].append(row)
            if row[3]:
                groups[f"{row[0]}: {row[3]}"][tool].append(row)
    victor, *others = scores
    head = ["set", "pages", victor, "95 %", *others]
    body = []
    for name in sorted(groups):
        rows = groups[name][victor]
        cells = [f"{np.mean([row[4] for row in groups[name][tool]]):.3f}" for tool in others]
        failed = [sum(row[5] for row in groups[name][tool]) for tool in others]
        cells = [f"{cell} ({n} failed)" if n else cell for cell, n in zip(cells, failed, strict=True)]
        body.append([name, str(len(rows)), f"{np.mean([row[4] for row in rows]):.3f}", interval(rows), *cells])
    return [head, *body]


def main() -> None:
    data = data_argument(__doc__ or "")
    victor = f"dehusk victor web, {FOLDS} folds by site"
    scores: dict[str, list[Score]] = {victor: []}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        for part in processes.map(partial(web_fold, data), range(FOLDS)):
            scores[victor] += part
        for by_tool in processes.map(partial(score_tools, data), OPEN_SETS):
            for name, rows in by_tool.items():
                scores.setdefault(name, []).extend(rows)
    cleaneval_rows = cleaneval(data)
    prints = {name: set_fingerprint(set_path(data, name)) for name in OPEN_SETS}
    text = (
        f"# Quality on unseen sites\n\n`python bench/quality.py DATA`, {dt.date.today()}, sets pinned by "
        f"the hashes in quality.json. Word-bag F1, mean over pages; no tool gets CLEANEVAL's wrapper.\n\n"
        f"{markdown_table(table(scores))}\n## cleaneval-dev → cleaneval-final\n\n"
        f"Trained on the development set only.\n\n{markdown_table(cleaneval_rows)}"
    )
    means = {
        tool: {name: float(np.mean([r[4] for r in rows if r[0] == name])) for name in OPEN_SETS}
        for tool, rows in scores.items()
    }
    write_results("quality", text, {"sets": prints, "f1": means, "cleaneval": cleaneval_rows}, judges="none")


if __name__ == "__main__":
    main()
