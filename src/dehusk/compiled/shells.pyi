"""The typed face of `shells.pyx`."""

from dehusk.read.nodes import NodeColumns

def chars_of_texts(columns: NodeColumns, shortest: int, enough: int) -> int:
    """Return the number of characters in texts without white space around them; counting stops when there are `enough`.

    Args:
        columns: those of a page.
        shortest: characters, with white space, of a text that counts.
        enough: how many to count.
    """
