"""The untrained site mode: a block is content where the site's other pages do not repeat it.

Three limits, none of them learned from labelled pages: less than half of the block's words stand in shingles (four
words in a row) that other pages of the site have too, less than half of them are links, and there are eight or more.
Copies of a page count once (`dehusk.site.copies`), else an article that a site has twice would be template.

It knows repetition, not content: comments, teasers and lists that differ from page to page are kept, titles and other
short blocks dropped. Where values repeat (publishers, dates on product pages) a higher `repeated` keeps them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.errors import ConfigError
from dehusk.labels import Labels, by_markup
from dehusk.methods.declaration import Declaration, Request
from dehusk.methods.site_models import load_site
from dehusk.page import Page
from dehusk.site.model import Site
from dehusk.site.shingles import covered, share_by_block, shingle_keys
from dehusk.site.terms import page_terms

Reals = npt.NDArray[np.float64]


class SiteRule:
    """Keeps what a site does not repeat.

    Args:
        site: what the pages share.
        repeated: other pages than copies that must have a shingle, the page itself included: a number of pages from 2
            on, or below 1 a share of them (.25 is right for record pages, 2 for articles).
        coverage: the share of repeated words from which on a block is template.
        link_density: the share of linked words from which on a block is navigation.
        words: fewer words say nothing.

    Raises:
        ConfigError: a limit that cannot be.
    """

    def __init__(
        self,
        site: Site,
        *,
        repeated: float = 2,
        coverage: float = 0.5,
        link_density: float = 0.5,
        words: int = 8,
    ) -> None:
        rules = {
            "repeated is a number of pages from 2 on, or a share below 1": _pages(repeated) or 0 < repeated < 1,
            "coverage is above 0 and at most 1": 0 < coverage <= 1,
            "link_density is above 0 and at most 1": 0 < link_density <= 1,
            "words is at least 1": words >= 1,
        }
        for rule, holds in rules.items():
            if not holds:
                raise ConfigError(f"invalid option: not true that {rule}")
        self.site = site
        self.repeated = repeated
        self.coverage = coverage
        self.link_density = link_density
        self.words = words

    def segment(self, page: Page) -> Blocks:
        """Cut a page into the common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page of the site.

        The probability is .5 at the nearest limit, 1 where nothing is repeated or linked and the block is long; it
        orders the blocks and is not calibrated.

        Raises:
            NotFittedError: the site has no pages.
        """
        found, linked = self._figures(blocks)
        size = blocks.words
        kept = (found < self.coverage) & (linked < self.link_density) & (size >= self.words)
        parts = 1 - found / (2 * self.coverage), 1 - linked / (2 * self.link_density), size / (size + self.words)
        return Labels(
            blocks=blocks,
            label=by_markup(blocks, kept),
            probability=np.clip(np.minimum.reduce(parts), 0.0, 1.0),
            kept=kept,
            reasons=self._reasons(blocks, found, linked) if explain else (),
        )

    @property
    def threshold(self) -> int:
        """How many pages must have a shingle."""
        if self.repeated >= 2:
            return int(self.repeated)
        return max(2, int(np.ceil(self.repeated * self.site.tables.distinct)))

    def _figures(self, blocks: Blocks) -> tuple[Reals, Reals]:
        """Return the share of repeated and of linked words of each block, shape (b,) each."""
        words = page_terms(blocks)
        frequency = self.site.tables.shingles.look_up(shingle_keys(words))
        repeated = share_by_block(covered(frequency >= self.threshold, len(words)), words)
        return repeated, blocks.link_words / np.maximum(blocks.words, 1)

    def _reasons(self, blocks: Blocks, found: Reals, linked: Reals) -> list[str]:
        pages = self.site.tables.distinct
        rows = zip(found.tolist(), linked.tolist(), blocks.words.tolist(), strict=True)
        return [
            f"{a:.0%} of its words on {self.threshold} or more of {pages} pages, {b:.0%} in links, {n} words"
            for a, b, n in rows
        ]


def _pages(repeated: float) -> bool:
    return repeated >= 2 and float(repeated).is_integer()


def _build(request: Request) -> SiteRule:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    site = load_site(request.site)
    site.tables  # noqa: B018 (raises NotFittedError now, not on the first page)
    return SiteRule(site, **request.options)


METHOD = Declaration(
    name="site",
    summary="Keeps what the site's other pages do not repeat; needs no training.",
    method=SiteRule,
    build=_build,
    site="required",
)
