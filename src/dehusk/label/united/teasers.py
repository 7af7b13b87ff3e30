"""Lines between paragraphs that the site says: what leads elsewhere, asks for something, or files the page.

The rubric has them out:

- Lines that lead to other articles: "Read more: …", "Lesen Sie auch: …". They begin with such words, have a colon or
  dash behind them, and are a link for the most part; or they are these words alone, and what they lead to is dropped.
  "See also" stays, as documentation refers so.
- Labels of advertisements.
- Calls: appeals for money and members, rules for comments, and requests for consent in place of what is embedded. They
  begin with such words; an element named for them goes with all it says.
- Tags and categories with their label, as links; on recipes also keywords that are none.
- Texts of buttons; "By" without a name; a label at the end of the text of which the links are dropped that it labels.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import COLONS
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.bylines import BEFORE_BY, BY
from dehusk.blocks.layout import sums_before
from dehusk.blocks.phrases import Phrases, compiled
from dehusk.label.united.headline_slots import DATE
from dehusk.label.united.side_parts import is_recipe
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools
from dehusk.read.signs import is_article
from dehusk.visible.leaving_out import TOGGLES

LONG, ALONE, LEAD = 30, 6, 4
"""Words of such a line with its link, of one that is alone, and of what is before the link; set by hand."""
_ITEMS, _CELL = numbers("li dd dt td th pre"), numbers("td")
_ADVERTS = r"(?P<english>advertisements?)|anzeige|werbung|publicidad|publicité|reklam[ae]|реклама|广告|広告"
_ADVERT = pattern(rf"[\s*–—()\[\]-]*(?:{_ADVERTS})[\s*–—()\[\]-]*", re.IGNORECASE)
_ADVERT_WORDS, _CELL_BLOCKS = 3, 2
"""Words of such a label, and blocks of a cell that is a label or a value, at most."""
_LEADS = (
    r"(?:read|(?<=\()more)(?=\s{0,3}[:：])|read (?:more|also|next|on)|(?:also|must|more) (?:read|on [^:]{1,30})"
    r"|related(?: (?:articles?|stor(?:y|ies)|content|posts?|reading|coverage))?|recommended(?: reading)?"
    r"|you (?:might|may) (?:also )?(?:like|enjoy|be interested in)|don.t miss|(?:à )?lire aussi|lesen sie (?:auch|mehr)"
    r"|mehr (?:zum thema|dazu)|lees ook|le[ir]a (?:também|también)|leggi anche|czytaj (?:także|też)|baca juga|xem thêm"
    r"|läs (?:också|även|mer)|les også|læs også|читайте (?:также|ещё)|читать ещё|διαβάστε (?:επίσης|ακόμα)"
    r"|citeşte (?:şi|mai mult)|関連記事|相关阅读|延伸阅读|tables? of contents?"
    r"|(?:in|on) this (?:article|page|guide|post)|jump to(?: (?:section|recipe))?|inhaltsverzeichnis|sommaire"
    r"|tabla de contenidos?|índice de contenidos|目录|目錄|目次|spis treści|inhoudsopgave|содержание|оглавление"
)
_LEAD = pattern(rf"\W*(?:{_LEADS})\s{{0,3}}(?P<end>[:：–—?>]|-(?=\s)|\.{{3}}|…|$)", re.IGNORECASE)
CALL, CALLS, LEVELS = 90, 0.4, 8
"""Words of a call at most; share of the kept words that all of them have at most, or the page is about them; and
elements around a call that may be named for it. Set by hand: on a page of magic-article-a they are a third of it."""
_APPEALS = r"""
(?:help (?:us )?)?(?:support|fund) (?:(?:our|independent|quality|local|free|public) ){1,3}(?:journalism|newsroom)\b
(?:help (?:us )?)?support (?:(?:our|independent|quality|local|free|trusted|fearless) ){1,3}(?:news|reporting)\b
contribute as little as\b
if you (?:enjoy|like|love|value|found)[^.!?]{0,80}[,.!] (?:please )?consider (?:making|becoming)\b
consider making a (?:\w+ ){0,2}(?:donation|contribution)\b
consider becoming an? (?:\w+ ){0,2}(?:member|supporter|patron)\b
consider (?:supporting us|donating to (?:us|our|keep|support))\b
(?:donate|become a (?:\w+ )?(?:member|supporter|patron))(?: now| today)?(?:\W*$| to (?:support|keep|help) (?:our|us)\b)
any (?:donation|contribution) you can make\b
(?:your|any) (?:support|donation|contribution|membership)s? (?:helps?|enables?|allows?|keeps?) (?:us|our)\b
(?:we|our (?:journalism|newsroom|reporting)) (?:rel(?:y|ies)|depends?) on (?:the support of )?(?:our )?readers
unterstütz(?:en sie|e|t) (?:uns|unser\w*|unabhängig\w*|freien) (?:\w+ ){0,2}(?:journalismus|redaktion|mit)\b
(?:jetzt|bitte) spenden\b
mit (?:ihrer|deiner|einer) spende (?:unterstütz|ermöglich|hilf|helfen|sicher)
soutenez[- ](?:nous\b|(?:notre|un|le|la) (?:journalisme|rédaction|presse|média|journal))
fai(?:tes|re) un don\b
apoya (?:(?:el|nuestro|un|al) )?periodismo
haz(?:te)? (?:una donación|soci[oa] de)
apoie o (?:nosso )?jornalismo
sostieni (?:(?:il|la|il nostro) |l.)?(?:giornalismo|informazione)
(?:fai|effettua) una donazione
steun (?:(?:ons|onze|de|het) )?(?:onafhankelijke )?journalistiek
word (?:nu )?(?:lid|donateur) van\b"""
_FOLLOWING = r"""
点击(?:上方|下方|右上角).{0,10}关注.{0,10}$
长按.{0,14}(?:关注|识别).{0,10}$
扫(?:描|一扫|码).{0,14}关注.{0,10}$
(?:欢迎|请|记得)?关注(?:我们|(?:微信)?公众号).{0,60}$"""
"""Lines with which posts of WeChat ask to follow who wrote them."""
_RULES = r"""
(?:(?:all|your|note that) )?comments (?:must|should)[^.!?]{0,60}\b(?:civil|polite|respectful|on[- ]topic)\b
(?:(?:all|reader|your) )?comments (?:are|will be) (?:moderated|reviewed before|subject to (?:moderation|our|review))
comments that (?:are|contain|include)[^.!?]{0,120} (?:removed|deleted|not (?:be )?(?:tolerated|published|allowed))
keep (?:(?:your|the|all) )?(?:comments?|conversation|discussions?) (?:civil|clean|respectful|on[- ]topic)\b
your e-?mail address (?:will not|won.t) be (?:published|shared)
by (?:posting|leaving|submitting) a comment,? you agree
(?:we|the editors|moderators) reserve the right to (?:remove|delete|edit|moderate)[^.!?]{0,40} comments
(?:ihre|deine|die) e-?mail-?adresse wird nicht veröffentlicht
beachte(?:n sie)?[^.!?]{0,30} netiquette
kommentare (?:werden|sind)[^.!?]{0,40}(?:moderiert|freigeschaltet|geprüft)
votre adresse (?:e-?mail|de messagerie|électronique) ne sera pas publiée
les commentaires (?:sont|seront) modérés
tu (?:dirección de )?correo electrónico no será publicad[ao]
(?:los )?comentarios (?:serán|son|están) moderados
oops! looks like we.re having trouble\b
refresh your browser window to try\b
il tuo indirizzo e-?mail non sarà pubblicato
(?:je|het|uw) e-?mailadres wordt niet (?:gepubliceerd|getoond)"""
_IN = "(?:log ?in|sign ?in|sign ?up|register|join|create (?:a free |an )?account)"
_SAID = "(?:comment|reply|post|answer|review|vote)s?"
_JOINING = rf"""
{_IN}(?:(?:,| or|, or| /) {_IN}){{0,2}}(?: (?:here|now|first))? to (?:\w+ ){{0,3}}{_SAID}\W*$
you (?:must|need to|have to) (?:be )?(?:log(?:ged)? ?in|sign(?:ed)? ?in|regist\w+)\b[^.!?]{{0,40}}\b{_SAID}
(?:sie müssen|du musst) (?:sich |dich |eingeloggt |angemeldet )[^.!?]{{0,60}}\b(?:kommentar|kommentieren|antworten)
(?:melde dich|melden sie sich|logge dich|loggen sie sich) [^.!?]{{0,40}}\b(?:kommentar|zu kommentieren|zu antworten)
(?:vous devez (?:être|vous)|connectez-vous|identifiez-vous)\b[^.!?]{{0,60}}\b(?:commentaire|commenter|répondre)
(?:debes (?:iniciar sesión|estar)|inicia sesión)\b[^.!?]{{0,60}}\b(?:comentar|comentario|responder)
(?:você precisa (?:estar|fazer)|faça login)\b[^.!?]{{0,60}}\b(?:comentar|comentário|responder)
(?:devi (?:essere|effettuare|fare)|accedi)\b[^.!?]{{0,60}}\b(?:commentare|commento|rispondere)
(?:je moet (?:ingelogd|inloggen)|log in om)\b[^.!?]{{0,60}}\b(?:reageren|reactie)
(?:zaloguj się|musisz (?:być zalogowan\w+|się zalogować))\b[^.!?]{{0,60}}\b(?:komentować|komentarz|odpowiedzieć)
(?:войдите|авторизуйтесь|зарегистрируйтесь)\b[^.!?]{{0,60}}\b(?:комментар\w+|комментировать|ответить)"""
"""Requests to log in before a reader can say anything."""
_SHOWN = "(?:content|video|post|tweet|map|embed|element|podcast|chart)"
_CONSENT = rf"""
we need your (?:consent|permission|agreement) to (?:show|display|load|play|view)\b
(?:to view|to see|to show|to watch|to display|to load) this {_SHOWN}[^.!?]{{0,60}} (?:accept|consent|cookies)
(?:this|the) (?:external )?{_SHOWN} (?:can.?not|is not|isn.t|is blocked)[^.!?]{{0,60}} (?:cookies?|consent)\b
an dieser stelle (?:finden sie|findest du|befindet sich|steht|ist) [^.!?]{{0,80}}\b(?:extern|eingebettet)\w+ inhalt
(?:empfohlener (?:redaktioneller|externer)|redaktionell empfohlener|externer) inhalt(?: von .{{1,30}})?\W*$
ich bin (?:damit )?einverstanden, dass mir (?:\w+ ){{0,2}}(?:inhalte?|medien|videos?)\b
(?:zum|um) [^.!?]{{0,60}} (?:benötigen|brauchen) wir (?:ihre|deine) (?:zustimmung|einwilligung)
wir (?:benötigen|brauchen) (?:ihre|deine) (?:zustimmung|einwilligung)\b
(?:dieser (?:externe )?inhalt|dieses video) (?:kann|wird|ist)[^.!?]{{0,80}}\b(?:zustimmung|einwilligung|cookies)\b
mit (?:dem|ihrem) klick[^.!?]{{0,120}} (?:akzeptieren sie|einverstanden|übermittelt|übertragen)
(?:ce contenu|cette (?:vidéo|carte|publication))[^.!?]{{0,60}} (?:cookies|consentement|traceurs)\b
pour (?:afficher|voir|visualiser) (?:ce contenu|cette (?:vidéo|carte))[^.!?]{{0,60}} (?:accept|cookies|consent|autoris)
nous avons besoin de votre (?:consentement|accord) pour\b
(?:este contenido|este v[ií]deo|este mapa)[^.!?]{{0,60}} (?:cookies|consentimiento)\b
para (?:ver|visualizar|mostrar) este (?:contenido|v[ií]deo|mapa)[^.!?]{{0,60}} (?:acept|cookies|consent)
necesitamos (?:tu|su) (?:consentimiento|permiso) para\b
questo (?:contenuto|video)[^.!?]{{0,60}} (?:cookie|consenso)\b
per (?:vedere|visualizzare) questo (?:contenuto|video)[^.!?]{{0,60}} (?:accett|cookie|consen)
abbiamo bisogno del (?:tuo|suo) consenso\b
(?:deze inhoud|deze content|dit bericht|deze video)[^.!?]{{0,60}} (?:cookies|toestemming)\b
om deze (?:inhoud|content|video|kaart)[^.!?]{{0,60}} (?:cookies|toestemming|accepteer)
(?:we|wij) hebben (?:je|jouw|uw) toestemming nodig\b"""
_CALLS = tuple(f"{_APPEALS}{_FOLLOWING}{_RULES}{_JOINING}{_CONSENT}".strip().splitlines())
"""What calls begin with, in lower case."""
_BEFORE_CALL = pattern(r"(?P<signs>\W*)(?:please |bitte )?")
_OF_CALLS = NamePattern(
    r"(?:^|[\s_-])(?:support|donat(?:e|ions?)|donors?|contribut(?:e|ions?)|membership|fundrais(?:er|ing)|appeal|paywall"
    r"|subscri(?:be|ption)s?|sign-?(?:in|up)|regwall|consent|opt-?in|embed-?(?:consent|privacy|placeholder))(?:$|[\s_-])",
    "support donat donor contribut member fundrais appeal paywall subscri sign regwall consent opt embed",
)
FILED, FILINGS = 60, 3
"""Words of a line of tags at most, and such lines of a page, of which more are fields of records. Set by hand."""
_FILINGS = (
    r"(?P<tags>tags?)|(?P<keywords>key ?words?)|tagged(?: (?:as|in|with))?|categor(?:y|ies)|filed (?:under|in)"
    r"|posted (?:in|under)|labels?|topics?|schlag(?:worte|wörter)|stich(?:worte|wörter)|kategorien?|mots[- ]cl[ée]s"
    r"|étiquettes?|catégories?|etiquetas?|categor[ií]as?|palabras clave|palavras-chave|categorie|trefwoorden|tagi|теги"
    r"|метки|рубрик[аи]|rubri(?:k|que|ca)|标签|標籤|タグ|カテゴリー?"
)
_FILED = pattern(rf"\W*(?:{_FILINGS})\s{{0,3}}(?:[:：]|(?<= (?:in|as))(?=\s)|(?<=under)|(?<=with))\W*", re.IGNORECASE)
_BYLINE = pattern(rf"\b(?:{BY})\b|\d{{4}}", re.IGNORECASE)
_MEDIA = numbers("audio embed iframe img object picture svg video pre")
_BUTTONS = (
    rf"{TOGGLES}|(?:show|view|hide|open) (?:the |larger )?map|(?:show|see|view) details|toggle|copied"
    r"|copy (?:link|to clipboard)|click to (?:enlarge|zoom)"
    r"|share(?: (?:this|it))?(?: (?:article|page|post|recipe|story))?"
    r"|(?P<pin>pin (?:it|this)(?: recipe)?(?: for later)?|pin for later)"
    r"|(?:artikel|beitrag|seite) teilen|partager(?: cet article)?|compartir|condividi|lees verder"
    r"|(?:meer|minder) weergeven|delen|читать далее|поделиться|分享|apply now|back to top|nach oben|haut de page"
    r"|返回顶部|наверх|sort and filter"
)
_BUTTON = pattern(rf"\W*(?:{_BUTTONS})[^\w:：]*", re.IGNORECASE)
_PLACES = (
    r"(?:your |my |the )?(?:comparison|compare|(?:shopping )?cart|bag|basket|trolley|wish ?list|favou?rites|quote|list)"
)
_ADDING = (
    rf"(?:add|remove) .{{1,150}} (?:to|from) {_PLACES}"
    r"|ajouter .{1,150} (?:au panier|à la comparaison|aux favoris)"
    r"|añadir .{1,150} (?:al carrito|a la (?:cesta|comparación)|a favoritos)"
    r"|aggiungi .{1,150} (?:al carrello|ai preferiti)|adicionar .{1,150} ao carrinho"
    r"|voeg .{1,150} toe aan (?:winkelwagen|vergelijking)"
    r"|(?:füge|lege) .{1,150} (?:zum vergleich|zur wunschliste|in den warenkorb)(?: hinzu)?|dodaj .{1,150} do koszyka"
)
_ADDED = pattern(rf"\W*(?:{_ADDING})\W*", re.IGNORECASE)
"""What the button of a product says to those who do not see the product beside it."""
_BARE_BY = pattern(rf"\W*(?:(?:{BEFORE_BY}) )?(?:by|von|par|por)\W*", re.IGNORECASE)
BUTTON, BARE_BY = 5, 3
"""Words of a button, and of a byline without a name, at most."""
LAST_LABEL = 10
"""Words of a label above nothing, at most."""
_LONG_KINDS = ("call", "filing", "adding")
"""The kinds that are looked for in lines of up to `CALL` words."""


Likely = Mapping[str, dict[int, list[str]]]
"""Kind -> block -> the phrases of that kind that the block may begin with."""


def likely_lines(blocks: Blocks, kept: Bools) -> Likely:
    """Return the kept blocks that have a literal of such a line: one search in all spares most lines most patterns."""
    found, texts = defaultdict[str, dict[int, list[str]]](dict), blocks.texts
    at = (kept & (blocks.words <= CALL)).nonzero()[0].tolist()
    words, linked = blocks.words[at].tolist(), blocks.link_words[at].tolist()
    for number, kind, phrase in _phrases().likely_in([texts[block] for block in at]):
        if kind in _LONG_KINDS or _is_short(words[number], linked[number]):
            found[kind].setdefault(at[number], []).append(phrase)
    return found


def _is_short(words: int, linked: int) -> bool:
    """Return whether a line is short enough for what is no call and no tags; links may be beside longer ones."""
    return words <= ALONE or (words <= LONG and linked > 0 and max(2 * linked, linked + LEAD) >= words)


@cache
def _phrases() -> Phrases[str]:
    short = {"lead": (_LEADS,), "advert": (_ADVERTS,), "button": (_BUTTONS,)}
    return Phrases({**short, "call": _CALLS, "filing": (_FILINGS,), "adding": (_ADDING,)})


def lines_of_site(
    blocks: Blocks, kept: Bools, levels: npt.NDArray[np.uint8], likely: Likely
) -> Iterator[tuple[list[int], str]]:
    """Yield the kept blocks of each such kind, and what they are; `kept` may change between.

    Args:
        blocks: the blocks of a page.
        kept: (b,) whether each is kept.
        levels: (b,) the level of the heading that each is in, 0 for none.
        likely: what `likely_lines` returns.
    """
    yield _linked_teasers(blocks, kept, likely), "line that leads to another article"
    yield _advert_labels(blocks, kept, levels, likely), "label of an advertisement"
    yield _calls(blocks, kept, levels, likely), "call for money, manners or consent"
    yield _filing_lines(blocks, kept, levels, likely), "tags or categories"
    yield _buttons(blocks, kept, levels, likely), "button"


def lines_over_nothing(blocks: Blocks, kept: Bools, likely: Likely) -> Iterator[tuple[list[int], str]]:
    """Yield the kept blocks that lead to what is dropped, and what they are; `kept` is (b,) and may change between."""
    yield _lone_leads(blocks, kept, likely), "words that lead to other articles, which are dropped"
    yield _last_label(blocks, kept), "label of links that are dropped"
    yield _bare_bylines(blocks, kept), "label of a name that is not there"


def _linked_teasers(blocks: Blocks, kept: Bools, likely: Likely) -> list[int]:
    """Return the kept blocks that are such words with a link."""
    words, linked = blocks.words, blocks.link_words
    short = (block for block in likely["lead"] if kept[block] and words[block] <= LONG and linked[block])
    is_linked = [block for block in short if max(2 * linked[block], linked[block] + LEAD) >= words[block]]
    return _leads(blocks, is_linked, has_more=True)


def _lone_leads(blocks: Blocks, kept: Bools, likely: Likely) -> list[int]:
    """Return the kept blocks that are such words alone, with nothing kept right after them."""
    words, linked = blocks.words, blocks.link_words
    short = (block for block in likely["lead"] if kept[block] and words[block] <= ALONE and not linked[block])
    return _leads(blocks, [block for block in short if not kept[block + 1 : block + 2].all()], has_more=False)


def _leads(blocks: Blocks, may_be: list[int], *, has_more: bool) -> list[int]:
    """Return those of some blocks that begin with such words, and have more or not; no items of lists."""
    found = list[int]()
    for block in may_be:
        text = blocks.text_of(block)
        match = _LEAD.match(text)
        if match and bool(text[match.end() :].strip()) == has_more and (match["end"] or not has_more):
            found.append(block)
    return _outside_lists(blocks, found)


def _outside_lists(blocks: Blocks, found: list[int]) -> list[int]:
    """Return those of some blocks that are in no items and cells."""
    in_list = blocks.page.within_at(blocks.page.nodes_of(_ITEMS), blocks.first[found]) > 0 if found else ()
    return [block for block, is_item in zip(found, in_list, strict=True) if not is_item]


def _buttons(blocks: Blocks, kept: Bools, levels: npt.NDArray[np.uint8], likely: Likely) -> list[int]:
    """Return the kept blocks that are the text of a button; no headings, items or listings.

    Those beside a picture stay, as it would go with them, but it is one to pin.
    """
    may_be = (block for block in likely["button"] if kept[block] and levels[block] == 0)
    short = (block for block in may_be if blocks.words[block] <= BUTTON and blocks.digits[block] == 0)
    found = {block: match for block in short if (match := _BUTTON.fullmatch(blocks.text_of(block)))}
    adding = (block for block in likely["adding"] if kept[block] and levels[block] == 0)
    added = [block for block in adding if _ADDED.fullmatch(blocks.text_of(block))]
    beside = {
        block for block in found if _is_above_media(blocks, block) or (block and _is_above_media(blocks, block - 1))
    }
    alone = _outside_lists(blocks, [block for block, match in found.items() if match["pin"] or block not in beside])
    return alone + added


def _bare_bylines(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the kept blocks that are only "By" or "Written by", if no line that may be a name is kept right below."""
    found = list[int]()
    for block in (kept & (blocks.words > 0) & (blocks.words <= BARE_BY)).nonzero()[0].tolist():
        text = blocks.text_of(block).rstrip(" :：–—-|·").lower()
        if text.endswith(("by", "von", "par", "por")) and _BARE_BY.fullmatch(text):
            after = blocks.text_of(block + 1).strip() if kept[block + 1 : block + 2].any() else ""
            found += [] if after and not after.endswith(".") and not DATE.match(after) else [block]
    return _outside_lists(blocks, found)


def _advert_labels(blocks: Blocks, kept: Bools, levels: npt.NDArray[np.uint8], likely: Likely) -> list[int]:
    """Return the kept blocks that say only that an advertisement follows; no title, link or item.

    In other languages than English such a word may also be a label or a value: no small cell is only that.
    """
    may_be = (block for block in likely["advert"] if kept[block] and levels[block] != 1)
    short = (block for block in may_be if blocks.words[block] <= _ADVERT_WORDS)
    matches = {block: match for block in short if (match := _ADVERT.fullmatch(blocks.text_of(block)))}
    found = [block for block in matches if not blocks.link_words[block]]
    if not found:
        return found
    page, first = blocks.page, blocks.first[found]
    around = page.nearest(page.is_one_of(_ITEMS))[first]
    starts, ends = blocks.extents(around)
    is_large, in_cell = (ends - starts > _CELL_BLOCKS).tolist(), np.isin(page.tag[around], _CELL).tolist()
    rows = zip(found, around.tolist(), in_cell, is_large, strict=True)
    return [block for block, item, cell, large in rows if item < 0 or (cell and (large or matches[block]["english"]))]


def _calls(blocks: Blocks, kept: Bools, levels: npt.NDArray[np.uint8], likely: Likely) -> list[int]:
    """Return the kept blocks that ask readers for money, manners or consent, with the elements named for that."""
    may_be = ((block, phrases) for block, phrases in likely["call"].items() if kept[block] and levels[block] != 1)
    found = sorted(block for block, phrases in may_be if _begins_with(blocks.text_of(block).lower(), phrases))
    if not found:
        return found
    page, sums = blocks.page, sums_before(blocks.words * kept)
    most = CALLS * int(sums[-1])
    named = page.has_class(page.classes.named(_OF_CALLS)) | np.isin(page.id_code, page.ids.named(_OF_CALLS))
    nodes, around = list[npt.NDArray[np.intp]](), page.parent[blocks.first[found]].astype(np.intp)
    for _ in range(LEVELS):
        first, end = blocks.extents(around)
        nodes.append(around[named[around] & (around > 0) & (sums[end] - sums[first] <= most)])
        around = np.unique(page.parent[around[around > 0]])
    goes = kept & (page.within_at(np.unique(np.concatenate(nodes)), blocks.first) > 0)
    goes[found] = True
    return goes.nonzero()[0].tolist() if int(blocks.words[goes].sum()) <= most else []


def _begins_with(line: str, phrases: list[str]) -> bool:
    """Return whether a line in lower case begins with one of some phrases, perhaps behind "please"."""
    before = _BEFORE_CALL.match(line)
    starts = {before.end("signs"), before.end()} if before else ()
    return any(compiled(phrase).match(line, start) for start in starts for phrase in phrases)


def _filing_lines(blocks: Blocks, kept: Bools, levels: npt.NDArray[np.uint8], likely: Likely) -> list[int]:
    """Return the kept blocks that are tags or categories with a label: links, or plain ones of articles and recipes.

    Those right above a picture stay, as it would go with them.
    """
    found, cooks = list[int](), is_recipe(blocks.page)
    of_one_text = cooks or is_article(blocks.page)
    for block in likely["filing"]:
        words, linked = int(blocks.words[block]), int(blocks.link_words[block])
        is_linked = 0 < linked < words <= linked + LEAD
        if not kept[block] or not 1 < words <= FILED or levels[block] == 1 or not (is_linked or of_one_text):
            continue
        text = blocks.text_of(block)
        match = _FILED.match(text)
        if match and not _is_above_media(blocks, block):
            is_plain = (match["keywords"] and cooks) or match["tags"]
            found += [block] if is_plain or (is_linked and not _BYLINE.search(text)) else []
    return found if len(found) <= FILINGS else []


def _last_label(blocks: Blocks, kept: Bools) -> list[int]:
    """Return the last kept blocks if they are labels of links that are dropped, such as "Recent posts from Ann:"."""
    found = list[int]()
    for block in kept.nonzero()[0][::-1].tolist():
        after = block + 1
        is_short = after < len(blocks) and blocks.words[block] <= LAST_LABEL and not blocks.link_words[block]
        is_over = is_short and (found or 2 * blocks.link_words[after] >= blocks.words[after])
        if not is_over or not _is_label(blocks.text_of(block)) or _is_above_media(blocks, block):
            break
        found.append(block)
    return found


def _is_label(text: str) -> bool:
    """Return whether a text ends with a colon, which is not the end of the name of an emoji: ":wink:"."""
    text = text.rstrip()
    return text.endswith(COLONS) and not text.split()[-1][:-1].startswith(COLONS)


def _is_above_media(blocks: Blocks, block: int) -> bool:
    """Return whether a picture or the like is between a block and the next one."""
    end = int(blocks.first[block + 1]) if block + 1 < len(blocks) else len(blocks.page)
    media = blocks.page.nodes_of(_MEDIA)
    return bool(media.searchsorted(blocks.last[block], "right") < media.searchsorted(end))
