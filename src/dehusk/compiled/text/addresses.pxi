"""Addresses of links, resolved all at once: most links of a page need no closer look."""

from libc.stdint cimport uint8_t
from dehusk.compiled.first_use cimport once
from dehusk.compiled.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII

cdef enum:
    IN_PART = 1  # of a path, query or fragment; not the percent sign, which needs two digits
    IN_NAME = 2  # of a relative path: no colon, which may end a scheme
    IN_HOST = 4
    IS_HEX = 8
    STARTS_HOST = 16

cdef uint8_t[128] FLAGS
cdef Py_ssize_t MAX_PLAIN = -1


def _set_flags():
    for index in range(128):
        char = chr(index)
        FLAGS[index] = 0
        if char.isalnum():
            FLAGS[index] |= IN_PART | IN_NAME | IN_HOST | STARTS_HOST
        if char in "_/.~!$&*+,:=@-":
            FLAGS[index] |= IN_PART
        if char in "_/.~!$&*+,=@-":
            FLAGS[index] |= IN_NAME
        if char in ".-":
            FLAGS[index] |= IN_HOST
        if char in "0123456789abcdefABCDEF":
            FLAGS[index] |= IS_HEX


_set_flags()


cdef bint _addresses_ready = False


cdef int prepare_addresses() except -1:
    """Find the limit of the layer above, at the first use: it cannot be imported before it is."""
    global MAX_PLAIN
    from dehusk.read import addresses
    MAX_PLAIN = addresses._MAX_PLAIN
    return 0


cdef Py_ssize_t part_end(const uint8_t *s, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Return where a plain part of a path, query or fragment ends."""
    while at < size:
        if FLAGS[s[at]] & IN_PART:
            at += 1
        elif s[at] == c"%" and at + 2 < size and FLAGS[s[at + 1]] & FLAGS[s[at + 2]] & IS_HEX:
            at += 3
        else:
            break
    return at


cdef bint is_tail(const uint8_t *s, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether there is no more than a plain query and a plain fragment; neither is empty."""
    cdef Py_ssize_t start
    if at < size and s[at] == c"?":
        start = at + 1
        at = part_end(s, start, size)
        if at == start:
            return False
    if at < size and s[at] == c"#":
        start = at + 1
        at = part_end(s, start, size)
        if at == start:
            return False
    return at == size


cdef bint is_absolute(const uint8_t *s, Py_ssize_t size) noexcept nogil:
    """Whether an address that starts with "http" is plain."""
    cdef Py_ssize_t at = 5 if size > 4 and s[4] == c"s" else 4
    if at + 3 >= size or s[at] != c":" or s[at + 1] != c"/" or s[at + 2] != c"/":
        return False
    at += 3
    if not FLAGS[s[at]] & STARTS_HOST:
        return False
    while at < size and FLAGS[s[at]] & IN_HOST:
        at += 1
    return at == size or (s[at] == c"/" and is_tail(s, part_end(s, at, size), size))


cdef bint has_dots(const uint8_t *s, Py_ssize_t size, bint slashes) noexcept nogil:
    """Whether a dot comes after a slash, or a slash does, if `slashes`."""
    cdef Py_ssize_t at
    for at in range(1, size):
        if s[at - 1] == c"/" and (s[at] == c"." or (slashes and s[at] == c"/")):
            return True
    return False


cdef bint is_relative(const uint8_t *s, Py_ssize_t size) noexcept nogil:
    """Whether an address is plain and names no scheme."""
    cdef Py_ssize_t at = 0
    while at < size and FLAGS[s[at]] & IN_NAME:
        at += 1
    return at > 0 and is_tail(s, at, size)


cdef object plain_address(str address, str root, str folder, str page):
    """`Addresses._plain`; None if the address needs a closer look."""
    cdef const uint8_t *s
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(address)
    if not size or size > MAX_PLAIN or not PyUnicode_IS_ASCII(address):
        return None
    s = PyUnicode_1BYTE_DATA(address)
    if size >= 4 and s[0] == c"h" and s[1] == c"t" and s[2] == c"t" and s[3] == c"p":
        return address if is_absolute(s, size) else None
    if root is None:
        return None
    if s[0] == c"#":
        return page + address if is_tail(s, 0, size) else None
    if s[0] == c"/":
        if (size > 1 and s[1] == c"/") or has_dots(s, size, False) or not is_tail(s, part_end(s, 0, size), size):
            return None
        return root + address
    if root and (not folder or s[0] == c"." or has_dots(s, size, True)):
        return None
    return folder + address if is_relative(s, size) else None


def resolve_all(object addresses, object given):
    once(&_addresses_ready, prepare_addresses)
    cdef str root = addresses._root, folder = addresses._folder if root else "", page = addresses.base.partition("#")[0]
    found = []
    for address in given:
        resolved = plain_address(address, root, folder, page) if address else None
        found.append(addresses.resolve(address) if resolved is None and address else resolved)
    return found
