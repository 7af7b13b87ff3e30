"""Measure how well weights of words separate gold words from other words: Yi & Liu's tree and the entropy of bare words.

AUC of a page: how often a gold word weighs more than another word of the page, ties counting half; mean over pages. The
gold words of articles are those that align with the gold text; the gold words of records are those in a verbatim run of
a gold value. Tree and entropies are learned from the pages of the site, without their gold texts.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.counts import grouping
from dehusk.counts.entropy import TermCounts, TermEntropy
from dehusk.counts.terms import page_terms
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.alignment import align_words
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.measures import intervals
from dehusk.read import parse
from dehusk.sites.structure_tree import CompressedStructureTree
from sets import data_argument, set_path, write_results
from structure_tree import CLEANED, RECORDS, auc, in_gold_values

SETTINGS: dict[str, dict] = {
    "W, ordinal (default)": {},
    "W, style": {"mode": "style"},
    "W, style, no classes, leaves of height 2: the paper's idea": {"mode": "style", "classes": False, "leaves": 2},
    "the same with style sheets": {"mode": "style", "classes": False, "leaves": 2, "sheets": True},
    "the same with images and links": {"mode": "style", "classes": False, "leaves": 2, "content": "all"},
    "W, style, no classes, grandparents: the paper's letter": {
        "mode": "style",
        "classes": False,
        "leaves": "grandparent",
    },
}
BARE = "1 − entropy of the bare word"
Mask = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GoldPage:
    """A page with its gold words.

    Attributes:
        site: the site by the page's address, or the name that the set gives if the page has no address.
        blocks: the segmented page.
        gold: which of its words are gold, shape (w,).
    """

    site: str
    blocks: Blocks
    gold: Mask


def gold_pages(data: Path, name: str) -> list[GoldPage]:
    """Return all pages of a set, including those without gold words, because the site's tree is learned from them too."""
    samples = list(read_set(set_path(data, name)))
    pages = [parse(sample.bare, url=sample.url or f"http://{sample.site}/") for sample in samples]
    site = {number: site for site, numbers in grouping.by_site(pages).items() for number in numbers}
    blocks = [segment(page) for page in pages]
    return [
        GoldPage(site[i], blocks[i], _gold(blocks[i], sample, record=name == RECORDS))
        for i, sample in enumerate(samples)
    ]


def _gold(blocks: Blocks, sample: Sample, *, record: bool) -> Mask:
    words = page_terms(blocks).words
    if record:
        return in_gold_values(words, sample.gold_text)
    return align_words(words, re.findall(r"[^\W_]+", sample.gold_text.lower())) >= 0


def weights(pages: Sequence[GoldPage]) -> Iterator[tuple[str, list[Reals]]]:
    """Yield each way to weigh words, with the weights of the words of each page of one site."""
    keys = [page_terms(page.blocks).key for page in pages]
    entropies = TermEntropy.of(TermCounts.total([TermCounts.of(page_keys) for page_keys in keys]))
    yield BARE, [entropies.weight(page_keys) for page_keys in keys]
    for name, options in SETTINGS.items():
        tree = CompressedStructureTree(**options).fit([page.blocks for page in pages])
        yield name, [tree.weigh(page.blocks).weight for page in pages]


def areas(pages: Sequence[GoldPage]) -> tuple[dict[str, list[float]], list[str]]:
    """Return for each way to weigh words the AUC of each page with gold and other words, and the sites of these pages."""
    by_way: dict[str, list[float]] = {}
    sites = []
    for site in dict.fromkeys(page.site for page in pages):
        of_site = [page for page in pages if page.site == site]
        both = [i for i, page in enumerate(of_site) if page.gold.any() and not page.gold.all()]
        sites += [site] * len(both)
        for way, weight in weights(of_site):
            aucs = (auc(weight[i][of_site[i].gold], weight[i][~of_site[i].gold]) for i in both)
            by_way.setdefault(way, []).extend(aucs)
    return by_way, sites


def main() -> None:
    data = data_argument(__doc__ or "")
    head, rows, values = ["set", "sites", "pages"], {}, {}
    for name in (*CLEANED, RECORDS):
        pages = gold_pages(data, name)
        by_way, sites = areas(pages)
        drawn = sites if len(set(sites)) > 1 else [str(i) for i in range(len(sites))]
        cells = {way: intervals.bootstrap_interval(aucs, drawn) for way, aucs in by_way.items()}
        rows[name] = [name, str(len(set(sites))), f"{len(sites)} of {len(pages)}"]
        rows[name] += [f"{np.mean(by_way[way]):.3f} ({interval})" for way, interval in cells.items()]
        values[name] = {way: [float(np.mean(by_way[way])), *interval] for way, interval in cells.items()}
        print(rows[name], flush=True)
    table = markdown_table([[*head, *(BARE, *SETTINGS)], *rows.values()])
    report = (
        f"# Weights of gold words\n\n`python bench/gold_words.py DATA`, {dt.date.today()}; sets pinned by the hashes in "
        "gold_words.json. AUC of the words of the gold text against all other words of the page, mean over the pages with "
        "both, with a 95 % bootstrap interval over sites (for a single site, over pages). Sites are grouped by host.\n\n"
        f"{table}"
    )
    prints = {name: set_fingerprint(set_path(data, name)) for name in (*CLEANED, RECORDS)}
    write_results("gold_words", report, {"sets": prints, "auc": values}, judges="none")


if __name__ == "__main__":
    main()
