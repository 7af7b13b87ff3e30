"""The title of a page and the name of its site: what the declarations and the headings agree on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from dehusk.metadata.lines import MAX_LINE, folded, is_address, letters, one_line
from dehusk.metadata.linked_data import texts_of, types_of
from dehusk.metadata.sources import Sources, host_label, nodes_named
from dehusk.tags import numbers

_MAX_HEADINGS = 20  # headings to look at
_SEPARATOR = re.compile(r"\s+(?:[|–—·•»«›‹:~/\\*]|-{1,2}|::|>)\s+|\s*[|｜»›_]\s*|：|\s-(?=[A-Z])|(?<=[\w)])\s?—\s?")
_TITLES = ("twitter:title", "dc.title", "dcterms.title", "citation_title", "parsely-title", "sailthru.title")
_HEADLINE = re.compile(r"headline|(?:^|[\s_-])(?:entry|post|article|story|page|content)-?_?title", re.IGNORECASE)
_SITES = ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:app:name:iphone")
_PUBLISHERS = ("dc.publisher", "dcterms.publisher", "citation_journal_title", "publisher", "copyright")
_COPYRIGHT = re.compile(r"^(?:copyright|©|\(c\)|[\s\d,–-])+|all rights reserved.*|\.$", re.IGNORECASE)
_ORGANIZATIONS = ("Organization", "NewsMediaOrganization", "WebSite", "LocalBusiness")
_OPEN_GRAPH, _LINKED, _TITLE, _META, _HEADING, _NAMED = 4.0, 2.1, 1.0, 0.3, 1.5, 0.7
"""Weights of what a source says about the title."""


def read_site_name(sources: Sources) -> tuple[str | None, bool]:
    """Return the name of the site, and whether it is a guess from the title and the address."""
    for value in _site_names(sources):
        name = _COPYRIGHT.sub("", one_line(value, 100)).strip(" @")
        if name and not is_address(name) and letters(name):
            return name, False
    for value in (sources.page.meta.title, *sources.first("og:title")):
        for part in reversed(_parts(one_line(value))):
            if _is_of_host(part, sources) and len(part) <= 60:
                return part, True
    return None, False


def _site_names(sources: Sources) -> Iterator[object]:
    yield from sources.first(*_SITES[:1])
    for thing in sources.works:
        yield from texts_of(thing.get("publisher"))
    yield from (thing.get("name") for thing in sources.things if "WebSite" in types_of(thing))
    yield from sources.first(*_SITES[1:], *_PUBLISHERS)


def _is_of_host(part: str, sources: Sources) -> bool:
    """Return whether a part of a title is named like the host of the page."""
    name, host = letters(part), host_label(sources)
    if len(host) < 3 or len(name) < 2:
        return False
    initials = "".join(word[0] for word in folded(part).split())
    if host in (name, f"the{name}", initials) or name == f"the{host}":
        return True
    return (len(name) > 3 and name in host) or (len(host) > 3 and host in name and len(name) < 2 * len(host) + 8)


def _parts(title: str) -> list[str]:
    """Return the parts of a title between separators; a single part if there is none."""
    return [part for part in (part.strip() for part in _SEPARATOR.split(title)) if part]


def read_title(sources: Sources, site_name: str | None) -> tuple[str | None, bool]:
    """Return the page's own heading, and whether it is a guess.

    Candidates are the titles that the page declares, less the name of the site, and its headings. Each source adds its
    weight to the title that it names, and the heaviest title wins.
    """
    whole = one_line(sources.page.meta.title)
    weights: defaultdict[str, float] = defaultdict(float)
    forms: dict[str, str] = {}
    declared = [(weight, without_site(line, sources, site_name)) for weight, line in _declared(sources)]
    headings = [(weight, line) for weight, line in _headings(sources) if not _is_site(line, sources, site_name)]
    for weight, line in [*declared, *headings]:
        key = folded(line)
        forms.setdefault(key, line)
        weights[key] += weight
    for key in {folded(line) for _, line in headings}:
        weights[key] += _TITLE * (len(key) > 3 and folded(whole) != key and key in folded(whole))
    best = max(forms, key=lambda key: weights[key], default="")
    if not best:
        return whole or None, False
    marked = [line for weight, line in headings if weight > _NAMED]
    return forms[best], best not in {folded(line) for line in (*marked, *(line for _, line in declared))}


def _declared(sources: Sources) -> Iterator[tuple[float, str]]:
    """Yield (weight, title) of what the page declares."""
    headlines = [thing.get("headline") for thing in sources.works[:1]] + sources.properties.get("headline", [])[:1]
    values = [
        *((_OPEN_GRAPH, value) for value in sources.first("og:title")),
        *((_LINKED, value) for value in headlines[:1]),
        *((_META, value) for value in sources.first(*_TITLES)[:2]),
        (_TITLE, sources.page.meta.title),
    ]
    return ((weight, line) for weight, value in values if folded(line := one_line(value)))


def _headings(sources: Sources) -> list[tuple[float, str]]:
    """Return (weight, text) of the headings that can be the page's own; the first ones, less if there are several."""
    page = sources.page
    if not len(page):
        return []
    nodes = page.nodes_of(numbers("h1"))
    weight = _HEADING
    if not len(nodes):
        nodes, weight = nodes_named(page.class_code, page.class_names, _HEADLINE), _NAMED
    nodes = nodes[~sources.is_elsewhere[nodes]][:_MAX_HEADINGS]
    lines = [line for node in nodes.tolist() if folded(line := one_line(sources.text_of(node, MAX_LINE)))]
    distinct = list(dict.fromkeys(lines))
    return [(weight / (1 + 0.2 * rank), line) for rank, line in enumerate(distinct)]


def without_site(line: str, sources: Sources, site_name: str | None) -> str:
    """Return a title less the parts at its ends that name the site."""
    for _ in range(2):
        marks = list(_SEPARATOR.finditer(line))
        if not marks:
            return line
        if _is_site(line[marks[-1].end() :], sources, site_name):
            line = line[: marks[-1].start()].strip()
        elif _is_site(line[: marks[0].start()], sources, site_name):
            line = line[marks[0].end() :].strip()
        else:
            return line
    return line


def _is_site(part: str, sources: Sources, site_name: str | None) -> bool:
    """Return whether a part of a title names the site."""
    name, site = letters(part), letters(site_name or "")
    if len(name) > 3 and name in site:
        return True
    if site and (name == site or (len(site) > 3 and site in name and len(name) < 2 * len(site) + 8)):
        return True
    return _is_of_host(part, sources)
