"""The typed face of `blocks.pyx`."""

from dehusk.blocks import Blocks, _Columns
from dehusk.page import Page

def columns(page: Page, every_tag: bool, alt: bool) -> _Columns:
    """Return the columns of the blocks of a page; see `segment`."""

def texts(blocks: Blocks) -> list[str]:
    """Return the folded text of each block."""
