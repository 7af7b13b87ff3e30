"""Who wrote each post: the field of the posts that holds their authors' names."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from dehusk.about.dates import read_dates
from dehusk.about.posts.marks import places_of
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.layout import has_ink
from dehusk.read.names import ElementNames, NamePattern, NameWords
from dehusk.read.page import Bools

_ANCHOR = numbers("a")
_NAMED = pattern(
    r"(?:^|[-_\s])(?:author|user|username|user[-_]?id|user[-_]?name|poster|posted[-_]?by|nick|nickname|screen[-_]?name|member|"
    r"commenter|comment[-_]?author|reviewer|writer|fn|vcard|hcard|h-card|p-author|byline|profile|pseudo|autor|auteur|benutzer|"
    r"hnuser|bigusername|name)(?:$|[-_\s])|(?:author|user|member|nick|poster)-?_?(?:name|link|id|info)?(?:$|[-_\s])"
    r"|(?:^|[-_\s])(?:author|username|user|poster|member)",
    re.IGNORECASE,
)
_PERSONS = NameWords(
    "author user poster posted nick member commenter reviewer writer fn card byline profile pseudo autor auteur "
    "benutzer name"
)
"""One of them is in all that `_NAMED` and `_NAMED_BY_CAMEL` match, in small letters."""
_NAMED_BY_CAMEL = pattern(r"(?:[Aa]uthor|[Uu]ser|[Pp]oster|[Mm]ember|[Nn]ick)(?:[A-Z]|[Nn]ame|\b)")
_DECLARED = "[itemprop~=author],[itemprop~=creator],[rel~=author],.p-author,.h-card,.fn"
_SAID = "[data-author],[data-username],[data-user-name]"
PROFILE = pattern(
    r"(?:^|[/?&=])(?:users?|u|members?|memberlist|profiles?|profil|people|person|authors?|autor|mitglied(?:er)?|membres?|"
    r"benutzer|usuarios?|utilisateur|homepage|viewprofile|showuser|user_?info|personal_pages|community|blogger|by)"
    r"(?:$|[/?&=.\d])|/~|/@|showuser|(?:user|member|author|profile|membre)[-_]?(?:id|name|info)?[=/\d.]",
    re.IGNORECASE,
)
ACTION = pattern(
    r"(?:^|[/?&=_#])(?:reply|replyto|replytocom|quote|report|edit|delete|vote|like|share|flag|login|signin|register|signup|"
    r"newreply|posting|sendmessage|pm|newpm|abuse|search|tags?|category|kategorie|javascript:.*reply)(?:$|[/?&=.\d])",
    re.IGNORECASE,
)
_LEAD = pattern(
    r"(?:(?:posted|written|submitted|added|asked|answered|comment(?:ed)?|review(?:ed)?|gepostet|geschrieben|verfasst|kommentar|"
    r"publié|posté|écrit|publicado|escrito|inviato|scritto|message|author|autor|auteur|user|name|from|re:?)\s*:?\s+)?"
    r"(?:by|von|par|por|de|da|di|door|av|af|od|přidal|napisał|автор|от)\s*:?\s+"
    r"|(?:author|autor|auteur|from|name|user|posted by|von|by):\s*",
    re.IGNORECASE,
)
_TAIL = pattern(
    r"(?:\s+(?:says|said|wrote|writes|schrieb|sagt|schreibt|meint|a écrit|dit|dice|dijo|scrive|zegt|пишет|говорит))?"
    r"\s*[:,|·•–—-]*\s*$",
    re.IGNORECASE,
)
_LETTER = pattern(r"[^\W_]")
_SENTENCE = pattern(r"[.!?。！？]\s+\S|[?!。！？]$|https?:|\.{3}")
_COUNT = pattern(r"\W*\d[\d.,\s]*(?:\W*$|\s\S+$)|.*:\s*[\d.,]+$")  # "#12", "1,200 posts", "Posts: 24"
_POINTS = pattern(r"\s[\d.,]+$")  # "Ada 1,200": points in an element of their own
_RANK = NamePattern(
    r"title|rank|group|stat|count|avatar|location|join|regist|signature|role|badge|level|reput|karma|score|award|medal|flair|"
    r"contact|posts\b|since",
    "title rank group stat count avatar location join regist signature role badge level reput karma score award medal "
    "flair contact posts since",
)
_BOLD = numbers(("b", "strong", "dt", "th", "cite", *HEADINGS))
_ATTRIBUTES = ("data-author", "data-username", "data-user-name")
_SWITCHES = frozenset({"true", "false"})  # such an attribute may say whether its element is by the author of the thread
MAX_NAME = 60
MIN_SCORE = 2.5
LONG_NAME, _LONG_LINK = 4 * MAX_NAME, 1_000
"""Characters that are read of what may be a name, and of its address."""
_RECENT = 8_192
"""Texts and addresses whose reading is remembered: names, buttons and ranks recur from post to post."""


class Name(NamedTuple):
    """A name that may be an author's."""

    node: int
    text: str
    link: str | None
    """The address that it links to, as written."""
    start: int
    end: int
    """Where its text starts and ends in `Blocks.text`."""
    points: float
    """What its own markup says for it."""


class Region(NamedTuple):
    """The nodes of a post in which its author and its links are, and the date there."""

    first: int
    stop: int
    date_node: int
    body_start: int
    """Offset in `Blocks.text` of the first long paragraph; of the end if there is none."""
    is_long: bool
    """Whether there is a long paragraph."""
    date_end: int
    """Offset in `Blocks.text` of the end of the date."""


class Names:
    """The elements of a page that may hold names: those with a short text of one block."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.places, page = blocks, places_of(blocks.page), blocks.page
        is_named = _persons(page.classes)[page.class_code] | _persons(page.ids)[page.id_code]
        is_declared = np.zeros(len(page), dtype=np.bool_)
        rows = page.elements.rows_of(page.elements.select(_DECLARED, contents=False))
        is_declared[rows[rows > 0]] = True
        self.marks: list[float] = (4.0 * is_declared + 2.0 * is_named).tolist()
        self.ranks: list[bool] = page.has_class(page.classes.named(_RANK)).tolist()
        self.known: dict[int, Name | None] = {}
        self.title = page.meta.title.casefold()
        self.said = self._in_attributes()
        self.links, self.bold = frozenset(page.nodes_of(_ANCHOR).tolist()), frozenset(page.nodes_of(_BOLD).tolist())
        self.inked = has_ink(page)
        before = np.append(0, np.cumsum(self.inked))
        pieces = before[page.end] - before[:-1]
        is_short = (page.text_end - page.text_start <= LONG_NAME) & (pieces > 0) & ~page.is_text
        nodes = np.flatnonzero(is_short)
        starts, ends = (blocks.source.searchsorted(offsets[nodes]) for offsets in (page.text_start, page.text_end))
        in_one_block = ends > starts
        in_one_block[in_one_block] = np.equal(*(blocks.block_of[at[in_one_block]] for at in (starts, ends - 1)))
        self.nodes = nodes[in_one_block]
        self.texts = np.stack((starts, ends, pieces[nodes]), axis=1)[in_one_block]
        """(k, 3) where the text of each of `nodes` starts and ends in `Blocks.text`, and its text nodes."""

    def _in_attributes(self) -> list[int]:
        elements = self.blocks.page.elements
        return [row for row in elements.rows_of(elements.select(_SAID, contents=False)).tolist() if row > 0]

    def between(self, first: int, stop: int) -> Iterator[Name]:
        """Yield the possible names among the nodes of a range."""
        low, high = np.searchsorted(self.said, [first, stop])
        for node in self.said[low:high]:
            text = next(filter(None, map(partial(self.blocks.page.attribute, node), _ATTRIBUTES)), "")[:LONG_NAME]
            if is_name(clean_name(text)) and text not in _SWITCHES:
                yield Name(node, clean_name(text), None, 0, 0, 3.0)
        low, high = self.nodes.searchsorted([first, stop])
        for node, place in zip(self.nodes[low:high].tolist(), self.texts[low:high].tolist(), strict=True):
            if node not in self.known:
                self.known[node] = self._name(node, *place)
            if name := self.known[node]:
                yield name

    def _name(self, node: int, start: int, end: int, pieces: int) -> Name | None:
        start += self._initial(node, start, end) if pieces > 1 else 0
        written = self.blocks.text[start:end]
        text = clean_name(written)
        if pieces > 1:
            text = _POINTS.sub("", text)
        if not is_name(text):
            return None
        link = self._link(node)
        points = self._marked(node) - 1.0 * (pieces > 1) + 0.5 * (text != written.strip())
        points += 0.5 * (node in self.bold or self.places.parents[node] in self.bold) - 2.0 * (
            len(text) > 8 and text.casefold() in self.title
        )
        if link is not None:
            points += _link_points(link[:_LONG_LINK])
        return Name(node, text, link, start, end, points)

    def _initial(self, node: int, start: int, end: int) -> int:
        """Return the length of the initial before a name that stands for a missing picture, as in "A" and "Ada"."""
        text = self.blocks.text[start:end]
        rest, page = text[1:].lstrip(), self.blocks.page
        if len(text) < 3 or rest[:1].casefold() != text[0].casefold():
            return 0
        first = next((page.text_end[one] for one in range(node, page.end[node]) if self.inked[one]), 0)
        return len(text) - len(rest) if int(self.blocks.source.searchsorted(first)) == start + 1 else 0

    def _marked(self, node: int) -> float:
        """Return the points of what the markup of an element, or of one of the next three around it, says."""
        points = 0.0
        for distance in range(4):
            if node < 0:
                break
            if self.ranks[node]:
                return points - 1.5 if distance < 2 else points
            points = max(points, (1 - 0.15 * distance) * self.marks[node])
            node = self.places.parents[node]
        return points

    def _link(self, node: int) -> str | None:
        """Return the address of a link, or of the only link in or next around an element."""
        page = self.blocks.page
        inner = [each for each in range(node, page.end[node]) if each in self.links]
        if len(inner) == 1:
            return page.attribute(inner[0], "href")
        parent = self.places.parents[node]
        return page.attribute(parent, "href") if parent in self.links else None


def _persons(names: ElementNames) -> Bools:
    """Return which names are those of persons."""
    found = np.zeros(len(names.values), dtype=np.bool_)
    found[[code for code in names.having(_PERSONS) if _names_a_person(names.values[code])]] = True
    return found


@lru_cache(_RECENT)
def _names_a_person(name: str) -> bool:
    return bool(_NAMED.search(name) or _NAMED_BY_CAMEL.search(name))


@lru_cache(_RECENT)
def _link_points(link: str) -> float:
    """Return what the address that a name links to says for it."""
    is_profile, is_action = PROFILE.search(link) is not None, ACTION.search(link) is not None
    return 2.0 * is_profile - 4.0 * is_action + 0.5 - 3.0 * link.startswith("#")


@lru_cache(_RECENT)
def clean_name(text: str) -> str:
    """Return a name without "by" before it and "says:" after it."""
    text = " ".join(text.split())
    text = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    return _TAIL.sub("", text).strip()


@lru_cache(_RECENT)
def is_name(text: str) -> bool:
    """Return whether a text can be a name: short, with a letter, neither a sentence nor a date.

    A single letter that has a capital stands for a missing picture.
    """
    if not text or len(text) > MAX_NAME or not _LETTER.search(text) or _SENTENCE.search(text) or _COUNT.match(text):
        return False
    return not (len(text) == 1 and text.lower() != text.upper()) and not read_dates(text)


def find_authors(names: Names, regions: list[Region]) -> list[Name | None]:
    """Return the author of each post: the name in the field that has the most points.

    A field is a place in the markup. Its names differ from post to post; those of buttons and ranks do not. Posts
    without the best field, such as those of guests, have the name in the next best.
    """
    fields: dict[object, dict[int, Name]] = defaultdict(dict)
    for index, region in enumerate(regions):
        for rank, name in enumerate(names.between(region.first, region.stop)):
            fields[names.places.path(name.node)].setdefault(
                index, name if rank > 2 else name._replace(points=name.points + 0.5)
            )
    scores = {key: _score(found, regions) for key, found in fields.items()}
    chosen: list[Name | None] = [None] * len(regions)
    best = sorted((key for key in fields if scores[key] > MIN_SCORE), key=lambda key: -scores[key])
    for key in best:
        if scores[key] >= 0.5 * scores[best[0]] or len(fields[best[0]]) < len(regions):
            for index, name in fields[key].items():
                chosen[index] = chosen[index] or name
    return chosen


def strength(authors: list[Name | None]) -> float:
    """Return what speaks for names as those of authors: the mean points of their markup, and that some recur."""
    named = [author for author in authors if author]
    texts = {author.text.casefold() for author in named}
    short = sum(len(author.text.split()) for author in named) <= 3 * len(named)
    recur = len(named) > 3 and 1 < len(texts) < len(named) and short
    return sum(author.points for author in named) / len(named) + recur if named else 0.0


def _score(found: dict[int, Name], regions: list[Region]) -> float:
    n, k = len(regions), len(found)
    texts = {name.text.casefold() for name in found.values()}
    points = sum(name.points for name in found.values()) / k
    targets = {name.link for name in found.values()}
    is_button = len(texts) == 1 < k and (points < 2.5 or len(targets) > 1)
    if is_button or (k > 3 and len(texts) < 0.15 * k and points < 2):
        return 0.0
    digits = sum(_digits(name.text) for name in found.values()) / k
    words = sum(len(name.text.split()) for name in found.values()) / k
    initials = sum(len(name.text) < 3 for name in found.values()) > 0.7 * k
    before = sum(name.start <= regions[index].body_start for index, name in found.items()) / k
    pairs = {(name.text.casefold(), name.link) for name in found.values() if name.link}
    links = {name.link for name in found.values() if name.link}
    steady = (bool(links) and len(pairs) == len(links) < k) or 1 < len(texts) < k
    score = (
        points
        + before
        + 2 * len(texts) / k
        + steady
        - 4 * (digits > 0.5)
        - (words > 3)
        - 3 * (words > 5)
        - 2 * initials
    )
    return score * (k / n) ** 0.5 if score > 0 else 0.0


def _digits(text: str) -> bool:
    count = sum(map(str.isdigit, text))
    return 2 * count > len(text)
