"""WISDOM's TOC blocks on partial crawls: links in them against the title links of threads, for samples of pages."""

import datetime as dt
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Settings, Wisdom
from dehusk.sites.wisdom.blocksets import tables_of_contents
from dehusk.sites.wisdom.link_estimates import MatchRates, places
from dehusk.sites.wisdom.link_targets import Anchors
from dehusk.sites.wisdom.node_features import NodeFeatures
from sets import data_argument, set_path, write_results
from wisdom_pages import FORUMS, INDEX_PAGES, MIN_TITLES, titles

CHOSEN_ON, REPORTED_ON = "site-android-questions", "site-asp-forums"
SIZES, SEEDS = (50, 200, 400), (0, 1, 2, 3, 4)
R = RECOMMENDED
BEFORE, AFTER = "recommended before: API or ALEN", "recommended: estimated API"
SHARES = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
SETTINGS = {
    "as printed: API": PAPER,
    BEFORE: replace(R, toc="auto"),
    "estimated API, all places": replace(R, link_share=0.0),
    AFTER: R,
    "recommended, links not spared": replace(R, spare_links=False),
    "M1, estimated API": replace(R, search="m1"),
}
WITHOUT_RATES = "recommended, every rate 1"
HEAD = f"""# TOC blocks of partial crawls

`python bench/toc_partial.py DATA`, {{date}}; sets identified by the hashes in toc_partial.json.

WISDOM learns a random sample of a crawl (seeds 0 to 4) or all of it. On the first {INDEX_PAGES} index pages of the whole
crawl, as far as they have at least {MIN_TITLES} title links, the links in TOC blocks are compared with the title links of
threads: mean P, R and **F** (least and greatest F of the samples).

`link_share` and the least EN of estimates were chosen on {CHOSEN_ON}: the middle of the range where F hardly changes (.5 to
.7, and .1 to .2). {REPORTED_ON} had a part in two decisions. The least EN is a fixed number: with log_n 2, which was tried
first, F falls with the number of pages there (.99 for 50, .85 for all). And the dominant place is that of the largest sum of
estimates × √characters, the best of eight ways to count the length of link texts (without, F is .97, .97 and .96 there for 50, 200
and all pages; with characters, F of the collections of wcxb-dev falls from .51 to .47).
"""
SAMPLES = f"""## Each sample of {REPORTED_ON}

The goal is half of what is missing: (1 + F before) / 2.

"""
ESTIMATES = """## The estimates

Links of the index pages to pages that are in the crawl, but not in the sample: Spearman's rank correlation of their estimates
with what the whole crawl gives, all of them together. Zero API: share of links with text whose API is 0 in the sample.

"""
RULES = """## Rules that learn nothing

On the same pages, among the links to the page's own host: no site, no entropy, no tree. Mean P, R and **F**.

"""
LONG, LIKE = 20, 0.6
"""Characters of a long link; share of the mean length at the longest place that places like it have. Not
fitted to these forums."""
Scores = tuple[float, float, float]


@dataclass(frozen=True)
class Crawl:
    """A crawl of a forum, with its index pages and their title links."""

    pages: list[Page]
    indexes: list[tuple[Page, set[int]]]

    @classmethod
    def read(cls, data: Path, name: str) -> "Crawl":
        """Read a crawl."""
        index, attribute, pattern = FORUMS[name]
        pages = [parse(sample.data, url=sample.url) for sample in read_set(set_path(data, name))]
        chosen = [page for page in pages if re.search(index, page.url or "")][:INDEX_PAGES]
        gold = [(page, titles(page, attribute, pattern)) for page in chosen]
        return cls(pages, [(page, links) for page, links in gold if len(links) >= MIN_TITLES])

    def samples(self, size: int) -> Iterator[list[Page]]:
        """Yield random samples of so many pages; the whole crawl once."""
        if size >= len(self.pages):
            yield self.pages
        else:
            for seed in SEEDS:
                yield random.Random(seed).sample(self.pages, size)


def score(features: NodeFeatures, settings: Settings, gold: set[int]) -> Scores:
    """Return P, R and F of the links in TOC blocks."""
    inside = tables_of_contents(features, settings).inside
    return agreement_of({node for node in features.anchors.node.tolist() if inside[node]}, gold)


def agreement_of(found: set[int], gold: set[int]) -> Scores:
    """Return P, R and F of some links."""
    both = len(found & gold)
    return both / max(len(found), 1), both / len(gold), 2 * both / (len(found) + len(gold))


def evaluate(crawl: Crawl, sample: list[Page], settings: dict[str, Settings]) -> dict[str, list[float]]:
    """Return the mean P, R and F over the index pages of each setting, after learning a sample."""
    fitted = {preset.words: Wisdom(preset=preset).fit(sample) for preset in settings.values()}
    believing = MatchRates(np.zeros(0, np.uint64), np.zeros(0), 1.0)
    rows: dict[str, list[Scores]] = {name: [] for name in (*settings, WITHOUT_RATES)}
    for page, gold in crawl.indexes:
        features = {words: method.features(page) for words, method in fitted.items()}
        for name, preset in settings.items():
            rows[name].append(score(features[preset.words], preset, gold))
        rows[WITHOUT_RATES].append(score(replace(features[R.words], rates=believing), R, gold))
    return {name: np.mean(values, axis=0).tolist() for name, values in rows.items()}


def correlation(crawl: Crawl, sample: list[Page], whole: Wisdom) -> tuple[float, float]:
    """Return how well estimates rank API, and how many links have API 0, on links that only the whole crawl knows.

    Spearman's rank correlation with the API of the whole crawl over the links of the index pages to pages that are in
    the crawl, but not in the sample; and the share of all meaningful links of these pages with API 0 in the sample.
    """
    method = Wisdom().fit(sample)
    pairs, zeros = [], []
    for page, _ in crawl.indexes:
        known, features = whole.features(page), method.features(page)
        only = whole.links_.loaded(known.anchors) & ~method.links_.loaded(known.anchors) & known.anchors.in_site
        pairs.append(np.stack([known.estimated_api[only], features.estimated_api[only]]))
        zeros.append(features.zero_api)
    ranks = np.apply_along_axis(ranked, 1, np.concatenate(pairs, axis=1))
    return float(np.corrcoef(ranks)[0, 1]), float(np.mean(zeros))


def ranked(values: np.ndarray) -> np.ndarray:
    """Return the rank of each value, equal values with their mean rank."""
    _, inverse, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[inverse]


def table(crawl: Crawl, settings: dict[str, Settings], cell: Callable[[list[list[float]]], str]) -> tuple[str, dict]:
    """Return a table of settings by size of the sample, and its values: size -> setting -> P, R and F by sample."""
    values: dict[str, dict[str, list[list[float]]]] = {}
    for size in (*SIZES, len(crawl.pages)):
        for sample in crawl.samples(size):
            for name, row in evaluate(crawl, sample, settings).items():
                values.setdefault(str(size), {}).setdefault(name, []).append(row)
    rows = [["setting", *(f"{size} pages" for size in values)]]
    rows += [[name, *(cell(of_size[name]) for of_size in values.values())] for name in (*settings, WITHOUT_RATES)]
    return markdown_table(rows), values


def figures(rows: list[list[float]]) -> str:
    """Return mean P, R and F, and the range of F over the samples."""
    p, r, f = np.mean(rows, axis=0)
    all_f = [row[2] for row in rows]
    spread = f" ({min(all_f):.2f}–{max(all_f):.2f})" if len(rows) > 1 else ""
    return f"{p:.2f}, {r:.2f}, **{f:.3f}**{spread}"


def samples_table(values: dict) -> str:
    """Return F of each sample, before and after, and the goal: half of what is missing."""
    rows = [["pages", "seed", "F before", "goal", "F"]]
    for size, of_size in values.items():
        for seed, (old, new) in enumerate(zip(of_size[BEFORE], of_size[AFTER], strict=True)):
            rows.append([size, str(seed), *(f"{f:.3f}" for f in (old[2], (1 + old[2]) / 2, new[2]))])
    return markdown_table(rows)


def shares_table(crawls: dict[str, Crawl]) -> tuple[str, dict]:
    """Return mean F by `link_share` over samples of 200 pages."""
    values = {}
    for name, crawl in crawls.items():
        settings = {f"{share:g}": replace(R, link_share=share) for share in SHARES}
        results = [evaluate(crawl, sample, settings) for sample in crawl.samples(200)]
        values[name] = {share: float(np.mean([row[share][2] for row in results])) for share in settings}
    rows = [["link_share", *(f"{share:g}" for share in SHARES)]]
    rows += [[name, *(f"{f:.3f}" for f in of_crawl.values())] for name, of_crawl in values.items()]
    return markdown_table(rows), values


def estimates_table(crawls: dict[str, Crawl]) -> tuple[str, dict]:
    """Return how well estimates agree with the API of the whole crawl."""
    rows, values = [["crawl", "pages", "zero API", "rank correlation"]], {}
    for name, crawl in crawls.items():
        whole = Wisdom().fit(crawl.pages)
        for size in SIZES:
            results = [correlation(crawl, sample, whole) for sample in crawl.samples(size)]
            rank, zero = np.mean(results, axis=0).tolist()
            rows.append([name, str(size), f"{zero:.2f}", f"{rank:.2f}"])
            values[f"{name}, {size}"] = {"rank correlation": rank, "zero API": zero}
    return markdown_table(rows), values


def rules(page: Page) -> dict[str, np.ndarray]:
    """Return for each rule that needs no site which links of a page it takes, shape (a,)."""
    anchors = Anchors.of(page)
    texts = (page.text[page.text_start[node] : page.text_end[node]] for node in anchors.node.tolist())
    size = np.array([len(" ".join(text.split())) for text in texts])
    size *= anchors.in_site
    _, place, links = np.unique(places(anchors), return_inverse=True, return_counts=True)
    total = np.bincount(place, size, len(links))
    mean = total / links
    longest = int(total.argmax())
    return {
        "everything: each link to the site": size > 0,
        f"links of {LONG} characters and more": size >= LONG,
        "the place with the longest link texts": (size > 0) & (place == longest),
        f"and places with {LIKE} of its mean": (size > 0) & (mean >= LIKE * mean[longest])[place],
    }


def rules_table(crawls: dict[str, Crawl]) -> tuple[str, dict]:
    """Return the mean P, R and F of each rule on each crawl."""
    values: dict[str, dict[str, list[float]]] = {}
    for name, crawl in crawls.items():
        of_rule: dict[str, list[Scores]] = {}
        for page, gold in crawl.indexes:
            nodes = Anchors.of(page).node
            for rule, taken in rules(page).items():
                of_rule.setdefault(rule, []).append(agreement_of(set(nodes[taken].tolist()), gold))
        values[name] = {rule: np.mean(scores, axis=0).tolist() for rule, scores in of_rule.items()}
    cell = "{:.2f}, {:.2f}, **{:.3f}**".format
    names = next(iter(values.values()))
    rows = [["rule", *values], *([name, *(cell(*of_crawl[name]) for of_crawl in values.values())] for name in names)]
    return markdown_table(rows), values


def main() -> None:
    data = data_argument(__doc__ or "")
    crawls = {name: Crawl.read(data, name) for name in (CHOSEN_ON, REPORTED_ON)}
    tables = {name: table(crawl, SETTINGS, figures) for name, crawl in crawls.items()}
    shares, by_share = shares_table(crawls)
    estimates, agreement = estimates_table(crawls)
    parts = [HEAD.format(date=dt.date.today())]
    for name, (text, _) in tables.items():
        parts.append(f"## {name} ({len(crawls[name].indexes)} index pages)\n\n{text}")
    by_rule, rule_values = rules_table(crawls)
    parts.append(RULES + by_rule)
    parts.append(SAMPLES + samples_table(tables[REPORTED_ON][1]))
    parts.append(f"## F by link_share, 200 pages\n\n{shares}")
    parts.append(ESTIMATES + estimates)
    fingerprints = {name: set_fingerprint(set_path(data, name)) for name in crawls}
    values = {name: of_crawl for name, (_, of_crawl) in tables.items()}
    results = {
        "sets": fingerprints,
        "figures": values,
        "rules": rule_values,
        "shares": by_share,
        "estimates": agreement,
    }
    write_results("toc_partial", "\n".join(parts), results, judges="none")


if __name__ == "__main__":
    main()
