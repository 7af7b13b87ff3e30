"""Leave out of kept blocks what is no text of the page for its readers: controls, and text that they do not see."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import COLONS
from dehusk.base.errors import counted
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels, relabelled
from dehusk.blocks.layout import Nodes, is_holder
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools, Page
from dehusk.visible.concealment import Suspicion
from dehusk.visible.hidden_text import ConcealedText, concealed_text
from dehusk.visible.shop_prices import unshown_prices
from dehusk.visible.suspects import LINK_SIGNS, Suspects, are_short, label_of, suspects_of

# ---------------------------------------------------------------- litter
# Find controls of a page among its kept text: permalink signs, copy buttons, line numbers, edit links.
#
# What counts is the shape: a `#` is the sign of a permalink only as the whole text of a link to its own section.

PERMALINK, COPY, EDIT, LINE_NUMBER = "sign of a permalink", "copy button", "edit link", "line number"
BOX, NUMBER, UNSEEN = "box to tick", "number of the item, which the list gives it", "nothing to see"
CONTROL, SPOKEN = "button that is no text", "for screen readers, in place of the text beside it"
IN_PARTS = "said whole for screen readers right beside it"
ELSEWHERE, OVERLAID = "for screen readers: where a link opens", "the text of the link that lies over it"
IN_HEADING, EXPANDING = "for screen readers, in a heading with text", "what a click or another screen would show"
REPEATED, LIGATURE = "the caption once more, without its picture", "name of an icon, which its font draws"
COMMENTS = "link to the comments, with their number"
HANGING = "sign that parts the end of a line from nothing"

_BUTTON, _LINK, _ICON, _HEADINGS = numbers("a button"), numbers("a"), numbers("i"), numbers(HEADINGS)
_ENTITLING = numbers(HEADINGS | {"figcaption"})
_FIGCAPTION, _IMAGE = numbers("figcaption"), numbers("img")
_ENTITLED = numbers(HEADINGS | {"dt", "caption", "figcaption", "legend", "summary"})
_MAX_LABEL, _LONGEST_HEADING = 60, 300  # characters
_BOXES = "▢☐□◻⬜•●▪◦‣"
"""Signs to tick on paper, which recipes have before each ingredient, and bullets; an item has a sign of its own."""
_PARTS, _LISTING, _BYLINE = frozenset("|·•⋅∙｜"), numbers("pre code"), 30
"""Signs between the parts of a line, what shows them as they are, and the words of a line that has parts, at most."""
_INVISIBLE = "\u200b\u200d\u2060\ufeff"
"""Characters without a width, which editors put into paragraphs and lines that would be empty. Not the one that parts
Persian words."""
_ITEM, _NUMBERED, _BLANKS = numbers("li"), numbers("ol"), 80  # characters of and before such a text, with white space
_LONGEST_SIGN = 4  # characters, with a space after it: "12. "
_TERM, _DEFINITION = numbers("dt"), numbers("dd")
_NOT_SHOWN = pattern(r"(?:^|;)\s*display\s*:\s*none", re.IGNORECASE)
_SENTENCE, _WORDS = 40, 24
"""Characters of a text that is no refrain if it stands twice, at least, and of words that a style hides, at most."""
_LINK_LEVELS, _HEADING_LEVELS, _BUTTON_LEVELS = 4, 8, 3  # elements around a text, up to a link, a heading, a button
_BESIDE = 3  # nodes between a link and the start or end of what it leads to
_ANCHOR = pattern(
    r"(?:^|[\s_-])(?:header-?link|head(?:ing|er)?-?anchor|anchor(?:-?link)?|permalink|hash-?link)(?:$|[\s_-])",
    re.IGNORECASE,
)
_SCALE = pattern(r"(?:\d{1,2}(?:[.,]\d{1,2})?|\.\d{1,2}|[¼½¾⅓⅔]) ?[x×]")
TOGGLES = (
    r"(?:show|read|see|view|load) (?:more|less|all|fewer)|(?:expand|collapse)(?: all)?"
    r"|(?:mehr|weniger|alle) (?:an)?zeigen|mehr (?:lesen|erfahren|laden)|weiterlesen|auf-?klappen|zu-?klappen"
    r"|(?:voir|afficher|lire) (?:plus|moins|tout)|en savoir plus|lire la suite|(?:ver|mostrar|leer) (?:más|menos|todo)"
    r"|(?:ver|mostrar|ler) (?:mais|menos|tudo)|(?:mostra|leggi|vedi) (?:di più|di meno|altro|meno|tutto)"
    r"|(?:toon|lees|bekijk) (?:meer|minder|alles)|(?:meer|minder) (?:tonen|lezen)"
    r"|(?:visa|läs|vis|les|læs) (?:mer|mere|mindre)"
    r"|(?:pokaż|czytaj|zobacz) (?:więcej|mniej|wszystkie)|rozwiń|zwiń"
    r"|(?:показать|читать) (?:ещё|еще|больше|полностью|все|всё)|развернуть|свернуть"
    r"|daha (?:fazla|az) göster|devamını oku|展开(?:全文|全部|更多)?|收起|(?:显示|查看|加载)(?:更多|全部)"
    r"|阅读全文|閱讀更多|顯示更多|もっと見る|続きを読む|折りたたむ|더 ?보기|접기|펼치기"
)
"""The labels of buttons that open or close a part of the text, or load more of it."""
_TOGGLE = pattern(TOGGLES, re.IGNORECASE)
_FOR_READERS = NamePattern(
    r"(?:^|[\s_-])(?:sr-?only|sr-text|(?:caption|for)-sr|visually-?hidden|hidden-?visually|element-invisible|"
    r"screen-?reader(?:s|-text|-only)?|a11y(?:-hidden|-text|-only)?|assistive-text|off-?screen|clipped|g-hdn)(?:$|[\s_-])",
    "sr- sronly -sr visually t-invisible reader a11y assistive screen clipped g-hdn",
)
_ICON_FONT = NamePattern(
    r"(?:^|\s)(?:material-(?:icons|symbols)[\w-]*|mat-icon|google-symbols)(?:$|\s)", "material- mat-icon google-symbols"
)
_ICON_NAME = pattern(r"[a-z][a-z0-9_]+|[\ue000-\uf8ff]+")
_EXPANDS = NamePattern(
    r"(?:^|\s)(?:bbcodeblock-expandlink|quoteexpand|ipstime__short|toggle-expand|a(?:ok)?-hidden|"
    r"hover-info|not-machine:hidden|viewcode-link|mw-editsection|shortdescription|hideme|ttc)(?:$|\s)",
    "expandlink quoteexpand ipstime__short toggle-expand a-hidden aok-hidden hover-info not-machine:hidden"
    " viewcode-link mw-editsection shortdescription hideme ttc",
)
"""The classes of XenForo 2 and 1, of what Invision shows in place of the whole date on narrow screens, of Zhihu, of
messages that Amazon's pages hold ready, of hints in the documentation of Lean, of text for machines, of links to the
source in that of Sphinx, of MediaWiki, of what opens a text that Rustdoc shows, and of Doxygen's tooltips."""
_MATH_GROUP, _OF_MATH_GROUP = pattern(r"\\?\$\\(?:begin|end)group\\?\$"), NamePattern(r"^d-none$", "d-none")
"""What Stack Exchange puts, unseen, around each post and comment of a site with formulas."""
_UPDATED, _TIME = NamePattern(r"(?:^|\s)updated(?:$|\s)", "updated"), numbers("time")
_SLOGAN = NamePattern(r"^sitesub$", "sitesub")
"""The id of the line below each title in which MediaWiki says what the site is."""
_WORD = pattern(r"[^\W\d_]+|\d+")
_MARK_OF_NUMBER = pattern(r"\d[.,](?=\d)")
# fmt: off
_OPENS_ELSEWHERE = pattern(
    r"\W*(?:(?:this )?(?:external )?link )?(?:will )?"
    r"open(?:s|ing)? (?:in )?(?:a )?new (?:browser )?(?:window|tab)(?: or tab)?\W*|"
    r"\W*(?:external link|externer link|lien externe|enlace externo|link is external|link sends e-?mail)\W*|"
    r"\W*(?:(?:link )?öffnet|wird) (?:sich )?(?:in )?(?:einem )?neue[nms] (?:fenster|tab)(?: geöffnet)?\W*|"
    r"\W*(?:s.)?ouvre (?:dans )?une? (?:nouvelle fenêtre|nouvel onglet)\W*|\W*nouvelle fenêtre\W*|"
    r"\W*(?:se )?abre en (?:una )?(?:nueva (?:ventana|pestaña)|(?:ventana|pestaña) nueva)\W*|"
    r"\W*(?:si )?apre in (?:una )?nuova (?:finestra|scheda)\W*|"
    r"\W*abre (?:em|numa) (?:uma? )?nov[ao] (?:janela|aba|guia|separador)\W*|"
    r"\W*opent in (?:een )?nieuw (?:venster|tabblad)\W*|\W*otwiera się w now(?:ym oknie|ej karcie)\W*|"
    r"\W*(?:öppnas|åbner|åbnes|åpnes|åpner) i (?:et |ett |en )?ny(?:tt?)? (?:fönster|flik|vindue|fane|vindu)\W*|"
    r"\W*(?:откроется|открывается) в нов(?:ом окне|ой вкладке)\W*|"
    r"\W*新しい(?:ウィンドウ|ウインドウ|タブ)で開(?:く|きます)\W*|\W*在?新(?:窗口|标签页|視窗|分頁)中?(?:打开|開啟)\W*"
)
# fmt: on
"""What a text for screen readers in a link says of it, in lower case."""
_CONTROL = pattern(r"copy|clipboard|btn|button", re.IGNORECASE)
_EDITS = pattern(r"[?&](?:ve)?action=edit\b")
_DISCUSSED = NamePattern(r"comment|respond|disqus", "comment respond disqus")
"""Names on pages with comments; to look through the source for such links takes ten times as long."""
_TO_COMMENTS = pattern(r"#[^\d#]*(?:comment|respond|disqus)[^\d#]*$", re.IGNORECASE)
"""Where all comments of a page are; that of one comment has a number."""
_COUNT = pattern(
    r"\d{1,6}|(?:(?:\d{1,6}|no|(?:add|leave|post|view|write)(?: an?| all)?)\s{0,3})?(?P<word>comments?"
    r"|kommentarer?|kommentare?|commentaires?|comentarios?|comentários?|comment[io]|reacties?|komentarz[ey]?|комментари[йяев]{1,2}|yorum(?:lar)?"
    r"|σχόλι[αο]|评论|評論|コメント|댓글)(?:\s{0,3}(?:\(\d{1,6}\)|[:：]\s{0,3}(?:\d{1,6}|none)))?"
)
_PARTING, _OPENS, _CLOSES = frozenset("|·•/–—-:,"), ("(", "["), (")", "]")
"""Signs between the parts of a byline, and around one."""


def find_litter(page: Page, suspects: Suspects) -> dict[str, Nodes]:
    """Return what it is -> the text nodes, for text nodes that are controls of the page.

    Args:
        page: the page.
        suspects: the text nodes to judge, and which of them may be controls.
    """
    signed, bracketed, copying = suspects.signed, suspects.bracketed, suspects.copying
    readers, pairs = _for_readers(page, suspects.above), _alike_in_turn(page, suspects.text)
    always = {
        OVERLAID: _overlaid(page, pairs),
        REPEATED: _repeated_captions(page),
        LIGATURE: _ligatures(page),
        EXPANDING: [*_unshown(page), *_unshown_words(page, suspects), *_again(page, pairs)],
        COMMENTS: [*_comment_counts(page, suspects)],
    }
    suspected = suspects.has_listings or signed or bracketed or copying or suspects.buttons or readers
    if not suspected and not any(always.values()):
        return {}
    buttons = [node for node in suspects.buttons if label_of(page, node) in LINK_SIGNS and _is_entitled(page, node)]
    found = {
        PERMALINK: _permalinks(page, signed) + buttons,
        CONTROL: [
            *_beside_headings(page, suspects),
            *_acting(page, suspects.buttons),
            *_spoken(page, suspects, readers),
        ],
        **_said_twice(page, suspects.text, readers),
        ELSEWHERE: list(_of_elsewhere(page, readers)),
        **always,
        IN_HEADING: list(_in_headings(page, readers)),
        EDIT: list(_edit_links(page, bracketed)),
        COPY: [node for node in copying if _is_control(page, node)] + _headers(page, suspects),
        LINE_NUMBER: _line_numbers(page, suspects.text) if suspects.has_listings else [],
    }
    return {name: _text_inside(page, suspects.text, nodes) for name, nodes in found.items() if nodes}


def find_empty_signs(blocks: Blocks, text: Nodes) -> dict[str, Nodes]:
    """Return what it is -> the text nodes, of some, that are a second sign of an item, or have nothing to see."""
    found, page = _signs_of_items(blocks, text) | {HANGING: _hanging_signs(blocks, text)}, blocks.page
    if any(map(page.text.__contains__, _INVISIBLE)):
        short = text[page.text_end[text] - page.text_start[text] <= _BLANKS].tolist()
        found[UNSEEN] = [node for node in short if not _stripped(page, node, node).strip(_INVISIBLE)]
    return {name: np.array(nodes, dtype=np.intp) for name, nodes in found.items() if nodes}


def _signs_of_items(blocks: Blocks, text: Nodes) -> dict[str, list[int]]:
    """Return the text nodes that items of lists start with, and that say what the list says: a sign or the number."""
    page = blocks.page
    items = page.nodes_of(_ITEM)
    if not len(items):
        return {}
    rows = text.searchsorted(items)
    has_text = rows < text.searchsorted(page.end[items])
    items, rows = items[has_text], rows[has_text]
    first = text[rows]
    ink = blocks.source.searchsorted(page.text_end[first]) - blocks.source.searchsorted(page.text_start[first])
    chosen = (ink <= _LONGEST_SIGN) & (page.text_end[first] - page.text_start[items] <= 2 * _BLANKS)
    found: dict[str, list[int]] = {BOX: [], NUMBER: []}
    numbered = dict[int, tuple[int, str]]()
    for item, row, node in zip(*(of[chosen].tolist() for of in (items, rows, first)), strict=True):
        own = _stripped(page, item, node)
        if len(own) == 1 and own in _BOXES:
            found[BOX].append(node)
        elif own[:1].isdecimal() and row + 1 < len(text) and text[row + 1] < page.end[item]:
            numbered[item] = node, own.rstrip(".):")
    places = _places(page) if numbered else {}
    for item, (node, number) in numbered.items():
        if number == str(places[item]) and _is_counted(page, int(page.parent[item])):
            found[NUMBER].append(node)
    return found


def _hanging_signs(blocks: Blocks, text: Nodes) -> list[int]:
    """Return the text nodes that end short lines and are only a sign, as in bylines before what is dropped."""
    page, block = blocks.page, _blocks_of(blocks, text)
    is_last, goes_on = np.ones(len(block), dtype=np.bool_), block[1:] == block[:-1]
    is_last[:-1] = ~goes_on
    is_last[1:] &= goes_on
    is_last[0] = False
    rows = (is_last & (page.text_end[text] - page.text_start[text] <= _BLANKS)).nonzero()[0]
    rows = rows[blocks.words[block[rows]] <= _BYLINE]
    signs = [node for node in text[rows].tolist() if _stripped(page, node, node) in _PARTS]
    listed = page.within_at(page.nodes_of(_LISTING), np.array(signs, dtype=np.intp)) > 0 if signs else ()
    return [node for node, is_listed in zip(signs, listed, strict=True) if not is_listed]


def _places(page: Page) -> dict[int, int]:
    """Return item -> which item of its list it is, from 1."""
    items, places, counts = page.nodes_of(_ITEM), dict[int, int](), Counter[int]()
    for item, around in zip(items.tolist(), page.parent[items].tolist(), strict=True):
        counts[around] += 1
        places[item] = counts[around]
    return places


def _is_counted(page: Page, items: int) -> bool:
    """Return whether an element is a list that counts from 1."""
    return bool(page.tag[items] in _NUMBERED) and not page.attribute(items, "start")


def _stripped(page: Page, first: int, last: int) -> str:
    """Return the text from the start of a node to the end of another one, without white space around it."""
    return page.text[page.text_start[first] : page.text_end[last]].strip()


def _unshown(page: Page) -> list[int]:
    """Return the elements that the style sheets of some engines hide, by their names."""
    named, slogans = page.nodes_of_class(_EXPANDS).tolist(), page.nodes_of_id(_SLOGAN).tolist()
    return [*named, *slogans, *_math_groups(page), *_days_of_changes(page), *unshown_prices(page)]


def _math_groups(page: Page) -> Iterator[int]:
    """Yield the elements that begin or end a group of formulas."""
    for node in page.nodes_of_class(_OF_MATH_GROUP).tolist():
        if page.text_end[node] - page.text_start[node] <= _WORDS and _MATH_GROUP.fullmatch(page.text_of(node).strip()):
            yield node


def _days_of_changes(page: Page) -> Iterator[int]:
    """Yield the `time` elements with the day of a change right after that of publication, which WordPress hides."""
    for node in page.nodes_of_class(_UPDATED).tolist():
        around, before = int(page.parent[node]), node - 1
        if page.tag[node] not in _TIME or "published" in page.class_names[page.class_code[node]].split():
            continue
        if page.is_text[before] and page.parent[before] == around and not page.text_of(before).strip():
            before -= 1
        if before > around and page.tag[before := int(page.parent[before])] in _TIME and page.parent[before] == around:
            yield node


def _beside_headings(page: Page, suspects: Suspects) -> list[int]:
    """Return the buttons in headings that have text beside them, as those that scale a recipe."""
    if not suspects.buttons:
        return []
    headings, buttons = page.nearest(page.is_one_of(_HEADINGS)), np.array(suspects.buttons, dtype=np.intp)
    if not (headings[buttons] >= 0).any():
        return []
    beside = suspects.text[page.within(buttons)[suspects.text] == 0]
    found: list[int] = buttons[(headings[buttons] >= 0) & np.isin(headings[buttons], headings[beside])].tolist()
    return found


def _spoken(page: Page, suspects: Suspects, readers: list[int]) -> list[int]:
    """Return the buttons that show a drawing, and say to screen readers only what they do."""
    if not suspects.buttons or not readers:
        return []
    buttons = np.array(suspects.buttons, dtype=np.intp)
    buttons = buttons[are_short(page, buttons)]
    shown = suspects.text[page.within(np.array(readers, dtype=np.intp))[suspects.text] == 0]
    found: list[int] = buttons[shown.searchsorted(buttons) == shown.searchsorted(page.end[buttons])].tolist()
    return found


def _acting(page: Page, buttons: list[int]) -> list[int]:
    """Return the buttons that scale a recipe or set the speed of a video, "2x", and those that open or close a text."""
    labels = (label_of(page, node).strip(" .…+›»▾▼▲▴") for node in buttons)
    return [
        at for at, label in zip(buttons, labels, strict=True) if _SCALE.fullmatch(label) or _TOGGLE.fullmatch(label)
    ]


def _for_readers(page: Page, above: Nodes) -> list[int]:
    """Return those of some elements whose class says that they are for screen readers."""
    codes = page.classes.named(_FOR_READERS)
    found: list[int] = above[page.has_class(codes)[above]].tolist() if codes else []
    return found


def _ligatures(page: Page) -> list[int]:
    """Return the elements whose texts are names or codes of icons, as "chevron_right", which a font of icons draws."""
    named = page.classes.named(_ICON_FONT)
    may_be = page.has_class(named).nonzero()[0].tolist() if named else []
    return [node for node in may_be if _ICON_NAME.fullmatch(label_of(page, node))]


def _in_headings(page: Page, readers: list[int]) -> Iterator[int]:
    """Yield those of some elements for screen readers that are in a heading or a caption with other text."""
    nodes = np.array(readers, dtype=np.intp)
    headings = page.nearest(page.is_one_of(_ENTITLING))[nodes]
    size = page.text_end - page.text_start
    for node, heading in zip(readers, headings.tolist(), strict=True):
        own = label_of(page, node) if heading >= 0 and size[heading] <= _LONGEST_HEADING else ""
        if any(map(str.isalnum, own)) and label_of(page, heading) != own:  # a colon parts what is before it
            yield node


def _of_elsewhere(page: Page, readers: list[int]) -> Iterator[int]:
    """Yield those of some elements for screen readers that say of a link with other text that it opens elsewhere."""
    nodes = np.array(readers, dtype=np.intp)
    links = page.nearest(page.is_one_of(_LINK))[nodes]
    size = page.text_end - page.text_start
    chosen = (links >= 0) & are_short(page, nodes) & (size[nodes] < size[links])
    for node, link in zip(nodes[chosen].tolist(), links[chosen].tolist(), strict=True):
        own = label_of(page, node)
        is_alone = size[link] <= 2 * _MAX_LABEL and label_of(page, link) == own
        if not is_alone and _OPENS_ELSEWHERE.fullmatch(" ".join(own.split())):
            yield node


def _alike_in_turn(page: Page, text: Nodes) -> list[tuple[int, int]]:
    """Return the pairs of some texts, one right after the other, that are the same but for letter case."""
    size = page.text_end[text] - page.text_start[text]
    rows = (size[1:] == size[:-1]).nonzero()[0]
    pairs = zip(text[rows].tolist(), text[rows + 1].tolist(), strict=True)
    return [pair for pair in pairs if label_of(page, pair[0]) == label_of(page, pair[1])]


def _overlaid(page: Page, pairs: list[tuple[int, int]]) -> list[int]:
    """Return the texts beside a link with the same text that lies over them, and that screen readers leave out."""
    holder = page.nearest(is_holder(page)) if pairs else ()
    found = []
    for pair in pairs:
        if holder[pair[0]] != holder[pair[1]]:
            continue
        links = [_hidden_link(page, node) for node in pair]
        found += [node for node, own, other in zip(pair, links, links[::-1], strict=True) if not own and other]
    return found


def _repeated_captions(page: Page) -> list[int]:
    """Return the captions of figures that repeat the one right before them, as for a picture that a click enlarges."""
    captions, found = page.nodes_of(_FIGCAPTION).tolist(), list[int]()
    if len(captions) < 2:
        return found
    images = page.nodes_of(_IMAGE)
    for before, caption in pairwise(captions):
        follows = (
            page.end[before] <= caption and not page.text[page.text_end[before] : page.text_start[caption]].strip()
        )
        has_image = images.searchsorted(before) < images.searchsorted(caption)
        if follows and not has_image and label_of(page, before) == label_of(page, caption) != "":
            found.append(caption)
    return found


def _again(page: Page, pairs: list[tuple[int, int]]) -> list[int]:
    """Return the texts that repeat the one right before them in their line, in elements alike: for other widths."""
    texts = ((pair, page.text_of(pair[0])) for pair in pairs)
    pairs = [pair for pair, text in texts if len(text) >= _SENTENCE and page.text_of(pair[1]) == text]
    holder = page.nearest(is_holder(page)) if pairs else ()
    around, tags = page.parent, page.tag
    return [
        later
        for node, later in pairs
        if holder[node] == holder[later]
        and around[around[node]] == around[around[later]] >= 0
        and around[node] != around[later]
        and tags[around[node]] == tags[around[later]]
    ]


def _unshown_words(page: Page, suspects: Suspects) -> Iterator[int]:
    """Yield the short elements in a line with others that a style hides, and such terms without a definition.

    A script shows them in place of others, as the "Now" of a sale; what a reader can open is longer.
    """
    short = [node for node in suspects.hidden if page.text_end[node] - page.text_start[node] <= _WORDS]
    styles = page.elements.values(np.array(short, dtype=np.intp), "style") if short else []
    short = [node for node, style in zip(short, styles, strict=True) if style and _NOT_SHOWN.search(style)]
    holders = is_holder(page) if short else ()
    for node in short:
        if page.tag[node] in _TERM:
            after = int(page.end[node])
            while after < len(page) and page.is_text[after] and not label_of(page, after):
                after += 1
            if after < len(page) and page.tag[after] in _DEFINITION and not label_of(page, after):
                yield node
        elif not holders[node] and _has_more(page, int(page.parent[node]), node):
            yield node


def _has_more(page: Page, around: int, node: int) -> bool:
    """Return whether the element around a short one has more text than that; a long one has."""
    is_long = page.text_end[around] - page.text_start[around] > _LONGEST_HEADING
    return bool(is_long) or label_of(page, around) != label_of(page, node)


def _hidden_link(page: Page, node: int) -> bool:
    """Return whether a node is in a link that screen readers leave out, a few levels up at most."""
    for _ in range(_LINK_LEVELS):
        node = int(page.parent[node])
        if node <= 0:
            return False
        if page.tag[node] in _LINK:
            return page.attribute(node, "aria-hidden") == "true"
    return False


def _comment_counts(page: Page, suspects: Suspects) -> Iterator[int]:
    """Yield the links in lines to the comments below with their number, and the sign that parts each from the line."""
    text = suspects.text
    if not page.ids.named(_DISCUSSED) and not page.classes.named(_DISCUSSED):
        return
    links = suspects.above[page.tag[suspects.above] == _LINK]
    links = links[are_short(page, links)]
    hrefs = page.elements.values(links, "href")
    found = [link for link, href in zip(links.tolist(), hrefs, strict=True) if href and _TO_COMMENTS.search(href)]
    holder = page.nearest(is_holder(page)) if found else text
    for link in found:
        match = _COUNT.fullmatch(" ".join(label_of(page, link).split()))
        if not match or _is_entitled(page, link):
            continue
        row, end = text.searchsorted((link, page.end[link])).tolist()
        beside = [
            int(text[at]) if 0 <= at < len(text) and holder[text[at]] == holder[link] else -1 for at in (row - 1, end)
        ]
        before, after = (page.text_of(node) if node >= 0 else "" for node in beside)
        if before.strip() in _OPENS and after.strip() in _CLOSES:
            yield from (link, *beside)
        elif not _needs(before, after, in_words=match["word"] is not None, in_word=_is_in_word(page, link, beside)):
            parting = [node for node, sign in zip(beside, (before, after), strict=True) if _only_parts(sign)]
            yield from (link, *parting[:1])


def _is_in_word(page: Page, link: int, beside: list[int]) -> bool:
    """Return whether a text beside a link is in the very element that the link is in, so that they are one word."""
    return any(node >= 0 and page.parent[node] == page.parent[link] for node in beside)


def _needs(before: str, after: str, *, in_words: bool, in_word: bool) -> bool:
    """Return whether the texts around a number of comments cannot do without it: a label, a bracket, a sentence."""
    start, end = before.rstrip(), after.lstrip()
    if start.endswith((*_OPENS, *COLONS)) and not _only_parts(start):
        return True
    is_glued = in_word and before[-1:].isalnum() and after[:1].isalnum()
    return is_glued or (in_words and ("".join(start.split()[-1:]).islower() or end[:1].islower()))


def _only_parts(text: str) -> bool:
    """Return whether a text is nothing but signs that part a line."""
    signs = "".join(text.split())
    return signs != "" and _PARTING.issuperset(signs)


def _said_twice(page: Page, text: Nodes, readers: list[int]) -> dict[str, list[int]]:
    """Return what of elements for screen readers, and of what is shown right before or after, says the same again."""
    found: dict[str, list[int]] = {SPOKEN: [], IN_PARTS: []}
    shown = text[page.within(np.array(readers, dtype=np.intp))[text] == 0]
    for node in readers:
        for beside in _neighbours(page, node):
            twin = _twin(page, node, shown[shown.searchsorted(beside) : shown.searchsorted(page.end[beside])])
            if twin == IN_PARTS:
                found[IN_PARTS].append(beside)
                break
            if twin or (len(label_of(page, node)) <= _MAX_LABEL and _is_shown_only(page, beside)):
                found[SPOKEN].append(node)
                break
    return found


def _twin(page: Page, node: int, shown: Nodes) -> str | None:
    """Return what of a text for screen readers and the shown text nodes beside it is one too many, None if nothing.

    The text may say what is shown in more words, if there is a number: "0 reviews" and "(0)". With a number more, as
    "9 reviews, 4.6 stars", it is the one to keep.
    """
    if not len(shown) or page.text_end[shown[-1]] - page.text_start[shown[0]] > _LONGEST_LABEL:
        return None
    spoken, seen = label_of(page, node), "".join([label_of(page, each) for each in shown.tolist()])
    words, repeated = _WORD.findall(spoken), _WORD.findall(seen)
    if not repeated or len(spoken) > _LONGEST_LABEL:
        return None
    if "".join(words) == "".join(repeated):
        marks = [len(_MARK_OF_NUMBER.findall(each)) for each in (spoken, seen)]
        return IN_PARTS if marks[0] > marks[1] else SPOKEN
    before, is_run, after = f" {' '.join(words)} ".partition(f" {' '.join(repeated)} ")
    if not is_run or not any(map(str.isdigit, repeated)):
        return None
    earlier, later = before.split(), after.split()
    is_part = any(map(str.isdigit, earlier[-1:] + later[:1]))  # as 99 is of 79.99
    return IN_PARTS if not is_part and any(map(str.isdigit, earlier + later)) else SPOKEN


def _neighbours(page: Page, node: int) -> Iterator[int]:
    """Yield the node right after an element, and those that end right before it; blank texts do not count."""
    after, before = int(page.end[node]), node - 1
    while after < len(page) and page.is_text[after] and not label_of(page, after):
        after += 1
    if after < len(page):
        yield after
    while before > 0 and page.is_text[before] and not label_of(page, before):
        before -= 1
    while before > 0 and page.end[before] <= node:
        yield before
        before = int(page.parent[before])


def _is_shown_only(page: Page, node: int) -> bool:
    """Return whether an element has words or a number that screen readers leave out; names of icons are none."""
    if page.is_text[node] or page.attribute(node, "aria-hidden") != "true":
        return False
    is_icon = page.tag[node] in _ICON or "icon" in page.class_names[page.class_code[node]].lower()
    return not is_icon and any(char.isalnum() for char in label_of(page, node))


def _headers(page: Page, suspects: Suspects) -> list[int]:
    if not suspects.has_listings:
        return []
    from dehusk.visible.listing_headers import header_texts  # noqa: PLC0415 (for pages with listings)

    return header_texts(page)


def _line_numbers(page: Page, text: Nodes) -> list[int]:
    from dehusk.visible.line_numbers import find_line_numbers  # noqa: PLC0415 (for pages with listings)

    return list(find_line_numbers(page, text))


def _text_inside(page: Page, text: Nodes, nodes: list[int]) -> Nodes:
    return text[page.within_at(np.array(sorted({*nodes}), dtype=np.intp), text) > 0]


def _permalinks(page: Page, signed: list[int]) -> list[int]:
    """Return the links that are the sign of their section's address, of those whose text is such a sign."""
    hrefs = page.elements.values(np.array(signed, dtype=np.intp), "href") if signed else []
    return [link for link, href in zip(signed, hrefs, strict=True) if _is_permalink(page, link, href)]


def _is_permalink(page: Page, link: int, href: str | None) -> bool:
    """Return whether a link with such a text gives the address of its own section."""
    address, _, fragment = (href or "").partition("#")
    to_page = bool(fragment) and (not address or address == (page.url or "").partition("#")[0])
    named = any(_ANCHOR.search(page.class_names[page.class_code[node]]) for node in (link, page.parent[link]))
    if not (to_page or named):
        return False
    return label_of(page, link) == "¶" or named or _is_entitled(page, link) or _leads_here(page, link, fragment)


def _is_entitled(page: Page, node: int) -> bool:
    """Return whether a node is in a heading or the like; an inline element is only a few levels deep."""
    for _ in range(_HEADING_LEVELS):
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
    for _ in range(_BUTTON_LEVELS):
        if node <= 0:
            return False
        if page.tag[node] in _BUTTON or page.attribute(node, "role") == "button":
            return True
        if page.tag[node] in _LINK and (page.attribute(node, "href") or "#") == "#":
            return True
        if _CONTROL.search(page.class_names[page.class_code[node]]):
            return True
        node = int(page.parent[node])
    return False


# ---------------------------------------------------------------- leaving out

HiddenText = Literal["drop", "keep"]
"""What to do with text that readers of the page do not see: leave it out, or keep it and only say so."""

_INSTRUCTIONS = "reads as instructions to a machine"
_LONGEST_LABEL = 120
"""Characters; longer texts of the shape of a label for screen readers are none."""
_LARGEST_SHARE = 0.3
"""Of the kept text; if more is concealed, scripts show it, because otherwise the page would be nearly empty."""
_MAX_WITH_INSTRUCTIONS = 2000
"""Characters of a concealed element that is hidden as a whole if one of its texts reads as instructions."""


def leave_out(labels: Labels, *, hidden: HiddenText = "drop", protected: Bools | None = None) -> Labels:
    """Return labels of which controls of the page and hidden text are left out, with notes on hidden text.

    Args:
        labels: the labels of a method, after the user's rules.
        hidden: what to do with hidden text.
        protected: (b,) blocks of which nothing is left out, because a rule keeps them.
    """
    blocks = labels.blocks
    kept = labels.kept if protected is None else labels.kept & ~protected
    suspects = suspects_of(blocks, kept)
    text = suspects.text
    if not len(text):
        return labels
    gone: dict[int, str] = {}
    litter = find_litter(blocks.page, suspects) | find_empty_signs(blocks, text)
    for name, nodes in litter.items():
        gone |= dict.fromkeys(nodes.tolist(), name)
    why_hidden = _why_hidden(blocks, suspects)
    if not gone and not why_hidden:
        return labels
    block = _blocks_of(blocks, text)
    if why_hidden:
        flagged = _whole_blocks(block, _are_in(text, why_hidden))
        labels = replace(labels, hidden={each: why_hidden[int(text[row])] for each, row in flagged.items()})
    labels = replace(labels, notes=labels.notes + _notes(labels, why_hidden, text, block, hidden))
    return _without(labels, gone | why_hidden if hidden == "drop" else gone, text, block)


def _why_hidden(blocks: Blocks, suspects: Suspects) -> dict[int, str]:
    """Return text node -> why readers do not see it."""
    page, text, concealed = blocks.page, suspects.text, concealed_text(blocks.page, suspects)
    reasons: dict[int, str] = {}
    instructions: dict[int, str] = {}
    if concealed is None or not len(rows := (concealed.way >= 0).nonzero()[0]):
        return reasons
    element = concealed.element[rows]
    size = dict(zip(rows.tolist(), (page.text_end[element] - page.text_start[element]).tolist(), strict=True))
    instructed = _instructing(blocks, concealed, rows, _blocks_of(blocks, text))
    ways = [*map(concealed.ways.__getitem__, concealed.way[rows].tolist())]
    for row, node, way in zip(rows.tolist(), text[rows].tolist(), ways, strict=True):
        if row in instructed:
            instructions[node] = f"{way.reason}, and {_INSTRUCTIONS}"
        elif way.suspicion is Suspicion.ALWAYS or (way.suspicion is Suspicion.SPOKEN and size[row] > _LONGEST_LABEL):
            reasons[node] = way.reason
    if reasons:
        length = (page.text_end - page.text_start)[text]
        if length[_are_in(text, reasons)].sum() > _LARGEST_SHARE * length.sum():
            reasons = {}
    return reasons | instructions


def _blocks_of(blocks: Blocks, text: Nodes) -> Nodes:
    """Return the block of each text node."""
    return blocks.first.searchsorted(text, side="right") - 1


def _instructing(blocks: Blocks, concealed: ConcealedText, rows: Nodes, block: Nodes) -> set[int]:
    """Return which of the rows of concealed texts read as instructions, with the rest of short concealed elements."""
    from dehusk.visible.wording import instructing  # noqa: PLC0415 (for pages with concealed text)

    distinct = np.unique(block[rows]).tolist()
    flags = instructing([blocks.texts[each] for each in distinct])
    found = {each for each, instructs in zip(distinct, flags, strict=True) if instructs}
    if not found:
        return set()
    page = blocks.page
    hits = rows[np.isin(block[rows], list(found))]
    elements = np.unique(concealed.element[hits])
    short = elements[page.text_end[elements] - page.text_start[elements] <= _MAX_WITH_INSTRUCTIONS]
    return set(hits.tolist()) | set(rows[np.isin(concealed.element[rows], short)].tolist())


def _whole_blocks(block: Nodes, chosen: Bools) -> dict[int, int]:
    """Return block -> the row of its first text, for blocks all of whose texts are chosen."""
    first = np.append(True, block[1:] != block[:-1]).nonzero()[0]
    first = first[np.logical_and.reduceat(chosen, first)]
    return dict(zip(block[first].tolist(), first.tolist(), strict=True))


def _are_in(text: Nodes, chosen: Mapping[int, str]) -> Bools:
    """Return which text nodes are keys of a mapping; `numpy.isin` takes several times as long for a few hundred."""
    return np.fromiter(map(chosen.__contains__, text.tolist()), np.bool_, len(text))


def _without(labels: Labels, gone: Mapping[int, str], text: Nodes, block: Nodes) -> Labels:
    """Return labels without some text nodes: blocks that consist of them are dropped, parts of blocks omitted.

    Signs of items are omitted also if they are blocks of their own, or the images beside them would go too.
    """
    if not gone:
        return labels
    chosen = _are_in(text, gone)
    dropped = {each: gone[int(text[row])] for each, row in _whole_blocks(block, chosen).items()}
    dropped = {each: reason for each, reason in dropped.items() if reason not in (BOX, NUMBER)}
    rows = list(dropped)
    kept, probability = labels.kept.copy(), labels.probability.copy()
    kept[rows], probability[rows] = False, 0.0
    reasons = list(labels.reasons)
    for each in rows if reasons else ():
        prefix = "hidden text: " if each in labels.hidden else ""
        reasons[each] = f"{prefix}{dropped[each]}"
    omitted: npt.NDArray[np.int32] = text[chosen & kept[block]].astype(np.int32)
    return replace(
        labels,
        kept=kept,
        label=relabelled(labels, kept),
        probability=probability,
        reasons=reasons,
        omitted=np.union1d(labels.omitted, omitted).astype(np.int32),
    )


def _notes(
    labels: Labels, why_hidden: Mapping[int, str], text: Nodes, block: Nodes, hidden: HiddenText
) -> tuple[str, ...]:
    """Return one line for each way in which text is hidden: how many blocks and parts of blocks."""
    if not why_hidden:
        return ()
    fate = "dropped" if hidden == "drop" else "kept"
    whole = Counter(labels.hidden.values())
    rows = (np.isin(text, list(why_hidden)) & ~np.isin(block, list(labels.hidden))).nonzero()[0]
    parts = Counter(why_hidden[int(text[row])] for row in rows.tolist())
    counts = [(f"{counted(count, 'block')} of hidden text", reason) for reason, count in sorted(whole.items())]
    counts += [(f"{counted(count, 'hidden part')} of blocks", reason) for reason, count in sorted(parts.items())]
    return tuple(f"{count} {fate}: {reason}" for count, reason in counts)
