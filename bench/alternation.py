"""FindOptimal on sites: quality with our and the paper's settings, the tables of section 4, records, speed, memory."""

import datetime as dt
import html
import multiprocessing
import os
import re
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import dehusk
from alternation_surface import SURFACES, surfaces
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.lab.papers.experiment import read_open_set
from dehusk.lab.papers.findoptimal import ANDROID, NEWS, ZHIHU, Marked, folded, mark_articles
from dehusk.label.baseline import KeepAll
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import WordBag, word_bag
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, RangeAgreement, agreement, correct_string, page_string
from dehusk.sites.alternation.strings import fold, folded_text
from dehusk.sites.alternation.suffixes import sort_suffixes
from dehusk.sites.alternation.surface import SurfaceRows
from dehusk.write import to_text
from sets import data_argument, set_path, write_results

QUALITY_SETS = ("cleanportaleval-a", "big9-2005", "big9-2013")
CRAWLS = ("site-android-questions", "site-zhihu-a", "site-christianbook", "site-asp-forums")
CLASS = ("class",)
Options = dict[str, Any]
PRINTED = "search as printed"
DF = "df ≥ 2, n = 32 (default)"
AHEAD = "printed, look-ahead 2"
RULES: dict[str, Options] = {
    DF: {},
    PRINTED: {"search": "printed"},
    "printed, ties alphabetical": {"search": "printed", "ties": "alphabetical"},
    "printed, ties first-seen": {"search": "printed", "ties": "first-seen"},
    "printed, ties join": {"search": "printed", "ties": "join"},
    "printed, t = 1": {"search": "printed", "t": 1},
    AHEAD: {"search": "printed", "look_ahead": 2},
    "printed, look-ahead 4": {"search": "printed", "look_ahead": 4},
    "printed, bounds <>.?": {"search": "printed", "bounds": "<>.?"},
    "printed, look-ahead 4, bounds <>.?": {"search": "printed", "look_ahead": 4, "bounds": "<>.?"},
}
"""Name -> options of `FindOptimal` and `Alternation`."""
BOUND = tuple(name for name in RULES if "bounds" in name)
TIES = tuple(name for name in RULES if name.startswith(("printed, ties", "printed, t =")))
_MARKUP = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)

Site = list[tuple[Sample, Page]]


def read_sites(data: Path) -> dict[tuple[str, str], Site]:
    sites: dict[tuple[str, str], Site] = defaultdict(list)
    for name in QUALITY_SETS:
        for sample in read_set(set_path(data, name)):
            sites[name, str(sample.site)].append((sample, dehusk.parse(sample.bare)))
    return sites


# Quality: three representations of a page. Each function cleans the pages of a site; it returns their texts and the cut.


def by_blocks(options: Options, attributes: Sequence[str] | None) -> Callable[[Site], tuple[list[str], FindOptimal]]:
    def clean(site: Site) -> tuple[list[str], FindOptimal]:
        method = Alternation(**options, attributes=attributes).fit([page for _, page in site])
        return [to_text(method.label(method.segment(page))) for _, page in site], method.cut_

    return clean


def by_characters(options: Options) -> Callable[[Site], tuple[list[str], FindOptimal]]:
    """Page strings, but keep characters instead of blocks."""

    def clean(site: Site) -> tuple[list[str], FindOptimal]:
        strings = [page_string(page) for _, page in site]
        cut = Alternation(**options).fit([page for _, page in site]).cut_
        texts = []
        for (_, page), string in zip(site, strings, strict=True):
            blocks = dehusk.segment(page)
            keeps = cut.range_string(string.text)[string.positions[blocks.source]].astype(bool)
            points = np.where(keeps, blocks.code_points, 32).astype(np.uint32)
            line = folded_text(points)
            texts.append("\n".join(line[a:b] for a, b in zip(blocks.start, blocks.end, strict=True)))
        return texts, cut

    return clean


def by_raw_characters(options: Options) -> Callable[[Site], tuple[list[str], FindOptimal]]:
    """The strings of the paper: the source with scripts; keep what is neither useless nor markup."""

    def clean(site: Site) -> tuple[list[str], FindOptimal]:
        documents = [folded(sample) for sample, _ in site]
        cut = FindOptimal(**options).fit(documents)
        texts = []
        for document in documents:
            keeps = cut.range_string(document).astype(bool)
            for match in _MARKUP.finditer(document):
                keeps[match.start() : match.end()] = False
            points = np.where(keeps, fold(document).points, 32).astype(np.uint32)
            texts.append(html.unescape(folded_text(points)))
        return texts, cut

    return clean


def quality(sites: dict[tuple[str, str], Site]) -> tuple[list[list[str]], list[list[str]], dict[str, float]]:
    cleaners: dict[str, Callable[[Site], tuple[list[str], FindOptimal]]] = {}
    for name, options in RULES.items():
        cleaners[f"{name} · page strings, blocks"] = by_blocks(options, CLASS)
    cleaners["df ≥ 2, n = 32 · page strings with all attributes, blocks"] = by_blocks({}, None)
    cleaners["df ≥ 2, n = 32 · page strings without attributes, blocks"] = by_blocks({}, ())
    for n in (16, 24, 48, 64):
        cleaners[f"df ≥ 2, n = {n} · page strings, blocks"] = by_blocks({"n": n}, CLASS)
    cleaners["df ≥ 3, n = 32 · page strings, blocks"] = by_blocks({"t": 3}, CLASS)
    for n in (16, 32, 64):
        cleaners[f"df ≥ 2, n = {n}, bounds <>.? · page strings, blocks"] = by_blocks({"n": n, "bounds": "<>.?"}, CLASS)
    cleaners["df ≥ 2, n = 32 · page strings, characters"] = by_characters({})
    for name, options in RULES.items():
        cleaners[f"{name} · raw html, characters"] = by_raw_characters(options)
    pages = sum(map(len, sites.values()))
    rows = [["rule · string, unit kept", *QUALITY_SETS, f"all {pages}", "95 % of all", "P", "R", "CPU ms per page"]]
    means, cuts = {}, {}
    keep_all = KeepAll()
    cleaners = {
        "everything": lambda site: ([to_text(keep_all.label(keep_all.segment(p))) for _, p in site], None),
        **cleaners,
    }
    for name, clean in cleaners.items():
        scores: dict[str, list[WordBag]] = defaultdict(list)
        start = time.process_time()
        cleaned = {key: clean(site) for key, site in sites.items()}
        spent = time.process_time() - start
        for key, (texts, _) in cleaned.items():
            scores[key[0]] += [word_bag(t, s.gold_text) for t, (s, _) in zip(texts, sites[key], strict=True)]
        every = [bag for bags in scores.values() for bag in bags]
        means[name] = float(np.mean([bag.f1 for bag in every]))
        figures = [np.mean([bag.f1 for bag in scores[of_set]]) for of_set in QUALITY_SETS]
        shares = np.mean([(bag.precision, bag.recall) for bag in every], axis=0)
        interval = bootstrap_interval([bag.f1 for bag in every], [" ".join(key) for key in cleaned for _ in sites[key]])
        cells = [
            *(f"{figure:.3f}" for figure in (*figures, means[name])),
            str(interval),
            *(f"{share:.3f}" for share in shares),
        ]
        rows.append([name, *cells, f"{1000 * spent / pages:.1f}"])
        cuts[name] = {key: cut for key, (_, cut) in cleaned.items()}
    chosen = (PRINTED, "printed, ties join", AHEAD)
    names = [name for name in cleaners if name.split(" · ")[0] in chosen]
    points = [["site", *names]]
    points += [[" ".join(key), *(_cut(cuts[name][key]) for name in names)] for key in sites]
    return rows, points, means


# Section 4: correct strings by delimiters

NOISE = (0, 6, 19, 76)  # noise pages; 6 to 76 correspond to the paper's 14 to 184
HEAD = ["set", "pages", "M characters", "rule", "cut", "accuracy", "recall", "precision"]


def sets_of_section_4(data: Path) -> dict[str, list[Marked]]:
    """Return the sets of section 4: name -> the pages of each site."""
    android = mark_articles(read_open_set(data, "site-android-questions"), ANDROID)
    zhihu = mark_articles(read_open_set(data, "site-zhihu-a"), ZHIHU)
    of_news = read_open_set(data, "big9-2005")
    news = {site: mark_articles(of_news, pairs, site) for site, pairs in NEWS.items()}
    return {
        **{name: [pages] for name, pages in news.items()},
        "android.stackexchange.com": [android[:76]],
        "zhihu.com": [zhihu],
        "forbes.com + latimes.com": [news["forbes.com"], news["latimes.com"]],
        "zhihu.com + android.stackexchange.com": [zhihu, android[:76]],
        "zhihu.com (small) + android.stackexchange.com": [zhihu[:23], android[:150]],
    }


def section_4(sets: dict[str, list[Marked]]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the table of sets from one site, and that of sets from several sites."""
    same, different = [HEAD], [HEAD]
    for name, sites in sets.items():
        (same if len(sites) == 1 else different).extend(table_rows(name, sites))
    return same, different


def ties_table(data: Path, sets: dict[str, list[Marked]]) -> list[list[str]]:
    """Return the table of the orders of ties, and of n-grams with bounds, on pages of two sites."""
    android = mark_articles(read_open_set(data, "site-android-questions"), ANDROID)
    rows = [HEAD]
    for name, pages in (
        ("android.stackexchange.com", android[:76]),
        ("the next 76 of its pages", android[76:152]),
        ("zhihu.com", sets["zhihu.com"][0]),
    ):
        rows += table_rows(name, [pages], (PRINTED, *TIES, *BOUND))
    return rows


def noise_table(data: Path) -> list[list[str]]:
    """Return the table for articles of one site mixed with lists, profiles and tag pages, which have no article."""
    pages = [folded(sample) for sample in read_set(set_path(data, "site-android-questions"))]
    strings = [(page, correct_string(page, ANDROID)) for page in pages]
    articles = [(page, correct) for page, correct in strings if int(correct.sum()) >= 300][:76]
    noise = [(page, correct) for page, correct in strings if not correct.any()]
    rows = [HEAD]
    for count in NOISE:
        rows += table_rows("android.stackexchange.com", [articles, noise[:count]] if count else [articles])
    return rows


def table_rows(name: str, sites: list[Marked], rules: Sequence[str] = (PRINTED, AHEAD, DF)) -> list[list[str]]:
    documents = [document for site in sites for document, _ in site]
    rows = []
    for rule in rules:
        cut = FindOptimal(**RULES[rule]).fit(documents)
        parts = [sum((agreement(c, cut.range_string(x)) for x, c in site), RangeAgreement()) for site in sites]
        total = sum(parts, RangeAgreement())
        cells = []
        for figure in ("accuracy", "recall", "precision"):
            by_part = ", ".join(f"{getattr(part, figure):.3f}" for part in parts)
            cells.append(f"{getattr(total, figure):.3f}" + (f" ({by_part})" if len(parts) > 1 else ""))
        size = sum(map(len, documents)) / 1e6
        pages = " + ".join(str(len(site)) for site in sites)
        rows.append([name, pages, f"{size:.2f}", rule, _cut(cut), *cells])
    return rows


# Records


def records(data: Path) -> tuple[list[list[str]], dict[str, float]]:
    """Return the share of gold attribute words that are kept on product pages."""
    samples = list(read_set(set_path(data, "site-christianbook")))
    pages = [dehusk.parse(sample.bare) for sample in samples]
    rules = {'df, t = "records"': {"t": "records"}, "df ≥ 2": {}, PRINTED: RULES[PRINTED]}
    rows = [["pages", "rule", "cut", "attribute words kept", "words of the pages kept"]]
    kept: dict[str, float] = {}
    keep_all = KeepAll()
    for count in (40, len(pages)):
        all_texts = [to_text(keep_all.label(keep_all.segment(page))) for page in pages[:count]]
        words = sum(word_bag(text, "").predicted for text in all_texts)
        gold = [sample.gold_text for sample in samples[:count]]
        outputs = {"everything": (all_texts, "")}
        for name, options in rules.items():
            method = Alternation(**options).fit(pages[:count])
            texts = [to_text(method.label(method.segment(page))) for page in pages[:count]]
            outputs[f"{name} · page strings"] = texts, _cut(method.cut_)
        site = list(zip(samples[:count], pages[:count], strict=True))
        texts, cut = by_raw_characters(RULES[PRINTED])(site)
        outputs[f"{PRINTED} · raw html"] = texts, _cut(cut)
        for name, (texts, point) in outputs.items():
            bags = [word_bag(text, values) for text, values in zip(texts, gold, strict=True)]
            kept[f"{count} {name}"] = float(np.mean([bag.recall for bag in bags]))
            share = sum(bag.predicted for bag in bags) / words
            rows.append([str(count), name, point, f"{kept[f'{count} {name}']:.3f}", f"{share:.2f}"])
    return rows, kept


def _cut(cut: FindOptimal) -> str:
    return f"({cut.n_}, {cut.a_:.3g}) t={cut.t_}"


# Speed, growth and memory


def df_growth(data: Path) -> tuple[list[list[str]], float]:
    """Return CPU time per page for parsing, fitting and labelling, in sets of 50 pages and more."""
    samples = [sample.bare for sample in read_set(set_path(data, "site-asp-forums"))]
    rows = [["pages per set", "sets", "parse", "fit", "segment and label", "total, CPU ms per page"]]
    totals = []
    for size in (50, 200, len(samples)):
        spent = np.zeros(3)
        groups = [samples[i : i + size] for i in range(0, len(samples) - size + 1, size)]
        for group in groups:
            clock = [time.process_time()]
            pages = [dehusk.parse(bare) for bare in group]
            clock.append(time.process_time())
            method = Alternation().fit(pages)
            clock.append(time.process_time())
            for page in pages:
                method.label(method.segment(page))
            spent += np.diff([*clock, time.process_time()])
        spent *= 1000 / sum(map(len, groups))
        totals.append(float(spent[1:].sum()))
        rows.append([str(size), str(len(groups)), *(f"{ms:.2f}" for ms in spent), f"{spent.sum():.2f}"])
    return rows, totals[-1] / totals[0]


def resident(which: str) -> float:
    """Return a field of the process's status (VmRSS: current, VmHWM: peak memory) in bytes."""
    match = re.search(rf"{which}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert match
    return 1024 * int(match.group(1))


def search_cost(data: Path, name: str, pages: int) -> list[float]:
    """Return characters, MB/s, peak bytes per character without the strings, suffix array s, ns per character, n."""
    documents = [folded(sample) for sample, _ in zip(read_set(set_path(data, name)), range(pages), strict=False)]
    size = sum(map(len, documents))
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before = resident("VmRSS")
    start = time.process_time()
    cut = FindOptimal("printed").fit(documents)
    spent = time.process_time() - start
    peak = resident("VmHWM") - before
    start = time.process_time()
    suffixes = sort_suffixes([fold(document).points for document in documents])
    sorted_ = time.process_time() - start
    rows, times = SurfaceRows(suffixes, "hashed", 2), []
    for n in range(2, 34):
        start = time.process_time()
        rows.row(n)
        times.append(time.process_time() - start)
    return [size, size / spent / 1e6, peak / size, sorted_, 1e9 * float(np.mean(times)) / size, cut.n_]


def search_growth(data: Path) -> tuple[list[list[str]], dict[str, list[float]]]:
    head = ["set", "pages", "M characters", "search, M characters/s", "peak bytes per character"]
    rows = [
        [*head, "fold and suffix array, ns per character", "one n (mean of 2 to 33), ns per character", "resulting n"]
    ]
    values = {}
    context = multiprocessing.get_context("spawn")
    for name in ("site-christianbook", "site-zhihu-a"):
        for pages in (25, 50, 100, 200, 400) if name == "site-christianbook" else (60, 250):
            with ProcessPoolExecutor(1, mp_context=context) as pool:
                cost = values[f"{name} {pages}"] = pool.submit(search_cost, data, name, pages).result()
            size, speed, peak, sorted_, per_n, n = cost
            cells = [f"{size / 1e6:.1f}", f"{speed:.2f}", f"{peak:.0f}", f"{1e9 * sorted_ / size:.0f}", f"{per_n:.1f}"]
            rows.append([name, str(pages), *cells, f"{n:.0f}"])
    return rows, values


def main() -> None:
    data = data_argument(__doc__ or "")
    sites = read_sites(data)
    f1_rows, points, means = quality(sites)
    sets = sets_of_section_4(data)
    same, different = section_4(sets)
    noisy, ties = noise_table(data), ties_table(data, sets)
    pictures, ends = surfaces({name: [page for site in sets[name] for page, _ in site] for name in SURFACES})
    record_rows, kept = records(data)
    df_rows, ratio = df_growth(data)
    search_rows, costs = search_growth(data)
    report = (
        f"# FindOptimal\n\n`python bench/alternation.py DATA`, {dt.date.today()}; sets identified by the hashes in alternation.json.\n\n"
        f"## Word-bag F1\n\n{len(sites)} sites, fitted to the pages of each site without their gold texts; mean over pages, intervals by site. "
        f"Page strings include the class attributes. CPU time is for fitting and cleaning, without parsing.\n\n{markdown_table(f1_rows)}\n"
        f"Cut points (n, a) and thresholds that the searches chose:\n\n{markdown_table(points)}\n"
        f"## Articles from the same site (section 4.2)\n\nRaw html as in the paper; correct strings by delimiters, "
        f"over all characters, including markup.\n\n{markdown_table(same)}\n"
        f"## Articles from different sites (section 4.3)\n\nTotal (for each site).\n\n{markdown_table(different)}\n"
        f"## The order of ties, and n-grams with bounds\n\n{markdown_table(ties)}\n"
        f"## Noise pages (YOMIURI in section 4.2)\n\nPages without an article among 76 articles of one site; total (articles, "
        f"noise); the recall of pages without an article is 1.\n\n{markdown_table(noisy)}\n"
        f"## The surface of alternation counts\n\n{pictures}\n"
        f"## Records\n\nsite-christianbook: words of the gold attributes (title, author, ISBN, publisher, year) that "
        f"are kept.\n\n{markdown_table(record_rows)}\n"
        f"## Growth with pages, df rule\n\nsite-asp-forums, the same pages in sets of different sizes. Fitting and "
        f"labelling all pages as one set takes {ratio:.2f} times the CPU time per page of sets of 50.\n\n"
        f"{markdown_table(df_rows)}\n"
        f"## Search: speed, memory, growth\n\nRaw html, each row in a separate process; memory is the peak of the "
        f"search, without the strings themselves.\n\n{markdown_table(search_rows)}"
    )
    values = {"f1": means, "surfaces": ends, "records": kept, "df growth": ratio, "search": costs}
    fingerprints = {name: set_fingerprint(set_path(data, name)) for name in (*QUALITY_SETS, *CRAWLS)}
    write_results("alternation", report, {"sets": fingerprints, **values}, judges="none")


if __name__ == "__main__":
    main()
