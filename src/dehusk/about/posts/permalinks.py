"""The address of each post: the link in the same place of all posts that leads to the post itself, or its id."""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from dehusk.about.posts.authors import ACTION, PROFILE, Region
from dehusk.about.posts.marks import places_of
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER
from dehusk.blocks import Blocks
from dehusk.blocks.post_profiles import text_range
from dehusk.read.page import Page

_ANCHOR = np.array([TAG_NUMBER["a"]], dtype=np.uint16)
_PERMALINK = pattern(r"perma|bookmark|post-?(?:link|number|count|id|nr)|timestamp|date|\bu-url\b|anchor", re.IGNORECASE)
_NUMBER = pattern(r"(?:#|№|nr\.?|no\.?|post|beitrag)?\s*#?\s*\d+\s*$", re.IGNORECASE)
_DIGIT = pattern(r"\d")
_EMPTY_TARGETS = ("", "#", "#top", "#reply", "#respond", "#comments")
_SCRIPT = pattern(r"\s*(?:javascript|mailto|data|tel):", re.IGNORECASE)
MIN_POINTS = 2.0


def find_permalinks(blocks: Blocks, regions: Sequence[Region], roots: list[int]) -> list[str | None]:
    """Return the address of each post as the page writes it, or "#" and the id of its element, or None."""
    page = blocks.page
    links = page.nodes_of(_ANCHOR)
    fields: dict[object, dict[int, tuple[int, str]]] = defaultdict(dict)
    for index, region in enumerate(regions):
        low, high = links.searchsorted([region.first, region.stop])
        for node in links[low:high].tolist():
            href = (page.attribute(node, "href") or "").strip()
            if href.lower() not in _EMPTY_TARGETS and not _SCRIPT.match(href) and _is_near(page, href):
                fields[places_of(page).path(node, 2)].setdefault(index, (node, href))
    scores = {key: _points(blocks, found, regions) for key, found in fields.items()}
    chosen: list[str | None] = [None] * len(regions)
    for key in sorted((key for key in fields if scores[key] >= MIN_POINTS), key=lambda key: -scores[key])[:2]:
        for index, (_, href) in fields[key].items():
            chosen[index] = chosen[index] or href
    ids = _ids(page, regions, roots)
    return [href or identifier for href, identifier in zip(chosen, ids, strict=True)]


def _is_near(page: Page, href: str) -> bool:
    """Return whether a link can lead to this site, not to that of an author."""
    host = (page.url or "").partition("//")[2].partition("/")[0].removeprefix("www.")
    return "//" not in href or host in href.partition("//")[2].partition("/")[0]


def _points(blocks: Blocks, found: dict[int, tuple[int, str]], regions: Sequence[Region]) -> float:
    page, k = blocks.page, len(found)
    hrefs = [href for _, href in found.values()]
    if len(set(hrefs)) < k or k < 0.4 * len(regions) or (k == 1 < len(regions)):
        return 0.0
    points = 0.0
    for index, (node, href) in found.items():
        rel, names = page.attribute(node, "rel") or "", page.class_names[int(page.class_code[node])]
        date = regions[index].date_node
        start, end = text_range(blocks, node)
        text = blocks.text[start:end].strip()
        points += 2.0 * ("#" in href and bool(_DIGIT.search(href.rpartition("#")[2])))
        points += 3.0 * ("bookmark" in rel.lower()) + 1.5 * bool(_PERMALINK.search(names))
        points += 2.5 * (node <= date < page.end[node] or date <= node < page.end[date])
        points += 1.0 * bool(_NUMBER.match(text)) - 4.0 * bool(ACTION.search(href)) - 2.0 * bool(PROFILE.search(href))
        points -= 2.0 * (len(text.split()) > 6)
    return points / k


def _ids(page: Page, regions: Sequence[Region], roots: list[int]) -> list[str | None]:
    """Return for each post the first id with a number at or in its element, if those of most posts differ."""
    marked = np.flatnonzero(page.id_code)
    named = [node for node in page.nodes_of(_ANCHOR).tolist() if page.attribute(node, "name")] if len(page) else []
    nodes = np.unique(np.append(marked, named).astype(np.intp))
    found: list[str | None] = []
    for region, root in zip(regions, roots, strict=True):
        low, high = nodes.searchsorted([root, region.stop])
        ids = (_identifier(page, node) for node in nodes[low : min(high, low + 6)].tolist())
        found.append(next((f"#{one}" for one in ids if _DIGIT.search(one) and " " not in one), None))
    known = [one for one in found if one]
    return found if len(set(known)) == len(known) >= 0.5 * len(found) else [None] * len(found)


def _identifier(page: Page, node: int) -> str:
    return page.id_names[int(page.id_code[node])] or page.attribute(node, "name") or ""
