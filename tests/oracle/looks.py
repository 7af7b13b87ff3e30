"""What `with_fragment`, the marks and the suspects of `dehusk.compiled` find by a look at a page."""

from dehusk.base.characters import CharClass
from dehusk.base.tags import PREFORMATTED
from dehusk.blocks import Blocks
from dehusk.blocks.units import footnotes
from dehusk.read.page import Page
from dehusk.read.signs import class_signs
from dehusk.write.content import ornaments
from dehusk.write.content.formulas import may_have_formulas
from oracle.tree import is_in, lineages, parent_of, tag_names

CONCEALING = ("indent", "clip", "opacity", "visibility", "translate", ":-", ": -", "overflow")
COLOURING = ("olor", "ackground", "font")
"""What a style has that is worth a closer look; `dehusk.visible.concealment` looks closer."""


def given(page: Page, node: int, name: str) -> str:
    """Return the value of an attribute, "" if it is missing."""
    return dict(page.elements.attributes().get(node, ())).get(name, "")


def nodes_of(page: Page, *tags: str) -> list[int]:
    """Return the elements with some tags."""
    return [node for node, name in enumerate(tag_names(page)) if name in tags]


def with_fragment(page: Page) -> list[tuple[int, str]]:
    """Return the links with something after a `#` in their address, which is not too long."""
    hrefs = [(link, given(page, link, "href")) for link in nodes_of(page, "a")]
    return [(link, href) for link, href in hrefs if href.partition("#")[2] and len(href) < 4096]


def is_marked(page: Page, node: int) -> bool:
    """Return whether the class or the role of an element is that of a reference."""
    roles = f"{given(page, node, 'role')[:100]} {given(page, node, 'epub:type')[:100]}"
    by_class = footnotes._REFERENCE_CLASS.search(given(page, node, "class")[:1000])
    return by_class is not None or footnotes._ROLE.search(roles) is not None


def may_refer(page: Page) -> bool:
    """Return whether a link with a fragment has the text of a reference, or is raised or marked as one.

    So may the raised number 1, and a class of notes within the line.
    """
    for raised in nodes_of(page, "sup"):
        text = page.text[page.text_start[raised] : page.text_end[raised]]
        if len(text) <= 6 and " ".join(text.split()).strip("[]().:") == "1":
            return True
    if class_signs(page).references and footnotes.has_asides(page):
        return True
    for link, _ in with_fragment(page):
        text = page.text[page.text_start[link] : page.text_end[link]]
        label = " ".join(text.split())
        if not label or len(label) > 30 or len(text) > 120:
            continue
        if footnotes._LABEL.fullmatch(label) or is_in(page, link, frozenset({"sup"})):
            return True
        if is_marked(page, link) or is_marked(page, parent_of(page, link)):
            return True
    return False


def marks(page: Page) -> tuple[bool, bool, bool, bool]:
    """Return whether there may be raised text, formulas, references, and images that stand for a sign."""
    names = [given(page, image, "class")[:500] for image in nodes_of(page, "img")]
    for image in nodes_of(page, "img"):
        source = given(page, image, "src")
        names.append(source if len(source) < 1000 else ornaments._path(source))
    emoji = any(not name.isascii() or any(word in name.lower() for word in ornaments._EMOJI_WORDS) for name in names)
    values = [given(page, image, name).lower() for image in nodes_of(page, "img") for name in ("alt", "src")]
    formulas = may_have_formulas(page) or any("\\" in value or "%5c" in value for value in values)
    return bool(nodes_of(page, "sub", "sup")), formulas, may_refer(page), emoji


def inked_text(blocks: Blocks, kept: list[bool]) -> list[int]:
    """Return the text nodes with ink of some blocks; of alternative texts those that start one."""
    page, alts = blocks.page, blocks.page.alt_nodes.tolist()
    chars = zip(blocks.source.tolist(), blocks.char_class.tolist(), strict=True)
    ink, found = {at for at, kind in chars if kind != CharClass.WHITE}, set()
    for block, (first, last) in enumerate(zip(blocks.first.tolist(), blocks.last.tolist(), strict=True)):
        for node in range(first, last + 1) if kept[block] else ():
            inked = page.is_text[node] and ink.intersection(range(page.text_start[node], page.text_end[node]))
            if node == first if node in alts else inked:
                found.add(node)
    return sorted(found)


def label(page: Page, node: int) -> str | None:
    """Return the text of a node in lower case, without white space around it; None if it is too long for a label."""
    text = page.text[page.text_start[node] : page.text_end[node]]
    return text.strip(" \t\r\n\u200b\ufeff\xa0").lower() if len(text) <= 60 else None


def is_near(page: Page, node: int, listings: list[int]) -> bool:
    """Return whether a text is in or near a listing."""
    before, after = [each for each in listings if each < node], [each for each in listings if each > node]
    return bool(before and node - page.end[before[-1]] <= 30) or bool(after and after[0] - node <= 30)


def matters(style: str) -> bool:
    """Return whether a style may conceal or colour text."""
    return any(sign in style.lower() for sign in (*CONCEALING, *COLOURING))


def suspects(blocks: Blocks, kept: list[bool], signs: frozenset[str], copying: frozenset[str]) -> dict[str, object]:
    """Return the fields of `Suspects`."""
    page, text = blocks.page, inked_text(blocks, kept)
    above = sorted({outer for node in text for outer in lineages(page)[node][1:]})
    links, buttons = ([node for node in above if node in nodes_of(page, tag)] for tag in ("a", "button"))
    listings = [node for node in above if node in nodes_of(page, *PREFORMATTED)]
    edits = class_signs(page).edits
    bracketed = [a for a in links if edits or "[" in page.text[max(0, page.text_end[a] - 60) : page.text_end[a]]]
    styles = {node: given(page, node, "style") for node in above}
    return {
        "text": text,
        "above": above,
        "signed": [node for node in links if label(page, node) in signs],
        "bracketed": [node for node in bracketed if label(page, node) is not None],
        "buttons": [node for node in buttons if label(page, node) is not None],
        "copying": [node for node in text if label(page, node) in copying and is_near(page, node, listings)],
        "has_listings": bool(nodes_of(page, *PREFORMATTED)) or class_signs(page).listings,
        "hidden": [node for node in page.hidden_nodes.tolist() if node in above],
        "fonts": [node for node in above if node in nodes_of(page, "font")],
        "styles": {node: style for node, style in styles.items() if matters(style)},
    }
