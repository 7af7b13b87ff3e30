"""WISDOM: informative blocks of pages, by the words and the structure of their site.

Kao, Ho & Chen, *WISDOM: Web Intrapage Informative Structure Mining Based on Document Object Model*. For the terms and
the n pages of a site (section 3.1), with w_j the share of a term's occurrences that are on page j:

    EN(term)  = -Σ_j w_j log_n w_j,   W = 1 - EN
    CII(N)    = mean W of the terms in the innerText of node N
    API(N)    = Σ_j 1 / EN(term_j)    over the terms that the anchor N and the linked page share
    f_A(N)    = f(N) + Σ_j f_A(n_j)   for f = CLEN, ALEN (characters outside and inside of links) and API
    SII(N, f) = -Σ_j w_j log_m w_j    w_j the share of f_A in the j-th of m children

MIB(k, f_A, ST) searches from the root for the k nodes with the largest f_A that have SII > ST or are leaves, and that
fulfil the type constraint: CII ≥ 1 - TC_article, or API_A ≥ TC_TOC per link (section 3.2). DSTM and k-CSTM merge
siblings into the blocks, and condensing removes parts that fail the constraint (section 3.3). The result is the
informative structure.

The preset "paper" uses the paper's values. Departures from the paper, with reasons:

* Formula A.2, which updates an entropy page by page, is left out. Counts give the same value to 4e-15, can be added in
  any order and need no first page. On a crawl of 1,360 pages, learning takes 2.9 s of CPU, of which .12 s go to counts
  and entropies; A.2, over arrays of the terms so far, takes .26 s for them. See `dehusk.counts.entropy`.
* API uses EN ≥ .05, because 1 / EN is unbounded. CII is the mean over all occurrences, which lengths and EN count too.
* CH(N) in the printed constraint is read as CII(N). A node without terms has no CII: it is not a block, and condensing
  does not remove it.
* A node with one child has SII = 0. Dummy tags are `br`, `hr` and `wbr`; scripts and comments are not nodes here.
* k-CSTM merges the siblings of the k-th non-singleton ancestor only, as the text says.
* In M2, the length of the innerText replaces the type constraint.

The preset "recommended" differs further; bench/results/wisdom.md measures each difference:

* The text directly in a node is one more child of it (`own_text`). Otherwise a node with own text and one child is
  never a block, and its text is lost. A node whose own text is its largest child is a leaf.
* An ancestor with one sibling with f_A > 0 is no singleton; in the paper it needs more than one (`siblings`).
* No CSTM: it adds more noise than text, as the authors report for one of their sites.
* For a block without siblings, DSTM uses its first ancestor that has some (`climb`).
* Condensing removes no part of a TOC block by API that contains a link which fulfils the constraint by itself: a thread
  with many links to tags says little per link, and its title would go with them (`spare_links`).
* CII ≥ .3, or ≥ .8 of the whole page's CII if that is less (`relative`). On sites whose pages share a subject, and with
  more pages, the EN of ordinary words rises, so a fixed bound drops whole articles.
* ST = .5 for article blocks (`st_article`): articles with headings, pictures and insets are less even than .8.
* Cleaning, which the paper does not have, drops blocks of links (`link_density`), and runs of blocks that are far
  shorter than the longest one: teasers and comments (`run`, `dehusk.label.runs`).
* All words are terms, numbers included: stemming and stop words depend on the language.
* TOC blocks by API that is estimated for links whose pages were not learned, without the links at weak places: in a
  list of titles, those to authors, tags and pages (`link_estimates`). The place that the others are compared with is
  found by the length of its link texts too, a rule that does as well without any site (docs/wisdom-toc.md).
  `toc="auto"` takes the paper's way where API says little (section 4.4): ALEN, with CII ≥ .2, on pages where more
  than half of the links have an API of 0.
"""

from dehusk.sites.wisdom.blocksets import BlockSet
from dehusk.sites.wisdom.coverage import Coverage, ic, snc
from dehusk.sites.wisdom.declaration import METHOD
from dehusk.sites.wisdom.informative import InformativeStructure
from dehusk.sites.wisdom.presets import PAPER, PRESETS, RECOMMENDED, Settings
from dehusk.sites.wisdom.wisdom import InformativeBlocks, Wisdom
from dehusk.sites.wisdom.wisdom_counts import WisdomCounts

__all__ = [
    "METHOD",
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
