"""Methods that learn from a site's pages: word-bag F1 beside deboiler's, cost, growth, size of a site model."""

import datetime as dt
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from deboiler import Deboiler
from deboiler.dataset.list_dataset import ListDataset

import dehusk
from clock import ROUNDS, cpu
from dehusk.evaluate.text_tables import markdown_table
from dehusk.gold.datasets import read_set, sample_site, set_fingerprint
from dehusk.measures.metrics import word_bag
from dehusk.methods.alternation import Alternation
from dehusk.methods.base import PageMethod
from dehusk.methods.baseline import KeepAll
from dehusk.methods.repetition import SiteRule
from dehusk.methods.structure_tree import CompressedStructureTree
from dehusk.methods.wisdom import Wisdom
from dehusk.page import Page
from dehusk.read import decode
from dehusk.write import to_text
from sets import data_argument, set_path, write_results

CLEANED = ("cleanportaleval-a", "big9-2005", "big9-2013")
CRAWL = "site-asp-forums"
GROWTH = (50, 200, 700, 1360)
SUBSETS = (10, 5, 3, 2)

Pages = list[tuple[str, bytes, Page, str]]
"""set, bytes, page, gold text"""

METHODS: dict[str, Callable[[Sequence[Page]], PageMethod]] = {
    "site": lambda pages: SiteRule(dehusk.Site(mixed=True).fit(pages)),
    "wisdom": lambda pages: Wisdom().fit(pages),
    "cst": lambda pages: CompressedStructureTree().fit(pages, sites=[""] * len(pages)),
    "alternation (df)": lambda pages: Alternation().fit(pages),
    "keep-all": lambda _: KeepAll(),
}


def read_sites(data: Path) -> dict[tuple[str, str], Pages]:
    """Return (set, site) -> its pages."""
    found: dict[tuple[str, str], Pages] = defaultdict(list)
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            page = dehusk.parse(sample.bare, url=sample.url)
            found[name, sample_site(sample, page)].append((name, sample.bare, page, sample.gold or ""))
    return found


def f1(sites: dict[tuple[str, str], Pages], cleaned: Callable[[Pages], list[str]]) -> dict[str, float]:
    """Return mean word-bag F1 over the pages of each set and over all."""
    scores = defaultdict(list)
    for (name, _), pages in sites.items():
        for output, (*_, gold) in zip(cleaned(pages), pages, strict=True):
            scores[name].append(word_bag(output, gold).f1)
    means = {name: float(np.mean(scores[name])) for name in CLEANED}
    return {**means, "all": float(np.mean(np.concatenate(list(scores.values()))))}


def by_method(make: Callable[[Sequence[Page]], PageMethod], size: int | None = None) -> Callable[[Pages], list[str]]:
    """Return the function that cleans a site's pages; with a size, each page with so many neighbours, itself one."""

    def cleaned(pages: Pages) -> list[str]:
        step = size or len(pages)
        outputs = []
        for first in range(0, len(pages), step):
            part = pages[first : first + step] if first + step <= len(pages) else pages[-step:]
            method = make([page for _, _, page, _ in part])
            wanted = pages[first : first + step]
            outputs += [to_text(method.label(method.segment(page))) for _, _, page, _ in wanted]
        return outputs

    return cleaned


def by_deboiler(pages: Pages) -> list[str]:
    """Return deboiler's texts of a site's pages, in its default setting."""
    return deboil([data for _, data, _, _ in pages])


def deboil(pages: Sequence[bytes]) -> list[str]:
    records = [
        {"url": f"http://site/{number:05}", "status": 200, "content": decode(data).text, "content_type": "text/html"}
        for number, data in enumerate(pages)
    ]
    dataset = ListDataset(records, verbose=False)
    tool = Deboiler(operation_mode="memory", verbose=False)
    tool.fit(dataset)
    found = {page.url: page.cleaned_text for page in tool.transform(dataset)}
    return [found.get(record["url"]) or "" for record in records]


def ms_a_page(work: Callable[[], object], pages: int, rounds: int = ROUNDS) -> float:
    """Return the least CPU time of some rounds, in ms a page."""
    return 1000 * cpu(work, rounds) / pages


def whole(pages: Sequence[bytes]) -> list[str]:
    """Parse, learn and clean pages in site mode; what only other methods need is left away."""
    read = []
    for data in pages:
        page = dehusk.parse(data)
        page.release()
        read.append(dehusk.segment(page))
    method = SiteRule(dehusk.Site(structure=False).fit(read))
    return [to_text(method.label(blocks)) for blocks in read]


def cost(pages: list[bytes]) -> tuple[list[list[str]], dict]:
    """Return the cost of each step for a growing number of pages."""
    read = [dehusk.parse(data) for data in pages]
    for page in read:
        page.release()
    values: dict[str, list[float]] = defaultdict(list)
    for size in GROWTH:
        part = read[:size]
        site = dehusk.Site().fit(part)
        rule = SiteRule(site)
        _ = site.tables
        values["site: segment, learn and finish"].append(ms_a_page(lambda p=part: dehusk.Site().fit(p).tables, size))
        values["site: segment and label"].append(
            ms_a_page(lambda p=part, r=rule: [r.label(r.segment(x)) for x in p], size)
        )
        for name in ("wisdom", "cst", "alternation (df)"):
            values[f"{name}: learn and label"].append(ms_a_page(lambda p=part, n=name: learn_and_label(n, p), size, 1))
    rows = [
        [name, *(f"{ms:.2f}" for ms in found), f"{found[-1] / found[0] - 1:+.0%}"] for name, found in values.items()
    ]
    return [["CPU ms a page, parsing apart", *(f"{size} pages" for size in GROWTH), "growth"], *rows], values


def learn_and_label(name: str, pages: Sequence[Page]) -> None:
    method = METHODS[name](pages)
    for page in pages:
        method.label(method.segment(page))


def model(pages: list[bytes]) -> dict[str, float]:
    """Return the size of a site model in MB and the time it takes to load in s."""
    found = {}
    site = dehusk.Site().fit(pages)
    with TemporaryDirectory() as folder:
        for complete in (False, True):
            site.save(folder, complete=complete)
            name = "complete" if complete else "finished"
            found[f"{name} MB"] = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
            start = time.perf_counter()
            _ = dehusk.Site.load(folder).pages
            found[f"{name} loads in s"] = time.perf_counter() - start
    return found


def main() -> None:
    data = data_argument(__doc__ or "")
    sites = read_sites(data)
    quality = {name: f1(sites, by_method(make)) for name, make in METHODS.items()}
    quality[f"deboiler {version('deboiler')}"] = f1(sites, by_deboiler)
    few = {f"site, {size} pages a site": f1(sites, by_method(METHODS["site"], size)) for size in SUBSETS}
    rows = [["method", *CLEANED, "all"]]
    rows += [[name, *(f"{value:.3f}" for value in means.values())] for name, means in (quality | few).items()]
    pages = [sample.bare for sample in read_set(set_path(data, CRAWL))]
    table, times = cost(pages)
    tools = {
        "dehusk, site mode": ms_a_page(lambda: whole(pages), len(pages), 1),
        f"deboiler {version('deboiler')}": ms_a_page(lambda: deboil(pages), len(pages), 1),
    }
    sizes = model(pages)
    count = sum(map(len, sites.values()))
    report = (
        f"# Site methods\n\n`python bench/sites.py DATA`, {dt.date.today()}; sets pinned by the hashes in sites.json.\n\n"
        f"## Quality\n\nWord-bag F1, mean over {count} pages of {len(sites)} sites; each site's pages are all that a "
        f"method sees, no trained model.\n\n{markdown_table(rows)}\n## Cost\n\n{CRAWL}, {len(pages)} pages.\n\n"
        f"{markdown_table(table)}\nBytes to text, learning included, in one run:\n\n"
        + markdown_table([["tool", "CPU ms a page"], *([name, f"{ms:.1f}"] for name, ms in tools.items())])
        + "\n## Size of the site model\n\n"
        + markdown_table([list(sizes), [f"{value:.2f}" for value in sizes.values()]])
    )
    hashes = {name: set_fingerprint(set_path(data, name)) for name in (*CLEANED, CRAWL)}
    values = {"f1": quality | few, "ms": times, "tools": tools, "model": sizes, "sets": hashes}
    write_results("sites", report, values)


if __name__ == "__main__":
    main()
