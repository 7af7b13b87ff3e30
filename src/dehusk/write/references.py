"""The addresses of a page's links and images as writers of tokens have them, within the bounds of the output."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.lazy import pattern
from dehusk.blocks.headlines import says_title, words_of
from dehusk.blocks.units.local_links import links_to_own_section
from dehusk.read.addresses import Addresses, without_tracking
from dehusk.read.page import Page
from dehusk.write.content.emails import HIDING, decoded_email
from dehusk.write.content.images import Images, find_images, is_same_picture
from dehusk.write.options import WriteOptions

_ENTITY = pattern(r"&(?=#?\w+;)")
_OF_PERSONS, _LONG_TITLE = ("mailto:", "tel:"), 300
"""Schemes of addresses of persons; characters of a title that a heading is compared with."""
_SHARE, _SPARE = 4, 5_000
"""Characters of addresses that are looked up, most of them twice, per character of the page's source, and besides."""


def _place(address: str) -> str:
    """Return an address without what often differs between addresses of one page."""
    return address.partition("://")[2].removeprefix("www.").rstrip("/")


class References:
    """Looks up addresses; links become text once their addresses are longer than the page.

    Args:
        page: the page.
        options: which links and images are written.
        images: the images that are asked for; by default, any.

    Attributes:
        notes: address of a link in a footnote -> label of the footnote.
    """

    def __init__(self, page: Page, options: WriteOptions, images: Collection[int] | None = None) -> None:
        self.page, self.options, self.addresses = page, options, Addresses.of(page)
        self.notes: dict[str, str] = {}
        self._asked_for = images
        self._to_spend = _SHARE * len(page.elements.text) + _SPARE
        self._links: dict[int, str | None] = {}

    def link(self, node: int) -> str | None:
        """Return the address of a link; None if it has none, or the page's addresses are too long."""
        return self._within_bounds(self.address_of(node))

    def image(self, node: int) -> str | None:
        """Return the address of an image; None if it has none, repeats another image, or is not to be written."""
        return self._within_bounds(self.source_of(node))

    def look_up(self, nodes: Iterable[int]) -> None:
        """Read the addresses of several links at once."""
        needed = [node for node in nodes if node not in self._links] if self.options.links != "drop" else []
        if needed:
            values = self.page.elements.values(np.array(needed, np.intp), "href")
            for node, address in zip(needed, self.addresses.resolve_all(values), strict=True):
                self._links[node] = self._written(address)

    def drop_own_sections(self, headings: Mapping[int, int]) -> None:
        """Let links be text that are the whole of some headings, and lead to their sections or to the page itself."""
        own = {_place(self.addresses.page), _place(self.addresses.page.partition("?")[0])} - {""}
        self._links |= {link: None for link in headings.values() if _place(self.address_of(link) or "") in own}
        local = {heading: link for heading, link in headings.items() if "#" in (self.address_of(link) or "")}
        if local:
            self._links |= dict.fromkeys(links_to_own_section(self.page, self.addresses, local))

    def drop_own_page(self, headings: Iterable[tuple[int, str]]) -> None:
        """Let links be text that are the whole of a heading with the page's title: they lead to the page itself.

        Args:
            headings: link, and the text of its heading.
        """
        title = words_of(self.page.meta.title[:_LONG_TITLE])
        own = [link for link, text in headings if says_title(words_of(text), title)]
        self._links |= {link: None for link in own if not (self.address_of(link) or "").startswith(_OF_PERSONS)}

    def drop_own_files(self, images: Mapping[int, int]) -> None:
        """Let images be no links that are all of some links to their own files; the file that the link leads to counts.

        Args:
            images: link -> image.
        """
        for link, image in images.items():
            address, source = self.address_of(link), self.source_of(image)
            if address and source and is_same_picture(address, source):
                self._links[link], self._images.sources[image] = None, address

    def address_of(self, node: int) -> str | None:
        """Return the address of a link, whatever the others are; None if it has none or is not to be written."""
        if self.options.links == "drop":
            return None
        if node not in self._links:
            self.look_up([node])
        return self._links[node]

    def source_of(self, node: int) -> str | None:
        """Return the address of an image, whatever the others are; None if it has none or is not to be written."""
        if not self.options.images or node in self._images.copies:
            return None
        return self._written(self._images.sources.get(node))

    @property
    def room(self) -> int:
        """How many characters of addresses can still be looked up: the last one before they are out is missing."""
        return self._to_spend

    @staticmethod
    def destination(address: str | None) -> str | None:
        """Return an address such that CommonMark reads no character reference in it."""
        return _ENTITY.sub("&amp;", address) if address and "&" in address else address or None

    def note(self, address: str) -> str:
        """Return the label of the footnote with an address; the page's own footnotes have other labels."""
        return self.notes.setdefault(address, f"link-{len(self.notes) + 1}")

    @cached_property
    def _images(self) -> Images:
        return find_images(self.page, self.addresses, self._asked_for)

    def _written(self, address: str | None) -> str | None:
        if not address:
            return None
        if HIDING in address:
            own = decoded_email(address.partition("#")[2])
            return f"mailto:{own}" if own else None
        return address if self.options.tracking else without_tracking(address)

    def _within_bounds(self, address: str | None) -> str | None:
        self._to_spend -= len(address or "")
        return address if self._to_spend > 0 else None
