"""Rules of a site's templates, element by element, with which its pages are cleaned by look-up, without a model.

They are learned from labels of a site's pages (`dehusk.label.compiling`), stand in a rules file below the rules that
people write for the host, and can be read and edited like these:

    [["example.org".templates]]
    name = "1"
    pages = 212
    elements = [
        { keep = "body > div.content > p", kind = "paragraph", pages = 212, probability = 0.98 },
        { drop = "body > div.content > p", text = "Advertisement", pages = 40, probability = 0.01 },
        { ask = "body > div.content > div", pages = 60, probability = 0.55 },
    ]

A path names an element by the tag and the first class of each element from the body on, as `dehusk.counts.slots` has
them, and decides for the blocks whose innermost element it is; with `text`, for those with this text. `ask` leaves them
to the method.

A page is of the template that its elements are most like. If the blocks that the template does not decide have few of
the page's words (`UNDECIDED`), no model is asked: what is to be asked is kept if it is likely, and an unknown element
is as the block before. Otherwise the site has changed, or the page is unlike its others: then the method labels the
page, and the template decides only what it knows. Then the method fills the slots of the page: a byline and a price are
kept, although other pages have something else in their place. What people wrote into the rules wins over all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property, state_without_cache
from dehusk.base.errors import ConfigError, counted, unknown
from dehusk.base.hashing import Keys, contains
from dehusk.blocks import Blocks
from dehusk.blocks.labels import KINDS, OTHER, Labels, by_markup, relabelled
from dehusk.counts.slots import LONG, block_slots, path_slots
from dehusk.counts.templates import KNOWN, PathShares
from dehusk.label.base import PageMethod
from dehusk.label.styles import STYLES
from dehusk.read.page import Bools

Action = Literal["keep", "drop", "ask"]
ACTIONS: tuple[Action, ...] = ("drop", "keep", "ask")
"""What a rule does; a decision is the index of one of the first two."""
CERTAIN: dict[str, float] = {"drop": 0.0, "keep": 1.0, "ask": 0.5}
"""The probability of content where people say what to do."""
Outcome = Literal["looked-up", "drifted", "unknown", "other-style"]
"""What is done with a page: no method is asked; it is asked for what the template does not decide; for the whole page,
because that is like none of the templates; or because these are of another style."""

UNDECIDED = 0.02
"""Share of a page's words in blocks that its template does not decide, up to which no model is asked. On halves of 40
sites, word F1 is the same as with the model on what is not decided, up to a share of .1; but text could be lost."""
LONGEST = 20
"""Words of such a block, from which the model is asked."""
SURE = 0.75
"""Probability that a long text is content, or is not, from which a method that is asked decides: where all other pages
have links, one may have a list of its description. It takes nothing from the gain on the 40 sites."""
MOST_PATH, MOST_TEXT = 1_000, 200
"""Characters of a path and of a text."""
_UNKNOWN = 0.5  # the probability of a block that no rule decides

_FIELDS = {"keep": str, "drop": str, "ask": str, "text": str, "kind": str, "pages": int, "probability": float | int}
_TEMPLATE_FIELDS = {"name": str, "pages": int, "style": str, "elements": list}


@dataclass(frozen=True)
class ElementRule:
    """What to do with an element of a template.

    Raises:
        ConfigError: a value is invalid.
    """

    action: Action
    path: str
    """As `dehusk.counts.slots.slot_path` writes it."""
    pages: int = 1
    """Pages that have the element."""
    probability: float = 1.0
    """That its blocks are content."""
    kind: str = ""
    """One of `KINDS`, of blocks that are kept; "" to tell by the markup."""
    text: str = ""
    """The text of the blocks; "" for all other blocks of the element."""

    def __post_init__(self) -> None:
        if not 0 < len(self.path) <= MOST_PATH or len(self.text) > MOST_TEXT:
            raise ConfigError(f"a path has 1 to {MOST_PATH} characters, a text {MOST_TEXT} at most")
        if self.kind and (self.kind not in KINDS or self.kind == KINDS[OTHER]):
            raise ConfigError(unknown("kind", self.kind, [kind for kind in KINDS if kind != KINDS[OTHER]]))
        if self.pages < 1 or not 0 <= self.probability <= 1:
            raise ConfigError("pages must be at least 1, and probability between 0 and 1")

    @classmethod
    def of(cls, row: object) -> ElementRule:
        """Return the rule of a row of a rules file; raises `ConfigError` if it is none."""
        fields = _checked(row, _FIELDS)
        actions = [action for action in ACTIONS if action in fields]
        if len(actions) != 1:
            raise ConfigError("an element needs one of keep, drop, ask")
        [action] = actions
        rest = {name: value for name, value in fields.items() if name != action}
        return cls(action, fields[action], **{"probability": CERTAIN[action], **rest})

    def row(self) -> dict[str, object]:
        """Return the rule as a row of a rules file."""
        row: dict[str, object] = {self.action: self.path}
        row |= {"text": self.text} if self.text else {}
        row |= {"kind": self.kind} if self.kind else {}
        return row | {"pages": self.pages, "probability": round(self.probability, 3)}


def toml_string(text: str) -> str:
    """Return a text as a string of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_pairs(row: Mapping[str, object]) -> str:
    pairs = ((name, toml_string(value) if isinstance(value, str) else value) for name, value in row.items())
    return ", ".join(f"{name} = {value}" for name, value in pairs)


def _checked(row: object, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of a rules file, whose keys and types are checked."""
    if not isinstance(row, dict):
        raise ConfigError(f"{row!r} is not a table")
    if new := row.keys() - types.keys():
        raise ConfigError(unknown("key", min(new), list(types)))
    for name, value in row.items():
        if not isinstance(value, types[name]) or isinstance(value, bool):
            raise ConfigError(f"{name} has a wrong type: {value!r}")
    return row


@dataclass(frozen=True, eq=False)
class Decisions:
    """What a template decides about the b blocks of a page."""

    rule: npt.NDArray[np.intp]
    """(b,) index of the rule that applies to the block; -1 for none."""
    action: npt.NDArray[np.int8]
    """(b,) 1 to keep, 0 to drop the block, -1 to leave it to the method."""
    template: TemplateRules
    complete: bool
    """Whether the page needs no method."""

    @property
    def decided(self) -> Bools:
        """Whether the template decides the block, shape (b,)."""
        return self.action >= 0

    @property
    def probability(self) -> npt.NDArray[np.float64]:
        """The probability of each block, shape (b,), that it is content."""
        return self.template.columns.probability.take(self.rule)

    @property
    def kinds(self) -> npt.NDArray[np.int16]:
        """The index into `KINDS` of each block, shape (b,), if it is kept; -1 to tell by the markup."""
        return self.template.columns.kind.take(self.rule)

    @property
    def by_people(self) -> Bools:
        """Whether people decided the block, shape (b,): certainly, or against the probability."""
        return self.template.columns.by_people.take(self.rule)


class _Columns(NamedTuple):
    """The columns of r rules; the last row is that of no rule."""

    action: npt.NDArray[np.int8]
    """(r + 1,) as in `Decisions`."""
    probability: npt.NDArray[np.float64]
    kind: npt.NDArray[np.int16]
    by_people: Bools


@dataclass(frozen=True)
class TemplateRules:
    """The rules of a template."""

    name: str
    pages: int
    """Pages that they were learned from."""
    elements: tuple[ElementRule, ...]
    style: str = "auto"
    """How much of a page they keep."""

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]

    @classmethod
    def of(cls, table: object) -> TemplateRules:
        """Return the template of a table of a rules file; raises `ConfigError` if it is none."""
        fields = _checked(table, _TEMPLATE_FIELDS)
        if missing := [name for name in ("name", "pages", "elements") if name not in fields]:
            raise ConfigError(f"{missing[0]} is missing")
        if fields["pages"] < 1:
            raise ConfigError("pages must be at least 1")
        if (style := fields.get("style", "auto")) not in STYLES:
            raise ConfigError(unknown("style", style, STYLES))
        elements = []
        for number, row in enumerate(fields["elements"]):
            try:
                elements.append(ElementRule.of(row))
            except ConfigError as error:
                raise ConfigError(f"element {number + 1}: {error}") from error
        return cls(fields["name"], fields["pages"], tuple(elements), style)

    @cached_property
    def _places(self) -> tuple[Keys, npt.NDArray[np.intp]]:
        """The slots of rules for elements, ascending, and the index of the rule of each; the last of several counts."""
        rows = [number for number, rule in enumerate(self.elements) if not rule.text]
        slots = path_slots([self.elements[number].path for number in rows])
        last = dict(zip(slots.tolist(), rows, strict=True))
        return np.array(sorted(last), np.uint64), np.array([last[slot] for slot in sorted(last)], np.intp)

    @cached_property
    def _texts(self) -> dict[int, dict[str, int]]:
        """Slot -> text -> the index of its rule."""
        rows = [number for number, rule in enumerate(self.elements) if rule.text]
        texts: dict[int, dict[str, int]] = {}
        for slot, number in zip(path_slots([self.elements[n].path for n in rows]).tolist(), rows, strict=True):
            texts.setdefault(slot, {})[self.elements[number].text] = number
        return texts

    @cached_property
    def _text_slots(self) -> Keys:
        """The slots with rules for texts, ascending."""
        return np.array(sorted(self._texts), np.uint64)

    @cached_property
    def columns(self) -> _Columns:
        """The columns of the rules."""
        action = np.array([*({"drop": 0, "keep": 1}.get(rule.action, -1) for rule in self.elements), -1], np.int8)
        likely = np.array([*(rule.probability for rule in self.elements), _UNKNOWN], np.float64)
        kind = np.array([*(KINDS.index(rule.kind) if rule.kind else -1 for rule in self.elements), -1], np.int16)
        against = (likely >= _UNKNOWN) != (action == 1)
        return _Columns(action, likely, kind, (action >= 0) & (against | (likely == action)))

    @cached_property
    def shares(self) -> PathShares:
        """The elements, and the share of the pages that have each."""
        slots, rules = self._places
        pages = np.array([self.elements[rule].pages for rule in rules.tolist()], dtype=np.float64)
        return PathShares(slots, np.minimum(pages / self.pages, 1.0))

    def text(self) -> str:
        """Return the template as the lines of a rules file, below its header."""
        head = {"name": toml_string(self.name), "pages": self.pages, "style": toml_string(self.style)}
        lines = "".join(f"    {{ {_toml_pairs(rule.row())} }},\n" for rule in self.elements)
        return "".join(f"{name} = {value}\n" for name, value in head.items()) + f"elements = [\n{lines}]\n"

    def decide(self, blocks: Blocks, slots: Keys) -> Decisions:
        """Return what the rules say about a page's blocks.

        Args:
            blocks: the b blocks.
            slots: (b,) the slot of each.
        """
        known, rules = self._places
        at = known.searchsorted(slots)
        rule = np.where(np.append(known, 0).take(at) == slots, np.append(rules, -1).take(at), -1)
        rule[at == len(known)] = -1
        for block in contains(self._text_slots, slots).nonzero()[0].tolist():
            rule[block] = self._texts[int(slots[block])].get(blocks.text_of(block), rule[block])
        action = self.columns.action.take(rule)
        words = np.where(action < 0, blocks.words, 0)
        complete = words.sum() <= UNDECIDED * blocks.words.sum() and words.max(initial=0) < LONGEST
        return Decisions(rule, action, self, bool(complete))

    @property
    def by_people(self) -> tuple[ElementRule, ...]:
        """The rules that people wrote or changed: certain ones, and those against their probability."""
        return tuple(rule for rule, edited in zip(self.elements, self.columns.by_people, strict=False) if edited)

    def edited(self, rules: Sequence[ElementRule]) -> TemplateRules:
        """Return the template with some rules in the place of those for the same blocks."""
        places = {(rule.path, rule.text) for rule in rules}
        others = (rule for rule in self.elements if (rule.path, rule.text) not in places)
        return replace(self, elements=(*others, *rules))

    def reason(self, rule: int) -> str:
        """Return in words why a rule says what it does."""
        element = self.elements[rule]
        what = "the text" if element.text else "the element"
        done = {"keep": "kept", "drop": "dropped", "ask": "not decided"}[element.action]
        return f"{what} is {done} in template {self.name} ({counted(element.pages, 'page')}; {element.probability:.2f})"


def with_edits(learned: Sequence[TemplateRules], before: Sequence[TemplateRules]) -> tuple[TemplateRules, ...]:
    """Return templates with the rules of people from the templates before that they are most like.

    Args:
        learned: the templates of a host.
        before: those of the same host that were learned before, and edited.
    """
    found = []
    for template in learned:
        fitting = [each for each in before if each.style == template.style]
        likeness = [each.shares.likeness(template.shares.keys) for each in fitting]
        nearest = fitting[int(np.argmax(likeness))] if max(likeness, default=0) >= KNOWN else None
        found.append(template.edited(nearest.by_people) if nearest else template)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class TemplateMatch:
    """What the templates of its host say of a page."""

    outcome: Outcome
    note: str
    """The same in words."""
    decisions: Decisions | None = None


@cached_per_object
def match_templates(blocks: Blocks, templates: Sequence[TemplateRules], style: str) -> TemplateMatch:
    """Return what the templates of its host say of a page; the result is cached with the blocks."""
    fitting = [template for template in templates if template.style == style]
    if not fitting:
        return TemplateMatch("other-style", f"its site's templates are not of style {style}: labelled by the method")
    slots = block_slots(blocks)
    distinct = np.unique(slots)
    likeness = [template.shares.likeness(distinct) for template in fitting]
    best = int(np.argmax(likeness))
    if not len(blocks) or likeness[best] < KNOWN:
        return TemplateMatch("unknown", "like none of its site's templates: labelled by the method")
    template = fitting[best]
    decisions = template.decide(blocks, slots)
    if decisions.complete:
        return TemplateMatch("looked-up", f"labelled by template {template.name}", decisions)
    share = blocks.words[~decisions.decided].sum() / max(int(blocks.words.sum()), 1)
    note = f"template {template.name} does not decide {share:.0%} of the words: labelled by the method, too"
    return TemplateMatch("drifted", note, decisions)


def label_by_templates(
    templates: Sequence[TemplateRules], blocks: Blocks, method: PageMethod, *, explain: bool = False
) -> Labels:
    """Label a page by the template that it is of, and by a method where no template decides.

    Args:
        templates: the templates of the page's host.
        blocks: the blocks of the page.
        method: the method. If it has a function `filled`, that fills the slots of the page: byline, date, price.
        explain: give a reason for each block.
    """
    match = match_templates(blocks, templates, getattr(method, "style", "auto"))
    decisions = match.decisions
    if decisions is None:
        labels = method.label(blocks, explain=explain)
        return _noted(labels, match) if len(blocks) else labels
    if not decisions.complete:
        labels = _overlaid(method.label(blocks, explain=explain), decisions)
    elif explain:
        labels = _explained(_looked_up(blocks, decisions), decisions, method.label(blocks, explain=True))
    else:
        labels = _looked_up(blocks, decisions)
    filled: Callable[[Labels], Labels] = getattr(method, "filled", lambda same: same)
    return _as_people_say(filled(_noted(labels, match)), decisions)


def _noted(labels: Labels, match: TemplateMatch) -> Labels:
    return replace(labels, notes=(*labels.notes, match.note), by_template=match.outcome)


def _overlaid(labels: Labels, decisions: Decisions) -> Labels:
    """Return the labels of a method, with those of the template where it decides and the method is not sure."""
    template = decisions.template
    agreed = np.where(labels.kept, labels.probability, 1 - labels.probability)  # a likely F may keep what is unlikely
    sure = (agreed >= SURE) & (labels.blocks.words >= LONG)
    kept = np.where(decisions.decided & ~sure, decisions.action == 1, labels.kept)
    new = kept != labels.kept
    likely = np.where(new, decisions.probability, labels.probability)
    reasons = [
        template.reason(rule) if changed else reason
        for rule, changed, reason in zip(decisions.rule.tolist(), new.tolist(), labels.reasons, strict=False)
    ]
    return replace(labels, kept=kept, label=relabelled(labels, kept), probability=likely, reasons=reasons)


def _looked_up(blocks: Blocks, decisions: Decisions) -> Labels:
    """Return the labels of a page for which no method is asked."""
    likely, kinds = decisions.probability, decisions.kinds
    action = np.where(decisions.decided, decisions.action, likely >= _UNKNOWN)
    last = np.maximum.accumulate(np.where(decisions.rule >= 0, np.arange(len(blocks)), -1))
    kept = (last >= 0) & (action.take(last) == 1)
    told = kinds >= 0
    label = np.where(kept & told, kinds, by_markup(blocks, kept & ~told)).astype(np.uint8)
    return Labels(blocks, label, likely, kept)


def _explained(labels: Labels, decisions: Decisions, alone: Labels) -> Labels:
    """Return labels with the reasons of the template, and what the method alone would say."""
    template, rules = decisions.template, decisions.rule.tolist()
    others = f"template {template.name} does not know the element: as the block before"
    own = [template.reason(rule) if rule >= 0 else others for rule in rules]
    reasons = [f"{reason}; the method alone: {other}" for reason, other in zip(own, alone.reasons, strict=False)]
    evidence = [
        {**other, "template": {"name": template.name, **(template.elements[rule].row() if rule >= 0 else {})}}
        for rule, other in zip(rules, alone.evidence, strict=False)
    ]
    return replace(labels, reasons=reasons or own, evidence=evidence)


def _as_people_say(labels: Labels, decisions: Decisions) -> Labels:
    """Return labels that follow what people wrote into the rules, whatever a method is sure of."""
    kept = np.where(decisions.by_people, decisions.action == 1, labels.kept)
    if (kept == labels.kept).all():
        return labels
    likely = np.where(decisions.by_people, decisions.action, labels.probability).astype(np.float64)
    return replace(labels, kept=kept, label=relabelled(labels, kept), probability=likely)
