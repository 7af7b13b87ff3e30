"""Count what a reader would miss: tables kept in part, lost titles, listings, captions, items and quotations.

The pages are every fifth of a set, beside trafilatura's Markdown. Of dehusk, what counts is its blocks; that they also
arrive in its text and its Markdown is counted beside. A block is in a text if it aligns with it, in the same way as
blocks become content by a gold text; Markdown is rendered first. `--models DIR` adds the models of the folds
(`bench/united.py --models DIR`), which have not seen the page's site.
"""

import argparse
import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

import numpy as np

from dehusk import parse, segment, write
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER
from dehusk.blocks.units import Units, find_units
from dehusk.blocks.units.hierarchy import DEFINITIONS, LIST, TABLE
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample, read_set, sample_site, set_fingerprint
from dehusk.lab.gold.splits import folds_by_site
from dehusk.label.united import United
from dehusk.measures.tokens import words
from dehusk.read import decode
from dehusk.read.page import Bools
from sets import set_path, write_results

SHIPPED = Path(__file__).parents[1] / "src" / "dehusk" / "models" / "united"
SET, STEP = "wcxb-dev", 5
_TAG = re.compile("<[^>]*>")


@dataclass(frozen=True)
class Count:
    """Units of one page that a measure looks at, and how many of them are kept as they should be."""

    all: int = 0
    good: int = 0


Counts = dict[str, Count]


@dataclass(frozen=True)
class Seen:
    """A page and its gold text, for all tools."""

    blocks: Blocks
    units: Units
    counted: Bools
    """(b,) whether a block has a word: a text cannot show others."""
    gold: Bools
    gold_text: str


def rendered(markdown: str) -> str:
    """Return the text of Markdown as a browser shows it."""
    from markdown_it import MarkdownIt  # the tests need no other tools

    html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    return unescape(_TAG.sub(" ", html))


def by_text(blocks: Blocks, text: str) -> Bools:
    return label_blocks(blocks, [("paragraph", text)])[0] != OTHER


def trafilatura_markdown(html: str) -> str:
    from trafilatura import extract

    return extract(html, output_format="markdown", include_tables=True) or ""


def outermost(blocks: Blocks, tags: str) -> Iterator[tuple[int, int, int]]:
    """Yield node, first and last block of the outermost elements with these tags that have text."""
    page = blocks.page
    nodes = page.nodes_of(numbers(tags))
    for node in nodes[page.within(nodes)[nodes] == 1].tolist():
        first, end = np.searchsorted(blocks.first, [node, page.end[node]]).tolist()
        if end > first:
            yield node, first, end


def whole(kept: Bools, counted: Bools, first: int, end: int) -> bool | None:
    """Return whether all blocks of a range are kept; None if none is, or if none counts."""
    inside = kept[first:end][counted[first:end]]
    return bool(inside.all()) if inside.any() else None


def units_whole(page: Seen, kept: Bools, kind: int) -> Count:
    """Count the outermost units of a kind of which something is kept, and those kept whole."""
    found = [
        whole(kept, page.counted, int(page.units.first[unit]), int(page.units.end[unit]))
        for unit in np.flatnonzero((page.units.kind == kind) & (page.units.end - page.units.first > 1)).tolist()
    ]
    begun = [is_whole for is_whole in found if is_whole is not None]
    return Count(len(begun), sum(begun))


def wide_tables(page: Seen, kept: Bools) -> Count:
    """Count tables of any kind with two rows of two or more filled cells, without a table inside."""
    p, begun = page.blocks.page, []
    tables = p.nodes_of(numbers("table"))
    cells = p.nodes_of(numbers("td th"))
    first = np.searchsorted(page.blocks.first, cells)
    cells = cells[np.searchsorted(page.blocks.first, p.end[cells]) > first]
    rows, filled = np.unique(p.parent[cells], return_counts=True)
    wide = rows[filled > 1]
    for node in tables.tolist():
        inner = ((tables > node) & (tables < p.end[node])).any()
        if inner or ((wide > node) & (wide < p.end[node])).sum() < 2:
            continue
        start, end = np.searchsorted(page.blocks.first, [node, p.end[node]]).tolist()
        is_whole = whole(kept, page.counted, start, end)
        if is_whole is not None:
            begun.append(is_whole)
    return Count(len(begun), sum(begun))


def titles(page: Seen, kept: Bools) -> Count:
    """Count 1 for a page with an h1 in its gold text; whether such an h1 is kept.

    As a text, not at its place: a title that stands twice is kept if one of them is.
    """
    text = f" {' '.join(words(' '.join(t for t, k in zip(page.blocks.texts, kept.tolist(), strict=True) if k)))} "
    gold = f" {' '.join(words(page.gold_text))} "
    found = [
        f" {own} " in text
        for _, first, end in outermost(page.blocks, "h1")
        if (own := " ".join(words(" ".join(page.blocks.texts[first:end])))) and f" {own} " in gold
    ]
    return Count(bool(found), any(found))


def elements(tags: str) -> Callable[[Seen, Bools], Count]:
    """Count the elements in the gold text, and those kept whole."""

    def count(page: Seen, kept: Bools) -> Count:
        found = [
            bool(whole(kept, page.counted, first, end))
            for _, first, end in outermost(page.blocks, tags)
            if whole(page.gold, page.counted, first, end)
        ]
        return Count(len(found), sum(found))

    return count


def surrounded(tags: str) -> Callable[[Seen, Bools], Count]:
    """Count the elements whose neighbours before and after in the same container are kept, and those kept."""

    def count(page: Seen, kept: Bools) -> Count:
        found = []
        for node, first, end in outermost(page.blocks, tags):
            beside = neighbours(page.blocks, node, first, end)
            if page.counted[first:end].any() and all(block >= 0 and kept[block] for block in beside):
                found.append(bool(kept[first:end][page.counted[first:end]].any()))
        return Count(len(found), sum(found))

    return count


def neighbours(blocks: Blocks, node: int, first: int, end: int) -> tuple[int, int]:
    """Return the blocks before and after an element in the smallest element with text besides it, -1 if none."""
    page, around = blocks.page, int(blocks.page.parent[node])
    while around > 0:
        start, stop = np.searchsorted(blocks.first, [around, page.end[around]]).tolist()
        if start < first or stop > end:
            return (first - 1 if first > start else -1), (end if end < stop else -1)
        around = int(page.parent[around])
    return -1, -1


def headings_above(page: Seen, kept: Bools) -> Count:
    """Count headings of the gold text whose next block, not a heading itself, is kept, and those kept."""
    is_heading = np.zeros(len(kept) + 1, dtype=np.bool_)
    p = page.blocks.page
    is_heading[:-1] = p.within(p.nodes_of(numbers(HEADINGS)))[page.blocks.first] > 0
    found = [
        bool(kept[first])
        for _, first, end in outermost(page.blocks, " ".join(sorted(HEADINGS)))
        if end < len(kept) and page.gold[first] and kept[end] and not is_heading[end]
    ]
    return Count(len(found), sum(found))


MEASURES: dict[str, Callable[[Seen, Bools], Count]] = {
    "tables of data begun: whole": lambda page, kept: units_whole(page, kept, TABLE),
    "tables with two wide rows begun: whole": wide_tables,
    "h1 in gold: kept": titles,
    "headings in gold above kept text: kept": headings_above,
    "pre between kept neighbours: kept": surrounded("pre"),
    "paragraphs between kept neighbours: kept": surrounded("p"),
    "pre in gold: whole": elements("pre"),
    "quotations between kept neighbours: kept": surrounded("blockquote"),
    "captions in gold: whole": elements("caption figcaption"),
    "definition lists begun: whole": lambda page, kept: units_whole(page, kept, DEFINITIONS),
    "lists begun: whole": lambda page, kept: units_whole(page, kept, LIST),
}


def pages_of(data: Path) -> list[Sample]:
    return [sample for number, sample in enumerate(read_set(set_path(data, SET))) if number % STEP == 0]


def kept_by(sample: Sample, blocks: Blocks, models: dict[str, Callable[[str], United]]) -> Iterator[tuple[str, Bools]]:
    for name, model in models.items():
        labels = model(sample_site(sample, blocks.page)).label(blocks)
        yield name, labels.kept
        yield f"{name}, by its text", by_text(blocks, write.to_text(labels))
        yield f"{name}, by its Markdown", by_text(blocks, rendered(write.to_markdown(labels)))
    yield "trafilatura, Markdown", by_text(blocks, rendered(trafilatura_markdown(decode(sample.bare).text)))


def see(sample: Sample) -> Seen:
    blocks = segment(parse(decode(sample.bare).text, url=sample.url))
    counted = np.array([bool(words(text)) for text in blocks.texts], dtype=np.bool_)
    gold = label_blocks(blocks, sample.segments)[0] != OTHER
    return Seen(blocks, find_units(blocks), counted, gold, sample.gold_text)


def methods(folder: Path | None) -> dict[str, Callable[[str], United]]:
    """Return name -> the model for the pages of a site."""
    shipped = United.load(SHIPPED)
    found: dict[str, Callable[[str], United]] = {"dehusk": lambda _: shipped}
    if folder:
        models = [United.load(file) for file in sorted(folder.glob("fold-[0-9]"))]
        found["dehusk by folds"] = lambda site: models[folds_by_site([site, "a", "b", "c"], len(models))[0]]
    return found


def cell(pages: list[Count]) -> str:
    """Return how many of all are good, the share, and on how many of the pages all are."""
    seen = [count for count in pages if count.all]
    total, good = sum(c.all for c in seen), sum(c.good for c in seen)
    if not total:
        return "-"
    return f"{good} of {total} ({good / total:.1%}), pages {sum(c.all == c.good for c in seen)} of {len(seen)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--models", type=Path, help="folder of the models of the folds")
    arguments = parser.parse_args()
    models = methods(arguments.models)
    counts: dict[str, dict[str, list[Count]]] = defaultdict(lambda: defaultdict(list))
    lost: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    samples = pages_of(arguments.data)
    for sample in samples:
        page = see(sample)
        for tool, kept in kept_by(sample, page.blocks, models):
            for name, measure in MEASURES.items():
                count = measure(page, kept)
                counts[name][tool].append(count)
                if count.all > count.good:
                    lost[name][tool].append(sample.id)
    tools = list(next(iter(counts.values())))
    table = [["of each page", *tools], *([name, *(cell(of[tool]) for tool in tools)] for name, of in counts.items())]
    text = (
        f"# What a reader would miss\n\n`python bench/wholeness.py DATA --models FOLDS`, {dt.date.today()}: every "
        f"{STEP}th page of {SET}, {len(samples)} pages. How many are as they should be, and on how many of the pages "
        f"that have any all of them are. The shipped model was trained on some of these pages; the models of the folds on no page of the "
        f"same site. A text misses some short blocks, which its alignment cannot tell apart.\n\n{markdown_table(table)}"
    )
    write_results(
        "wholeness",
        text,
        {"set": set_fingerprint(set_path(arguments.data, SET)), "table": table, "lost": lost},
        judges="shipped",
    )


if __name__ == "__main__":
    main()
