"""Vectors of pages by the trees of known sites, and by new trees for the pages of all other sites."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from dehusk.read.page import Page
from dehusk.sites.structure_tree.cst import CompressedStructureTree
from dehusk.sites.structure_tree.vectors import PageVectors, interleaved

_BATCH = 64  # pages that wait to be weighed together, so that their vectors share a vocabulary


def vectors_by_known_trees(known: CompressedStructureTree, pages: Iterable[Page], sites: Sequence[str]) -> PageVectors:
    """Return the vectors of pages, each read once; their columns are all words of the pages.

    Args:
        known: fitted trees. Their options are those of the new trees too.
        pages: pages of any sites.
        sites: the site of each page; the list may grow while the pages are read.

    Raises:
        InputError: a file cannot be read.
    """
    sorter = _Sorter(known, sites)
    new = sorter.unknown(pages)
    if (first := next(new, None)) is not None:
        learner = CompressedStructureTree(**known.get_params())
        vectors = learner.fit_vectors(chain([first], new), sites=sorter.new_sites)
        sorter.parts.append(vectors)
        sorter.rows.append(sorter.new_rows)
    return interleaved(sorter.parts, sorter.rows)


class _Sorter:
    """Weighs the pages of known sites, and hands on the others."""

    def __init__(self, known: CompressedStructureTree, sites: Sequence[str]) -> None:
        self.known, self.sites = known, sites
        self.parts: list[PageVectors] = []
        self.rows: list[list[int]] = []
        self.new_rows: list[int] = []
        self.new_sites: list[str] = []
        self._waiting: list[tuple[int, Page]] = []

    def unknown(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Yield the pages of unknown sites; the others are weighed when the last page has been read."""
        for row, page in enumerate(pages):
            if self.sites[row] not in self.known.trees_:
                self.new_rows.append(row)
                self.new_sites.append(self.sites[row])
                yield page
                continue
            self._waiting.append((row, page))
            if len(self._waiting) == _BATCH:
                self._weigh()
        self._weigh()

    def _weigh(self) -> None:
        if not self._waiting:
            return
        rows = [row for row, _ in self._waiting]
        self.parts.append(
            self.known.page_vectors((page for _, page in self._waiting), sites=[self.sites[row] for row in rows])
        )
        self.rows.append(rows)
        self._waiting = []
