"""CLEANEVAL's format: the page's address, then one line per segment: `<h>`, `<p>` or `<l>`, and its text.

A continuation belongs to the segment before it; every other kept block starts a segment. White space is folded. Every
line starts with exactly one tag. CLEANEVAL's own texts need readers that find tags in the middle of lines too; for
them, text that looks like one of the three tags has its `<` written as `&lt;`, and `&` is written as `&amp;` in a text
that would change if its entities were decoded. All other text stays unchanged.
"""

import html
import re
from collections.abc import Iterable

from dehusk.blocks.labels import CONTINUATION, HEADER, LIST, Labels
from dehusk.blocks.layout import Gap
from dehusk.compiled.blocks import gaps
from dehusk.write.interface import Writer, from_labels

TAGS = {HEADER: "<h>", LIST: "<l>"}
"""Label -> tag; all other labels, including table, code and comment, are paragraphs."""

TAG_LIKE = re.compile(r"<(?=/?[hpl]>)", re.IGNORECASE)


def to_cleaneval(labels: Labels) -> str:
    """Return the kept blocks as a CLEANEVAL text; it starts with the page's address if that is known."""
    page = labels.blocks.page
    url = page.url or dict(page.meta.wrapper).get("id", "")
    header = f"URL: {' '.join(url.split())}\n\n" if url.strip() else ""
    return header + "".join(f"{tag}{escape(text)}\n" for tag, text in segments(labels))


def segments(labels: Labels) -> Iterable[tuple[str, str]]:
    """Yield the tag and the folded text of each segment."""
    kept = labels.written
    gap, texts = gaps(labels.blocks, kept).tolist(), labels.texts
    tag, parts = "", list[str]()
    for block, gap_before, label in zip(kept.tolist(), gap, labels.label[kept].tolist(), strict=True):
        if label == CONTINUATION and parts:
            parts.append("" if gap_before == Gap.NOTHING else " ")
        else:
            if parts:
                yield tag, " ".join("".join(parts).split())
            tag, parts = TAGS.get(label, "<p>"), []
        parts.append(texts[block])
    if parts:
        yield tag, " ".join("".join(parts).split())


def escape(text: str) -> str:
    """Escape whatever a reader could mistake for a tag or an entity."""
    if html.unescape(text) != text:
        text = text.replace("&", "&amp;")
    return TAG_LIKE.sub("&lt;", text)


WRITER = Writer(
    name="cleaneval",
    extension=".cleaneval.txt",
    media_type="text/plain",
    write=from_labels(to_cleaneval),
)
