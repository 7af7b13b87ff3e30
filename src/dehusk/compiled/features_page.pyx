"""Twins of the families that see the whole page: `features.paths` and `features.page_type`."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from dehusk.compiled.arrays cimport as_f64, as_i32, new_array, values
from dehusk.compiled.grouping cimport number_keys
from dehusk.compiled.views cimport Rows, Tree, constant, integers, per_block, reals, rows_of, total_of, tree_of

cnp.import_array()

cdef enum:
    HEADING = 1
    FORM = 2
    ARTICLE = 4

cdef uint8_t[65536] KIND  # of each tag
cdef uint8_t[65536] SHARE  # of each tag, one bit for each of `page_type._SHARES`
cdef int32_t MIN_LONG
cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.features")
cdef object count_subtrees = None  # a function of a module that imports this one
cdef tuple SHARE_NAMES, ARTICLE_TYPES


cdef int prepare() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global count_subtrees, MIN_LONG, SHARE_NAMES, ARTICLE_TYPES
    from dehusk.features import page_type, paths, subtrees
    for name, kind in (("page.headings", HEADING), ("page.forms", FORM), ("page.articles", ARTICLE)):
        for tag in page_type._COUNTS[name].tolist():
            KIND[<uint16_t>tag] |= <uint8_t>kind
    for bit, chosen in enumerate(page_type._SHARES.values()):
        for tag in chosen.tolist():
            SHARE[<uint16_t>tag] |= <uint8_t>(1 << bit)
    SHARE_NAMES, ARTICLE_TYPES = tuple(page_type._SHARES), page_type._ARTICLES
    MIN_LONG = paths._MIN_LONG
    count_subtrees = subtrees.count_subtrees
    return 0


# paths


cdef void fill_path_keys(Tree *tree, const int32_t *depth, uint64_t *key) noexcept nogil:
    """Fill a column with the key of the path of each node; see `paths.path_keys`."""
    cdef int32_t i
    cdef uint64_t mixed
    for i in range(tree.n):
        mixed = (tree.tag[i] + <uint64_t>1) * <uint64_t>0x9E3779B97F4A7C15
        mixed ^= (tree.class_code[i] + <uint64_t>1) * <uint64_t>0xC2B2AE3D27D4EB4F
        mixed ^= mixed >> 31
        mixed *= (2 * <uint64_t>depth[i] + 1) * <uint64_t>0x165667B19E3779F9
        key[i] = mixed + key[tree.parent[i]] if i else mixed


def path_keys(object page):
    cdef Tree tree
    if not tree_of(page, &tree):
        return NotImplemented
    keys = new_array(tree.n, cnp.NPY_UINT64)
    fill_path_keys(&tree, as_i32(page.depth), <uint64_t *>values(keys))
    return keys


cdef int add_paths(
    dict columns, str prefix, Rows *rows, const int32_t **column, const int32_t *group, int32_t *sums
) except -1:
    """Add statistics of the groups of blocks with the same path.

    Args:
        columns: the columns.
        prefix: of their names.
        rows: the blocks.
        column: (2,) words and linked words.
        group: (b,) group of each block.
        sums: (4 b,) memory.
    """
    cdef double *share = reals(columns, prefix + "words", rows)
    cdef double *long_ = reals(columns, prefix + "long", rows)
    cdef double *density = reals(columns, prefix + "link-density", rows)
    cdef double total = max(total_of(column[0], rows) - total_of(column[1], rows), 1), size
    cdef int32_t i, words, unlinked
    cdef int32_t *own
    for i in range(4 * rows.b):
        sums[i] = 0
    for i in range(rows.b):
        own, words, unlinked = sums + 4 * group[i], column[0][i], column[0][i] - column[1][i]
        own[0] += words
        own[1] += unlinked
        own[2] += words if words >= MIN_LONG and 2 * unlinked >= words else 0
        own[3] += 1
    for i in range(rows.b):
        own = sums + 4 * group[i]
        size = max(own[0], 1)
        share[i], long_[i], density[i] = own[1] / total, own[2] / size, 1 - own[1] / size
    return 0


def path_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    cdef const int32_t *column[2]
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    column[0], column[1] = per_block(blocks.words, &rows), per_block(blocks.link_words, &rows)
    cdef int32_t *depth = as_i32(blocks.page.depth)
    cdef size_t n = tree.n, b = rows.b
    memory_of_all = new_array((n + b) * 2 + 3 * b, cnp.NPY_UINT64)
    cdef uint64_t *of_node = <uint64_t *>values(memory_of_all)
    cdef uint64_t *key = of_node + n
    cdef int32_t *group = <int32_t *>(key + b)
    cdef int32_t *sums = group + b
    cdef int64_t *count
    cdef int32_t i, level
    columns = {}
    fill_path_keys(&tree, depth, of_node)
    for level in range(2):
        for i in range(rows.b):
            key[i] = of_node[max(tree.parent[rows.node[i]], 0) if level else rows.node[i]]
        if number_keys(key, rows.b, SEED, group) < 0:
            raise MemoryError
        add_paths(columns, "path.parent-" if level else "path.", &rows, column, group, sums)
        if not level:
            count = integers(columns, "path.blocks", &rows)
            for i in range(rows.b):
                count[i] = sums[4 * group[i] + 3]
    return columns


# page_type


cdef struct Counts:
    int64_t elements, classes, headings, forms, articles
    double[8] words  # in the outermost elements of each of `page_type._SHARES`


cdef void count_page(Tree *tree, const double *words, Counts *counts) noexcept nogil:
    """Count the elements of a page, and the words in some."""
    cdef int32_t[8] reached
    cdef int32_t i, bit
    cdef uint8_t kind, shares
    for bit in range(8):
        reached[bit], counts.words[bit] = 0, 0
    counts.elements = counts.classes = counts.headings = counts.forms = counts.articles = 0
    for i in range(tree.n):
        counts.elements += tree.tag[i] != 0
        counts.classes += tree.class_code[i] > 0
        kind, shares = KIND[tree.tag[i]], SHARE[tree.tag[i]]
        if not kind | shares:
            continue
        counts.headings += kind & HEADING != 0
        counts.forms += kind & FORM != 0
        counts.articles += kind & ARTICLE != 0
        for bit in range(8):
            if shares >> bit & 1 and i >= reached[bit]:  # nested elements count once
                counts.words[bit] += words[i]
                reached[bit] = tree.end[i]


cdef bint declares_article(object page):
    """Return whether the page declares itself an article."""
    for name, content in page.meta.entries:
        if len(name) == 7 and name.lower() == "og:type":
            return content.strip().lower() in ARTICLE_TYPES
    return False


def page_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    cdef Counts counted
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    counts, columns = count_subtrees(blocks), {}
    cdef double *words = as_f64(counts.words)
    cdef int32_t *running = per_block(counts.running_words, &rows)
    cdef double total = max(words[0], 1.0)
    cdef int64_t running_words = total_of(running, &rows), running_blocks = 0
    cdef int32_t i
    for i in range(rows.b):
        running_blocks += running[i] > 0
    count_page(&tree, words, &counted)
    constant(columns, "page.running", &rows, running_words / total)
    constant(columns, "page.running-blocks", &rows, running_blocks)
    constant(columns, "page.running-words", &rows, running_words / <double>max(running_blocks, 1))
    constant(columns, "page.classes", &rows, counted.classes / <double>max(counted.elements, 1))
    constant(columns, "page.elements", &rows, max(counted.elements, 1) / total)
    constant(columns, "page.article-type", &rows, declares_article(blocks.page))
    constant(columns, "page.headings", &rows, counted.headings)
    constant(columns, "page.forms", &rows, counted.forms)
    constant(columns, "page.articles", &rows, counted.articles)
    for i, name in enumerate(SHARE_NAMES):
        constant(columns, name, &rows, counted.words[i] / total)
    return columns
