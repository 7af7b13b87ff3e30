"""Images that are no content: icons, bullets, avatars, badges; and emoji, whose alternative text stands for them.

    >>> is_ornament(classes="", source="/img/blt.gif", alt="bullet", width="12", height="14")
    True

What an image is, is said by its class, its address, or its declared size. A figure, and an image that is declared to be
large, is content. A drawing that has no text of its own and is there three times, such as the balls before the lines of
old pages, is none, unless it is all that a link or a cell has.
"""

import re
from collections import Counter
from itertools import pairwise

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes, has_ink, is_holder
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_IMAGE, _FIGURE, _BREAK = numbers("img"), numbers("figure"), numbers("br hr")
_AROUND, _LINK = numbers("a td th"), numbers("a")
_OFTEN, _MARK, _DRAWN = 3, 2, (".gif", ".svg")
"""Times that one image is there, at least, characters of what it says, at most, and its type; set by hand."""
_SMALL, _LARGE, _LINE = 40, 100, 3
"""Pixels: the longer side of an ornament without other signs, the shorter side of content, the width of a line."""
_WORDS = r"(?:avatar|gravatar|userpic|icon|ico|badge|bullet|arrow|logo|spinner|loader|smiley|smilie|emoji|emoticon)s?"
_CLASS = pattern(
    r"(?<![^\W_])(?:[a-z]{0,10}avatar|author(?:[_-]?profile)?[_-]?(?:image|photo|pic(?:ture)?)|userpic|icon|badge|bullet|spinner|loader|smil(?:ey|ie)|t?w?emoji|emoticon)s?(?![^\W\d_])",
    re.IGNORECASE,
)
_ADDRESS = pattern(
    r"gravatar\.com/|(?:^|/)(?:\w{0,20}avatars?|userpics?|(?:status)?icons?|badges?|bullets?|smil(?:ey|ie)s?|twemoji|emojis?|emoticons?)/"
    r"|(?:^|[/_.-])(?:icon|ico|badge|bullet|blt|loader|spinner|smil(?:ey|ie)|emoji|chevron|caret"
    r"|avatar(?=[\d_])|arrow(?=[-_]?(?:down|left|next|prev|right|up)))s?(?:[-_.\d][^/]{0,80})?"
    r"\.(?:svg|gif|png|ico)$"
    r"|(?:^|/)(?:viewpost|lastpost|(?:print|e?mail|pdf|font)_?(?:button|increase|decrease))[\w-]{0,20}\.(?:png|gif)$",
    re.IGNORECASE,
)
_SEEN = (
    *("ico", "avatar", "author", "userpic", "badge", "bullet", "spinner", "loader"),
    *("smil", "emoji", "blt", "chevron", "caret", "arrow"),
    *("viewpost", "lastpost", "button", "increase", "decrease"),  # of vBulletin and Joomla
)
"""One of these is in whatever `_CLASS` or `_ADDRESS` finds."""
_NAMED = pattern(rf"(?:^|[^a-z]){_WORDS}(?:[^a-z]|$)", re.IGNORECASE)
_ICON_ALT = pattern(
    r"(?:[\w-]{1,20}[\s_-]){0,3}(?:icon|background|bullet|chevron|caret)s?"
    r"|profile (?:picture|photo) (?:for|of) .{1,60}",
    re.IGNORECASE,
)
"""What an image says that is an icon or a portrait: "play icon", "Profile picture for user ann"."""
_ACTS = pattern(r"bookmark and share|share (?:on|this)\b.{0,60}|(?:print|e-?mail) this\b.{0,40}", re.IGNORECASE)
"""What a picture in a link says that shares or prints a page."""
_PORTRAIT = NamePattern(r"(?:^|[\s_-])(?:gr)?avatars?(?:$|[\s_-])", "avatar")
"""The classes of what is around nothing but the picture of who wrote a post."""
_EMOJI = pattern(r"smil(?:ey|ie)|emoji|emoticon", re.IGNORECASE)
_EMOJI_WORDS = ("smil", "emoji", "emoticon")
_SIGN = pattern(r"[^A-Za-z0-9]{1,16}|[^\w\s]{1,3}[A-Za-z0-9]|:[\w+-]{1,32}:")
"""Alternative texts of emoji: "🍻", ":-)", ":D", ":joy:"."""
_PIXELS = pattern(r"\s*(\d{1,5})(?:\.\d+)?\s*(?:px)?\s*")


def ornaments_among(page: Page, images: Nodes) -> frozenset[int]:
    """Return which of some images of a page are no content, reading only what says so."""
    figures = page.nodes_of(_FIGURE)
    if len(figures):
        images = images[page.within_at(figures, images) == 0]
    if not len(images):
        return frozenset()
    given, *values = page.elements.columns(images, ("data-testid", "src", "alt", "width", "height"))
    classes = (page.class_names[code] for code in page.class_code[images].tolist())
    names = [f"{own} {more}" if more else own for own, more in zip(classes, given, strict=True)]
    rows = [(image, *(value or "" for value in own)) for image, *own in zip(images.tolist(), *values, strict=True)]
    found = {image for (image, *own), each in zip(rows, names, strict=True) if is_ornament(each, *own)}
    portraits = _portraits(page, images)
    found.update(image for image, _, _, *size in rows if image in portraits and not _is_large(*size))
    acting = [image for image, _, alt, *size in rows if _ACTS.fullmatch(alt.strip()) and not _is_large(*size)]
    if acting:
        links = page.nearest(page.is_one_of(_LINK))
        found.update(image for image in acting if links[image] >= 0)
    silent = {
        image: source
        for image, source, alt, *size in rows
        if len(alt.strip()) <= _MARK and _path(source).lower().endswith(_DRAWN) and not _is_large(*size)
    }
    return frozenset(found | _repeated_marks(page, silent))


def _portraits(page: Page, images: Nodes) -> set[int]:
    """Return which of some images are in an element that is named a portrait and has no text."""
    named = page.classes.named(_PORTRAIT)
    if not named:
        return set()
    boxes = page.nearest(page.has_class(named))[images]
    images, boxes = images[boxes >= 0], boxes[boxes >= 0]
    if not len(images):
        return set()
    texts = _shown_texts(page)
    is_empty = texts.searchsorted(boxes) == texts.searchsorted(page.end[boxes])
    return set(images[is_empty].tolist())


def _shown_texts(page: Page) -> Nodes:
    """Return the text nodes that are not empty, without alternative texts."""
    is_shown = has_ink(page).copy()
    is_shown[page.alt_nodes] = False
    shown: Nodes = is_shown.nonzero()[0]
    return shown


def _repeated_marks(page: Page, silent: dict[int, str]) -> set[int]:
    """Return images that are there again and again, each before or after text.

    No stars of a rating, which are side by side, and no placeholders of images that load late.

    Args:
        page: the page.
        silent: image -> its source, for those that say nothing.
    """
    times = Counter(filter(None, silent.values()))
    alike = np.array([image for image, source in silent.items() if times[source] >= _OFTEN], np.intp)
    if not len(alike):
        return set()
    apart = [bool(page.text[start:end].strip()) for start, end in pairwise(page.text_start[alike].tolist())]
    in_row = [not (before and after) for before, after in zip([True, *apart], [*apart, True], strict=True)]
    names = [{name for name, _ in own} for own in page.elements.attributes_of(alike)]
    around = page.nearest(page.is_one_of(_AROUND))[alike]
    has_text = [bool(page.text_of(node).strip()) for node in around]
    rows = zip(alike.tolist(), names, around.tolist(), has_text, in_row, strict=True)
    return {
        image
        for image, own, node, is_beside, is_side_by_side in rows
        if (node < 0 or is_beside) and not is_side_by_side
        if not any(name.startswith("data-") or name == "srcset" for name in own)
    }


def is_ornament(classes: str, source: str, alt: str, width: str, height: str) -> bool:
    """Return whether an image with such attributes is no content."""
    sides = _sides(width, height)
    if sides and min(sides) <= _LINE:
        return True
    if _are_large(sides):
        return False
    if _is_named(classes[:500], _path(source)) or _ICON_ALT.fullmatch(alt.strip()[:100]):
        return True
    is_small = len(sides) == 2 and max(sides) <= _SMALL
    return is_small and (not alt.strip() or _NAMED.search(alt.strip()[:100]) is not None)


def _sides(width: str, height: str) -> list[int]:
    """Return the lengths that an image declares in pixels."""
    return [int(match[1]) for side in (width, height) if (match := _PIXELS.fullmatch(side))]


def _is_large(width: str, height: str) -> bool:
    return _are_large(_sides(width, height))


def _are_large(sides: list[int]) -> bool:
    return len(sides) == 2 and min(sides) > _LARGE


def _is_named(classes: str, path: str) -> bool:
    """Return whether classes or an address name an ornament; looking for the words first takes less time."""
    both = f"{classes} {path}"
    if both.isascii() and not any(map(both.lower().__contains__, _SEEN)):
        return False
    return _CLASS.search(classes) is not None or _ADDRESS.search(path) is not None


def sign_places(page: Page) -> dict[int, tuple[list[str], list[str]]]:
    """Return text node -> the emoji before and after its text: each beside the nearest text on its line."""
    if not (signs := _signs(page)):
        return {}
    text = _shown_texts(page)
    holder, breaks = page.nearest(is_holder(page)), page.nodes_of(_BREAK)
    places: dict[int, tuple[list[str], list[str]]] = {}
    for image, sign in signs.items():
        after = int(text.searchsorted(image))
        for index, is_before in ((after - 1, False), (after, True)):
            node = int(text[index]) if 0 <= index < len(text) else -1
            ends = breaks.searchsorted(sorted((node, image)))
            if node >= 0 and holder[node] == holder[image] and ends[0] == ends[1]:
                places.setdefault(node, ([], []))[0 if is_before else 1].append(sign)
                break
    return places


def _path(address: str) -> str:
    """Return the end of an address without its query."""
    return "" if address.lstrip()[:5].lower() == "data:" else address.partition("?")[0].strip()[-200:]


def _signs(page: Page) -> dict[int, str]:
    """Return image -> the text that stands for it, for the emoji of a page."""
    images = page.nodes_of(_IMAGE)
    classes = [page.class_names[code][:500] for code in page.class_code[images].tolist()]
    rows = zip(images.tolist(), classes, *page.elements.columns(images, ("src", "alt")), strict=True)
    texts = {
        image: sign
        for image, names, source, alt in rows
        if alt and _SIGN.fullmatch(sign := " ".join(alt.split())) and _EMOJI.search(f"{names} {_path(source or '')}")
    }
    ornaments = ornaments_among(page, np.array([*texts], np.intp))
    return {image: sign for image, sign in texts.items() if image in ornaments}
