"""Images and links as content of leaves, beside words (Yi & Liu 2003, section 3.1: `src=image.gif`)."""

from dataclasses import dataclass

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.hashing import Keys, text_keys
from dehusk.base.tags import numbers
from dehusk.compiled.text import text_key
from dehusk.read.page import Ints, Page

_ATTRIBUTES = {"img": "src", "a": "href"}
_LONGEST = 200  # characters of an address; the key of a longer one, such as an image in the page itself, stands for it


@dataclass(frozen=True, eq=False)
class LeafContents:
    """The x images and links of a page, in document order."""

    node: Ints
    """(x,) the element."""
    key: Keys
    """(x,) key of its text; no word has the same."""
    texts: tuple[str, ...]
    """(x,) attribute and address: `src=image.gif`, `href=/news`; without spaces."""


NO_CONTENTS = LeafContents(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint64), ())


@cached_per_object
def leaf_contents(page: Page) -> LeafContents:
    """Return the images and links of a page, with their addresses as written."""
    nodes, texts = [], []
    for tag, attribute in _ATTRIBUTES.items():
        found = page.nodes_of(numbers(tag))
        for node, value in zip(found.tolist(), page.elements.values(found, attribute), strict=True):
            if address := (value or "").strip():
                nodes.append(node)
                texts.append(f"{attribute}={_shown(address)}")
    if not nodes:
        return NO_CONTENTS
    order = np.argsort(nodes)
    keys = text_keys(texts)
    return LeafContents(
        np.array(nodes, dtype=np.int32)[order], keys[order], tuple(texts[row] for row in order.tolist())
    )


def _shown(address: str) -> str:
    text = "%20".join(address.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 17]}…{text_key(text):016x}"
