"""Twins of the families that count words: `features.groups`, `features.links` and `features.neighbours`."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from dehusk.compiled.arrays cimport as_i32, as_u32, new_array, size_of, values
from dehusk.compiled.grouping cimport table_size, text_hash
from dehusk.compiled.views cimport (
    Rows, Tree, bools, constant, integers, ints, memory, per_block, reals, rows_of, total_of, zeros
)

cnp.import_array()

cdef enum:
    HEADING = 1
    NOSCRIPT = 2
    HIDDEN = 4
    DIV = 8
    TD = 16

cdef uint8_t[65536] KIND  # of each tag
cdef int32_t H1
cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.features")
cdef object count_subtrees = None  # a function of a module that imports this one


cdef int prepare() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global count_subtrees, H1
    from dehusk import blocks, tags
    from dehusk.features import neighbours, subtrees
    for chosen, kind in (
        (neighbours._HEADINGS, HEADING), (blocks._NOSCRIPT, NOSCRIPT), (tags.numbers("div"), DIV),
        (tags.numbers("td"), TD),
    ):
        for tag in chosen.tolist():
            KIND[<uint16_t>tag] |= <uint8_t>kind
    H1 = neighbours._HEADINGS[0]
    count_subtrees = subtrees.count_subtrees
    return 0


# groups


cdef double add_ratio(object columns, str name, Tree *tree, Rows *rows, const int32_t **words, int kind) except -1:
    """Add the share of unlinked words in blocks with the same innermost element of a kind; return the largest."""
    cdef double *out = reals(columns, name, rows)
    cdef int32_t *nearest = <int32_t *>memory(2 * <size_t>tree.n * sizeof(int32_t))
    cdef int32_t *sums = nearest + tree.n
    cdef double total = max(total_of(words[0], rows) - total_of(words[1], rows), 1), largest = 0
    cdef int32_t i
    for i in range(tree.n):
        nearest[i] = i if KIND[tree.tag[i]] & kind else nearest[tree.parent[i]] if i else -1
        sums[i] = 0
    for i in range(rows.b):
        if nearest[rows.node[i]] >= 0:
            sums[nearest[rows.node[i]]] += words[0][i] - words[1][i]
    for i in range(rows.b):
        out[i] = sums[nearest[rows.node[i]]] / total if nearest[rows.node[i]] >= 0 else 0
        largest = max(largest, out[i])
    free(nearest)
    return largest


def group_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    cdef const int32_t *words[2]
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    columns = {}
    words[0], words[1] = per_block(blocks.words, &rows), per_block(blocks.link_words, &rows)
    cdef double div = add_ratio(columns, "div-group.word-ratio", &tree, &rows, words, DIV)
    cdef double td = add_ratio(columns, "td-group.word-ratio", &tree, &rows, words, TD)
    constant(columns, "document.max-div-group", &rows, div)
    constant(columns, "document.max-td-group", &rows, td)
    return columns


def document_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    columns = {}
    cdef double *position = reals(columns, "position", &rows)
    cdef double span = max(rows.b - 1, 1)
    cdef int32_t i
    for i in range(rows.b):
        position[i] = i / span
    constant(columns, "document.word-count", &rows, total_of(per_block(blocks.words, &rows), &rows))
    constant(columns, "document.block-count", &rows, rows.b)
    return columns


# links


cdef uint8_t *kinds_above(object page, Tree *tree) except NULL:
    """Return for each node the kinds of the elements it lies in; the caller frees them."""
    hidden = page.hidden_nodes
    cdef int32_t *node = as_i32(hidden)
    cdef int32_t i, h = <int32_t>size_of(hidden)
    cdef uint8_t *kinds = <uint8_t *>zeros(tree.n)
    for i in range(h):
        if 0 <= node[i] < tree.n:
            kinds[node[i]] = HIDDEN
    for i in range(tree.n):
        kinds[i] |= KIND[tree.tag[i]]
        if i:
            kinds[i] |= kinds[tree.parent[i]]
    return kinds


cdef int count_copies(int64_t *out, Rows *rows, const uint32_t *points) except -1:
    """Fill a column with the number of blocks that have the same text."""
    cdef int32_t size = table_size(rows.b), mask = size - 1, i, slot, length, other
    cdef uint64_t *key = <uint64_t *>memory(rows.b * (sizeof(uint64_t) + sizeof(int32_t)) + size * sizeof(int32_t))
    cdef int32_t *same = <int32_t *>(key + rows.b)  # the first block with the same text
    cdef int32_t *table = same + rows.b
    with nogil:
        memset(table, 255, size * sizeof(int32_t))
        for i in range(rows.b):
            length = rows.end[i] - rows.start[i]
            key[i] = text_hash(points + rows.start[i], length, SEED)
            slot, out[i] = <int32_t>(key[i] & <uint64_t>mask), 0
            while table[slot] >= 0:
                other = table[slot]
                if key[other] == key[i] and rows.end[other] - rows.start[other] == length and not memcmp(
                    points + rows.start[other], points + rows.start[i], length * sizeof(uint32_t)
                ):
                    break
                slot = (slot + 1) & mask
            else:
                table[slot] = i
            same[i] = table[slot]
            out[same[i]] += 1
        for i in range(rows.b):
            out[i] = out[same[i]]
    free(key)
    return 0


def link_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    points, columns = blocks.code_points, {}
    if size_of(points) != rows.chars:
        return NotImplemented
    cdef int32_t *words = per_block(blocks.words, &rows)
    cdef int32_t *linked = per_block(blocks.link_words, &rows)
    cdef double *density = reals(columns, "link.density", &rows)
    cdef int64_t total = total_of(words, &rows), total_linked = total_of(linked, &rows)
    cdef int32_t i, heading = -1
    constant(columns, "link.page-density", &rows, total_linked / <double>max(total, 1))
    columns["block.words"] = blocks.words
    cdef uint8_t *noscript = bools(columns, "block.noscript", &rows)
    cdef uint8_t *hidden = bools(columns, "block.hidden", &rows)
    count_copies(integers(columns, "block.copies", &rows), &rows, as_u32(points))
    cdef int64_t *since = integers(columns, "block.since-heading", &rows)
    cdef uint8_t *kinds = kinds_above(blocks.page, &tree)
    for i in range(rows.b):
        density[i] = linked[i] / <double>max(words[i], 1)
        noscript[i] = kinds[rows.first[i]] & NOSCRIPT != 0
        hidden[i] = kinds[rows.node[i]] & HIDDEN != 0
        if kinds[rows.node[i]] & HEADING:
            heading = i
        since[i] = 1000 if heading < 0 else i - heading
    free(kinds)
    return columns


# neighbours


cdef int add_sums(Rows *rows, const int32_t **column, double *sums) noexcept nogil:
    """Fill sums, (b + 1, 3), with the words, linked words and running words before each block."""
    cdef int32_t i, part
    for part in range(3):
        sums[part] = 0
    for i in range(rows.b):
        for part in range(3):
            sums[3 * i + 3 + part] = sums[3 * i + part] + column[part][i]
    return 0


cdef int add_neighbour(dict columns, str prefix, Rows *rows, const int32_t **column, int offset) except -1:
    """Add the words and the link density of the block before or after each block."""
    cdef double *words = reals(columns, prefix + "words", rows)
    cdef double *density = reals(columns, prefix + "link-density", rows)
    cdef int32_t i, j
    for i in range(rows.b):
        j = i + offset
        if 0 <= j < rows.b:
            words[i], density[i] = column[0][j], column[1][j] / <double>max(column[0][j], 1)
        else:
            words[i] = density[i] = -1
    return 0


cdef int add_window(dict columns, str prefix, Rows *rows, const double *sums, int window) except -1:
    """Add statistics of each block and the blocks on either side."""
    cdef double *words = reals(columns, prefix + "words", rows)
    cdef double *density = reals(columns, prefix + "link-density", rows)
    cdef double *running = reals(columns, prefix + "running", rows)
    cdef int32_t i, first, last
    cdef double within, size
    for i in range(rows.b):
        first, last = max(i - window, 0), min(i + window + 1, rows.b)
        within = sums[3 * last] - sums[3 * first]
        size = max(within, 1.0)
        words[i] = within / <double>(last - first)
        density[i] = (sums[3 * last + 1] - sums[3 * first + 1]) / size
        running[i] = (sums[3 * last + 2] - sums[3 * first + 2]) / size
    return 0


cdef void fill_heading_levels(Tree *tree, Rows *rows, int32_t *level) noexcept nogil:
    """Fill a column with the level of the heading that contains each block; 0 outside headings."""
    cdef int32_t i, node = 0, heading = -1
    for i in range(rows.b):
        while node <= rows.first[i]:
            if KIND[tree.tag[node]] & HEADING:
                heading = node
            node += 1
        level[i] = tree.tag[heading] - H1 + 1 if heading >= 0 and rows.first[i] < tree.end[heading] else 0


cdef int add_sections(dict columns, Tree *tree, Rows *rows, const double *sums) except -1:
    """Add statistics of the section of each block, which reaches from one heading to the next."""
    cdef double *words = reals(columns, "section.words", rows)
    cdef double *running = reals(columns, "section.running", rows)
    cdef double *density = reals(columns, "section.link-density", rows)
    cdef int32_t *level = ints(columns, "section.level", rows)
    cdef int64_t *number = integers(columns, "section.number", rows)
    cdef int32_t i, first = 0, last, section = 0, own
    cdef double within, size
    fill_heading_levels(tree, rows, level)
    while first < rows.b:
        last = first + 1
        while last < rows.b and not (level[last] > 0 and level[last - 1] == 0):
            last += 1
        within, own = sums[3 * last] - sums[3 * first], level[first]
        size = max(within, 1.0)
        for i in range(first, last):
            words[i], number[i] = within, section
            density[i] = (sums[3 * last + 1] - sums[3 * first + 1]) / size
            running[i] = (sums[3 * last + 2] - sums[3 * first + 2]) / size
            level[i] = own
        first, section = last, section + 1
    return 0


def neighbour_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    cdef const int32_t *column[3]
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    column[0], column[1] = per_block(blocks.words, &rows), per_block(blocks.link_words, &rows)
    column[2] = per_block(count_subtrees(blocks).running_words, &rows)
    columns = {}
    add_neighbour(columns, "near.-1.", &rows, column, -1)
    add_neighbour(columns, "near.+1.", &rows, column, 1)
    totals = new_array(3 * (<Py_ssize_t>rows.b + 1), cnp.NPY_FLOAT64)
    cdef double *sums = <double *>values(totals)
    add_sums(&rows, column, sums)
    add_window(columns, "near.2.", &rows, sums, 2)
    add_window(columns, "near.5.", &rows, sums, 5)
    add_sections(columns, &tree, &rows, sums)
    return columns
