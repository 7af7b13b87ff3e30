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

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.characters import lower
from dehusk.hashing import span_keys
from dehusk.methods.keep import expected_f1
from dehusk.methods.united.columns import NEVER_CONTENT
from dehusk.methods.united.completion import completed
from dehusk.page import Bools
from dehusk.units import decision_groups, is_bound
from dehusk.units.keys import distinct, mix, ranges
from dehusk.units.skeleton import skeleton_of, tag_table

Reals = npt.NDArray[np.float64]

SPREAD = 1.5
"""Standard deviation of log-odds above which the fields of records are left as they are."""
TITLE = 0.05
"""Least probability of a title that is kept with what it heads."""
SHORT, OFTEN = 8, 3
"""Words of links that may only act, and how often such a text stands in its field on average."""
_MOST = 9.2  # log-odds beyond this count as this in the spread: the probability is .0001 from certain
_H1, _NEVER = tag_table("h1"), tag_table(NEVER_CONTENT)


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


@kernel("decisions.decide")
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
    closed = excluded | repeated_links(blocks)
    kept = expected_f1(by_page, blocks.words, beta=beta) & ~closed
    if kept.any():
        kept = completed(blocks, _with_title(blocks, kept, page_scores, excluded), by_page, closed)
    if evidence is None:
        return Decision(by_page, kept)
    probability = _pooled(blocks, evidence.scores, excluded)
    return Decision(
        probability, kept & ~(_whole(blocks, evidence.template, excluded) & (probability < min(0.5, 1 / (1 + beta))))
    )


@kernel("decisions.never_content")
def never_content(blocks: Blocks) -> Bools:
    """Return whether each block is in an element that never has content, shape (b,)."""
    tree = skeleton_of(blocks)
    is_never = tree.has_tag(_NEVER)
    if not is_never.any():
        return np.zeros(len(blocks), dtype=np.bool_)
    never: Bools = tree.inside_of(is_never)[tree.innermost] > 0
    return never


def _pooled(blocks: Blocks, scores: Reals, excluded: Bools) -> Reals:
    """Return the probability of each block, shape (b,); 0 for excluded blocks, which do not count in their groups."""
    weight = np.where(excluded, 0.0, blocks.words + 1.0)
    probability = pool(scores, weight, decision_groups(blocks), is_bound(blocks))
    probability[excluded] = 0.0
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
    candidates = whole.nonzero()[0]
    if len(candidates):
        chars = blocks.chars.take(candidates)  # few: only their texts are read
        ends = chars.cumsum()
        points = blocks.code_points.take(ranges(blocks.start.take(candidates), chars))
        keys, of = span_keys(lower(points), ends - chars, ends), group[candidates]
        first, _, _ = distinct(mix(keys, of))
        found[candidates] = (OFTEN * np.bincount(of[first], minlength=len(size)) <= size)[of]
    return found


def _whole(blocks: Blocks, template: Bools, excluded: Bools) -> Bools:
    """Return which blocks are template, shape (b,), where a unit is template if most of its words are."""
    group, weight = decision_groups(blocks), np.where(excluded, 1e-9, blocks.words + 1.0)
    share = np.bincount(group, weight * template) / np.bincount(group, weight)
    return np.where(is_bound(blocks), 2 * share[group] > 1, template)


def pool(scores: Reals, weight: Reals, group: npt.NDArray[np.integer], bound: Bools) -> Reals:
    """Return the probability of each block, shape (b,), equal in each group that is decided as one.

    Args:
        scores: (b,) log-odds.
        weight: (b,) number of words and one; 0 for blocks that do not count.
        group: (b,) group of each block, 0, 1, …
        bound: (b,) whether the group of the block is decided as one even if its blocks differ much.
    """
    if not len(scores):
        return np.zeros(0)
    probability = _chances(scores)
    odds = np.clip(scores, -_MOST, _MOST)
    total = np.maximum(np.bincount(group, weight), 1e-9)
    mean, level, square = (np.bincount(group, weight * values) / total for values in (probability, odds, odds * odds))
    agrees = square - level * level <= SPREAD * SPREAD
    pooled: Reals = np.where(bound | agrees[group], mean[group], probability)
    return pooled


def _chances(scores: Reals) -> Reals:
    chances: Reals = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return chances


def _with_title(blocks: Blocks, kept: Bools, scores: Reals, excluded: Bools) -> Bools:
    """Return the kept blocks, of which there is one or more, and a title; `scores` are those before pooling."""
    tree = skeleton_of(blocks)
    is_h1 = tree.has_tag(_H1)
    if not is_h1.any():
        return kept
    in_title = tree.inside_of(is_h1)[tree.innermost] > 0
    if kept[in_title].any():
        return kept
    titles = (in_title & ~excluded).nonzero()[0]
    own = _chances(scores[titles])
    if not (own >= TITLE).any():
        return kept
    title = titles[own.argmax()]
    read = (blocks.words * kept).cumsum()
    if title < read.searchsorted(read[-1] / 2):
        kept = kept.copy()
        kept[title] = True
    return kept
