"""The typed face of `text.pyx`."""

from dehusk.labels import Labels

def to_text(labels: Labels) -> str:
    """Return the kept blocks as plain text; unless empty, it ends with a line end."""
