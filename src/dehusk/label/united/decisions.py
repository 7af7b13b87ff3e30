"""From the log-odds of blocks to what is kept: units are kept whole or dropped whole.

A net that scores blocks one by one gives the short items of a list other probabilities than the long ones, and a cut
through them thins the list out. Therefore the blocks of a decision group (`dehusk.blocks.units.decision_groups`: a
table, a listing, the items of a list at one path, the same field of all records) get the group's mean probability,
weighted by words, before the cut:

    p'(i) = Σ_j (w_j + 1) p_j / Σ_j (w_j + 1)        over the group of i

Fields of records are only pooled if they agree, that is if the standard deviation of their log-odds is at most
`SPREAD`: like siblings of a layout can hold the article, the teasers and the footer. Then the kept blocks maximise the
expected word F (`dehusk.label.keep.expected_f1`), and if they include no h1, the most probable h1 is added if it
stands before the middle of the kept text: a title is kept with what it heads. Links that only act, such as "Reply" in
each post, are dropped (`repeated_links`). Listings, captions, headings and paragraphs that go with kept
text are kept (`dehusk.label.united.completion`).

On sites not seen in training, pooling and the title raise whole tables from 86 to 100 %, recipes kept with all their
facts from 90 to 93 %, and F1 on forums by .01 (docs/united-decisions.md, with what was tried besides).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks.units.skeleton import tag_table
from dehusk.label.united.columns import NEVER_CONTENT
from dehusk.read.page import Bools

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
