"""What `dehusk.compiled.site` computes: what a site's other pages say about the blocks of a page."""

from collections.abc import Mapping
from typing import NamedTuple

from dehusk.blocks import Blocks
from oracle.site_words import SlotText, slot_texts
from oracle.skeleton import skeleton_of
from oracle.structures import data_tables
from oracle.tree import lineages, tag_names


class Tables(NamedTuple):
    """How many pages of a site have each key, and how many pages it has."""

    slot_texts: Mapping[int, int]
    slots: Mapping[int, int]
    texts: Mapping[int, int]
    pages: int


class Evidence(NamedTuple):
    """What the other pages say about a block, as `SiteEvidence` has it."""

    same_slot: int = 0
    same_text: int = 0
    template: bool = False
    moved: bool = False


def whole_holder(blocks: Blocks, block: int) -> int:
    """Return the innermost table of data or definition list that a block is in; -1 if there is none."""
    page, tables = blocks.page, dict(zip(skeleton_of(blocks).node, data_tables(blocks), strict=True))
    around = lineages(page)[int(blocks.node[block])]
    return next((node for node in around if tables.get(node) or tag_names(page)[node] == "dl"), -1)


def pages_with(site: Tables, text: SlotText) -> tuple[int, int, int]:
    """Return how many other pages have the text in its slot, the slot, and the text anywhere."""
    exact, reduced = (max(site.slot_texts.get(key, 0) - 1, 0) for key in (text.text, text.without_numbers))
    slot, anywhere = max(site.slots.get(text.slot, 0) - 1, 0), max(site.texts.get(text.words, 0) - 1, 0)
    return min(reduced if reduced > 1 else exact, slot), slot, anywhere


def site_evidence(blocks: Blocks, site: Tables) -> list[Evidence]:
    """Return what the other pages say about each block; nothing about blocks without words.

    A text is template if more than half of the other pages with the slot have it, and two thirds of the page's blocks
    in the slot are repeated like this, or all in its table or definition list, or it is long and on many pages. A text
    of twenty words on more than half of all other pages is template at any path.
    """
    texts, others = slot_texts(blocks), site.pages - 1
    rows, found = [(text, *pages_with(site, text)) for text in texts], [Evidence()] * len(blocks)
    holders = {text.block: whole_holder(blocks, text.block) for text in texts}
    places = {text.block: ("slot", text.slot) if holders[text.block] < 0 else holders[text.block] for text in texts}
    for text, same, slot, anywhere in rows:
        size, holder = int(blocks.words[text.block]), holders[text.block]
        repeated = [2 * s > p for other, s, p, _ in rows if places[other.block] == places[text.block]]
        is_long = size >= 8 and same >= min(3, others)
        goes_along = 3 * sum(repeated) >= 2 * len(repeated) or is_long if holder < 0 else all(repeated)
        if text.has_letters and 2 * same > slot and goes_along:
            found[text.block] = Evidence(slot, same, template=True)
        elif size >= 20 and holder < 0 and 2 * anywhere > others and anywhere >= 3:
            found[text.block] = Evidence(others, anywhere, template=True, moved=True)
        else:
            found[text.block] = Evidence(slot, same)
    return found
