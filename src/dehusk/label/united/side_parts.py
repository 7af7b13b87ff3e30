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
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import sums_before
from dehusk.blocks.phrases import Phrases, compiled
from dehusk.blocks.units.tables import table_nodes
from dehusk.label.prices import declared_prices, may_sell, price_lines, product_data, shows_price
from dehusk.label.united.headings import headings_over_nothing
from dehusk.label.united.product_slots import STOCK
from dehusk.read.names import ElementNames, NamePattern, NameWords
from dehusk.read.page import Bools, Page
from dehusk.read.signs import is_article, is_product, source_signs

MOST, LEAST = 0.7, 50
"""Share of the kept words that such parts of a product have at most, and the words that are left of a recipe at least.
Set by hand, with the pages of shops and recipes labelled by the rubric at hand."""
BELOW, BOX, BIO, BOXES = 0.6, 0.25, 8, 3
"""Share of the kept words that are above the box of an author, at least, and in it, at most; words of its sentence, at
least, and boxes of a page, at most. Set by hand."""
CARD, CLIMB, LINES = 12, 8, 3
"""Words of a text of a card, on average, at most; elements from a heading up to the one that has its cards, of which
shops' pages have seven at most; and lines below a link of a list. Set by hand."""
_ITEM, _DIALOG = numbers("li"), numbers("dialog")
_LONG_NAME, _LONG_HEADING = 150, 80  # characters of a class or an id that are read, and of a heading
_REVIEWS = "(?<!p)reviews?(?![a-z])|bewertung|recensi|opini[eoóaã]|rese[nñ]as?(?![a-z])|otzyv|yotpo|bazaarvoice"
_OF_READERS = pattern(
    rf"(?i:{_REVIEWS}|(?:^|[\s_-])comments?(?:$|[\s_-])|comment(?:list|area|body|thread|section|s-)|disqus"
    r"|kommentar|comentarios?|commentaires?|commenti(?![a-z])|komentar|(?:^|[\s_-])activity-(?:stream|list|item))"
    r"|[a-z]Comments?(?:$|[\s_-])"
    r"|(?:^|[\s_-])(?:(?:wprm|tasty|mv|tasty-recipes)-(?:prevent-sleep|call-to-action|unit-conversion|scale-(?:label|container)|cook-mode)|save-this)"
)
_OF_SHOP = pattern(
    rf"(?i:{_REVIEWS}|(?:^|[\s_-])avis(?:$|[\s_-])|blockreassurance)"
    r"|(?i:(?:^|[\s_-])(?:deliver(?:y|ies)|shipping(?!-taxable)|returns|return[_-](?:polic(?:y|ies)|conditions?|methods?|info|terms)"
    r"|refunds?|versand|lieferung|livraison|envios?|spedizion[ei]|payments?|financ(?:e|ing)|retours?|pickup)(?:$|[\s_-]))"
    r"|[a-z](?:Delivery|Shipping|Returns|Payment)"
)
_OF_OTHERS = NamePattern(
    r"(?:^|[\s_-])(?:jp-?)?related[_-]?(?:posts?|articles?|products?|stories|news|items?)s?(?:$|[\s_-])"
    r"|(?:^|[\s_-])(?:up-?|cross-?)sells?(?:$|[\s_-])",
    "related upsell up-sell crosssell cross-sell",
)
_AUTHOR_BOX = NamePattern(
    r"(?:^|[\s_-])(?:author|contributor)s?[_-]{0,2}(?:box|bio|card|info|profile|description|about|section|block|footer)s?"
    r"(?:$|[\s_-])|about[_-]?(?:the[_-]?)?author|(?:^|[\s_-])author[_-]?(?:box|bio)(?:$|[\s_-])",
    "author contributor",
)
"""The classes of what a page says of who wrote it."""
_STEMS = NameWords(
    "review bewertung recensi opini rese otzyv yotpo bazaarvoice avis deliver shipping return refund versand lieferung"
    " livraison envio spedizion payment financ retour pickup comment disqus komm comentario koment wprm tasty mv-"
    " save-this blockreassurance activity-"
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
    "|books?|pages?|blogs?|discussions?|offerings?|services|insights|resources|content"
)
_ELSEWHERE = Phrases(
    {
        "related": (
            f"(?:related|similar|recommended|suggested) (?:{_OTHERS})",
            (
                "(?:other )?(?:people|customers|users|readers) (?:who (?:viewed|bought|purchased|read) .{0,20})?"
                "also (?:viewed|bought|purchased|liked|enjoyed|considered)"
            ),
            "(?:products|articles|posts) related to this .{0,20}",
            (
                "you(?:'ll)? (?:may|might)? ?(?:also )?(?:like|love|enjoy|be interested in)"
                "(?: (?:these|the following).{0,30}|:)?"
            ),
            "more (?:like this|(?:stories|articles|posts|news|videos|recipes|products) (?:like|from|in|on|by) .{1,40})",
            "more (?:from .{1,40}|on this (?:story|topic))",
            "(?:what to )?(?:read|watch|up) next",
            "keep reading",
            "further reading for you",
            "(?:your )?recently viewed(?: .{1,20})?",
            "(?:frequently|often) bought together",
            "(?:from )?around the web",
            "in case you missed it",
            "(?:sponsored|promoted) (?:content|links|stories|posts)",
            "recommended (?:for you|reading)",
            (
                "(?:ähnliche|verwandte|vorgeschlagene|weitere|passende) "
                "(?:artikel|beiträge|themen|nachrichten|produkte|meldungen|stellen|fragen)(?: .{1,30})?"
            ),
            "mehr (?:zum thema|aus (?:dem|der) .{1,30}|von .{1,30}|artikel.{0,30}|nachrichten.{0,30})",
            "lesen sie (?:auch|mehr)",
            "auch (?:interessant|lesenswert)",
            "(?:das )?könnte (?:sie|dich|ihnen) auch (?:interessieren|gefallen)",
            "articles (?:similaires|liés|connexes)",
            "produits similaires",
            "(?:à|a) lire (?:aussi|également)",
            "sur le même (?:sujet|thème)",
            "(?:ceci pourrait |ça )?vous (?:aimerez|intéresser).{0,20}",
            "dans la même (?:rubrique|catégorie)",
            "(?:artículos|noticias|productos|entradas|artigos|notícias|produtos|contenidos?|matérias) relacionad[oa]s?",
            "(?:también )?(?:te|le) (?:puede|podría) (?:interesar|gustar).{0,10}",
            "lee también",
            "te recomendamos",
            "(?:leia|veja|confira) (?:também|mais)",
            "(?:você )?(?:também )?(?:pode|vai) (?:gostar|te interessar).{0,10}",
            "(?:articoli|prodotti|notizie) (?:correlat|simil)[ie]",
            "leggi anche",
            "(?:ti )?potrebbe(?:ro)? (?:anche )?(?:interessart|piacert)i(?: anche)?",
            "altri articoli.{0,30}",
            "gerelateerde (?:artikelen|berichten|producten)",
            "lees (?:ook|meer)",
            "meer (?:over .{1,30}|nieuws|artikelen)",
            "(?:podobne|powiązane|polecane) (?:artykuły|produkty|wpisy)",
            "(?:czytaj|zobacz|przeczytaj|sprawdź) (?:też|także|również)",
            "może cię (?:też )?zainteresować",
            "läs (?:också|även)",
            "l[æe]s også",
            "relaterte?(?: .{1,20})?",
            "čtěte také",
            "mohlo by vás zajímat",
            "kapcsolódó (?:cikkek|termékek)",
            "ilgili haberler",
            "διαβάστε (?:επίσης|ακόμα)",
            "σχετικά (?:άρθρα|νέα)",
            "(?:похожие|другие) (?:статьи|товары|темы|записи|новости|материалы)",
            "читайте (?:также|ещё|еще)",
            "материалы по теме",
            "вам (?:может|могут) (?:также )?понравиться",
            "baca juga",
            "(?:berita|artikel) terkait",
            "có thể bạn quan tâm",
            "(?:bài viết|tin) (?:liên quan|cùng chuyên mục)",
            "(?:اقرأ|شاهد) (?:أيضا|أيضًا)",
            "(?:مواضيع|أخبار) ذات صلة",
            "(?:相关|相關|推荐|推薦|热门|熱門)(?:文章|阅读|閱讀|推荐|推薦|新闻|新聞|商品)",
            "猜你喜欢",
            "延伸(?:閱讀|阅读)",
            "関連(?:記事|ニュース|リンク|商品)",
            "あわせて読みたい",
            "こちらもおすすめ",
            "おすすめ(?:の?記事|商品)",
            "最近チェックした商品",
            "관련 ?(?:기사|뉴스|글|상품)",
            "추천 ?(?:기사|뉴스|상품)",
            "함께 본 상품",
            "kunden (?:kauften|sahen|kaufen|haben) .{0,30}(?:auch|ebenfalls).{0,20}",
            "les clients ayant (?:acheté|consulté) .{0,40}",
            "(?:quien(?:es)?|quem|chi) .{0,40}(?:también|também|anche)(?: .{0,20})?",
            "productos (?:similares|recomendados)",
            "anderen (?:kochten|bekeken) ook",
            "vergelijkbare producten",
            "andre (?:købte|kjøpte) også",
            "andra köpte (?:även|också)",
            "(?:liknande|relaterade|lignende|relaterede) (?:produkter|artiklar|artikler|varer)",
            "(?:liittyvät|suositellut) tuotteet",
            "(?:související|podobné|súvisiace) (?:produkty|zboží|články|tovary)",
            "mohlo by (?:sa |se )?vám (?:také |tiež )?(?:líbit|páčiť)",
            "hasonló termékek",
            "ez is érdekelheti?",
            "(?:produse|articole) (?:similare|recomandate)",
            "(?:slični|povezani) (?:proizvodi|članci)",
            "(?:подобни|свързани) (?:продукти|статии)",
            "(?:схожі|супутні) (?:товари|статті)",
            "читайте також",
            "(?:benzer|ilgili) (?:ürünler|yazılar)",
            "(?:σχετικά|παρόμοια) προϊόντα",
            "μπορεί να σας αρέσει",
            "preces, kas jums varētu patikt",
            "līdzīgas preces",
            "panašios prekės",
            "(?:jums )?(?:taip pat )?gali patikti",
            "sarnased tooted",
            "(?:sản phẩm|bài viết) (?:tương tự|liên quan|cùng loại)",
            "(?:produk|artikel) (?:terkait|serupa)",
            "(?:สินค้า|บทความ|ข่าว)ที่เกี่ยวข้อง",
            "(?:מוצרים|כתבות) (?:דומים|דומות|קשורים|קשורות|נוספות)",
            "منتجات (?:مشابهة|ذات صلة)",
        )
    }
)
"""What headings over other pages say, in lower case."""

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
    says = {block for block in _short_headings(blocks, levels) if _SAYING.fullmatch(blocks.text_of(block))}
    for first, end in _sections(blocks, levels, says):
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
    """Return the kept blocks of sections whose headings or classes say that they lead to other pages, and that do.

    They do if half of their words are links, or their texts are as short as those of cards, and no cells of a table.
    Where that is half of what is kept, the page is there for it, unless it is about a product.
    """
    page, words, links, is_found = blocks.page, blocks.words, blocks.link_words, np.zeros(len(blocks), dtype=np.bool_)
    short = _short_headings(blocks, levels)
    says = {short[number] for number in leading_elsewhere([blocks.text_of(block) for block in short])}
    sections = [*_sections(blocks, levels, says, least=CARD), *_named_sections(blocks)]
    tables = table_nodes(blocks).nonzero()[0] if sections else np.zeros(0, dtype=np.intp)
    for first, end in sections:
        own = first + kept[first:end].nonzero()[0]
        under = own[own > first] if levels[first] else own
        before, after = tables.searchsorted((blocks.first[first], blocks.last[end - 1])).tolist()
        of_cards = words[under].sum() <= CARD * len(under) and before == after
        if of_cards or 2 * links[under].sum() >= words[under].sum():
            is_found[own[own < _end_of_links(blocks, first, end)]] = True
    if not is_found.any():
        return []
    declared = declared_prices(page)
    priced = [block for block in price_lines(blocks) if kept[block] and shows_price(blocks, block, declared)]
    if is_found[priced].all():  # the offer of a bundle has the only price of the product
        is_found[priced] = False
    is_few = 2 * words[is_found].sum() < words[kept].sum()
    return is_found.nonzero()[0].tolist() if is_few or is_product(page) or product_data(page) else []


def _end_of_links(blocks: Blocks, first: int, end: int) -> int:
    """Return the end of a section: of one that begins with a list of links, two blocks after the last of these.

    A link may have `LINES` lines below it, such as its date and a summary; with more, the list is at its end.
    """
    words, links = blocks.words[first:end].cumsum(), blocks.link_words[first:end].cumsum()
    linked = (2 * blocks.link_words[first:end] >= blocks.words[first:end].clip(1)).nonzero()[0]
    if not len(linked):
        return end
    apart = (np.diff(linked) > LINES + 1).nonzero()[0]
    last = int(linked[apart[0] if len(apart) else -1])
    return first + last + 2 if 2 * links[last] >= words[last] else end


def _named_sections(blocks: Blocks) -> Iterator[tuple[int, int]]:
    """Yield the first block of an element that is named for other pages, and the one after its last."""
    page = blocks.page
    for node in sorted({*page.nodes_of_class(_OF_OTHERS).tolist(), *page.nodes_of_id(_OF_OTHERS).tolist()}):
        first, end = blocks.first.searchsorted((node, page.end[node])).tolist()
        if end - first > 1 and blocks.link_words[first:end].any():  # not a heading alone, nor what stands above cards
            yield first, end


def closed_dialogs(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks of dialogs that are not open, unless these are half of what is kept."""
    page = blocks.page
    nodes = page.nodes_of(_DIALOG)
    closed = [node for node in nodes.tolist() if page.attribute(node, "open") is None] if len(nodes) else []
    if not closed:
        return []
    found = (kept & (page.within_at(np.array(closed, dtype=np.intp), blocks.first) > 0)).nonzero()[0]
    return found.tolist() if 2 * blocks.words[found].sum() < blocks.words[kept].sum() else []


def author_boxes(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks that say in a sentence who the authors are, below most of what is kept."""
    page, nodes = blocks.page, blocks.page.nodes_of_class(_AUTHOR_BOX)
    if not len(nodes) or len(boxes := nodes[page.within_at(nodes, nodes) == 1]) > BOXES:
        return []  # those of posts, or of all who write for the site
    starts, ends = blocks.extents(boxes)
    sums = sums_before(blocks.words * kept)
    is_below = (sums[starts] >= BELOW * sums[-1]) & (sums[ends] - sums[starts] <= BOX * sums[-1])
    inside = [range(*at) for at in zip(starts[is_below].tolist(), ends[is_below].tolist(), strict=True)]
    own = [[block for block in box if kept[block]] for box in inside]
    return [block for box in own if any(blocks.words[one] >= BIO for one in box) for block in box]


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


def leading_elsewhere(texts: list[str]) -> set[int]:
    """Return the numbers of those of some texts that say, as headings do, that other pages follow."""
    lower = [text.lower() for text in texts]
    likely = _ELSEWHERE.likely_in(lower)
    return {number for number, _, phrase in likely if compiled(rf"\W*(?:{phrase})\W*").fullmatch(lower[number])}


def _short_headings(blocks: Blocks, levels: npt.NDArray[np.uint8]) -> list[int]:
    """Return the short headings below the first level."""
    return ((levels > 1) & (blocks.chars <= _LONG_HEADING)).nonzero()[0].tolist()


def _sections(
    blocks: Blocks, levels: npt.NDArray[np.uint8], says: set[int], *, least: int = 1
) -> Iterator[tuple[int, int]]:
    """Yield the first block of a section whose heading says what it is, and the one after its last.

    A section ends at the latest with the smallest element around its heading that has `least` words after it. Headings
    in items of its lists are its own.
    """
    if not says:
        return
    headings, start, last = levels.nonzero()[0], 0, 0
    items = blocks.page.within_at(blocks.page.nodes_of(_ITEM), blocks.first[headings]).tolist()
    in_items = dict(zip(headings.tolist(), items, strict=True))
    for block, inside in in_items.items():
        if block < last and (levels[block] > levels[start] or inside > in_items[start]):
            continue
        if start < last:
            yield start, min(block, last)
        start, last = (block, _end_of_place(blocks, block, least)) if block in says else (0, 0)
    if start < last:
        yield start, last


def _end_of_place(blocks: Blocks, heading: int, least: int) -> int:
    """Return the block after the last one of the smallest element that has a heading and some words after it.

    Where several words are asked for, what is more than `CLIMB` elements up is another part of the page: there, a
    script puts the cards.
    """
    end, levels = _place(blocks, heading, least)
    if least > 1 and levels > CLIMB:
        end, levels = _place(blocks, heading, 1)
    return end if least == 1 or levels <= CLIMB else heading + 1


def _place(blocks: Blocks, heading: int, least: int) -> tuple[int, int]:
    """Return the block after the last one of that element, and how many elements it is above the heading's own."""
    page, node = blocks.page, int(blocks.page.parent[blocks.first[heading]])
    reached = (blocks.words[heading + 1 :].cumsum() >= least).nonzero()[0]
    last = heading + 1 + (int(reached[0]) if len(reached) else 0)
    after, levels = int(blocks.first[last]) if last < len(blocks) else len(page), 0
    while node > 0 and page.end[node] <= after:
        node, levels = int(page.parent[node]), levels + 1
    return int(blocks.first.searchsorted(page.end[node])), levels
