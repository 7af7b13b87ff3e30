"""Headers of code listings: an element at the start of a listing that holds buttons, such as the one that copies it.

>>> from dehusk import parse
>>> header_of(parse("<pre><div>bash<button>Copy</button></div><code>echo tea</code></pre>"), 1)
(2, 'bash')
"""

from dehusk.base.tags import numbers
from dehusk.read.page import Page

_LISTING, _BUTTON = numbers("pre listing xmp plaintext"), numbers("button")
_HEADER = 80
"""Characters from the start of a listing in which the element with its buttons ends."""


def header_of(page: Page, listing: int) -> tuple[int, str]:
    """Return the element at the start of a listing that holds buttons, and its first text; (-1, "") for none.

    One button copies the listing; beside it, such an element has the name of the language or of a file.
    """
    buttons = page.nodes_of(_BUTTON)
    at = int(buttons.searchsorted(listing))
    if at == len(buttons) or buttons[at] >= page.end[listing]:
        return -1, ""
    first = listing + 1
    while first < buttons[at] and not (page.is_text[first] and page.text_of(first).strip()):
        first += 1
    header = -1
    node = first if first < buttons[at] else int(buttons[at])
    while (node := int(page.parent[node])) > listing and page.text_end[node] - page.text_start[listing] <= _HEADER:
        header = node if node < buttons[at] < page.end[node] else header
    if header < 0 or not page.text[page.text_end[header] : page.text_end[listing]].strip():
        return -1, ""
    return header, page.text_of(first).strip() if page.is_text[first] else ""


def header_texts(page: Page) -> list[int]:
    """Return the text nodes at the start of listings that are in or before such a header."""
    if not len(page.nodes_of(_BUTTON)):
        return []
    found = list[int]()
    for listing in page.nodes_of(_LISTING).tolist():
        header, _ = header_of(page, listing)
        if header >= 0:
            found += (listing + page.is_text[listing : page.end[header]].nonzero()[0]).tolist()
    return found
