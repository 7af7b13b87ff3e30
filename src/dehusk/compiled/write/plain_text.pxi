"""The kept blocks as plain text, in one walk over nodes and one over blocks."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from dehusk.compiled.arrays cimport as_bool, as_i64, as_u32, as_u8, size_of
from dehusk.compiled.blocks cimport (
    BREAK, NOTHING, ORDERED, Blocks, Page, check_indices, flags_of, mark_breaks, read_blocks, text_end,
)
from dehusk.compiled.buffers cimport Buffer, append, repeat, reserve
from dehusk.compiled.first_use cimport once
from dehusk.compiled.text cimport text_of_points
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ, Py_UNICODE_ISSPACE,
)

import numpy as np

from dehusk.base.tags import TAG_NUMBER

cdef object _table_nodes = None, _changed_texts, _bulleted, _whole_number, _numbered_lists, _spanned_columns
cdef enum: LINE_END = 10
cdef uint16_t DT = TAG_NUMBER["dt"], DD = TAG_NUMBER["dd"]

cdef bint _plain_text_ready = False, _tables_ready = False


cdef int prepare_plain_text() except -1:
    """Import what is in Python; modules that import this one cannot be imported before."""
    global _table_nodes, _changed_texts, _bulleted, _whole_number, _numbered_lists
    from dehusk.blocks.units.tables import table_nodes
    from dehusk.write.content.lists import numbered_lists
    from dehusk.write.plain import changed_texts
    from dehusk.read.page import whole_number
    from dehusk.write.text import BULLETED

    _numbered_lists = numbered_lists
    _changed_texts, _bulleted, _whole_number = changed_texts, BULLETED, whole_number
    _table_nodes = table_nodes
    return 0


cdef int prepare_tables() except -1:
    """Import what only pages with tables of data need."""
    global _spanned_columns
    from dehusk.write.table_grids import spanned_columns

    _spanned_columns = spanned_columns
    return 0


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

    cdef Page tree
    cdef Blocks rows
    cdef Nodes nodes
    cdef Line *lines
    cdef const int64_t *kept
    cdef const uint32_t *points
    cdef Buffer out
    cdef object page
    cdef object changed  # block -> text that is not that of the blocks
    cdef object texts  # of all blocks, if some texts are omitted; else None
    cdef dict firsts  # ordered list -> number of its first item
    cdef object numbered  # lists that a style numbers; None before it is known
    cdef int64_t *places  # (k, 2) where the line of each block starts and ends; NULL if that is not asked for

    def __dealloc__(self):
        free(self.nodes.near)
        free(self.nodes.place)
        free(self.nodes.waiting)
        free(self.nodes.breaks)
        free(self.lines)
        free(self.out.points)

    cdef int _allocate(self, Py_ssize_t k) except -1:
        cdef Py_ssize_t n = self.tree.n
        self.nodes.near = <Near *>malloc(n * sizeof(Near))
        self.nodes.place = <int32_t *>calloc(n, sizeof(int32_t))
        self.nodes.waiting = <int32_t *>malloc(n * sizeof(int32_t))
        self.lines = <Line *>malloc(k * sizeof(Line))
        self.nodes.breaks = <uint8_t *>calloc(n + 1, 1)
        if self.nodes.near == NULL or self.nodes.place == NULL or self.nodes.waiting == NULL or self.lines == NULL:
            raise MemoryError
        if self.nodes.breaks == NULL:
            raise MemoryError
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
        cdef int32_t start = self.rows.start[self.kept[j]], size = self.rows.end[self.kept[j]] - start, before
        cdef Near *parent
        if line.starts_item and self._is_ordered(self.tree.parent[line.item]):
            parent = &self.nodes.near[self.nodes.place[self.tree.parent[line.item]] - 1]
            before = items_before(&self.tree, &self.nodes, parent, line.item)
            marker = f"{self._first_number(parent.node) + before}. "
            return append(&self.out, marker, 0, len(marker))
        if not line.starts_item:
            head = text_of_points(self.points + start, min(size, 8)) if text is None else text
            if _bulleted.match(head):
                return 0
        repeat(&self.out, c"-", 1)
        return repeat(&self.out, c" ", 1)

    cdef bint _is_ordered(self, int32_t items) except -1:
        """Return whether the items of a list have numbers."""
        if self.numbered is None:
            self.numbered = _numbered_lists(self.page)
        return flags_of[self.tree.tag[items]] & ORDERED or items in self.numbered

    cdef object _first_number(self, int32_t parent):
        if parent not in self.firsts:
            self.firsts[parent] = _whole_number(self.page.attribute(parent, "start"), 1)
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
        if self.places != NULL:
            self.places[2 * j] = self.out.used
        if not line.joined:
            repeat(&self.out, c" ", 2 * min(line.level, highest))
            if line.starts_item or (line.is_listed and line.item < 0):
                self._mark_item(j, text)
        if text is not None:
            append(&self.out, text, 0, len(text))
        else:
            reserve(&self.out, size)
            memcpy(self.out.points + self.out.used, self.points + start, size * sizeof(uint32_t))
            self.out.used += size
        if self.places != NULL:
            self.places[2 * j + 1] = self.out.used
        return 0

    cdef int _place_cells(self, Py_ssize_t k, object columns) except -1:
        """Put the cells of tables with spans into their columns."""
        cdef Py_ssize_t j
        for j in range(k):
            if self.lines[j].cell >= 0:
                self.lines[j].column = columns.get(self.lines[j].cell, self.lines[j].column)
        return 0

    cdef str write(self, Py_ssize_t k):
        cdef int32_t highest = _highest_level(self.lines, k, len(self.page.elements.text) // 2)
        cdef Py_ssize_t j, chars = 4 * k + 1
        for j in range(k):
            chars += self.rows.end[self.kept[j]] - self.rows.start[self.kept[j]]
        reserve(&self.out, chars)
        for j in range(k):
            self._write_block(j, highest)
        repeat(&self.out, LINE_END, 1)
        return text_of_points(self.out.points, self.out.used)


def to_text(object labels):
    """Return the kept blocks as plain text; unless empty, it ends with a line end."""
    return _text_with_places(labels, None)


def text_with_places(object labels):
    """Return the plain text, and where the line of each written block starts in it and ends, shape (k, 2)."""
    places = np.empty((size_of(labels.written), 2), dtype=np.int64)
    return _text_with_places(labels, places), places


cdef str _text_with_places(object labels, object places):
    once(&_plain_text_ready, prepare_plain_text)
    cdef Writing writing = Writing()
    blocks, kept, label = labels.blocks, labels.written, labels.label
    page, points = blocks.page, blocks.code_points
    cdef Py_ssize_t k = size_of(kept)
    if k == 0:
        return ""
    read_blocks(blocks, &writing.tree, &writing.rows)
    check_indices(kept, writing.rows.b)
    cdef const uint8_t *kinds = as_u8(label)
    if size_of(label) != writing.rows.b or size_of(points) != writing.rows.chars:
        raise ValueError("the labels do not fit the blocks")
    writing._allocate(k)
    mark_breaks(&writing.tree, page.line_nodes, writing.nodes.breaks)
    writing.nodes.dt, writing.nodes.dd = DT, DD
    writing.page, writing.firsts, writing.points, writing.kept = page, {}, as_u32(points), as_i64(kept)
    writing.changed = _changed_texts(labels)
    writing.texts = labels.texts if size_of(labels.omitted) else None
    cdef bint has_tables
    with nogil:
        has_tables = find_above(&writing.tree, &writing.rows, writing.kept, k, &writing.nodes)
    is_grid = _table_nodes(blocks) if has_tables else None
    cdef const uint8_t *grids = as_bool(is_grid) if has_tables else NULL
    if has_tables and size_of(is_grid) != writing.tree.n:
        raise ValueError("the tables do not fit the page")
    with nogil:
        find_lines(
            &writing.tree, &writing.rows, writing.kept, k, kinds, grids, &writing.nodes, writing.lines
        )
    if has_tables and is_grid.any():
        once(&_tables_ready, prepare_tables)
        columns = _spanned_columns(page, is_grid)
        if columns:
            writing._place_cells(k, columns)
    writing.places = NULL if places is None else <int64_t *>cnp.PyArray_DATA(places)
    return writing.write(k)
