"""The annotation tool: a person gives each segment of a page its label, in a terminal.

`session` holds the labels of one page, `app` and `view` are the screen (extra `terminal`). The page file is only
ever read.
"""

from dehusk.annotate.session import Session, annotation_path
from dehusk.annotate.tool import annotate

__all__ = ["Session", "annotate", "annotation_path"]
