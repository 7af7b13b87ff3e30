"""The title of a page and the name of its site: what the declarations and the headings agree on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import filterfalse, islice

import numpy as np

from dehusk.about.metadata.dates import date_places
from dehusk.about.metadata.lines import MAX_LINE, folded, is_address, letters, one_line
from dehusk.about.metadata.linked_data import texts_of, types_of
from dehusk.about.metadata.sources import Sources, host_label, host_name
from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.headlines import is_in_head, leads_to_start
from dehusk.read.names import NamePattern

_MAX_HEADINGS = 20  # headings to look at
_COUNTRIES = r"au|br|ca|ch|cn|de|es|fr|in|it|jp|kr|mx|nl|pl|ru|se|uk"
_SEPARATOR = pattern(
    r"\s+(?:[|–—·•»«›‹:~*]|-{1,2}|::|>)\s+|\s*[|｜ㅣ»›]\s*|\s+_\s*|_(?:\s+|(?=[A-Z]))|：|\s-(?=[A-Z])|\s:(?=\w+$)|(?<=[\w)])\s?—\s?"
    r"|(?<=[\u3040-\u9fff？！])[-_](?=[\u3040-\u9fffA-Z\d])"
    rf"|(?<=\.com|\.org):\s+|:\s+(?=[\w.-]{{2,60}}\.(?:com|org|{_COUNTRIES})(?::\s|$))"
)
_DOMAIN = pattern(rf"([\w.-]{{2,60}}\.(?:com|org|{_COUNTRIES}))(?::\s.*)?", re.IGNORECASE)
"""Names of hosts, beside which a colon parts a title: "Amazon.com: Cups", "Cups: Amazon.de: Kitchen". Other endings are
those of programs too."""
_TITLES = ("twitter:title", "dc.title", "dcterms.title", "citation_title", "parsely-title", "sailthru.title")
_HEADLINE = NamePattern(r"headline|(?:^|[\s_-])(?:entry|post|article|story|page|content)-?_?title", "headline title")
_SITES = ("og:site_name", "application-name", "apple-mobile-web-app-title")
_PUBLISHERS = ("dc.publisher", "dcterms.publisher", "citation_journal_title", "publisher")
_COPYRIGHT = pattern(r"^(?:(?:copyright|©|\(c\))[\s\d,–-]*)+|[\s,.]*all rights reserved.*", re.IGNORECASE)
_ENDING = pattern(r"\s*[|·»–—:-]\s+\S")
"""A title element that has only what others end with, as "| The Leaf"."""
_EMPTY = pattern(r"(?:untitled|new page|home|index|document|welcome)\b.{0,12}", re.IGNORECASE)
"""Titles that say nothing."""
_NO_SITE = pattern(
    r"home ?page|home|start|website|(?:main|front) ?page|startseite|accueil|inicio"
    r"|(?:page|seite|p[áa]gina|strona|str[áa]nka|sivu|sida|side|страница)\s*\d+(?:\s*(?:of|von|sur|de|di|из|/)\s*\d+)?",
    re.IGNORECASE,
)
"""Names of sites that say nothing: those of the first page, and numbers of pages."""
_FEEDS = "link[rel~=alternate i][title]:is([type='application/rss+xml' i],[type='application/atom+xml' i])"
_FEED = pattern(
    r"\s*(?P<sign>[»|:–—-])\s*(?:feed|(?:rss|atom)[\s\d.]*(?:feed)?)$|\s+(?P<arrow>»)\s.*|(?:['’]s)?\s+(?:(?:rss|atom)[\s\d.-]*(?:feeds?)?|feeds?)$",
    re.IGNORECASE,
)
"""What titles of feeds have after the name of the site: "Leaves » Comments Feed", "Leaves - Atom", "Leaves Feed"."""
_OF_FEED = pattern(r"\s(?:rss|atom)$", re.IGNORECASE)
_MAX_FEEDS = 3  # feeds to look at
_CUT = pattern(r"\s*(?:…|\.\.\.)$")
"""How a title ends that is cut off."""
_TAIL = pattern(r"\s+/\s|\s\((?=[^()]*\)$)")
"""What parts a title only after a heading of the page: "Cats win / Forums", "Cats win (Site)"."""
_BUYING = pattern(r"\s+(?:online\s+)?(?:kaufen|bestellen)$", re.IGNORECASE)
"""The verb that German shops put behind it."""
_OFFER = pattern(r"(?:buy|shop|order)\s+(?=\S+\s+\S)", re.IGNORECASE)
"""The verb that shops put before what they sell."""
_STARS = pattern(r"\s*[⭐★]\s?\d(?:[.,]\d)?(?:/\d{1,2})?$")
"""What readers think of it, behind the title: "The Kettle ⭐ 7.4"."""
_TITLE_LABEL = pattern(r"^(?:title|titel|titre|t[ií]tulo|titolo)\s?:\s?(?=\S+\s\S)", re.IGNORECASE)
"""What some archives of papers put before the title in its heading."""
_LINK, _ALL_HEADINGS = numbers("a"), numbers(HEADINGS)
_LOGO = 0.8
"""Share of a heading that is the text of such a link, at least, if it is a logo; set by hand."""
_MAX_SITE = 60  # characters of the name of a site in a title
_BEFORE, _AFTER = "|｜ㅣ»›·•–—ᐅ ", "|｜ㅣ«‹·•–—¶ "
"""Signs around a title that are none of it: beside a name that is left out, or of a link to the heading."""
_SMALL_WORDS = frozenset({"and", "of", "the", "for", "in", "de", "la", "für", "und", "et", "&"})  # not in initials
_MAX_PARTS, _MAX_PLACES = 6, 5  # parts of a title to look for on the page, and places to look at
_MAX_SHOWN, _SEVERAL = 50, 3  # headings of all levels to look at, and words of one that tells its part of a title
_OPEN_GRAPH, _LINKED, _TITLE, _META, _HEADING, _NAMED, _UNRELATED = 4.0, 2.1, 1.0, 0.3, 1.5, 0.7, 0.6
"""Weights of what a source says about the title."""
_GENERAL = 0.5
"""Factor of a declared title that shares no word with the title element, of which a heading is a part: it is that of
the whole site. Set by hand, after a shop that declares "Online shop Elkor.lv" on every page."""


def read_site_name(sources: Sources) -> tuple[str | None, bool]:
    """Return the name of the site, and whether it is a guess from the title and the address."""
    if name := _first_name(value for value in _declared_names(sources) if not _is_whole_title(value, sources)):
        return name, False
    lines = [one_line(value) for value in (sources.page.meta.title, *sources.first("og:title"))]
    if name := next(_names_beside_title(lines, sources), None):
        return name, True
    if name := _first_name(sources.first(*_PUBLISHERS)):
        return name, False
    guess = next(_names_in_title(lines, sources), None) or host_name(sources) or None
    return guess, guess is not None


def _names_beside_title(lines: list[str], sources: Sources) -> Iterator[str]:
    """Yield the names of the site that the titles of feeds, or the page's titles and its address, agree on."""
    yield from filter(None, (_name_of_feed(feed, lines, sources) for feed in _feeds(sources)))
    for line in lines:
        for part in reversed(_parts(line)):
            if _is_of_host(part, sources) and len(part) <= _MAX_SITE and not date_places(part):
                yield _domain_of(part) or part


def _names_in_title(lines: list[str], sources: Sources) -> Iterator[str]:
    """Yield the parts of titles that are an address or the logo, or that stand beside the heading."""
    yield from filter(None, (_domain_of(part) for line in lines for part in _parts(line) if part != line))
    for part in (part for line in lines for part in (*_parts(line), line.partition(": ")[0])):
        if folded(part) in _logos(sources):
            yield part
    shown = [(line, _shown_part(line, sources, exact=bool(host_name(sources)))) for line in lines]
    shown += [(lines[0], line) for _, line in _declared(sources) if line in lines[0]]
    for line, heading in shown:
        yield from _beside(line, heading)


def _first_name(values: Iterable[object]) -> str | None:
    """Return the first value that can be the name of a site; of "The Post | Post.com", the first part."""
    for value in values:
        parts = _parts(_COPYRIGHT.sub("", one_line(value, 100)).strip(" @"))
        if parts and not is_address(parts[0]) and letters(parts[0]) and not _NO_SITE.fullmatch(parts[0]):
            return parts[0]
    return None


def _is_whole_title(value: object, sources: Sources) -> bool:
    """Return whether a declared name is the page's title, of several parts and with its heading: not that of a site."""
    line = one_line(value, MAX_LINE)
    return folded(line) == folded(sources.page.meta.title) and len(_parts(line)) > 1 and _has_heading(line, sources)


def _feeds(sources: Sources) -> Iterator[str]:
    """Yield the titles of the first feeds that the page links to."""
    for element in sources.page.elements.select(_FEEDS, contents=False)[:_MAX_FEEDS]:
        yield one_line(element.attr("title"), 100)


def _name_of_feed(feed: str, lines: list[str], sources: Sources) -> str | None:
    """Return the name of the site in the title of a feed, if the page's title or address has it, too."""
    tail = _FEED.search(feed)
    name = _OF_FEED.sub("", feed[: tail.start()].strip()) if tail else ""
    if not tail or not letters(name) or len(name) > _MAX_SITE:
        return None
    if _has_heading(name, sources) and folded(name) not in {folded(line) for _, line in _headings(sources)}:
        return None
    titled = {folded(part) for line in lines for part in (*_parts(line), line.partition(": ")[0]) if part != line}
    if (tail["sign"] or tail["arrow"]) and folded(name) in titled:
        return name
    return next((part for part in _parts(name) if _is_of_host(part, sources)), None)


def _declared_names(sources: Sources) -> Iterator[object]:
    yield from sources.first(*_SITES[:1])
    for thing in sources.works:
        yield from texts_of(thing.get("publisher"))
    yield from (thing.get("name") for thing in sources.things if "WebSite" in types_of(thing))
    yield from sources.first(*_SITES[1:])


def _beside(title: str, shown: str | None) -> Iterator[str]:
    """Yield the last and the first part of a title that are not in the part that the page shows as its heading."""
    if shown and shown != title:
        parts = _parts(title) if title.strip() != shown else []
        parts = parts if len(parts) > 1 else [_rest(title, shown)]
        for part in (parts[-1], parts[0]):
            is_short = len(part) <= _MAX_SITE and len(part.split()) <= 6 and not date_places(part)
            if part not in shown and is_short and any(map(str.isalpha, part)) and not _NO_SITE.fullmatch(part):
                yield part


def _rest(title: str, shown: str) -> str:
    """Return what a title without other separators has before its heading, or after it in brackets or after slashes."""
    after = title.removeprefix(shown).strip()
    rest = after.rpartition("/")[-1] if after.startswith(("/", "(")) else title.removesuffix(shown)
    return rest.strip(" :()")


def _is_of_host(part: str, sources: Sources) -> bool:
    """Return whether a part of a title is named like the host of the page."""
    name, host = letters(part), host_label(sources)
    if len(host) < 3 or len(name) < 2:
        return False
    words = folded(part).split()
    initials = {
        "".join(word[0] for word in some) for some in (words, [word for word in words if word not in _SMALL_WORDS])
    }
    if host in {name, f"the{name}"} | initials or name == f"the{host}":
        return True
    return (len(name) > 3 and name in host) or (len(host) > 3 and host in name and len(name) <= 2 * len(host) + 8)


def _domain_of(part: str) -> str:
    """Return the name of a host that a part of a title is, or begins with before a colon; "" if there is none."""
    match = _DOMAIN.fullmatch(part)
    return match[1] if match else ""


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
    own = ((weight, _after_site(line, sources, site_name)) for weight, line in _declared(sources))
    declared = [(weight, without_site(line, sources, site_name)) for weight, line in own]
    declared = [(weight, _bare(_shown_part(line, sources) or line)) for weight, line in declared]
    headings = _headings(sources)
    declared = list(_completed(declared, [*_parts(whole), *(line for _, line in headings)], sources))
    if any(folded(line) in folded(whole) for _, line in headings) or _shown_part(whole, sources):
        declared = [
            (weight if _shares(line, f" {folded(whole)} ") else _GENERAL * weight, line) for weight, line in declared
        ]
    named = [pair for pair in (*declared, *headings) if not _is_site(pair[1], sources, site_name)]
    for weight, line in named or declared:
        key = folded(line)
        forms[key] = line if " " not in forms.get(key, "") else forms[key]  # "cats-win" is the name of a file
        weights[key] += weight
    for key in {folded(line) for _, line in headings}:
        weights[key] += _TITLE * (len(key) > 3 and folded(whole) != key and key in folded(whole))
    best = max(forms, key=lambda key: weights[key], default="")
    if not best:
        return whole or None, False
    certain = [line for _, line in declared] + ([line for _, line in headings] if _own_headings(sources) else [])
    return forms[best], best not in set(map(folded, certain))


def _completed(declared: list[tuple[float, str]], others: list[str], sources: Sources) -> Iterator[tuple[float, str]]:
    """Yield declared titles, those that are cut off in full if another one is; without any that is not beside an h1."""
    for weight, line in declared:
        stem = folded(_CUT.sub("", line))
        full = [other for other in others if folded(other).startswith(stem) and not _CUT.search(other)]
        if not _CUT.search(line) or stem in ("", *map(folded, full)):
            yield weight, line
        elif full:
            yield weight, min(full, key=len)
        elif not any(sources.is_kept(node) for node in _own_headings(sources)):
            yield weight, line


def _declared(sources: Sources) -> Iterator[tuple[float, str]]:
    """Yield (weight, title) of what the page declares."""
    title = sources.page.meta.title
    headlines = [thing.get("headline") for thing in sources.works[:1]] or sources.headlines[:1]
    values = [
        *((_OPEN_GRAPH, value) for value in sources.first("og:title")),
        *((_OPEN_GRAPH, thing.get("title")) for thing in sources.works[:1] if "JobPosting" in types_of(thing)),
        *((_LINKED, value) for value in headlines),
        *((_META, value) for value in sources.first(*_TITLES)[:2]),
        (_META / 10 if _EMPTY.fullmatch(title) or _ENDING.match(title) else _TITLE, title),
    ]
    return ((weight, line) for weight, value in values if folded(line := one_line(value)))


@cached_per_object
def _headings(sources: Sources) -> list[tuple[float, str]]:
    """Return (weight, text) of the headings that can be the page's own; the first ones, less if there are several."""
    page = sources.page
    if not len(page):
        return []
    nodes, weight = _own_headings(sources), _HEADING
    if not nodes:
        named = page.nodes_of_class(_HEADLINE).tolist()
        nodes, weight = list(islice(filterfalse(sources.lies_elsewhere, named), _MAX_HEADINGS)), _NAMED
    texts = (_TITLE_LABEL.sub("", one_line(sources.text_of(node, MAX_LINE))) for node in nodes)
    lines = [line for text in texts if folded(line := text.rstrip("¶ "))]
    declared = f" {folded(' '.join(one_line(value) for value in (page.meta.title, *sources.first('og:title'))))} "
    return [
        (weight / (1 + 0.2 * rank) if _shares(line, declared) else _UNRELATED, line)
        for rank, line in enumerate(dict.fromkeys(lines))
    ]


@cached_per_object
def _first_headings(sources: Sources) -> list[int]:
    """Return the first h1 elements of the page itself; if all are named as another part, the one that is kept."""
    nodes = sources.page.nodes_of(numbers("h1"))[:_MAX_SHOWN].tolist()
    own = list(islice(filterfalse(sources.lies_elsewhere, nodes), _MAX_HEADINGS))
    kept = [] if own else [node for node in nodes if sources.is_kept(node)]
    return kept if len(kept) == 1 else own


@cached_per_object
def _own_headings(sources: Sources) -> list[int]:
    """Return the h1 elements that are no logo; without any, headings are guesses by their classes."""
    return [node for node in _first_headings(sources) if not _is_logo(sources, node)]


@cached_per_object
def _shown_headings(sources: Sources) -> set[str]:
    """Return the folded texts of the page's first headings of all levels that are not elsewhere and no logo."""
    nodes = sources.page.nodes_of(_ALL_HEADINGS)[:_MAX_SHOWN].tolist()
    texts = {folded(sources.text_of(node, MAX_LINE)) for node in filterfalse(sources.lies_elsewhere, nodes)}
    return texts - _logos(sources) - {""}


@cached_per_object
def _logos(sources: Sources) -> set[str]:
    """Return the folded texts of the h1 elements that are a logo."""
    nodes = set(_first_headings(sources)) - set(_own_headings(sources))
    return {folded(sources.text_of(node, MAX_LINE)) for node in nodes} - {""}


def _is_logo(sources: Sources, heading: int) -> bool:
    """Return whether the title element says more than a heading that is a link to the start, or that is not kept."""
    page = sources.page
    if folded(page.meta.title) in ("", folded(sources.text_of(heading, MAX_LINE))):
        return False
    links = heading + np.flatnonzero(np.isin(page.tag[heading : page.end[heading]], _LINK))[:_MAX_PLACES]
    least = _LOGO * len(sources.text_of(heading, MAX_LINE))
    long = [link for link in links.tolist() if page.text_end[link] - page.text_start[link] >= least]
    return any(leads_to_start(page, link) for link in long) or _is_of_frame(sources, heading)


def _is_of_frame(sources: Sources, heading: int) -> bool:
    """Return whether a part of the title is this heading, and another part is a kept one below.

    This one is not kept, or is the last part, where the site's name is.
    """
    parts = list(map(folded, _parts(sources.page.meta.title)))
    own = folded(sources.text_of(heading, MAX_LINE))
    page, is_dropped = sources.page, sources.is_kept(heading) is False
    if own not in parts or not (is_dropped or own == parts[-1] or is_in_head(page, heading, len(page))):
        return False
    below = [node for node in page.nodes_of(_ALL_HEADINGS)[:_MAX_SHOWN].tolist() if node > heading]
    kept = (folded(sources.text_of(node, MAX_LINE)) for node in below if sources.is_kept(node))
    return any(" " in text and text != own and text in parts for text in kept)


def _shares(line: str, declared: str) -> bool:
    """Return whether a line and the declared titles, folded, share a longer word; or all if nothing is declared."""
    words = folded(line).split()
    return not declared.strip() or any(word in declared for word in words if len(word) > 2 or not word.isascii())


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


def _after_site(line: str, sources: Sources, site_name: str | None) -> str:
    """Return a title less the name of the site before a colon, if the page shows the rest as a line of its own."""
    before, colon, rest = line.partition(": ")
    is_site = colon and letters(before) == letters(site_name or "")
    return rest.strip() if is_site and _line_rank(rest.strip(), sources) else line


def _is_site(part: str, sources: Sources, site_name: str | None) -> bool:
    """Return whether a part of a title names the site."""
    name, site = letters(_domain_of(part) or part), letters(site_name or "")
    if (len(name) > 3 and name in site) or (len(name) > 2 and name == letters((site_name or "").partition(" ")[0])):
        return True
    if site and (name == site or (len(site) > 3 and site in name and len(name) < 2 * len(site) + 8)):
        return True
    return _is_of_host(part, sources)


def _shown_part(title: str, sources: Sources, *, exact: bool = False) -> str | None:
    """Return the part of a title that the page shows as a line of its own, if possible as a heading; None for none.

    Neighbouring parts can be one part: "Cats - Dogs - The Site" may stand above "Cats - Dogs". Of "The Blog: Cats", the
    first part is a part of its own only if it is the text of an h1 element. Unless `exact`, a part that has a heading
    of several words in it is shown.
    """
    if start := _headed_start(title, sources):
        return start
    marks = list(_SEPARATOR.finditer(title))
    if not marks and (offer := _OFFER.match(title)) and _line_rank(title[offer.end() :], sources) == 2:
        return title[offer.end() :]
    before, colon, after = title.partition(": ")
    if not marks and colon and folded(before) in {folded(line) for _, line in _headings(sources)} | _logos(sources):
        return after.strip() if _line_rank(after.strip(), sources) else None
    if not marks or len(marks) >= _MAX_PARTS:
        return None
    starts, ends = [0, *(match.end() for match in marks)], [*(match.start() for match in marks), len(title)]
    runs = dict.fromkeys(title[start:end].strip() for start in starts for end in ends if start < end)
    runs |= dict.fromkeys(run[offer.end() :] for run in runs if (offer := _OFFER.match(run)))
    lines = {run: rank for run in runs if _is_long(run) and (rank := _line_rank(run, sources))}
    if lines.get(last := title[starts[-1] :].strip()) == 1 and " " not in last:
        del lines[last]  # the name of the site, in a line of its own
    if not exact:
        lines |= dict.fromkeys((part for part in _parts(title) if _has_heading(part, sources)), 2)
    main = {folded(sources.text_of(node, MAX_LINE)) for node in _own_headings(sources) if sources.is_kept(node)}
    lines |= {run: 3 for run in lines if folded(run) in main}
    return max(lines, key=lambda run: (lines[run], len(run)), default=None)


def _headed_start(title: str, sources: Sources) -> str | None:
    """Return the start of a title before a slash, a name of the site in brackets or "kaufen", that is a heading."""
    headings = _shown_headings(sources)
    if (buying := _BUYING.search(title)) and folded(bare := _bare(title[: buying.start()])) in headings:
        return bare
    for match in reversed(list(_TAIL.finditer(title))):
        start, tail = title[: match.start()].strip(), title[match.end() :].strip(" )")
        is_site = "/" in match[0] or _domain_of(tail) or _is_of_host(tail, sources)
        if is_site and folded(start) in headings and len(start.split()) >= _SEVERAL:
            return start if folded(title) not in headings else None
    return None


def _bare(line: str) -> str:
    """Return a title without the signs around it, if they are no quotation marks."""
    line = _STARS.sub("", line)
    return line if "»" in line and "«" in line else line.lstrip(_BEFORE).rstrip(_AFTER)


def _has_heading(part: str, sources: Sources) -> bool:
    """Return whether a part of a title has a heading of the page with several words in it, such as "News: Cats win"."""
    return any(len(line.split()) >= _SEVERAL and folded(line) in folded(part) for _, line in _headings(sources))


def _is_long(text: str) -> bool:
    """Return whether a text has four letters, or two of another script than Latin."""
    return len(letters(text)) > (3 if text.isascii() else 1)


def _line_rank(text: str, sources: Sources) -> int:
    """Return 2 if a text is a heading of the page, 1 if it is another line of its own, 0 for a logo and others."""
    page, key, place, rank = sources.page, folded(text), -1, 0
    if key in {folded(line) for _, line in _headings(sources)}:
        return 2
    if key in _logos(sources):
        return 0
    if key in _shown_headings(sources):
        return 2
    for _ in range(_MAX_PLACES):
        place = page.text.find(text, place + 1)
        if place < 0:
            break
        node = int(sources.text_nodes[np.searchsorted(sources.text_starts, place, "right") - 1])
        if folded(sources.text_of(node)) == key and not sources.lies_elsewhere(node):
            rank = max(rank, 2 if sources.is_in_heading(node) else 1)
    return rank
