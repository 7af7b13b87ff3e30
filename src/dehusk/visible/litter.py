"""Find controls of a page among its kept text: permalink signs, copy buttons, line numbers, edit links.

What counts is the shape: a `#` is the sign of a permalink only as the whole text of a link to its own section.
"""

import re
from collections.abc import Iterator

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.layout import Nodes, is_holder
from dehusk.read.page import Page
from dehusk.visible.suspects import Suspects, are_short, label_of

PERMALINK, COPY, EDIT, LINE_NUMBER = "sign of a permalink", "copy button", "edit link", "line number"

_BUTTON = numbers("a button")
_ENTITLED = numbers(HEADINGS | {"dt", "caption", "figcaption", "legend", "summary"})
_MAX_LABEL = 60  # characters
_BESIDE = 3  # nodes between a link and the start or end of what it leads to
_ANCHOR = pattern(
    r"(?:^|[\s_-])(?:header-?link|head(?:ing|er)?-?anchor|anchor(?:-?link)?|permalink|hash-?link)(?:$|[\s_-])",
    re.IGNORECASE,
)
_CONTROL = pattern(r"copy|clipboard|btn|button", re.IGNORECASE)
_EDITS = pattern(r"[?&](?:ve)?action=edit\b")


def find_litter(page: Page, suspects: Suspects) -> dict[str, Nodes]:
    """Return what it is -> the text nodes, for text nodes that are controls of the page.

    Args:
        page: the page.
        suspects: the text nodes to judge, and which of them may be controls.
    """
    signed, bracketed, copying = suspects.signed, suspects.bracketed, suspects.copying
    if not (suspects.has_listings or signed or bracketed or copying or suspects.buttons):
        return {}
    buttons = [node for node in suspects.buttons if _is_entitled(page, node)]
    found = {
        PERMALINK: _permalinks(page, signed) + buttons,
        EDIT: list(_edit_links(page, bracketed)),
        COPY: [node for node in copying if _is_control(page, node)],
        LINE_NUMBER: _line_numbers(page, suspects.text) if suspects.has_listings else [],
    }
    return {name: _text_inside(page, suspects.text, nodes) for name, nodes in found.items() if nodes}


def _line_numbers(page: Page, text: Nodes) -> list[int]:
    from dehusk.visible.line_numbers import find_line_numbers  # noqa: PLC0415 (for pages with listings)

    return list(find_line_numbers(page, text))


def _text_inside(page: Page, text: Nodes, nodes: list[int]) -> Nodes:
    return text[page.within(np.unique(nodes))[text] > 0]


def _permalinks(page: Page, signed: list[int]) -> list[int]:
    """Return the links that are the sign of their section's address, of those whose text is such a sign."""
    hrefs = page.elements.values(np.array(signed, dtype=np.intp), "href") if signed else []
    return [link for link, href in zip(signed, hrefs, strict=True) if _is_permalink(page, link, href)]


def _is_permalink(page: Page, link: int, href: str | None) -> bool:
    """Return whether a link with such a text gives the address of its own section."""
    address, _, fragment = (href or "").partition("#")
    to_page = bool(fragment) and (not address or address == (page.url or "").partition("#")[0])
    named = _ANCHOR.search(page.class_names[page.class_code[link]]) is not None
    if not (to_page or named):
        return False
    return label_of(page, link) == "¶" or named or _is_entitled(page, link) or _leads_here(page, link, fragment)


def _is_entitled(page: Page, node: int) -> bool:
    """Return whether a node is in a heading or the like; an inline element is only a few levels deep."""
    for _ in range(8):
        if node < 0:
            return False
        if page.tag[node] in _ENTITLED:
            return True
        node = int(page.parent[node])
    return False


def _leads_here(page: Page, link: int, fragment: str) -> bool:
    """Return whether a fragment names an element around the link or right beside it."""
    if fragment not in page.id_names[1:]:
        return False
    target = int((page.id_code == page.id_names.index(fragment)).argmax())
    around = target <= link < page.end[target]
    if around and are_short(page, np.array([target]))[0]:
        return True
    return min(abs(target - link), abs(int(page.end[target]) - link)) <= _BESIDE


def _edit_links(page: Page, links: list[int]) -> Iterator[int]:
    """Yield the inline elements that are edit links in brackets; links to pages that do not exist yet are text."""
    if not links:
        return
    holders = is_holder(page)
    for link, href in zip(links, page.elements.values(np.array(links, dtype=np.intp), "href"), strict=True):
        if href and _EDITS.search(href) and "redlink" not in href:
            node, widest = link, -1
            while node > 0 and not holders[node] and page.text_end[node] - page.text_start[node] <= _MAX_LABEL:
                label = label_of(page, node)
                named = "editsection" in page.class_names[page.class_code[node]]
                if named or (label.startswith("[") and label.endswith("]")):
                    widest = node
                node = int(page.parent[node])
            if widest >= 0:
                yield widest


def _is_control(page: Page, node: int) -> bool:
    """Return whether a text is in a button, or in an element that a script makes one."""
    node = int(page.parent[node])
    for _ in range(3):
        if node <= 0:
            return False
        if page.tag[node] in _BUTTON or page.attribute(node, "role") == "button":
            return True
        if _CONTROL.search(page.class_names[page.class_code[node]]):
            return True
        node = int(page.parent[node])
    return False
