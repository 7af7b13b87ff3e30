r"""FindOptimal: text that is frequent in the documents of a site is useless.

Ikeda, Yamada & Hirokawa, *Eliminating Useless Parts in Semi-structured Documents using Alternation Counts* (2001).
A document is a string. An n-gram is useless if it is among the a percent most frequent ones; W is the set of these.

    r_x(W)[j] = 0 if an occurrence of a v in W covers j, else 1            range string (section 2.1)
    A_x(W)    = number of boundaries between 0 and 1 in r_x(W)             alternation count (definition 2)
    A_D(n, a) = Σ_{x in D} A_x(W), W the top a percent of the n-grams of D   (section 2.3)

A cut point (n, a) is optimal if a path of falling counts leads to it from (2, 1), each step adding one to n or to a,
and no step leads further (section 2.3; in figure 3 each step goes to the smaller of two smaller counts, in a tie to
that of n + 1).

Departures from the paper, with reasons; the first is the largest:

* `search="df"`, the default, does not search: n is fixed, and a gram is useless if t documents contain it. On sites of
  ten pages the search of figure 3 (`search="printed"`) stops early and removes too little (figures in
  docs/alternation-figures.md).
* Figure 2 takes "the first a/100 strings" of O; read as a percentage of the distinct n-grams, ⌊a |O| / 100⌋ of them.
  The order of grams with equal counts is that of a hash table in the paper, an option here (`ties`).
* A gram that occurs once is not frequent, so never in W (`t=1` is the letter of figure 2). With a = 100 everything
  would be useless and the count 0, a meaningless minimum; likewise no step leads to a cut point with an empty W.
* Figure 2 writes x[i..i + n], which has n + 1 characters; read as n, as in the definition of r_x.
* Figure 2 joins all documents into one string. Here, as in definition 2, each has its own range string, so no gram
  spans two documents and, except for ties="first-seen", their order is irrelevant.
* D is a set: documents that are equal after folding count once.
* n has an upper bound (256 by default; the paper reports n < 30), so time is linear in N for any documents.
* `look_ahead` lets the search continue where the printed one stops.

Modules, in order: `strings` documents and pages as code points · `grams` hashes, document frequency, spans · `ranges`
definitions 1 and 2 · `suffixes` · `ranking` the order of O · `surface` · `path_search` · `find_optimal` · `alternation`
the method for pages · `accuracy` section 4.1 · `colouring` figures 4 and 5, delimiters · `surface_picture`.
"""

from dehusk.sites.alternation.accuracy import RangeAgreement, agreement, correct_string
from dehusk.sites.alternation.alternation import Alternation
from dehusk.sites.alternation.colouring import draw_document
from dehusk.sites.alternation.declaration import METHOD
from dehusk.sites.alternation.find_optimal import FindOptimal
from dehusk.sites.alternation.path_search import CutPoint
from dehusk.sites.alternation.ranges import alternation_count, range_string
from dehusk.sites.alternation.strings import PageString, page_string
from dehusk.sites.alternation.surface import Surface

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
