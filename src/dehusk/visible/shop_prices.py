"""Prices and badges that the style sheets of Shopify's themes hide.

Pages of its themes, from Debut to Dawn, hold the regular price, that of a sale, and the badges "Sale" and "Sold out";
the classes of the element around them say which of these are shown.
"""

from dehusk.base.caching import cached_per_object
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_PARTS = NamePattern(
    r"(?:^|\s)(?:price__(?:regular|sale|badge-sale|badge-sold-out)|unit-price)(?:$|\s)", "price__ unit-price"
)
_BOX = NamePattern(r"(?:^|\s)price(?:$|\s)", "price")
_LEVELS = 4  # elements between a part and the box around it, at most; Dawn has one


@cached_per_object
def unshown_prices(page: Page) -> tuple[int, ...]:
    """Return the elements of prices and badges that the classes around them hide, in document order."""
    parts = page.nodes_of_class(_PARTS).tolist()
    boxes = set(page.classes.named(_BOX)) if parts else set[int]()
    return tuple(part for part in parts if _is_unshown(page, part, boxes))


def _is_unshown(page: Page, part: int, boxes: set[int]) -> bool:
    names, node = page.class_names[page.class_code[part]].split(), int(page.parent[part])
    if "unit-price" in names:
        return "hidden" in names
    for _ in range(_LEVELS):
        if node <= 0 or int(page.class_code[node]) in boxes:
            break
        node = int(page.parent[node])
    around = page.class_names[page.class_code[node]].split() if int(page.class_code[node]) in boxes else ()
    is_sale, is_sold_out = "price--on-sale" in around, "price--sold-out" in around
    shown = {
        "price__regular": not is_sale,
        "price__sale": is_sale,
        "price__badge-sale": is_sale and not is_sold_out,
        "price__badge-sold-out": is_sold_out,
    }
    return bool(around) and not all(shown.get(name, True) for name in names)
