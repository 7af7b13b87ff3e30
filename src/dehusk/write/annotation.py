"""The annotation of a cleaned page: labels for `dehusk annotate` to correct and for `dehusk train` to learn from.

Victor's `clean.pl` also writes by default what its annotation tool writes. Kept tables, listings and comments are
paragraphs, and dropped blocks are `other`.
"""

import numpy as np

from dehusk.blocks.annotation import SUFFIX, Annotation
from dehusk.blocks.labels import CONTINUATION, OTHER, PARAGRAPH
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.options import WriteOptions


def to_annotation(cleaned: CleanedPage, _: WriteOptions) -> str:
    """Return the annotation of all blocks of a page as JSON; the annotator is the model that labelled it."""
    labels = cleaned.labels
    codes = np.where(labels.label <= CONTINUATION, labels.label, PARAGRAPH)
    written = np.zeros(len(labels), dtype=np.bool_)
    written[labels.written] = True
    codes = np.where(written, codes, OTHER)
    page = cleaned.page
    annotation = Annotation.from_labels(page.data, labels.blocks, codes, annotator=cleaned.model or None)
    return annotation.json()


WRITER = Writer(
    name="annotation",
    extension=SUFFIX,
    media_type="application/json",
    write=to_annotation,
    aliases=("anno", "gold"),
    includes_dropped=True,
    beside_page=True,
)
