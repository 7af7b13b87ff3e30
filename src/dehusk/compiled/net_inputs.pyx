"""Twins of the tags and groups of `dehusk.methods.united.inputs`."""

cimport numpy as cnp
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr

from dehusk.compiled.arrays cimport as_f64, as_i32, as_i64, new_array, new_matrix, size_of, values
from dehusk.compiled.grouping cimport rank_keys
from dehusk.compiled.hashes cimport Spelling, begin, fill_scattered, lowered, pair_key, spell, spelt
from dehusk.compiled.views cimport Rows, Tree, rows_of, tree_of

cnp.import_array()
fill_scattered()

cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.inputs")
cdef object settings = None, count_subtrees, topmost  # of modules that import this one
cdef int32_t LEVELS, TAGS, KNOWN, CONTAINERS


cdef int prepare() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global settings, count_subtrees, topmost, LEVELS, TAGS, KNOWN, CONTAINERS
    from dehusk.features import holders, subtrees
    from dehusk.methods.united import columns, inputs
    from dehusk.tags import KNOWN as known
    LEVELS, TAGS, CONTAINERS = inputs._LEVELS, inputs.TAGS, inputs.CONTAINERS
    KNOWN, count_subtrees, topmost = known, subtrees.count_subtrees, holders.topmost
    settings = columns.settings
    return 0


# levels and tags


def innermost_levels(object blocks):
    cdef Tree tree
    cdef Rows rows
    if settings is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    levels = new_matrix(rows.b, LEVELS, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(levels)
    cdef int32_t i, level, node
    for i in range(rows.b):
        node = rows.node[i]
        for level in range(LEVELS):
            out[level] = node
            node = tree.parent[node] if node >= 0 else -1
        out += LEVELS
    return levels


def innermost_tags(object page, object levels):
    cdef Tree tree
    if settings is None:
        prepare()
    cdef int32_t *node = as_i32(levels)
    cdef int32_t i, level, b = <int32_t>len(levels)
    if not tree_of(page, &tree) or size_of(levels) != <Py_ssize_t>b * LEVELS:
        return NotImplemented
    tags = new_matrix(b, TAGS, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(tags)
    for i in range(b):
        for level in range(TAGS):
            if not -1 <= node[level] < tree.n:
                return NotImplemented
            out[level] = min(<int32_t>tree.tag[node[level]], KNOWN) if node[level] >= 0 else 0
        out, node = out + TAGS, node + LEVELS
    return tags


# groups


cdef bint first_class_key(object name, uint64_t *key) except -1:
    """Set the key of the first class, see `inputs.first_class_keys`; return whether the name has no zero character."""
    cdef int kind = PyUnicode_KIND(name)
    cdef void *data = PyUnicode_DATA(name)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name), i
    cdef uint32_t point
    cdef bint inside = False
    cdef Spelling spelling
    begin(&spelling)
    for i in range(length):
        point = PyUnicode_READ(kind, data, i)
        if point <= 32:
            if inside:
                break
        else:
            inside = True
            if not c"0" <= point <= c"9":
                spell(&spelling, lowered(point))
    key[0] = spelt(&spelling)
    if kind == 1:
        return memchr(data, 0, length) == NULL
    for i in range(length):
        if PyUnicode_READ(kind, data, i) == 0:
            return False
    return True


cdef bint fill_slot_keys(object page, Tree *tree, uint64_t *of_class, uint64_t *key) except -1:
    """Fill the key of the slot of each node, see `inputs.slot_keys`; return whether all names are as usual.

    `of_class` is memory for a key of each class attribute.
    """
    cdef int32_t *depth = as_i32(page.depth)
    cdef int32_t i = 0
    for name in page.class_names:
        if not first_class_key(name, of_class + i):
            return False
        i += 1
    for i in range(tree.n):
        key[i] = pair_key(<uint64_t>tree.tag[i] + 1, of_class[tree.class_code[i]])
        key[i] *= 2 * <uint64_t>depth[i] + 1
        if i:
            key[i] += key[tree.parent[i]]
    return True


cdef void number_nodes(const int64_t *node, int64_t *out, int32_t b, int32_t n, int32_t *rank) noexcept nogil:
    """Number nodes in ascending order; `rank` is memory for (n,)."""
    cdef int32_t i, is_used, found = 0
    for i in range(n):
        rank[i] = 0
    for i in range(b):
        rank[node[i]] = 1
    for i in range(n):
        is_used, rank[i] = rank[i], found
        found += is_used
    for i in range(b):
        out[i] = rank[node[i]]


def groups_of(object blocks):
    cdef Tree tree
    cdef Rows rows
    if settings is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    cdef double *count = as_f64(count_subtrees(blocks).count)
    cdef int64_t *top = as_i64(topmost(blocks))
    cdef size_t n = tree.n, b = rows.b, classes = tree.classes
    groups = [new_array(rows.b, cnp.NPY_INT64) for _ in range(CONTAINERS + 2)]
    space = new_array(n + classes + 2 * b + n, cnp.NPY_UINT64)
    cdef uint64_t *key = <uint64_t *>values(space)
    cdef uint64_t *own = key + n + classes
    cdef int64_t *node = <int64_t *>(own + b)
    cdef int32_t *rank = <int32_t *>(node + b)
    cdef int64_t *out = <int64_t *>values(groups[0])
    cdef int32_t i, level
    if not fill_slot_keys(blocks.page, &tree, key + n, key):
        return NotImplemented
    for i in range(rows.b):
        own[i], node[i] = key[rows.node[i]], rows.node[i]
    if rank_keys(own, rows.b, SEED, rank) < 0:
        raise MemoryError
    for i in range(rows.b):
        out[i] = rank[i]
    for level in range(CONTAINERS):
        for i in range(rows.b):
            if level or not count[node[i]] > 1:
                node[i] = max(tree.parent[top[node[i]]], 0)
        number_nodes(node, <int64_t *>values(groups[level + 1]), rows.b, tree.n, rank)
    out = <int64_t *>values(groups[CONTAINERS + 1])
    for i in range(rows.b):
        out[i] = 0
    return tuple(groups)
