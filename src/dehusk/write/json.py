"""JSON: a page's metadata and every block, kept or dropped, with its label, its probability and its position."""

import json as _json
import math
import re
from itertools import repeat
from typing import Any

import numpy as np

from dehusk.blocks import Blocks
from dehusk.labels import KINDS, Labels
from dehusk.write.interface import CleanedPage, Writer
from dehusk.xpath import xpaths

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(cleaned: CleanedPage) -> str:
    """Return the record of a page as one line of strict JSON: neither NaN nor lone surrogates."""
    return dumps(document_record(cleaned))


def dumps(record: dict[str, object]) -> str:
    """Return a record as one line of strict JSON.

    Raises:
        ValueError: a number in the record is not finite.
    """
    return _SURROGATE.sub("\ufffd", _json.dumps(record, ensure_ascii=False, allow_nan=False)) + "\n"


def document_record(cleaned: CleanedPage, *, evidence: bool = False) -> dict[str, object]:
    """Return `page_record` with `blocks`, the `block_records`, as its last key.

    Args:
        cleaned: the cleaned page.
        evidence: whether to include each block's evidence, if the page was cleaned with `explain=True`.
    """
    blocks = block_records(cleaned.labels)
    if not evidence:
        for block in blocks:
            block.pop("evidence", None)
    return {**page_record(cleaned), "blocks": blocks}


def page_record(cleaned: CleanedPage) -> dict[str, object]:
    """Return what is known about a page as plain values, ready for JSON; the order of the keys is fixed.

    Returns:
        url, status, message, title (of the title element), author, date, language, canonical, encoding (name, evidence,
        errors), notes, confidence.
    """
    page, metadata = cleaned.page, cleaned.metadata
    encoding = page.encoding
    return {
        "url": page.url,
        "status": str(cleaned.status),
        "message": cleaned.message,
        "title": cleaned.title,
        "author": metadata.author,
        "date": metadata.date,
        "language": metadata.language,
        "canonical": metadata.canonical,
        "encoding": {"name": encoding.name, "evidence": encoding.evidence, "errors": encoding.errors},
        "notes": list(cleaned.notes),
        "confidence": round(cleaned.confidence, 4),
    }


def block_records(labels: Labels) -> list[dict[str, Any]]:
    """Return what is known about each block, in document order, as plain values.

    Returns:
        For each block text, label, probability, kept, reason (None unless the page was cleaned with `explain=True`),
        xpath of the innermost element that contains the block, span (its start and end in characters of the page's
        text), and evidence if the method gives any.
    """
    blocks = labels.blocks
    paths, nodes = xpaths(blocks.page, blocks.node.tolist()), blocks.node.tolist()
    probabilities = np.round(labels.probability, 4).tolist()
    reasons = labels.reasons if len(labels.reasons) else repeat(None, len(blocks))
    starts, ends = _spans(blocks)
    names = [KINDS[label] for label in labels.label.tolist()]
    columns = zip(blocks.texts, names, probabilities, labels.kept.tolist(), reasons, nodes, starts, ends, strict=True)
    records: list[dict[str, Any]] = [
        {
            "text": text,
            "label": label,
            "probability": probability if math.isfinite(probability) else None,
            "kept": kept,
            "reason": reason,
            "xpath": paths[node],
            "span": [start, end],
        }
        for text, label, probability, kept, reason, node, start, end in columns
    ]
    for record, evidence in zip(records, labels.evidence, strict=False):
        record["evidence"] = evidence
    return records


def _spans(blocks: Blocks) -> tuple[list[int], list[int]]:
    return blocks.source[blocks.start].tolist(), (blocks.source[blocks.end - 1] + 1).tolist()


WRITER = Writer(
    name="json",
    extension=".json",
    media_type="application/json",
    write=to_json,
    aliases=("jsonl", "ndjson"),
    includes_dropped=True,
)
