# cython: language_level=3
"""The containers that lines of Markdown are in, and what a line in one starts with."""

from libc.stdint cimport int64_t

from dehusk.compiled.buffers cimport Buffer, append_ascii, append_part, repeat
from dehusk.compiled.stream cimport ITEM_TOKEN, NOTE_TOKEN, QUOTE_TOKEN


cdef enum:
    NOTE_WIDTH = 4  # of what the other lines of a footnote start with; other containers have one width


cdef struct Frame:  # a container that lines are in
    int kind
    bint is_fresh
    bint is_tight
    bint is_ordered
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
