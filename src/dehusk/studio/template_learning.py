"""The rules of a host's templates, learned from its pages in the project and from what people said of them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dehusk.base.errors import ConfigError, DehuskError
from dehusk.blocks.annotation import UNLABELLED
from dehusk.blocks.labels import OTHER, Labels, relabelled
from dehusk.label.compiling import learn_from_labels
from dehusk.label.rules import Rules
from dehusk.label.template_rules import ACTIONS, CERTAIN, ElementRule, TemplateRules, with_edits
from dehusk.studio.opened import MOST_PAGES
from dehusk.studio.project import RULES
from dehusk.studio.rule_editing import rules_text, set_templates
from dehusk.studio.rule_pages import KnownPage, RulePages


class LearnedTemplates:
    """Templates that were learned and are not written yet; safe to use from several threads."""

    def __init__(self, pages: RulePages) -> None:
        self._pages = pages
        self._lock = threading.Lock()
        self._learned: dict[str, tuple[TemplateRules, ...]] = {}

    def learn(self, host: str) -> tuple[TemplateRules, ...]:
        """Learn the templates of a host, with the rules that people changed, and remember them until they are written.

        Raises:
            ConfigError: no two of its pages are built alike.
        """
        learned = learn_from_labels(_labelled(self._pages, host), self._pages.style)
        if not learned:
            raise ConfigError(f"no two pages of {host} are built alike: there is no template")
        learned = with_edits(learned, Rules.parse(rules_text(self._pages.project), RULES).templates.get(host, ()))
        with self._lock:
            self._learned[host] = learned
        return learned

    def of(self, host: str) -> tuple[TemplateRules, ...]:
        """Return what was learned last of a host; learn it if nothing was. Raises as `learn`."""
        with self._lock:
            known = self._learned.get(host)
        return known or self.learn(host)

    def write(self, host: str) -> None:
        """Write the templates of a host to the project's rules file.

        Raises:
            ConfigError, InputError: as `learn`, and as `set_templates`.
        """
        set_templates(self._pages.project, host, self.of(host), f"learn the templates of {host}")
        with self._lock:
            self._learned.pop(host, None)


def with_learned(rules: Rules, host: str, templates: tuple[TemplateRules, ...]) -> Rules:
    """Return rules with other templates of a host."""
    return Rules(rules.hosts, {**rules.templates, host: templates})


def _labelled(pages: RulePages, host: str) -> Iterator[Labels]:
    numbers = pages.pages_of(host)
    step = max(1, len(numbers) // MOST_PAGES)
    for number in numbers[::step][:MOST_PAGES]:
        try:
            known = pages.page(number, of_site=True)
        except DehuskError:
            continue  # its file is gone; the others still tell
        yield _with_people(known)
        known.blocks.page.release()


def _with_people(known: KnownPage) -> Labels:
    """Return the labels of the method, and of people where they labelled."""
    labels = known.by_method
    kept = np.where(known.labels != UNLABELLED, known.labels < OTHER, labels.kept)
    return replace(labels, kept=kept, label=relabelled(labels, kept))


def summary(template: TemplateRules) -> dict[str, Any]:
    """Return what lists say of a template."""
    actions = [rule.action for rule in template.elements]
    counts = {action: actions.count(action) for action in ACTIONS}
    return {"name": template.name, "pages": template.pages, "rules": len(actions)} | counts


def rows(template: TemplateRules) -> list[dict[str, Any]]:
    """Return the rules of a template as plain values."""
    return [
        {name: getattr(rule, name) for name in ("action", "path", "text", "kind", "pages", "probability")}
        for rule in template.elements
    ]


def change_row(pages: RulePages, host: str, wanted: Mapping[str, Any]) -> None:
    """Change what a rule of a template does, in the project's rules file.

    Args:
        pages: the pages of the project.
        host: the host of the template.
        wanted: `template` its name, `path`, `text` and the new `action` of the rule.

    Raises:
        ConfigError: there is no such rule, or no such action.
        InputError: the file cannot be read or written.
    """
    action = wanted.get("action")
    if action not in ACTIONS:
        raise ConfigError(f"a rule of a template is {', '.join(ACTIONS)}, not {action!r}")
    key = tuple(wanted.get(name) for name in ("path", "text"))
    found = False
    templates = []
    for template in Rules.parse(rules_text(pages.project), RULES).templates.get(host, ()):
        elements: list[ElementRule] = []
        for rule in template.elements:
            is_it = template.name == wanted.get("template") and (rule.path, rule.text) == key
            elements.append(replace(rule, action=action, probability=CERTAIN[action]) if is_it else rule)
            found |= is_it
        templates.append(replace(template, elements=tuple(elements)))
    if not found:
        raise ConfigError("the rules file has no such rule of a template")
    set_templates(pages.project, host, templates, f"{action} {key[0]} in a template of {host}")
