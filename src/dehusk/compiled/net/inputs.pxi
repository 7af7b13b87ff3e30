"""All that the net sees of blocks, at once.

`read_net_page` gives the loops of the net what `dehusk.label.united.inputs.net_inputs` returns as arrays.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from dehusk.compiled.arrays cimport (
    as_f32, as_f64, as_i32, as_i64, as_u32, as_u8, new_array, new_matrix, size_of, values,
)
from dehusk.compiled.blocks cimport Blocks, Page, read_blocks, read_page
from dehusk.compiled.first_use cimport once

cdef object table = None  # of a module that imports this one
cdef Rules input_rules
cdef int32_t LEVELS, TAGS, KNOWN


cdef bint _inputs_ready = False


cdef int prepare_inputs() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global name_parts, table, LEVELS, TAGS, KNOWN
    from dehusk.label.features import lexicon
    from dehusk.compiled import features
    from dehusk.label.united import inputs
    from dehusk.base.tags import KNOWN as known
    fill_rules(&input_rules, inputs)
    LEVELS, TAGS = inputs._LEVELS, inputs.TAGS
    if inputs.GROUP_COUNT != GROUPS:
        raise ValueError("the kernel knows other groups")
    KNOWN, name_parts, table = known, lexicon.name_parts, features.table
    return 0


# levels


def innermost_levels(object blocks):
    """Return the innermost elements around each block, shape (b, LEVELS), -1 above the root."""
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


cdef int read_classes(object page, uint64_t *of_class) except -1:
    """Fill the key of the first class of each class attribute, without digits."""
    cdef int32_t i = 0
    for name in page.class_names:
        first_class_key(name, of_class + i)
        i += 1
    return 0


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
    cdef int32_t i
    read_classes(blocks.page, room.of_class)
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


# for training and reasons, as arrays


def innermost_tags(object blocks):
    cdef Page tree
    cdef Blocks rows
    once(&_inputs_ready, prepare_inputs)
    read_blocks(blocks, &tree, &rows)
    tags = new_matrix(rows.b, TAGS, cnp.NPY_INT32)
    read_tags(&tree, &rows, TAGS, KNOWN, <int32_t *>values(tags))
    return tags


def groups_of(object blocks):
    cdef Page tree
    cdef Blocks rows
    cdef Room room
    cdef int32_t[GROUPS + 1] first
    once(&_inputs_ready, prepare_inputs)
    read_blocks(blocks, &tree, &rows)
    space = new_array(set_room(&room, 0, tree.n, rows.b, tree.classes, 0, 0), cnp.NPY_UINT8)
    set_room(&room, <size_t>values(space), tree.n, rows.b, tree.classes, 0, 0)
    read_classes(blocks.page, room.of_class)
    slot_keys(&tree, &room)
    if not read_groups(&tree, &rows, SEED, &room, first):
        raise MemoryError
    groups = [new_array(rows.b, cnp.NPY_INT64) for _ in range(GROUPS)]
    for i, group in enumerate(groups):
        memcpy(values(group), room.group + <Py_ssize_t>i * rows.b, 8 * <size_t>rows.b)
    return tuple(groups)
