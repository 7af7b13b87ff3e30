"""WISDOM: word F1 of its cleaned texts, TOC blocks compared with title links, pages needed, the paper's figures."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import numpy as np

from dehusk import write
from dehusk.blocks.labels import PARAGRAPH, Labels
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import WordBag, word_bag
from dehusk.read.page import Page
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Settings, Wisdom
from dehusk.sites.wisdom.blocksets import tables_of_contents
from sets import data_argument, set_path, write_results
from wisdom_figures import CRAWLS, figures_of_the_paper
from wisdom_pages import CLEANED, FORUMS, MIN_TITLES, Site, read_forum, sites

R, P = RECOMMENDED, PAPER
LANGUAGE = {"stemmer": "english", "stop_words": "english", "numbers": False}
ENGLISH = replace(R, **LANGUAGE)
ALL_WORDS = {"stemmer": "", "stop_words": "", "numbers": True}
SETTINGS = {
    "recommended": R,
    "as printed": P,
    "printed, own text as a child": replace(P, own_text=True),
    "printed, own text, all words": replace(P, own_text=True, **ALL_WORDS),
    "printed, own text, all words, no CSTM": replace(P, own_text=True, cstm=0, **ALL_WORDS),
    "recommended, own text not a child": replace(R, own_text=False),
    "recommended, DSTM that does not climb": replace(R, climb=False),
    "recommended, no DSTM": replace(R, dstm=False),
    "recommended, 1-CSTM": replace(R, cstm=1),
    "recommended, no condensing": replace(R, condense=False),
    "recommended, CII ≥ .3 fixed": replace(R, relative=None),
    "recommended, CII ≥ .2 fixed": replace(R, tc_article=0.8, relative=None),
    "recommended, .7 of the page's CII": replace(R, relative=0.7),
    "recommended, .9 of the page's CII": replace(R, relative=0.9),
    "recommended, no constraint, no condensing": replace(R, tc_article=1.0, condense=False),
    "recommended, stems, stop words, no numbers": ENGLISH,
    "recommended, k = 3": replace(R, k=3),
    "recommended, k = ∞": replace(R, k=float("inf")),
    "recommended, no cleaning": replace(R, link_density=None, run=0.0),
    "recommended, ST = .6": replace(R, st_article=0.6),
    "recommended, ST = .7": replace(R, st_article=0.7),
    "recommended, ST = .8": replace(R, st_article=0.8),
    "M1 with printed options": replace(P, search="m1"),
    "M2 with printed options": replace(P, search="m2"),
    "M1 with recommended options": replace(R, search="m1"),
    "M2 with recommended options": replace(R, search="m2"),
}
GROUP_SIZES = (1, 2, 3, 5, 10)
TOC = {
    "all links": None,
    "as printed: API": P,
    "printed, ALEN (figure 21)": replace(P, toc="alen"),
    "recommended": R,
    "recommended, API or ALEN": replace(R, toc="auto"),
    "recommended, API": replace(R, toc="api"),
    "recommended, API, no constraint": replace(R, toc="api", tc_toc=0.0),
    "recommended, ALEN, CII ≥ .2 fixed": replace(R, toc="alen", relative=None),
    "recommended, ALEN, no constraint": replace(R, toc="alen", tc_alen=0.0),
    "recommended, ALEN, k = 3": replace(R, toc="alen", k=3),
    "M1, ALEN": replace(R, toc="alen", search="m1"),
    "M1, estimated API": replace(R, search="m1"),
}


def evaluate(pages: dict[tuple[str, str], Site], settings: Settings, size: int | None = None) -> list[dict]:
    """Clean the pages of each site, with WISDOM fitted to the whole site, or to each group of `size` pages."""
    rows = []
    for (name, site), group in pages.items():
        for start in range(0, len(group), size or len(group)):
            part = group[start : start + (size or len(group))]
            method = Wisdom(preset=settings).fit([blocks for _, blocks, _ in part])
            bags = [word_bag(write.to_text(method.label(blocks)), gold) for _, blocks, gold in part]
            rows += [{"set": name, "site": site, "bag": bag} for bag in bags]
    return rows


def all_text_rows(pages: dict[tuple[str, str], Site]) -> list[dict]:
    """Score all text of the pages, as a baseline."""
    rows = []
    for (name, site), group in pages.items():
        for _, blocks, gold in group:
            b = len(blocks)
            labels = Labels(blocks, np.full(b, PARAGRAPH, np.uint8), np.ones(b), np.ones(b, bool))
            rows.append({"set": name, "site": site, "bag": word_bag(write.to_text(labels), gold)})
    return rows


def f1(rows: list[dict]) -> np.ndarray:
    return np.array([row["bag"].f1 for row in rows])


def figures(rows: list[dict]) -> dict[str, float]:
    bags: list[WordBag] = [row["bag"] for row in rows]
    return {
        **{name: float(f1([row for row in rows if row["set"] == name]).mean()) for name in CLEANED},
        "all": float(f1(rows).mean()),
        "P": float(np.mean([bag.precision for bag in bags])),
        "R": float(np.mean([bag.recall for bag in bags])),
    }


def reselected(scored: dict[str, list[dict]]) -> float:
    """Return mean F1 if each domain uses the setting that is best on all other domains."""
    rows = next(iter(scored.values()))
    domain = np.array([row["site"].split("_")[0] for row in rows])
    grid = np.array([f1(of_setting) for of_setting in scored.values()])
    scores = np.zeros(len(rows))
    for name in np.unique(domain):
        held_out = domain == name
        best = int(np.argmax(grid[:, ~held_out].mean(axis=1)))
        scores[held_out] = grid[best, held_out]
    return float(scores.mean())


def quality(data: Path) -> tuple[str, str, dict]:
    """Return the table of settings, the table of training pages, and the values of both."""
    pages = sites(data)
    scored = {name: evaluate(pages, settings) for name, settings in SETTINGS.items()}
    chosen = reselected(scored)
    scored["all text"] = all_text_rows(pages)
    values = {name: figures(rows) for name, rows in scored.items()}
    rows = [["setting", *values["recommended"], "95 % of all"]]
    for name, of_setting in scored.items():
        interval = bootstrap_interval(f1(of_setting), [f"{row['set']} {row['site']}" for row in of_setting])
        rows.append([name, *(f"{value:.3f}" for value in values[name].values()), str(interval)])
    learned = {size: figures(evaluate(pages, R, size)) for size in GROUP_SIZES}
    few = [
        ["training pages", *(str(size) for size in learned)],
        ["F1", *(f"{means['all']:.3f}" for means in learned.values())],
    ]
    values = {**values, "re-selected": {"all": chosen}, "pages": learned}
    return markdown_table(rows), markdown_table(few), values


def toc_row(method: Wisdom, settings: Settings | None, pages: list[Page], gold: list[set[int]]) -> dict[str, float]:
    """Compare the links in TOC blocks with the title links; return means over pages."""
    rows = []
    for page, titles in zip(pages, gold, strict=True):
        features = method.features(page)
        links, feature = set(features.anchors.node.tolist()), ""
        if settings is not None:
            blocks = tables_of_contents(features, settings)
            links, feature = {node for node in links if blocks.inside[node]}, blocks.feature
        both = len(links & titles)
        shares = both / max(len(links), 1), both / len(titles), 2 * both / (len(links) + len(titles))
        rows.append([*shares, features.zero_api, features.loaded, feature == "API"])
    return dict(zip(("P", "R", "F", "zero API", "loaded", "by API"), np.mean(rows, axis=0).tolist(), strict=True))


def contents(data: Path) -> tuple[str, dict]:
    """Return how well TOC blocks match the title links of threads on index pages."""
    table, values = [["crawl", "setting", "P", "R", "F", "zero API", "loaded", "by API"]], {}
    for name in FORUMS:
        forum = read_forum(data, name, (P, R))
        methods, chosen = forum.methods, forum.indexes
        for setting, settings in TOC.items():
            method = methods[(settings or R).words]
            row = toc_row(method, settings, [page for page, _ in chosen], [links for _, links in chosen])
            table.append([f"{name} ({len(chosen)})", setting, *(f"{value:.2f}" for value in row.values())])
            values[f"{name}, {setting}"] = row
    return markdown_table(table), values


def main() -> None:
    data = data_argument(__doc__ or "")
    cleaned, few, values = quality(data)
    toc, links = contents(data)
    drawn, points = figures_of_the_paper(data)
    count = sum(len(list(read_set(set_path(data, name)))) for name in CLEANED)
    text = (
        f"# WISDOM\n\n`python bench/wisdom.py DATA`, {dt.date.today()}; sets identified by the hashes in wisdom.json.\n\n"
        f"## As a cleaner\n\nWord-bag F1, mean over the {count} pages of 20 sites; WISDOM is fitted to the 10 to 15 pages "
        f"of each site. The recommended settings were chosen on these pages. Intervals are bootstraps by site. If each domain uses the setting that is best "
        f"on all other domains, F1 is {values['re-selected']['all']:.3f}.\n\n{cleaned}\n"
        f"## Training pages\n\nThe same pages, recommended settings, each in a group of so many pages of its site; a single "
        f"page has W = 1.\n\n{few}\n"
        f"## TOC blocks\n\nLinks in TOC blocks compared with the title links of threads; mean over index pages (their number in "
        f"brackets) with at least {MIN_TITLES} of them; WISDOM is fitted to the whole crawl. Links to authors and tags within a list of "
        f"threads count as wrong, so P is a lower bound. Zero API: share of links with text whose API is 0; loaded: share of "
        f"links within the host whose page is in the crawl; by API: share of pages that used API as the feature.\n\n{toc}\n"
        f"## The paper's figures\n\n{drawn}"
    )
    fingerprints = {name: set_fingerprint(set_path(data, name)) for name in (*CLEANED, *CRAWLS)}
    write_results("wisdom", text, {"sets": fingerprints, "f1": values, "toc": links, "figures": points}, judges="none")


if __name__ == "__main__":
    main()
