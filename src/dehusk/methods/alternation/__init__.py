r"""FindOptimal: what is frequent in the documents of a site is useless.

Ikeda, Yamada & Hirokawa, *Eliminating Useless Parts in Semi-structured Documents using Alternation Counts* (2001).
A document is a string; an n-gram is useless if it is among the a percent most frequent ones; W is their set.

    r_x(W)[j] = 0 if an occurrence of a v in W covers j, else 1            range string (section 2.1)
    A_x(W)    = boundaries between 0 and 1 on r_x(W)                       alternation count (definition 2)
    A_D(n, a) = Σ_{x in D} A_x(W), W the top a percent of the n-grams of D   (section 2.3)

A cut point (n, a) is optimal if a path of falling counts leads to it from (2, 1), each step adding one to n or to a,
and none leads on (section 2.3; figure 3 takes the smaller of two smaller counts, and n where they are equal).

Departures, with reasons; the first is the largest:

* `rule="df"`, the default, does without the search: n is fixed and a gram is useless if t documents hold it. On sites
  of ten pages the printed search stops at a = 1 and removes nearly no text (docs/alternation.md has the figures).
* Figure 2 takes "the first a/100 strings" of O: read as a percent of the different n-grams, ⌊a |O| / 100⌋ of them.
  Grams as frequent as the last of these belong to W, too; else the order of a hash table would decide.
* Figure 2 writes x[i..i + n], which are n + 1 characters: read as n, as the definition of r_x has it.
* Figure 2 joins all documents to one string; here, as in definition 2, each has its own range string, so no gram lies
  over the seam of two documents and their order makes no difference.
* A gram that occurs once is never in W, so t ≥ 2. With t = 1 everything would be useless and the count 0, a minimum
  without meaning; for the same reason no step leads to a cut point at which W is empty.
* D is a set: documents that are equal after folding count once.
* n has an upper bound (256 by default; the paper reports n < 30), so time is linear in N whatever documents hold.
* `look_ahead` lets the search go on where the printed rule stops: one percent more is often the same W, whose count is
  then not smaller.

Modules, in order: `strings` documents and pages as code points · `grams` hashes, document frequency, spans · `ranges`
definitions 1 and 2 · `suffixes` · `surface` · `path_search` · `find_optimal` · `alternation` the method for pages ·
`accuracy` section 4.1 · `document_picture` figures 4 and 5.
"""

from dehusk.methods.alternation.accuracy import RangeAgreement, agreement, correct_string
from dehusk.methods.alternation.alternation import Alternation
from dehusk.methods.alternation.declaration import METHOD
from dehusk.methods.alternation.document_picture import draw_document
from dehusk.methods.alternation.find_optimal import FindOptimal
from dehusk.methods.alternation.path_search import CutPoint
from dehusk.methods.alternation.ranges import alternation_count, range_string
from dehusk.methods.alternation.strings import PageString, page_string
from dehusk.methods.alternation.surface import Surface

__all__ = [
    "METHOD",
    "Alternation",
    "CutPoint",
    "FindOptimal",
    "PageString",
    "RangeAgreement",
    "Surface",
    "agreement",
    "alternation_count",
    "correct_string",
    "draw_document",
    "page_string",
    "range_string",
]
