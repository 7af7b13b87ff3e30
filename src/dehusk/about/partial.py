"""Pages that show only a part of their text: those that ask to pay for the rest, one of several, and previews.

What is told is what the page says; docs/warnings.md has how.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dehusk.about.phrases import Phrases, compiled
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.read.page import Page
from dehusk.read.signs import source_signs


@dataclass(frozen=True)
class PageWarning:
    """Something that users of the kept text of a page should know."""

    name: str
    """One of `dehusk.about.verdict.WARNINGS`."""
    message: str
    """One line."""
    blocks: tuple[int, ...] = ()
    """The blocks that show it, in `Document.blocks`, ascending; none if it is about the whole page."""


PARTIAL: dict[str, str] = {
    "paywall": "the page shows only the start of its text to those who have not paid",
    "continues": "the page is one of several with the same text or thread, and not the last",
    "cut-short": "the kept text ends with an ellipsis, and a line after it leads to the rest",
}
"""Name of a warning that gives a page the status `partial` -> what it means."""

_SHORT, _CHARS = 40, 400  # words and characters of a line that says that there is more
_AFTER = 8  # blocks after the last kept one that may say so, or before the first one
_SENTENCE = 8  # words of a text that is cut short, at least, and of a line with the number of a page, at most
_BESIDE, _LINE = 3, 60  # blocks after a text that is cut short, one of which leads to the rest, and its characters
_PREVIEW = 250  # kept words of the start of a text that is not free
_QUOTED = 60  # characters of a text in a message
_NOT_FREE = pattern(r'"isAccessibleForFree"\s*:\s*"?(?:false|no)\b', re.IGNORECASE)
_PAY = (
    r"\b(?:subscribe|sign up|register|log in|sign in|pay)\b.{0,40}\b(?:to|and) (?:continue|keep)(?: reading\b|\W*$)",
    r"\b(?:subscribe|sign up|register|log in|sign in|pay)\b.{0,40}\b(?:to|and) read (?:more|on|this|the (?:full|rest))",
    r"\b(?:continue|keep) reading (?:this|the|with|for|by)\b.{0,40}\b(?:subscri|account|free|trial|member)",
    r"\b(?:for|to) (?:paid |our )?(?:subscribers[ -]only|members only)\b|\bsubscribers?[ -](?:only|exclusive)\b",
    r"\bread the (?:full|whole) (?:article|story)\b.{0,30}\b(?:subscri|member)",
    r"\byou have (?:reached|read|used) .{0,30}\bfree articles",
    r"\b(?:nur|exklusiv) für abonnent|\bweiterlesen mit\b",
    r"\b(?:um|zum) weiter ?(?:zu)?lesen\b.{0,40}\b(?:abo|anmeld|registr)",
    r"\bréservée? (?:aux|à nos) abonné|\bil (?:vous )?reste \d+\s?% (?:de cet article )?à lire|\bla suite est réservée",
    r"\b(?:contenido|artículo) (?:exclusivo|sólo|solo) para (?:suscriptor|socio)|\bsuscríbete para (?:seguir|continu)",
    r"\b(?:contenuto|articolo) riservato agli abbonati|\babbonati per (?:continuare|leggere)",
    r"\b(?:conteúdo|matéria) exclusiv[oa] para assinantes|\balleen voor abonnees",
    r"\bdostęp tylko dla (?:prenumeratorów|subskrybentów)|только для подписчиков",
    r"会員限定|有料会員|残り\s?[\d,０-９]+\s?文字|付费(?:阅读|内容)",
)
_PAGES = pattern(r"(\d{1,5})\s*(?:of|von|de|di|sur|из|z|av|af|van|/|\|)\s*(\d{1,5})\b", re.IGNORECASE)
_PAGE_WORDS = (
    "page",
    "seite",
    "página",
    "pagina",
    "страница",
    "strona",
    "sida",
    "side",
    "sivu",
    "oldal",
    "stránka",
    "sayfa",
)
_PAGE = pattern(rf"\b(?:{'|'.join(_PAGE_WORDS)})\s+$", re.IGNORECASE)
_ELLIPSIS = pattern(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])\W{0,2}$")
_MORE = pattern(
    r"\W*(?:(?:click (?:here )?(?:to|for) )?(?:read|see|show|view)? ?(?:the )?(?:more|rest|full (?:story|article|text))"
    r"|continue(?: reading.*|d.*)?|read (?:on|it all)|mehr|(?:mehr|weiter) ?lesen|zum (?:ganzen )?artikel"
    r"|lire la suite.*"
    r"|(?:leer|ver) (?:más|todo)|seguir leyendo|continua(?: a leggere)?|leggi tutto|leia mais|continue lendo"
    r"|lees (?:meer|verder)"
    r"|czytaj (?:więcej|dalej|całość)|läs mer|læs mere|les mer|lue lisää|читать (?:далее|дальше|полностью).*|číst dál"
    r"|devamı(?:nı oku)?|続きを読む|全文(?:を読む)?|阅读全文|閱讀全文|더 보기|διαβάστε περισσότερα)\W*",
    re.IGNORECASE,
)


def parts_of(labels: Labels) -> list[PageWarning]:
    """Return what says that a page does not have all of its text, in the order of `PARTIAL`."""
    kept = labels.kept.nonzero()[0]
    if not len(kept):
        return []
    first, last = int(kept[0]), int(kept[-1])
    return [*_asked_to_pay(labels, last), *_numbered(labels.blocks, first, last), *_cut_short(labels)]


def _asked_to_pay(labels: Labels, last: int) -> Iterator[PageWarning]:
    """Yield that a line near the end of the kept text asks to pay, or that the page declares that it is not free."""
    blocks, words, chars = labels.blocks, labels.blocks.words, labels.blocks.chars
    places = slice(max(0, last - 2), last + 1 + _AFTER)
    is_short = (words[places] > 0) & (words[places] <= _SHORT) & (chars[places] <= _CHARS)
    short = (is_short.nonzero()[0] + places.start).tolist()
    lines = {block: blocks.text_of(block).lower() for block in short}
    phrases = _pay_phrases().likely("\n".join(lines.values())).get("paywall", ())
    if asking := tuple(block for block, line in lines.items() if any(compiled(each).search(line) for each in phrases)):
        yield PageWarning("paywall", f"the page asks to pay for the rest: {quoted(blocks.text_of(asking[0]))}", asking)
    elif _is_not_free(blocks.page) and int(words[labels.kept].sum()) < _PREVIEW:
        yield PageWarning("paywall", "the page declares that it is not free, and little text is kept")


def _is_not_free(page: Page) -> bool:
    scripts = source_signs(page).linked_data
    return any("isAccessibleForFree" in script and _NOT_FREE.search(script) for script in scripts)


@cache
def _pay_phrases() -> Phrases:
    return Phrases({"paywall": _PAY})


def _numbered(blocks: Blocks, first: int, last: int) -> Iterator[PageWarning]:
    """Yield that the page is one of several; a text that names several numbers has all of its pages."""
    near = slice(max(0, first - _AFTER), last + 1 + _AFTER)
    is_line = (blocks.digits[near] >= 2) & (blocks.words[near] <= _SENTENCE)
    lines, found = (is_line.nonzero()[0] + near.start).tolist(), dict[tuple[int, int], int]()
    texts = [blocks.text_of(block)[:_CHARS] for block in lines]
    together = "\0".join(texts).lower()
    if not any(map(together.__contains__, _PAGE_WORDS)):  # few lines have one
        return
    for block, text in zip(lines, texts, strict=True):
        match = _PAGES.search(text)
        if match and _PAGE.search(text, 0, match.start()):
            found.setdefault((int(match[1]), int(match[2])), block)
    for (number, count), block in found.items():
        if len(found) == 1 and 0 < number < count:
            yield PageWarning("continues", f"the page is number {number} of {count}", (block,))


def _cut_short(labels: Labels) -> Iterator[PageWarning]:
    """Yield that the last kept text ends with an ellipsis, and that a line after it leads to the rest."""
    blocks = labels.blocks
    prose = (labels.kept & (blocks.words >= _SENTENCE)).nonzero()[0]
    if not len(prose) or not _ELLIPSIS.search(text := blocks.text_of(last := int(prose[-1]))):
        return
    lines = [block for block in range(last + 1, min(len(blocks), last + 1 + _BESIDE)) if blocks.chars[block] <= _LINE]
    if more := [block for block in lines if _MORE.fullmatch(blocks.text_of(block))]:
        yield PageWarning("cut-short", f"the kept text ends with {quoted(text[-40:])}", (last, more[0]))


def quoted(text: str) -> str:
    """Return the start of a text between quotation marks, for a message."""
    return f'"{text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"}"'
