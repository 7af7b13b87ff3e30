"""Learn the trees of sites from the tag nodes of their pages, one page after the other."""

from collections.abc import Iterable, Iterator, Sequence

from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks
from dehusk.counts.sources import PageSource, read_pages
from dehusk.counts.structure_counts import StructureCounter, StructureCounts
from dehusk.counts.tag_tree import TagNodes
from dehusk.read.page import Page
from dehusk.sites.structure_tree.construction import Aliases, merge_pages
from dehusk.sites.structure_tree.weights import LeafWords


class SiteLearner:
    """Counts the elements of the pages of one or more sites.

    Args:
        merging: gamma and lambda of mode "style", in which the pages of a site are kept until all are known; None for
            mode "ordinal", in which each page is counted at once.
        keep_words: whether to keep the words of each page for its vector.

    Attributes:
        aliases: in mode "style", site -> the merges of its groups; complete after `counts`.
    """

    def __init__(self, *, merging: tuple[float, float] | None, keep_words: bool = False) -> None:
        self.aliases: dict[str, Aliases] = {}
        self._merging, self._keep_words = merging, keep_words
        self._counters: dict[str, StructureCounter] = {}
        self._waiting: dict[str, list[tuple[int, TagNodes]]] = {}
        self._words: dict[int, LeafWords] = {}
        self._seen = 0

    def add(self, nodes: TagNodes, site: str) -> None:
        """Add a page."""
        if self._merging is None:
            self._count(self._seen, nodes, nodes.ordinal_keys, site)
        else:
            self._waiting.setdefault(site, []).append((self._seen, nodes))
        self._seen += 1

    def counts(self) -> dict[str, StructureCounts]:
        """Return site -> the counts of all its pages; in mode "style", this merges their elements."""
        for site, waiting in self._waiting.items():
            assert self._merging is not None  # noqa: S101 (otherwise no page waits)
            keys, self.aliases[site] = merge_pages([nodes for _, nodes in waiting], *self._merging)
            for (number, nodes), page_keys in zip(waiting, keys, strict=True):
                self._count(number, nodes, page_keys, site)
        self._waiting = {}
        return {site: counter.counts() for site, counter in self._counters.items()}

    @property
    def words(self) -> Iterator[LeafWords]:
        """The words of the counted pages, in the order in which these were added; empty unless they are kept."""
        return (self._words[number] for number in sorted(self._words))

    def _count(self, number: int, nodes: TagNodes, keys: Keys, site: str) -> None:
        self._counters.setdefault(site, StructureCounter()).add(nodes, keys)
        if self._keep_words:
            self._words[number] = LeafWords.of(nodes, keys, site)


def with_sites(
    pages: Iterable[PageSource], sites: Sequence[str] | str | None
) -> Iterator[tuple[Page | Blocks, str | None]]:
    """Return an iterator over pages and the sites given for them, None if none are given.

    Args:
        pages: pages.
        sites: the site of each page; the list may grow while the pages are read. Or one name for all pages.

    Raises:
        ValueError: the numbers of sites and pages differ.
    """
    if sites is None or isinstance(sites, str):
        yield from ((page, sites) for page in read_pages(pages))
        return
    count = 0
    for page in read_pages(pages):
        if count == len(sites):
            raise ValueError(f"{len(sites)} sites for more than {len(sites)} pages")
        yield page, sites[count]
        count += 1
    if count < len(sites):
        raise ValueError(f"{len(sites)} sites for {count} pages")
