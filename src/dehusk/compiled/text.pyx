"""Twin of `dehusk.write.text.to_text`: the kept blocks as plain text, in one walk over nodes and one over blocks."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from dehusk.compiled.arrays cimport as_bool, as_i64, as_u8, as_u32, size_of
from dehusk.compiled.buffers cimport Buffer, append, repeat, reserve
from dehusk.compiled.characters cimport text_of_points
from dehusk.compiled.layout cimport (
    BREAK, CELL, CONTINUATION_KIND, HEADING, HOLDER, ITEM, LINE, LIST, LIST_KIND, NOTHING, ORDERED, PRE, TABLE,
    Rows, Tree, are_indices, flags_of, gap, mark_breaks, read_blocks, text_end,
)

from dehusk.tags import TAG_NUMBER

cnp.import_array()

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(unsigned int kind, const void *data, Py_ssize_t index) nogil
    bint Py_UNICODE_ISSPACE(uint32_t point) nogil

cdef object _table_nodes = None, _changed_texts, _bulleted, _first_number
cdef enum: MOST_LEVELS = 32  # `dehusk.write.text.MAX_INDENT`
cdef enum: IN_HEADING = 8  # besides the marks of `layout`
cdef enum: LINE_END = 10
cdef uint16_t DT = TAG_NUMBER["dt"], DD = TAG_NUMBER["dd"]

# The innermost elements around an element, itself included; -1 for none. `outer` is the outermost list.
cdef struct Near:
    int32_t table
    int32_t cell
    int32_t pre
    int32_t item
    int32_t holder
    int32_t outer

# What determines the line of a kept block, as `BlockContexts` has it, and what separates it from the block before.
cdef struct Line:
    int32_t table
    int32_t row
    int32_t column
    int32_t item
    int32_t pre
    int32_t outer
    int32_t level
    uint8_t starts_item
    uint8_t is_listed
    uint8_t gap
    uint8_t joined

# Columns over the nodes; a node that is no cell or no item has zeros.
cdef struct Nodes:
    Near *near
    int32_t *column  # cells of the row before a cell
    int32_t *ordinal  # of an item among its siblings with its tag
    int32_t *seen  # children of a node so far: items by tag, or cells
    int32_t *heads  # (n + 1,) kept headings before a node
    int32_t *begun  # whether a kept block starts an item; then how many such items a node is in
    uint8_t *at  # (n + 1,) marks of `layout`, and IN_HEADING


cdef int _load() except -1:
    """Import what is in Python; modules that import this one cannot be imported before."""
    global _table_nodes, _changed_texts, _bulleted, _first_number
    from dehusk.units.tables import table_nodes
    from dehusk.write.plain import changed_texts
    from dehusk.write.text import BULLETED, first_number

    _changed_texts, _bulleted, _first_number = changed_texts, BULLETED, first_number
    _table_nodes = table_nodes
    return 0


cdef void _find_near(const Tree *tree, Nodes *nodes) noexcept nogil:
    """Find the nearest elements of each element but items, and number cells and items."""
    cdef int32_t i, up, heading_end = 0, which
    cdef uint32_t flags
    cdef Near *near
    for i in range(tree.n):
        flags, up = flags_of[tree.tag[i]], tree.parent[i]
        if flags & HEADING and tree.end[i] > heading_end:
            heading_end = tree.end[i]
        if i < heading_end:
            nodes.at[i] |= IN_HEADING
        if tree.tag[i] == 0:
            continue
        near = &nodes.near[i]
        if i:
            near[0] = nodes.near[up]
        else:
            near.table = near.cell = near.pre = near.item = near.holder = near.outer = -1
        near.table = i if flags & TABLE else near.table
        near.pre = i if flags & PRE else near.pre
        near.holder = i if flags & HOLDER else near.holder
        near.outer = i if flags & LIST and near.outer < 0 else near.outer
        if flags & CELL and i:
            near.cell = i
            nodes.column[i] = nodes.seen[4 * up + 3]
            nodes.seen[4 * up + 3] += 1
        elif flags & ITEM and i:
            which = 4 * up + (1 if tree.tag[i] == DT else 2 if tree.tag[i] == DD else 0)
            nodes.seen[which] += 1
            nodes.ordinal[i] = nodes.seen[which]


cdef void _find_items(const Tree *tree, const Rows *rows, const int64_t *kept, Py_ssize_t k, Nodes *nodes) noexcept nogil:
    """Find the nearest item of each element; one that contains a kept heading is a section of the page."""
    cdef int32_t i, first
    cdef Py_ssize_t j
    for j in range(k):
        first = rows.first[kept[j]]
        nodes.heads[first + 1] = (nodes.at[first] & IN_HEADING) != 0
    for i in range(tree.n):
        nodes.heads[i + 1] += nodes.heads[i]
    for i in range(tree.n):
        if tree.tag[i] == 0:
            continue
        if flags_of[tree.tag[i]] & ITEM and nodes.heads[tree.end[i]] == nodes.heads[i]:
            nodes.near[i].item = i
        elif i:
            nodes.near[i].item = nodes.near[tree.parent[i]].item


cdef void _find_contexts(
    const Tree *tree, const Nodes *nodes, int32_t first, bint is_listed, const uint8_t *is_grid, Line *line
) noexcept nogil:
    """Find what determines the line of a block whose first node is given."""
    cdef const Near *near = &nodes.near[tree.parent[first]]
    cdef bint in_grid = near.table >= 0 and is_grid[near.table] and near.cell > near.table
    cdef bint may_be_listed = not in_grid and near.pre < 0
    line.pre, line.outer = near.pre, near.outer
    line.table, line.row, line.column = -1, -1, 0
    if in_grid:
        line.table, line.row, line.column = near.table, tree.parent[near.cell], nodes.column[near.cell]
    line.item = near.item if may_be_listed else -1
    line.starts_item = line.item >= 0 and not nodes.begun[line.item]
    if line.starts_item:
        nodes.begun[line.item] = 1
    line.is_listed = (
        line.starts_item or (line.item >= 0 and near.holder == line.item) or (may_be_listed and is_listed)
    )


cdef void _find_lines(
    const Tree *tree, const Rows *rows, const int64_t *kept, Py_ssize_t k, const uint8_t *label,
    const uint8_t *is_grid, Nodes *nodes, Line *lines,
) noexcept nogil:
    """Find the context of each kept block, what separates it from the one before, and how far it is indented."""
    cdef Py_ssize_t j
    cdef int32_t i
    cdef Line *line
    cdef bint same_pre, continues
    _find_near(tree, nodes)
    _find_items(tree, rows, kept, k, nodes)
    for j in range(k):
        line = &lines[j]
        _find_contexts(tree, nodes, rows.first[kept[j]], label[kept[j]] == LIST_KIND, is_grid, line)
        line.gap, line.joined = BREAK, False
        if j:
            line.gap = <uint8_t>gap(rows, nodes.at, kept[j - 1], kept[j])
            same_pre = line.pre >= 0 and line.pre == lines[j - 1].pre
            continues = label[kept[j]] == CONTINUATION_KIND and line.gap != LINE
            line.joined = line.gap < LINE or (continues and not same_pre)
    for i in range(1, tree.n):
        if tree.tag[i]:
            nodes.begun[i] += nodes.begun[tree.parent[i]]
    for j in range(k):
        line = &lines[j]
        line.level = 0
        if line.item >= 0 and not line.joined:
            line.level = min(nodes.begun[line.item] - line.starts_item, <int32_t>MOST_LEVELS)


cdef int32_t _highest_level(const Line *lines, Py_ssize_t k, int64_t budget) noexcept nogil:
    """Return the level such that the levels of all lines, cut to it, have at most a sum: `bounds.level_within`."""
    cdef int64_t[MOST_LEVELS + 2] reaching
    cdef int64_t total = 0
    cdef Py_ssize_t j
    cdef int32_t level
    for level in range(MOST_LEVELS + 2):
        reaching[level] = 0
    for j in range(k):
        reaching[lines[j].level] += 1
    for level in range(MOST_LEVELS, 0, -1):
        reaching[level] += reaching[level + 1]
    for level in range(1, MOST_LEVELS + 1):
        total += reaching[level]
        if total > budget:
            return level - 1
    return MOST_LEVELS


cdef bint _is_space(str text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Return whether a part of a text is white space, and not empty."""
    cdef Py_ssize_t i
    for i in range(start, end):
        if not Py_UNICODE_ISSPACE(PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), i)):
            return False
    return end > start


cdef Py_ssize_t _line_ends(str text, Py_ssize_t start, Py_ssize_t end) except -1:
    cdef Py_ssize_t i, found = 0
    for i in range(start, end):
        found += PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), i) == LINE_END
    return found


cdef class Writing:
    """The text of a page while it is written."""

    cdef Tree tree
    cdef Rows rows
    cdef Nodes nodes
    cdef Line *lines
    cdef const int64_t *kept
    cdef const uint32_t *points
    cdef Buffer out
    cdef object page
    cdef object changed  # block -> text that is not that of the blocks
    cdef object texts  # of all blocks, if some texts are omitted; else None
    cdef dict firsts  # ordered list -> number of its first item

    def __dealloc__(self):
        free(self.nodes.near)
        free(self.lines)
        free(self.out.points)

    cdef int _allocate(self, Py_ssize_t k) except -1:
        cdef Py_ssize_t n = self.tree.n
        cdef Py_ssize_t sizes = n * sizeof(Near) + (8 * n + 1) * sizeof(int32_t) + n + 1
        cdef char *place = <char *>calloc(sizes, 1)
        self.nodes.near = <Near *>place
        self.lines = <Line *>calloc(k, sizeof(Line))
        if place == NULL or self.lines == NULL:
            raise MemoryError
        self.nodes.column = <int32_t *>(place + n * sizeof(Near))
        self.nodes.ordinal = self.nodes.column + n
        self.nodes.begun = self.nodes.ordinal + n
        self.nodes.seen = self.nodes.begun + n
        self.nodes.heads = self.nodes.seen + 4 * n
        self.nodes.at = <uint8_t *>(self.nodes.heads + n + 1)
        return 0

    cdef int _separate(self, Py_ssize_t j) except -1:
        """Append what is between a block and the one before, if it starts a line or a cell."""
        cdef Line *line = &self.lines[j]
        cdef Line *before = &self.lines[j - 1] if j else line
        cdef bint in_row = j > 0 and line.row >= 0 and line.row == before.row
        cdef bint in_list = j > 0 and line.is_listed and line.outer == before.outer and (
            before.is_listed or before.item >= 0
        )
        cdef Py_ssize_t count = 2 if line.gap == BREAK else 1
        if in_row:
            if line.column > before.column:
                return repeat(&self.out, c"\t", line.column - before.column)
            return repeat(&self.out, c" ", 1)
        if in_list or (j and line.table >= 0 and line.table == before.table):
            count = 1
        if j and line.pre >= 0 and line.pre == before.pre:
            count = max(_line_ends(self.page.text, self._text_before(j), self._text_after(j)), 1)
        repeat(&self.out, LINE_END, count if j else 0)
        return repeat(&self.out, c"\t", line.column)

    cdef int _join(self, Py_ssize_t j) except -1:
        """Append what is between a block and the one before, if it stays on the line."""
        cdef Py_ssize_t start = self._text_before(j), end = self._text_after(j)
        if self.lines[j].pre >= 0 and self.lines[j].pre == self.lines[j - 1].pre:
            if _is_space(self.page.text, start, end):
                return append(&self.out, self.page.text, start, end)
        return repeat(&self.out, c" ", self.lines[j].gap != NOTHING)

    cdef Py_ssize_t _text_before(self, Py_ssize_t j):
        """Return where the block before ends in the page's text."""
        return text_end(&self.rows, self.kept[j - 1])

    cdef Py_ssize_t _text_after(self, Py_ssize_t j):
        """Return where a block starts in the page's text."""
        return self.rows.source[self.rows.start[self.kept[j]]]

    cdef str _own_text(self, int64_t block):
        """Return the text of a block, None if it is that of the blocks."""
        if self.changed:
            text = self.changed.get(block)
            if text is not None:
                return text
        return None if self.texts is None else self.texts[block]

    cdef int _mark_item(self, Py_ssize_t j, str text) except -1:
        """Append the number or dash of a line that starts an item or is labelled as one."""
        cdef Line *line = &self.lines[j]
        cdef int32_t start = self.rows.start[self.kept[j]], size = self.rows.end[self.kept[j]] - start
        if line.starts_item and flags_of[self.tree.tag[self.tree.parent[line.item]]] & ORDERED:
            marker = f"{self._first_number(self.tree.parent[line.item]) + self.nodes.ordinal[line.item] - 1}. "
            return append(&self.out, marker, 0, len(marker))
        if not line.starts_item:
            head = text_of_points(self.points + start, min(size, 8)) if text is None else text
            if _bulleted.match(head):
                return 0
        repeat(&self.out, c"-", 1)
        return repeat(&self.out, c" ", 1)

    cdef object _first_number(self, int32_t parent):
        if parent not in self.firsts:
            self.firsts[parent] = _first_number(self.page.attribute(parent, "start"))
        return self.firsts[parent]

    cdef int _write_block(self, Py_ssize_t j, int32_t highest) except -1:
        cdef Line *line = &self.lines[j]
        cdef int64_t block = self.kept[j]
        cdef int32_t start = self.rows.start[block], size = self.rows.end[block] - start
        cdef str text = self._own_text(block)
        if line.joined:
            self._join(j)
        else:
            self._separate(j)
            repeat(&self.out, c" ", 2 * min(line.level, highest))
            if line.starts_item or (line.is_listed and line.item < 0):
                self._mark_item(j, text)
        if text is not None:
            return append(&self.out, text, 0, len(text))
        reserve(&self.out, size)
        memcpy(self.out.points + self.out.used, self.points + start, size * sizeof(uint32_t))
        self.out.used += size
        return 0

    cdef str write(self, Py_ssize_t k):
        cdef int32_t highest = _highest_level(self.lines, k, len(self.page.elements.text) // 2)
        cdef Py_ssize_t j
        reserve(&self.out, self.rows.chars + 4 * k + 1)
        for j in range(k):
            self._write_block(j, highest)
        repeat(&self.out, LINE_END, 1)
        return text_of_points(self.out.points, self.out.used)


def to_text(object labels):
    if _table_nodes is None:
        _load()
    cdef Writing writing = Writing()
    blocks, kept, label = labels.blocks, labels.written, labels.label
    page, points = blocks.page, blocks.code_points
    cdef Py_ssize_t k = size_of(kept)
    if k == 0:
        return ""
    is_grid = _table_nodes(blocks)
    if not read_blocks(blocks, &writing.tree, &writing.rows) or not are_indices(kept, writing.rows.b):
        return NotImplemented
    cdef const uint8_t *kinds = as_u8(label)
    cdef const uint8_t *grids = as_bool(is_grid)
    if size_of(label) != writing.rows.b or size_of(is_grid) != writing.tree.n or size_of(points) != writing.rows.chars:
        return NotImplemented
    writing._allocate(k)
    writing.page, writing.firsts, writing.points, writing.kept = page, {}, as_u32(points), as_i64(kept)
    writing.changed = _changed_texts(labels)
    writing.texts = labels.texts if size_of(labels.omitted) else None
    if not mark_breaks(&writing.tree, page.line_nodes, writing.nodes.at):
        return NotImplemented
    with nogil:
        _find_lines(
            &writing.tree, &writing.rows, writing.kept, k, kinds, grids, &writing.nodes, writing.lines
        )
    return writing.write(k)
