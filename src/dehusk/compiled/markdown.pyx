"""Twin of `dehusk.write.markdown.written`: tokens to Markdown, line by line.

Pages with formulas or footnotes, and those whose addresses or marks may be out of bounds, are left to that function.
"""

from dehusk.compiled.markdown_lines cimport LineWriter, cell_line, guarded, heading_line

cdef enum:
    STRONG = 1
    OTHER = 0
    QUOTE = 1
    LIST = 2
    ITEM = 3

cdef object writing  # dehusk.write.markdown
cdef object kind_code, kind_table, kind_rule, kind_heading, kind_term, kind_list, kind_item, kind_quote, kind_note
cdef object run_image, run_formula, run_reference, run_text
cdef object find_rows, References


cdef int load() except -1:
    """Find the functions and kinds of the layer above, at the first use: they cannot be imported before it is."""
    global writing, find_rows, References
    global kind_code, kind_table, kind_rule, kind_heading, kind_term, kind_list, kind_item, kind_quote, kind_note
    global run_image, run_formula, run_reference, run_text
    if writing is None:
        from dehusk.write import markdown, references, table_grids, tokens
        kinds, runs = tokens.TokenKind, tokens.RunKind
        kind_code, kind_table, kind_rule, kind_heading = kinds.CODE, kinds.TABLE, kinds.RULE, kinds.HEADING
        kind_term, kind_list, kind_item, kind_quote = kinds.TERM, kinds.LIST, kinds.ITEM, kinds.QUOTE
        kind_note, run_image, run_formula = kinds.NOTE, runs.IMAGE, runs.FORMULA
        run_reference, run_text = runs.REFERENCE, runs.TEXT
        find_rows, References = table_grids.table_rows, references.References
        writing = markdown
    return 0


cdef class Frame:
    """A container that lines are in."""

    cdef int kind
    cdef str marker
    cdef str prefix
    cdef bint is_fresh
    cdef bint is_tight
    cdef object number
    cdef str delimiter


cdef Frame new_frame(int kind):
    cdef Frame frame = Frame.__new__(Frame)
    frame.kind, frame.marker, frame.prefix, frame.is_fresh, frame.is_tight = kind, "", "", True, False
    frame.number, frame.delimiter = None, ""
    return frame


cdef Frame last(list frames):
    """Return the innermost container."""
    if not frames:
        raise IndexError("an item or the end of a container outside of any container")
    return <Frame>frames[len(frames) - 1]


cdef class Writer:
    """The lines that are written and the containers that are open."""

    cdef LineWriter inline
    cdef list lines
    cdef list frames
    cdef Py_ssize_t to_spend
    cdef Frame closed_list

    cdef int open(self, object token, bint is_tight) except -1:
        cdef Frame frame = new_frame(OTHER), items
        kind = token.kind
        if kind is kind_quote:
            frame.kind, frame.marker, frame.prefix = QUOTE, "> ", "> "
        elif kind is kind_list:
            frame.kind, frame.is_tight, frame.number = LIST, is_tight, token.start
            frame.delimiter = self.delimiter(token.start is not None)
        elif kind is kind_item:
            items = last(self.frames)
            frame.kind, frame.is_tight = ITEM, items.is_tight
            if items.number is None:
                frame.marker = items.delimiter
            else:
                frame.marker = f"{min(max(items.number, 0), 999_999_999)}{items.delimiter}"
                items.number += 1
            frame.prefix = " " * len(frame.marker)
        self.frames.append(frame)
        self.closed_list = None
        return 0

    cdef str delimiter(self, bint ordered):
        """Return the delimiter of a list, another one than that of a list just before it."""
        cdef str first = ". " if ordered else "- ", second = ") " if ordered else "* "
        return second if self.closed_list is not None and self.closed_list.delimiter == first else first

    cdef int close(self) except -1:
        cdef Frame frame = <Frame>self.frames.pop()
        self.closed_list = frame if frame.kind == LIST else None
        return 0

    cdef int leaf(self, object token) except -1:
        cdef list lines = self.lines_of(token)
        cdef Py_ssize_t marks = 0, index
        cdef Frame frame
        cdef bint marked
        if not lines:
            return 0
        for frame in self.frames:
            marks += max(len(frame.marker), len(frame.prefix))
        if marks * (<Py_ssize_t>len(lines) + 1) > self.to_spend:
            self.to_spend = 0
        marked = marks <= self.to_spend
        if self.lines and not (marked and self.follows_tightly()):
            self.write("", self.start(True) if marked else "")
        self.write(<str>lines[0], self.start(False) if marked else "")
        for frame in self.frames:
            frame.is_fresh = False
        if len(lines) > 1:
            start = self.start(False) if marked else ""
            for index in range(1, len(lines)):
                self.write(<str>lines[index], start)
        return 0

    cdef str start(self, bint is_empty):
        """Return the marks of a line; of an empty line before a leaf, those of containers that have a line already."""
        cdef Frame frame
        if not self.frames:
            return ""
        cdef list marks = []
        for frame in self.frames:
            if not frame.is_fresh:
                marks.append(frame.prefix)
            elif not is_empty:
                marks.append(frame.marker)
        return "".join(marks)

    cdef int write(self, str line, str start) except -1:
        self.to_spend -= len(start)
        self.lines.append(start + line if line else start.rstrip())
        return 0

    cdef bint follows_tightly(self) except -1:
        """Whether a leaf starts on the line after what is before it."""
        cdef Py_ssize_t index
        cdef Frame frame
        for index in range(len(self.frames)):
            frame = <Frame>self.frames[index]
            if frame.is_fresh:
                if frame.kind == ITEM:
                    return frame.is_tight
                return frame.kind == LIST and index > 0 and (<Frame>self.frames[index - 1]).is_tight
        return False

    cdef list lines_of(self, object token):
        """Return the lines of a leaf."""
        cdef str text
        kind = token.kind
        if kind is kind_code:
            return writing._fenced(token)
        if kind is kind_table:
            return self.table(token)
        if kind is kind_rule:
            return ["___" if self.frames and last(self.frames).is_fresh else "---"]
        if kind is kind_heading:
            text = self.inline.line(token.runs, 0, STRONG if is_strong(token.runs) else 0)
            return [f"{'#' * token.level} {heading_line(text)}"] if text else []
        text = self.inline.line(token.runs, STRONG if kind is kind_term else 0, 0)
        if not text:
            return []
        return text.split("\n") if "\n" in text else [text]

    cdef list table(self, object token):
        cdef list rows = [], lines, cells
        cdef bint has_text = False
        for row in find_rows(token):
            cells = [cell_line(self.inline.line(cell.runs, 0, 0)) if cell else "" for cell in row]
            has_text = has_text or any(cells)
            rows.append(cells)
        if not has_text:
            return []
        lines = [f"| {' | '.join(cells)} |" for cells in rows]
        lines.insert(1, f"|{' --- |' * len(rows[0])}")
        return lines


cdef bint is_strong(object runs) except -1:
    """Whether all texts of a heading are strong."""
    for run in runs:
        if run.kind is run_text and not run.style & STRONG and run.text.strip():
            return False
    return True


cdef set tight_lists(list tokens):
    """`_tight_lists`."""
    cdef set tight = set()
    cdef list open_at = []
    cdef Py_ssize_t index
    before = None
    for index in range(len(tokens)):
        token = tokens[index]
        if token.edge < 0:
            open_at.pop()
            before = token
            continue
        if open_at:
            parent = tokens[<Py_ssize_t>open_at[len(open_at) - 1]]
            if parent.kind is kind_item and before is not parent:
                if not (token.kind is kind_list and (token.start is None or token.start == 1)):
                    tight.discard(open_at[len(open_at) - 2] if len(open_at) > 1 else -1)
        if token.edge > 0:
            if token.kind is kind_list:
                tight.add(index)
            open_at.append(index)
        before = token
    return tight


cdef bint add_runs(object runs, set images, dict links) except -1:
    """Note the images and links of some runs; return whether there are formulas or references among them."""
    for run in runs:
        kind = run.kind
        if kind is run_image:
            images.add(run.node)
        elif kind is run_formula or kind is run_reference:
            return True
        if run.link >= 0:
            links[run.link] = None
    return False


def written(object labels, list tokens, object options):
    load()
    if options.posts != "plain" or options.links == "footnotes":
        return NotImplemented
    cdef set images = set()
    cdef dict links = {}
    for token in tokens:
        if token.kind is kind_note or add_runs(token.runs, images, links):
            return NotImplemented
        for row in token.rows:
            for cell in row.cells:
                if add_runs(cell.runs, images, links):
                    return NotImplemented
    page = labels.blocks.page
    references = References(page, options, images)
    references.look_up(links)
    cdef Writer writer = Writer.__new__(Writer)
    writer.inline, writer.lines, writer.frames = LineWriter(references), [], []
    writer.to_spend = writing._PREFIX_SHARE * len(page.elements.text) + writing._SPARE
    cdef set tight = tight_lists(tokens) if tokens else set()
    cdef Py_ssize_t index
    cdef int edge
    for index in range(len(tokens)):
        token = tokens[index]
        edge = token.edge
        if edge == 0:
            writer.leaf(token)
            writer.closed_list = None
        elif edge > 0:
            writer.open(token, index in tight)
        else:
            writer.close()
    if writer.inline.spent >= references.room:
        return NotImplemented
    return "\n".join(writer.lines) + "\n" if writer.lines else ""
