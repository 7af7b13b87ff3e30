"""The containers that lines of Markdown are in, what a line in one starts with, and what tokens say of lines."""

from libc.stdint cimport int64_t

from dehusk.compiled.buffers cimport Buffer, append_ascii, append_part, repeat
from dehusk.compiled.tokens cimport (
    CODE_TOKEN, HEADING_TOKEN, IMAGE_RUN, IS_LEAF, ITEM_TOKEN, LIST_TOKEN, NOTE_TOKEN, PARAGRAPH_TOKEN, QUOTE_TOKEN,
    RULE_TOKEN, TABLE_TOKEN, TEXT_RUN, Stream, TokenRow,
)


cdef enum:
    NOTE_WIDTH = 4  # of what the other lines of a footnote start with; other containers have one width


cdef struct Frame:  # a container that lines are in
    int kind
    bint is_fresh
    bint is_tight
    bint is_ordered
    bint is_section  # of an item: whether its headings are headings, as it is a card, or prose with several of them
    char sign  # the bullet, or what follows the numbers of a list
    int64_t number  # of an item; of a list, that of its next item
    Py_ssize_t width  # of what its first line starts with
    Py_ssize_t start  # of the label of a footnote
    Py_ssize_t end


cdef inline Py_ssize_t digits_of(int64_t number) noexcept:
    cdef Py_ssize_t digits = 1
    while number > 9:
        number //= 10
        digits += 1
    return digits


cdef inline int write_number(Buffer *out, int64_t number) except -1:
    cdef Py_ssize_t digits = digits_of(number), index
    repeat(out, 48, digits)
    for index in range(1, digits + 1):
        out.points[out.used - index] = 48 + <int>(number % 10)
        number //= 10
    return 0


cdef inline int write_quotes(Buffer *out, Py_ssize_t levels) except -1:
    for _ in range(levels):
        append_ascii(out, b"> ", 2)
    return 0


cdef inline int write_marks(Buffer *out, const Buffer *text, const Frame *frame) except -1:
    """Write what a line in a container starts with."""
    if frame.kind == QUOTE_TOKEN:
        return write_quotes(out, 1)
    if not frame.is_fresh:
        return repeat(out, 32, NOTE_WIDTH if frame.kind == NOTE_TOKEN else frame.width)
    if frame.kind == NOTE_TOKEN:
        append_ascii(out, b"[^", 2)
        append_part(out, text, frame.start, frame.end)
        return append_ascii(out, b"]: ", 3)
    if frame.kind == ITEM_TOKEN and frame.width:
        if frame.is_ordered:
            write_number(out, frame.number)
        repeat(out, frame.sign, 1)
        return repeat(out, 32, 1)
    return 0


cdef inline bint is_line(const TokenRow *token) noexcept:
    """Whether a leaf is made of runs."""
    return token.kind != CODE_TOKEN and token.kind != TABLE_TOKEN and token.kind != RULE_TOKEN


cdef inline bint is_strong(Stream stream, const TokenRow *token) noexcept:
    """Whether all texts of a heading are strong."""
    cdef Py_ssize_t index, at
    for index in range(token.start, token.end):
        if stream.runs[index].kind == TEXT_RUN and not stream.runs[index].style & STRONG:
            for at in range(stream.runs[index].start, stream.runs[index].end):
                if not is_space(<int>stream.text.points[at]):
                    return False
    return True


cdef inline int sole_link(Stream stream, const TokenRow *token) noexcept:
    """Return the link that all texts of a leaf are in, -1 for none."""
    cdef Py_ssize_t index, at
    cdef int link = -1
    for index in range(token.start, token.end):
        if stream.runs[index].kind != TEXT_RUN:
            continue
        for at in range(stream.runs[index].start, stream.runs[index].end):
            if not is_space(<int>stream.text.points[at]):
                if stream.runs[index].link < 0 or link not in (-1, stream.runs[index].link):
                    return -1
                link = stream.runs[index].link
    return link


cdef str text_of_token(Stream stream, const TokenRow *token):
    """Return the text of a leaf, without its styles."""
    cdef Py_ssize_t index
    return "".join([
        stream.text_at(stream.runs[index].start, stream.runs[index].end)
        for index in range(token.start, token.end) if stream.runs[index].kind == TEXT_RUN
    ])


cdef inline bint is_picture(Stream stream, const TokenRow *token) noexcept:
    """Whether a leaf has pictures only."""
    cdef Py_ssize_t index
    if token.edge != IS_LEAF or token.kind != PARAGRAPH_TOKEN or token.start == token.end:
        return False
    for index in range(token.start, token.end):
        if stream.runs[index].kind != IMAGE_RUN:
            return False
    return True


cdef inline void see_in_item(Stream stream, TokenRow *token, Py_ssize_t item, bint is_first) noexcept:
    """Note of an item, and of its list, that something is directly in it."""
    cdef Py_ssize_t items = stream.tokens[item].outer
    cdef bint is_heading = token.edge == IS_LEAF and token.kind == HEADING_TOKEN
    stream.tokens[item].headings += is_heading
    if not stream.tokens[item].has_text and not is_picture(stream, token):
        stream.tokens[item].has_text, stream.tokens[item].is_headed = True, is_heading
    if items >= 0 and is_first:
        stream.tokens[items].items += 1
        stream.tokens[items].headed += is_heading
    elif items >= 0:
        stream.tokens[items].headings += 1


cdef inline int find_cards(Stream stream) except -1:
    """Mark lists without numbers, outside of other lists, whose items start with a heading, if any has more than that.

    One item of four may start with something else: an advertisement among cards, a line above a title, "See all".
    `find_tight_lists` has marked what is around each container.
    """
    cdef Py_ssize_t index, outer = -1
    cdef TokenRow *token
    for index in range(stream.token_count):
        token = &stream.tokens[index]
        if token.edge < 0:
            outer = stream.tokens[outer].outer
            continue
        if outer >= 0 and stream.tokens[outer].kind == ITEM_TOKEN:
            see_in_item(stream, token, outer, index - 1 == outer)
        if token.edge > 0:
            if token.kind == LIST_TOKEN:
                token.is_cards = not token.is_ordered and (outer < 0 or stream.tokens[outer].kind != ITEM_TOKEN)
            outer = index
    for index in range(stream.token_count):
        token = &stream.tokens[index]
        if token.kind == LIST_TOKEN and token.edge > 0:
            token.is_cards = token.is_cards and token.headings > 0 and 4 * token.headed >= 3 * token.items
    return 0


cdef inline int find_tight_lists(Stream stream) except -1:
    """Mark the starts of lists whose items are one leaf each, and nested lists after it."""
    cdef Py_ssize_t index, outer = -1
    cdef TokenRow *token
    for index in range(stream.token_count):
        token = &stream.tokens[index]
        if token.edge < 0:
            if outer < 0:
                raise IndexError("the end of a container outside of any container")
            outer = stream.tokens[outer].outer
            continue
        if outer >= 0 and stream.tokens[outer].kind == ITEM_TOKEN and index - 1 != outer:
            if token.kind != LIST_TOKEN or (token.is_ordered and token.number != 1):
                if stream.tokens[outer].outer >= 0:
                    stream.tokens[stream.tokens[outer].outer].is_tight = False
        if token.edge > 0:
            token.is_tight, token.outer = token.kind == LIST_TOKEN, outer
            outer = index
    return 0
