"""The typed face of `guards.pyx`."""

def has_self_closed(raw: bytes) -> bool:
    """Return whether an element of HTML that is not void seems to end in `/>`."""

def without_controls(text: str) -> str:
    """Replace control characters by spaces."""

def count_tags(raw: bytes) -> int:
    """Return the number of "<" in a source."""

def starts_as_xml(text: str) -> bool:
    """Return whether the start of the page could be XML, which few pages' starts could."""

def ends_template(raw: bytes) -> bool:
    """Return whether a source has the end tag of a template, in letters of any case."""
