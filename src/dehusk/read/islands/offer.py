"""Offer the text of a page's data as markup that is parsed with the page."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from dehusk.base.lazy import pattern
from dehusk.compiled.text import is_shown as _is_shown
from dehusk.read.addresses import SAFE_SCHEMES
from dehusk.read.elements import ParsedElements
from dehusk.read.guards import guarded
from dehusk.read.islands.literals import Reader, Value
from dehusk.read.islands.prose import (
    bare,
    has_markup,
    is_code,
    is_phrase,
    is_prose,
    may_become_prose,
    may_hold_prose,
    unescape,
    unescaped,
)

if TYPE_CHECKING:
    from turbohtml.clean import Sanitizer

# ---------------------------------------------------------------- choice
# Which strings of a page's data are its text.
#
# Strings under the same keys are a family: the bodies of all posts, or the paragraphs of an article. A family is text
# if most of it is running text. Families that hold little beside the largest are left, and so are translations,
# consent texts, what is related or advertised, and descriptions of what is there in full. Every text is taken once.

MIN_CHARS = 300
"""Characters of running text below which data is not worth offering."""
_MAX_PHRASES = 15  # different keys with a phrase each, in one object: translations or settings
_STRONG_SHARE, _WEAK_SHARE = 0.15, 0.4
_OTHER = pattern(
    r"cookie|consent|gdpr|ccpa|onetrust|i18n|translat|locali[sz]|\bintl\b|phrases|dictionar|\bcss\b|\bstyles?\b|"
    r"settings|config|related|recommend|trending|popular|footer|navigation|navbar|\bmenu|sidebar|advert|promo|"
    r"newsletter|subscri|widget|\bbanners?\b|disclaimer|\blegal|copyright|privacy|\bseo|\berrors?\b|placeholder|tooltip",
    re.IGNORECASE,
)
_OTHER_WORDS = (
    "cookie consent gdpr ccpa onetrust i18n translat locali intl phrases dictionar css style settings config related "
    "recommend trending popular footer navigation navbar menu sidebar advert promo newsletter subscri widget banner "
    "disclaimer legal copyright privacy seo error placeholder tooltip"
)
_OTHER_SIGNS = _OTHER_WORDS.split()
_WEAK = pattern(
    r"desc|excerpt|summary|teaser|abstract|caption|\balt\b|meta|\bog\b|\bog:|twitter|\bbio|about|notice|subtitle|"
    r"message|publisher|\bauthors?\b",
    re.IGNORECASE,
)
_TITLES = ("headline", "title", "heading", "subject", "name", "question", "rendered", "fancy_title")
_TITLE_RANK = {name: rank for rank, name in enumerate(_TITLES)}
_MAX_TITLE = 250
_MIN_SHOWN, _MIN_RUNS, _SHOWN_SHARE = 60, 10, 0.25  # what of the text that a page shows tells that it shows its data
_MUCH_LONGER = 3
_MIN_TITLES = 3
_TOKEN = pattern(r"[\u3040-\u9fff\u0e00-\u0e7f]|[^\W_]+")
_SHINGLE = 5
_MAX_COMPARED = 2_000_000
_text_of = attrgetter("text")


@dataclass(frozen=True)
class Chosen:
    """A string that is text of the page."""

    text: str
    """The string, as markup if `is_markup`."""
    is_markup: bool
    key: str
    title: str
    """The title that stands with it in the data, for its first string; or empty."""
    island: int


@dataclass
class _Family:
    values: list[tuple[int, Value, str, bool]]  # place in the data, the value, its text, whether that is markup
    rows: list[tuple[int, Value, str, bool, str | None]]  # the same of all strings, and what must be a phrase
    chars: int = 0
    prose: int = 0

    @property
    def is_text(self) -> bool:
        return self.prose > 0 and self.prose * 2 >= self.chars


def choose(values: list[Value], shown: list[str], *, least: float = MIN_CHARS) -> list[Chosen]:
    """Return the strings that are text of the page and not shown by its elements, in the order of the data.

    There are none if the elements show the data: its running text, or the titles of the objects that it is in.

    Args:
        values: all strings of the data.
        shown: the texts of the page's elements.
        least: characters of running text; there are no strings if the data holds less.
    """
    if not may_hold_prose(map(_text_of, values), least):
        return []
    families = _families(values)
    if sum(family.prose for family in families) < least:
        return []
    chosen_families = _large(families)
    rows = [row for family in chosen_families for row in family.values]
    if not rows or _is_shown(values, shown):
        return []
    titles = _Titles(values)
    if titles.are_shown((row[1] for row in rows), set(map(_folded, shown))):
        return []
    seen = _Seen(" ".join(shown))
    ranked = sorted(chosen_families, key=lambda family: (not any(row[3] for row in family.values), -family.prose))
    taken: list[tuple[int, Value, str, bool]] = []
    for family in ranked:
        taken += [row for row in family.values if seen.is_new(bare(row[2]) if row[3] else row[2])]
    taken.sort(key=lambda row: row[0])
    return [
        Chosen(text, is_markup, value.path[-1] if value.path else "", titles.of(value), value.island)
        for _, value, text, is_markup in taken
    ]


def _families(values: list[Value]) -> list[_Family]:
    """Return the families of strings that are text; only those with a string that may be prose are looked at."""
    paths = {value[4]: value[1] for value in values if may_become_prose(value[0])}
    other_keys = {key for key in set().union(*paths.values()) if _is_other(key)}
    numbers = {number for number, path in paths.items() if other_keys.isdisjoint(path)}
    if not numbers:
        return []
    families: dict[int, _Family] = defaultdict(lambda: _Family([], []))
    of_families = [(place, value) for place, value in enumerate(values) if value[4] in numbers]
    dictionaries = _dictionaries(values, {value[2][0] for _, value in of_families})
    for place, value in of_families:
        if value.owners[0] in dictionaries:
            continue
        text = unescaped(value.text)
        is_markup = has_markup(text)
        plain = bare(text).strip() if is_markup else text
        family = families[value.family]
        family.chars += len(plain)
        prose = is_prose(plain)
        family.prose += len(plain) * prose
        if prose or is_markup or " " in plain or plain[:1].isupper():
            family.rows.append((place, value, text, is_markup, None if prose else plain))
    chosen = [family for family in families.values() if family.is_text]
    for family in chosen:
        family.values = [row[:4] for row in family.rows if row[4] is None or is_phrase(row[4])]
    return chosen


def _is_other(key: str) -> bool:
    """Return whether a key says that what is below it is no content; most keys hold no sign of that."""
    if key.isascii() and not any(map(key.lower().__contains__, _OTHER_SIGNS)):
        return False
    return _OTHER.search(key) is not None


def _dictionaries(values: list[Value], objects: set[int]) -> set[int]:
    """Return those of some objects that hold many phrases under different keys, as translations and settings do."""
    keys: dict[int, set[str]] = defaultdict(set)
    for text, path, owners, _, _ in values:
        if " " in text and owners[0] in objects and path and len(text) < 500:
            keys[owners[0]].add(path[-1])
    return {owner for owner, names in keys.items() if len(names) >= _MAX_PHRASES}


def _large(families: list[_Family]) -> list[_Family]:
    """Return the families that hold enough text beside the largest."""
    strong = [family for family in families if not _is_weak(family)]
    most = max((family.prose for family in strong), default=0)
    large = [family for family in strong if family.prose >= _STRONG_SHARE * most]
    if most < MIN_CHARS:
        large, most = [], 0
    owners = {row[1].owners[0] for family in large for row in family.values}
    weak = [family for family in families if _is_weak(family)]
    most = max(most, max((family.prose for family in weak), default=0))
    return large + [
        family
        for family in weak
        if family.prose >= _WEAK_SHARE * most and not any(row[1].owners[0] in owners for row in family.values)
    ]


def _is_weak(family: _Family) -> bool:
    """Return whether the keys of a family say that it describes something that is elsewhere in full."""
    return _WEAK.search(".".join(family.values[0][1].path[-3:])) is not None if family.values else True


class _Seen:
    """The runs of words that were seen so far."""

    def __init__(self, shown: str) -> None:
        self._runs: set[int] = set(_runs(shown))
        self._texts: set[str] = set()

    def is_new(self, text: str) -> bool:
        """Return whether most of a text was not seen before; if so, count it as seen."""
        folded = _folded(text)
        if folded in self._texts:
            return False
        runs = _runs(text)
        if sum(map(self._runs.__contains__, runs)) * 2 > len(runs):
            return False
        self._texts.add(folded)
        self._runs.update(runs)
        return True


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _runs(text: str) -> list[int]:
    """Return keys of all runs of five words."""
    words = _TOKEN.findall(text[:_MAX_COMPARED].lower())
    return list(map(hash, zip(*(words[start:] for start in range(_SHINGLE)), strict=False)))


class _Titles:
    """The titles of the data's objects; each is given once."""

    def __init__(self, values: list[Value]) -> None:
        self._of: dict[int, tuple[int, str]] = {}
        self._given: Counter[str] = Counter()
        for value in [value for value in values if value[1] and value[1][-1] in _TITLE_RANK]:
            rank = _TITLE_RANK[value.path[-1]]
            if len(value.text) > _MAX_TITLE or not is_phrase(value.text):
                continue
            owner = value.owners[0]
            if value.path[-1] == "rendered":
                if value.path[-2:-1] != ("title",) or len(value.owners) < 2:
                    continue
                owner = value.owners[1]
            if owner not in self._of or rank < self._of[owner][0]:
                self._of[owner] = rank, bare(value.text).strip()

    def are_shown(self, values: Iterable[Value], shown: set[str]) -> bool:
        """Return whether the page shows a third of the titles of the objects around values, as a list of hits does."""
        owners = (next((owner for owner in value.owners if owner in self._of), 0) for value in values)
        titles = {self._of[owner][1] for owner in owners if owner}
        return len(titles) >= _MIN_TITLES and 3 * sum(_folded(title) in shown for title in titles) >= len(titles)

    def of(self, value: Value) -> str:
        """Return the title of the innermost object around a value that has one, unless it was given before."""
        for owner in value.owners:
            if owner in self._of:
                title = self._of[owner][1]
                self._given[title] += 1
                return title if self._given[title] == 1 and title != value.text else ""
        return ""


# ---------------------------------------------------------------- places
# Where a page can hold text outside its elements: scripts, attributes with data, and templates.

_MIN_CHARS = 200
_MAX_NAMES = 20
_MAX_ISLANDS = 1000
_DATA_VALUE = pattern(r"=\s*[\"']\s*(?:\{|\[|&#(?:123|91|[xX]7[bB]|[xX]5[bB]);|&quot;\{)")
_NAME_BEFORE = pattern(r"[\s\"']([\w:@.-]{1,60})\s*\Z")
_REACH = 100  # characters before the sign of equality in which the name of an attribute is looked for
_MARKED_UP = pattern(r"html|template|handlebars|mustache", re.IGNORECASE)
_SCRIPTED = pattern(r"|module|(?:text|application)/(?:x-)?(?:java|ecma)script(?:;.*)?", re.IGNORECASE)
_CODE_WORD = pattern(r"\bfunction\b|=>|\bif\s*\(|\breturn\b|\btypeof\b")
_CODE_PARTS, _CONDITION = ("function", "=>", "return", "typeof"), pattern(r"if\s*\(")
_PUSHED = pattern(
    r"\s*+[\w$]++(?>(?:\.(?!push\()[\w$]++)*)\.push\(\[\d+,\s*+(\"(?>(?:[^\"\\]++|\\.)*)\")\]\)[\s;]*+", re.DOTALL
)
_ENTRY = pattern(r"<(?:item|entry)(?=[\s>])", re.IGNORECASE)
_FIELD = pattern(
    r"<(title|content:encoded|content|description|summary)(?=[\s>])[^<>]*>\s*+"
    r"(?:<!\[CDATA\[((?>(?:[^]]++|\](?!\]>))*))\]\]>|([^<]*+))",
    re.IGNORECASE,
)
_TEXT_FIELDS = ("content:encoded", "content", "description", "summary")
_NOT_PLAIN, _ESCAPED = pattern(r"([^a-z0-9_-])"), r"\\\1"  # of names in a CSS selector
_TEMPLATE_TAG = pattern(r"<(/?)template\b[^<>]*>", re.IGNORECASE)
_SHORT_ENTITIES = {"&q;": '"', "&s;": "'", "&l;": "<", "&g;": ">", "&a;": "&"}


@dataclass(frozen=True)
class Place:
    """Data in a page."""

    kind: str
    """json, script, pushed (strings that form one stream of data) or markup."""
    name: str
    """How a note names it."""
    source: str
    xpath: str


def find_places(elements: ParsedElements) -> list[Place]:
    """Return the places of a page that may hold text, in document order within each kind."""
    scripts = islice(_scripts(elements), _MAX_ISLANDS)  # the path of each takes time
    places = [*scripts, *_attributes(elements), *_templates(elements)]
    return _joined([place for place in places if len(place.source) >= _MIN_CHARS][:_MAX_ISLANDS])


def _scripts(elements: ParsedElements) -> Iterator[Place]:
    for script in elements.select("script"):
        kind, source = (script.attr("type") or "").strip(), script.text
        if len(source) < _MIN_CHARS and "push(" not in source:
            continue
        path = element_path(script)
        if "json" in kind.lower():
            name = "the JSON-LD of the page" if "ld+json" in kind.lower() else "data in a script"
            yield Place("json", name, _without_entities(source), path)
        elif "xml" in kind.lower():
            yield Place("json", "a feed in a script", json.dumps(list(_feed(source))), path)
        elif _MARKED_UP.search(kind):
            yield Place("markup", "a template in a script", source, path)
        elif _SCRIPTED.fullmatch(kind):
            if match := _PUSHED.fullmatch(source):
                yield Place("pushed", "data in scripts", match[1].ljust(_MIN_CHARS), path)
            elif not _is_program(source):
                yield Place("script", "data in a script", source, path)


def _is_program(source: str) -> bool:
    """Return whether a script holds too many words of code for data; they are counted roughly first, in less time."""
    many = 4 + len(source) // 5000
    if sum(map(source.count, _CODE_PARTS)) + sum(1 for _ in _CONDITION.finditer(source)) < many:
        return False
    return next(islice(_CODE_WORD.finditer(source), many - 1, None), None) is not None


def _feed(source: str) -> Iterator[dict[str, str]]:
    """Return title and text of the entries of an RSS or Atom feed."""
    for entry in _ENTRY.split(source)[1:]:
        fields = {match[1].lower(): match[2] or unescape(match[3] or "") for match in _FIELD.finditer(entry)}
        text = next((fields[name] for name in _TEXT_FIELDS if fields.get(name)), "")
        yield {"title": fields.get("title", ""), "text": text}


def _joined(places: list[Place]) -> list[Place]:
    """Return the places with the pushed strings as one stream, where the first of them is."""
    joined: list[Place] = []
    first = next((index for index, place in enumerate(places) if place.kind == "pushed"), -1)
    pieces = [place.source.strip() for place in places if place.kind == "pushed"]
    for index, place in enumerate(places):
        if index == first:
            joined.append(Place("pushed", place.name, "\0".join(pieces), place.xpath))
        elif place.kind != "pushed":
            joined.append(place)
    return joined


def _without_entities(source: str) -> str:
    """Return JSON whose quotes were escaped for HTML, as some frameworks do, as JSON."""
    if '"' in source:
        return source
    if "&q;" in source:
        for short, sign in _SHORT_ENTITIES.items():
            source = source.replace(short, sign)
        return source
    return unescape(source)


def _attributes(elements: ParsedElements) -> Iterator[Place]:
    for name in _names_with_data(elements.text):
        for element in elements.select(f"[{_NOT_PLAIN.sub(_ESCAPED, name)}]"):
            value = element.attr(name) or ""
            if len(value) >= _MIN_CHARS and value.lstrip()[:1] in ("{", "[", '"'):
                yield Place("json", f"the attribute {name}", value, f"{element_path(element)}/@{name}")


def _names_with_data(source: str) -> list[str]:
    """Return the first names of attributes whose values start as data do, each once, in lower case."""
    signs = (match.start() for match in _DATA_VALUE.finditer(source))
    names = (_NAME_BEFORE.search(source, max(0, sign - _REACH), sign) for sign in signs)
    return list(islice(dict.fromkeys(name[1].lower() for name in names if name), _MAX_NAMES))


def _templates(elements: ParsedElements) -> Iterator[Place]:
    for template in elements.select("template"):
        if not any(getattr(node, "tag", "") == "template" for node in template.ancestors):
            yield Place(
                "markup", "a template", _TEMPLATE_TAG.sub(r"<\1div>", template.inner_html), element_path(template)
            )


def element_path(element: Any) -> str:
    """Return the XPath of one of the parser's elements, as `dehusk.read.xpath` writes it."""
    steps: list[str] = []
    node = element
    while node is not None and getattr(node, "tag", None):
        if node.tag in ("html", "head", "body"):
            steps.append(node.tag)
        else:
            before = node.parent.children if node.parent is not None else [node]
            same = [child for child in before if getattr(child, "tag", None) == node.tag]
            steps.append(f"{node.tag}[{next((i for i, child in enumerate(same, 1) if child is node), 1)}]")
        node = node.parent
    return "/" + "/".join(reversed(steps))


# ---------------------------------------------------------------- offer

MARK = "data-dehusk-island"
"""The attribute of the elements around the text of data; its value is the number of the place."""
_STILL_OPEN = (
    "script style title textarea iframe noembed noframes xmp noscript template svg math select table a b i strong em"
)
_CLOSERS = "".join(f"</{tag}>" for tag in _STILL_OPEN.split())
"""End tags of what may still be open at the end of a page; a parser ignores those of what is not."""
_MAX_RUNNING = 600  # characters of running text in the elements of a page in need
_RATIO, _SHARE = 2, 0.5  # of the running text and of all text of the elements, what the data must hold at least
_MAX_KEYS = 3
_PLAINTEXT = pattern(r"</?plaintext\b[^<>]*>", re.IGNORECASE)  # all that follows it would be text
_LINES = pattern(r"[\r\n\u2028\u2029]+")
_BLOCK_TAGS = (
    "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre address table caption thead tbody tfoot tr td th article "
    "section aside header footer figure figcaption details summary br hr"
)
_INLINE_TAGS = (
    "img wbr a abbr b bdi bdo big cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strong sub "
    "sup time u var math mi mn mo mrow mfrac msup msub msqrt"
)
_REMOVED_TAGS = "script style template iframe svg title textarea noembed noframes xmp object"


@dataclass(frozen=True)
class Offer:
    """Text of a page's data."""

    markup: str
    """To be parsed after the source of the page; each place is an element with the attribute `MARK`."""
    places: tuple[Place, ...]
    notes: tuple[str, ...]


def find_offer(elements: ParsedElements, texts: list[str]) -> Offer | None:
    """Return the text of a page's data if the page's elements hold little or none of it, else None.

    Args:
        elements: the elements of the page.
        texts: the texts of the page, at most `shells.MAX_SHOWN` characters.
    """
    texts = [text for text in map(str.strip, texts) if text]
    total = sum(map(len, texts))
    if len(elements.text) - total < MIN_CHARS:  # besides these texts, the source holds too little
        return None
    running = [text for text in texts if is_prose(text)]
    if sum(map(len, running)) > _MAX_RUNNING:
        return None
    places = find_places(elements)
    reader = Reader()
    for number, place in enumerate(places):
        _read(place, number, reader)
    least = max(MIN_CHARS, _RATIO * sum(map(len, running)), _SHARE * total)
    chosen = choose(reader.values, texts, least=least)
    chars = sum(len(bare(text.text)) for text in chosen if is_prose(bare(text.text)))
    if chars < least:
        return None
    by_place = [(places[number], list(group)) for number, group in groupby(chosen, key=lambda text: text.island)]
    markup = "".join(_markup(number, group) for number, (_, group) in enumerate(by_place))
    notes = tuple(dict.fromkeys(_note(place, group) for place, group in by_place))
    if reader.cut:
        notes += ("the data of the page is too large to be read in full",)
    return Offer(_CLOSERS + markup, tuple(place for place, _ in by_place), notes)


def _read(place: Place, number: int, reader: Reader) -> None:
    if place.kind == "pushed":
        reader.read_stream(place.source.split("\0"), number)
    elif place.kind == "markup":
        if not is_code(bare(place.source)[:1200]):
            reader.add(place.source, (), -1 - number, number)
    else:
        reader.read(place.source, number, is_json=place.kind == "json")


def _markup(number: int, texts: list[Chosen]) -> str:
    return f'<article {MARK}="{number}">{"".join(map(_text_markup, texts))}</article>'


def _text_markup(text: Chosen) -> str:
    from html import escape  # noqa: PLC0415 (few pages have such text)

    title = f"<h2>{escape(text.title)}</h2>" if text.title else ""
    if text.is_markup:
        return f"{title}<div>{_cleaner().sanitize(_guarded(text.text))}</div>"
    lines = [line for line in map(str.strip, _LINES.split(text.text)) if line]
    return title + "".join(f"<p>{escape(line)}</p>" for line in lines)


def _guarded(markup: str) -> str:
    """Return markup that the parser reads; it passes the guards again when it is a part of the page."""
    raw = _PLAINTEXT.sub("", markup).encode("utf-8", "replace")
    return guarded(raw.decode(), raw, len(raw))[0]


def _note(place: Place, texts: list[Chosen]) -> str:
    keys = [key for key in dict.fromkeys(text.key for text in texts) if key not in ("", "*", "T")][:_MAX_KEYS]
    return f"text taken from {place.name}" + (f" ({', '.join(keys)})" if keys else "")


@cache
def _cleaner() -> Sanitizer:
    """Return the sanitizer of the markup in data."""
    from turbohtml.clean import OnDisallowed, Policy, Sanitizer  # noqa: PLC0415 (few pages have such markup)

    return Sanitizer(
        Policy(
            tags=frozenset(_BLOCK_TAGS.split()) | frozenset(_INLINE_TAGS.split()),
            attributes={
                "*": frozenset({"title", "lang", "dir"}),
                "a": frozenset({"href"}),
                "img": frozenset({"src", "alt", "srcset"}),
                "td": frozenset({"colspan", "rowspan"}),
                "th": frozenset({"colspan", "rowspan"}),
                "time": frozenset({"datetime"}),
                "pre": frozenset({"class"}),
                "code": frozenset({"class"}),
            },
            url_schemes=SAFE_SCHEMES,
            on_disallowed_tag=OnDisallowed.STRIP,
            remove_with_content=frozenset(_REMOVED_TAGS.split()),
            allow_svg=False,
        )
    )
