"""The typed face of `fragments.pyx`."""

from dehusk.layout import Nodes
from dehusk.page import Page

def with_fragment(page: Page, links: Nodes) -> list[tuple[int, str]]:
    """Return (link, address) of the links with something after a `#` in an address that is not too long."""
