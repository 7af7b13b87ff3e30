"""The typed face of `literals.pyx`."""

from dehusk.read.islands.literals import Strings

def strings_of(source: str, island: int, is_json: bool, tokens: int, objects: int, families: int) -> Strings:
    """Return the strings of an island.

    Args:
        source: its data.
        island: its number.
        is_json: whether it is JSON rather than a script.
        tokens: number of tokens in islands before.
        objects: number of objects in islands before.
        families: number of families in islands before.
    """
