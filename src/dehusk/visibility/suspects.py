"""One look at the kept texts of a page and the elements around them: what may be no text of the page for its readers.

Most pages have nothing of the kind, or little; `litter` and `hidden_text` judge what is found here.
"""

from itertools import compress
from typing import NamedTuple, cast

import numpy as np

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.characters import CharClass
from dehusk.layout import Nodes, counts_before
from dehusk.page import Bools, Page
from dehusk.signs import class_signs
from dehusk.tags import PREFORMATTED, TAG_NUMBER, numbers
from dehusk.visibility.concealment import may_colour, may_conceal
from dehusk.visibility.litter_texts import COPYING, LINK_SIGNS

_LINK = numbers("a")
_BUTTON = numbers("button")
_PRE = numbers(PREFORMATTED)
_MAX_LABEL = 60  # characters
_NEAR = 30  # nodes between a listing and its button


class Suspects(NamedTuple):
    """Texts of a page, and what of them or around them is worth a closer look; all nodes ascend."""

    text: Nodes
    """(t,) the text nodes with ink of the blocks."""
    above: Nodes
    """The elements around them."""
    signed: list[int]
    """Links around texts, with the text of a permalink."""
    bracketed: list[int]
    """Links around texts, with an opening bracket in or right before their text; on pages that name edit links all."""
    buttons: list[int]
    """Buttons with the text of a permalink."""
    copying: list[int]
    """Texts in or beside preformatted elements, with the text of a button that copies them."""
    has_listings: bool
    """Whether the page has listings at all."""
    hidden: list[int]
    """The elements around texts that their own attributes hide."""
    fonts: list[int]
    """The `font` elements around texts."""
    styles: dict[int, str]
    """Element around texts -> its style, if it may conceal or colour them."""


def suspects_of(blocks: Blocks, kept: Bools) -> Suspects:
    """Return what of the texts of some blocks may be no text for readers; `kept` is (b,)."""
    return Suspects(*_suspects(blocks, kept, LINK_SIGNS, COPYING))


def label_of(page: Page, node: int) -> str:
    """Return the text of a node in lower case, without white space around it."""
    return page.text[page.text_start[node] : page.text_end[node]].strip(" \t\r\n\u200b\ufeff\xa0").lower()


def are_short(page: Page, nodes: Nodes) -> Bools:
    """Return which nodes, shape (len(nodes),), have a text that may be a label."""
    short: Bools = page.text_end[nodes] - page.text_start[nodes] <= _MAX_LABEL
    return short


_Found = tuple[Nodes, Nodes, list[int], list[int], list[int], list[int], bool, list[int], list[int], dict[int, str]]
"""The fields of `Suspects`."""


@kernel("suspects.suspects_in")
def _suspects(blocks: Blocks, kept: Bools, signs: frozenset[str], copying: frozenset[str]) -> _Found:
    page, text = blocks.page, _inked_text(blocks, kept.nonzero()[0])
    has_listings = bool(len(page.nodes_of(_PRE))) or class_signs(page).listings
    if not len(text):
        return text, text, [], [], [], [], has_listings, [], [], {}
    before = counts_before(page, text)
    is_above = (before[page.end] > before[:-1]) & ~page.is_text
    above = is_above.nonzero()[0]
    return (
        text,
        above,
        *_candidates(page, text, is_above, signs, copying),
        has_listings,
        page.hidden_nodes[is_above[page.hidden_nodes]].tolist(),
        above[page.tag[above] == TAG_NUMBER["font"]].tolist(),
        _styles(page, above),
    )


def _inked_text(blocks: Blocks, chosen: Nodes) -> Nodes:
    """Return the text nodes with ink of some blocks, ascending."""
    page = blocks.page
    first = blocks.first.take(chosen)
    change = np.bincount(first, minlength=len(page) + 1)
    change -= np.bincount(blocks.last.take(chosen) + 1, minlength=len(page) + 1)
    inside = (change[:-1].cumsum() > 0) & page.is_text
    inside[page.alt_nodes] = False
    text = inside.nonzero()[0]
    ink = blocks.source.take((blocks.char_class != CharClass.WHITE).nonzero()[0])
    inked: Nodes = text[ink.searchsorted(page.text_end.take(text)) > ink.searchsorted(page.text_start.take(text))]
    if not len(page.alt_nodes):
        return inked
    is_alt = np.zeros(len(page), dtype=np.bool_)
    is_alt[page.alt_nodes] = True
    alts = first[is_alt.take(first)]
    return np.union1d(inked, alts).astype(np.intp) if len(alts) else inked


def _candidates(
    page: Page, text: Nodes, is_above: Bools, signs: frozenset[str], copying: frozenset[str]
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Return `signed`, `bracketed`, `buttons` and `copying` of `Suspects`."""
    links, buttons, pres = (nodes[is_above[nodes]] for nodes in map(page.nodes_of, (_LINK, _BUTTON, _PRE)))
    links, buttons = links[are_short(page, links)], buttons[are_short(page, buttons)]
    signed = [node for node in links.tolist() if label_of(page, node) in signs]
    bracketed = links.tolist()
    if not class_signs(page).edits:
        ends = zip(bracketed, page.text_end[links].tolist(), strict=True)
        bracketed = [link for link, end in ends if "[" in page.text[max(0, end - _MAX_LABEL) : end]]
    named = [node for node in buttons.tolist() if label_of(page, node) in signs]
    near = _near_listings(page, text, pres).tolist() if len(pres) else []
    return signed, bracketed, named, [node for node in near if label_of(page, node) in copying]


def _near_listings(page: Page, text: Nodes, pres: Nodes) -> Nodes:
    """Return the short texts in or beside listings."""
    short = text[are_short(page, text)]
    following = pres.searchsorted(short)
    after = np.append(pres, 1 << 30)[following] - short
    inside_or_before = np.append(-1 << 30, page.end[pres])[following]
    near: Nodes = short[(after <= _NEAR) | (short - inside_or_before <= _NEAR)]
    return near


def _styles(page: Page, above: Nodes) -> dict[int, str]:
    values = page.elements.values(above, "style")
    styles = dict(compress(zip(above.tolist(), cast("list[str]", values), strict=True), values))
    matters = {style: may_conceal(style) or may_colour(style) for style in {*styles.values()}}
    return {node: style for node, style in styles.items() if matters[style]}
