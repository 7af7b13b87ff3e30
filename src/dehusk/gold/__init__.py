"""Gold: what people say of a page, kept apart from the page.

Two forms: dehusk's own stand-off annotation of blocks (`Annotation`), and CLEANEVAL's cleaned text (`from_cleaneval`,
`to_cleaneval`), which does not say where on the page its text stands.
"""

from dehusk.gold.annotation import SUFFIX, UNLABELLED, Annotation, Codes, Span
from dehusk.gold.cleaneval import Segment, from_cleaneval, to_cleaneval

__all__ = ["SUFFIX", "UNLABELLED", "Annotation", "Codes", "Segment", "Span", "from_cleaneval", "to_cleaneval"]
