"""Features of the nodes of a page (sections 3.1.1, 3.1.2 and 3.2.1): lengths, CII, anchors and their API."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property
from dehusk.methods.wisdom.coverage_tree import Children, aggregate
from dehusk.methods.wisdom.link_targets import Anchors, LinkTargets
from dehusk.page import Ints, Page
from dehusk.site.entropy import Reals, TermEntropy
from dehusk.site.terms import Terms

MEANINGFUL = 5
"""Characters that the text of a link must have more of to say what it leads to."""


@dataclass(frozen=True, eq=False)
class NodeFeatures:
    """Features of the n nodes of one page; lengths are in characters, white space folded."""

    terms: Terms
    """The terms of the page."""
    entropy: TermEntropy
    """The terms of the site."""
    links: LinkTargets
    """The pages of the site, as targets of links."""

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
        """(n + 1,) characters of the blocks' text that come before each node."""
        starts = np.append(self.page.text_start, len(self.page.text))
        return np.searchsorted(self.terms.blocks.source, starts).astype(np.int32)

    @cached_property
    def tlen(self) -> Reals:
        """(n,) TLEN_A: characters of the innerText."""
        return self._span(np.arange(len(self.terms.blocks.text) + 1))

    @cached_property
    def alen(self) -> Reals:
        """(n,) ALEN_A: characters of the innerText that stand in links."""
        return self._span(np.append(0, np.cumsum(self.terms.blocks.linked)))

    @cached_property
    def clen(self) -> Reals:
        """(n,) CLEN_A: the other characters of the innerText."""
        return self.tlen - self.alen

    @cached_property
    def weight(self) -> Reals:
        """(w,) W of each term of the page."""
        return self.entropy.weight(self.terms.key)

    @cached_property
    def cii(self) -> Reals:
        """(n,) CII: mean W of the terms in each innerText; NaN for a node without terms."""
        before = np.append(0.0, np.cumsum(self.weight))
        count = self.terms.before.take(self.page.end) - self.terms.before[:-1]
        sums = before.take(self.terms.before.take(self.page.end)) - before.take(self.terms.before[:-1])
        return np.where(count > 0, sums / np.maximum(count, 1), np.nan)

    def _span(self, before: npt.NDArray[np.integer]) -> Reals:
        """Return sums over the text of each subtree, shape (n,), given the sum before each character."""
        at = before.take(self.char_before)
        return (at.take(self.page.end) - at[:-1]).astype(np.float64)

    @cached_property
    def anchors(self) -> Anchors:
        """The links of the page."""
        return self.links.anchors(self.page)

    @cached_property
    def api(self) -> Reals:
        """(a,) API of each link of the page."""
        return self.links.api(self.anchors, self.terms, self.entropy)

    @cached_property
    def links_in(self) -> Reals:
        """(n,) links in each subtree."""
        return aggregate(self.page, np.bincount(self.anchors.node, minlength=len(self.page)))

    @property
    def zero_api(self) -> float:
        """Share of the links with a text of more than `MEANINGFUL` characters whose API is 0; 1 without such links."""
        meaningful = self.alen.take(self.anchors.node) > MEANINGFUL
        return float((self.api[meaningful] == 0).mean()) if meaningful.any() else 1.0

    @property
    def loaded(self) -> float:
        """Share of the links to other pages of the same host whose page was counted; 0 without such links."""
        inside = self.anchors.in_site
        return float(self.anchors.loaded[inside].mean()) if inside.any() else 0.0
