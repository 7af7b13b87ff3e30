"""The annotation tool: a person gives each segment of a page its label, in a terminal.

`session` is the work without a screen, `app` the screen; the page file is only ever read.
"""

from dehusk.annotate.app import annotate
from dehusk.annotate.session import Session, annotation_path

__all__ = ["Session", "annotate", "annotation_path"]
