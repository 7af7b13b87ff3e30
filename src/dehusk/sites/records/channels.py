"""The channels in which pages hold values: their texts, their images, and their linked data (JSON-LD, microdata)."""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from dehusk.about.metadata.linked_data import Thing, is_work, read_linked_data, types_of
from dehusk.base.caching import cached_per_object
from dehusk.base.hashing import Keys, span_keys
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices
from dehusk.compiled.text import text_key
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from dehusk.sites.records.paths import element_paths
from dehusk.sites.records.pieces import Pieces, page_pieces, pieces_of
from dehusk.sites.records.record_units import RecordUnits, RowPlan, records_of
from dehusk.write.content.images import image_source

CHANNELS = ("text", "image", "data")

_IMG = numbers("img")
_DATA_VALUES, _DATA_CHARS = 200, 2_000
"""Values of linked data to read from a page, and characters of each."""
_GOODS = ("Product", "Book", "Event", "Movie", "Offer", "JobPosting", "Vehicle")
_MAKERS = ("Person", "Place", "Organization")
"""Of works and goods, they are authors and sellers: a page is about one only if it is about nothing else."""

Channels = tuple[Pieces, Pieces, Pieces]


def channels_of(blocks: Blocks, units: RecordUnits) -> Channels:
    """Return the pieces of a page's records in each of the `CHANNELS`.

    Args:
        blocks: the blocks of the page.
        units: its records.
    """
    if units.record_of is None:
        return page_channels(blocks)
    texts = pieces_of(blocks, units.record_of, units.roots)
    return texts, _images(blocks, units), _data(blocks.page, is_whole=False)


@cached_per_object
def page_channels(blocks: Blocks) -> Channels:
    """Return the pieces of a page as one record; a page that is learned from and read later needs them twice."""
    return page_pieces(blocks), _images(blocks, records_of(blocks, RowPlan())), _data(blocks.page, is_whole=True)


def _images(blocks: Blocks, units: RecordUnits) -> Pieces:
    """Return the images of records, each with its address as text."""
    page = blocks.page
    nodes = page.nodes_of(_IMG)
    if not len(nodes):
        return _pieces([], nodes, np.zeros(0, np.uint64), nodes)
    record = units.record_around(nodes)
    nodes, record = nodes[record >= 0], record[record >= 0]
    addresses = Addresses.of(page)
    found = [image_source(attributes, addresses) or "" for attributes in page.elements.attributes_of(nodes)]
    kept = np.flatnonzero([bool(address) for address in found])
    nodes, record = nodes[kept], record[kept]
    root = units.roots.take(record) if units.record_of is not None else np.zeros(len(nodes), np.intp)
    paths = element_paths(page).below(page, root, nodes, exact=True)
    return _pieces([found[n] for n in kept.tolist()], nodes, paths, record)


def _data(page: Page, *, is_whole: bool) -> Pieces:
    """Return the values of what a page's linked data says it is about, if the page is the record."""
    rows = list(_of_subject(page)) if is_whole and len(page) and "ld+json" in page.elements.text else []
    if is_whole and len(page) and "itemprop" in page.elements.text:
        rows += _microdata(page)
    paths = np.array([text_key(name) for name, _ in rows], dtype=np.uint64)
    zeros = np.zeros(len(rows), dtype=np.intp)
    return _pieces([value for _, value in rows], zeros, paths, zeros, [name for name, _ in rows])


def _of_subject(page: Page) -> Iterator[tuple[str, str]]:
    """Yield property and value of the first object of JSON-LD that the page may be about."""
    scripts = (element.text for element in page.elements.select('script[type="application/ld+json" i]'))
    things = read_linked_data(scripts)
    ranks = (partial(_is_of, types=_GOODS), is_work, partial(_is_of, types=_MAKERS))
    subject = next((thing for is_subject in ranks for thing in things if is_subject(thing)), None)
    values: deque[tuple[str, Any]] = deque([("", subject)] if subject else [])
    for _ in range(_DATA_VALUES):
        if not values:
            return
        name, value = values.popleft()
        if isinstance(value, dict):
            values.extendleft(
                (f"{name}.{key}" if name else str(key), inner)
                for key, inner in reversed(value.items())
                if not str(key).startswith("@") and name.count(".") < 2
            )
        elif isinstance(value, list):
            values.extendleft((name, inner) for inner in reversed(value[:_DATA_VALUES]))
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            text = " ".join(str(value).split())
            if text and len(text) <= _DATA_CHARS:
                yield name, text


def _is_of(thing: Thing, types: tuple[str, ...]) -> bool:
    return any(name.endswith(types) for name in types_of(thing))


def _microdata(page: Page) -> Iterator[tuple[str, str]]:
    """Yield property and value of microdata that no text shows."""
    for element in page.elements.select("meta[itemprop][content],time[itemprop][datetime]")[:_DATA_VALUES]:
        value = " ".join((element.attr("content") or element.attr("datetime") or "").split())
        if value and len(value) <= _DATA_CHARS:
            yield element.attr("itemprop") or "", value


def _pieces(
    texts: Sequence[str], nodes: Indices, paths: Keys, record: Indices, names: Sequence[str] | None = None
) -> Pieces:
    """Return pieces that are values of their own.

    Args:
        texts: the values.
        nodes: the node of each.
        paths: the key of the place of each.
        record: the record of each.
        names: what may name each; None for nothing.
    """
    order = np.argsort(record, kind="stable")
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    text = "".join(texts)
    end = np.cumsum(lengths)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    n = len(texts)
    yes, no = np.ones(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    pieces = Pieces(
        text=text,
        start=end - lengths,
        end=end,
        key=span_keys(points, end - lengths, end) if n else np.zeros(0, dtype=np.uint64),
        path=paths,
        loose=paths,
        holder=paths,
        parent=np.arange(n),
        block=np.arange(n),
        node=nodes.astype(np.intp),
        record=record.astype(np.intp),
        words=np.ones(n, dtype=np.intp),
        link=np.full(n, -1),
        is_direct=yes,
        is_heading=no,
        is_term=no,
        is_item=no,
        is_label_like=no,
        has_ink=yes,
        ends_word=no,
        starts_node=yes,
        names=tuple(names or ()),
    )
    return pieces if names else pieces.only(order)
