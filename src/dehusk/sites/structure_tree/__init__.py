"""The compressed structure tree (CST).

Yi & Liu, *Web Page Cleaning for Web Mining through Feature Weighting*, IJCAI 2003. The pages of a site are merged from
top to bottom into one tree, in which an element E stands for the m tag nodes merged into it (section 3.2). Elements
that look alike and say the same everywhere are noise; elements that differ are content (section 3.3):

    NodeImp(E)   = 1 if m = 1, else -Σ_i p_i log_m p_i    inner E; p_i the share of the i-th presentation style   (1)
    NodeImp(E)   = 1 - Σ_i H_E(a_i) / N                   leaf E with N distinct words a_i                        (2)
    H_E(a_i)     = 0 if m = 1, else -Σ_j p_ij log_m p_ij  p_ij the share of a_i's occurrences in the j-th node    (3)
    PathImp(E)   = 1 - Π (1 - NodeImp(E_i))               over E and all elements above it                        (4)
    W_E(a_i, T_j) = PathImp(E) (1 - H_E(a_i)) f_ij        f_ij the number of occurrences of a_i in T_j            (5)

In mode "style" elements are the paper's: tag nodes are merged if they are at the same position in the same
presentation style of the same element, and groups with the same Tag and Attr if their characteristic words (those in a
share gamma of their tag nodes) have a similarity of lambda or more. In mode "ordinal" tag nodes are merged by their
path alone; see `dehusk.counts.tag_tree`.

Departures from the paper, with reasons:

* Virtual leaves: by the paper's wording, one `<br>` directly in the body makes the body a leaf and leaves two elements
  of a page. The default is the highest elements with at most one level of elements below; "grandparent" is the paper's
  wording.
* Words directly in an inner node, which the paper drops, form a separate leaf, `#text`. In mode "style" it merges like
  a child: with that of nodes in the same presentation style, then by similar words.
* An element whose tag nodes are partly leaves becomes two elements, because equations 1 and 2 do not mix.
* A leaf without words has no average in (2): its NodeImp is 0. The paper's "1 if m = 1" is for inner elements; a leaf
  of one tag node gets 1 by (2) and (3).
* Attr: class, the inline style and HTML 4's presentational attributes, without numbers in classes and without the
  body's class; no id. The paper's pages had no classes; `classes=False` leaves them out.
* Rules of `<style>` sheets, which the paper attaches to tag nodes, count by option (`sheets`), and not all kinds of
  them; see `dehusk.counts.display`. They change next to nothing, and parsing them takes time.
* Images and links, which the paper has as content of leaves (`src=image.gif`), count by option (`content`). The paper's
  vectors and experiments use words, and as a cleaner the tree is worse with them. Elements merge by words in any case.
* p_ij is "the probability that a_i appears in the j-th tag node"; read as that node's share of the occurrences.
* The paper leaves the order of merges open. Groups with the same characteristic words are merged first, by a hash,
  which makes lists of equal items linear; then each group, in document order, with the first similar one, compared with
  up to about 32 others.
* Words are taken as they are, in lower case: no stop words, no stemming; the paper does not mention any.
* New: `label` keeps blocks by the mean NodeImp of the leaves of their words. PathImp, and so W, separate content from
  noise less well: one unique node makes PathImp 1 for everything below it.
* Elements and words that no learned page has count as if they were on one page (m = 1): weight 1.
"""

from dehusk.sites.structure_tree.cst import CompressedStructureTree
from dehusk.sites.structure_tree.declaration import METHOD
from dehusk.sites.structure_tree.importance import StructureTree
from dehusk.sites.structure_tree.tree_picture import tree_svg, tree_text
from dehusk.sites.structure_tree.vector_files import json_lines, svmlight
from dehusk.sites.structure_tree.weights import WordWeights

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
