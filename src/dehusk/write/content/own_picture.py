"""The picture that a page declares as its own, by `og:image` and the like, where it stands beside kept text.

Pages show it above their title, or between the title and the text, apart from both by a date, by buttons for sharing or
by a menu: it is then between no two kept blocks, and part of none.
"""

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes, are_among
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from dehusk.write.content.images import image_source, is_same_name, name_of_picture

_IMAGE, _ASIDE = numbers("img"), numbers("aside footer nav")
_DECLARED = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
_OF_SITE = pattern(r"logo|favicon|touch-icon|avatar|default|placeholder|no-?image")
"""What the files are named that many pages declare for want of a picture of their own."""
_BEFORE, _AFTER = 3, 2  # blocks before and after the image of which one is kept; set by hand on WCXB and daniel
_MOST = 40  # images that are looked at
_LONG, _NUMBERED, _DIGITS = 10, 6, "0123456789"
"""Letters before the number at the end of a name that others may have, at most, such as "image" or "preview", and
digits of one that they do not."""
_IS_FOLDER = pattern(r"(?!max|width|crop|resize|fit|scale|thumb)[a-zA-Z][\w-]{2,}|\d{5,}")


def declared_picture(labels: Labels, nodes: Nodes) -> list[int]:
    """Return the first image beside kept text that shows the declared picture of a page, unless one that does is kept.

    Args:
        labels: the labels of a page.
        nodes: the nodes that are kept without it.
    """
    page = labels.blocks.page
    if not len(page.nodes_of(_IMAGE)) or not (declared := _declared(page)):
        return []
    images = _beside_kept(labels)[:_MOST]
    is_kept = are_among(images, nodes)
    found = _showing(page, images[~is_kept], declared)
    return found[:1] if found and not _showing(page, images[is_kept], declared) else []


def _showing(page: Page, images: Nodes, declared: dict[str, str]) -> list[int]:
    """Return which of some images show a declared picture."""
    addresses = Addresses()
    sources = (image_source(own, addresses) for own in page.elements.attributes_of(images))
    shown = zip(images.tolist(), sources, strict=True)
    return [image for image, source in shown if source and _shows(source, declared)]


def _declared(page: Page) -> dict[str, str]:
    """Return the names of the pictures that a page declares as its own, but those of its site -> their addresses."""
    addresses = dict.fromkeys(page.meta.values(*_DECLARED))
    shown = (address for address in addresses if not _OF_SITE.search(address.rpartition("/")[2].lower()))
    return {name: address for address in shown if (name := name_of_picture(address))}


def _shows(source: str, declared: dict[str, str]) -> bool:
    """Return whether an address is of a declared picture: a name that others may have needs the folder, too."""
    name = name_of_picture(source)
    alike = [own for own in declared if is_same_name(name, own)]
    return any(_is_own(min(name, own, key=len)) for own in alike) or (
        name in alike and _folder(source) == _folder(declared[name])
    )


def _is_own(name: str) -> bool:
    """Return whether a name is one that other pictures hardly have."""
    return len(name.rstrip(_DIGITS)) > _LONG or sum(map(name.count, _DIGITS)) >= _NUMBERED


def _folder(address: str) -> str:
    """Return the last folder of an address that is neither a size nor the like: a name of letters."""
    path = address.partition("?")[0]
    parts = (path.partition("://")[2] or path).split("/")[1:-1]
    return next((part for part in reversed(parts) if _IS_FOLDER.fullmatch(part)), "")


def _beside_kept(labels: Labels) -> Nodes:
    """Return the images that have a kept block before or after them, of the next few, and are in no part for asides."""
    page, first, kept = labels.blocks.page, labels.blocks.first, labels.kept
    if not len(chosen := kept.nonzero()[0]):
        return chosen
    images = page.nodes_of(_IMAGE)
    following = first.searchsorted(images)
    until = np.append(0, kept.cumsum())
    near = until[np.minimum(following + _AFTER, len(kept))] > until[np.maximum(following - _BEFORE, 0)]
    near &= following <= chosen[-1] + 1
    near &= page.within_at(page.nodes_of(_ASIDE), images) == 0
    found: Nodes = images[near]
    return found
