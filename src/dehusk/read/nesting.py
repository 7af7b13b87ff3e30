"""How deep a parser nests the elements of a source: an estimate from its tags alone, which is rather too high.

Two things in a source cost far more than its size. Formatting elements that are not closed are reopened in every block
that follows (the adoption agency of the WHATWG standard): 74 kB become 2.4 million elements. And turbohtml up to 1.15.4
reads outside of its stack when parts of tables are opened at its limit of 512 open elements, which ends the process
(docs/upstream/turbohtml-adoption-agency.md).

`estimate` keeps a stack of open elements as the parser does, with the rules that ordinary pages need: an end tag closes
the nearest element of its name, unless a fence such as a table cell stands between. Most of what the parser closes
without an end tag stays open here, so that the estimate errs to the safe side. Where it is unclear what is raw text, a
second walk takes nothing for that. It is no proof: a page that is made to deceive it can nest deeper. Of 5,000 real
pages, two nest tables as deep as `DEEP` by it, and they do.
"""

from __future__ import annotations

import re

from dehusk.base.lazy import pattern
from dehusk.compiled.tree import deep_parts, ends_template

DEEP = 256
"""The depth from which tables are not left to the parser; half of its limit, as the estimate may be too low."""
MOST = 300
"""Elements on the stack; further ones are not pushed, because the source is deep already."""

VOID = frozenset(
    b"area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr".split()
)
RAW = frozenset(b"iframe noembed noframes script style textarea title xmp".split())
FORMATTING = frozenset(b"b big code em font i nobr s small strike strong tt u".split())
INLINE = FORMATTING | {b"a"}
PARTS = frozenset(b"caption colgroup table tbody td tfoot th thead tr".split())
FENCES = frozenset(b"applet button caption marquee math object select svg table td template th".split())
"""End tags do not reach through these, except those of the parts of tables."""
HOLDING = frozenset(b"math svg table template".split())
"""These hold the end tags of the parts of tables, too."""
STRANGE = frozenset(b"math select svg".split())
"""In these, an element of raw text may be none: `<svg><style></svg>` ends the drawing."""
SCOPED = PARTS | FENCES | frozenset(
    b"address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1"
    b" h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol p pre search section summary ul".split()
)  # fmt: skip
"""Their end tags close whatever is open in them; those of other elements at most formatting elements."""
AGAIN = frozenset(b"dd dt li option p td tr".split())
"""Their start tags close an element of the same name that is open."""

_TEMPLATE = pattern(rb"(</?)template(?=[ \t\n\f\r/>])", re.IGNORECASE)
_DRAWN = pattern(
    rb"<(?:!--(?:-?>|.*?(?:--!?>|\Z))|(/?)(math|script|style|svg|template|textarea|xmp)(?=[ \t\n\f\r/>]))",
    re.DOTALL | re.IGNORECASE,
)


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
    if not (ends_template(raw) and _draws_template(raw)):
        return raw
    return _TEMPLATE.sub(rb"\1x-template", raw)


def _draws_template(raw: bytes) -> bool:
    """Return whether a template starts between the tags of a drawing or a formula."""
    drawings = at = 0
    while (found := _DRAWN.search(raw, at)) is not None:
        at, name = found.end(), (found[2] or b"").lower()
        if name == b"template":
            if drawings and not found[1]:
                return True
        elif name in RAW:
            at = at if drawings or found[1] else _raw_end(raw, at, name)
        elif name:
            drawings = max(drawings - 1, 0) if found[1] else drawings + 1
    return False


def _raw_end(raw: bytes, at: int, name: bytes) -> int:
    """Return the offset of the end tag of an element of raw text; that of its content if there is none."""
    end = re.compile(rb"</" + name + rb"[ \t\n\f\r/>]", re.IGNORECASE).search(raw, at)
    return at if end is None else end.end() - 1
