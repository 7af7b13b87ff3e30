"""Slots at the headline of a page: the title itself, the byline, the date, and the summary that the page declares.

- The title that the page declares, if no kept line says it.
- What stands between a few blocks before the headline and the first paragraphs, is short, and is named as a byline or a
  date by its words or by the classes around it, or has the name of the author that the page declares. A field that all
  records of a list have is none, nor is the date of today above a headline with another date right below it.
- Out of there goes what only says how often or how long the page is read, or links its category.
- The first line below the headline that is what the page declares as its description, and the line before the first
  kept text if the description starts with both.
- The line right below the headline that classes name as its deck, such as "subtitle" or "standfirst".
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.bylines import AUTHOR_KEYS, BEFORE_BY, BY, CHINESE_WRITERS, WRITERS
from dehusk.blocks.headlines import START, line_of_title, titles_of, words_of
from dehusk.blocks.labels import Labels
from dehusk.label.prices import places_of
from dehusk.label.united.headings import HEADLINES, PROSE, names_site
from dehusk.label.united.naming import OF_AUTHOR, OF_CATEGORY, OF_DATE, OF_READING, is_field, is_named
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools, Page
from dehusk.read.signs import source_signs

BEFORE, AFTER = 7, 12
"""Blocks before and after the headline in which its byline and its date are."""
LEADS = 2
"""How many paragraphs may stand before the byline: lines below the headline, the caption of its picture.
The next paragraph ends this place."""
SHORT, NAME = 16, 8
"""Words of a date and of a name, at most."""
DECK, LINES_TO_DECK, LIKELY_DECK = 4, 2, 0.1
"""Words of a deck, and its probability, at least, and lines from the headline to it, at most. By nets that never saw
the sites, 45 of 76 such lines on eight open sets are in the gold texts, of WCXB's 7 of 27; the rubric has decks in."""
CREDITS = 40
"""Words of a line of labels and names, such as a date, "作者：" and "来源：", at most: a character counts as one."""
OF_EACH = 5
"""Words for each declared author in a line that lists them: a name, and the mark of an affiliation."""
READING = 4
"""Words of a line that says how long reading takes, at most."""
MANY, RECORDS = 4, 3
"""Dropped bylines or dates that are alike, at least, of the records of a list; and dates at a headline in elements of
one class, of which an article has two at most. Set by hand."""
POST = 400
"""Characters from which an element that is named as a post may be one, rather than a line about its comments."""
ABOVE_TEXT, BELOW_TEXT, TITLE = 30, 6, 0.2
"""Blocks before and after the first kept one among which its title is, and its least probability if it is no h1. On
half of the open sets, 64 of 76 such lines are in the gold texts."""
DAY_BELOW, DATED = 6, 3
"""Blocks below a headline of which one is its date, and how many times as long as the date such a line is, at most."""
SUMMARY, LONGEST, LEAD = 6, 100, 0.05
"""Words of the summary of an article, at least and at most, and its least probability. Around the first kept text of
the pages of seven open sets, 39 of 96 such lines are in the gold texts, 8 of 32 in WCXB's; the rubric has summaries
in."""
_ACTS = pattern(
    r"(?:last (?:post|reply|active|activity|visit)|follow|share|view all|see all|more (?:from|by)|subscribe|e-?mail"
    r"|contact|print|tweet|copyright|(?:posted|filed) (?:in|under)|joined|join date|registered|registriert|founded"
    r"|rss)\b|©|[«‹←]\s|.*(?:https?:|%2F|\s[»›→]$)|[^>›»]*(?:>|›|»)[^>›»]*(?:>|›|»)",
    re.IGNORECASE,
)
_READING = pattern(r"\bmin(?:ute)?s?\b|\bread(?:ing)?\b|T\d\d:\d\d|^[\d:/ ]+$", re.IGNORECASE)
_OPENED = pattern(
    r"(?:(?:page ?)?(?:hits|views|reads)|(?:aufrufe|zugriffe|gelesen)|vues|visit(?:e|as|s)|lecturas"
    r"|visualiza(?:ções|zioni)|wyświetle(?:nia|ń)|odsłon[ay]?|просмотр(?:ов|ы)|(?:浏览|阅读|点击|瀏覽|閱讀)(?:量|数|次数|次數)?)"
    r"\s?[:：]\s?[\d.,]+\s?[kw万]?|\d[\d.,]{0,6}\s?[kmкм]",
    re.IGNORECASE,
)
_ITEMS = numbers("li td th")  # of which all or none is kept
_COMMENTER = NamePattern(r"(?:^|\s)comment[-_]{1,2}(?:author|meta|user)", "comment")
"""The classes of who wrote a comment, and when: Drupal, WordPress."""
_LINKS = frozenset(numbers("a").tolist())
_POST_NAMES = pattern(
    "message|comment|reply|question|answer|postbit|postprofile|postbody|userinfo|user-details|crawler-post",
    re.IGNORECASE,
)
_POSTER = pattern(
    r"(?:^|\s)(?:post_author|author_statistics|postprofile|cAuthorPane\w*|poster|message-user\w*)(?:$|\s)"
)
"""The classes of what forums show of the author of a post: MyBB, phpBB, Invision, Simple Machines, XenForo."""
_BY = pattern(
    rf"(?:(?:{BEFORE_BY}) )?"
    rf"(?:{BY}|{WRITERS})(?!\w)[:\s]+\S.*",
    re.IGNORECASE,
)
_CREDITS = pattern(rf"(?:{CHINESE_WRITERS}|来源|來源|出处|出處|稿源|供稿)\s?[:：]\s?\S")
"""The labels of who wrote and where from in a line of credits in Chinese."""
_CHANGED = pattern(
    r"\W*(?:(?:last |first )?(?:updated|published|posted|modified)|uppdaterad|publicerad|oppdatert|publisert|opdateret"
    r"|publiceret|aktualisiert|veröffentlicht|stand|publié|mis à jour|actualizado|publicado|atualizado|pubblicato"
    r"|aggiornato|gepubliceerd|bijgewerkt|laatste update|zaktualizowano|opublikowano|aktualizacja|publikacja|обновлено"
    r"|опубликовано|päivitetty|julkaistu|更新|发布|發布|公開)\b.{0,40}?\d{1,2}[:.h]\d\d.{0,60}",
    re.IGNORECASE,
)
"""A line that says at what time of the day a page was published or changed."""
_DECK = NamePattern(
    r"(?:^|[\s_-])(?:sub[_-]?(?:title|head(?:line|ing)?)|dek|deck|stand-?first|cut-?line|lede|chapeau|strap-?line|ingress"
    r"|excerpt|summary|lead)(?:$|\s)",
    "subtitle sub-title sub_title subhead sub-head sub_head dek deck standfirst stand-first cutline cut-line lede "
    "chapeau strap ingress excerpt summary lead",
)
_TIME = frozenset(numbers("time").tolist())
_YEAR, _MONTH = r"(?:19|20|۱۹|۲۰|١٩|٢٠)\d\d", r"[^\W\d][^\s\d,.;:()]{2,11}"  # in Hindi, vowels are marks
DATE = pattern(
    rf"(?<!\d-)(?<![A-Z]-){_YEAR}[年./-]\s?\d|\b\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d\d){{1,2}}\b"
    r"|\b\d+ (?:hours?|days?|minutes?|weeks?) ago\b"
    rf"|(?<!\d)\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?,? (?:de )?{_MONTH}\.?,? (?:de )?(?:{_YEAR}|25[5-9]\d)\b"
    rf"|\b{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}\b",
    re.IGNORECASE,
)
_AUTHOR = pattern(  # bounded, as two runs of spaces side by side would take the square of their length
    r'"author"\s{0,20}:\s{0,20}\[?\s{0,20}(?:\{(?:[^{}]|\{[^{}]{0,1000}\}){0,1000}?"name"\s{0,20}:\s{0,20})?"([^"]{3,60})"'
)
_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_LONG, _LINE = 1_000, 6  # characters of a description at most, letters of a line that starts it at least
_DATELINE = 2  # words before a summary: "New York. "
_MOST, _AUTHORS_NAME = 20, 60  # declared descriptions and authors that are looked at, and characters of a name
_DIGIT, _NUMBERS = pattern(r"\d"), pattern(r"[1-9]\d*")


def date_in(text: str) -> re.Match[str] | None:
    """Return the first date in a text; it has a digit, and most texts without one are long."""
    return DATE.search(text) if _DIGIT.search(text) else None


def missing_title(labels: Labels, levels: npt.NDArray[np.uint8]) -> int:
    """Return the dropped line around the first kept one that is the title of a page, if no kept line is; else -1."""
    blocks, at, titles = labels.blocks, labels.kept.nonzero()[0], titles_of(labels.blocks.page)
    start = at[:START]
    if titles.first_in(blocks, start) >= 0 or titles.first_part_in(blocks, start[levels[start] > 0].tolist()) >= 0:
        return -1
    near = np.arange(max(int(at[0]) - ABOVE_TEXT, 0), min(int(at[0]) + BELOW_TEXT, len(blocks)))
    may_be = ~labels.kept[near] & ((levels[near] == 1) | (labels.probability[near] >= TITLE))
    found = near[may_be]
    title = titles.first_in(blocks, found[(-labels.probability[found]).argsort(kind="stable")])
    if title < 0 or names_site(blocks, title):
        return -1
    line, first = _letters(blocks.text_of(title)), start[levels[start] == 1].tolist()
    return -1 if any(line in _letters(blocks.text_of(block)) for block in first) else title


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def headline_of(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> int:
    """Return the line that is the title of a page, else its first kept h1 or h2; -1 if it has neither."""
    first = next((block for block in levels.nonzero()[0].tolist() if kept[block] and levels[block] <= HEADLINES), -1)
    line = line_of_title(blocks, kept) if first < 0 or levels[first] > 1 else -1
    return first if line < 0 else line


def slots_at_headline(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools, headline: int) -> Iterator[int]:
    """Yield the dropped bylines and dates at a headline.

    Args:
        blocks: the blocks of a page.
        levels: (b,) the level of the heading that each is in, 0 for none.
        kept: (b,) whether each is kept.
        headline: the block that is the headline.
    """
    place, authors = _place_at(blocks, kept, headline), authors_of(blocks.page)
    shown, short = [at for at in place if kept[at]], _short_lines(blocks, kept, place, authors)
    if not short:
        return
    texts = {blocks.text_of(block) for block in shown}
    below = range(int(blocks.first[headline]), int(blocks.first[place.stop - 1]) + 1)
    titles = (at for at in range(headline + 1, place.stop) if levels[at] and blocks.link_words[at] == blocks.words[at])
    title = next(titles, place.stop)  # the first one of a list of others
    dates = Counter[tuple[int, int]]()
    found = list[int]()
    for block in short:
        text = blocks.text_of(block)
        if text in texts or not _is_byline_or_date(blocks, block, text, authors) or _has_keyword(blocks, block):
            continue
        node, where = int(blocks.page.parent[blocks.first[block]]), below if block > headline else None
        if not _stands_with(blocks, block, headline) or is_field(blocks.page, node, where):
            continue
        if block <= title or not _is_of_many(blocks, kept, block):
            texts.add(text)  # of copies the first is kept
            found.append(block)
            dates[_class_of(blocks, block)] += _DIGIT.search(text) is not None
    own = _day_below(blocks, headline, [*found, *shown])
    for block in found:
        is_of_today = block < headline and own and _day(blocks, block) not in ((), own)
        if dates[_class_of(blocks, block)] < RECORDS and not is_of_today:
            yield block


def _place_at(blocks: Blocks, kept: Bools, headline: int) -> range:
    """Return the blocks around a headline among which its byline is, up to a paragraph after `LEADS` others."""
    place = range(max(headline - BEFORE, 0), min(headline + AFTER, len(blocks)))
    prose = [at for at in place if at > headline and kept[at] and blocks.words[at] >= PROSE]
    return range(place.start, prose[LEADS]) if len(prose) > LEADS else place


def _short_lines(blocks: Blocks, kept: Bools, place: range, authors: list[str]) -> list[int]:
    """Return the dropped lines of some blocks that are short, or list the authors; none of those of who comments."""
    page, longest = blocks.page, max(CREDITS, OF_EACH * len(authors))
    sizes = zip(place, blocks.words[place.start : place.stop].tolist(), strict=True)
    may_be = [(at, size) for at, size in sizes if 0 < size <= longest and not kept[at]]
    short = [at for at, size in may_be if size <= SHORT or _lists(blocks, at, authors) or _credits(blocks, at)]
    commenters = page.nodes_of_class(_COMMENTER)
    if not short or not len(commenters):
        return short
    of_comment = page.within_at(commenters, blocks.first[short]).tolist()
    return [at for at, inside in zip(short, of_comment, strict=True) if not inside]


def _has_keyword(blocks: Blocks, block: int) -> bool:
    """Return whether a line without a date has links to keywords only, as Blogger names its lines of labels bylines."""
    page, first, last = blocks.page, int(blocks.first[block]), int(blocks.last[block])
    links = [node for node in range(first, last + 1) if page.tag[node] in _LINKS]
    of_tags = ["tag" in (page.attribute(link, "rel") or "").split() for link in links]
    return bool(of_tags) and all(of_tags) and not date_in(blocks.text_of(block))


def _day_below(blocks: Blocks, headline: int, some: list[int]) -> tuple[str, ...]:
    """Return the day of the first of some blocks right below a headline that says little but a date."""
    for block in sorted(some):
        is_below = headline < block <= headline + DAY_BELOW and blocks.words[block] <= SHORT
        match = date_in(blocks.text_of(block)) if is_below else None
        if match and DATED * len(match[0]) >= blocks.chars[block]:
            return _day(blocks, block)
    return ()


def _day(blocks: Blocks, block: int) -> tuple[str, ...]:
    """Return the numbers of the first date of a block, which differ between days."""
    match = date_in(blocks.text_of(block))
    return tuple(_NUMBERS.findall(match[0])) if match else ()


def filed_at_headline(blocks: Blocks, kept: Bools, headline: int) -> list[int]:
    """Return the kept lines right below a headline that say how often or long it is read, or link its category."""
    page, found = blocks.page, list[int]()
    place = range(headline + 1, min(headline + AFTER, len(blocks))) if headline >= 0 else range(0)
    for block in (block for block in place if kept[block] and blocks.words[block] <= SHORT):
        text, linked, node = blocks.text_of(block), int(blocks.link_words[block]), int(blocks.first[block])
        is_filed = linked == blocks.words[block] and linked <= NAME and is_named(page, node, OF_CATEGORY)
        if not is_filed and blocks.words[block] <= READING and not date_in(text):
            is_filed = is_named(page, node, OF_READING)
        if (is_filed or _OPENED.fullmatch(text)) and not is_field(page, int(page.parent[node])):
            found.append(block)
    in_list = page.within_at(page.nodes_of(_ITEMS), blocks.first[found]) > 0 if found else ()
    return [block for block, is_item in zip(found, in_list, strict=True) if not is_item]


def names_again(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks that are only the name of the byline, one or two blocks above them."""
    found, above = list[int](), list[str]()
    at = kept.nonzero()[0][:START]
    for block, words in zip(at.tolist(), blocks.words[at].tolist(), strict=True):
        name = blocks.text_of(block).strip().casefold() if words <= SHORT else ""
        is_again = 1 < words <= NAME and any(
            line.endswith(name) and _BY.fullmatch(line) and _BY.fullmatch(line[: -len(name)] + "x") for line in above
        )
        found += [block] if is_again else []
        above = [*above, name][-2:]
    return found


def summary_below(labels: Labels, headline: int) -> list[int]:
    """Return the first line below the headline that is what a page declares as its description, if it is dropped."""
    blocks = labels.blocks
    if titles_of(blocks.page).first_in(blocks, np.array([headline])) < 0:  # such as the name of a forum
        return []
    each = (words_of(content[:_LONG]) for content in _descriptions(blocks.page))
    said = [words for words in each if len(words) >= SUMMARY]
    for block in range(headline + 1, min(headline + AFTER, len(blocks))) if said else ():
        is_likely = labels.kept[block] or labels.probability[block] >= LEAD
        if not is_likely or not SUMMARY <= blocks.words[block] <= LONGEST:
            continue
        line = words_of(blocks.text_of(block))
        if any(_is_start(line[start:], words) for words in said for start in range(_DATELINE + 1)):
            return [] if labels.kept[block] else [block]  # of copies one is enough
    return []


def deck_below(labels: Labels, headline: int) -> list[int]:
    """Return the dropped line right below the headline that classes name as its deck, if it is fairly likely."""
    blocks, page = labels.blocks, labels.blocks.page
    decks = page.nodes_of_class(_DECK).tolist()
    for block in range(headline + 1, min(headline + 1 + LINES_TO_DECK, len(blocks))) if decks else ():
        if labels.kept[block] and blocks.words[block] >= PROSE:
            break
        is_likely = not labels.kept[block] and labels.probability[block] >= LIKELY_DECK and not blocks.link_words[block]
        if is_likely and DECK <= blocks.words[block] <= LONGEST:
            first, most = blocks.first[block], 1.5 * blocks.chars[block]
            if any(one <= first < page.end[one] and page.text_end[one] - page.text_start[one] < most for one in decks):
                return [block]
    return []


def start_of_text(labels: Labels, headline: int) -> list[int]:
    """Return the dropped line above kept text that starts the description that a page declares, before that text."""
    blocks, kept = labels.blocks, labels.kept
    place = range(headline + 1, min(headline + AFTER, len(blocks)))
    likely = (at for at in place if not kept[at] and labels.probability[at] >= TITLE)
    may_be = [at for at in likely if blocks.link_words[at] != blocks.words[at]]
    declared = [_letters(one[:_LONG]) for one in _descriptions(blocks.page)] if may_be else []
    for block in may_be if declared else ():
        line = _letters(blocks.text_of(block))
        if len(line) < _LINE or line[0].isdigit():  # "1,693 views"
            continue
        going_on = [one[len(line) :] for one in declared if one.startswith(line)]
        following = (_letters(blocks.text_of(other)) for other in place if other > block and kept[other])
        if going_on and any(_go_together(text, one) for text in following for one in going_on):
            return [block]
    return []


def _descriptions(page: Page) -> Iterable[str]:
    """Return the descriptions that a page declares, each once: most pages give the same one to several readers."""
    return dict.fromkeys(islice(page.meta.values(*_DESCRIPTIONS), _MOST))


def _go_together(text: str, other: str) -> bool:
    """Return whether one of two texts is the start of the other."""
    size = min(len(text), len(other))
    return size >= _LINE and text[:size] == other[:size]


def _is_start(line: list[str], words: list[str]) -> bool:
    """Return whether one of two texts is the start of the other one, and more than half of it."""
    size = min(len(line), len(words))
    return line[:size] == words[:size] and 2 * size > max(len(line), len(words))


def _credits(blocks: Blocks, block: int) -> bool:
    """Return whether a line says who wrote and where from in Chinese, where a character counts as a word."""
    return blocks.words[block] <= CREDITS and _CREDITS.search(blocks.text_of(block)) is not None


def _lists(blocks: Blocks, block: int, authors: list[str]) -> bool:
    """Return whether a line is little but the names of several declared authors, as that of a paper."""
    text = blocks.text_of(block).lower()
    named = [name for name in authors if name in text]
    return len(named) > 1 and 2 * sum(map(len, named)) >= len(text)


def _class_of(blocks: Blocks, block: int) -> tuple[int, int]:
    """Return the tag and the class of the element that a text is in."""
    node = blocks.page.parent[blocks.first[block]]
    return int(blocks.page.tag[node]), int(blocks.page.class_code[node])


def _stands_with(blocks: Blocks, block: int, headline: int) -> bool:
    """Return whether a block belongs to the headline: not to a post below it, nor to what stands far above it."""
    page, node = blocks.page, int(blocks.page.parent[blocks.first[block]])
    while node > 0 and not node <= blocks.first[headline] < page.end[node]:
        is_long = page.text_end[node] - page.text_start[node] > POST
        named = _POST_NAMES if is_long else _POSTER
        if named.search(page.class_names[page.class_code[node]]):
            return False
        node = int(page.parent[node])
    return block > headline or int(blocks.first.searchsorted(node)) >= headline - BEFORE


def _is_of_many(blocks: Blocks, kept: Bools, block: int) -> bool:
    """Return whether the other records of a list have the same, dropped: a text in elements of the same classes."""
    page, node = blocks.page, blocks.first
    alike = ~kept & (blocks.words <= SHORT)
    for _ in range(2):
        node = page.parent[node]
        alike &= (page.tag[node] == page.tag[node[block]]) & (page.class_code[node] == page.class_code[node[block]])
    return int(alike.sum()) > MANY  # it is one of them itself


def authors_of(page: Page) -> list[str]:
    """Return the names of the authors that a page declares in linked data and in meta elements, in lower case."""
    scripts = source_signs(page).linked_data
    matches = (_AUTHOR.match(script, at) for script in scripts for at in places_of(script, '"author"'))
    found = (_decoded(match[1]) for match in matches if match)
    said = page.meta.values(*AUTHOR_KEYS, "citation_author")
    names = islice(chain(said, found), _MOST)
    return [name.lower() for name in names if " " in name and len(name) <= _AUTHORS_NAME]


def _decoded(string: str) -> str:
    """Return the text of a string of JSON; nothing of what is none."""
    try:
        return str(json.loads(f'"{string}"'))
    except ValueError:
        return ""


def _is_byline_or_date(blocks: Blocks, block: int, text: str, authors: list[str]) -> bool:
    has_digit = _DIGIT.search(text) is not None
    says = any(name in text.lower() for name in authors) or date_in(text) or _BY.fullmatch(text)
    if not says and not _CREDITS.search(text) and not _CHANGED.fullmatch(text):
        may_be_name = blocks.words[block] <= NAME and _looks_like_name(text)
        named = OF_DATE * has_digit | OF_AUTHOR * (may_be_name and (not has_digit or "@" in text))
        is_said = named and is_named(blocks.page, int(blocks.first[block]), named)
        if not (is_said or (has_digit and _has_date(blocks, block))) or _READING.search(text):
            return False
    return not _ACTS.match(text)


def _has_date(blocks: Blocks, block: int) -> bool:
    """Return whether a date is in an element of a block that says so, as right after the name of an agency."""
    page = blocks.page
    nodes = range(int(blocks.first[block]), int(blocks.last[block]) + 1)
    return any(date_in(page.text_of(node)) is not None for node in nodes if page.tag[node] in _TIME)


def _looks_like_name(text: str) -> bool:
    """Return whether a text does not end as a sentence, and most of its words begin as names do."""
    small = [word[0].islower() for word in text.split() if word[0].isalpha()]
    return bool(small) and text[-1] not in ".!?" and 2 * sum(small) <= len(small)
