"""Classes and lower case of characters, keys of strings, and the tables of both for other modules.

A table has a row for each code point. Rows are filled when a text needs them, those of the basic multilingual plane in
three steps, so that most of the table's memory is never touched.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy

from dehusk.compiled.arrays cimport as_i32, as_u32, as_u8, new_array, size_of, values
from dehusk.compiled.hashes cimport Spelling, begin, fill_scattered, spell, spelt
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_New, PyUnicode_READ,
)

cnp.import_array()
fill_scattered()

cdef enum: LATIN = 0x100, COMMON = 0x4000, PLANE = 0x10000
cdef uint8_t *_classes = NULL
cdef uint32_t *_lower = NULL
cdef uint32_t _known = 0  # code points whose rows are filled, PLANE at most
cdef object _class_of = None
cdef object _lower_of = None


cdef int _load(uint32_t stop) except -1:
    """Fill the rows before `stop`, a size of the tables."""
    global _class_of, _lower_of
    from dehusk.base.characters import class_of, class_table, lower_of, lower_table
    from dehusk.base.lazy import IMPORTING
    with IMPORTING:
        if stop <= _known:
            return 0
        _class_of, _lower_of = class_of, lower_of
        return _add_rows(class_table(stop), lower_table(stop), stop)


cdef int _add_rows(object classes, object lowered, uint32_t stop) except -1:
    """Fill the rows from `_known` to `stop`; those before it may be read by other threads."""
    global _classes, _lower, _known
    cdef const uint8_t *class_rows = as_u8(classes)
    cdef const uint32_t *lower_rows = as_u32(lowered)
    if size_of(classes) != stop or size_of(lowered) != stop:
        raise ValueError("the tables of characters do not have a row for each character")
    if _classes == NULL:
        _classes = <uint8_t *>calloc(LAST_POINT + 1, sizeof(uint8_t))
    if _lower == NULL:
        _lower = <uint32_t *>calloc(LAST_POINT + 1, sizeof(uint32_t))
    if _classes == NULL or _lower == NULL:
        raise MemoryError
    memcpy(_classes + _known, class_rows + _known, (stop - _known) * sizeof(uint8_t))
    memcpy(_lower + _known, lower_rows + _known, (stop - _known) * sizeof(uint32_t))
    _known = stop
    return 0


cdef int _add_high(const uint32_t *points, Py_ssize_t n) except -1:
    """Fill the rows of code points beyond the plane; a row of `_lower` that is set has both."""
    cdef Py_ssize_t i
    cdef uint32_t point
    for i in range(n):
        point = points[i]
        if point < PLANE or point > LAST_POINT or _lower[point]:
            continue
        _classes[point] = <uint8_t>_class_of(point)
        _lower[point] = <uint32_t>_lower_of(point)
    return 0


cdef uint32_t _all_bits(const void *points, unsigned int kind, Py_ssize_t n) noexcept nogil:
    """Return the bits of code points of 2 or 4 bytes, which are below a power of two if the points are."""
    cdef const uint32_t *wide = <const uint32_t *>points
    cdef const uint16_t *narrow = <const uint16_t *>points
    cdef Py_ssize_t i
    cdef uint32_t any_bits = 0
    if kind == 2:
        for i in range(n):
            any_bits |= narrow[i]
    else:
        for i in range(n):
            any_bits |= wide[i]
    return any_bits


cdef int _fill_classes(uint32_t largest) except -1:
    """Fill the rows up to a code point: few pages need those of Chinese, and the first page is not to wait for them."""
    if largest >= _known and _known < PLANE:
        _load(LATIN if largest < LATIN else COMMON if largest < COMMON else PLANE)
    return 0


cdef int _prepare(const uint32_t *points, Py_ssize_t n) except -1:
    cdef uint32_t largest = _all_bits(points, 4, n)
    _fill_classes(largest)
    if largest >= PLANE:
        _add_high(points, n)
    return 0


cdef const uint8_t *classes_for(const uint32_t *points, Py_ssize_t n) except NULL:
    """Return the table of classes; it has rows for the points given, which must be at most `LAST_POINT`."""
    _prepare(points, n)
    return _classes


cdef const uint8_t *classes_for_text(str text) except NULL:
    """Return the table of classes; it has rows for the characters of the text."""
    cdef unsigned int kind = PyUnicode_KIND(text)
    if kind == 4:
        return classes_for(<const uint32_t *>PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text))
    cdef bint is_known = kind == 1 or _known == PLANE
    _fill_classes(0 if is_known else _all_bits(PyUnicode_DATA(text), kind, PyUnicode_GET_LENGTH(text)))
    return _classes


cdef const uint32_t *lower_for(const uint32_t *points, Py_ssize_t n) except NULL:
    """Return the table of lower case; it has rows for the points given, which must be at most `LAST_POINT`."""
    _prepare(points, n)
    return _lower


cdef uint32_t _largest(const uint32_t *points, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint32_t largest = 0
    for i in range(n):
        largest = points[i] if points[i] > largest else largest
    return largest


cdef void _narrow_to_1(const uint32_t *points, Py_ssize_t n, uint8_t *out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <uint8_t>points[i]


cdef void _narrow_to_2(const uint32_t *points, Py_ssize_t n, unsigned short *out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <unsigned short>points[i]


cdef str text_of_points(const uint32_t *points, Py_ssize_t n):
    """Return a text; the points must be at most `LAST_POINT`."""
    cdef uint32_t largest = _largest(points, n)
    if largest > LAST_POINT:
        raise ValueError("no code point is this large")
    text = PyUnicode_New(n, largest)
    if n == 0:
        return <str>text
    if PyUnicode_KIND(text) == 1:
        _narrow_to_1(points, n, <uint8_t *>PyUnicode_DATA(text))
    elif PyUnicode_KIND(text) == 2:
        _narrow_to_2(points, n, <unsigned short *>PyUnicode_DATA(text))
    else:
        memcpy(PyUnicode_DATA(text), points, n * sizeof(uint32_t))
    return <str>text


def text_of(object code_points):
    """Return the text that code points, shape (m,), stand for."""
    cdef const uint32_t *points = as_u32(code_points)
    cdef Py_ssize_t n = size_of(code_points), i
    for i in range(n):
        if 0xD800 <= points[i] < 0xE000 or points[i] > LAST_POINT:
            raise ValueError(f"no text has the code point {points[i]:#x}")
    return text_of_points(points, n)


cdef int _check(object code_points) except -1:
    """Raise a ValueError unless an array is a row of code points."""
    if _largest(as_u32(code_points), size_of(code_points)) > LAST_POINT:
        raise ValueError("no code point is this large")
    return 0


def classify(object code_points):
    """Return the `CharClass` of each code point, shape unchanged.

    Letters and combining marks are ALPHA, numbers DIGIT, punctuation PUNCT, white space and control characters WHITE.
    Characters of the classes below WHITE have ink.
    """
    _check(code_points)
    cdef const uint32_t *points = as_u32(code_points)
    cdef Py_ssize_t n = size_of(code_points), i
    cdef const uint8_t *table = classes_for(points, n)
    found = new_array(n, cnp.NPY_UINT8)
    cdef uint8_t *out = <uint8_t *>values(found)
    with nogil:
        for i in range(n):
            out[i] = table[points[i]]
    return found


def have_ink(str text not None, object starts, object ends):
    """Return whether each part of a text has a character with ink; the parts start and end at offsets, shape (k,)."""
    cdef const int32_t *start = as_i32(starts)
    cdef const int32_t *end = as_i32(ends)
    cdef const uint8_t *table = classes_for_text(text)
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t k = size_of(starts), size = PyUnicode_GET_LENGTH(text), i, at
    if size_of(ends) != k:
        raise ValueError("the offsets do not fit together")
    found = new_array(k, cnp.NPY_BOOL)
    cdef uint8_t *out = <uint8_t *>values(found)
    for i in range(k):
        if start[i] < 0 or end[i] > size:
            raise ValueError("an offset is not in the text")
        at = start[i]
        while at < end[i] and table[PyUnicode_READ(kind, data, at)] >= WHITE:
            at += 1
        out[i] = at < end[i]
    return found


def lower(object code_points):
    """Return each code point in lower case, shape unchanged.

    Every character maps to a single one: İ, for which `str.lower` returns two, becomes i. Final ς becomes σ, the lower
    case of Σ, so that a Greek word equals the same word in capitals.
    """
    _check(code_points)
    cdef const uint32_t *points = as_u32(code_points)
    cdef Py_ssize_t n = size_of(code_points), i
    cdef const uint32_t *table = lower_for(points, n)
    found = new_array(n, cnp.NPY_UINT32)
    cdef uint32_t *out = <uint32_t *>values(found)
    with nogil:
        for i in range(n):
            out[i] = table[points[i]]
    return found


def text_key(str text not None):
    """Return the key of one string, as computed by `span_keys`."""
    cdef unsigned int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef Py_ssize_t i
    cdef Spelling spelling
    begin(&spelling)
    for i in range(PyUnicode_GET_LENGTH(text)):
        spell(&spelling, PyUnicode_READ(kind, data, i))
    return spelt(&spelling)
