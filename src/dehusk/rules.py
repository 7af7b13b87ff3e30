"""Rules of a person for hosts: what must be kept or dropped there, by CSS selector, whatever a method says.

A rule takes the blocks that lie in an element which its selector names, as a whole: of a block that only begins or
ends in such an element nothing can be taken. Where one block is named by both kinds of rule, the innermost element
decides, and where that is the same, the block is kept. Selectors are turbohtml's, which found the page's elements.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.errors import ConfigError
from dehusk.page import Bools, Ints
from dehusk.read.elements import check_selector
from dehusk.site.grouping import site_name, site_of
from dehusk.store import stamp

EVERY = "*"
"""The section for every host, known or not."""

KINDS = ("keep", "drop")


class Reach(IntEnum):
    """How far a rule reached on a page."""

    NOTHING = 0
    """Its selector named no element."""
    PARTS = 1
    """It named elements, and none of them holds a whole block."""
    BLOCKS = 2
    """It named elements with blocks in them."""

    def describe(self) -> str:
        """Return it in words, for a rule that came short."""
        return "matched no whole block" if self else "matched nothing"


@dataclass(frozen=True)
class Rule:
    """One selector of a file."""

    kind: str
    """One of `KINDS`."""
    selector: str
    host: str
    """As `dehusk.site.grouping.site_name` writes it; `EVERY` for all hosts."""

    def __str__(self) -> str:
        return f"{self.kind} {self.selector!r} of {'every host' if self.host == EVERY else self.host}"


@dataclass(frozen=True, eq=False)
class RuleMatches:
    """What rules say of the b blocks of one page; no block is both kept and dropped."""

    keep: Bools
    """(b,) blocks that must be kept."""
    drop: Bools
    """(b,) blocks that must be dropped."""
    rule: Sequence[Rule | None]
    """(b,) the rule that decided, None where no rule speaks of the block."""
    reach: Mapping[Rule, Reach]
    """Of each rule that holds for the page's host."""
    notes: tuple[str, ...]
    """Rules that matched nothing, rules that contradict each other, a host that is not known."""


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one file."""

    hosts: Mapping[str, tuple[Rule, ...]]
    """Host -> its rules, in the order of the file, those that keep first."""

    @classmethod
    def load(cls, path: str | Path) -> Rules:
        """Read a file of rules; one that has not changed is not read again.

        Raises:
            ConfigError: it cannot be read, is no TOML, or has an unknown key, a wrong type, an invalid selector.
        """
        try:
            return _load(str(path), stamp([Path(path)]))
        except ValueError as error:  # a name that no file can have
            raise ConfigError(f"rules {str(path)!r}: not readable: {error}") from error

    @classmethod
    def parse(cls, text: str, name: str = "rules") -> Rules:
        """Read rules from TOML text; raises `ConfigError` as `load` does."""
        try:
            raw = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise ConfigError(f"rules {name}: {error}") from error
        hosts: dict[str, tuple[Rule, ...]] = {}
        for key, section in raw.items():
            host = _host(name, key, section)
            if host in hosts:
                raise ConfigError(f"rules {name}: two sections are of the host {host}")
            hosts[host] = tuple(_rules(name, host, section))
        return cls(hosts)

    def __iter__(self) -> Iterator[Rule]:
        """Go through all rules, in the order of the file."""
        for rules in self.hosts.values():
            yield from rules

    def of_host(self, host: str) -> tuple[Rule, ...]:
        """Return the rules of a host: its own, else those of the nearest domain above it; then those of every host."""
        own: tuple[Rule, ...] = ()
        while host and not own:
            if host in self.hosts:
                own = self.hosts[host]
                break
            host = host.partition(".")[2]
        return own + self.hosts.get(EVERY, ())

    def of(self, blocks: Blocks) -> RuleMatches:
        """Return what the rules say of a page's blocks; asked again, the same answer is given at once."""
        return _matches(blocks, self)


@cached_per_object
def _matches(blocks: Blocks, all_rules: Rules) -> RuleMatches:
    host = site_of(blocks.page)
    rules = all_rules.of_host(host)
    notes = []
    if not host and all_rules.hosts.keys() - {EVERY}:
        notes.append("the page's host is not known: only rules of every host hold for it")
    named = _named(blocks, rules)
    keep, drop = (_innermost(blocks, rules, named, kind) for kind in KINDS)
    kept, dropped = (keep.node >= 0) & (keep.node >= drop.node), drop.node > keep.node
    notes += _contradictions(rules, keep, drop)
    deciding = np.where(kept, keep.rule, drop.rule).tolist()
    reach = {rule: _reach(blocks, nodes) for rule, nodes in zip(rules, named, strict=True)}
    notes += [f"rule {rule} {reached.describe()}" for rule, reached in reach.items() if reached < Reach.BLOCKS]
    return RuleMatches(kept, dropped, [None if n < 0 else rules[n] for n in deciding], reach, tuple(notes))


@lru_cache(maxsize=16)
def _load(path: str, _stamp: tuple[tuple[int, int], ...]) -> Rules:
    try:
        text = Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"rules {path}: not UTF-8: {error.reason} at byte {error.start}") from error
    except OSError as error:
        raise ConfigError(f"rules {path}: not readable: {error.strerror or error}") from error
    return Rules.parse(text, path)


def _host(name: str, key: str, section: object) -> str:
    """Return the host that a section is of, in the form that pages' hosts have."""
    if not isinstance(section, dict):
        raise ConfigError(f'rules {name}: {key} must be a section, as ["{key}"]')
    if key == EVERY:
        return EVERY
    if nested := [inner for inner, value in section.items() if isinstance(value, dict)]:
        raise ConfigError(f'rules {name}: a host stands in quotes, as ["{key}.{nested[0]}"]')
    host = site_name(key)
    if not host or any(mark in key for mark in "/*@?#:\\ \t"):
        raise ConfigError(f'rules {name}: {key!r} is no host; example.org is one, "{EVERY}" stands for every host')
    return host


def _rules(name: str, host: str, section: Mapping[str, Any]) -> Iterator[Rule]:
    """Yield the rules of a section, each once."""
    if unknown := section.keys() - set(KINDS):
        raise ConfigError(f"rules {name}: unknown key {min(unknown)!r} of {host}; known: {', '.join(KINDS)}")
    for kind in KINDS:
        selectors = section.get(kind, [])
        if not isinstance(selectors, list) or not all(isinstance(selector, str) for selector in selectors):
            raise ConfigError(f"rules {name}: {kind} of {host} must be a list of CSS selectors, not {selectors!r}")
        for selector in dict.fromkeys(selectors):
            try:
                check_selector(selector)
            except ValueError as error:
                said = " ".join(str(error).split())
                raise ConfigError(f"rules {name}: {kind} {selector!r} of {host}: {said}") from error
            yield Rule(kind, selector, host)


def _named(blocks: Blocks, rules: Sequence[Rule]) -> list[Ints]:
    """Return for each rule the nodes that its selector names, rising; -1 stands for elements that are no nodes."""
    elements = blocks.page.elements
    found = [elements.select(rule.selector) for rule in rules]
    rows = elements.rows_of([element for listed in found for element in listed])
    ends = np.cumsum([0, *map(len, found)])
    return [np.unique(rows[start:end]) for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]


@dataclass(frozen=True, eq=False)
class _Innermost:
    """The innermost element around each block that rules of one kind name."""

    node: Ints
    """(b,) -1 where there is none."""
    rule: npt.NDArray[np.intp]
    """(b,) the number of the first rule that names it, -1 where there is none."""


def _innermost(blocks: Blocks, rules: Sequence[Rule], named: Sequence[Ints], kind: str) -> _Innermost:
    page = blocks.page
    rule_of = np.full(len(page) + 1, -1, dtype=np.intp)  # the last place is for blocks in none of them
    for number in reversed(range(len(rules))):
        if rules[number].kind == kind:
            rule_of[named[number][named[number] >= 0]] = number
    node = page.nearest(rule_of[:-1] >= 0)[blocks.node]
    return _Innermost(node, rule_of[node])


def _contradictions(rules: Sequence[Rule], keep: _Innermost, drop: _Innermost) -> list[str]:
    """Return a line for each pair of rules that name the same blocks."""
    both = (keep.node >= 0) & (drop.node >= 0)
    columns = (keep.rule[both], drop.rule[both], keep.node[both] >= drop.node[both])
    count: dict[tuple[int, int], list[int]] = {}
    for first, second, kept in zip(*map(np.ndarray.tolist, columns), strict=True):
        count.setdefault((first, second), [0, 0])[0 if kept else 1] += 1
    return [
        f"rules {rules[first]} and {rules[second]} contradict each other: the innermost element decided, "
        f"{kept} blocks kept, {dropped} dropped"
        for (first, second), (kept, dropped) in sorted(count.items())
    ]


def _reach(blocks: Blocks, nodes: Ints) -> Reach:
    if not len(nodes):
        return Reach.NOTHING
    inside = blocks.page.within(nodes[nodes >= 0])[blocks.node]
    return Reach.BLOCKS if inside.any() else Reach.PARTS
