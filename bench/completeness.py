"""Measure whether tables, lists and records that a tool keeps in part are kept as a whole.

Of tools that do not report blocks, a block is kept if it aligns with their text, in the same way as blocks become content
by a gold text; dehusk's own text is aligned too, for comparison. `--predictions FILE` adds the predictions of other tools
or models (docs/predictions.md), by their blocks if they report any.
"""

import argparse
import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np

from dehusk import clean, parse, segment
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER
from dehusk.blocks.units import find_units
from dehusk.lab.evaluate.predictions import BlockMark, Prediction, read_predictions
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.measures.tokens import words
from dehusk.measures.units_kept import Completeness, UnitCounts, completeness
from dehusk.read import decode
from dehusk.read.page import Bools
from sets import set_path, write_results

SETS = ("wcxb-dev", "cleaneval-final", "readability-a", "recipes-a", "courts-a", "harvest-a", "city-a")
KINDS, WITH_MEMBERS = ("tables", "rows", "lists", "records"), ("tables", "lists", "records")
Counted = dict[tuple[str, str], list[Completeness]]
"""The counts of each page by (set, tool)."""


def kept_by_tools(sample: Sample, blocks: Blocks) -> Iterator[tuple[str, Bools]]:
    """Yield which blocks are kept: by the gold text if the page has one, by dehusk, and by the public tools."""
    from tools import TOOLS, run  # the tests need no other tools

    html = decode(sample.bare).text
    if sample.gold is not None:
        yield "gold text", label_blocks(blocks, sample.segments)[0] != OTHER
    document = clean(html, url=sample.url)
    yield "dehusk", document.labels.kept
    yield "dehusk, by its text", by_text(blocks, document.text)
    for name, tool in TOOLS.items():
        if name != "all text":
            yield name, by_text(blocks, run(tool, html)[0])


def by_text(blocks: Blocks, text: str) -> Bools:
    return label_blocks(blocks, [("paragraph", text)])[0] != OTHER


def by_marks(blocks: Blocks, marks: tuple[BlockMark, ...]) -> Bools:
    """Return which blocks have at least half of their characters in marks that are kept."""
    kept = np.zeros(len(blocks.page.text), dtype=np.bool_)
    for mark in marks:
        kept[mark.start : mark.end] = mark.kept
    return 2 * blocks.sums(kept[blocks.source]) >= blocks.chars


def kept_by_predictions(predictions: list[Prediction], blocks: Blocks) -> Iterator[tuple[str, Bools]]:
    for prediction in predictions:
        marked = bool(prediction.blocks)
        yield prediction.tool, by_marks(blocks, prediction.blocks) if marked else by_text(blocks, prediction.text)


def count(data: Path, files: list[Path]) -> Counted:
    given: dict[tuple[str, str], list[Prediction]] = defaultdict(list)
    for file in files:
        for prediction in read_predictions(file):
            given[prediction.set, prediction.id].append(prediction)
    counts: Counted = defaultdict(list)
    for name in SETS:
        for sample in read_set(set_path(data, name)):
            blocks = segment(parse(decode(sample.bare).text, url=sample.url))
            units = find_units(blocks)
            has_words = np.array([bool(words(text)) for text in blocks.texts], dtype=np.bool_)
            for tool, kept in (*kept_by_tools(sample, blocks), *kept_by_predictions(given[name, sample.id], blocks)):
                counts[name, tool].append(completeness(units, kept, counted=has_words))
        print(f"{name} done", flush=True)
    return counts


def table(counts: Counted, kinds: tuple[str, ...], figure: Callable[[UnitCounts], float]) -> str:
    """Return a table of a figure of each kind of unit: mean over the pages with such units, and their number."""
    rows = [["set", "tool", *kinds]]
    for (name, tool), pages in counts.items():
        cells = []
        for kind in kinds:
            values = [figure(units) for page in pages if (units := getattr(page, kind)).begun]
            cells.append(f"{np.mean(values):.3f} ({len(values)})" if values else "-")
        rows.append([name, tool, *cells])
    return markdown_table(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--predictions", type=Path, action="append", default=[], metavar="FILE", help="add their rows")
    arguments = parser.parse_args()
    counts = count(arguments.data, arguments.predictions)
    tools = dict.fromkeys(tool for _, tool in counts)
    overall = {
        ("all", name): [page for (_, tool), pages in counts.items() if tool == name for page in pages] for name in tools
    }
    text = (
        f"# Whole units\n\n`python bench/completeness.py DATA`, {dt.date.today()}: of the tables, rows, lists and lists of "
        f"records of which a tool keeps something, the share that it keeps as a whole; mean over the pages on which it keeps "
        f"something of such a unit (their number in brackets). The shipped model was trained on some of these pages. Blocks of other tools are those that align with their text, which "
        f"misses some short blocks; blocks without a word do not count.\n\n{table(overall | counts, KINDS, lambda unit: unit.whole_share)}\n"
        f"## No member lost\n\nThe share of which something of each row, item or record is kept.\n\n"
        f"{table(overall | counts, WITH_MEMBERS, lambda unit: unit.full_share)}"
    )
    values = {
        "sets": {name: set_fingerprint(set_path(arguments.data, name)) for name in SETS},
        "counts": [
            {"set": name, "tool": tool, **asdict(sum(pages, Completeness()))} for (name, tool), pages in counts.items()
        ],
    }
    write_results("completeness", text, values, judges="shipped")


if __name__ == "__main__":
    main()
