"""The columns of a page from the parser's tree.

The parser writes the tree as markup, which is faster than a Python object for each node, and one pass over the markup
fills the columns. Some trees its markup does not tell: those with `plaintext`, with text of formulas in odd places, and
with drawings at the depth at which the parser stops nesting. Of these, `dehusk.read.exact_markup` writes the markup.
"""

import os
import re

cimport numpy as cnp
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from dehusk.base import tags as _tags
from dehusk.compiled.arrays cimport new_array, values
from dehusk.compiled.first_use cimport once
from dehusk.compiled.markup cimport Attribute, Char, equals, hash_of_name, next_attribute
from dehusk.compiled.spans cimport Span, SpanTable, Spans, number_with, raw_string, string
from dehusk.compiled.unicode cimport (
    PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_New,
)
from dehusk.base.lazy import IMPORTING, pattern

cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little")
"""Of hashes, so that no page can choose names whose hashes are equal."""
cdef object _elements = None, _nodes = None, _raw_text = None, _limits = None, Meta = None  # they import this module
cdef object _hiding = pattern(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
cdef Tags TAGS
cdef bytes _names = "".join(list(_tags.TAG_NUMBER)[1:]).encode()
cdef uint16_t[256] KINDS
cdef tuple TAG_NAMES = tuple(_tags.TAG_NUMBER)
cdef bytes _word = os.urandom((MARK_SIZE - DIGITS) // 2).hex().encode()
cdef const uint8_t *WORD = _word
cdef enum: HEAD_NODES = 1000  # allowance for the head: the limit of nodes is for the body, this only bounds memory
cdef enum: LITTLE_TEXT = 8000  # characters of a page of which all scripts are searched for markup; of others,
cdef enum: LAST_NODES = 4  # those among the last nodes
cdef enum: MOST_CHARS = 1 << 29  # of markup; places in it have 32 bits, and it may hold an attribute a million times

cdef int set_tags() except -1:
    """Fill the table of tags: their names and kinds."""
    cdef const uint8_t *s = _names
    cdef int32_t at = 0, stop
    numbers = _tags.TAG_NUMBER
    TAGS.names, TAGS.kinds, TAGS.known = s, KINDS, _tags.KNOWN
    for name in list(numbers)[1:]:
        stop = at + <int32_t>len(name)
        if not number_with(&TAGS.table, s, at, stop, hash_of_name(s, at, stop)):
            raise MemoryError
        at = stop
    TAGS.img, TAGS.title, TAGS.iframe = numbers["img"], numbers["title"], numbers["iframe"]
    TAGS.noframes, TAGS.template, TAGS.svg = numbers["noframes"], numbers["template"], numbers["svg"]
    TAGS.script, TAGS.plaintext = numbers["script"], numbers["plaintext"]
    void = _tags.VOID | {"basefont", "frame"}  # and bgsound and keygen, which have no number
    for kind, names in (
        (DROPPED, _tags.DROPPED), (PRE, _tags.PREFORMATTED), (VOID, void), (ROOT, {"body", "frameset"}),
        (DRAWING, {"svg", "template"}), (DECLARING, {"html", "base", "link", "meta"}), (LONG, {"script", "style"}),
        (RAW, {"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"}),
        (VERBATIM, {"iframe", "noembed", "noframes", "script", "style", "xmp"}),
    ):
        for name in names:
            KINDS[<int>numbers[name]] |= <uint16_t><int>kind
    return 0


set_tags()


cdef object copied(const void *items, Py_ssize_t n, int kind, int size):
    """Return an array of the first values of a column."""
    array = new_array(n, kind)
    if n:
        memcpy(values(array), items, <size_t>(n * size))
    return array


cdef object ints(const int32_t *items, Py_ssize_t n):
    return copied(items, n, cnp.NPY_INT32, 4)


cdef object marked(const Scan *z, int mark):
    """Return the rows with a mark, shape (any,)."""
    cdef int32_t i, n = 0
    for i in range(z.n):
        n += (z.mark[i] & mark) != 0
    array = new_array(n, cnp.NPY_INT32)
    cdef int32_t *out = <int32_t *>values(array)
    n = 0
    for i in range(z.n):
        if z.mark[i] & mark:
            out[n] = i
            n += 1
    return array


cdef tuple names_of(const Scan *z, const Char *s, const SpanTable *table):
    """Return the distinct values of an attribute; the first is for nodes without one."""
    cdef int32_t i
    return ("", *[string(s, table.found.items[i].at, table.found.items[i].end) for i in range(table.found.n)])


cdef tuple unknown_tags(const Scan *z, const Char *s):
    """Return the names of the tags that HTML does not have; names are never escaped."""
    cdef int32_t i
    cdef const Span *name = z.unknown.found.items
    return tuple([raw_string(s, name[i].at, name[i].end) for i in range(z.unknown.found.n)])


cdef object elements_of(const Scan *z, object tree, str text, str markup, object omitted):
    """Return the elements of a page; `omitted` is as `ParsedElements` has it."""
    cdef int32_t i, n = 0
    for i in range(z.n):
        n += z.tag[i] != 0
    rows, index = new_array(n, cnp.NPY_INT64), new_array(n, cnp.NPY_INT64)
    number, place = new_array(n, cnp.NPY_INT32), new_array(n, cnp.NPY_INT32)
    cdef int64_t *row = <int64_t *>values(rows)
    cdef int64_t *node = <int64_t *>values(index)
    cdef int32_t *count = <int32_t *>values(number)
    cdef int32_t *at = <int32_t *>values(place)
    n = 0
    for i in range(z.n):
        if z.tag[i]:
            row[n], node[n], count[n], at[n] = i, z.node[i], z.number[i], z.place[i]
            n += 1
    of_elements = rows, text, index, number, bool(z.has_templates)
    return _elements.ParsedElements(*of_elements, tree, None, markup, place, omitted)


cdef str first_value_at(const Char *s, int32_t end, int32_t at, bytes name):
    """Return an attribute's value of a start tag whose name ends at a place; None if it is missing."""
    cdef Attribute found
    cdef const char *wanted = name
    cdef int32_t size = <int32_t>len(name)
    while True:
        at = next_attribute(s, end, at, &found)
        if at <= 0:
            return None
        if equals(s, found.name, found.name_end, wanted, size):
            return string(s, found.value, found.value_end)


cdef object meta_of(const Scan *z, const Char *s, int32_t end):
    """Return what the page declares outside its body."""
    cdef int32_t i
    cdef Span *note
    declared, entries = {}, []
    cdef int32_t html = _tags.TAG_NUMBER["html"], base = _tags.TAG_NUMBER["base"], meta = _tags.TAG_NUMBER["meta"]
    for i in range(z.notes.n):
        note = z.notes.items + i
        if note.kind == DECLARATION:
            if note.node == meta:
                name = first_value_at(s, end, note.end, b"name") or first_value_at(s, end, note.end, b"property")
                if name:
                    entries.append((name, first_value_at(s, end, note.end, b"content") or ""))
            elif note.node == html:
                language = first_value_at(s, end, note.end, b"lang") or first_value_at(s, end, note.end, b"xml:lang")
                declare(declared, "language", language)
            elif note.node == base:
                declare(declared, "base", first_value_at(s, end, note.end, b"href"))
            elif (first_value_at(s, end, note.end, b"rel") or "").lower() == "canonical":
                declare(declared, "canonical", first_value_at(s, end, note.end, b"href"))
    title = " ".join(noted(z, s, TITLE).split())
    return Meta(
        title, declared.get("language"), declared.get("base"), declared.get("canonical"), tuple(entries)
    )


cdef int declare(dict declared, str key, object value) except -1:
    if value:
        declared.setdefault(key, value)
    return 0


cdef str noted(const Scan *z, const Char *s, int kind):
    """Return the text of the notes of a kind, which say in `node` whether it is escaped."""
    cdef int32_t i
    cdef Span *note
    texts = []
    for i in range(z.notes.n):
        note = z.notes.items + i
        if note.kind == kind:
            texts.append(string(s, note.at, note.end) if note.node else raw_string(s, note.at, note.end))
    return "".join(texts)


cdef tuple swallowing(const Scan *z, const Char *s):
    """Return tag and content of the elements whose content holds markup."""
    cdef int32_t i, last = z.nodes - 1 - LAST_NODES, tag
    cdef bint all_scripts = z.used < LITTLE_TEXT
    cdef Span *note
    pairs = []
    for i in range(z.notes.n):
        note = z.notes.items + i
        if note.kind & 255 == SWALLOWING or note.kind & 255 == SWALLOWING_ESCAPED:
            tag = note.kind >> 8
            if not all_scripts and KINDS[tag] & LONG and note.node < last:
                continue
            escaped = note.kind & 255 == SWALLOWING_ESCAPED
            content = string(s, note.at, note.end) if escaped else raw_string(s, note.at, note.end)
            if _raw_text.holds_markup(content):
                pairs.append((TAG_NAMES[tag], content))
    return tuple(pairs)


cdef int mark_hidden(Scan *z, const Char *s) except -1:
    """Mark the rows that their styles hide."""
    cdef int32_t i
    cdef Span *note
    for i in range(z.notes.n):
        note = z.notes.items + i
        if note.kind != STYLE or z.mark[note.node] & HIDDEN:
            continue
        if _hiding.search(string(s, note.at, note.end)) is not None:
            z.mark[note.node] |= HIDDEN
    return 0


cdef object columns_of_scan(Scan *z, const Char *s, int32_t end, object tree, str text, str markup, object omitted):
    """Return what was read."""
    mark_hidden(z, s)
    frames = noted(z, s, FRAMES)
    return _nodes.NodeColumns(
        copied(z.tag, z.n, cnp.NPY_UINT16, 2),
        ints(z.parent, z.n),
        ints(z.end, z.n),
        PyUnicode_FromKindAndData(sizeof(Char), z.text, z.used),
        ints(z.start, z.n),
        ints(z.stop, z.n),
        marked(z, ALT),
        marked(z, LINE),
        elements_of(z, tree, text, markup, omitted),
        (ints(z.cls, z.n), names_of(z, s, &z.classes)),
        (ints(z.id, z.n), names_of(z, s, &z.ids)),
        marked(z, HIDDEN),
        unknown_tags(z, s),
        meta_of(z, s, end),
        frames,
        swallowing(z, s),
        "</noscript" in noted(z, s, FRAME),
        z.flattened,
        bool(z.is_cut),
        z.most_level > NESTED,
    )


cdef object read(const Char *s, int32_t end, _Job job, str markup):
    """Scan markup; return its columns, or None if it does not tell them."""
    cdef Scan *z = <Scan *>PyMem_RawCalloc(1, sizeof(Scan))
    cdef int32_t status
    if z == NULL:
        raise MemoryError
    z.tags, z.last_raw, z.word = &TAGS, -5, WORD if job.omitted is not None else NULL
    z.unknown.seed = z.classes.seed = z.ids.seed = SEED
    z.most_rows, z.most_nodes, z.deepest, z.is_exact = job.most_rows, job.most_nodes, job.deepest, job.is_exact
    try:
        with nogil:
            z.text = PyMem_RawMalloc(<size_t>(end + 1) * sizeof(Char))
            status = scan_markup(z, s, end) if z.text != NULL and grown(z, end // 64 + 64) else NO_MEMORY
        if status == NO_MEMORY:
            raise MemoryError
        if status == DECLINED or (job.omitted is not None and z.marks != len(job.omitted[1])):
            return None
        return columns_of_scan(z, s, end, job.tree, job.text, markup, job.omitted)
    finally:
        free_scan(z)


cdef str joined(object parts):
    """Return the markup that parts make."""
    cdef Py_ssize_t n = 0
    cdef str part
    cdef list found = []
    for part in parts:
        n += PyUnicode_GET_LENGTH(part)
        if n > MOST_CHARS:
            raise _limits.TooMuchMarkupError(f"the markup of its elements is longer than {MOST_CHARS} characters")
        found.append(part)
    return "".join(found)


cdef class _Job:
    """A page that is read."""

    cdef str text
    cdef object tree
    cdef object omitted  # the contents that were left out of the source, as `ParsedElements` has them; or None
    cdef int32_t most_rows, most_nodes, deepest
    cdef bint is_exact

    cdef object read_source(self, str source):
        """Parse what is left of the text; return its columns, or None if they depend on what was left out."""
        self.tree = _elements.parse_document(source)
        found = self.read_markup(self.tree.serialize_iter())
        if found is None and self.omitted is None:
            found = self.read_exactly()
        return found

    cdef object read_exactly(self):
        """Return the columns of the tree from markup that tells it."""
        with IMPORTING:
            from dehusk.read.exact_markup import markup_of
        self.is_exact = True
        return self.read_markup(markup_of(self.tree, self.most_nodes + 1))

    cdef object read_markup(self, object parts):
        """Return the columns of a tree, or None if its markup does not tell them."""
        cdef str markup = joined(parts)
        cdef int32_t n = <int32_t>PyUnicode_GET_LENGTH(markup)
        cdef int kind = PyUnicode_KIND(markup)
        cdef void *units = PyUnicode_DATA(markup)
        if kind == 1:
            return read(<const uint8_t *>units, n, self, markup)
        if kind == 2:
            return read(<const uint16_t *>units, n, self, markup)
        return read(<const uint32_t *>units, n, self, markup)


cdef object places_of_spans(const Spans *found):
    """Return where contents start and end, shape (found.n, 2)."""
    places = new_array(2 * found.n, cnp.NPY_INT32)
    cdef int32_t i
    cdef int32_t *out = <int32_t *>values(places)
    for i in range(found.n):
        out[2 * i], out[2 * i + 1] = found.items[i].at, found.items[i].end
    return places.reshape(-1, 2)


cdef tuple without_contents(const Char *s, int32_t end):
    """Return a source without the contents of scripts and styles, and what they are; Nones if they are too short."""
    cdef Spans found
    cdef Char *out = NULL
    cdef Char *units
    cdef int32_t left
    cdef bint is_wide = 0, are_left_out = 0
    found.items, found.n, found.room = NULL, 0, 0
    try:
        with nogil:
            left = find_contents(s, end, &found)
            if left >= max(MIN_OMITTED, end // SHARE):
                left = end - left + found.n * MARK_SIZE
                is_wide = stays_wide(s, end, &found)
                are_left_out = found.n > 0
        if not are_left_out:
            return None, None
        omitted = _word.decode(), places_of_spans(&found)
        if is_wide:  # the string is written at its place
            text = PyUnicode_New(left, 0xFF if sizeof(Char) == 1 else 0xFFFF if sizeof(Char) == 2 else 0x10FFFF)
            units = <Char *>PyUnicode_DATA(text)
            with nogil:
                put_rest(s, end, &found, WORD, units)
            return text, omitted
        out = <Char *>PyMem_RawMalloc(<size_t>left * sizeof(Char))
        if out == NULL:
            raise MemoryError
        with nogil:
            put_rest(s, end, &found, WORD, out)
        return PyUnicode_FromKindAndData(sizeof(Char), out, left), omitted
    finally:
        PyMem_RawFree(found.items)
        PyMem_RawFree(out)


cdef tuple shortened(str text):
    """Return a source and what was left out as `without_contents` does."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *units = PyUnicode_DATA(text)
    if n > MOST_CHARS or n < MIN_OMITTED:
        return None, None
    if kind == 1:
        return without_contents(<const uint8_t *>units, <int32_t>n)
    if kind == 2:
        return without_contents(<const uint16_t *>units, <int32_t>n)
    return without_contents(<const uint32_t *>units, <int32_t>n)


cdef bint _reading_ready = False


cdef int prepare_reading() except -1:
    global _elements, _nodes, _raw_text, _limits, Meta
    from dehusk.read.page import Meta
    from dehusk.read import elements, limits, nodes, parsing
    _elements, _nodes, _raw_text, _limits = elements, nodes, parsing, limits
    return 0


def read_nodes(str text, *, object max_nodes, object max_depth):
    cdef _Job job = _Job()
    once(&_reading_ready, prepare_reading)
    cdef int64_t rows = min(max_nodes, 1 << 28), depth = min(max_depth, 1 << 28)
    job.text, job.most_rows, job.most_nodes = text, <int32_t>rows, <int32_t>(2 * rows + HEAD_NODES)
    job.deepest = <int32_t>(depth + 1)  # the html element is a level, too
    source, job.omitted = shortened(text)
    found = None if source is None else job.read_source(source)
    if found is None:
        job.omitted = None
        found = job.read_source(text)
    if found is None:
        raise ValueError("the parser's tree cannot be told by markup")
    return found
