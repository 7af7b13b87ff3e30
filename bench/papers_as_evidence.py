"""Measure what each paper's method adds to the default one as evidence about the elements of a site.

`python bench/papers_as_evidence.py DATA [--model FOLDER]` takes the net of `site_evidence.py`, which has seen none of the sites,
with the site's evidence that ships. A logistic stage adds to its log-odds the share of pages on which a method keeps the element
of a block; it is fitted on four fifths of the sites and judged on the rest. "A moved cut only" has no evidence of a method: it moves
the cut to the gold of news sites, which has neither headlines nor dates, and is what the other rows are to be compared with.
"""

import argparse
import datetime as dt
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.blocks.labels import OTHER
from dehusk.counts.model import SiteModel
from dehusk.counts.slots import block_slots
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.lab.train.labelled_pages import LabelledPage, label_samples
from dehusk.label.base import PageMethod
from dehusk.label.baseline import KeepAll
from dehusk.label.compiling import learn_templates
from dehusk.label.loading import load_method
from dehusk.label.registry import declaration
from dehusk.label.template_rules import label_by_templates
from dehusk.label.united import United
from dehusk.label.united.elements import ElementOdds, Weighed
from dehusk.label.united.rubric import with_slots
from sets import set_path, write_results
from site_evidence import GOLD, LEAST, SEED, f1, trained

Reals = npt.NDArray[np.float64]
METHODS = ("victor", "cst", "wisdom", "alternation", "site")
"""The four papers, and the rule of repetition; "victor" uses no site."""
FOLDS, RIDGE, STEPS = 5, 1e-3, 30


@dataclass(frozen=True, eq=False)
class Judged:
    """A page of a site: the log-odds of its b blocks, and what each method keeps."""

    page: LabelledPage
    method: United
    weighed: Weighed
    kept: Mapping[str, npt.NDArray[np.bool_]]
    shares: Mapping[str, Reals]
    """Method -> (b,) share of the site's pages on which it keeps the block's element, less a half."""

    def f1(self, moved: Reals | None = None) -> float:
        """Return word F1, if the log-odds are others, shape (b,)."""
        weighed, evidence = self.weighed, self.weighed.evidence
        page = weighed.page if moved is None else moved
        own = None if evidence is None else replace(evidence, template=evidence.template.copy())
        copy = replace(weighed, page=page, all=weighed.all + page - weighed.page, evidence=own)
        return f1(self.page, with_slots(self.method._decided(self.page.blocks, copy, self.method._beta)))


def methods_of(pages: Sequence[LabelledPage]) -> dict[str, PageMethod]:
    """Return each method, fitted to the pages of a site if it uses one."""
    blocks = [page.blocks for page in pages]
    site = SiteModel(mixed=True).fit(blocks)
    methods = {name: load_method(name, site=site) for name in ("cst", "wisdom", "site")}
    declared = declaration("alternation")
    methods["alternation"] = declared.learn(declared.method(), [each.page for each in blocks])
    return {"victor": load_method("victor"), **methods}


def judged(model: United, pages: Sequence[LabelledPage]) -> list[Judged]:
    """Return the pages of a site with all evidence."""
    blocks = [page.blocks for page in pages]
    method = model.using(site=SiteModel(mixed=True).fit(blocks))
    slots = [block_slots(each) for each in blocks]
    odds = [ElementOdds.of_scores(slot, model.auto_scores(each)) for slot, each in zip(slots, blocks, strict=True)]
    method.elements = ElementOdds.total(odds)
    kept = {name: [_kept(each, page) for page in pages] for name, each in methods_of(pages).items()}
    shares = {name: _shares(slots, each) for name, each in kept.items()}
    return [
        Judged(
            page,
            method,
            method._weighed(page.blocks, method.net.scores_of(page.blocks, 0)),
            {name: kept[name][number] for name in METHODS},
            {name: shares[name][number] for name in METHODS},
        )
        for number, page in enumerate(pages)
    ]


def _kept(method: PageMethod, page: LabelledPage) -> npt.NDArray[np.bool_]:
    """Return which of the common blocks a method keeps, shape (b,); it may split the page otherwise."""
    own = method.segment(page.blocks.page)
    kept = method.label(own).kept
    row = dict(zip(own.first.tolist(), kept.tolist(), strict=True))
    return np.array([row.get(first, False) for first in page.blocks.first.tolist()], dtype=np.bool_)


def _shares(slots: Sequence[npt.NDArray[np.uint64]], kept: Sequence[npt.NDArray[np.bool_]]) -> list[Reals]:
    of_slot: dict[int, list[float]] = defaultdict(list)
    for slot, keep in zip(slots, kept, strict=True):
        for key in np.unique(slot).tolist():
            of_slot[key].append(float(keep[slot == key].mean()))
    return [np.array([np.mean(of_slot[key]) - 1 / 2 for key in slot.tolist()]) for slot in slots]


def fitted(pages: Sequence[Judged], use: Sequence[str]) -> Reals:
    """Return weights of the log-odds, of each method's shares, and a constant; each page counts the same."""
    labelled = [each for each in pages if (each.page.codes >= 0).any()]
    rows, gold, weights = [], [], []
    for each in labelled:
        known = each.page.codes >= 0
        words = np.sqrt(each.page.blocks.words[known]) + 0.1
        rows.append(_columns(each, use)[known])
        gold.append(each.page.codes[known] != OTHER)
        weights.append(words / words.sum())
    x, y, w = np.concatenate(rows), np.concatenate(gold).astype(float), np.concatenate(weights)
    beta = np.zeros(x.shape[1])
    beta[0] = 1
    for _ in range(STEPS):  # Newton's method
        p = 1 / (1 + np.exp(-x @ beta))
        hessian = (x * (w * p * (1 - p))[:, np.newaxis]).T @ x + RIDGE * np.eye(len(beta))
        beta -= np.linalg.solve(hessian, x.T @ (w * (p - y)))
    return beta


def _columns(page: Judged, use: Sequence[str]) -> Reals:
    return np.column_stack([page.weighed.page, *(page.shares[name] for name in use), np.ones(len(page.weighed.page))])


def rows_of(sites: Mapping[str, Sequence[Judged]]) -> list[list[str]]:
    """Return the table of what each method adds."""
    names = sorted(sites)
    random.Random(SEED).shuffle(names)
    base = {name: [page.f1() for page in sites[name]] for name in names}
    table = [["evidence added", "F1", "over the cut alone", "worst site, against none", "weight", "the method alone"]]
    for label, figures in {"none, no site": _by_page(sites), "none": base, "none, compiled": _compiled(sites)}.items():
        table.append([label, f"{_mean(figures):.4f}", "", f"{_worst(figures, base):+.3f}", "", ""])
    floor = 0.0
    for use in ((), *((name,) for name in METHODS), METHODS):
        moved: dict[str, list[float]] = {}
        weights = []
        for fold in range(FOLDS):
            beta = fitted([page for n, name in enumerate(names) if n % FOLDS != fold for page in sites[name]], use)
            weights.append(beta[1 : 1 + len(use)])
            for name in names[fold::FOLDS]:
                moved[name] = [page.f1(_columns(page, use) @ beta) for page in sites[name]]
        mean, worst = _mean(moved), _worst(moved, base)
        floor = floor or mean
        label = " + ".join(use) or "a moved cut only"
        shown = ", ".join(f"{weight:+.2f}" for weight in np.mean(weights, axis=0)) if use else ""
        alone = f"{_alone(sites, use[0]):.4f}" if len(use) == 1 else ""
        table.append([label, f"{mean:.4f}", f"{mean - floor:+.4f}" if use else "", f"{worst:+.3f}", shown, alone])
        print(*table[-1], flush=True)
    return table


def _by_page(sites: Mapping[str, Sequence[Judged]]) -> dict[str, list[float]]:
    """Return word F1 of the default method without a site."""
    methods = {name: pages[0].method.using() for name, pages in sites.items()}
    return {name: [f1(p.page, methods[name].label(p.page.blocks)) for p in pages] for name, pages in sites.items()}


def _compiled(sites: Mapping[str, Sequence[Judged]]) -> dict[str, list[float]]:
    """Return word F1 under the rules of templates that are compiled from the pages of each site."""
    figures = {}
    for name, pages in sites.items():
        method = pages[0].method
        templates = learn_templates([each.page.blocks for each in pages], method)
        figures[name] = [f1(p.page, label_by_templates(templates, p.page.blocks, method)) for p in pages]
    return figures


def _worst(figures: Mapping[str, Sequence[float]], base: Mapping[str, Sequence[float]]) -> float:
    return float(min(np.mean(figures[name]) - np.mean(base[name]) for name in base))


def _alone(sites: Mapping[str, Sequence[Judged]], name: str) -> float:
    labels = KeepAll().label
    return float(
        np.mean(
            [f1(p.page, replace(labels(p.page.blocks), kept=p.kept[name])) for site in sites.values() for p in site]
        )
    )


def _mean(figures: Mapping[str, Sequence[float]]) -> float:
    return float(np.mean([each for site in figures.values() for each in site]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--model", type=Path, help="folder of the net: loaded if it is there, else saved")
    options = parser.parse_args()
    model = trained(options.data, options.model)
    sites: dict[str, list[Judged]] = {}
    for name in GOLD:
        by_site: dict[str, list[LabelledPage]] = defaultdict(list)
        for page in label_samples(read_set(set_path(options.data, name)), KeepAll()):
            if len(page.blocks):
                by_site[page.site].append(page)
        sites |= {f"{name} {site}": judged(model, pages) for site, pages in by_site.items() if len(pages) >= LEAST}
    table = rows_of(sites)
    count = sum(map(len, sites.values()))
    text = (
        f"# The papers' methods as evidence\n\n`python bench/papers_as_evidence.py DATA`, {dt.date.today()}: {count} pages of "
        f"{len(sites)} sites; stages are fitted without the site that they are judged on.\n\n"
        f"## What each adds\n\n{markdown_table(table)}"
    )
    hashes = {name: set_fingerprint(set_path(options.data, name)) for name in GOLD}
    write_results("papers_as_evidence", text, {"tables": {"What each adds": table}, "sets": hashes}, judges="none")


if __name__ == "__main__":
    main()
