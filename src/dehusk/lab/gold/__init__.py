"""Gold standards: labels assigned by people, stored apart from the page.

There are two forms: stand-off annotations of a page's characters (`Annotation`), and CLEANEVAL's cleaned texts
(`from_cleaneval`, `segments_to_cleaneval`), which do not record the position of a text on the page.
"""

from dehusk.blocks.annotation import SUFFIX, UNLABELLED, Annotation, Codes, Span
from dehusk.lab.gold.cleaneval import Segment, from_cleaneval, segments_to_cleaneval

__all__ = ["SUFFIX", "UNLABELLED", "Annotation", "Codes", "Segment", "Span", "from_cleaneval", "segments_to_cleaneval"]
