"""Where a page can hold text outside its elements: scripts, attributes with data, and templates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from dehusk.base.lazy import pattern
from dehusk.read.elements import ParsedElements
from dehusk.read.islands.prose import unescape

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
    r"\s*+[\w$]++(?:\.(?!push\()[\w$]++)*+\.push\(\[\d+,\s*+(\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\")\]\)[\s;]*+", re.DOTALL
)
_ENTRY = pattern(r"<(?:item|entry)(?=[\s>])", re.IGNORECASE)
_FIELD = pattern(
    r"<(title|content:encoded|content|description|summary)(?=[\s>])[^<>]*>\s*+"
    r"(?:<!\[CDATA\[((?:[^]]|\](?!\]>))*+)\]\]>|([^<]*+))",
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
    places = [*_scripts(elements), *_attributes(elements), *_templates(elements)]
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
