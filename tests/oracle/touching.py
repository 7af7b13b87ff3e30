"""Texts of a line that touch, word to word."""

from itertools import pairwise

from dehusk.blocks.layout import is_holder
from dehusk.read.page import Page
from oracle.tree import lineages, tag_names


def touching_texts(page: Page) -> list[tuple[int, int, int]]:
    """Return (text node, the one after it, the block-level element around both), but for two single characters."""
    names, around, holders = tag_names(page), lineages(page), is_holder(page)
    texts = [node for node in page.is_text.nonzero()[0].tolist() if page.text_end[node] > page.text_start[node]]
    found = []
    for before, after in pairwise(texts):
        holder, other = (next((node for node in around[text] if holders[node]), 0) for text in (before, after))
        own, more = (page.text[page.text_start[text] : page.text_end[text]] for text in (before, after))
        is_line = holder == other and not {"br", "hr"} & {*names[before:after]}
        if (
            is_line
            and (own[-1].isalnum() or own[-1] in "!%).:?：$£¥€")
            and (more[0].isalnum() or more[0] in "$£¥€")
            and len(own) + len(more) > 2
        ):
            found.append((before, after, holder))
    return found
