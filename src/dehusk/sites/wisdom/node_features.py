"""Features of the nodes of a page: lengths, CII, anchors and their API (sections 3.1.1, 3.1.2 and 3.2.1)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.counts.entropy import Reals, TermEntropy
from dehusk.counts.terms import Terms
from dehusk.read.page import Bools, Ints, Page
from dehusk.sites.wisdom.coverage_tree import Children, aggregate
from dehusk.sites.wisdom.link_estimates import MatchRates
from dehusk.sites.wisdom.link_targets import Anchors, LinkTargets

MEANINGFUL = 5
"""A link text is meaningful if it has more characters than this (section 4.4)."""


@dataclass(frozen=True, eq=False)
class NodeFeatures:
    """Features of the n nodes of a page; lengths are in characters, white space folded."""

    terms: Terms
    """The terms of the page."""
    entropy: TermEntropy
    """The entropies of the site's terms."""
    links: LinkTargets
    """The pages of the site, as link targets."""
    rates: MatchRates
    """How much of what links say is found on the pages they lead to."""

    @property
    def page(self) -> Page:
        """The page."""
        return self.terms.blocks.page

    @cached_property
    def children(self) -> Children:
        """The element children of each node."""
        return Children(self.page)

    @cached_property
    def char_before(self) -> Ints:
        """(n + 1,) characters of the blocks' text before each node."""
        starts = np.append(self.page.text_start, len(self.page.text))
        return np.searchsorted(self.terms.blocks.source, starts).astype(np.int32)

    @cached_property
    def tlen(self) -> Reals:
        """(n,) TLEN_A: characters of the innerText."""
        return self._subtree_sums(np.arange(len(self.terms.blocks.text) + 1))

    @cached_property
    def alen(self) -> Reals:
        """(n,) ALEN_A: characters of the innerText that are in links."""
        return self._subtree_sums(np.append(0, np.cumsum(self.terms.blocks.linked)))

    @cached_property
    def clen(self) -> Reals:
        """(n,) CLEN_A: characters of the innerText that are not in links."""
        return self.tlen - self.alen

    @cached_property
    def weight(self) -> Reals:
        """(w,) W of each term of the page."""
        return self.entropy.weight(self.terms.key)

    @cached_property
    def cii(self) -> Reals:
        """(n,) CII: mean W of the terms in each innerText; NaN for nodes without terms."""
        before = np.append(0.0, np.cumsum(self.weight))
        count = self.terms.before.take(self.page.end) - self.terms.before[:-1]
        sums = before.take(self.terms.before.take(self.page.end)) - before.take(self.terms.before[:-1])
        return np.where(count > 0, sums / np.maximum(count, 1), np.nan)

    def _subtree_sums(self, before: npt.NDArray[np.integer]) -> Reals:
        """Return sums over the characters of each subtree, shape (n,), given the sum before each character."""
        before_node = before.take(self.char_before)
        return (before_node.take(self.page.end) - before_node[:-1]).astype(np.float64)

    @cached_property
    def anchors(self) -> Anchors:
        """The links of the page."""
        return Anchors.of(self.page)

    @cached_property
    def api(self) -> Reals:
        """(a,) API of each link of the page."""
        return self.links.api(self.anchors, self.terms, self.entropy)

    @cached_property
    def estimated_api(self) -> Reals:
        """(a,) API of each link of the page, estimated if its page was not learned (`link_estimates`)."""
        return self.rates.estimates(self.anchors, self.terms, self.entropy, self.links)

    @cached_property
    def links_in(self) -> Reals:
        """(n,) number of links in each subtree."""
        return aggregate(self.page, np.bincount(self.anchors.node, minlength=len(self.page)))

    @cached_property
    def has_link(self) -> Bools:
        """(n,) whether each node contains a link or is in one."""
        is_link = np.zeros(len(self.page), dtype=np.bool_)
        is_link[self.anchors.node] = True
        mask: Bools = (self.links_in > 0) | (self.page.nearest(is_link) >= 0)
        return mask

    @property
    def zero_api(self) -> float:
        """Share of the links with a meaningful text (`MEANINGFUL`) whose API is 0; 1 if there are no such links."""
        meaningful = self._meaningful
        return float((self.api[meaningful] == 0).mean()) if meaningful.any() else 1.0

    @property
    def zero_estimates(self) -> float:
        """The same of the estimates of API, for the links to the page's own site, those of the frame left aside."""
        meaningful = self._meaningful & self.anchors.in_site & ~self.rates.in_frame(self.anchors, self.links)
        return float((self.estimated_api[meaningful] == 0).mean()) if meaningful.any() else 1.0

    @property
    def _meaningful(self) -> Bools:
        mask: Bools = self.alen.take(self.anchors.node) > MEANINGFUL
        return mask

    @property
    def loaded(self) -> float:
        """Share of the links to other pages of the same host whose page was learned; 0 if there are no such links."""
        inside = self.anchors.in_site
        return float(self.links.loaded(self.anchors)[inside].mean()) if inside.any() else 0.0
