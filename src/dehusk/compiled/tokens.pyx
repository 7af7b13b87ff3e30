"""Twin of `dehusk.write.token_reader.tokens_of`: one pass over the kept nodes of a page that makes its tokens.

The elements that are open are rows of a stack, not functions to call when they end. A page with formulas or footnotes
is left to that function, as is one whose columns do not fit together.
"""

from dehusk.compiled.containers cimport Container
from dehusk.compiled.leaf_reader cimport (
    END_BLOCK, END_CAPTION, END_CELL, END_CONTAINER, END_ITEM, END_LEAF, END_LINK, END_SPACE, END_STYLE, END_TABLE,
    LeafReader, Open,
)

cdef enum:  # what an element is, by its name in the output
    INLINE = 0
    TEXT = 1
    HEADING = 2
    LISTS = 3
    CELL = 4
    SECTION = 5
    LISTING = 6
    ITEM = 7
    TERM = 8
    CAPTION = 9
    FIGCAPTION = 10
    TABLE = 11
    ROW = 12
    ANCHOR = 13
    LINE_END = 14
    RULE = 15
    IMAGE = 16
    CONTAINER = 17
    BLOCK = 18
    STYLED = 32  # plus the style

cdef object reader, Token, TableCell, TableRow, OPENING, KIND_HEADING, KIND_TERM, KIND_CAPTION, KIND_TABLE, KIND_RULE
cdef object KIND_LIST
cdef dict MEANING, CONTAINERS
cdef int LEVEL_LIMIT, OL, TH, THEAD


cdef int load() except -1:
    """Find the classes and tables of the layer above, at the first use: they cannot be imported before it is."""
    global reader, Token, TableCell, TableRow, OPENING, KIND_HEADING, KIND_TERM, KIND_CAPTION, KIND_TABLE, KIND_RULE
    global KIND_LIST, MEANING, CONTAINERS, LEVEL_LIMIT, OL, TH, THEAD
    if reader is not None:
        return 0
    from dehusk.tags import HEADINGS, TAG_NUMBER
    from dehusk.write import safety, token_reader, tokens
    kinds = tokens.TokenKind
    KIND_HEADING, KIND_TERM, KIND_CAPTION = kinds.HEADING, kinds.TERM, kinds.CAPTION
    KIND_TABLE, KIND_RULE, KIND_LIST = kinds.TABLE, kinds.RULE, kinds.LIST
    Token, TableCell, TableRow, OPENING = tokens.Token, tokens.TableCell, tokens.TableRow, tokens.Edge.OPEN
    CONTAINERS, LEVEL_LIMIT = dict(token_reader.CONTAINERS), token_reader.MAX_DEPTH
    OL, TH, THEAD = TAG_NUMBER["ol"], TAG_NUMBER["th"], TAG_NUMBER["thead"]
    MEANING = dict.fromkeys(safety.BLOCK, BLOCK)
    MEANING.update({name: STYLED + style for name, style in token_reader.STYLES.items()})
    MEANING.update(dict.fromkeys(HEADINGS, HEADING))
    MEANING.update(dict.fromkeys(CONTAINERS, CONTAINER))
    MEANING.update(dict.fromkeys(("pre", "code", "kbd", "samp"), LISTING))
    MEANING.update({
        "": TEXT, "ul": LISTS, "ol": LISTS, "td": CELL, "th": CELL, "thead": SECTION, "tbody": SECTION,
        "tfoot": SECTION, "li": ITEM, "dt": TERM, "caption": CAPTION, "figcaption": FIGCAPTION, "table": TABLE,
        "tr": ROW, "a": ANCHOR, "br": LINE_END, "hr": RULE, "img": IMAGE,
    })
    reader = token_reader
    return 0


cdef class Reader(LeafReader):
    """One pass over the kept nodes of a page."""

    cdef list read(self):
        """Return the tokens."""
        cdef int node, end, meaning
        cdef str name
        cdef bint has_seams = bool(self.seams)
        for self.at in range(self.count):
            node = <int>self.nodes[self.at]
            if node < self.skip:
                continue
            while self.depth and self.open[self.depth - 1].end <= node:
                self.close()
            if has_seams and node in self.seams:
                self.seam(self.seams[node])
            name = <str>self.names[self.at]
            meaning = MEANING.get(name, INLINE)
            end = self.end[node]
            if meaning == TEXT:
                self.write_text(node)
            elif meaning == BLOCK:
                self.block(node, end)
            elif meaning >= STYLED:
                self.push(end, END_STYLE, self.style)
                self.style |= meaning - STYLED
            elif meaning:
                self.element(meaning, name, node, end)
        while self.depth:
            self.close()
        self.flush()
        self.containers.leave(0)
        return self.tokens

    cdef int element(self, int meaning, str name, int node, int end) except -1:
        """Start an element with a meaning of its own."""
        if meaning == ANCHOR:
            self.push(end, END_LINK, self.link)
            self.link = node
        elif meaning == ITEM:
            self.item(node, end)
        elif meaning == LISTS:
            self.list_of_items(node, end)
        elif meaning == LINE_END:
            if self.in_line:
                self.line.is_spaced = True
            elif self.line.count and not self.line.line_end():
                self.flush()
        elif meaning == IMAGE:
            self.image(node)
        elif meaning == HEADING:
            self.leaf(KIND_HEADING, node, end, "parts")
        elif meaning == TERM:
            self.leaf(KIND_TERM, node, end, "headings")
        elif meaning == CAPTION:
            self.leaf(KIND_CAPTION, node, end, "headings")
        elif meaning == CELL:
            self.cell(node, end)
        elif meaning == ROW:
            if self.rows is None:
                self.block(node, end)
            else:
                in_head = self.tag[self.parent[node]] == THEAD
                self.rows.append(TableRow(node, [], in_head))
        elif meaning == SECTION:
            if self.rows is None:
                self.block(node, end)
        elif meaning == LISTING:
            self.listing(node, end)
        elif meaning == CONTAINER:
            self.container(CONTAINERS[name], node, end)
        elif self.in_line and meaning == RULE:
            self.line.is_spaced = True
        elif self.in_line:  # a table or the caption of a figure
            self.block(node, end)
        else:
            self.flush()
            if meaning == RULE:
                self.emit(Token(KIND_RULE, node))
            elif meaning == FIGCAPTION:
                self.captions += 1
                self.push(end, END_CAPTION, 0)
            else:
                self.rows = []
                token = Token(KIND_TABLE, node, rows=self.rows)
                self.held.append(token)
                self.push(end, END_TABLE, 0)
        return 0

    cdef int close(self) except -1:
        """End the innermost element."""
        cdef Open row
        self.depth -= 1
        row = self.open[self.depth]
        if row.action == END_SPACE:
            self.line.is_spaced = True
        elif row.action == END_STYLE:
            self.style = row.saved
        elif row.action == END_LINK:
            self.link = row.saved
        elif row.action == END_LEAF:
            self.end_leaf(self.held.pop())
        elif row.action == END_CELL:
            self.in_line -= 1
            cell = self.held.pop()
            cell.first, cell.last = self.line.first, self.line.last
            cell.runs = self.line.take()
        else:
            self.flush()
            if row.action == END_BLOCK:
                self.holder = row.saved
            elif row.action == END_CAPTION:
                self.captions -= 1
            elif row.action == END_ITEM:
                self.containers.open[row.saved].is_over = True
            elif row.action == END_CONTAINER:
                self.containers.leave(row.saved)
            else:
                self.rows = None
                token = self.held.pop()
                if token.rows:
                    self.emit(token)
        return 0










    cdef int cell(self, int node, int end) except -1:
        if not self.rows:
            return self.block(node, end)
        if self.spans is None:
            self.spans = {name: self.attributes(("td", "th"), name) for name in ("colspan", "rowspan")}
        columns, rows = [reader.integer(self.spans[name][node], 1) for name in ("colspan", "rowspan")]
        cell = TableCell(node, [], self.tag[node] == TH, max(columns, 1), max(rows, 0))
        self.rows[len(self.rows) - 1].cells.append(cell)
        self.in_line += 1
        self.leaves += 1
        self.held.append(cell)
        return self.push(end, END_CELL, 0)

    cdef int list_of_items(self, int node, int end) except -1:
        cdef Container items
        if self.in_line or self.containers.depth >= LEVEL_LIMIT:
            return self.block(node, end)
        items = Container(True, node, False, False, False, self.tag[node] == OL, 0)
        if items.is_ordered:
            items.start = reader.integer(self.page.attribute(node, "start"), 1)
        self.flush()
        self.containers.end_implied_list()
        return self.enter(KIND_LIST, items, end)

    cdef int item(self, int node, int end) except -1:
        cdef Container items
        if self.in_line or self.containers.depth > LEVEL_LIMIT:
            return self.block(node, end)
        self.flush()
        if not self.containers.is_in_list():
            items = Container(True, node, False, False, True, False, 0)
            self.enter(KIND_LIST, items, self.end[self.parent[node]])
        return self.push(end, END_ITEM, self.containers.start_item(node))

    cdef int container(self, object kind, int node, int end) except -1:
        """Start a quote, figure, definition list or definition."""
        cdef Container container = Container(False, node, True, False, False, False, 0)
        if self.in_line or self.containers.depth >= LEVEL_LIMIT:
            return self.block(node, end)
        self.flush()
        self.containers.end_list()
        self.tokens.append(Token(kind, node, OPENING))
        return self.enter(kind, container, end)

    cdef int enter(self, object kind, Container container, int end) except -1:
        return self.push(end, END_CONTAINER, self.containers.enter(kind, container))





def tokens_of(object kept):
    load()
    if kept.inserts:
        return NotImplemented
    cdef Reader reading = Reader(kept)
    return reading.read() if reading.point() else NotImplemented
