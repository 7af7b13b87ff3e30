"""The figures of WISDOM's paper, 11 to 19 and 21, drawn once more on the open sets.

What is gold and how blocks are judged says `wisdom_pages`. Every figure is a mean over pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from dehusk.evaluate.text_tables import markdown_table
from dehusk.gold.datasets import read_set
from dehusk.methods.wisdom import PAPER, RECOMMENDED, Settings
from dehusk.methods.wisdom.term_selection import terms_of
from dehusk.read import parse
from dehusk.site.entropy import TermCounts, TermEntropy
from dehusk.site.terms import page_terms
from plots import heatmap, histogram, lines
from sets import RESULTS, set_path
from wisdom_pages import FORUMS, MEASURES, Cases, Points, Series, article_pages, toc_pages

P, R = PAPER, RECOMMENDED
CRAWLS = (*FORUMS, "site-christianbook", "site-zhihu-a")
ST = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
KS = (1, 2, 3, 4, 5, 7, 10)
ORDERS, TOP, EVEN = 5, 5, 0.9
"""Orders of pages in figure 11; k and ST of figure 14."""
SKELETON: dict = {"dstm": False, "cstm": 0, "condense": False}
"""Phase 2 alone: nothing is merged and nothing is taken out."""
MERGING: dict[str, dict] = {
    "none": {"dstm": False, "cstm": 0},
    "DSTM": {"dstm": True, "cstm": 0},
    "1-CSTM": {"dstm": False, "cstm": 1},
    "DSTM and 1-CSTM": {"dstm": True, "cstm": 1},
}
BY: dict[str, Settings] = {"API": P, "ALEN": replace(P, toc="alen")}
"""Features for TOC blocks, else as printed."""
KIND = {"article": "Article blocks", "toc": "TOC blocks"}
SHARES: dict = {"y_label": "mean over pages", "y": (0.0, 1.0)}


def entropy(data: Path) -> Series:
    """Return how near the entropy of the first pages is to that of all: mean EN of words, as a share of the last."""
    found: Series = {}
    for name in CRAWLS:
        pages = [TermCounts.of(terms_of(page_terms(parse(one.bare)), R).key) for one in read_set(set_path(data, name))]
        sizes = [n for n in (2, 5, 10, 20, 50, 100, 200, 400, 800) if n < len(pages)] + [len(pages)]
        ratios = []
        for seed in range(ORDERS):
            order, total, means = np.random.default_rng(seed).permutation(len(pages)), TermCounts.total([]), []
            for start, end in zip([0, *sizes], sizes, strict=False):
                total += TermCounts.total([pages[i] for i in order[start:end]])
                known = TermEntropy.of(total)
                means.append(float(np.average(known.EN, weights=known.TF)))
            ratios.append(np.array(means) / means[-1])
        found[f"{name} ({len(pages)} pages)"] = list(zip(sizes, np.mean(ratios, axis=0).tolist(), strict=True))
    return found


def unfiltered(cases: Cases, base: Settings) -> tuple[Points, Points]:
    """Return number and mean size in elements of the blocks of a page by ST, k = ∞ and no type constraint."""
    number, size = [], []
    for st in ST:
        settings = replace(base, **SKELETON, k=float("inf"), st=st, tc_article=1.0, tc_toc=0.0, tc_alen=0.0)
        counts, sizes = [], []
        for case in cases.pages:
            found = case.found(settings)
            counts.append(len(found))
            sizes.append(int((found.inside & ~found.page.is_text).sum()))
        number.append((st, float(np.mean(counts))))
        size.append((st, sum(sizes) / max(sum(counts), 1)))
    return number, size


def api_of_blocks(cases: Cases) -> dict[str, list[float]]:
    """Return API_A a link of the k best blocks of each page, without type constraint."""
    settings = replace(P, **SKELETON, k=TOP, st=EVEN, tc_toc=0.0)
    found: dict[str, list[float]] = {name: [] for name in FORUMS}
    for case in cases.pages:
        blocks, links = case.found(settings), case.features[settings.words].links_in
        found[case.set] += (blocks.scores / links[blocks.nodes]).tolist()
    return found


@dataclass
class Album:
    """Pictures with the text around them, as they are made."""

    parts: list[str] = field(default_factory=list)
    values: dict[str, object] = field(default_factory=dict)

    def add(self, name: str, title: str, svg: str, said: str) -> None:
        """Write a picture and put it into the report."""
        (RESULTS / f"wisdom-{name}.svg").write_text(svg, "utf-8")
        self.parts.append(f"### {title}\n\n{said}\n\n![{title}](wisdom-{name}.svg)\n")

    def lines(self, name: str, title: str, said: str, series: Series, **axes: object) -> None:
        """Add lines, with their values as a table."""
        across = sorted({x for points in series.values() for x, _ in points})
        rows = [[str(axes["x_label"]), *(f"{x:g}" for x in across)]]
        rows += [[one, *(_cell(dict(points).get(x)) for x in across)] for one, points in series.items()]
        self.add(name, title, lines(series, title=title, **axes), said)
        self.parts.append(markdown_table(rows))
        self.values[name] = {one: dict(points) for one, points in series.items()}

    def grid(
        self, name: str, title: str, said: str, rows: Mapping[str, Sequence[float]], columns: Sequence[str]
    ) -> None:
        """Add a table of colours with figures in it; what it says stands in the picture and in the JSON file."""
        svg = heatmap(list(rows.values()), rows=list(rows), columns=columns, title=title, x_label="", y_label="")
        self.add(name, title, svg, said)
        self.parts.append(markdown_table([["", *columns], *([one, *map(_cell, row)] for one, row in rows.items())]))
        self.values[name] = dict(rows)


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value >= 10 else f"{value:.2f}"


def of_criteria(album: Album, forums: Cases) -> None:
    """Figure 12: what TOC blocks are searched by."""
    album.lines(
        "criteria",
        "TOC blocks by API or by ALEN (figure 12)",
        "F of the search alone, as printed, k = 1. In the paper API is better up to ST = .8.",
        {f"f = {name}": forums.f(ST, lambda st, own=own: replace(own, **SKELETON, st=st)) for name, own in BY.items()},
        x_label="ST",
        y_label="F",
    )


def of_unfiltered(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 13: number and size of blocks."""
    kinds = {"article": (news, R), "TOC, API": (forums, BY["API"]), "TOC, ALEN": (forums, BY["ALEN"])}
    counted = {name: unfiltered(cases, own) for name, (cases, own) in kinds.items()}
    for i, (what, label) in enumerate((("number", "blocks a page"), ("size", "elements a block"))):
        album.lines(
            what,
            f"{label.capitalize()} without type constraint (figure 13)",
            "Search alone, k = ∞. In the paper blocks become more and smaller as ST rises.",
            {name: pair[i] for name, pair in counted.items()},
            x_label="ST",
            y_label=label,
        )


def of_api(album: Album, forums: Cases) -> None:
    """Figure 14: how TC_TOC is chosen."""
    values = api_of_blocks(forums)
    title = f"API a link of the {TOP} best TOC blocks (figure 14)"
    edges = np.linspace(0, 6, 31).tolist()
    svg = histogram(values, title=title, x_label="API_A a link", unit="blocks", edges=edges, marks=(P.tc_toc,))
    shares = {name: float(np.mean(np.array(own) < P.tc_toc)) for name, own in values.items()}
    said = "; ".join(f"{name}: {share:.0%} below {P.tc_toc}" for name, share in shares.items())
    album.add(
        "api",
        title,
        svg,
        f"ST = {EVEN}; TC_TOC is marked by a dashed line, the mean by a thick one; the last bar has all above. The paper "
        f"sees two groups of noise, at 1.1 and 2.2. {said}.",
    )
    album.values["api"] = shares


def of_st(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 15: against ST."""
    for kind, cases, settings in (("article", news, {"printed": P, "recommended": R}), ("toc", forums, BY)):
        series: Series = {}
        for name, own in settings.items():
            series |= cases.curve(ST, lambda st, own=own: replace(own, **SKELETON, st=st), f"{{}}, {name}")
        album.lines(
            f"st-{kind}",
            f"{KIND[kind]} against ST before phase 3 (figure 15)",
            "k = 1. In the paper P rises and R falls with ST.",
            series,
            x_label="ST",
            **SHARES,
        )


def of_k(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 15: against k."""
    named = {"article printed": (news, P), "article recommended": (news, R)}
    named |= {f"TOC, {name}": (forums, own) for name, own in BY.items()}
    series: Series = {}
    for name, (cases, own) in named.items():
        curve = cases.curve(KS, lambda k, own=own: replace(own, **SKELETON, k=k), f"{{}} {name}")
        series |= {one: points for one, points in curve.items() if not one.startswith("F")}
    album.lines(
        "k",
        "Against k before phase 3 (figure 15)",
        "ST = .8. In the paper larger k takes P and gives R; k = 1 is its choice.",
        series,
        x_label="k",
        **SHARES,
    )


def of_constraints(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 16: the type constraints."""
    series: Series = {}
    for name, own in (("printed", P), ("recommended, fixed", replace(R, relative=None))):
        series |= news.curve(
            np.round(np.arange(0, 0.65, 0.05), 2).tolist(),
            lambda c, own=own: replace(own, tc_article=1 - c),
            f"{{}}, {name}",
        )
    album.lines(
        "tc-article",
        "Article blocks against the least CII, 1 - TC_article (figure 16)",
        "All phases. The paper takes CII ≥ .2; “recommended” has .3 and a bound by page instead of a fixed one.",
        series,
        x_label="least CII",
        **SHARES,
    )
    album.lines(
        "tc-toc",
        "TOC blocks by API against TC_TOC (figure 16)",
        "All phases, as printed; the paper takes 1.25.",
        forums.curve((0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0), lambda c: replace(P, tc_toc=c), "{}"),
        x_label="TC_TOC",
        **SHARES,
    )


def of_phase_3(album: Album, news: Cases, forums: Cases) -> None:
    """Figure 17: merging."""
    for kind, cases, own in (
        ("article", news, {"printed": P, "recommended": R}),
        ("toc", forums, BY),
    ):
        series = {
            f"{name}: {way}": cases.f(ST, lambda st, base=base, merging=merging: replace(base, **merging, st=st))
            for name, base in own.items()
            for way, merging in MERGING.items()
        }
        album.lines(
            f"merging-{kind}",
            f"{KIND[kind]}: merging against ST (figure 17)",
            "k = 1. In the paper merging makes results similar whatever ST is.",
            series,
            x_label="ST",
            y_label="F",
        )


def of_all(album: Album, news: Cases, forums: Cases) -> None:
    """Figures 18, 19 and 21: everything together."""
    columns = [f"{one}, {name}" for name in ("printed", "rec.") for one in MEASURES]
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
        "Each site (figure 18)",
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
    both = {name: [*news.figures(own), *forums.figures(own)] for name, own in methods.items()}
    album.grid(
        "compared",
        "Beside M1 and M2 (figure 19)",
        "M1 takes all leaves that fulfil the type constraint, M2 all with more than 5 characters; both merge as WISDOM does.",
        both,
        [f"{one}, {kind}" for kind in ("article", "TOC") for one in MEASURES],
    )
    features = {
        "printed, API": P,
        "printed, ALEN": replace(P, toc="alen"),
        "recommended, API": replace(R, toc="api"),
        "recommended, ALEN": replace(R, toc="alen"),
        "recommended, by share of zero API": R,
    }
    album.grid(
        "features",
        "Feature for TOC blocks (figure 21)",
        "In the paper ALEN is better where many links have an API of 0.",
        {name: [x for one in FORUMS for x in forums.figures(own, name=one)] for name, own in features.items()},
        [f"{measure}, {name.split('-')[1]}" for name in FORUMS for measure in MEASURES],
    )


def figures_of_the_paper(data: Path) -> tuple[str, dict[str, object]]:
    """Draw all figures; return the report's section and the values in it."""
    RESULTS.mkdir(exist_ok=True)
    album, news, forums = Album(), article_pages(data), toc_pages(data)
    album.lines(
        "entropy",
        "Entropy by number of pages (figure 11)",
        f"Mean EN of the words of the first pages as a share of that of all, mean of {ORDERS} orders. In the paper the share "
        "is off by less than .1 from 200 pages on.",
        entropy(data),
        x_label="pages",
        y_label="share of the last entropy",
        log=True,
    )
    of_criteria(album, forums)
    of_unfiltered(album, news, forums)
    of_api(album, forums)
    of_st(album, news, forums)
    of_k(album, news, forums)
    of_constraints(album, news, forums)
    of_phase_3(album, news, forums)
    of_all(album, news, forums)
    head = (
        f"Article blocks on {len(news.pages)} news pages by information coverage in characters (section 4.1), TOC blocks on "
        f"{len(forums.pages)} index pages by links as above; mean over pages. Figure 20 needs sites that are gone."
    )
    return "\n".join([head, "", *album.parts]), album.values
