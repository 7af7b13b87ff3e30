"""Lines between paragraphs that lead to other articles: "Read more: …", "Lesen Sie auch: …".

The rubric has them out. They begin with such words, have a colon or dash behind them, and are a link for the most part;
or they are these words alone, and what they lead to is dropped. "See also" stays, as documentation refers so.
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
_ITEMS = numbers("li dd td th")
_LEAD = pattern(
    r"\W*(?:read (?:more|also|next|on)|(?:also|must|more) (?:read|on [^:]{1,30})"
    r"|related(?: (?:articles?|stor(?:y|ies)|content|posts?|reading|coverage))?|recommended(?: reading)?"
    r"|you (?:might|may) (?:also )?(?:like|enjoy|be interested in)|don.t miss|(?:à )?lire aussi|lesen sie (?:auch|mehr)"
    r"|mehr (?:zum thema|dazu)|lees ook|le[ir]a (?:também|también)|leggi anche|czytaj (?:także|też)|baca juga|xem thêm"
    r"|läs (?:också|även|mer)|les også|læs også|читайте (?:также|ещё)|читать ещё|διαβάστε (?:επίσης|ακόμα)"
    r"|citeşte (?:şi|mai mult)|関連記事|相关阅读|延伸阅读)\s{0,3}(?P<end>[:：–—?>-]|\.{3}|…|$)",
    re.IGNORECASE,
)


def lines_of_teasers(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept blocks that are such lines.

    Args:
        blocks: the blocks of a page.
        levels: (b,) the level of the heading that each block is in, 0 for none.
        kept: (b,) whether each is kept.
    """
    words, linked = blocks.words, blocks.link_words
    is_linked = (words <= LONG) & (linked > 0) & ((2 * linked >= words) | (linked + LEAD >= words))
    leads_on = (words <= ALONE) & (linked == 0) & (levels == 0) & ~np.append(kept[1:], True)
    may_be = (kept & (is_linked | leads_on)).nonzero()[0]
    found = [block for block in may_be.tolist() if _is_lead(blocks, block, is_linked[block])]
    if not found:
        return []
    in_list = blocks.page.within_at(blocks.page.nodes_of(_ITEMS), blocks.first[found]) > 0
    return [block for block, is_item in zip(found, in_list.tolist(), strict=True) if not is_item]


def _is_lead(blocks: Blocks, block: int, is_linked: bool) -> bool:
    """Return whether a text begins with such words, with a link behind them, or has only them."""
    text = blocks.text_of(block)
    match = _LEAD.match(text)
    has_more = match is not None and bool(text[match.end() :].strip())
    return match is not None and has_more == is_linked and bool(match["end"] or not is_linked)
