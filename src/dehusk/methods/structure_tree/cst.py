"""The compressed structure tree as a method: learn from a site's pages, weigh words, score blocks, make vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.errors import ConfigError, InputError, NotFittedError
from dehusk.labels import OTHER, PARAGRAPH, Labels
from dehusk.methods.options import WithOptions
from dehusk.methods.structure_tree.construction import Aliases, element_keys, merge_pages
from dehusk.methods.structure_tree.importance import StructureTree, grow_tree
from dehusk.methods.structure_tree.vectors import Vocabulary, matrix
from dehusk.methods.structure_tree.weights import WordWeights
from dehusk.page import Page
from dehusk.site.grouping import site_of
from dehusk.site.structure_counts import StructureCounter, StructureCounts
from dehusk.site.tag_tree import Leaves, TagNodes, cut_name, tag_nodes
from dehusk.site.terms import page_terms

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Mode = Literal["ordinal", "style"]


class CompressedStructureTree(WithOptions):
    """Weights of words, scores of blocks and vectors of pages by the structure that a site's pages share.

    Pages are `Page` or `Blocks`. Each site has a tree of its own; a page's site is what `sites` says, else what its own
    address says (`dehusk.site.grouping.site_of`), else "". Where only one tree was learned, it serves every page whose
    site is not given.

    Args:
        mode: "style" builds the tree as the paper does, from all pages at once; "ordinal" finds each page's elements
            from the page alone (`dehusk.site.tag_tree`), so that pages can be counted one by one and counts add up.
        leaves: the height of virtual leaves, or "grandparent" for the paper's; see `dehusk.site.tag_tree.tag_nodes`.
        gamma: in "style" mode, the share of a group's tag nodes that must have a word to make it characteristic.
        lambda_: in "style" mode, the similarity of characteristic words from which groups are merged.
        classes: whether the class attribute is a display attribute; it is not in the paper, whose pages had none.
        threshold: a block is kept if its score, the mean importance of its words' leaves, is at least this.

    Attributes:
        trees_: site -> its `StructureTree`, after `fit` or `fit_counts`.
    """

    def __init__(
        self,
        *,
        mode: Mode = "ordinal",
        leaves: Leaves = 1,
        gamma: float = 0.85,
        lambda_: float = 0.85,
        classes: bool = True,
        threshold: float = 0.8,
    ) -> None:
        self.mode = mode
        self.leaves = leaves
        self.gamma = gamma
        self.lambda_ = lambda_
        self.classes = classes
        self.threshold = threshold

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the common blocks."""
        return segment(page)

    def fit(
        self,
        pages: Iterable[Page | Blocks],
        y: object = None,  # noqa: ARG002 (scikit-learn's signature)
        *,
        sites: Sequence[str] | None = None,
    ) -> Self:
        """Learn the trees of one or more sites; a former fit is forgotten.

        Args:
            pages: one or more. A tree of one page knows nothing: all its weights are 1. In "ordinal" mode they are
                read once and not held.
            y: not looked at.
            sites: the site of each page.

        Raises:
            InputError: no pages.
            ConfigError: an option that cannot be.
            ValueError: the sites are not as many as the pages.
        """
        self._check()
        counters: dict[str, StructureCounter] = {}
        held: dict[str, list[TagNodes]] = {}
        for given, page in _given_sites(pages, sites):
            nodes = self.tag_nodes(page)
            site = _site_of(page) if given is None else given
            if self.mode == "style":
                held.setdefault(site, []).append(nodes)
            else:
                counters.setdefault(site, StructureCounter()).add(nodes, nodes.ordinal_keys)
        aliases = {}
        for site, group in held.items():
            keys, aliases[site] = merge_pages(group, self.gamma, self.lambda_)
            counters[site] = StructureCounter()
            for nodes, own in zip(group, keys, strict=True):
                counters[site].add(nodes, own)
        return self._accept({site: counter.counts() for site, counter in counters.items()}, aliases)

    def count(self, pages: Iterable[Page | Blocks]) -> StructureCounts:
        """Return the counts of pages of one site, in "ordinal" mode; counts of several parts of a site add up.

        Raises:
            InputError: no pages.
            ConfigError: "style" mode, whose elements follow from all pages at once.
        """
        self._check()
        if self.mode != "ordinal":
            raise ConfigError("counts that add up exist in ordinal mode only; use fit")
        counter = StructureCounter()
        for page in pages:
            nodes = self.tag_nodes(page)
            counter.add(nodes, nodes.ordinal_keys)
        if not counter.pages:
            raise InputError("no pages to count")
        return counter.counts()

    def fit_counts(self, counts: StructureCounts | Mapping[str, StructureCounts]) -> Self:
        """Learn from counts, of one site or of several by name; a former fit is forgotten.

        Raises:
            InputError: no counts.
            ConfigError: "style" mode, or counts that were made with other `leaves` or `classes`.
        """
        self._check()
        given = counts if isinstance(counts, Mapping) else {"": counts}
        if self.mode != "ordinal":
            raise ConfigError("counts that add up exist in ordinal mode only; use fit")
        cut = cut_name(self.leaves, self.classes)
        for part in given.values():
            if part.cut != cut:
                raise ConfigError(f"counts made with {part.cut} do not fit a method with {cut}")
        return self._accept(dict(given), {})

    def transform(self, pages: Iterable[Page | Blocks], *, sites: Sequence[str] | None = None) -> csr_matrix:
        """Return the vectors of pages, shape (pages, words): the sum of each word's weights in the page.

        Raises:
            NotFittedError: before `fit`.
            InputError: a page of a site that has no tree.
            DehuskError: SciPy is not installed.
            ValueError: the sites are not as many as the pages.
        """
        self._fitted()
        return matrix((self.weigh(page, site=site) for site, page in _given_sites(pages, sites)), self.vocabulary_)

    def fit_transform(
        self, pages: Iterable[Page | Blocks], y: object = None, *, sites: Sequence[str] | None = None
    ) -> csr_matrix:
        """Learn from pages and return their vectors; see `fit` and `transform`."""
        held = list(pages)
        return self.fit(held, y, sites=sites).transform(held, sites=sites)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        """Return the words that the columns of vectors stand for, in alphabetical order."""
        self._fitted()
        return self.vocabulary_.names

    def weigh(self, page: Page | Blocks, *, site: str | None = None) -> WordWeights:
        """Return the weight of every word of a page.

        What no page of the site had is as in one page only: its weight is 1.

        Raises:
            NotFittedError: before `fit`.
            InputError: the site has no tree.
        """
        chosen = self._site(page, site)
        nodes = self.tag_nodes(page)
        keys = nodes.ordinal_keys if self.mode == "ordinal" else element_keys(nodes, self.aliases_[chosen])
        return WordWeights(self.trees_[chosen], nodes, keys)

    def label(self, blocks: Blocks, *, explain: bool = False, site: str | None = None) -> Labels:
        """Keep the blocks of a page whose score reaches the threshold; all of them are called paragraphs.

        The score, which is given as the probability, is the mean importance (NodeImp) of the leaves that the block's
        words stand in: where a page's place is filled alike on all pages it is near 0, where differently near 1.

        Raises:
            NotFittedError: before `fit`.
            InputError: the site has no tree.
        """
        weights = self.weigh(blocks, site=site)
        score = np.clip(weights.importance_of_blocks(), 0.0, 1.0)
        kept = (score >= self.threshold) & (np.bincount(weights.nodes.terms.block, minlength=len(blocks)) > 0)
        return Labels(
            blocks=blocks,
            label=np.where(kept, PARAGRAPH, OTHER).astype(np.uint8),
            probability=score,
            kept=kept,
            reasons=_reasons(weights) if explain else (),
        )

    def tree(self, site: str | None = None) -> StructureTree:
        """Return a site's tree; without a name the only one.

        Raises:
            NotFittedError: before `fit`.
            InputError: the site has no tree, or there are several.
        """
        self._fitted()
        if site is None and len(self.trees_) == 1:
            return next(iter(self.trees_.values()))
        if site not in self.trees_:
            raise InputError(f"no tree for site {site!r}; there are: {_listed(self.trees_)}")
        return self.trees_[site]

    def tag_nodes(self, page: Page | Blocks) -> TagNodes:
        """Return the tag nodes of a page, cut as the options say."""
        return tag_nodes(page_terms(page), leaves=self.leaves, classes=self.classes)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags, TransformerTags  # noqa: PLC0415 (asked by scikit-learn alone)

        return Tags(
            estimator_type="transformer",
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            requires_fit=True,
        )

    def _check(self) -> None:
        whole = isinstance(self.leaves, int) and not isinstance(self.leaves, bool) and self.leaves >= 0
        rules = {
            f"mode is one of {', '.join(get_args(Mode))}": self.mode in get_args(Mode),
            'leaves is a height from 0 on or "grandparent"': whole or self.leaves == "grandparent",
            "gamma is between 0 and 1": 0 <= self.gamma <= 1,
            "lambda_ is above 0 and at most 1": 0 < self.lambda_ <= 1,
            "threshold is between 0 and 1": 0 <= self.threshold <= 1,
        }
        for rule, holds in rules.items():
            if not holds:
                raise ConfigError(f"invalid option: not true that {rule}")

    def _fitted(self) -> None:
        if not hasattr(self, "trees_"):
            raise NotFittedError("the structure tree was not learned: use fit or fit_counts first")

    def _accept(self, counts: dict[str, StructureCounts], aliases: dict[str, Aliases]) -> Self:
        if not counts:
            raise InputError("no pages to learn a structure tree from")
        words: dict[int, str] = {}
        for part in counts.values():
            words |= part.vocabulary
        self.vocabulary_ = Vocabulary(words)
        self.aliases_ = aliases
        self.trees_ = {site: grow_tree(part) for site, part in counts.items()}
        return self

    def _site(self, page: Page | Blocks, site: str | None) -> str:
        """Return which tree serves a page."""
        self._fitted()
        if site is None:
            site = next(iter(self.trees_)) if len(self.trees_) == 1 else _site_of(page)
        if site not in self.trees_:
            raise InputError(f"no tree for site {site!r}; there are: {_listed(self.trees_)}")
        return site


def _site_of(page: Page | Blocks) -> str:
    return site_of(page if isinstance(page, Page) else page.page)


def _given_sites(
    pages: Iterable[Page | Blocks], sites: Sequence[str] | None
) -> Iterator[tuple[str | None, Page | Blocks]]:
    """Return pages with the sites that were given for them; raises ValueError where they are not as many."""
    number = 0
    for number, page in enumerate(pages, 1):
        if sites is not None and number > len(sites):
            raise ValueError(f"{len(sites)} sites for more pages")
        yield None if sites is None else sites[number - 1], page
    if sites is not None and number < len(sites):
        raise ValueError(f"{len(sites)} sites for {number} pages")


def _reasons(weights: WordWeights) -> list[str]:
    """Return for each block what its score is made of, with the element that its first word stands in."""
    words, tree = weights.nodes.terms, weights.tree
    importance, weight = weights.importance_of_blocks().tolist(), weights.of_blocks().tolist()
    reasons = ["no words"] * len(words.blocks)
    blocks, first = np.unique(words.block, return_index=True)
    elements = weights.element[weights.nodes.holder[first]]
    for block, element in zip(blocks.tolist(), elements.tolist(), strict=True):
        seen = (
            f"is of {tree.m[element]} tag nodes on {tree.pages} pages" if element >= 0 else "is on no page learnt from"
        )
        reasons[block] = f"importance {importance[block]:.2f}, weight {weight[block]:.2f}; its element {seen}"
    return reasons


def _listed(sites: Iterable[str]) -> str:
    names = sorted(sites)
    return ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
