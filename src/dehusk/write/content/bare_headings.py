"""Headings that head nothing, as a heading of a higher level follows at once: they become lines.

Many pages write so what stands above a title (the section, the date, the subject), and texts that are to look large.
Below the title of a page, h1 is often used for parts of a section: what stands above it is the name of this section.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page

_TITLE = "h1"
_HEADINGS, _CONTENT = numbers(HEADINGS), numbers("audio embed iframe img object svg video")


def without_bare_headings(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names of elements in the output, (m,), with headings right above one of a higher level as `div`.

    Args:
        page: the page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    is_heading = page.is_one_of(_HEADINGS)
    outermost = (is_heading & (page.within(is_heading.nonzero()[0]) == 1))[nodes].nonzero()[0].tolist()
    places = [place for place in outermost if names[place] in HEADINGS]
    if len(places) < 2:
        return names
    ends = nodes.searchsorted(page.end[nodes[places]]).tolist()
    title = next((place for place in places if names[place] == _TITLE), len(nodes))
    following, found = "", set[int]()
    for place, end, after in reversed([*zip(places, ends, places[1:], strict=False)]):
        is_run = after in found and names[after] == names[place]
        following = following if is_run else names[after]
        is_misused = following == _TITLE and place > title
        may_go = following < names[place] and not is_misused and not _is_of_title(page, int(nodes[place]))
        if may_go and _is_empty(page, nodes[end:after]):
            found.add(place)
    if found:
        names = names.copy()
        names[[*found]] = "div"
    return names


def _is_of_title(page: Page, node: int) -> bool:
    """Return whether the title element has a heading of several words."""
    text = " ".join(page.text_of(node).split()).casefold()
    return text.count(" ") >= 2 and text in page.meta.title.casefold()


def _is_empty(page: Page, nodes: Nodes) -> bool:
    """Return whether kept nodes hold neither text nor pictures."""
    is_text, is_content = page.is_text[nodes], page.is_one_of(_CONTENT)[nodes]
    return not is_content.any() and not any(page.text_of(node).strip() for node in nodes[is_text].tolist())
