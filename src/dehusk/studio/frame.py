"""A page as it looked, with every text in an element `dh-b` of its block, for a sandboxed frame.

The HTML is written anew from the columns of the page: only known elements, only attributes that neither run nor load
anything, everything escaped. So a page cannot bring scripts, forms that send, links that lead anywhere or frames.
Images outside of the page are boxes of their size with their alternative text. Style sheets in the page stay, without
what they would load. `web/security.py` adds the policy that the browser enforces; the frame runs no scripts at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from dehusk.base.tags import TEXT
from dehusk.blocks import Blocks
from dehusk.read.page import Attributes

# ---------------------------------------------------------------- frame css
# Style sheets of a page, without anything that would load.
#
# The frame's policy blocks what remains; addresses are removed so that a browser has nothing to block and to report.

_MOST = 2_000_000  # characters of all style sheets of a page
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_AT_LOADS = re.compile(r"@(?:import|charset|namespace)\b[^;{}]*;?", re.IGNORECASE)
_FONT_FACE = re.compile(r"@font-face\s*\{[^{}]*\}", re.IGNORECASE)
_LOADS = re.compile(
    r"(?:url|src|image|(?:-webkit-)?image-set|(?:-webkit-)?cross-fade)\((?:\"[^\"]*\"|'[^']*'|[^()\"']|\([^()]*\))*\)?",
    re.IGNORECASE,
)
_DATA_IMAGE = re.compile(r"url\(\s*[\"']?data:image/(?:png|gif|jpeg|webp)[;,]", re.IGNORECASE)
_ESCAPED = re.compile(
    r"\\\\|\\(?:0000([4-7][0-9a-f]|2d)|0{0,3}([4-7][0-9a-f]|2d)(?![0-9a-f]))(?:\r\n|[ \t\r\n\f])?|\\([g-z-])",
    re.IGNORECASE,
)


def without_loads(css: str) -> str:
    """Return CSS without imports, fonts and addresses; images that are in the CSS itself stay."""
    css = _ESCAPED.sub(_unescaped, _COMMENT.sub(" ", css[:_MOST]))
    css = _FONT_FACE.sub(" ", _AT_LOADS.sub(" ", css))
    css = _LOADS.sub(lambda match: match[0] if _DATA_IMAGE.match(match[0]) else "none", css)
    return css.replace("</", "<\\/").replace("<!--", " ").replace("-->", " ")


def _unescaped(match: re.Match[str]) -> str:
    """Return an escaped letter or hyphen as itself, so that names are seen; other escapes stay."""
    code = match[1] or match[2]
    character = chr(int(code, 16)) if code else match[3] or ""
    return character if character.isalpha() or character == "-" else match[0]


# ---------------------------------------------------------------- frame

_ELEMENTS = (
    "a abbr acronym address article aside b bdi bdo big blockquote br button caption center cite code col colgroup "
    "dd del details dfn dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header "
    "hgroup hr i ins kbd label legend li main mark menu meter nav nobr ol optgroup option output p pre progress q "
    "rb rp rt rtc ruby s samp search section select small span strike strong sub summary sup table tbody td "
    "textarea tfoot th thead time tr tt u ul var wbr"
)
_KEPT = frozenset(_ELEMENTS.split())
_RENAMED = {"xmp": "pre", "listing": "pre", "plaintext": "pre", "dialog": "div", "marquee": "div", "iframe": "div"}
_NAMED = frozenset({"button", "fieldset", "output", "select", "textarea"})
"""Elements whose id hides a property of the form around them from the studio's scripts: <form><button id="closest">."""
_EMPTY = frozenset({"br", "col", "hr", "wbr"})
_PLAIN_TEXT = frozenset({"option", "textarea", "select", "optgroup"})  # elements that contain text only
_CUSTOM = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_OWN = "dh-"
_HARMLESS = (
    "align alt bgcolor border cellpadding cellspacing char class clear color colspan cols compact datetime dir "
    "disabled face frame headers height hidden id label lang multiple noshade nowrap open placeholder reversed role "
    "rows rowspan rules scope selected size span start title type valign value width aria-hidden aria-label"
)
_ATTRIBUTES = frozenset(_HARMLESS.split())
_LENGTH = re.compile(r"\d{1,4}(?:\.\d+)?")
_MOST_ATTRIBUTE = 5_000  # characters
_IMAGE = re.compile(r"data:image/(?:png|gif|jpe?g|webp)[;,]", re.IGNORECASE)
_BOX = "dh-image"
_EXTERNAL_SHEETS = 30


def to_frame(blocks: Blocks, sheets: Sequence[str] = ()) -> str:
    """Return the page of blocks as an HTML document that is safe to show in a sandboxed frame.

    Args:
        blocks: the page and its blocks; the element `dh-b` around a text has its block's number as `data-b`, and
            elements of the page have their node's as `data-n`.
        sheets: contents of style sheets that the page links to.
    """
    page = blocks.page
    own = [element.text for element in page.elements.select("style")] if len(page) else []
    css = "".join(f"<style>{without_loads(sheet)}</style>\n" for sheet in (*sheets[:_EXTERNAL_SHEETS], *own))
    root = f"<html{_language(page.meta.language or '')}>"
    return (
        f'<!DOCTYPE html>\n{root}\n<head>\n<meta charset="utf-8">\n<title>{escape(page.meta.title)}</title>\n'
        f"{css}<style data-own>{_OWN_STYLE}</style>\n</head>\n{''.join(_body(blocks))}</html>\n"
    )


def _language(language: str) -> str:
    """Return the attributes of the root that follow from a language; the page has no others of it."""
    if not language:
        return ""
    direction = ' dir="rtl"' if language.partition("-")[0].lower() in _RIGHT_TO_LEFT else ""
    return f' lang="{escape(language)}"{direction}'


_RIGHT_TO_LEFT = frozenset(("ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi"))
_OWN_STYLE = (
    "dh-b{display:inline}dh-image{display:inline-block;box-sizing:border-box;overflow:hidden;max-width:100%;"
    "min-width:1em;min-height:1em;border:1px dashed #888;color:#666;background:#8882;font:11px sans-serif}"
    "dh-data{display:block;border-top:2px dashed #888;margin-top:2em}dh-data::before{content:attr(title);color:#666}"
    "html{cursor:default}"
)


def _body(blocks: Blocks) -> Iterator[str]:
    page = blocks.page
    block_of = _block_of(blocks)
    opened: list[tuple[int, str]] = []
    plain_until = 0  # inside an element that contains text only
    columns = (page.tag, page.end, page.text_start, page.text_end)
    for node, (tag, end, start, stop) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        while opened and opened[-1][0] <= node:
            yield opened.pop()[1]
        if tag == TEXT:
            yield _text(page.text[start:stop], block_of[node], plain=node < plain_until)
            continue
        name = _name(page.tag_name(node), node)
        if not name or (node < plain_until and name not in _PLAIN_TEXT):
            continue
        given = page.attributes_of(node)
        yield _image(given) if name == _BOX else f'<{name}{_attributes(given, name)} data-n="{node}">'
        if name not in _EMPTY:
            opened.append((end, f"</{name}>"))
        if name in _PLAIN_TEXT:
            plain_until = max(plain_until, end)
    yield from (closing for _, closing in reversed(opened))


def _name(name: str, node: int) -> str:
    """Return the element to write for one of the page; "" for none."""
    if node == 0:
        return "body"
    if name in _KEPT:
        return name
    if name == "img":
        return _BOX
    if name in _RENAMED:
        return _RENAMED[name]
    return name if _CUSTOM.fullmatch(name) and not name.startswith(_OWN) else "span"


def _text(text: str, block: int, *, plain: bool) -> str:
    escaped = escape(text, quote=False)
    return escaped if plain or block < 0 or not text.strip() else f'<dh-b data-b="{block}">{escaped}</dh-b>'


def _image(given: Attributes) -> str:
    """Return the start tag of the box of an image: the image if the page has it; its alternative text follows."""
    values = {key: value or "" for key, value in given}
    size = "".join(
        f"{name}:{values[name]}px;" for name in ("width", "height") if _LENGTH.fullmatch(values.get(name, ""))
    )
    source = values.get("src", "").strip()
    shown = f'<img src="{escape(source)}" alt="">' if _IMAGE.match(source) else ""
    return f'<{_BOX} style="{size}" title="{escape(values.get("alt", "")[:_MOST_ATTRIBUTE] or "image")}">{shown}'


def _attributes(given: Attributes, name: str) -> str:
    parts = []
    for key, value in given:
        if key == "id" and name in _NAMED:
            continue
        if key == "style":
            parts.append(f' style="{escape(without_loads(value or ""))}"')
        elif key in _ATTRIBUTES and len(value or "") <= _MOST_ATTRIBUTE and not (key == "type" and name == "button"):
            parts.append(f' {key}="{escape(value or "")}"')
    if name == "button":
        parts.append(' type="button"')
    return "".join(parts)


def _block_of(blocks: Blocks) -> list[int]:
    """Return for each node its block, -1 for none."""
    page = blocks.page
    change = np.zeros(len(page) + 1, dtype=np.int64)
    numbers = np.full(len(page), -1, dtype=np.int64)
    if len(blocks):
        np.add.at(change, blocks.first, 1)
        np.add.at(change, blocks.last + 1, -1)
        inside = np.cumsum(change[:-1]) > 0
        latest = np.searchsorted(blocks.first, np.arange(len(page)), side="right") - 1
        numbers = np.where(inside & page.is_text, latest, -1)
    return [int(number) for number in numbers]
