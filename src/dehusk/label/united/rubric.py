"""Slots of a page: its title, the byline and the date at it, the captions of its pictures, the facts of its product.

The rubric has them in (docs/rubric.md), but most gold texts have not, so the net gives them low probabilities, and no
cut keeps them. Markup and words name them well enough:

- the title that the page declares, if no kept line says it;
- what stands between a few blocks before the headline and the first paragraph, is short, and is named as a byline or a
  date by its words or by the classes around it, or has the name of the author that the page declares;
- the caption of a figure between kept blocks;
- who is quoted, above or below a quotation;
- the summary that the page declares, if a line below the headline is it;
- the facts of the product that `product_slots` finds, and the posts and the fields that `record_slots` does;
- the formulas on lines of their own between kept text, and lists and listings between two kept texts of one element;
- the term of a kept definition and the definition of a kept term, unless they are unlikely;
- what follows a kept label that ends with a colon, in an element that has little else, unless it is unlikely;
- the footnotes whose marks are kept, unless they are unlikely, or so many that they are a bibliography;
- a list that the sentence before it announces, if it is fairly likely; and the label of what fills a slot.

A field that all records of a list have is none of these. Reviews, comments and terms of a page with a product or a
recipe are dropped (`side_parts`). So is a heading whose texts are all dropped, unless several such headings are a list;
one that repeats the heading before it; the name of the site above the title of the page, and a path of links that ends
with it; lines that lead to other articles (`teasers`); signatures below posts; and parts of a page that repeat a part
before them, as for screens of another width, in a carousel or in large letters. docs/facts.md has the figures.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import KNOWN, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import START, line_of_title, titles_of, words_of
from dehusk.blocks.labels import Labels, relabelled
from dehusk.blocks.layout import Nodes
from dehusk.blocks.units.marks import footnotes_of, marks_of
from dehusk.compiled.decide import heading_levels, repeated_runs
from dehusk.label.prices import places_of
from dehusk.label.united.headings import (
    HEADING_TAGS,
    HEADLINES,
    PROSE,
    copied_headings,
    empty_headings,
    heading_of_site,
    names_site,
    titles_again,
)
from dehusk.label.united.naming import OF_AUTHOR, OF_DATE, is_field, is_named
from dehusk.label.united.product_slots import slots_of_product
from dehusk.label.united.record_slots import repeated_titles, slots_of_records
from dehusk.label.united.side_parts import side_parts_of
from dehusk.label.united.teasers import linked_teasers, lone_leads
from dehusk.read.page import Bools, Page
from dehusk.read.signs import source_signs

Reals = npt.NDArray[np.float64]

LIKELY = 0.9
"""Probability of what fills a slot; set by hand, after some 70 such texts of WCXB had been read."""
BEFORE, AFTER = 5, 12
"""Blocks before and after the headline in which its byline and its date are."""
LEADS = 2
"""How many paragraphs may stand before the byline: lines below the headline, the caption of its picture.
The next paragraph ends this place."""
SHORT, NAME = 16, 8
"""Words of a date and of a name, at most."""
MANY, RECORDS = 4, 3
"""Dropped bylines or dates that are alike, at least, of the records of a list; and dates at a headline in elements of
one class, of which an article has two at most. Set by hand."""
CAPTION, ABOVE, BELOW = 100, 12, 6
"""Words of a caption, and the blocks before and after it of which one must be kept; other captions do not count. Set by
hand: between a headline and the caption of its picture, news of fundus-a have up to ten buttons and other lines."""
POST = 400
"""Characters from which an element that is named as a post may be one, rather than a line about its comments."""
COPIED, COPIED_WORDS = 3, 40
"""Blocks and words of a part that is a copy of one before it, at least. Chosen on the open sets beside parts of one,
two and four blocks and of 20, 60 and 100 words: nearly as much is gained on WCXB, and the least lost on threads."""
OFFER = 40
"""Words of the items of a list, on average and at most, that several offers, recipes or descriptions of steps may have
alike; set by hand: comments that a page shows twice, in two lists, have more."""
NOTE, NOTES = 0.1, 0.25
"""Least probability of a footnote, and words of all that are missing by those of the kept text, at most. Terms of an
offer have .002, and only long lists of sources are longer: on the open sets, gold texts have neither."""
VALUE, PAIR, ABOVE_LABEL = 0.2, 6, 8
"""Least probability of the value of a kept label, blocks of the element that has both, and its levels above, at most.
Of 53 such values of WCXB and of pages labelled by the rubric, 68 % are in the gold text."""
LABEL = 4
"""Words of the label of a text that fills a slot, at most."""
LINKED = 0.8
"""Share of the words of a caption in links from which it is a teaser."""

ABOVE_TEXT, BELOW_TEXT, TITLE = 30, 6, 0.2
"""Blocks before and after the first kept one among which its title is, and its least probability if it is no h1. On
half of the open sets, 64 of 76 such lines are in the gold texts."""
SUMMARY, LEAD = 6, 0.05
"""Words of the summary of an article, at least, and its probability. Around the first kept text of the pages of seven
open sets, 39 of 96 such lines are in the gold texts, 8 of 32 in WCXB's; the rubric has summaries in."""
SPEAKER = 8
"""Words of a line that names who is quoted, at most; set by hand."""

_FIGCAPTION, _BLOCKQUOTE, _LITERAL = (
    numbers("figcaption"),
    numbers("blockquote"),
    numbers(("blockquote", "pre", "td", "th")),
)
_SOURCES, _CITE = numbers("cite footer figcaption"), numbers("cite")
_LIST, _LISTS = numbers("ul ol"), numbers("ul ol dl")
_ENCLOSED, _TERM, _DEFINITION = numbers("ul ol pre"), numbers("dt"), numbers("dd")
ENCLOSED = 0.2
"""Probability of the likeliest block of a list or listing between kept text, at least. Chosen on the open sets."""
ANNOUNCING, LISTED = 4, 0.3
"""Words of a sentence that announces a list, and probability of the list's likeliest block, at least. On seven open
sets, 15 of 19 such lists are in the gold texts; of those that `_RELATED` finds, few."""
_RELATED = pattern(
    r"related|also (?:like|read|enjoy)|interested|recommended|more from|suggested|helpful", re.IGNORECASE
)
_FORMULA = pattern(r"(?:^|\s)(?:katex|mathjax|mwe-math|math-(?:block|display))")
_FORMULA_WORDS = ("katex", "math")
"""One of these is in whatever `_FORMULA` finds; so it is with the other words of this kind."""
MOST_COPIED = 200
"""Kept blocks of an element that may be a copy for another width, so that copies in copies take little time."""
_SIZE = "(?:xs|sm|md|lg|xl|mobile|desktop|tablet|phone)"
_WIDTH = pattern(  # the classes of Bootstrap and Tailwind, and words of sites' own style sheets
    rf"(?<![^\s_-])(?:(?:hide|hidden|show|visible|only)[_-](?:[a-z]+[_-])?{_SIZE}(?![a-z])"
    rf"|(?<![_-])(?:{_SIZE}[_:-](?:hide|hidden|show|visible|only)(?![a-z])"
    rf"|hidden(?=\s)[^\n]{{0,100}}?\s{_SIZE}:(?:block|flex|grid|inline)"
    rf"|d-(?:{_SIZE}-none|none\s[^\n]{{0,100}}?d-{_SIZE}-)|(?:mobile|desktop)(?:[_-]\w+)?(?!\S)))"
)
"""The classes of elements that only screens of some widths show."""
_WIDTH_WORDS = ("hide", "hidden", "show", "visible", "only", "-none", "mobile", "desktop")
_CLONE = pattern(
    r"(?:^|\s)(?:slick-cloned|swiper-slide-duplicate|(?:splide|glide)__slide--clone|(?:bx-)?cloned?)(?:$|\s)"
)
"""The classes of Slick, Swiper, Splide, Glide, Owl Carousel and bxSlider."""
_PULLED = pattern(r"(?:^|[\s_-])pull[_-]?(?:ed-?)?quote")
_QUOTE, _QUOTE_WORDS = pattern("quot(?:e|ation)|cit(?:e|ation)"), ("quot", "cit")
_NO_ONE = pattern(r"\W*(?:quot(?:e|ing)|zitat|cita|citat|citation|citazione|цитата|cytat|引用)\W*", re.IGNORECASE)
"""What is above a quotation and names no one."""
_ACTS = pattern(
    r"(?:last (?:post|reply|active|activity|visit)|follow|share|view all|see all|more (?:from|by)|subscribe|e-?mail"
    r"|contact|print|tweet|copyright|(?:posted|filed) (?:in|under)|joined|join date|registered|registriert|founded"
    r"|rss)\b|©|[«‹←]\s|.*(?:https?:|%2F|\s[»›→]$)|[^>›»]*(?:>|›|»)[^>›»]*(?:>|›|»)",
    re.IGNORECASE,
)
_READING = pattern(r"\bmin(?:ute)?s?\b|\bread(?:ing)?\b|T\d\d:\d\d|^[\d:/ ]+$", re.IGNORECASE)
_POST_NAMES = pattern(
    "message|comment|reply|question|answer|postbit|postprofile|postbody|userinfo|user-details|crawler-post",
    re.IGNORECASE,
)
_POSTER = pattern(r"(?:^|\s)(?:post_author|author_statistics|postprofile|cAuthorPane\w*|poster)(?:$|\s)")
"""The classes of what forums show of the author of a post: MyBB, phpBB, Invision, Simple Machines."""
_SIGNATURE = pattern(
    r"(?:^|[\s_-]|user|post|poster|message)signature(?:container|_wrapper|-content|-group)?(?:$|[\s_-])"
)
_IN_POST = pattern(
    r"(?:^|[\s_-])(?:posts?|postbody|postbit\w*|messages?|msgs?|comments?|repl(?:y|ies)|entry)(?:$|[\s_-])"
)
_IN_POST_WORDS = ("post", "message", "msg", "comment", "repl", "entry")
BEFORE_BY = (
    "written|posted|published|reported|submitted|reviewed|edited|report|review|words|text|story|article"
    "|guide|recipe|feature|analysis|opinion|interview"
)
"""What is before "by" in a byline."""
_BY = pattern(
    rf"(?:(?:{BEFORE_BY}) )?"
    r"(?:by|von|par|por|di|door|av|af|autor(?:in|a|es|e)?|author|автор|текст|od|szerző|yazan|oleh)\b[:\s]+\S.*",
    re.IGNORECASE,
)
_YEAR = r"(?:19|20)\d\d"
_DATE = pattern(
    rf"{_YEAR}[年./-]\s?\d|\b\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d\d){{1,2}}\b|\b\d+ (?:hours?|days?|minutes?|weeks?) ago\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.|er|º)?,? (?:de )?[^\W\d]{{3,12}}\.?,? (?:de )?{_YEAR}\b"
    rf"|\b[^\W\d]{{3,12}}\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}\b",
    re.IGNORECASE,
)
_AUTHOR = pattern(  # bounded, as two runs of spaces side by side would take the square of their length
    r'"author"\s{0,20}:\s{0,20}\[?\s{0,20}(?:\{[^{}]{0,1000}?"name"\s{0,20}:\s{0,20})?"([^"]{3,60})"'
)
_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_LONG, _MOST_PULLED = 1_000, 50  # characters of a description, and quotations of large letters that are looked for
_MOST_AUTHORS, _AUTHORS_NAME = 20, 60  # declared authors, and the characters of a name
AUTHOR_KEYS = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl")
"""Names of the meta elements that have an author, the best first."""
_DIGIT = pattern(r"\d")


def with_slots(labels: Labels, *, keep_sides: bool = False) -> Labels:
    """Return the labels of a page with its slots filled, without copies, and without headings that are over nothing.

    Args:
        labels: the labels of a page.
        keep_sides: keep what is kept of reviews, comments and terms on a page with a product or a recipe.
    """
    if np.count_nonzero(labels.kept) < 2:
        return labels
    kept, likely, levels = labels.kept.copy(), labels.probability.copy(), heading_levels(labels.blocks, HEADING_TAGS)
    slots = ((block, what) for block, what in _slots(labels, levels) if not kept[block])
    found = {block: what for block, what in slots if likely[block]}  # 0: never content
    names = [name for block in found if (name := _label_before(labels.blocks, kept, block)) >= 0]
    found |= {block: "label of the text after it" for block in names if block not in found and likely[block]}
    if filled := list(found):
        kept[filled], likely[filled] = True, np.maximum(likely[filled], LIKELY)

    def drop(dropped: list[int], what: str) -> None:
        if dropped:
            kept[dropped], likely[dropped] = False, np.minimum(likely[dropped], 1 - LIKELY)
            found.update(dict.fromkeys(dropped, what))

    drop(
        [] if keep_sides else side_parts_of(labels, levels, kept),
        "review, comment, delivery or payment beside what the page is about",
    )
    drop([] if keep_sides else linked_teasers(labels.blocks, kept), "line that leads to another article")
    drop([] if keep_sides else _site_names(labels.blocks, levels, kept), "name of the site above the title")
    drop(_crumbs(labels.blocks, kept), "path of links that ends with the title below it")
    drop(_signatures(labels.blocks, kept), "signature of who wrote the post above it")
    drop(repeated_titles(labels.blocks, levels, kept), "title of its record again")
    drop(copied_headings(labels.blocks, levels, kept), "copy of the heading before it")
    drop(_clones(labels.blocks, kept), "copy of a part of a carousel")
    drop(_pull_quotes(labels.blocks, kept), "part of a text, shown once more in large letters")
    drop(_copied_parts(labels.blocks, kept), "copy of a part before it")
    drop(_copies_for_widths(labels.blocks, kept), "copy for screens of another width")
    while empty := [block for block in empty_headings(labels.blocks, levels, kept) if block not in found]:
        drop(empty, "heading without content")
    drop(titles_again(labels.blocks, levels, kept), "copy of the main heading")
    drop([] if keep_sides else lone_leads(labels.blocks, kept), "words that lead to other articles, which are dropped")
    if not found:
        return labels
    reasons = labels.reasons
    if len(reasons):
        reasons = ["; ".join(filter(None, (why, found.get(block)))) for block, why in enumerate(reasons)]
    return replace(labels, kept=kept, label=relabelled(labels, kept), probability=likely, reasons=reasons)


def _site_names(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the first heading if it names the site above the title; not if the author has the same name."""
    found = heading_of_site(blocks, levels, kept)
    return [block for block in found if blocks.text_of(block).strip().lower() not in _authors_of(blocks.page)]


def _crumbs(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the first kept lines with links that end with the title of the page, which stands below them."""
    start = kept.nonzero()[0][:START]
    above = start[(blocks.link_words[start] > 0) & (blocks.words[start] <= CAPTION)]
    title = titles_of(blocks.page).first_in(blocks, start) if len(above) else -1
    if title < 0:
        return []
    own = blocks.text_of(title)
    lines = ((block, blocks.text_of(block)) for block in above[above < title].tolist())
    return [block for block, text in lines if text.endswith(own) and text != own]


def _slots(labels: Labels, levels: npt.NDArray[np.uint8]) -> Iterator[tuple[int, str]]:
    """Yield the blocks that fill a slot, and its name."""
    blocks, kept = labels.blocks, labels.kept
    headline = _headline(blocks, levels, kept)
    title = _missing_title(labels, levels)
    if title >= 0:
        yield title, "title of the page"
        headline = title
    if headline >= 0:
        yield from ((block, "byline or date at the headline") for block in _at_headline(blocks, levels, kept, headline))
        yield from ((block, "summary of the article") for block in _summary(labels, headline))
    yield from ((block, "caption of a picture") for block in _captions(blocks, kept))
    yield from slots_of_records(labels)
    yield from slots_of_product(labels)
    yield from ((block, "footnote of a kept mark") for block in _notes(labels))
    yield from ((block, "formula between kept text") for block in _formulas(labels))
    yield from ((block, "value of the label before it") for block in _values(labels))
    yield from ((block, "list or code between kept text") for block in _enclosed(labels))
    yield from ((block, "list that the text before it announces") for block in _announced(labels))
    yield from ((block, "the other part of a definition") for block in _definitions(labels))
    yield from ((block, "who is quoted") for block in _quoted_speakers(labels))


def _formulas(labels: Labels) -> list[int]:
    """Return the blocks of nothing but a formula whose neighbours are kept; other formulas are no neighbours."""
    blocks, page = labels.blocks, labels.blocks.page
    if not marks_of(page).formulas:
        return []
    named = page.has_class(page.classes.named(_FORMULA, _FORMULA_WORDS))
    tags = [KNOWN + index for index, name in enumerate(page.extra_tags) if name in ("math", "mjx-container")]
    inside = page.within((named | np.isin(page.tag, tags)).nonzero()[0]) > 0
    is_formula = inside[blocks.first] & inside[blocks.last]
    others = (~is_formula).nonzero()[0]
    found = (is_formula & ~labels.kept).nonzero()[0]
    after = others.searchsorted(found)
    has_both = (after > 0) & (after < len(others))
    before, after = (
        others[np.maximum(after - 1, 0)],
        others[np.minimum(after, len(others) - 1)] if len(others) else after,
    )
    return found[has_both & labels.kept[before] & labels.kept[after]].tolist() if len(others) else []


def _enclosed(labels: Labels) -> Iterator[int]:
    """Yield the blocks of dropped lists, but those of links, and listings between kept blocks of the element around."""
    blocks, kept, page = labels.blocks, np.append(labels.kept, False), labels.blocks.page
    nodes = page.nodes_of(_ENCLOSED)
    starts, ends = blocks.first.searchsorted(nodes), blocks.first.searchsorted(page.end[nodes])
    total = np.append(0, labels.kept.cumsum())
    may_be = (starts > 0) & (starts < ends) & (total[starts] == total[ends]) & kept[starts - 1] & kept[ends]
    for node, start, end in zip(nodes[may_be].tolist(), starts[may_be].tolist(), ends[may_be].tolist(), strict=True):
        around = int(page.parent[node])
        is_inside = blocks.first[start - 1] > around and blocks.last[end] < page.end[around]
        linked, words = int(blocks.link_words[start:end].sum()), int(blocks.words[start:end].sum())
        is_linked = 2 * linked > words or (end - start == 1 and linked > 0)  # one item is a category, or the like
        if is_inside and not is_linked and labels.probability[start:end].max() >= ENCLOSED:
            yield from range(start, end)


def _announced(labels: Labels) -> Iterator[int]:
    """Yield the blocks of dropped lists right after a kept sentence that ends with a colon."""
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    lists = page.nodes_of(_LISTS)
    starts, ends = blocks.first.searchsorted(lists), blocks.first.searchsorted(page.end[lists])
    total = np.append(0, kept.cumsum())
    before = np.maximum(starts - 1, 0)
    may_be = (starts > 0) & (starts < ends) & (total[starts] == total[ends]) & kept[before]
    may_be &= blocks.words[before] >= ANNOUNCING
    for start, end in zip(starts[may_be].tolist(), ends[may_be].tolist(), strict=True):
        text = blocks.text_of(start - 1).rstrip()
        if text.endswith((":", "：")) and not _RELATED.search(text) and labels.probability[start:end].max() >= LISTED:
            yield from range(start, end)


def _quoted_speakers(labels: Labels) -> Iterator[int]:
    """Yield the dropped lines that begin a quotation of which something is kept, as "Ann said:", or end it: "— Ann"."""
    blocks, page = labels.blocks, labels.blocks.page
    named = page.classes.named(_QUOTE, _QUOTE_WORDS)
    if not named and not len(page.nodes_of(_BLOCKQUOTE)):
        return
    quotes = (page.has_class(named) | page.is_one_of(_BLOCKQUOTE)).nonzero()[0]
    starts, ends = blocks.first.searchsorted(quotes), blocks.first.searchsorted(page.end[quotes])
    total = np.append(0, labels.kept.cumsum())
    is_kept = total[ends] > total[starts]
    for block in np.unique(starts[is_kept]).tolist():
        text = blocks.text_of(block).rstrip() if 0 < blocks.words[block] <= SPEAKER else ""
        if not labels.kept[block] and text.endswith((":", "：")) and not _NO_ONE.fullmatch(text):
            yield block
    yield from _cited_below(labels, quotes[is_kept])
    last = ends[is_kept] - 1
    source = page.nearest(page.is_one_of(_SOURCES))[blocks.first[last]]
    for block, is_source in zip(last.tolist(), (source > quotes[is_kept]).tolist(), strict=True):
        is_short = 0 < blocks.words[block] <= SHORT and not labels.kept[block]
        if is_short and (is_source or blocks.text_of(block).startswith(("—", "–", "--", "― "))):
            yield block


def _cited_below(labels: Labels, quotes: Nodes) -> Iterator[int]:
    """Yield the dropped lines of who is cited right after some quotations."""
    blocks, page = labels.blocks, labels.blocks.page
    cites = page.nodes_of(_CITE)
    for cite in cites[np.isin(cites, page.end[quotes])].tolist():
        lines = range(*blocks.first.searchsorted((cite, page.end[cite])).tolist())
        if len(lines) <= MANY and not labels.kept[lines].any():
            yield from (block for block in lines if blocks.words[block] <= SHORT and not blocks.link_words[block])


def _notes(labels: Labels) -> list[int]:
    """Return the blocks of footnotes that are dropped, though their marks are kept."""
    blocks, page = labels.blocks, labels.blocks.page
    if not marks_of(page).references:
        return []
    footnotes = footnotes_of(page)
    marked = {
        name
        for mark, name in footnotes.references.items()
        if labels.kept[max(int(blocks.first.searchsorted(page.end[mark])) - 1, 0)]
    }
    missing: list[int] = []
    for note, name in footnotes.notes.items():
        first, last = blocks.first.searchsorted((note, page.end[note])).tolist()
        if name in marked and labels.probability[first:last].max(initial=0) >= NOTE:
            missing += (first + (~labels.kept[first:last]).nonzero()[0]).tolist()
    is_bibliography = blocks.words[missing].sum() > NOTES * blocks.words[labels.kept].sum() if missing else False
    return [] if is_bibliography else missing


# ---------------------------------------------------------------- byline and date


def _missing_title(labels: Labels, levels: npt.NDArray[np.uint8]) -> int:
    """Return the dropped line around the first kept one that is the title of a page, if no kept line is; else -1."""
    blocks, at, titles = labels.blocks, labels.kept.nonzero()[0], titles_of(labels.blocks.page)
    start = at[:START]
    if titles.first_in(blocks, start) >= 0 or titles.first_part_in(blocks, start[levels[start] > 0].tolist()) >= 0:
        return -1
    near = np.arange(max(int(at[0]) - ABOVE_TEXT, 0), min(int(at[0]) + BELOW_TEXT, len(blocks)))
    may_be = ~labels.kept[near] & ((levels[near] == 1) | (labels.probability[near] >= TITLE))
    found = near[may_be]
    title = titles.first_in(blocks, found[(-labels.probability[found]).argsort(kind="stable")])
    return -1 if title >= 0 and names_site(blocks, title) else title


def _headline(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> int:
    """Return the line that is the title of a page, else its first kept h1 or h2; -1 if it has neither."""
    headlines = (kept & (levels > 0) & (levels <= HEADLINES)).nonzero()[0].tolist()
    first = headlines[0] if headlines else -1
    line = line_of_title(blocks, kept) if first < 0 or levels[first] > 1 else -1
    return first if line < 0 else line


def _at_headline(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools, headline: int) -> Iterator[int]:
    prose = ((blocks.words >= PROSE) & kept).nonzero()[0]
    after = prose[prose.searchsorted(headline, "right") :]
    end = int(after[LEADS]) if len(after) > LEADS else len(blocks)
    place = slice(max(headline - BEFORE, 0), min(end, headline + AFTER))
    words, is_kept = blocks.words[place], kept[place]
    short = (~is_kept & (words > 0) & (words <= SHORT)).nonzero()[0] + place.start
    if not len(short):
        return
    texts, authors = (
        {blocks.text_of(block) for block in (is_kept.nonzero()[0] + place.start).tolist()},
        _authors_of(blocks.page),
    )
    below = range(int(blocks.first[headline]), int(blocks.first[place.stop - 1]) + 1)
    is_title = (levels > 0) & (blocks.link_words == blocks.words)
    dates = Counter[tuple[int, int]]()
    found = list[int]()
    for block in short.tolist():
        text = blocks.text_of(block)
        if text in texts or not _is_byline_or_date(blocks, block, text, authors):
            continue
        node, where = int(blocks.page.parent[blocks.first[block]]), below if block > headline else None
        if not _stands_with(blocks, block, headline) or is_field(blocks.page, node, where):
            continue
        if not is_title[headline + 1 : block].any() or not _is_of_many(blocks, kept, block):
            texts.add(text)  # of copies the first is kept
            found.append(block)
            dates[_class_of(blocks, block)] += _DIGIT.search(text) is not None
    yield from (block for block in found if dates[_class_of(blocks, block)] < RECORDS)


def _label_before(blocks: Blocks, kept: Bools, block: int) -> int:
    """Return the dropped label right before a text, such as "Last updated:", -1 if there is none."""
    label = block - 1
    if label < 0 or kept[label] or not 0 < blocks.words[label] <= LABEL:
        return -1
    return label if blocks.text_of(label).endswith((":", "：")) else -1


def _summary(labels: Labels, headline: int) -> list[int]:
    """Return the first line below the headline that is what a page declares as its description, if it is dropped."""
    blocks = labels.blocks
    declared = (content for key, content in blocks.page.meta.entries if key.lower() in _DESCRIPTIONS)
    said = [words for content in islice(declared, _MOST_AUTHORS) if len(words := words_of(content[:_LONG])) >= SUMMARY]
    if not said or titles_of(blocks.page).first_in(blocks, np.array([headline])) < 0:  # such as the name of a forum
        return []
    place = np.arange(headline + 1, min(headline + AFTER, len(blocks)))
    size = blocks.words[place]
    may_be = (size >= SUMMARY) & (size <= CAPTION) & ((labels.probability[place] >= LEAD) | labels.kept[place])
    for block in place[may_be].tolist():
        if any(_is_start(words_of(blocks.text_of(block)), words) for words in said):
            return [] if labels.kept[block] else [block]  # of copies one is enough
    return []


def _is_start(line: list[str], words: list[str]) -> bool:
    """Return whether one of two texts is the start of the other one, and more than half of it."""
    size = min(len(line), len(words))
    return line[:size] == words[:size] and 2 * size > max(len(line), len(words))


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


def _authors_of(page: Page) -> list[str]:
    """Return the names of the authors that a page declares in linked data and in meta elements, in lower case."""
    scripts = source_signs(page).linked_data
    matches = (_AUTHOR.match(script, at) for script in scripts for at in places_of(script, '"author"'))
    found = (_decoded(match[1]) for match in matches if match)
    said = (content for name, content in page.meta.entries if name.lower() in AUTHOR_KEYS)
    names = islice(chain(said, found), _MOST_AUTHORS)
    return [name.lower() for name in names if " " in name and len(name) <= _AUTHORS_NAME]


def _decoded(string: str) -> str:
    """Return the text of a string of JSON; nothing of what is none."""
    try:
        return str(json.loads(f'"{string}"'))
    except ValueError:
        return ""


def _is_byline_or_date(blocks: Blocks, block: int, text: str, authors: list[str]) -> bool:
    has_digit = _DIGIT.search(text) is not None
    says = any(name in text.lower() for name in authors) or (has_digit and _DATE.search(text)) or _BY.fullmatch(text)
    if not (says or has_digit or (blocks.words[block] <= NAME and _looks_like_name(text))) or _ACTS.match(text):
        return False
    named = OF_DATE if has_digit else OF_AUTHOR
    return bool(says) or (is_named(blocks.page, int(blocks.first[block]), named) and not _READING.search(text))


def _looks_like_name(text: str) -> bool:
    """Return whether a text does not end as a sentence, and most of its words begin as names do."""
    small = [word[0].islower() for word in text.split() if word[0].isalpha()]
    return bool(small) and text[-1] not in ".!?" and 2 * sum(small) <= len(small)


# ---------------------------------------------------------------- captions


def _captions(blocks: Blocks, kept: Bools) -> Iterator[int]:
    page, nodes = blocks.page, blocks.page.nodes_of(_FIGCAPTION)
    if not len(nodes):
        return
    in_caption = np.zeros(len(blocks), dtype=np.bool_)
    for start, end in zip(*blocks.first.searchsorted((nodes, page.end.take(nodes))).tolist(), strict=True):
        in_caption[start:end] = True
    at, others = (in_caption & ~kept).nonzero()[0], (~in_caption).nonzero()[0]
    words, place, text = blocks.words[at], others.searchsorted(at), np.append(0, kept[others].cumsum())
    before = text[place] - text[np.maximum(place - ABOVE, 0)]
    after = text[np.minimum(place + BELOW, len(others))] - text[place]
    is_caption = (before > 0) & (after > 0) & (words > 0) & (words <= CAPTION)
    yield from at[is_caption & (blocks.link_words[at] <= LINKED * words)].tolist()


def _values(labels: Labels) -> Iterator[int]:
    """Yield the blocks after a kept label that ends with a colon, in an element that has little else."""
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    may_be = labels.probability >= VALUE
    is_label = kept[:-1] & ~kept[1:] & may_be[1:] & (blocks.words[:-1] <= SHORT)
    for label in is_label.nonzero()[0].tolist():
        if not blocks.text_of(label).endswith((":", "：")):
            continue
        around, value = int(page.parent[blocks.first[label]]), int(blocks.first[label + 1])
        for _ in range(ABOVE_LABEL):
            around = int(page.parent[around]) if page.end[around] <= value else around
        start, end = blocks.first.searchsorted((around, page.end[around])).tolist()
        if end - start <= PAIR and page.end[around] > value:
            yield from (block for block in range(label + 1, end) if may_be[block])


def _definitions(labels: Labels) -> list[int]:
    """Return the dropped terms right before kept definitions, and the definitions right after kept terms."""
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    terms, definitions = page.nodes_of(_TERM), page.nodes_of(_DEFINITION)
    if not len(terms) or not len(definitions):
        return []
    is_term, is_definition = (page.within_at(nodes, blocks.first) > 0 for nodes in (terms, definitions))
    pairs = (is_term[:-1] & is_definition[1:] & (kept[:-1] != kept[1:])).nonzero()[0]
    missing = pairs + kept[pairs]
    found: list[int] = missing[labels.probability[missing] >= VALUE].tolist()
    return found


def _signatures(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of what posters write below each of their posts; one with a date is a byline."""
    page, found = blocks.page, list[int]()
    signed = page.has_class(page.classes.named(_SIGNATURE, ("signature",))).nonzero()[0]
    if not len(signed):
        return found
    posts = page.nearest(page.has_class(page.classes.named(_IN_POST, _IN_POST_WORDS)))[page.parent[signed]]
    starts, ends = blocks.first.searchsorted(signed), blocks.first.searchsorted(page.end[signed])
    total, begins = np.append(0, kept.cumsum()), blocks.first.searchsorted(posts)
    is_below = (posts > 0) & (total[starts] > total[begins]) & (total[ends] > total[starts])
    for start, end in zip(starts[is_below].tolist(), ends[is_below].tolist(), strict=True):
        if not any(_DATE.search(blocks.text_of(block)) for block in range(start, min(end, start + MANY))):
            found += range(start, end)
    return [block for block in dict.fromkeys(found) if kept[block]]


# ---------------------------------------------------------------- copies


def _copied_parts(blocks: Blocks, kept: Bools) -> list[int]:
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


def _copies_for_widths(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of elements that repeat what is before them, for screens of another width."""
    page, codes = blocks.page, blocks.page.classes.named(_WIDTH, _WIDTH_WORDS)
    if not codes:
        return []
    at, first, found = kept.nonzero()[0], dict[tuple[str, ...], str](), list[int]()
    matches = ((code, _WIDTH.search(page.class_names[code].lower())) for code in codes)
    widths = {code: match[0].strip() for code, match in matches if match}
    around = page.nearest(page.has_class(codes))[blocks.first[at[repeated_runs(blocks, at, 1)]]]
    for part in dict.fromkeys(around[around > 0].tolist()):
        start, end = at.searchsorted(blocks.first.searchsorted((part, page.end[part]))).tolist()
        if end - start <= MOST_COPIED:
            own, width = at[start:end].tolist(), widths[int(page.class_code[part])]
            if first.setdefault(tuple(map(blocks.text_of, own)), width) != width:
                found += own
    return found


def _pull_quotes(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept lines in large letters that a longer kept text has, too."""
    page = blocks.page
    codes = page.classes.named(_PULLED, ("pull",))
    if not codes:
        return []
    inside = page.within_at(page.has_class(codes).nonzero()[0], blocks.first) > 0
    others = "\n".join(" ".join(words_of(blocks.text_of(block))) for block in (kept & ~inside).nonzero()[0].tolist())
    pulled = (kept & inside & (blocks.words >= SUMMARY)).nonzero()[0][:_MOST_PULLED].tolist()
    return [block for block in pulled if " ".join(words_of(blocks.text_of(block))) in others]


def _clones(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of a carousel that it repeats at its ends."""
    page = blocks.page
    codes = page.classes.named(_CLONE, ("clone", "duplicate"))
    if not codes:
        return []
    inside = page.within_at(page.has_class(codes).nonzero()[0], blocks.first) > 0
    own = {blocks.text_of(block) for block in (kept & ~inside).nonzero()[0].tolist()}
    return [block for block in (kept & inside).nonzero()[0].tolist() if blocks.text_of(block) in own]


def _quoted(blocks: Blocks) -> Bools:
    """Return which blocks are quotations, code, or in a table."""
    page = blocks.page
    named = page.has_class(page.classes.named(_QUOTE, _QUOTE_WORDS))
    nodes = (named | page.is_one_of(_LITERAL)).nonzero()[0]
    quoted: Bools = page.within_at(nodes, blocks.node) > 0
    return quoted
