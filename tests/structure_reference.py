"""A reference implementation of the compressed structure tree that follows the paper literally, and is therefore slow.

Tokens come from `dehusk.site.terms` and the text of an attribute from `dehusk.site.display`, which have their own
tests. Everything else is an independent implementation of sections 3.2 and 3.3 with lists, sets and recursion.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log

from dehusk.page import Page
from dehusk.site.display import PRESENTATION, normalise_attribute
from dehusk.site.terms import page_terms


@dataclass(eq=False)
class Node:
    tag: str
    attr: frozenset[str] = frozenset()
    children: list[Node] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)  # indices of the words directly in it
    words: list[str] = field(default_factory=list)  # all words of its page
    page: int = 0
    is_leaf: bool = False

    @property
    def r(self) -> tuple[str, frozenset[str]]:
        return (self.tag, self.attr)

    @property
    def style(self) -> tuple[tuple[str, frozenset[str]], ...]:
        return tuple(child.r for child in self.children)

    def all_tokens(self) -> list[int]:
        return self.tokens + [token for child in self.children for token in child.all_tokens()]

    def height(self) -> int:
        return max((1 + child.height() for child in self.children), default=0)

    def descendants(self) -> list[Node]:
        return [self] + [node for child in self.children for node in child.descendants()]


def dom(page: Page, number: int) -> Node:
    """Return the page's elements under a virtual root."""
    terms = page_terms(page)
    root = Node("root", words=terms.words, page=number)
    nodes: dict[int, Node] = {-1: root}
    for node in range(len(page)):
        if not page.is_text[node]:
            attr = {
                normalise_attribute(name, value or "")
                for name, value in page.attributes.get(node, ())
                if name in PRESENTATION or (name == "class" and node)
            }
            nodes[node] = Node(page.tag_name(node), frozenset(attr - {""}), words=terms.words, page=number)
            nodes[int(page.parent[node])].children.append(nodes[node])
    for token, node in enumerate(terms.node.tolist()):
        nodes[int(page.parent[node])].tokens.append(token)
    return root


def mark_leaves(root: Node, leaves: int | str) -> None:
    if leaves == "grandparent":

        def climb(node: Node, above: list[Node]) -> None:
            if not node.children:
                (above[-2:][0] if above else node).is_leaf = True
            for child in node.children:
                climb(child, [*above, node])

        for body in root.children:
            climb(body, [])
    else:
        for node in root.descendants()[1:]:
            node.is_leaf = node.height() <= leaves


@dataclass(eq=False)
class Element:
    kind: str  # "inner", "leaf" or "own"
    tags: list[Node]
    parent: Element | None

    @property
    def contents(self) -> list[list[str]]:
        """Return the words of each tag node."""
        if self.kind == "own":
            return [[tag.words[token] for token in tag.tokens] for tag in self.tags]
        return [[tag.words[token] for token in tag.all_tokens()] for tag in self.tags]

    def entropy(self, word: str) -> float:
        m = len(self.tags)
        f = [content.count(word) for content in self.contents]
        return 0.0 if m == 1 else sum(-x / sum(f) * log(x / sum(f), m) for x in f if x)

    def node_imp(self) -> float:
        m = len(self.tags)
        if self.kind == "inner":
            styles = Counter(tag.style for tag in self.tags)
            return 1.0 if m == 1 else sum(-n / m * log(n / m, m) for n in styles.values())
        features = {word for content in self.contents for word in content}
        return sum(1 - self.entropy(word) for word in features) / len(features) if features else 0.0

    def path_imp(self) -> float:
        rest, element = 1.0, self
        while element is not None:
            rest *= 1 - element.node_imp()
            element = element.parent
        return 1 - rest


def ordinal_elements(roots: list[Node]) -> list[Element]:
    """Group tag nodes into elements by their paths of (Tag, Attr, ordinal)."""
    elements: dict[object, Element] = {}

    def visit(node: Node, key: object, parent: Element | None) -> None:
        kind = "leaf" if node.is_leaf else "inner"
        element = elements.setdefault((key, kind), Element(kind, [], parent))
        element.tags.append(node)
        if kind == "leaf":
            return
        if node.tokens:
            elements.setdefault((key, "own"), Element("own", [], element)).tags.append(node)
        seen: Counter[object] = Counter()
        for child in node.children:
            visit(child, (key, "inner", child.r, seen[child.r]), element)
            seen[child.r] += 1

    for root in roots:
        visit(root, "root", None)
    return list(elements.values())


def characteristic(tags: list[Node], gamma: float) -> set[str]:
    sets = [{tag.words[token] for token in tag.all_tokens()} for tag in tags]
    return {word for word in set().union(*sets) if sum(word in words for words in sets) / len(sets) >= gamma}


def similar(left: list[Node], right: list[Node], gamma: float, lambda_: float) -> bool:
    if left[0].r != right[0].r:
        return False
    first, second = characteristic(left, gamma), characteristic(right, gamma)
    return bool(first and second) and len(first & second) / len(first | second) >= lambda_


def merge_all(groups: list[list[Node]], gamma: float, lambda_: float) -> list[list[Node]]:
    """Step 3: merge groups with equal sets, then each group with the first similar one, until no two are similar."""
    for threshold in (1.0, lambda_):
        index = 0
        while index < len(groups):
            others = (o for o in range(len(groups)) if o != index)
            partner = next((o for o in others if similar(groups[index], groups[o], gamma, threshold)), None)
            if partner is None:
                index += 1
            else:
                first, second = sorted((index, partner))
                groups[first] += groups.pop(second)
                index = first
    for group in groups:
        assert not any(similar(group, other, gamma, lambda_) for other in groups if other is not group)
    return groups


def style_elements(roots: list[Node], gamma: float, lambda_: float) -> list[Element]:
    top = Element("inner", roots, None)
    elements, waiting = [top], [top]
    order = {id(node): position for position, node in enumerate(n for root in roots for n in root.descendants())}
    while waiting:
        element = waiting.pop()
        own = [tag for tag in element.tags if tag.tokens]
        if own:
            elements.append(Element("own", own, element))
        groups: dict[object, list[Node]] = {}
        for tag in sorted(element.tags, key=lambda tag: order[id(tag)]):
            for index, child in enumerate(tag.children):
                groups.setdefault((tag.style, index), []).append(child)
        for group in merge_all(list(groups.values()), gamma, lambda_):
            for kind in ("leaf", "inner"):
                tags = [tag for tag in group if tag.is_leaf == (kind == "leaf")]
                if tags:
                    elements.append(Element(kind, tags, element))
                    waiting += [elements[-1]] if kind == "inner" else []
    return elements


def token_weights(pages: list[Page], mode: str, leaves: int | str, gamma: float, lambda_: float) -> list[list[float]]:
    """Return W_E(a, T) / f for every word of every page: PathImp(E) (1 - H_E(a))."""
    roots = [dom(page, number) for number, page in enumerate(pages)]
    for root in roots:
        mark_leaves(root, leaves)
    elements = ordinal_elements(roots) if mode == "ordinal" else style_elements(roots, gamma, lambda_)
    weights = [[-1.0] * len(root.words) for root in roots]
    for element in elements:
        if element.kind == "inner":
            continue
        path = element.path_imp()
        entropy: dict[str, float] = {}
        for tag in element.tags:
            for token in tag.tokens if element.kind == "own" else tag.all_tokens():
                word = tag.words[token]
                if word not in entropy:
                    entropy[word] = element.entropy(word)
                assert weights[tag.page][token] == -1.0, "a word is in one leaf only"
                weights[tag.page][token] = path * (1 - entropy[word])
    return weights
