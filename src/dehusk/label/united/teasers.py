"""Lines between paragraphs that lead to other articles: "Read more: …", "Lesen Sie auch: …".

The rubric has them out, as it has the labels of advertisements. They begin with such words, have a colon or dash behind
them, and are a link for the most part; or they are these words alone, and what they lead to is dropped. "See also"
stays, as documentation refers so.
"""

import re

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.read.page import Bools

LONG, ALONE, LEAD = 30, 6, 4
"""Words of such a line with its link, of one that is alone, and of what is before the link; set by hand."""
_ITEMS, _CELL = numbers("li dd dt td th"), numbers("td")
_ADVERT = pattern(
    r"[\s*–—()\[\]-]*(?:(?P<english>advertisements?)|anzeige|werbung|publicidad|publicité|reklam[ae]|реклама|广告|広告)"
    r"[\s*–—()\[\]-]*",
    re.IGNORECASE,
)
_ADVERT_WORDS, _CELL_BLOCKS = 3, 2
"""Words of such a label, and blocks of a cell that is a label or a value, at most."""
_LEAD = pattern(
    r"\W*(?:(?:read|(?<=\()more)(?=\s{0,3}[:：])|read (?:more|also|next|on)|(?:also|must|more) (?:read|on [^:]{1,30})"
    r"|related(?: (?:articles?|stor(?:y|ies)|content|posts?|reading|coverage))?|recommended(?: reading)?"
    r"|you (?:might|may) (?:also )?(?:like|enjoy|be interested in)|don.t miss|(?:à )?lire aussi|lesen sie (?:auch|mehr)"
    r"|mehr (?:zum thema|dazu)|lees ook|le[ir]a (?:também|también)|leggi anche|czytaj (?:także|też)|baca juga|xem thêm"
    r"|läs (?:också|även|mer)|les også|læs også|читайте (?:также|ещё)|читать ещё|διαβάστε (?:επίσης|ακόμα)"
    r"|citeşte (?:şi|mai mult)|関連記事|相关阅读|延伸阅读)\s{0,3}(?P<end>[:：–—?>]|-(?=\s)|\.{3}|…|$)",
    re.IGNORECASE,
)


def linked_teasers(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks that are such words with a link; `kept` is (b,)."""
    words, linked = blocks.words, blocks.link_words
    is_linked = (words <= LONG) & (linked > 0) & ((2 * linked >= words) | (linked + LEAD >= words))
    return _leads(blocks, kept & is_linked, has_more=True)


def lone_leads(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks that are such words alone, with nothing kept right after them; `kept` is (b,)."""
    leads_on = (blocks.words <= ALONE) & (blocks.link_words == 0) & ~np.append(kept[1:], True)
    return _leads(blocks, kept & leads_on, has_more=False)


def _leads(blocks: Blocks, may_be: Bools, *, has_more: bool) -> list[int]:
    """Return those of some blocks that begin with such words, and have more or not; no items of lists."""
    found = list[int]()
    for block in may_be.nonzero()[0].tolist():
        text = blocks.text_of(block)
        match = _LEAD.match(text)
        if match and bool(text[match.end() :].strip()) == has_more and (match["end"] or not has_more):
            found.append(block)
    in_list = blocks.page.within_at(blocks.page.nodes_of(_ITEMS), blocks.first[found]) > 0 if found else ()
    return [block for block, is_item in zip(found, in_list, strict=True) if not is_item]


def advert_labels(blocks: Blocks, kept: Bools, levels: npt.NDArray[np.uint8]) -> list[int]:
    """Return the kept blocks that say only that an advertisement follows; no title, link or item.

    In other languages than English such a word may also be a label or a value: no small cell is only that.
    """
    short = (kept & (blocks.words <= _ADVERT_WORDS) & (levels != 1)).nonzero()[0].tolist()
    matches = {block: match for block in short if (match := _ADVERT.fullmatch(blocks.text_of(block)))}
    found = [block for block in matches if not blocks.link_words[block]]
    if not found:
        return found
    page, first = blocks.page, blocks.first[found]
    around = page.nearest(page.is_one_of(_ITEMS))[first]
    starts, ends = blocks.extents(around)
    is_large, in_cell = (ends - starts > _CELL_BLOCKS).tolist(), np.isin(page.tag[around], _CELL).tolist()
    rows = zip(found, around.tolist(), in_cell, is_large, strict=True)
    return [block for block, item, cell, large in rows if item < 0 or (cell and (large or matches[block]["english"]))]
