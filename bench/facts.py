"""Count the facts that dehusk and the public tools keep of recipes, lists of courts and products.

A shop's pages are also cleaned with what 2, 5, 10 and 50 of them share. The shipped model may have been trained on these
pages: `--predictions FILE` adds the rows of other predictions (docs/predictions.md), such as those of models trained without the
site of each page.
"""

import argparse
import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from dehusk import Site, parse, segment
from dehusk.lab.evaluate.benchmark import BenchmarkPlan, run_benchmark
from dehusk.lab.evaluate.fact_scores import FactRow, fact_rows, facts_not_on_page_notes, score_facts
from dehusk.lab.evaluate.leaks import leak_notes
from dehusk.lab.evaluate.predictions import Prediction, match_predictions, read_predictions
from dehusk.lab.evaluate.table_columns import FACTS
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.evaluate.tools import OTHER_TOOLS
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.lab.gold.facts import with_gold_lines_as_facts
from dehusk.label import load_method
from dehusk.measures.facts import FactCounts, fact_words, facts_kept
from sets import set_path, write_results

Pair = tuple[Sample, Prediction]
STATED, ATTRIBUTES = ("recipes-a", "courts-a"), ("product-a", "site-christianbook")
SHOP = "site-christianbook"
SIZES = (2, 5, 10, 50)
TEMPLATE = 0.5
"""A block whose text is on this share of a shop's pages is template."""


def read_samples(data: Path, name: str) -> list[Sample]:
    """Read a set; of attribute values, which are machine-readable, only those that are also on the page are facts."""
    samples = list(read_set(set_path(data, name)))
    if name not in ATTRIBUTES:
        return samples
    if name == SHOP:
        samples = [with_gold_lines_as_facts(sample) for sample in samples]
    return [replace(sample, facts=on_page(sample)) for sample in samples]


def on_page(sample: Sample) -> tuple[str, ...]:
    text = " ".join(segment(parse(sample.bare, url=sample.url)).texts)
    return tuple(fact for fact in dict.fromkeys(sample.facts) if facts_kept(text, [fact]).kept)


def of_tools(samples: list[Sample]) -> Iterator[Pair]:
    """Yield what dehusk and each installed public tool keep of the pages."""
    tools = ("dehusk", *(name for name, tool in OTHER_TOOLS.items() if tool.version))
    by_name = {(sample.set, sample.id): sample for sample in samples}
    for prediction in run_benchmark(BenchmarkPlan(tools, tuple(samples))):
        yield by_name[prediction.set, prediction.id], prediction


def of_files(files: list[Path], samples: list[Sample]) -> Iterator[Pair]:
    """Yield the predictions in files for the pages that each file covers; a page that a set lists twice counts once.

    The models of bench/united.py judge no page of a site whose hand labels are for testing.
    """
    samples = list({(sample.set, sample.id): sample for sample in samples}.values())
    for file in files:
        predictions = list(read_predictions(file))
        covered = {(prediction.set, prediction.id) for prediction in predictions}
        matched = match_predictions(predictions, [s for s in samples if (s.set, s.id) in covered])
        for problem in matched.problems:
            print(problem)
        yield from matched.pairs


class Shop:
    """The pages of one shop, and how many of them have each block's text."""

    def __init__(self, samples: list[Sample]) -> None:
        self.samples = samples
        self.blocks = [segment(parse(sample.bare, url=sample.url)) for sample in samples]
        self.pages = Counter(text for blocks in self.blocks for text in set(blocks.texts))

    def rows(self) -> list[list[str]]:
        """Return a table of what dehusk keeps alone and with what groups of pages share."""
        table = [["pages at hand", "facts kept", "pages whole", "words kept", "template"]]
        return table + [self.row(size) for size in (1, *SIZES)]

    def row(self, size: int) -> list[str]:
        """Return what is kept with the evidence of groups of so many pages; without evidence for 1."""
        counts, template, words = FactCounts(), 0, 0
        for group in np.array_split(np.arange(len(self.samples)), max(1, len(self.samples) // size)):
            pages = [self.blocks[n] for n in group.tolist()]
            site = Site(mixed=True, structure=False).fit(pages) if size > 1 else None
            method = load_method(site=site)
            for n, blocks in zip(group.tolist(), pages, strict=True):
                kept = [
                    text for text, keep in zip(blocks.texts, method.label(blocks).kept.tolist(), strict=True) if keep
                ]
                counts += facts_kept(" ".join(kept), self.samples[n].facts)
                sizes = [len(fact_words(text)) for text in kept]
                words += sum(sizes)
                template += sum(k for k, text in zip(sizes, kept, strict=True) if self.is_template(text))
        shares = f"{counts.recall:.3f}", f"{counts.whole_share:.3f}", f"{counts.words_per_page:,.0f}"
        return [str(size), *shares, f"{template / max(1, words):.1%}"]

    def is_template(self, text: str) -> bool:
        """Return whether a block's text is on many of the shop's pages."""
        return self.pages[text] >= TEMPLATE * len(self.samples)


def table(rows: list[FactRow]) -> str:
    columns = [column for column in FACTS if column.head != "MB"]
    head = ["set", "tool", *(column.head for column in columns)]
    return markdown_table([head, *([row.group, row.tool, *(c.cell(row) for c in columns)] for row in rows)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--predictions", type=Path, action="append", default=[], metavar="FILE", help="add their rows")
    arguments = parser.parse_args()
    sets = {name: read_samples(arguments.data, name) for name in (*STATED, *ATTRIBUTES)}
    samples = [sample for of_set in sets.values() for sample in of_set if sample.facts]
    pairs = [*of_files(arguments.predictions, samples), *of_tools(samples)]
    rows = fact_rows(score_facts(pairs), lambda score: score.set)
    shop = Shop(sets[SHOP]).rows()
    tools = dict.fromkeys(prediction.tool for _, prediction in pairs)
    notes = [*leak_notes(tools, samples), *facts_not_on_page_notes(samples)]
    text = (
        f"# Facts kept\n\n`python bench/facts.py DATA`, {dt.date.today()}: the share of a page's facts that a tool keeps "
        f"(mean over pages, interval by site), the share of pages with all of them, the number of words kept. Of "
        f"{' and '.join(ATTRIBUTES)} the facts are the attribute values that are on the page.\n\n{table(rows)}\n"
        f"{''.join(f'- {note}{chr(10)}' for note in notes)}\n"
        f"## A shop with its other pages\n\n{SHOP}, the default method with the evidence of groups of pages; facts kept "
        f"are pooled. Template: share of the kept words in blocks whose text is on at least {TEMPLATE:.0%} of the shop's pages.\n\n"
        f"{markdown_table(shop)}"
    )
    fingerprints = {name: set_fingerprint(set_path(arguments.data, name)) for name in sets}
    write_results(
        "facts", text, {"sets": fingerprints, "rows": [asdict(row) for row in rows], "shop": shop}, judges="shipped"
    )


if __name__ == "__main__":
    main()
