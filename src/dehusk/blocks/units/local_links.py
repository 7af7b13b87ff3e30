"""Links that lead to a place on their own page."""

from collections.abc import Mapping

from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.compiled.tree import with_fragment
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page

_LINK, _HEADINGS = numbers("a"), numbers(HEADINGS)
_PLAIN_NAME = pattern(r"[A-Za-z0-9_.:-]+")
"""Names of places that are written in addresses as they are."""


def links_within(page: Page, addresses: Addresses) -> dict[int, str]:
    """Return link -> the name of the place it leads to, for links to the page itself, in document order."""
    target = _Targets(addresses).of
    links = with_fragment(page, page.nodes_of(_LINK))
    return {link: name for link, href in links if (name := target(href))}


def named_places(page: Page) -> dict[str, int]:
    """Return name -> the first element with this id, or else the first link with this name."""
    links = page.nodes_of(_LINK)
    named = zip(links.tolist(), page.elements.values(links, "name"), strict=True)
    place = {name: link for link, name in reversed([*named]) if name}
    nodes = page.id_code.nonzero()[0][::-1]
    codes = zip(page.id_code[nodes].tolist(), nodes.tolist(), strict=True)
    return place | {page.id_names[code]: node for code, node in codes}


def links_to_own_section(page: Page, addresses: Addresses, headings: Mapping[int, int]) -> set[int]:
    """Return the links, of heading -> link, that lead to the section of their heading: no other heading is between.

    A link to an entry of the table of contents that leads back, as Sphinx writes it, does too.
    """
    names, places, nodes = links_within(page, addresses), named_places(page), page.nodes_of(_HEADINGS)
    found = set()
    for heading, link in headings.items():
        place = places.get(names.get(link, ""), -1)
        back = places.get(names.get(place, ""), -1)
        for each in (place, back):
            first, last = sorted((heading, each))
            if each >= 0 and nodes.searchsorted(last, "right") - nodes.searchsorted(first) == 1:  # the heading itself
                found.add(link)
    return found


class _Targets:
    """Tells where links lead on their page, with one look at each address before the `#`."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._is_own: dict[str, bool] = {}

    def of(self, href: str) -> str | None:
        """Return the name of the place that a link leads to; None if it leads elsewhere."""
        address, _, name = href.partition("#")
        is_own = not address or self._is_own.get(address)
        if is_own is None:
            is_own = self._is_own[address] = self._addresses.target(f"{address}#x") is not None
        if not is_own:
            return None
        return name if _PLAIN_NAME.fullmatch(name) else self._addresses.target(f"#{name}")
