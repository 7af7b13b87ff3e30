"""Definition lists of labels with their values, as lists: `- **Weight:** 5 kg`.

Two pairs at least, and nothing but pairs: a term, and a description that is one paragraph.
"""

from libc.stdint cimport uint32_t

from dehusk.compiled.tokens cimport (
    CLOSES, DEFINITIONS_TOKEN, DESCRIPTION_TOKEN, IS_LEAF, ITEM_TOKEN, LIST_TOKEN, OPENS, PARAGRAPH_TOKEN, TERM_TOKEN,
    TEXT_RUN, RunRow, Stream, TokenRow,
)

cdef enum:
    PAIR = 4  # tokens of a pair: the term, the start of the description, its paragraph, its end


cdef inline bint is_pair(Stream stream, Py_ssize_t at) noexcept:
    """Whether a pair starts at a token."""
    cdef const TokenRow *token = &stream.tokens[at]
    return (
        at + PAIR < stream.token_count
        and token[0].kind == TERM_TOKEN and token[0].start < token[0].end
        and token[1].kind == DESCRIPTION_TOKEN and token[1].edge == OPENS
        and token[2].kind == PARAGRAPH_TOKEN and token[2].edge == IS_LEAF and token[2].start < token[2].end
        and token[3].kind == DESCRIPTION_TOKEN and token[3].edge == CLOSES
    )


cdef inline int copy_runs(Stream stream, Py_ssize_t start, Py_ssize_t end, int style) except -1:
    """Add copies of runs, in a style besides their own."""
    cdef Py_ssize_t index
    cdef RunRow *run
    for index in range(start, end):
        run = stream.add_run(TEXT_RUN, 0, -1, -1)
        run[0] = stream.runs[index]
        run.style |= style
    return 0


cdef inline bint ends_as_label(Stream stream, const RunRow *run) noexcept:
    """Whether a text ends with a sign, so that no colon is needed."""
    cdef uint32_t last = stream.text.points[run.end - 1] if run.end > run.start else 0
    return last in (33, 58, 63, 0xFF1A)  # ! : ? and the wide colon


cdef inline int join_pair(Stream stream, Py_ssize_t at) except -1:
    """Make an item of a pair: its start, its one leaf, a leaf of nothing, and its end."""
    cdef Py_ssize_t first = stream.run_count
    cdef TokenRow *token = &stream.tokens[at]
    copy_runs(stream, token[0].start, token[0].end, STRONG)
    if not ends_as_label(stream, &stream.runs[stream.run_count - 1]):
        stream.add_text_run(":", STRONG)
    stream.add_text_run(" ", 0)
    copy_runs(stream, token[2].start, token[2].end, 0)
    token[1].kind, token[1].edge, token[1].start, token[1].end = PARAGRAPH_TOKEN, IS_LEAF, first, stream.run_count
    token[1].first, token[1].last = token[0].first, token[2].last
    token[0].kind, token[0].edge = ITEM_TOKEN, OPENS
    token[2].start = token[2].end
    token[3].kind = ITEM_TOKEN
    return 0


cdef inline int join_pairs(Stream stream) except -1:
    """Make lists of the definition lists that are pairs."""
    cdef Py_ssize_t index, at, end
    for index in range(stream.token_count):
        if stream.tokens[index].kind != DEFINITIONS_TOKEN or stream.tokens[index].edge != OPENS:
            continue
        end = index + 1
        while is_pair(stream, end):
            end += PAIR
        if end - index <= 2 * PAIR or stream.tokens[end].kind != DEFINITIONS_TOKEN or stream.tokens[end].edge != CLOSES:
            continue
        stream.tokens[index].kind = stream.tokens[end].kind = LIST_TOKEN
        stream.tokens[index].is_tight = True
        for at in range(index + 1, end, PAIR):
            join_pair(stream, at)
    return 0
