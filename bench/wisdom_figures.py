"""Figures 11 to 19 and 21 of WISDOM's paper, reproduced on the open sets.

`wisdom_pages` defines the gold standard and how blocks are evaluated. Every value is a mean over pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from dehusk.counts.entropy import TermCounts, TermEntropy
from dehusk.counts.terms import page_terms
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from dehusk.lab.papers.plots import histogram, lines
from dehusk.read import parse
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Settings
from dehusk.sites.wisdom.term_selection import terms_of
from heat_maps import heatmap
from sets import RESULTS, set_path
from wisdom_pages import FORUMS, MEASURES, Cases, Points, Series, article_pages, toc_pages

P, R = PAPER, RECOMMENDED
CRAWLS = (*FORUMS, "site-christianbook", "site-zhihu-a")
ST = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
KS = (1, 2, 3, 4, 5, 7, 10)
ORDERS, TOP, EVEN = 5, 5, 0.9
"""Number of orders of the pages in figure 11; k and ST in figure 14."""
SKELETON: dict = {"dstm": False, "cstm": 0, "condense": False}
"""Phase 2 only: nothing is merged, nothing is removed."""
MERGING: dict[str, dict] = {
    "none": {"dstm": False, "cstm": 0},
    "DSTM": {"dstm": True, "cstm": 0},
    "1-CSTM": {"dstm": False, "cstm": 1},
    "DSTM and 1-CSTM": {"dstm": True, "cstm": 1},
}
BY: dict[str, Settings] = {"API": P, "ALEN": replace(P, toc="alen")}
"""Features for TOC blocks; everything else as in the paper."""
TITLES = {"article": "Article blocks", "toc": "TOC blocks"}
SHARES: dict = {"y_label": "mean over pages", "y": (0.0, 1.0)}


def entropy(data: Path) -> Series:
    """Return the mean EN of the words of the first n pages, relative to that of all pages."""
    curves: Series = {}
    for name in CRAWLS:
        pages = [
            TermCounts.of(terms_of(page_terms(parse(sample.bare)), R).key) for sample in read_set(set_path(data, name))
        ]
        sizes = [n for n in (2, 5, 10, 20, 50, 100, 200, 400, 800) if n < len(pages)] + [len(pages)]
        ratios = []
        for seed in range(ORDERS):
            order, total, means = np.random.default_rng(seed).permutation(len(pages)), TermCounts.total([]), []
            for start, end in zip([0, *sizes], sizes, strict=False):
                total += TermCounts.total([pages[i] for i in order[start:end]])
                terms = TermEntropy.of(total)
                means.append(float(np.average(terms.EN, weights=terms.TF)))
            ratios.append(np.array(means) / means[-1])
        curves[f"{name} ({len(pages)} pages)"] = list(zip(sizes, np.mean(ratios, axis=0).tolist(), strict=True))
    return curves


def unfiltered(cases: Cases, base: Settings) -> tuple[Points, Points]:
    """Return, for each ST, blocks per page and elements per block, with k = ∞ and without type constraint."""
    number, size = [], []
    for st in ST:
        settings = replace(
            base, **SKELETON, k=float("inf"), st=st, st_article=None, tc_article=1.0, tc_toc=0.0, tc_alen=0.0
        )
        counts, sizes = [], []
        for case in cases.pages:
            blocks = case.blocks(settings)
            counts.append(len(blocks))
            sizes.append(int((blocks.inside & ~blocks.page.is_text).sum()))
        number.append((st, float(np.mean(counts))))
        size.append((st, sum(sizes) / max(sum(counts), 1)))
    return number, size


def api_of_blocks(cases: Cases) -> dict[str, list[float]]:
    """Return API_A per link of the k best blocks of each page, without type constraint."""
    settings = replace(P, **SKELETON, k=TOP, st=EVEN, st_article=None, tc_toc=0.0)
    values: dict[str, list[float]] = {name: [] for name in FORUMS}
    for case in cases.pages:
        blocks, links = case.blocks(settings), case.features[settings.words].links_in
        values[case.set] += (blocks.scores / links[blocks.nodes]).tolist()
    return values


@dataclass
class Album:
    """Collects the figures: pictures, the text with them, and their values."""

    parts: list[str] = field(default_factory=list)
    values: dict[str, object] = field(default_factory=dict)

    def add(self, name: str, title: str, svg: str, caption: str) -> None:
        """Write a picture and add it to the report."""
        (RESULTS / f"wisdom-{name}.svg").write_text(svg, "utf-8")
        self.parts.append(f"### {title}\n\n{caption}\n\n![{title}](wisdom-{name}.svg)\n")

    def lines(self, name: str, title: str, caption: str, series: Series, **axes: object) -> None:
        """Add a line chart, with its values as a table."""
        across = sorted({x for points in series.values() for x, _ in points})
        rows = [[str(axes["x_label"]), *(f"{x:g}" for x in across)]]
        rows += [[label, *(_cell(dict(points).get(x)) for x in across)] for label, points in series.items()]
        self.add(name, title, lines(series, title=title, **axes), caption)
        self.parts.append(markdown_table(rows))
        self.values[name] = {label: dict(points) for label, points in series.items()}

    def grid(
        self, name: str, title: str, caption: str, rows: Mapping[str, Sequence[float]], columns: Sequence[str]
    ) -> None:
        """Add a heat map, with its values as a table."""
        svg = heatmap(list(rows.values()), rows=list(rows), columns=columns, title=title, x_label="", y_label="")
        self.add(name, title, svg, caption)
        self.parts.append(markdown_table([["", *columns], *([label, *map(_cell, row)] for label, row in rows.items())]))
        self.values[name] = dict(rows)


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value >= 10 else f"{value:.2f}"


def add_criteria(album: Album, forums: Cases) -> None:
    """Figure 12: the feature that the search for TOC blocks uses."""
    album.lines(
        "criteria",
        "TOC blocks by API or by ALEN (figure 12)",
        "F of the search only, with the paper's options, k = 1. In the paper API is better up to ST = .8.",
        {
            f"f = {name}": forums.f(ST, lambda st, preset=preset: replace(preset, **SKELETON, st=st, st_article=None))
            for name, preset in BY.items()
        },
        x_label="ST",
        y_label="F",
    )


def add_unfiltered(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 13: number and size of blocks."""
    types = {"article": (news, R), "TOC, API": (forums, BY["API"]), "TOC, ALEN": (forums, BY["ALEN"])}
    counted = {name: unfiltered(cases, preset) for name, (cases, preset) in types.items()}
    for i, (what, label) in enumerate((("number", "blocks per page"), ("size", "elements per block"))):
        album.lines(
            what,
            f"{label.capitalize()} without type constraint (figure 13)",
            "Search only, k = ∞. In the paper blocks get more numerous and smaller as ST rises.",
            {name: pair[i] for name, pair in counted.items()},
            x_label="ST",
            y_label=label,
        )


def add_api(album: Album, forums: Cases) -> None:
    """Figure 14: the choice of TC_TOC."""
    values = api_of_blocks(forums)
    title = f"API per link of the {TOP} best TOC blocks (figure 14)"
    edges = np.linspace(0, 6, 31).tolist()
    svg = histogram(values, title=title, x_label="API_A per link", unit="blocks", edges=edges, marks=(P.tc_toc,))
    shares = {name: float(np.mean(np.array(scores) < P.tc_toc)) for name, scores in values.items()}
    below = "; ".join(f"{name}: {share:.0%} below {P.tc_toc}" for name, share in shares.items())
    album.add(
        "api",
        title,
        svg,
        f"ST = {EVEN}; the dashed line is TC_TOC, the thick line the mean; the last bar includes all larger values. The paper "
        f"finds two groups of noise, at 1.1 and 2.2. {below}.",
    )
    album.values["api"] = shares


def add_st(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 15: results by ST."""
    for block_type, cases, settings in (("article", news, {"printed": P, "recommended": R}), ("toc", forums, BY)):
        series: Series = {}
        for name, preset in settings.items():
            series |= cases.curve(
                ST, lambda st, preset=preset: replace(preset, **SKELETON, st=st, st_article=None), f"{{}}, {name}"
            )
        album.lines(
            f"st-{block_type}",
            f"{TITLES[block_type]} by ST, before phase 3 (figure 15)",
            "k = 1. In the paper P rises and R falls with ST.",
            series,
            x_label="ST",
            **SHARES,
        )


def add_k(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 15: results by k."""
    named = {"article printed": (news, P), "article recommended": (news, R)}
    named |= {f"TOC, {name}": (forums, preset) for name, preset in BY.items()}
    series: Series = {}
    for name, (cases, preset) in named.items():
        curve = cases.curve(KS, lambda k, preset=preset: replace(preset, **SKELETON, k=k), f"{{}} {name}")
        series |= {label: points for label, points in curve.items() if not label.startswith("F")}
    album.lines(
        "k",
        "By k, before phase 3 (figure 15)",
        "ST = .8. In the paper a larger k lowers P and raises R; it chooses k = 1.",
        series,
        x_label="k",
        **SHARES,
    )


def add_constraints(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 16: the type constraints."""
    series: Series = {}
    for name, preset in (("printed", P), ("recommended, fixed", replace(R, relative=None))):
        series |= news.curve(
            np.round(np.arange(0, 0.65, 0.05), 2).tolist(),
            lambda c, preset=preset: replace(preset, tc_article=1 - c),
            f"{{}}, {name}",
        )
    album.lines(
        "tc-article",
        "Article blocks by the minimum CII, 1 - TC_article (figure 16)",
        "All phases. The paper chooses CII ≥ .2; “recommended” has .3, and a bound per page instead of a fixed one.",
        series,
        x_label="minimum CII",
        **SHARES,
    )
    album.lines(
        "tc-toc",
        "TOC blocks by API, by TC_TOC (figure 16)",
        "All phases, with the paper's options; the paper chooses 1.25.",
        forums.curve((0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0), lambda c: replace(P, tc_toc=c), "{}"),
        x_label="TC_TOC",
        **SHARES,
    )


def add_merging(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 17: merging."""
    for block_type, cases, preset in (
        ("article", news, {"printed": P, "recommended": R}),
        ("toc", forums, BY),
    ):
        series = {
            f"{name}: {way}": cases.f(
                ST, lambda st, base=base, merging=merging: replace(base, **merging, st=st, st_article=None)
            )
            for name, base in preset.items()
            for way, merging in MERGING.items()
        }
        album.lines(
            f"merging-{block_type}",
            f"{TITLES[block_type]}: merging, by ST (figure 17)",
            "k = 1. In the paper merging makes the results nearly independent of ST.",
            series,
            x_label="ST",
            y_label="F",
        )


def add_overall(album: Album, news: Cases, forums: Cases) -> None:
    """Figures 18, 19 and 21: overall results."""
    columns = [f"{measure}, {name}" for name in ("printed", "rec.") for measure in MEASURES]
    rows = {
        f"{site.split('_')[0]} ({name.removesuffix('-a').removeprefix('big9-')})": [
            *news.figures(P, site=(name, site)),
            *news.figures(R, site=(name, site)),
        ]
        for name, site in dict.fromkeys((case.set, case.site) for case in news.pages)
    }
    rows |= {f"TOC: {name}": [*forums.figures(P, name=name), *forums.figures(R, name=name)] for name in FORUMS}
    rows["all article pages"] = [*news.figures(P), *news.figures(R)]
    album.grid(
        "overall",
        "Results by site (figure 18)",
        "All phases, k = 1, ST = .8; “rec.” is the recommended preset.",
        rows,
        columns,
    )
    methods = {
        "WISDOM, printed": P,
        "M1, printed": replace(P, search="m1"),
        "M2, printed": replace(P, search="m2"),
        "WISDOM, recommended": R,
        "M1, recommended": replace(R, search="m1"),
        "M2, recommended": replace(R, search="m2"),
    }
    both = {name: [*news.figures(preset), *forums.figures(preset)] for name, preset in methods.items()}
    album.grid(
        "compared",
        "Compared with M1 and M2 (figure 19)",
        "M1 selects all leaves that meet the type constraint, M2 all with more than 5 characters; both merge as WISDOM does.",
        both,
        [f"{measure}, {block_type}" for block_type in ("article", "TOC") for measure in MEASURES],
    )
    features = {
        "printed, API": P,
        "printed, ALEN": replace(P, toc="alen"),
        "recommended, API": replace(R, toc="api"),
        "recommended, ALEN": replace(R, toc="alen"),
        "recommended, by share of zero API": replace(R, toc="auto"),
        "recommended, estimated API": R,
    }
    album.grid(
        "features",
        "Feature for TOC blocks (figure 21)",
        "In the paper ALEN is better if many links have an API of 0.",
        {
            name: [x for forum in FORUMS for x in forums.figures(preset, name=forum)]
            for name, preset in features.items()
        },
        [f"{measure}, {name.split('-')[1]}" for name in FORUMS for measure in MEASURES],
    )


def figures_of_the_paper(data: Path) -> tuple[str, dict[str, object]]:
    """Draw all figures; return the section of the report, and its values."""
    RESULTS.mkdir(exist_ok=True)
    album, news, forums = Album(), article_pages(data), toc_pages(data)
    album.lines(
        "entropy",
        "Entropy by number of pages (figure 11)",
        f"Mean EN of the words of the first pages, relative to all pages; mean of {ORDERS} orders. In the paper the value is "
        "within .1 of the last from 200 pages on.",
        entropy(data),
        x_label="pages",
        y_label="relative entropy",
        log=True,
    )
    add_criteria(album, forums)
    add_unfiltered(album, news, forums)
    add_api(album, forums)
    add_st(album, news, forums)
    add_k(album, news, forums)
    add_constraints(album, news, forums)
    add_merging(album, news, forums)
    add_overall(album, news, forums)
    head = (
        f"Article blocks on {len(news.pages)} news pages by information coverage in characters (section 4.1), TOC blocks on "
        f"{len(forums.pages)} index pages by links as above; mean over pages. Figure 20 needs sites that no longer exist."
    )
    return "\n".join([head, "", *album.parts]), album.values
