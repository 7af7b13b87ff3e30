"""The typed face of `suspects.pyx`."""

from dehusk.blocks import Blocks
from dehusk.layout import Nodes
from dehusk.page import Bools

def suspects_in(
    blocks: Blocks, kept: Bools, signs: frozenset[str], copying: frozenset[str]
) -> tuple[Nodes, Nodes, list[int], list[int], list[int], list[int], bool, list[int], list[int], dict[int, str]]:
    """Return the fields of `dehusk.visibility.suspects.Suspects`.

    Args:
        blocks: the blocks of a page.
        kept: (b,) which of them are meant.
        signs: the texts of permalinks.
        copying: the texts of buttons that copy listings.
    """
