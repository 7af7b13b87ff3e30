"""Measure whether the attributes of products and the fields of posts are found in one column each, without labels.

Products: of site-christianbook, 50 pages are chosen by a seed; the columns learned from them without any label are read
from the other 350. For each attribute and column: coverage is the share of the pages with the attribute on which the
column's cell equals the attribute's value, purity the share of the pages with the attribute and a filled cell on which
it does. An attribute's column is that with the highest coverage on the 50 pages, so the choice is not made on the pages
that are measured. Texts are compared without case, punctuation and white space at which they differ; a cell with
several values equals an attribute with several values if they are the same set.

Beside them stand two rivals of one rule: a column for each place (XPath) whose cell is the block there, and a column for
each label, whose cell is what stands after its colon, or the block after it. The floor, a table without columns, has nothing.

Posts: on the threads of harvest-a, each page alone, the row of each post is compared with the gold as bench/posts.py does.
"""

import datetime as dt
import html
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from dehusk import InputError, Page, Wrapper, parse, segment
from dehusk.blocks import Blocks
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.read import decode
from dehusk.read.xpath import xpaths
from dehusk.sites.records.template import Cell
from posts import Counts, gold_posts, gold_rows, match
from sets import data_argument, set_path, write_results

SHOP, THREADS = "site-christianbook", "harvest-a"
ATTRIBUTES = ("title", "author", "ISBN", "publisher", "date")
LEARNED, SEEDS, SIZES = 50, (1, 2, 3, 4, 5), (50, 100, 200, 400)
TARGET = 0.95


@dataclass(frozen=True)
class Found:
    """How well one column has an attribute."""

    seed: int
    attribute: str
    column: str
    coverage: float
    purity: float
    pages: int


def folded(text: object) -> str:
    kept = "".join(c if c.isalnum() else " " for c in html.unescape(str(text)).casefold())
    return " ".join(kept.split())


def attributes(sample: Sample) -> dict[str, frozenset[str]]:
    """Return the attributes of a product: the gold has a line per author, then ISBN, date, publisher and title."""
    lines = (sample.gold or "").split("\n")
    *authors, isbn, date, publisher, title = lines
    values = {"title": [title], "author": authors, "ISBN": [isbn], "publisher": [publisher], "date": [date]}
    sets = {name: frozenset(filter(None, map(folded, given))) for name, given in values.items()}
    return {name: given for name, given in sets.items() if given}


def values_of(cell: Cell) -> frozenset[str]:
    return frozenset(map(folded, cell if isinstance(cell, list) else [cell]))


def shares(
    cells: Sequence[dict[str, Cell]], gold: Sequence[dict[str, frozenset[str]]], attribute: str, column: str
) -> tuple[float, float, int]:
    """Return coverage, purity and number of pages with the attribute."""
    pairs = [
        (row.get(column), values[attribute]) for row, values in zip(cells, gold, strict=True) if attribute in values
    ]
    filled = [(cell, values) for cell, values in pairs if cell is not None]
    right = sum(values_of(cell) == values for cell, values in filled)
    return right / max(1, len(pairs)), right / max(1, len(filled)), len(pairs)


def measure(samples: Sequence[Sample], blocks: Sequence[Blocks], seed: int) -> tuple[list[Found], float]:
    """Return how well the columns learned from pages chosen by a seed have each attribute of the others."""
    learned, _ = split(seed, len(samples))
    wrapper = Wrapper().fit([blocks[n] for n in learned])
    start = time.process_time()
    rows = [first_row(wrapper, each) for each in blocks]
    seconds = (time.process_time() - start) / len(samples)
    names = dict.fromkeys(column.name for template in wrapper.templates for column in template.columns)
    return judged(seed, samples, rows, list(names)), seconds


def split(seed: int, pages: int) -> tuple[list[int], list[int]]:
    """Return the pages that are learned from, and the others."""
    order = np.random.default_rng(seed).permutation(pages).tolist()
    return sorted(order[:LEARNED]), sorted(order[LEARNED:])


def judged(seed: int, samples: Sequence[Sample], rows: Sequence[dict[str, Cell]], names: Sequence[str]) -> list[Found]:
    """Choose the column of each attribute on the pages that are learned from; return how well the others have it."""
    learned, others = split(seed, len(samples))
    gold = [attributes(sample) for sample in samples]
    found = []
    for attribute in ATTRIBUTES:
        seen = [rows[n] for n in learned], [gold[n] for n in learned]
        column = max(names, key=lambda name: shares(*seen, attribute, name)[:2])
        new = [rows[n] for n in others], [gold[n] for n in others]
        found.append(Found(seed, attribute, column, *shares(*new, attribute, column)))
    return found


def by_place(blocks: Blocks) -> dict[str, Cell]:
    """Return XPath -> the text of the first block there: a rival."""
    places = xpaths(blocks.page, blocks.node.tolist())
    found: dict[str, Cell] = {}
    for node, text in zip(blocks.node.tolist(), blocks.texts, strict=True):
        found.setdefault(places[node], text)
    return found


def by_label(blocks: Blocks) -> dict[str, Cell]:
    """Return what stands before a colon -> what stands after it, and the text of a block -> that of the next: a rival."""
    found: dict[str, Cell] = {}
    for text in blocks.texts:
        label, colon, value = text.partition(":")
        if colon and value.strip():
            found.setdefault(label, value)
    for label, text in pairwise(blocks.texts):
        found.setdefault(label, text)
    return found


RIVALS: dict[str, Callable[[Blocks], dict[str, Cell]]] = {
    "a column per place": by_place,
    "a column per label": by_label,
}


def measure_rival(name: str, samples: Sequence[Sample], blocks: Sequence[Blocks]) -> list[Found]:
    """Return how well a rival has each attribute, for each seed; its columns are those of a quarter of the pages or more."""
    rows = [RIVALS[name](each) for each in blocks]
    found = []
    for seed in SEEDS:
        pages = Counter(column for n in split(seed, len(samples))[0] for column in rows[n])
        common = [column for column, count in pages.items() if 4 * count >= LEARNED]
        found += judged(seed, samples, rows, common)
    return found


def first_row(wrapper: Wrapper, blocks: Blocks) -> dict[str, Cell]:
    rows = wrapper.extract(blocks)
    return rows[0].values if len(rows) == 1 else {}


@dataclass(frozen=True)
class Thread:
    """The rows of a thread, with what `posts.match` compares."""

    page: Page
    posts: list[SimpleNamespace]


def measure_threads(data: Path) -> tuple[Counts, Counts, int]:
    """Return how many gold posts have a right row: with what each forum's pages teach, and with each page alone."""
    gold = gold_rows(set_path(data, THREADS))
    by_site: dict[str, list[Sample]] = defaultdict(list)
    for sample in read_set(set_path(data, THREADS)):
        by_site[sample.site or ""].append(sample)
    together, alone = Counts(), Counts()
    for samples in by_site.values():
        pages = {sample.id: segment(parse(decode(sample.bare).text, url=sample.url)) for sample in samples}
        wrapper = learned(list(pages.values()))
        for sample in samples:
            blocks = pages[sample.id]
            posts = gold_posts(sample, blocks.page, gold[sample.id])
            for counts, teacher in ((together, wrapper), (alone, learned([blocks]))):
                rows = thread(teacher, blocks)
                counts.add(match(rows.posts, rows.page, posts, sample.url or ""))
    return together, alone, len(by_site)


def learned(pages: list[Blocks]) -> Wrapper | None:
    try:
        return Wrapper(rows="record").fit(pages)
    except InputError:
        return None


def thread(wrapper: Wrapper | None, blocks: Blocks) -> Thread:
    rows = wrapper.extract(blocks) if wrapper else []
    names = {"author": "author", "author_url": "author address", "date": "date", "permalink": "permalink"}
    posts = [
        SimpleNamespace(
            **{field: row.values.get(name) for field, name in names.items()},
            date_text=str(row.values.get("date shown", "")),
            text=str(row.values.get("text", "")),
        )
        for row in rows
    ]
    return Thread(blocks.page, posts)


def growth(blocks: Sequence[Blocks]) -> list[list[str]]:
    """Return the cost of learning and reading, in ms a page, for growing numbers of pages."""
    table = [["pages", "learning", "reading the same pages", "together", "reading as new pages"]]
    for number in SIZES:
        pages, new = fresh(blocks[:number]), fresh(blocks[:number])
        start = time.process_time()
        wrapper = Wrapper().fit(pages)
        learning = time.process_time() - start
        same, others = reading(wrapper, pages), reading(wrapper, new)
        costs = learning, same, learning + same, others
        table.append([str(number), *(f"{1000 * seconds / number:.1f}" for seconds in costs)])
    return table


def fresh(blocks: Sequence[Blocks]) -> list[Blocks]:
    """Return blocks as parsed anew, without what was computed from them."""
    return [segment(parse(each.page.elements.text, url=each.page.url)) for each in blocks]


def reading(wrapper: Wrapper, pages: Sequence[Blocks]) -> float:
    """Return the seconds of CPU time that it takes to read pages."""
    start = time.process_time()
    for page in pages:
        wrapper.extract(page)
    return time.process_time() - start


def main() -> None:
    data = data_argument(__doc__ or "")
    samples = list(read_set(set_path(data, SHOP)))
    blocks = [segment(parse(sample.bare, url=sample.url)) for sample in samples]
    runs = [measure(samples, blocks, seed) for seed in SEEDS]
    found = [one for run, _ in runs for one in run]
    together, alone, forums = measure_threads(data)
    costs = growth(blocks)
    rivals = {name: measure_rival(name, samples, blocks) for name in RIVALS}
    text = (
        f"# Records\n\n`python bench/records.py DATA`, {dt.date.today()}.\n\n## Attributes of products\n\n{SHOP}: columns "
        f"learned without labels from {LEARNED} pages, read from the other {len(samples) - LEARNED}. Coverage is the share "
        "of the pages with the attribute on which the cell of the column equals it, purity the same of the filled cells; "
        f"the column is chosen on the {LEARNED} pages. Goal: {TARGET:.0%} each; reached by "
        f"{sum(one.coverage >= TARGET and one.purity >= TARGET for one in found)} of {len(found)}.\n\n"
        f"{markdown_table(mean_rows({'records': found, **rivals}))}\nBy seed:\n\n"
        f"{markdown_table(attribute_rows(found))}\n## Posts\n\n{THREADS}, {together.gold} posts of {forums} forums: the share "
        "of which a row has the right author, date, text (word-bag F1 > 0.5), all three, address, as in bench/posts.py; the "
        "rows are read by what the pages of each forum teach, or each page alone.\n\n"
        f"{markdown_table(post_rows({'forum': together, 'page alone': alone}))}\n## Cost\n\nCPU time beyond parsing and "
        f"segmentation in ms a page on pages of {SHOP}. Goal: under 10 for learning from all pages and reading them.\n\n{markdown_table(costs)}"
    )
    values = {
        "sets": {name: set_fingerprint(set_path(data, name)) for name in (SHOP, THREADS)},
        "attributes": [asdict(one) for one in found],
        "rivals": {name: [asdict(one) for one in of_rival] for name, of_rival in rivals.items()},
        "posts": {"forum": asdict(together), "page alone": asdict(alone)},
        "cost": costs,
    }
    write_results("records", text, values, judges="none")


def mean_rows(found: dict[str, list[Found]]) -> list[list[str]]:
    """Return coverage and purity of each attribute, mean over the seeds."""
    table = [["columns", *ATTRIBUTES]]
    for name, of_way in found.items():
        cells = []
        for attribute in ATTRIBUTES:
            of_attribute = [(one.coverage, one.purity) for one in of_way if one.attribute == attribute]
            coverage, purity = np.mean(of_attribute, axis=0).tolist()
            cells.append(f"{coverage:.3f}, {purity:.3f}")
        table.append([name, *cells])
    return table


def attribute_rows(found: Sequence[Found]) -> list[list[str]]:
    table = [["seed", "attribute", "column", "pages", "coverage", "purity"]]
    return table + [
        [str(one.seed), one.attribute, one.column, str(one.pages), f"{one.coverage:.3f}", f"{one.purity:.3f}"]
        for one in found
    ]


def post_rows(counts: dict[str, Counts]) -> list[list[str]]:
    table = [["learned from", "rows", "rows that are posts", "author", "date", "text", "all three", "address"]]
    for name, of in counts.items():
        shares = (
            of.author / of.gold,
            of.date / of.gold,
            of.text / of.gold,
            of.all / of.gold,
            of.link / max(1, of.links),
        )
        table.append(
            [name, str(of.found), f"{of.matched / max(1, of.found):.3f}", *(f"{share:.3f}" for share in shares)]
        )
    return table


if __name__ == "__main__":
    main()
