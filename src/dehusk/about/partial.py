"""Pages that show only a part of their text: those that ask to pay for the rest, one of several, and previews.

What is told is what the page says; docs/warnings.md has how.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.blocks.phrases import Phrases, compiled
from dehusk.blocks.post_profiles import engine_posts
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
_AFTER, _WITHIN = 8, 24  # blocks beyond the first and last kept ones that may say so, and between them
_SENTENCE = 8  # words of a text that is cut short, at least, and of a line with the number of a page, at most
_BESIDE, _LINE = 3, 60  # blocks after a text that is cut short, one of which leads to the rest, and its characters
_PREVIEW = 250  # kept words of the start of a text that is not free
_QUOTED = 60  # characters of a text in a message
_THREAD, _WITH_NUMBER = ("post", "question"), pattern(r"\d[^/]*/?$")  # comments may be on pages, too
_NOT_FREE = pattern(r'"isAccessibleForFree"\s*:\s*"?(?:false|no)\b', re.IGNORECASE)
_ASKS = (
    # en
    r"\b(?:subscribe|sign up|register|log in|sign in|pay)\b.{0,40}\b(?:to|and) (?:continue|keep)(?: reading\b|\W*$)",
    r"\b(?:subscribe|sign up|register|log in|sign in|pay)\b.{0,40}\b(?:to|and) read (?:more|on|this|the (?:full|rest))",
    r"\b(?:continue|keep) reading (?:this|the|with|for|by|your)\b.{0,40}\b(?:subscri|account|free|trial|member)",
    (
        r"\b(?:for|to) (?:paid |our |paying )?(?:subscribers[ -]only|members only|(?:paid"
        r"|paying) (?:subscribers|members))\b"
    ),
    r"\bsubscribers?[ -](?:only|exclusive)\b",
    r"\bread the (?:full|whole) (?:article|story)\b.{0,30}\b(?:subscri|member|in the app|in our app)",
    r"\bread (?:the )?(?:full|whole|rest).{0,30}\bin (?:the|our) app\b",
    (
        r"\byou(?:.ve| have) (?:reached|read|used|viewed|hit|exceeded) .{0,30}\b(?:free|article|story"
        r"|monthly) (?:articles?|limit|stories|views?|article)\b"
    ),
    r"\bcreate (?:an|a free|your) account to (?:read|continue|keep|unlock|view)",
    r"\b(?:members?|subscribers?|premium)[- ]only (?:story|article|content|post)",
    r"\bavailable to .{0,20}(?:members|subscribers) only",
    r"\b(?:unlock|get full access to) (?:this|the full|the rest|the whole|the) (?:article|story|post|text)\b",
    r"\baccess through your (?:institution|organi[sz]ation)",
    r"\bpreview of subscription content",
    r"\blog in via an institution",
    r"\bget access to the full (?:version|text)",
    r"\bpurchase (?:pdf|access|this article)",
    r"\bbuy article pdf",
    (
        r"\b(?:a|this|the) (?:free |limited )?preview (?:of|only|ends|has ended)?\b.{0,40}(?:document|book"
        r"|ends|of the first|subscription)"
    ),
    r"\breading a (?:free )?preview",
    r"\bnot (?:shown|included) in this preview",
    r"\b(?:you.ve reached|this is) the end of (?:this|the|your) (?:free )?preview",
    r"\b(?:only £|only \$|only €|for £1|for \$1).{0,40}(?:week|month).{0,60}(?:access|then|digital)",
    r"\byou have \d+ (?:free )?(?:articles?|stories) (?:left|remaining)",
    r"\bthis is your last free (?:article|story)",
    r"\b\d{1,3} ?% (?:of (?:this|the) (?:article|story|text) )?(?:left|remaining|to read)\b",
    (
        r"\b(?:the rest|remainder) of this (?:article|story|post|page|document) is (?:for|available|only"
        r"|locked|reserved|behind)"
    ),
    (
        r"\bto (?:read|see|view|unlock) (?:the )?(?:full|rest|remaining|whole)\b.{0,40}(?:subscri|sign|log"
        r"|join|register|upgrade|purchase|buy|download the app|account)"
    ),
    (
        r"\b(?:become a|join as a|upgrade to) (?:paid |premium |plus )?(?:member|subscriber"
        r"|premium)\b.{0,30}to (?:read|continue|unlock|access)"
    ),
    r"\bpages? \d+ to \d+ are not shown",
    # de
    r"\b(?:nur|exklusiv) für (?:plus-?|digital-?)?abonnent",
    r"\bweiterlesen mit\b",
    r"\bweiter geht es mit\b",
    (
        r"\b(?:um|zum|und) (?:diesen |den |ganzen |artikel )*(?:ganz )?(?:weiter ?(?:zu)?lesen|weiterlesen"
        r"|lesen)\b.{0,40}\b(?:abo|anmeld|registr|testen|freischalt)"
    ),
    (
        r"\b(?:jetzt|bitte) .{0,30}(?:abonnieren|anmelden|registrieren|freischalten|testen) (?:und"
        r"|um) .{0,30}(?:weiter|lesen)"
    ),
    (
        r"\b(?:diesen|dieser|den) (?:artikel|text|beitrag) .{0,40}(?:freischalten|mit (?:einem )?abo|nur mit"
        r"|exklusiv|kostenpflichtig|für abonnenten)"
    ),
    r"(?:\b(?:premium|plus)|\+)-?(?:artikel|inhalt)\b",
    r"\bder artikel ist kostenpflichtig",
    r"\bnoch \d{1,3} ?% (?:des|vom)",
    r"\bsie haben .{0,30}(?:kostenlosen|freien|gratis)",
    # fr
    r"\bréservée? (?:aux|à nos) (?:seuls )?abonné",
    r"\bil (?:vous )?reste \d+(?:[.,]\d+)?\s?% (?:de cet article )?à (?:lire|découvrir)",
    r"\bla suite est réservée",
    (
        r"\b(?:abonnez-vous|connectez-vous|inscrivez-vous|créez un compte) (?:pour|et) .{0,30}(?:lire|suite"
        r"|poursuivre|continuer|accéder)"
    ),
    (
        r"\bpour (?:lire la suite|poursuivre la lecture|continuer (?:à lire|votre lecture)"
        r"|accéder à (?:l'intégralité|la suite))"
    ),
    r"\b(?:article|contenu) (?:réservé|premium|payant)",
    r"\bvous avez (?:atteint|lu|consommé) .{0,30}(?:articles?|limite)",
    # es
    r"\b(?:contenido|artículo|noticia) (?:es )?(?:exclusiv[oa]|sólo|solo|premium) (?:para )?(?:suscriptor|socio)",
    r"\bsuscríbe(?:te|se) (?:para|y) (?:seguir|continu|leer|accede)",
    r"\b(?:para|y) (?:seguir|continuar) leyendo\b.{0,40}(?:suscr|regístr|inicia|accede|hazte)",
    (
        r"\b(?:regístrate|inicia sesión|hazte socio|suscríbete).{0,30}(?:seguir leyendo|leer más"
        r"|leer completo|continuar leyendo|lee sin límites)"
    ),
    r"\bhas (?:alcanzado|llegado al|leído|superado).{0,30}(?:artículos|límite|noticias)",
    r"\bte queda \d+ ?%",
    # it
    r"\b(?:contenuto|articolo) (?:è )?(?:riservato|esclusivo|premium)\b",
    r"\babbonati (?:per|e|a) (?:continuare|leggere|leggi)",
    r"\bper (?:continuare|proseguire) (?:a leggere|la lettura)\b.{0,40}(?:abbon|regist|acced)",
    r"\b(?:registrati|accedi) per (?:continuare|leggere)",
    r"\bhai (?:raggiunto|letto|esaurito|superato).{0,30}(?:articoli|limite)",
    r"\bsolo per (?:gli )?abbonati",
    r"\bti (?:resta|rimane) .{0,10}\d+ ?%",
    # pt
    (
        r"\b(?:conteúdo|matéria|artigo) (?:exclusiv[oa]|restrit[oa]|reservad[oa]) (?:para|a"
        r"|aos) (?:os )?(?:assinantes|subscritores)"
    ),
    r"\b(?:assine|cadastre-se|faça login|registe-se|subscreva).{0,30}(?:para|e) (?:continuar|ler|ter acesso|leia)",
    r"\bvocê (?:atingiu|chegou|leu|esgotou) .{0,40}(?:limite|matérias|artigos|gratuit)",
    r"\bpara (?:continuar a ler|continuar lendo|ler (?:até o fim|na íntegra|o artigo completo|a matéria completa))",
    r"\bfalta(?:m)? \d+ ?%",
    # nl
    r"\b(?:alleen|exclusief) voor (?:abonnees|leden)",
    r"\b(?:verder|door) ?lezen\b.{0,40}(?:abonn|account|inlog|registr|gratis)",
    r"\b(?:log in|word abonnee|abonneer|neem een abonnement).{0,30}(?:verder|lees|lezen)",
    r"\bom (?:dit artikel|verder) te (?:lezen|kunnen lezen)",
    r"\bje hebt .{0,30}(?:gratis artikel|limiet)",
    r"\bnog \d+ ?% van",
    # pl
    r"\bdostęp(?:ny|na)? (?:tylko|wyłącznie) dla (?:prenumeratorów|subskrybentów|abonentów)",
    r"\bpozostało (?:jeszcze )?\d+ ?%",
    r"\b(?:aby|żeby|by) (?:czytać dalej|przeczytać całość|kontynuować)",
    r"\b(?:zaloguj się|wykup|kup).{0,30}(?:czytaj|czytać|całość|przeczytać)",
    r"\b(?:artykuł|treść|tekst) (?:tylko |wyłącznie )?(?:dla prenumerat|dla subskryb|premium|płatn)",
    r"\bwykorzystał\w* .{0,30}limit",
    r"\bczytaj dalej w (?:prenumeracie|subskrypcji)",
    # cs, ru, uk, bg, sv, da and no, fi, hu, ro, hr, tr, el, ar, he, fa, hi, ja, zh, ko, vi, id, th
    r"(?:^|\s)(?:pouze|jen|exkluzivně) pro (?:předplatitel|členy)",
    r"\b(?:předplaťte|přihlaste).{0,30}(?:číst|čtěte|pokrač)",
    r"\bchcete číst (?:dál|celý)",
    r"\bpokračovat ve čtení\b.{0,30}předplatn",
    r"\bzbývá (?:vám )?\d+ ?%",
    r"только (?:для подписчиков|(?:по платной )?подписчикам)",
    r"(?:полный|полная|полную) (?:текст|верси\w+|стать\w+).{0,30}(?:по подписке|подписчик|доступ)",
    r"(?:оформите|купите) подписку.{0,30}(?:читать|прочитать|чтобы)",
    r"(?:чтобы|для того чтобы) (?:читать|дочитать|прочитать).{0,40}(?:подпис|войдите|регистр)",
    r"хотите прочитать целиком",
    r"осталось (?:прочитать )?\d+ ?%",
    r"(?:лише|тільки) (?:для )?(?:передплатник|підписник)",
    r"оформіть (?:передплату|підписку).{0,30}(?:читати|щоб)",
    r"(?:щоб|для) (?:читати|прочитати|читання).{0,40}(?:передплат|підпис|увійд)",
    r"само за абонати",
    r"за да (?:четете|прочетете|продължите).{0,40}(?:абон|вход|регистр)",
    r"\b(?:endast|bara|exklusivt) för prenumeranter",
    r"\b(?:logga in|bli prenumerant|prenumerera|skaffa).{0,30}(?:läsa|läs vidare|fortsätt)",
    r"\bden här artikeln (?:är låst|är för)",
    r"\bläs vidare\b.{0,30}(?:prova|prenumer)",
    r"\bdenne (?:saken|artikkelen) er (?:bare |kun )?for (?:abonnent|medlemm)",
    r"\bfå adgang til (?:hele )?artiklen\b",
    r"\bför att (?:läsa vidare|fortsätta läsa)",
    r"\b(?:kun|bare|udelukkende) for (?:abonnenter|medlemmer|abonnentar)",
    r"\b(?:log ind|bliv abonnent|køb abonnement|logg inn|bli abonnent|kjøp).{0,30}(?:læse|læs|lese|les )",
    r"\bfor at læse (?:videre|hele)",
    r"\bfor å lese (?:videre|hele|saken)",
    r"\bvain tilaajille",
    r"\btilaa.{0,30}(?:lukea|jatkaa|lue)",
    r"\bjatka lukemista (?:tilaa|kirjau)",
    r"\bartikkeli on (?:vain )?tilaaj",
    r"\bkirjaudu .{0,20}lukeaksesi",
    r"\bcsak előfizető",
    r"\b(?:előfizet|jelentkez).{0,30}(?:olvas|folytat)",
    r"\ba (?:folytatáshoz|teljes cikk)",
    r"\b(?:doar|exclusiv) pentru abonaț",
    r"\b(?:abonează-te|abonați-vă).{0,30}(?:citi|continua)",
    r"\bpentru a citi (?:mai departe|tot|integral)",
    r"\bsamo za pretplatnike",
    r"\bpretplatite se.{0,30}(?:čita|nastav)",
    r"\bza nastavak čitanja",
    r"(?:sadece|yalnızca) abone",
    r"(?:abone ol|üye ol|giriş yap)\w*.{0,30}(?:devam|oku)",
    r"(?:devamını|tamamını) (?:okumak|görmek) için",
    r"okumaya devam (?:etmek için|et.{0,30}abone)",
    r"μόνο για συνδρομητές",
    r"(?:συνδρομή|συνδεθείτε|εγγραφείτε).{0,40}(?:διαβάσετε|συνέχεια)",
    r"για να (?:διαβάσετε|συνεχίσετε)",
    r"للمشتركين فقط",
    r"(?:اشترك|سجل).{0,30}(?:لمتابعة|لقراءة|للقراءة|لمواصلة)",
    r"لمتابعة القراءة",
    r"لقراءة (?:المقال كامل|المزيد اشترك)",
    r"למנויים בלבד",
    r"להמשך (?:קריאת|קריאה).{0,40}(?:מנוי|הצטרפו|הירשמו|התחברו)",
    r"כדי (?:להמשיך ל)?קרוא.{0,30}(?:מנוי|הירשמ|התחבר)",
    r"(?:فقط برای|ویژه) مشترک",
    r"برای (?:خواندن|مطالعه) ادامه.{0,40}(?:اشتراک|وارد|ثبت)",
    r"केवल (?:सदस्यों|ग्राहकों) के लिए",
    r"(?:पूरा|आगे) (?:लेख |पढ़ने).{0,30}(?:सब्सक्राइब|सदस्य|लॉग)",
    r"会員限定",
    r"有料会員",
    r"有料記事",
    r"残り\s?[\d,０-９]+\s?文字",
    r"(?:続き|全文|この先).{0,20}(?:会員|登録|ログイン|購読|有料|購入)",
    r"付费(?:阅读|内容|文章)",
    r"(?:订阅|登录|开通|付费|购买).{0,10}(?:后|後).{0,8}(?:继续阅读|阅读全文|查看|閱讀)",
    r"(?:本文|全文)共(?:计)?\d+字",
    r"[余餘]下(?:的)?(?:全文|内容|內容).{0,12}(?:登录|登入|订阅|訂閱|付费|付費)",
    r"(?:剩余|還有|还有).{0,10}(?:字|%|％).{0,10}(?:付费|订阅|未读|閱讀|阅读)",
    r"訂閱.{0,12}(?:繼續|全文|閱讀)",
    r"(?:会员|會員|订户|訂戶)(?:专享|專享|专属|限定|可读|獨享)",
    r"在app(?:内|中)?(?:打开|阅读|查看)",
    r"(?:구독|로그인|회원가입|결제).{0,10}(?:후|하고|하시면|해야).{0,16}(?:이용|볼 수|읽|열람|확인)",
    r"(?:계속|이어서?) 읽으(?:려면|시려면).{0,16}(?:구독|로그인|결제|가입)",
    r"(?:유료|구독자|회원) ?(?:전용|기사|콘텐츠)",
    r"(?:기사|글)의? (?:전문|나머지).{0,16}(?:구독|유료|로그인)",
    r"(?:chỉ dành cho|dành riêng cho) (?:thuê bao|hội viên|thành viên)",
    r"(?:đăng ký|đăng nhập|mua gói).{0,30}(?:đọc tiếp|xem tiếp|đọc toàn)",
    r"(?:khusus(?: untuk)?|hanya untuk) (?:pelanggan|member|anggota)",
    r"(?:berlangganan|masuk|daftar|login).{0,30}(?:untuk|dan) (?:lanjut|membaca|melanjutkan)",
    r"lanjut(?:kan)? (?:baca|membaca).{0,30}(?:langganan|daftar|login)",
    r"(?:เฉพาะสมาชิก|สำหรับสมาชิก).{0,20}",
    r"(?:สมัคร|เข้าสู่ระบบ).{0,20}(?:อ่านต่อ|อ่านฉบับเต็ม)",
)
"""Lines that ask to pay for the rest, whatever is above them; no newsletters, and no "subscribe to support us"."""
_HINTS = (
    # en
    r"\balready (?:a|have a|an?) (?:\w+ )?(?:subscri|member|account)",
    r"\balready (?:subscribed|registered)",
    r"\bsubscribe for (?:unlimited|full)",
    r"\bunlimited (?:digital )?access",
    r"\b(?:start|begin) (?:your|a) (?:free )?(?:trial|subscription)",
    r"\bcancel any ?time",
    r"\bfull range of subscriptions",
    r"\bpay to read\b",
    r"\b(?:get|buy|view) (?:full |instant )?access\b",
    r"\bcontinue in app\b",
    r"\bsee (?:all )?(?:subscription )?(?:plans|options)\b",
    r"\bsubscribe now\b",
    # de
    r"\bmonatlich kündbar\b",
    r"\bjederzeit kündbar\b",
    r"\bfür \d+,\d\d ?€ testen\b",
    r"\b(?:gratis|kostenlos) testen\b",
    r"\bprobemonat",
    r"\b(?:schon|bereits|sie sind) (?:abonnent|digitalabonnent|abo)",
    r"\bhier (?:anmelden|einloggen)\b",
    r"\balle (?:artikel|inhalte)\b.{0,30}(?:region|unbegrenzt|lesen|zugriff)",
    # fr
    r"\bdéjà abonné",
    r"\bsans engagement\b",
    r"\brésiliable\b",
    r"\bpremier mois\b",
    r"\b(?:je m'abonne|s'abonner|voir les offres|découvrir les offres)\b",
    # es
    r"\bya (?:eres|soy) (?:suscriptor|socio)",
    r"¿ya (?:eres|tienes)",
    r"\bcancela cuando quieras",
    r"\bprimer mes\b",
    r"\bsin permanencia\b",
    r"\bver (?:planes|ofertas)",
    r"\bquiero suscribirme",
    r"^suscríbete$",
    # it
    r"\bsei già (?:un )?abbonat",
    r"\bhai già un abbonamento",
    r"\b(?:disdici|annulla) quando vuoi",
    r"\bprimo mese\b",
    r"\b(?:scopri le|vedi le) offerte",
    r"^abbonati$",
    # pt
    r"\bjá é (?:assinante|subscritor)",
    r"\bjá sou assinante",
    r"\bcancele quando quiser",
    r"\bprimeiro mês\b",
    r"\b(?:ver|escolha um) planos?\b",
    # nl
    r"\b(?:al|ben je) abonnee",
    r"\b(?:maandelijks|elk moment|dagelijks) opzegbaar",
    r"\b(?:bekijk|kies) (?:een |je |de )?(?:abonnement|aanbied)",
    # pl
    r"\bmasz już (?:prenumerat|subskrypcj|dostęp)",
    r"\bjesteś (?:już )?prenumerat",
    r"\bprenumerat\w+ cyfrow",
    r"\bbez limitu\b",
    r"\bkup dostęp",
    r"\bwybierz (?:prenumerat|plan)",
)
"""Lines that are below whole texts, too: two of them below a short one say that it is not whole."""
_PAGES = pattern(r"(\d{1,5})\s*(?:of|von|de|di|sur|из|z|av|af|van|/|\|)\s*(\d{1,5})\b", re.IGNORECASE)
_FIRST = pattern(r"\bpages?:? ?1(?: ?\|? ?\d){1,9} ?next\b", re.IGNORECASE)
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
_NEXT = pattern(
    r"(?:next|weiter|nächste|suivante?|siguiente|successiva|próxima|volgende|następna|след|下一)\b|[>›»→]+$"
)
_NUMBER, _SET_OFF = pattern(r"\d{1,4}"), " \t\n\r\xa0[]()|,·•"
_LINK, _LEVELS, _PAGER = numbers("a"), 3, 60
"""Elements up from the number of a page to its link, and characters of a line with such numbers."""
_WORD, _FEW = pattern(r"[^\W\d_]+"), 4  # words of letters that such a line has beside them: "Pages (2): 1 2 Next"
_COMMENTS = (
    r"comment|komment|koment|responses|trackback|dyskus|reacties|yorum|σχόλι|коммент|отзыв|评论|評論|留言|コメント|댓글"
)
_OF_COMMENTS, _NO_PAGES = pattern(_COMMENTS), pattern(rf"{_COMMENTS}|cpage|disqus|^javascript:|^$")
"""Words in lines around the numbers of pages of comments, and in the addresses of these and of what is no page."""
_LAST = pattern(rf"\b(?:{'|'.join(_PAGE_WORDS)})\s+(\d{{1,5}})\s+\w{{1,3}}\s+\1\b", re.IGNORECASE)
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
    found = (_numbered(labels.blocks, first, last), _paged(labels, first, last), _followed(labels.blocks.page))
    several = next(chain.from_iterable(found), None)
    return [*_asked_to_pay(labels, last), *filter(None, [several]), *_cut_short(labels)]


def _asked_to_pay(labels: Labels, last: int) -> Iterator[PageWarning]:
    """Yield that a line near the end of the kept text asks to pay, or that the page declares that it is not free."""
    blocks, words, chars = labels.blocks, labels.blocks.words, labels.blocks.chars
    places = range(max(0, last - 2), min(last + 1 + _AFTER, len(blocks)))
    short = [block for block in places if 0 < words[block] <= _SHORT and chars[block] <= _CHARS]
    lines = {block: blocks.text_of(block).lower() for block in short}
    likely = _pay_phrases().likely("\n".join(lines.values()))
    asking, hinting = (_saying(lines, likely.get(name, ())) for name in ("asks", "hints"))
    if not asking and len(hinting) > 1 and int(words[labels.kept].sum()) < _PREVIEW:
        asking = hinting
    if asking:
        yield PageWarning("paywall", f"the page asks to pay for the rest: {quoted(blocks.text_of(asking[0]))}", asking)
    elif _is_not_free(blocks.page) and int(words[labels.kept].sum()) < _PREVIEW:
        yield PageWarning("paywall", "the page declares that it is not free, and little text is kept")


def _is_not_free(page: Page) -> bool:
    scripts = source_signs(page).linked_data
    return any("isAccessibleForFree" in script and _NOT_FREE.search(script) for script in scripts)


def _saying(lines: Mapping[int, str], phrases: Iterable[str]) -> tuple[int, ...]:
    """Return the blocks of which the line has one of some phrases."""
    return tuple(block for block, line in lines.items() if any(compiled(each).search(line) for each in phrases))


@cache
def _pay_phrases() -> Phrases[str]:
    return Phrases({"asks": _ASKS, "hints": _HINTS})


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
        if _FIRST.search(text):
            yield PageWarning("continues", "the page is the first of several", (block,))
            return
        match = _PAGES.search(text)
        word = _PAGE.search(text, 0, match.start()) if match else None
        is_part = word and text[: word.start()].rstrip().endswith(":")  # "Books: page 1 of 5"
        if match and word and not is_part and _is_of_page(blocks, block, int(match[1]), first, last):
            found.setdefault((int(match[1]), int(match[2])), block)
    for (number, count), block in found.items():
        if len(found) == 1 and 0 < number < count:
            yield PageWarning("continues", f"the page is number {number} of {count}", (block,))


def _is_of_page(blocks: Blocks, block: int, number: int, first: int, last: int) -> bool:
    """Return whether the number of a page is near the start or end of the text, or beside the next one.

    Strips of products that turn with a click have numbers, too.
    """
    if block <= first + _WITHIN or block >= last - _WITHIN:
        return True
    around = range(max(0, block - _AFTER), min(len(blocks), block + _AFTER + 1))
    texts = (blocks.text_of(other).strip().lower() for other in around if blocks.chars[other] <= _PAGER)
    return any(text == str(number + 1) or _NEXT.match(text) for text in texts)


def _paged(labels: Labels, first: int, last: int) -> Iterator[PageWarning]:
    """Yield that one of the numbers near the start or the end of a text is this page's, and the next one is a link."""
    blocks = labels.blocks
    ends = (block for block in (last - 1, last) if block >= 0 and labels.kept[block])
    if all(blocks.words[block] - blocks.link_words[block] < _SENTENCE for block in ends):
        return  # the end of a list
    for start, end in ((last + 1, last + 1 + _AFTER), (first - _AFTER, first)):
        near = range(max(0, start), min(len(blocks), end))
        lines = [block for block in near if blocks.digits[block] and blocks.chars[block] <= _PAGER]
        texts = {block: blocks.text_of(block) for block in lines}
        lines = [block for block, text in texts.items() if len(_WORD.findall(text)) <= _FEW]
        if not lines or not blocks.link_words[lines].any():
            continue
        around = range(near.start, min(lines[-1] + 3, len(blocks)))
        if any(_OF_COMMENTS.search(blocks.text_of(block)[:_CHARS].lower()) for block in around):
            continue
        if not any(map(_LAST.search, texts.values())) and (number := _number_of_page(blocks, lines)):
            yield PageWarning("continues", f"the page is number {number}, and there is a next one", tuple(lines))
            return


def _followed(page: Page) -> Iterator[PageWarning]:
    """Yield that the markup of a thread of a known engine leads to its next page, by an address with its number."""
    threads = (posts for posts in engine_posts(page) if any(rule.kind in _THREAD for rule in posts.profile.rules))
    if next(threads, None) is None:  # on other pages, the next one is often another text
        return
    links = page.elements.select("link[rel~=next], a[rel~=next]", contents=False)
    if any(_WITH_NUMBER.search(str(link.attrs.get("href", ""))) for link in links):
        yield PageWarning("continues", "the page is one of several, and the markup names the next one")


def _number_of_page(blocks: Blocks, lines: list[int]) -> int | None:
    """Return the number without a link that is before one whose link leads to another page of the same name."""
    page, linked, shown = blocks.page, dict[int, str](), set[int]()
    for block in lines:
        for node in range(int(blocks.first[block]), int(blocks.last[block]) + 1):
            if page.is_text[node]:
                text, address = page.text_of(node).strip(_SET_OFF), _address_of_link(page, node)
                if address is None:
                    shown.update(int(each) for each in _NUMBER.findall(text[:_PAGER]))
                elif _NUMBER.fullmatch(text):
                    linked[int(text)] = address
    names = {_NUMBER.sub("", address) for number, address in linked.items() if number > 1}
    if len(names) != 1 or len(set(linked.values())) < len(linked) or _NO_PAGES.search(names.pop().lower()):
        return None
    own = (number for number in shown if number + 1 in linked and (number == 1 or number - 1 in linked))
    return next(own, None)


def _address_of_link(page: Page, node: int) -> str | None:
    """Return the address of the link around a text, without its fragment; None if there is no link."""
    for _ in range(_LEVELS):
        node = int(page.parent[node])
        if node > 0 and page.tag[node] in _LINK:
            return (page.attribute(node, "href") or "").partition("#")[0]
    return None


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
