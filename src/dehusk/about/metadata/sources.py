"""What a page declares, gathered once: meta elements, JSON-LD, microdata; and where its content begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from dehusk.about.metadata.lines import letters
from dehusk.about.metadata.linked_data import Thing, is_work, read_linked_data
from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import is_holder
from dehusk.read.addresses import Addresses
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools, Page

_MAX_PROPERTIES = 2_000  # elements of microdata to look at
_MAX_VALUES = 3  # values of a property of microdata
_PROPERTIES = frozenset(("author", "headline", "datePublished", "dateModified", "license", "keywords", "image"))
_OWN_PROPERTIES = "[itemprop]:not(:is([itemprop~=review],[itemprop~=reviews],[itemprop~=comment]) *)"
_TITLED = 'script[type="application/ld+json" i],[itemprop~=headline]'
_ITEM = pattern(r"schema\.org/\w*(?:Article|Posting|Report|Recipe)\b")
"""The type of microdata of what a page can be about as a whole."""
_MAX_CHARS, _WHITE = 2_000, 10  # characters of an element's text, and how many times as many with its white space


_ELSEWHERE = NamePattern(
    r"comment|respond|disqus|related|recommend|sidebar|teaser|widget|trending|most-?read|popular|(?<!post-)(?<!entry-)(?<!article-)footer|newsletter|testimonial|customer[-_]?review|(?<![a-z])reviews?(?![a-z])"
    r"|(?:^|[\s_-])(?:nav|menu|promo|advert\w*|login|modal|popup|cookie)(?:$|[\s_-])",
    "comment respond disqus relat recommend sidebar teaser widget trending most popular footer newsletter testimonial "
    "review nav menu promo advert login modal popup cookie",
)
"""Classes and ids of parts of a page that are not about the page itself."""
_OWN_PART = NamePattern(
    r"by-?_?line|(?:post|entry|article|story|node)[-_]{0,2}(?:\w+[-_])?(?:meta|info|author|header)(?![a-z])",
    "line meta info author header",
)
"""Classes and ids of footers and the like with the byline of the page itself."""
_OTHER_PARTS, _MAIN = numbers("footer aside nav"), numbers("main")
_OTHER_TAGS = frozenset(_OTHER_PARTS.tolist())
_HEADING_TAGS = frozenset(numbers(HEADINGS).tolist())
_LARGE = 0.6
"""Share of the page's text, or of what is kept, its start included: what holds more is not another part of the page."""
_OTHER_SCHEME = pattern(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SECOND_LEVEL = frozenset(["co", "com", "org", "net", "ac", "gov", "edu", "or", "ne", "go"])


@dataclass(frozen=True, eq=False)
class Sources:
    """The sources of a page's metadata."""

    page: Page
    labels: Labels | None = None

    @cached_property
    def meta(self) -> Mapping[str, list[str]]:
        """Name or property in lower case -> contents of the meta elements, in document order."""
        found: dict[str, list[str]] = {}
        for name, content in self.page.meta.entries:
            if content.strip():
                found.setdefault(name.strip().lower(), []).append(content)
        return found

    @cached_property
    def things(self) -> list[Thing]:
        """The objects of JSON-LD, works first."""
        contents = self.page.elements.contents
        return read_linked_data(contents(element) for element in self._titled if _is_linked_data(element))

    @cached_property
    def works(self) -> list[Thing]:
        """The objects of JSON-LD that are works."""
        return [thing for thing in self.things if is_work(thing)]

    @cached_property
    def properties(self) -> Mapping[str, list[str]]:
        """Name of a property of microdata -> its values, in document order; those of comments and reviews left out."""
        found: dict[str, list[str]] = {}
        elements = self.page.elements.select(_OWN_PROPERTIES, contents=False)[:_MAX_PROPERTIES]
        rows = self.page.elements.rows_of(elements).tolist() if elements else []
        for element, row in zip(elements, rows, strict=True):
            if row >= 0 and self.lies_elsewhere(row) and not self._is_of_own_item(row):
                continue
            for name in _PROPERTIES.intersection((element.attr("itemprop") or "").split()):
                values = found.setdefault(name, [])
                if len(values) < _MAX_VALUES:
                    values.append(self._value(element, row, name))
        return found

    def _is_of_own_item(self, node: int) -> bool:
        """Return whether an element belongs to an article of microdata that is the page's own, as its byline does.

        TYPO3 has that in an element of the class `footer`, below the headline.
        """
        page = self.page
        around = int(page.parent[node])
        while around > 0 and page.attribute(around, "itemscope") is None:
            around = int(page.parent[around])
        is_work = around > 0 and _ITEM.search(page.attribute(around, "itemtype") or "")
        return bool(is_work) and not self.lies_elsewhere(around)

    def _value(self, element: Any, row: int, name: str) -> str:
        """Return the value of an element of microdata; of an author, the name."""
        inner = element.select_one("[itemprop~=name]") if name == "author" else None
        if inner is not None:
            element, row = inner, int(self.page.elements.rows_of([inner])[0])
        for attribute in ("content", "datetime", *(("src", "href") if element.tag in ("img", "link") else ())):
            if value := element.attr(attribute):
                return str(value)
        return self.text_of(row) if row >= 0 else ""

    @cached_property
    def headlines(self) -> list[str]:
        """The values of the property `headline` of microdata; most pages have none."""
        has_headline = any("headline" in (element.attr("itemprop") or "").split() for element in self._titled)
        return self.properties.get("headline", []) if has_headline else []

    @cached_property
    def _titled(self) -> list[Any]:
        """The scripts of JSON-LD, and the elements of microdata with a headline: one search for what titles need."""
        return self.page.elements.select(_TITLED, contents=False)

    def first(self, *names: str) -> list[str]:
        """Return the first content of each of some meta elements."""
        return [self.meta[name][0] for name in names if name in self.meta]

    def of_things(self, name: str) -> Iterator[Any]:
        """Yield the values of a property of the objects of JSON-LD, works first."""
        return (thing[name] for thing in self.things if thing.get(name))

    @cached_property
    def is_elsewhere(self) -> Bools:
        """(n,) whether each node lies in a comment, a list of other pages, or the like."""
        page = self.page
        nodes = np.concatenate(
            [
                page.nodes_of_class(_ELSEWHERE),
                page.nodes_of_id(_ELSEWHERE),
                np.array(
                    [node for node in page.nodes_of(_OTHER_PARTS).tolist() if not self._is_own(node)], dtype=np.intp
                ),
                page.hidden_nodes,
            ]
        )
        nodes = np.unique(nodes[nodes > 0])  # not the body
        large = np.array([self._is_large(node) for node in nodes.tolist()], dtype=np.bool_)
        mask: Bools = page.within(nodes[~large]) > 0
        return mask

    def lies_elsewhere(self, node: int) -> bool:
        """Return `is_elsewhere[node]`; as only the elements above the node are read, this is faster for a few nodes."""
        page, known, unknown = self.page, self._known_elsewhere, []
        while node > 0 and node not in known:
            unknown.append(node)
            node = int(page.parent[node])
        found = known.get(node, False)
        classes, ids = self._named_elsewhere
        for inner in reversed(unknown):
            is_named = int(page.class_code[inner]) in classes or int(page.id_code[inner]) in ids
            is_other = is_named or self._is_other_part(inner)
            found = known[inner] = found or (is_other and not self._is_large(inner))
        return found

    @cached_property
    def _named_elsewhere(self) -> tuple[frozenset[int], frozenset[int]]:
        """The codes of the classes and of the ids of such parts."""
        return frozenset(self.page.classes.named(_ELSEWHERE)), frozenset(self.page.ids.named(_ELSEWHERE))

    def _is_large(self, node: int) -> bool:
        """Return whether an element has the main part of the page, whatever its name is: "layout-2-sidebars"."""
        page = self.page
        mains = page.nodes_of(_MAIN)
        has_main = mains.searchsorted(node + 1) < mains.searchsorted(page.end[node])
        is_large = page.text_end[node] - page.text_start[node] > _LARGE * len(page.text)
        return bool(has_main or is_large or self._has_content(node))

    def _has_content(self, node: int) -> bool:
        """Return whether an element has most of what is kept, and the start of it, such as a widget for posts."""
        first, chars = self._kept
        start, end = first.searchsorted((node, self.page.end[node])).tolist()
        return start == 0 and bool(chars[end] > _LARGE * chars[-1])

    @cached_property
    def _kept(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The first nodes of the kept blocks, ascending; and how many characters are kept before each, and in all."""
        blocks = self.labels.blocks if self.labels else None
        kept = np.flatnonzero(self.labels.kept) if self.labels else np.zeros(0, dtype=np.intp)
        first = blocks.first[kept] if blocks else kept
        chars = np.cumsum(blocks.chars[kept]) if blocks else kept
        return first.astype(np.intp), np.concatenate([[0], chars]).astype(np.intp)

    def _is_other_part(self, node: int) -> bool:
        return (int(self.page.tag[node]) in _OTHER_TAGS and not self._is_own(node)) or node in self._hidden

    def _is_own(self, node: int) -> bool:
        classes, ids = self._named_own
        return int(self.page.class_code[node]) in classes or int(self.page.id_code[node]) in ids

    @cached_property
    def _named_own(self) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(self.page.classes.named(_OWN_PART)), frozenset(self.page.ids.named(_OWN_PART))

    @cached_property
    def _known_elsewhere(self) -> dict[int, bool]:
        return {}

    @cached_property
    def _hidden(self) -> frozenset[int]:
        return frozenset(self.page.hidden_nodes.tolist())

    @cached_property
    def text_nodes(self) -> npt.NDArray[np.intp]:
        """The text nodes, in document order."""
        return np.flatnonzero(self.page.is_text)

    @cached_property
    def holders(self) -> npt.NDArray[np.int32]:
        """The innermost block-level element around each node, shape (n,)."""
        return self.page.nearest(is_holder(self.page))

    @cached_property
    def text_starts(self) -> npt.NDArray[np.int32]:
        """Where each of `text_nodes` starts in the page's text."""
        return self.page.text_start[self.text_nodes]

    def is_in_heading(self, node: int) -> bool:
        """Return whether a node is in a heading."""
        while node > 0 and int(self.page.tag[node]) not in _HEADING_TAGS:
            node = int(self.page.parent[node])
        return node > 0

    @cached_property
    def content_start(self) -> int:
        """Offset into the page's text of the first kept block; 0 if it is not known."""
        if self.labels is None or not self.labels.kept.any():
            return 0
        blocks = self.labels.blocks
        return int(blocks.source[blocks.start[int(np.argmax(self.labels.kept))]])

    def is_kept(self, node: int) -> bool | None:
        """Return whether the first block from an element on is kept; None if no labels are known."""
        if self.labels is None:
            return None
        return bool(self.labels.kept[self.labels.blocks.first.searchsorted(node) :][:1].any())

    def text_of(self, node: int, limit: int = _MAX_CHARS, *, spaced: bool = False) -> str:
        """Return the text of a node, white space folded; "" if it is too long.

        Args:
            node: an element or a text node.
            limit: half the most characters that may be there; if `spaced`, white space in the source counts little.
            spaced: whether to separate the texts of neighbouring elements by spaces.
        """
        page = self.page
        start, end = int(page.text_start[node]), int(page.text_end[node])
        if end - start > (_WHITE if spaced else 2) * limit:
            return ""
        if not spaced:
            return " ".join(page.text[start:end].split())
        first, last = np.searchsorted(self.text_nodes, (node, page.end[node]))
        text = " ".join(" ".join(page.text_of(n) for n in self.text_nodes[first:last].tolist()).split())
        return text if len(text) <= 2 * limit else ""

    def absolute(self, value: object) -> str | None:
        """Return an address as an absolute one if the page's is known; None if it is not an address of the web."""
        if not isinstance(value, str) or len(value) > _MAX_CHARS:
            return None
        address = self._addresses.resolve(value)
        address = f"https:{address}" if address and address.startswith("//") else address
        return None if address is None or _OTHER_SCHEME.match(address) else address

    @cached_property
    def _addresses(self) -> Addresses:
        addresses = Addresses.of(
            self.page
        )  # of a page with very many links without a base, which the few here can have
        return Addresses(addresses.page, addresses.page) if addresses.is_cut else addresses


def _is_linked_data(element: Any) -> bool:
    return element.tag == "script" and (element.attr("type") or "").lower() == "application/ld+json"


@cached_per_object
def host_name(sources: Sources) -> str:
    """Return the part of the page's host that names the site, such as "bbc.co.uk" of www.bbc.co.uk; "" if not known.

    The number of a machine is no name.
    """
    address = sources.page.url or sources.page.meta.canonical or "".join(sources.first("og:url"))
    try:
        labels = (urlsplit(address).hostname or "").split(".")
    except ValueError:
        return ""
    if labels[-1].isdigit():
        return ""
    size = 3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else 2
    return ".".join(labels[-size:]) if len(labels) >= size else ""


@cached_per_object
def host_label(sources: Sources) -> str:
    """Return the first label of `host_name`, letters only, such as "bbc"; "" if the host is not known."""
    return letters(host_name(sources).partition(".")[0])
