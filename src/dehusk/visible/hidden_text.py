"""Find the texts of a page that readers do not see, and how they are concealed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from dehusk.blocks.layout import Nodes
from dehusk.read.page import Ints, Page
from dehusk.read.signs import source_signs
from dehusk.visible.concealment import Concealment, Suspicion, concealment_of
from dehusk.visible.suspects import Suspects

_BY_ATTRIBUTES = Concealment("hidden by its attributes", Suspicion.FOLDED)
_OWN_COLOUR = Concealment("in the colour of its background", Suspicion.ALWAYS)
_WHITE = Concealment("white", Suspicion.FOLDED)


class ConcealedText:
    """How the t texts of a page are concealed.

    Attributes:
        way: (t,) index in `ways` of how each text is concealed; -1 for texts that are not.
        element: (t,) the element that conceals each text; -1 for texts that are not.
    """

    def __init__(self, size: int) -> None:
        self._numbers: dict[Concealment, int] = {}
        self.way: Ints = np.full(size, -1, dtype=np.int32)
        self.element: Ints = np.full(size, -1, dtype=np.int32)

    @property
    def ways(self) -> tuple[Concealment, ...]:
        """The ways in which texts are concealed."""
        return tuple(self._numbers)

    def add(self, rows: Nodes, elements: Ints, chosen: Mapping[int, Concealment]) -> None:
        """Record the elements that conceal some texts; `chosen` is element -> how it conceals them."""
        if len(rows):
            distinct, inverse = np.unique(elements, return_inverse=True)
            numbers = self._numbers_of([chosen[node] for node in distinct.tolist()])
            self.way[rows], self.element[rows] = np.array(numbers, dtype=np.int32)[inverse], elements

    def _numbers_of(self, concealments: Sequence[Concealment]) -> list[int]:
        """Return the index in `ways` of each of some concealments; most of them are a few objects."""
        distinct = {id(each): each for each in concealments}
        known = {key: self._numbers.setdefault(each, len(self._numbers)) for key, each in distinct.items()}
        return [known[id(each)] for each in concealments]


def concealed_text(page: Page, suspects: Suspects) -> ConcealedText | None:
    """Return how texts are concealed; None if nothing conceals any.

    Args:
        page: the page.
        suspects: the t texts to judge, and what is around them.
    """
    sheets = source_signs(page).sheets
    if not (sheets or suspects.hidden or suspects.styles or suspects.fonts):
        return None
    found = dict.fromkeys(suspects.hidden, _BY_ATTRIBUTES)
    found |= _by_rules(page, suspects.above, sheets) | _by_styles(page, suspects.styles)
    coloured = _coloured(page, suspects)
    if not (found or len(coloured[0]) or len(coloured[1])):
        return None
    text = suspects.text
    result = ConcealedText(len(text))
    for suspicion in (Suspicion.FOLDED, Suspicion.SPOKEN, Suspicion.ALWAYS) if found else ():  # the stronger one last
        for inherited in (True, False):
            chosen = {n: c for n, c in found.items() if c.suspicion is suspicion and c.inherited is inherited}
            elements = _elements(page, text, chosen, inherited)
            rows = (elements >= 0).nonzero()[0]
            result.add(rows, elements[rows], chosen)
    for nodes, concealment in zip(coloured, (_OWN_COLOUR, _WHITE), strict=True):
        parents = page.parent[nodes]
        result.add(text.searchsorted(nodes), parents, dict.fromkeys(parents.tolist(), concealment))
    return result


def _coloured(page: Page, suspects: Suspects) -> tuple[Nodes, Nodes]:
    """Return what `on_own_colour` does, which finds nothing where nothing sets a colour."""
    if not (suspects.fonts or suspects.styles):
        return suspects.text[:0], suspects.text[:0]
    from dehusk.visible.colours import on_own_colour  # noqa: PLC0415 (for pages with such elements)

    return on_own_colour(page, suspects)


def _elements(page: Page, text: Nodes, chosen: Mapping[int, Concealment], inherited: bool) -> Ints:
    """Return the innermost of the chosen elements that conceals each text, shape (t,); -1 for none.

    What elements inside may undo, such as a font size, counts only for text without other elements with a class, an id
    or a style in between.
    """
    if not chosen:
        return np.full(len(text), -1, dtype=np.int32)
    mask = np.zeros(len(page), dtype=np.bool_)
    mask[list(chosen)] = True
    nearest = page.nearest(mask)[text]
    if not inherited:
        styled = (page.class_code > 0) | (page.id_code > 0)
        nearest[page.nearest(styled)[text] > nearest] = -1
    return nearest


def _by_styles(page: Page, styles: Mapping[int, str]) -> dict[int, Concealment]:
    """Return element -> how its style attribute conceals its text."""
    found: dict[int, Concealment] = {}
    distinct = dict.fromkeys(styles.values())
    concealing = {style: concealment for style in distinct if (concealment := concealment_of(style))}
    for node, style in styles.items() if concealing else ():
        if concealment := concealing.get(style):
            is_found = page.class_code[node] > 0 or page.id_code[node] > 0
            found[node] = _settled(concealment, is_found)
    return found


def _by_rules(page: Page, above: Nodes, sheets: Sequence[str]) -> dict[int, Concealment]:
    """Return element -> how a rule of the page's style elements conceals its text."""
    found: dict[int, Concealment] = {}
    if not sheets:
        return found
    from dehusk.visible.stylesheets import concealing_rules  # noqa: PLC0415 (for pages with such rules)

    for selector, concealment in concealing_rules(sheets, _Names(page, above)):
        try:
            elements = page.elements.select(selector)
        except ValueError:
            continue
        rows = page.elements.rows_of(elements)
        spoken = replace(concealment, suspicion=Suspicion.SPOKEN)
        found |= dict.fromkeys(np.intersect1d(rows, above).tolist(), spoken)
    return found


def _settled(concealment: Concealment, is_found: bool) -> Concealment:
    if concealment.suspicion is not Suspicion.UNLESS_FOUND:
        return concealment
    return replace(concealment, suspicion=Suspicion.FOLDED if is_found else Suspicion.ALWAYS)


class _Names:
    """The classes and ids of some elements, read when the first rule asks for them."""

    def __init__(self, page: Page, above: Nodes) -> None:
        self.page, self.above = page, above
        self._names: frozenset[str] | None = None

    def __contains__(self, name: object) -> bool:
        if self._names is None:
            page = self.page
            codes = (page.class_code[self.above], page.id_code[self.above])
            values = [
                table[code]
                for table, each in zip((page.class_names, page.id_names), codes, strict=True)
                for code in set(each.tolist())
            ]
            self._names = frozenset(" ".join(values).split())
        return name in self._names
