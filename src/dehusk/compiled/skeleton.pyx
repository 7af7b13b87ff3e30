"""Twin of `dehusk.units.skeleton.skeleton_of`."""

cimport numpy as cnp
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_New, Py_UNICODE_ISSPACE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from dehusk.compiled.arrays cimport as_bool, as_i32, as_u16, new_array, size_of, values

cnp.import_array()

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

cdef enum:
    LONGEST = 200  # characters of names; longer ones are left to the Python function

cdef object reference = None  # dehusk.units.skeleton, which cannot be imported before this module
cdef uint8_t *is_holder = NULL
cdef uint8_t *is_anchored = NULL
cdef int known = 0

cdef struct Columns:
    # what is read, checked by `consistent`
    int32_t n, b
    const uint16_t *tag
    const int32_t *parent
    const int32_t *end
    const int32_t *class_code
    const int32_t *id_code
    const int32_t *first
    const int32_t *node
    # what is worked out: blocks and kept nodes before each node, and the m kept nodes
    int32_t m
    int32_t *before
    int32_t *rows
    int32_t *kept


def skeleton_of(object blocks):
    if reference is None:
        load()
    page = blocks.page
    cdef Columns c
    c.n, c.b = <int32_t>size_of(page.tag), <int32_t>size_of(blocks.first)
    c.tag, c.parent, c.end = as_u16(page.tag), as_i32(page.parent), as_i32(page.end)
    c.class_code, c.id_code = as_i32(page.class_code), as_i32(page.id_code)
    c.first, c.node = as_i32(blocks.first), as_i32(blocks.node)
    for column in (page.parent, page.end, page.class_code, page.id_code):
        if size_of(column) != c.n:
            return NotImplemented
    if size_of(blocks.node) != c.b:
        return NotImplemented
    c.before = <int32_t *>malloc(3 * (<size_t>c.n + 1) * sizeof(int32_t))
    if c.before == NULL:
        raise MemoryError
    c.rows, c.kept = c.before + c.n + 1, c.before + 2 * (c.n + 1)
    try:
        return skeleton(page, &c) if count(&c) else NotImplemented
    finally:
        free(c.before)


cdef void load() except *:
    global reference, is_holder, is_anchored, known
    from dehusk.units import skeleton as module
    is_holder, is_anchored = as_bool(module._HOLDER), as_bool(module._ANCHORED)
    known = <int>size_of(module._HOLDER) - 1
    reference = module


cdef bint count(Columns *c) noexcept nogil:
    """Count blocks and kept nodes before each node; return whether the columns are consistent."""
    cdef int32_t i, total = 0
    memset(c.before, 0, (<size_t>c.n + 1) * sizeof(int32_t))
    for i in range(c.b):
        if not (0 <= c.first[i] < c.n and 0 <= c.node[i] < c.n):
            return False
        c.before[c.first[i] + 1] += 1
    for i in range(c.n):
        if not (i < c.end[i] <= c.n and (0 <= c.parent[i] < i or (i == 0 and c.parent[i] == -1))):
            return False
        c.before[i + 1] += c.before[i]
    for i in range(c.n):
        c.rows[i], c.kept[total] = total, i  # no branch: the next one takes the place of a node that is not kept
        total += (c.before[c.end[i]] > c.before[i]) & (c.tag[i] != 0)
    c.rows[c.n] = c.m = total
    return True


cdef object skeleton(object page, Columns *c):
    cdef int32_t m = c.m, i, k, number
    cdef list arrays = [new_array(m, cnp.NPY_INT64) for _ in range(6)]
    cdef int64_t *node = <int64_t *>values(arrays[0])
    cdef int64_t *parent = <int64_t *>values(arrays[1])
    cdef int64_t *close = <int64_t *>values(arrays[2])
    cdef int64_t *first = <int64_t *>values(arrays[3])
    cdef int64_t *end = <int64_t *>values(arrays[4])
    cdef int64_t *depth = <int64_t *>values(arrays[5])
    tags, holders = new_array(m, cnp.NPY_UINT16), new_array(m, cnp.NPY_BOOL)
    cdef uint16_t *tag = <uint16_t *>values(tags)
    cdef uint8_t *holder = <uint8_t *>values(holders)
    for k in range(m):
        i = c.kept[k]
        node[k], tag[k] = i, c.tag[i]
        parent[k] = c.rows[c.parent[i]] if k else -1
        close[k], first[k], end[k] = c.rows[c.end[i]], c.before[i], c.before[c.end[i]]
        depth[k] = depth[parent[k]] + 1 if k else 0
        holder[k] = is_holder[min(<int>c.tag[i], known)]
    innermost = new_array(c.b, cnp.NPY_INT64)
    cdef int64_t *inner = <int64_t *>values(innermost)
    for i in range(c.b):
        inner[i] = c.rows[c.node[i]]
    number = known + <int32_t>len(page.extra_tags) + 1
    signature, tokens = signatures(page, c, tag, number)
    return reference.Skeleton(
        arrays[0], tags, arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], signature, tokens, number, innermost,
        holders,
    )


cdef tuple signatures(object page, Columns *c, const uint16_t *tag, int32_t n_tags):
    """Return `signature` and `tokens`."""
    cdef tuple classes = page.class_names, ids = page.id_names
    cdef int32_t n_classes = <int32_t>len(classes), size = n_classes + <int32_t>len(ids), i, index, k
    signature = new_array(c.m, cnp.NPY_INT64)
    cdef int64_t *out = <int64_t *>values(signature)
    codes_ = new_array(size, cnp.NPY_INT32)
    cdef int32_t *codes = <int32_t *>values(codes_)
    memset(codes, 0, size * sizeof(int32_t))
    for k in range(c.m):
        i = c.kept[k]
        index = c.class_code[i]
        if index <= 0:
            index = n_classes + (0 if is_anchored[min(<int>c.tag[i], known)] else c.id_code[i])
        if not 0 <= index < size:
            raise IndexError("a class or an id has no name")
        codes[index] = 1
        out[k] = index
    tokens = number_tokens(classes, ids, codes)
    for k in range(c.m):
        out[k] = <int64_t>codes[out[k]] * n_tags + tag[k]
    return signature, tokens


cdef tuple number_tokens(tuple classes, tuple ids, int32_t *codes):
    """Replace the 1 of each name that is used by the number of its token, and return the tokens."""
    cdef int32_t n_classes = <int32_t>len(classes), i
    cdef dict numbers = {"": 0, "#": 0}
    cdef list tokens = ["", "#"]
    for i in range(n_classes + <int32_t>len(ids)):
        if not codes[i]:
            continue
        token = first_word(classes[i], False) if i < n_classes else first_word(ids[i - n_classes], True)
        number = numbers.get(token)
        if number is None:
            numbers[token] = number = len(tokens)
            tokens.append(token)
        codes[i] = number
    return tuple(tokens)


cdef object first_word(str name, bint is_id):
    """Return the first word of a name without digits, that of an id after a "#"."""
    cdef Py_ssize_t n = len(name)
    if n < LONGEST and PyUnicode_IS_ASCII(name):
        return ascii_first_word(name, n, is_id)
    return reference._first_words(["#" + name if is_id else name])[0]


cdef object ascii_first_word(str name, Py_ssize_t n, bint is_id):
    cdef uint8_t[LONGEST] word
    cdef const uint8_t *text = <const uint8_t *>PyUnicode_DATA(name)
    cdef Py_ssize_t i = 0, size = 0
    word[0] = c"#"
    if is_id:
        size = 1
    while not is_id and i < n and Py_UNICODE_ISSPACE(text[i]):
        i += 1
    while i < n and not Py_UNICODE_ISSPACE(text[i]):
        word[size] = text[i]
        size += not c"0" <= text[i] <= c"9"
        i += 1
    if size == n and not is_id:
        return name
    found = PyUnicode_New(size, 127)
    memcpy(PyUnicode_DATA(found), word, size)
    return found
