"""Parts of a page with a product or a recipe that are neither, and links to others: reviews, delivery, related pages.

The rubric has them out; many gold texts have them in, so the net is not sure of them. Where a page declares a recipe
or the price of a product, and does not call itself an article, classes, ids and headings name them well enough: what
is in an element that is named as one of them, unless the first kept block, the first main heading, the declared price
or a declared ingredient is in it, too; and what is below a heading that says nothing else. On pages of recipes, links
that are headings over nothing are titles of others. A line that shows the declared price, or says whether there is
some in stock, stays; so do all such parts where they are most of what is kept of a product, as on a page of reviews, or
where hardly anything is left of a recipe.
"""

import json
import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.label.prices import declared_prices, may_sell, price_lines, shows_price
from dehusk.label.united.headings import headings_over_nothing
from dehusk.label.united.product_slots import STOCK
from dehusk.read.names import ElementNames, NameWords
from dehusk.read.page import Bools, Page
from dehusk.read.signs import is_article, source_signs

MOST, LEAST = 0.7, 50
"""Share of the kept words that such parts of a product have at most, and the words that are left of a recipe at least.
Set by hand, with the pages of shops and recipes labelled by the rubric at hand."""
_LONG_NAME, _LONG_HEADING = 150, 80  # characters of a class or an id that are read, and of a heading
_REVIEWS = "(?<!p)reviews?(?![a-z])|bewertung|recensi|opini[eoóaã]|rese[nñ]as?(?![a-z])|otzyv|yotpo|bazaarvoice"
_OF_READERS = pattern(
    rf"(?i:{_REVIEWS}|(?:^|[\s_-])comments?(?:$|[\s_-])|comment(?:list|area|body|thread|section|s-)|disqus"
    r"|kommentar|comentarios?|commentaires?|commenti(?![a-z])|komentar)|[a-z]Comments?(?:$|[\s_-])"
    r"|(?:^|[\s_-])(?:(?:wprm|tasty|mv|tasty-recipes)-(?:prevent-sleep|call-to-action|unit-conversion|scale-(?:label|container)|cook-mode)|save-this)"
)
_OF_SHOP = pattern(
    rf"(?i:{_REVIEWS}|(?:^|[\s_-])avis(?:$|[\s_-])|blockreassurance)"
    r"|(?i:(?:^|[\s_-])(?:deliver(?:y|ies)|shipping(?!-taxable)|returns|return[_-](?:polic(?:y|ies)|conditions?|methods?|info|terms)"
    r"|refunds?|versand|lieferung|livraison|envios?|spedizion[ei]|payments?|financ(?:e|ing)|retours?|pickup)(?:$|[\s_-]))"
    r"|[a-z](?:Delivery|Shipping|Returns|Payment)"
)
_STEMS = NameWords(
    "review bewertung recensi opini rese otzyv yotpo bazaarvoice avis deliver shipping return refund versand lieferung"
    " livraison envio spedizion payment financ retour pickup comment disqus komm comentario koment wprm tasty mv-"
    " save-this blockreassurance"
)
"""One of these is in every name in which `_OF_SHOP` or `_OF_READERS` finds something."""
_TERMS = (
    "delivery|shipping|returns?|refunds?|exchanges?|payments?|warranty|financing",
    "handling|options|methods|information|info|details|polic(?:y|ies)|times?|costs?",
    "versand|lieferung|rückgabe|zahlung|retoure|kosten",
)
_INGREDIENTS = pattern(r'"recipeIngredient"\s*:\s*(\[[^\[\]]{1,4000}\])')
_FEW, _LONGEST = 5, 16  # ingredients that are looked for, and words of a line with one
_SAYING = pattern(
    r"\W*(?:(?:(?:customer|product|seller|user|client|latest|recent|top|most helpful|verified|editorial)s? )*"
    r"(?:reviews?|ratings?|(?<=seller )feedback)(?: (?:&|and) (?:reviews?|ratings?|questions|comments))?"
    r"(?: (?:for|from|of|by) .{1,60})?"
    r"|(?:customer )?questions (?:&|and) answers|what (?:our )?(?:customers|people|others) (?:are )?say(?:ing)?"
    r"|(?:kunden)?(?:bewertungen|rezensionen|meinungen)|avis(?: (?:des )?clients?)?|recensioni(?: clienti)?"
    r"|opiniones(?: de (?:los )?clientes)?|opinie(?: klientów)?|отзывы.{0,40}"
    rf"|(?:(?:free|standard|international) )?(?:{_TERMS[0]})(?:(?:,| &| and|/| \+|) ?(?:{_TERMS[0]}|{_TERMS[1]}))*"
    rf"|(?:{_TERMS[2]})(?:(?:,| &| und|/) ?(?:{_TERMS[2]}))*|livraison(?: (?:et|&) (?:retours?|paiement))?"
    r"|envíos?(?: y devoluciones)?|spedizion[ei](?: e resi)?|доставка(?: и (?:оплата|возврат))?|dostawa(?: i płatność)?"
    r"|配送.{0,6}|送料.{0,6}|退換貨.{0,8}|購物須知)\W*\d*(?:,\d+)?\W*",
    re.IGNORECASE,
)

_OTHERS = (
    "articles?|posts?|stor(?:y|ies)|products?|items?|jobs?|recipes?|videos?|news|questions?|threads?|topics?|listings?"
    "|books?|pages?|blogs?|discussions?"
)
_RELATED = pattern(
    rf"\W*(?:(?:related|similar|recommended|suggested) (?:{_OTHERS})"
    r"|(?:people|customers|users|readers) (?:who (?:viewed|bought|read) .{0,20})?also (?:viewed|bought|liked|enjoyed)"
    r"|(?:products|articles|posts) related to this .{0,20}"
    r"|you (?:may|might) (?:also )?(?:like|be interested in)(?: these.{0,20})?"
    r"|(?:ähnliche|verwandte|vorgeschlagene) (?:artikel|beiträge|themen|nachrichten|produkte|meldungen|stellen|fragen)"
    r"|articles (?:similaires|liés|connexes)|produits similaires"
    r"|(?:artículos|noticias|productos|entradas|artigos|notícias|produtos) relacionad[oa]s"
    r"|(?:articoli|prodotti) correlati|gerelateerde artikelen|(?:podobne|powiązane) (?:artykuły|produkty)"
    r"|похожие (?:статьи|товары|темы|записи)|相关(?:文章|阅读|推荐)|関連記事)\W*",
    re.IGNORECASE,
)
"""A heading over other pages."""

_RATING_WORDS, _RATINGS = 24, 4
"""Words of a rating, and ratings of one thing, at most: in its head, its card, its reviews and its specification."""
_VOTES = (
    r"(?:customer |global |globale )?(?:votes?|ratings?|reviews?|(?:sterne)?bewertung(?:en)?|voti|avis|opiniones"
    r"|valoraciones|évaluations?)"
)
_OF_FIVE = r"(?:out of|von|sur|su|de) 5(?:[.,]0)?(?: stars?| sternen?| étoiles?| stelle| estrellas)"
_RATING = pattern(
    r"\W*(?:[1-5] stars?\W+)*(?:(?:rating|rated|average|bewertung)\W{1,3})?"
    rf"(?:[0-5](?:[.,]\d{{1,2}})?\W{{0,3}}(?:from|\() ?\d[\d,.]{{0,8}} {_VOTES}"
    rf"|(?:[0-5](?:[.,]\d)?\W{{1,3}})?[0-5](?:[.,]\d)? {_OF_FIVE}(?:\W{{1,3}}\d[\d,.]{{0,8}}(?: {_VOTES})?)?"
    rf"(?:\W{{1,3}}[0-5](?:[.,]\d)? {_OF_FIVE})?)\W*",
    re.IGNORECASE,
)
_OF_RATING = pattern(
    r"\W*(?:(?:customer|average|user|recipe|product) )*(?:reviews?|ratings?)\W*|media recensioni\W*|note moyenne.{0,30}"
    r"|(?:durchschnittliche )?kundenrezensionen\W*|(?:durchschnittliche )?(?:kunden)?bewertung(?:en)?\W*"
    r"|(?:opiniones|valoración).{0,30}",
    re.IGNORECASE,
)
_ASKED = pattern(
    r"\W*(?:(?:did|have) you )?(?:ma[dk]e|tried|try) th(?:is|ese)(?: recipes?)?(?: yet)?\?\W*", re.IGNORECASE
)
"""The question to readers before a call to rate or to show a recipe."""


def side_parts_of(labels: Labels, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept blocks of a page with a product or a recipe that are neither.

    Args:
        labels: the labels of a page.
        levels: (b,) the level of the heading that each block is in, 0 for none.
        kept: (b,) whether each is kept.
    """
    blocks, page = labels.blocks, labels.blocks.page
    prices = declared_prices(page) if may_sell(page) and not is_article(page) else frozenset()
    if not prices and not is_recipe(page):
        return []
    priced = [block for block in price_lines(blocks) if kept[block] and shows_price(blocks, block, prices)]
    main = [int(kept.argmax()), *(kept & (levels == 1)).nonzero()[0][:1].tolist(), *priced[:1], *_ingredients(blocks)]
    nodes = _named(page, _OF_SHOP if prices else _OF_READERS)
    for leaf in blocks.first[main].tolist():
        nodes = nodes[(nodes > leaf) | (page.end[nodes] <= leaf)]
    aside = kept & (page.within_at(nodes, blocks.first) > 0)
    for first, end in _sections(blocks, levels, _SAYING):
        aside[first:end] = kept[first:end]
    if not prices:
        aside[_linked_headings(blocks, levels, kept)] = True
    words, of_page = int(blocks.words[aside].sum()), int(blocks.words[kept].sum())
    if words > MOST * of_page if prices else of_page - words < LEAST:
        return []
    found = aside.nonzero()[0].tolist()
    return [
        block for block in found if not STOCK.match(blocks.text_of(block)) and not shows_price(blocks, block, prices)
    ]


def related_parts(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept blocks of sections whose headings say that they lead to other pages, and that do.

    Where that is half of what is kept, the page is there for it.
    """
    found, words = list[int](), blocks.words
    for first, end in _sections(blocks, levels, _RELATED):
        own = first + kept[first:end].nonzero()[0]
        under = own[own > first]
        if not len(under) or 2 * blocks.link_words[under].sum() >= words[under].sum():
            found += own.tolist()
    return found if found and 2 * words[found].sum() < words[kept].sum() else []


def ratings_of(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept lines of a recipe or a product that say how readers rate it, or ask them to.

    The label before a rating goes with it. Several ratings are those of the records of a list, and stay.
    """
    page = blocks.page
    if not is_recipe(page) and (is_article(page) or not may_sell(page)):  # of recipes also the articles of blogs
        return []
    short = kept & (blocks.words <= _RATING_WORDS)
    counted, others = (
        (short & (has_digits == (blocks.digits > 0))).nonzero()[0].tolist() for has_digits in (True, False)
    )
    rated = [block for block in counted if _RATING.fullmatch(blocks.text_of(block))]
    asking = [block for block in others if "?" in (text := blocks.text_of(block)) and _ASKED.fullmatch(text)]
    if len(rated) > _RATINGS:
        return asking
    labels = [block - 1 for block in rated if block and kept[block - 1]]
    return [*asking, *rated, *(label for label in labels if _OF_RATING.fullmatch(blocks.text_of(label)))]


@cached_per_object
def is_recipe(page: Page) -> bool:
    """Return whether a page declares a recipe."""
    signs = source_signs(page)
    return signs.cooks or any('"Recipe"' in script for script in signs.linked_data)


def _ingredients(blocks: Blocks) -> list[int]:
    """Return the block that has hardly more than one of the first ingredients that the page declares."""
    scripts = source_signs(blocks.page).linked_data
    match = next(filter(None, (_INGREDIENTS.search(script) for script in scripts)), None)
    try:
        declared = [set(name.casefold().split()) for name in json.loads(match[1])[:_FEW]] if match else []
    except (AttributeError, ValueError):  # not a list of texts
        return []
    lines = (blocks.words <= _LONGEST).nonzero()[0].tolist() if declared else ()
    shown = [(at, words) for at in lines if (words := set(blocks.text_of(at).casefold().split()))]
    shares = [(max(len(each) * (each <= words) for each in declared) / len(words), -at) for at, words in shown]
    return [-at for share, at in [max(shares, default=(0.0, 0))] if share]


def _linked_headings(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the headings below the first level that are links, and have nothing below: titles of other recipes."""
    bare = headings_over_nothing(blocks, levels, kept)
    return [block for block, level, _ in bare if level > 1 and blocks.link_words[block] >= blocks.words[block]]


def _named(page: Page, wanted: re.Pattern[str]) -> npt.NDArray[np.intp]:
    """Return the elements whose class or id names such a part."""
    of_class, of_id = (_which(names, wanted) for names in (page.classes, page.ids))
    return (of_class[page.class_code] | of_id[page.id_code]).nonzero()[0]


def _which(names: ElementNames, wanted: re.Pattern[str]) -> Bools:
    """Return in which of some names a pattern finds something."""
    found = np.zeros(len(names.values), dtype=np.bool_)
    likely = names.having(_STEMS)
    found[[code for code in likely if wanted.search(names.values[code], 0, _LONG_NAME)]] = True
    return found


def _sections(blocks: Blocks, levels: npt.NDArray[np.uint8], saying: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the first block of a section whose heading says such a part, and the one after its last."""
    short = ((levels > 1) & (blocks.chars <= _LONG_HEADING)).nonzero()[0].tolist()
    says = {block for block in short if saying.fullmatch(blocks.text_of(block))}
    start = last = 0
    for block in levels.nonzero()[0].tolist() if says else ():
        if block < last and levels[block] > levels[start]:
            continue
        if start < last:
            yield start, min(block, last)
        start, last = (block, _end_of_place(blocks, block)) if block in says else (0, 0)
    if start < last:
        yield start, last


def _end_of_place(blocks: Blocks, heading: int) -> int:
    """Return the block after the last one of the smallest element that has a heading and more after it."""
    page, node = blocks.page, int(blocks.page.parent[blocks.first[heading]])
    after = int(blocks.first[heading + 1]) if heading + 1 < len(blocks) else len(page)
    while node > 0 and page.end[node] <= after:
        node = int(page.parent[node])
    return int(blocks.first.searchsorted(page.end[node]))
