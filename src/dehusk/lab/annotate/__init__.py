"""The annotation tool: a person labels the segments of a page in the terminal.

`session` contains the labels of one page; `app` and `view` are the screen (extra `terminal`). Page files are never
changed.
"""

from dehusk.lab.annotate.page_progress import next_steps, read_progress, summary_line
from dehusk.lab.annotate.session import Session, annotated_text, annotation_path
from dehusk.lab.annotate.suggestions import suggest_by, suggesting_method
from dehusk.lab.annotate.tool import annotate

__all__ = [
    "Session",
    "annotate",
    "annotated_text",
    "annotation_path",
    "next_steps",
    "read_progress",
    "suggest_by",
    "suggesting_method",
    "summary_line",
]
