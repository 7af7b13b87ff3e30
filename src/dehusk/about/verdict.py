"""What users of a page's kept text should be warned of: what is missing, what is doubtful, and in which blocks.

A warning says what the page itself shows: a price that it declares, a line that says that there is more. None changes
what is kept. docs/warnings.md has how often each is right on real pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dehusk.about.partial import PARTIAL, PageWarning, parts_of, quoted
from dehusk.blocks.headlines import HEADING_TAGS
from dehusk.blocks.labels import Labels
from dehusk.compiled.decide import heading_levels
from dehusk.label.prices import declared_prices, may_sell, price_lines, shows_price
from dehusk.label.united.headings import LIST, headings_over_nothing

if TYPE_CHECKING:
    from dehusk.about.metadata import Metadata


WARNINGS: dict[str, str] = {
    **PARTIAL,
    "price-dropped": "a price that the page declares is shown, and no line with it is kept",
    "heading-without-content": "a heading is kept, and nothing of what is below it; not those of a list of headings",
    "hidden-text": "text is kept that readers of the page do not see",
    "mostly-links": "most of what is kept are links: of a list of other pages, or of parts that are not about this one",
    "other-language": "the kept text is in another language than the page",
}
"""Name of a warning -> what it means."""

_LINKED, _MANY = 0.75, 100  # share of the kept words that are in links, and kept words
_SURE, _NO_LANGUAGE = 0.9, "zxx"  # probability of a language; the code of texts without one, such as lists of numbers


def warnings_of(labels: Labels, metadata: Callable[[], "Metadata"]) -> list[PageWarning]:
    """Return the warnings of a page, in the order of `WARNINGS`; none for a page of which nothing is kept.

    Args:
        labels: the labels of the page's blocks.
        metadata: returns the page's metadata; called where a language is needed.
    """
    if not labels.kept.any():
        return []
    found = [*parts_of(labels), *_missing(labels), *_doubtful(labels), *_language(metadata())]
    return sorted(found, key=lambda warning: list(WARNINGS).index(warning.name))


def _missing(labels: Labels) -> Iterator[PageWarning]:
    """Yield what is shown and not kept."""
    blocks, kept = labels.blocks, labels.kept
    if may_sell(blocks.page) and (declared := declared_prices(blocks.page)):
        showing = tuple(block for block in price_lines(blocks) if shows_price(blocks, block, declared))
        if showing and not kept[list(showing)].any():
            yield PageWarning("price-dropped", f"the price is not kept: {quoted(blocks.texts[showing[0]])}", showing)
    if bare := _bare_headings(labels):
        line = f"{len(bare)} headings stand over nothing, such as {quoted(blocks.texts[bare[0]])}"
        one = f"a heading stands over nothing: {quoted(blocks.texts[bare[0]])}"
        yield PageWarning("heading-without-content", one if len(bare) == 1 else line, bare)


def _bare_headings(labels: Labels) -> tuple[int, ...]:
    """Return the kept headings over dropped blocks; not those of a list of headings, which is its own content."""
    blocks = labels.blocks
    bare = headings_over_nothing(blocks, heading_levels(blocks, HEADING_TAGS), labels.kept)
    alone = Counter(level for _, level, _ in bare)
    return tuple(block for block, level, dropped in bare if dropped and alone[level] < LIST)


def _doubtful(labels: Labels) -> Iterator[PageWarning]:
    """Yield what is kept and may be no content."""
    blocks, kept = labels.blocks, labels.kept
    if seen := tuple(sorted(block for block in labels.hidden if kept[block])):
        line = f"{quoted(blocks.texts[seen[0]])} is kept, and {labels.hidden[seen[0]]}"
        yield PageWarning("hidden-text", line, seen)
    words, linked = int(blocks.words[kept].sum()), int(blocks.link_words[kept].sum())
    if words >= _MANY and linked >= _LINKED * words:
        yield PageWarning("mostly-links", f"{100 * linked // words} % of the kept words are in links")


def _language(metadata: "Metadata") -> Iterator[PageWarning]:
    whole, kept = metadata.page_language, metadata.text_language
    if (
        whole
        and kept
        and _NO_LANGUAGE not in (whole.code, kept.code)
        and min(whole.probability, kept.probability) >= _SURE
        and whole.code != kept.code
    ):
        yield PageWarning("other-language", f"the kept text is in {kept.code}, the page in {whole.code}")
