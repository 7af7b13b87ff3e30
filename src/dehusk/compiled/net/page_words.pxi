"""What the net sees of blocks besides their columns, written where its loops read it: `dehusk.label.united.inputs`."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from dehusk.compiled.blocks cimport Blocks, Page, below
from dehusk.compiled.grouping cimport number_keys
from dehusk.compiled.hashes cimport pair_key


cdef struct Names:  # the parts of the names of a page
    const uint8_t *source
    const int64_t *start
    const int64_t *end
    const int64_t *first  # (names + 1,)
    int32_t *bag  # (names,) the bag of each name where it is near; the next one is for where it is far

cdef enum:
    UNKNOWN = -1
    EMPTY = -2


cdef struct Room:  # memory for what is read
    uint64_t *key  # (n,) of the slot of each node
    uint64_t *of_class  # (classes,)
    uint64_t *own  # (b,)
    int64_t *name_start  # (2 names + 1,)
    int64_t *text_start  # (b + 1,)
    int64_t *group  # (GROUPS, b)
    int32_t *of_name  # (names,)
    int32_t *rank  # (n,)
    int32_t *outer  # (n,) the outermost element with the blocks of each, -1 before it is needed
    int32_t *tags  # (b, 3)
    int32_t *text_rows
    int32_t *name_rows
    int32_t *bag  # (b, 2 levels)
    int32_t *first_bag  # (b + 1,)


cdef inline void read_tags(Page *tree, Blocks *rows, int32_t levels, int32_t known, int32_t *out) noexcept nogil:
    """Fill the tags of the innermost elements of each block."""
    cdef int32_t i, level, node
    for i in range(rows.b):
        node = rows.node[i]
        for level in range(levels):
            out[level] = min(<int32_t>tree.tag[node], known) if node >= 0 else 0
            node = tree.parent[node] if node >= 0 else -1
        out += levels


cdef inline void read_texts(Words *text, Rules *rules, Blocks *rows, Room *room) noexcept nogil:
    """Fill the bags of the texts."""
    cdef int64_t written = 0
    cdef int32_t i
    for i in range(rows.b):
        room.text_start[i] = written
        written += write_text(text, rules, rows.start[i], rows.end[i], room.text_rows + written)
    room.text_start[rows.b] = written


cdef inline int32_t add_name(Names *names, Rules *rules, int32_t name, int32_t bags, Room *room) noexcept nogil:
    """Add the bags of a name, near and far; return the number of the first, or `EMPTY`."""
    cdef int64_t part, words = 0, at = room.name_start[bags]
    for part in range(names.first[name], names.first[name + 1]):
        words += names.end[part] - names.start[part] > 1
    if not words:
        return EMPTY
    for part in range(names.first[name], names.first[name + 1]):
        if names.end[part] - names.start[part] > 1:
            set_rows(
                rules, part_key(names.source, names.start[part], names.end[part]), &room.name_rows[at],
                &room.name_rows[at + words],
            )
            at += 1
    room.name_start[bags + 1], room.name_start[bags + 2] = at, at + words
    return bags


cdef inline int32_t read_names(Page *tree, Blocks *rows, Names *names, Rules *rules, Room *room) noexcept nogil:
    """Fill the bags of names, and those of each block; return how many, -1 if the blocks have too many words."""
    cdef int32_t i, level, node, part, name, bag, bags = 0, found = 0
    cdef int64_t words = 0
    for name in range(tree.classes + tree.ids):
        names.bag[name] = UNKNOWN
    room.name_start[0] = 0
    for i in range(rows.b):
        room.first_bag[i], node = found, rows.node[i]
        for level in range(rules.levels):
            for part in range(2):
                name = (tree.id_code[node] if part else tree.class_code[node]) if node >= 0 else 0
                name += tree.classes if part else 0
                if names.bag[name] == UNKNOWN:
                    names.bag[name] = add_name(names, rules, name, bags, room)
                    bags += 2 if names.bag[name] != EMPTY else 0
                bag = names.bag[name]
                if bag != EMPTY:
                    words += room.name_start[bag + 1] - room.name_start[bag]
                    room.bag[found] = bag + (level >= rules.near)
                    found += 1
            node = tree.parent[node] if node >= 0 else -1
    room.first_bag[rows.b] = found
    return -1 if words > rules.most_parts else bags


cdef inline void slot_keys(Page *tree, Room *room) noexcept nogil:
    """Fill a key of the path of tags and first classes from the root to each node."""
    cdef int32_t *depth = room.rank
    cdef int32_t i
    for i in range(tree.n):
        depth[i] = depth[tree.parent[i]] + 1 if i else 0
        room.key[i] = pair_key(<uint64_t>tree.tag[i] + 1, room.of_class[tree.class_code[i]])
        room.key[i] *= 2 * <uint64_t>depth[i] + 1
        if i:
            room.key[i] += room.key[tree.parent[i]]


cdef inline int32_t outer_of(Page *tree, Blocks *rows, int32_t node, int32_t *outer) noexcept nogil:
    """Return the outermost element with the blocks of an element, which `outer` then knows."""
    cdef int32_t first = below(rows, node), end = below(rows, tree.end[node]), found = node, up = tree.parent[node]
    while up >= 0 and not (first > 0 and rows.first[first - 1] >= up):
        if end < rows.b and rows.first[end] < tree.end[up]:
            break
        found = up if outer[up] < 0 else outer[up]
        up = tree.parent[found]
    outer[node] = found
    return found


cdef inline int32_t number_nodes(const int64_t *node, int64_t *out, int32_t b, int32_t *rank) noexcept nogil:
    """Number nodes as they come; return how many differ. All of `rank` is -1, before and after."""
    cdef int32_t i, found = 0
    for i in range(b):
        if rank[node[i]] < 0:
            rank[node[i]] = found
            found += 1
        out[i] = rank[node[i]]
    for i in range(b):
        rank[node[i]] = -1
    return found


cdef inline bint shares(Page *tree, Blocks *rows, int32_t i, int32_t node) noexcept nogil:
    """Return whether an element around a block contains another one as well."""
    if i > 0 and rows.first[i - 1] >= node:
        return True
    return i + 1 < rows.b and rows.first[i + 1] < tree.end[node]


cdef inline bint read_groups(Page *tree, Blocks *rows, uint64_t seed, Room *room, int32_t *first) noexcept nogil:
    """Fill the groups and where each kind starts, from the keys of slots; return whether there was memory."""
    cdef int32_t i, found, kind, own, b = rows.b
    cdef int64_t *node = room.group + 4 * <int64_t>b  # the groups of the page, all 0, come last
    first[0] = 0
    for i in range(b):
        room.own[i] = room.key[rows.node[i]]
    found = number_keys(room.own, b, seed, room.rank)
    if found < 0:
        return False
    first[1] = found
    for i in range(b):
        room.group[i], node[i] = room.rank[i], rows.node[i]
    for i in range(tree.n):
        room.rank[i] = room.outer[i] = -1
    for kind in range(1, 4):
        for i in range(b):
            own = <int32_t>node[i]
            if kind > 1 or not shares(tree, rows, i, own):
                own = room.outer[own] if room.outer[own] >= 0 else outer_of(tree, rows, own, room.outer)
                node[i] = max(tree.parent[own], 0)
        first[kind + 1] = first[kind] + number_nodes(node, room.group + kind * <int64_t>b, b, room.rank)
    for i in range(b):
        node[i] = 0
    first[5] = first[4] + 1
    return True
