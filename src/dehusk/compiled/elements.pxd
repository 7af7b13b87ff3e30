# cython: language_level=3
"""The columns of a `Skeleton` as pointers, and sets of tags as bits."""

cimport numpy as cnp
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.arrays cimport as_bool, as_i64, as_u16, size_of

cdef enum:
    MOST_TAGS = 1024

# The m elements of a skeleton over b blocks; a parent comes before its children, and offsets are within the columns.
cdef struct Elements:
    int64_t m, b
    const int64_t *node
    const uint16_t *tag
    const int64_t *parent
    const int64_t *close
    const int64_t *first
    const int64_t *end
    const int64_t *depth
    const int64_t *signature
    const int64_t *innermost
    const uint8_t *is_holder
    int64_t n_tags

# For each known tag, and at the last place for all others, in which sets it is.
cdef struct TagBits:
    uint32_t[MOST_TAGS] bits
    uint32_t last


cdef inline uint32_t bits_of(const TagBits *tags, uint16_t tag) noexcept nogil:
    return tags.bits[tag if tag < tags.last else tags.last]


cdef inline bint add_tags(TagBits *tags, object table, uint32_t bit) except False:
    """Add a set of tags, given as the mask that `tag_table` returns."""
    cdef uint8_t *mask = as_bool(table)
    cdef uint32_t i, size = <uint32_t>size_of(table)
    if size > MOST_TAGS:
        raise ValueError(f"there are {size} tags, but kernels have room for {MOST_TAGS}")
    tags.last = size - 1
    for i in range(size):
        if mask[i]:
            tags.bits[i] |= bit
    return True


cdef inline bint read_elements(object skeleton, Elements *tree) except False:
    """Read the columns of a skeleton, which the caller keeps alive; raises ValueError if they are not consistent."""
    cdef int64_t i
    tree.m, tree.b, tree.n_tags = size_of(skeleton.node), size_of(skeleton.innermost), skeleton.n_tags
    tree.node = as_i64(skeleton.node)
    tree.tag, tree.is_holder = as_u16(skeleton.tag), as_bool(skeleton.is_holder)
    tree.parent, tree.close = as_i64(skeleton.parent), as_i64(skeleton.close)
    tree.first, tree.end = as_i64(skeleton.first), as_i64(skeleton.end)
    tree.depth, tree.signature = as_i64(skeleton.depth), as_i64(skeleton.signature)
    tree.innermost = as_i64(skeleton.innermost)
    cdef dict stored = skeleton.__dict__
    if "is_sound" not in stored:  # each kernel that reads the skeleton asks
        if not are_sound(tree):
            raise ValueError("the elements of a skeleton do not nest")
        stored["is_sound"] = True
    return True


cdef inline bint are_sound(const Elements *tree) noexcept nogil:
    """Return whether all offsets are within the columns and parents come before their children."""
    cdef int64_t i
    cdef bint sound = tree.m < 1 << 24 and tree.b < 1 << 30 and (not tree.m or tree.node[0] == 0)
    for i in range(tree.m):
        sound &= i == 0 or tree.node[i] > tree.node[i - 1]
        sound &= (tree.parent[i] < i) & (tree.parent[i] >= (0 if i else -1))
        sound &= (tree.close[i] > i) & (tree.close[i] <= tree.m)
        sound &= (tree.first[i] >= 0) & (tree.first[i] < tree.end[i]) & (tree.end[i] <= tree.b)
        sound &= (tree.depth[i] >= 0) & (tree.depth[i] <= i) & (tree.signature[i] >= 0) & (tree.tag[i] < tree.n_tags)
    for i in range(tree.b):
        sound &= (tree.innermost[i] >= 0) & (tree.innermost[i] < tree.m)
    return sound


cdef inline int64_t row_of(const Elements *tree, int64_t node, int64_t likely) noexcept nogil:
    """Return the element of a node: the likely one, or by bisection the last that is not after the node."""
    cdef int64_t low = 0, high = tree.m - 1, middle
    if tree.node[likely] == node:
        return likely
    while low < high:
        middle = low + (high - low + 1) // 2
        if tree.node[middle] <= node:
            low = middle
        else:
            high = middle - 1
    return low
