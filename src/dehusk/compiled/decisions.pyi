"""The typed face of `decisions.pyx`."""

from dehusk.blocks import Blocks
from dehusk.methods.united.decisions import Decision, Evidence, Reals
from dehusk.page import Bools

def never_content(blocks: Blocks) -> Bools:
    """Return whether each block is in an element that never has content, shape (b,)."""

def decide(
    blocks: Blocks, page_scores: Reals, *, excluded: Bools, evidence: Evidence | None = None, beta: float = 1.0
) -> Decision:
    """Decide which blocks to keep.

    What the site repeats is dropped from what the page alone would keep, unless the net is so sure of it that the
    evidence leaves it likely. The cut itself does not take part: it would rise where template falls, and drop values
    that are unlikely but not repeated.

    Args:
        blocks: the blocks of a page.
        page_scores: (b,) log-odds that each block is content, from the page only.
        excluded: (b,) whether the block can never be content.
        evidence: what the site's other pages say; None without a site.
        beta: weight of recall relative to precision.
    """
