"""A page as flat columns in document order.

A `Page` stores the parsed page without a tree of objects: one row per node (the elements and text nodes of the body, in
pre-order, so that the subtree of node i is the slice i:end[i]) and one string with all the text. A sum over a subtree
is the difference of two prefix sums. Nothing recurses, so deep nesting cannot crash it. Columns are read-only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property, state_without_cache
from dehusk.base.errors import Status
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, TEXT
from dehusk.compiled import tree
from dehusk.read.names import ElementNames, NamePattern

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Attributes = tuple[tuple[str, str], ...]
Form = Literal["html", "markdown", "text", "feed"]


class Elements(Protocol):
    """Access to a page's elements: attributes and CSS selectors. `dehusk.read.elements` implements it."""

    @property
    def text(self) -> str:
        """The page's source as it was parsed."""
        ...

    @property
    def has_templates(self) -> bool:
        """Whether the document has elements in templates; browsers keep these in trees of their own."""
        ...

    def numbers(self, nodes: npt.NDArray[np.integer]) -> Ints:
        """Return the number of each element node among all elements of the document outside of templates, from 1."""
        ...

    def attributes(self) -> dict[int, Attributes]:
        """Return node -> attributes, for all nodes with attributes."""
        ...

    def attribute(self, node: int, name: str) -> str | None:
        """Return an attribute's value, None if it is missing."""
        ...

    def attributes_of(self, nodes: npt.NDArray[np.integer]) -> list[Attributes]:
        """Return the attributes of each of some element nodes, as `attributes` does for all."""
        ...

    def values(self, nodes: npt.NDArray[np.integer], name: str) -> list[str | None]:
        """Return an attribute's value for each of some element nodes; None if it is missing."""
        ...

    def columns(self, nodes: npt.NDArray[np.integer], names: tuple[str, ...]) -> list[list[str | None]]:
        """Return several attributes of some element nodes: for each name a list, as `values` returns it."""
        ...

    def markup_of(self, nodes: npt.NDArray[np.integer], ends: npt.NDArray[np.integer], longest: int) -> list[str]:
        """Return the markup of each of some nodes up to the element that follows it, cut after `longest` characters."""
        ...

    def select(self, selector: str, *, contents: bool = True) -> list[Any]:
        """Return the parser's elements that match a CSS selector, in document order, including head and scripts.

        Without `contents`, scripts and styles may lack their text.
        """
        ...

    def contents(self, element: Any) -> str:
        """Return the text of a script or style that was selected without `contents`."""
        ...

    def microdata(self) -> list[dict[str, Any]]:
        """Return the items of microdata that are in no other one, as objects of JSON-LD."""
        ...

    def rows_of(self, elements: Sequence[Any]) -> Ints:
        """Return the node of each of the parser's elements, -1 for elements that are not nodes of the page."""
        ...

    def siblings_before(self, elements: Sequence[Any]) -> list[tuple[int, int, int]]:
        """Return (parent, element before it, text nodes between) of each of the parser's elements; -1 for no node."""
        ...

    def release(self) -> None:
        """Free the parser's tree; later calls parse the source again."""
        ...


@dataclass(frozen=True)
class Encoding:
    """How a page's bytes were decoded."""

    name: str
    """WHATWG name in lower case; "str" if the caller passed text."""
    evidence: str
    """Why this encoding was chosen: "bom", "header", "meta", "wrapper", "detector", "utf-8", "default" or "given"; see
    `dehusk.read.decoding`."""
    errors: int = 0
    """Characters that could not be decoded; each is U+FFFD in the text."""


@dataclass(frozen=True)
class Meta:
    """What a page declares outside its body."""

    title: str = ""
    """Text of the first title element, white space folded."""
    language: str | None = None
    """`lang` of the html element."""
    base: str | None = None
    """`href` of the first base element, as written."""
    canonical: str | None = None
    """`href` of the first `<link rel=canonical>`, as written."""
    entries: tuple[tuple[str, str], ...] = ()
    """(name or property, content) of the meta elements, in document order."""
    wrapper: tuple[tuple[str, str], ...] = ()
    """Attributes of CLEANEVAL's `<text id=…>` around the page; empty if there is none."""

    def values(self, *names: str) -> Iterator[str]:
        """Yield the contents of the meta elements with some names, given in lower case, in document order."""
        found = [row for name in names for row in self._by_name.get(name, ())]
        return (content for _, content in (sorted(found) if len(names) > 1 else found))

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[int, str]]]:
        """Name or property in lower case -> (place, content) of the elements that have it."""
        found = dict[str, list[tuple[int, str]]]()
        for place, (name, content) in enumerate(self.entries):
            found.setdefault(name.strip().lower(), []).append((place, content))
        return found

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]


@dataclass(frozen=True)
class Island:
    """Text that the page holds only outside its elements, such as in the data of a script."""

    node: int
    """The element around the text; the parser put it after the page's own elements."""
    xpath: str
    """XPath of the script, template or attribute that holds the text."""


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """The columns of one page with n nodes; node 0 is the body. A page that could not be parsed has n = 0."""

    tag: npt.NDArray[np.uint16]
    """(n,) tag number, 0 for text nodes; an index into the names of `dehusk.base.tags`, continued by `extra_tags`."""
    parent: Ints
    """(n,) parent node, -1 for the root."""
    end: Ints
    """(n,) one past the last node of the subtree."""
    text_start: Ints
    """(n,) offset into `text`, in characters, where the text of the node's subtree starts."""
    text_end: Ints
    """(n,) offset into `text` where the text of the node's subtree ends."""
    text: str
    """All text in the body as the parser returned it: entities decoded, white space kept, control characters replaced
    by spaces, and those from U+0080 to U+009F by the signs that Windows-1252 has for them."""
    elements: Elements
    """Access to attributes and selectors on demand; most pages are cleaned without it."""
    class_code: Ints
    """(n,) index into `class_names` of the node's class attribute; 0 if it has none."""
    class_names: tuple[str, ...]
    """The empty string, then each distinct class attribute of the page in order of appearance."""
    id_code: Ints
    """(n,) index into `id_names` of the node's id attribute; 0 if it has none."""
    id_names: tuple[str, ...]
    """The empty string, then each distinct id attribute of the page in order of appearance."""
    hidden_nodes: Ints
    """(h,) elements hidden by their own attributes: hidden, aria-hidden=true, display:none, visibility:hidden."""
    alt_nodes: Ints
    """(a,) text nodes with an image's alternative text, which is not part of the visible text."""
    line_nodes: Ints
    """(l,) text nodes that start a new line of preformatted text."""
    extra_tags: tuple[str, ...] = ()
    """Names of the page's tags that are not in `dehusk.base.tags`; their numbers start at `tags.KNOWN`."""
    meta: Meta = field(default_factory=Meta)
    url: str | None = None
    encoding: Encoding = Encoding("str", "given")
    status: Status = Status.OK
    """OK, or why the page could not be read completely."""
    message: str = ""
    """One line that explains a status other than OK."""
    notes: tuple[str, ...] = ()
    """What was changed to make the page readable, such as flattened elements; one line each."""

    islands: tuple[Island, ...] = ()
    """Text taken from data, because the elements hold little or none; ascending, after all other nodes."""
    form: Form = "html"
    """What the page was: of Markdown and plain text, the nodes are those of the HTML that stands for it."""
    rendered_by_scripts: bool = False
    """Whether the page is a shell: its elements hold no running text, because scripts are to fill them."""
    data: bytes = b""
    """The page as it was given: its bytes, or the part of its text that was read, in UTF-8."""
    parsed_text: str = ""
    """The text as it was parsed, if invisible characters in `text` were replaced; "" if `text` is that."""

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]

    def __len__(self) -> int:
        return len(self.tag)

    def __repr__(self) -> str:
        """Return one line: status, URL, numbers of nodes and characters."""
        url = f", {self.url!r}" if self.url else ""
        return f"<Page {self.status}{url}, {len(self)} nodes, {len(self.text)} characters>"

    @cached_property
    def attributes(self) -> dict[int, Attributes]:
        """Node -> (name, value) pairs as written, "" for a missing value; only nodes with attributes."""
        return self.elements.attributes()

    @cached_property
    def depth(self) -> Ints:
        """(n,) number of elements above each node; 0 for the root."""
        return tree.depth(self)

    @cached_property
    def rounds(self) -> int:
        """How often pointers to parents must double their distance to reach through the depth of the page."""
        return int(self.depth.max(initial=0)).bit_length()

    @cached_property
    def is_text(self) -> Bools:
        """(n,) whether each node is a text node."""
        mask: Bools = self.tag == TEXT
        return mask

    @cached_property
    def code_points(self) -> npt.NDArray[np.uint32]:
        """(len(text),) the text as Unicode code points."""
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def classes(self) -> ElementNames:
        """`class_names`, to look for words in them."""
        return ElementNames(self.class_names)

    @cached_property
    def ids(self) -> ElementNames:
        """`id_names`, to look for words in them."""
        return ElementNames(self.id_names)

    def has_class(self, codes: list[int]) -> Bools:
        """Return a mask over the nodes, shape (n,): those whose class attribute has one of some codes."""
        chosen = np.zeros(len(self.class_names), dtype=np.bool_)
        chosen[codes] = True
        return chosen.take(self.class_code)

    def nodes_of_class(self, wanted: NamePattern) -> npt.NDArray[np.intp]:
        """Return the nodes whose class attribute matches a pattern, in document order."""
        codes = self.classes.named(wanted)
        return self.has_class(codes).nonzero()[0] if codes else np.zeros(0, dtype=np.intp)

    def nodes_of_id(self, wanted: NamePattern) -> npt.NDArray[np.intp]:
        """Return the nodes whose id matches a pattern, in document order."""
        codes = self.ids.named(wanted)
        return np.isin(self.id_code, codes).nonzero()[0] if codes else np.zeros(0, dtype=np.intp)

    def is_one_of(self, tags: npt.NDArray[np.uint16]) -> Bools:
        """Return a mask over the nodes, shape (n,): those whose tag number is in `tags`."""
        mask = np.zeros(len(self), dtype=np.bool_)
        mask[self.nodes_of(tags)] = True
        return mask

    def nodes_of(self, tags: npt.NDArray[np.uint16]) -> npt.NDArray[np.intp]:
        """Return the nodes whose tag number is in `tags` (distinct numbers), in document order."""
        known, key = self._of_tags, tags.tobytes()
        if (nodes := known.get(key)) is None:
            nodes = known[key] = tree.nodes_of_tags(*self._by_tag, tags)
        return nodes

    @cached_property
    def _of_tags(self) -> dict[bytes, npt.NDArray[np.intp]]:
        """What `nodes_of` found, because several parts of the work ask for the same tags."""
        return {}

    @cached_property
    def in_island(self) -> Bools:
        """(n,) whether each node comes from the page's data, not from its elements."""
        mask = np.zeros(len(self), dtype=np.bool_)
        for island in self.islands:
            mask[island.node : self.end[island.node]] = True
        return mask

    @cached_property
    def _by_tag(self) -> tuple[npt.NDArray[np.intp], list[int]]:
        """The nodes sorted by tag, then in document order; and for each tag the index of its first node."""
        return tree.order_of_tags(self.tag, len(_NAMES) + len(self.extra_tags))

    def above(self, bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return for each node, shape (n,), the bitwise or of its own bits and those of all elements above it."""
        return tree.above(self, bits)

    def within(self, nodes: npt.NDArray[np.integer]) -> Ints:
        """Return for each node, shape (n,), how many of `nodes` it lies in; a node lies in itself.

        `nodes` must be distinct.
        """
        return tree.within(self, nodes)

    def within_at(self, nodes: npt.NDArray[np.integer], rows: npt.NDArray[np.integer]) -> npt.NDArray[np.intp]:
        """Return for some nodes, `rows` of shape (k,), in how many of `nodes` each lies; a node lies in itself.

        `nodes` must be distinct and ascend.
        """
        return tree.within_at(self, nodes, rows)

    def nearest(self, targets: Bools) -> Ints:
        """Return for each node, shape (n,), the innermost target it lies in, or -1; a node lies in itself.

        `targets` is a mask over the nodes.
        """
        return tree.nearest(self, targets)

    def tag_name(self, node: int) -> str:
        """Return the name of a node's tag; "#text" for a text node."""
        number = int(self.tag[node])
        return _NAMES[number] if number < len(_NAMES) else self.extra_tags[number - len(_NAMES)]

    def text_of(self, node: int) -> str:
        """Return the text in a node, with its white space."""
        return self.text[self.text_start[node] : self.text_end[node]]

    def attribute(self, node: int, name: str) -> str | None:
        """Return an attribute's value: None if the attribute is missing, "" if it has no value."""
        return self.elements.attribute(node, name)

    def attributes_of(self, node: int) -> Attributes:
        """Return the (name, value) pairs of an element, without reading those of the whole page."""
        return self.elements.attributes_of(np.array([node], dtype=np.intp))[0]

    def release(self) -> None:
        """Free the parser's tree, to keep many pages in memory; reading attributes later parses the page again."""
        self.elements.release()

    def validate(self) -> None:
        """Check that the columns are consistent.

        Raises:
            ValueError: the first inconsistency.
        """
        n = len(self)
        columns = (self.parent, self.end, self.text_start, self.text_end)
        if any(len(column) != n for column in columns):
            raise ValueError("invalid page: columns differ in length")
        index, parent, end = np.arange(n), self.parent, self.end
        n_chars = len(self.text)
        inner, starts = (end < n).nonzero()[0], np.append(self.text_start, n_chars)
        checks = {
            "the root has a parent or is a text node": not n or (parent[0] == -1 and self.tag[0] != TEXT),
            "a parent comes after its child": bool(((parent[1:] < index[1:]) & (parent[1:] >= 0)).all()),
            "a subtree ends after its parent's": bool((end[1:] <= end[parent[1:]]).all()),
            "a node is outside its parent's subtree": bool((index[1:] < end[parent[1:]]).all()),
            "a text node has children": bool((end[self.is_text] == index[self.is_text] + 1).all()),
            "text offsets descend": bool(
                (np.diff(self.text_start) >= 0).all() and (self.text_end >= starts[:-1]).all()
            ),
            "text nodes do not cover the text": int((self.text_end - self.text_start)[self.is_text].sum()) == n_chars,
            "a subtree does not contain its root": bool((end > index).all()),
            "the node after a subtree is below its root": bool((parent[end[inner]] < inner).all()),
            "an element's text is not that of its subtree": bool((self.text_end == starts[np.minimum(end, n)]).all()),
        }
        for fault, passed in checks.items():
            if not passed:
                raise ValueError(f"invalid page: {fault}")


_NAMES = tuple(TAG_NUMBER)
_NUMBER = pattern(r"\s*([+-]?\d{1,9})(?!\d)")


def whole_number(attribute: str | None, default: int) -> int:
    """Return the number that an attribute starts with, such as the columns of a cell; `default` if there is none."""
    match = _NUMBER.match(attribute) if attribute else None
    return int(match[1]) if match else default


def digest(data: bytes) -> str:
    """Return the SHA-256 of a page's bytes in hex, which gold annotations use as the key of the page."""
    import hashlib  # noqa: PLC0415 (loads OpenSSL, and cleaning a page has no digest)

    return hashlib.sha256(data).hexdigest()
