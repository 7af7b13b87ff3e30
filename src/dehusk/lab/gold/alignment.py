"""Labels for blocks from a gold text.

The words of the page and of the gold text are aligned as in patience diff: the longest increasing chain of 4-grams that
occur once on both sides anchors the alignment, matches grow from the anchors, and a longest common subsequence fills
the gaps. This keeps runs of words together if a headline or teaser occurs twice. A plain longest common subsequence
would match an arbitrary copy, which does not change the word-bag F1 but spoils the labels to train on. A block is
content if at least half of its words are matched.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.blocks.labels import CONTINUATION, LABELS, OTHER
from dehusk.measures.metrics import WordBag, word_bag
from dehusk.measures.tokens import distances

_WORD = re.compile(r"\w+")
_ANCHOR_WORDS = 4
_MAX_GAP = 200_000_000  # words times words; a larger gap contains two different texts, not one changed text


@dataclass(frozen=True)
class Agreement:
    """How well a gold text aligns with the blocks of a page."""

    gold_words: int
    matched: int
    """Gold words that are matched with words of the page, in order."""
    mixed: int
    """Words of the page in blocks that are matched only in part."""
    words: WordBag
    """The text of the content blocks compared with the gold text: the best score that any labels can reach."""

    @property
    def coverage(self) -> float:
        """Share of the gold words that are matched; 1 for an empty gold text."""
        return self.matched / self.gold_words if self.gold_words else 1.0

    def __str__(self) -> str:
        return (
            f"{self.coverage:.1%} of {self.gold_words} gold words on the page, {self.mixed} words in mixed blocks, "
            f"F1 of the content blocks {self.words.f1:.3f}"
        )


def align_words(words: Sequence[str], gold: Sequence[str]) -> npt.NDArray[np.int64]:
    """Align two sequences of words.

    Returns:
        For each of `words` the index of the gold word it is matched with, increasing, or -1; shape (len(words),).
    """
    ids: dict[str, int] = {}
    left = [ids.setdefault(word, len(ids)) for word in words]
    right = [ids.setdefault(word, len(ids)) for word in gold]
    match = np.full(len(left), -1, dtype=np.int64)
    done_left = done_right = 0
    for anchor_left, anchor_right in [*_anchors(left, right), (len(left), len(right))]:
        a, b = anchor_left, anchor_right
        if a < done_left or b < done_right:
            continue
        while a > done_left and b > done_right and left[a - 1] == right[b - 1]:
            a, b = a - 1, b - 1
        _fill_gap(match, left, right, (done_left, a), (done_right, b))
        while a < len(left) and b < len(right) and left[a] == right[b]:
            match[a] = b
            a, b = a + 1, b + 1
        done_left, done_right = a, b
    return match


def _anchors(left: list[int], right: list[int]) -> list[tuple[int, int]]:
    """Return the longest chain, increasing on both sides, of 4-grams that occur once on each side."""
    offsets = [_unique_grams(side) for side in (left, right)]
    pairs = sorted((a, offsets[1][gram]) for gram, a in offsets[0].items() if gram in offsets[1])
    ends: list[int] = []
    chain: list[int] = []
    previous = [-1] * len(pairs)
    for index, (_, b) in enumerate(pairs):
        at = bisect_left(ends, b)
        previous[index] = chain[at - 1] if at else -1
        ends[at : at + 1] = [b]
        chain[at : at + 1] = [index]
    longest: list[tuple[int, int]] = []
    index = chain[-1] if chain else -1
    while index >= 0:
        longest.append(pairs[index])
        index = previous[index]
    return longest[::-1]


def _unique_grams(side: list[int]) -> dict[tuple[int, ...], int]:
    grams = list(zip(*(side[i:] for i in range(_ANCHOR_WORDS)), strict=False))
    unique = {gram for gram, count in Counter(grams).items() if count == 1}
    return {gram: offset for offset, gram in enumerate(grams) if gram in unique}


def _fill_gap(
    match: npt.NDArray[np.int64], left: list[int], right: list[int], rows: tuple[int, int], columns: tuple[int, int]
) -> None:
    (a, a_end), (b, b_end) = rows, columns
    if a == a_end or b == b_end or (a_end - a) * (b_end - b) > _MAX_GAP:
        return
    for block in distances().LCSseq.opcodes(_as_text(left[a:a_end]), _as_text(right[b:b_end])):
        if block.tag == "equal":
            size = block.src_end - block.src_start
            match[a + block.src_start : a + block.src_end] = np.arange(
                b + block.dest_start, b + block.dest_start + size
            )


def _as_text(ids: list[int]) -> str:
    """Encode word ids as characters (no surrogates), the form that rapidfuzz aligns fastest."""
    return "".join(chr(n + 0x100 if n < 0xD700 else n + 0x900) for n in ids)


def label_blocks(blocks: Blocks, segments: Sequence[tuple[str, str]]) -> tuple[npt.NDArray[np.uint8], Agreement]:
    """Label blocks by a gold text.

    Args:
        blocks: the blocks of the page, in any segmentation.
        segments: the gold text as (label, text); a text without structure is one segment with any content label.

    Returns:
        Indices into `LABELS`, shape (b,), and the agreement. A content block takes the label of the segment that most
        of its matched words belong to; a block that does not start a segment becomes a continuation.
    """
    block_words = [_WORD.findall(text.lower()) for text in blocks.texts]
    words = [word for of_block in block_words for word in of_block]
    block_of = np.repeat(np.arange(len(blocks)), [len(of_block) for of_block in block_words])
    gold_words = [_WORD.findall(text.lower()) for _, text in segments]
    segment_of = np.repeat(np.arange(len(segments)), [len(of_segment) for of_segment in gold_words])
    gold = [word for of_segment in gold_words for word in of_segment]
    match = align_words(words, gold)
    total = np.bincount(block_of, minlength=len(blocks))
    hits = np.bincount(block_of[match >= 0], minlength=len(blocks))
    content = (total > 0) & (2 * hits >= total)
    labels = np.full(len(blocks), OTHER, dtype=np.uint8)
    codes = [LABELS.index(label) for label, _ in segments]
    _label_content(labels, content, block_of[match >= 0], segment_of[match[match >= 0]], codes)
    kept = " ".join(text for text, keep in zip(blocks.texts, content.tolist(), strict=True) if keep)
    mixed = int(total[(hits > 0) & (hits < total)].sum())
    return labels, Agreement(len(gold), int((match >= 0).sum()), mixed, word_bag(kept, " ".join(gold)))


def _label_content(
    labels: npt.NDArray[np.uint8],
    content: npt.NDArray[np.bool_],
    block_of: npt.NDArray[np.intp],
    segment_of: npt.NDArray[np.intp],
    codes: list[int],
) -> None:
    """Set the labels of content blocks. `block_of` and `segment_of` have one entry per matched word."""
    started: set[int] = set()
    for block in np.flatnonzero(content).tolist():
        in_block = slice(np.searchsorted(block_of, block), np.searchsorted(block_of, block, side="right"))
        segment = int(np.bincount(segment_of[in_block]).argmax())
        labels[block] = CONTINUATION if segment in started else codes[segment]
        started.add(segment)
