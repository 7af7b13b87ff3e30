"""What the table of pages says about a page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

import dehusk
from dehusk.base.errors import ChildError, ChildSlowError, Status, encodable
from dehusk.blocks.labels import CODE, COMMENT, LIST, TABLE
from dehusk.counts.grouping import site_of
from dehusk.document import Document
from dehusk.read import Limits
from dehusk.studio.making import USUAL, Making
from dehusk.studio.unsure_units import UnsureUnit, find_unsure

TYPES = ("article", "thread", "table", "code", "list", "none")
"""What most kept words are in: running text, comments and posts, tables, listings, list items; "none": nothing kept."""

_KINDS = {COMMENT: "thread", TABLE: "table", CODE: "code", LIST: "list"}
_MOST_SEARCHED = 200_000  # characters of a page that the search knows
_PREVIEW = 300  # characters
SECONDS = 2 * Limits().latest
"""Wall time that a page may take; its own limit should end it earlier."""


class PageFacts(NamedTuple):
    """The columns of a page in the order of the table, the text to search in, and units for the queue."""

    sha: str
    host: str
    status: str
    message: str
    title: str
    type: str
    confidence: float
    kept: float
    words: int
    blocks: int
    language: str
    preview: str
    made_by: str
    """`Making.key`."""
    text: str
    unsure: tuple[UnsureUnit, ...]


def find_facts(body: bytes, url: str, headers: Mapping[str, str], making: Making = USUAL) -> PageFacts:
    """Clean a page, by the default method unless the making is another, and describe it."""
    rules = making.parsed_rules()
    document = dehusk.clean(
        body, url=url or None, headers=headers, method=making.method, model=making.model, rules=rules
    )
    labels = document.labels
    words = labels.blocks.words
    kept, all_words = int(words[labels.kept].sum()), int(words.sum())
    text, host = encodable(document.text), site_of(document.page)
    return PageFacts(
        sha=hashlib.sha256(body).hexdigest(),
        host=host,
        status=str(document.status),
        message=document.message,
        title=encodable(document.title),
        type=_type_of(document),
        confidence=round(document.confidence, 4),
        kept=round(kept / all_words, 4) if all_words else 0.0,
        words=kept,
        blocks=len(labels),
        language=_language(document),
        preview=" ".join(text[: 2 * _PREVIEW].split())[:_PREVIEW],
        made_by=making.key(host),
        text=text[:_MOST_SEARCHED],
        unsure=find_unsure(document),
    )


def facts_without(body: bytes, url: str, headers: Mapping[str, str], error: ChildError) -> PageFacts:
    """Return what is known of a page whose cleaning ended its process, or took too long."""
    facts, sha = find_facts(b"", url, headers), hashlib.sha256(body).hexdigest()
    status = Status.LIMIT if isinstance(error, ChildSlowError) else Status.ERROR
    return facts._replace(sha=sha, status=str(status), message=str(error))


def _type_of(document: Document) -> str:
    labels = document.labels
    if not labels.kept.any():
        return "none"
    words = np.bincount(labels.label[labels.kept], labels.blocks.words[labels.kept], minlength=8)
    most = max(_KINDS, key=lambda kind: float(words[kind]))
    return _KINDS[most] if 2 * words[most] > words.sum() else "article"


def _language(document: Document) -> str:
    """Return the language that the page declares, else that of its text; "" if neither is known."""
    declared = (document.page.meta.language or "").replace("_", "-").partition("-")[0].lower()
    if 2 <= len(declared) <= 3 and declared.isalpha():
        return declared
    detected = document.metadata.text_language
    return detected.code if detected else ""
