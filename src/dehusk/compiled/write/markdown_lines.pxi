"""Write the runs of a line as inline Markdown (CommonMark and GitHub's strikethrough and tables), for `markdown`.

`emphasis` fits the styles to CommonMark's rules, `escapes` escapes what would be markup. What is written for a part of
a line goes to the end of the stream's text, and is cut off when the line is done.
"""

from libc.stdint cimport uint32_t
from libc.stdlib cimport free

from dehusk.compiled.buffers cimport Buffer, append, append_ascii, append_part, repeat
from dehusk.compiled.tokens cimport BREAK_RUN, FORMULA_RUN, IMAGE_RUN, REFERENCE_RUN, TEXT_RUN, RunRow, Stream, grow


cdef class LineWriter:
    def __cinit__(self, Stream stream, references):
        self.stream, self.references = stream, references
        self.number = self.sign = self.next_mark = self.last_item = NO_MARK
        self.addresses, self.room = {}, references.room
        self.outer.text = self.inner.text = &stream.text

    def __dealloc__(self):
        free(self.parts)
        free(self.outer.rows)
        free(self.inner.rows)

    cdef str destination(self, object node, bint is_image):
        """Return the destination of a link or image; None if it has none, or once the addresses are too long."""
        if node not in self.addresses:
            address = self.references.source_of(node) if is_image else self.references.address_of(node)
            self.addresses[node] = (self.references.destination(address), len(address or ""))
        address = self.spend(node)
        return address if self.spent < self.room else None

    cdef str spend(self, object node):
        """Return the destination of a link or image that has been looked up, and count what it costs once more."""
        cdef tuple found = <tuple>self.addresses[node]
        self.spent += <Py_ssize_t>found[1]
        return <str>found[0]

    cdef int line(self, Py_ssize_t start, Py_ssize_t end, int add, int drop, Buffer *out) except -1:
        """Append runs as one or several lines, which end with two spaces; some styles are added, some dropped."""
        cdef Buffer *text = &self.stream.text
        cdef Py_ssize_t used = text.used, index = 0, end_of_link, written
        cdef const Part *part
        self.show(start, end, add, drop)
        self.alone = self.lone_marks()
        if end == start + 1 and self.part_count and not self.has_formulas:
            part = &self.parts[0]
            if part.kind == TEXT_RUN and self.stream.runs[start].link < 0 and not part.style:
                escape(text, part.start, part.end, -1, -1, self.alone)
                self.break_lines(used, out)
                text.used = used
                return 0
        self.outer.count = 0
        while index < self.part_count:
            end_of_link = self.end_of_link(index)
            if end_of_link == index:
                self.piece(&self.parts[index], &self.outer, 0)
                index += 1
            else:
                if self.in_notes:
                    self.refer(index, end_of_link)
                else:
                    self.group(index, end_of_link)
                index = end_of_link
        fit(&self.outer)
        written = text.used
        self.join(&self.outer, 32, 32, False)
        self.break_lines(written, out)
        text.used = used
        return 0

    cdef int show(self, Py_ssize_t start, Py_ssize_t end, int add, int drop) except -1:
        """Find the runs that are shown, adjacent code as one."""
        cdef Buffer *text = &self.stream.text
        cdef Py_ssize_t index
        cdef const RunRow *run
        cdef Part *before
        cdef int style, link
        self.part_count = 0
        for index in range(start, end):
            run = &self.stream.runs[index]
            if run.kind == IMAGE_RUN and self.destination(run.node, True) is None:
                continue
            style = (run.style | add) & ~drop
            link = run.link if run.link >= 0 and self.destination(run.link, False) is not None else -1
            before = &self.parts[self.part_count - 1] if self.part_count else NULL
            if before != NULL and self.joins(before, run.kind, style, link):
                if before.end != run.start:
                    if before.end != text.used:
                        append_part(text, text, before.start, before.end)
                        before.start, before.end = text.used - (before.end - before.start), text.used
                    append_part(text, text, run.start, run.end)
                    before.end = text.used
                else:
                    before.end = run.end
                before.style &= style
            else:
                self.add_part(run.kind, style, link, run.node)
                before = &self.parts[self.part_count - 1]
                before.start, before.end, before.is_display = run.start, run.end, run.is_display
        return 0

    cdef int lone_marks(self) noexcept:
        """Return the marks of emphasis that have no partner in the line, if nothing else writes any.

        There is only one, or white space is before each, so that none ends emphasis, or after each.
        """
        cdef int[2] count = [0, 0], ending = [0, 0], starting = [0, 0]
        cdef Py_ssize_t at, index
        cdef const Part *part
        cdef const uint32_t *points = self.stream.text.points
        cdef uint32_t mark
        cdef bint starts_line, ends_line
        for at in range(self.part_count):
            part = &self.parts[at]
            if part.kind == BREAK_RUN:
                continue
            if part.kind != TEXT_RUN or part.style & OUTER:
                return 0
            starts_line = part.link < 0 and (at == 0 or self.parts[at - 1].kind == BREAK_RUN)
            ends_line = part.link < 0 and (at + 1 == self.part_count or self.parts[at + 1].kind == BREAK_RUN)
            for index in range(part.start, part.end):
                mark = points[index]
                if mark != 42 and mark != 95:
                    continue
                count[mark == 95] += 1
                ending[mark == 95] += not (is_space(<int>points[index - 1]) if index > part.start else starts_line)
                starting[mark == 95] += not (is_space(<int>points[index + 1]) if index + 1 < part.end else ends_line)
        return (ASTERISK if count[0] < 2 or not ending[0] or not starting[0] else 0) | (
            UNDERSCORE if count[1] < 2 or not ending[1] or not starting[1] else 0
        )

    cdef int add_part(self, int kind, int style, int link, int node) except -1:
        grow(<void **>&self.parts, &self.part_room, self.part_count, sizeof(Part))
        self.parts[self.part_count] = Part(kind, style, link, node, False, 0, 0)
        self.part_count += 1
        return 0

    cdef bint joins(self, Part *before, int kind, int style, int link) noexcept:
        """Whether a run is code that goes on with what is before it: the backticks of both would touch."""
        cdef bint is_text = kind == TEXT_RUN and before.kind == TEXT_RUN
        return (style & before.style & CODE) != 0 and is_text and link == before.link

    cdef Py_ssize_t end_of_link(self, Py_ssize_t start) noexcept:
        """Return where the link of a part ends, which may go on after the end of a line; `start` if it has none."""
        cdef Py_ssize_t end = start + 1
        cdef const Part *part = &self.parts[start]
        if part.link < 0:
            return start
        while end < self.part_count:
            if self.parts[end].link != part.link and not (
                self.parts[end].kind == BREAK_RUN
                and end + 1 < self.part_count
                and self.parts[end + 1].link == part.link
            ):
                break
            end += 1
        return end

    cdef int group(self, Py_ssize_t start, Py_ssize_t end) except -1:
        """Add a link as one piece, with the styles that the part before or after it has too."""
        cdef Buffer *text = &self.stream.text
        cdef int shared = OUTER, beside = 0
        cdef Py_ssize_t index, written, first, last
        cdef str address = self.spend(self.parts[start].link)
        for index in range(start, end):
            shared &= self.parts[index].style
        if start:
            beside |= self.parts[start - 1].style
        if end < self.part_count:
            beside |= self.parts[end].style
        self.inner.count = 0
        for index in range(start, end):
            self.piece(&self.parts[index], &self.inner, shared & beside)
        fit(&self.inner)
        first = text.used
        self.join(&self.inner, 91, 93, True)
        last = text.used
        while first < last and is_space(<int>text.points[first]):
            first += 1
        while first < last and is_space(<int>text.points[last - 1]):
            last -= 1
        if first == last:
            return 0
        written = text.used
        repeat(text, 91, 1)
        append_part(text, text, first, last)
        for index in range(written, text.used):
            if text.points[index] == 10:
                text.points[index] = 32
        append_ascii(text, b"](", 2)
        append(text, address, 0, len(address))
        repeat(text, 41, 1)
        return add_piece(&self.outer, written, text.used, shared & beside, True)

    cdef int refer(self, Py_ssize_t start, Py_ssize_t end) except -1:
        """Add the pieces of a link, and a reference to a footnote with its address."""
        cdef Buffer *text = &self.stream.text
        cdef str label = self.references.note(self.spend(self.parts[start].link))
        cdef Py_ssize_t index, written
        for index in range(start, end):
            self.piece(&self.parts[index], &self.outer, 0)
        written = text.used
        append_ascii(text, b"[^", 2)
        append(text, label, 0, len(label))
        repeat(text, 93, 1)
        return add_piece(&self.outer, written, text.used, self.parts[end - 1].style & OUTER, True)

    cdef int piece(self, const Part *part, Pieces *pieces, int without) except -1:
        """Add a part that is no link as a piece, without some styles."""
        cdef Buffer *text = &self.stream.text
        cdef int style = part.style & OUTER & ~without
        cdef Py_ssize_t start = part.start, end = part.end, written = text.used
        cdef str address
        if part.kind == IMAGE_RUN:
            address = self.spend(part.node)
            append_ascii(text, b"![", 2)
            escape(text, start, end, -1, -1, 0)
            balance(text, written + 2)
            append_ascii(text, b"](", 2)
            append(text, address, 0, len(address))
            repeat(text, 41, 1)
            return add_piece(pieces, written, text.used, style, True)
        if part.kind == FORMULA_RUN:
            repeat(text, 36, 1 + part.is_display)
            append_part(text, text, start, end)
            repeat(text, 36, 1 + part.is_display)
            return add_piece(pieces, written, text.used, style, True)
        if part.kind == REFERENCE_RUN:
            append_ascii(text, b"[^", 2)
            append_part(text, text, start, end)
            repeat(text, 93, 1)
            return add_piece(pieces, written, text.used, style, True)
        if part.style & CODE and not is_white(text, start, end):
            write_code(text, start, end)
            return add_piece(pieces, written, text.used, style, True)
        return add_piece(pieces, start, end, style, False)

    cdef int join(self, Pieces *pieces, int before, int after, bint in_link) except -1:
        """Write the pieces with the marks of their styles, between the characters before and after them."""
        cdef Buffer *text = &self.stream.text
        cdef Opened opened
        cdef Py_ssize_t index, start
        cdef Piece piece
        cdef int last, place, started
        opened.count = 0
        for index in range(pieces.count):
            piece = pieces.rows[index]
            last = edge(pieces, index - 1, True) if index else before
            while opened.count and not opened.styles[opened.count - 1] & piece.style:
                opened.count -= 1
                last = mark(text, opened.styles[opened.count])
            if piece.style:
                started = start_styles(pieces, index, &opened)
                for place in range(opened.count - started, opened.count):
                    last = mark(text, opened.styles[place])
            if piece.is_written:
                if last == c"$" and text.points[piece.start] == c"$":  # two formulas side by side
                    repeat(text, 32, 1)
                append_part(text, text, piece.start, piece.end)
                continue
            start = text.used
            if last == 93 and text.points[piece.start] == 40:  # after a link, it would be an address
                repeat(text, 92, 1)
            escape(text, piece.start, piece.end, last, following(pieces, index, after), self.alone)
            if self.has_formulas:
                escape_dollars(text, start)
            if in_link:
                balance(text, start)
        while opened.count:
            opened.count -= 1
            mark(text, opened.styles[opened.count])
        return 0

    cdef int break_lines(self, Py_ssize_t start, Buffer *out) except -1:
        """Append what was written from a place on, line by line, without white space around each."""
        cdef const Buffer *text = &self.stream.text
        cdef Py_ssize_t end, first, last, line = -1
        while start <= text.used:
            end = start
            while end < text.used and text.points[end] != 10:
                end += 1
            first, last = start, end
            while first < last and is_space(<int>text.points[first]):
                first += 1
            while first < last and is_space(<int>text.points[last - 1]):
                last -= 1
            if first < last:
                is_later = line >= 0
                if is_later:
                    end_label(out, line)
                    append_ascii(out, b"  \n", 3)
                line = out.used
                self.look_at_mark(first, last)
                self.add_line(first, last, is_later, out)
            start = end + 1
        return 0

    cdef int look_at_mark(self, Py_ssize_t first, Py_ssize_t last) noexcept:
        """Find out whether a line that is written is an item that the author typed."""
        cdef const Buffer *text = &self.stream.text
        cdef int64_t mark = typed_mark(text.points + first, last - first) if self.may_list else NO_MARK
        self.is_item = mark != NO_MARK and is_typed(
            mark, self.number, self.sign, mark_after(text, last + 1, mark > NO_MARK, self.next_mark)
        )
        if self.is_item and mark > NO_MARK:
            self.number = mark
        elif self.is_item:
            self.sign = mark
        self.last_item = mark if self.is_item else self.last_item
        return 0

    cdef int add_line(self, Py_ssize_t first, Py_ssize_t last, bint is_later, Buffer *out) except -1:
        """Append a line; its start is guarded, not in headings, cells and items, nor numbers but 1 that start none."""
        if self.is_within_line or self.is_item:
            return append_part(out, &self.stream.text, first, last)
        if is_later and self.last_item == NO_MARK and item_number(self.stream.text.points + first, last - first) == 2:
            return append_part(out, &self.stream.text, first, last)
        return guard(&self.stream.text, first, last, out)


cdef int mark(Buffer *text, int style) except -1:
    """Write the mark of a style, and return its character."""
    cdef int char = 126 if style == STRIKE else 42
    repeat(text, char, 2 if style == STRIKE or style == STRONG else 1)
    return char


cdef int following(const Pieces *pieces, Py_ssize_t index, int after) noexcept:
    """Return the character after a piece: of the next piece, or a mark."""
    cdef int style = pieces.rows[index].style
    if index + 1 == pieces.count:
        return 42 if style & OUTER else after
    if (pieces.rows[index + 1].style ^ style) & OUTER:
        return 42
    return edge(pieces, index + 1, False)


cdef bint is_white(const Buffer *text, Py_ssize_t start, Py_ssize_t end) noexcept:
    cdef Py_ssize_t index
    for index in range(start, end):
        if not is_space(<int>text.points[index]):
            return False
    return True


cdef Py_ssize_t longest_ticks(const Buffer *text, Py_ssize_t start, Py_ssize_t end) noexcept:
    """Return the most backticks in a row in a part of a text."""
    cdef Py_ssize_t index, ticks = 0, longest = 0
    for index in range(start, end):
        ticks = ticks + 1 if text.points[index] == 96 else 0
        longest = max(longest, ticks)
    return longest


cdef int write_code(Buffer *text, Py_ssize_t start, Py_ssize_t end) except -1:
    """Append a part of a text to it as inline code."""
    cdef Py_ssize_t ticks = longest_ticks(text, start, end) + 1
    cdef bint is_padded = text.points[start] in (32, 96) or text.points[end - 1] in (32, 96)
    repeat(text, 96, ticks)
    repeat(text, 32, is_padded)
    append_part(text, text, start, end)
    repeat(text, 32, is_padded)
    return repeat(text, 96, ticks)
