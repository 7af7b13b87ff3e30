"""What `dehusk.compiled.tokens` calls the elements of a cleaned page."""

from collections.abc import Sequence

from dehusk.base.tags import TAG_NUMBER
from dehusk.read.page import Page
from dehusk.write.safety import MATH, output_names
from oracle.tree import lineages, tag_names

SECTIONS = frozenset({"thead", "tbody", "tfoot"})
PARENTS = {
    **dict.fromkeys((*SECTIONS, "caption"), frozenset({"table"})),
    **dict.fromkeys(("td", "th"), frozenset({"tr"})),
    "tr": SECTIONS | {"table"},
}
"""The parts of tables, and where a parser puts them."""
HOLDS_PARTS = SECTIONS | {"table", "tr"}
"""Where it puts nothing else."""


def table_of(page: Page, node: int) -> int | None:
    """Return the innermost table that a node is or lies in."""
    return next((outer for outer in lineages(page)[node] if tag_names(page)[outer] == "table"), None)


def is_misplaced(page: Page, node: int) -> bool:
    """Return whether a node is a part of a table in another place, or something else between such parts."""
    name, around = tag_names(page)[node], tag_names(page)[page.parent[node]]
    return around not in PARENTS[name] if name in PARENTS else around in HOLDS_PARTS


def is_formula(page: Page, node: int) -> bool:
    """Return whether a node lies in, or is, a formula with elements of MathML only."""
    names = tag_names(page)
    formulas = [outer for outer in lineages(page)[node] if names[outer] == "math"]
    return any({*names[outer : page.end[outer]]} <= MATH | {"#text"} for outer in formulas)


def element_names(page: Page, nodes: Sequence[int]) -> list[str]:
    """Return the name of each kept node in the output; "" for texts."""
    names, known, found = tag_names(page), output_names(), []
    broken = {None, *(table_of(page, int(page.parent[node])) for node in nodes if node and is_misplaced(page, node))}
    for node in nodes:
        name = names[node]
        if is_formula(page, node) and name != "#text":
            found.append(name)
        elif name in {*PARENTS, "table"} and table_of(page, node) in broken:
            found.append("div")
        elif name == "a" and any(names[inner] == "a" and node < inner < page.end[node] for inner in nodes):
            found.append("span")
        else:
            found.append(known[TAG_NUMBER[name]] if name in TAG_NUMBER else "span")
    return found
