"""API of links whose pages were not learned, estimated; not in the paper.

In a crawl that is not complete, most links lead to pages that are not there, and their API is 0 whatever they say. What
it would be is estimated from what is there:

    API'(N) = r(place) Σ_j 1 / EN'(term_j)       over the distinct terms of the anchor N

r(place) is the share of the sum that was found on the linked page, over the links at the same place whose pages were
learned. The place of a link is the path of tags from the root to it, and its own first class: in a list of threads,
titles, authors and page numbers have different places. EN' is EN, but at least .15: a rare term counts no more than
seven common ones, however many pages the site has. A link to another host, or without an address
that can be fetched, leads to no page of the site: its API' is 0. So is that of a link of the frame, if its page was not
learned: on at least half of the pages, the same place leads to the same target.

A list mixes links that lead to its subject with others. So only the links at strong places count: those where the mean
of API' is at least a share of that at the dominant place, which has the largest sum of API' √characters of the links on
the page. The others count as 0, so condensing removes them from the blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dehusk.base.hashing import Keys, pair_keys
from dehusk.counts.display import tag_keys
from dehusk.counts.entropy import Reals, TermEntropy
from dehusk.counts.slots import first_class_key, path_sums
from dehusk.counts.table import Table
from dehusk.counts.terms import Terms
from dehusk.read.page import Bools
from dehusk.sites.wisdom.link_targets import Anchors, LinkTargets, in_steps

_LEAST_EN = 0.15
_FRAME = 0.5  # share of the pages on which a link of the frame is, at least; by hand: no thread is linked on as many
_PRIOR = 10.0  # the weight of the rate of all places, as a sum of 1 / EN', so that a single link decides nothing


def anchored_terms(words: Terms) -> tuple[Keys, Keys, Keys]:
    """Return the place, target and term of each distinct term in the links of a page to its own site, (p,) each."""
    anchors = Anchors.of(words.blocks.page)
    row, key = anchors.terms(words, anchors.in_site)
    return places(anchors).take(row), anchors.target.take(row), key


def places(anchors: Anchors) -> Keys:
    """Return the key of the place of each link, shape (a,)."""
    page = anchors.page
    elements = np.flatnonzero(~page.is_text)
    local = pair_keys(tag_keys(page, elements), page.depth.take(elements).astype(np.uint64))
    classes = np.array([first_class_key(names) for names in page.class_names], dtype=np.uint64)
    own = classes.take(page.class_code.take(anchors.node)) if len(classes) else np.zeros(len(anchors.node), np.uint64)
    return pair_keys(path_sums(page, elements, local).take(anchors.node), own)


@dataclass(frozen=True, eq=False)
class MatchRates:
    """How much of what links say is found on the pages they lead to, at c places."""

    place: Keys
    """(c,) the places of links to learned pages, ascending."""
    rate: Reals
    """(c,) r of each place, 0 to 1."""
    other: float
    """r of all other places."""
    frame: Keys = field(default_factory=lambda: np.zeros(0, np.uint64))
    """Keys of the pairs (place, target) of the links of the site's frame, ascending."""

    @classmethod
    def of(cls, anchored: Table, links: LinkTargets, entropy: TermEntropy, pages: int) -> MatchRates:
        """Compute the rates, given the counts of (place, target, term) of a site's pages; each row counts once."""
        often = anchored.keys[anchored.counts >= max(_FRAME * pages, 2)]
        frame = np.unique(pair_keys(often[:, 0], often[:, 1]))
        place, target, term = (column[links.knows(anchored.keys[:, 1])] for column in anchored.keys.T)
        value = _information(term, entropy)
        found = value * links.has_terms(target, term)
        overall = float(found.sum() / value.sum()) if len(value) else 1.0
        distinct, row = np.unique(place, return_inverse=True)
        offered, matched = np.bincount(row, value, len(distinct)), np.bincount(row, found, len(distinct))
        return cls(distinct, (matched + _PRIOR * overall) / (offered + _PRIOR), overall, frame)

    def in_frame(self, anchors: Anchors, links: LinkTargets) -> Bools:
        """Return which links are of the frame and lead to pages that were not learned, shape (a,)."""
        pair, known = pair_keys(places(anchors), anchors.target), links.knows(anchors.target)
        row = np.minimum(np.searchsorted(self.frame, pair), max(len(self.frame) - 1, 0))
        is_there = self.frame.take(row) == pair if len(self.frame) else np.zeros(len(pair), np.bool_)
        mask: Bools = is_there & ~known
        return mask

    def at(self, place: Keys) -> Reals:
        """Return r of each of some places, shape (a,)."""
        if not len(self.place):
            return np.full(len(place), self.other)
        row = np.minimum(np.searchsorted(self.place, place), len(self.place) - 1)
        return np.where(self.place.take(row) == place, self.rate.take(row), self.other)

    def estimates(self, anchors: Anchors, words: Terms, entropy: TermEntropy, links: LinkTargets) -> Reals:
        """Return API' of each anchor, shape (a,); for links to learned pages, the terms that these have count."""
        row, key = anchors.terms(words, anchors.in_site)
        target = anchors.target.take(row)
        rate = (self.at(places(anchors)) * ~self.in_frame(anchors, links)).take(row)
        share = np.where(links.knows(target), links.has_terms(target, key), rate)
        return in_steps(np.bincount(row, share * _information(key, entropy), len(anchors.node)))


def at_strong_places(anchors: Anchors, api: Reals, chars: Reals, share: float) -> Bools:
    """Return which links to the page's own site are at strong places, shape (a,).

    The dominant place has the largest sum of API' √characters: links to members whose pages were not learned have
    estimates as large as titles, but shorter texts. With characters for their root, abstracts win over titles.

    Args:
        anchors: the links of a page.
        api: (a,) API' of each link.
        chars: (a,) characters of the text of each link.
        share: least mean of API' at a strong place, as a share of that at the dominant place.
    """
    rows = np.flatnonzero(anchors.in_site)
    mask = np.zeros(len(api), dtype=np.bool_)
    if len(rows):
        _, place, size = np.unique(places(anchors).take(rows), return_inverse=True, return_counts=True)
        mean = np.bincount(place, api.take(rows)) / size
        dominant = int(np.bincount(place, (api * np.sqrt(chars)).take(rows)).argmax())
        mask[rows] = (mean >= share * mean[dominant]).take(place)
    return mask


def _information(terms: Keys, entropy: TermEntropy) -> Reals:
    """Return 1 / EN' of each term, shape (p,)."""
    return 1 / np.maximum(entropy.entropy(terms), _LEAST_EN)
