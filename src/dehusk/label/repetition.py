"""Method "site": a block is content unless other pages of its site repeat it. Needs no training.

A block can be text if less than half of its words are repeated and less than half of them are links. A word is
repeated if it is in a shingle (four words in a row) that other pages of the site have as well. Copies of a page count
once (`dehusk.counts.shared`); otherwise an article that a site has twice would be dropped.

Of these blocks, the main runs are kept (`dehusk.label.runs`): unbroken sequences that have at least a quarter of the
words of the largest one, counting blocks of eight words and more. That drops most teasers and comments, and keeps the
heading and the short lines of an article.

The method recognises repetition, not content: a long comment below a short article is kept. On pages where values
repeat, such as publishers and dates on product pages, a higher `repeated` keeps them.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import is_integer, is_number
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels, by_markup
from dehusk.counts.model import SiteModel
from dehusk.counts.shingles import covered, share_by_block, shingle_keys
from dehusk.counts.terms import page_terms
from dehusk.label.declaration import Declaration, Request
from dehusk.label.parameters import BlockMethod, check_blocks, check_options
from dehusk.label.runs import LONG, SHARE, in_main_runs, with_run
from dehusk.label.site_models import load_site

Reals = npt.NDArray[np.float64]


@dataclass(repr=False, eq=False)
class SiteRule(BlockMethod):
    """Keeps the blocks that a site does not repeat.

    Args:
        site: a learned site.
        repeated: a shingle counts as repeated if it is on at least this many pages, an integer of 2 or more, or on at
            least this share of the site's pages, below 1. The page itself counts, copies do not. 2 is right for
            articles, .25 for records.
        coverage: a block with at least this share of repeated words is dropped.
        link_density: a block with at least this share of linked words is dropped.
        words: a block with fewer words is dropped, except beside or between longer ones.
        run: a run of blocks with less than this share of the words of the page's largest run is dropped; with 0, each
            block counts for itself, and all blocks with fewer than `words` words are dropped.

    Raises:
        ConfigError: an option has an invalid value.
    """

    site: SiteModel
    _: KW_ONLY
    repeated: float = 2
    coverage: float = 0.5
    link_density: float = 0.5
    words: int = LONG
    run: float = SHARE

    def __post_init__(self) -> None:
        self._check()

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page of the site.

        The probability is .5 for a block that just meets one of the limits, or that only its run keeps or drops, and
        approaches 1 for long blocks without repeated or linked words. It ranks the blocks and is not calibrated.

        Raises:
            ConfigError: `set_params` has set an option to an invalid value.
            NotFittedError: the site has no pages.
            TypeError: the argument is not `Blocks`.
        """
        self._check()
        check_blocks(blocks, self)
        repeated, linked = self._shares(blocks)
        size = blocks.words
        is_text, is_long = (repeated < self.coverage) & (linked < self.link_density), size >= self.words
        alone = is_text & is_long
        kept = in_main_runs(blocks, is_text, is_long, self.run) if self.run and alone.any() else alone
        margins = 1 - repeated / (2 * self.coverage), 1 - linked / (2 * self.link_density), size / (size + self.words)
        probability = np.clip(np.minimum.reduce(margins), 0.0, 1.0)
        return Labels(
            blocks=blocks,
            label=by_markup(blocks, kept),
            probability=np.where(kept == alone, probability, 0.5),
            kept=kept,
            reasons=with_run(self._reasons(blocks, repeated, linked), kept, alone) if explain else (),
        )

    @property
    def threshold(self) -> int:
        """The least number of pages on which a shingle counts as repeated."""
        if self.repeated >= 2:
            return int(self.repeated)
        return max(2, int(np.ceil(self.repeated * self.site.tables.distinct)))

    def _check(self) -> None:
        share = "a number above 0 and up to 1"
        is_pages = is_number(self.repeated, 2) and float(self.repeated).is_integer()
        is_share = is_number(self.repeated, 0, 1) and 0 < self.repeated < 1
        rules = {
            "repeated": (is_pages or is_share, "an integer of 2 or more, or a share between 0 and 1"),
            "coverage": (is_number(self.coverage, 0, 1) and self.coverage > 0, share),
            "link_density": (is_number(self.link_density, 0, 1) and self.link_density > 0, share),
            "words": (is_integer(self.words, 1), "a positive integer"),
            "run": (is_number(self.run, 0, 1), "a number from 0 to 1"),
        }
        check_options(self, rules)

    def _shares(self, blocks: Blocks) -> tuple[Reals, Reals]:
        """Return the share of repeated words and the share of linked words in each block, both of shape (b,)."""
        words = page_terms(blocks)
        frequency = self.site.tables.shingles.look_up(shingle_keys(words))
        repeated = share_by_block(covered(frequency >= self.threshold, len(words)), words)
        return repeated, blocks.link_words / np.maximum(blocks.words, 1)

    def _reasons(self, blocks: Blocks, repeated: Reals, linked: Reals) -> list[str]:
        pages = self.site.tables.distinct
        rows = zip(repeated.tolist(), linked.tolist(), blocks.words.tolist(), strict=True)
        return [
            f"{on_others:.0%} of its words on {self.threshold} or more of {pages} pages, {in_links:.0%} in links, "
            f"{count} word{'' if count == 1 else 's'}"
            for on_others, in_links, count in rows
        ]


def _build(request: Request) -> SiteRule:
    assert request.site is not None  # noqa: S101 (the declaration requires a site)
    site = load_site(request.site)
    site.tables  # noqa: B018 (raises NotFittedError now, not on the first page)
    return SiteRule(site, **request.options)


METHOD = Declaration(
    name="site",
    summary="Keeps blocks that the other pages of the site do not repeat; needs no training.",
    method=SiteRule,
    build=_build,
    site="required",
)
