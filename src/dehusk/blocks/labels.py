"""The labels a method assigns to the blocks of a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property, state_without_cache
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.blocks.layout import sums_before
from dehusk.read.page import Bools, Ints

LABELS = ("header", "list", "paragraph", "continuation", "other")
"""The thesis's labels (section 2.3): three types of content, text that continues the previous block, and noise."""

KINDS = (*LABELS, "table", "code", "comment")
"""All labels of a block: those of the thesis, and three types of content that the thesis labels as paragraphs."""

HEADER, LIST, PARAGRAPH, CONTINUATION, OTHER, TABLE, CODE, COMMENT = range(8)

_HEADING, _ITEM = numbers(HEADINGS), numbers("li dt dd")


@dataclass(frozen=True, eq=False, repr=False)
class Labels:
    """Labels and scores of the b blocks of one page."""

    blocks: Blocks
    label: npt.NDArray[np.uint8]
    """(b,) index into `KINDS`; trained methods use only `LABELS`."""
    probability: npt.NDArray[np.float64]
    """(b,) probability that each block is content, 0 to 1."""
    kept: Bools
    """(b,) whether each block is kept."""
    reasons: Sequence[str] = field(default=())
    """(b,) why each block is kept or dropped, in a few words; empty unless reasons were requested."""
    evidence: Sequence[Mapping[str, object]] = field(default=())
    """(b,) the evidence for each decision as plain values, ready for JSON; empty unless requested, or if the method
    gives none."""
    notes: tuple[str, ...] = ()
    """What the user should know about how the page was labelled; one line each."""
    omitted: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    """Text nodes that no writer of kept text writes, ascending, such as the sign of a permalink in a kept heading."""
    hidden: Mapping[int, str] = field(default_factory=dict)
    """Block -> why readers of the page cannot see its text; only blocks none of whose text can be seen."""
    with_comments: bool = False
    """Whether comments of readers were added to what the method keeps."""
    by_template: str = ""
    """What rules of templates did with the page: an `Outcome` of `dehusk.label.template_rules`; "" without rules."""

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]

    def __len__(self) -> int:
        return len(self.label)

    def __repr__(self) -> str:
        """Return one line: numbers of blocks and kept blocks, the page's status and URL."""
        page = self.blocks.page
        url = f", {page.url!r}" if page.url else ""
        return f"<Labels {page.status}{url}, {int(self.kept.sum())} of {len(self)} blocks kept>"

    @cached_property
    def texts(self) -> list[str]:
        """(b,) folded text of each block without the omitted text nodes; `blocks.texts` is what the page has."""
        return self.blocks.texts_without(self.omitted) if len(self.omitted) else self.blocks.texts

    @cached_property
    def kept_before(self) -> npt.NDArray[np.intp]:
        """(b + 1,) how many of the blocks before each are kept; the last is how many are."""
        return sums_before(self.kept)

    @cached_property
    def written(self) -> npt.NDArray[np.intp]:
        """(k,) the kept blocks that writers write, ascending: all, except those whose text is omitted completely."""
        kept = self.kept.nonzero()[0]
        if not len(self.omitted):
            return kept
        return kept[np.fromiter((bool(self.texts[block]) for block in kept.tolist()), np.bool_, len(kept))]

    def validate(self) -> None:
        """Check that the columns fit the blocks.

        Raises:
            ValueError: the first inconsistency.
        """
        b = len(self.blocks)
        checks = {
            "the columns do not have one row per block": all(
                len(column) == b for column in (self.label, self.probability, self.kept)
            ),
            "a label is not in KINDS": bool((self.label < len(KINDS)).all()),
            "a probability is not between 0 and 1": bool(((self.probability >= 0) & (self.probability <= 1)).all()),
            "some blocks have no reason": len(self.reasons) in (0, b),
            "some blocks have no evidence": len(self.evidence) in (0, b),
            "the omitted nodes do not ascend": bool((np.diff(self.omitted) > 0).all()),
            "an omitted node is not a text node": self._omits_only_text(),
            "a hidden block is not one of the blocks": all(0 <= block < b for block in self.hidden),
            "a hidden block has no reason": all(self.hidden.values()),
        }
        for fault, passed in checks.items():
            if not passed:
                raise ValueError(f"invalid labels: {fault}")

    def _omits_only_text(self) -> bool:
        page, nodes = self.blocks.page, self.omitted
        return bool(((nodes >= 0) & (nodes < len(page))).all() and page.is_text[nodes].all())


def by_markup(blocks: Blocks, content: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Return labels, shape (b,), for methods that only decide what is content; headings and list items by their tags.

    Args:
        blocks: the blocks of a page.
        content: (b,) whether each block is content; the other blocks are OTHER.
    """
    labels, at = np.full(len(blocks), OTHER, dtype=np.uint8), content.nonzero()[0]
    if len(at):
        labels[at] = _by_markup_at(blocks, at)
    return labels


def _by_markup_at(blocks: Blocks, at: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the labels of some blocks, shape (k,), if they are content."""
    page, nodes = blocks.page, blocks.node.take(at)
    in_heading = page.within_at(page.nodes_of(_HEADING), nodes) > 0
    in_list = page.within_at(page.nodes_of(_ITEM), nodes) > 0
    return np.where(in_heading, HEADER, np.where(in_list, LIST, PARAGRAPH))


def relabelled(labels: Labels, kept: Bools) -> npt.NDArray[np.uint8]:
    """Return the labels, shape (b,), if other blocks are kept; continuations of dropped blocks get theirs by markup."""
    relabel = kept & ~labels.kept
    continued = kept & (labels.label == CONTINUATION)
    if continued.any():
        relabel |= continued & (_kept_before(labels.kept) != _kept_before(kept))
    label, at = labels.label.copy(), relabel.nonzero()[0]
    if len(at):
        label[at] = _by_markup_at(labels.blocks, at)
    label[labels.kept & ~kept] = OTHER
    return label


def _kept_before(kept: Bools) -> npt.NDArray[np.intp]:
    """Return the index of the kept block before each block, shape (b,); -1 before the first."""
    last = np.maximum.accumulate(np.where(kept, np.arange(len(kept)), -1))
    return np.append(-1, last)[: len(kept)]


def as_labels(kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Map indices into `KINDS` to indices into `LABELS`, shape unchanged; table, code and comment are paragraphs."""
    return np.where(kinds < len(LABELS), kinds, PARAGRAPH).astype(np.uint8)
