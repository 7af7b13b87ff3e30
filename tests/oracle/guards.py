"""What the guards of `dehusk.compiled.tree` find by a look at a source before it is parsed."""

import re

from dehusk.base.tags import TAG_NUMBER
from dehusk.read.self_closed import _DRAWING, _RAW, _TOKEN, _VOID

PRESCAN = 2048
"""Characters of a page in which it is looked for what only HTML has."""

EXPANDED = {name[:8].encode() for name in TAG_NUMBER.keys() - _VOID - _DRAWING - {"#text"}}


def has_self_closed(raw: bytes) -> bool:
    """Return whether the tag before a "/>", or else the first tag, is of an element of HTML that is not void.

    Names count by their first eight letters; at the end of the source, its last byte goes on.
    """
    first, padded = raw.find(b"<"), raw + raw[-1:] * 8
    for close in re.finditer(b"/>", raw):
        tag = max(raw.rfind(b"<", 0, close.start()), first)
        name = re.split(rb"[>/\x00- ]", padded[tag + 1 : tag + 9])[0].lower()
        if first >= 0 and name in EXPANDED:
            return True
    return False


def without_controls(text: str) -> str:
    """Return a text with a space for each control character but tabs, and line and page ends."""
    return re.sub(r"[\x00-\x08\x0b\x0e-\x1f]", " ", text)


def count_tags(raw: bytes) -> int:
    """Return the number of "<"."""
    return raw.count(b"<")


def ends_template(raw: bytes) -> bool:
    """Return whether the end tag of a template starts anywhere."""
    return re.search(b"</template", raw, re.IGNORECASE) is not None


DRAWN = re.compile(
    rb"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?)(math|script|style|svg|template|textarea|xmp)(?=[ \t\n\f\r/>]))",
    re.DOTALL | re.IGNORECASE,
)


def draws_template(raw: bytes) -> bool:
    """Return whether a template starts between the tags of a drawing or a formula, by the names of tags alone."""
    drawings = at = 0
    while (found := DRAWN.search(raw, at)) is not None:
        at, name = found.end(), (found[2] or b"").lower()
        if name == b"template":
            if drawings and not found[1]:
                return True
        elif name in (b"math", b"svg"):
            drawings = max(drawings - 1, 0) if found[1] else drawings + 1
        elif name and not (drawings or found[1]):
            end = re.compile(rb"</" + name + rb"[ \t\n\f\r/>]", re.IGNORECASE).search(raw, at)
            at = at if end is None else end.end() - 1
    return False


def small(name: str) -> str:
    """Return a name in small letters, of those that HTML has."""
    return "".join(sign.lower() if sign.isascii() else sign for sign in name)


def behind_raw_text(text: str, at: int, name: str) -> int:
    """Return where the content of an element of raw text ends."""
    end = re.compile(rf"(?ai:</{name})(?=[\s/>])").search(text, at)
    return end.start() if end else len(text)


def starts_as_xml(text: str) -> bool:
    """Return whether the tags at the start of a page nest, have values in quotes, and close all void elements."""
    head, open_names, at = text[:PRESCAN], list[str](), 0
    while (tag := _TOKEN.search(head, at)) is not None and tag[0].endswith(">"):
        at, is_drawn = tag.end(), any(name in _DRAWING for name in open_names)
        if tag["end"] and (not open_names or open_names.pop() != small(tag["end"])):
            return False
        if tag["start"] is None:
            continue
        name = small(tag["start"])
        if tag["odd"]:
            return False
        if tag["close"] == "/>":
            continue
        if name in _VOID and not is_drawn and not head.startswith(f"</{name}", at):
            return False
        open_names.append(name)
        if name in _RAW and not is_drawn:
            at = behind_raw_text(head, at, name)
    return True
