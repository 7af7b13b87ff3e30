"""Judge the default method alone and with its site's pages, by a net that has seen none of the sites.

`python bench/site_evidence.py DATA [--model FOLDER]` trains a net like the shipped one, with fewer epochs and without a
teacher, on all sets but those that are judged, which takes six minutes; `--model` saves it there, or loads it. "Template" is
what a site repeats word for word (`dehusk.label.united.evidence`); "elements" adds what the net says of each element on the
site's pages (`dehusk.label.united.elements`), and "compiled" the rules of templates that follow from both
(`dehusk.label.compiling`). The floor keeps everything; the rivals use no model: the site rule, the rule of one line, the texts
that stand on at most half of the pages, and, of corrected pages, the slots that are mostly content there.
"""

import argparse
import datetime as dt
import json
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from dehusk import Site, clean
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER, PARAGRAPH, Labels
from dehusk.counts.model import SiteModel
from dehusk.counts.slots import block_slots
from dehusk.lab.evaluate.rivals import RULE, Kept, everything, long_unlinked
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.lab.gold.facts import with_gold_lines_as_facts
from dehusk.lab.train.labelled_pages import LabelledPage, is_usable, label_samples, without_labels
from dehusk.lab.train.net import Schedule
from dehusk.lab.train.united import train_united
from dehusk.label.baseline import KeepAll
from dehusk.label.compiling import learn_templates
from dehusk.label.repetition import SiteRule
from dehusk.label.template_rules import TemplateRules, label_by_templates, match_templates
from dehusk.label.united import United
from dehusk.label.united.declaration import label_odds
from dehusk.label.united.elements import ElementOdds
from dehusk.measures.facts import facts_kept
from dehusk.measures.metrics import word_bag
from sets import RESULTS, set_path, spaced, write_results
from training_sets import training_set

GOLD = {"daniel-a": ("auto", "article"), "big9-2005": ("auto",), "big9-2013": ("auto",), "cleanportaleval-a": ("auto",)}
SHOP, CRAWLS = "site-christianbook", ("site-asp-forums", "site-android-questions", "site-zhihu-a")
UNSEEN = (*GOLD, SHOP, *CRAWLS, "product-a", "fundus-a")
"""Sets that the net is not trained on: those that are judged, and others with pages of such sites."""
FOREIGN = "wcxb-dev"
EPOCHS, SEED = 8, 3
SIZES, SHOP_SIZES, CRAWLED = (2, 5, 10, 50), (10, 50, 200), 60
TAUGHT, TAUGHT_SITES = (1, 2, 5, 10, 20), 10
CALLS = 200
LEAST, LABEL, SHARES = 5, (0.2, 0.8), (0.1, 0.5, 0.9)
RARE, SLOTS = "texts of half of the pages at most", "content slots of the corrected"
"""The rivals that know the pages of the site, or those that are corrected."""


@dataclass(frozen=True, eq=False)
class Member:
    """A page of a site."""

    sample: Sample
    blocks: Blocks
    odds: ElementOdds


def trained(data: Path, folder: Path | None) -> United:
    """Return a net that has seen none of the sites of `UNSEEN`."""
    if folder and folder.is_dir():
        return United.load(folder)
    pages = training_set(data)
    sites = {page.site for page in pages.pages if page.sample.set in UNSEEN}
    rest = [n for n, page in enumerate(pages.pages) if page.sample.set not in UNSEEN and page.site not in sites]
    model = train_united(pages.subset(rest), Schedule(epochs=EPOCHS))
    if folder:
        model.save(folder)
    return model


def members_of(model: United, name: str, data: Path) -> dict[str, list[Member]]:
    """Return site -> its pages that have text."""
    sites: dict[str, list[Member]] = defaultdict(list)
    samples = read_set(set_path(data, name))
    if name in (SHOP, *CRAWLS):
        pages = without_labels(map(with_gold_lines_as_facts, samples) if name == SHOP else samples, KeepAll())
    else:
        pages = label_samples(samples, KeepAll())
    for page in pages:
        if len(page.blocks):
            odds = ElementOdds.of_scores(block_slots(page.blocks), model.auto_scores(page.blocks))
            sites[name if name in (SHOP, *CRAWLS) else page.site].append(Member(page.sample, page.blocks, odds))
    return sites


def with_site(model: United, members: Sequence[Member], style: str, *, elements: bool) -> United:
    """Return the model with what pages share."""
    site = SiteModel(mixed=True, structure=False).fit([member.blocks for member in members])
    method = model.using(site=site, style=style)
    method.elements = ElementOdds.total([member.odds for member in members]) if elements else None
    return method


@dataclass
class Compiled:
    """A method under the rules of a site's templates, learned by the method itself."""

    method: United
    templates: tuple[TemplateRules, ...]
    asked: int = 0

    @classmethod
    def of(cls, model: United, members: Sequence[Member], style: str = "auto") -> "Compiled":
        """Return the rules of the templates of a site's pages, and the method that they were learned from."""
        method = with_site(model, members, style, elements=True)
        return cls(method, learn_templates([member.blocks for member in members], method))

    def label(self, blocks: Blocks) -> Labels:
        """Label a page, and count it if the method was asked."""
        self.asked += match_templates(blocks, self.templates, self.method.style).outcome != "looked-up"
        return label_by_templates(self.templates, blocks, self.method)


@dataclass(frozen=True)
class Rule:
    """A method that learns nothing, or only counts."""

    keep: Callable[[Blocks], Kept]

    @classmethod
    def of_rare_texts(cls, pages: Sequence[Blocks]) -> "Rule":
        """Return the rule that keeps the blocks whose text stands on at most half of some pages."""
        on = Counter(text for blocks in pages for text in set(blocks.texts))
        most = max(1.0, len(pages) / 2)
        return cls(lambda blocks: np.array([on[text] <= most for text in blocks.texts], dtype=np.bool_))

    @classmethod
    def of_content_slots(cls, pages: Sequence[LabelledPage]) -> "Rule":
        """Return the rule that keeps the blocks in slots that are content in most of their places on labelled pages."""
        votes: Counter[int] = Counter()
        for page in pages:
            for slot, code in zip(block_slots(page.blocks).tolist(), page.codes.tolist(), strict=True):
                votes[slot] += 1 if code != OTHER else -1
        return cls(lambda blocks: np.array([votes[slot] > 0 for slot in block_slots(blocks).tolist()], dtype=np.bool_))

    def label(self, blocks: Blocks) -> Labels:
        """Label a page."""
        count = len(blocks)
        return Labels(blocks, np.full(count, PARAGRAPH, np.uint8), np.ones(count), self.keep(blocks))


EVERYTHING, ONE_LINE = Rule(everything), Rule(long_unlinked)


def blocks_of(members: Sequence[Member]) -> list[Blocks]:
    return [member.blocks for member in members]


def groups(members: Sequence[Member], size: int) -> list[list[Member]]:
    return [
        [members[n] for n in part] for part in np.array_split(np.arange(len(members)), max(1, len(members) // size))
    ]


def kept_text(labels: Labels) -> str:
    return "\n".join(text for text, keep in zip(labels.blocks.texts, labels.kept.tolist(), strict=True) if keep)


def f1(member: Member | LabelledPage, labels: Labels) -> float:
    return word_bag(spaced(kept_text(labels)), spaced(member.sample.gold_text)).f1


def by_f1(model: United, data: Path) -> list[list[str]]:
    """Return the table of word F1."""
    sizes = [f"elements, {size} pages" for size in SIZES]
    head = [
        "set",
        "style",
        "pages",
        "everything",
        RULE,
        RARE,
        "site rule",
        "alone",
        f"template, {SIZES[-1]} pages",
        *sizes,
    ]
    head.append(f"compiled, {SIZES[-1]} pages")
    table = [[*head, "worst site, against alone"]]
    for name, styles in GOLD.items():
        sites = [site for site in members_of(model, name, data).values() if len(site) >= LEAST]
        for style in styles:
            table.append([name, style, str(sum(map(len, sites))), *_f1_row(model, sites, style)])
            print(*table[-1], flush=True)
    return table


def _f1_row(model: United, sites: Iterable[Sequence[Member]], style: str) -> list[str]:
    found: dict[str, list[float]] = defaultdict(list)
    worst = 0.0
    for site in sites:
        page = model.using(style=style)
        alone = [f1(member, page.label(member.blocks)) for member in site]
        for name, floor in (("everything", EVERYTHING), (RULE, ONE_LINE)):
            found[name] += [f1(member, floor.label(member.blocks)) for member in site]
        for group in groups(site, SIZES[-1]):
            rare = Rule.of_rare_texts(blocks_of(group))
            found[RARE] += [f1(member, rare.label(member.blocks)) for member in group]
            rule = SiteRule(SiteModel(mixed=True, structure=False).fit(blocks_of(group)))
            found["site rule"] += [f1(member, rule.label(member.blocks)) for member in group]
            method = with_site(model, group, style, elements=False)
            found["template"] += [f1(member, method.label(member.blocks)) for member in group]
            compiled = Compiled.of(model, group, style)
            found["compiled"] += [f1(member, compiled.label(member.blocks)) for member in group]
        found["alone"] += alone
        for size in SIZES:
            figures: list[float] = []
            for group in groups(site, size):
                method = with_site(model, group, style, elements=True)
                figures += [f1(member, method.label(member.blocks)) for member in group]
            found[str(size)] += figures
        worst = min(worst, float(np.mean(found["compiled"][-len(alone) :]) - np.mean(alone)))
    order = ["everything", RULE, RARE, "site rule", "alone", "template", *map(str, SIZES), "compiled"]
    return [*(f"{np.mean(found[name]):.4f}" for name in order), f"{worst:+.3f}"]


def of_shop(model: United, data: Path) -> list[list[str]]:
    """Return the table of the shop: facts kept, and the words that are kept for them."""
    [members] = members_of(model, SHOP, data).values()
    random.Random(SEED).shuffle(members)
    table = [["pages of the shop", "everything", RULE, RARE, "alone", "template", "elements", "compiled"]]
    for size in SHOP_SIZES:
        sides: dict[str, Callable[[Sequence[Member]], object]] = {
            "everything": lambda _: EVERYTHING,
            RULE: lambda _: ONE_LINE,
            RARE: lambda group: Rule.of_rare_texts(blocks_of(group)),
            "alone": lambda _: model,
            "template": lambda group: with_site(model, group, "auto", elements=False),
            "elements": lambda group: with_site(model, group, "auto", elements=True),
            "compiled": lambda group: Compiled.of(model, group),
        }
        row = [str(size)]
        for side in sides.values():
            shares, words = [], []
            for group in groups(members, size):
                method = side(group)
                for member in group:
                    labels = method.label(member.blocks)  # type: ignore[attr-defined]
                    whole = " ".join(member.blocks.texts)
                    facts = [fact for fact in member.sample.facts if facts_kept(whole, [fact]).kept]
                    if facts:
                        shares.append(facts_kept(kept_text(labels), facts).recall)
                        words.append(int(member.blocks.words[labels.kept].sum()))
            row.append(f"{np.mean(shares):.3f} ({np.mean(words):.0f} words)")
        table.append(row)
        print(*row, flush=True)
    return table


def of_labels(model: United, data: Path) -> list[list[str]]:
    """Return the table of texts that stand in one slot on `LEAST` pages and more, and are kept on some of them only."""
    table = [["site", "pages", "repeated texts", "everything", RULE, "alone", "template", "elements", "compiled"]]
    for name in (SHOP, *CRAWLS):
        members = [member for site in members_of(model, name, data).values() for member in site]
        random.Random(SEED).shuffle(members)
        members = members[:CRAWLED]
        by_pages = [with_site(model, members, "auto", elements=elements) for elements in (False, True)]
        methods: list[Any] = [EVERYTHING, ONE_LINE, model, *by_pages, Compiled.of(model, members)]
        shares = []
        for method in methods:
            kept: dict[tuple[int, str], list[bool]] = defaultdict(list)
            for member in members:
                labels, slots = method.label(member.blocks), block_slots(member.blocks).tolist()
                for slot, text, keep in zip(slots, member.blocks.texts, labels.kept.tolist(), strict=True):
                    kept[slot, text].append(keep)
            repeated = [keeps for (_, text), keeps in kept.items() if len(keeps) >= LEAST and len(text.strip()) > 1]
            shares.append(np.mean([LABEL[0] <= np.mean(keeps) <= LABEL[1] for keeps in repeated]))
        table.append([name, str(len(members)), str(len(repeated)), *(f"{share:.1%}" for share in shares)])
        print(*table[-1], flush=True)
    return table


def among_others(model: United, data: Path) -> list[list[str]]:
    """Return the table of sites that are learned together with foreign pages."""
    [name, *_] = GOLD
    sites = [site for site in members_of(model, name, data).values() if len(site) >= LEAST]
    foreign = [member for site in members_of(model, FOREIGN, data).values() for member in site]
    random.Random(SEED).shuffle(foreign)
    alone = [f1(member, model.label(member.blocks)) for site in sites for member in site]
    head = ["foreign pages", "everything", RULE, RARE, "elements", "worst site, against alone"]
    table = [[*head, "compiled", "worst site, against alone"]]
    floors = [
        f"{np.mean([f1(member, rule.label(member.blocks)) for site in sites for member in site]):.4f}"
        for rule in (EVERYTHING, ONE_LINE)
    ]
    table.append(["no site", *floors, "", f"{np.mean(alone):.4f}", "", "", ""])
    for share in (0.0, *SHARES):
        figures: dict[str, list[float]] = {"elements": [], "compiled": []}
        rare: list[float] = []
        worst = dict.fromkeys(figures, 0.0)
        for site in sites:
            few = site[: SIZES[-1]]
            others = foreign[: round(len(few) * share / (1 - share))]
            compiled = Compiled.of(model, [*few, *others])
            rule = Rule.of_rare_texts(blocks_of([*few, *others]))
            rare += [f1(member, rule.label(member.blocks)) for member in site]
            before = alone[len(figures["elements"]) : len(figures["elements"]) + len(site)]
            for side, method in (("elements", compiled.method), ("compiled", compiled)):
                now = [f1(member, method.label(member.blocks)) for member in site]
                worst[side] = min(worst[side], float(np.mean(now) - np.mean(before)))
                figures[side] += now
        cells = [text for side in figures for text in (f"{np.mean(figures[side]):.4f}", f"{worst[side]:+.3f}")]
        table.append([f"{share:.0%}", *floors, f"{np.mean(rare):.4f}", *cells])
        print(*table[-1], flush=True)
    return table


def of_teaching(model: United, data: Path) -> list[list[str]]:
    """Return the table of sites that are taught by the gold of some of their pages, judged on the others."""
    sites = []
    for name in GOLD:
        by_site: dict[str, list[LabelledPage]] = defaultdict(list)
        for page in label_samples(read_set(set_path(data, name)), KeepAll()):
            if is_usable(page):
                by_site[page.site].append(page)
        sites += [pages for pages in by_site.values() if len(pages) >= TAUGHT_SITES]
    head = ["corrected pages", "sites", "everything", RULE, SLOTS, "alone", "with the site", "taught"]
    table = [[*head, "errors left, of alone", "worst, of alone"]]
    for count in TAUGHT:
        means = np.array([_taught_means(model, pages, min(count, len(pages) // 2)) for pages in sites])
        *_, alone, _, taught = figures = means.mean(axis=0)
        worst = (means[:, -1] - means[:, -3]).min()
        row = [str(count), str(len(sites)), *(f"{figure:.4f}" for figure in figures)]
        table.append([*row, f"{(1 - taught) / (1 - alone):.3f}", f"{worst:+.3f}"])
        print(*table[-1], flush=True)
    return table


def _taught_means(model: United, pages: Sequence[LabelledPage], count: int) -> list[float]:
    """Return the mean F1 of the pages that do not teach: of the rules, alone, with the site, and taught."""
    order = random.Random(SEED).sample(pages, len(pages))
    site = SiteModel(mixed=True, structure=False).fit([page.blocks for page in pages])
    known = ElementOdds.total(
        [ElementOdds.of_scores(block_slots(page.blocks), model.auto_scores(page.blocks)) for page in pages]
    )
    labels = [label_odds(site, page.blocks, page.codes) for page in order[:count]]
    with_pages, taught = model.using(site=site), model.using(site=site)
    with_pages.elements, taught.elements = known, ElementOdds.total([known, *labels])
    methods: list[Any] = [EVERYTHING, ONE_LINE, Rule.of_content_slots(order[:count]), model, with_pages, taught]
    return [float(np.mean([f1(page, method.label(page.blocks)) for page in order[count:]])) for method in methods]


def of_templates(model: United, data: Path) -> list[list[str]]:
    """Return the table of templates that are compiled from every other page of a site, judged on the rest."""
    head = ["sites of", "pages", "everything", RULE, RARE, "with the site", "compiled", "worst site"]
    table = [[*head, "looked up", "same text, of these"]]
    for name in (*GOLD, *CRAWLS):
        sites = [site for site in members_of(model, name, data).values() if len(site) >= TAUGHT_SITES]
        before, after, same, worst, asked = [], [], [], 0.0, 0
        rules: list[list[float]] = []
        for site in sites:
            compiled, start = Compiled.of(model, site[::2]), len(before)
            rare = Rule.of_rare_texts(blocks_of(site[::2]))
            for member in site[1::2]:
                asked_before, own = compiled.asked, compiled.method.label(member.blocks)
                labels = compiled.label(member.blocks)
                rules.append([f1(member, rule.label(member.blocks)) for rule in (EVERYTHING, ONE_LINE, rare)])
                before.append(f1(member, own))
                after.append(f1(member, labels))
                if compiled.asked == asked_before:
                    same.append(kept_text(labels) == kept_text(own))
            worst = min(worst, float(np.mean(after[start:]) - np.mean(before[start:])))
            asked += compiled.asked
        has_gold = name in GOLD
        means = (*np.mean(rules, axis=0), np.mean(before), np.mean(after))
        figures = [*(f"{mean:.4f}" for mean in means), f"{worst:+.3f}"] if has_gold else [""] * 6
        row = [name, str(len(before)), *figures, f"{1 - asked / len(before):.0%}", f"{np.mean(same):.0%}"]
        table.append(row)
        print(*row, flush=True)
    return table


def of_calls(data: Path) -> list[list[str]]:
    """Return the table of CPU time of whole calls, from bytes to text, of pages that are looked up, by what ships."""
    table = [
        ["site", "pages looked up", "alone, ms", "with the site, ms", "compiled, ms", "compiled, of with the site"]
    ]
    for name in CRAWLS:
        pages = [sample.data for sample in read_set(set_path(data, name))][:CALLS]
        site = Site(mixed=True, structure=False).fit(pages[::2])
        rules = site.compile(pages[::2])
        known = [
            page
            for page in pages[1::2]
            if any(note.startswith("labelled by template") for note in clean(page, rules=rules).labels.notes)
        ]
        ways: list[dict[str, object]] = [{}, {"site": site}, {"rules": rules}]
        spent = [1000 * np.mean([_fastest(page, **way) for page in known]) for way in ways]
        table.append([name, str(len(known)), *(f"{ms:.2f}" for ms in spent), f"{spent[2] / spent[1]:.2f}"])
        print(*table[-1], flush=True)
    return table


def _fastest(page: bytes, **options: Any) -> float:
    """Return the CPU seconds of the fastest of five calls."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        clean(page, **options).text  # noqa: B018 (the text is made when it is asked for)
        best = min(best, time.process_time() - start)
    return best


def of_time(model: United, data: Path) -> list[list[str]]:
    """Return the table of CPU time per page, without parsing."""
    members = [member for site in members_of(model, CRAWLS[0], data).values() for member in site]
    table = [
        ["pages", "counts of every site, ms", "log-odds of elements, ms", "label alone, ms", "label with the site, ms"]
    ]
    for size in (50, 500):
        pages = [member.blocks for member in members[:size]]
        clock = [time.process_time()]
        site = SiteModel(mixed=True, structure=False).fit(pages)
        clock.append(time.process_time())
        odds = [ElementOdds.of_scores(block_slots(blocks), model.auto_scores(blocks)) for blocks in pages]
        clock.append(time.process_time())
        for blocks in pages:
            model.label(blocks)
        clock.append(time.process_time())
        method = model.using(site=site)
        method.elements = ElementOdds.total(odds)
        for blocks in pages:
            method.label(blocks)
        clock.append(time.process_time())
        table.append([str(size), *(f"{1000 * spent / size:.2f}" for spent in np.diff(clock))])
    return table


COSTS = {"Whole calls": lambda _, data: of_calls(data), "Time": of_time}
QUALITY = {
    "Word F1": by_f1,
    "Facts of a shop": of_shop,
    "Labels kept on some pages only": of_labels,
    "Among foreign pages": among_others,
    "Corrected pages": of_teaching,
    "Compiled templates": of_templates,
}


def verdict(table: Sequence[Sequence[str]]) -> str:
    """Return where a floor or a rival is as good as what ships with the site, compiled, by word F1."""
    head, *rows = table
    rivals = ("everything", RULE, RARE, "site rule")
    found = [dict(zip(head, row, strict=True)) for row in rows]
    wins = [
        f"{name} on {row['set']} in style {row['style']}"
        for row in found
        for name in rivals
        if float(row[name]) >= float(row[f"compiled, {SIZES[-1]} pages"])
    ]
    return (
        f"By word F1, floors and rivals reach the compiled rules in {len(wins)} of {len(rows) * len(rivals)} comparisons"
        f"{': ' * bool(wins)}{'; '.join(wins)}. Everything and the {RULE} label equal texts alike by nature."
    )


def write_report(tables: Mapping[str, Sequence[Sequence[str]]], data: Path) -> None:
    text = (
        f"# The evidence of a site\n\n{verdict(tables['Word F1'])}\n\n"
        f"`python bench/site_evidence.py DATA`, {dt.date.today()}: a net that was trained in "
        f"{EPOCHS} epochs on none of these sites, alone and with what the pages of the site share. Sites have at least "
        f'{LEAST} pages; they are learned from groups of so many of them. "{RARE}" keeps the blocks whose text stands on at most '
        f'half of the pages that are learned, "{SLOTS}" the blocks in slots that are mostly content on the corrected '
        f"pages; neither uses a net."
        + "".join(f"\n\n## {title}\n\n{markdown_table(table)}" for title, table in tables.items())
    )
    hashes = {name: set_fingerprint(set_path(data, name)) for name in (*GOLD, SHOP, *CRAWLS, FOREIGN)}
    write_results("site_evidence", text, {"tables": tables, "sets": hashes}, judges="none")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--model", type=Path, help="folder of the net: loaded if it is there, else saved")
    parser.add_argument("--quality", action="store_true", help="measure only quality; keep the published costs")
    options = parser.parse_args()
    model = trained(options.data, options.model)
    published = json.loads((RESULTS / "site_evidence.json").read_text("utf-8"))["tables"] if options.quality else {}
    tables = {title: measure(model, options.data) for title, measure in QUALITY.items()}
    tables |= {title: published.get(title) or measure(model, options.data) for title, measure in COSTS.items()}
    write_report(tables, options.data)


if __name__ == "__main__":
    main()
