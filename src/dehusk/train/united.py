"""Training the united labeller on labelled pages: trees, trees of styles, weights of a site's evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk.errors import ConfigError
from dehusk.gold.splits import by_site
from dehusk.methods import STYLES
from dehusk.methods.united import Forest, United, Weights
from dehusk.methods.united.columns import table
from dehusk.methods.united.evidence import evidence
from dehusk.site.model import Site
from dehusk.train.corpus import Labelled
from dehusk.train.fit import card, usable
from dehusk.train.forest import Growth, Rows, grow, joined, rows

Reals = npt.NDArray[np.float64]

SIZES = (2, 5, 10)
"""Pages of a site that its evidence is made of, in turn, when its weights are learned."""
LEAST_SITES = 5
"""Sites of two and more pages it takes to learn the weights of evidence; from fewer those of the shipped model stay."""
_FOLDS = 3
_SHIPPED = Weights(c=-1.07, t=-1.19)
"""Those of the shipped model, which the open sets of pages by site gave; for training without enough sites."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Pages to learn from, with their rows, so that nothing is computed twice."""

    pages: list[Labelled]
    styles: list[str]
    """The style that the gold of each page is of; auto where it is of none."""
    rows: list[Rows]

    @classmethod
    def of(cls, pages: Iterable[Labelled], styles: Sequence[str] | str = "auto") -> Corpus:
        """Compute the rows of pages; raises `ConfigError` for an unknown style."""
        listed = list(pages)
        chosen = [styles] * len(listed) if isinstance(styles, str) else list(styles)
        for style in set(chosen) - set(STYLES):
            raise ConfigError(f"no style {style!r}; known: {', '.join(STYLES)}")
        return cls(listed, chosen, [rows(page) for page in listed])

    def __len__(self) -> int:
        return len(self.pages)

    def part(self, numbers: Iterable[int]) -> Corpus:
        """Return some of the pages."""
        chosen = list(numbers)
        return Corpus([self.pages[n] for n in chosen], [self.styles[n] for n in chosen], [self.rows[n] for n in chosen])


def train_united(corpus: Corpus, growth: Growth | None = None, *, sites: bool = True) -> United:
    """Train the united labeller.

    Args:
        corpus: labelled pages; those whose gold text is not on the page teach nothing.
        growth: how the trees grow.
        sites: learn the weights of a site's evidence from the pages that share a site, by trees that never saw the
            site; takes as long again as the rest.

    Raises:
        GoldError: no usable pages, or pages that hold content only or noise only.
        ConfigError: CatBoost is not installed.
    """
    growth = growth or Growth()
    forests = _forests(corpus, growth)
    weights = (_weights(corpus, growth) if sites else None) or _SHIPPED
    made = United(forests, weights)
    made.card = {**card([page for page in corpus.pages if usable(page)]), "growth": vars(growth)}
    return made


def _forests(corpus: Corpus, growth: Growth) -> dict[str, Forest]:
    base = grow(joined(corpus.rows), growth)
    forests = {"auto": base}
    for style in STYLES[1:]:
        own = [part for part, its in zip(corpus.rows, corpus.styles, strict=True) if its == style]
        if own:
            forests[style] = grow(joined(own), growth.for_style(), base=base)
    return forests


def _weights(corpus: Corpus, growth: Growth) -> Weights | None:
    """Return the weights of evidence by scores of forests that saw no page of the site; None where sites are few."""
    sites = _sites(corpus)
    if len(sites) < LEAST_SITES:
        return None
    fold = by_site([page.site for page in corpus.pages], _FOLDS, seed=growth.seed)
    short = replace(growth, trees=max(1, growth.trees // 3))  # log-odds that are good enough to be added to
    table_, content, weight = [], [], []
    for number in range(_FOLDS):
        held = [members for members in sites if fold[members[0]] == number]
        if not held:
            continue
        forest = grow(joined([part for part, own in zip(corpus.rows, fold, strict=True) if own != number]), short)
        for page, columns in _evidence_rows(corpus, held, forest):
            table_.append(columns)
            content.append(page.content)
            weight.append(page.weight)
    return _fit(np.concatenate(table_), np.concatenate(content), np.concatenate(weight))


def _sites(corpus: Corpus) -> list[list[int]]:
    """Return the numbers of the usable pages of each site of a set that has two or more of them."""
    found: Mapping[tuple[str, str], list[int]] = defaultdict(list)
    for number, page in enumerate(corpus.pages):
        if usable(page) and corpus.rows[number].content.size == len(page.blocks):
            found[page.sample.set, page.site].append(number)
    return [members for _, members in sorted(found.items()) if len(members) > 1]


def _evidence_rows(corpus: Corpus, sites: list[list[int]], forest: Forest) -> Iterator[tuple[Rows, Reals]]:
    """Yield the rows of each page of sites with (log-odds, repeated, on pages), shape (b, 3), once for each size."""
    for members in sites:
        for size in SIZES:
            for part in _parts(members, size):
                site = Site(mixed=True, structure=False).fit([corpus.pages[number].blocks for number in part])
                for number in part:
                    blocks = corpus.pages[number].blocks
                    said = evidence(blocks, site)
                    if said is not None:
                        scores = forest.scores(table(blocks))
                        yield corpus.rows[number], np.column_stack([scores, said.repeated, said.on_pages])


def _parts(members: list[int], size: int) -> list[list[int]]:
    """Return a site's pages in parts of a size; a last part that is smaller is joined to the one before."""
    count = max(1, len(members) // size)
    return [part.tolist() for part in np.array_split(np.array(members), count)]


def _fit(columns: Reals, content: npt.NDArray[np.float32], weight: npt.NDArray[np.float32]) -> Weights:
    """Return the likeliest weights, none of them positive; columns are (log-odds, repeated, on pages)."""
    from scipy.optimize import minimize  # noqa: PLC0415 (comes with CatBoost, which only training needs)

    scores, said = columns[:, 0], columns[:, 1:]
    weight = weight / weight.sum()

    def loss(weights: Reals) -> tuple[float, Reals]:
        odds = scores + said @ weights
        chance = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        value = float(weight @ (np.logaddexp(0, odds) - content * odds))
        return value, said.T @ (weight * (chance - content))

    found = minimize(loss, np.zeros(2), jac=True, method="L-BFGS-B", bounds=[(-20.0, 0.0)] * 2)
    c, t = (round(float(one), 3) for one in found.x)
    return Weights(c, t)
