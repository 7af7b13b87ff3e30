"""The typed face of `nesting.pyx`."""

def estimate(raw: bytes) -> tuple[int, int]:
    """Return how deep a source nests, and how many formatting elements it leaves open."""

def deep_parts(raw: bytes) -> list[tuple[int, int]]:
    """Return (start, end) of the names of the parts of tables that a source nests at least `DEEP` deep, in order."""
