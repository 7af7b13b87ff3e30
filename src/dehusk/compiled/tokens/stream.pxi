"""The tokens of a page in C, for `tokens`, which reads them, and `markdown`, which writes them.

Objects of `dehusk.write.tokens` are made for writers in Python, and read where such a writer's tokens become Markdown.
"""

from libc.stdlib cimport free, realloc

from dehusk.compiled.buffers cimport append
from dehusk.compiled.first_use cimport once
from dehusk.compiled.text cimport text_of_points

cdef object Token, Run, TableCell, TableRow
cdef tuple TOKEN_KINDS, RUN_KINDS, EDGES
cdef dict TOKEN_NUMBER, RUN_NUMBER


cdef bint _stream_ready = False


cdef int prepare_stream() except -1:
    """Find the classes of the layer above, at the first use: they cannot be imported before it is."""
    global Token, Run, TableCell, TableRow, TOKEN_KINDS, RUN_KINDS, EDGES, TOKEN_NUMBER, RUN_NUMBER
    from dehusk.write import tokens
    TOKEN_KINDS, RUN_KINDS = tuple(tokens.TokenKind), tuple(tokens.RunKind)
    TOKEN_NUMBER = {kind: number for number, kind in enumerate(TOKEN_KINDS)}
    RUN_NUMBER = {kind: number for number, kind in enumerate(RUN_KINDS)}
    EDGES = (tokens.Edge.CLOSE, tokens.Edge.LEAF, tokens.Edge.OPEN)
    Run, TableCell, TableRow, Token = tokens.Run, tokens.TableCell, tokens.TableRow, tokens.Token
    return 0


cdef int grow(void **data, Py_ssize_t *room, Py_ssize_t count, size_t size) except -1:
    """Make room for one row more than `count`."""
    cdef void *grown
    cdef Py_ssize_t wanted = 2 * room[0] + 32
    if count >= room[0]:
        grown = realloc(data[0], wanted * size)
        if grown is NULL:
            raise MemoryError
        data[0], room[0] = grown, wanted
    return 0


cdef class Stream:
    def __cinit__(self):
        self.languages = {}

    def __dealloc__(self):
        free(self.tokens)
        free(self.runs)
        free(self.cells)
        free(self.rows)
        free(self.text.points)

    cdef TokenRow *add_token(self, int kind, int edge, int node) except NULL:
        """Add a token, and return it until the next one is added; likewise for runs, cells and rows."""
        cdef TokenRow *token
        grow(<void **>&self.tokens, &self.token_room, self.token_count, sizeof(TokenRow))
        token = &self.tokens[self.token_count]
        self.token_count += 1
        token.kind, token.edge, token.node, token.level, token.first, token.last = kind, edge, node, 0, -1, -1
        token.is_ordered, token.number, token.start, token.end = False, 0, 0, 0
        token.outer, token.headings, token.items, token.headed = -1, 0, 0, 0
        token.is_tight = token.is_cards = token.has_text = token.is_headed = False
        return token

    cdef RunRow *add_run(self, int kind, int style, int link, int node) except NULL:
        cdef RunRow *run
        grow(<void **>&self.runs, &self.run_room, self.run_count, sizeof(RunRow))
        run = &self.runs[self.run_count]
        self.run_count += 1
        run.kind, run.style, run.link, run.node, run.is_display = kind, style, link, node, False
        run.start = run.end = self.text.used
        return run

    cdef Py_ssize_t add_text_run(self, str text, int style) except -1:
        """Add a text, and return the index of its run."""
        self.add_run(TEXT_RUN, style, -1, -1)
        self.add_text(text)
        self.runs[self.run_count - 1].end = self.text.used
        return self.run_count - 1

    cdef CellRow *add_cell(self, int node) except NULL:
        cdef CellRow *cell
        grow(<void **>&self.cells, &self.cell_room, self.cell_count, sizeof(CellRow))
        cell = &self.cells[self.cell_count]
        self.cell_count += 1
        cell.node, cell.is_header, cell.columns, cell.rows, cell.first, cell.last = node, False, 1, 1, -1, -1
        cell.start = cell.end = 0
        return cell

    cdef TableRowRow *add_row(self, int node) except NULL:
        cdef TableRowRow *row
        grow(<void **>&self.rows, &self.row_room, self.row_count, sizeof(TableRowRow))
        row = &self.rows[self.row_count]
        self.row_count += 1
        row.node, row.in_head, row.start, row.end = node, False, self.cell_count, self.cell_count
        return row

    cdef int add_text(self, str text) except -1:
        return append(&self.text, text, 0, len(text))

    cdef str text_at(self, Py_ssize_t start, Py_ssize_t end):
        return text_of_points(self.text.points + start, end - start)

    cdef list token_objects(self):
        """Return the tokens as objects."""
        cdef list found = []
        cdef Py_ssize_t index
        cdef TokenRow *token
        once(&_stream_ready, prepare_stream)
        for index in range(self.token_count):
            token = &self.tokens[index]
            if token.edge != IS_LEAF or token.kind == RULE_TOKEN:
                start = token.number if token.is_ordered else None
                text = self.text_at(token.start, token.end)  # of a footnote, its label
                found.append(Token(TOKEN_KINDS[token.kind], token.node, EDGES[token.edge + 1], (), 0, start, text))
            elif token.kind == TABLE_TOKEN:
                found.append(self.table_object(token, False))
            else:
                runs, text, language = (), "", ""
                if token.kind == CODE_TOKEN:
                    text, language = self.text_at(token.start, token.end), self.languages.get(index, "")
                else:
                    runs = run_objects(self, token.start, token.end)
                found.append(Token(TOKEN_KINDS[token.kind], token.node, EDGES[1], runs, token.level, None, text,
                                   language, (), token.first, token.last))
        return found

    cdef object table_object(self, TokenRow *token, bint by_index):
        """Return a table as an object; if `by_index`, its cells have no runs, and their index as their node."""
        cdef list rows = [], cells, runs
        cdef Py_ssize_t at, index
        cdef CellRow *cell
        once(&_stream_ready, prepare_stream)
        for at in range(token.start, token.end):
            cells = []
            for index in range(self.rows[at].start, self.rows[at].end):
                cell = &self.cells[index]
                runs = [] if by_index else run_objects(self, cell.start, cell.end)
                cells.append(TableCell(index if by_index else cell.node, runs, bool(cell.is_header), cell.columns,
                                       cell.rows, cell.first, cell.last))
            rows.append(TableRow(self.rows[at].node, cells, bool(self.rows[at].in_head)))
        return Token(TOKEN_KINDS[TABLE_TOKEN], token.node, EDGES[1], (), 0, None, "", "", rows)

    cdef int load(self, list tokens) except -1:
        """Read tokens that are objects, in place of those that are there."""
        cdef TokenRow *row
        cdef int kind
        once(&_stream_ready, prepare_stream)
        self.token_count = self.run_count = self.cell_count = self.row_count = self.text.used = 0
        self.languages = {}
        for token in tokens:
            kind = TOKEN_NUMBER[token.kind]
            row = self.add_token(kind, token.edge, token.node)
            row.level, row.first, row.last = token.level, token.first, token.last
            row.is_ordered, row.number = token.start is not None, token.start or 0
            row.start = self.text.used
            if kind == CODE_TOKEN or kind == NOTE_TOKEN:
                self.add_text(token.text)
                self.languages[self.token_count - 1] = token.language
                row.end = self.text.used
            elif kind == TABLE_TOKEN:
                row.start = self.row_count
                load_rows(self, token.rows)
                row.end = self.row_count
            else:
                row.start = self.run_count
                load_runs(self, token.runs)
                row.end = self.run_count
        return 0


cdef list run_objects(Stream stream, Py_ssize_t start, Py_ssize_t end):
    cdef list found = []
    cdef Py_ssize_t index
    cdef RunRow *run
    for index in range(start, end):
        run = &stream.runs[index]
        text = stream.text_at(run.start, run.end)
        if run.kind == TEXT_RUN and not run.style and run.link < 0:
            found.append(Run(RUN_KINDS[TEXT_RUN], text))
        else:
            found.append(Run(RUN_KINDS[run.kind], text, run.style, run.link, run.node, bool(run.is_display)))
    return found


cdef int load_rows(Stream stream, object rows) except -1:
    cdef CellRow *cell
    cdef TableRowRow *added
    for row in rows:
        added = stream.add_row(row.node)
        added.in_head = row.in_head
        for each in row.cells:
            cell = stream.add_cell(each.node)
            cell.is_header, cell.columns, cell.rows = each.is_header, each.columns, each.rows
            cell.first, cell.last, cell.start = each.first, each.last, stream.run_count
            load_runs(stream, each.runs)
            cell.end = stream.run_count
        stream.rows[stream.row_count - 1].end = stream.cell_count
    return 0


cdef int load_runs(Stream stream, object runs) except -1:
    cdef RunRow *row
    for run in runs:
        row = stream.add_run(RUN_NUMBER[run.kind], run.style, run.link, run.node)
        row.is_display = run.display
        stream.add_text(run.text)
        row.end = stream.text.used
    return 0
