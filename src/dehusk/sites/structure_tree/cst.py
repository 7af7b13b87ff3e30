"""The compressed structure tree as a method: learn from sites, weigh words, score blocks, make vectors of pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import (
    ConfigError,
    InputError,
    ModelError,
    NotFittedError,
    is_integer,
    is_number,
    require_type,
    unknown,
)
from dehusk.base.hashing import Keys
from dehusk.base.store import reading
from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER, PARAGRAPH, Labels
from dehusk.counts.grouping import site_of
from dehusk.counts.sources import PageSource, page_of, read_page, read_pages
from dehusk.counts.structure_counts import StructureCounter, StructureCounts
from dehusk.counts.tag_tree import Content, Leaves, TagNodes, TreeCut, tag_nodes
from dehusk.counts.terms import page_terms
from dehusk.label.parameters import BlockMethod, check_blocks, check_options, page_count
from dehusk.read.page import Page
from dehusk.sites.structure_tree.construction import Aliases, element_keys, merge_pages
from dehusk.sites.structure_tree.importance import StructureTree, grow_tree
from dehusk.sites.structure_tree.model_folder import PROBE, StoredTrees, load_trees, probe_hash, save_trees
from dehusk.sites.structure_tree.vectors import PageVectors, VectorCollector, Vocabulary, to_scipy
from dehusk.sites.structure_tree.weights import LeafWords, WordWeights

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# ---------------------------------------------------------------- learning
# Learn the trees of sites from the tag nodes of their pages, one page after the other.


class SiteLearner:
    """Counts the elements of the pages of one or more sites.

    Args:
        merging: gamma and lambda of mode "style", in which the pages of a site are kept until all are known; None for
            mode "ordinal", in which each page is counted at once.
        keep_words: whether to keep the words of each page for its vector.

    Attributes:
        aliases: in mode "style", site -> the merges of its groups; complete after `counts`.
    """

    def __init__(self, *, merging: tuple[float, float] | None, keep_words: bool = False) -> None:
        self.aliases: dict[str, Aliases] = {}
        self._merging, self._keep_words = merging, keep_words
        self._counters: dict[str, StructureCounter] = {}
        self._waiting: dict[str, list[tuple[int, TagNodes]]] = {}
        self._words: dict[int, LeafWords] = {}
        self._seen = 0

    def add(self, nodes: TagNodes, site: str) -> None:
        """Add a page."""
        if self._merging is None:
            self._count(self._seen, nodes, nodes.ordinal_keys, site)
        else:
            self._waiting.setdefault(site, []).append((self._seen, nodes))
        self._seen += 1

    def counts(self) -> dict[str, StructureCounts]:
        """Return site -> the counts of all its pages; in mode "style", this merges their elements."""
        for site, waiting in self._waiting.items():
            assert self._merging is not None  # noqa: S101 (otherwise no page waits)
            keys, self.aliases[site] = merge_pages([nodes for _, nodes in waiting], *self._merging)
            for (number, nodes), page_keys in zip(waiting, keys, strict=True):
                self._count(number, nodes, page_keys, site)
        self._waiting = {}
        return {site: counter.counts() for site, counter in self._counters.items()}

    @property
    def words(self) -> Iterator[LeafWords]:
        """The words of the counted pages, in the order in which these were added; empty unless they are kept."""
        return (self._words[number] for number in sorted(self._words))

    def _count(self, number: int, nodes: TagNodes, keys: Keys, site: str) -> None:
        self._counters.setdefault(site, StructureCounter()).add(nodes, keys)
        if self._keep_words:
            self._words[number] = LeafWords.of(nodes, keys, site)


def with_sites(
    pages: Iterable[PageSource], sites: Sequence[str] | str | None
) -> Iterator[tuple[Page | Blocks, str | None]]:
    """Return an iterator over pages and the sites given for them, None if none are given.

    Args:
        pages: pages.
        sites: the site of each page; the list may grow while the pages are read. Or one name for all pages.

    Raises:
        ValueError: the numbers of sites and pages differ.
    """
    if sites is None or isinstance(sites, str):
        yield from ((page, sites) for page in read_pages(pages))
        return
    count = 0
    for page in read_pages(pages):
        if count == len(sites):
            raise ValueError(f"{len(sites)} sites for more than {len(sites)} pages")
        yield page, sites[count]
        count += 1
    if count < len(sites):
        raise ValueError(f"{len(sites)} sites for {count} pages")


# ---------------------------------------------------------------- cst

Mode = Literal["ordinal", "style"]


@dataclass(repr=False, eq=False, kw_only=True)
class CompressedStructureTree(BlockMethod):
    """Weighs words, scores blocks and makes vectors of pages, by the structure that the pages of a site share.

    A page can be HTML, the path of a file, a `Page` or `Blocks`. Each site has a tree. The site of a page is the one
    given in `sites`, or the host of its own address (`dehusk.counts.grouping.site_of`), or "". A single tree serves
    every page without a given site.

    Args:
        mode: "style" builds the tree as the paper does, from all pages at once; "ordinal" finds the elements of each
            page without the others (`dehusk.counts.tag_tree`), so pages can be counted one by one and counts add up.
        leaves: the height of virtual leaves, or "grandparent" for the paper's; see `dehusk.counts.tag_tree.TreeCut`.
        gamma: in mode "style", a word is characteristic of a group if at least this share of its tag nodes has it.
        lambda_: in mode "style", groups are merged if the similarity of their characteristic words is at least this.
        classes: whether the class attribute is a display attribute; not in the paper, whose pages had no classes.
        sheets: whether the rules of a page's own style sheets are display attributes, as in the paper.
        content: what leaves contain: "words", or "all" for images and links as well, as in the paper.
        threshold: a block is kept if its score, the mean importance of the leaves of its words, is at least this.

    Attributes:
        trees_: site -> its `StructureTree`.
        counts_: site -> the counts that its tree was built from.
        aliases_: in mode "style", site -> the merges of its groups.
        vocabulary_: the words of all sites, the columns of vectors.
        elements_: the options that decide which tag nodes are one element, as text.
    """

    mode: Mode = "ordinal"
    leaves: Leaves = 1
    gamma: float = 0.85
    lambda_: float = 0.85
    classes: bool = True
    sheets: bool = False
    content: Content = "words"
    threshold: float = 0.8

    def fit(
        self,
        pages: Iterable[PageSource],
        y: object = None,  # noqa: ARG002 (scikit-learn's signature)
        *,
        sites: Sequence[str] | str | None = None,
    ) -> Self:
        """Learn the trees of one or more sites; replaces an earlier fit.

        Args:
            pages: one or more pages. In the tree of a single page all weights are 1. In mode "ordinal", each page is
                read once and not kept.
            y: ignored.
            sites: the site of each page, or one name for all pages.

        Raises:
            InputError: there are no pages, or a file cannot be read.
            ConfigError: an option has an invalid value.
            TypeError: `pages` is a single page, or an item is not a page.
            ValueError: the numbers of sites and pages differ.
        """
        self._learn(pages, sites, SiteLearner(merging=self._merging))
        return self

    def fit_vectors(self, pages: Iterable[PageSource], *, sites: Sequence[str] | str | None = None) -> PageVectors:
        """Learn from pages as `fit` does, and return their vectors; each page is read once.

        In mode "ordinal" a page is not kept; 24 bytes are for each distinct word of each leaf.
        """
        learner = SiteLearner(merging=self._merging, keep_words=True)
        self._learn(pages, sites, learner)
        collector = VectorCollector()
        for words in learner.words:
            collector.add(words, self.trees_[words.site])
        return collector.vectors(self.vocabulary_)

    def page_vectors(self, pages: Iterable[PageSource], *, sites: Sequence[str] | str | None = None) -> PageVectors:
        """Return the vectors of pages; their columns are all words of these pages, learned or not.

        It raises what `transform` does, which needs SciPy in addition.
        """
        collector, words = VectorCollector(), dict[int, str]()
        for page, site in with_sites(pages, sites):
            weights, name = self._weigh(page, site)
            collector.add(LeafWords.of(weights.nodes, weights.keys, name), weights.tree)
            words.update(weights.nodes.vocabulary)
        return collector.vectors(Vocabulary(words))

    def count(self, pages: Iterable[PageSource]) -> StructureCounts:
        """Return the counts of pages of a site, in mode "ordinal"; counts of several parts of a site add up.

        Raises:
            InputError: there are no pages, or a file cannot be read.
            ConfigError: the mode is "style", in which elements depend on all pages, or an option has an invalid value.
            TypeError: `pages` is a single page, or an item is not a page.
        """
        self._check()
        self._require_ordinal()
        counter = StructureCounter()
        for page in read_pages(pages):
            nodes = self.tag_nodes(page)
            counter.add(nodes, nodes.ordinal_keys)
        if not counter.pages:
            raise InputError("no pages to learn from")
        return counter.counts()

    def fit_counts(self, counts: StructureCounts | Mapping[str, StructureCounts]) -> Self:
        """Learn from the counts of a site, or of several sites by name; replaces an earlier fit.

        Raises:
            InputError: there are no counts.
            ConfigError: the mode is "style", an option has an invalid value, or the counts were made with other values
                of `leaves` or `classes`.
            TypeError: the counts are not `StructureCounts`.
        """
        self._check()
        self._require_ordinal()
        counts_of_site = counts if isinstance(counts, Mapping) else {"": counts}
        cut = self._cut.name
        for part in counts_of_site.values():
            require_type(part, StructureCounts, "CompressedStructureTree.fit_counts() takes StructureCounts")
            if part.cut != cut:
                raise ConfigError(f"the method has {cut}, but the counts were made with {part.cut}")
        return self._accept(dict(counts_of_site), {})

    def transform(self, pages: Iterable[PageSource], *, sites: Sequence[str] | str | None = None) -> csr_matrix:
        """Return the vectors of pages, shape (pages, words): the sum of the weights of each word in the page.

        Words that no learned page has are not columns and are left out.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other elements than at `fit`.
            InputError: the site of a page has no tree, or a file cannot be read.
            MissingExtraError: SciPy is not installed.
            TypeError: `pages` is a single page, or an item is not a page.
            ValueError: the numbers of sites and pages differ.
        """
        self._require_fitted()
        collector = VectorCollector()
        for page, site in with_sites(pages, sites):
            weights, name = self._weigh(page, site)
            collector.add(LeafWords.of(weights.nodes, weights.keys, name), weights.tree)
        return to_scipy(collector.vectors(self.vocabulary_).weights)

    def fit_transform(
        self,
        pages: Iterable[PageSource],
        y: object = None,  # noqa: ARG002 (scikit-learn's signature)
        *,
        sites: Sequence[str] | str | None = None,
    ) -> csr_matrix:
        """Learn from pages and return their vectors; see `fit` and `transform`."""
        return to_scipy(self.fit_vectors(pages, sites=sites).weights)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        """Return the words of the columns of vectors, in alphabetical order."""
        self._require_fitted()
        return self.vocabulary_.names

    def weigh(self, page: PageSource, *, site: str | None = None) -> WordWeights:
        """Return the weight of every word of a page; words and elements that no learned page has weigh 1.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other elements than at `fit`.
            InputError: the site has no tree, or the file cannot be read.
            TypeError: it is not a page.
        """
        return self._weigh(page, site)[0]

    def _weigh(self, page: PageSource, site: str | None) -> tuple[WordWeights, str]:
        """Return the weight of every word of a page, and the site whose tree was used."""
        self.check_fitted()
        parsed = read_page(page)
        if site is None:
            site = next(iter(self.trees_)) if len(self.trees_) == 1 else site_of(page_of(parsed))
        tree, nodes = self.tree(site), self.tag_nodes(parsed)
        keys = nodes.ordinal_keys if self.mode == "ordinal" else element_keys(nodes, self.aliases_[site])
        return WordWeights(tree, nodes, keys), site

    def _learn(self, pages: Iterable[PageSource], sites: Sequence[str] | str | None, learner: SiteLearner) -> None:
        self._check()
        for page, given_site in with_sites(pages, sites):
            learner.add(self.tag_nodes(page), site_of(page_of(page)) if given_site is None else given_site)
        self._accept(learner.counts(), learner.aliases)

    @property
    def _merging(self) -> tuple[float, float] | None:
        return (self.gamma, self.lambda_) if self.mode == "style" else None

    def label(self, blocks: Blocks, *, explain: bool = False, site: str | None = None) -> Labels:
        """Keep the blocks of a page whose score reaches the threshold, labelled as paragraphs.

        The score, which is returned as the probability, is the mean importance (NodeImp) of the leaves of the block's
        words: near 0 where all pages of the site say the same, near 1 where they differ.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other elements than at `fit`.
            InputError: the site has no tree.
            TypeError: the argument is not `Blocks`.
        """
        check_blocks(blocks, self)
        weights = self.weigh(blocks, site=site)
        score = np.clip(weights.importance_of_blocks(), 0.0, 1.0)
        kept = (score >= self.threshold) & (np.bincount(weights.nodes.terms.block, minlength=len(blocks)) > 0)
        return Labels(
            blocks=blocks,
            label=np.where(kept, PARAGRAPH, OTHER).astype(np.uint8),
            probability=score,
            kept=kept,
            reasons=weights.reasons() if explain else (),
        )

    def save(self, folder: str | Path) -> None:
        """Write a model folder with the trees of all sites; equal models give equal bytes.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other elements than at `fit`.
            ModelError: the folder cannot be written.
        """
        self.check_fitted()
        probe = probe_hash(self.tag_nodes(PROBE))
        save_trees(folder, StoredTrees(self.get_params(), probe, self.counts_, self.aliases_))

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder; the method has the options that were saved.

        Raises:
            ModelError: the folder is missing, damaged, of another version or of another method.
        """
        stored = load_trees(folder)
        with reading(folder):
            method = cls(**stored.options)
            method._check()
        if probe_hash(method.tag_nodes(PROBE)) != stored.probe:
            raise ModelError(f"model {folder} is of a version of dehusk that reads pages differently: learn it again")
        return method._accept(dict(stored.counts), dict(stored.aliases))

    def tree(self, site: str | None = None) -> StructureTree:
        """Return the tree of a site; None stands for the only site.

        Raises:
            NotFittedError: before `fit`.
            InputError: the site has no tree, or it is None and there are several trees.
        """
        self._require_fitted()
        if site is None and len(self.trees_) == 1:
            return next(iter(self.trees_.values()))
        if site is None:
            raise InputError(f"the method has the trees of several sites: name one of {_quoted(self.trees_)}")
        if site not in self.trees_:
            raise InputError(f"no tree for site {site!r}; known sites: {_quoted(self.trees_)}")
        return self.trees_[site]

    def tag_nodes(self, page: PageSource) -> TagNodes:
        """Return the tag nodes of a page, cut off at the virtual leaves of this method.

        Raises:
            InputError: the file cannot be read.
            TypeError: it is not a page.
        """
        return tag_nodes(page_terms(read_page(page)), self._cut)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")

    def _state(self) -> str:
        if not self.__sklearn_is_fitted__():
            return "not fitted"
        sites = f"{len(self.trees_)} site{'' if len(self.trees_) == 1 else 's'}"
        return f"fitted to {page_count(sum(tree.pages for tree in self.trees_.values()))} of {sites}"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags, TransformerTags  # noqa: PLC0415 (only scikit-learn calls this)

        return Tags(
            estimator_type="transformer",
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            requires_fit=True,
        )

    def _check(self) -> None:
        if self.mode not in get_args(Mode):
            raise ConfigError(unknown("mode", self.mode, get_args(Mode)))
        share = "a number from 0 to 1"
        is_height = is_integer(self.leaves, 0)
        rules = {
            "leaves": (is_height or self.leaves == "grandparent", 'a non-negative integer or "grandparent"'),
            "content": (self.content in get_args(Content), '"words" or "all"'),
            "gamma": (is_number(self.gamma, 0, 1), share),
            "lambda_": (is_number(self.lambda_, 0, 1) and self.lambda_ > 0, "a number above 0 and up to 1"),
            "threshold": (is_number(self.threshold, 0, 1), share),
        }
        check_options(self, rules)

    @property
    def _elements(self) -> str:
        merging = f", gamma={self.gamma}, lambda_={self.lambda_}" if self.mode == "style" else ""
        return f"mode={self.mode}, {self._cut.name}{merging}"

    @property
    def _cut(self) -> TreeCut:
        return TreeCut(self.leaves, self.classes, self.sheets, self.content)

    def _require_ordinal(self) -> None:
        if self.mode != "ordinal":
            raise ConfigError('counts need mode "ordinal": in mode "style" use fit')

    def check_fitted(self) -> None:
        """Check that pages can be weighed.

        Raises:
            NotFittedError: before `fit`.
            ConfigError: the options select other elements than at `fit`.
        """
        self._require_fitted()
        if self._elements != self.elements_:
            raise ConfigError(f"the method was fitted with {self.elements_}; fit it again for {self._elements}")

    def _require_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("this CompressedStructureTree is not fitted: call fit or fit_counts first")

    def _accept(self, counts: dict[str, StructureCounts], aliases: dict[str, Aliases]) -> Self:
        if not counts:
            raise InputError("no pages to learn from")
        words: dict[int, str] = {}
        for part in counts.values():
            words |= part.vocabulary
        vocabulary = Vocabulary(words)
        trees = {site: grow_tree(part) for site, part in counts.items()}
        self.vocabulary_, self.counts_, self.aliases_, self.elements_ = vocabulary, counts, aliases, self._elements
        self.trees_ = trees  # set last: for other threads, the method is fitted once this attribute exists
        return self


def _quoted(sites: Iterable[str]) -> str:
    names = sorted(sites)
    return ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
