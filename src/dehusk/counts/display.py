"""The display of tags: one key per tag for its name and display attributes (Yi & Liu 2003, section 3.2).

Display attributes are the class, the inline style and HTML 4's presentation attributes. `id`, `data-*` and addresses do
not count: they differ between pages that look the same. For the same reason all numbers in classes are
treated as equal, addresses in styles are dropped, and the order of attributes and classes is ignored. The class of the
body does not count either: it names the type of page or even the page, not how the body looks. By option, the rules
of the page's own style sheets count; see `dehusk.counts.sheets`.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import printable
from dehusk.base.hashing import Keys, pair_keys
from dehusk.base.lazy import pattern
from dehusk.compiled.text import text_key
from dehusk.counts.sheets import ADDRESS, sheet_display
from dehusk.read.page import Page

_NAMES = (
    "align alink background bgcolor border cellpadding cellspacing clear color compact face frame frameborder height "
    "hspace link marginheight marginwidth noshade nowrap rules size style text valign vlink vspace width"
)
PRESENTATION = frozenset(_NAMES.split())
"""Names of the display attributes, without the class."""

# A run of letters and digits that looks like the identifier of a session or a post: hexadecimal, or two numbers with
# letters between them. A match starts where a run starts, so that a long run is scanned once.
_UNIQUE = pattern(r"(?<![^\W_])(?:(?=[a-f]*\d)[0-9a-f]{8,}(?![^\W_])|[^\W\d_]*(?:\d+[^\W\d_]+)+\d+[^\W_]*)")
_DIGITS = pattern(r"\d+")
_MAX_CACHED = 400  # characters of an attribute value whose key is cached
_MAX_SHOWN = 200  # characters of a readable name


def display_keys(page: Page, nodes: npt.NDArray[np.integer], *, classes: bool = True, sheets: bool = False) -> Keys:
    """Return the key of the name and display attributes of each element in `nodes`, shape (t,).

    Args:
        page: the page.
        nodes: (t,) elements of the page.
        classes: whether the class counts as a display attribute.
        sheets: whether the properties count that the page's own style sheets declare.
    """
    sums = np.zeros(len(nodes), dtype=np.uint64)
    attribute_keys = [
        (row, _key(name, value or ""))
        for row, node in enumerate(nodes.tolist())
        for name, value in page.attributes.get(node, ())
        if name in PRESENTATION or (classes and name == "class" and node)
    ]
    if attribute_keys:
        rows, keys = zip(*attribute_keys, strict=True)
        np.add.at(sums, np.array(rows), np.array(keys, dtype=np.uint64))
    if sheets:
        sums += sheet_display(page).keys[nodes]
    return pair_keys(tag_keys(page, nodes), sums)


def display_names(page: Page, nodes: list[int], *, classes: bool = True, sheets: bool = False) -> list[str]:
    """Return the names and display attributes behind `display_keys` as readable texts: `td.price[align=right]`."""
    texts = []
    for node in nodes:
        shown = [
            normalise_attribute(name, value or "")
            for name, value in sorted(page.attributes.get(node, ()), key=lambda pair: pair[0])
            if name in PRESENTATION or (classes and name == "class" and node)
        ]
        marks = "".join(text for text in shown if text.startswith("."))
        declared = sheet_display(page) if sheets else None
        shown += [declared.texts.get(int(declared.keys[node]), "")] if declared else []
        others = " ".join(text for text in shown if text and not text.startswith("."))
        texts.append(_shortened(page.tag_name(node) + marks + (f"[{others}]" if others else "")))
    return texts


def _shortened(text: str) -> str:
    """Return a text cut to a readable length, without the control characters that attributes may contain."""
    cut = text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
    return printable(cut)


def normalise_attribute(name: str, value: str) -> str:
    """Return an attribute without what differs between pages of one design; "" if nothing remains."""
    if name == "class":
        marks = {_DIGITS.sub("0", _UNIQUE.sub("0", token)) for token in value.lower().split()}
        return "".join(f".{mark}" for mark in sorted(marks))
    text = "".join(value.lower().split())
    if name == "style":
        return f"style={ADDRESS.sub('url()', text).rstrip(';')}" if text else ""
    return f"{name}={_DIGITS.sub('0', text) if name == 'background' else text}"


def _key(name: str, value: str) -> int:
    return _short_key(name, value) if len(value) <= _MAX_CACHED else _display_key(name, value)


def _display_key(name: str, value: str) -> int:
    text = normalise_attribute(name, value)
    return text_key(text) if text else 0


_short_key = lru_cache(maxsize=1 << 14)(_display_key)


def tag_keys(page: Page, nodes: npt.NDArray[np.integer]) -> Keys:
    """Return the keys of the tag names; the numbers of tags may change between versions, names do not."""
    _, first, inverse = np.unique(page.tag[nodes], return_index=True, return_inverse=True)
    keys = [_name_key(page.tag_name(int(nodes[row]))) for row in first.tolist()]
    return np.array(keys, dtype=np.uint64)[inverse]


@lru_cache(maxsize=1 << 12)
def _name_key(name: str) -> int:
    return text_key(name)
