"""From the log-odds of blocks to what is kept: units are kept whole or dropped whole.

A net that scores blocks one by one gives the short items of a list other probabilities than the long ones, and a cut
through them thins the list out. Therefore the blocks of a decision group (`dehusk.units.decision_groups`: a table, a
listing, the items of a list at one path, the same field of all records) get the group's mean probability, weighted by
words, before the cut:

    p'(i) = Σ_j (w_j + 1) p_j / Σ_j (w_j + 1)        over the group of i

Fields of records are only pooled if they agree, that is if the standard deviation of their log-odds is at most
`SPREAD`: like siblings of a layout can hold the article, the teasers and the footer. Then the kept blocks maximise the
expected word F (`dehusk.methods.keep.expected_f1`), and if they include no h1, the most probable h1 is added if it
stands before the middle of the kept text: a title is kept with what it heads. Links that only act, such as "Reply" in
each post, are dropped (`repeated_links`). Listings, captions, headings and paragraphs that go with kept
text are kept (`dehusk.methods.united.completion`).

On sites not seen in training, pooling and the title raise whole tables from 86 to 100 %, recipes kept with all their
facts from 90 to 93 %, and F1 on forums by .01 (docs/united.md, with what was tried besides).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.characters import lower
from dehusk.hashing import span_keys
from dehusk.methods.keep import expected_f1
from dehusk.methods.united.completion import completed
from dehusk.page import Bools
from dehusk.tags import numbers
from dehusk.units import decision_groups, is_bound

Reals = npt.NDArray[np.float64]

SPREAD = 1.5
"""Standard deviation of log-odds above which the fields of records are left as they are."""
TITLE = 0.05
"""Least probability of a title that is kept with what it heads."""
SHORT, OFTEN = 8, 3
"""Words of links that may only act, and how often such a text stands in its field on average."""
_MOST = 9.2  # log-odds beyond this count as this in the spread: the probability is .0001 from certain
_H1 = numbers("h1")


@dataclass(frozen=True, eq=False)
class Decision:
    """What is kept of a page of b blocks."""

    probability: Reals
    """(b,) probability that each block is content, equal for all blocks of a group."""
    kept: Bools
    """(b,)"""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a site's other pages say about the b blocks of a page."""

    scores: Reals
    """(b,) log-odds with the evidence of the site."""
    template: Bools
    """(b,) whether the block is template."""


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
    by_page = _pooled(blocks, page_scores, excluded)
    kept = expected_f1(by_page, blocks.words, beta=beta) & ~excluded & ~repeated_links(blocks)
    own = np.where(excluded, 0.0, 1 / (1 + np.exp(-np.clip(page_scores, -30, 30))))
    kept = completed(blocks, _with_title(blocks, kept, own), by_page, excluded | repeated_links(blocks))
    if evidence is None:
        return Decision(by_page, kept)
    probability = _pooled(blocks, evidence.scores, excluded)
    return Decision(
        probability, kept & ~(_whole(blocks, evidence.template, excluded) & (probability < min(0.5, 1 / (1 + beta))))
    )


def _pooled(blocks: Blocks, scores: Reals, excluded: Bools) -> Reals:
    """Return the probability of each block, shape (b,); 0 for excluded blocks, which do not count in their groups."""
    probability = np.zeros(len(blocks))
    open_ = np.flatnonzero(~excluded)
    groups, bound = decision_groups(blocks)[open_], is_bound(blocks)[open_]
    probability[open_] = pool(scores[open_], blocks.words[open_], groups, bound)
    return probability


def repeated_links(blocks: Blocks) -> Bools:
    """Return which blocks are links that only act, such as "Reply" in each post, shape (b,).

    These are the blocks of a field of records of which all are links of at most `SHORT` words, each text `OFTEN` times
    on average. Lists and tables are left whole.
    """
    group, found = decision_groups(blocks), np.zeros(len(blocks), dtype=np.bool_)
    short = (blocks.link_words >= blocks.words) & (blocks.words <= SHORT) & ~is_bound(blocks)
    size = np.bincount(group)
    whole = short & (np.bincount(group[short], minlength=len(size)) == size)[group] & (size >= OFTEN)[group]
    candidates = np.flatnonzero(whole)
    if len(candidates):
        keys = span_keys(lower(blocks.code_points), blocks.start[candidates], blocks.end[candidates])
        texts = np.unique(np.stack([group[candidates].astype(np.uint64), keys]), axis=1)[0].astype(np.intp)
        distinct = np.bincount(texts, minlength=len(size))
        found[candidates] = (OFTEN * distinct <= size)[group[candidates]]
    return found


def _whole(blocks: Blocks, template: Bools, excluded: Bools) -> Bools:
    """Return which blocks are template, shape (b,), where a unit is template if most of its words are."""
    group, weight = decision_groups(blocks), np.where(excluded, 1e-9, blocks.words + 1.0)
    share = np.bincount(group, weight * template) / np.bincount(group, weight)
    return np.where(is_bound(blocks), 2 * share[group] > 1, template)


def pool(scores: Reals, words: npt.NDArray[np.integer], group: npt.NDArray[np.integer], bound: Bools) -> Reals:
    """Return the probability of each block, shape (b,), equal in each group that is decided as one.

    Args:
        scores: (b,) log-odds.
        words: (b,) number of words.
        group: (b,) group of each block.
        bound: (b,) whether the group of the block is decided as one even if its blocks differ much.
    """
    if not len(scores):
        return np.zeros(0)
    group = np.unique(group, return_inverse=True)[1]
    weight = words + 1.0
    probability = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    odds = np.clip(scores, -_MOST, _MOST)
    total = np.bincount(group, weight)
    mean, level, square = (np.bincount(group, weight * values) / total for values in (probability, odds, odds * odds))
    agrees = square - level * level <= SPREAD * SPREAD
    pooled: Reals = np.where(bound | agrees[group], mean[group], probability)
    return pooled


def _with_title(blocks: Blocks, kept: Bools, own: Reals) -> Bools:
    """Return the kept blocks and a title; `own`, shape (b,), are the probabilities before pooling."""
    page = blocks.page
    headings = page.nodes_of(_H1)
    if not len(headings) or not kept.any():
        return kept
    titles = np.flatnonzero((page.within(headings)[blocks.first] > 0) & (own >= TITLE))
    if not len(titles) or kept[page.within(headings)[blocks.first] > 0].any():
        return kept
    title = titles[np.argmax(own[titles])]
    read = np.cumsum(blocks.words * kept)
    if title < np.searchsorted(read, read[-1] / 2):
        kept = kept.copy()
        kept[title] = True
    return kept
