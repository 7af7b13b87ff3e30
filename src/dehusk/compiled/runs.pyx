"""Twin of `dehusk.write.runs.Line`, for `tokens`."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_READ_CHAR, Py_UNICODE_ISSPACE

cdef object Run, RUN_KINDS, KIND_TEXT


cdef int load() except -1:
    """Find the classes of the layer above, at the first use: they cannot be imported before it is."""
    global Run, RUN_KINDS, KIND_TEXT
    if Run is None:
        from dehusk.write import tokens
        KIND_TEXT = tokens.RunKind.TEXT
        RUN_KINDS = (tokens.RunKind.TEXT, tokens.RunKind.BREAK, tokens.RunKind.IMAGE)
        Run = tokens.Run
    return 0


cdef bint is_same(Row *row, int style, int link) noexcept:
    """Whether text of a style and link continues a run."""
    return row.kind == TEXT and row.style == style and row.link == link


cdef class Line:
    """The runs of one leaf of the content, collected in document order."""

    def __cinit__(self):
        load()
        self.texts, self.parts = [], []
        self.first = self.last = -1

    def __dealloc__(self):
        PyMem_Free(self.rows)

    cdef int text(self, str text, int style, int link, int node) except -1:
        """Add text without white space at its ends."""
        self.separate(style, link)
        self.first = node if self.first < 0 else self.first
        self.last = node
        if self.count and is_same(&self.rows[self.count - 1], style, link):
            self.parts.append(text)
        else:
            self.add(TEXT, text, style, link, -1)
        self.rows[self.count - 1].ends_in_space = Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, len(text) - 1))
        return 0

    cdef int image(self, str alt, int style, int link, int node) except -1:
        """Add an image."""
        self.separate(style, link)
        return self.add(IMAGE, alt, style, link, node)

    cdef bint line_end(self) except -1:
        """End the line; return False, without effect, if the line is already at its start."""
        if not self.count or self.rows[self.count - 1].kind == BREAK:
            return False
        self.add(BREAK, "\n", 0, -1, -1)
        self.is_spaced = False
        return True

    cdef bint ends_in_image(self) noexcept:
        """Whether the last run is an image that no text touches, so that a space does not part a word."""
        cdef Py_ssize_t index = self.count
        while index and self.rows[index - 1].kind == IMAGE:
            index -= 1
        if index == self.count:
            return False
        return not index or self.rows[index - 1].kind == BREAK or self.rows[index - 1].ends_in_space

    cdef bint is_only_images(self) noexcept:
        cdef Py_ssize_t index
        for index in range(self.count):
            if self.rows[index].kind != IMAGE:
                return False
        return True

    cdef list take(self):
        """Return the runs, without line ends after the last text, and start anew."""
        cdef list runs = []
        cdef Py_ssize_t index
        cdef Row *row
        if self.count:
            self.texts.append("".join(self.parts))
        while self.count and self.rows[self.count - 1].kind == BREAK:
            self.count -= 1
        for index in range(self.count):
            row = &self.rows[index]
            if row.kind == TEXT and not row.style and row.link < 0:
                runs.append(Run(KIND_TEXT, self.texts[index]))
            else:
                runs.append(Run(RUN_KINDS[row.kind], self.texts[index], row.style, row.link, row.node))
        self.texts, self.parts = [], []
        self.count = 0
        self.is_spaced = False
        self.first = self.last = -1
        return runs

    cdef int add(self, int kind, str text, int style, int link, int node) except -1:
        cdef Row *grown
        if self.count == self.room:
            grown = <Row *>PyMem_Realloc(self.rows, (2 * self.room + 16) * sizeof(Row))
            if grown is NULL:
                raise MemoryError
            self.rows, self.room = grown, 2 * self.room + 16
        if self.count:
            self.texts.append("".join(self.parts) if len(self.parts) > 1 else self.parts[0])
        self.parts = [text]
        self.rows[self.count] = Row(kind, style, link, node, False)
        self.count += 1
        return 0

    cdef int separate(self, int style, int link) except -1:
        """Write the space that is due in the styles and the link that both sides share."""
        cdef Row *last
        cdef int shared, inside
        if self.is_spaced and self.count and self.rows[self.count - 1].kind != BREAK:
            last = &self.rows[self.count - 1]
            shared = last.style & style
            inside = link if link == last.link else -1
            if is_same(last, shared, inside):
                self.parts.append(" ")
            else:
                self.add(TEXT, " ", shared, inside, -1)
            self.rows[self.count - 1].ends_in_space = True
        self.is_spaced = False
        return 0
