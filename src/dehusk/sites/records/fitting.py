"""From the places of a template to columns: divided, typed, joined where they say the same, named."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from dehusk.base.hashing import contains, span_keys
from dehusk.blocks.units.keys import Indices
from dehusk.counts.display import normalise_attribute
from dehusk.read.page import Page
from dehusk.read.xpath import xpaths
from dehusk.sites.records.columns import Reading, RecordColumn, constant_ends, separator_of
from dehusk.sites.records.layout import Layout, Omitted, learn_layout
from dehusk.sites.records.lexicon import Lexicon, label_key, label_text, learn_lexicon
from dehusk.sites.records.pieces import Pieces, link_addresses
from dehusk.sites.records.runs import Runs, runs_of
from dehusk.sites.records.value_types import ColumnType, column_type

# ---------------------------------------------------------------- naming
# Names of columns: the label beside the values, constant words in them, itemprop, class, heading, or the tag.

MAX_NAME = 60
_PLAIN_CLASS = re.compile(
    r"(?:(?:[a-z]{1,3}-)?(?:col|row|span|grid|cell|pull|push|offset|order|text|font|align|float|clear|margin|padding|"
    r"m[btlrxy]?|p[btlrxy]?|d|w|h|is|has|left|right|center|centre|top|bottom|first|last|odd|even|active|inner|outer|"
    r"wrap|wrapper|container|content|contents|box|block|item|items|list|main|section|body|page|bold|small|big|large|"
    r"normal|hidden|visible|inline|flex|even|module|mod|line|element|value|label|link|no|on|off|"
    r"clearfix|cleartype|roundify|cf|fix|group|nowrap|bg|css|js|sc|style|yui|ui|uix)"
    r"(?:[-_]?(?:\d+|xs|sm|md|lg|xl|left|right|center|inner|outer|wrap|wrapper|box|fix))*|[a-z]{1,2}\d*|.*\d{3,}.*|"
    r"css-.*|sc-.*|[a-zA-Z]{1,3}\d\w*|(?=[a-z]*\d)[a-z0-9]{6,10})",
    re.IGNORECASE,
)
"""Classes that say how an element looks, not what it holds."""
_VAGUE = frozenset(("name", "value", "url", "text", "item", "id"))
_LAST = 100
_CAPITAL = re.compile(r"[^\W\d_a-z][^.!?]{1,30}")
_LEVELS = 3
"""Elements above a value, its own included, whose classes can name it."""
_TAG_NAMES = {"h1": "title", "time": "date", "address": "address", "caption": "caption", "blockquote": "quote"}
_PLAIN_TAGS = {"img": "image", "a": "link", "td": "cell", "li": "item", "b": "bold", "strong": "bold"}


@dataclass(frozen=True)
class NameEvidence:
    """What may name a column, of one of its values."""

    page: Page
    element: int
    """Element that holds the value."""
    label: str = ""
    """Label before it."""
    constant: str = ""
    """Constant words around it."""
    before: str = ""
    """Template text before it."""
    heading: str = ""
    """Heading before it."""
    type: str = ""
    """Type of the values, if it may name them: that of a part of a text."""
    data: str = ""
    """Property of linked data, such as "offers.price"."""

    def candidates(self) -> Iterator[tuple[int, str, str]]:
        """Yield rank, name and what the name comes from, the best first."""
        for rank, (text, source) in enumerate(self._names()):
            name = _short(label_text(text))
            if any(map(str.isalpha, name)):
                yield rank, name, source

    def _names(self) -> Iterator[tuple[str, str]]:
        constant = self.constant.strip("()[]|/-–—•· ")
        yield self.label, "label"
        yield "" if self.data else self._column_header(), "column header"
        yield "" if self.data else self._attribute("itemprop"), "itemprop"
        yield _property(self.data), "linked data"
        yield "" if self.data else _TAG_NAMES.get(self._tag(), ""), "tag"
        yield self.type, "type"
        yield constant if _CAPITAL.match(constant) else "", "constant text"
        yield self._class(), "class"
        yield constant, "constant text"
        yield self.heading, "heading"
        yield self.before, "text before"
        yield "" if self.data else _PLAIN_TAGS.get(self._tag(), "text"), "tag"

    def _above(self) -> Iterator[int]:
        node = self.element
        for _ in range(_LEVELS):
            if node <= 0:
                return
            yield node
            node = int(self.page.parent[node])

    def _attribute(self, name: str) -> str:
        return next((value for node in self._above() if (value := self.page.attribute(node, name))), "")

    def _column_header(self) -> str:
        """Return the text of the header cell above the value in a table."""
        cells = [node for node in self._above() if self.page.tag_name(node) == "td"]
        table = self._nearest(cells[0], "table") if cells else -1
        if table < 0:
            return ""
        index = self._index(cells[0])
        header = next((n for n in range(table, int(self.page.end[table])) if self.page.tag_name(n) == "th"), -1)
        row = int(self.page.parent[header]) if header >= 0 else -1
        if row < 0 or row >= int(self.page.parent[cells[0]]):
            return ""
        child, position = row + 1, 0
        while child < int(self.page.end[row]):
            if self.page.tag_name(child) in ("td", "th"):
                if position == index:
                    return self.page.text_of(child)
                position += 1
            child = int(self.page.end[child])
        return ""

    def _nearest(self, node: int, tag: str) -> int:
        while node > 0 and self.page.tag_name(node) != tag:
            node = int(self.page.parent[node])
        return node if node > 0 else -1

    def _index(self, cell: int) -> int:
        """Return how many cells of its row come before a cell."""
        child, position = int(self.page.parent[cell]) + 1, 0
        while child < cell:
            position += self.page.tag_name(child) in ("td", "th")
            child = int(self.page.end[child])
        return position

    def _class(self) -> str:
        if self.data:
            return ""
        for node in self._above():
            names = self.page.class_names[int(self.page.class_code[node])].split()
            names += self.page.id_names[int(self.page.id_code[node])].split()
            for name in names:
                if not _PLAIN_CLASS.fullmatch(name) and len(name) > 2:
                    return normalise_attribute("class", name).strip(".") and name
        return ""

    def _tag(self) -> str:
        return self.page.tag_name(self.element)


def best_name(evidence: Iterable[NameEvidence]) -> tuple[int, str, str]:
    """Return the best name that some values of a column suggest, with its rank and what it comes from."""
    names = (candidate for one in evidence for candidate in one.candidates())
    return min(names, key=lambda candidate: candidate[0], default=(_LAST, "field", "none"))


def _property(path: str) -> str:
    """Return the last part of the path of a property that says what it is: "brand" of "brand.name"."""
    parts = [part for part in path.split(".") if part]
    return next((part for part in reversed(parts) if part not in _VAGUE), parts[-1] if parts else "")


def _short(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1].rstrip() + "…"


class UniqueNames:
    """Numbers names that are taken: "price", "price 2"."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.casefold() for name in taken}

    def take(self, name: str) -> str:
        """Return the name, with a number if it is taken."""
        number, unique = 2, name
        while unique.casefold() in self._taken:
            unique, number = f"{name} {number}", number + 1
        self._taken.add(unique.casefold())
        return unique


# ---------------------------------------------------------------- fitting

SAME_VALUES = 0.95
"""Two columns are one if so many of the records that have both have the same value in both."""
RESERVED = ("page", "url", "template", "record", "places")
"""Columns that every table has, or that tell its rows apart."""
TOGETHER = 0.02
"""Two columns with the same label are one if at most this share of their records have both."""
REPEATED = 0.9
"""A column repeats what is known if so many of its values do."""
LINKED = 0.8
"""A column has a second one with addresses if so many of its values are in links."""
SECTION_WORDS = 6
"""Texts under one heading are one column if they have so many words on average."""
MAX_COLUMNS = 1000
"""Columns of a template, unless the user chooses another number."""
IMAGE_CHANNEL, DATA_CHANNEL = 1, 2
_MIN_SAME = 2
_WORDS = re.compile(r"[^\W_]+")
_SAMPLE = 12  # pages of which links are read


@dataclass
class Draft:
    """A column before it has its name."""

    readings: tuple[Reading, ...]
    many: bool
    values: dict[int, list[str]]
    """Record -> its values."""
    evidence: tuple[NameEvidence, ...]
    """What may name it; the first is of its first reading."""
    type: ColumnType = field(default_factory=ColumnType)
    section: int = 0
    """Key of the heading before the values, if that is what tells them apart."""
    is_whole: bool = False
    order: float = 0.0
    """Where the values are on pages, on average."""
    is_linked: bool = False
    """Whether the values are texts of links that lead to different addresses."""

    @property
    def channel(self) -> int:
        """Index of the channel."""
        return self.readings[0].channel

    @property
    def is_labelled(self) -> bool:
        """Whether a label stands before the values."""
        return bool(self.evidence[0].label)


@dataclass(frozen=True, eq=False)
class Channel:
    """What is learned of the texts, the images or the linked data of records."""

    lexicon: Lexicon
    layout: Layout


@dataclass(frozen=True, eq=False)
class Learned:
    """What is learned from the records of one template."""

    channels: tuple[Channel, ...]
    """One for each of `CHANNELS`."""
    columns: tuple[RecordColumn, ...]
    records: int
    omitted: Omitted


@dataclass(frozen=True, eq=False)
class Owners:
    """The pages of records."""

    pages: Sequence[Page]
    """(r,) the page of each record."""
    language: str
    """The language of most pages, "" if it is not known."""
    known: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    """Column -> record -> the folded text of what is known already; columns that repeat it are left out."""
    limit: int = MAX_COLUMNS
    """Number of columns, at most; those with most values are kept."""


def learn_columns(channels: Sequence[Pieces], owners: Owners) -> Learned:
    """Learn the columns of a template from records.

    Args:
        channels: the pieces of all records in each of the `CHANNELS`.
        owners: the pages of the records.
    """
    records = len(owners.pages)
    learned, drafts, omitted = [], [], []
    for number, pieces in enumerate(channels):
        lexicon = learn_lexicon(pieces.only(pieces.has_ink), records)
        runs = runs_of(pieces, lexicon)
        points = np.frombuffer(pieces.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        layout, left_out = learn_layout(runs, span_keys(points, runs.start, runs.end), records)
        learned.append(Channel(lexicon, layout))
        omitted.append(left_out)
        drafts += _ordered(_drafts(runs, layout, owners, number), runs, layout)
    drafts = _without_known(drafts, owners.known)
    drafts = _with_sections_joined([part for draft in drafts for part in _divided(draft, owners.language)])
    drafts = _with_same_label_joined(_with_copies_joined(drafts))
    drafts.sort(key=lambda draft: (-len(draft.values), draft.order))
    surplus = max(0, len(drafts) - owners.limit)
    columns = tuple(_named(drafts[: owners.limit], UniqueNames((*RESERVED, *owners.known))))
    return Learned(tuple(learned), columns, records, replace(omitted[0], surplus=surplus))


def _drafts(runs: Runs, layout: Layout, owners: Owners, channel: int) -> list[Draft]:
    """Return a draft for each place of a channel."""
    place = layout.place_of(runs)
    known = np.flatnonzero(place >= 0)
    values: list[dict[int, list[str]]] = [{} for _ in range(len(layout.places))]
    rows = zip(place[known].tolist(), runs.record[known].tolist(), runs.strings(known), strict=True)
    for number, record, text in rows:
        values[number].setdefault(record, []).append(text)
    first = np.full(len(layout.places), -1)
    first[place[known][::-1]] = known[::-1]
    linked = _are_linked(runs, place, owners.pages, len(layout.places)) if channel == 0 else [False] * len(first)
    many, in_section = layout.many.tolist(), contains(layout.by_heading, runs.key)
    return [
        Draft(
            readings=(Reading(number, channel=channel),),
            many=many[number],
            values=values[number],
            evidence=(_evidence(runs, run, owners.pages, channel),),
            type=ColumnType("image" if channel == IMAGE_CHANNEL else "text"),
            section=int(runs.heading_key[run]) if in_section[run] and runs.label[run] < 0 else 0,
            is_linked=linked[number],
        )
        for number, run in enumerate(first.tolist())
    ]


def _are_linked(runs: Runs, place: Indices, pages: Sequence[Page], places: int) -> list[bool]:
    """Return which places hold texts of links to different addresses, by a sample of the pages."""
    if not places:
        return []
    link = runs.pieces.link.take(runs.first)
    known = place >= 0
    share = np.bincount(place[known], weights=link[known] >= 0, minlength=places)
    is_linked = share >= LINKED * np.bincount(place[known], minlength=places)
    sample = {id(pages[n]) for n in range(0, len(pages), -(-len(pages) // _SAMPLE))}
    rows = np.flatnonzero(known & (link >= 0) & is_linked.take(np.maximum(place, 0)))
    found: list[set[str]] = [set() for _ in range(places)]
    seen = [0] * places
    for number, node, record in zip(place[rows].tolist(), link[rows].tolist(), runs.record[rows].tolist(), strict=True):
        if id(pages[record]) in sample and seen[number] < 2 * _SAMPLE:
            seen[number] += 1
            found[number].add(link_addresses(pages[record]).get(node, "").partition("#")[0].strip())
    return [len(hrefs - {""}) > max(1, count // 2) for hrefs, count in zip(found, seen, strict=True)]


def _evidence(runs: Runs, run: int, pages: Sequence[Page], channel: int) -> NameEvidence:
    pieces = runs.pieces

    def text(column: Indices) -> str:
        return pieces.string(int(column[run])) if column[run] >= 0 else ""

    first = int(runs.first[run])
    page, node = pages[int(runs.record[run])], int(pieces.node[first])
    return NameEvidence(
        page=page,
        element=node if channel else int(page.parent[node]),
        label="" if channel else text(runs.label),
        before=text(runs.before) if not channel and _is_beside(runs, run) else "",
        heading="" if channel else text(runs.heading),
        data=pieces.names[first] if pieces.names else "",
    )


def _is_beside(runs: Runs, run: int) -> bool:
    """Return whether the template text before a value is in an element beside it."""
    parent, before = runs.pieces.parent, int(runs.before[run])
    return before >= 0 and bool(parent[before] == parent[runs.first[run]])


def _divided(draft: Draft, language: str) -> list[Draft]:
    """Return a draft without constant words, divided at separators, with types."""
    if draft.type.name == "image":
        return [draft]
    flat = [text for texts in draft.values.values() for text in texts]
    typed = partial(column_type, language=language, is_data=draft.channel == DATA_CHANNEL)
    type_ = typed(flat)
    if type_.name != "text" or draft.many:
        return [replace(draft, type=type_)]
    prefix, suffix = constant_ends(flat, every=draft.is_labelled)
    reading = replace(draft.readings[0], prefix=prefix, suffix=suffix)
    flat = [value for text in flat if (value := reading.value(text))]
    evidence = (replace(draft.evidence[0], constant=suffix or prefix),)
    separator, types = separator_of(flat, language)
    if not separator:
        return [_read(replace(draft, type=typed(flat), evidence=evidence), reading)] if flat else []
    names = tuple(type_.name for type_ in types)
    readings = [replace(reading, separator=separator, types=names, part=part) for part in range(len(types))]
    found = [
        _read(replace(draft, type=type_, evidence=_of_part(evidence, type_)), reading)
        for type_, reading in zip(types, readings, strict=True)
    ]
    return [part for part in found if len({text for texts in part.values.values() for text in texts}) > 1]


def _of_part(evidence: tuple[NameEvidence, ...], type_: ColumnType) -> tuple[NameEvidence, ...]:
    """Return what names a part of a text: its type, if it is not text and there is no label."""
    is_named = type_.name == "text" or any(one.label for one in evidence)
    return evidence if is_named else tuple(replace(one, type=type_.name) for one in evidence)


def _read(draft: Draft, reading: Reading) -> Draft:
    """Return a draft with the values that a reading gives."""
    values = {
        record: found
        for record, texts in draft.values.items()
        if (found := [value for text in texts if (value := reading.value(text))])
    }
    return replace(draft, readings=(reading,), values=values)


def folded(text: str) -> str:
    """Return a text for comparison: without case, punctuation and repeated white space."""
    return " ".join(_WORDS.findall(text.casefold()))


def _with_copies_joined(drafts: list[Draft]) -> list[Draft]:
    """Join columns that have the same values; those with labels, then those with more values, lead."""
    order = sorted(
        range(len(drafts)),
        key=lambda n: (drafts[n].many, drafts[n].channel, not drafts[n].is_labelled, -len(drafts[n].values), n),
    )
    same: Counter[tuple[int, int]] = Counter()
    for bucket in _by_value(drafts, order):
        same.update((bucket[0], other) for other in bucket[1:])
    leader = list(range(len(drafts)))
    for (one, other), count in sorted(same.items(), key=lambda item: (-item[1], item[0])):
        lead, copy = drafts[one], drafts[other]
        both = sum(record in lead.values for record in copy.values)
        are_free = leader[one] == one and leader[other] == other and lead.many == copy.many
        overlap = 2 * both >= min(len(lead.values), len(copy.values))
        if are_free and overlap and count >= max(_MIN_SAME, SAME_VALUES * both):
            leader[other] = one
    members = defaultdict(list)
    for number in order:
        members[leader[number]].append(number)
    return [_joined([drafts[number] for number in numbers]) for numbers in members.values()]


def _without_known(drafts: list[Draft], known: Mapping[str, Mapping[int, str]]) -> list[Draft]:
    """Return the drafts that do not just repeat what is known."""
    return [draft for draft in drafts if not any(_repeats(draft, values) for values in known.values())]


def _repeats(draft: Draft, values: Mapping[int, str]) -> bool:
    both = [record for record in draft.values if record in values]
    same = sum(folded(draft.values[record][0]) == values[record] for record in both)
    return 2 * len(both) >= len(draft.values) and same >= REPEATED * len(both) > 0


def _with_sections_joined(drafts: list[Draft]) -> list[Draft]:
    """Join the running texts under one heading: paragraphs, items, quotations."""
    sections: dict[int, list[Draft]] = defaultdict(list)
    found = []
    for draft in drafts:
        is_text = draft.type.name == "text" and draft.section and not draft.readings[0].separator
        words = sum(text.count(" ") + 1 for texts in draft.values.values() for text in texts) if is_text else 0
        if words >= SECTION_WORDS * sum(map(len, draft.values.values())) > 0:
            sections[draft.section].append(draft)
        else:
            found.append(draft)
    for parts in sections.values():
        joined = _joined(sorted(parts, key=lambda part: -len(part.values)))
        found.append(replace(joined, is_whole=True, many=True, is_linked=False))
    return found


def _by_value(drafts: list[Draft], order: list[int]) -> list[list[int]]:
    """Return the numbers of the drafts that have the same value in a record, for each record and value."""
    buckets: dict[tuple[int, str], list[int]] = {}
    for number in order:
        for record, texts in drafts[number].values.items():
            buckets.setdefault((record, folded("\n".join(texts))), []).append(number)
    return [bucket for bucket in buckets.values() if len(bucket) > 1]


def _joined(drafts: list[Draft]) -> Draft:
    """Return drafts as one; the first that has a value in a record counts."""
    if len(drafts) == 1:
        return drafts[0]
    values: dict[int, list[str]] = {}
    for draft in drafts:
        for record, texts in draft.values.items():
            values.setdefault(record, texts)
    readings = tuple(reading for draft in drafts for reading in draft.readings)
    evidence = tuple(one for draft in drafts for one in draft.evidence)
    return replace(drafts[0], readings=readings, values=values, evidence=evidence)


def _with_same_label_joined(drafts: list[Draft]) -> list[Draft]:
    """Join columns with the same label of which hardly any record has two."""
    labels: dict[tuple[int, bool], list[Draft]] = defaultdict(list)
    found = []
    for draft in drafts:
        if draft.is_labelled:
            labels[label_key(draft.evidence[0].label), draft.many].append(draft)
        else:
            found.append(draft)
    for alike in labels.values():
        alike.sort(key=lambda draft: -len(draft.values))
        total = sum(len(draft.values) for draft in alike)
        union = len({record for draft in alike for record in draft.values})
        if total - union <= TOGETHER * union:
            found.append(_joined(alike))
        else:
            found += alike
    return found


def _ordered(drafts: list[Draft], runs: Runs, layout: Layout) -> list[Draft]:
    """Return drafts in the order in which their places follow each other on pages, on average."""
    place = layout.place_of(runs)
    known = np.flatnonzero(place >= 0)
    size = np.bincount(runs.record, minlength=1)
    offset = np.arange(len(runs)) - (np.cumsum(size) - size).take(runs.record)
    share = offset / np.maximum(size.take(runs.record), 1)
    total = np.bincount(place[known], weights=share[known], minlength=len(layout.places))
    mean = total / np.maximum(np.bincount(place[known], minlength=len(layout.places)), 1)
    for draft in drafts:
        draft.order = draft.channel + float(mean[draft.readings[0].place])
    return drafts


def _named(drafts: list[Draft], names: UniqueNames) -> list[RecordColumn]:
    """Return columns in the order of the page; the best evidence for a name gets it."""
    drafts = sorted(drafts, key=lambda draft: (draft.order, draft.readings[0].part))
    named = [best_name(draft.evidence) for draft in drafts]
    taken = {}
    for number in sorted(range(len(drafts)), key=lambda number: (named[number][0], number)):
        taken[number] = names.take(named[number][1])
    columns = []
    for number, xpath in enumerate(_places([draft.evidence[0] for draft in drafts])):
        draft = drafts[number]
        column = RecordColumn(
            name=taken[number],
            type=draft.type,
            many=draft.many,
            readings=draft.readings,
            evidence=named[number][2],
            records=len(draft.values),
            example=next(iter(draft.values.values()))[0],
            xpath=xpath if draft.channel != DATA_CHANNEL else "",
            is_whole=draft.is_whole,
        )
        columns.append(column)
        if draft.is_linked:
            named_address = replace(column, name=names.take(f"{column.name} address"), type=ColumnType("address"))
            columns.append(replace(named_address, evidence="link", is_link=True, example=_address_of(draft)))
    return columns


def _address_of(draft: Draft) -> str:
    page, node = draft.evidence[0].page, draft.evidence[0].element
    while node > 0 and page.tag_name(node) != "a":
        node = int(page.parent[node])
    return link_addresses(page).get(node, "")


def _places(evidence: Sequence[NameEvidence]) -> list[str]:
    """Return the XPath of the element around each value."""
    nodes: dict[int, tuple[Page, set[int]]] = {}
    for one in evidence:
        nodes.setdefault(id(one.page), (one.page, set()))[1].add(one.element)
    found = {key: xpaths(page, chosen) for key, (page, chosen) in nodes.items()}
    return [found[id(one.page)][one.element] for one in evidence]
