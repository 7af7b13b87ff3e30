"""A local web page to look at cleaned pages, understand decisions, correct them, and learn from the corrections.

`serve` starts it; docs/studio.md shows it. Server and browser share the numbers of common blocks: the page in its
frame, the outcome, labels and rules all refer to them.
"""

from dehusk.studio.serving import serve

__all__ = ["serve"]
