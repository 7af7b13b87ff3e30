"""Judge the united labeller on sites not seen in training: by folds, without a family of sets, by style, with the site.

Word-bag F1 of each page's kept blocks, mean over pages; each Han, kana or Thai character counts as a word. Folds are by
site over all sets together. The evidence of a site is learned from the pages of the set that share its domain.
"""

import argparse
import datetime as dt
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.stats import spearmanr

from dehusk import Site, write
from dehusk.base.errors import Status
from dehusk.blocks.labels import OTHER
from dehusk.blocks.units import decision_groups
from dehusk.document import Document
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.evaluate.tools import block_marks
from dehusk.lab.gold import splits
from dehusk.lab.gold.datasets import set_fingerprint
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.lab.train.united import TrainingSet
from dehusk.label.united import United
from dehusk.measures.facts import FactCounts, facts_kept
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import word_bag
from dehusk.measures.probabilities import Calibration, calibration
from sets import set_path, sets_found, spaced, write_results
from training_sets import FACTS, STUDENT, STYLES, hand_pages, train_as_shipped, training_set

FOLDS, SEED = 3, 0
FAMILIES = {
    "dragnet": ("dragnet-a",),
    "chaos and big9": ("chaos-a", "big9-2013", "big9-2005"),
    "cleaneval": ("cleaneval-dev", "cleaneval-final"),
    "WCXB": ("wcxb-dev",),
    "recipes": ("recipes-a",),
    "forums": ("harvest-a", "magic-forum-a", "site-asp-forums", "site-android-questions", "site-zhihu-a"),
}
SIZES = (2, 5, 10)
"""Pages of a site that its model is learned from."""
BY_SITE = ("big9-2005", "big9-2013", "cleanportaleval-a", "daniel-a")


@dataclass(frozen=True)
class Figure:
    """The result of one page in one setting."""

    setting: str
    index: int
    f1: float
    confidence: float
    facts: FactCounts | None = None


@dataclass(frozen=True)
class Task:
    """One model to train and judge."""

    name: str
    training: Sequence[int]
    held: Sequence[int]
    full: bool
    """Whether to judge styles, sites and calibration too."""


def judge_page(setting: str, method: United, pages: TrainingSet, index: int) -> Figure:
    page = pages.pages[index]
    labels = method.label(page.blocks)
    texts = page.blocks.texts
    kept = "\n".join(text for text, keep in zip(texts, labels.kept.tolist(), strict=True) if keep)
    confidence = Document(Status.OK, "", labels).confidence
    if page.sample.set in FACTS and (page.codes < 0).all():
        return Figure(setting, index, float("nan"), confidence, facts_kept(kept, page.sample.facts))
    return Figure(setting, index, word_bag(spaced(kept), spaced(page.sample.gold_text)).f1, confidence)


def trains_auto(pages: TrainingSet, index: int) -> bool:
    """Return whether a page's labels are right for auto, and its gold text is on the page."""
    inputs = pages.inputs[index]
    return inputs is not None and 0 in inputs.styles


def judge_styles(model: United, pages: TrainingSet, held: Iterable[int]) -> list[Figure]:
    """Judge each page with a gold text in the style of its set; pages with labels of the rubric have none."""
    figures = []
    for index in held:
        page = pages.pages[index]
        style = STYLES.get(page.sample.set, "auto")
        if style != "auto" and page.agreement is not None:
            figures.append(judge_page("style", model.using(style=style), pages, index))
    return figures


def judge_sites(model: United, pages: TrainingSet, held: Iterable[int]) -> list[Figure]:
    sites, figures = defaultdict(list), []
    for n in held:
        if pages.pages[n].sample.set in BY_SITE:
            sites[pages.pages[n].sample.set, pages.pages[n].site].append(n)
    for size in SIZES:
        for members in sites.values():
            if len(members) < 2:
                continue
            for group in np.array_split(np.array(members), max(1, len(members) // size)):
                site = Site(mixed=True, structure=False).fit([pages.pages[n].blocks for n in group.tolist()])
                with_site = model.using(site=site)
                figures += [judge_page(f"site of {size}", with_site, pages, n) for n in group.tolist()]
    return figures


def calibrated(model: United, page: LabelledPage) -> Calibration:
    labels = model.label(page.blocks)
    labelled = page.codes >= 0
    return calibration(labels.probability[labelled], page.codes[labelled] != OTHER)


def calibrated_units(model: United, page: LabelledPage) -> Calibration:
    """Compare the probabilities of units of several blocks with whether most of their words are content."""
    labelled = np.flatnonzero(page.codes >= 0)
    group = np.unique(decision_groups(page.blocks)[labelled], return_inverse=True)[1]
    weight = page.blocks.words[labelled] + 1.0
    total, size = np.bincount(group, weight), np.bincount(group)
    probability = np.bincount(group, weight * model.label(page.blocks).probability[labelled]) / total
    is_content = 2 * np.bincount(group, weight * (page.codes[labelled] != OTHER)) > total
    return calibration(np.minimum(probability[size > 1], 1.0), is_content[size > 1])


def run_task(task: Task) -> tuple[str, list[Figure], list[Calibration], list[Calibration]]:
    pages = _shared["pages"]
    folder: Path | None = _shared["folder"]
    saved = folder / task.name.replace(" ", "-") if folder else None
    if saved and saved.is_dir():
        model = United.load(saved)
    else:
        model = train_as_shipped(pages.subset(task.training), _shared["schedule"])
    if saved:
        model.save(saved)
    figures = [judge_page(task.name, model, pages, index) for index in task.held]
    counts: list[Calibration] = []
    units: list[Calibration] = []
    if task.full:
        figures += judge_styles(model, pages, task.held) + judge_sites(model, pages, task.held)
        of_auto = [pages.pages[n] for n in task.held if trains_auto(pages, n)]
        labelled = [page for page in of_auto if (page.codes >= 0).any()]
        counts = [calibrated(model, page) for page in labelled]
        units = [calibrated_units(model, page) for page in labelled]
        write_predictions(model, pages, task)
    print(f"{task.name}: {len(task.training)} pages trained on, {len(task.held)} judged", flush=True)
    return task.name, figures, counts, units


def write_predictions(model: United, pages: TrainingSet, task: Task) -> None:
    """Write what a model of a fold keeps, for bench/facts.py and bench/completeness.py."""
    if _shared["folder"] is None:
        return
    lines = []
    for index in task.held:
        page = pages.pages[index]
        labels = model.label(page.blocks)
        text = write.to_text(labels)
        lines.append(
            Prediction(page.sample.set, page.sample.id, "dehusk by folds", text, blocks=block_marks(labels)).line()
        )
    name = f"{task.name}.jsonl".replace(" ", "-")
    (_shared["folder"] / name).write_text("".join(dict.fromkeys(lines)), "utf-8")


_shared: dict = {}
"""Inherited by the child processes."""


def tasks(pages: TrainingSet, *, families: bool) -> list[Task]:
    sites = [page.site for page in pages.pages]
    fold = splits.folds_by_site(sites, FOLDS, seed=SEED)
    every = np.arange(len(pages))
    found = [Task(f"fold {n}", every[fold != n].tolist(), every[fold == n].tolist(), True) for n in range(FOLDS)]
    for name, sets in FAMILIES.items() if families else ():
        out = [n for n, page in enumerate(pages.pages) if page.sample.set in sets]
        out_sites = {sites[n] for n in out}
        found.append(Task(name, [n for n in every.tolist() if sites[n] not in out_sites], out, False))
    return found


def groups_of(pages: TrainingSet) -> dict[str, list[int]]:
    """Return group -> its pages: sets, types of page, and pages with labels of the rubric by their kind."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(pages.pages):
        name, kind = page.sample.set, page.sample.type
        inputs = pages.inputs[number]
        if page.agreement is None and (page.codes >= 0).any():
            groups["by the rubric"].append(number)
            groups[f"by the rubric: {kind}"].append(number)
        elif inputs is None or 0 in inputs.styles:
            groups[name].append(number)
            if kind and name in ("wcxb-dev", "daniel-a"):
                groups[f"{name}: {kind}"].append(number)
    return groups


def row(name: str, pages: TrainingSet, by: dict[str, dict[int, Figure]], numbers: list[int]) -> list[str]:
    """Return the table row of a group of pages with gold texts."""
    auto = [by["auto"][n].f1 for n in numbers]
    interval = str(bootstrap_interval(auto, [pages.pages[n].site for n in numbers], seed=SEED))
    rest = []
    for setting in ("style", "family left out"):
        f1 = [by[setting][n].f1 for n in numbers if n in by[setting]]
        rest.append(f"{np.mean(f1):.3f}" if len(f1) == len(numbers) else "")
    return [name, str(len(numbers)), f"{np.mean(auto):.3f}", interval, *rest]


def fact_row(name: str, by: dict[str, dict[int, Figure]], numbers: list[int]) -> list[str]:
    """Return the table row of a set with facts: facts kept, pages whole, words kept."""
    cells = []
    for setting in ("auto", "family left out"):
        counts = [by[setting][n].facts for n in numbers if n in by[setting]]
        present = [count for count in counts if count is not None and count.pages]
        if len(counts) < len(numbers):
            cells += ["", "", ""]
            continue
        shares = (np.mean([getattr(count, part) for count in present]) for part in ("recall", "whole_share"))
        cells += [*(f"{share:.3f}" for share in shares), f"{np.mean([count.words for count in present]):,.0f}"]
    return [name, str(len(numbers)), *cells]


def site_rows(pages: TrainingSet, by: dict[str, dict[int, Figure]]) -> list[list[str]]:
    rows = [["set", "site of", "pages", "without", "with", "gain", "worst site", "best site"]]
    for name in BY_SITE:
        for size in SIZES:
            with_size = {n: f for n, f in by[f"site of {size}"].items() if pages.pages[n].sample.set == name}
            gains: dict[str, list[float]] = defaultdict(list)
            for n, figure in with_size.items():
                gains[pages.pages[n].site].append(figure.f1 - by["auto"][n].f1)
            means = [float(np.mean(of_site)) for of_site in gains.values()]
            before, after = (
                float(np.mean([by[setting][n].f1 for n in with_size])) for setting in ("auto", f"site of {size}")
            )
            cells = [
                f"{before:.4f}",
                f"{after:.4f}",
                f"{after - before:+.4f}",
                f"{min(means):+.3f}",
                f"{max(means):+.3f}",
            ]
            rows.append([name, f"{size} pages", str(len(with_size)), *cells])
    return rows


def by_setting(figures: Iterable[Figure]) -> dict[str, dict[int, Figure]]:
    by: dict[str, dict[int, Figure]] = defaultdict(dict)
    for figure in figures:
        name = figure.setting
        key = "auto" if name.startswith("fold") else "family left out" if name in FAMILIES else name
        by[key][figure.index] = figure
    return by


def test_rows(data: Path, model: United) -> list[list[str]]:
    """Judge a model on the pages with labels of the rubric for testing."""
    kinds: dict[str, list[float]] = defaultdict(list)
    pages = TrainingSet()
    pages.add(hand_pages(data, "test"))
    for number, page in enumerate(pages.pages):
        f1 = judge_page("test", model, pages, number).f1
        for kind in ("all", str(page.sample.type)):
            kinds[kind].append(f1)
    return [
        ["kind", "pages", "F1"],
        *([kind, str(len(f1)), f"{np.mean(f1):.3f}"] for kind, f1 in sorted(kinds.items())),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument(
        "--models",
        type=Path,
        help="folder of the models and predictions of the folds; models that are there are not trained again",
    )
    parser.add_argument("--workers", type=int, default=2, help="models to train at once; figures do not depend on it")
    parser.add_argument("--width", type=int, default=STUDENT.width, help="width of the net")
    parser.add_argument("--no-families", action="store_true", help="do not train models without a family of sets")
    arguments = parser.parse_args()
    pages = training_set(arguments.data)
    _shared.update(pages=pages, folder=arguments.models, schedule=replace(STUDENT, width=arguments.width))
    with get_context("fork").Pool(arguments.workers, maxtasksperchild=1) as pool:
        done = list(pool.imap(run_task, tasks(pages, families=not arguments.no_families), chunksize=1))
    by = by_setting(figure for task in done for figure in task[1])
    blocks, units = (Calibration.total([count for task in done for count in task[part]]) for part in (2, 3))
    report(arguments.data, pages, by, blocks, units)


def report(
    data: Path, pages: TrainingSet, by: dict[str, dict[int, Figure]], total: Calibration, units: Calibration
) -> None:
    groups = groups_of(pages)
    gold = [name for name in sorted(groups) if name not in FACTS]
    head = ["set", "pages", "auto", "95 %", "own style", "family left out"]
    by_set = [head, *(row(name, pages, by, groups[name]) for name in gold)]
    fact_head = ["set", "pages", "facts kept", "pages whole", "words", "family left out", "whole", "words"]
    facts = [fact_head, *(fact_row(name, by, groups[name]) for name in FACTS)]
    sites, tests = site_rows(pages, by), test_rows(data, United.load(SHIPPED))
    auto = [figure for n, figure in by["auto"].items() if figure.facts is None and trains_auto(pages, n)]
    rank = spearmanr([figure.confidence for figure in auto], [figure.f1 for figure in auto]).statistic
    text = (
        f"# The united labeller on unseen sites\n\n`python bench/united.py DATA`, {dt.date.today()}: {FOLDS} folds "
        f"by site over {len(pages)} pages; word-bag F1, mean over pages, intervals by site.\n\n"
        f"{markdown_table(by_set)}\n## Facts\n\n{markdown_table(facts)}\n"
        f"## Pages labelled by the rubric, sites for testing\n\nThe labels are by a language model. The shipped model judges; docs/united-training.md says what its teacher saw of these "
        f"sites.\n\n"
        f"{markdown_table(tests)}\n## With the site's other pages\n\n{markdown_table(sites)}\n"
        f"## Probabilities\n\nExpected calibration error {total.ece():.4f}, Brier score {total.brier:.4f} over "
        f"{total.events} blocks; {units.ece():.4f} over {units.events} units of several blocks; rank correlation of a page's confidence with its F1: {rank:.3f}.\n"
    )
    sets = {name: set_fingerprint(set_path(data, name)) for name in sets_found(data, (*STYLES, *FACTS))}
    values = {
        "sets": sets,
        "tables": [by_set, facts, tests, sites],
        "ece": total.ece(),
        "units": units.ece(),
        "spearman": float(rank),
    }
    write_results("united", text, values, judges="folds")


SHIPPED = Path(__file__).parents[1] / "src" / "dehusk" / "models" / "united"


if __name__ == "__main__":
    main()
