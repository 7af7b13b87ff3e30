"""Where the images of a page really are: the best of `src`, `srcset`, lazy attributes, `picture` and `noscript`.

    >>> image_source((("src", "data:image/gif;base64,R0"), ("data-src", "cat.jpg")), Addresses("https://x.org/"))
    'https://x.org/cat.jpg'

Pages that load images late have a placeholder as `src` and the address in an attribute that only their script knows, or
a second image in `noscript`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby, pairwise
from operator import itemgetter

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.addresses import Addresses
from dehusk.read.page import Attributes, Page

_IMAGE, _PICTURE, _SOURCE, _NOSCRIPT = numbers("img"), numbers("picture"), numbers("source"), numbers("noscript")
_PARTS, _CELLS, _FIGURE, _TWICE = numbers("li td th dt dd"), numbers("td th"), numbers("figure"), 2
_SETS = (
    *("srcset", "data-srcset", "data-lazy-srcset", "data-original-set", "data-original-srcset", "data-delay-srcset"),
    *("data-pagespeed-lazy-srcset", "nitro-lazy-srcset"),
)
_LAZY = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-original-src",
    "data-lazy",
    "data-img-src",
    "data-src-delay",
    "data-actualsrc",
    "data-lazyload",
    "data-echo",
    "data-retina-src",
    "data-pagespeed-lazy-src",
    "nitro-lazy-src",
    "data-delay-src",
    "load-src",
    "data-orig-src",
    "data-layzr",
    "data-default-src",
    "data-trigger-src",
    "data-flickity-lazyload",
    "data-wpfc-original-src",
    "data-cfsrc",
)
_LAST = ("data-url", "data-image", "data-large-file", "data-orig-file", "data-hi-res-src", "lowsrc")
"""Attributes that may contain something other than the image; only if nothing else is there."""
_OTHERS = frozenset((*_SETS, *_LAZY, *_LAST))
_KNOWN = _OTHERS | {"src"}
_PLACEHOLDER_SCHEMES = ("data:", "about:")
_PAGESPEED = "/pagespeed_static/1."  # the empty picture that servers with PageSpeed write
_PLACEHOLDER_TYPES = frozenset(("gif", "png", "svg"))
_EMPTY = r"blank|empty|leer|placeholder|spacer|transparent|(?<!\d)1x1(?!\d)|pixel|clear|loading|lazy"
_BESIDE = r"images?|img|photo|default|gif|ajax|load|trans|px|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,}|\d++(?:x\d*+)?"
_PLACEHOLDER = pattern(
    rf"(?=.*?(?:{_EMPTY}))(?!.*pixel[-_.]?\d+(?!\d|x\d))"  # "pixel-7" is a telephone
    rf"(?>(?:(?>{_EMPTY}|{_BESIDE})[-_.@]*+)+)"
)
"""The whole name of a placeholder without its type: words, numbers, sizes, and hashes of build tools."""
_MAX_NAME, _SAYS = 64, 2  # characters of the name of a placeholder, words of an alternative text that says something
_ADDRESS = pattern(r"[^\s{}<>\"]{1,4096}")
_SPACE = " \t\n\f\r"
_CANDIDATE = pattern(rf"[{_SPACE},]*+([^{_SPACE}]*[^{_SPACE},])(?:,++|((?>(?:[^,(]++|\([^)]*+\)?)*)))")
"""A candidate of `srcset` as HTML parses it: its address may contain commas, its descriptors in brackets too."""
_NUMBER = pattern(r"(\d{1,6}(?:\.\d{1,3})?)([wx])")
_SECOND_TYPE = pattern(r"(?<=\.(?:jpg|png|gif))\.(?:webp|avif)$|(?<=\.jpeg)\.(?:webp|avif)$")
_PICTURE_TYPES = frozenset(("jpg", "jpeg", "png", "gif", "webp", "avif", "bmp", "tif", "tiff"))
_SIZES, _SIGNS = pattern(r"\d{2,4}x\d{2,4}|thumb(?:nail)?s?|small|medium|large|scaled"), pattern(r"[\W_]+")
_MAX_PATH, _STEM = 200, 2  # characters of an address that are looked at, and of a name that another one begins with
_RECENT = 1_024  # descriptors that are remembered: they recur from image to image
_SIZE = pattern(r"-\d{1,4}x\d{1,4}(?=\.\w{1,4}$)|-scaled(?=\.\w{1,4}$)")


@dataclass(frozen=True)
class Images:
    """The images of a page."""

    sources: dict[int, str] = field(default_factory=dict)
    """Node of an image -> its address; images without a usable address are missing."""
    copies: frozenset[int] = frozenset()
    """Images that repeat the image before them, or in `noscript` the one before or after: to be left out."""


def image_source(attributes: Attributes, addresses: Addresses, sources: Sequence[Attributes] = ()) -> str | None:
    """Return the address of an image, resolved; None if it has none but a placeholder that says nothing.

    Args:
        attributes: of the img element.
        addresses: resolves what is found.
        sources: attributes of the source elements of the picture element around it.
    """
    own = dict(attributes)
    if not sources and _OTHERS.isdisjoint(own):
        given = own.get("src", "").strip()
        return (addresses.resolve(given) or None) if given and not _says_nothing(own, given) else None
    sets = [own[name] for name in _SETS if name in own]
    sets += [given[name] for given in map(dict, sources) for name in _SETS if name in given]
    given = own.get("src", "").strip()
    for candidate in chain((_largest(sets),), _beside_sets(own, given)):
        address = (candidate or "").strip()
        if address and (address == given or _ADDRESS.fullmatch(address)) and (found := addresses.resolve(address)):
            return found
    return None


def _beside_sets(own: dict[str, str], given: str) -> Iterator[str | None]:
    """Yield the addresses that attributes other than sets give, the best one first; `given` is that of `src`."""
    yield from map(own.get, _LAZY)
    yield given if given and not _is_placeholder(given[:4096]) else None
    yield from map(own.get, _LAST)
    yield given if not _says_nothing(own, given) else None


def _says_nothing(own: dict[str, str], given: str) -> bool:
    """Return whether an image is a placeholder whose alternative text is a word at most, as of a spacer."""
    return _is_placeholder(given[:4096]) and len(own.get("alt", "").split(None, 1)) < _SAYS


def loaded_late(page: Page, images: list[int]) -> list[int]:
    """Return those of some images without a usable `src` that have an address elsewhere, which a script loads."""
    parts_of = _sources(page)
    rows = zip(images, page.elements.attributes_of(np.array(images, np.intp)), strict=True)
    return [image for image, own in rows if image_source(own, Addresses(), parts_of.get(image, ()))]


def find_images(page: Page, addresses: Addresses, wanted: Collection[int] | None = None) -> Images:
    """Return the addresses of images of a page, and which images in `noscript` are copies.

    Args:
        page: the page.
        addresses: resolves what is found.
        wanted: the images to find the addresses of, because they are shown; by default, all, and no repetition is
            looked for but in `noscript`. Others may be among the result.
    """
    images = page.nodes_of(_IMAGE)
    if not len(images):
        return Images()
    noscripts = page.nodes_of(_NOSCRIPT)
    fallback = images[page.within_at(noscripts, images) > 0]
    parts_of = _sources(page)
    needed = images if wanted is None else _chosen(page, images, [*wanted], fallback)
    given = dict(zip(needed.tolist(), page.elements.attributes_of(needed), strict=True))
    sources = {
        image: source
        for image, own in given.items()
        if (source := image_source(own, addresses, parts_of.get(image, ())))
    }
    copies: set[int] = set()
    if len(fallback):
        written = given if wanted is None else {image: given[image] for image in wanted if image in given}
        of_fallback = {image: given[image] for image in fallback.tolist()}
        sources, copies = _without_copies(images.tolist(), of_fallback, written, sources)
    shown = {image: sources[image] for image in sorted(wanted or ()) if image in sources and image not in copies}
    copies |= _previews(page, shown, given)
    shown = {image: source for image, source in shown.items() if image not in copies}
    return Images(sources, frozenset(copies | _repeated(page, shown) | _shown_again(page, shown)))


def _chosen(page: Page, images: Nodes, wanted: list[int], fallback: Nodes) -> Nodes:
    """Return the images that are wanted, those in `noscript` and the ones beside these, which they may repeat."""
    marks = np.zeros(len(page), dtype=np.bool_)
    marks[fallback] = True
    near = marks[images]
    near[1:] |= marks[images[:-1]]
    near[:-1] |= marks[images[1:]]
    marks[wanted] = True
    return images[near | marks[images]]


@cached_per_object
def _sources(page: Page) -> dict[int, list[Attributes]]:
    """Return image -> attributes of the source elements of the picture element around it."""
    images, parts = page.nodes_of(_IMAGE), page.nodes_of(_SOURCE)
    if not len(parts):
        return {}
    picture = page.nearest(page.is_one_of(_PICTURE))[images].tolist()
    given: dict[int, list[Attributes]] = {}  # for the first image of each picture; there should be no other
    for own, parent in zip(page.elements.attributes_of(parts), page.parent[parts].tolist(), strict=True):
        given.setdefault(parent, []).append(own)
    return {image: given.pop(around) for image, around in zip(images.tolist(), picture, strict=True) if around in given}


def _without_copies(
    images: list[int], fallback: Mapping[int, Attributes], written: Mapping[int, Attributes], sources: dict[int, str]
) -> tuple[dict[int, str], set[int]]:
    """Return the sources, and the fallbacks that repeat a neighbour; a neighbour without a source gets the fallback's.

    Only neighbours in the order of the images are compared: the placeholder stands right before or after its noscript.

    Args:
        images: the images of a page.
        fallback: those in `noscript` -> their attributes.
        written: those that are written -> their attributes. A neighbour with the address of its fallback, but in none
            of the attributes for addresses, has a placeholder as `src`; one that is not written has no copies.
        sources: image -> its address.
    """
    copies: set[int] = set()
    for index, image in enumerate(images):
        if image not in fallback or image not in sources:
            continue
        for other in images[max(index - 1, 0) : index] + images[index + 1 : index + 2]:
            if other in fallback or other not in written:
                continue
            own = written[other]
            having = _having(own, fallback[image])
            is_placeholder = having and _KNOWN.isdisjoint(having) and _OTHERS.isdisjoint(name for name, _ in own)
            if other not in sources or is_placeholder:
                sources[other] = sources[image]
            elif not having and _key(sources[other]) != _key(sources[image]):
                continue
            copies.add(image)
            break
    return sources, copies


def _previews(page: Page, shown: Mapping[int, str], given: Mapping[int, Attributes]) -> set[int]:
    """Return the images that are shown while the next one, of the same name, is loaded: small ones before late ones.

    `shown` is image -> its address, in document order, and `given` image -> its attributes.
    """
    late = {image for image in shown if not _OTHERS.isdisjoint(name for name, _ in given[image])}
    pairs = [(one, other) for one, other in pairwise(shown) if other in late and one not in late]
    if not pairs:
        return set()
    alt = frozenset(page.alt_nodes.tolist())
    return {
        one
        for one, other in pairs
        if name_of_picture(shown[one]) == name_of_picture(shown[other]) != ""
        and shown[one] != shown[other]
        and not _is_text_between(page, one, other, alt)
    }


def _having(attributes: Attributes, fallback: Attributes) -> list[str]:
    """Return the names of the attributes of an image that contain the address that its fallback has as `src`."""
    address = dict(fallback).get("src", "").strip()
    return [name for name, value in attributes if address in value] if address else []


def _repeated(page: Page, shown: dict[int, str]) -> set[int]:
    """Return the images that a page has twice in a row, for small and for large screens: the second of two.

    They have one address, not two alternative texts, and no text between them but these; each has an element of its
    own, in one item or cell, or both are in one figure. Pictures beside each other, more than two, and those of several
    cells may be a rating or values.

    Args:
        page: the page.
        shown: image -> its address, in document order, for the images that are shown.
    """
    runs = [[*run] for _, run in groupby(shown, key=shown.__getitem__)]
    pairs = [(one, other) for one, other in (run for run in runs if len(run) == _TWICE)]
    if not pairs:
        return set()
    part, texts = page.nearest(page.is_one_of(_PARTS)), page.elements.values(np.array(pairs, np.intp).ravel(), "alt")
    is_figure, alt = page.is_one_of(_FIGURE), frozenset(page.alt_nodes.tolist())
    return {
        other
        for (one, other), first, second in zip(pairs, texts[::2], texts[1::2], strict=True)
        if part[one] == part[other]
        and (page.parent[one] != page.parent[other] or is_figure[page.parent[one]])
        and (not first or not second or first == second)
        and not _is_text_between(page, one, other, alt)
    }


def _is_text_between(page: Page, one: int, other: int, alt: frozenset[int]) -> bool:
    """Return whether text stands between two images besides alternative texts, of which `alt` are the nodes."""
    between = np.flatnonzero(page.is_text[page.end[one] : other]) + page.end[one]
    return any(node not in alt and not page.text_of(node).isspace() for node in between.tolist())


def _shown_again(page: Page, shown: dict[int, str]) -> set[int]:
    """Return the images of a gallery that it has a second time, as thumbnails or for large screens.

    A gallery is two different images or more without text between them, none of them in a cell; all come again in the
    same order. `shown` is image -> its address, in document order.
    """
    if len(shown) == len(set(shown.values())):
        return set()
    in_cell = page.within(page.nodes_of(_CELLS))
    rows: list[list[int]] = [[]]
    for image in shown:
        before = rows[-1][-1] if rows[-1] else image
        if in_cell[image] or page.text[page.text_end[before] : page.text_start[image]].strip():
            rows.append([])
        rows[-1].append(image)
    again: set[int] = set()
    for row in rows:
        addresses = [shown[image] for image in row]
        once = len(set(addresses))
        if once > 1 and addresses == addresses[:once] * (len(row) // once):
            again.update(row[once:])
    return again


def is_same_picture(address: str, source: str) -> bool:
    """Return whether an address is of a file with the picture of an image: in another place, type or size.

    >>> is_same_picture("/full/cat.png", "/small/cat-300x200.jpg"), is_same_picture("/cats.html", "/cats.jpg")
    (True, False)
    """
    return is_same_name(name_of_picture(address), name_of_picture(source))


def is_same_name(name: str, other: str) -> bool:
    """Return whether two names of `name_of_picture` are of one picture."""
    if not name or not other:
        return False
    short, long = (name, other) if len(name) <= len(other) else (other, name)
    rest = long.removeprefix(short)
    return name == other or (len(short) >= _STEM and rest != long and not (short[-1] + rest[:1]).isdigit())


def name_of_picture(address: str) -> str:
    """Return the name of the file of a picture without its type and size, "" if it is none."""
    path = address.partition("?")[0].partition("#")[0][-_MAX_PATH:].lower().rstrip("\n")
    name, _, kind = path.rpartition("/")[2].rpartition(".")
    return _SIGNS.sub("", _SIZES.sub("", name)) if kind in _PICTURE_TYPES and ":" not in name else ""


def _key(address: str) -> str:
    """Return an address without scheme, query, the suffix that WordPress gives to sizes, and a second type."""
    path = address.partition("?")[0]
    return _SIZE.sub("", _SECOND_TYPE.sub("", (path.partition("://")[2] or path)[-4096:]))


def _is_placeholder(address: str) -> bool:
    """Return whether an address is that of a placeholder, which it is by its whole name."""
    lower = address.lower()
    if lower.startswith(_PLACEHOLDER_SCHEMES) or _PAGESPEED in lower:
        return True
    path = lower.partition("?")[0].partition("#")[0]
    name, _, kind = path.rpartition("/")[2].rpartition(".")
    return kind in _PLACEHOLDER_TYPES and len(name) <= _MAX_NAME and _PLACEHOLDER.fullmatch(name) is not None


def _largest(sets: list[str]) -> str | None:
    """Return the candidate with the largest width or density of all sets; the first one of equals."""
    found = [(_scale(descriptor), address) for each in sets if each for address, descriptor in _candidates(each)]
    if found and not _is_placeholder((best := max(found, key=itemgetter(0))[1])[:4096]):
        return best
    found.sort(key=itemgetter(0), reverse=True)
    return next((address for _, address in found if not _is_placeholder(address[:4096])), None)


@lru_cache(_RECENT)
def _scale(descriptors: str) -> float:
    """Return the width that descriptors give, else a thousand times the density, which is 1 if they give none."""
    width = descriptors[:-1]
    if descriptors[-1:] == "w" and len(width) < 7 and width.isdecimal():
        return float(width)  # most are so, and no pattern is needed
    found = [match for word in descriptors.split() if (match := _NUMBER.fullmatch(word))]
    numbers = {match[2]: float(match[1]) for match in reversed(found)}  # the first of two widths counts
    return numbers.get("w", 1000 * numbers.get("x", 1.0))


def _candidates(srcset: str) -> list[tuple[str, str]]:
    """Return (address, descriptors) of each candidate, "" for none; descriptors are not checked."""
    found = _CANDIDATE.findall(srcset.rstrip(_SPACE + ","))  # so that each search ends where it begins
    return [(address, descriptors.strip(_SPACE)) for address, descriptors in found]
