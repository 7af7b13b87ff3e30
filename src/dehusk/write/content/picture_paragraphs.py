"""Paragraphs and figures of nothing but pictures, next to kept text: sets of photos, which labellers do not see."""

import re

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes, are_among
from dehusk.read.addresses import Addresses
from dehusk.read.page import Bools, Page
from dehusk.write.content.images import image_source

_IMAGE, _FIGURE, _PARAGRAPH, _LINK = numbers("img"), numbers("figure"), numbers("figure p"), numbers("a")
_ASIDE = numbers("aside footer nav form")
_FILE = pattern(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#&])|\bimages?/|^data:image", re.IGNORECASE)
_LETTER = pattern(r"\w")
_OF_SITE = pattern(
    r"signature|logo|count|badge|button|banner|spacer|pixel|tracking|advert|portrait|avatar|headshot"
    r"|[-_]pin(?:terest)?(?![a-z])|(?<!\d)1?\d\dx1?\d\d(?!\d)",
    re.IGNORECASE,
)
"""What the files are named of pictures that say nothing of what a page is about, copies to share, and small ones."""
_MOST_AROUND = 4  # elements around a picture of which one may be its paragraph
_LEAST = 100
"""Pixels of the width or height of a picture that is content, at least, where the markup has them; set by hand."""


def paragraphs_of_pictures(labels: Labels, kept: Nodes) -> Nodes:
    """Return the elements of paragraphs that have pictures and no words, next to kept text, in document order.

    The text right before or after them is in the element around the paragraph, or in the one around that; of figures,
    which stand in columns, also in the next one. Links are to pictures only, as those to larger copies are.

    Args:
        labels: the labels of a page.
        kept: the nodes that are kept without them.
    """
    page, images = labels.blocks.page, labels.blocks.page.nodes_of(_IMAGE)
    images = images[~are_among(images, kept)]
    found = _paragraphs_around(page, images) if len(images) and labels.kept.any() else images[:0]
    is_new = (found > 0) & (page.within_at(page.nodes_of(_ASIDE), np.maximum(found, 0)) == 0)
    if not is_new.any():
        return images[:0]
    images, found = images[is_new], np.array(sorted({*found[is_new].tolist()}), np.intp)
    found = found[_beside_kept(labels, found)]
    parts = [np.arange(start, page.end[start]) for start in found.tolist() if _is_of_pictures(page, start, images)]
    inside = np.concatenate(parts) if parts else images[:0]
    elements: Nodes = inside[~page.is_text[inside]]
    return elements


def _paragraphs_around(page: Page, images: Nodes) -> Nodes:
    """Return the paragraph that each image is in, shape (k,), -1 for none near it."""
    found: Nodes = np.full(len(images), -1, dtype=np.intp)
    is_paragraph, around = page.is_one_of(_PARAGRAPH), page.parent[images]
    for _ in range(_MOST_AROUND):
        is_inside = (found < 0) & is_paragraph[around]
        found[is_inside] = around[is_inside]
        around = page.parent[np.maximum(around, 0)]
    return found


def _beside_kept(labels: Labels, paragraphs: Nodes) -> Bools:
    """Return which paragraphs have no words, and kept words right before or after them, shape (k,)."""
    page, blocks = labels.blocks.page, labels.blocks
    is_worded, single = blocks.words > 0, (blocks.words == 1).nonzero()[0]
    is_worded[single] = [_LETTER.search(blocks.text_of(block)) is not None for block in single.tolist()]
    worded = is_worded.nonzero()[0]
    first = blocks.first[worded]
    start, end = first.searchsorted(paragraphs), first.searchsorted(page.end[paragraphs])
    around = page.parent[np.maximum(page.parent[paragraphs], 0)]
    is_figure = page.tag[paragraphs] == _FIGURE[0]
    around = np.where(is_figure, page.parent[np.maximum(around, 0)], around)
    kept, places = np.append(labels.kept[worded], False), np.append(first, len(page))
    before = (start > 0) & kept[start - 1] & (places[start - 1] > around)
    after = kept[end] & (places[end] < page.end[np.maximum(around, 0)])
    beside: Bools = (start == end) & (before | after)
    return beside


def _is_of_pictures(page: Page, paragraph: int, images: Nodes) -> bool:
    """Return whether the pictures of a paragraph are large enough for content, and links to pictures only."""
    end = int(page.end[paragraph])
    inside = images[images.searchsorted(paragraph) : images.searchsorted(end)]
    links = page.nodes_of(_LINK)
    hrefs = page.elements.values(links[links.searchsorted(paragraph) : links.searchsorted(end)], "href")
    if not len(inside) or not all(_FILE.search(href or "") for href in hrefs):
        return False
    own, addresses = page.elements.attributes_of(inside), Addresses()
    sources = [image_source(each, addresses) or "" for each in own]
    if not all(sources) or any(_OF_SITE.search(source.rpartition("/")[2]) for source in sources):
        return False
    return all(_is_large(value) for each in own for name, value in each if name in ("width", "height"))


def _is_large(pixels: str | None) -> bool:
    digits = (pixels or "").strip().removesuffix("px")
    return not digits.isdecimal() or len(digits) > 4 or int(digits) >= _LEAST
