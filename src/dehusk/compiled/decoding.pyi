"""The typed face of `decoding.pyx`."""

def strict_utf8(data: bytes) -> tuple[str, int] | None:
    """Return the text of valid UTF-8 and how often it has U+FFFD; None if the bytes are not valid."""
