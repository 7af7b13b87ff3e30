"""Pages of a site as targets of links, and how precisely anchors name them: API (section 3.1.2).

    API(N) = Σ_j 1 / EN(term_j)        over the different terms that the anchor's text and the linked page share

A link is known by its address: without scheme, "www.", fragment and the slash at its end, percent escapes resolved. A
page is known by its own URL and by its canonical one.

A term that both pages have is on two pages of the set at least, so EN > 0, as the paper says; but it may be as near
to 0 as one likes, and 1 / EN as large. EN counts as .05 at least. Links from a page to itself have no API.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import unquote, urljoin, urlsplit

import numpy as np

from dehusk.methods.wisdom.term_selection import keys_of
from dehusk.page import Bools, Ints, Page
from dehusk.site.entropy import Reals, TermEntropy
from dehusk.site.hashing import Keys, pair_keys
from dehusk.site.table import Table
from dehusk.site.terms import Terms
from dehusk.tags import numbers

LEAST_EN = 0.05
"""The least entropy that is divided by."""

_STEPS = 2.0**20  # API is a multiple of 1 / this, so that sums over a page are exact and equal blocks stay equal
_ANCHOR = numbers("a")


def address(url: str, base: str = "") -> str:
    """Return what a URL is known by; "" where it is not one of the web.

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
    """Return what a page is known by; empty for a page without a URL."""
    base = page.url or ""
    found = [address(base), address(page.meta.canonical, base) if page.meta.canonical else ""]
    return list(dict.fromkeys(one for one in found if one))


def linked_terms(words: Terms) -> tuple[Keys, Keys]:
    """Return the pairs (address, term) of the different terms of one page and each of its own addresses."""
    own = keys_of(own_addresses(words.blocks.page))
    found = np.unique(words.key)
    return np.repeat(own, len(found)), np.tile(found, len(own))


@dataclass(frozen=True, eq=False)
class LinkTargets:
    """What the pages that links lead to have in them."""

    pages: Keys
    """Keys of the addresses of pages, rising."""
    pairs: Keys
    """Keys of the pairs (address, term), rising."""

    @classmethod
    def of(cls, linked: Table) -> LinkTargets:
        """Return the links that follow from counts of (address, term)."""
        return cls(np.unique(linked.keys[:, 0]), np.sort(pair_keys(linked.keys[:, 0], linked.keys[:, 1])))

    def anchors(self, page: Page) -> Anchors:
        """Return the links of a page."""
        nodes = page.nodes_of(_ANCHOR)
        given = [(node, page.attribute(node, "href")) for node in nodes.tolist()]
        hrefs = [(node, href) for node, href in given if href is not None]
        base = urljoin(page.url or "", page.meta.base or "")
        known = {href: address(href, base) for href in {href for _, href in hrefs}}
        addresses = [known[href] for _, href in hrefs]
        own = own_addresses(page)
        host = own[0].split("/")[0].split("?")[0] if own else ""
        target = keys_of(addresses)
        inside = [bool(one) and one not in own and one.split("/")[0].split("?")[0] == host for one in addresses]
        return Anchors(
            node=np.array([node for node, _ in hrefs], dtype=np.int32),
            target=target,
            in_site=np.array(inside, dtype=np.bool_),
            loaded=_among(target, self.pages) & np.array([one not in own for one in addresses], dtype=np.bool_),
        )

    def api(self, anchors: Anchors, words: Terms, entropy: TermEntropy) -> Reals:
        """Return API of each anchor, shape (a,).

        Args:
            anchors: the links of a page.
            words: its terms.
            entropy: those of the site.
        """
        rows = np.full(len(words.blocks.page) + 1, -1, dtype=np.intp)
        rows[anchors.node] = np.arange(len(anchors.node))
        row = rows.take(words.blocks.page.nearest(rows[:-1] >= 0).take(words.node))  # -1 takes the -1 at the end
        known = np.flatnonzero((row >= 0) & np.append(anchors.loaded, False).take(row))
        row, key = row.take(known), words.key.take(known)
        _, first = np.unique(pair_keys(row.astype(np.uint64), key), return_index=True)
        row, key = row.take(first), key.take(first)
        matched = _among(pair_keys(anchors.target.take(row), key), self.pairs)
        value = matched / np.maximum(entropy.entropy(key), LEAST_EN)
        return np.round(np.bincount(row, value, len(anchors.node)) * _STEPS) / _STEPS


@dataclass(frozen=True, eq=False)
class Anchors:
    """The a links (`a` elements with an address) of one page, in document order."""

    node: Ints
    """(a,) the element."""
    target: Keys
    """(a,) key of the address that each leads to."""
    in_site: Bools
    """(a,) whether it leads to another page of the page's own host."""
    loaded: Bools
    """(a,) whether it leads to another page that was counted."""


def _among(keys: Keys, known: Keys) -> Bools:
    """Return which keys are among known ones, which rise."""
    if not len(known):
        return np.zeros(len(keys), dtype=np.bool_)
    row = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found: Bools = known.take(row) == keys
    return found
