"""The tags and groups that the net sees, and all its inputs at once.

`read_blocks` gives the loops of the net what `dehusk.label.united.inputs.net_inputs` returns as arrays.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from dehusk.compiled.arrays cimport (
    as_f32, as_f64, as_i32, as_i64, as_u32, as_u8, new_array, new_matrix, size_of, values,
)
from dehusk.compiled.blocks cimport Blocks, Page, read_blocks, read_page
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport rank_keys
from dehusk.compiled.hashes cimport pair_key

cdef object table = None, count_subtrees, topmost  # of modules that import this one
cdef Rules input_rules
cdef int32_t LEVELS, TAGS, KNOWN, CONTAINERS


cdef bint _inputs_ready = False


cdef int prepare_inputs() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global count_subtrees, topmost, name_parts, table, LEVELS, TAGS, KNOWN, CONTAINERS
    from dehusk.label.features import holders, lexicon, subtrees
    from dehusk.compiled import features
    from dehusk.label.united import inputs
    from dehusk.base.tags import KNOWN as known
    fill_rules(&input_rules, inputs)
    LEVELS, TAGS, CONTAINERS = inputs._LEVELS, inputs.TAGS, inputs.CONTAINERS
    if CONTAINERS + 2 != GROUPS:
        raise ValueError("the kernel knows other groups")
    KNOWN, count_subtrees, topmost = known, subtrees.count_subtrees, holders.topmost
    name_parts, table = lexicon.name_parts, features.table
    return 0


# levels and tags


def innermost_levels(object blocks):
    """Return the innermost elements around each block, shape (b, 10), -1 above the root."""
    cdef Page tree
    cdef Blocks rows
    once(&_inputs_ready, prepare_inputs)
    read_blocks(blocks, &tree, &rows)
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
    cdef Page tree
    once(&_inputs_ready, prepare_inputs)
    cdef int32_t *node = as_i32(levels)
    cdef int32_t i, level, b = <int32_t>len(levels)
    read_page(page, &tree)
    if size_of(levels) != <Py_ssize_t>b * LEVELS:
        raise ValueError("the levels do not fit the blocks")
    tags = new_matrix(b, TAGS, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(tags)
    for i in range(b):
        for level in range(TAGS):
            if not -1 <= node[level] < tree.n:
                raise ValueError("a level is no node of the page")
            out[level] = min(<int32_t>tree.tag[node[level]], KNOWN) if node[level] >= 0 else 0
        out, node = out + TAGS, node + LEVELS
    return tags


# groups


cdef int fill_slot_keys(object page, Page *tree, uint64_t *of_class, uint64_t *key) except -1:
    """Fill a key of the path of tags and first classes, without digits, from the root to each node.

    `of_class` is memory for a key of each class attribute.
    """
    cdef int32_t *depth = as_i32(page.depth)
    cdef int32_t i = 0
    for name in page.class_names:
        first_class_key(name, of_class + i)
        i += 1
    for i in range(tree.n):
        key[i] = pair_key(<uint64_t>tree.tag[i] + 1, of_class[tree.class_code[i]])
        key[i] *= 2 * <uint64_t>depth[i] + 1
        if i:
            key[i] += key[tree.parent[i]]
    return 0


cdef void number_levels(const int64_t *node, int64_t *out, int32_t b, int32_t n, int32_t *rank) noexcept nogil:
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
    cdef Page tree
    cdef Blocks rows
    once(&_inputs_ready, prepare_inputs)
    read_blocks(blocks, &tree, &rows)
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
    fill_slot_keys(blocks.page, &tree, key + n, key)
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
        number_levels(node, <int64_t *>values(groups[level + 1]), rows.b, tree.n, rank)
    out = <int64_t *>values(groups[CONTAINERS + 1])
    for i in range(rows.b):
        out[i] = 0
    return tuple(groups)


# all at once


cdef inline void *taken(size_t *at, size_t size) noexcept nogil:
    """Return the address `at`, which moves on by a size in bytes."""
    at[0] += size
    return <void *>(at[0] - size)


cdef size_t set_room(
    Room *room, size_t start, size_t n, size_t b, size_t classes, size_t names, size_t parts
) noexcept nogil:
    """Lay out memory from an address on; return how many bytes are needed."""
    cdef size_t at = start
    room.key = <uint64_t *>taken(&at, 8 * n)
    room.of_class = <uint64_t *>taken(&at, 8 * classes)
    room.own = <uint64_t *>taken(&at, 8 * b)
    room.name_start = <int64_t *>taken(&at, 8 * (2 * names + 1))
    room.text_start = <int64_t *>taken(&at, 8 * (b + 1))
    room.group = <int64_t *>taken(&at, 8 * GROUPS * b)
    room.of_name = <int32_t *>taken(&at, 4 * names)
    room.rank = <int32_t *>taken(&at, 4 * n)
    room.outer = <int32_t *>taken(&at, 4 * n)
    room.tags = <int32_t *>taken(&at, 4 * b * TAGS)
    room.text_rows = <int32_t *>taken(&at, 4 * b * (input_rules.first + input_rules.last + 3))
    room.name_rows = <int32_t *>taken(&at, 4 * 2 * parts)
    room.bag = <int32_t *>taken(&at, 4 * b * 2 * LEVELS)
    room.first_bag = <int32_t *>taken(&at, 4 * (b + 1))
    return at - start


cdef int read_net_page(object blocks, int32_t columns, NetPage *page, list alive) except -1:
    """Point to all that a net with so many columns sees of blocks.

    `alive` receives what owns the memory.
    """
    cdef Page tree
    cdef Blocks rows
    cdef Room room
    cdef Names names
    cdef Words text
    once(&_inputs_ready, prepare_inputs)
    read_blocks(blocks, &tree, &rows)
    features = table(blocks)
    parts, points, kinds = name_parts(blocks.page), blocks.code_points, blocks.char_class
    cdef size_t size = <size_t>size_of(parts.start), attributes = tree.classes + tree.ids
    if (
        size_of(features) != columns * <Py_ssize_t>rows.b
        or size_of(points) != rows.chars
        or size_of(kinds) != rows.chars
        or size_of(parts.first) != <Py_ssize_t>attributes + 1
    ):
        raise ValueError("the inputs do not fit the net")
    space = new_array(set_room(&room, 0, tree.n, rows.b, tree.classes, attributes, size), cnp.NPY_UINT8)
    set_room(&room, <size_t>values(space), tree.n, rows.b, tree.classes, attributes, size)
    cdef int32_t i = 0
    for name in blocks.page.class_names:
        first_class_key(name, room.of_class + i)
        i += 1
    names.source, names.start, names.end = as_u8(parts.source), as_i64(parts.start), as_i64(parts.end)
    names.first, names.bag = as_i64(parts.first), room.of_name
    text.points, text.kind = as_u32(points), as_u8(kinds)
    cdef bint is_read
    with nogil:
        read_tags(&tree, &rows, TAGS, KNOWN, room.tags)
        read_texts(&text, &input_rules, &rows, &room)
        page.bags = read_names(&tree, &rows, &names, &input_rules, &room)
        slot_keys(&tree, &room)
        is_read = read_groups(&tree, &rows, SEED, &room, page.first_group)
    if not is_read:
        raise MemoryError
    page.columns = as_f32(features)
    page.b, page.tags, page.text_rows, page.text_start = rows.b, room.tags, room.text_rows, room.text_start
    page.name_rows, page.name_start = room.name_rows, room.name_start
    page.bag, page.first_bag = room.bag, room.first_bag
    for i in range(GROUPS):
        page.group[i] = room.group + i * <int64_t>rows.b
    alive += [space, features]
    if page.bags < 0:
        raise MemoryError
    return 0
