"""Vectors of pages for clustering and classification: the weights of Yi & Liu's tree, and rivals without a tree.

A vector is a sum of weights per word; all ways to weigh use the same words (`dehusk.counts.terms`) of the same blocks,
and differ only in the weight of each occurrence. Weights are learned from pages without their classes, those of one
site from that site alone:

* tf: each occurrence weighs 1;
* tf-idf: ln(N / df) over the pages of all sites (Salton & McGill 1983, which the paper cites); tf × idf of the site:
  the same over the pages of the site;
* tf × (1 − entropy of the word over the pages of the site), the tree's formula 3 without a tree;
* repeated blocks dropped: 0 in blocks whose words are on another page of the site as well, else 1;
* a cleaner's text: 1 in what it keeps, else 0;
* the tree: W of formula 5.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, diags
from sklearn.preprocessing import normalize

from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks, segment
from dehusk.counts.entropy import TermCounts, TermEntropy
from dehusk.counts.model import SiteModel
from dehusk.counts.terms import page_terms
from dehusk.label import load_method
from dehusk.read import parse
from dehusk.sites.structure_tree import CompressedStructureTree

TREES: dict[str, dict[str, Any]] = {
    "tree, ordinal (default)": {},
    "tree, style": {"mode": "style"},
    "tree, style, no classes, leaves of height 2: the paper's intent": {
        "mode": "style",
        "classes": False,
        "leaves": 2,
    },
    "tree, style, no classes, grandparents: the paper's wording": {
        "mode": "style",
        "classes": False,
        "leaves": "grandparent",
    },
}
TF = "tf"
Reals = npt.NDArray[np.float64]
SiteWeights = Callable[[Sequence[Blocks]], list[Reals]]
"""From the pages of one site to the weight of each word of each page."""


def weigh_alike(pages: Sequence[Blocks]) -> list[Reals]:
    """Return 1 for each word."""
    return [np.ones(len(page_terms(page))) for page in pages]


def weigh_by_idf(pages: Sequence[Blocks]) -> list[Reals]:
    """Return ln(N / df) of each word over the given pages."""
    keys = [page_terms(page).key for page in pages]
    distinct, df = np.unique(np.concatenate([np.unique(page) for page in keys]), return_counts=True)
    idf = np.log(len(pages) / df)
    return [idf[np.searchsorted(distinct, page)] for page in keys]


def weigh_by_entropy(pages: Sequence[Blocks]) -> list[Reals]:
    """Return 1 − entropy of each word over the given pages."""
    keys = [page_terms(page).key for page in pages]
    entropies = TermEntropy.of(TermCounts.total([TermCounts.of(page) for page in keys]))
    return [entropies.weight(page) for page in keys]


def drop_repeated_blocks(pages: Sequence[Blocks]) -> list[Reals]:
    """Return 0 for the words of blocks that another page has too, with the same words, else 1."""
    texts = [_block_words(page) for page in pages]
    on_pages = Counter(text for page in texts for text in set(page))
    return [
        np.array([on_pages[text] == 1 for text in page], dtype=float)[page_terms(blocks).block]
        for page, blocks in zip(texts, pages, strict=True)
    ]


def _block_words(blocks: Blocks) -> list[bytes]:
    terms = page_terms(blocks)
    edges = np.searchsorted(terms.block, np.arange(len(blocks) + 1))
    return [terms.key[a:b].tobytes() for a, b in pairwise(edges)]


def keep_by_site(pages: Sequence[Blocks]) -> list[Reals]:
    """Return 1 for the words of blocks that the method "site" keeps, else 0."""
    site = SiteModel(mixed=True, structure=False).fit(pages)
    method = load_method("site", site=site)
    return [method.label(blocks).kept.astype(float)[page_terms(blocks).block] for blocks in pages]


def weigh_by_tree(**options: object) -> SiteWeights:
    """Return a way to weigh words by the tree of their site."""

    def weigh(pages: Sequence[Blocks]) -> list[Reals]:
        tree = CompressedStructureTree(**options).fit(pages, sites=[""] * len(pages))  # type: ignore[arg-type]
        return [tree.weigh(page).weight for page in pages]

    return weigh


BY_SITE: dict[str, SiteWeights] = {
    TF: weigh_alike,
    "tf × idf of the site": weigh_by_idf,
    "tf × (1 − entropy of the word)": weigh_by_entropy,
    "tf, repeated blocks dropped": drop_repeated_blocks,
    "tf of the text that method site keeps": keep_by_site,
    **{name: weigh_by_tree(**options) for name, options in TREES.items()},
}
"""Ways to weigh words that see one site at a time."""


def all_vectors(pages: Sequence[Blocks], sites: Sequence[str]) -> Iterator[tuple[str, csr_matrix]]:
    """Yield each way to weigh words and the vectors of all pages, shape (pages, words); not normalised."""
    keys = [page_terms(page).key for page in pages]
    yield TF, vectors(keys, weigh_alike(pages))
    yield "tf-idf", vectors(keys, weigh_by_idf(pages))
    for name, weigh in BY_SITE.items():
        if name == TF:
            continue
        weights: dict[int, Reals] = {}
        for site in dict.fromkeys(sites):
            members = [i for i, other in enumerate(sites) if other == site]
            weights |= zip(members, weigh([pages[i] for i in members]), strict=True)
        yield name, vectors(keys, [weights[i] for i in range(len(pages))])


def vectors(keys: Sequence[Keys], weights: Sequence[Reals]) -> csr_matrix:
    """Return the vectors of pages, shape (pages, words): the sum of the weights of each word.

    Args:
        keys: for each page the key of each of its words.
        weights: for each page the weight of each of its words, 0 or more.
    """
    distinct, column = np.unique(np.concatenate(keys), return_inverse=True)
    row = np.repeat(np.arange(len(keys)), [len(page) for page in keys])
    matrix = csr_matrix((np.concatenate(weights), (row, column)), shape=(len(keys), len(distinct)))
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def text_words(text: str) -> Keys:
    """Return the keys of the words of a text; a line is a block, as in a page."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    return page_terms(segment(parse(f"<body>{lines}</body>"))).key


def with_idf(matrix: csr_matrix) -> csr_matrix:
    """Multiply weights with ln(N / df), df being the number of pages on which a word has a weight."""
    df = np.bincount(matrix.indices, minlength=matrix.shape[1])
    return csr_matrix(matrix @ diags(np.log(matrix.shape[0] / np.maximum(df, 1))))


def unit(matrix: csr_matrix) -> csr_matrix:
    """Return vectors of length 1; a page without words stays 0."""
    return normalize(matrix)
