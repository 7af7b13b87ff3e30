"""Notes in boxes with a title, such as "Note" or "Warning", by the classes of the engines that write them.

The classes are those of Sphinx, MkDocs, Docusaurus, Starlight, Hugo, Obsidian, GitHub, Bootstrap and Confluence.
"""

from dehusk.base.caching import cached_per_object
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_WORDS = "admonition callout alert starlight-aside confluence-information-macro"
_TITLE = NamePattern(
    r"(?:^|[\s_-])(?:admonition|callout|markdown-alert|alert|starlight-aside)(?:[_-]{0,2}(?:title|heading)|heading_\w+)|^title$",
    f"{_WORDS} title",
)
_BOX = NamePattern(
    r"(?:^|[\s_-])(?:admonition|callout|markdown-alert|alert|starlight-aside|confluence-information-macro)(?:$|[\s_])",
    _WORDS,
)
_LEVELS = 4  # elements between a box and its title, at most; the engines named above have one or two


@cached_per_object
def admonitions_of(page: Page) -> tuple[tuple[int, int], ...]:
    """Return (the element of the title, the box around it) for each note in a box, in document order."""
    boxes = set(page.classes.named(_BOX))  # first: many pages name titles, few have boxes
    titles = page.classes.named(_TITLE) if boxes else []
    if not titles:
        return ()
    found = dict[int, int]()
    for title in page.has_class(titles).nonzero()[0].tolist():
        box = int(page.parent[title])
        is_bare = page.class_names[page.class_code[title]].lower() == "title"
        for _ in range(0 if is_bare else _LEVELS):
            box = int(page.parent[box]) if box > 0 and int(page.class_code[box]) not in boxes else box
        if box > 0 and int(page.class_code[box]) in boxes:
            found.setdefault(box, title)
    return tuple((title, box) for box, title in found.items())
