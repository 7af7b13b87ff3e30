"""A reference implementation of WISDOM that follows the paper literally, and is therefore slow.

Words come from `dehusk.counts.terms`, collapsed text from `dehusk.blocks`, which have their own tests. Everything else
is an independent implementation of sections 3.1 to 3.3 and 4.4, with the decisions of `dehusk.sites.wisdom`: one object
per tag, recursion, lists and dicts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log

from dehusk.blocks import segment
from dehusk.counts.terms import page_terms
from dehusk.read.page import Page
from dehusk.sites.wisdom import Settings
from dehusk.sites.wisdom.link_targets import address

EPSILON = 1e-9


@dataclass(eq=False)
class Node:
    """A tag, and the words and characters directly in it."""

    number: int
    tag: str
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    clen: int = 0
    alen: int = 0
    href: str | None = None

    def subtree(self) -> list[Node]:
        return [self] + [node for child in self.children for node in child.subtree()]

    def inner_words(self) -> list[str]:
        return [word for node in self.subtree() for word in node.words]

    def ancestors(self) -> list[Node]:
        return [self.parent, *self.parent.ancestors()] if self.parent else []

    @property
    def tags(self) -> list[Node]:
        """The children without dummy tags."""
        return [child for child in self.children if child.tag not in ("br", "hr", "wbr")]


def dom(page: Page) -> Node:
    nodes: dict[int, Node] = {}
    for number in range(len(page)):
        if not page.is_text[number]:
            href = page.attribute(number, "href") if page.tag_name(number) == "a" else None
            nodes[number] = Node(number, page.tag_name(number), nodes.get(int(page.parent[number])), href=href)
            if number:
                nodes[number].parent.children.append(nodes[number])
    terms, blocks = page_terms(page), segment(page)
    for word, node in zip(terms.words, terms.node.tolist(), strict=True):
        nodes[int(page.parent[node])].words.append(word)
    for source, linked in zip(blocks.source.tolist(), blocks.linked.tolist(), strict=True):
        text = next(n for n in range(len(page)) if page.is_text[n] and source < page.text_end[n])
        holder = nodes[int(page.parent[text])]
        holder.alen, holder.clen = holder.alen + linked, holder.clen + (not linked)
    return nodes[0]


class Reference:
    """WISDOM over a set of pages, at least one of which has nodes."""

    def __init__(self, pages: list[Page], settings: Settings) -> None:
        self.pages, self.settings, self.n = pages, settings, len(pages)
        self.texts = [page_terms(page).words for page in pages]
        self.counts = [Counter(words) for words in self.texts]

    def entropy(self, word: str) -> float:
        tf = [count[word] for count in self.counts if count[word]]
        return -sum(t / sum(tf) * log(t / sum(tf), self.n) for t in tf) if len(tf) > 1 else 0.0

    def mine(self, number: int, kind: str) -> tuple[set[int], set[int], set[int]]:
        """Return the skeleton, the blocks, and the parts removed from them, as node numbers."""
        return _Mining(self, dom(self.pages[number]), self.pages[number]).run(kind)


class _Mining:
    def __init__(self, site: Reference, root: Node, page: Page) -> None:
        self.site, self.root, self.page, self.s = site, root, page, site.settings
        self.cached_entropy: dict[str, float] = {}

    def run(self, kind: str) -> tuple[set[int], set[int], set[int]]:
        self.kind = kind
        if self.s.search == "mib":
            skeleton = self.mib()
        else:
            leaves = [n for n in self.root.subtree() if self.passes_as_leaf(n)]
            skeleton = [n for n in leaves if not any(a in leaves for a in n.ancestors())]
        blocks = set(skeleton)
        if self.s.dstm:
            blocks |= {m for n in skeleton for m in self.siblings(self.start(n))}
        if self.s.cstm:
            for node in skeleton:
                company = [a for a in node.ancestors() if self.has_company(a)]
                if len(company) >= self.s.cstm:
                    blocks |= set(self.siblings(company[self.s.cstm - 1]))
        outer = {n for n in blocks if not any(a in blocks for a in n.ancestors())}
        failing = [m for n in outer for m in n.subtree() if self.fits(m) is False] if self.s.condense else []
        if self.s.spare_links and kind == "api":
            failing = [m for m in failing if not any(map(self.passes_as_leaf, m.subtree()))]
        removed = {n for n in failing if not any(a in failing for a in n.ancestors())}
        return tuple({n.number for n in group} for group in (skeleton, outer, removed))

    def mib(self) -> list[Node]:
        candidates, chosen = [self.root], []
        while candidates and len(chosen) < self.s.k:
            candidates.sort(key=lambda n: (-self.f(n), n.number))
            node = candidates.pop(0)
            if not self.f(node):
                break
            if self.sii(node) > self.s.st or self.is_leaf(node):
                if self.fits(node) is True:
                    chosen.append(node)
            else:
                candidates += node.tags
        return chosen

    def passes_as_leaf(self, node: Node) -> bool:
        return self.is_leaf(node) and self.fits(node) is True and self.f(node) > 0

    def start(self, node: Node) -> Node | None:
        if not self.s.climb:
            return node
        return next((n for n in (node, *node.ancestors()) if self.has_company(n)), None)

    def has_company(self, node: Node) -> bool:
        company = [n for n in node.parent.tags if n is not node and self.f(n) > 0] if node.parent else []
        return len(company) >= self.s.siblings

    def siblings(self, node: Node | None) -> list[Node]:
        if node is None or node.parent is None:
            return []
        return [n for n in node.parent.tags if self.fits(n) is True and 0 < self.f(n) < self.f(node)]

    def direct(self, node: Node) -> float:
        return {"article": node.clen, "alen": node.alen, "api": self.api(node) if node.href is not None else 0}[
            self.kind
        ]

    def f(self, node: Node) -> float:
        return self.direct(node) + sum(self.f(child) for child in node.children)

    def own(self, node: Node) -> float:
        """The feature of a node minus that of its children, dummy tags excluded."""
        return self.f(node) - sum(self.f(child) for child in node.tags)

    def sii(self, node: Node) -> float:
        values = [self.f(child) for child in node.tags]
        if self.s.own_text and self.own(node) > EPSILON:
            values.append(self.own(node))
        if len(values) < 2 or not sum(values):
            return 0.0
        shares = [value / sum(values) for value in values]
        return -sum(w * log(w, len(values)) for w in shares if w)

    def is_leaf(self, node: Node) -> bool:
        largest = max((self.f(child) for child in node.tags), default=0)
        return not node.tags or (self.s.own_text and self.own(node) > EPSILON and self.own(node) >= largest)

    def fits(self, node: Node) -> bool | None:
        """Whether a node meets the type constraint; None if the constraint is undefined for it."""
        if self.s.search == "m2":
            length = sum(n.alen + n.clen for n in node.subtree())
            return length > 5 if length else None
        if self.kind == "api":
            links = [n for n in node.subtree() if n.href is not None]
            return self.f(node) >= self.s.tc_toc * len(links) if links else None
        cii = self.cii(node)
        if cii is None or (self.kind == "alen" and not self.has_link(node)):
            return None
        bound = 1 - self.s.tc_article if self.kind == "article" else self.s.tc_alen
        if self.s.relative is not None:
            bound = min(bound, self.s.relative * (self.cii(self.root) or 0))
        return cii >= bound - EPSILON

    def has_link(self, node: Node) -> bool:
        return any(n.href is not None for n in [*node.subtree(), *node.ancestors()])

    def cii(self, node: Node) -> float | None:
        weights = [1 - self.en(word) for word in node.inner_words()]
        return sum(weights) / len(weights) if weights else None

    def en(self, word: str) -> float:
        if word not in self.cached_entropy:
            self.cached_entropy[word] = self.site.entropy(word)
        return self.cached_entropy[word]

    def api(self, node: Node) -> float:
        target = address(node.href or "", self.page.url or "")
        if not target or target == address(self.page.url or ""):
            return 0.0
        linked: set[str] = set()
        for page, words in zip(self.site.pages, self.site.texts, strict=True):
            if address(page.url or "") == target:
                linked |= set(words)
        own = {
            w for n in node.subtree() if not any(a.href is not None for a in self._between(n, node)) for w in n.words
        }
        return round(sum(1 / max(self.en(word), 0.05) for word in own & linked) * 2**20) / 2**20

    def _between(self, inner: Node, outer: Node) -> list[Node]:
        """Return the nodes from `inner` up to, but excluding, `outer`."""
        return [n for n in (inner, *inner.ancestors()) if n is not outer and outer in n.ancestors()]
