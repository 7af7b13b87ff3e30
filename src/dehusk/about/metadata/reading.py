"""`read_metadata`: the metadata of a page from all sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from dehusk.about.metadata.dates import PageDates, date_in_address
from dehusk.about.metadata.facts import DetectedLanguage, Metadata
from dehusk.about.metadata.languages import detect_language
from dehusk.about.metadata.lines import folded, one_line
from dehusk.about.metadata.linked_data import texts_of
from dehusk.about.metadata.people import is_control, read_authors
from dehusk.about.metadata.sources import Sources
from dehusk.about.metadata.titles import read_site_name, read_title
from dehusk.about.posts import FoundPost, find_posts
from dehusk.about.posts.extents import unlinked_words
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels
from dehusk.read.addresses import address_of
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_LANGUAGES = ("og:locale", "dc.language", "dcterms.language", "language", "content-language")
_PUBLISHED = (
    *(
        "article:published_time",
        "og:article:published_time",
        "datepublished",
        "date",
        "dc.date.issued",
        "dc.date.created",
    ),
    *(
        "dcterms.created",
        "dcterms.issued",
        "dc.date",
        "dcterms.date",
        "pubdate",
        "publishdate",
        "publish-date",
        "pdate",
    ),
    *(
        "sailthru.date",
        "parsely-pub-date",
        "citation_publication_date",
        "citation_date",
        "article.published",
        "created",
    ),
    *("originalpublicationdate", "article_date_original", "displaydate", "cxenseparse:recs:publishtime", "timestamp"),
)
_MODIFIED = (
    *("article:modified_time", "og:article:modified_time", "og:updated_time", "article:updated_time", "datemodified"),
    *("dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revised", "article.updated"),
)
_DESCRIPTIONS = ("og:description", "description", "twitter:description", "dc.description", "dcterms.description")
_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:(?=\S)")
_LICENSES = ("dcterms.license", "dcterms.rights", "dc.rights", "license", "rights")
_IMAGES = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
_KEYWORDS = (
    "keywords",
    "news_keywords",
    "parsely-tags",
    "sailthru.tags",
    "citation_keywords",
    "dc.subject",
    "dcterms.subject",
)
_MAX_DESCRIPTION, _MAX_TAGS, _MAX_TAG = 2_000, 50, 100
_DATED = NamePattern(
    r"date|time(?!r|line)|publish|posted|(?:^|[\s_-])(?:pub|datum|fecha|stand)(?:$|[\s_-])",
    "date time pub posted datum fecha stand",
)
_PUBLISHED_ON = pattern(
    r"\W*(?:(?:first |originally )?(?:published|posted)|publication date|date (?:published|of publication|posted)"
    r"|veröffentlicht|erschienen|publié|date de publication|publicado|fecha de publicación|pubblicato"
    r"|data di pubblicazione|gepubliceerd|geplaatst|publicat|opublikowan[oey]|data publikacji|publikováno"
    r"|publicerad|publisert|publiceret|offentliggjort|julkaistu|yayınlan\w{2,6}|δημοσ[ιί]ε[υύ]\w{1,6}"
    r"|опубликован[оа]?|дата публикации|опубліковано"
    r"|(?:发布|发表|發布|發表)(?:时间|時間|日期|于|於)|公開日|投稿日|掲載日)(?:e[ds]?|er|a)?"
    r"[^\w\d]{0,4}(?:(?:on|am|le|el|il|em|op|den|at|w dniu|στις|ημερομηνία)[^\w\d]{1,4})?(?:[^\W\d_]{2,12}\.?,? )?",
    re.IGNORECASE,
)
"""The label of the day of publication in a line that begins with it, up to the day: "Published on Monday, "."""
_LABELLED, _MAX_LABELLED = 90, 2_000  # characters of such a line, and lines to look at
_CAPTIONS = numbers("figcaption")
_FIRST_PAGES = 1991
"""A date in running text before there were web pages is not that of the page."""
_NEAR_BEFORE, _NEAR_AFTER, _MAX_DATED = 600, 2_500, 120
"""Characters before and after the heading in which a date can be, and of an element or text with a date."""
_MAX_NODES = 300  # texts near the heading in which to look for a date
_ROWS, _SIBLINGS, _ROW_LEVELS, _ROW, _TEASER = 4, 200, 6, 600, 3
"""Elements alike that are the rows of a list, of so many at most that are looked at; levels above a date up to its row,
characters of a row, and words of the link that makes it a teaser; set by hand, on dates of 1,067 pages."""
_ROW_TAGS = numbers("li tr article")
_LINK, _TABLE, _TABLE_ROW, _HEAD, _CELL = numbers("a"), numbers("table"), numbers("tr"), numbers("th"), numbers("td")
_MAX_TIMES, _LABEL = 20, 40
"""Time elements to look at, and characters before a date in which its label is."""
_MEMBER = pattern(
    r"(?:join(?:ed|[- ]?date)|registered|member since|founded|registriert|anmeldungsdatum|dabei seit|beigetreten"
    r"|mitglied seit|inscrit|inscription|iscritto|registrado|miembro desde|registro|zarejestrowany|dołączył\w{0,9}"
    r"|зарегистрирован\w{0,9}|регистрация|注册(?:时间|日期)?|加入(?:时间|日期)?"
    r"|last (?:visit(?:ed)?|seen|active|login)|letzter besuch)\W*(?:(?:on|am|le|il|el|since)\b)?\W*$",
    re.IGNORECASE,
)
"""The label of the day on which the writer of a post joined, or was there last."""
_CHANGED = pattern(
    r"(?:updated|modified|changed|revised|reviewed|edited|aktualisiert|geändert|bearbeitet|überarbeitet"
    r"|mis à jour|modifié|actualizado|modificado"
    r"|atualizad[oa]|aggiornat[oa]|modificat[oa]|bijgewerkt|gewijzigd|zaktualizowano|aktualizacja|aktualizováno|uppdaterad|oppdatert|opdateret"
    r"|päivitetty|frissítve|güncellen\w{2,6}|ενημ[εέ]ρωση|обновлен[оа]?|изменен[оа]?|оновлено|更新(?:时间|時間|日|日時)?|수정)"
    r"\W*(?:(?:on|at|am|le|el|il|em|op|den)\b)?\W*(?:[^\W\d_]{2,12}\W{1,2})?$",
    re.IGNORECASE,
)
"""The label of the day of the last change."""
_BESIDE_CHANGE = 120  # characters around such a day in which that of publication can be
_TAG = pattern(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{1,8})*")
"""A language as BCP 47 writes it; some pages have its name."""
_TAG_SPLIT = pattern(r"\s*[,;，、]\s*")
_RUNNING, _THREAD = 12, 0.6
"""Words outside links of a block of running text, and the share of such words that the posts of a thread have."""


def read_metadata(page: Page, labels: Labels | None = None) -> Metadata:
    """Return what a page says about itself, in time proportional to the page's size.

    Each value comes from the first source that has it; docs/metadata.md lists the sources. Damaged sources are skipped.

    Args:
        page: the parsed page.
        labels: the labels of the page's blocks. They show where the content begins, and give `text_language`.
    """
    sources = Sources(page, labels)
    site_name, site_guessed = read_site_name(sources)
    title, title_guessed = read_title(sources, site_name)
    heading = _heading_offset(sources, title)
    language = _first([page.meta.language, *sources.first(*_LANGUAGES), *_declared_like_headers(page)])
    page_language = detect_language(page.text)
    spoken = language or _language_of_months(page_language)
    modified = _first_date(sources, "dateModified", _MODIFIED, PageDates(page.text, spoken))
    modified = modified if (modified or "") >= str(_FIRST_PAGES) else None  # not the first day of a clock
    in_address = _date_in_addresses(sources)
    dates = PageDates(page.text, spoken, address=in_address, modified=modified)
    opening = _opening_post(sources, title)
    date, date_guessed = _read_date(sources, heading, dates, opening)
    if date and modified and modified < date and not date_guessed:
        modified = None  # the last change of a draft
    authors, authors_guessed = read_authors(sources, heading, site_name, opening)
    guesses = {"title": title_guessed, "authors": authors_guessed, "date": date_guessed, "site_name": site_guessed}
    url = address_of(page)
    guesses["url"] = url is not None and not page.url
    return Metadata(
        title=title,
        authors=authors,
        date=date,
        modified=modified,
        site_name=site_name,
        description=_first([*sources.first(*_DESCRIPTIONS), *sources.of_things("description")], _MAX_DESCRIPTION),
        language=language,
        page_language=page_language,
        text_language=None if labels is None else _kept_language(labels),
        license=_read_license(sources),
        tags=_read_tags(sources),
        image=_read_image(sources),
        canonical=_first_address(sources, [page.meta.canonical, *sources.first("og:url")]),
        url=url,
        guessed=tuple(name for name, guessed in guesses.items() if guessed),
    )


def page_title(page: Page, labels: Labels | None = None) -> str | None:
    """Return `Metadata.title` of a page, without reading its other metadata.

    Args:
        page: the parsed page.
        labels: the labels of the page's blocks.
    """
    sources = Sources(page, labels)
    return read_title(sources, read_site_name(sources)[0])[0]


def _first(values: Iterable[object], limit: int = 300) -> str | None:
    return next(filter(None, (one_line(value, limit) for value in values)), None)


def _first_address(sources: Sources, values: Iterable[object]) -> str | None:
    """Return the first absolute address among some values; without any, the first relative one."""
    addresses = list(filter(None, map(sources.absolute, values)))
    return next((address for address in addresses if _SCHEME.match(address)), next(iter(addresses), None))


def _kept_language(labels: Labels) -> DetectedLanguage | None:
    kept = np.flatnonzero(labels.kept).tolist()
    return detect_language("\n".join(labels.blocks.texts[block] for block in kept))


def _heading_offset(sources: Sources, title: str | None) -> int:
    """Return the offset in the page's text of the heading that is the title; else of the content."""
    page, key = sources.page, folded(title or "")
    if not len(page):
        return 0
    for node in page.nodes_of(numbers("h1 h2 h3"))[:50].tolist():
        text = folded(sources.text_of(node))
        if len(text) > 3 and (text == key or text in key or (key and key in text)):
            return int(page.text_start[node])
    if title and (found := page.text.find(title)) >= 0:
        return found
    return sources.content_start


def _language_of_months(detected: DetectedLanguage | None) -> str | None:
    """Return the language in which months are named on a page that declares none.

    Not English: its months need no language, and who writes 3/4/2026 in undeclared English is not known.
    """
    return detected.code if detected and detected.code != "en" else None


def _opening_post(sources: Sources, title: str | None) -> FoundPost | None:
    """Return the first post of a page that is a thread: posts are most of what is kept, and only headings come before.

    A first comment opens a thread if it repeats the title. If the markup does not say what the posts are, each tells
    its time of day, and the first its author.
    """
    labels = sources.labels
    found = find_posts(labels.blocks) if labels else None
    if labels is None or not found or found.posts[0].kind in ("answer", "review"):
        return None
    opening, blocks = found.posts[0], labels.blocks
    words = np.where(labels.kept, unlinked_words(blocks), 0)
    shares = [words[found.post_of >= 0].sum(), words[opening.first : opening.end].sum()]
    before = blocks.first[: opening.first][words[: opening.first] >= _RUNNING].tolist()
    if shares[0] < _THREAD * words.sum() or not shares[1] or not all(map(sources.is_in_heading, before)):
        return None
    if opening.kind == "comment":
        return opening if title and folded(title) in map(folded, blocks.texts[opening.first : opening.end]) else None
    is_told = opening.kind or (opening.author and all("T" in (post.date or "") for post in found.posts))
    return opening if is_told and not is_control(opening.author or "") else None


def _read_date(sources: Sources, heading: int, dates: PageDates, opening: FoundPost | None) -> tuple[str | None, bool]:
    """Return the date of publication, and whether it is a guess from the address, the first post or the text."""
    if sources.page.form == "feed":  # its dates are those of entries
        return None, False
    if declared := _first_date(
        sources, "datePublished", _PUBLISHED, dates, more=("dateCreated", "uploadDate", "datePosted")
    ):
        return declared, False
    if day := next(_dates_of_elements(sources, heading, dates), None):
        return day, False
    if day is None and opening and opening.date:
        return opening.date[:10], True
    if day is None:
        day = _labelled_date(sources, dates) or next(_dates_near(sources, heading, dates), None)
    if day is not None:
        return day or dates.address, bool(day or dates.address)
    day = dates.address
    if day is None and len(far := set(_dates_near(sources, heading, dates, far=True))) == 1:
        day = far.pop() or None
    return day, day is not None


def _date_in_addresses(sources: Sources) -> str | None:
    addresses = (sources.page.url, sources.page.meta.canonical, *sources.first("og:url"))
    return next(filter(None, map(date_in_address, filter(None, addresses))), None)


def _declared_like_headers(page: Page) -> Iterator[str]:
    """Yield the languages that a page declares as a header would."""
    for element in page.elements.select('meta[http-equiv="content-language" i]'):
        first = (element.attr("content") or "").partition(",")[0].strip()
        yield first if _TAG.fullmatch(first) else ""


def _first_date(
    sources: Sources, name: str, metas: tuple[str, ...], dates: PageDates, *, more: tuple[str, ...] = ()
) -> str | None:
    """Return the first date that JSON-LD, meta elements or microdata declare."""
    values = [
        *sources.of_things(name),
        *sources.first(*metas),
        *sources.properties.get(name, []),
        *(value for other in more for value in sources.of_things(other)),
    ]
    return next(filter(None, map(dates.declared, values)), None)


def _dates_of_elements(sources: Sources, heading: int, dates: PageDates) -> Iterator[str]:
    """Yield the dates of time elements near the heading, the nearest first; else the only one after it."""
    page = sources.page
    nodes = page.nodes_of(numbers("time"))
    nodes = nodes[~sources.is_elsewhere[nodes]] if len(nodes) else nodes
    distance = page.text_start[nodes] - heading
    near = (distance >= -_NEAR_BEFORE) & (distance <= _NEAR_AFTER)
    nearest = nodes[near][np.argsort(np.abs(distance[near]), kind="stable")]
    rows = _OtherDates(sources)

    def days(some: npt.NDArray[np.intp]) -> Iterator[str]:
        for node in some[:_MAX_TIMES].tolist():
            value = page.attribute(node, "datetime") or sources.text_of(node, _MAX_DATED, spaced=True)
            found = next((day for _, day in dates.within(value[:_MAX_DATED])), None)
            if found is not None and node not in rows and not _is_of_member(page, node, ""):
                yield _published_beside(sources, int(page.text_start[node]), found, dates)

    yield from days(nearest)
    if len(far := set(days(nodes[distance > _NEAR_AFTER]))) == 1:
        yield from far


def _labelled_date(sources: Sources, dates: PageDates) -> str | None:
    """Return the only date that lines of the page begin with after a label such as "Published"."""
    page, nodes = sources.page, sources.text_nodes
    size = page.text_end[nodes] - page.text_start[nodes]
    nodes = nodes[(size >= 8) & (size <= 2 * _LABELLED)]
    found, rows = set[str](), _OtherDates(sources)
    for node in nodes[~sources.is_elsewhere[nodes]][:_MAX_LABELLED].tolist():
        text = sources.text_of(node, _LABELLED + 1)
        label = _PUBLISHED_ON.match(text) if len(text) <= _LABELLED else None
        first = next(iter(sorted(dates.within(text, since=_FIRST_PAGES))), None) if label else None
        if label and first and first[0] <= label.end() and node not in rows:
            found.add(first[1])
    return found.pop() if len(found) == 1 else None


def _dates_near(sources: Sources, heading: int, dates: PageDates, *, far: bool = False) -> Iterator[str]:
    """Yield the dates in the text near the heading: of elements that are named for a date, then of short texts.

    If `far`, only of elements that are named for a date, and anywhere after the heading.
    """
    page = sources.page
    if not len(page):
        return
    named, rows = page.nodes_of_class(_DATED), _OtherDates(sources)
    for nodes in (named,) if far else (named, sources.text_nodes):
        distance = page.text_start[nodes] - heading
        size = page.text_end[nodes] - page.text_start[nodes]
        near = (distance >= -_NEAR_BEFORE) & (far | (distance <= _NEAR_AFTER)) & (size <= 2 * _MAX_DATED) & (size >= 8)
        near &= ~sources.is_elsewhere[nodes] & (page.within_at(page.nodes_of(_CAPTIONS), nodes) == 0)
        nearest = np.argsort(np.abs(distance[near]), kind="stable")
        for node in nodes[near][nearest][:_MAX_NODES].tolist():
            text = sources.text_of(node, _MAX_DATED)
            if len(text) <= _MAX_DATED and (found := sorted(dates.within(text, since=_FIRST_PAGES))):
                start = int(page.text_start[node])
                own = [(at, date) for at, date in found if not _is_of_member(page, node, text[:at])]
                own = own if far or node not in rows else []
                yield from (_published_beside(sources, start + at, date, dates) for at, date in own)


def _is_of_member(page: Page, node: int, before: str) -> bool:
    """Return whether a date is of the life of a member, by what is before it in its element and before that."""
    start = int(page.text_start[node])
    return _MEMBER.search(f"{page.text[max(0, start - _LABEL) : start]} {before}"[-_LABEL:]) is not None


def _published_beside(sources: Sources, start: int, day: str, dates: PageDates) -> str:
    """Return an earlier day beside one that is labelled as that of the last change; else the day."""
    page = sources.page
    if not _CHANGED.search(page.text[max(0, start - _LABEL) : start]):
        return day
    places = sources.text_starts.searchsorted((start - _BESIDE_CHANGE, start + _BESIDE_CHANGE)).tolist()
    around = " ".join(page.text_of(node)[:_MAX_DATED] for node in sources.text_nodes[slice(*places)].tolist())
    found = [(at, other) for at, other in dates.within(around, since=_FIRST_PAGES) if other and other < day]
    return next((other for at, other in found if not _CHANGED.search(around[max(0, at - _LABEL) : at])), day)


class _OtherDates:
    """The rows of lists that lead to other pages, and of tables with heads: their dates are not the page's."""

    def __init__(self, sources: Sources) -> None:
        self._page = sources.page
        self._known: dict[tuple[int, int, int], bool] = {}

    def __contains__(self, node: int) -> bool:
        """Return whether a node is in such a row: one of several alike, one of which has a link with several words."""
        page = self._page
        for _ in range(_ROW_LEVELS):
            if node <= 0:
                return False
            alike = int(page.parent[node]), int(page.tag[node]), int(page.class_code[node])
            if not self._known.get(alike):
                self._known[alike] = self._is_row(node) and (self._leads_on(node) or self._has_heads(node))
            if self._known[alike]:
                return True
            node = alike[0]
        return False

    def _is_row(self, node: int) -> bool:
        page, parent = self._page, int(self._page.parent[node])
        if page.text_end[node] - page.text_start[node] > _ROW:
            return False
        if not (page.tag[node] in _ROW_TAGS or (page.tag[node] and page.class_code[node])):
            return False
        alike, child, seen = 0, parent + 1, 0
        while child < page.end[parent] and alike < _ROWS and seen < _SIBLINGS:
            alike += page.tag[child] == page.tag[node] and page.class_code[child] == page.class_code[node]
            child, seen = int(page.end[child]), seen + 1
        return alike >= _ROWS

    def _leads_on(self, row: int) -> bool:
        page = self._page
        inside = np.arange(row, page.end[row])
        for link in inside[np.isin(page.tag[inside], _LINK)].tolist()[:_ROWS]:
            href = page.attribute(link, "href") or ""
            text = page.text_of(link)
            if href and "#" not in href and len(text.split()) >= _TEASER:
                return True
        return False

    def _has_heads(self, row: int) -> bool:
        """Return whether a row is in a table whose first row has nothing but heads, of two columns or more."""
        page, table = self._page, int(self._page.parent[row])
        if page.tag[row] not in _TABLE_ROW:
            return False
        while table > 0 and page.tag[table] not in _TABLE:
            table = int(page.parent[table])
        first = next((node for node in range(table + 1, row) if page.tag[node] in _TABLE_ROW), row)
        tags = page.tag[first + 1 : page.end[first]]
        return int(np.isin(tags, _HEAD).sum()) > 1 and not np.isin(tags, _CELL).any()


def _read_license(sources: Sources) -> str | None:
    links = sources.page.elements.select("a[rel~=license],link[rel~=license]")[:5]
    addresses = [link.attr("href") for link in links]
    linked = [text for value in sources.of_things("license") for text in texts_of(value, 1)]
    for value in (*addresses, *linked, *sources.properties.get("license", []), *sources.first(*_LICENSES)):
        line = one_line(value, 500)
        address = sources.absolute(line) if "/" in line and " " not in line else None
        if line and (address or not _SCHEME.match(line)):
            return address or line
    return None


def _read_tags(sources: Sources) -> tuple[str, ...]:
    """Return the keywords that the page declares, each once, at most `_MAX_TAGS`."""
    values: list[object] = [*sources.meta.get("article:tag", [])[:_MAX_TAGS]]
    values += [text for value in sources.of_things("keywords") for text in texts_of(value, _MAX_TAGS)]
    values += [*sources.first(*_KEYWORDS), *sources.properties.get("keywords", [])]
    values += [link.text for link in sources.page.elements.select("a[rel~=tag]")[:_MAX_TAGS]]
    parts = [part for value in values for part in _TAG_SPLIT.split(one_line(value, 5_000))]
    lines = [line for part in parts if folded(line := one_line(part, _MAX_TAG))]
    distinct = dict[str, str]()
    for line in lines:
        distinct.setdefault(folded(line), line)
    return tuple(distinct.values())[:_MAX_TAGS]


def _read_image(sources: Sources) -> str | None:
    linked = [_image_of(value) for value in sources.of_things("image")]
    links = [link.attr("href") for link in sources.page.elements.select("link[rel~=image_src]")[:2]]
    return _first_address(
        sources, [*sources.first(*_IMAGES), *linked, *links, *sources.properties.get("image", [])[:3]]
    )


def _image_of(value: object) -> object:
    """Return the address of an image of JSON-LD."""
    if isinstance(value, list):
        value = value[0] if value else None
    return (value.get("url") or value.get("contentUrl")) if isinstance(value, dict) else value
