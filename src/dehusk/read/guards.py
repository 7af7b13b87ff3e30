"""Guards for the parser and the columns: too many tags, what nests or multiplies too much, control characters."""

from __future__ import annotations

import re

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.compiled.tree import count_tags as _count_tags
from dehusk.compiled.tree import deep_parts, draws_template, ends_template, estimate, without_controls

# ---------------------------------------------------------------- nesting
# How deep a parser nests the elements of a source: an estimate from its tags alone, which is rather too high.
#
# Two things in a source cost far more than its size. Formatting elements that are not closed are reopened in every
# block that follows (the adoption agency of the WHATWG standard): 74 kB become 2.4 million elements. And turbohtml up
# to 1.15.4 reads outside of its stack when parts of tables are opened at its limit of 512 open elements, which ends
# the process (docs/upstream/turbohtml-adoption-agency.md).
#
# `estimate` keeps a stack of open elements as the parser does, with the rules that ordinary pages need: an end tag
# closes the nearest element of its name, unless a fence such as a table cell stands between. Most of what the parser
# closes without an end tag stays open here, so that the estimate errs to the safe side. Where it is unclear what is
# raw text, a second walk takes nothing for that. It is no proof: a page that is made to deceive it can nest deeper. Of
# 5,000 real pages, two nest tables as deep as `DEEP` by it, and they do.

DEEP = 256
"""The depth from which tables are not left to the parser; half of its limit, as the estimate may be too low."""
MOST = 300
"""Elements on the stack; further ones are not pushed, because the source is deep already."""

VOID = frozenset(
    b"area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr".split()
)
VERBATIM = frozenset(b"script style textarea xmp".split())
RAW = VERBATIM | frozenset(b"iframe noembed noframes title".split())
FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
INLINE = FORMATTING | {b"a"}
PARTS = frozenset(b"caption colgroup table tbody td tfoot th thead tr".split())
FENCES = frozenset(b"applet button caption marquee math object select svg table td template th".split())
"""End tags do not reach through these, except those of the parts of tables."""
HOLDING = frozenset(b"math svg table template".split())
"""These hold the end tags of the parts of tables, too."""
DRAWINGS = frozenset(b"math svg".split())
STRANGE = DRAWINGS | {b"select"}
"""In these, an element of raw text may be none: `<svg><style></svg>` ends the drawing."""
SCOPED = PARTS | FENCES | frozenset(
    b"address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1"
    b" h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol p pre search section summary ul".split()
)  # fmt: skip
"""Their end tags close whatever is open in them; those of other elements at most formatting elements."""
AGAIN = frozenset(b"dd dt li option p td tr".split())
"""Their start tags close an element of the same name that is open."""

_TEMPLATE = pattern(rb"(</?)template(?=[ \t\n\f\r/>])", re.IGNORECASE)


def without_deep_tables(raw: bytes) -> bytes:
    """Return a source in which the parts of tables from the depth `DEEP` on are `div` elements."""
    pieces, done = [], 0
    for start, end in deep_parts(raw):
        pieces += [raw[done:start], b"div"]
        done = end
    return b"".join((*pieces, raw[done:]))


def without_drawn_templates(raw: bytes) -> bytes:
    """Return a source whose templates have a name without a meaning, if one of them may be inside an SVG or a formula.

    turbohtml up to 1.15.4 takes such an element for a template when it meets the end tag of one, and empties its stack:
    what comes next may end the process (docs/upstream/turbohtml-template-in-svg.md). The text of the templates stays.
    """
    if not (ends_template(raw) and draws_template(raw)):
        return raw
    return _TEMPLATE.sub(rb"\1x-template", raw)


# ---------------------------------------------------------------- guards

MARKUP = 3
"""How many tags and comments are read for each node that a page may have."""
_MOST_REOPENED = 512  # formatting elements, as many as may be open
_FORMATTING_TAG = pattern(
    rf"</?(?:{'|'.join(sorted(name.decode() for name in FORMATTING))})(?=[\s>/])[^>]*>?", re.IGNORECASE
)
_TABLE_TAG = pattern(rb"<(?:table|t[rdh]|t(?:body|head|foot)|caption|colgroup)[\s>/]", re.IGNORECASE)
_CONTROL = pattern(r"[\x00-\x08\x0b\x0e-\x1f]")


def cut_markup(text: str, raw: bytes, most: int) -> str | None:
    """Return a source up to the first of more than `most` "<"; None if it has no more.

    The parser's tree takes 200 bytes per tag and comment, however few of them become nodes of the page.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII, which are counted first, in less time.
        most: how many "<" may be read.
    """
    if len(text) <= most or _count_tags(raw) <= most or text.count("<") <= most:
        return None
    return text[: int((np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32) == ord("<")).nonzero()[0][most])]


def is_binary(text: str) -> bool:
    """Return whether more than one in twenty of the first characters is a control character; no page has that many."""
    head = text[:4096]
    return without_controls(head) is not head and len(_CONTROL.findall(head)) > max(4, len(head) // 20)


def guarded(text: str, raw: bytes, most: int) -> tuple[str, tuple[str, ...]]:
    """Change a source that the parser might multiply, or on which it might fail; `estimate` tells which.

    Templates get another name if one is inside a drawing. Formatting tags are dropped if the parser might make more
    nodes than it may: the number of tags times the number of formatting elements that it reopens. Or if they make
    tables deep. Then the parts of tables that are still too deep become `div` elements. No text is lost.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII.
        most: the number of nodes that the parser may make.
    """
    notes: tuple[str, ...] = ()
    if (renamed := without_drawn_templates(raw)) is not raw:
        text = without_drawn_templates(text.encode()).decode()
        raw, notes = renamed, ("templates are read as other elements because one is inside a drawing or a formula",)
    tags = _count_tags(raw)
    if tags < DEEP:
        return text, notes
    depth, unclosed = estimate(raw)
    if tags * min(unclosed, _MOST_REOPENED) > most or (depth - 2 * unclosed < DEEP <= depth and _has_tables(raw)):
        text = _FORMATTING_TAG.sub("", text)
        raw, notes = text.encode(), (*notes, "formatting tags dropped because too many are not closed")
        depth, _ = estimate(raw)
    if depth < DEEP or not deep_parts(raw):
        return text, notes
    changed = without_deep_tables(text.encode()).decode()
    return (text, notes) if changed == text else (changed, (*notes, f"tables below depth {DEEP} are read as blocks"))


def _has_tables(raw: bytes) -> bool:
    """Return whether a source may have a part of a table, whatever it is in."""
    return _TABLE_TAG.search(raw) is not None
