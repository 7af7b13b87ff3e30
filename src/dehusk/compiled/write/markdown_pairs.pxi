"""Definition lists of labels with their values, as lists: `- **Weight:** 5 kg`.

Two pairs at least, in one definition list or in several right after each other, or one of a few characters, and nothing
but pairs: a term, and a description that is one paragraph. So are the items of a list if each is two short paragraphs:
`- Flour: 200 g`.
"""

from libc.stdint cimport uint32_t

from dehusk.compiled.tokens cimport (
    CLOSES, DEFINITIONS_TOKEN, DESCRIPTION_TOKEN, IS_LEAF, ITEM_TOKEN, LIST_TOKEN, OPENS,
    PARAGRAPH_TOKEN, TERM_TOKEN, TEXT_RUN, RunRow, Stream, TokenRow,
)

cdef enum:
    PAIR = 4  # tokens of a pair: the term, the start of the description, its paragraph, its end; or of an item
    SHORT = 40, LONG = 80  # characters of the first and of the second paragraph of an item, set by hand


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


cdef inline void erase(TokenRow *token) noexcept:
    """Make a token a leaf of nothing."""
    token.kind, token.edge, token.start, token.end = PARAGRAPH_TOKEN, IS_LEAF, 0, 0


cdef inline Py_ssize_t after_pairs(Stream stream, Py_ssize_t at) noexcept:
    """Return the end of the definition list of pairs that starts at a token; this token if it is none."""
    cdef Py_ssize_t end = at + 1
    if at >= stream.token_count or stream.tokens[at].kind != DEFINITIONS_TOKEN or stream.tokens[at].edge != OPENS:
        return at
    while is_pair(stream, end):
        end += PAIR
    if end == at + 1 or stream.tokens[end].kind != DEFINITIONS_TOKEN or stream.tokens[end].edge != CLOSES:
        return at
    return end + 1


cdef inline int join_lists(Stream stream, Py_ssize_t start, Py_ssize_t end) except -1:
    """Make one list of definition lists of pairs, one right after the other."""
    cdef Py_ssize_t at = start + 1
    stream.tokens[start].kind = stream.tokens[end - 1].kind = LIST_TOKEN
    stream.tokens[start].is_tight = True
    while at < end - 1:
        if stream.tokens[at].kind == DEFINITIONS_TOKEN:
            erase(&stream.tokens[at])
            at += 1
        else:
            join_pair(stream, at)
            at += PAIR
    return 0


cdef inline bint has_post(object posts, Py_ssize_t start, Py_ssize_t end) except -1:
    """Whether a token of a range is of a post: what marks posts names tokens by number."""
    if posts is None:
        return False
    for index in range(start, end):
        if index in posts.levels or index in posts.openings or index in posts.lines:
            return True
    return False


cdef inline bint is_few(Stream stream, const TokenRow *token, Py_ssize_t most) noexcept:
    """Whether a leaf is nothing but a few characters."""
    cdef Py_ssize_t index, size = 0
    for index in range(token.start, token.end):
        size += stream.runs[index].end - stream.runs[index].start
        if stream.runs[index].kind != TEXT_RUN:
            return False
    return 0 < size <= most


cdef inline bint is_short(Stream stream, const TokenRow *token, Py_ssize_t most) noexcept:
    """Whether a token is a paragraph of nothing but a few characters."""
    return token.kind == PARAGRAPH_TOKEN and token.edge == IS_LEAF and is_few(stream, token, most)


cdef inline bint has_link(Stream stream, const TokenRow *token) noexcept:
    cdef Py_ssize_t index
    for index in range(token.start, token.end):
        if stream.runs[index].link >= 0:
            return True
    return False


cdef inline bint has_two_lines(Stream stream, Py_ssize_t at) noexcept:
    """Whether an item of two short paragraphs starts at a token."""
    cdef const TokenRow *token = &stream.tokens[at]
    return (
        at + PAIR < stream.token_count and token[0].kind == ITEM_TOKEN and token[0].edge == OPENS
        and is_short(stream, &token[1], SHORT) and not has_link(stream, &token[1]) and is_short(stream, &token[2], LONG)
        and token[3].kind == ITEM_TOKEN and token[3].edge == CLOSES
    )


cdef inline int join_lines(Stream stream, TokenRow *line) except -1:
    """Make one paragraph of two, with a colon between unless the first ends with a sign or starts with a number."""
    cdef Py_ssize_t first = stream.run_count
    cdef uint32_t start = stream.text.points[stream.runs[line[0].start].start]
    cdef uint32_t last = stream.text.points[stream.runs[line[0].end - 1].end - 1]
    copy_runs(stream, line[0].start, line[0].end, 0)
    is_said = 48 <= start < 58 or last in (33, 44, 46, 58, 59, 63, 0x3002, 0xFF1A)  # ! , . : ; ? and the wide . and :
    stream.add_text_run(" " if is_said else ": ", 0)
    copy_runs(stream, line[1].start, line[1].end, 0)
    line[0].start, line[0].end, line[0].last = first, stream.run_count, line[1].last
    erase(&line[1])
    return 0


cdef inline int join_items(Stream stream, object posts) except -1:
    """Write the items of lists on one line each if all have two short paragraphs."""
    cdef Py_ssize_t start, at, end
    for start in range(stream.token_count):
        if stream.tokens[start].kind != LIST_TOKEN or stream.tokens[start].edge != OPENS:
            continue
        end = start + 1
        while has_two_lines(stream, end):
            end += PAIR
        if end - start <= PAIR + 1 or stream.tokens[end].kind != LIST_TOKEN or stream.tokens[end].edge != CLOSES:
            continue
        if has_post(posts, start, end):
            continue
        stream.tokens[start].is_tight = True
        for at in range(start + 1, end, PAIR):
            join_lines(stream, &stream.tokens[at + 1])
    return 0


cdef inline int join_pairs(Stream stream, object posts) except -1:
    """Make lists of the definition lists that are pairs, two at least or one of a few characters."""
    cdef Py_ssize_t start = 0, end, next_end
    cdef bint is_list
    while start < stream.token_count:
        end, next_end = start, after_pairs(stream, start)
        while next_end > end:
            end, next_end = next_end, after_pairs(stream, next_end)
        is_list = end - start > 2 * PAIR
        if end - start == PAIR + 2:
            is_list = is_few(stream, &stream.tokens[start + 1], SHORT)
            is_list = is_list and is_few(stream, &stream.tokens[start + 3], LONG)
        if is_list and not has_post(posts, start, end):
            join_lists(stream, start, end)
        start = max(end, start + 1)
    return 0
