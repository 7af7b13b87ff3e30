"""What determines the lines of kept blocks, for `plain_text`: the elements around them, and what is between them."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.blocks cimport (
    BREAK, CELL, CONTINUATION_KIND, HEADING, HOLDER, ITEM, LINE, LIST, LIST_KIND, PRE, TABLE, Blocks, Page, flags_of,
    gap,
)

cdef enum: MOST_LEVELS = 32  # deeper lists are not indented further, so that depth cannot inflate the text

# An element around a kept block, and the innermost elements around it, itself included; -1 for none. `outer` is the
# outermost list. Elements that are around no kept block are not looked at.
cdef struct Near:
    int32_t node
    int32_t up  # the place of its parent; -1 for the root
    int32_t table
    int32_t cell
    int32_t pre
    int32_t item
    int32_t holder
    int32_t outer
    int32_t column  # of a cell: cells of the row before it
    int32_t counted  # children before this node are counted in `cells`
    int32_t cells
    int32_t numbered  # children before this node are counted in `items`
    int32_t[3] items  # by tag
    int32_t begun  # whether a kept block starts this item; then how many such items it is in
    uint8_t in_heading
    uint8_t in_item  # whether it is in an item, which may be a section of the page, or is one
    uint8_t has_heading  # whether a kept block inside is in a heading

# What determines the line of a kept block, and what separates it from the block before.
cdef struct Line:
    int32_t table  # only tables whose rows and cells carry meaning
    int32_t row
    int32_t cell
    int32_t column
    int32_t item
    int32_t pre
    int32_t outer
    int32_t level
    uint8_t starts_item
    uint8_t is_listed
    uint8_t gap
    uint8_t joined

# The elements around kept blocks, parents first.
cdef struct Nodes:
    Near *near
    int32_t n
    uint16_t dt, dd  # the numbers of these tags
    int32_t *place  # (n,) of each node in `near`, from 1; 0 for nodes that are not there
    int32_t *waiting  # (n,) room for elements to add
    uint8_t *breaks  # (n + 1,) what is at each node, for `gap`


cdef inline int32_t place_of(const Page *tree, Nodes *nodes, int32_t node) noexcept nogil:
    """Return the place of an element; it and the elements around it are added."""
    cdef int32_t waiting = 0, up = node
    while up >= 0 and not nodes.place[up]:
        nodes.waiting[waiting] = up
        waiting += 1
        up = tree.parent[up]
    while waiting:
        waiting -= 1
        add(tree, nodes, nodes.waiting[waiting])
    return nodes.place[node] - 1


cdef inline void add(const Page *tree, Nodes *nodes, int32_t node) noexcept nogil:
    """Add an element whose parent is there."""
    cdef uint32_t flags = flags_of[tree.tag[node]]
    cdef Near *near = &nodes.near[nodes.n]
    cdef Near *above
    if node:
        above = &nodes.near[nodes.place[tree.parent[node]] - 1]
        near[0] = above[0]
        near.up = nodes.place[tree.parent[node]] - 1
        if flags & CELL:
            near.column = cells_before(tree, above, node)
    else:
        near.up = near.table = near.cell = near.pre = near.item = near.holder = near.outer = -1
        near.in_heading = near.in_item = 0
    near.node, near.counted, near.numbered = node, node + 1, node + 1
    near.cells = near.items[0] = near.items[1] = near.items[2] = near.begun = 0
    near.has_heading = 0
    near.table = node if flags & TABLE else near.table
    near.cell = node if flags & CELL and node else near.cell
    near.pre = node if flags & PRE else near.pre
    near.holder = node if flags & HOLDER else near.holder
    near.outer = node if flags & LIST and near.outer < 0 else near.outer
    near.in_heading |= (flags & HEADING) != 0
    near.in_item |= (flags & ITEM) != 0
    nodes.n += 1
    nodes.place[node] = nodes.n


cdef inline int32_t cells_before(const Page *tree, Near *row, int32_t cell) noexcept nogil:
    """Return how many cells of a row come before one; cells are asked for in the order of the page."""
    while row.counted < cell:
        row.cells += (flags_of[tree.tag[row.counted]] & CELL) != 0
        row.counted = tree.end[row.counted]
    return row.cells


cdef inline int32_t items_before(const Page *tree, const Nodes *nodes, Near *parent, int32_t item) noexcept nogil:
    """Return how many items with the tag of one come before it; they are asked for in the order of the page."""
    while parent.numbered < item:
        if flags_of[tree.tag[parent.numbered]] & ITEM:
            parent.items[kind_of_item(tree, nodes, parent.numbered)] += 1
        parent.numbered = tree.end[parent.numbered]
    return parent.items[kind_of_item(tree, nodes, item)]


cdef inline int kind_of_item(const Page *tree, const Nodes *nodes, int32_t item) noexcept nogil:
    return 1 if tree.tag[item] == nodes.dt else 2 if tree.tag[item] == nodes.dd else 0


cdef inline void find_items(const Page *tree, Nodes *nodes) noexcept nogil:
    """Find the nearest item of each element; one that contains a kept heading is a section of the page."""
    cdef int32_t i
    cdef Near *near
    for i in range(nodes.n):
        near = &nodes.near[i]
        if flags_of[tree.tag[near.node]] & ITEM and not near.has_heading:
            near.item = near.node
        else:
            near.item = nodes.near[near.up].item if near.up >= 0 else -1


cdef inline bint find_above(
    const Page *tree, const Blocks *rows, const int64_t *kept, Py_ssize_t k, Nodes *nodes
) noexcept nogil:
    """Find the elements around the kept blocks; return whether there is a table among them."""
    cdef Py_ssize_t j
    cdef int32_t place
    cdef bint has_tables = False
    for j in range(k):
        place = place_of(tree, nodes, tree.parent[rows.first[kept[j]]])
        has_tables |= nodes.near[place].table >= 0
        if nodes.near[place].in_heading:
            while place >= 0 and not nodes.near[place].has_heading:
                nodes.near[place].has_heading = 1
                place = nodes.near[place].up
        place_of(tree, nodes, tree.parent[rows.last[kept[j]]])
    find_items(tree, nodes)
    return has_tables


cdef inline void find_contexts(
    const Page *tree, const Nodes *nodes, int32_t first, bint is_listed, const uint8_t *is_grid, Line *line
) noexcept nogil:
    """Find what determines the line of a block whose first node is given."""
    cdef const Near *near = &nodes.near[nodes.place[tree.parent[first]] - 1]
    cdef bint in_grid = near.table >= 0 and is_grid[near.table] and near.cell > near.table
    cdef bint may_be_listed = not in_grid and near.pre < 0
    cdef bint in_section = near.item < 0 and near.in_item
    cdef Near *item
    line.pre, line.outer = near.pre, near.outer
    line.table, line.row, line.cell, line.column = -1, -1, -1, 0
    if in_grid:
        line.table, line.row, line.cell = near.table, tree.parent[near.cell], near.cell
        line.column = nodes.near[nodes.place[near.cell] - 1].column
    line.item = near.item if may_be_listed else -1
    line.starts_item = False
    if line.item >= 0:
        item = &nodes.near[nodes.place[line.item] - 1]
        line.starts_item, item.begun = not item.begun, 1
    line.is_listed = (
        line.starts_item
        or (line.item >= 0 and near.holder == line.item)
        or (may_be_listed and is_listed and not in_section)
    )


cdef inline void find_lines(
    const Page *tree, const Blocks *rows, const int64_t *kept, Py_ssize_t k, const uint8_t *label,
    const uint8_t *is_grid, Nodes *nodes, Line *lines,
) noexcept nogil:
    """Find the context of each kept block, what separates it from the one before, and how far it is indented."""
    cdef Py_ssize_t j
    cdef int32_t i
    cdef Line *line
    cdef bint same_pre, continues
    for j in range(k):
        line = &lines[j]
        find_contexts(tree, nodes, rows.first[kept[j]], label[kept[j]] == LIST_KIND, is_grid, line)
        line.gap, line.joined = BREAK, False
        if j:
            line.gap = <uint8_t>gap(rows, nodes.breaks, kept[j - 1], kept[j])
            same_pre = line.pre >= 0 and line.pre == lines[j - 1].pre
            continues = label[kept[j]] == CONTINUATION_KIND and line.gap != LINE
            line.joined = line.gap < LINE or (continues and not same_pre)
    for i in range(1, nodes.n):
        nodes.near[i].begun += nodes.near[nodes.near[i].up].begun
    for j in range(k):
        line = &lines[j]
        line.level = 0
        if line.item >= 0 and not line.joined:
            line.level = min(nodes.near[nodes.place[line.item] - 1].begun - line.starts_item, <int32_t>MOST_LEVELS)
