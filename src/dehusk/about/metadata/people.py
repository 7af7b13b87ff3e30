"""The authors of a page: those that it declares, and those in its bylines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

import numpy as np
import numpy.typing as npt

from dehusk.about.dates import month_of
from dehusk.about.metadata.dates import date_places
from dehusk.about.metadata.lines import folded, is_address, letters, one_line
from dehusk.about.metadata.linked_data import Thing
from dehusk.about.metadata.sources import Sources, host_label
from dehusk.about.posts import FoundPost
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.bylines import AUTHOR_KEYS, BEFORE_BY, CHINESE_WRITERS, WRITERS
from dehusk.read.names import NamePattern

_MAX_AUTHORS = 10  # authors of a work, or elements marked as an author, to look at
_GIVEN_LAST = pattern(r"^\s*([^,;]+),\s*([^,;]+?)\s*$")
"""A name with the given names behind, as catalogues have it."""
_FAMILY_FIRST = pattern(r"^\s*(\S+),\s+(\S.*?)\s*$")
"""Such a name in Dublin Core, where a comma may also be between two names."""
_MORE_META = ("dc.creator.aut", "og:author", "og:article:author", "authors", "articleauthor")
_BY = pattern(
    rf"(?:(?:{BEFORE_BY})\s+)?"
    r"(?:by\s*:?\s+|(?:von|par|por|door|av|af|autor[ae]?|author|auteur|text[eo]?|od|автор|текст|от|tekst)\s*:\s*|"
    r"(?:par|por|door(?=\s+(?-i:[^\Wa-z\d_]))|(?-i:Von)(?=\s+\S+\s+\S))\s+|(?:di|de|da)\s*:\s*|作者\s*[:：]\s*(?:记者\s+)?|[记記]者\s*[:：]?\s*|文\s*[/／:：]\s*|by:\s*"
    rf"|(?:{WRITERS})(?:\s*[:：]\s*|\s+))(?=\S)",
    re.IGNORECASE,
)
_BY_OF_NAMES = pattern(r"^(?:von|av|af|di|του|της)\s+(?=\S)", re.IGNORECASE)
"""What is before the names in a byline, and in other texts is part of a name: "von Neumann"."""
_SPLIT = pattern(
    r"\s*(?:;|\||•|·|⋅|∙|\n|(?<!(?-i:[A-Z]{2}))/|/(?!(?-i:[A-Z]{2}\b)))\s*|\s+(?:and|und|och|with|&)\s+|\s*(?:、|，)\s*",
    re.IGNORECASE,
)
_WHOLE = pattern(r"[^\s;|/,]+\s+[^;|/,]*\S\s+(?:and|und)\s+\w+\W*", re.IGNORECASE)
"""A name whose last word is no name: "Center for Drug Evaluation and Research"."""
_WIRES = pattern(
    r"\s+(?:and|with|und|&)\s+(?:the\s+)?(?:wires?|agencies|agenturen|AAP|AFP|AP|DPA|Reuters)\W*$", re.IGNORECASE
)
"""Agencies that an author has used."""
_AND = pattern(r"(\S+\s+\S.*?)\s+(?:et|og|y|e|en|i|и)\s+(\S+\s+\S.*)")
"""Two names of two words or more; "Ramón y Cajal" is one, as is "José Ortega y Gasset"."""
_COMMA = pattern(r"\s*,\s*(?:and\s+)?")
_LETTER = pattern(r"[^\W\d_]")
_CREDENTIAL = pattern(
    r"(?:[Ff]rom|[Oo]f)\s.*|\w+[®™]|(?:C?PP|PSP|CPA|CF[AP]|MBA|PMP|CISSP|LCSW|LMFT|LPC|RDN?|CDN|RN|[BM]SN|NP|DPT|DDS|DVM|JD|Esq|MPH|MS[WC]|BSc|SHRM-S?CP"
    r"|M\.?D|Ph\.?D)\.?",
)
"""What stands after a name and a comma, and is none: degrees, licences, and where a person is from."""
_LETTERS_BEHIND = pattern(r"[A-Z]{2,6}|(?:Inc|Ltd|LLC)")
"""What stands after a comma behind a whole name: other degrees, and the form of a company."""
_POSTS = pattern(
    r"(?:writer|reporter|correspondent|editor|contributor|columnist|photographer|journalist|producer|analyst)s?",
    re.IGNORECASE,
)
_WHICH_POST = pattern(
    r"reuters|associated|press|times|staff|senior|science|sports|political|contributing|associate|assignment|assistant"
    r"|managing|deputy|former|executive|chief|guest|freelance|special|news|medical|health|business|tech(?:nology)?"
    r"|education|environment|legal|foreign|city|(?:inter)?national|features|lifestyle|web|online|data|investigative",
    re.IGNORECASE,
)
"""What one does, behind a name, and which of them: "Ann Leaf AP Medical Writer"."""
_AGENCY = pattern(r"[A-Z]{2,4}|\w+\.com|[A-Z]{2,}[a-z]+")
_VERB = pattern(r"^(\S+\s.*\S)\s+(?:reports?|writes|explains|investigates|berichtet|schreibt|rapporte|informa)$")
"""What a person of two names does, in the first sentence of a text."""
_ADDRESS_BEHIND = pattern(r"(?<=\S)\s*[-–—|,(]?\s*https?://\S+", re.IGNORECASE)
_MAKERS = pattern(
    r"\b(?:web ?(?:architecture|design)|(?<!: )design|programming|html|layout|hosting)\s*:", re.IGNORECASE
)
"""Labels of who made the site."""
_BRACKETS = pattern(r"(?<=\S)\s*[(（][^()（）]*[)）]?$|(?<=\w)[)）]$")
"""Brackets behind a name: an address, a site, what the person is called there."""
_FOR = pattern(r"^(\S+\s.*\S)\s+[Ff]or\s+(?:the\s+)?[A-Z].*$")
"""Whom a person of two names writes for."""
_CONTACT = pattern(r"(?:tel|fax|phone|telefon|e-?mail)\b\W*[:+\d]", re.IGNORECASE)
"""How lines of an address begin, of which only the first has a name."""
_AROUND = pattern(
    r"^(?:about(?: the author)?|meet)\s*:?\s+(?=\S+\s+\S)"
    r"|^(?:(?:view|see|read|show) )?(?:all |more )?(?:posts|articles|stories) (?:by|from) "
    r"|^(?:reporter|correspondent|journalist|columnist)\s+(?=(?-i:[^\Wa-z\d_])\S*\s+\S)"
    r"|^(?:author|autor)\s*:?\s+(?=(?-i:[^\Wa-z\d_]))|\s+(?:author|autor)$",
    re.IGNORECASE,
)
_INTERFACE = pattern(
    r"\b(?:twitter|facebook|email|e-mail|share|comments?|log ?in|sign|subscribe|follow|read|more|posts?|view|all"
    r"|profile|minut\w*|print|contact|biography|newsletter)\b",
    re.IGNORECASE,
)
"""Words of buttons beside bylines."""
_NO_NAME = pattern(
    r"[:：»]|^about\b|\sby\s|\b(?:written|reviewed|edited) by\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
"""What stands in no name: "Joined: Apr" is a label and its value."""
_CONTROL = pattern(
    r"(?:(?:view|see|show|all|more|my|full|the|read|follow|send|profile|posts?|articles?|stories|message|bio(?:graphy)?"
    r"|author|discussion|details|contact|email|website|replies|comments?)(?:\W+|$))+",
    re.IGNORECASE,
)
"""Texts of buttons and of heads of columns, where names are elsewhere."""
_DOMAIN = pattern(r"(?:www\.)?[\w-]{4,}\.(?:com|net|org|info|biz|co|[a-z]{2})(?:\.[a-z]{2})?", re.IGNORECASE)
"""Hosts, which sites declare as their author; of four characters or more, as "j.de" may be a person."""
_ONLY_ROLE = pattern(
    r"(?:(?:contributing|staff|senior|guest|chief|associate|managing|deputy|freelance|founder|co-?founder|ceo|cto|owner|president|director|team|the|news|tech|technology|sports|science"
    r"|writers?|reporters?|correspondents?|editors?|columnist|contributors?|photographers?|producers?|analyst|journalist"
    r"|redakteur(?:in)?|redaktion|in)\b\W*)+",  # whole words, as "redakteurin" could be read in two ways
    re.IGNORECASE,
)
"""Texts that name no person, but only what one does."""
_COMPANY = pattern(
    r"\b(?:times|news|post|press|magazine|daily|media|redaktion|redacci[oó]n|r[eé]daction|agenc(?:y|ies)|agenturen|desk"
    r"|editors?|online|nachrichten|tv|inc|llc|ltd|gmbh)$|\.(?:com|net|org|[a-z]{2})$"
    r"|(?:^|\s)[\w-]{4,}\.(?:com|net|org|info|gr|de|fr|it|es|pl|ru|ua|cz|nl|be|at|ch|uk|eu)\s",
    re.IGNORECASE,
)
"""How names of companies end, and hosts in them: "leaf.gr — The Leaf"."""
_PREFIX = pattern(r"^(?:[\w.]+ ){0,3}[\w.]{2,}(?:s['’]|['’]s)\s+(?=\S+\s+\S)")
"""Whose reporter a person is: "NBC News' Ann Leaf"."""
_NO_START = pattern(
    r"(?:an?|in|on|at|of|to|this|our|my|your|its|what|how|why)\s"
    r"|(?:writers?|reporters?|correspondents?|editors?|staff|senior|photographers?)\s(?:of\s|(?!\S+\s\S))",
    re.IGNORECASE,
)
"""What no name in a byline begins with: "Reporter Citation" are heads of columns."""
_ROLE = pattern(
    r"\b(?:writers?|reporters?|correspondents?|editors?|staff|columnist|contributors?|photographers?|redakteur(?:in)?"
    r"|producers?|analyst|manager|engineer|developer|strategist|founder|ceo|cto|president|director|journalist|newspaper"
    r"|last updated|updated|published|posted|special to|for the"
    r"|m\.?d|ph\.?d|jr|cfp|cfa|cpa|mba|esq|pharmd|lcsw|rdn|dds|dvm)\b",
    re.IGNORECASE,
)
_NOBODY = pattern(
    r"(?:(?:no|unknown|default|site|guest) )?(?:admin|administrator|author|user|name)|editor|staff|webmaster|anonymous"
    rf"|unknown|unbekannt|none|null|undefined|n ?a|not available|(?:(?:{BEFORE_BY}) )?by|von|par|por|di|de|da"
    r"|匿名(?:用户)?|佚名|未知|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sonn)tag|mittwoch|samstag"
    r"|sonnabend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado"
)
_LABEL = pattern(r"\b(?:published|updated|since|written by|photo|order|related|submitted|joined)\b", re.IGNORECASE)
"""Words of labels of dates and of links, where the name in the head of a post could be."""
_BYLINE = NamePattern(
    r"by-?_?lines?(?![a-z])|author(?!i)|autor(?![a-z]{2})|auteur|autore|verfasser|writer|reporter",
    "line author autor auteur verfasser writer reporter",
)
_BYLINE_START = pattern(
    rf"(?:^|[\s·•|,:(])(?P<by>(?:(?:by|von|par|por|door|av|af|od|reporter|作者|记者|{WRITERS})\s*[:：]?\s+"
    r"|^(?:di|του|της)\s+(?=(?-i:[^\Wa-zα-ω\d_])\S*\s+(?-i:[^\Wa-zα-ω\d_]))"
    rf"|(?:{CHINESE_WRITERS})\s*[:：]\s*"
    r"|記者(?=[^\W\d_]{2,4}[／/])|^(?=[^\W\d_]{2,4}\s?기자(?!\w)))\S)",
    re.IGNORECASE,
)
_BY_SINGLE = pattern(
    r"(?:(?:posted|written|published|submitted)\s+)?(?:by|von|par|por|door)\s*:?\s+(?-i:[^\Wa-z\d_])|(?:作者|撰文)\s*[:：]",
    re.IGNORECASE,
)
"""How an element begins that is marked as a byline and has a single name."""
_AFTER_NAMES = pattern(
    r"\s+(?:责任编辑|責任編輯|编辑|編輯|来源|來源|发布|發布|时间|時間|更新)|"
    r"\s+(?:on|am|le|el|at|in|published|posted|updated|last)\s"
    r"|\s+(?:joined|registered|member since|posts|location|anmeldungsdatum|registriert|mitglied|beiträge)\b"
    r"|\s[-–—·•|@(]\s?|\s\|\s|\s\d|\d{2}[./:]|[(|@]|\s?기자(?!\w)|[／/][^\W\d_]{2,4}[報报][導导]",
    re.IGNORECASE,
)
"""What follows the names in a byline: a date, a place, the name of the site."""
_NEAR_SINGLE = 1_000  # characters after the heading in which a Chinese name can be
_MAX_MARKED, _MAX_LINES = 20, 300  # marked elements and texts near the heading to look at
_NEAR_BEFORE, _NEAR_AFTER = 1_000, 3_000  # characters around the heading in which a byline can be
_ROWS, _ROW_GAP, _OWN = 3, 40, 3.0
"""Names alike that are those of the rows of a list, characters between two of them, and how many times as many are
after the first if it is that of the page, at least; set by hand."""
_BREAK, _MAX_BEFORE = numbers("br"), 10  # what ends a line, and texts to look at before a byline in its line
_BEFORE_BY = pattern(rf"(?:{BEFORE_BY}|photos?)\W*$", re.IGNORECASE)
_MAX_BYLINE = 160  # characters of a byline


def read_authors(
    sources: Sources, heading: int, site_name: str | None, opening: FoundPost | None
) -> tuple[tuple[str, ...], bool]:
    """Return the names of the authors, and whether they are a guess.

    Names of people come before that of the site, which many pages declare as their author for want of one.

    Args:
        sources: what the page declares.
        heading: offset of the page's heading in its text.
        site_name: the name of the site.
        opening: the post that the page begins with, if it is a thread.
    """
    own = {letters(site_name or ""), host_label(sources)} - {""}
    weak: tuple[str, ...] = ()
    for values in _declared(sources):
        names = _distinct(values)
        others = tuple(name for name in names if not _is_site(name, own))
        people = tuple(name for name in others if not _DOMAIN.fullmatch(name))
        if people and not all(_COMPANY.search(name) for name in people):
            return people, False
        weak = weak or people or others or names
    if opening:
        return ((opening.author.lstrip("@"),), True) if opening.author else (weak, False)
    for values in _bylines(sources, heading):
        names = tuple(name for name in dict.fromkeys(values) if not _is_site(name, own))
        if people := tuple(name for name in names if not _COMPANY.search(name)) or names:
            return people, True
    return weak, False


def _declared(sources: Sources) -> Iterator[Iterable[object]]:
    """Yield the authors according to each source that names any, people first."""
    named = {thing["@id"]: thing["name"] for thing in reversed(sources.things) if _is_named(thing)}
    credited = (_credited(thing, named) for thing in sources.works)
    yield next((names for names in credited if any(map(names_in, names))), [])
    for key in AUTHOR_KEYS:
        own = sources.meta.get(key, [])[:_MAX_AUTHORS]
        yield [_FAMILY_FIRST.sub(r"\2 \1", value) for value in own] if key.startswith("dc") else own
    yield [_GIVEN_LAST.sub(r"\2 \1", value) for value in sources.meta.get("citation_author", [])[:_MAX_AUTHORS]]
    yield from (sources.meta.get(name, [])[:_MAX_AUTHORS] for name in _MORE_META)
    yield sources.properties.get("author", [])[:1]
    yield _linked_authors(sources)


def _linked_authors(sources: Sources) -> list[str]:
    """Return the text of the first link to an author that is not beside a teaser, a comment or the like."""
    elements = sources.page.elements.select("[rel~=author]")[:_MAX_AUTHORS]
    rows = sources.page.elements.rows_of(elements).tolist() if elements else []
    own = (element.text for element, row in zip(elements, rows, strict=True) if not sources.lies_elsewhere(row))
    return list(islice(own, 1))


def _is_named(thing: Thing) -> bool:
    return isinstance(thing.get("@id"), str) and bool(thing.get("name"))


def _credited(thing: Thing, named: Mapping[str, object]) -> list[object]:
    """Return the authors of a work; references to other objects are resolved."""
    declared = thing.get("author") or thing.get("creator")
    authors = declared if isinstance(declared, list) else [declared]
    return [_name(author, named) for author in authors[:_MAX_AUTHORS]]


def _name(value: object, named: Mapping[str, object]) -> object:
    if not isinstance(value, dict):
        return value
    parts = " ".join(part for key in ("givenName", "familyName") if isinstance(part := value.get(key), str))
    name = value.get("name") or parts or named.get(str(value.get("@id")))
    return name[0] if isinstance(name, list) and name else name


def _distinct(values: Iterable[object]) -> tuple[str, ...]:
    """Return the names in some values, each once."""
    names = [name for value in values for name in names_in(value)][:_MAX_AUTHORS]
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(folded(name), name)
    return tuple(distinct.values())


def names_in(value: object) -> list[str]:
    """Return the names in a value: "By Ann Leaf and Bo Cup, staff writers" names two."""
    line = one_line(value)
    line = _ADDRESS_BEHIND.sub("", line)
    if _is_nobody(line) or "——" in line or _MAKERS.search(line):  # "——": a slogan
        return []
    by = _BY.match(line)
    line = _AROUND.sub("", _PREFIX.sub("", _WIRES.sub("", line[by.end() :] if by else line)))
    if is_address(line):
        return []
    parts = [
        part
        for each in ([line] if _WHOLE.fullmatch(line) else _SPLIT.split(line))
        for part in _AND.sub("\\1;\\2", each).split(";")
    ]
    names = [name for part in parts for name in _without_roles(part) if not (date_places(name) or _is_day(name))]
    if any(map(_CONTACT.match, names)):
        del names[1:]
    return [name for name in names if _LETTER.search(name) and not is_address(name) and not _is_nobody(name)]


def _is_day(name: str) -> bool:
    """Return whether a name is a day without its year: "May 3"."""
    words = name.split()
    return len(words) == 2 and any(map(str.isdecimal, words)) and any(map(month_of, words))


def _is_nobody(name: str) -> bool:
    """Return whether a name is a word that stands where names do, a button, or only a role."""
    others = (_CONTROL, _ONLY_ROLE)
    return _NOBODY.fullmatch(folded(name)) is not None or any(other.fullmatch(name) for other in others)


def is_control(name: str) -> bool:
    """Return whether a text where a name could be is that of a button, or a label such as "Last updated"."""
    return any(pattern_.search(name) for pattern_ in (_INTERFACE, _NO_NAME, _LABEL)) or _is_nobody(name)


def _without_roles(part: str) -> list[str]:
    """Return the names between commas; "Leaf, Ann" is one name."""
    pieces = [piece.strip(" -–—.:*→»›") for piece in _COMMA.split(part)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) == 2 and all(" " not in piece for piece in pieces):
        return [", ".join(pieces)]
    is_whole = " " in (pieces or [""])[0]
    if len(pieces) > 2 and is_whole and _ROLE.search(pieces[-2]):
        del pieces[-1]  # who employs the person
    others = [one for one in pieces[1:] if not _is_credential(one)]
    others = [one for one in others if not (is_whole and _LETTERS_BEHIND.fullmatch(one))]
    names = [
        _without_credentials(_without_post(_VERB.sub(r"\1", _FOR.sub(r"\1", _BRACKETS.sub("", piece)))))
        for piece in pieces[:1] + others
    ]
    return [name for name in names if not _ROLE.search(name)] or names[:1]


def _without_post(name: str) -> str:
    """Return a name of two words or more without what the person does, and for which agency, behind it."""
    words = name.split(" ")
    if len(words) < 4 or not (_POSTS.fullmatch(words[-1]) and _WHICH_POST.fullmatch(words[-2])):
        return name
    del words[-1]
    while len(words) > 2 and (_WHICH_POST.fullmatch(words[-1]) or _AGENCY.fullmatch(words[-1])):
        del words[-1]
    return " ".join(words)


def _is_credential(piece: str) -> bool:
    return _CREDENTIAL.fullmatch(piece) is not None


def _without_credentials(name: str) -> str:
    """Return a name of two words or more without the degrees behind it."""
    words = name.split(" ")
    while len(words) > 2 and _is_credential(words[-1]):
        del words[-1]
    return " ".join(words)


def _is_site(name: str, own: set[str]) -> bool:
    """Return whether a name is one of a site's own names, in letters only, or contains it, or is a word of it."""
    key, single = letters(name), " " not in name
    return any(
        key == site or (single and len(key) > 3 and key in site) or (len(site) > 2 and site in key) for site in own
    )


def _is_name(name: str, *, short: bool = False) -> bool:
    """Return whether a text that no page declares as a name looks like one; names of one word only if `short`."""
    words = name.split()
    if _INTERFACE.search(name) or (len(words) > 3 and words[:2] == words[2:4]):  # of a picture and the link beside it
        return False
    if (
        _NO_NAME.search(name)
        or any(character.isdigit() for character in name)
        or not 3 - short <= len(name) <= 40
        or not words
    ):
        return False
    if not name.isascii() and len(words) == 1:
        return len(name) <= 6 and not name[0].isupper() and not name[0].islower()  # a name in Chinese or Japanese
    if _NO_START.match(name):
        return False
    if len(words) == 1:
        return short and 3 <= len(name) <= 20
    return len(words) <= 5 and all(word[0].isalpha() and not word[0].islower() for word in (words[0], words[-1]))


def _bylines(sources: Sources, heading: int) -> Iterator[list[str]]:
    """Yield the names in the bylines near the heading, those that are marked as such first, the nearest first."""
    page = sources.page
    if not len(page):
        return
    marked = np.union1d(page.nodes_of_class(_BYLINE), page.nodes_of_id(_BYLINE))
    single = list[list[str]]()
    for node in islice(_near(sources, marked, heading, len(page.text)), _MAX_MARKED):
        whole = "" if _is_in_list(sources, node, marked) else sources.text_of(node, _MAX_BYLINE, spaced=True)
        names = _names_of(_first_line(sources, node), short=False) if whole else []
        yield names or (_names_of(whole, short=False) if whole else [])
        if _BY_SINGLE.match(whole):
            single.append(_near_enough(sources, node, heading, _names_of(whole, short=True)))
    for node in islice(_near(sources, sources.text_nodes, heading, _NEAR_AFTER), _MAX_LINES):
        start, end = int(page.text_start[node]), int(page.text_end[node])
        if end - start <= _MAX_BYLINE and _BYLINE_START.search(f"{page.text[start:end].strip()} X"):
            line = _whole_line(sources, node)
            is_byline = _BYLINE_START.match(line) and not _is_in_sentence(sources, node)
            if is_byline or date_places(line):
                yield _near_enough(sources, node, heading, _names_of(line, short=True))
    yield from single


def _near_enough(sources: Sources, node: int, heading: int, names: list[str]) -> list[str]:
    """Return the names of a byline; none if the first is a single word without a case, and far from the heading.

    There it is the author of a book in a side bar.
    """
    is_single = bool(names) and " " not in names[0] and not names[0][0].isupper() and not names[0].isascii()
    return [] if is_single and sources.page.text_start[node] - heading > _NEAR_SINGLE else names


def _is_in_list(sources: Sources, node: int, marked: npt.NDArray[np.intp]) -> bool:
    """Return whether a marked element is in one of several rows that name others: a list of works, or of answers.

    The first of them is the page's own if much more text is after it than after the others.
    """
    page = sources.page
    alike = marked[(page.class_code[marked] == page.class_code[node]) & (page.tag[marked] == page.tag[node])]
    if len({sources.text_of(other, _MAX_BYLINE, spaced=True) for other in alike[:_MAX_MARKED].tolist()}) < _ROWS:
        return False
    gaps = page.text_start[alike[1:]] - page.text_end[alike[:-1]]
    usual = float(np.median(gaps[1:]))
    return usual > _ROW_GAP and (node != alike[0] or bool(gaps[0] <= _OWN * usual))


def _is_in_sentence(sources: Sources, node: int) -> bool:
    """Return whether other words than a date or a label such as "Posted" are before a text in its line."""
    page, nodes = sources.page, sources.text_nodes
    last = first = int(np.searchsorted(nodes, node))
    while first and sources.holders[nodes[first - 1]] == sources.holders[node] and last - first < _MAX_BEFORE:
        if np.isin(page.tag[nodes[first - 1] : nodes[first]], _BREAK).any():
            break
        first -= 1
    before = page.text[page.text_start[nodes[first]] : page.text_start[node]].strip()
    is_own = _BEFORE_BY.search(before) or date_places(before)
    return bool(_LETTER.search(before)) and not is_own


def _names_of(line: str, *, short: bool) -> list[str]:
    """Return the names in a byline such as "Published: May 3, 2026 by Ann Leaf | 5 comments" or "Ann Leaf on May 3"."""
    by = _BYLINE_START.search(line)
    line = line[by.start("by") :] if by else line
    dated = min(date_places(line), default=0)
    own = _AFTER_NAMES.split(line[:dated] if dated else line)[0]
    names = names_in(_BY_OF_NAMES.sub("", own.rstrip(" ,"), count=1) if by else own.rstrip(" ,"))
    names = [name for name in names if " " in name or not month_of(name)]
    if not names or not _is_name(names[0], short=short and by is not None):
        return []  # a sentence: "By creating maps, self-emptying robots clean better"
    is_short = " " not in names[0]
    return names[:1] + [name for name in names[1:] if _is_name(name, short=is_short and name[0].isupper())]


def _near(sources: Sources, nodes: npt.NDArray[np.intp], heading: int, after: int) -> Iterator[int]:
    """Yield the nodes that begin near the heading and are not elsewhere, the nearest first."""
    distance = sources.page.text_start[nodes] - heading
    near = (distance >= -_NEAR_BEFORE) & (distance <= after) & ~sources.is_elsewhere[nodes]
    nodes, distance = nodes[near], distance[near]
    cost = np.where(distance < 0, -2 * distance, distance)
    return iter(nodes[np.argsort(cost, kind="stable")].tolist())


def _first_line(sources: Sources, node: int) -> str:
    """Return the text of the first block inside an element; before a role in the same line, the first words alone.

    The lines after a name say what the person does.
    """
    page = sources.page
    inside = sources.text_nodes[slice(*sources.text_nodes.searchsorted((node, page.end[node])).tolist())].tolist()
    lines = [(page.text_of(text).strip(), text) for text in inside]
    pictures = set(page.alt_nodes.tolist())
    lines = [(line, text) for line, text in lines if line and text not in pictures]
    holder = sources.holders
    line = " ".join(line for line, text in lines if holder[text] == holder[lines[0][1]])
    is_name = bool(lines) and " " in lines[0][0] and not _ROLE.search(lines[0][0])
    return lines[0][0] if is_name and _ROLE.search(line) else line


def _whole_line(sources: Sources, node: int) -> str:
    """Return the line that a text begins as a byline: as far up as elements begin with it, or until there are names."""
    text = sources.text_of(node, _MAX_BYLINE, spaced=True)
    for _ in range(3):
        node = int(sources.page.parent[node])
        above = sources.text_of(node, _MAX_BYLINE, spaced=True) if node > 0 else ""
        names = _names_of(text, short=True)
        is_byline = _BYLINE_START.match(above)
        is_whole = names and " " in names[0] and _names_of(above, short=True)[:1] != names[:1]
        if not above or (names and (is_whole or not is_byline)):
            return text
        text = above
    return text
