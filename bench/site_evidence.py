"""Judge the default method alone and with the evidence of its site, learned from 2, 5, 10 and 50 pages.

The page that is cleaned is one of the site's pages. Sets with gold texts are judged by word-bag F1, sets that state facts
by the share of each page's facts that is kept, crawls without either by the share of the words kept alone that are still
kept with the site. The shipped model was trained on some of these sets, but on none of a site's other pages, so only the
differences between the columns are meaningful.
"""

import datetime as dt
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from dehusk import Site, parse, segment
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set, sample_site, set_fingerprint
from dehusk.lab.gold.facts import with_gold_lines_as_facts
from dehusk.label import load_method
from dehusk.measures.facts import facts_kept
from dehusk.measures.metrics import word_bag
from sets import data_argument, set_path, write_results

GOLD = (
    "daniel-a",
    "big9-2005",
    "big9-2013",
    "cleanportaleval-a",
    "dragnet-a",
    "scrapinghub-a",
    "wcxb-dev",
    "fundus-a",
    "harvest-a",
    "magic-forum-a",
)
FACTS = ("site-christianbook", "product-a", "recipes-a", "courts-a")
CRAWLS = ("site-asp-forums", "site-android-questions", "site-zhihu-a")
BY_LANGUAGE = "daniel-a"
SIZES = (2, 5, 10, 50)
LEAST = 5
"""Pages of a site that the last column of the report asks for."""

Member = tuple[Sample, Blocks]


def read_sites(data: Path, name: str) -> dict[str, list[Member]]:
    """Return the pages of each site of a set that has at least two pages with text."""
    sites: dict[str, list[Member]] = defaultdict(list)
    for sample in read_set(set_path(data, name)):
        page = parse(sample.bare, url=sample.url)
        blocks = segment(page)
        if len(blocks):
            host = sample.site or urlsplit(sample.url or "").hostname or sample_site(sample, page)
            sites[host].append((with_gold_lines_as_facts(sample) if name == FACTS[0] else sample, blocks))
        page.release()
    return {site: members for site, members in sites.items() if len(members) > 1}


def judge(name: str, sample: Sample, labels: Labels, alone: Labels) -> float | None:
    """Return the measure of the set for one page; None if the page cannot be judged."""
    texts = labels.blocks.texts
    kept = " ".join(text for text, keep in zip(texts, labels.kept.tolist(), strict=True) if keep)
    if name in CRAWLS:
        words = labels.blocks.words
        before = int(words[alone.kept].sum())
        return float(words[labels.kept & alone.kept].sum() / before) if before else None
    if name in GOLD:
        return None if sample.gold is None else word_bag(kept, sample.gold_text).f1
    on_page = [fact for fact in sample.facts if facts_kept(" ".join(texts), [fact]).kept]
    return facts_kept(kept, on_page).recall if on_page else None


def figures(name: str, sites: dict[str, list[Member]]) -> Iterator[tuple[str, str, int, float, int]]:
    """Yield (group, site, pages of the site or 0 for none, measure, words kept) of each page in each setting."""
    method = load_method("united")
    for site, members in sites.items():
        alone = [method.label(blocks) for _, blocks in members]
        for size in (0, *SIZES):
            for group in np.array_split(np.arange(len(members)), max(1, len(members) // size) if size else 1):
                learned = Site(mixed=True, structure=False).fit([members[n][1] for n in group]) if size else None
                used = load_method("united", site=learned) if learned else None
                for n in group.tolist():
                    sample, blocks = members[n]
                    labels = used.label(blocks) if used else alone[n]
                    measure = judge(name, sample, labels, alone[n])
                    if measure is not None:
                        words = int(blocks.words[labels.kept].sum())
                        yield sample.language or sample.type or "", site, size, measure, words


def rows(name: str, sites: dict[str, list[Member]]) -> list[list[str]]:
    """Return the table rows of a set, one more for its sites of `LEAST` pages, and one for each language."""
    found: dict[str, dict[int, list[tuple[float, int]]]] = defaultdict(lambda: defaultdict(list))
    for group, site, size, measure, words in figures(name, sites):
        names = [name]
        if name == BY_LANGUAGE and len(sites[site]) >= LEAST:
            names += [f"{name}, sites of {LEAST} and more", f"{name}, sites of {LEAST} and more: {group}"]
        for each in names:
            found[each][size].append((measure, words))
    table = []
    for each, by_size in sorted(found.items()):
        means = [float(np.mean([measure for measure, _ in by_size[size]])) for size in (0, *SIZES)]
        kept = [float(np.mean([words for _, words in by_size[size]])) for size in (0, 10)]
        table.append([each, str(len(by_size[0])), *(f"{mean:.3f}" for mean in means), *(f"{x:.0f}" for x in kept)])
    return table


def main() -> None:
    data = data_argument(__doc__ or "")
    head = ["set", "pages", "alone", *(f"{size} pages" for size in SIZES), "words alone", "words, 10 pages"]
    sections = {"Word-bag F1": GOLD, "Share of facts kept": FACTS, "Share of the words kept alone": CRAWLS}
    tables = {}
    for title, names in sections.items():
        tables[title] = [head, *(row for name in names for row in rows(name, read_sites(data, name)))]
        print(markdown_table(tables[title]), flush=True)
    text = (
        f"# The evidence of a site\n\n`python bench/site_evidence.py DATA`, {dt.date.today()}: the default method alone "
        "and with what 2, 5, 10 and 50 pages of the site share; means over the pages of sites with two and more pages."
        + "".join(f"\n\n## {title}\n\n{markdown_table(table)}" for title, table in tables.items())
    )
    hashes = {name: set_fingerprint(set_path(data, name)) for name in (*GOLD, *FACTS, *CRAWLS)}
    write_results("site_evidence", text, {"tables": tables, "sets": hashes})


if __name__ == "__main__":
    main()
