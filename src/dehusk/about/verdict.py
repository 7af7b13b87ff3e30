"""What users of a page's kept text should be warned of: what is missing, what is doubtful, and in which blocks.

A warning says what the page itself shows: a price that it declares, a line that says that there is more. None changes
what is kept. docs/warnings.md has how often each is right on real pages.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dehusk.base.lazy import pattern
from dehusk.blocks.labels import Labels
from dehusk.compiled.decide import bare_headings, heading_levels
from dehusk.label.prices import declared_prices, may_sell, price_lines, shows_price
from dehusk.label.united.rubric import HEADING_TAGS, LIST
from dehusk.read.signs import source_signs

if TYPE_CHECKING:
    from dehusk.about.metadata import Metadata


@dataclass(frozen=True)
class PageWarning:
    """Something that users of the kept text of a page should know."""

    name: str
    """One of `WARNINGS`."""
    message: str
    """One line."""
    blocks: tuple[int, ...] = ()
    """The blocks that show it, in `Document.blocks`, ascending; none if it is about the whole page."""


WARNINGS: dict[str, str] = {
    "paywall": "the page shows only the start of its text to those who have not paid",
    "continues": "the page is one of several with the same text or thread, and not the last",
    "cut-short": "the kept text ends with an ellipsis, and a line after it leads to the rest",
    "price-dropped": "a price that the page declares is shown, and no line with it is kept",
    "heading-without-content": "a heading is kept, and nothing of what is below it; not those of a list of headings",
    "hidden-text": "text is kept that readers of the page do not see",
    "mostly-links": "most of what is kept are links: of a list of other pages, or of parts that are not about this one",
    "other-language": "the kept text is in another language than the page",
}
"""Name of a warning -> what it means."""

_SHORT, _CHARS = 40, 400  # words and characters of a line that says that there is more
_AFTER = 8  # blocks after the last kept one that may say so
_SENTENCE = 8  # words of a text that is cut short
_BESIDE, _LINE = 3, 60  # blocks after such a text, one of which leads to the rest, and the characters of that
_LINKED, _MANY = 0.75, 100  # share of the kept words that are in links, and kept words
_SURE, _NO_LANGUAGE = 0.9, "zxx"  # probability of a language; the code of texts without one, such as lists of numbers
_PREVIEW = 250  # kept words of the start of a text that is not free
_QUOTED = 60  # characters of a text in a message
_NOT_FREE = pattern(r'"isAccessibleForFree"\s*:\s*"?(?:false|no)\b', re.IGNORECASE)
_PAY_PHRASES = (
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
_PAY = pattern("|".join(_PAY_PHRASES), re.IGNORECASE)
_NUMBERED = pattern(
    r"\b(?:page|seite|página|pagina|страница|strona|sida|side|sivu|oldal|stránka|sayfa)\s+(\d{1,5})\s*"
    r"(?:of|von|de|di|sur|из|z|av|af|van|/|\|)\s*(\d{1,5})\b",
    re.IGNORECASE,
)
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


def warnings_of(labels: Labels, metadata: Callable[[], "Metadata"]) -> list[PageWarning]:
    """Return the warnings of a page, in the order of `WARNINGS`; none for a page of which nothing is kept.

    Args:
        labels: the labels of the page's blocks.
        metadata: returns the page's metadata; called where a language is needed.
    """
    if not labels.kept.any():
        return []
    found = [*_partial(labels), *_missing(labels), *_doubtful(labels), *_language(metadata())]
    return sorted(found, key=lambda warning: list(WARNINGS).index(warning.name))


def _partial(labels: Labels) -> Iterator[PageWarning]:
    """Yield what says that the page does not have all of its text."""
    texts, words = labels.blocks.texts, labels.blocks.words
    last = int(labels.kept.nonzero()[0][-1])
    places = range(max(0, last - 2), min(len(texts), last + 1 + _AFTER))
    short = [block for block in places if 0 < words[block] <= _SHORT and len(texts[block]) <= _CHARS]
    asking = tuple(block for block in short if _PAY.search(texts[block]))
    declared = any(map(_NOT_FREE.search, source_signs(labels.blocks.page).linked_data))
    if asking:
        yield PageWarning("paywall", f"the page asks to pay for the rest: {_line(texts[asking[0]])}", asking)
    elif declared and int(words[labels.kept].sum()) < _PREVIEW:
        yield PageWarning("paywall", "the page declares that it is not free, and little text is kept")
    yield from _numbered(labels)
    yield from _cut_short(labels)


def _cut_short(labels: Labels) -> Iterator[PageWarning]:
    """Yield that the last kept text ends with an ellipsis, and that a line after it leads to the rest."""
    texts, words = labels.blocks.texts, labels.blocks.words
    prose = (labels.kept & (words >= _SENTENCE)).nonzero()[0]
    if not len(prose) or not _ELLIPSIS.search(texts[last := int(prose[-1])]):
        return
    lines = [block for block in range(last + 1, min(len(texts), last + 1 + _BESIDE)) if len(texts[block]) <= _LINE]
    if more := [block for block in lines if _MORE.fullmatch(texts[block])]:
        yield PageWarning("cut-short", f"the kept text ends with {_line(texts[last][-40:])}", (last, more[0]))


def _numbered(labels: Labels) -> Iterator[PageWarning]:
    """Yield that the page is one of several; a text that names several numbers has all of its pages."""
    texts, found = labels.blocks.texts, dict[tuple[int, int], int]()
    for block in (labels.blocks.words <= _SENTENCE).nonzero()[0].tolist():
        if match := _NUMBERED.search(texts[block], 0, _CHARS):
            found.setdefault((int(match[1]), int(match[2])), block)
    for (number, count), block in found.items():
        if len(found) == 1 and 0 < number < count:
            yield PageWarning("continues", f"the page is number {number} of {count}", (block,))


def _missing(labels: Labels) -> Iterator[PageWarning]:
    """Yield what is shown and not kept."""
    blocks, kept = labels.blocks, labels.kept
    if may_sell(blocks.page) and (declared := declared_prices(blocks.page)):
        showing = tuple(block for block in price_lines(blocks) if shows_price(blocks, block, declared))
        if showing and not kept[list(showing)].any():
            yield PageWarning("price-dropped", f"the price is not kept: {_line(blocks.texts[showing[0]])}", showing)
    if bare := _bare_headings(labels):
        line = f"{len(bare)} headings stand over nothing, such as {_line(blocks.texts[bare[0]])}"
        one = f"a heading stands over nothing: {_line(blocks.texts[bare[0]])}"
        yield PageWarning("heading-without-content", one if len(bare) == 1 else line, bare)


def _bare_headings(labels: Labels) -> tuple[int, ...]:
    """Return the kept headings over dropped blocks; not those of a list of headings, which is its own content."""
    bare = bare_headings(heading_levels(labels.blocks, HEADING_TAGS), labels.kept)
    alone = Counter(level for _, level, _ in bare)
    return tuple(block for block, level, dropped in bare if dropped and alone[level] < LIST)


def _doubtful(labels: Labels) -> Iterator[PageWarning]:
    """Yield what is kept and may be no content."""
    blocks, kept = labels.blocks, labels.kept
    if seen := tuple(sorted(block for block in labels.hidden if kept[block])):
        line = f"{_line(blocks.texts[seen[0]])} is kept, and {labels.hidden[seen[0]]}"
        yield PageWarning("hidden-text", line, seen)
    words, linked = int(blocks.words[kept].sum()), int(blocks.link_words[kept].sum())
    if words >= _MANY and linked >= _LINKED * words:
        yield PageWarning("mostly-links", f"{100 * linked // words} % of the kept words are in links")


def _language(metadata: "Metadata") -> Iterator[PageWarning]:
    whole, kept = metadata.page_language, metadata.text_language
    if (
        whole
        and kept
        and _NO_LANGUAGE not in (whole.code, kept.code)
        and min(whole.probability, kept.probability) >= _SURE
        and whole.code != kept.code
    ):
        yield PageWarning("other-language", f"the kept text is in {kept.code}, the page in {whole.code}")


def _line(text: str) -> str:
    return f'"{text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"}"'
