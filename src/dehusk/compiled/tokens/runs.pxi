"""Collect the runs of a line: fold white space, merge runs, and keep spaces outside of styles."""


from dehusk.compiled.buffers cimport repeat
from dehusk.compiled.unicode cimport Py_UNICODE_ISSPACE


cdef bint is_same(const RunRow *run, int style, int link) noexcept:
    """Whether text of a style and link continues a run."""
    return run.kind == TEXT_RUN and run.style == style and run.link == link


cdef class Line:
    """The runs of one leaf of the content, collected in document order."""

    def __cinit__(self, Stream stream):
        self.stream = stream
        self.first = self.last = -1

    cdef int text(self, int style, int link, int node) except -1:
        """Start a text without white space at its ends: the caller appends it to the stream's, then `end_text`."""
        cdef Stream stream = self.stream
        self.separate(style, link)
        self.first = node if self.first < 0 else self.first
        self.last = node
        if is_empty(self) or not is_same(&stream.runs[stream.run_count - 1], style, link):
            stream.add_run(TEXT_RUN, style, link, -1)
        return 0

    cdef int end_text(self) noexcept:
        self.stream.runs[self.stream.run_count - 1].end = self.stream.text.used
        return 0

    cdef RunRow *atom(self, int kind, str text, int style, int link, int node, int text_node) except NULL:
        """Add an image, a formula or a reference; `text_node` is the first text that it stands for, -1 for none."""
        self.separate(style, link)
        if text_node >= 0:
            self.first = text_node if self.first < 0 else self.first
            self.last = text_node
        self.stream.add_run(kind, style, link, node)
        self.stream.add_text(text)
        self.end_text()
        return &self.stream.runs[self.stream.run_count - 1]

    cdef bint line_end(self) except -1:
        """End the line; return False, without effect, if the line is already at its start."""
        if is_empty(self) or self.stream.runs[self.stream.run_count - 1].kind == BREAK_RUN:
            return False
        self.stream.add_run(BREAK_RUN, 0, -1, -1)
        repeat(&self.stream.text, 10, 1)
        self.end_text()
        self.is_spaced = False
        return True

    cdef bint ends_in_image(self) noexcept:
        """Whether the last run is an image that no text touches, so that a space does not part a word."""
        cdef Py_ssize_t index = self.stream.run_count
        cdef const RunRow *runs = self.stream.runs
        while index > self.start and runs[index - 1].kind == IMAGE_RUN:
            index -= 1
        if index == self.stream.run_count:
            return False
        if index == self.start or runs[index - 1].kind == BREAK_RUN:
            return True
        if runs[index - 1].end == runs[index - 1].start:
            return False
        return Py_UNICODE_ISSPACE(<Py_UCS4>self.stream.text.points[runs[index - 1].end - 1])

    cdef bint is_only_images(self) noexcept:
        cdef Py_ssize_t index
        for index in range(self.start, self.stream.run_count):
            if self.stream.runs[index].kind != IMAGE_RUN:
                return False
        return True

    cdef Py_ssize_t take(self) except -1:
        """Return the end of the runs, without line ends after the last text, and start anew."""
        cdef Py_ssize_t end = self.stream.run_count
        while end > self.start and self.stream.runs[end - 1].kind == BREAK_RUN:
            end -= 1
        self.start = self.stream.run_count
        self.is_spaced = False
        self.first = self.last = -1
        return end

    cdef int separate(self, int style, int link) except -1:
        """Write the space that is due in the styles and the link that both sides share."""
        cdef const RunRow *last
        cdef int shared, inside
        if self.is_spaced and not is_empty(self):
            last = &self.stream.runs[self.stream.run_count - 1]
            if last.kind != BREAK_RUN:
                shared = last.style & style
                inside = link if link == last.link else -1
                if not is_same(last, shared, inside):
                    self.stream.add_run(TEXT_RUN, shared, inside, -1)
                repeat(&self.stream.text, 32, 1)
                self.end_text()
        self.is_spaced = False
        return 0
