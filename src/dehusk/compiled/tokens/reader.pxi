"""Read the kept content of a page as tokens, in one pass over the nodes that `pruning` keeps.

The elements that are open are rows of a stack, not functions to call when they end. What the tokens of a page are is
said in `dehusk.write.token_reader`.
"""

from dehusk.compiled.first_use cimport once

cdef enum:
    LONG_SUMMARY = 200  # characters of what opens a part of the page, from which it is not strong; set by hand

cdef enum:  # what an element is, by its name in the output
    AS_INLINE = 0
    AS_HEADING = 2
    AS_LISTS = 3
    AS_CELL = 4
    AS_SECTION = 5
    AS_LISTING = 6
    AS_ITEM = 7
    AS_TERM = 8
    AS_CAPTION = 9
    AS_FIGCAPTION = 10
    AS_TABLE = 11
    AS_ROW = 12
    AS_ANCHOR = 13
    AS_LINE_END = 14
    AS_RULE = 15
    AS_IMAGE = 16
    AS_CONTAINER = 17
    AS_BLOCK = 18
    AS_SUMMARY = 19
    AS_STYLED = 32  # plus the style

cdef object reader, _whole_number = None
cdef dict MEANING, CONTAINERS
cdef int LEVEL_LIMIT, TH, THEAD, CITE


cdef bint _reader_ready = False


cdef int prepare_reader() except -1:
    """Find the functions and tables of the layer above, at the first use: they cannot be imported before it is."""
    global reader, _whole_number, MEANING, CONTAINERS, LEVEL_LIMIT, TH, THEAD, CITE
    from dehusk.base.tags import HEADINGS, TAG_NUMBER
    from dehusk.read.page import whole_number
    from dehusk.write import safety, token_reader, tokens
    kinds = list(tokens.TokenKind)
    CONTAINERS = {name: kinds.index(kind) for name, kind in token_reader.CONTAINERS.items()}
    LEVEL_LIMIT = token_reader.MAX_DEPTH
    TH, THEAD, CITE = TAG_NUMBER["th"], TAG_NUMBER["thead"], TAG_NUMBER["cite"]
    MEANING = dict.fromkeys(safety.BLOCK, AS_BLOCK)
    MEANING.update({name: AS_STYLED + style for name, style in token_reader.STYLES.items()})
    MEANING.update(dict.fromkeys(HEADINGS, AS_HEADING))
    MEANING.update(dict.fromkeys(CONTAINERS, AS_CONTAINER))
    MEANING.update(dict.fromkeys(("pre", "code", "kbd", "samp"), AS_LISTING))
    MEANING.update({
        "ul": AS_LISTS, "ol": AS_LISTS, "td": AS_CELL, "th": AS_CELL, "thead": AS_SECTION, "tbody": AS_SECTION,
        "tfoot": AS_SECTION, "li": AS_ITEM, "dt": AS_TERM, "table": AS_TABLE,
        "caption": AS_CAPTION, "figcaption": AS_FIGCAPTION, "summary": AS_SUMMARY,
        "tr": AS_ROW, "a": AS_ANCHOR, "br": AS_LINE_END, "hr": AS_RULE, "img": AS_IMAGE,
    })
    reader, _whole_number = token_reader, whole_number
    return 0


cdef class Reader(LeafReader):
    """One pass over the kept nodes of a page."""

    cdef bint has_inserts, has_formulas
    cdef list asides  # (place of its node, label) of each footnote within a line that waits for the end of the text
    cdef dict grid  # cells of tables without rows -> (row, column, whether it is a header)
    cdef object signs  # cell that has only a drawing -> what it says

    cdef int read(self) except -1:
        """Read the tokens."""
        cdef Py_ssize_t place
        self.asides = []
        self.read_nodes(0, self.count, 0)
        for place, label in self.asides:
            self.place = 0
            self.note(label, <int>self.nodes[place], self.end[self.nodes[place]])
            self.read_nodes(place + 1, self.count, self.end[self.nodes[place]])
        return 0

    cdef int read_nodes(self, Py_ssize_t first, Py_ssize_t last, int stop) except -1:
        """Read the kept nodes from a place to another, or to the node where to stop, if it is not 0."""
        cdef int node, end, meaning
        cdef str name
        cdef bint has_seams = bool(self.seams)
        self.skip = 0
        for self.at in range(first, last):
            node = <int>self.nodes[self.at]
            if stop and node >= stop:
                break
            if node < self.skip:
                continue
            while self.depth and self.open[self.depth - 1].end <= node:
                self.close()
            if has_seams and node in self.seams:
                self.seam(self.seams[node])
            if self.has_inserts and self.insert(node):
                continue
            name = <str>self.names[self.at]
            if not name:
                self.write_text(node)
                continue
            meaning = MEANING.get(name, AS_INLINE)
            end = self.end[node]
            if meaning == AS_BLOCK:
                self.block(node, end)
            elif meaning >= AS_STYLED:
                self.push(end, END_STYLE, self.style)
                self.style |= meaning - AS_STYLED
            elif meaning:
                self.element(meaning, name, node, end)
        while self.depth:
            self.close()
        self.flush()
        return self.containers.leave(0)

    cdef bint insert(self, int node) except -1:
        """Write a formula or a reference, or start a footnote; return whether something else stands for the node."""
        inserts = self.inserts
        if self.has_formulas:
            self.write_formulas(inserts.formulas.first.get(node, ()), node)
            if node in inserts.formulas.after:
                self.push(self.end[node], END_FORMULAS, node)
            parts = inserts.formulas.inside.get(node)
            if parts is not None:
                self.write_parts(parts, node)
                self.skip = self.end[node]
                return True
        label = inserts.asides.get(node)
        if label:
            self.asides.append((self.at, label))
            if label not in inserts.marked:
                self.line.atom(REFERENCE_RUN, label, self.style, -1, node, self.text_in(node))
            self.skip = self.end[node]
            return True
        label = inserts.notes.get(node)
        if label and not self.in_line:
            self.note(label, node, self.end[node])
            return False
        if node in inserts.listings and is_empty(self.line) and not self.in_line:
            return self.whole_listing(node, self.end[node]) == 0
        reference = inserts.references.get(node)
        if self.has_formulas and node in inserts.formulas.roots:
            self.write_formulas((inserts.formulas.roots[node],), node)
        elif reference:
            self.line.atom(REFERENCE_RUN, reference, self.style, -1, node, self.text_in(node))
        elif node not in inserts.left_out:
            return False
        self.skip = self.end[node]
        return True

    cdef int write_parts(self, tuple parts, int node) except -1:
        """Add a text with formulas to the line."""
        for part in parts:
            if not isinstance(part, str):
                self.write_formulas((part,), node)
                continue
            self.line.is_spaced |= part[0].isspace()
            if not part.isspace():
                self.line.text(self.style, self.link_of(True), node)
                self.stream.add_text(" ".join(part.split()))
                self.line.end_text()
                self.line.is_spaced |= part[len(part) - 1].isspace()
        return 0

    cdef int text_in(self, int node) noexcept:
        """Return the first text node of a subtree, -1 if it has none."""
        cdef int text = node
        while text < self.end[node] and self.tag[text]:
            text += 1
        return text if text < self.end[node] else -1

    cdef int write_formulas(self, tuple formulas, int node) except -1:
        """Add formulas to the line, or as lines of their own."""
        cdef bint is_alone
        cdef RunRow *run
        for formula in formulas:
            is_alone = formula.display and not self.in_line
            if is_alone:
                self.flush()
            run = self.line.atom(FORMULA_RUN, formula.tex, self.style, -1, node, self.text_in(node))
            run.is_display = formula.display
            if is_alone:
                self.flush()
        return 0

    cdef int note(self, str label, int node, int end) except -1:
        """Start a footnote."""
        cdef TokenRow *token
        self.flush()
        self.containers.end_list()
        token = self.stream.add_token(NOTE_TOKEN, OPENS, node)
        token.start = self.stream.text.used
        self.stream.add_text(label)
        token.end = self.stream.text.used
        return self.enter(Container(NOTE_TOKEN, node, True, False, False, False, 0), end)

    cdef int element(self, int meaning, str name, int node, int end) except -1:
        """Start an element with a meaning of its own."""
        if meaning == AS_ANCHOR:
            self.push(end, END_LINK, self.link)
            self.link = node
        elif meaning == AS_ITEM:
            self.item(node, end)
        elif meaning == AS_LISTS:
            self.list_of_items(node, end, name == "ol")
        elif meaning == AS_LINE_END:
            if self.in_line:
                self.line.is_spaced = True
            elif not is_empty(self.line) and not self.line.line_end():
                self.flush()
        elif meaning == AS_IMAGE:
            self.image(node)
        elif meaning == AS_HEADING:
            self.leaf(HEADING_TOKEN, node, end, "parts", ord(name[1]) - 48)
        elif meaning == AS_TERM:
            self.leaf(TERM_TOKEN, node, end, "headings")
        elif meaning == AS_SUMMARY:
            self.block(node, end)
            if self.text_end[node] - self.text_start[node] < LONG_SUMMARY:
                self.push(end, END_STYLE, self.style)
                self.style |= STRONG
        elif meaning == AS_CAPTION:
            self.leaf(CAPTION_TOKEN, node, end, "headings")
        elif meaning == AS_CELL:
            self.cell(node, end)
        elif meaning == AS_ROW and self.table >= 0:
            self.row(node)
        elif meaning == AS_ROW or (meaning == AS_SECTION and self.table < 0):
            self.block(node, end)
        elif meaning == AS_SECTION:
            pass
        elif meaning == AS_LISTING:
            self.listing(node, end)
        elif meaning == AS_CONTAINER:
            self.container(CONTAINERS[name], node, end)
        elif self.in_line and meaning == AS_RULE:
            self.line.is_spaced = True
        elif self.in_line:  # a table or the caption of a figure
            self.block(node, end)
        else:
            self.flush()
            if meaning == AS_RULE:
                self.emit(RULE_TOKEN, node)
            elif meaning == AS_FIGCAPTION:
                self.captions += 1
                self.push(end, END_CAPTION, 0)
            else:
                grow(<void **>&self.tables, &self.table_room, self.table_count, sizeof(Table))
                self.table = self.table_count
                self.table_count += 1
                self.tables[self.table] = Table(node, self.stream.row_count, self.stream.row_count, -1)
                self.push(end, END_TABLE, <int>self.table)
        return 0

    cdef int close(self) except -1:
        """End the innermost element."""
        cdef Open row
        cdef CellRow *cell
        self.depth -= 1
        row = self.open[self.depth]
        if row.action == END_SPACE:
            self.line.is_spaced = True
        elif row.action == END_STYLE:
            self.style = row.saved
        elif row.action == END_LINK:
            self.link = row.saved
        elif row.action == END_LEAF:
            self.end_leaf()
        elif row.action == END_FORMULAS:
            self.write_formulas(self.inserts.formulas.after[row.saved], row.saved)
        elif row.action == END_CELL:
            self.in_line -= 1
            cell = &self.stream.cells[row.saved]
            cell.first, cell.last, cell.start = self.line.first, self.line.last, self.line.start
            cell.end = self.line.take()
        elif row.action == END_BLOCK:
            self.end_paragraph()
            self.holder = row.saved
        else:
            self.flush()
            if row.action == END_CAPTION:
                self.captions -= 1
            elif row.action == END_ITEM:
                self.containers.open[row.saved].is_over = True
            elif row.action == END_CONTAINER:
                self.containers.leave(row.saved)
            else:
                self.end_table(self.tables[row.saved])
        return 0

    cdef int end_table(self, Table table) except -1:
        cdef TokenRow *token
        self.table = -1
        if table.end > table.start:
            token = self.emit(TABLE_TOKEN, table.node)
            token.start, token.end = table.start, table.end
        return 0

    cdef int row(self, int node) except -1:
        cdef TableRowRow *row = self.stream.add_row(node)
        row.in_head = self.tag[self.parent[node]] == THEAD
        self.tables[self.table].end = self.stream.row_count
        return 0

    cdef int cell(self, int node, int end) except -1:
        cdef CellRow *cell
        place = self.grid.get(node) if self.grid and self.table >= 0 else None
        if place is not None:
            self.place_in_grid(node, place[0], place[1])
        if self.table < 0 or self.tables[self.table].start == self.tables[self.table].end:
            return self.block(node, end)
        if self.spans is None:
            self.spans = {name: self.attributes(("td", "th"), name) for name in ("colspan", "rowspan")}
        columns, rows = self.spans["colspan"][node], self.spans["rowspan"][node]
        cell = self.stream.add_cell(node)
        cell.is_header = self.tag[node] == TH if place is None else <bint>place[2]
        if columns is not None:
            cell.columns = max(_whole_number(columns, 1), 1)
        if rows is not None:
            cell.rows = max(_whole_number(rows, 1), 0)
        self.stream.rows[self.stream.row_count - 1].end = self.stream.cell_count
        self.in_line += 1
        self.leaves += 1
        self.push(end, END_CELL, <int>(self.stream.cell_count - 1))
        if node in self.signs:
            self.line.atom(TEXT_RUN, <str>self.signs[node], self.style, -1, -1, -1)
        return 0

    cdef int place_in_grid(self, int node, int row, int column) except -1:
        """Start the row of a cell of a table without rows, unless it is the current one, and fill it up to the cell."""
        cdef Table *table = &self.tables[self.table]
        if table.start == table.end or table.grid_row != row:
            self.row(node)
            table.grid_row = row
        while self.stream.cell_count - self.stream.rows[self.stream.row_count - 1].start < column:
            self.stream.add_cell(node)
            self.stream.rows[self.stream.row_count - 1].end = self.stream.cell_count
        return 0

    cdef int list_of_items(self, int node, int end, bint is_ordered) except -1:
        cdef Container items
        if self.in_line or self.containers.depth >= LEVEL_LIMIT:
            return self.block(node, end)
        items = Container(LIST_TOKEN, node, False, False, False, is_ordered, 0)
        if items.is_ordered:
            items.start = _whole_number(self.page.attribute(node, "start"), 1)
        self.flush()
        self.containers.end_implied_list()
        return self.enter(items, end)

    cdef int item(self, int node, int end) except -1:
        cdef Container items
        if self.in_line or self.containers.depth > LEVEL_LIMIT or (self.has_inserts and node in self.inserts.notes):
            return self.block(node, end)
        self.flush()
        if not self.containers.is_in_list():
            items = Container(LIST_TOKEN, node, False, False, True, False, 0)
            self.enter(items, self.end[self.parent[node]])
        return self.push(end, END_ITEM, self.containers.start_item(node))

    cdef int container(self, int kind, int node, int end) except -1:
        """Start a quote, figure, definition list or definition."""
        cdef Container container = Container(kind, node, True, False, False, False, 0)
        if self.in_line or self.containers.depth >= LEVEL_LIMIT:
            return self.block(node, end)
        self.flush()
        self.containers.end_list()
        if kind == QUOTE_TOKEN and self.is_cited():
            self.stream.add_token(PARAGRAPH_TOKEN, IS_LEAF, node)
            last = self.stream.token_count - 1
            self.stream.tokens[last] = self.stream.tokens[last - 1]
            self.stream.tokens[last - 1].kind, self.stream.tokens[last - 1].edge = kind, OPENS
            self.stream.tokens[last - 1].node, self.stream.tokens[last - 1].first = node, -1
            self.stream.tokens[last - 1].last, self.stream.tokens[last - 1].start = -1, 0
            self.stream.tokens[last - 1].end = 0
        else:
            self.stream.add_token(kind, OPENS, node)
        return self.enter(container, end)

    cdef bint is_cited(self) noexcept:
        """Whether the last token is a paragraph of nothing but who is quoted: `<cite>Ann wrote:</cite>`."""
        cdef const TokenRow *token
        cdef int cite
        cdef uint32_t sign
        if not self.stream.token_count:
            return False
        token = &self.stream.tokens[self.stream.token_count - 1]
        if token.kind != PARAGRAPH_TOKEN or token.edge != IS_LEAF or token.first < 0 or token.end == token.start:
            return False
        cite = self.parent[token.first]
        if self.tag[cite] != CITE or self.end[cite] <= token.last:
            return False
        sign = self.stream.text.points[self.stream.runs[token.end - 1].end - 1]
        return sign == c":" or sign == c"." or sign == 0x2026

    cdef int enter(self, Container container, int end) except -1:
        return self.push(end, END_CONTAINER, self.containers.enter(container))


cdef Stream stream_of(object kept):
    once(&_reader_ready, prepare_reader)
    cdef Reader reading = Reader(kept)
    reading.has_inserts, reading.has_formulas = bool(kept.inserts), bool(kept.inserts.formulas)
    reading.grid, reading.signs = kept.grid, kept.signs
    reading.point()
    reading.read()
    lift_lists(reading.stream)
    return reading.stream


def tokens_of(object kept):
    return stream_of(kept).token_objects()
