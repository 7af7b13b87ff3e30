"""The typed face of `pruning.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.labels import Labels
from dehusk.layout import Nodes
from dehusk.page import Page

def kept_columns(labels: Labels) -> tuple[Nodes, npt.NDArray[np.object_], dict[int, str]]:
    """Return the columns of a `dehusk.write.pruning.Pruned`: `nodes`, `names` and `seams`."""

def element_names(page: Page, nodes: Nodes) -> npt.NDArray[np.object_]:
    """Return the name in the output of some ascending nodes, shape (m,), "" for text nodes.

    Elements without one are `span`; parts of tables where no parser would put them are `div`.
    """
