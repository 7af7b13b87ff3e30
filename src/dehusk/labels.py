"""What a method says of a page's blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.page import Bools
from dehusk.tags import HEADINGS, numbers

LABELS = ("header", "list", "paragraph", "continuation", "other")
"""The thesis's labels (section 2.3): three kinds of content, text that goes on from the block before, and noise."""

KINDS = (*LABELS, "table", "code", "comment")
"""What a block can be called: the thesis's labels, and three kinds of content that it counts among paragraphs."""

HEADER, LIST, PARAGRAPH, CONTINUATION, OTHER, TABLE, CODE, COMMENT = range(8)


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels and scores of the b blocks of one page; a method returns it and changes nothing."""

    blocks: Blocks
    label: npt.NDArray[np.uint8]
    """(b,) index into `KINDS`; methods that learn the labels know `LABELS` alone."""
    probability: npt.NDArray[np.float64]
    """(b,) that the block is content, 0 to 1."""
    kept: Bools
    """(b,) whether the block belongs to the kernel."""
    reasons: Sequence[str] = field(default=())
    """(b,) in a few words, why each block is kept or not; empty where the method was not asked."""
    evidence: Sequence[Mapping[str, object]] = field(default=())
    """(b,) the same as plain values, ready for JSON; empty where the method was not asked or has none."""
    notes: tuple[str, ...] = ()
    """What a user should know of how the page was labelled."""

    def __len__(self) -> int:
        return len(self.label)

    def validate(self) -> None:
        """Check that the columns fit the blocks.

        Raises:
            ValueError: naming the first rule that is broken.
        """
        b = len(self.blocks)
        rules = {
            "there is one row a block": all(len(column) == b for column in (self.label, self.probability, self.kept)),
            "labels are known": bool((self.label < len(KINDS)).all()),
            "probabilities lie between 0 and 1": bool(((self.probability >= 0) & (self.probability <= 1)).all()),
            "there is a reason for each block or none": len(self.reasons) in (0, b),
            "there is evidence for each block or none": len(self.evidence) in (0, b),
        }
        for rule, holds in rules.items():
            if not holds:
                raise ValueError(f"invalid labels: not true that {rule}")


def by_markup(blocks: Blocks, content: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return labels, shape (b,), for what says content or not only: by the innermost heading or list element."""
    page = blocks.page
    heading = page.within(page.nodes_of(numbers(HEADINGS)))[blocks.node] > 0
    listed = page.within(page.nodes_of(numbers("li dt dd")))[blocks.node] > 0
    labels = np.where(heading, HEADER, np.where(listed, LIST, PARAGRAPH))
    return np.where(content, labels, OTHER).astype(np.uint8)


def as_labels(kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return indices into `LABELS` for indices into `KINDS`: of any shape; table, code and comment are paragraphs."""
    return np.where(kinds < len(LABELS), kinds, PARAGRAPH).astype(np.uint8)
