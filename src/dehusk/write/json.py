"""JSON: a page's metadata and every block, kept or dropped, with its label, its probability and its position."""

import json as _json
import math
from collections.abc import Iterator
from itertools import islice, repeat
from re import Match
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.about.declared import read_declared
from dehusk.about.verdict import warnings_of
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.labels import KINDS, Labels
from dehusk.blocks.units import UNIT_KINDS, Units, find_units
from dehusk.read.addresses import address_of
from dehusk.read.parsing import LARGE
from dehusk.read.xpath import xpaths
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.outline import read_outline
from dehusk.write.threads import comment_records, post_records

_AT_ONCE = 1000
_SPECIAL = pattern("[\x7f-\x9f\ud800-\udfff]")


def to_json(cleaned: CleanedPage) -> str:
    """Return the record of a page as one line of strict JSON: neither NaN nor lone surrogates.

    Blocks are written `_AT_ONCE` at a time, because their records take several times the memory of their JSON.
    """
    head = dumps(page_record(cleaned)).removesuffix("}\n")
    if len(cleaned.page) > LARGE:
        cleaned.page.release()
    records = (_without_evidence(record) for record in _each_block(cleaned.labels))
    lists = iter(lambda: list(islice(records, _AT_ONCE)), [])
    return f'{head}, "blocks": [{", ".join(_strict(each)[1:-1] for each in lists)}]}}\n'


def dumps(record: dict[str, object]) -> str:
    """Return a record as one line of strict JSON.

    Raises:
        ValueError: a number in the record is not finite.
    """
    return _strict(record) + "\n"


def _strict(value: object) -> str:
    return _SPECIAL.sub(_special, _json.dumps(value, ensure_ascii=False, allow_nan=False))


def _special(found: Match[str]) -> str:
    """Return a control character, which a terminal may obey, as an escape; a lone surrogate is no text at all."""
    character = found[0]
    return f"\\u{ord(character):04x}" if character < "\xa0" else "\ufffd"


def document_record(cleaned: CleanedPage, *, evidence: bool = False) -> dict[str, object]:
    """Return `page_record` with `blocks`, the `block_records`, as its last key.

    Args:
        cleaned: the cleaned page.
        evidence: whether to include each block's evidence, if the page was cleaned with `explain=True`, and before the
            blocks `warnings` (name, message, blocks), `outline` (`Part.record`), `units`, the `unit_records`, `posts`,
            the `post_records`, `comments`, the `comment_records`, and `declared` (`DeclaredThing.record`).
    """
    blocks = block_records(cleaned.labels)
    if evidence:
        warnings = [
            {"name": each.name, "message": each.message, "blocks": list(each.blocks)}
            for each in warnings_of(cleaned.labels, lambda: cleaned.metadata)
        ]
        groups = {
            "warnings": warnings,
            "outline": read_outline(cleaned.labels).record(),
            "units": unit_records(cleaned.labels),
            "posts": post_records(cleaned.labels),
            "comments": comment_records(cleaned.labels),
            "declared": [thing.record() for thing in read_declared(cleaned.labels)],
        }
        return {**page_record(cleaned), **groups, "blocks": blocks}
    return {**page_record(cleaned), "blocks": list(map(_without_evidence, blocks))}


def _without_evidence(record: dict[str, Any]) -> dict[str, Any]:
    record.pop("evidence", None)
    return record


def page_record(cleaned: CleanedPage, *, metadata: bool = True) -> dict[str, object]:
    """Return what is known about a page as plain values, ready for JSON; the order of the keys is fixed.

    Args:
        cleaned: the cleaned page.
        metadata: whether to read the metadata; without, its keys are missing.

    Returns:
        url, status, message, kind ("" unless the page has no kernel), then the keys of `Metadata.record`
        (docs/metadata.md), title_element (the text of the page's title element), encoding (name, evidence, errors),
        notes, confidence, model (name and hash; "" if the method has none).
    """
    page = cleaned.page
    encoding = page.encoding
    return {
        "url": address_of(page),
        "status": str(cleaned.status),
        "message": cleaned.message,
        "kind": cleaned.kind,
        **(cleaned.metadata.record() if metadata else {}),
        "title_element": cleaned.title,
        "encoding": {"name": encoding.name, "evidence": encoding.evidence, "errors": encoding.errors},
        "notes": list(cleaned.notes),
        "confidence": round(cleaned.confidence, 4),
        "model": cleaned.model,
    }


def block_records(labels: Labels) -> list[dict[str, Any]]:
    """Return what is known about each block, in document order, as plain values.

    Returns:
        For each block text (of kept blocks without what is omitted, of dropped ones all of it), label, probability,
        kept, reason (None unless the page was cleaned with `explain=True`), xpath of the innermost element that
        contains the block, span (its start and end in characters of the page's text), hidden (why readers of the page
        cannot see the text, None if they can), source ("elements", or "data" for text that the page holds only in its
        scripts, templates or attributes), and evidence if the method gives any.
    """
    return list(_each_block(labels))


def _each_block(labels: Labels) -> Iterator[dict[str, Any]]:
    """Yield the records of `block_records`."""
    blocks = labels.blocks
    paths, nodes = xpaths(blocks.page, blocks.node.tolist()), blocks.node.tolist()
    probabilities = np.round(labels.probability, 4).tolist()
    reasons = labels.reasons if len(labels.reasons) else repeat(None, len(blocks))
    starts, ends = _spans(blocks)
    names = [KINDS[label] for label in labels.label.tolist()]
    kept, hidden = labels.kept.tolist(), map(labels.hidden.get, range(len(blocks)))
    texts = (own if keep else whole for own, whole, keep in zip(labels.texts, blocks.texts, kept, strict=True))
    in_data = blocks.page.in_island[blocks.node].tolist()
    columns = zip(texts, names, probabilities, kept, reasons, nodes, starts, ends, hidden, in_data, strict=True)
    own_evidence = iter(labels.evidence)
    for text, label, probability, kept, reason, node, start, end, why_hidden, is_data in columns:
        record = {
            "text": text,
            "label": label,
            "probability": probability if math.isfinite(probability) else None,
            "kept": kept,
            "reason": reason,
            "xpath": paths[node],
            "span": [start, end],
            "hidden": why_hidden,
            "source": "data" if is_data else "elements",
        }
        for evidence in islice(own_evidence, 1):
            record["evidence"] = evidence
        yield record


def unit_records(labels: Labels) -> list[dict[str, Any]]:
    """Return what is known about each unit, as plain values; a unit comes before the units inside it.

    Returns:
        For each unit kind (of `dehusk.blocks.units.UNIT_KINDS`), blocks (the first, and one past the last), parent
        (index of the innermost unit around it, None if there is none), members (items, rows or records directly in it),
        header (whether it is a row of header cells), kept (share of its words in kept blocks), probability (mean over
        its blocks, weighted by words), xpath of its element (None for sections and runs of paragraphs) and span (its
        start and end in characters of the page's text).
    """
    blocks, units = labels.blocks, find_units(labels.blocks)
    kept, probability = _means(labels, units, labels.kept), _means(labels, units, labels.probability)
    nodes, (starts, ends) = units.node.tolist(), _spans(blocks)
    paths = xpaths(blocks.page, units.node[units.node >= 0].tolist())
    named = (units.kind, units.first, units.end, units.parent, units.members, units.is_header)
    columns: list[list[Any]] = [column.tolist() for column in named]
    return [
        {
            "kind": UNIT_KINDS[kind],
            "blocks": [first, end],
            "parent": parent if parent >= 0 else None,
            "members": members,
            "header": header,
            "kept": share,
            "probability": mean if math.isfinite(mean) else None,
            "xpath": paths.get(node),
            "span": [starts[first], ends[end - 1]],
        }
        for kind, first, end, parent, members, header, share, mean, node in zip(
            *columns, kept, probability, nodes, strict=True
        )
    ]


def _means(labels: Labels, units: Units, values: npt.NDArray[Any]) -> list[float]:
    """Return the mean of a value of blocks over each unit, weighted by words."""
    words = np.maximum(labels.blocks.words, 1)
    weight, total = np.zeros(len(labels) + 1), np.zeros(len(labels) + 1)
    np.cumsum(words, out=weight[1:])
    np.cumsum(words * values, out=total[1:])
    means = (total[units.end] - total[units.first]) / (weight[units.end] - weight[units.first])
    rounded: list[float] = np.round(means, 4).tolist()
    return rounded


def _spans(blocks: Blocks) -> tuple[list[int], list[int]]:
    return blocks.source[blocks.start].tolist(), (blocks.source[blocks.end - 1] + 1).tolist()


WRITER = Writer(
    name="json",
    extension=".json",
    media_type="application/json",
    write=lambda cleaned, _: to_json(cleaned),
    aliases=("jsonl", "ndjson"),
    includes_dropped=True,
)
