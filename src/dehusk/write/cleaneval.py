"""CLEANEVAL's format: `<h>`, `<p>` or `<l>` and the text of a segment, one segment a line, the page's address first.

A block labelled header, list or paragraph (or kept without such a label) begins a segment, a continuation goes on in
the segment before it. White space is folded. Every line begins with exactly one tag; for readers that look for tags
in the middle of lines as well, as CLEANEVAL's own texts need them, text that looks like one of the three tags has its
`<` written as `&lt;`, and `&` is written as `&amp;` in a text that would change if its entities were decoded. All
other text stays as it is.
"""

import html
import re
from collections.abc import Iterable

import numpy as np

from dehusk.labels import CONTINUATION, HEADER, LIST, Labels
from dehusk.layout import Gap, gaps
from dehusk.write.base import Writer, from_labels

TAGS = {HEADER: "<h>", LIST: "<l>"}
"""The tag of a label; all others, table, code and comment among them, are paragraphs."""

_TAG_LIKE = re.compile(r"<(?=/?[hpl]>)", re.IGNORECASE)


def to_cleaneval(labels: Labels) -> str:
    """Return the kept blocks as a CLEANEVAL text; the first line is there where the page's address is known."""
    page = labels.blocks.page
    url = page.url or dict(page.meta.wrapper).get("id", "")
    head = f"URL: {' '.join(url.split())}\n\n" if url.strip() else ""
    return head + "".join(f"{tag}{escape(text)}\n" for tag, text in segments(labels))


def segments(labels: Labels) -> Iterable[tuple[str, str]]:
    """Yield the tag and the folded text of each segment."""
    kept = np.flatnonzero(labels.kept)
    gap, texts = gaps(labels.blocks, kept).tolist(), labels.blocks.texts
    tag, parts = "", list[str]()
    for number, before, label in zip(kept.tolist(), gap, labels.label[kept].tolist(), strict=True):
        if label == CONTINUATION and parts:
            parts.append("" if before == Gap.NOTHING else " ")
        else:
            if parts:
                yield tag, " ".join("".join(parts).split())
            tag, parts = TAGS.get(label, "<p>"), []
        parts.append(texts[number])
    if parts:
        yield tag, " ".join("".join(parts).split())


def escape(text: str) -> str:
    """Return the text without what a reader could take for a tag or an entity."""
    if html.unescape(text) != text:
        text = text.replace("&", "&amp;")
    return _TAG_LIKE.sub("&lt;", text)


WRITER = Writer(
    name="cleaneval",
    extension=".cleaneval.txt",
    media_type="text/plain",
    write=from_labels(to_cleaneval),
)
