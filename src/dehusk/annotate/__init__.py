"""The annotation tool: a person labels the segments of a page in the terminal.

`session` contains the labels of one page; `app` and `view` are the screen (extra `terminal`). Page files are never
changed.
"""

from dehusk.annotate.session import Session, annotation_path
from dehusk.annotate.suggestions import suggest_by
from dehusk.annotate.tool import annotate

__all__ = ["Session", "annotate", "annotation_path", "suggest_by"]
