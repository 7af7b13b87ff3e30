"""Parts of a page that repeat what is kept before them: for screens of another width, in a carousel, in large letters.

The first copy stays, but of the start of a text and the text in full the latter. What repeats a quotation is what it
quotes, and what two offers of a list have alike, both have. A list of contents repeats the headings below it.
"""

import re

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import words_of
from dehusk.blocks.layout import Nodes, sums_before
from dehusk.compiled.decide import repeated_runs
from dehusk.label.united.naming import QUOTE
from dehusk.read.names import LONGEST, NamePattern
from dehusk.read.page import Bools

COPIED, COPIED_WORDS = 3, 40
"""Blocks and words of a part that is a copy of one before it, at least. Chosen on the open sets beside parts of one,
two and four blocks and of 20, 60 and 100 words: nearly as much is gained on WCXB, and the least lost on threads."""
ENTRIES, MOST_ENTRIES, LABEL = 3, 0.7, 5
"""Entries of a list of contents, at least, the share of them that headings say, and words of its label, at most. Set by
hand; all lists that they find on a quarter of the open pages were read."""
OFFER = 40
"""Words of the items of a list, on average and at most, that several offers, recipes or descriptions of steps may have
alike; set by hand: comments that a page shows twice, in two lists, have more."""
MOST_COPIED = 200
"""Kept blocks of an element that may be a copy for another width, so that copies in copies take little time."""
_SIZE = "(?:xs|sm|md|lg|xl|mobile|desktop|tablet|phone)"
_WIDTH = NamePattern(  # the classes of Bootstrap and Tailwind, and words of sites' own style sheets
    rf"(?<![^\s_-])(?:(?:hide|hidden|show|visible|only)[_-](?:[a-z]+[_-])?{_SIZE}(?![a-z])"
    rf"|(?<![_-])(?:{_SIZE}[_:-](?:hide|hidden|show|visible|only)(?![a-z])"
    rf"|hidden(?=\s)[^\n]{{0,100}}?\s{_SIZE}:(?:block|flex|grid|inline)"
    rf"|d-(?:{_SIZE}-none|none\s[^\n]{{0,100}}?d-{_SIZE}-)|(?:mobile|desktop)(?:[_-]\w+)?(?!\S)))",
    "hid show visible only -none mobile desktop",
)
"""The classes of elements that only screens of some widths show."""
_CLONE = NamePattern(
    r"(?:^|\s)(?:slick-cloned|swiper-slide-duplicate|(?:splide|glide)__slide--clone|(?:bx-)?cloned?)(?:$|\s)",
    "clone duplicate",
)
"""The classes of Slick, Swiper, Splide, Glide, Owl Carousel and bxSlider."""
_PULLED = NamePattern(r"(?:^|[\s_-])pull[_-]?(?:ed-?)?quote", "pull")
PULLED, MOST_PULLED = 6, 50
"""Words of a quotation in large letters, at least, and how many of them are looked for; set by hand."""
_FOLDED = pattern(
    r"(?:…|\.\.\.)\W{0,4}(?:(?:(?:read|show|see|view) )?more|mehr(?: anzeigen)?|weiterlesen|lire la suite|voir plus"
    r"|(?:leer|ver) más|leggi tutto|lees meer|展开(?:全文)?|显示全部|阅读全文|もっと見る)?\W{0,4}$",
    re.IGNORECASE,
)
"""How the start of a text ends that a click shows in full."""
FOLDED, UNFOLDED, _TAIL = 20, 3, 40
"""Letters of such a start, at least; how many kept blocks below it the full text is, at most; characters of its end."""
_CONTENTS = NamePattern(r"(?:^|[\s_-])toc(?:$|[\s_-]|title|list|item|entry|link)|table-?of-?contents", "toc contents")
"""The classes of lists of contents."""
_NUMBER = pattern(r"^\W{0,3}\d{1,2}(?:\.\d{1,2}){0,3}\s?[.):]\s")
_THEAD, _TFOOT = numbers("thead"), numbers("tfoot")
_UNFOLDING, _PICTURE = numbers(HEADINGS | {"a", "blockquote", "code", "pre", "td", "th"}), numbers("img picture")
_LITERAL, _LIST = numbers("blockquote pre td th"), numbers("ul ol")


def contents_of(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept lists of what the headings below them say, and the line that only names such a list.

    On a page of little else, the list is what the page is about.
    """
    page, at = blocks.page, (kept & (levels > 0)).nonzero()[0]
    lists = _of_links(blocks, kept & (blocks.words > 0)) if len(at) >= ENTRIES else at[:0]
    if not len(lists):
        return []
    headings, found = {_entry(blocks.text_of(block)): block for block in at.tolist()}, list[int]()
    for node in lists[page.within_at(lists, lists) == 1].tolist():  # in itself alone
        start, end = blocks.first.searchsorted((node, page.end[node])).tolist()
        items = (start + kept[start:end].nonzero()[0]).tolist()
        said = [block for block in items if headings.get(_entry(blocks.text_of(block)), -1) > block]
        if len(said) >= ENTRIES and len(said) >= MOST_ENTRIES * len(items):
            found += [*_label_of(blocks, kept, node, start), *items]
    rest = int(blocks.words[kept & (levels == 0)].sum())
    return found if 2 * blocks.words[found].sum() < rest else []


def _of_links(blocks: Blocks, kept: Bools) -> Nodes:
    """Return the lists of which several kept items are mostly links, or that classes name as contents."""
    page = blocks.page
    lists = page.nodes_of(_LIST)
    starts, ends = blocks.extents(lists)
    items, linked = (sums_before(each) for each in (kept, kept & (blocks.link_words == blocks.words)))
    size, links = items[ends] - items[starts], linked[ends] - linked[starts]
    is_linked = (links >= ENTRIES) & (links >= MOST_ENTRIES * size)
    if len(named := page.nodes_of_class(_CONTENTS)):
        has_named = named.searchsorted(page.end[lists]) > named.searchsorted(lists)
        is_linked |= (size >= ENTRIES) & ((page.within_at(named, lists) > 0) | has_named)
    return lists[is_linked]


def _entry(text: str) -> str:
    """Return what an entry of a list of contents and its heading have alike: letters and digits, without its number."""
    return "".join(filter(str.isalnum, _NUMBER.sub("", text.casefold(), count=1)))


def _label_of(blocks: Blocks, kept: Bools, node: int, start: int) -> list[int]:
    """Return the kept line right above a list that is all that an element has besides it."""
    page, around = blocks.page, int(blocks.page.parent[node])
    first, end = blocks.first.searchsorted((around, page.end[around])).tolist()
    is_alone = start - 1 == first and end == int(blocks.first.searchsorted(page.end[node]))
    return [first] if is_alone and kept[first] and blocks.words[first] <= LABEL else []


def copied_parts(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of parts that repeat a kept part before them: for a narrow screen, or loaded twice.

    A part is `COPIED` kept blocks or more, one after the other, of `COPIED_WORDS` words or more, none of which is a
    quotation, code or in a table; what repeats a quotation is what it quotes. It does not begin or end among other kept
    blocks of one element, as a refrain does, nor of one list, as what is the same in two offers.
    """
    at = kept.nonzero()[0]
    words = blocks.words[at]
    if words[repeated_runs(blocks, at, COPIED)].sum() < 2 * COPIED_WORDS:
        return []
    texts, first, found = [blocks.text_of(block) for block in at.tolist()], dict[str, int](), list[int]()
    quoted, place = _quoted(blocks)[at], 0
    around, lists = blocks.page.parent[blocks.node[at]], _extents_of_lists(blocks, at)
    for own in (~quoted).nonzero()[0].tolist():
        first.setdefault(texts[own], own)
    while place < len(texts):
        before, size = first.get(texts[place], place), 0
        while before + size < place and place + size < len(texts) and texts[before + size] == texts[place + size]:
            size += 1
        part, end = slice(place, place + size), place + size
        if size >= COPIED and words[part].sum() >= COPIED_WORDS and not quoted[part].any():
            begins = place == 0 or around[place - 1] != around[place]
            ends = end == len(texts) or around[end] != around[end - 1]
            may_be_listed = words[part].sum() <= OFFER * size
            if begins and ends and not (may_be_listed and _is_of_list(lists[[place, end - 1]], place, end, before)):
                found += at[part].tolist()
        place += max(size, 1)
    return found


def _is_of_list(lists: Nodes, place: int, end: int, before: int) -> bool:
    """Return whether some kept blocks are a part of a list that the part that they repeat is not in.

    Args:
        lists: (2, 2) what `_extents_of_lists` returns for the first and the last of them.
        place: the first of them.
        end: the one after the last.
        before: the first of the part that they repeat.
    """
    return any(before < start and (start < place or stop > end) for start, stop in lists.tolist())


def _extents_of_lists(blocks: Blocks, at: Nodes) -> Nodes:
    """Return for each of some blocks which of them the list around it has, shape (k, 2): first and after the last."""
    page = blocks.page
    lists = page.nearest(page.is_one_of(_LIST))[blocks.first[at]]
    edges = np.stack((lists, page.end[lists]), axis=1)
    own = np.arange(len(at))
    whole = np.stack((own, own + 1), axis=1)
    return np.where(lists[:, None] > 0, at.searchsorted(blocks.first.searchsorted(edges)), whole)


def copies_for_widths(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of elements that repeat what is before them, for screens of another width."""
    page, at = blocks.page, kept.nonzero()[0]
    again = at[repeated_runs(blocks, at, 1)]
    if not len(again):
        return []
    leaves, likely = blocks.first[again], page.has_class(page.classes.having(_WIDTH)).nonzero()[0]
    nodes = likely[leaves.searchsorted(page.end[likely]) > leaves.searchsorted(likely)]  # few of them hold a copy
    names = ((code, page.class_names[code].lower()) for code in sorted({*page.class_code[nodes].tolist()}))
    matches = ((code, _WIDTH.pattern.search(name)) for code, name in names if len(name) <= LONGEST)
    widths = {code: match[0].strip() for code, match in matches if match}
    if not widths:
        return []
    first, found = dict[tuple[str, ...], str](), list[int]()
    around = page.nearest(page.has_class([*widths]))[leaves]
    for part in dict.fromkeys(around[around > 0].tolist()):
        start, end = at.searchsorted(blocks.first.searchsorted((part, page.end[part]))).tolist()
        if end - start <= MOST_COPIED:
            own, width = at[start:end].tolist(), widths[int(page.class_code[part])]
            if first.setdefault(tuple(map(blocks.text_of, own)), width) != width:
                found += own
    return found


def pull_quotes(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept lines in large letters that a longer kept text has, too."""
    page = blocks.page
    nodes = page.nodes_of_class(_PULLED)
    if not len(nodes):
        return []
    inside = page.within_at(nodes, blocks.first) > 0
    others = "\n".join(" ".join(words_of(blocks.text_of(block))) for block in (kept & ~inside).nonzero()[0].tolist())
    pulled = (kept & inside & (blocks.words >= PULLED)).nonzero()[0][:MOST_PULLED].tolist()
    return [block for block in pulled if " ".join(words_of(blocks.text_of(block))) in others]


def folded_texts(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks that are the start of a text that is kept in full right below, as a click shows it.

    Headings, links, code, quotations and cells are none, nor is what has a picture below it, which would go with it.
    """
    page, found, at, texts = blocks.page, list[int](), kept.nonzero()[0].tolist(), blocks.texts
    together = "\n".join([texts[block] for block in at])
    if "…" not in together and "..." not in together:
        return found
    pictures = page.nodes_of(_PICTURE)
    ends = [texts[block][-_TAIL:] for block in at[:-1]]
    for place in [place for place, end in enumerate(ends) if "…" in end or "..." in end]:
        block = at[place]
        text = texts[block]
        match = _FOLDED.search(text, max(len(text) - _TAIL, 0))
        own = _letters(text[: match.start()]) if match else ""
        if len(own) >= FOLDED:
            below = at[place + 1 : place + 1 + UNFOLDED]
            shown = np.diff(pictures.searchsorted((blocks.last[block], blocks.first[below[0]])))[0]
            full = (_letters(texts[other]) for other in below)
            found += [block] if not shown and any(one != own and one.startswith(own) for one in full) else []
    if not found:
        return found
    inside = page.within_at(page.nodes_of(_UNFOLDING), blocks.first[found]) > 0
    return [block for block, is_inside in zip(found, inside.tolist(), strict=True) if not is_inside]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def clones_of(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of a carousel that it repeats at its ends."""
    page = blocks.page
    nodes = page.nodes_of_class(_CLONE)
    if not len(nodes):
        return []
    inside = page.within_at(nodes, blocks.first) > 0
    own = {blocks.text_of(block) for block in (kept & ~inside).nonzero()[0].tolist()}
    return [block for block in (kept & inside).nonzero()[0].tolist() if blocks.text_of(block) in own]


def _quoted(blocks: Blocks) -> Bools:
    """Return which blocks are quotations, code, or in a table."""
    page = blocks.page
    named = page.has_class(page.classes.named(QUOTE))
    nodes = (named | page.is_one_of(_LITERAL)).nonzero()[0]
    quoted: Bools = page.within_at(nodes, blocks.node) > 0
    return quoted


def repeated_feet(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of the feet of tables that say the same as their heads, as long tables have it."""
    page, found = blocks.page, list[int]()
    heads = page.nodes_of(_THEAD)
    for foot in page.nodes_of(_TFOOT).tolist() if len(heads) else ():
        for head in heads[page.parent[heads] == page.parent[foot]].tolist():
            (first, end), own = (blocks.first.searchsorted((node, page.end[node])).tolist() for node in (head, foot))
            said, again = ([blocks.text_of(block).strip() for block in range(*each)] for each in ((first, end), own))
            if said == again and kept[first:end].any():
                found += [block for block in range(*own) if kept[block]]
    return found
