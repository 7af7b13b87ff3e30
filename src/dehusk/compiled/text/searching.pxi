"""Signs in a source, which is long: one pass over it."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from dehusk.compiled.markup cimport Char
from dehusk.compiled.needles cimport (
    block_end, find_text, is_at, source_block, style_block,
)
from dehusk.compiled.unicode cimport (
    PyBytes_AS_STRING, PyBytes_GET_SIZE, PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_Substring,
)

cdef enum:
    LOWER = 32  # the bit of letters in lower case; what it does to other characters cannot make them letters
    MAX_SHEETS = 32000  # characters of style elements that are read
    MAX_SCRIPTS = 50  # of linked data that are read
    MAX_PRICES = 1000  # elements that are said to be a price


cdef bint _names_scripts(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    return is_at(s, n, at, b"math/tex", 8) or is_at(s, n, at, b"math/TeX", 8)


cdef bint _names_linked_data(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    return at >= 14 and is_at(s, n, at - 14, b"application/ld+json", 19)


cdef inline bint _is_letter(const Char *s, Py_ssize_t n, Py_ssize_t at, Char letter) noexcept nogil:
    return at < n and s[at] < 128 and (s[at] | LOWER) == letter


cdef inline Py_ssize_t _after_hyphen(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    return at + (at < n and (s[at] == c"-" or s[at] == c"_"))


cdef bint _is_cart(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return whether "addToCart" is around its letters "dd", with or without hyphens, in any case of a, t and c."""
    if at < 1 or not _is_letter(s, n, at - 1, c"a") or not is_at(s, n, at, b"dd", 2):
        return False
    at = _after_hyphen(s, n, at + 2)
    if not _is_letter(s, n, at, c"t") or not is_at(s, n, at + 1, b"o", 1):
        return False
    at = _after_hyphen(s, n, at + 2)
    return _is_letter(s, n, at, c"c") and is_at(s, n, at + 1, b"art", 3)


cdef bint _sells(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return whether a sign of a shop is around a place."""
    return _is_cart(s, n, at) or (at >= 10 and is_at(s, n, at - 10, b"schema.org/Product", 18))


cdef bint _cooks(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return whether the sign of a recipe is around a "/"."""
    return at >= 10 and is_at(s, n, at - 10, b"schema.org/Recipe", 17)


cdef bint _is_price(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return whether "itemprop=", with or without a quotation mark, and "price" are around the "rop=" at a place."""
    if at < 5 or not is_at(s, n, at - 5, b"itemprop=", 9):
        return False
    return is_at(s, n, at + 4, b'"price"', 7) or is_at(s, n, at + 4, b"price", 5)


cdef bint _is_role(const Char *s, Py_ssize_t n, Py_ssize_t at, const char *role, Py_ssize_t size) noexcept nogil:
    """Return whether "role=" and a role, with or without a quotation mark, are around the "l" at a place."""
    if at < 2 or not is_at(s, n, at - 2, b"role=", 5):
        return False
    at += 4 if at + 3 < n and s[at + 3] in (34, 39) else 3
    return is_at(s, n, at, role, size)


cdef inline bint _is_sign(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return whether a style element, a type of scripts, a role of headings, or a sign of a shop or recipe is there."""
    cdef Char c = s[at]
    if c == c"<":
        return is_at(s, n, at, b"<style", 6)
    if c == c"m":
        return _names_scripts(s, n, at)
    if c == c"+":
        return _names_linked_data(s, n, at)
    if c == c"r":
        return _is_price(s, n, at)
    if c == c"l":
        return _is_role(s, n, at, b"heading", 7) or _is_role(s, n, at, b"columnheader", 12)
    return (c == c"d" or c == c"/") and (_sells(s, n, at) or (c == c"/" and _cooks(s, n, at)))


cdef Py_ssize_t _next_sign(const Char *s, Py_ssize_t n, Py_ssize_t at) noexcept nogil:
    """Return where a sign is next, n if there is none."""
    cdef Py_ssize_t i, stop
    while at < n:
        at = source_block(s, at, n)
        stop = block_end(at, n)
        for i in range(at, stop):
            if _is_sign(s, n, i):
                return i
        at = stop
    return n


cdef bint _conceals(const Char *s, Py_ssize_t end, Py_ssize_t at) noexcept nogil:
    """Return whether a sign that text is concealed starts at a place."""
    return (
        is_at(s, end, at, b"-999", 4) or is_at(s, end, at, b"-1000", 5) or is_at(s, end, at, b"clip", 4)
        or is_at(s, end, at, b"font-size:0", 11)
    )


cdef bint _is_suspicious(const Char *s, Py_ssize_t at, Py_ssize_t end) noexcept nogil:
    """Return whether a style element has a sign that it conceals text."""
    cdef Py_ssize_t i, stop
    while at < end:
        at = style_block(s, at, end)
        stop = block_end(at, end)
        for i in range(at, stop):
            if _conceals(s, end, i):
                return True
        at = stop
    return False


cdef class _Signs:
    """The signs of a source so far, and how far its style sheets and its linked data are read."""
    cdef list sheets, scripts, prices
    cdef bint formulas, sells, cooks, heads, columns
    cdef Py_ssize_t sheets_end, scripts_end, left

    def __cinit__(self):
        self.sheets, self.scripts, self.prices = [], [], []
        self.left = MAX_SHEETS

    cdef tuple found(self):
        sheets, scripts = tuple(self.sheets), tuple(self.scripts)
        prices = tuple(self.prices)
        return sheets, self.formulas, scripts, self.sells, self.cooks, prices, self.heads, self.columns


cdef Py_ssize_t _read_sheet(_Signs signs, const Char *s, Py_ssize_t n, Py_ssize_t at, str source) except -1:
    """Keep a style sheet if it has a sign that it conceals text; return where it ends."""
    cdef Py_ssize_t start = find_text(s, n, at, b">", 1, 0, 0) + 1, end, stop
    cdef bint is_suspicious
    if start == 0:
        signs.left = 0
        return n
    end = find_text(s, n, start, b"</style", 7, 1, 4)
    end = n if end < 0 else end
    stop = min(end, start + signs.left)
    signs.left -= stop - start
    with nogil:
        is_suspicious = _is_suspicious(s, start, stop)
    if is_suspicious:
        signs.sheets.append(PyUnicode_Substring(source, start, stop))
    return end


cdef Py_ssize_t _read_script(_Signs signs, const Char *s, Py_ssize_t n, Py_ssize_t at, str source) except -1:
    """Keep the contents of a script of linked data; return where it ends."""
    cdef Py_ssize_t start = find_text(s, n, at, b">", 1, 0, 0) + 1, end
    if start == 0:
        return n
    end = find_text(s, n, start, b"</script", 8, 1, 4)
    end = n if end < 0 else end
    signs.scripts.append(PyUnicode_Substring(source, start, end))
    return end


cdef tuple _signs(const Char *s, Py_ssize_t n, str source):
    cdef Py_ssize_t at
    cdef _Signs signs = _Signs()
    with nogil:
        at = _next_sign(s, n, 0)
    while at < n:
        if s[at] == c"m":
            signs.formulas = True
        elif s[at] == c"/" and s[at + 1] == c"R":
            signs.cooks = True
        elif s[at] == c"d" or s[at] == c"/":
            signs.sells = True
        elif s[at] == c"l":
            if _is_role(s, n, at, b"heading", 7):
                signs.heads = True
            else:
                signs.columns = True
        elif s[at] == c"r":
            if len(signs.prices) < MAX_PRICES:
                signs.prices.append(at - 5)
        elif s[at] == c"+":
            if at >= signs.scripts_end and len(signs.scripts) < MAX_SCRIPTS:
                signs.scripts_end = _read_script(signs, s, n, at, source)
        elif at >= signs.sheets_end and signs.left > 0:
            signs.sheets_end = _read_sheet(signs, s, n, at, source)
        with nogil:
            at = _next_sign(s, n, at + 1)
    return signs.found()


def signs_in(str source):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(source)
    cdef unsigned int kind = PyUnicode_KIND(source)
    cdef const void *data = PyUnicode_DATA(source)
    if kind == 1:
        return _signs(<const uint8_t *>data, n, source)
    if kind == 2:
        return _signs(<const uint16_t *>data, n, source)
    return _signs(<const uint32_t *>data, n, source)


cdef list _places(const Char *s, Py_ssize_t n, bytes text):
    cdef Py_ssize_t size = PyBytes_GET_SIZE(text), at = 0
    cdef const char *wanted = <const char *>PyBytes_AS_STRING(text)
    cdef list found = []
    while True:
        at = find_text(s, n, at, wanted, size, 0, size - 1)
        if at < 0:
            return found
        found.append(at)
        at += 1


def places_of(str source, bytes text):
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(source)
    cdef unsigned int kind = PyUnicode_KIND(source)
    cdef const void *data = PyUnicode_DATA(source)
    if not text or not text.isascii():
        raise ValueError("a text of ASCII is needed")
    if kind == 1:
        return _places(<const uint8_t *>data, n, text)
    if kind == 2:
        return _places(<const uint16_t *>data, n, text)
    return _places(<const uint32_t *>data, n, text)
