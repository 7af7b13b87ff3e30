"""Learn the rules of a site's templates from what a method keeps of its pages.

Pages that are built alike form a template (`dehusk.counts.templates`). Of each, an element becomes a rule if at least
`LEAST` pages have it. Pages vote, once for keeping a block of the element and once for dropping one:

- With `AGREEMENT` of the votes, the element is kept or dropped everywhere.
- An element of short texts, such as a value, is as most pages have it: what is kept on one page and dropped on the next
  of the same template is noise of the method.
- A text that `REPEATED` pages repeat decides for itself, if it decides otherwise than its element and is no code.
- All other elements are left to the method.

On halves of 40 sites with ten pages and more, pages that were not learned from gain .006 of F1 over the method with the
site's evidence, and no site loses more than .005 (`bench/site_evidence.py`). Votes of a method without that evidence
gain only .002, and one site loses .06.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks
from dehusk.blocks.labels import CONTINUATION, KINDS, Labels
from dehusk.counts.slots import LONG, block_slots, slot_path
from dehusk.counts.templates import group_pages
from dehusk.label.base import PageMethod
from dehusk.label.template_rules import MOST_PATH, MOST_TEXT, Action, ElementRule, TemplateRules

AGREEMENT = 0.9
"""From .8 to 1, the 40 sites score alike within .001; with .7, one site loses .17."""
LEAST, REPEATED = 2, 3
"""Pages of an element, and of a text. With 3 and 3, the gain is a quarter smaller."""
MOSTLY = 0.9
"""Share of an element's blocks that are short if it is one of short texts; of its kept blocks that have its kind."""
_CERTAIN = 0.001  # a file has three digits, and there 0 and 1 are of people
MOST_TEXTS = 2_000
"""Texts of a template that become rules, those on most pages."""


@dataclass(frozen=True)
class Votes:
    """What pages keep and drop of an element or of a text."""

    kept: int
    dropped: int
    pages: int

    @classmethod
    def of(cls, flags: Iterable[set[bool]]) -> Votes:
        """Return the votes of pages, given what each does with the blocks."""
        each = list(flags)
        return cls(sum(True in flag for flag in each), sum(False in flag for flag in each), len(each))

    @property
    def share(self) -> float:
        """Share of the votes for keeping."""
        return self.kept / (self.kept + self.dropped)

    @property
    def probability(self) -> float:
        """Probability of content, with half a vote more on either side; never so certain as what people write."""
        return min(max((self.kept + 0.5) / (self.kept + self.dropped + 1), _CERTAIN), 1 - _CERTAIN)

    def action(self, *, short: bool) -> Action:
        """Return what to do; with short texts, the majority decides."""
        if self.share >= AGREEMENT or (short and self.pages >= REPEATED and self.share >= 1 / 2):
            return "keep"
        if self.share <= 1 - AGREEMENT or (short and self.pages >= REPEATED):
            return "drop"
        return "ask"


@dataclass
class _Element:
    """An element of a template, as its pages have it."""

    path: str
    pages: list[list[tuple[str, int, bool, int]]] = field(default_factory=list)
    """The blocks of each page: text, words, whether it is kept, and kind."""

    def rules(self) -> Iterator[ElementRule]:
        """Yield the rule of the element, and those of texts that it repeats and that decide otherwise."""
        if len(self.pages) < LEAST or len(self.path) > MOST_PATH or not _is_writable(self.path):
            return
        texts = {} if _is_literal(self.path) else self._texts()
        varying = [[block for block in page if block[0] not in texts] for page in self.pages]
        voting = [page for page in varying if page] or self.pages
        blocks = [block for page in voting for block in page]
        short = sum(words < LONG for _, words, _, _ in blocks) >= MOSTLY * len(blocks)
        votes = Votes.of({kept for _, _, kept, _ in page} for page in voting)
        action = votes.action(short=short)
        yield ElementRule(action, self.path, len(self.pages), votes.probability, self._kind(action))
        for text, own in texts.items():
            decision = own.action(short=len(text.split()) < LONG)
            if decision not in (action, "ask") and _is_writable(text):
                yield ElementRule(decision, self.path, own.pages, own.probability, self._kind(decision), text)

    def _texts(self) -> dict[str, Votes]:
        """Return text -> the votes of pages that have it, of texts that `REPEATED` pages have."""
        flags: dict[str, list[set[bool]]] = {}
        for page in self.pages:
            of_page: dict[str, set[bool]] = {}
            for text, words, kept, _ in page:
                if words and len(text) <= MOST_TEXT:
                    of_page.setdefault(text, set()).add(kept)
            for text, each in of_page.items():
                flags.setdefault(text, []).append(each)
        return {text: Votes.of(each) for text, each in flags.items() if len(each) >= REPEATED}

    def _kind(self, action: Action) -> str:
        """Return the kind of most of the kept blocks; "" if they differ, or are to be dropped."""
        kinds = Counter(kind for page in self.pages for _, _, kept, kind in page if kept)
        [(kind, count)] = kinds.most_common(1) or [(CONTINUATION, 0)]
        same = action == "keep" and kind != CONTINUATION and count >= MOSTLY * kinds.total()
        return KINDS[kind] if same else ""


def _is_literal(path: str) -> bool:
    """Return whether an element is preformatted: the same line of code on several pages is no template."""
    return any(step.partition(".")[0] == "pre" for step in path.split(" > "))


def _is_writable(text: str) -> bool:
    """Return whether a text can be written to a file: it has no half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def learn_templates(pages: Iterable[Blocks], method: PageMethod) -> tuple[TemplateRules, ...]:
    """Return the rules of the templates of a site's pages, that with most pages first.

    Args:
        pages: the blocks of pages of one site; each is read once.
        method: a method with the evidence of the site.
    """
    return learn_from_labels(map(method.label, pages), getattr(method, "style", "auto"))


def learn_from_labels(pages: Iterable[Labels], style: str = "auto") -> tuple[TemplateRules, ...]:
    """Return the rules of the templates of a site's pages, given their labels, of whoever they are.

    Args:
        pages: labelled pages; each is read once.
        style: how much of a page the labels keep.
    """
    labelled = [_PageElements.of(labels) for labels in pages if len(labels)]
    group = group_pages([seen.slots for seen in labelled])
    return tuple(
        TemplateRules(str(number + 1), int((group == number).sum()), rules, style)
        for number in range(int(group.max(initial=-1)) + 1)
        if (rules := _rules([labelled[page] for page in np.flatnonzero(group == number).tolist()]))
    )


@dataclass(frozen=True)
class _PageElements:
    """What is remembered of a page: its elements, in document order."""

    slots: Keys
    """Keys of its distinct slots."""
    elements: dict[int, tuple[str, list[tuple[str, int, bool, int]]]]
    """Slot -> its path, and its blocks."""

    @classmethod
    def of(cls, labels: Labels) -> _PageElements:
        """Return what is remembered of a labelled page."""
        blocks = labels.blocks
        slots = block_slots(blocks)
        columns = [column.tolist() for column in (slots, blocks.words, labels.kept, labels.label, blocks.node)]
        elements: dict[int, tuple[str, list[tuple[str, int, bool, int]]]] = {}
        for text, slot, words, kept, kind, node in zip(blocks.texts, *columns, strict=True):
            if slot not in elements:
                elements[slot] = slot_path(blocks.page, node), []
            elements[slot][1].append((text[: MOST_TEXT + 1], words, kept, kind))
        return cls(np.unique(slots), elements)


def _rules(pages: list[_PageElements]) -> tuple[ElementRule, ...]:
    """Return the rules of a template, in the order of its elements on its pages."""
    elements: dict[int, _Element] = {}
    for page in pages:
        for slot, (path, blocks) in page.elements.items():
            elements.setdefault(slot, _Element(path)).pages.append(blocks)
    rules = [rule for element in elements.values() for rule in element.rules()]
    of_texts = sorted((rule for rule in rules if rule.text), key=lambda rule: -rule.pages)
    left_out = {id(rule) for rule in of_texts[MOST_TEXTS:]}
    return tuple(rule for rule in rules if id(rule) not in left_out)
