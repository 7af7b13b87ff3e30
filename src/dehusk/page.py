"""A page as flat columns in document order.

A `Page` is what the parser saw, without a tree of objects: one row a node (elements and text nodes of the body, in
pre-order, so that the subtree of node i is the slice i:end[i]) and one buffer with all the text. Any quantity of a
subtree is a difference of two prefix sums; nothing recurses, so depth cannot crash it. Columns are read-only.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property
from dehusk.errors import Status
from dehusk.tags import TAG_NUMBER, TEXT

Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Attributes = tuple[tuple[str, str], ...]


class Elements(Protocol):
    """The elements of a page: their attributes, and which of them a CSS selector names."""

    @property
    def text(self) -> str:
        """The page's source, as it was parsed."""
        ...

    def attributes(self) -> dict[int, Attributes]:
        """Return those of all nodes that have any."""
        ...

    def attribute(self, node: int, name: str) -> str | None:
        """Return one, None where it is missing."""
        ...

    def select(self, selector: str) -> list[Any]:
        """Return the parser's elements that a CSS selector names, in document order, head and scripts included."""
        ...

    def rows_of(self, elements: Sequence[Any]) -> Ints:
        """Return the node of each of the parser's elements, -1 for what is no node of the page."""
        ...

    def release(self) -> None:
        """Keep no more than is needed to read them anew."""
        ...


@dataclass(frozen=True)
class Encoding:
    """How bytes became text: the encoding used, the evidence that chose it, and what went wrong."""

    name: str
    """WHATWG name in lower case; "str" when the caller gave text."""
    evidence: str
    """One of "bom", "header", "meta", "wrapper", "detector", "utf-8", "default", "given"; see `read.decoding`."""
    errors: int = 0
    """Characters that could not be decoded, each U+FFFD in the text."""


@dataclass(frozen=True)
class Meta:
    """What a page says of itself outside of its body."""

    title: str = ""
    language: str | None = None
    base: str | None = None
    canonical: str | None = None
    entries: tuple[tuple[str, str], ...] = ()
    """(name or property, content) of the meta elements, in document order."""
    wrapper: tuple[tuple[str, str], ...] = ()
    """Attributes of CLEANEVAL's `<text id=…>` around the page, empty where there is none."""


@dataclass(frozen=True, eq=False)
class Page:
    """The columns of one page; n nodes, node 0 the body (a page that was not parsed has n = 0)."""

    tag: npt.NDArray[np.uint16]
    """(n,) tag number, 0 for a text node; names from `dehusk.tags`, then `extra_tags`."""
    parent: Ints
    """(n,) number of the parent node, -1 for the root."""
    end: Ints
    """(n,) one past the last node of the subtree."""
    text_start: Ints
    """(n,) offset into `text` (characters) where the node's text begins."""
    text_end: Ints
    """(n,) offset into `text` where the text of the node's subtree ends."""
    text: str
    """All text the parser saw in the body, entities decoded, nothing folded; control characters are spaces."""
    elements: Elements = field(repr=False)
    """Where attributes are read when they are asked for; most pages are cleaned without them."""
    class_code: Ints
    """(n,) which of `class_names` is the node's class attribute; 0, the empty name, where it has none."""
    class_names: tuple[str, ...]
    """Each distinct class attribute of the page, in order of appearance after the empty one."""
    id_code: Ints
    """(n,) which of `id_names` is the node's id attribute; 0 where it has none."""
    id_names: tuple[str, ...]
    """Each distinct id attribute, as `class_names`."""
    hidden_nodes: Ints
    """(h,) elements that their own attributes hide: hidden, aria-hidden=true, display:none, visibility:hidden."""
    alt_nodes: Ints
    """(a,) text nodes made of an image's alternative text; they are not part of the visible text."""
    line_nodes: Ints
    """(l,) text nodes that begin a new line of preformatted text."""
    extra_tags: tuple[str, ...] = ()
    """Names of the tags that are not in the table, numbered from `tags.KNOWN` on."""
    meta: Meta = field(default_factory=Meta)
    url: str | None = None
    encoding: Encoding = Encoding("str", "given")
    status: Status = Status.OK
    """OK, or what reading the page ran into."""
    message: str = ""
    """One line on a status other than OK."""
    notes: tuple[str, ...] = ()
    """What was changed so that the page could be read: flattened depth, dropped formatting tags."""

    def __len__(self) -> int:
        return len(self.tag)

    @cached_property
    def attributes(self) -> dict[int, Attributes]:
        """Node -> its (name, value) pairs as written, "" where there is no value; nodes without are missing."""
        return self.elements.attributes()

    @cached_property
    def depth(self) -> Ints:
        """(n,) elements above each node; 0 for the root."""
        n = len(self)
        closed = np.cumsum(np.bincount(self.end, minlength=n + 1)[:n])
        return (np.arange(n) - closed).astype(np.int32)

    @cached_property
    def is_text(self) -> Bools:
        """(n,) true for text nodes."""
        mask: Bools = self.tag == TEXT
        return mask

    @cached_property
    def code_points(self) -> npt.NDArray[np.uint32]:
        """(len(text),) the text as Unicode code points."""
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    def is_one_of(self, tags: npt.NDArray[np.uint16]) -> Bools:
        """Return which nodes, shape (n,), have a tag number in `tags`."""
        mask = np.zeros(len(self), dtype=np.bool_)
        mask[self.nodes_of(tags)] = True
        return mask

    def per_tag(self, tags: npt.NDArray[np.uint16], values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return for each node, shape (n, …), the row of `values` for its tag in `tags`, zeros for other tags."""
        table = np.zeros((len(_NAMES) + len(self.extra_tags), *values.shape[1:]), dtype=values.dtype)
        table[tags] = values
        return table.take(self.tag, axis=0)

    def nodes_of(self, tags: npt.NDArray[np.uint16]) -> npt.NDArray[np.intp]:
        """Return the nodes whose tag number is in `tags` (each once), in document order."""
        order, start = self._by_tag
        bounds = ((start[tag], start[tag + 1]) for tag in tags.tolist())
        parts = [order[first:last] for first, last in bounds if first < last]
        if not parts:
            return np.zeros(0, dtype=np.intp)
        return parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))

    @cached_property
    def _by_tag(self) -> tuple[npt.NDArray[np.intp], list[int]]:
        """The nodes sorted by tag, those of one tag in document order, and where each tag's begin."""
        sizes = np.bincount(self.tag, minlength=len(_NAMES) + len(self.extra_tags))
        return np.argsort(self.tag, kind="stable"), [0, *np.cumsum(sizes).tolist()]

    def above(self, bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return for each node, shape (n,), the bits of itself and of all elements above it, joined by "or".

        As in `nearest`, pointers that double their distance make the cost independent of nesting.
        """
        joined, pointer = bits.copy(), np.maximum(self.parent, 0).astype(np.intp)
        while pointer.any():
            joined |= joined.take(pointer)
            pointer = pointer.take(pointer)
        return joined | joined[:1]

    def within(self, nodes: npt.NDArray[np.integer]) -> Ints:
        """Return for each node, shape (n,), how many of the subtrees rooted at `nodes` hold it (itself counts).

        `nodes` are distinct.
        """
        n = len(self)
        if not len(nodes):
            return np.zeros(n, dtype=np.int32)
        change = np.bincount(nodes, minlength=n + 1) - np.bincount(self.end.take(nodes), minlength=n + 1)
        return np.cumsum(change[:-1], dtype=np.int32)

    def nearest(self, targets: Bools) -> Ints:
        """Return for each node, shape (n,), the innermost target that holds it (itself counts), -1 where none does.

        `targets` is a mask over the nodes. Every node points to itself where it is a target, else to its parent;
        following the pointers of pointers doubles the distance each time, so ten rounds serve any depth.
        """
        n = len(self)
        if not targets.any():
            return np.full(n, -1, dtype=np.int32)
        pointer = np.append(np.where(targets, np.arange(n), self.parent), n)
        pointer[pointer < 0] = n
        for _ in range(int(self.depth.max()).bit_length()):
            pointer = pointer.take(pointer)
        pointer[pointer == n] = -1
        return pointer[:n].astype(np.int32)

    def tag_name(self, node: int) -> str:
        """Return the name of a node's tag, "#text" for a text node."""
        number = int(self.tag[node])
        return _NAMES[number] if number < len(_NAMES) else self.extra_tags[number - len(_NAMES)]

    def attribute(self, node: int, name: str) -> str | None:
        """Return an attribute's value; None where it is missing, "" where it has no value."""
        return self.elements.attribute(node, name)

    def release(self) -> None:
        """Let go of the parser's tree: for pages that are kept in numbers. Attributes can still be asked for."""
        self.elements.release()

    def validate(self) -> None:
        """Check that the columns agree with each other.

        Raises:
            ValueError: naming the first rule that is broken.
        """
        n = len(self)
        columns = (self.parent, self.end, self.text_start, self.text_end)
        if any(len(column) != n for column in columns):
            raise ValueError("invalid page: not true that columns have equal length")
        index, parent, end = np.arange(n), self.parent, self.end
        inner, starts = np.flatnonzero(end < n), np.append(self.text_start, len(self.text))
        rules = {
            "the root is an element without a parent": not n or (parent[0] == -1 and self.tag[0] != TEXT),
            "parents come before their children": bool(((parent[1:] < index[1:]) & (parent[1:] >= 0)).all()),
            "a subtree ends within its parent's": bool((end[1:] <= end[parent[1:]]).all()),
            "a node lies in its parent's subtree": bool((index[1:] < end[parent[1:]]).all()),
            "text nodes have no children": bool((end[self.is_text] == index[self.is_text] + 1).all()),
            "text offsets rise": bool((np.diff(self.text_start) >= 0).all() and (self.text_end >= starts[:-1]).all()),
            "text nodes cover the text": int((self.text_end - self.text_start)[self.is_text].sum()) == len(self.text),
            "a subtree holds its root": bool((end > index).all()),
            "what follows a subtree is not below its root": bool((parent[end[inner]] < inner).all()),
            "the text of an element is its subtree's": bool((self.text_end == starts[np.minimum(end, n)]).all()),
        }
        for rule, holds in rules.items():
            if not holds:
                raise ValueError(f"invalid page: not true that {rule}")


_NAMES = tuple(TAG_NUMBER)


def digest(data: bytes) -> str:
    """Return the SHA-256 of a page's bytes in hex, the key of gold annotations."""
    return hashlib.sha256(data).hexdigest()
