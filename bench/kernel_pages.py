"""Pages that consist of the kernel of a labelled page: what the bench of structure gives to every tool.

The original elements with the kernel's text, in their order, with their attributes. So that no tool drops any of it, or
prefers any, attributes that hide elements and classes and ids (by which tools guess what is content) are left out, except
where classes name the language of code and ids are targets of links within the page; the whole is one `article`.
Images stay as on the page, decorative ones too.
"""

from html import escape
from urllib.parse import unquote, urlsplit

import numpy as np

from dehusk.base.tags import VOID, numbers
from dehusk.blocks.layout import has_ink
from dehusk.read.page import Bools, Page
from structure_labels import StructureLabels

CELLS = numbers("td th")
CODE = numbers("pre code")
HIDING = frozenset({"class", "hidden", "aria-hidden", "style"})


def kernel_page(page: Page, labels: StructureLabels) -> str:
    """Return the kernel of a page as an HTML document of its own."""
    text = kernel_text(page, labels)
    stays = kept_nodes(page, text, image_nodes(page, labels))
    targets = {name for _, name in link_targets(page)}
    base = f'<base href="{escape(page.meta.base)}">' if page.meta.base else ""
    language = f' lang="{escape(page.meta.language)}"' if page.meta.language else ""
    body = "".join(serialised(page, stays, text, targets))
    return (
        f'<!DOCTYPE html>\n<html{language}><head><meta charset="utf-8"><title></title>{base}</head>\n'
        f"<body><article>\n{body}\n</article></body></html>\n"
    )


def kernel_text(page: Page, labels: StructureLabels) -> Bools:
    """Return which nodes, shape (n,), are text nodes with ink of the kernel."""
    inside = np.zeros(len(page.text) + 1, dtype=np.bool_)
    for start, end in labels.kernel:
        inside[start:end] = True
    text = page.is_text & has_ink(page) & inside[page.text_start]
    text[page.alt_nodes] = False
    return text


def image_nodes(page: Page, labels: StructureLabels) -> list[int]:
    images = page.nodes_of(numbers("img"))
    return [int(images[each.place[0]]) for each in (*labels.elements, *labels.optional) if each.kind == "image"]


def kept_nodes(page: Page, text: Bools, images: list[int]) -> Bools:
    """Return which nodes stay, shape (n,).

    Those with text of the kernel or with images of the gold; cells of rows that stay; and what has no text, if at least
    half of the text around it is the kernel's.
    """
    ink = page.is_text & has_ink(page)
    ink[page.alt_nodes] = False
    kernel_before, ink_before = (np.concatenate(([0], np.cumsum(mask))) for mask in (text, ink))
    kernel, all_ink = (before[page.end] - before[:-1] for before in (kernel_before, ink_before))
    stays = kernel > 0
    for image in images:
        around = image
        while around >= 0 and not stays[around]:
            stays[around] = True
            around = int(page.parent[around])
    cells = page.nodes_of(CELLS)
    stays[cells] |= stays[page.parent[cells]]
    empty = np.flatnonzero((all_ink == 0) & ~stays)
    for node in empty.tolist():
        parent = int(page.parent[node])
        stays[node] = stays[parent] and 2 * kernel[parent] >= all_ink[parent]
    stays[page.alt_nodes] = False
    return stays


def link_targets(page: Page) -> list[tuple[int, str]]:
    """Return the links within the page: (node, id that it leads to)."""
    hrefs = ((node, dict(given).get("href") or "") for node, given in page.attributes.items())
    return [(node, href[1:]) for node, href in hrefs if href.startswith("#") and len(href) > 1]


def serialised(page: Page, stays: Bools, text: Bools, targets: set[str]) -> list[str]:
    out: list[str] = []
    opened: list[tuple[int, str]] = []
    in_code = page.within(page.nodes_of(CODE)) > 0
    holds_code = np.concatenate(([0], np.cumsum(page.is_one_of(CODE))))
    alone_in_code = in_code | (holds_code[page.end] - holds_code[:-1] == 1)
    for node in range(1, len(page)):
        while opened and opened[-1][0] <= node:
            out.append(opened.pop()[1])
        if page.is_text[node]:
            written = page.text[page.text_start[node] : page.text_end[node]]
            is_ours = text[node] or (stays[page.parent[node]] and not written.strip())
            out.append(escape(written, quote=False) if is_ours else " ")
        elif stays[node]:
            name = page.tag_name(node)
            out.append(f"<{name}{attributes(page, node, targets, keep_class=bool(alone_in_code[node]))}>")
            if name not in VOID:
                opened.append((int(page.end[node]), f"</{name}>"))
    return [*out, *(closing for _, closing in reversed(opened))]


def attributes(page: Page, node: int, targets: set[str], *, keep_class: bool) -> str:
    parts = []
    for name, value in page.attributes.get(node, ()):
        if (name == "id" and value not in targets) or (name in HIDING and not (name == "class" and keep_class)):
            continue
        parts.append(f' {name}="{escape(value or "")}"')
    return "".join(parts)


def same_address(address: str) -> str:
    """Return what two spellings of an address have in common."""
    try:
        parts = urlsplit(unquote(address, errors="replace").strip())
    except ValueError:
        return address.strip()
    return f"{parts.netloc.lower()}{parts.path.rstrip('/')}?{parts.query}#{parts.fragment}".replace(" ", "")
