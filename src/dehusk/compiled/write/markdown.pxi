"""Markdown from tokens, line by line; `dehusk.write.markdown` says how its elements are written."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free

from dehusk.compiled.buffers cimport Buffer, append, append_ascii, append_part, repeat
from dehusk.compiled.first_use cimport once
from dehusk.compiled.text cimport text_of_points
from dehusk.compiled.tokens cimport (
    CAPTION_TOKEN, CODE_TOKEN, FORMULA_RUN, HEADING_TOKEN, IMAGE_RUN, IS_LEAF, ITEM_TOKEN, LIST_TOKEN, NOTE_TOKEN,
    OPENS, PARAGRAPH_TOKEN, QUOTE_TOKEN, RULE_TOKEN, TABLE_TOKEN, TERM_TOKEN, TEXT_RUN, CellRow, RunRow, Stream,
    TableRowRow, TokenRow, grow, stream_of,
)

cdef enum:
    FIRST_HEADINGS = 3  # of the links in headings, one of which may be the title of the page
    POST_LEVEL = 3  # of the heading of a post that is no reply
    LONG_CAPTION = 200  # characters of the caption of a table that is strong, at most; set by hand

cdef object writing, find_rows, most_cells, References, attributing, WriteOptions


cdef bint _markdown_ready = False


cdef int prepare_markdown() except -1:
    """Find the functions of the layer above, at the first use: they cannot be imported before it is."""
    global writing, find_rows, most_cells, References, attributing, WriteOptions
    from dehusk.write import attribution, bounds, markdown, options, references, table_grids
    find_rows, References, most_cells = table_grids.table_rows, references.References, bounds.most_cells
    writing, attributing, WriteOptions = markdown, attribution, options.WriteOptions
    return 0


cdef class Writer:
    """What is written, and the containers that are open."""

    cdef Stream stream
    cdef LineWriter inline
    cdef Buffer out
    cdef Buffer leaf_text  # the lines of a leaf, one after the other
    cdef Py_ssize_t *ends  # of these lines
    cdef Py_ssize_t line_count, line_room
    cdef Frame *frames
    cdef Py_ssize_t depth, room, to_spend
    cdef char closed_list  # the sign of a list that has just ended, 0 for none
    cdef bint has_lines
    cdef object posts  # an `Attribution`, None if posts are not marked
    cdef bint quotes_posts, lines_posts  # whether posts are quotes, or start with a line; else with a heading
    cdef Py_ssize_t quote, next_quote  # levels of quotes that a post is in: of the last line, of the next leaf
    cdef Py_ssize_t quoted  # containers around these quotes
    cdef bint is_dialogue  # whether a dash at the start of a paragraph is that of speech
    cdef Py_ssize_t typed_at  # the last token if it has a mark that an author typed, -1 if not
    cdef Py_ssize_t indented  # items around the last post that is no reply

    def __dealloc__(self):
        free(self.out.points)
        free(self.leaf_text.points)
        free(self.ends)
        free(self.frames)

    def part(self, list tokens):
        """Return some tokens, which are balanced, as Markdown; later parts have what is left of the bounds."""
        self.stream.load(tokens)
        self.out.used = self.depth = self.closed_list = self.has_lines = self.indented = 0
        self.typed_at = -1
        return self.markdown()

    cdef str markdown(self):
        """Return the tokens as Markdown; unless empty, it ends with a line end."""
        find_tight_lists(self.stream)
        find_cards(self.stream)
        flatten_posts(self.stream, self.posts)
        join_items(self.stream, self.posts)
        join_pairs(self.stream, self.posts)
        drop_told_alts(self.stream)
        self.is_dialogue = has_speech(self.stream)
        self.write()
        notes = self.inline.references.notes
        repeat(&self.out, 10, len(notes) > 0)
        for address, label in notes.items():
            note = f"\n[^{label}]: {address}"
            append(&self.out, note, 0, len(note))
        repeat(&self.out, 10, self.has_lines)
        return text_of_points(self.out.points, self.out.used)

    cdef int write(self) except -1:
        """Write all tokens."""
        cdef Py_ssize_t index
        cdef const TokenRow *token
        cdef const Frame *frame
        for index in range(self.stream.token_count):
            token = &self.stream.tokens[index]
            if token.edge == IS_LEAF:
                if self.posts is None or index not in self.posts.lines:
                    self.post(index)
                    self.leaf(token, index)
                self.closed_list = self.sign_of_item() if self.typed_at == index else 0
            elif token.edge == OPENS:
                if self.posts is not None and index in self.posts.openings:
                    self.post(index)
                self.open(token)
            else:
                frame = self.innermost()
                self.closed_list = frame.sign if frame.kind == LIST_TOKEN else 0
                self.depth -= 1
        return 0

    cdef int post(self, Py_ssize_t index) except -1:
        """Start the post that starts with a leaf, and end the quote of a post before a leaf outside of posts."""
        cdef Py_ssize_t run
        cdef int level, kind
        cdef TokenRow token
        if self.posts is None:
            return 0
        level, opening = self.posts.levels.get(index, -1), self.posts.openings.get(index)
        if self.quotes_posts and (opening is not None or level < 0):
            self.quote, self.next_quote, self.quoted = 0, level + 1, self.depth
        if opening is not None:
            kind = HEADING_TOKEN if not (self.quotes_posts or self.lines_posts) else PARAGRAPH_TOKEN
            run = self.signature(opening[0], opening[1], level)
            token = TokenRow(
                kind, IS_LEAF, 0, min(POST_LEVEL + level, 6), -1, -1, False, 0, run, self.stream.run_count, -1,
                False, False, False, False, 0,
            )
            self.leaf(&token, -1)
        return 0

    cdef Py_ssize_t signature(self, str name, str date, int level) except -1:
        """Add what a post starts with, by name or date or both; return the index of its first run."""
        cdef Py_ssize_t first = self.stream.run_count
        cdef str comma = ", " if name and date else ""
        if not self.lines_posts:
            self.stream.add_text_run(name + comma + date, STRONG if self.quotes_posts else 0)
            return first
        self.stream.add_text_run("\u21b3 " * self.arrows(level), 0)
        if name:
            self.stream.add_text_run(name, STRONG)
        if date:
            self.stream.add_text_run(comma + date, 0)
        return first

    cdef Py_ssize_t arrows(self, int level) noexcept:
        """Return how many levels of a reply the indentation of nested lists does not show."""
        cdef Py_ssize_t index, items = 0
        for index in range(self.depth):
            items += self.frames[index].kind == ITEM_TOKEN and self.frames[index].width > 0
        if not level:
            self.indented = items
        return max(level - max(items - self.indented, 0), 0)

    cdef int title(self, str title) except -1:
        """Write a title before the tokens."""
        cdef Py_ssize_t run = self.stream.add_text_run(title, 0)
        append_ascii(&self.out, b"# ", 2)
        self.write_within(run, run + 1, 0, &self.out)
        end_heading(&self.out, 2)
        return repeat(&self.out, 10, 2)

    cdef int write_within(self, Py_ssize_t start, Py_ssize_t end, int drop, Buffer *out) except -1:
        """Append runs behind the sign of a heading or a cell."""
        self.inline.is_within_line = True
        self.inline.line(start, end, 0, drop, out)
        self.inline.is_within_line = False
        return 0

    cdef Frame *innermost(self) except NULL:
        """Return the innermost container."""
        if not self.depth:
            raise IndexError("an item or the end of a container outside of any container")
        return &self.frames[self.depth - 1]

    cdef int open(self, const TokenRow *token) except -1:
        cdef Frame *items
        cdef Frame frame = Frame(token.kind, True, False, False, False, 0, 0, 0, token.start, token.end)
        if token.kind == QUOTE_TOKEN:
            frame.width = 2
        elif token.kind == NOTE_TOKEN:
            frame.width = token.end - token.start + 5
        elif token.kind == LIST_TOKEN:
            frame.is_tight = token.is_tight and not token.is_cards  # whose headings stand alone
            frame.is_ordered, frame.number = token.is_ordered, token.number
            frame.sign = 0 if token.is_cards else c"." if token.is_ordered else c"-"
            if frame.sign and self.closed_list == frame.sign:  # or the two lists would become one
                frame.sign = c")" if token.is_ordered else c"*"
        elif token.kind == ITEM_TOKEN:
            items = self.innermost()
            frame.is_tight, frame.is_ordered = items.is_tight, items.is_ordered and items.kind == LIST_TOKEN
            frame.sign = items.sign if items.kind == LIST_TOKEN else 0
            frame.width = 2 if frame.sign else 0
            frame.is_section = not frame.sign or (token.headings > 1 and not token.is_headed)
            if frame.is_ordered:
                frame.number = min(max(items.number, 0), 999_999_999)
                frame.width += digits_of(frame.number)
                items.number += 1
        grow(<void **>&self.frames, &self.room, self.depth, sizeof(Frame))
        self.frames[self.depth] = frame
        self.depth += 1
        self.closed_list = 0
        return 0

    cdef int leaf(self, const TokenRow *token, Py_ssize_t number) except -1:
        cdef Py_ssize_t marks = 2 * self.next_quote, index, start = 0
        cdef Py_ssize_t note = 0  # the frames up to the innermost footnote
        cdef bint marked, starts_note = False
        cdef const Frame *frame
        self.leaf_text.used = self.line_count = 0
        for index in range(self.depth):
            frame = &self.frames[index]
            marks += frame.width
            if frame.kind == NOTE_TOKEN:
                note = index + 1
                starts_note |= frame.is_fresh
        if starts_note and is_line(token):
            self.hide_address(token)
        self.write_lines(token, number)
        if not self.line_count:
            return 0
        # once the marks are as long as the page, leaves are written without; all lines of one have them, or none
        if marks * (self.line_count + 1) > self.to_spend:
            self.to_spend = 0
        marked = marks <= self.to_spend
        if self.has_lines and not (marked and self.follows_tightly()):
            self.write_line(0, 0, marked, True, self.depth)
        self.quote = self.next_quote
        if starts_note and token.kind == CODE_TOKEN:  # the label is on a line of its own
            for index in range(2):
                self.write_line(0, 0, marked, False, note)
                self.start_frames(note)
        for index in range(self.line_count):
            self.write_line(start, self.ends[index], marked, False, self.depth)
            start = self.ends[index]
            self.start_frames(self.depth)
        return 0

    cdef int hide_address(self, const TokenRow *token) except -1:
        """Make the first text of a footnote code if it starts like an address.

        Readers of Markdown that have no footnotes take `[^1]: scheme:…` for the address of a link.
        """
        cdef RunRow *run
        if token.start < token.end:
            run = &self.stream.runs[token.start]
            if run.kind == TEXT_RUN and writing._SCHEME.match(self.stream.text_at(run.start, run.end)):
                run.style |= CODE
        return 0

    cdef int start_frames(self, Py_ssize_t depth) noexcept:
        cdef Py_ssize_t index
        for index in range(depth):
            self.frames[index].is_fresh = False

    cdef int write_line(
        self, Py_ssize_t start, Py_ssize_t end, bint marked, bint before_leaf, Py_ssize_t depth
    ) except -1:
        """Write a line of the leaf, or an empty one, with the marks of the outer `depth` containers.

        The one before a leaf lacks the marks of containers without a line.
        """
        cdef Buffer *out = &self.out
        cdef Py_ssize_t index, begun, outer = 0
        cdef const Frame *frame
        repeat(out, 10, self.has_lines)
        self.has_lines = True
        begun = out.used
        if marked:
            for index in range(depth):
                frame = &self.frames[index]
                if not (before_leaf and frame.is_fresh):
                    if outer == self.quoted:
                        write_quotes(out, self.quote)
                    write_marks(out, &self.stream.text, frame)
                    outer += 1
            if outer <= self.quoted:
                write_quotes(out, self.quote)
        self.to_spend -= out.used - begun
        if start < end:
            return append_part(out, &self.leaf_text, start, end)
        while out.used > begun and out.points[out.used - 1] == 32:
            out.used -= 1
        return 0

    cdef bint follows_tightly(self) noexcept:
        """Whether a leaf starts on the line after what is before it."""
        cdef Py_ssize_t index
        cdef const Frame *frame
        for index in range(self.depth):
            frame = &self.frames[index]
            if frame.is_fresh:
                if frame.kind == ITEM_TOKEN:
                    return frame.is_tight
                return frame.kind == LIST_TOKEN and index > 0 and self.frames[index - 1].is_tight
        return False

    cdef int end_line(self) except -1:
        """End a line of the leaf."""
        grow(<void **>&self.ends, &self.line_room, self.line_count, sizeof(Py_ssize_t))
        self.ends[self.line_count] = self.leaf_text.used
        self.line_count += 1
        return 0

    cdef int write_lines(self, const TokenRow *token, Py_ssize_t number) except -1:
        """Write the lines of a leaf."""
        cdef Buffer *text = &self.leaf_text
        cdef Py_ssize_t start
        self.inline.last_item = NO_MARK
        if token.kind == CODE_TOKEN:
            return self.fenced(token, self.stream.languages.get(number, ""))
        if token.kind == TABLE_TOKEN:
            return self.table(token)
        if token.kind == RULE_TOKEN:
            repeat(text, 95 if self.depth and self.innermost().is_fresh else 45, 3)
            return self.end_line()
        if token.kind == HEADING_TOKEN and number >= 0 and not self.may_head():
            self.inline.line(token.start, token.end, 0 if self.innermost().is_tight else STRONG, 0, text)
            return self.split_lines(0) if text.used else 0
        if token.kind == HEADING_TOKEN:
            repeat(text, 35, token.level)
            repeat(text, 32, 1)
            start = text.used
            self.write_within(token.start, token.end, STRONG if is_strong(self.stream, token) else 0, text)
            if text.used > start:
                end_heading(text, start)
                self.end_line()
            return 0
        self.look_for_items(token, number)
        self.inline.line(token.start, token.end, STRONG if self.is_title(token, number) else 0, 0, text)
        self.typed_at = number if self.inline.last_item != NO_MARK else -1
        self.inline.may_list = self.inline.is_item = False
        return self.split_lines(0) if text.used else 0

    cdef bint is_title(self, const TokenRow *token, Py_ssize_t number) noexcept:
        """Whether a leaf is a strong line: a term, or a short caption of the table that follows."""
        if token.kind != CAPTION_TOKEN:
            return token.kind == TERM_TOKEN
        if not 0 <= number < self.stream.token_count - 1 or token[1].kind != TABLE_TOKEN:
            return False
        return is_few(self.stream, token, LONG_CAPTION)

    cdef int look_for_items(self, const TokenRow *token, Py_ssize_t number) noexcept:
        """Find out whether the lines of a leaf may be items that an author typed, and what is after them."""
        cdef const TokenRow *after = token + 1
        cdef const RunRow *run
        cdef bint goes_on = number > 0 and self.typed_at == number - 1
        self.inline.may_list = token.kind == PARAGRAPH_TOKEN and number >= 0 and (goes_on or not self.closed_list)
        self.inline.last_item = self.inline.next_mark = NO_MARK
        if not goes_on:
            self.inline.number = self.inline.sign = NO_MARK
        if not 0 <= number < self.stream.token_count - 1 or after.kind != PARAGRAPH_TOKEN or after.edge != IS_LEAF:
            return 0
        run = &self.stream.runs[after.start]
        if after.start < after.end and run.kind == TEXT_RUN and run.link < 0 and not run.style:
            self.inline.next_mark = typed_mark(self.stream.text.points + run.start, run.end - run.start)
            if self.is_dialogue and self.inline.next_mark == -<int64_t>c"-":
                self.inline.next_mark = NO_MARK
        return 0

    cdef char sign_of_item(self) noexcept:
        """Return the sign of the list of the last item that an author typed."""
        if self.inline.last_item > NO_MARK:
            return c")" if self.inline.last_item >= BRACKET else c"."
        return <char>-self.inline.last_item

    cdef bint may_head(self) noexcept:
        """Whether a heading here has its mark: outside of lists, in a card, and in prose with several."""
        cdef Py_ssize_t index
        for index in range(self.depth):
            if self.frames[index].kind == ITEM_TOKEN and not self.frames[index].is_section:
                return False
        return True

    cdef int split_lines(self, Py_ssize_t start) except -1:
        """End a line wherever a line of the leaf's text ends, from a place on."""
        cdef Buffer *text = &self.leaf_text
        cdef Py_ssize_t index, kept = start
        for index in range(start, text.used):
            if text.points[index] == 10:
                grow(<void **>&self.ends, &self.line_room, self.line_count, sizeof(Py_ssize_t))
                self.ends[self.line_count] = kept
                self.line_count += 1
            else:
                text.points[kept] = text.points[index]
                kept += 1
        text.used = kept
        return self.end_line()

    cdef int fenced(self, const TokenRow *token, str language) except -1:
        """A listing between fences."""
        cdef Buffer *text = &self.leaf_text
        cdef Py_ssize_t ticks = max(longest_ticks(&self.stream.text, token.start, token.end), 2) + 1, start
        repeat(text, 96, ticks)
        append(text, language, 0, len(language))
        self.end_line()
        start = text.used
        append_part(text, &self.stream.text, token.start, token.end)
        self.split_lines(start)
        repeat(text, 96, ticks)
        return self.end_line()

    cdef int table(self, const TokenRow *token) except -1:
        """A table, unless it is empty."""
        cdef Py_ssize_t at, index, most = 0, cells = 0
        cdef bint is_plain = True, has_text = False
        cdef const TableRowRow *row
        cdef list grid
        for at in range(token.start, token.end):
            row = &self.stream.rows[at]
            most, cells = max(most, row.end - row.start), cells + row.end - row.start
            for index in range(row.start, row.end):
                is_plain = is_plain and self.stream.cells[index].columns == 1 and self.stream.cells[index].rows == 1
        if is_plain and (token.end - token.start) * most <= <Py_ssize_t>most_cells(cells):
            if self.has_labels(token):
                self.table_row([-1] * most)  # the first row is no head
            for at in range(token.start, token.end):
                row = &self.stream.rows[at]
                has_text |= self.table_row([*range(row.start, row.end), *[-1] * (most - row.end + row.start)])
        else:
            grid = find_rows(self.stream.table_object(<TokenRow *>token, True))
            for each in grid:
                has_text |= self.table_row([-1 if cell is None else cell.node for cell in each])
        if not has_text:
            self.line_count = 0
        return 0

    cdef bint has_labels(self, const TokenRow *token) noexcept:
        """Whether each row of a table starts with its label and has none of a column."""
        cdef Py_ssize_t at, index
        cdef const TableRowRow *row
        cdef const CellRow *cell
        for at in range(token.start, token.end):
            row = &self.stream.rows[at]
            if row.in_head or row.end - row.start < 2:
                return False
            for index in range(row.start, row.end):
                cell = &self.stream.cells[index]
                if cell.is_header != (index == row.start) or cell.columns != 1 or cell.rows != 1:
                    return False
            cell = &self.stream.cells[row.start]
            if cell.start == cell.end:
                return False
        return True

    cdef bint table_row(self, list cells) except -1:
        """Write a row of cells, of which -1 is an empty one; return whether it has text."""
        cdef Buffer *text = &self.leaf_text
        cdef Py_ssize_t start, index
        cdef const CellRow *cell
        cdef bint has_text = False, is_first = True
        append_ascii(text, b"| ", 2)
        for index in cells:
            if not is_first:
                append_ascii(text, b" | ", 3)
            is_first = False
            if index >= 0:
                cell, start = &self.stream.cells[index], text.used
                self.write_within(cell.start, cell.end, 0, text)
                end_cell(text, start)
                has_text |= text.used > start
        append_ascii(text, b" |", 2)
        self.end_line()
        if self.line_count == 1:
            repeat(text, 124, 1)
            for index in range(len(cells)):
                append_ascii(text, b" --- |", 6)
            self.end_line()
        return has_text


cdef Writer writer_of(object labels, Stream stream, object options):
    """Return the writer of the tokens of a page."""
    cdef Writer writer = Writer.__new__(Writer)
    cdef Py_ssize_t index
    cdef bint has_formulas = False
    once(&_markdown_ready, prepare_markdown)
    images, links = set(), {}
    for index in range(stream.run_count):
        if stream.runs[index].kind == IMAGE_RUN:
            images.add(stream.runs[index].node)
        if stream.runs[index].link >= 0:
            links[stream.runs[index].link] = None
        has_formulas = has_formulas or stream.runs[index].kind == FORMULA_RUN
    page = labels.blocks.page
    references = References(page, options, images)
    if links:
        references.look_up(links)
        titles, first = {}, []
        for index in range(stream.token_count):
            if stream.tokens[index].kind == HEADING_TOKEN and sole_link(stream, &stream.tokens[index]) >= 0:
                titles[stream.tokens[index].node] = link = sole_link(stream, &stream.tokens[index])
                if len(first) < FIRST_HEADINGS:
                    first.append((link, text_of_token(stream, &stream.tokens[index])))
        references.drop_own_sections(titles)
        references.drop_own_page(first)
        references.drop_own_files(linked_images(stream))
    writer.stream, writer.inline, writer.typed_at = stream, LineWriter(stream, references), -1
    writer.inline.has_formulas, writer.inline.in_notes = has_formulas, options.links == "footnotes"
    writer.to_spend = writing._PREFIX_SHARE * len(page.elements.text) + writing._SPARE
    style = options.posts or "auto"
    if attributing.shows_posts(labels, style):
        writer.posts = attributing.attribute(labels, stream.token_objects(), style)
    writer.quotes_posts, writer.lines_posts = style == "quotes", style in ("auto", "lines")
    return writer


def content_written(object kept, object options, str title=""):
    cdef Writer writer = writer_of(kept.labels, stream_of(kept), options)
    if title:
        writer.title(title)
    return writer.markdown()


def part_writer(object labels, list tokens, object options=None):
    once(&_markdown_ready, prepare_markdown)
    cdef Stream stream = Stream()
    stream.load(tokens)
    return writer_of(labels, stream, options or WriteOptions(posts="plain")).part
