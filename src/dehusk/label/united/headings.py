"""Headings of which nothing below is kept, which repeat the one before them, or which name the site above the title."""

import re
from collections import defaultdict
from itertools import pairwise, takewhile
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import COLONS
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import HEADING_TAGS, is_in_head, leads_to_start, titles_of
from dehusk.compiled.decide import bare_headings
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools

LIST = 4
"""Headings of one level without texts that are the records of a list."""
RECORD = 12
"""Dropped blocks of a record whose heading is kept, at most; more are a section. On 750 pages of wcxb-dev the
largest has 10."""
_IMAGE, _CELL, _LINK = numbers("img svg"), numbers("td th"), numbers("a")
PROSE, _NEAR = 20, 12
"""Words of a paragraph, and blocks below the main heading that may be above the first one."""
_SITE_TITLE = NamePattern(r"(?:^|\s)site-?(?:title|name|branding)(?:$|\s)", "site")
HEADLINES = 2
"""Levels of headings that can be the headline, from the first on; the first kept one is it."""
BELOW_SITE, TITLE_WORDS = 4, 3
"""Kept headings among which the title is, if the first is the name of the site; words of the title, at least."""
_VIDEOS = r"vid[eé]os?|vídeos?|видео|відео|βίντεο|wideo|视频|視頻|影片|動画|동영상|فيديو"
_VIDEO = pattern(rf"\W*(?:(?:{_VIDEOS})\b.*|.*(?<!\w)(?:{_VIDEOS})\W*)", re.IGNORECASE)
_SHORT, _LONG = 5, 500  # words of the heading of a video, and characters of any heading, with white space


def empty_headings(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept headings but the first one that had texts, of which none is kept, or only a video.

    Those of a list of headings stay, except where they repeat one before them: of a copy, the rest is dropped.
    """
    bare = headings_over_nothing(blocks, levels, kept)
    if not bare:
        return []
    at, main = (kept & (levels > 0)).nonzero()[0].tolist(), (kept & (levels == 1)).argmax()
    first, listed = {blocks.text_of(block): block for block in at[::-1]}, _listed(blocks, bare, kept)
    return [
        block
        for block, level, dropped in bare
        if block not in (kept.argmax(), main if level == 1 else -1) and not _is_over_label(blocks, levels, kept, block)
        if _is_of_video(blocks, block) or (dropped and (block not in listed or first[blocks.text_of(block)] < block))
    ]


def _is_over_label(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools, heading: int) -> bool:
    """Return whether the next kept text is a heading of the same level that is a label, such as "Pros:"."""
    below = kept[heading + 1 :]
    after = heading + 1 + int(below.argmax()) if below.any() else heading
    texts = (blocks.text_of(block).rstrip() for block in (heading, after))
    return bool(levels[after] == levels[heading]) and [text.endswith(COLONS) for text in texts] == [False, True]


def _listed(blocks: Blocks, bare: list[tuple[int, int, bool]], kept: Bools) -> set[int]:
    """Return the headings over nothing that are the records of a list: several of a level, little dropped below each.

    What is below the last of several, one right after the other, is not the record's own; nor is it below a link.
    """
    at, records = kept.nonzero()[0], defaultdict[int, list[int]](list)
    levels = {block: level for block, level, _ in bare}
    for block, level, _ in bare:
        place = int(at.searchsorted(block))
        after = int(at[place + 1]) if place + 1 < len(at) else block
        is_last = levels.get(after) != level and records[level][-1:] == [int(at[place - 1])]
        if after - block - 1 <= RECORD or is_last or blocks.link_words[block] == blocks.words[block]:
            records[level].append(block)
    return {block for alike in records.values() if len(alike) >= LIST for block in alike}


def headings_over_nothing(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[tuple[int, int, bool]]:
    """Return what `bare_headings` does, of the last kept block of each heading; one that never ends is none.

    Args:
        blocks: the blocks of a page.
        levels: (b,) the level of the heading that each block is in, 0 for none.
        kept: (b,) whether each is kept.
    """
    bare = bare_headings(levels, kept)
    if not bare:
        return []
    heading = blocks.page.nearest(blocks.page.is_one_of(HEADING_TAGS))[blocks.first]
    at, page = kept.nonzero()[0], blocks.page
    last = dict(zip(heading[at].tolist(), at.tolist(), strict=True))
    rows = [(row, int(heading[row[0]])) for row in bare]
    return [row for row, node in rows if last[node] == row[0] and page.text_end[node] - page.text_start[node] <= _LONG]


def _is_of_video(blocks: Blocks, heading: int) -> bool:
    """Return whether a short heading starts or ends with a word for a video."""
    return blocks.words[heading] <= _SHORT and _VIDEO.fullmatch(blocks.text_of(heading)) is not None


def copied_headings(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept headings that repeat the kept block before them, a heading of the same level or the headline.

    A repeated headline is of any level, has no picture between, and is not in a table.
    """
    headings = [block for block in levels.nonzero()[0].tolist() if kept[block]]
    alike = (
        (first, second)
        for first, second in pairwise(headings)
        if levels[first] == levels[second] and blocks.text_of(first) == blocks.text_of(second)
    )
    found = [second for first, second in alike if not kept[first + 1 : second].any()]
    if not headings or levels[headline := headings[0]] > HEADLINES:
        return found
    title = _folded(blocks.text_of(headline))
    below = (block for block in range(headline + 1, len(kept)) if kept[block])
    again = [*takewhile(lambda block: _folded(blocks.text_of(block)) == title, below)]
    if not again:
        return found
    page, first = blocks.page, blocks.first[again]
    pictures = page.nodes_of(_IMAGE)
    is_shown = pictures.searchsorted(first) > pictures.searchsorted(blocks.last[headline])
    may_go = ~is_shown & (page.within_at(page.nodes_of(_CELL), first) == 0)
    return sorted({*found, *np.array(again)[may_go].tolist()})


def titles_again(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the further main headings that are the first one again, as for screens of another width; not in tables.

    Above the first paragraph and the first picture, so are headings of all levels: the first one may be the end of the
    path to the page.
    """
    headings = (kept & (levels > 0)).nonzero()[0].tolist()
    main = [block for block in headings if levels[block] == 1]
    title = _folded(blocks.text_of(main[0])) if main else ""
    alike = (
        {block for block in headings if block != main[0] and _folded(blocks.text_of(block)) == title} if main else ()
    )
    if not alike:
        return []
    prose = (kept & (blocks.words >= PROSE)).nonzero()[0]
    page, end = blocks.page, int(prose[prose > main[0]].min(initial=len(blocks)))
    pictures = page.nodes_of(_IMAGE)
    picture = pictures[pictures > blocks.last[main[0]]]
    end = min(end, int(blocks.first.searchsorted(picture[0]))) if len(picture) else end
    start = range(main[0] + 1, end)
    above = [block for block in start[:_NEAR] if kept[block] and levels[block] > 1]
    again = [block for block in (*above, *main[1:]) if block in alike]
    if not again:
        return []
    in_cell = page.within_at(page.nodes_of(_CELL), blocks.first[again]) > 0
    return [block for block, is_in_cell in zip(again, in_cell.tolist(), strict=True) if not is_in_cell]


def heading_of_site(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the first kept block if it is a heading that names the site, above a heading that is the page's title.

    The title is what the page declares, or a part of its title element, and what names the site ends that, is declared
    as the name, leads to the start of the site, or is in the head of the page. WordPress's classes of the site's name
    are enough if the page, which has another title, is not the start of the site.
    """
    headings = (kept & (levels > 0)).nonzero()[0].tolist()
    if not headings or headings[0] != kept.argmax() or levels[headings[0]] > HEADLINES:
        return []
    page, (first, *below) = blocks.page, headings[:BELOW_SITE]
    name = _folded(blocks.text_of(first))
    named_alike = [first, *(block for block in below if _folded(blocks.text_of(block)) == name)]
    below = [block for block in below if block not in named_alike]
    at = titles_of(page).first_part_in(blocks, [block for block in below if blocks.words[block] >= TITLE_WORDS])
    if at < 0:
        return named_alike if _is_site_title(blocks, first) else []
    named, titled = (map(_folded, page.meta.values(key)) for key in ("og:site_name", "og:title"))
    title, whole = _folded(blocks.text_of(at)), _folded(page.meta.title)
    shared = sum(word in title for word in name.split())
    if name in titled or title in name or 2 * shared > name.count(" ") + 1:
        return []
    is_last = whole.endswith(f" {name}") and title in whole.removesuffix(name)
    is_last |= f" | {name} | " in whole.partition(title)[2]  # of a part of the site
    is_named = is_last or name in named
    return named_alike if is_named or is_in_head(page, int(blocks.first[first]), int(blocks.first[at])) else []


def _is_site_title(blocks: Blocks, block: int) -> bool:
    """Return whether a heading is the name of the site on a page that is not its start.

    Classes mark it as that, and the page's title ends with it; or it is a link to the start, and the title says more.
    """
    page, name, whole = blocks.page, _folded(blocks.text_of(block)), _folded(blocks.page.meta.title)
    if name not in whole or whole == name:
        return False
    titles = page.nodes_of_class(_SITE_TITLE)
    is_marked = len(titles) > 0 and bool(page.within_at(titles, blocks.first[block : block + 1])[0])
    if not (is_marked and whole.endswith(name)) and not _is_link_to_start(blocks, block):
        return False
    from dehusk.read.addresses import address_of  # noqa: PLC0415 (few headings are such)

    return urlsplit(address_of(page) or "").path not in ("", "/")


def _is_link_to_start(blocks: Blocks, block: int) -> bool:
    """Return whether all of a text is in a link to the start of the site."""
    page = blocks.page
    link = int(page.nearest(page.is_one_of(_LINK))[blocks.first[block]])
    return 0 < link <= blocks.last[block] < page.end[link] and leads_to_start(page, link)


def names_site(blocks: Blocks, block: int) -> bool:
    """Return whether a text is the declared name of the site, or in a link to its start."""
    page = blocks.page
    if _folded(blocks.text_of(block)) in map(_folded, page.meta.values("og:site_name")):
        return True
    link = int(page.nearest(page.is_one_of(_LINK))[blocks.first[block]])
    return link >= 0 and leads_to_start(page, link)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
