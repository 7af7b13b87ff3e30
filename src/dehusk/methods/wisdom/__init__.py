"""WISDOM: the informative blocks of pages by the words and the structure of their site.

Kao, Ho & Chen, *WISDOM: Web Intrapage Informative Structure Mining Based on Document Object Model*. For terms and
pages of one site (section 3.1), with w_j the share of a term's occurrences that page j of n has:

    EN(term)  = -Σ_j w_j log_n w_j,   W = 1 - EN
    CII(N)    = mean W of the terms in the innerText of node N
    API(N)    = Σ_j 1 / EN(term_j)    over the terms that the anchor N and the linked page share
    f_A(N)    = f(N) + Σ_j f_A(n_j)   for f = CLEN, ALEN (characters outside of and in links) and API
    SII(N, f) = -Σ_j w_j log_m w_j    w_j the share of f_A that the j-th of m children has

MIB(k, f_A, ST) searches from the root on for the k nodes with the largest f_A of which SII > ST, or which are leaves,
and which fulfil the type constraint: CII ≥ 1 - TC_article, or API_A ≥ TC_TOC a link (3.2). Siblings are merged by DSTM
and k-CSTM, parts that fail the constraint are taken out (3.3). What is left is the informative structure.

The preset "paper" has the paper's values. Departures from the paper, with reasons:

* Formula A.2, which changes an entropy page by page, is not used: whole counts give the same value, add up in any
  order, and have no first page to begin with; see `dehusk.site.entropy`.
* API takes EN as .05 at least. CII is the mean over all occurrences, as lengths and EN count them too.
* CH(N) in the printed constraint is CII(N). A node without terms has no CII: it is no block, and stays in one.
* A node with one child has SII = 0. Dummy tags are `br`, `hr`, `wbr`; scripts and comments are no nodes here.
* A non-singleton ancestor has one or more siblings with f_A > 0.
* k-CSTM merges the siblings of the k-th non-singleton ancestor only, word by word.
* In M2 the length of the innerText takes the place of the type constraint.

The preset "recommended" differs further, each measured in bench/results/wisdom.md:

* The text directly in a node is one more child of it (`own_text`). Else a node with own text and one child is never
  a block, and its text is lost. A node whose own text is its largest child is a leaf.
* No CSTM: it adds more noise than text (so say the authors of one of their own sites).
* DSTM of a block without siblings begins at its first ancestor that has some (`climb`).
* CII ≥ .3, or ≥ .8 of the CII of the whole page where that is less (`relative`). On sites whose pages share their
  subject, and with more and more pages, EN of ordinary words rises, so that no fixed bound serves.
* All words are terms: no stemming and no stop list, which need to know the language; numbers are terms.
* TOC blocks by ALEN, with CII ≥ .2, where more than half of the links have an API of 0 (the paper's section 4.4 has the
  idea, no value).
"""

from dehusk.methods.wisdom.blocksets import BlockSet
from dehusk.methods.wisdom.coverage import Coverage, ic, snc
from dehusk.methods.wisdom.informative import InformativeStructure
from dehusk.methods.wisdom.presets import PAPER, PRESETS, RECOMMENDED, Settings
from dehusk.methods.wisdom.wisdom import InformativeBlocks, Wisdom
from dehusk.methods.wisdom.wisdom_counts import WisdomCounts

__all__ = [
    "PAPER",
    "PRESETS",
    "RECOMMENDED",
    "BlockSet",
    "Coverage",
    "InformativeBlocks",
    "InformativeStructure",
    "Settings",
    "Wisdom",
    "WisdomCounts",
    "ic",
    "snc",
]
