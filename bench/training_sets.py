"""The pages that the united labeller is trained on: sets with gold texts, sets with facts, pages with labels of the rubric."""

from collections.abc import Iterable
from pathlib import Path

from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.lab.gold.hand_labels import HandLabels, read_hand_labels
from dehusk.lab.train.labelled_pages import LabelledPage, label_by_hand, label_samples, without_labels
from dehusk.lab.train.net import Schedule
from dehusk.lab.train.united import TrainingSet, train_united
from dehusk.label.baseline import KeepAll
from dehusk.label.united import United
from sets import set_path, sets_found

LABELS = Path(__file__).parents[1] / "labels" / "pages.jsonl"
STYLES = {
    "wcxb-dev": "core",
    "dragnet-a": "comments",
    "chaos-a": "article",
    "scrapinghub-a": "body",
    "big9-2013": "article",
    "big9-2005": "article",
    "cleaneval-dev": "whole",
    "cleaneval-final": "whole",
    "cleanportaleval-a": "article",
    "l3s-gn1-a": "article",
    "readability-a": "article",
    "daniel-a": "article",
    "fundus-a": "article",
    "magic-article-a": "article",
    "magic-forum-a": "auto",
    "harvest-a": "auto",
}
"""Sets with gold texts -> the style of these, besides auto."""
FACTS = ("recipes-a", "courts-a", "product-a")
"""Sets of which only facts are known."""
MANY_SITES = {"courts-a": "court", "city-a": "city"}
"""Sets whose domains hold many courts and bodies, each with pages of its own -> prefix of these as sites of labels."""
HAND_WEIGHT = 3.0
"""Weight of a page with labels of the rubric."""
TEACHER, STUDENT = Schedule(width=96), Schedule(epochs=20)
"""How the net that gives hints and the smaller one that is shipped are trained."""


def train_as_shipped(pages: TrainingSet, student: Schedule = STUDENT) -> United:
    """Train a net on pages and on the hints of a larger one."""
    teacher = train_united(pages, TEACHER)
    model = train_united(pages.hinted(teacher), student)
    model.card["teacher"] = {key: teacher.card[key] for key in ("pages-hash", "schedule")}
    return model


def hand_labels() -> list[HandLabels]:
    """Return the labels of the repository."""
    return read_hand_labels(LABELS)


def hand_pages(data: Path, split: str) -> list[LabelledPage]:
    """Return the pages with labels of the rubric for training or for testing."""
    labels = [of_page for of_page in hand_labels() if of_page.split == split]
    sets = sets_found(data, tuple(sorted({of_page.set for of_page in labels})))
    labels = [of_page for of_page in labels if of_page.set in sets]
    return label_by_hand(labels, (sample for name in sets for sample in read_set(set_path(data, name))), KeepAll())


def training_set(data: Path) -> TrainingSet:
    """Return all pages to train on, but for those of sites whose labels are for testing.

    A page with labels of the rubric trains auto by these labels, and the style of its set by its gold text.
    """
    labels = hand_labels()
    by_hand = {of_page.name for of_page in labels}
    pages = TrainingSet()
    for name in sets_found(data, tuple(STYLES)):
        style = STYLES[name]
        labelled = label_samples(read_set(set_path(data, name)), KeepAll())
        pages.add([page for page in labelled if page.name not in by_hand], tuple(dict.fromkeys(("auto", style))))
        pages.add([page for page in labelled if page.name in by_hand], (style,))
    for name in sets_found(data, FACTS):
        pages.add_facts(without_labels(_unlabelled(read_set(set_path(data, name)), by_hand), KeepAll()))
    pages.add(hand_pages(data, "train"), weight=HAND_WEIGHT)
    test = {of_page.name for of_page in labels if of_page.split == "test"}
    test_sites = {of_page.site for of_page in labels if of_page.split == "test"}
    domains = {page.site for page in hand_pages(data, "test") if page.sample.set not in MANY_SITES}
    return pages.subset(
        number
        for number, page in enumerate(pages.pages)
        if page.name not in test and not _is_of(page, test_sites if page.sample.set in MANY_SITES else domains)
    )


def _is_of(page: LabelledPage, sites: set[str]) -> bool:
    prefix = MANY_SITES.get(page.sample.set)
    return (f"{prefix}/{page.sample.site}" if prefix else page.site) in sites


def _unlabelled(samples: Iterable[Sample], by_hand: set[str]) -> Iterable[Sample]:
    return (sample for sample in samples if f"{sample.set}/{sample.id}" not in by_hand)
