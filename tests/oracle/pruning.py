"""What `dehusk.compiled.write` computes: the nodes that a cleaned page keeps, by what is around each."""

from itertools import pairwise

from dehusk.base.characters import CharClass
from dehusk.base.tags import PREFORMATTED
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Gap
from dehusk.compiled.text import classify
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from dehusk.write.content.images import image_source
from oracle.blocks import BLOCK_LEVEL
from oracle.layout import gap
from oracle.tree import is_in, lineages, tag_names

HOLDERS = BLOCK_LEVEL - {"br", "hr"}


def texts_of(labels: Labels, *, are_written: bool) -> set[int]:
    """Return the text nodes of the blocks that are written, or of the others; alternative texts only if they start."""
    blocks, found = labels.blocks, set[int]()
    for block in range(len(blocks)):
        if bool(labels.kept[block]) == are_written:
            first, last = int(blocks.first[block]), int(blocks.last[block])
            texts = [node for node in range(first, last + 1) if blocks.page.is_text[node]]
            found |= {node for node in texts if node == first or node not in blocks.page.alt_nodes.tolist()}
    return found


def has_ink(page: Page, node: int) -> bool:
    """Return whether a text has visible characters."""
    points = page.code_points[page.text_start[node] : page.text_end[node]]
    return bool((classify(points) < CharClass.WHITE).any())


def white(labels: Labels, texts: set[int]) -> set[int]:
    """Return the texts without ink between two kept ones of the same block-level element."""
    page, names = labels.blocks.page, tag_names(labels.blocks.page)
    holder = [next((outer for outer in lineage if names[outer] in HOLDERS), -1) for lineage in lineages(page)]
    others = texts_of(labels, are_written=False) | set(page.alt_nodes.tolist()) | set(labels.omitted.tolist())
    candidates = {node for node in range(len(page)) if page.is_text[node] and not has_ink(page, node)} - others - texts
    siblings = [(node, [text for text in texts if holder[text] == holder[node]]) for node in candidates]
    return {node for node, near in siblings if near and min(near) < node < max(near)}


def hard(page: Page, low: int, high: int) -> bool:
    """Return whether a block-level element starts or ends, or a rule stands, after one node and up to another."""
    names = tag_names(page)
    edges = [(n, int(page.end[n])) for n, name in enumerate(names) if name in HOLDERS]
    edges += [(n, n) for n, name in enumerate(names) if name == "hr"]
    return any(low < start <= high or low < end <= high for start, end in edges)


def is_beside(labels: Labels, node: int) -> bool:
    """Return whether a node is between two written blocks, or next to one with no boundary in between."""
    blocks, written = labels.blocks, set(labels.kept.nonzero()[0].tolist())
    following = sum(first < node for first in blocks.first.tolist())
    before, after = following - 1 in written, following in written
    if before and (after or not hard(blocks.page, int(blocks.last[following - 1]), node)):
        return True
    return after and not hard(blocks.page, node, int(blocks.first[following]))


def shows(labels: Labels, image: int) -> bool:
    """Return whether an image shows something that is not the text of a block."""
    page = labels.blocks.page
    alt, source, width, height = (page.attribute(image, name) or "" for name in ("alt", "src", "width", "height"))
    if alt.strip():
        return not labels.blocks.is_alt.any()
    is_late = not source.strip() or source.strip().lower().startswith("data:")
    return not {width, height} & {"0", "1"} and (not is_late or loads_late(page, image))


def loads_late(page: Page, image: int) -> bool:
    """Return whether an image has an address in another attribute, or, as the first image of a picture, in a source."""
    names = tag_names(page)
    pictures = [node for node in lineages(page)[image] if names[node] == "picture"]
    around = pictures[0] if pictures else -1
    inside = [node for node in range(len(page)) if pictures and around in lineages(page)[node]]
    is_first = next((node for node in inside if names[node] == "img"), -1) == image
    sources = [page.elements.attributes().get(node, ()) for node in inside if names[node] == "source"]
    own = page.elements.attributes().get(image, ())
    return image_source(own, Addresses(), sources if is_first else ()) is not None


def kept_nodes(labels: Labels) -> list[int]:
    """Return the nodes that a cleaned page keeps, ascending."""
    page, names, around = labels.blocks.page, tag_names(labels.blocks.page), lineages(labels.blocks.page)
    texts = texts_of(labels, are_written=True) - set(labels.omitted.tolist())
    figures = {n for n, name in enumerate(names) if name == "figure" and any(n in around[text] for text in texts)}
    for caption in [n for n, name in enumerate(names) if name == "figcaption" and any(n in around[t] for t in texts)]:
        figure = max((n for n in range(caption) if names[n] == "figure"), default=-1)
        end = int(page.end[figure])
        is_first = "figcaption" not in names[end:caption]
        if figure >= 0 and end <= caption and is_first and not texts & set(range(end, caption)):
            figures.add(figure)
    kept = texts | white(labels, texts)
    for node, name in enumerate(names):
        if name == "img" and (is_beside(labels, node) or figures & set(around[node])) and shows(labels, node):
            kept.add(node)
        if name in ("br", "hr", "wbr") and is_beside(labels, node):
            kept.add(node)
    kept -= set(labels.omitted.tolist())
    kept |= {outer for node in kept for outer in around[node]}
    rows = {node for node in kept if names[node] == "tr"}
    kept |= {node for node, name in enumerate(names) if name in ("td", "th") and int(page.parent[node]) in rows}
    return sorted(kept - {0} - set(page.alt_nodes.tolist()))


def has_line_end(page: Page, node: int) -> bool:
    """Return whether a node is preformatted text with a line end."""
    text = page.text[page.text_start[node] : page.text_end[node]]
    return bool(page.is_text[node]) and "\n" in text and is_in(page, node, PREFORMATTED)


def is_divided(page: Page, kept: list[int], low: int, high: int) -> bool:
    """Return whether kept elements separate two nodes."""
    names = tag_names(page)
    edges = [edge for node in kept if names[node] in HOLDERS for edge in (node, int(page.end[node]))]
    edges += [node for node in kept if names[node] in ("br", "hr")]
    return any(low < edge <= high for edge in edges)


def seams(labels: Labels) -> dict[int, str]:
    """Return what stands before the texts of blocks that have lost what separated them from the block before."""
    blocks, page, kept, found = labels.blocks, labels.blocks.page, kept_nodes(labels), dict[int, str]()
    for before, after in pairwise(labels.written.tolist()):
        low, high, parted = int(blocks.last[before]), int(blocks.first[after]), gap(blocks, before, after)
        ends_line = any(has_line_end(page, node) for node in kept if blocks.first[before] <= node < high)
        if parted >= Gap.LINE and not is_divided(page, kept, low, high) and not ends_line:
            found[start_of(labels, after)] = "<br>"
        elif parted == Gap.SPACE and after > before + 1:
            found[start_of(labels, after)] = " "
    return found


def start_of(labels: Labels, block: int) -> int:
    """Return the first text of a block that is not omitted, or the image whose alternative text it is."""
    page, first = labels.blocks.page, int(labels.blocks.first[block])
    texts = texts_of(labels, are_written=True) - set(labels.omitted.tolist())
    node = min(text for text in texts if text >= first)
    return int(page.parent[node]) if node in page.alt_nodes.tolist() else node
