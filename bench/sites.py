"""Compare the methods that learn from a site's pages with deboiler: word-bag F1, cost, growth, size of a site model.

News sites have ten pages and more each; daniel-a has sites of five languages, most with one or two pages. In scripts
without spaces, each character is a word.
"""

import argparse
import datetime as dt
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from deboiler import Deboiler
from deboiler.dataset.list_dataset import ListDataset

import dehusk
from clock import ROUNDS, cpu
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set, sample_site, set_fingerprint
from dehusk.lab.gold.splits import folds_by_site
from dehusk.label.base import PageMethod
from dehusk.label.baseline import KeepAll
from dehusk.label.repetition import SiteRule
from dehusk.measures.metrics import word_bag
from dehusk.read import decode
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation
from dehusk.sites.structure_tree import CompressedStructureTree
from dehusk.sites.wisdom import Wisdom
from dehusk.write import to_text
from sets import RESULTS, set_path, spaced, write_results
from tools import TOOLS, run

CLEANED = ("cleanportaleval-a", "big9-2005", "big9-2013")
LANGUAGES = "daniel-a"
CRAWL = "site-asp-forums"
GROWTH = (50, 200, 700, 1360)
SUBSETS = (10, 5, 3, 2)
TUNED = 0
"""The half of the sites of `LANGUAGES` that settings were chosen on."""
TRAFILATURA = next(name for name in TOOLS if name.startswith("trafilatura"))

Pages = list[tuple[str, bytes, Page, str]]
"""(set, bytes, page, gold text) of each page of a site."""

Cleaned = Callable[[Pages], list[str]]
"""Cleans the pages of a site."""

METHODS: dict[str, Callable[[Sequence[Page]], PageMethod]] = {
    "site": lambda pages: SiteRule(dehusk.Site(mixed=True).fit(pages)),
    "wisdom": lambda pages: Wisdom().fit(pages),
    "cst": lambda pages: CompressedStructureTree().fit(pages, sites=[""] * len(pages)),
    "alternation (df)": lambda pages: Alternation().fit(pages),
    "keep-all": lambda _: KeepAll(),
}

VARIANTS: dict[str, Callable[[Sequence[Page]], PageMethod]] = {
    "site, run=0": lambda pages: SiteRule(dehusk.Site(mixed=True).fit(pages), run=0),
    "wisdom, as printed": lambda pages: Wisdom(preset="paper").fit(pages),
}
"""Other settings of the methods, judged but not timed."""


@dataclass(frozen=True)
class LanguagePage:
    """A page of `LANGUAGES`, beside its row in `Pages`."""

    language: str
    alone: bool
    """Whether it is the only page of its site."""
    tuned: bool
    """Whether it is in the half of the sites that settings were chosen on."""


def read_sites(data: Path) -> dict[tuple[str, str], Pages]:
    """Return the pages of each (set, site)."""
    sites: dict[tuple[str, str], Pages] = defaultdict(list)
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            page = dehusk.parse(sample.bare, url=sample.url)
            sites[name, sample_site(sample, page)].append((name, sample.bare, page, sample.gold_text))
    return sites


def f1(sites: dict[tuple[str, str], Pages], cleaned: Cleaned) -> dict[str, float]:
    """Return mean word-bag F1 over the pages of each set and over all."""
    scores = defaultdict(list)
    for (name, _), pages in sites.items():
        for output, (*_, gold) in zip(cleaned(pages), pages, strict=True):
            scores[name].append(word_bag(spaced(output), spaced(gold)).f1)
    means = {name: float(np.mean(scores[name])) for name in CLEANED}
    return {**means, "all": float(np.mean(np.concatenate(list(scores.values()))))}


def read_languages(data: Path) -> tuple[dict[str, Pages], dict[str, list[LanguagePage]]]:
    """Return the pages of each site of `LANGUAGES`, and what else is known about them.

    Sites are hosts, as the set names them; the halves are by registered domain, so that hosts of one domain are in the
    same half.
    """
    samples = list(read_set(set_path(data, LANGUAGES)))
    pages = [dehusk.parse(sample.bare, url=sample.url) for sample in samples]
    half = folds_by_site([sample_site(sample, page) for sample, page in zip(samples, pages, strict=True)], 2)
    of_site = Counter(sample.site for sample in samples)
    sites: dict[str, Pages] = defaultdict(list)
    facts: dict[str, list[LanguagePage]] = defaultdict(list)
    for sample, page, fold in zip(samples, pages, half.tolist(), strict=True):
        page.release()
        sites[str(sample.site)].append((LANGUAGES, sample.bare, page, sample.gold_text))
        facts[str(sample.site)].append(LanguagePage(str(sample.type), of_site[sample.site] == 1, fold == TUNED))
    return sites, facts


def f1_by_language(sites: dict[str, Pages], facts: dict[str, list[LanguagePage]], cleaned: Cleaned) -> dict[str, float]:
    """Return mean word-bag F1 over all pages, the pages of each half, of sites by size, and of each language."""
    scores: dict[str, list[float]] = defaultdict(list)
    for site, pages in sites.items():
        for output, (*_, gold), fact in zip(cleaned(pages), pages, facts[site], strict=True):
            groups = ["all", "tuned half" if fact.tuned else "other half", fact.language]
            groups.append("one page" if fact.alone else "2+ pages")
            for group in groups:
                scores[group].append(word_bag(spaced(output), spaced(gold)).f1)
    first = ["all", "tuned half", "other half", "2+ pages", "one page"]
    order = [*first, *sorted(set(scores) - set(first))]
    return {group: float(np.mean(scores[group])) for group in order}


def by_method(make: Callable[[Sequence[Page]], PageMethod], size: int | None = None) -> Cleaned:
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


def by_trafilatura(pages: Pages) -> list[str]:
    """Return the texts that trafilatura, which needs no other pages, keeps of each page."""
    return [run(TOOLS[TRAFILATURA], decode(data).text)[0] for _, data, _, _ in pages]


def by_deboiler(pages: Pages) -> list[str]:
    """Return the texts that deboiler, with its default settings, keeps of a site's pages; empty texts if it fails."""
    try:
        return deboil([data for _, data, _, _ in pages])
    except Exception as error:  # (any exception counts as a failure of the tool)
        print(f"deboiler fails on a site of {len(pages)} pages: {type(error).__name__}", file=sys.stderr)
        return [""] * len(pages)


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


def cleaners() -> dict[str, Cleaned]:
    """Return all methods and tools, by name."""
    methods = {name: by_method(make) for name, make in {**METHODS, **VARIANTS}.items()}
    return {**methods, f"deboiler {version('deboiler')}": by_deboiler, TRAFILATURA: by_trafilatura}


def measure_quality(data: Path) -> tuple[dict[str, dict[str, float]], str]:
    """Return the mean F1 of each method by set, and the report's section on quality."""
    sites = read_sites(data)
    quality = {name: f1(sites, cleaned) for name, cleaned in cleaners().items()}
    for name in ("site", "wisdom"):
        quality |= {f"{name}, {size} pages a site": f1(sites, by_method(METHODS[name], size)) for size in SUBSETS}
    rows = [[name, *(f"{value:.3f}" for value in means.values())] for name, means in quality.items()]
    count = sum(map(len, sites.values()))
    section = (
        f"## News sites\n\nWord-bag F1, mean over {count} pages of {len(sites)} sites. A method sees only the pages of "
        f"the site; none uses a trained model.\n\n{markdown_table([['method', *CLEANED, 'all'], *rows])}"
    )
    return quality, section


def measure_languages(data: Path) -> tuple[dict[str, dict[str, float]], str]:
    """Return the mean F1 of each method on `LANGUAGES` by group, and the report's section on it."""
    sites, facts = read_languages(data)
    quality = {name: f1_by_language(sites, facts, cleaned) for name, cleaned in cleaners().items()}
    known = [fact for of_site in facts.values() for fact in of_site]
    groups = list(quality["site"])
    rows = [[name, *(f"{means[group]:.3f}" for group in groups)] for name, means in quality.items()]
    section = (
        f"## Five languages\n\nWord-bag F1 on {LANGUAGES}, mean over {len(known)} pages of {len(sites)} sites: "
        f"{sum(not fact.alone for fact in known)} pages of {sum(len(of_site) > 1 for of_site in facts.values())} sites "
        f"with two and more pages, {sum(fact.alone for fact in known)} pages that are the only one of their site, where "
        f"nothing can repeat. The rules of `site` and the recommended settings of `wisdom` were chosen on the tuned half "
        f"of the sites ({sum(fact.tuned for fact in known)} pages) together with the news sites above.\n\n"
        f"{markdown_table([['method', *groups], *rows])}"
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
    languages, language_section = measure_languages(arguments.data)
    costs, cost_section = last_cost() if arguments.quality else measure_cost(arguments.data)
    report = (
        f"# Site methods\n\n`python bench/sites.py DATA`, {dt.date.today()}; sets pinned by the hashes in sites.json.\n\n"
        f"{quality_section}\n{language_section}\n{cost_section}"
    )
    hashes = {name: set_fingerprint(set_path(arguments.data, name)) for name in (*CLEANED, LANGUAGES, CRAWL)}
    write_results("sites", report, {"f1": quality, "languages": languages, **costs, "sets": hashes}, judges="none")


if __name__ == "__main__":
    main()
