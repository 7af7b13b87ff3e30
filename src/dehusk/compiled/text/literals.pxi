"""The strings of data in scripts: one pass finds what the rules of `dehusk.read.islands.literals` allow."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyTypeObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from dehusk.compiled.first_use cimport once
from dehusk.compiled.markup cimport Char
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH, PyUnicode_KIND, Py_UNICODE_ISALNUM,
    Py_UNICODE_ISDECIMAL, Py_UNICODE_ISSPACE,
)

cdef extern from "Python.h":
    object PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t n)
    void PyTuple_SET_ITEM(object value, Py_ssize_t index, object part)
    void PyObject_GC_UnTrack(object value)

cdef object unquote = None
cdef object _literals = None  # the module whose function this is; it imports this one
cdef object _value_class = None
cdef enum:
    NESTED_SIZE = 20  # characters that a string with data in it has at least
    NAME_SIZE = 100
    MAX_PATH = 64


cdef class Reading:
    """Reads an island, and data in its strings."""

    cdef list values
    cdef dict keys  # as they are written -> as they are in paths
    cdef dict numbers  # path -> family
    cdef dict below  # path of open brackets -> {key: [path, family or None]}
    cdef object island
    cdef Py_ssize_t families
    cdef int64_t tokens, objects, most
    cdef int max_levels, max_key

    cdef int read(self, str source, bint is_json, tuple above, int level) except -1:
        cdef Scope scope = Scope()
        self.objects += 1
        scope.key, scope.above, scope.keys, scope.owners, scope.level = "", list(above), [], [self.objects], level
        cdef int kind = PyUnicode_KIND(source)
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(source)
        cdef void *units = PyUnicode_DATA(source)
        if kind == 1:
            return read_units(self, scope, <const uint8_t *>units, n, is_json)
        if kind == 2:
            return read_units(self, scope, <const uint16_t *>units, n, is_json)
        return read_units(self, scope, <const uint32_t *>units, n, is_json)

    cdef bint counts(self):
        """Count a token; return whether it may be read."""
        self.tokens += 1
        return self.tokens <= self.most

    cdef str plain_key(self, str key):
        found = self.keys.get(key)
        if found is None:
            found = self.keys[key] = _literals._plain_key(key)
        return found


cdef class Scope:
    """The open brackets at a place of the data."""

    cdef str key
    cdef list above, keys, owners
    cdef tuple outer, inner, inner_owners  # the path of the open brackets, that with the key, and the objects; or None
    cdef dict below  # key -> [path, family]
    cdef list last  # [path, family] of the path that was asked for last
    cdef int level

    cdef tuple path(self, Reading reading):
        cdef list keys
        if self.outer is None:
            keys = self.keys if len(self.keys) <= MAX_PATH else self.keys[-MAX_PATH:]
            if self.above:
                keys = (self.above + keys)[-MAX_PATH:]
            self.outer = tuple([key for key in keys if key])
            self.below = reading.below.setdefault(self.outer, {})
        if self.inner is None:
            self.last = self.below.get(self.key)
            if self.last is None:
                self.last = self.below[self.key] = [self.outer + (self.key,) if self.key else self.outer, None]
            self.inner = self.last[0]
        return self.inner

    cdef tuple owners_around(self):
        cdef Py_ssize_t i, n = len(self.owners)
        cdef list around
        if self.inner_owners is None:
            around = []
            for i in range(n - 1, max(n - 6, -1), -1):  # from the innermost, each once; equal ones follow one another
                if not around or around[len(around) - 1] != self.owners[i]:
                    around.append(self.owners[i])
            self.inner_owners = tuple(around)
        return self.inner_owners


cdef int move_bracket(Reading reading, Scope scope, Char sign) except -1:
    """Open or close a bracket."""
    if sign == c"{" or sign == c"[":
        scope.keys.append(scope.key)
        if sign == c"{":
            reading.objects += 1
            scope.owners.append(reading.objects)
        else:
            scope.owners.append(scope.owners[len(scope.owners) - 1])
    elif scope.keys:
        scope.keys.pop()
        scope.owners.pop()
    scope.key = ""
    scope.outer = scope.inner = scope.inner_owners = None
    return 0


cdef inline bint is_word(Char sign):
    if sign < 128:
        return (
            c"a" <= sign <= c"z" or c"A" <= sign <= c"Z" or c"0" <= sign <= c"9" or sign == c"_" or sign == c"$"
        )
    return Py_UNICODE_ISALNUM(sign)


cdef inline bint starts_name(Char sign):
    return sign < 128 and is_word(sign) and not c"0" <= sign <= c"9"


cdef inline bint is_before_comment(Char sign):
    return (
        sign == c";" or sign == c"," or sign == c"{" or sign == c"}" or sign == c"("
        or (sign <= c" " or sign >= 128) and Py_UNICODE_ISSPACE(sign)
    )


cdef inline Py_ssize_t behind_colon(const Char *s, Py_ssize_t n, Py_ssize_t at):
    """Return the place behind a colon that white space may stand before; 0 if there is none."""
    while at < n and (s[at] <= c" " or s[at] >= 128) and Py_UNICODE_ISSPACE(s[at]):
        at += 1
    return at + 1 if at < n and s[at] == c":" else 0


cdef Py_ssize_t end_of_string(const Char *s, Py_ssize_t n, Py_ssize_t at, Char quote, bint in_line):
    """Return where a string ends: at its quote, at the end of the line or of the data."""
    while at < n and s[at] != quote and not (in_line and s[at] == c"\n"):
        if s[at] == c"\\":
            if at + 1 == n:
                return at
            at += 1
        at += 1
    return at


cdef Py_ssize_t end_of_comment(const Char *s, Py_ssize_t n, Py_ssize_t at):
    """Return where a comment ends that starts at a slash; 0 if none starts there."""
    if at == 0 or at + 1 >= n or not is_before_comment(s[at - 1]):
        return 0
    if s[at + 1] == c"/":
        at += 2
        while at < n and s[at] != c"\n":
            at += 1
        return at
    if s[at + 1] != c"*":
        return 0
    at += 2
    while at < n:
        if s[at] == c"*" and at + 1 < n and s[at + 1] == c"/":
            return at + 2
        at += 1
    return n


cdef int read_units(Reading reading, Scope scope, const Char *s, Py_ssize_t n, bint is_json) except -1:
    """Read the tokens of data."""
    cdef Py_ssize_t at = 0, stop
    cdef int64_t before
    cdef Char sign
    while at < n:
        sign = s[at]
        if sign == c'"' or not is_json and (sign == c"'" or sign == c"`"):
            if not reading.counts():
                return 0
            at = read_string(reading, scope, s, n, at, not is_json and sign != c"`")
        elif sign == c"{" or sign == c"}" or sign == c"[" or sign == c"]":
            if not reading.counts():
                return 0
            move_bracket(reading, scope, sign)
            at += 1
        elif is_json:
            at += 1
        elif sign == c"/":
            stop = end_of_comment(s, n, at)
            if stop and not reading.counts():
                return 0
            at = stop or at + 1
        elif is_word(sign):
            before = reading.tokens
            at = read_name(reading, scope, s, n, at)
            if before < reading.tokens > reading.most:
                return 0
        else:
            at += 1
    return 0


cdef Py_ssize_t read_name(Reading reading, Scope scope, const Char *s, Py_ssize_t n, Py_ssize_t at) except -1:
    """Read a word, which is a key if a colon follows; return the place behind it."""
    cdef Py_ssize_t end = at, stop
    while end < n and is_word(s[end]):
        end += 1
    stop = behind_colon(s, n, end)
    if not stop:
        return end
    at = max(at, end - NAME_SIZE)
    while at < end and not starts_name(s[at]):
        at += 1
    if at == end:
        return end
    if reading.counts():
        set_key(reading, scope, s, at, end)
    return stop


cdef int set_key(Reading reading, Scope scope, const Char *s, Py_ssize_t at, Py_ssize_t end) except -1:
    scope.inner = None
    if end - at > reading.max_key:
        scope.key = "*"
    else:
        scope.key = reading.plain_key(PyUnicode_FromKindAndData(sizeof(Char), s + at, end - at))
    return 0


cdef Py_ssize_t read_string(
    Reading reading, Scope scope, const Char *s, Py_ssize_t n, Py_ssize_t at, bint in_line
) except -1:
    """Read a string, which is a key or a value; return the place behind it."""
    cdef Char quote = s[at]
    cdef Py_ssize_t first = at + 1, end = end_of_string(s, n, at + 1, quote, in_line), i = at + 1, stop
    cdef bint is_closed = end == n or s[end] == quote
    cdef Py_ssize_t behind = end + (end < n and s[end] == quote)
    stop = behind_colon(s, n, behind)
    if not stop and not is_closed:
        return behind
    while i < end and s[i] != c"\\":
        i += 1
    if i < end:
        read_escaped(reading, scope, s, first, end, stop != 0)
    elif stop:
        set_key(reading, scope, s, first, end)
    else:
        add_value(reading, scope, s, first, end)
    return stop or behind


cdef int read_escaped(
    Reading reading, Scope scope, const Char *s, Py_ssize_t at, Py_ssize_t end, bint is_key
) except -1:
    """Read a string with escapes."""
    cdef uint32_t *units = <uint32_t *>PyMem_Malloc(<size_t>(end - at) * sizeof(uint32_t))
    if units == NULL:
        raise MemoryError
    cdef Py_ssize_t n
    cdef str text
    try:
        n = decode(s, at, end, units)
        if n < 0:
            text = _literals._decoded(PyUnicode_FromKindAndData(sizeof(Char), s + at, end - at))
            if is_key:
                scope.inner, scope.key = None, "*" if len(text) > reading.max_key else reading.plain_key(text)
            else:
                add_text(reading, scope, text.strip())
        elif is_key:
            set_key(reading, scope, units, 0, n)
        else:
            add_value(reading, scope, units, 0, n)
    finally:
        PyMem_Free(units)
    return 0


cdef int add_value(Reading reading, Scope scope, const Char *s, Py_ssize_t at, Py_ssize_t end) except -1:
    """Add a string that is decoded, or the strings of the data in it."""
    cdef Py_ssize_t i
    while at < end and Py_UNICODE_ISSPACE(s[at]):
        at += 1
    while at < end and Py_UNICODE_ISSPACE(s[end - 1]):
        end -= 1
    if end - at <= 1:
        return 0
    if end - at > NESTED_SIZE and (s[at] == c"[" or s[at] == c"{" or s[at] == c"%"):
        return add_text(reading, scope, PyUnicode_FromKindAndData(sizeof(Char), s + at, end - at))
    for i in range(at, end):
        if is_letter(s[i]):
            return append(reading, scope, PyUnicode_FromKindAndData(sizeof(Char), s + at, end - at))
    return 0


cdef inline bint is_letter(Char sign):
    if sign < 128:
        return c"a" <= sign <= c"z" or c"A" <= sign <= c"Z"
    return Py_UNICODE_ISALNUM(sign) and not Py_UNICODE_ISDECIMAL(sign)


cdef int append(Reading reading, Scope scope, str text) except -1:
    cdef object value = PyType_GenericAlloc(<PyTypeObject *>_value_class, 5)
    cdef tuple path = scope.path(reading), owners = scope.owners_around()
    family = scope.last[1]
    if family is None:
        family = scope.last[1] = reading.numbers.setdefault(path, reading.families + len(reading.numbers))
    put(value, 0, text)
    put(value, 1, path)
    put(value, 2, owners)
    put(value, 3, reading.island)
    put(value, 4, family)
    PyObject_GC_UnTrack(value)  # nothing in it refers to it: the garbage collector need not look at thousands of them
    reading.values.append(value)
    return 0


cdef inline void put(object value, Py_ssize_t index, object part):
    """Set a part of a new tuple."""
    Py_INCREF(part)
    PyTuple_SET_ITEM(value, index, part)


cdef int add_text(Reading reading, Scope scope, str text) except -1:
    """Add a string, or the strings of the data in it."""
    cdef str first = text[:1]
    if len(text) > NESTED_SIZE and scope.level < reading.max_levels and first in "[{%":
        if _literals._NESTED.match(text) or _literals._ENCODED.match(text):
            inner = unquote(text) if first == "%" else text
            return reading.read(inner, True, scope.path(reading), scope.level + 1)
    if len(text) > 1 and _literals._LETTER.search(text):
        append(reading, scope, text)
    return 0


cdef bint _literals_ready = False


cdef int prepare_literals() except -1:
    """Find the module whose function this is; it imports this one."""
    global _literals, _value_class, unquote
    from urllib.parse import unquote
    from dehusk.read.islands import literals
    _literals, _value_class = literals, literals.Value
    return 0


def strings_of(str source, object island, object is_json, object tokens, object objects, object families):
    """Return the strings of an island.

    Args:
        source: its data.
        island: its number.
        is_json: whether it is JSON rather than a script.
        tokens: number of tokens in islands before.
        objects: number of objects in islands before.
        families: number of families in islands before.
    """
    once(&_literals_ready, prepare_literals)
    cdef Reading reading = Reading()
    reading.values, reading.keys, reading.island = [], {}, island
    reading.numbers, reading.below, reading.families = {}, {}, families
    reading.tokens, reading.objects, reading.most = tokens, objects, _literals.MAX_TOKENS
    reading.max_levels, reading.max_key = _literals._MAX_LEVELS, _literals._MAX_KEY
    reading.read(source, bool(is_json), (), 0)
    return _literals.Strings(reading.values, reading.tokens, reading.objects, families + len(reading.numbers))
