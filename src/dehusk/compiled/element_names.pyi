"""The typed face of `element_names.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.layout import Nodes
from dehusk.page import Page

def element_names(page: Page, nodes: Nodes) -> npt.NDArray[np.object_]:
    """Return the name in the output of the kept nodes of a page, shape (m,), "" for text nodes.

    Args:
        page: the page.
        nodes: (m,) the kept nodes, ascending.
    """
