"""User rules: what to keep or drop on a host, by CSS selector, whatever the method decides.

A rule applies to the blocks that lie completely inside an element that its selector matches; a block that only starts
or ends in such an element is not affected. If both a keep rule and a drop rule apply to a block, the innermost element
decides; if that is the same element, the block is kept. Selectors are those of turbohtml, which parsed the page.

A host may also have templates, whose rules are learned element by element (`dehusk.label.template_rules`). They label
pages together with the method; the rules that people write decide over both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property, state_without_cache
from dehusk.base.errors import ConfigError, require_type, unknown
from dehusk.base.given import read_given
from dehusk.base.store import stamp
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.counts.grouping import site_name, site_of
from dehusk.counts.templates import RULES_FILE
from dehusk.label.base import PageMethod
from dehusk.label.template_rules import TemplateRules, label_by_templates, toml_string
from dehusk.read.elements import check_selector
from dehusk.read.page import Bools, Ints

ANY_HOST = "*"
"""The section that applies to every host, and to pages whose host is unknown."""

ACTIONS = ("keep", "drop")
_RIGHT = "rules must be mappings of hosts to tuples of rules, as Rules.parse and Rules.load return them"


class Reach(IntEnum):
    """How far a rule reached on a page: what its selector matched."""

    NOTHING = 0
    """No element."""
    PARTS = 1
    """Elements, but none that contains a complete block."""
    BLOCKS = 2
    """Elements that contain blocks."""

    @property
    def affects_blocks(self) -> bool:
        """Whether the rule affects any block."""
        return self is Reach.BLOCKS

    def describe(self) -> str:
        """Describe the reach of a rule that affects no block."""
        return "matched no complete block" if self else "matched nothing"


@dataclass(frozen=True)
class Rule:
    """One selector of a rules file."""

    action: str
    """One of `ACTIONS`."""
    selector: str
    host: str
    """Host name, normalised by `dehusk.counts.grouping.site_name`; `ANY_HOST` for all hosts."""

    def __str__(self) -> str:
        return f"{self.action} {self.selector!r} for {'every host' if self.host == ANY_HOST else self.host}"


@dataclass(frozen=True, eq=False)
class RuleMatches:
    """What rules decide about the b blocks of one page; no block is both kept and dropped."""

    keep: Bools
    """(b,) whether a rule keeps the block."""
    drop: Bools
    """(b,) whether a rule drops the block."""
    rule: Sequence[Rule | None]
    """(b,) the rule that decided; None if no rule applies to the block."""
    reach: Mapping[Rule, Reach]
    """Rule -> what it matched, for each rule that applies to the page's host."""
    notes: tuple[str, ...]
    """One line for each rule without effect, each pair of contradicting rules, and an unknown host."""


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one file."""

    hosts: Mapping[str, tuple[Rule, ...]]
    """Host -> its rules in file order, keep rules before drop rules."""
    templates: Mapping[str, tuple[TemplateRules, ...]] = field(default_factory=dict)
    """Host -> the rules of its templates, if it has any."""

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]

    def __post_init__(self) -> None:
        for per_host in (self.hosts, self.templates):
            require_type(per_host, Mapping, _RIGHT)
            for own in per_host.values():
                require_type(own, tuple, _RIGHT)

    @classmethod
    def load(cls, path: str | Path) -> Rules:
        """Read a rules file; an unchanged file is read once.

        Raises:
            ConfigError: the file cannot be read, is not TOML, or has an unknown key, a wrong type or an invalid
                selector.
        """
        require_type(path, str | PathLike, "rules must be the path of a rules file")
        try:
            return _load(str(path), stamp([Path(path)]))
        except ValueError as error:  # an impossible file name
            raise ConfigError(f"rules {str(path)!r}: cannot be read: {error}") from error

    @classmethod
    def of_site(cls, folder: Path) -> Rules | None:
        """Return the rules of templates in the folder of a site model; None if it has none. Raises as `load`."""
        file = folder / RULES_FILE
        return cls.load(file) if file.is_file() else None

    @classmethod
    def parse(cls, text: str, name: str = "rules") -> Rules:
        """Read rules from TOML.

        Args:
            text: the TOML.
            name: name of the rules in error messages.

        Raises:
            ConfigError: as `load`.
        """
        require_type(text, str, "rules must be TOML in a str")
        return _parsed(text, name)

    def text(self) -> str:
        """Return the rules as a rules file."""
        hosts = dict.fromkeys([*self.hosts, *self.templates])
        return "\n".join(part for host in hosts for part in self._section(host))

    def _section(self, host: str) -> Iterator[str]:
        """Yield the parts of the section of a host."""
        quoted = toml_string(host)
        if own := self.hosts.get(host, ()):
            of_action = {action: [rule for rule in own if rule.action == action] for action in ACTIONS}
            lists = (
                f"{action} = [{', '.join(toml_string(rule.selector) for rule in rules)}]\n"
                for action, rules in of_action.items()
                if rules
            )
            yield f"[{quoted}]\n{''.join(lists)}"
        for template in self.templates.get(host, ()):
            yield f"[[{quoted}.templates]]\n{template.text()}"

    def __iter__(self) -> Iterator[Rule]:
        """Iterate over all rules, in the order of the file."""
        for rules in self.hosts.values():
            yield from rules

    def for_host(self, host: str) -> tuple[Rule, ...]:
        """Return the rules of a host or else of its nearest parent domain, then those for every host."""
        own: tuple[Rule, ...] = ()
        while host and not own:
            if host in self.hosts:
                own = self.hosts[host]
                break
            host = host.partition(".")[2]
        return own + self.hosts.get(ANY_HOST, ())

    @cached_property
    def _all_templates(self) -> tuple[TemplateRules, ...]:
        return tuple(template for templates in self.templates.values() for template in templates)

    def templates_for(self, host: str) -> tuple[TemplateRules, ...]:
        """Return the templates of a host or else of its nearest parent domain, or else those for every host.

        A page that names no host may be of any: the templates themselves tell which pages are like them.
        """
        if not host:
            return self._all_templates
        while host:
            if host in self.templates:
                return self.templates[host]
            host = host.partition(".")[2]
        return self.templates.get(ANY_HOST, ())

    def label(self, blocks: Blocks, method: PageMethod, *, explain: bool = False) -> Labels:
        """Label a page by the templates of its host, and by a method where they do not decide."""
        templates = self.templates_for(site_of(blocks.page)) if self.templates else ()
        if not templates:
            return method.label(blocks, explain=explain)
        return label_by_templates(templates, blocks, method, explain=explain)

    def match(self, blocks: Blocks) -> RuleMatches:
        """Apply the rules to a page's blocks; the result is cached with the blocks."""
        return _matches(blocks, self)


@cached_per_object
def _matches(blocks: Blocks, all_rules: Rules) -> RuleMatches:
    host = site_of(blocks.page)
    rules = all_rules.for_host(host)
    notes = []
    if not host and all_rules.hosts.keys() - {ANY_HOST}:
        notes.append("the page's host is unknown: only the rules for every host apply")
    if not rules:
        none = np.zeros(len(blocks), dtype=np.bool_)
        return RuleMatches(none, none, [None] * len(blocks), {}, tuple(notes))
    matched = _matched_nodes(blocks, [rule.selector for rule in rules])
    keep, drop = (_innermost(blocks, rules, matched, action) for action in ACTIONS)
    kept, dropped = (keep.node >= 0) & (keep.node >= drop.node), drop.node > keep.node
    notes += _contradictions(rules, keep, drop)
    deciding = np.where(kept, keep.rule, drop.rule).tolist()
    reach = {rule: _reach(blocks, nodes) for rule, nodes in zip(rules, matched, strict=True)}
    notes += [f"rule {rule} {reached.describe()}" for rule, reached in reach.items() if reached < Reach.BLOCKS]
    return RuleMatches(kept, dropped, [None if n < 0 else rules[n] for n in deciding], reach, tuple(notes))


@lru_cache(maxsize=16)
def _load(path: str, _stamp: tuple[tuple[int, int], ...]) -> Rules:
    try:
        text = read_given(path)
    except UnicodeDecodeError as error:
        raise ConfigError(f"rules {path}: not UTF-8: {error.reason} at byte {error.start}") from error
    except OSError as error:
        raise ConfigError(f"rules {path}: cannot be read: {error.strerror or error}") from error
    return Rules.parse(text, path)


@lru_cache(maxsize=8)  # the studio reads the text for each page
def _parsed(text: str, name: str) -> Rules:
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"rules {name}: {error}") from error
    hosts: dict[str, tuple[Rule, ...]] = {}
    templates: dict[str, tuple[TemplateRules, ...]] = {}
    for key, section in raw.items():
        host = _host(name, key, section)
        only_templates = set(section) == {"templates"}
        if (host in hosts and not only_templates) or (host in templates and "templates" in section):
            raise ConfigError(f"rules {name}: two sections for the host {host}")
        if not only_templates:
            hosts[host] = tuple(_rules(name, host, section))
        if "templates" in section:
            templates[host] = tuple(_templates(name, host, section["templates"]))
    return Rules(hosts, templates)


def _host(name: str, key: str, section: object) -> str:
    """Return the host of a section, normalised by `site_name`."""
    if not isinstance(section, dict):
        raise ConfigError(f'rules {name}: {key} must be a section: ["{key}"]')
    if key == ANY_HOST:
        return ANY_HOST
    if nested := [inner for inner, value in section.items() if isinstance(value, dict)]:
        raise ConfigError(f'rules {name}: quote the host of a section: ["{key}.{nested[0]}"]')
    host = site_name(key)
    if not host or any(mark in key for mark in "/*@?#:\\ \t"):
        raise ConfigError(f'rules {name}: {key!r} is not a host name, e.g. example.org; "{ANY_HOST}" is for every host')
    return host


def _rules(name: str, host: str, section: Mapping[str, Any]) -> Iterator[Rule]:
    """Yield the distinct rules of a section."""
    known = (*ACTIONS, "templates")
    if new := section.keys() - set(known):
        raise ConfigError(f"rules {name}: {host}: {unknown('key', min(new), known)}")
    for action in ACTIONS:
        selectors = section.get(action, [])
        if not isinstance(selectors, list) or not all(isinstance(selector, str) for selector in selectors):
            raise ConfigError(f"rules {name}: {host}: {action} must be a list of CSS selectors, not {selectors!r}")
        for selector in dict.fromkeys(selectors):
            try:
                check_selector(selector)
            except ValueError as error:
                reason = " ".join(str(error).split())
                raise ConfigError(f"rules {name}: {host}: {action} {selector!r}: {reason}") from error
            yield Rule(action, selector, host)


def _templates(name: str, host: str, tables: object) -> Iterator[TemplateRules]:
    """Yield the templates of a section."""
    if not isinstance(tables, list):
        raise ConfigError(f'rules {name}: {host}: write templates as [["{host}".templates]]')
    for number, table in enumerate(tables):
        try:
            yield TemplateRules.of(table)
        except ConfigError as error:
            raise ConfigError(f"rules {name}: {host}: template {number + 1}: {error}") from error


def covered(blocks: Blocks, selectors: Sequence[str]) -> list[Bools]:
    """Return for each selector the blocks that it applies to, shape (b,): those inside an element that it matches.

    Raises:
        ValueError: a selector is invalid.
    """
    matched = _matched_nodes(blocks, selectors)
    return [blocks.page.within(nodes[nodes >= 0])[blocks.node] > 0 for nodes in matched]


def _matched_nodes(blocks: Blocks, selectors: Sequence[str]) -> list[Ints]:
    """Return for each selector the nodes that it matches, ascending; -1 for elements that are not nodes."""
    elements = blocks.page.elements
    selected = [elements.select(selector) for selector in selectors]
    rows = elements.rows_of([element for matches in selected for element in matches])
    ends = np.cumsum([0, *map(len, selected)])
    return [np.unique(rows[start:end]) for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]


@dataclass(frozen=True, eq=False)
class _Innermost:
    """The innermost element around each block that rules with one action match."""

    node: Ints
    """(b,) the element; -1 for none."""
    rule: npt.NDArray[np.intp]
    """(b,) the index of the first rule that matches it; -1 for none."""


def _innermost(blocks: Blocks, rules: Sequence[Rule], matched: Sequence[Ints], action: str) -> _Innermost:
    page = blocks.page
    rule_of = np.full(len(page) + 1, -1, dtype=np.intp)  # the last entry is for blocks outside all matched elements
    for index in reversed(range(len(rules))):
        if rules[index].action == action:
            rule_of[matched[index][matched[index] >= 0]] = index
    node = page.nearest(rule_of[:-1] >= 0)[blocks.node]
    return _Innermost(node, rule_of[node])


def _contradictions(rules: Sequence[Rule], keep: _Innermost, drop: _Innermost) -> list[str]:
    """Return a line for each pair of rules that match the same blocks."""
    both = (keep.node >= 0) & (drop.node >= 0)
    columns = (keep.rule[both], drop.rule[both], keep.node[both] >= drop.node[both])
    count: dict[tuple[int, int], list[int]] = {}
    for first, second, kept in zip(*map(np.ndarray.tolist, columns), strict=True):
        count.setdefault((first, second), [0, 0])[0 if kept else 1] += 1
    return [
        f"rules {rules[first]} and {rules[second]} contradict each other: the innermost element decided; "
        f"blocks kept: {kept}, dropped: {dropped}"
        for (first, second), (kept, dropped) in sorted(count.items())
    ]


def _reach(blocks: Blocks, nodes: Ints) -> Reach:
    if not len(nodes):
        return Reach.NOTHING
    inside = blocks.page.within(nodes[nodes >= 0])[blocks.node]
    return Reach.BLOCKS if inside.any() else Reach.PARTS
