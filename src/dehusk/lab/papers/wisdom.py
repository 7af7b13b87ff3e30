"""Figure 19 of Kao, Ho & Chen, *WISDOM*: article blocks by WISDOM and by the paper's rivals M1 and M2.

P, R and F of the information coverage (section 4.1), in characters; a block of the gold standard is one at least half
of whose words align with the gold text. WISDOM learns each site from its own pages, without their gold texts. The
paper's values stand in pictures that are lost; its text claims high precision and recall for articles on all sites.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from dehusk.blocks import segment
from dehusk.blocks.labels import OTHER
from dehusk.lab.evaluate.rivals import RIVALS
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.papers.experiment import Experiment, compared, read_gold
from dehusk.lab.papers.plots import histogram
from dehusk.lab.papers.shops import shop_samples
from dehusk.read import parse
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Coverage, Settings, Wisdom
from dehusk.sites.wisdom.blocksets import articles

SETS: Final = ("cleanportaleval-a", "big9-2005", "big9-2013")
MOST: Final = 6
"""Maximum number of generated pages per category and shop."""
SYSTEMS: Final[dict[str, Settings]] = {
    "WISDOM, as printed": PAPER,
    "M1, as printed": replace(PAPER, search="m1"),
    "M2, as printed": replace(PAPER, search="m2"),
    "WISDOM, recommended": RECOMMENDED,
    "M1, recommended": replace(RECOMMENDED, search="m1"),
    "M2, recommended": replace(RECOMMENDED, search="m2"),
}
WISDOMS: Final = ("WISDOM, as printed", "WISDOM, recommended")
M_RIVALS: Final = tuple(name for name in SYSTEMS if name not in WISDOMS)
"""The paper's own rivals: every block that says enough, without a search for the smallest ones."""

Coverages = dict[str, list[Coverage]]


def experiment(data: Path | None = None) -> Experiment:
    """Extract the article blocks of the pages of each site, beside the rivals.

    Args:
        data: folder of the open sets; by default pages are generated.
    """
    samples = read_gold(data, SETS) if data else list(shop_samples(MOST))
    sites: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        sites[sample.set, str(sample.site)].append(sample)
    found: Coverages = defaultdict(list)
    for of_site in sites.values():
        for name, coverages in _coverages(of_site).items():
            found[name] += coverages
    return _report(len(samples), len(sites), found)


def _coverages(samples: list[Sample]) -> Coverages:
    """Return for each way the coverage of each page of a site."""
    pages = [segment(parse(sample.bare)) for sample in samples]
    gold = [label_blocks(page, sample.segments)[0] != OTHER for page, sample in zip(pages, samples, strict=True)]
    learned = {preset.words: Wisdom(preset=preset).fit(pages) for preset in (PAPER, RECOMMENDED)}
    found: Coverages = defaultdict(list)
    for page, is_content in zip(pages, gold, strict=True):
        features = {words: method.features(page) for words, method in learned.items()}
        correct = is_content[page.block_of]
        for name, settings in SYSTEMS.items():
            found[name].append(Coverage.between(correct, articles(features[settings.words], settings).chars))
        for name, keep in RIVALS.items():
            found[name].append(Coverage.between(correct, keep(page)[page.block_of]))
    return found


def _report(pages: int, sites: int, found: Coverages) -> Experiment:
    measures: dict[str, Callable[[Coverage], float]] = {
        "P": lambda coverage: coverage.precision,
        "R": lambda coverage: coverage.recall,
        "F": lambda coverage: coverage.f,
    }
    table = [["", *measures]]
    for name, of_pages in found.items():
        means = (np.mean([measure(coverage) for coverage in of_pages]) for measure in measures.values())
        table.append([name, *(f"{mean:.3f}" for mean in means)])
    f = {name: float(np.mean([coverage.f for coverage in of_pages])) for name, of_pages in found.items()}
    rivals = (*M_RIVALS, *RIVALS)
    shown = ("WISDOM, as printed", "WISDOM, recommended", "M1, recommended", *RIVALS)
    picture = histogram(
        {name: [coverage.f for coverage in found[name]] for name in shown},
        title="Article blocks: information coverage by page",
        x_label="F of a page, in characters; the thick line is the mean",
        unit="pages",
    )
    ours, others = ({name: f[name] for name in names} for names in (WISDOMS, rivals))
    printed = {name: f[name] for name in WISDOMS if SYSTEMS[name] is PAPER}
    return Experiment(
        "WISDOM: article blocks (Kao, Ho & Chen, figure 19)",
        f"{pages} pages of {sites} sites, each learned from its own pages; mean over pages. M1 takes each block that "
        "says enough, M2 every block; the rows below need no site. The recommended settings were chosen on the news "
        "sites of the open sets. The paper's values are lost with its pictures.",
        {"Figure 19, article blocks": table},
        [compared(way, others, "F of article blocks") for way in (ours, printed)],
        {"wisdom.svg": picture},
    )
