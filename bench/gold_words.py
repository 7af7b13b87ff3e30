"""How well weights of words tell gold words from the others: the tree of Yi & Liu beside the entropy of bare words.

AUC of a page: how often a gold word weighs more than another word of the page, ties half; the mean over pages. Gold
words of articles are those that align with the gold text; of records, those in a verbatim run of a gold value. The
tree and the entropies are made of the pages of the site alone, without their gold.
"""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.evaluate.text_tables import markdown_table
from dehusk.gold.alignment import align_words
from dehusk.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.measures import intervals
from dehusk.methods.structure_tree import CompressedStructureTree
from dehusk.read import parse
from dehusk.site import grouping
from dehusk.site.entropy import TermCounts, TermEntropy
from dehusk.site.terms import page_terms
from sets import data_argument, set_path, write_results
from structure_tree import CLEANED, RECORDS, auc, spans

SETTINGS: dict[str, dict] = {
    "W, ordinal (default)": {},
    "W, style": {"mode": "style"},
    "W, style, no classes, leaves of height 2: the paper's idea": {"mode": "style", "classes": False, "leaves": 2},
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
    """A page with words of both kinds.

    Attributes:
        site: by its address, or the set's own name of its site where the page has no address.
        blocks: of the page.
        gold: (w,) which of its words are gold.
    """

    site: str
    blocks: Blocks
    gold: Mask


def gold_pages(data: Path, name: str) -> list[GoldPage]:
    """Return all pages of a set, those with words of one kind only too: the site's tree is made of them as well."""
    samples = list(read_set(set_path(data, name)))
    pages = [parse(one.bare, url=one.url or f"http://{one.site}/") for one in samples]
    site = {number: site for site, numbers in grouping.by_site(pages).items() for number in numbers}
    blocks = [segment(page) for page in pages]
    return [
        GoldPage(site[i], blocks[i], _gold(blocks[i], one, record=name == RECORDS)) for i, one in enumerate(samples)
    ]


def _gold(blocks: Blocks, sample: Sample, *, record: bool) -> Mask:
    words = page_terms(blocks).words
    if record:
        return spans(words, sample.gold_text)
    return align_words(words, re.findall(r"[^\W_]+", sample.gold_text.lower())) >= 0


def weights(pages: Sequence[GoldPage]) -> Iterator[tuple[str, list[Reals]]]:
    """Return for each way to weigh the weights of the words of each page of one site."""
    keys = [page_terms(page.blocks).key for page in pages]
    entropies = TermEntropy.of(TermCounts.total([TermCounts.of(own) for own in keys]))
    yield BARE, [entropies.weight(own) for own in keys]
    for name, options in SETTINGS.items():
        tree = CompressedStructureTree(**options).fit([page.blocks for page in pages])
        yield name, [tree.weigh(page.blocks).weight for page in pages]


def areas(pages: Sequence[GoldPage]) -> tuple[dict[str, list[float]], list[str]]:
    """Return for each way to weigh the AUC of each page with words of both kinds, and the sites of these pages."""
    found: dict[str, list[float]] = {}
    sites = []
    for site in dict.fromkeys(page.site for page in pages):
        own = [page for page in pages if page.site == site]
        both = [i for i, page in enumerate(own) if page.gold.any() and not page.gold.all()]
        sites += [site] * len(both)
        for name, weight in weights(own):
            found.setdefault(name, []).extend(auc(weight[i][own[i].gold], weight[i][~own[i].gold]) for i in both)
    return found, sites


def main() -> None:
    data = data_argument(__doc__ or "")
    head, rows, values = ["set", "sites", "pages"], {}, {}
    for name in (*CLEANED, RECORDS):
        pages = gold_pages(data, name)
        found, sites = areas(pages)
        drawn = sites if len(set(sites)) > 1 else [str(i) for i in range(len(sites))]
        cells = {way: intervals.bootstrap_interval(own, drawn) for way, own in found.items()}
        rows[name] = [name, str(len(set(sites))), f"{len(sites)} of {len(pages)}"]
        rows[name] += [f"{np.mean(found[way]):.3f} ({interval})" for way, interval in cells.items()]
        values[name] = {way: [float(np.mean(found[way])), *interval] for way, interval in cells.items()}
        print(rows[name], flush=True)
    table = markdown_table([[*head, *(BARE, *SETTINGS)], *rows.values()])
    report = (
        f"# Weights of gold words\n\n`python bench/gold_words.py DATA`, {dt.date.today()}; sets pinned by the hashes in "
        "gold_words.json. AUC of the words of the gold text against all others of the page, mean over the pages with both, "
        "with the 95 % interval when sites (of one site: pages) are drawn anew. Sites are grouped by host.\n\n"
        f"{table}"
    )
    prints = {name: set_fingerprint(set_path(data, name)) for name in (*CLEANED, RECORDS)}
    write_results("gold_words", report, {"sets": prints, "auc": values})


if __name__ == "__main__":
    main()
