"""Compare the methods that learn from a site's pages with deboiler: word-bag F1, cost, growth, size of a site model."""

import argparse
import datetime as dt
import json
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
from sets import RESULTS, set_path, write_results

CLEANED = ("cleanportaleval-a", "big9-2005", "big9-2013")
CRAWL = "site-asp-forums"
GROWTH = (50, 200, 700, 1360)
SUBSETS = (10, 5, 3, 2)

Pages = list[tuple[str, bytes, Page, str]]
"""(set, bytes, page, gold text) of each page of a site."""

METHODS: dict[str, Callable[[Sequence[Page]], PageMethod]] = {
    "site": lambda pages: SiteRule(dehusk.Site(mixed=True).fit(pages)),
    "wisdom": lambda pages: Wisdom().fit(pages),
    "cst": lambda pages: CompressedStructureTree().fit(pages, sites=[""] * len(pages)),
    "alternation (df)": lambda pages: Alternation().fit(pages),
    "keep-all": lambda _: KeepAll(),
}


def read_sites(data: Path) -> dict[tuple[str, str], Pages]:
    """Return the pages of each (set, site)."""
    sites: dict[tuple[str, str], Pages] = defaultdict(list)
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            page = dehusk.parse(sample.bare, url=sample.url)
            sites[name, sample_site(sample, page)].append((name, sample.bare, page, sample.gold_text))
    return sites


def f1(sites: dict[tuple[str, str], Pages], cleaned: Callable[[Pages], list[str]]) -> dict[str, float]:
    """Return mean word-bag F1 over the pages of each set and over all."""
    scores = defaultdict(list)
    for (name, _), pages in sites.items():
        for output, (*_, gold) in zip(cleaned(pages), pages, strict=True):
            scores[name].append(word_bag(output, gold).f1)
    means = {name: float(np.mean(scores[name])) for name in CLEANED}
    return {**means, "all": float(np.mean(np.concatenate(list(scores.values()))))}


def by_method(make: Callable[[Sequence[Page]], PageMethod], size: int | None = None) -> Callable[[Pages], list[str]]:
    """Return a function that cleans a site's pages.

    With a size, the function learns from groups of that many pages instead of all pages of the site.
    """

    def cleaned(pages: Pages) -> list[str]:
        step = size or len(pages)
        outputs = []
        for first in range(0, len(pages), step):
            group = pages[first : first + step] if first + step <= len(pages) else pages[-step:]
            method = make([page for _, _, page, _ in group])
            to_clean = pages[first : first + step]
            outputs += [to_text(method.label(method.segment(page))) for _, _, page, _ in to_clean]
        return outputs

    return cleaned


def by_deboiler(pages: Pages) -> list[str]:
    """Return the texts that deboiler, with its default settings, keeps of a site's pages."""
    return deboil([data for _, data, _, _ in pages])


def deboil(pages: Sequence[bytes]) -> list[str]:
    records = [
        {"url": f"http://site/{number:05}", "status": 200, "content": decode(data).text, "content_type": "text/html"}
        for number, data in enumerate(pages)
    ]
    dataset = ListDataset(records, verbose=False)
    tool = Deboiler(operation_mode="memory", verbose=False)
    tool.fit(dataset)
    texts = {page.url: page.cleaned_text for page in tool.transform(dataset)}
    return [texts.get(record["url"]) or "" for record in records]


def ms_a_page(work: Callable[[], object], pages: int, rounds: int = ROUNDS) -> float:
    """Return the CPU time of the fastest round, in milliseconds per page."""
    return 1000 * cpu(work, rounds) / pages


def clean_by_site(pages: Sequence[bytes]) -> list[str]:
    """Parse, learn and clean pages with the method `site`, without the counts that only other methods need."""
    segmented = []
    for data in pages:
        page = dehusk.parse(data)
        page.release()
        segmented.append(dehusk.segment(page))
    method = SiteRule(dehusk.Site(structure=False).fit(segmented))
    return [to_text(method.label(blocks)) for blocks in segmented]


def cost(pages: list[bytes]) -> tuple[list[list[str]], dict]:
    """Return the cost of each step for a growing number of pages, as a table and as values."""
    parsed = [dehusk.parse(data) for data in pages]
    for page in parsed:
        page.release()
    values: dict[str, list[float]] = defaultdict(list)
    for size in GROWTH:
        part = parsed[:size]
        site = dehusk.Site().fit(part)
        rule = SiteRule(site)
        _ = site.tables
        values["site: segment, learn and finish"].append(ms_a_page(lambda p=part: dehusk.Site().fit(p).tables, size))
        values["site: segment and label"].append(
            ms_a_page(lambda p=part, r=rule: [r.label(r.segment(x)) for x in p], size)
        )
        for name in ("wisdom", "cst", "alternation (df)"):
            values[f"{name}: learn and label"].append(ms_a_page(lambda p=part, n=name: learn_and_label(n, p), size, 1))
    rows = [[name, *(f"{ms:.2f}" for ms in row), f"{row[-1] / row[0] - 1:+.0%}"] for name, row in values.items()]
    return [["CPU ms per page, without parsing", *(f"{size} pages" for size in GROWTH), "growth"], *rows], values


def learn_and_label(name: str, pages: Sequence[Page]) -> None:
    method = METHODS[name](pages)
    for page in pages:
        method.label(method.segment(page))


def model(pages: list[bytes]) -> dict[str, float]:
    """Return the size of a site model in MB and the time to load it in seconds."""
    figures = {}
    site = dehusk.Site().fit(pages)
    with TemporaryDirectory() as folder:
        for complete in (False, True):
            site.save(folder, complete=complete)
            name = "complete" if complete else "finished"
            figures[f"{name} MB"] = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
            start = time.perf_counter()
            _ = dehusk.Site.load(folder).pages
            figures[f"{name} loads in s"] = time.perf_counter() - start
    return figures


def measure_quality(data: Path) -> tuple[dict[str, dict[str, float]], str]:
    """Return the mean F1 of each method by set, and the report's section on quality."""
    sites = read_sites(data)
    quality = {name: f1(sites, by_method(make)) for name, make in METHODS.items()}
    quality[f"deboiler {version('deboiler')}"] = f1(sites, by_deboiler)
    quality |= {f"site, {size} pages a site": f1(sites, by_method(METHODS["site"], size)) for size in SUBSETS}
    rows = [[name, *(f"{value:.3f}" for value in means.values())] for name, means in quality.items()]
    count = sum(map(len, sites.values()))
    section = (
        f"## Quality\n\nWord-bag F1, mean over {count} pages of {len(sites)} sites. A method sees only the pages of the "
        f"site; none uses a trained model.\n\n{markdown_table([['method', *CLEANED, 'all'], *rows])}"
    )
    return quality, section


def measure_cost(data: Path) -> tuple[dict, str]:
    """Return the figures of cost and size, and the report's sections on them."""
    pages = [sample.bare for sample in read_set(set_path(data, CRAWL))]
    table, times = cost(pages)
    tools = {
        "dehusk, site mode": ms_a_page(lambda: clean_by_site(pages), len(pages), 1),
        f"deboiler {version('deboiler')}": ms_a_page(lambda: deboil(pages), len(pages), 1),
    }
    sizes = model(pages)
    section = (
        f"## Cost\n\n{CRAWL}, {len(pages)} pages, {dt.date.today()}.\n\n{markdown_table(table)}\n"
        "From bytes to text, learning included, in one run:\n\n"
        + markdown_table([["tool", "CPU ms per page"], *([name, f"{ms:.1f}"] for name, ms in tools.items())])
        + "\n## Size of the site model\n\n"
        + markdown_table([list(sizes), [f"{value:.2f}" for value in sizes.values()]])
    )
    return {"ms": times, "tools": tools, "model": sizes}, section


def last_cost() -> tuple[dict, str]:
    """Return the figures and sections on cost of the last complete run."""
    values = json.loads((RESULTS / "sites.json").read_text("utf-8"))
    report = (RESULTS / "sites.md").read_text("utf-8")
    return {key: values[key] for key in ("ms", "tools", "model")}, report[report.index("## Cost") :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--quality", action="store_true", help="measure quality only; keep the published costs")
    arguments = parser.parse_args()
    quality, quality_section = measure_quality(arguments.data)
    costs, cost_section = last_cost() if arguments.quality else measure_cost(arguments.data)
    report = (
        f"# Site methods\n\n`python bench/sites.py DATA`, {dt.date.today()}; sets pinned by the hashes in sites.json.\n\n"
        f"{quality_section}\n{cost_section}"
    )
    hashes = {name: set_fingerprint(set_path(arguments.data, name)) for name in (*CLEANED, CRAWL)}
    write_results("sites", report, {"f1": quality, **costs, "sets": hashes})


if __name__ == "__main__":
    main()
