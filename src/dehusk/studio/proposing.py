"""Selectors proposed for blocks of a page: the narrowest that cover them and nothing that should stay, site-wide.

What should stay: blocks of other pages that people or the method want otherwise, and blocks of this page that nobody
clicked. A block of another page at the same place of the design counts as clicked if on this page everything at this
place is: so a rule for dates is not kept from the dates of other pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np

from dehusk.base.errors import ConfigError, DehuskError
from dehusk.blocks import Blocks
from dehusk.label.rules import covered
from dehusk.read.page import Bools, Page
from dehusk.studio.rule_pages import KnownPage, RulePages, positions

# ---------------------------------------------------------------- selector parts
# What of an element is worth naming in a selector: what the author of a design wrote, not what a program numbered.

_ATTRIBUTES = (
    "itemprop",
    "role",
    "rel",
    "data-testid",
    "data-test",
    "data-qa",
    "data-component",
    "data-role",
    "property",
)
_LANDMARK_TAGS = (
    "aside nav footer header form figure figcaption time address details summary dialog menu main article section "
    "blockquote table caption thead tfoot fieldset button label dl h1 h2 h3 h4 h5 h6 hgroup search"
)
_LANDMARKS = frozenset(_LANDMARK_TAGS.split())
_MOST_CLASSES = 4
_STATE_CLASSES = (
    "active current selected first last odd even open opened closed collapsed expanded hover focus visible loaded "
    "clearfix cf group row col container wrapper"
)
_STATES = frozenset(_STATE_CLASSES.split())
_NUMBERED = re.compile(r"\d{3,}")
_GENERATORS = re.compile(r"(?:css|sc|jsx|jss|emotion|svelte|astro|makeStyles|Mui\w+)-|_ng|js-|is-|has-|_")
_PART = re.compile(r"[-_]+")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_PLAIN = re.compile(r"-?[a-zA-Z_][\w-]*", re.ASCII)
_MOST_VALUE = 60  # characters of an attribute


def is_stable(name: str, *, of_one: bool = False) -> bool:
    """Return whether a class or an id looks like one that people chose, so that other pages have it as well.

    Args:
        name: the class or the id.
        of_one: whether it is an id: a number in it counts elements or pages.
    """
    if not _PLAIN.fullmatch(name) or name.lower() in _STATES or _NUMBERED.search(name) or _GENERATORS.match(name):
        return False
    if of_one and re.search(r"\d{2,}|[-_]\d+$", name):
        return False
    return not any(_looks_random(part) for part in _PART.split(name) if part)


def simple_selectors(page: Page, node: int) -> list[str]:
    """Return selectors of one element without combinators, the most telling ones first; the last one is its tag."""
    tag = page.tag_name(node)
    return [*_named(page, node, tag), tag] if _PLAIN.fullmatch(tag) else list(_named(page, node, tag))


def is_telling(selector: str) -> bool:
    """Return whether a selector of one element says more than that it is a part of the page, such as div."""
    return not _PLAIN.fullmatch(selector) or selector in _LANDMARKS


def nth_of_type(page: Page, node: int) -> int:
    """Return which child of its tag an element is of its parent, from 1."""
    parent, tag = int(page.parent[node]), page.tag[node]
    child, number = parent + 1, 1
    while child < node:
        number += int(page.tag[child] == tag)
        child = int(page.end[child])
    return number


def _named(page: Page, node: int, tag: str) -> Iterator[str]:
    given = {name: value for name, value in page.attributes_of(node) if value}
    identity = given.get("id", "").strip()
    if identity and is_stable(identity, of_one=True):
        yield f"#{identity}"
    classes = [name for name in dict.fromkeys(given.get("class", "").split()) if is_stable(name)][:_MOST_CLASSES]
    for name in classes:
        yield f".{name}"
    for name in classes:
        yield f"{tag}.{name}"
    for first, second in pairwise(classes):
        yield f".{first}.{second}"
    for name in _ATTRIBUTES:
        value = given.get(name, "")
        if value and len(value) <= _MOST_VALUE and _PLAIN.fullmatch(value) and is_stable(value):
            yield f'[{name}="{value}"]'


def _looks_random(part: str) -> bool:
    """Return whether a part of a name looks like a hash: letters and digits mixed, or changes of case without words."""
    if len(part) >= 5 and re.search(r"[a-zA-Z]\d+[a-zA-Z]", part):
        return True
    if (
        len(part) >= 6
        and re.search(r"\d", part)
        and re.search(r"[a-fA-F]", part)
        and re.fullmatch(r"[0-9a-fA-F]+", part)
    ):
        return True
    humps = _HUMP.findall(part)
    return len(part) >= 5 and len(humps) >= 3 and len(part) / len(humps) < 3


# ---------------------------------------------------------------- selectors
# Selectors that cover some blocks of a page: candidates from the elements around them, judged on the page itself.
#
# As with SelectorGadget, clicked blocks are wanted or unwanted; a selector must cover wanted blocks and no unwanted
# one. `proposing` judges the best of them on the other pages of the site.

_DEPTH = 10  # elements around a block that a selector may name
_ANCHORS = 4
_MOST_CANDIDATES = 400
_MOST_STARTS = 6  # wanted blocks whose elements are looked at
_MOST_STEPS = 6


@dataclass(frozen=True, eq=False)
class Candidate:
    """A selector, and what it covers on the page that it was made for."""

    selector: str
    covered: Bools
    """(b,) the blocks that it covers."""
    is_fragile: bool
    """Whether it counts elements, so that a small change of the design makes it miss."""

    @property
    def cost(self) -> tuple[int, bool, int]:
        """How long it is to read: its steps, whether it is only a tag, its characters."""
        return len(self.selector.split()), self.selector.isalnum(), len(self.selector)


def find_candidates(blocks: Blocks, wanted: Sequence[int], unwanted: Sequence[int]) -> list[Candidate]:
    """Return selectors that cover at least one of the wanted blocks of a page and none of the unwanted ones.

    Args:
        blocks: the common blocks of the page.
        wanted: at least one block.
        unwanted: blocks that must not be covered.
    """
    starts = _spread(wanted, _MOST_STARTS)
    found: dict[str, bool] = {}
    for block in starts:
        for selector, is_fragile in islice(
            _around(blocks.page, int(blocks.node[block])), _MOST_CANDIDATES // len(starts)
        ):
            found.setdefault(selector, is_fragile)
    names = list(found)
    candidates = [Candidate(name, mask, found[name]) for name, mask in zip(names, covered(blocks, names), strict=True)]
    return [each for each in candidates if each.covered[wanted].any() and not each.covered[unwanted].any()]


def _spread(blocks: Sequence[int], count: int) -> list[int]:
    if len(blocks) <= count:
        return list(blocks)
    return [blocks[index] for index in np.linspace(0, len(blocks) - 1, count).astype(int).tolist()]


def _around(page: Page, node: int) -> Iterator[tuple[str, bool]]:
    """Yield selectors of an element and of those around it, and whether they are fragile; the likely ones first."""
    chain = list(_ancestors(page, node, _DEPTH))
    simple = {each: simple_selectors(page, each) for each in chain}
    for each in chain:
        yield from ((selector, False) for selector in simple[each] if is_telling(selector))
    for index, each in enumerate(chain):
        for anchor in _anchors(chain[index + 1 :], simple):
            yield from _below(simple, anchor, each)
    for index, each in enumerate(chain):
        yield from _counted(page, chain[index:], simple, each)


def _ancestors(page: Page, node: int, most: int) -> Iterator[int]:
    """Yield an element and those around it, up to and without the body."""
    while node > 0 and most:
        yield node
        node, most = int(page.parent[node]), most - 1


def _anchors(chain: Iterable[int], simple: dict[int, list[str]]) -> list[int]:
    return [each for each in chain if any(map(is_telling, simple[each]))][:_ANCHORS]


def _below(simple: dict[int, list[str]], anchor: int, node: int) -> Iterator[tuple[str, bool]]:
    """Yield selectors of an element inside another one that has a name."""
    for outer in [selector for selector in simple[anchor] if is_telling(selector)][:3]:
        for inner in simple[node]:
            yield f"{outer} {inner}", False
            yield f"{outer} > {inner}", False


def _counted(page: Page, chain: Sequence[int], simple: dict[int, list[str]], node: int) -> Iterator[tuple[str, bool]]:
    """Yield paths of tags with the numbers of children, from an element that has a name or from the body."""
    path = ""
    for each in chain[:_MOST_STEPS]:
        if each != node and (telling := [selector for selector in simple[each] if is_telling(selector)]):
            yield f"{telling[0]} > {path}", True
        step = f"{page.tag_name(each)}:nth-of-type({nth_of_type(page, each)})"
        path = f"{step} > {path}" if path else step
        if int(page.parent[each]) == 0:
            yield f"body > {path}", True


# ---------------------------------------------------------------- proposing

MOST_PAGES = 24
"""Other pages of the site that selectors are judged on."""
_JUDGED = 30  # candidates that are judged on other pages
_SHOWN = 6
_MOST_SELECTORS = 4  # together, if no single one covers all


@dataclass
class _JudgedSelector:
    """A candidate with what it does on other pages."""

    candidate: Candidate
    uncovered: int
    """Wanted blocks that it does not cover."""
    against_people: int
    """Blocks that it decides against their labels, on all pages."""
    against_method: int
    """Further blocks that nobody clicked, and that the method decides otherwise."""
    extra: int
    """Blocks that it covers besides those wanted, on the page itself."""
    missed: int = 0
    """Blocks of other pages at the places of those wanted that it does not cover."""
    covered: int = 0
    """Blocks of other pages."""
    pages: int = 0
    """Other pages on which it covers a block."""

    @property
    def rank(self) -> tuple[object, ...]:
        """Sorts the best first."""
        return (
            self.uncovered,
            self.against_people,
            self.against_method,
            self.missed,
            self.candidate.is_fragile,
            self.extra + self.covered,
            self.candidate.cost,
        )

    def plain(self, looked_at: int) -> dict[str, Any]:
        """Return plain values for the browser."""
        return {
            "selectors": [self.candidate.selector],
            "covered": positions(self.candidate.covered),
            "uncovered": self.uncovered,
            "extra": self.extra,
            "against": self.against_people + self.against_method,
            "elsewhere": self.covered,
            "pages": self.pages,
            "of": looked_at,
            "fragile": self.candidate.is_fragile,
        }


def propose(
    pages: RulePages, page: int, wanted: Sequence[int], unwanted: Sequence[int], *, keep: bool
) -> list[dict[str, Any]]:
    """Return selectors for blocks of a page, the best first, as plain values.

    Args:
        pages: pages without rules.
        page: number of the page.
        wanted: blocks to cover.
        unwanted: blocks that must not be covered.
        keep: whether the rule will keep the blocks; else it drops them.

    Raises:
        KeyError: there is no such page.
        ConfigError: a block does not exist, or no selector can cover the wanted ones alone.
    """
    own = pages.page(page)
    if not wanted or not all(0 <= block < len(own.blocks) for block in (*wanted, *unwanted)):
        raise ConfigError(f"choose blocks from 0 to {len(own.blocks) - 1}")
    wanted = sorted(set(wanted) - set(unwanted))
    candidates = find_candidates(own.blocks, wanted, list(unwanted)) if wanted else []
    if not candidates:
        raise ConfigError("no element contains the wanted blocks without an unwanted one")
    judged = sorted((_on_page(own, each, wanted, keep=keep) for each in candidates), key=lambda each: each.rank)
    best = _distinct(judged)[:_JUDGED]
    looked_at = _on_site(pages, page, own, wanted, best, keep=keep)
    best.sort(key=lambda each: each.rank)
    own.blocks.page.release()
    effect: dict[tuple[object, ...], _JudgedSelector] = {}
    for each in best:
        effect.setdefault((each.candidate.covered.tobytes(), each.covered, each.pages), each)
    plain = [each.plain(looked_at) for each in list(effect.values())[:_SHOWN]]
    together = _together(best, wanted) if best[0].uncovered else []
    return ([_joined(together, wanted, looked_at)] if together else []) + plain


def _on_page(own: KnownPage, candidate: Candidate, wanted: Sequence[int], *, keep: bool) -> _JudgedSelector:
    is_wanted = np.zeros(len(own.blocks), dtype=np.bool_)
    is_wanted[list(wanted)] = True
    by_people, by_method = own.should_be(kept=not keep)
    others = candidate.covered & ~is_wanted
    alike = np.isin(own.text, own.text[is_wanted]) & np.isin(own.slot, own.slot[is_wanted])
    return _JudgedSelector(
        candidate,
        uncovered=int((is_wanted & ~candidate.covered).sum()),
        against_people=int((others & by_people).sum()),
        against_method=int((others & by_method & ~alike).sum()),
        extra=int(others.sum()),
    )


def _distinct(judged: Sequence[_JudgedSelector]) -> list[_JudgedSelector]:
    """Return the first four of those that cover the same blocks, which other pages tell apart; of fragile ones one."""
    found: dict[tuple[bytes, bool], int] = {}
    kept = []
    for each in judged:
        key = (each.candidate.covered.tobytes(), each.candidate.is_fragile)
        found[key] = found.get(key, 0) + 1
        if found[key] <= 1 + 3 * (not each.candidate.is_fragile):
            kept.append(each)
    return kept


def _on_site(
    pages: RulePages, page: int, own: KnownPage, wanted: Sequence[int], judged: Sequence[_JudgedSelector], *, keep: bool
) -> int:
    """Judge candidates on other pages of the site; return on how many."""
    others = pages.others_of_site(page)
    step = max(1, len(others) // MOST_PAGES)
    places = _own_places(own, wanted, keep=keep)
    looked_at = 0
    for number in others[::step][:MOST_PAGES]:
        try:
            other = pages.page(number)
        except DehuskError:
            continue  # its file is gone; the others still tell
        if other.host != own.host:
            continue
        looked_at += 1
        _add_page(other, judged, places, keep=keep)
    return looked_at


def _own_places(own: KnownPage, wanted: Sequence[int], *, keep: bool) -> Bools:
    """Return the places of the design at which everything that could be wanted is wanted."""
    _, by_method = own.should_be(kept=not keep)
    by_method[list(wanted)] = False
    chosen = own.slot[list(wanted)]
    return np.unique(chosen[~np.isin(chosen, own.slot[by_method])])


def _add_page(other: KnownPage, judged: Sequence[_JudgedSelector], places: Bools, *, keep: bool) -> None:
    by_people, by_method = other.should_be(kept=not keep)
    alike = np.isin(other.slot, places)
    masks = covered(other.blocks, [each.candidate.selector for each in judged])
    other.blocks.page.release()
    for each, mask in zip(judged, masks, strict=True):
        each.against_people += int((mask & by_people).sum())
        each.against_method += int((mask & by_method & ~alike).sum())
        each.missed += int((alike & ~mask).sum())
        each.covered += int(mask.sum())
        each.pages += bool(mask.any())


def _together(judged: Sequence[_JudgedSelector], wanted: Sequence[int]) -> list[_JudgedSelector]:
    """Return few candidates that cover all wanted blocks together; none if that takes too many."""
    left = set(wanted)
    chosen: list[_JudgedSelector] = []
    while left and len(chosen) < _MOST_SELECTORS:
        gains = [(len(left & set(positions(each.candidate.covered))), -index) for index, each in enumerate(judged)]
        gain, index = max(gains)
        if not gain:
            return []
        chosen.append(judged[-index])
        left -= set(positions(judged[-index].candidate.covered))
    return [] if left else chosen


def _joined(judged: Sequence[_JudgedSelector], wanted: Sequence[int], looked_at: int) -> dict[str, Any]:
    mask = np.logical_or.reduce([each.candidate.covered for each in judged])
    return {
        "selectors": [each.candidate.selector for each in judged],
        "covered": positions(mask),
        "uncovered": 0,
        "extra": int(mask.sum()) - len(wanted),
        "against": sum(each.against_people + each.against_method for each in judged),
        "elsewhere": sum(each.covered for each in judged),
        "pages": max(each.pages for each in judged),
        "of": looked_at,
        "fragile": any(each.candidate.is_fragile for each in judged),
    }
