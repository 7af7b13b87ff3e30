"""WISDOM's figure 6 (CII and API by node number), table 2 (the data sets) and figure 20 (sites that are not news)."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from dehusk.blocks import segment
from dehusk.blocks.labels import OTHER
from dehusk.lab.evaluate.rivals import RULE, long_unlinked
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.lab.papers.plots import Points, stems
from dehusk.read import parse
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Coverage, Wisdom
from dehusk.sites.wisdom.blocksets import articles, tables_of_contents
from heat_maps import heatmap
from sets import RESULTS, data_argument, set_path, write_results
from toc_partial import rules
from wisdom_pages import CLEANED, FORUMS, MEASURES, Case, Cases, article_pages, toc_pages

PRESETS = {"printed": PAPER, "rec.": RECOMMENDED}
NEWS = (*CLEANED, "daniel-a")
OTHERS, LEAST_PAGES = "wcxb-dev", 2
TYPES = ("article", "documentation", "service", "product", "forum", "listing", "collection")
TOC_TYPES = ("collection", "listing")
"""Types of pages that consist of links to other pages."""
LONGEST = "the place with the longest link texts"
"""The rule of one line for TOC blocks, of `bench/toc_partial.py`."""
SHOWN = {"article": "big9-2005", "toc": "site-asp-forums"}
"""Sets whose first page, or first index page, figure 6 shows."""


def by_host(data: Path) -> dict[str, list[Sample]]:
    """Return the pages of each host of the other domains that has enough of them."""
    hosts = defaultdict(list)
    for sample in read_set(set_path(data, OTHERS)):
        hosts[urlsplit(sample.url or "").hostname or ""].append(sample)
    return {host: samples for host, samples in sorted(hosts.items()) if host and len(samples) >= LEAST_PAGES}


def other_pages(data: Path) -> tuple[Cases, Cases]:
    """Return the pages of other domains as cases for article and for TOC blocks; `set` is the type of the page.

    The answer for TOC blocks is the links in the blocks that align with the gold text.
    """
    prose, contents = [], []
    for host, samples in by_host(data).items():
        pages = [segment(parse(sample.bare, url=sample.url)) for sample in samples]
        methods = [Wisdom(preset=preset).fit(pages) for preset in (PAPER, RECOMMENDED)]
        for sample, blocks in zip(samples, pages, strict=True):
            codes, _ = label_blocks(blocks, sample.segments)
            is_gold = (codes != OTHER)[blocks.block_of]
            features = {method.words_: method.features(blocks) for method in methods}
            prose.append(Case(sample.type or "", host, features, is_gold, articles))
            answer = gold_links(next(iter(features.values())), is_gold)
            if sample.type in TOC_TYPES and answer.any():
                contents.append(Case(sample.type, host, features, answer, tables_of_contents))
    return Cases(prose), Cases(contents)


def gold_links(features, is_gold: np.ndarray) -> np.ndarray:
    """Return which nodes are links at least half of whose characters are in the gold text."""
    before = np.append(0, np.cumsum(is_gold)).take(features.char_before)
    gold = before.take(features.page.end) - before[:-1]
    mask = np.zeros(len(features.page), dtype=np.bool_)
    links = features.anchors.node
    mask[links] = (gold[links] > 0) & (2 * gold[links] >= features.tlen[links])
    return mask


def floor_and_rival(case: Case) -> list[float]:
    """Return P, R and F of everything, and of the rule of one line: what asks neither the site nor a tree."""
    blocks = case.blocks(RECOMMENDED).blocks
    if case.extract is articles:
        kept = [np.ones(len(case.gold), dtype=np.bool_), long_unlinked(blocks)[blocks.block_of]]
    else:
        anchors, page = next(iter(case.features.values())).anchors, blocks.page
        taken = rules(page)
        kept = []
        for which in (np.ones(len(anchors.node), dtype=np.bool_), taken[LONGEST]):
            kept.append(np.zeros(len(case.gold), dtype=np.bool_))
            kept[-1][anchors.node[which]] = True
    covered = [Coverage.between(case.gold, mask) for mask in kept]
    return [figure for each in covered for figure in (each.precision, each.recall, each.f)]


def domains(prose: Cases, contents: Cases, news: Cases, forums: Cases) -> tuple[str, str, dict]:
    """Return figure 20 as a table, as a picture, and its values."""
    rows = {"news: article blocks": news_figures(news, "")}
    rows |= {f"{kind}: article blocks": news_figures(prose, kind) for kind in TYPES}
    rows |= {f"{kind}: TOC blocks": news_figures(contents, kind) for kind in TOC_TYPES}
    rows["forum crawls: TOC blocks"] = news_figures(forums, "")
    counts = {f"{kind}: article blocks": sum(case.set == kind for case in prose.pages) for kind in TYPES}
    counts |= {f"{kind}: TOC blocks": sum(case.set == kind for case in contents.pages) for kind in TOC_TYPES}
    counts |= {"news: article blocks": len(news.pages), "forum crawls: TOC blocks": len(forums.pages)}
    columns = [f"{measure}, {name}" for name in ("everything", RULE, *PRESETS) for measure in MEASURES]
    named = {f"{name} ({counts[name]})": row for name, row in rows.items()}
    title = "Results on other domains (figure 20)"
    svg = heatmap(list(named.values()), rows=list(named), columns=columns, title=title, x_label="", y_label="")
    table = [["", *columns], *([name, *(f"{value:.2f}" for value in row)] for name, row in named.items())]
    return markdown_table(table), svg, named


def verdict(values: dict[str, list[float]]) -> str:
    """Return where what learns nothing is as good as WISDOM, by F."""
    columns = np.array(list(values.values()))[:, 2::3]
    best = columns[:, :2].max(axis=1)
    printed, recommended = (best >= columns[:, at] for at in (2, 3))
    names = ", ".join(name for name, wins in zip(values, recommended, strict=True) if wins) or "none"
    return (
        f"By F of figure 20, everything or the {RULE}, which learn nothing, are as good as the printed settings or better on "
        f"{printed.sum()} of {len(best)} rows, and as good as the recommended ones or better on {recommended.sum()}: {names}."
    )


def news_figures(cases: Cases, name: str) -> list[float]:
    """Return P, R and F of everything, of the rule of one line, and with each preset."""
    beside = np.mean([floor_and_rival(case) for case in cases.pages if name in ("", case.set)], axis=0)
    return beside.tolist() + [value for preset in PRESETS.values() for value in cases.figures(preset, name=name)]


def data_sets(data: Path, prose: Cases, contents: Cases, forums: Cases) -> list[list[str]]:
    """Return table 2: pages, answers, and the share of a page that they are."""
    rows = [
        ["set", "sites", "pages", "TOC pages with answers", "article pages with answers", "TOC (SNC)", "article (IC)"]
    ]
    for name in NEWS:
        samples = list(read_set(set_path(data, name)))
        shares = [share for sample in samples if (share := gold_share(sample)) is not None]
        sites = len({sample.site for sample in samples})
        rows.append([name, str(sites), str(len(samples)), "0", str(len(shares)), "", f"{np.mean(shares):.1%}"])
    for name in FORUMS:
        cases = [case for case in forums.pages if case.set == name]
        pages = sum(1 for _ in read_set(set_path(data, name)))
        rows.append([name, "1", str(pages), str(len(cases)), "0", f"{np.mean(link_shares(cases)):.1%}", ""])
    hosts = {case.site for case in prose.pages}
    article = [float(case.gold.mean()) for case in prose.pages if case.gold.any()]
    coverage = [f"{np.mean(link_shares(contents.pages)):.1%}", f"{np.mean(article):.1%}"]
    counts = map(str, (len(hosts), len(prose.pages), len(contents.pages), len(article)))
    return [*rows, [f"{OTHERS}, hosts with {LEAST_PAGES} and more pages", *counts, *coverage]]


def gold_share(sample: Sample) -> float | None:
    """Return the share of a page's characters in blocks that align with its gold text; None if none does."""
    blocks = segment(parse(sample.bare))
    codes, _ = label_blocks(blocks, sample.segments)
    share = float((codes != OTHER)[blocks.block_of].mean()) if len(blocks.text) else 0.0
    return share or None


def link_shares(cases: Sequence[Case]) -> list[float]:
    """Return for each page the share of its links that are answers."""
    return [case.gold.sum() / len(next(iter(case.features.values())).anchors.node) for case in cases]


def by_node(case: Case, *, rival: bool = False) -> tuple[Points, list[tuple[float, float]]]:
    """Return a value of the elements of a page by their number, and the ranges of numbers with answers.

    The value is CII of elements with terms for articles, and the printed API of links for TOC blocks; that of the rival
    the share of an element's characters that are not in links, and the length of a link's text.
    """
    features = case.features[PAPER.words]
    page = features.page
    if case.extract is tables_of_contents:
        links = features.anchors.node
        answers = np.flatnonzero(case.gold)
        values = features.tlen[links] if rival else features.api
        points = zip(links.tolist(), values.tolist(), strict=True)
        return list(points), runs(answers, links)
    elements = np.flatnonzero(~page.is_text & ~np.isnan(features.cii))
    before = np.append(0, np.cumsum(case.gold)).take(features.char_before)
    gold = before.take(page.end) - before[:-1]
    answers = elements[gold[elements] >= 0.9 * np.maximum(features.tlen[elements], 1)]
    values = features.clen / np.maximum(features.tlen, 1) if rival else features.cii
    points = zip(elements.tolist(), values[elements].tolist(), strict=True)
    return list(points), runs(answers, elements)


def runs(answers: np.ndarray, among: np.ndarray) -> list[tuple[float, float]]:
    """Return the first and last node of each run of answers among the nodes that are shown."""
    row = np.searchsorted(among, answers)
    starts = np.flatnonzero(np.diff(row, prepend=-2) > 1)
    ends = np.append(starts[1:], len(row))[: len(starts)] - 1
    return [(float(answers[a]), float(answers[b])) for a, b in zip(starts, ends, strict=True)]


def means(case: Case, *, rival: bool = False) -> tuple[float, float]:
    """Return the mean of the values of figure 6 in the shaded ranges, and outside."""
    points, shaded = by_node(case, rival=rival)
    x, y = np.array(points).T
    inside = np.any([(x >= low) & (x <= high) for low, high in shaded], axis=0)
    return float(y[inside].mean()), float(y[~inside].mean())


def nodes(news: Cases, forums: Cases) -> tuple[str, str, dict]:
    """Return figure 6: a caption, a picture, and its values."""
    chosen = {
        "article": next(case for case in news.pages if case.set == SHOWN["article"]),
        "toc": next(case for case in forums.pages if case.set == SHOWN["toc"]),
    }
    names = {"article": f"CII of an article page ({SHOWN['article']})", "toc": f"API of an index page ({SHOWN['toc']})"}
    svg = stems(
        {names[kind]: by_node(case) for kind, case in chosen.items()},
        title="CII and API by node number (figure 6)",
        x_label="number of the element in the page",
        y_labels=["CII", "API"],
    )
    values = {"shown": {kind: means(case) for kind, case in chosen.items()}}
    kinds = {"article": news, "toc": forums}
    values["all"] = {kind: higher(cases) for kind, cases in kinds.items()}
    values["rivals"] = rivals = {kind: higher(cases, rival=True) for kind, cases in kinds.items()}
    text = "; ".join(
        f"{names[kind]}: {a:.2f} in the answers, {b:.2f} elsewhere" for kind, (a, b) in values["shown"].items()
    )
    every = values["all"]
    caption = (
        f"With the paper's terms; shaded are the answers: elements nine tenths of whose text are gold, and the links to "
        f"threads. Means: {text}. CII is higher in the answers than elsewhere on {every['article']:.0%} of "
        f"{len(news.pages)} article pages, API on {every['toc']:.0%} of {len(forums.pages)} index pages. Of values "
        f"that need no other page of the site, so is "
        f"the share of an element's characters that are not in links on {rivals['article']:.0%} of the article pages, and the "
        f"length of a link's text on {rivals['toc']:.0%} of the index pages."
    )
    return caption, svg, values


def higher(cases: Cases, *, rival: bool = False) -> float:
    """Return the share of pages whose values are higher in the answers than elsewhere."""
    pairs = [means(case, rival=rival) for case in cases.pages if by_node(case)[1]]
    return float(np.mean([inside > outside for inside, outside in pairs]))


def main() -> None:
    data = data_argument(__doc__ or "")
    news, forums = article_pages(data), toc_pages(data)
    prose, contents = other_pages(data)
    caption, figure6, shown = nodes(news, forums)
    table20, figure20, values = domains(prose, contents, news, forums)
    table2 = data_sets(data, prose, contents, forums)
    (RESULTS / "wisdom_domains-nodes.svg").write_text(figure6, "utf-8")
    (RESULTS / "wisdom_domains-types.svg").write_text(figure20, "utf-8")
    text = (
        f"# WISDOM on other domains\n\n{verdict(values)}\n\n`python bench/wisdom_domains.py DATA`; sets identified by the hashes in "
        f"wisdom_domains.json.\n\n## CII and API by node number (figure 6)\n\n{caption}\n\n"
        f"![CII and API by node number](wisdom_domains-nodes.svg)\n\n## Data sets (table 2)\n\nTOC: share of the links of a page "
        f"that are answers; article: share of its characters; means over the pages with answers. Answers for articles are the "
        f"blocks that align with gold texts, for TOC blocks the title links of threads, and on {OTHERS} the links in gold "
        f"blocks of {' and '.join(TOC_TYPES)} pages.\n\n{markdown_table(table2)}\n"
        f"## Other domains (figure 20)\n\nInformation coverage of article blocks in characters, and links in TOC blocks, with "
        f"all phases; mean over pages (their number in brackets). {OTHERS}: hosts with {LEAST_PAGES} and more pages, from which "
        f"WISDOM is learned; few pages each. No setting was chosen on them. The floor takes all characters, or all links; the {RULE} "
        f"takes blocks of ten words and more, less than a third of them in links, and of links {LONGEST}.\n\n{table20}\n"
        f"![Results on other domains](wisdom_domains-types.svg)\n"
    )
    sets = {name: set_fingerprint(set_path(data, name)) for name in (*NEWS, *FORUMS, OTHERS)}
    write_results(
        "wisdom_domains", text, {"sets": sets, "figure 6": shown, "figure 20": values, "table 2": table2}, judges="none"
    )


if __name__ == "__main__":
    main()
