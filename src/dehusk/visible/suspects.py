"""One look at the kept texts of a page and the elements around them: what may be no text of the page for its readers.

Most pages have nothing of the kind, or little; `litter` and `hidden_text` judge what is found here.
"""

from typing import NamedTuple

from dehusk.blocks import Blocks
from dehusk.blocks.layout import Nodes
from dehusk.compiled.blocks import suspects_in
from dehusk.read.page import Bools, Page
from dehusk.visible.concealment import COLOURING, CONCEALING

# ---------------------------------------------------------------- litter texts
# Texts that are controls of a page beside its text; they count only where the shape of the page says so.

# fmt: off
_SIGNS = frozenset({
    "¶", "§", "#", "🔗", "∞", "⚓", "⚓︎", "☍", "🔗︎", "⛓", "◆",
})
_PERMALINKS = frozenset({
    "permalink", "permalink to this heading", "permalink to this headline", "permalink to this definition",
    "link to this heading", "link to this section", "link to this definition", "direct link to heading",
    "anchor link", "copy link to this section", "copy link", "permalien", "lien permanent", "enlace permanente",
    "link permanente", "dauerlink", "固定链接", "パーマリンク", "постоянная ссылка",
    "top", "↑", "^", "back to top", "nach oben", "haut de page", "volver arriba", "torna su", "наверх",
})
LINK_SIGNS = _SIGNS | _PERMALINKS
"""Texts of links to a section of the page, in lower case."""

COPYING = frozenset({
    "copy", "copy code", "copy to clipboard", "copy snippet", "copied", "copied!", "copy link", "copy text",
    "copy page", "select all", "alles auswählen", "tout sélectionner", "выделить всё",
    "kopieren", "code kopieren", "in die zwischenablage kopieren", "copier", "copier le code",
    "copiar", "copiar código", "copia", "copia codice", "kopiëren", "kopiuj", "kopiera", "kopier", "kopírovat",
    "копировать", "скопировать", "копіювати", "kopyala", "kodu kopyala", "复制", "复制代码", "複製",
    "複製程式碼", "コピー", "コードをコピー", "复制成功", "복사", "코드 복사", "نسخ", "نسخ الكود", "कॉपी करें",
    "sao chép", "salin", "másolás", "kopioi", "αντιγραφή", "העתק",
})
"""Texts of controls that copy a listing, in lower case."""


# ---------------------------------------------------------------- suspects

_MAX_LABEL = 60  # characters
_STYLING = "".join(f"{sign}\0" for sign in sorted((*COLOURING, *CONCEALING)))
STYLING = bytes(f"\0{_STYLING}".find(f"\0{chr(letter)}") + 1 for letter in range(128)) + _STYLING.encode()
"""Words in a style that is worth a look, each ended by a null byte; before them, by letter, 1 + where its own begin."""


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
    """Buttons around texts that are as short as a label."""
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
    return Suspects(*suspects_in(blocks, kept, LINK_SIGNS, COPYING, STYLING))


def label_of(page: Page, node: int) -> str:
    """Return the text of a node in lower case, without white space around it."""
    return page.text_of(node).strip(" \t\r\n\u200b\ufeff\xa0").lower()


def are_short(page: Page, nodes: Nodes) -> Bools:
    """Return which nodes, shape (len(nodes),), have a text that may be a label."""
    short: Bools = page.text_end[nodes] - page.text_start[nodes] <= _MAX_LABEL
    return short
