"""The compressed structure tree (CST).

Yi & Liu, *Web Page Cleaning for Web Mining through Feature Weighting*, IJCAI 2003. Pages of one site are merged from
top to bottom into one tree; an element E stands for the m tag nodes that were merged in it (section 3.2). What looks
alike and says the same everywhere is noise; what differs is content (section 3.3):

    NodeImp(E)   = 1 if m = 1, else -Σ_i p_i log_m p_i    inner E; p_i the share of the i-th presentation style   (1)
    NodeImp(E)   = 1 - Σ_i H_E(a_i) / N                   leaf E with N different words a_i                       (2)
    H_E(a_i)     = 0 if m = 1, else -Σ_j p_ij log_m p_ij  p_ij the share of a_i's occurrences in the j-th node    (3)
    PathImp(E)   = 1 - Π (1 - NodeImp(E_i))               over E and what is above it                             (4)
    W_E(a_i, T_j) = PathImp(E) (1 - H_E(a_i)) f_ij        f_ij the occurrences of a_i in T_j                      (5)

In mode "style" tag nodes are one element as the paper says: the same place in the same presentation style of the same
element, and groups with the same Tag and Attr whose characteristic words (in at least gamma of their tag nodes) are
similar by lambda or more. In mode "ordinal" they are one by their path alone; see `dehusk.site.tag_tree`.

Departures from the paper, with reasons:

* Virtual leaves: taken word by word, one `<br>` directly in the body makes the body a leaf, and two elements are left
  of a page. The default is the highest elements with at most one level of elements below; "grandparent" is the
  paper's wording.
* Words directly in an inner node, which the paper drops, are those of a leaf of their own, `#text`.
* An element of which some tag nodes are leaves and others are not becomes two: equations 1 and 2 do not mix.
* A leaf without words has no average in (2): its NodeImp is 0. The paper's "1 if m = 1" is for inner elements; a
  leaf of one tag node gets 1 by (2) and (3).
* Attr: class, style and HTML 4's attributes of presentation, without numbers in classes and without the body's class;
  no id. The paper's pages had no classes; `classes=False` leaves them out.
* p_ij is "the probability that a_i appears in the j-th tag node"; taken as its share of the occurrences.
* The order of merges is open in the paper. Groups with the same characteristic words go first, by one hash, which
  makes lists of equal items linear; then each group in document order with the first that is similar, compared with
  about 32 others at most.
* Words are as they stand, in lower case: no stop words, no stemming; the paper does not say.
* New: `label` keeps blocks by the mean NodeImp of the leaves of their words. PathImp and hence W do not part content
  from noise as well: one unique node above makes PathImp 1 for all that is below.
* What no learnt page had counts as in one page only (m = 1): weight 1.
"""

from dehusk.methods.structure_tree.cst import CompressedStructureTree
from dehusk.methods.structure_tree.declaration import METHOD
from dehusk.methods.structure_tree.importance import StructureTree
from dehusk.methods.structure_tree.tree_picture import tree_svg, tree_text
from dehusk.methods.structure_tree.vectors import json_lines, svmlight
from dehusk.methods.structure_tree.weights import WordWeights

__all__ = [
    "METHOD",
    "CompressedStructureTree",
    "StructureTree",
    "WordWeights",
    "json_lines",
    "svmlight",
    "tree_svg",
    "tree_text",
]
