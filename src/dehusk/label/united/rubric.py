"""Slots of a page: its title, the byline and the date at it, the captions of its pictures, the facts of its product.

The rubric has them in (docs/rubric.md), but most gold texts have not, so the net gives them low probabilities, and no
cut keeps them. Markup and words name them well enough:

- the title that the page declares, if no kept line says it;
- what stands between a few blocks before the headline and the first paragraph, is short, and is named as a byline or a
  date by its words or by the classes around it, or has the name of the author that the page declares;
- the caption of a figure between kept blocks;
- who is quoted, above or below a quotation;
- the summary that the page declares, if a line below the headline is it, and the deck that a class names below it;
- the facts of the product that `product_slots` finds, and the posts and the fields that `record_slots` does;
- the formulas on lines of their own between kept text, and lists and listings between two kept texts of one element;
- the term of a kept definition and the definition of a kept term, unless they are unlikely;
- what follows a kept label that ends with a colon, in an element that has little else, unless it is unlikely;
- the time, the heading and the author of each kept entry of a live blog;
- the labels and values that classes name so, if they are fairly probable and one beside them is kept;
- the footnotes whose marks are kept, unless they are unlikely, or so many that they are a bibliography;
- a list that the sentence before it announces, if it is fairly likely, and a line that announces what is kept; and
  the label of what fills a slot.

A field that all records of a list have is none of these. Reviews, ratings, comments and terms of a page with a product
or a recipe are dropped (`side_parts`). So is a heading whose texts are all dropped, unless several such headings are a
list; one that repeats the heading before it; the name of the site above the title of the page, and a path of links that
ends with it; lines that lead to other articles, labels of advertisements, calls, tags and categories (`teasers`);
signatures below posts; boxes that say who the author is; lists of contents; and parts of a page that repeat a part
before them, as for screens of another width, in a carousel or in large letters.
docs/facts.md has the figures.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import COLONS
from dehusk.base.lazy import pattern
from dehusk.base.tags import KNOWN, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import HEADING_TAGS, START, titles_of, words_of
from dehusk.blocks.labels import Labels, relabelled
from dehusk.blocks.layout import Nodes, sums_before
from dehusk.blocks.units.admonitions import admonitions_of
from dehusk.blocks.units.marks import footnotes_of, marks_of
from dehusk.compiled.decide import heading_levels
from dehusk.label.united.copies import (
    clones_of,
    contents_of,
    copied_parts,
    copies_for_widths,
    folded_texts,
    pull_quotes,
    repeated_feet,
)
from dehusk.label.united.headings import copied_headings, empty_headings, heading_of_site, titles_again
from dehusk.label.united.headline_slots import (
    authors_of,
    date_in,
    deck_below,
    filed_at_headline,
    headline_of,
    missing_title,
    names_again,
    slots_at_headline,
    start_of_text,
    summary_below,
)
from dehusk.label.united.naming import OF_AUTHOR, POST_NAMES, is_named, quotations_of
from dehusk.label.united.product_slots import FAIR, slots_of_product
from dehusk.label.united.record_slots import repeated_titles, slots_of_records
from dehusk.label.united.side_parts import author_boxes, closed_dialogs, ratings_of, related_parts, side_parts_of
from dehusk.label.united.teasers import likely_lines, lines_of_site, lines_over_nothing
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools
from dehusk.read.signs import source_signs

LIKELY = 0.9
"""Probability of what fills a slot; set by hand, after some 70 such texts of WCXB had been read."""
CAPTION, ABOVE, BELOW = 100, 12, 6
"""Words of a caption, and the blocks before and after it of which one must be kept; other captions and links do not
count. Set by hand: between a headline and the caption of its picture, news of fundus-a have up to ten buttons and
other lines."""
LEAST_CAPTION, BESIDE_CAPTION, TO_PICTURE = 3, 400, 6
"""Words of a line that only a class names as a caption, at least; characters beside it around a picture, and elements
around it up to one with the picture, at most.
On a third of eleven open sets, 43 of 124 such lines are in the gold texts; the rubric has captions in."""
NOTE, NOTES = 0.02, 0.25
"""Least probability of a footnote, and words of all that are missing by those of the kept text, at most. Terms of an
offer have .002, and only long lists of sources are longer: on the open sets, gold texts have neither."""
VALUE, NAME_OF_VALUE, PAIR, ABOVE_LABEL = 0.1, 16, 6, 8
"""Least probability of the value of a kept label, words of the label, blocks of the element that has both, and its
levels above, at most. Of 53 such values of .2 or more of WCXB and of pages labelled by the rubric, 68 % are in the gold
text; below, most labels are not in it either, but a label without its value says nothing."""
LAST = 0.2
"""Least probability of the caption of a figure with which the text ends; set by hand."""
DEFINED = 0.2
"""Least probability of a term or a definition whose other part is kept."""
LABEL = 4
"""Words of the label of a text that fills a slot, at most."""
LINKED = 0.8
"""Share of the words of a caption in links from which it is a teaser."""

SPEAKER, SOURCE, SOURCE_LINES = 8, 16, 4
"""Words of a line above a quotation that names who is quoted, and of one below it, and lines there, at most; set by
hand."""
CRUMBS, NEAR = 100, 3
"""Words of a path of links to the page, and kept lines below a title in it among which the title is again, at most; set
by hand."""
ADDRESS = 12
"""Words, as `Blocks.words` counts them, of a line in a post that is an address. In four sets of forums, all six such
lines are in the gold texts."""
ENTRY = 6
"""Words of the longest text of an entry of a live blog, at least; links to entries have less. Set by hand."""
SIGNED = 4
"""The first lines of a signature, of which none has a date; set by hand."""

_FIGCAPTION, _FIGURE = numbers("figcaption"), numbers("figure")
_IMAGES, _CODE = numbers("img picture svg"), numbers("pre code")
_OF_LABEL = NamePattern(r"(?:^|[\s_-])label(?:$|[\s_-])", "label")
_OF_VALUE = NamePattern(r"(?:^|[\s_-])value(?:$|[\s_-])", "value")
_CAPTION = NamePattern(
    r"(?:^|[\s_-])(?:(?:wp-)?caption(?:-text)?|(?:image|img|photo|picture|figure|media)-?_?"
    r"(?:caption|description|legend)s?)(?:$|[\s_-])",
    "caption description legend",
)
_SOURCES, _CITE = numbers("cite footer figcaption"), numbers("cite")
_LISTS, _PRE, _ANNOUNCED = numbers("ul ol dl"), numbers("pre"), numbers("ul ol dl pre table")
_TIME, _ENTRY = numbers("time"), numbers("article li section")
_NUMBERED, _LIST_ITEM = numbers("ol"), numbers("li")
STEP = 5
"""Words of a dropped item of a numbered list that is a step, at least; set by hand."""
_ENCLOSED, _TERM, _DEFINITION = numbers("ul ol pre"), numbers("dt"), numbers("dd")
ENCLOSED = 0.2
"""Probability of the likeliest block of a list or listing between kept text, at least. Chosen on the open sets."""
ANNOUNCING, LISTED = 4, 0.05
"""Words of a sentence that announces a list, and probability of the list's likeliest block, at least. On seven open
sets, 15 of 19 such lists of .3 or more are in the gold texts; on a third of eleven sets, 32 of 38 lines of lists of .05
to .3 and none of 8 below. Of those that `_RELATED` finds, few are."""
_RELATED = pattern(
    r"related|also (?:like|read|enjoy|try)|try these|interested|recommended|more from|suggested|helpful"
    r"|looking for|connect with|follow (?:us|me)"
    r"|(?:recent|latest|popular|more) (?:\w+ ){0,2}(?:posts|articles|stories|recipes)",
    re.IGNORECASE,
)
_PATH = NamePattern(r"(?:^|[\s_-])(?:bread-?)?crumbs?(?:$|[\s_-])", "crumb")
"""The classes of a path of links to the page."""
_STEP = pattern(r"[›»>→/]\s")
_FORMULA = NamePattern(r"(?:^|\s)(?:katex|mathjax|mwe-math|math-(?:block|display))", "katex math")
_NO_ONE = pattern(r"\W*(?:quot(?:e|ing)|zitat|cita|citat|citation|citazione|цитата|cytat|引用)\W*", re.IGNORECASE)
"""What is above a quotation and names no one."""
_ADDRESS = pattern(r"\W*(?:https?://|www\.)[^\s/]+/\S+")
"""The address of a page; that of a site is often who wrote."""
_SIGNATURE = NamePattern(
    r"(?:^|[\s_-]|user|post|poster|message)signature(?:container|_wrapper|-content|-group)?(?:$|[\s_-])", "signature"
)


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
        if dropped and np.count_nonzero(kept) > len(dropped):  # nothing at all is no page
            kept[dropped], likely[dropped] = False, np.minimum(likely[dropped], 1 - LIKELY)
            found.update(dict.fromkeys(dropped, what))

    drop(
        [] if keep_sides else side_parts_of(labels, levels, kept),
        "review, comment, delivery or payment beside what the page is about",
    )
    drop(closed_dialogs(labels.blocks, kept), "dialog that is not open")
    drop([] if keep_sides else author_boxes(labels.blocks, kept), "who the author is")
    drop([] if keep_sides else related_parts(labels.blocks, levels, kept), "other pages like this one")
    drop([] if keep_sides else ratings_of(labels.blocks, kept), "what readers think of it, as a number")
    likely_teasers = {} if keep_sides else likely_lines(labels.blocks, kept)
    for dropped, what in () if keep_sides else lines_of_site(labels.blocks, kept, levels, likely_teasers):
        drop(dropped, what)
    drop([] if keep_sides else _site_names(labels.blocks, levels, kept), "name of the site above the title")
    headline = headline_of(labels.blocks, levels, kept)
    drop(filed_at_headline(labels.blocks, kept, headline), "category, or how often or long the page is read")
    drop(_crumbs(labels.blocks, kept), "path of links that ends with the title below it")
    drop(_bare_terms(labels.blocks, kept), "term without its definition")
    drop(_signatures(labels.blocks, kept), "signature of who wrote the post above it")
    drop(repeated_titles(labels.blocks, levels, kept), "title of its record again")
    drop(copied_headings(labels.blocks, levels, kept), "copy of the heading before it")
    drop(names_again(labels.blocks, kept), "name of the byline above it")
    drop(clones_of(labels.blocks, kept), "copy of a part of a carousel")
    drop(pull_quotes(labels.blocks, kept), "part of a text, shown once more in large letters")
    drop(folded_texts(labels.blocks, kept), "start of the text below it")
    drop(contents_of(labels.blocks, levels, kept), "contents of the page, whose headings are below")
    drop(copied_parts(labels.blocks, kept), "copy of a part before it")
    drop(repeated_feet(labels.blocks, kept), "head of the table, once more at its foot")
    drop(copies_for_widths(labels.blocks, kept), "copy for screens of another width")
    while empty := [block for block in empty_headings(labels.blocks, levels, kept) if block not in found]:
        drop(empty, "heading without content")
    drop(titles_again(labels.blocks, levels, kept), "copy of the main heading")
    for dropped, what in () if keep_sides else lines_over_nothing(labels.blocks, kept, likely_teasers):
        drop(dropped, what)
    if not found:
        return labels
    reasons = labels.reasons
    if len(reasons):
        reasons = ["; ".join(filter(None, (why, found.get(block)))) for block, why in enumerate(reasons)]
    return replace(labels, kept=kept, label=relabelled(labels, kept), probability=likely, reasons=reasons)


def _site_names(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the first heading if it names the site above the title; not if the author has the same name."""
    found = heading_of_site(blocks, levels, kept)
    return [block for block in found if blocks.text_of(block).strip().lower() not in authors_of(blocks.page)]


def _crumbs(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the first kept lines of a path of links, if the title of the page, with which it ends, is below them.

    Right below the title, such a line is nothing but links, signs between them and the title.
    """
    page, start = blocks.page, kept.nonzero()[0][:START]
    above = [block for block in start.tolist() if blocks.link_words[block] and blocks.words[block] <= CRUMBS]
    title = titles_of(page).first_in(blocks, start) if above else -1
    lines = [(block, blocks.text_of(block)) for block in above if block < title]
    own = blocks.text_of(title)
    for block in (block for block in above if 0 <= title < block <= title + NEAR):
        steps = len(_STEP.findall(text := blocks.text_of(block)))
        if steps and blocks.link_words[block] + blocks.words[title] + steps >= blocks.words[block]:
            lines.append((block, text))
    found = [block for block, text in lines if text.endswith(own) and text != own]
    paths = page.nodes_of_class(_PATH)
    for block in start[page.within_at(paths, blocks.first[start]) > 0].tolist() if len(paths) else ():
        words = words_of(blocks.text_of(block))
        if any(words == words_of(blocks.text_of(other)) for other in start[start > block][:NEAR].tolist()):
            found.append(block)
    return found


def _slots(labels: Labels, levels: npt.NDArray[np.uint8]) -> Iterator[tuple[int, str]]:
    """Yield the blocks that fill a slot, and its name."""
    blocks, kept = labels.blocks, labels.kept
    headline = headline_of(blocks, levels, kept)
    title = missing_title(labels, levels)
    if title >= 0:
        yield title, "title of the page"
        headline = title
    if headline >= 0:
        for block in slots_at_headline(blocks, levels, kept, headline):
            yield block, "byline or date at the headline"
        for block in summary_below(labels, headline):
            yield block, "summary of the article"
        for block in deck_below(labels, headline):
            yield block, "deck below the headline"
        for block in start_of_text(labels, headline):
            yield block, "start of the text"
    yield from slots_of_records(labels)
    yield from slots_of_product(labels)
    for blocks_of, what in _SLOTS:
        for block in blocks_of(labels):
            yield block, what


def _label_before(blocks: Blocks, kept: Bools, block: int) -> int:
    """Return the dropped label right before a text, such as "Last updated:", -1 if there is none."""
    label = block - 1
    if label < 0 or kept[label] or not 0 < blocks.words[label] <= LABEL:
        return -1
    if blocks.text_of(label).endswith(COLONS):
        return label
    page, pair = blocks.page, blocks.first[[label, block]]
    is_defined = page.within_at(page.nodes_of(_TERM), pair)[0] and page.within_at(page.nodes_of(_DEFINITION), pair)[1]
    return label if is_defined else -1


def _formulas(labels: Labels) -> list[int]:
    """Return the blocks of nothing but a formula whose neighbours are kept; other formulas are no neighbours."""
    blocks, page = labels.blocks, labels.blocks.page
    if not marks_of(page).formulas:
        return []
    named = page.has_class(page.classes.named(_FORMULA))
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
    blocks, page = labels.blocks, labels.blocks.page
    nodes = page.nodes_of(_ENCLOSED)
    if not len(nodes):
        return
    starts, ends = blocks.extents(nodes)
    total, kept, last = labels.kept_before, labels.kept, len(blocks) - 1
    may_be = (starts > 0) & (starts < ends) & (ends <= last) & (total[starts] == total[ends])
    may_be &= kept[starts - 1] & kept[np.minimum(ends, last)]
    for node, start, end in zip(nodes[may_be].tolist(), starts[may_be].tolist(), ends[may_be].tolist(), strict=True):
        around = int(page.parent[node])
        is_inside = blocks.first[start - 1] > around and blocks.last[end] < page.end[around]
        linked, words = int(blocks.link_words[start:end].sum()), int(blocks.words[start:end].sum())
        is_linked = 2 * linked > words or (end - start == 1 and linked > 0)  # one item is a category, or the like
        if is_inside and not is_linked and labels.probability[start:end].max() >= ENCLOSED:
            yield from range(start, end)


def _steps(labels: Labels) -> Iterator[int]:
    """Yield the blocks of dropped items of numbered lists of which most items are kept: they are steps, or ranks."""
    blocks, page, total = labels.blocks, labels.blocks.page, labels.kept_before
    lists = page.nodes_of(_NUMBERED)
    if not len(lists):
        return
    starts, ends = blocks.extents(lists)
    in_part = (total[ends] > total[starts]) & (total[ends] - total[starts] < ends - starts)
    if not in_part.any():
        return
    items = page.nodes_of(_LIST_ITEM)
    items = items[page.parent[items].argsort(kind="stable")]
    starts, ends = blocks.extents(items)
    parents, is_kept = page.parent[items], total[ends] > total[starts]
    for node in lists[in_part].tolist():
        first, after = parents.searchsorted((node, node + 1)).tolist()
        own = first + (ends[first:after] > starts[first:after]).nonzero()[0]
        for item in own[~is_kept[own]].tolist() if 2 * is_kept[own].sum() >= len(own) else ():
            start, end = int(starts[item]), int(ends[item])
            words, links = int(blocks.words[start:end].sum()), int(blocks.link_words[start:end].sum())
            if words >= STEP and 2 * links < words and labels.probability[start:end].max() >= ENCLOSED:
                yield from range(start, end)


def _announced(labels: Labels) -> Iterator[int]:
    """Yield the blocks of dropped lists right after a kept sentence that ends with a colon."""
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    lists = page.nodes_of(_LISTS)
    if not len(lists):
        return
    starts, ends = blocks.extents(lists)
    total = labels.kept_before
    before = np.maximum(starts - 1, 0)
    may_be = (starts > 0) & (starts < ends) & (total[starts] == total[ends]) & kept[before]
    may_be &= blocks.words[before] >= ANNOUNCING
    for start, end in zip(starts[may_be].tolist(), ends[may_be].tolist(), strict=True):
        text = blocks.text_of(start - 1).rstrip()
        if text.endswith(COLONS) and not _RELATED.search(text) and labels.probability[start:end].max() >= LISTED:
            yield from range(start, end)


def _announcing(labels: Labels) -> list[int]:
    """Return the dropped lines between kept ones that end with a colon, right before kept code, a list or a table.

    What leads to links is a table of contents, or to other pages.
    """
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    may_be = (kept[:-2] & ~kept[1:-1] & kept[2:] & (labels.probability[1:-1] >= ENCLOSED)).nonzero()[0] + 1
    lines = np.array([at for at in may_be.tolist() if blocks.text_of(at).rstrip().endswith(COLONS)], dtype=np.intp)
    if not len(lines):
        return []
    below = page.nearest(page.is_one_of(_ANNOUNCED))[blocks.first[lines + 1]]
    is_linked = (2 * blocks.link_words >= blocks.words)[lines + 1] & ~np.isin(page.tag[below], _PRE)
    found: list[int] = lines[(below > blocks.last[lines]) & ~is_linked].tolist()
    return found


def _quoted_speakers(labels: Labels) -> Iterator[int]:
    """Yield the dropped lines that begin a quotation of which something is kept, as "Ann said:", or end it: "— Ann"."""
    blocks, page = labels.blocks, labels.blocks.page
    quotes = quotations_of(page)
    if not len(quotes):
        return
    starts, ends = blocks.extents(quotes)
    is_kept = labels.kept_before[ends] > labels.kept_before[starts]
    if not is_kept.any():
        return
    begun = {*starts[is_kept].tolist()}
    above = np.array(sorted({block - 1 for block in begun} - begun - {-1}), dtype=np.intp)
    begun |= {*above[page.within_at(quotes, blocks.first[above]) > 0].tolist()}  # named as a part of a quotation itself
    for block in sorted(begun):
        text = blocks.text_of(block).rstrip() if 0 < blocks.words[block] <= SPEAKER else ""
        if not labels.kept[block] and text.endswith(COLONS) and not _NO_ONE.fullmatch(text):
            yield block
    yield from _cited_below(labels, quotes[is_kept])
    last = ends[is_kept] - 1
    source = page.nearest(page.is_one_of(_SOURCES))[blocks.first[last]]
    for block, is_source in zip(last.tolist(), (source > quotes[is_kept]).tolist(), strict=True):
        is_short = 0 < blocks.words[block] <= SOURCE and not labels.kept[block]
        if is_short and (is_source or blocks.text_of(block).startswith(("—", "–", "--", "― "))):
            yield block


def _cited_below(labels: Labels, quotes: Nodes) -> Iterator[int]:
    """Yield the dropped lines of who is cited right after some quotations."""
    blocks, page = labels.blocks, labels.blocks.page
    cites = page.nodes_of(_CITE)
    for cite in cites[np.isin(cites, page.end[quotes])].tolist() if len(cites) else ():
        lines = range(*blocks.first.searchsorted((cite, page.end[cite])).tolist())
        if len(lines) <= SOURCE_LINES and not labels.kept[lines].any():
            yield from (block for block in lines if blocks.words[block] <= SOURCE and not blocks.link_words[block])


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


def _captions(labels: Labels) -> Iterator[int]:
    blocks, kept = labels.blocks, labels.kept
    page, nodes = blocks.page, blocks.page.nodes_of(_FIGCAPTION)
    if not len(nodes):
        return
    in_caption = np.zeros(len(blocks), dtype=np.bool_)
    for start, end in zip(*blocks.first.searchsorted((nodes, page.end.take(nodes))).tolist(), strict=True):
        in_caption[start:end] = True
    is_link = (blocks.words > 0) & (blocks.link_words == blocks.words) & ~kept  # such as those to the parts of a text
    at, others = (in_caption & ~kept).nonzero()[0], (~in_caption & ~is_link).nonzero()[0]
    words, place, text = blocks.words[at], others.searchsorted(at), sums_before(kept[others])
    before = text[place] - text[np.maximum(place - ABOVE, 0)]
    after = text[np.minimum(place + BELOW, len(others))] - text[place]
    likely = (labels.probability[at] >= LAST).tolist()
    follows = np.array(
        [may and _follows_kept(labels, block) for may, block in zip(likely, at.tolist(), strict=True)], bool
    )
    following = np.append(others, -1)[place]
    each = zip(at.tolist(), following.tolist(), strict=True)
    begins = np.array([_precedes_kept(labels, block, other) for block, other in each], bool)
    is_caption = (
        (((before > 0) & ((after > 0) | follows)) | ((before == 0) & begins)) & (words > 0) & (words <= CAPTION)
    )
    yield from at[is_caption & (blocks.link_words[at] <= LINKED * words)].tolist()


def _figure_around(labels: Labels, block: int) -> int:
    """Return the figure around a caption, 0 or -1 if it is in none."""
    page = labels.blocks.page
    figure = int(page.parent[labels.blocks.first[block]])
    for _ in range(TO_PICTURE):
        if figure <= 0 or page.tag[figure] in _FIGURE:
            break
        figure = int(page.parent[figure])
    return figure


def _follows_kept(labels: Labels, block: int) -> bool:
    """Return whether the figure around a caption stands right after kept text, as the last one of an article."""
    blocks, page, figure = labels.blocks, labels.blocks.page, _figure_around(labels, block)
    before = int(blocks.first.searchsorted(figure)) - 1
    return figure > 0 and before >= 0 and bool(labels.kept[before]) and blocks.first[before] > page.parent[figure]


def _precedes_kept(labels: Labels, block: int, following: int) -> bool:
    """Return whether the text after a caption is kept and stands beside its figure, as the first of an article."""
    blocks, page = labels.blocks, labels.blocks.page
    if following < 0 or not labels.kept[following]:
        return False
    figure = _figure_around(labels, block)
    return figure > 0 and bool(blocks.first[following] < page.end[page.parent[figure]])


def _named_captions(labels: Labels) -> Iterator[int]:
    """Yield the lines that classes name as the caption of a picture in the same small element, between kept text."""
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    captions = page.nodes_of_class(_CAPTION)
    if not len(captions):
        return
    images = page.nodes_of(_IMAGES)
    starts, ends = blocks.extents(captions)
    words, linked = (sums_before(of) for of in (blocks.words, blocks.link_words))
    size = words[ends] - words[starts]
    may_be = (size >= LEAST_CAPTION) & (size <= CAPTION) & (linked[ends] - linked[starts] <= LINKED * size)
    said = set[str]()
    for caption, first, last in zip(*(of[may_be].tolist() for of in (captions, starts, ends)), strict=True):
        text = page.text_of(caption).strip()
        if text in said:  # a slide, and what its click opens
            continue
        said.add(text)
        around = _with_picture(blocks, images, caption)
        start, end = blocks.first.searchsorted((around, page.end[around])).tolist()
        is_between = kept[max(start - ABOVE, 0) : start].any() and kept[end : end + BELOW].any()
        if around > 0 and is_between and not kept[start:end].any():
            yield from range(first, last)


def _with_picture(blocks: Blocks, images: Nodes, caption: int) -> int:
    """Return the small element around a caption that has its picture, too; 0 if there is none."""
    page, around = blocks.page, caption
    most = page.text_end[caption] - page.text_start[caption] + BESIDE_CAPTION
    for _ in range(TO_PICTURE):
        if around <= 0 or page.text_end[around] - page.text_start[around] > most:
            return 0
        if images.searchsorted(page.end[around]) > images.searchsorted(around):
            return around
        around = int(page.parent[around])
    return 0


def _code_in_posts(labels: Labels) -> list[int]:
    """Return the dropped blocks of code in an element that is named as a post, of which something is kept."""
    page, first = labels.blocks.page, labels.blocks.first
    code = page.nodes_of(_CODE)
    return _in_posts(labels, (~labels.kept & (page.within_at(code, first) > 0)).nonzero()[0]) if len(code) else []


def _addresses_in_posts(labels: Labels) -> list[int]:
    """Return the dropped lines that are nothing but an address, in such an element."""
    blocks = labels.blocks
    linked = (~labels.kept & (blocks.link_words > 0) & (blocks.words <= ADDRESS)).nonzero()[0]
    texts = blocks.texts
    together = "\n".join([texts[block] for block in linked.tolist()])
    if "://" not in together and "www." not in together:  # most pages have none
        return []
    may_be = [block for block in linked.tolist() if "://" in texts[block] or "www." in texts[block]]
    found = [block for block in may_be if _ADDRESS.fullmatch(texts[block].strip())]
    return _in_posts(labels, np.array(found, dtype=np.intp))


def _in_posts(labels: Labels, dropped: Nodes) -> list[int]:
    """Return those of some dropped blocks that are in an element named as a post, of which something is kept."""
    blocks, page = labels.blocks, labels.blocks.page
    codes = page.classes.named(POST_NAMES) if len(dropped) else []
    if not codes:
        return []
    post = page.nearest(page.has_class(codes))[blocks.first[dropped]]
    starts, ends = blocks.extents(post)
    total = labels.kept_before
    found: list[int] = dropped[(post > 0) & (total[ends] > total[starts])].tolist()
    return found


def _values(labels: Labels) -> Iterator[int]:
    """Yield the blocks after a kept label that ends with a colon, in an element that has little else."""
    blocks, kept, page = labels.blocks, labels.kept, labels.blocks.page
    may_be = labels.probability >= VALUE
    is_label = kept[:-1] & ~kept[1:] & may_be[1:] & (blocks.words[:-1] <= NAME_OF_VALUE)
    for label in is_label.nonzero()[0].tolist():
        if not blocks.text_of(label).endswith(COLONS):
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
    found: list[int] = missing[labels.probability[missing] >= DEFINED].tolist()
    return found


def _bare_terms(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept terms right before definitions of which nothing is kept, such as those that have only buttons."""
    page, definitions = blocks.page, blocks.page.nodes_of(_DEFINITION)
    if not len(definitions):
        return []
    first, end = blocks.extents(definitions)
    total, term = sums_before(kept), np.maximum(first - 1, 0)
    is_bare = (first > 0) & (first < end) & (total[first] == total[end]) & kept[term]
    is_bare &= page.within_at(page.nodes_of(_TERM), blocks.first[term]) > 0
    goes_on = np.isin(end, first) & ~is_bare  # another definition of the same term may be kept
    found: list[int] = np.unique(term[is_bare & ~goes_on]).tolist()
    return found


def _named_pairs(labels: Labels) -> Iterator[int]:
    """Yield the dropped parts of pairs that classes name as labels and values, beside kept ones like them."""
    blocks, page = labels.blocks, labels.blocks.page
    values = page.nodes_of_class(_OF_VALUE)
    if not len(values) or not (names := page.classes.named(_OF_LABEL)):
        return
    holders = page.parent[values]
    first, middle, end = blocks.first.searchsorted(np.stack((holders, values, page.end[holders])))
    label = page.nearest(page.has_class(names))[blocks.first.take(first, mode="clip")]
    is_pair = (label > holders) & (page.end[label] <= values) & (first < middle) & (middle < end)
    is_pair &= end - first <= PAIR
    lists, rows = dict[tuple[int, int], list[int]](), (page.parent[holders], page.class_code[holders], first, end)
    for around, kind, start, stop in zip(*(of[is_pair].tolist() for of in rows), strict=True):
        lists.setdefault((around, kind), []).extend(range(start, stop))
    for inside in lists.values():
        likely, size = labels.probability[inside], blocks.words[inside]
        if labels.kept[inside].any() and (likely * size).sum() >= FAIR * size.sum():
            yield from inside


def _entries(labels: Labels) -> Iterator[int]:
    """Yield the dropped times, headings and names above the kept texts of the entries of what declares a live blog."""
    blocks, page = labels.blocks, labels.blocks.page
    times = page.nodes_of(_TIME)
    if not len(times) or not any('"LiveBlogPosting"' in script for script in source_signs(page).linked_data):
        return
    entries = np.unique(page.nearest(page.is_one_of(_ENTRY))[times])
    starts, ends = blocks.extents(entries[entries > 0])
    total, levels = labels.kept_before, heading_levels(blocks, HEADING_TAGS)
    timed = page.within_at(np.unique(page.parent[times]), blocks.first) > 0
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        text = int(total.searchsorted(total[start] + 1)) - 1  # the first kept block, if it is in the entry
        if total[end] > total[start] and blocks.words[start:end].max() >= ENTRY:
            head = (at for at in range(start, text) if blocks.words[at] <= SOURCE)
            yield from (
                at for at in head if levels[at] or timed[at] or is_named(page, int(blocks.first[at]), OF_AUTHOR)
            )


def _signatures(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of what posters write below each of their posts; one with a date is a byline."""
    page, found = blocks.page, list[int]()
    signed = page.nodes_of_class(_SIGNATURE)
    if not len(signed):
        return found
    posts = page.nearest(page.has_class(page.classes.named(POST_NAMES)))[page.parent[signed]]
    starts, ends = blocks.extents(signed)
    total, begins = sums_before(kept), blocks.first.searchsorted(posts)
    is_below = (posts > 0) & (total[starts] > total[begins]) & (total[ends] > total[starts])
    for start, end in zip(starts[is_below].tolist(), ends[is_below].tolist(), strict=True):
        if not any(date_in(blocks.text_of(block)) for block in range(start, min(end, start + SIGNED))):
            found += range(start, end)
    return [block for block in dict.fromkeys(found) if kept[block]]


def _titles_of_notes(labels: Labels) -> Iterator[int]:
    """Yield the titles of notes in boxes, such as "Warning", of which something below is kept."""
    blocks, kept = labels.blocks, labels.kept
    for title, box in admonitions_of(blocks.page):
        start, end = blocks.first.searchsorted((title, blocks.page.end[title])).tolist()
        after = blocks.first.searchsorted(blocks.page.end[box])
        if kept[end:after].any() and blocks.words[start:end].sum() <= LABEL:
            yield from (block for block in range(start, end) if not kept[block])


_SLOTS: tuple[tuple[Callable[[Labels], Iterable[int]], str], ...] = (
    (_captions, "caption of a picture"),
    (_named_captions, "caption of a picture"),
    (_code_in_posts, "code in a kept post"),
    (_addresses_in_posts, "address in a kept post"),
    (_notes, "footnote of a kept mark"),
    (_formulas, "formula between kept text"),
    (_values, "value of the label before it"),
    (_enclosed, "list or code between kept text"),
    (_steps, "item of a numbered list of which most are kept"),
    (_announcing, "line that announces what is below it"),
    (_announced, "list that the text before it announces"),
    (_definitions, "the other part of a definition"),
    (_entries, "head of an entry"),
    (_named_pairs, "label or value of a list of such"),
    (_quoted_speakers, "who is quoted"),
    (_titles_of_notes, "title of the note in a box"),
)
"""What fills a slot of the text, and the name of the slot."""
