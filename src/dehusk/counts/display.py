"""The display of tags: one key per tag for its name and display attributes (Yi & Liu 2003, section 3.2).

Display attributes are the class, the inline style and HTML 4's presentation attributes. `id`, `data-*` and addresses do
not count: they differ between pages that look the same. For the same reason all numbers in classes are
treated as equal, addresses in styles are dropped, and the order of attributes and classes is ignored. The class of the
body does not count either: it names the type of page or even the page, not how the body looks. By option, the rules
of the page's own style sheets count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.errors import printable
from dehusk.base.hashing import Keys, pair_keys
from dehusk.base.lazy import pattern
from dehusk.compiled.text import text_key
from dehusk.read.page import Bools, Ints, Page

# ---------------------------------------------------------------- sheets
# The display properties that a page's own style sheets give its elements (Yi & Liu 2003, section 3.1).
#
# The paper attaches the properties of style sheets in the page source to tag nodes, as it does those of attributes.
# Rules of style elements for screens count that are outside of `@media` and the like and have selectors of tags,
# classes, ids, descendants and children. If several rules declare a property of an element, the most specific counts,
# and of those the last. What elements inherit, states such as `:hover`, and `!important` between rules are left out.

_MAX_SOURCE = 64_000  # characters of a page's style sheets that are read
_MAX_RULES = 400  # rules of a page that are matched, the most specific ones, and
_MAX_STEPS = 8  # elements that a selector names, so that the work is linear in the nodes of the page

_DISPLAY = (
    "background", "border", "clear", "color", "display", "float", "font", "height", "letter-spacing", "line-height",
    "list-style", "margin", "max-", "min-", "opacity", "padding", "position", "text-", "vertical-align", "visibility",
    "white-space", "width", "word-spacing",
)  # fmt: skip
"""How names of display properties start; the rest, such as cursors and transitions, does not show on a still page."""
_SIMPLE = pattern(r"[\w.#\s>*-]+")
_PART = pattern(r"\s*>\s*|\s+|[^\s>]+")
_COMPOUND = pattern(r"(\*|[\w-]+)?((?:[.#][\w-]+)*)")
ADDRESS = pattern(r"url\([^()]*\)?")
"""An address in a style; it differs between pages that look the same."""


@dataclass(frozen=True)
class _Compound:
    """What a selector asks of one element: tag, classes and ids."""

    tag: str
    """"" for any."""
    names: tuple[str, ...]
    """Classes with ".", ids with "#"."""


@dataclass(frozen=True)
class _DisplayRule:
    """A selector and what it declares."""

    steps: tuple[tuple[bool, _Compound], ...]
    """From the outermost element to the one that the rule is for; True if it must be a child of the one before."""
    specificity: tuple[int, int, int]
    declarations: tuple[tuple[str, str], ...]
    """(property, value) in lower case, values without spaces and addresses."""


@dataclass(frozen=True, eq=False)
class SheetDisplay:
    """The display properties of the n nodes of a page by its style sheets."""

    keys: Keys
    """(n,) key of the properties of each node; 0 for none."""
    texts: dict[int, str]
    """Key -> the properties as readable text."""


@cached_per_object
def sheet_display(page: Page) -> SheetDisplay:
    """Return the display properties that the style elements of a page declare for its elements."""
    keys = np.zeros(len(page), dtype=np.uint64)
    rules = list(_rules(page)) if len(page) else []
    if not rules:
        return SheetDisplay(keys, {})
    columns, declared = _columns(page, rules)
    declared_keys = np.array([0, *map(text_key, declared[1:])], dtype=np.uint64)
    for column in columns.values():
        keys += declared_keys.take(column)
    distinct, first = np.unique(keys, return_index=True)
    names = sorted(columns)
    texts = {
        key: " ".join(declared[columns[name][node]] for name in names if columns[name][node])
        for key, node in zip(distinct.tolist(), first.tolist(), strict=True)
        if key
    }
    return SheetDisplay(keys, texts)


def _columns(page: Page, rules: list[_DisplayRule]) -> tuple[dict[str, Ints], list[str]]:
    """Return property -> number of its declaration at each node, shape (n,), 0 for none; and the declarations."""
    matcher = _Matcher(page)
    numbers: dict[str, int] = {"": 0}
    columns: dict[str, Ints] = {}
    matching = [rule for rule in sorted(rules, key=lambda rule: rule.specificity) if matcher.may_match(rule)]
    for rule in matching[-_MAX_RULES:]:
        nodes = np.flatnonzero(matcher.mask(rule))
        for name, value in rule.declarations if len(nodes) else ():
            if name not in columns:
                columns[name] = np.zeros(len(page), dtype=np.int32)
            columns[name][nodes] = numbers.setdefault(f"{name}:{value}", len(numbers))
    return columns, list(numbers)


class _Matcher:
    """Matches selectors with the nodes of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        elements = np.flatnonzero(~page.is_text)
        tags, first = np.unique(page.tag[elements], return_index=True)
        self._tags = {
            page.tag_name(int(elements[row])): tag for tag, row in zip(tags.tolist(), first.tolist(), strict=True)
        }
        self._codes: dict[str, list[int]] = {}
        for sign, attributes in ((".", page.class_names), ("#", page.id_names)):
            for code, attribute in enumerate(attributes):
                for name in set(attribute.split()):
                    self._codes.setdefault(sign + name, []).append(code)
        self._masks: dict[_Compound, Bools] = {}

    def may_match(self, rule: _DisplayRule) -> bool:
        """Return whether the page has all tags, classes and ids that a rule names."""
        return all(
            (not compound.tag or compound.tag in self._tags) and all(name in self._codes for name in compound.names)
            for _, compound in rule.steps
        )

    def mask(self, rule: _DisplayRule) -> Bools:
        """Return which nodes a rule applies to, shape (n,)."""
        matched = self._mask(rule.steps[0][1])
        for is_child, compound in rule.steps[1:]:
            if is_child:
                inside = matched[self._page.parent]
                inside[0] = False
            else:
                inside = self._page.within(np.flatnonzero(matched)) > matched
            matched = self._mask(compound) & inside
        return matched

    def _mask(self, compound: _Compound) -> Bools:
        if compound not in self._masks:
            mask = ~self._page.is_text
            if compound.tag:
                mask &= self._page.tag == self._tags[compound.tag]
            for name in compound.names:
                mask &= self._has(name)
            self._masks[compound] = mask
        return self._masks[compound]

    def _has(self, name: str) -> Bools:
        is_class = name.startswith(".")
        table = self._page.class_names if is_class else self._page.id_names
        has_name = np.zeros(len(table), dtype=np.bool_)
        has_name[self._codes[name]] = True
        codes: npt.NDArray[np.integer] = self._page.class_code if is_class else self._page.id_code
        return has_name.take(codes)


def _rules(page: Page) -> Iterator[_DisplayRule]:
    """Yield the rules of the style elements that readers of a page see, in order."""
    left = _MAX_SOURCE
    for element in page.elements.select("style"):
        media = str(element.attr("media") or "all").lower()
        inert = element.parent is not None and element.parent.tag in ("noscript", "template")
        if inert or not ("all" in media or "screen" in media):
            continue
        sheet = element.text[:left]
        left -= len(sheet)
        yield from rules_of(sheet)


@lru_cache(maxsize=64)  # pages of a site have the same sheets
def rules_of(sheet: str) -> tuple[_DisplayRule, ...]:
    """Return the rules of a style sheet that declare display properties by selectors that are read here."""
    import tinycss2  # noqa: PLC0415 (most runs do not read style sheets)

    rules = []
    for node in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if node.type != "qualified-rule":
            continue
        selectors = [read for text in tinycss2.serialize(node.prelude).split(",") if (read := _selector(text))]
        if selectors and (declarations := _declarations(node.content)):
            rules += [_DisplayRule(steps, specificity, declarations) for steps, specificity in selectors]
    return tuple(rules)


def _declarations(content: object) -> tuple[tuple[str, str], ...]:
    """Return the display properties in the block of a rule; of several of one property the last."""
    import tinycss2  # noqa: PLC0415

    declared = {
        node.lower_name: ADDRESS.sub("url()", "".join(tinycss2.serialize(node.value).lower().split()))
        for node in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
        if node.type == "declaration" and node.lower_name.startswith(_DISPLAY)
    }
    return tuple(sorted(declared.items()))


def _selector(text: str) -> tuple[tuple[tuple[bool, _Compound], ...], tuple[int, int, int]] | None:
    """Return the steps and the specificity of a selector, None if it is of another kind than those read here."""
    parts = _PART.findall(text.strip()) if _SIMPLE.fullmatch(text) else []
    compounds = [_compound(part) for part in parts[::2]]
    if not compounds or len(parts) % 2 == 0 or len(compounds) > _MAX_STEPS or None in compounds:
        return None
    found = [compound for compound in compounds if compound]
    children = [False, *(part.strip() == ">" for part in parts[1::2])]
    names = [name for compound in found for name in compound.names]
    ids = sum(name.startswith("#") for name in names)
    tags = sum(bool(compound.tag) for compound in found)
    return tuple(zip(children, found, strict=True)), (ids, len(names) - ids, tags)


def _compound(part: str) -> _Compound | None:
    match = _COMPOUND.fullmatch(part)
    if match is None:
        return None
    tag = (match[1] or "").lower()
    return _Compound("" if tag == "*" else tag, tuple(sorted(re.findall(r"[.#][\w-]+", match[2]))))


# ---------------------------------------------------------------- display

_NAMES = (
    "align alink background bgcolor border cellpadding cellspacing clear color compact face frame frameborder height "
    "hspace link marginheight marginwidth noshade nowrap rules size style text valign vlink vspace width"
)
PRESENTATION = frozenset(_NAMES.split())
"""Names of the display attributes, without the class."""

# A run of letters and digits that looks like the identifier of a session or a post: hexadecimal, or two numbers with
# letters between them. A match starts where a run starts, so that a long run is scanned once.
_UNIQUE = pattern(r"(?<![^\W_])(?:(?=[a-f]*\d)[0-9a-f]{8,}(?![^\W_])|[^\W\d_]*(?:\d+[^\W\d_]+)+\d+[^\W_]*)")
_DIGITS = pattern(r"\d+")
_MAX_CACHED = 400  # characters of an attribute value whose key is cached
_MAX_SHOWN = 200  # characters of a readable name


def display_keys(page: Page, nodes: npt.NDArray[np.integer], *, classes: bool = True, sheets: bool = False) -> Keys:
    """Return the key of the name and display attributes of each element in `nodes`, shape (t,).

    Args:
        page: the page.
        nodes: (t,) elements of the page.
        classes: whether the class counts as a display attribute.
        sheets: whether the properties count that the page's own style sheets declare.
    """
    sums = np.zeros(len(nodes), dtype=np.uint64)
    attribute_keys = [
        (row, _key(name, value or ""))
        for row, node in enumerate(nodes.tolist())
        for name, value in page.attributes.get(node, ())
        if name in PRESENTATION or (classes and name == "class" and node)
    ]
    if attribute_keys:
        rows, keys = zip(*attribute_keys, strict=True)
        np.add.at(sums, np.array(rows), np.array(keys, dtype=np.uint64))
    if sheets:
        sums += sheet_display(page).keys[nodes]
    return pair_keys(tag_keys(page, nodes), sums)


def display_names(page: Page, nodes: list[int], *, classes: bool = True, sheets: bool = False) -> list[str]:
    """Return the names and display attributes behind `display_keys` as readable texts: `td.price[align=right]`."""
    texts = []
    for node in nodes:
        shown = [
            normalise_attribute(name, value or "")
            for name, value in sorted(page.attributes.get(node, ()), key=lambda pair: pair[0])
            if name in PRESENTATION or (classes and name == "class" and node)
        ]
        marks = "".join(text for text in shown if text.startswith("."))
        declared = sheet_display(page) if sheets else None
        shown += [declared.texts.get(int(declared.keys[node]), "")] if declared else []
        others = " ".join(text for text in shown if text and not text.startswith("."))
        texts.append(_shortened(page.tag_name(node) + marks + (f"[{others}]" if others else "")))
    return texts


def _shortened(text: str) -> str:
    """Return a text cut to a readable length, without the control characters that attributes may contain."""
    cut = text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
    return printable(cut)


def normalise_attribute(name: str, value: str) -> str:
    """Return an attribute without what differs between pages of one design; "" if nothing remains."""
    if name == "class":
        marks = {_DIGITS.sub("0", _UNIQUE.sub("0", token)) for token in value.lower().split()}
        return "".join(f".{mark}" for mark in sorted(marks))
    text = "".join(value.lower().split())
    if name == "style":
        return f"style={ADDRESS.sub('url()', text).rstrip(';')}" if text else ""
    return f"{name}={_DIGITS.sub('0', text) if name == 'background' else text}"


def _key(name: str, value: str) -> int:
    return _short_key(name, value) if len(value) <= _MAX_CACHED else _display_key(name, value)


def _display_key(name: str, value: str) -> int:
    text = normalise_attribute(name, value)
    return text_key(text) if text else 0


_short_key = lru_cache(maxsize=1 << 14)(_display_key)


def tag_keys(page: Page, nodes: npt.NDArray[np.integer]) -> Keys:
    """Return the keys of the tag names; the numbers of tags may change between versions, names do not."""
    _, first, inverse = np.unique(page.tag[nodes], return_index=True, return_inverse=True)
    keys = [_name_key(page.tag_name(int(nodes[row]))) for row in first.tolist()]
    return np.array(keys, dtype=np.uint64)[inverse]


@lru_cache(maxsize=1 << 12)
def _name_key(name: str) -> int:
    return text_key(name)
