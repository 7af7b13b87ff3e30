"""JSON: what a method says of every block, kept or not, with where the block stands, and what is known of the page."""

import json as _json
import math
import re
from itertools import repeat
from typing import Any

import numpy as np

from dehusk.blocks import Blocks
from dehusk.labels import KINDS, Labels
from dehusk.metadata import Metadata, read_metadata
from dehusk.page import Page
from dehusk.xpath import xpaths

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_json(labels: Labels) -> str:
    """Return the record of a page as one line of strict JSON: neither NaN nor lone surrogates."""
    return dumps(json_record(labels))


def dumps(record: dict[str, object]) -> str:
    """Return a record as one line of strict JSON.

    Raises:
        ValueError: a number in a nested fact is not finite.
    """
    return _SURROGATE.sub("\ufffd", _json.dumps(record, ensure_ascii=False, allow_nan=False)) + "\n"


def json_record(labels: Labels, **facts: object) -> dict[str, object]:
    """Return `page_record` with `blocks`, the `block_records`, as its last key."""
    page = labels.blocks.page
    return {**page_record(page, read_metadata(page), **facts), "blocks": block_records(labels)}


def page_record(page: Page, said: Metadata, **facts: object) -> dict[str, object]:
    """Return what is known of a page; the keys come in one fixed order.

    Args:
        page: the page.
        said: what the page says of itself.
        facts: more facts, JSON values; one of the same name replaces a fact of the page, the others come last. Numbers
            that are not finite become None.

    Returns:
        url, status, message, title (of the title element), author, date, language, canonical, encoding (name, evidence,
        errors), notes, and the given facts.
    """
    encoding = page.encoding
    record: dict[str, object] = {
        "url": page.url,
        "status": str(page.status),
        "message": page.message,
        "title": page.meta.title,
        "author": said.author,
        "date": said.date,
        "language": said.language,
        "canonical": said.canonical,
        "encoding": {"name": encoding.name, "evidence": encoding.evidence, "errors": encoding.errors},
        "notes": list(page.notes),
    }
    finite = {
        name: None if isinstance(fact, float) and not math.isfinite(fact) else fact for name, fact in facts.items()
    }
    return record | finite


def block_records(labels: Labels) -> list[dict[str, Any]]:
    """Return what is known of each block, in document order.

    Returns:
        For each block text, label, probability, kept, reason (None where the method was not asked), xpath of the
        innermost element that holds it, and span: its start and end in characters of the page's text. Where the method
        gives it, evidence: what decided, as plain values.
    """
    blocks = labels.blocks
    paths, nodes = xpaths(blocks.page, blocks.node.tolist()), blocks.node.tolist()
    probability = np.round(labels.probability, 4).tolist()
    reasons = labels.reasons if len(labels.reasons) else repeat(None, len(blocks))
    starts, stops = _spans(blocks)
    names = [KINDS[label] for label in labels.label.tolist()]
    columns = zip(blocks.texts, names, probability, labels.kept.tolist(), reasons, nodes, starts, stops, strict=True)
    records: list[dict[str, Any]] = [
        {
            "text": text,
            "label": label,
            "probability": chance if math.isfinite(chance) else None,
            "kept": kept,
            "reason": reason,
            "xpath": paths[node],
            "span": [start, stop],
        }
        for text, label, chance, kept, reason, node, start, stop in columns
    ]
    for record, evidence in zip(records, labels.evidence, strict=False):
        record["evidence"] = evidence
    return records


def _spans(blocks: Blocks) -> tuple[list[int], list[int]]:
    return blocks.source[blocks.start].tolist(), (blocks.source[blocks.end - 1] + 1).tolist()
