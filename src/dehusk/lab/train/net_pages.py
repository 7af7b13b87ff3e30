"""Pages as the net is trained on them, and batches of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.blocks.labels import OTHER
from dehusk.lab.train.labelled_pages import LabelledPage, is_usable
from dehusk.label.united.inputs import Bags, NetInputs, net_inputs
from dehusk.label.united.net import Net

Floats = npt.NDArray[np.float32]
Index = npt.NDArray[np.intp]
Generator = np.random.Generator

FACTS = 0.5
"""Weight of a page's hints if only its facts are known."""


@dataclass(frozen=True, eq=False)
class NetPage:
    """One page to train on, with b blocks."""

    inputs: NetInputs
    content: Floats
    """(b,) 1 for content, 0 for noise."""
    weight: Floats
    """(b,) weight of the block's label in the loss, 0 if it is unlabelled; the weights of a page add up to about 1."""
    positive: Floats
    """(b,) weight of the block as certain content on a page that is unlabelled otherwise; adds up to 1, or to 0."""
    styles: tuple[int, ...]
    """Styles that the labels are right for, as rows of `STYLES`; training takes one of them at random."""
    words: Floats
    """(b,) number of words."""
    importance: float = 1.0
    """Weight of the page relative to others."""
    hints: Floats | None = None
    """(styles, b) a teacher's probability of each block for each of these styles; None without a teacher."""

    def __len__(self) -> int:
        return len(self.content)


def net_page(page: LabelledPage, styles: Sequence[int], *, weight: float = 1.0) -> NetPage | None:
    """Return a page to train on; None if its gold text is not on it, or it has no labels.

    A block's weight grows with its words and shrinks with the words of its page, because the figure of merit, F1, is a
    mean over pages.
    """
    labelled = page.codes >= 0
    if not is_usable(page) or not labelled.any():
        return None
    content = ((page.codes != OTHER) & labelled).astype(np.float32)
    words = np.where(labelled, page.blocks.words, 0).astype(np.float32)
    weights = np.where(labelled, words + 2, 0) / (max(60.0, float(words @ content)) + 0.15 * float(words.sum()))
    none = np.zeros(len(content), dtype=np.float32)
    own = (weight * weights).astype(np.float32)
    return NetPage(_inputs(page.blocks), content, own, none, tuple(styles), _words(page), weight)


def fact_page(page: LabelledPage, places: npt.NDArray[np.float64]) -> NetPage | None:
    """Return a page of which only the blocks with facts are labelled, as content; None if it has no such block.

    Args:
        page: the page.
        places: (b,) weight of the facts in each block, by `dehusk.lab.gold.facts.find_facts`.
    """
    positive = places * (1 + np.log1p(page.blocks.words))
    if not positive.any():
        return None
    none = np.zeros(len(page.blocks), dtype=np.float32)
    share = (positive / positive.sum()).astype(np.float32)
    return NetPage(_inputs(page.blocks), none, none, share, (0,), _words(page), FACTS)


def with_hints(page: NetPage, teacher: Net) -> NetPage:
    """Return the page with what a teacher says of its blocks."""
    scores = np.array([teacher.scores(page.inputs, style) for style in page.styles])
    return replace(page, hints=(1 / (1 + np.exp(-scores))).astype(np.float32))


def _words(page: LabelledPage) -> Floats:
    return page.blocks.words.astype(np.float32)


def _inputs(blocks: Blocks) -> NetInputs:
    """Return the inputs of a page; what they are computed from is cached with copies, so that it can be freed."""
    return net_inputs(replace(blocks, page=replace(blocks.page)))


@dataclass(frozen=True, eq=False)
class Batch:
    """Some pages as one: their blocks one after the other, groups and bags renumbered."""

    inputs: NetInputs
    content: Floats
    weight: Floats
    positive: Floats
    page: Index
    """(b,) page of each block."""
    style: Index
    """(b,) style of each block's page."""
    first: Index
    """(b,) first block of each block's page."""
    end: Index
    """(b,) one past the last block of its page."""
    labelled_pages: int
    """Number of pages whose loss counts as that of a labelled page."""
    hint: Floats
    """(b,) the teacher's probability."""
    hint_weight: Floats
    """(b,) weight of the hint in the loss, 0 without a teacher; the weights of a page add up to about 1."""


def make_batch(pages: Sequence[NetPage], styles: Sequence[int]) -> Batch:
    """Join pages, each with the style to train it for."""
    sizes = np.array([len(page) for page in pages], dtype=np.intp)
    ends = np.cumsum(sizes)
    labelled = sum(bool(page.weight.any()) for page in pages)
    hints = [_hint(page, style) for page, style in zip(pages, styles, strict=True)]
    return Batch(
        inputs=_join([page.inputs for page in pages]),
        content=np.concatenate([page.content for page in pages]),
        weight=np.concatenate([page.weight for page in pages]),
        positive=np.concatenate([page.positive for page in pages]),
        page=np.repeat(np.arange(len(pages)), sizes),
        style=np.repeat(np.array(styles, dtype=np.intp), sizes),
        first=np.repeat(ends - sizes, sizes),
        end=np.repeat(ends, sizes),
        labelled_pages=max(labelled, 1),
        hint=np.concatenate([hint for hint, _ in hints]),
        hint_weight=np.concatenate([weight for _, weight in hints]),
    )


def _hint(page: NetPage, style: int) -> tuple[Floats, Floats]:
    """Return the teacher's probability of each block and its weight, which grows and shrinks as that of a label."""
    if page.hints is None:
        none = np.zeros(len(page), dtype=np.float32)
        return none, none
    hint, words = page.hints[page.styles.index(style)], page.words
    weight = page.importance * (words + 2) / (max(60.0, float(words @ page.hints[0])) + 0.15 * float(words.sum()))
    return hint, weight.astype(np.float32)


def without_stretch(page: NetPage, random: Generator) -> NetPage:
    """Return the page without a random stretch of 5 to 35 % of its blocks, so that the net does not rely on places."""
    b = len(page)
    size = int(b * random.uniform(0.05, 0.35))
    start = int(random.integers(0, b - size + 1))
    kept = np.delete(np.arange(b), slice(start, start + size))
    return replace(
        page,
        inputs=_take(page.inputs, kept),
        content=page.content[kept],
        weight=page.weight[kept],
        positive=page.positive[kept],
        words=page.words[kept],
        hints=None if page.hints is None else page.hints[:, kept],
    )


def drop_words(bags: Bags, dropped: npt.NDArray[np.bool_]) -> Bags:
    """Return bags without some of their words; `dropped` has the shape of `bags.row`."""
    kept_before = np.append(0, np.cumsum(~dropped))
    return Bags(bags.row[~dropped], kept_before[bags.start])


def _take(inputs: NetInputs, kept: Index) -> NetInputs:
    """Return the inputs of some blocks."""
    chains, chain = np.unique(inputs.chain[kept], return_inverse=True)
    return NetInputs(
        columns=inputs.columns[:, kept],
        tags=inputs.tags[kept],
        names=_take_bags(inputs.names, chains),
        chain=chain,
        texts=_take_bags(inputs.texts, kept),
        groups=tuple(np.unique(group[kept], return_inverse=True)[1] for group in inputs.groups),
    )


def _take_bags(bags: Bags, which: Index) -> Bags:
    sizes = np.diff(bags.start)[which]
    before = np.cumsum(sizes) - sizes
    rows = np.repeat(bags.start[which] - before, sizes) + np.arange(int(sizes.sum()))
    return Bags(bags.row[rows], np.append(0, np.cumsum(sizes)))


def _join(parts: Sequence[NetInputs]) -> NetInputs:
    groups = zip(*(part.groups for part in parts), strict=True)
    return NetInputs(
        columns=np.concatenate([part.columns for part in parts], axis=1),
        tags=np.concatenate([part.tags for part in parts]),
        names=_join_bags([part.names for part in parts]),
        chain=_renumbered([part.chain for part in parts], [len(part.names.start) - 1 for part in parts]),
        texts=_join_bags([part.texts for part in parts]),
        groups=tuple(_renumbered(of_parts, [int(group.max()) + 1 for group in of_parts]) for of_parts in groups),
    )


def _join_bags(parts: Sequence[Bags]) -> Bags:
    sizes = np.concatenate([np.diff(part.start) for part in parts])
    return Bags(np.concatenate([part.row for part in parts]), np.append(0, np.cumsum(sizes)))


def _renumbered(parts: Sequence[Index], counts: Sequence[int]) -> Index:
    offsets = np.cumsum(counts) - np.array(counts)
    return np.concatenate([part + offset for part, offset in zip(parts, offsets.tolist(), strict=True)])
