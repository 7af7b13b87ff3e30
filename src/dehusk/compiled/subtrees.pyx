"""Twins of `dehusk.features.subtrees`, and of the elements that `dehusk.features.holders` goes up to."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport as_f64, new_array, values
from dehusk.compiled.grouping cimport Pair, sort_pairs
from dehusk.compiled.views cimport Rows, Tree, memory, per_block, rows_of, zeros

cnp.import_array()

cdef object _subtrees = None  # dehusk.features.subtrees, which imports this module


cdef object python_side():
    global _subtrees
    if _subtrees is None:
        from dehusk.features import subtrees
        _subtrees = subtrees
    return _subtrees


cdef object filled(object kind, dict fields):
    """Return a dataclass with its fields set, as its constructor would, in a fourth of the time."""
    made = kind.__new__(kind)
    made.__dict__.update(fields)
    return made


def running_words(object blocks):
    cdef Tree tree
    cdef Rows rows
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    cdef int32_t least = python_side().MIN_RUNNING_WORDS
    cdef int32_t *words = per_block(blocks.words, &rows)
    cdef int32_t *linked = per_block(blocks.link_words, &rows)
    running = new_array(rows.b, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(running)
    cdef int32_t i, unlinked
    for i in range(rows.b):
        unlinked = words[i] - linked[i]
        out[i] = unlinked if words[i] >= least and 2 * unlinked >= words[i] else 0
    return running


cdef void add_up(Tree *tree, Rows *rows, int32_t **column, int32_t *sums, double **out) noexcept nogil:
    """Fill `before`, `count`, `words`, `linked` and `running` of `SubtreeCounts`.

    Args:
        tree: the page.
        rows: its blocks.
        column: (3,) words, linked words and running words of each block.
        sums: (4 (n + 1),) memory: numbers of blocks and words before each node.
        out: (5,) the columns.
    """
    cdef int32_t i, j, part, block = 0
    for part in range(4):
        sums[part] = 0
    for i in range(tree.n):
        for part in range(4):
            sums[4 * i + 4 + part] = sums[4 * i + part]
        if block < rows.b and rows.first[block] == i:
            sums[4 * i + 4] += 1
            for part in range(3):
                sums[4 * i + 5 + part] += column[part][block]
            block += 1
    for i in range(tree.n):
        j = 4 * tree.end[i]
        out[0][i] = sums[4 * i]
        for part in range(4):
            out[part + 1][i] = sums[j + part] - sums[4 * i + part]


def count_subtrees(object blocks):
    cdef Tree tree
    cdef Rows rows
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    cdef int32_t *column[3]
    cdef double *out[5]
    cdef int part
    running = python_side().running_words(blocks)
    column[0] = per_block(blocks.words, &rows)
    column[1] = per_block(blocks.link_words, &rows)
    column[2] = per_block(running, &rows)
    counts = {"running_words": running}
    for part, name in enumerate(("before", "count", "words", "linked", "running")):
        counts[name] = made = new_array(tree.n, cnp.NPY_FLOAT64)
        out[part] = <double *>values(made)
    cdef int32_t *sums = <int32_t *>memory((<size_t>tree.n + 1) * 4 * sizeof(int32_t))
    add_up(&tree, &rows, column, sums, out)
    free(sums)
    return filled(_subtrees.SubtreeCounts, counts)


def text_holders(object blocks):
    cdef Tree tree
    cdef Rows rows
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    counts = python_side().count_subtrees(blocks)
    cdef double *running = as_f64(counts.running)
    cdef int32_t *words = per_block(counts.running_words, &rows)
    cdef int32_t i, found
    cdef int64_t total = 0
    cdef double limit
    for i in range(rows.b):
        total += words[i]
    smallest = {}
    for name, share in _subtrees.SHARES.items():
        limit, found = <double>share * <double>total, 0
        for i in range(tree.n - 1, 0, -1):  # they are nested: the last is the smallest
            if running[i] > limit and tree.tag[i]:
                found = i
                break
        smallest[name] = found
    return smallest


cdef int32_t number_siblings(
    Tree *tree, const int64_t *node, int32_t h, int32_t *start, Pair *pairs, int64_t *group
) noexcept nogil:
    """Number the groups of like siblings with text in ascending order of parent, tag and class.

    Args:
        tree: the page.
        node: (h,) the elements with text, ascending.
        h: how many.
        start: (n + 2,) zeros; receives where the children of each node end.
        pairs: (2 h,) memory.
        group: (h,) receives the group of each element.

    Returns:
        How many groups there are.
    """
    cdef int32_t i, k, up, first, last, found = 0
    cdef Pair *spare = pairs + h
    for k in range(h):
        start[tree.parent[node[k]] + 2] += 1
    for i in range(1, tree.n + 2):
        start[i] += start[i - 1]
    for k in range(h):
        i = <int32_t>node[k]
        up = tree.parent[i] + 1
        pairs[start[up]].key, pairs[start[up]].row = <uint64_t>tree.tag[i] << 32 | <uint64_t>tree.class_code[i], k
        start[up] += 1
    first = 0
    while first < h:  # the children of one parent
        last = start[tree.parent[node[pairs[first].row]] + 1]
        if last - first > 1:
            sort_pairs(pairs + first, spare, last - first)
        for i in range(first, last):
            found += i > first and pairs[i].key != pairs[i - 1].key
            group[pairs[i].row] = found
        found += 1
        first = last
    return found


def group_siblings(object blocks):
    cdef Tree tree
    cdef Rows rows
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    cdef double *count = as_f64(python_side().count_subtrees(blocks).count)
    cdef int32_t i, h = 0, k = 0, groups
    for i in range(tree.n):
        h += tree.tag[i] != 0 and count[i] > 0
    nodes, group = new_array(h, cnp.NPY_INT64), new_array(h, cnp.NPY_INT64)
    cdef int64_t *node_out = <int64_t *>values(nodes)
    cdef int64_t *group_out = <int64_t *>values(group)
    for i in range(tree.n):
        if tree.tag[i] and count[i] > 0:
            node_out[k] = i
            k += 1
    cdef Pair *pairs = <Pair *>zeros(2 * <size_t>h * sizeof(Pair) + (<size_t>tree.n + 2) * sizeof(int32_t))
    groups = number_siblings(&tree, node_out, h, <int32_t *>(pairs + 2 * h), pairs, group_out)
    free(pairs)
    size = new_array(groups, cnp.NPY_INT64)
    cdef int64_t *size_out = <int64_t *>values(size)
    for i in range(groups):
        size_out[i] = 0
    for k in range(h):
        size_out[group_out[k]] += 1
    return filled(_subtrees.SiblingGroups, {"nodes": nodes, "group": group, "size": size})


def topmost(object blocks):
    cdef Tree tree
    cdef Rows rows
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    cdef double *count = as_f64(python_side().count_subtrees(blocks).count)
    found = new_array(tree.n, cnp.NPY_INT64)
    cdef int64_t *out = <int64_t *>values(found)
    cdef int32_t i
    out[0] = 0
    for i in range(1, tree.n):
        out[i] = out[tree.parent[i]] if count[tree.parent[i]] == count[i] else i
    return found
