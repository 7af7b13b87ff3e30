"""Lists that an author typed, line by line: "1. …", "2. …", or "- …" twice or more. Their marks need no backslash.

A number starts a list if the next number follows it, in a later line of the paragraph or at the start of the next
paragraph, and goes on with one if it follows the last number. A sign starts a list if the next mark is the same sign.
A paragraph without an item ends lists. So each number is the one that Markdown counts. Where sentences with a dash
stand alone, several and more than there are lists, dashes start what people say: paragraphs with one are no items.
"""

from libc.stdint cimport int64_t, uint32_t

from dehusk.compiled.tokens cimport IS_LEAF, PARAGRAPH_TOKEN, TEXT_RUN, RunRow, Stream, TokenRow

cdef enum:
    NO_MARK = -1  # signs are below, as their negated characters
    BRACKET = 1000  # what numbers before a bracket have more than those before a stop, so that a mark is either
    MOST_DIGITS = 3  # of a number, as years are none
    SEVERAL = 2  # lone sentences with a dash, of which one may be a sign; set by hand


cdef inline int64_t typed_mark(const uint32_t *s, Py_ssize_t size) noexcept:
    """Return the mark that a line starts with."""
    cdef Py_ssize_t at = 0
    cdef int64_t number = 0
    while at < size and is_space(<int>s[at]):
        at += 1
    s, size, at = s + at, size - at, 0
    while at < min(size, <Py_ssize_t>MOST_DIGITS) and c"0" <= s[at] <= c"9":
        number = 10 * number + s[at] - c"0"
        at += 1
    if at and at + 1 < size and s[at] in (c")", c".") and is_space(<int>s[at + 1]):
        return number + (BRACKET if s[at] == c")" else 0)
    if not at and size > 1 and s[0] in (c"*", c"+", c"-") and is_space(<int>s[1]):
        return -<int64_t>s[0]
    return NO_MARK


cdef inline bint has_dash(Stream stream, Py_ssize_t at) noexcept:
    """Whether a token is a paragraph that starts with a dash and a space."""
    cdef const TokenRow *token = &stream.tokens[at]
    cdef const RunRow *run = &stream.runs[token.start]
    if token.kind != PARAGRAPH_TOKEN or token.edge != IS_LEAF or token.start == token.end or run.kind != TEXT_RUN:
        return False
    return typed_mark(stream.text.points + run.start, run.end - run.start) == -<int64_t>c"-"


cdef inline bint has_speech(Stream stream) noexcept:
    """Whether several paragraphs that start with a dash and end as a sentence stand alone, more than do not."""
    cdef Py_ssize_t at, alone = 0, runs = 0
    cdef const TokenRow *token
    cdef const RunRow *run
    cdef bint before = False, own = False, after
    cdef uint32_t last
    for at in range(stream.token_count + 1):
        after = at < stream.token_count and has_dash(stream, at)
        if own and not before and not after:
            token = &stream.tokens[at - 1]
            run = &stream.runs[token.end - 1]
            last = stream.text.points[run.end - 1] if run.kind == TEXT_RUN and run.end > run.start else 0
            if last in (33, 46, 63, 0xBB, 0x201D, 0x2026):  # ! . ? and the ends of quotations
                alone += 1
        runs += own and after and not before
        before, own = own, after
    return alone >= SEVERAL and alone > runs


cdef inline bint is_typed(int64_t mark, int64_t number, int64_t sign, int64_t after) noexcept:
    """Whether a line with a mark is an item, by the last number and sign that were items, and the mark after it."""
    if mark < NO_MARK:
        return sign == mark or after == mark
    if mark == NO_MARK:
        return False
    if number > NO_MARK and (number >= BRACKET) == (mark >= BRACKET):
        return number + 1 == mark
    return after == mark + 1


cdef inline int64_t mark_after(const Buffer *text, Py_ssize_t at, bint is_number, int64_t otherwise) noexcept:
    """Return the first mark, if `is_number` the first number, of the lines from a place on; `otherwise` if none is."""
    cdef Py_ssize_t end
    cdef int64_t mark
    while at < text.used:
        end = at
        while end < text.used and text.points[end] != 10:
            end += 1
        mark = typed_mark(text.points + at, end - at)
        if mark > NO_MARK or (mark < NO_MARK and not is_number):
            return mark
        at = end + 1
    return otherwise
