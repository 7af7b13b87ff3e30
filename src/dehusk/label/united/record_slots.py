"""Slots of the records of a list: title and price, which a reader wants of every record of which anything is kept.

Of texts in elements alike, four or more, those are filled in whose record has other kept texts, if that is so of most
of these records. A record is the largest element around such a text without another one of them.

- Prices: short lines with an amount and its currency, not those of delivery, each amount once; not on pages that call
  themselves articles, where they are those of buttons.
- Titles: headings, and links that are named as titles, whose texts differ, of two words or more on average, with kept
  text or a price below; those of people are none.
- Posts: elements of one class that is named so, of which most are kept, and nothing of these.
- Posts that the markup of an engine names (`dehusk.blocks.post_profiles`), of which nothing is kept, where half of the
  kept words are texts of its posts: a thread is whole.

A page that lists offers is there for its list: if hardly any of it is kept, and it has more words than what is kept
beside it, all of the list is filled in.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import COLONS
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import sums_before
from dehusk.blocks.post_profiles import blocks_of_text, engine_posts
from dehusk.compiled.decide import fields_of, records_of
from dehusk.label.prices import amounts_of, declared_prices, price_lines, shows_price
from dehusk.label.united.naming import FIELD, POST_NAMES, quotations_of
from dehusk.label.united.side_parts import leading_elsewhere
from dehusk.read.page import Bools, Page
from dehusk.read.signs import is_article, is_product

MOST = 0.75
"""Share of the records of a list of which something else is kept, from which a field is filled in; also of titles, how
many of them differ. This and the others below were set by hand, with pages of WCXB's shops at hand."""
LEAST = 0.1
"""Mean probability of titles that are filled in, at least."""
LABEL = 25
"""Words of a label that says a title again, at most."""
MORE = 6
"""Words that a label has more than the title that it says again, at most."""
ROW, POSTS = 5, 5
"""Titles in a row of records of which something else is kept, where other records alike have nothing kept; and
elements of one class that are posts; at least."""
LONGEST = 40
"""Words of a title, at most."""
QUESTION, ANSWER = 3, 8
"""Words of a question and of its answer, or of a post, at least."""
POST, LINKED = 0.15, 0.3
"""Probability of the likeliest text of a dropped post, at least, and share of its words in links, at most; set by hand.
On five pages of five open sets, posts are filled in so; on three, they are in the gold texts. Below lie forms."""
SAID = 5
"""Words of a dropped sentence of a quotation, at least; shorter ones are mostly buttons to open or shrink it."""
OFFERS, OFFERED, BEGUN, ABOVE = 8, 0.05, 0.3, 3
"""Records with a price of a list that a page is there for, and their mean probability, at least, and share of its words
that is kept, and lines above it that may say that it leads to other pages, at most. By models of the folds, WCXB's
collections gain .014: six pages by a third or more, while two gold texts of a shop leave the list out."""
BETWEEN = 3
"""Offers that are between two others and have no price like theirs, at most, by their words; set by hand."""
_OPENER = numbers("button summary")
_ANCHOR, _CELL = numbers("a")[0], numbers("td th")
_IS_HEADING = np.zeros(1 << 16, dtype=np.bool_)
_IS_HEADING[numbers("h2 h3 h4 h5 h6")] = True
_MAY_TITLE = _IS_HEADING.copy()
_MAY_TITLE[_ANCHOR] = True
_TITLED = pattern(r"title|heading|headline|name", re.IGNORECASE)
_INPUT = numbers("input textarea select")
_PERSON = pattern(r"user|author|member|nick|profile|comment|reply|poster", re.IGNORECASE)
_DELIVERY = pattern(
    r"deliver|shipping|postage|versand|lieferung|livraison|envío|envio|frete|spedizione|verzend|bezorg|dostaw|doručen|frakt"
    r"|достав|送料|运费|배송",
    re.IGNORECASE,
)
Rows = npt.NDArray[np.intp]
Reals = npt.NDArray[np.float64]


def slots_of_records(labels: Labels) -> Iterator[tuple[int, str]]:
    """Yield the blocks that fill a slot of a record of a list, and its name."""
    blocks, kept = labels.blocks, labels.kept.copy()
    for block in _posts_of_engine(labels):
        yield block, "text of a post of a thread"
    if len(labels) < 2 * FIELD:
        return
    prices = [] if is_article(blocks.page) else [*_prices(blocks, kept)]
    for block in prices:
        yield block, "price of a kept record"
    kept[prices] = True
    offers = [*_offers(blocks, kept, labels.probability)]
    for block in offers:
        yield block, "offer of the list that the page is there for"
    kept[offers] = True
    for block in _titles(blocks, kept, labels.probability):
        yield block, "title of a kept record"
    for block in _questions(blocks, kept):
        yield block, "question of a kept answer"
    for block in _posts(labels):
        yield block, "text of a post among kept ones"


def _prices(blocks: Blocks, kept: Bools) -> Iterator[int]:
    if len(priced := np.array(price_lines(blocks), dtype=np.intp)) < FIELD:
        return
    is_other = kept.copy()
    is_other[priced] = False
    others, shown = sums_before(is_other), set[tuple[int, frozenset[str]]]()
    for field in sorted(_fields(blocks, priced), key=lambda field: int(field[0])):
        if _DELIVERY.search(blocks.text_of(int(field[0]))):
            continue
        starts, ends = records_of(blocks, field)
        is_of_kept = others[ends] > others[starts]
        is_of_kept &= is_of_kept.mean() >= MOST
        for start, block, is_kept in zip(starts.tolist(), field.tolist(), is_of_kept.tolist(), strict=True):
            amounts = amounts_of(blocks, block)
            if kept[block] or (is_kept and (start, amounts) not in shown):
                shown.add((start, amounts))
                if not kept[block]:
                    yield block


def _offers(blocks: Blocks, kept: Bools, probability: Reals) -> Iterator[int]:
    """Yield the dropped blocks of the list of offers that a page is there for."""
    if is_article(blocks.page) or is_product(blocks.page):
        return
    priced = np.array([block for block in price_lines(blocks) if not kept[block]], dtype=np.intp)
    if len(priced) < OFFERS or probability[priced].mean() < OFFERED / 2:  # most pages end here, before lists are sought
        return
    words, of_kept = (np.append(0, each.cumsum()) for each in (blocks.words, blocks.words * kept))
    lists = [records_of(blocks, field) for field in _fields(blocks, priced)]
    long = [each for each in lists if len(each[0]) >= OFFERS]
    if not long:
        return
    starts, ends = max(long, key=lambda each: int((words[each[1]] - words[each[0]]).sum()))
    total, begun = int((words[ends] - words[starts]).sum()), int((of_kept[ends] - of_kept[starts]).sum())
    likely = float(np.average(probability[starts[0] : ends[-1]], weights=blocks.words[starts[0] : ends[-1]] + 1))
    if likely < OFFERED or begun > BEGUN * total or of_kept[-1] - begun > total:
        return
    above = [blocks.text_of(block) for block in range(max(int(starts[0]) - ABOVE, 0), int(starts[0]))]
    if leading_elsewhere(above) or _has_own_price(blocks, starts[0], ends[-1]):
        return
    yield from (_whole_list(blocks, lists, starts, ends) & ~kept).nonzero()[0].tolist()


def _whole_list(blocks: Blocks, lists: Sequence[tuple[Rows, Rows]], starts: Rows, ends: Rows) -> Bools:
    """Return which blocks are of a list of offers, shape (b,): also of those with another kind of price, or with none.

    Args:
        blocks: the blocks of the page.
        lists: (first blocks, ends) of the records with a price, for each kind of price.
        starts: (r,) the first blocks of the records of the list, with one kind of price.
        ends: (r,) one past their last blocks.
    """
    first, after = _extent_of_list(blocks, int(starts[0]), int(ends[1]))
    offered, words = np.zeros(len(blocks), dtype=np.bool_), np.append(0, blocks.words.cumsum())
    for begins, stops in ((starts, ends), *(each for each in lists if first <= each[0][0] and each[1][-1] <= after)):
        for start, end in zip(begins.tolist(), stops.tolist(), strict=True):
            offered[start:end] = True
    most = BETWEEN * float((words[ends] - words[starts]).mean())
    bounds = np.diff(offered.astype(np.int8), prepend=0, append=0).nonzero()[0].tolist()
    for start, end in zip(bounds[1:-1:2], bounds[2::2], strict=True):
        if end <= after and words[end] - words[start] <= most:
            offered[start:end] = True
    return offered


def _extent_of_list(blocks: Blocks, start: int, end: int) -> tuple[int, int]:
    """Return the first block of the smallest element around some blocks, and the one after its last."""
    page, node = blocks.page, int(blocks.page.parent[blocks.first[start]])
    while node > 0 and page.end[node] <= blocks.first[end - 1]:
        node = int(page.parent[node])
    first, after = blocks.first.searchsorted((node, page.end[node])).tolist()
    return first, after


def _has_own_price(blocks: Blocks, start: int, end: int) -> bool:
    """Return whether the page shows a price that it declares outside of a list."""
    declared = declared_prices(blocks.page)
    outside = (block for block in price_lines(blocks) if not start <= block < end)
    return bool(declared) and any(shows_price(blocks, block, declared) for block in outside)


def _titles(blocks: Blocks, kept: Bools, probability: Reals) -> Iterator[int]:
    page, nodes = blocks.page, blocks.page.parent[blocks.first]
    tags, around = page.tag[nodes], page.tag[page.parent[nodes]]
    likely = (_MAY_TITLE[tags] | _MAY_TITLE[around]) & (blocks.words > 0) & (blocks.words <= LONGEST) & ~kept
    fields = _fields(blocks, likely.nonzero()[0], words=2, probability=probability)
    text = sums_before(kept) if fields else nodes
    for field in fields:
        is_heading = bool(_IS_HEADING[tags[field[0]]] or _IS_HEADING[around[field[0]]])
        if not _names_title(page, int(nodes[field[0]]), is_heading=is_heading):
            continue
        if len({blocks.text_of(block) for block in field.tolist()}) < MOST * len(field):
            continue
        _, ends = records_of(blocks, field)
        is_over_kept = text[ends] > text[field]
        if is_over_kept.mean() >= MOST:
            yield from field[is_over_kept].tolist()
        else:  # of several lists alike, such as that of the page and one of other products below it
            runs = np.split(field, np.diff(is_over_kept).nonzero()[0] + 1)
            for run in runs[not is_over_kept[0] :: 2]:
                yield from run.tolist() if len(run) >= ROW else ()


def _questions(blocks: Blocks, kept: Bools) -> Iterator[int]:
    """Yield the questions right above kept answers that are buttons, which open them, or a field of records."""
    words = blocks.words
    may_be = ~kept[:-1] & kept[1:] & (words[:-1] >= QUESTION) & (words[:-1] <= LONGEST) & (words[1:] >= ANSWER)
    asks = [block for block in may_be.nonzero()[0].tolist() if blocks.text_of(block).rstrip().endswith(("?", "？"))]
    if not asks:
        return
    questions = np.array(asks, dtype=np.intp)
    opens = blocks.page.within_at(blocks.page.nodes_of(_OPENER), blocks.first[questions]) > 0
    yield from questions[opens].tolist()
    for field in _fields(blocks, questions[~opens]):
        yield from field.tolist()


def _posts_of_engine(labels: Labels) -> Iterator[int]:
    """Yield the texts of posts that an engine names and of which nothing is kept, where posts are what is kept.

    Of the other posts, the quotations.
    """
    blocks, kept = labels.blocks, labels.kept
    for posts in engine_posts(blocks.page):
        texts = [[blocks_of_text(blocks, node) for node in nodes] for nodes in posts.bodies]
        own = [sum(int(blocks.words[at] @ kept[at]) for at in places) for places in texts]
        if 2 * sum(own) >= int(blocks.words @ kept) > 0:
            dropped = (at for places, n in zip(texts, own, strict=True) if not n for at in places)
            yield from (block for at in dropped for block in range(at.start, at.stop) if not _is_cut(blocks, at.start))
            begun = [at for places, n in zip(texts, own, strict=True) if n for at in places]
            some = (block for at in begun for block in range(at.start, at.stop))
            yield from _quotations(labels, [block for block in some if not kept[block]])
            return


def _quotations(labels: Labels, some: list[int]) -> Iterator[int]:
    """Yield those of some dropped blocks that are sentences of quotations, or lines that begin them."""
    blocks, page = labels.blocks, labels.blocks.page
    quotes = quotations_of(page)
    inside = page.within_at(quotes, blocks.first[some]) > 0 if some and len(quotes) else np.zeros(len(some), np.bool_)
    quoted = [block for block, is_quoted in zip(some, inside.tolist(), strict=True) if is_quoted]
    times = Counter(map(blocks.text_of, quoted))
    likely = (block for block in quoted if labels.probability[block] >= POST and blocks.words[block] >= SAID)
    found = {block for block in likely if times[blocks.text_of(block)] == 1 and not _is_linked(blocks, block)}
    begin = (block for block in quoted if blocks.text_of(block).rstrip().endswith(COLONS))
    found |= {block for block in begin if block + 1 in found or labels.kept[block + 1 : block + 2].any()}
    yield from sorted(found)


def _is_linked(blocks: Blocks, block: int) -> bool:
    """Return whether most words of a text are links."""
    return bool(2 * blocks.link_words[block] > blocks.words[block])


def _posts(labels: Labels) -> Iterator[int]:
    """Yield the texts of posts of which nothing is kept, where most posts alike are; no forms and no trackbacks."""
    blocks, page = labels.blocks, labels.blocks.page
    names, is_post = page.classes.having(POST_NAMES), POST_NAMES.pattern.search
    size = np.bincount(page.class_code) if names else ()
    codes = [code for code in names if size[code] >= POSTS and is_post(page.class_names[code].lower())]
    if not codes:
        return
    groups = ((page.class_code == code).nonzero()[0] for code in codes)
    sums = [sums_before(of) for of in (blocks.words, blocks.words * labels.kept, blocks.link_words)]
    missing = [place for group in groups for place in _missing_posts(labels, group, sums)]
    texts = {blocks.text_of(block) for block in labels.kept.nonzero()[0].tolist()} if missing else set()
    for start, end in missing:
        own = [blocks.text_of(block) for block in range(start, end)]
        if not _is_cut(blocks, start) and not texts.issuperset(own):
            yield from range(start, end)


def _is_cut(blocks: Blocks, start: int) -> bool:
    """Return whether a text begins as that of a trackback, a piece of another page."""
    return blocks.text_of(start).startswith(("[...]", "[…]"))


def _missing_posts(labels: Labels, nodes: Rows, sums: list[Rows]) -> Iterator[tuple[int, int]]:
    """Yield the extents of dropped posts, if most of these elements are kept.

    Args:
        labels: the labels of a page.
        nodes: elements of one class.
        sums: (b + 1,) each: the words, kept words and words in links of the blocks before each.
    """
    blocks, page = labels.blocks, labels.blocks.page
    starts, ends = blocks.extents(nodes)
    size, own, linked = (of[ends] - of[starts] for of in sums)
    if np.count_nonzero(is_long := size >= ANSWER) < POSTS or (2 * own >= size)[is_long].mean() < MOST:
        return
    inputs = page.nodes_of(_INPUT)
    asks = inputs.searchsorted(page.end[nodes]) > inputs.searchsorted(nodes)
    missing = is_long & (own == 0) & ~asks & (linked <= LINKED * size)
    for start, end in zip(starts[missing].tolist(), ends[missing].tolist(), strict=True):
        if labels.probability[start:end].max() >= POST:
            yield start, end


def _names_title(page: Page, node: int, *, is_heading: bool) -> bool:
    names = " ".join(page.class_names[page.class_code[one]] for one in (node, int(page.parent[node])))
    return not _PERSON.search(names) and (is_heading or _TITLED.search(names) is not None)


def repeated_titles(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept texts that say the title of their record again, as labels of buttons do: "Add Tea to cart".

    Most of a field have another kept text of their record, of two words or more, and the same few words beside it. Of
    equal texts, the heading stays, else the first.

    Args:
        blocks: the blocks of a page.
        levels: (b,) the level of the heading that each is in, 0 for none.
        kept: (b,) whether each is kept.
    """
    found, of = list[int](), (kept & (blocks.words >= 2) & (blocks.words <= LABEL)).nonzero()[0]
    for field in _fields(blocks, of, words=2):
        for most in (2, len(field)):  # the first two tell of most fields that they say nothing again
            beside = _beside_titles(blocks, levels, kept, field, most)
            if not (said := [words for words in beside.values() if words is not None]):
                break
            label, count = Counter(said).most_common(1)[0]
            if count < MOST * most:
                break
        else:
            if not _stays_whole(blocks, int(field[0])):
                found += [block for block, words in beside.items() if words == label]
    return found


def _stays_whole(blocks: Blocks, block: int) -> bool:
    """Return whether a block is a picture or in a table, of which nothing is dropped."""
    page, node = blocks.page, int(blocks.first[block])
    if node in page.alt_nodes:
        return True
    while node > 0 and page.tag[node] not in _CELL:
        node = int(page.parent[node])
    return node > 0


def _beside_titles(
    blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools, field: Rows, most: int
) -> dict[int, str | None]:
    """Return what each of the first blocks of a field has beside another kept text of its record.

    These are at most `MORE` words, "" if the texts are equal; None for a block that has no such text.
    """
    starts, ends = records_of(blocks, field[: most + 1])
    beside, sizes = dict[int, str | None](), blocks.words
    for block, start, end in list(zip(field.tolist(), starts.tolist(), ends.tolist(), strict=False))[:most]:
        text, words = blocks.text_of(block), int(sizes[block])
        beside[block] = None
        for one in range(start, end if end - start <= LONGEST else start):
            if one != block and kept[one] and max(2, words - MORE) <= sizes[one] <= words:
                title = blocks.text_of(one)
                is_first = (levels[one] == 0, one) < (levels[block] == 0, block)
                if title in text and (len(title) < len(text) or is_first):
                    beside[block] = text.replace(title, "", 1)
                    break
    return beside


def _fields(blocks: Blocks, of: Rows, *, words: int = 0, probability: Reals | None = None) -> list[Rows]:
    """Return those of some blocks that start in elements alike: of one tag and class, in such elements.

    Args:
        blocks: the blocks of a page.
        of: which of them.
        words: how many those of a field have on average, at least.
        probability: (b,) of each block, of which those of a field have `LEAST` on average, if it is given.
    """
    return fields_of(blocks, of, least=FIELD, apart=MOST, words=words, probability=probability, likely=LEAST)
