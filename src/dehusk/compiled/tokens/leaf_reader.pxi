"""Read the leaves of a page's content: the lines of headings, paragraphs and terms, and code."""

cimport numpy as cnp
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

import numpy as np

from dehusk.compiled.arrays cimport as_i64, as_u8, new_array, size_of, values
from dehusk.compiled.blocks cimport PRE, Blocks, Page, flags_of, read_blocks
from dehusk.compiled.buffers cimport append_points
from dehusk.compiled.first_use cimport once
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, PyUnicode_Substring, Py_UNICODE_ISSPACE,
)


cdef enum:
    LONG_HEADING = 1000  # characters; longer ones are not looked at

cdef dict TAGS = None
cdef set INLINE_CODE
cdef int TELETYPE
cdef object preformatted, prose_items


cdef bint _leaf_reader_ready = False


cdef int prepare_leaf_reader() except -1:
    """Find the classes and tables of the layer above, at the first use: they cannot be imported before it is."""
    global TAGS, INLINE_CODE, TELETYPE, preformatted, prose_items
    from dehusk.base.tags import HEADINGS, TAG_NUMBER, is_block_level
    from dehusk.write import safety, token_reader
    from dehusk.write.content import prose
    preformatted, prose_items, TELETYPE = token_reader.preformatted, prose.prose_items, TAG_NUMBER["tt"]
    written_so = [name for name, written in safety.RENAMED.items() if written in token_reader.STYLES]  # tt, strike
    INLINE_CODE = {TAG_NUMBER[name] for name in (*token_reader.STYLES, *written_so)}
    TAGS = {
        "headings": {TAG_NUMBER[name] for name in HEADINGS},
        "parts": {TAG_NUMBER[name] for name in ("li", "td", "th", "pre")},
        "breaks": set(np.flatnonzero(is_block_level()).tolist()) - {TAG_NUMBER["hr"]},
    }
    return 0


cdef class LeafReader:
    def __cinit__(self, kept):
        once(&_leaf_reader_ready, prepare_leaf_reader)
        self.kept, self.page, self.inserts = kept, kept.pruned.page, kept.inserts
        self.names, self.stream, self.counted = kept.names, Stream(), {}
        self.seams, self.replaced = kept.pruned.seams, kept.replaced
        self.line, self.containers = Line(self.stream), OpenContainers(self.stream)
        self.link = self.table = -1

    def __dealloc__(self):
        PyMem_Free(self.open)
        free(self.tables)
        free(self.linked)

    cdef int push(self, int end, int action, int saved) except -1:
        cdef Open *grown
        if self.depth == self.room:
            grown = <Open *>PyMem_Realloc(self.open, (2 * self.room + 32) * sizeof(Open))
            if grown is NULL:
                raise MemoryError
            self.open, self.room = grown, 2 * self.room + 32
        self.open[self.depth] = Open(end, action, saved)
        self.depth += 1
        return 0

    cdef int seam(self, str seam) except -1:
        """Separate what follows from what is there, because all that stood between is gone."""
        if seam == " " or self.in_line:
            self.line.is_spaced = True
            return 0
        return self.flush()

    cdef Py_ssize_t char_at(self, int offset, Py_ssize_t low, Py_ssize_t high) noexcept:
        """Return the index of the first character of the blocks at or after an offset, from `low` to `high`."""
        cdef Py_ssize_t middle
        if low == high or self.source[low] >= offset:
            return low
        if self.source[high - 1] < offset:
            return high
        while low < high:
            middle = (low + high) // 2
            if self.source[middle] < offset:
                low = middle + 1
            else:
                high = middle
        return low

    cdef bint is_white(self, Py_ssize_t index, int offset) noexcept:
        """Whether the character at an offset of the page's text is white space or invisible; blocks lack some."""
        return index >= self.size or self.source[index] != offset or self.char_class[index] >= WHITE

    cdef int write_text(self, int node) except -1:
        """Add the text of a text node to the line."""
        cdef int start = self.text_start[node], end = self.text_end[node]
        cdef Py_ssize_t first = self.char_at(start, self.place, self.size), last
        cdef bint after = False
        cdef str text
        last = self.char_at(end, first, min(self.size, first + end - start))
        self.place = last
        if end > start:
            if self.is_white(first, start) or self.line.ends_in_image():
                self.line.is_spaced = True
            after = last == first or self.is_white(last - 1, end - 1)
        elif self.line.ends_in_image():
            self.line.is_spaced = True
        while first < last and Py_UNICODE_ISSPACE(PyUnicode_READ(self.kind, <void *>self.characters, first)):
            first += 1
        while first < last and Py_UNICODE_ISSPACE(PyUnicode_READ(self.kind, <void *>self.characters, last - 1)):
            last -= 1
        if self.replaced or self.has_pre:
            text = PyUnicode_Substring(self.text, first, last)
            if self.has_pre and ("  " in text or "\t" in text):
                text = " ".join(text.split())
            text = self.replaced.get(node, text)
            if not text:
                return 0
            self.line.text(self.style, self.link_of(True), node)
            self.stream.add_text(text)
        elif first == last:
            return 0
        else:
            self.line.text(self.style, self.link_of(True), node)
            append_points(&self.stream.text, self.characters, self.kind, first, last)
        self.line.end_text()
        self.line.is_spaced |= after
        return 0

    cdef int link_of(self, bint of_text) except? -1:
        """Return the link around the next run: the current one, unless an earlier leaf has it."""
        if self.link < 0:
            return -1
        if not self.linked[self.link]:
            self.linked[self.link] = self.leaves + 1
        if self.linked[self.link] != self.leaves + 1:
            return -1
        if not of_text:
            self.linked[self.link] = 0  # a card's picture, and then its title
        return self.link

    cdef int block(self, int node, int end) except -1:
        """Start a block-level element without a meaning of its own."""
        if self.in_line:
            self.line.is_spaced = True
            return self.push(end, END_SPACE, 0)
        self.end_paragraph()
        self.push(end, END_BLOCK, self.holder)
        self.holder = node
        return 0

    cdef int image(self, int node) except -1:
        """Add an image to the line, unless it is no content."""
        if self.alts is None:
            self.alts, self.ornaments = self.attributes(("img",), "alt"), self.kept.ornaments
        if node in self.ornaments:
            return 0
        alt = self.alts[node]
        alt = " ".join(alt.split()) if alt else ""
        self.line.atom(IMAGE_RUN, alt, self.style, self.link_of(False), node, -1)
        return 0

    cdef dict attributes(self, tuple names, str name):
        """Return an attribute of all kept elements of some names."""
        nodes = [self.nodes[index] for index in range(self.count) if self.names[index] in names]
        return dict(zip(nodes, self.page.elements.values(np.array(nodes, np.intp), name)))

    cdef int leaf(self, int kind, int node, int end, str unless, int level=0) except -1:
        """Start an element that becomes one line, unless it contains elements of some names."""
        if self.in_line or self.contains(unless, end):
            return self.block(node, end)
        self.flush()
        self.in_line += 1
        self.held_kind, self.held_node, self.held_level = kind, node, level
        return self.push(end, END_LEAF, 0)

    cdef int end_leaf(self) except -1:
        self.in_line -= 1
        if self.line.is_only_images():
            return self.flush()
        if self.held_kind == HEADING_TOKEN and self.has_image():
            return self.part_heading()
        return self.emit_line(self.held_kind, self.held_node, self.held_level)

    cdef bint has_image(self) noexcept:
        cdef Py_ssize_t index
        for index in range(self.line.start, self.stream.run_count):
            if self.stream.runs[index].kind == IMAGE_RUN:
                return True
        return False

    cdef bint is_beside_text(self, Py_ssize_t index) noexcept:
        """Whether a run is an image or white space."""
        cdef const RunRow *run = &self.stream.runs[index]
        cdef Py_ssize_t at
        if run.kind != TEXT_RUN:
            return run.kind == IMAGE_RUN
        for at in range(run.start, run.end):
            if not Py_UNICODE_ISSPACE(<Py_UCS4>self.stream.text.points[at]):
                return False
        return True

    cdef int part_heading(self) except -1:
        """End a heading without the images before and after its text, which become a paragraph below it."""
        cdef Py_ssize_t first = self.line.start, start, last = self.stream.run_count, end = last, index
        while first < end and self.is_beside_text(first):
            first += 1
        if first == end:
            return self.flush()
        while self.is_beside_text(last - 1):
            last -= 1
        start = self.line.start
        self.trim(first, last)
        self.emit_line(self.held_kind, self.held_node, self.held_level)
        self.stream.tokens[self.stream.token_count - 1].start = first
        self.stream.tokens[self.stream.token_count - 1].end = last
        for index in [*range(start, first), *range(last, end)]:
            if self.stream.runs[index].kind == IMAGE_RUN:
                self.line.is_spaced = True
                self.line.separate(0, -1)
                self.stream.add_run(IMAGE_RUN, 0, -1, -1)
                self.stream.runs[self.stream.run_count - 1] = self.stream.runs[index]
                self.stream.runs[self.stream.run_count - 1].style = 0
        return self.flush()

    cdef int trim(self, Py_ssize_t first, Py_ssize_t last) noexcept:
        """Take the white space from the start and the end of runs, which start and end with other things."""
        cdef RunRow *start = &self.stream.runs[first]
        cdef RunRow *end = &self.stream.runs[last - 1]
        while start.kind == TEXT_RUN and Py_UNICODE_ISSPACE(<Py_UCS4>self.stream.text.points[start.start]):
            start.start += 1
        while end.kind == TEXT_RUN and Py_UNICODE_ISSPACE(<Py_UCS4>self.stream.text.points[end.end - 1]):
            end.end -= 1
        return 0

    cdef bint contains(self, str what, int end) except -1:
        """Whether the current node contains a kept node of some tags."""
        cdef Py_ssize_t low = self.at + 1, high = self.count, middle, index
        cdef int32_t *before
        if low >= high or self.nodes[low] >= end:
            return False
        counts = self.counted.get(what)
        if counts is None:
            counts = self.counted[what] = new_array(self.count + 1, cnp.NPY_INT32)
            tags = <set>TAGS[what]
            before = <int32_t *>values(counts)
            before[0] = 0
            for index in range(self.count):
                before[index + 1] = before[index] + (1 if self.tag[self.nodes[index]] in tags else 0)
        before = <int32_t *>values(counts)
        while low < high:
            middle = (low + high) // 2
            if self.nodes[middle] < end:
                low = middle + 1
            else:
                high = middle
        return before[low] > before[self.at + 1]

    cdef int listing(self, int node, int end) except -1:
        """A listing; inline code unless it has several lines."""
        cdef bint is_inline = self.tag[node] in INLINE_CODE
        if is_inline and (self.in_line or not self.is_listing(node, end)):
            self.push(end, END_STYLE, self.style)
            self.style |= 0 if self.tag[node] == TELETYPE and self.is_typed_heading(node) else CODE
            return 0
        if self.in_line:  # a listing of one line in a cell
            self.push(end, END_STYLE, self.style)
            self.style |= CODE
            return self.block(node, end)
        return self.whole_listing(node, end)

    cdef bint is_typed_heading(self, int node) except -1:
        """Whether an element is all of a heading, and several words: in the letters of a typewriter, but no code."""
        cdef int outer = self.held_node
        if not self.in_line or self.held_kind != HEADING_TOKEN:
            return False
        if self.text_end[outer] - self.text_start[outer] > LONG_HEADING:
            return False
        typed = self.page.text[self.text_start[node] : self.text_end[node]].strip()
        return " " in typed and typed == self.page.text[self.text_start[outer] : self.text_end[outer]].strip()

    cdef int write_prose(self, int node, int first, int last, str text) except -1:
        """Add the lines of a listing that is prose to the tokens, as paragraphs or as a list."""
        cdef str line
        cdef list lines = [line.strip() for line in text.split("\n")]
        items = prose_items(lines)
        if items:
            self.containers.end_list()
            self.stream.add_token(LIST_TOKEN, OPENS, node)
        for line in items or lines:
            if items:
                self.stream.add_token(ITEM_TOKEN, OPENS, node)
            if line:
                self.line.text(self.style, self.link_of(True), first)
                self.line.last = last
                self.stream.add_text(line)
                self.line.end_text()
            if not line or items:
                self.flush()
            else:
                self.line.line_end()
            if items:
                self.stream.add_token(ITEM_TOKEN, CLOSES, node)
        if items:
            self.stream.add_token(LIST_TOKEN, CLOSES, node)
        return self.flush()

    cdef int whole_listing(self, int node, int end) except -1:
        """Add an element to the tokens as a listing."""
        cdef TokenRow *token
        cdef str text
        self.flush()
        first, last, text = preformatted(self.kept.pruned, self.names, node, end)
        self.skip = end
        if text and node in self.inserts.prose:
            return self.write_prose(node, first, last, text)
        if text:
            token = self.emit(CODE_TOKEN, node)
            token.first, token.last, token.start = first, last, self.stream.text.used
            self.stream.add_text(text)
            token.end = self.stream.text.used
            self.stream.languages[self.stream.token_count - 1] = self.inserts.languages.get(node, "")
        return 0

    cdef bint is_listing(self, int node, int end) except -1:
        """Whether an element of inline code has several lines, and its block nothing else."""
        if not is_empty(self.line) or not self.contains("breaks", end):
            return False
        return not self.page.text[self.text_end[node] : self.text_end[self.holder]].strip()

    cdef TokenRow *emit(self, int kind, int node) except NULL:
        """Add a leaf to the tokens."""
        self.containers.end_list()
        self.leaves += 1
        return self.stream.add_token(kind, IS_LEAF, node)

    cdef int emit_line(self, int kind, int node, int level) except -1:
        """Add what has been collected as a leaf to the tokens."""
        cdef TokenRow *token = self.emit(kind, node)
        token.level, token.first, token.last = level, self.line.first, self.line.last
        token.start = self.line.start
        token.end = self.line.take()
        return 0

    cdef int end_paragraph(self) except -1:
        """End the paragraph that has been collected, unless it is the number of the next: `<b>1.</b><p>Rinse</p>`."""
        if self.in_line or not self.is_number():
            return self.flush()
        self.line.is_spaced = True
        return 0

    cdef bint is_number(self) noexcept:
        """Whether the line is a number up to 999 and a full stop or a bracket, and nothing else."""
        cdef const RunRow *run
        cdef Py_ssize_t at, last
        if self.stream.run_count != self.line.start + 1:
            return False
        run = &self.stream.runs[self.line.start]
        last = run.end - 1
        if run.kind != TEXT_RUN or not 1 <= last - run.start <= 3:
            return False
        for at in range(run.start, last):
            if not c"0" <= self.stream.text.points[at] <= c"9":
                return False
        return self.stream.text.points[last] == c"." or self.stream.text.points[last] == c")"

    cdef int flush(self) except -1:
        """End the paragraph that has been collected."""
        if self.in_line or is_empty(self.line):
            return 0
        return self.emit_line(CAPTION_TOKEN if self.captions else PARAGRAPH_TOKEN, self.holder, 0)

    cdef int point(self) except -1:
        """Find the columns; raises ValueError if they do not fit together."""
        cdef object blocks = self.kept.labels.blocks, nodes = self.kept.pruned.nodes, classes = blocks.char_class
        cdef Page page
        cdef Blocks rows
        cdef Py_ssize_t index
        read_blocks(blocks, &page, &rows)
        self.tag, self.parent, self.end, self.text_start, self.text_end = (
            page.tag, page.parent, page.end, page.start, page.stop)
        self.source, self.char_class, self.nodes = rows.source, as_u8(classes), as_i64(nodes)
        self.text, self.count, self.size = blocks.text, size_of(nodes), rows.chars
        self.kind, self.characters = PyUnicode_KIND(self.text), PyUnicode_DATA(self.text)
        if len(self.names) != self.count or len(self.text) != self.size or size_of(classes) != self.size:
            raise ValueError("the columns of the blocks do not fit their page")
        for index in range(page.n):  # elsewhere, blocks have one space at a time
            self.has_pre |= (flags_of[self.tag[index]] & PRE) != 0
        for index in range(self.count):
            if not 0 < self.nodes[index] < page.n or (index and self.nodes[index] <= self.nodes[index - 1]):
                raise ValueError("the kept nodes do not ascend")
        self.linked = <int *>calloc(page.n, sizeof(int))
        if self.linked is NULL:
            raise MemoryError
        return 0
