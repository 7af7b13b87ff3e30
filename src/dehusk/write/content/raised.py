"""Raised and lowered text in plain characters: 10<sup>6</sup> is 10⁶, not 106, and CO<sub>2</sub> is CO₂.

Numbers and signs that follow a text directly, alone or with letters that Unicode can raise, become raised or lowered
characters. Ordinals and marks (1<sup>st</sup>, ™) read as well without, so letters alone stay as they are.

    >>> raised_texts(dehusk.parse("<p>10<sup>6</sup> and 1<sup>st</sup>"))
    {4: '⁶'}
"""

from dehusk.base.characters import CURRENCY_SIGNS
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, numbers
from dehusk.blocks.layout import is_holder
from dehusk.read.page import Page

TAGS = numbers("sub sup")
"""The tags of raised and lowered text."""
_RAISED = str.maketrans("0123456789+-−–=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_LOWERED = str.maketrans("0123456789+-−–=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_CENTS, _PRICE, _BEFORE = pattern(r"\d\d"), pattern(rf"[{CURRENCY_SIGNS}]\s?\d{{1,3}}(?:[,.]\d{{3}})*$"), 24
"""Cents of a price, and the price before them within so many characters: $549<sup>00</sup> is $549.00."""
_MAX_CHARS = 12  # longer texts are notes, not exponents


def raised_texts(page: Page) -> dict[int, str]:
    """Return text node -> its text in raised or lowered characters, for the nodes that have such characters."""
    texts: dict[int, str] = {}
    elements = page.nodes_of(TAGS)
    if not len(elements):
        return texts
    holder = page.nearest(is_holder(page))
    for element in elements.tolist():
        start, end, node = int(page.text_start[element]), int(page.text_end[element]), element + 1
        is_alone = int(page.end[element]) == element + 2 and bool(page.is_text[node])
        if not is_alone or not 0 < end - start <= _MAX_CHARS or not start or page.text[start - 1].isspace():
            continue
        before = _text_before(page, element)
        if before < 0 or holder[before] != holder[element]:
            continue
        text = page.text[start:end].strip()
        if _CENTS.fullmatch(text) and _PRICE.search(page.text[max(0, start - _BEFORE) : start]):
            texts[node] = f".{text}"
            continue
        table = _RAISED if page.tag[element] == TAG_NUMBER["sup"] else _LOWERED
        if not text.isalpha() and all(ord(char) in table for char in text):
            texts[node] = text.translate(table)
    return texts


def _text_before(page: Page, element: int) -> int:
    """Return the text node with the character before an element; -1 if the element starts a line."""
    before = element - 1
    while before > 0 and (not page.is_text[before] or page.text_start[before] == page.text_end[before]):
        if page.tag[before] == TAG_NUMBER["br"]:
            return -1
        before -= 1
    return before if page.is_text[before] else -1
