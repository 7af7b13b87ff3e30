"""Pages of a site as link targets, and how precisely anchors describe them: API (section 3.1.2).

    API(N) = Σ_j 1 / EN(term_j)        over the distinct terms that the anchor's text and the linked page share

Links are compared by address: without scheme, "www.", fragment and trailing slash, percent escapes decoded. A page has
two addresses, its own URL and its canonical URL.

A term that both pages contain is on at least two pages, so EN > 0, as the paper says. But EN can be arbitrarily near 0
and 1 / EN arbitrarily large, so EN counts as at least .05. Links from a page to itself have no API.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, pair_keys, text_keys
from dehusk.base.tags import numbers
from dehusk.counts.entropy import Reals, TermEntropy
from dehusk.counts.table import Table
from dehusk.counts.terms import Terms
from dehusk.read.page import Bools, Ints, Page
from dehusk.sites.wisdom.coverage_tree import Nodes

LEAST_EN = 0.05
"""The least entropy in the denominator of API."""

_ROOTED = ("/", "http://", "https://")  # starts of links that depend on the host of their page, not on its path
_MAX_CACHED = 400  # characters of a link
_STEPS = 2.0**20
_ANCHOR = numbers("a")


@lru_cache(maxsize=1 << 14)
def _address(url: str, base: str) -> str:
    return address(url, base)


def address(url: str, base: str = "") -> str:
    """Return the address by which a URL is compared; "" if it is not an HTTP or HTTPS URL.

    Args:
        url: absolute, or relative to `base`.
        base: an absolute URL, or "".
    """
    try:
        parts = urlsplit(urljoin(base, url.strip()))
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    query = f"?{parts.query}" if parts.query else ""
    return host + unquote(parts.path.rstrip("/") + query)


def own_addresses(page: Page) -> list[str]:
    """Return the addresses of a page: those of its URL and of its canonical URL; empty without a URL."""
    base = page.url or ""
    addresses = [address(base), address(page.meta.canonical, base) if page.meta.canonical else ""]
    return list(dict.fromkeys(filter(None, addresses)))


def linked_terms(words: Terms) -> tuple[Keys, Keys]:
    """Return the pairs (address, term) of a page: each of its addresses with each of its distinct terms."""
    own = text_keys(own_addresses(words.blocks.page))
    distinct = np.unique(words.key)
    return np.repeat(own, len(distinct)), np.tile(distinct, len(own))


@dataclass(frozen=True, eq=False)
class LinkTargets:
    """The learned pages, as targets of links, with their terms."""

    pages: Keys
    """Keys of the addresses of pages, ascending."""
    pairs: Keys
    """Keys of the pairs (address, term), ascending."""

    @classmethod
    def of(cls, linked: Table) -> LinkTargets:
        """Return the link targets of a site, given its counts of (address, term)."""
        return cls(np.unique(linked.keys[:, 0]), np.sort(pair_keys(linked.keys[:, 0], linked.keys[:, 1])))

    def knows(self, target: Keys) -> Bools:
        """Return for addresses, shape (p,), whether the page was learned."""
        return _contained(target, self.pages)

    def loaded(self, anchors: Anchors) -> Bools:
        """Return which links lead to another page that was learned, shape (a,)."""
        return self.knows(anchors.target) & anchors.to_others

    def api(self, anchors: Anchors, words: Terms, entropy: TermEntropy) -> Reals:
        """Return API of each anchor, shape (a,).

        Args:
            anchors: the links of a page.
            words: the terms of the page.
            entropy: the entropies of the site's terms.
        """
        row, key = anchors.terms(words, self.loaded(anchors))
        value = self.has_terms(anchors.target.take(row), key) / np.maximum(entropy.entropy(key), LEAST_EN)
        return in_steps(np.bincount(row, value, len(anchors.node)))

    def has_terms(self, target: Keys, term: Keys) -> Bools:
        """Return for pairs of an address and a term, shape (p,), whether the page was learned and has the term."""
        return _contained(pair_keys(target, term), self.pairs)


@dataclass(frozen=True, eq=False)
class Anchors:
    """The a links (`a` elements with an address) of a page, in document order."""

    page: Page
    """The page."""
    node: Ints
    """(a,) the element."""
    target: Keys
    """(a,) key of the address that each link leads to."""
    to_others: Bools
    """(a,) whether it does not lead to the page itself."""
    in_site: Bools
    """(a,) whether it leads to another page of the page's own host."""

    @classmethod
    def of(cls, page: Page) -> Anchors:
        """Return the links of a page."""
        nodes = page.nodes_of(_ANCHOR)
        values = zip(nodes.tolist(), page.elements.values(nodes, "href"), strict=True)
        hrefs = [(node, href) for node, href in values if href is not None]
        base = _base(page)
        addresses = _addresses([href for _, href in hrefs], base)
        own = own_addresses(page)
        target = text_keys(addresses)
        to_others = [linked not in own for linked in addresses]
        host = _host(own[0]) if own else ""
        in_site = [bool(linked) and linked not in own and _host(linked) == host for linked in addresses]
        return cls(
            page=page,
            node=np.array([node for node, _ in hrefs], dtype=np.int32),
            target=target,
            to_others=np.array(to_others, dtype=np.bool_),
            in_site=np.array(in_site, dtype=np.bool_),
        )

    def terms(self, words: Terms, chosen: Bools) -> tuple[Nodes, Keys]:
        """Return the distinct terms in the texts of some links: the index of the link and the term, shape (p,) each.

        Args:
            words: the terms of the page.
            chosen: (a,) which links.
        """
        row_of_node = np.full(len(self.page) + 1, -1, dtype=np.intp)
        row_of_node[self.node] = np.arange(len(self.node))
        link = self.page.nearest(row_of_node[:-1] >= 0).take(words.node)
        row = row_of_node.take(link)  # link is -1 outside of links, and the last row is -1
        inside = np.flatnonzero((row >= 0) & np.append(chosen, False).take(row))
        row, key = row.take(inside), words.key.take(inside)
        _, first = np.unique(pair_keys(row.astype(np.uint64), key), return_index=True)
        return row.take(first), key.take(first)


def _base(page: Page) -> str:
    """Return the URL that the links of a page are relative to; "" if the page has none."""
    try:
        return urljoin(page.url or "", page.meta.base or "")
    except ValueError:
        return page.url or ""


def _addresses(hrefs: Sequence[str], base: str) -> list[str]:
    """Return the address of each link on a page; those that do not depend on the page's path are cached over pages."""
    root = base[: base.find("/", base.find("://") + 3) + 1] or base
    address_of = {
        href: _address(href, root) if href.startswith(_ROOTED) and len(href) <= _MAX_CACHED else address(href, base)
        for href in dict.fromkeys(hrefs)
    }
    return [address_of[href] for href in hrefs]


def in_steps(values: npt.NDArray[np.number]) -> Reals:
    """Return values as multiples of a power of 2, so that sums over a page are exact and equal blocks stay equal."""
    rounded: Reals = np.round(values * _STEPS) / _STEPS
    return rounded


def _host(page_address: str) -> str:
    return page_address.split("/", maxsplit=1)[0].split("?", maxsplit=1)[0]


def _contained(keys: Keys, table: Keys) -> Bools:
    """Return which keys are in an ascending table."""
    if not len(table):
        return np.zeros(len(keys), dtype=np.bool_)
    row = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    mask: Bools = table.take(row) == keys
    return mask
