"""Whether a page shows its data: runs of words are numbers; a table has those of the page."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from dehusk.compiled.first_use cimport once
from dehusk.compiled.markup cimport Char
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, Py_UNICODE_ISALNUM

cdef enum:
    WORDS = 5  # of a run
    INSERT = 0
    COUNT = 1
    MARK = 2

cdef uint64_t FACTOR = 0x9E3779B97F4A7C15
cdef object _offer = None  # the module whose function this is; it imports this one
cdef Py_ssize_t MIN_SHOWN, MOST
cdef int64_t MIN_RUNS, MUCH_LONGER


cdef struct Runs:  # those of the page
    uint64_t *key  # 0 for a free slot
    uint8_t *is_of_data
    size_t mask
    int64_t size, of_data


cdef inline bint stands_alone(Char sign) noexcept nogil:
    """Return whether a character of a script without spaces is a word."""
    return 0x3040 <= sign <= 0x9FFF or 0x0E00 <= sign <= 0x0E7F


cdef inline bint is_of_word(Char sign) noexcept nogil:
    if sign < 128:
        return c"a" <= sign <= c"z" or c"0" <= sign <= c"9" or c"A" <= sign <= c"Z"
    return Py_UNICODE_ISALNUM(sign)


cdef int64_t walk(const Char *s, Py_ssize_t n, Runs *runs, int do, int64_t *hits) noexcept nogil:
    """Return how many runs of words a text has, and how many of them are in the table."""
    cdef uint64_t[WORDS] last
    cdef uint64_t word
    cdef int64_t words = 0
    cdef Py_ssize_t i = 0
    hits[0] = 0
    while i < n:
        if not is_of_word(s[i]) and not stands_alone(s[i]):
            i += 1
            continue
        word = s[i]
        i += 1
        if not stands_alone(s[i - 1]):
            while i < n and is_of_word(s[i]):
                word = (word ^ (word >> 29)) * FACTOR + <uint64_t>s[i]
                i += 1
        last[words % WORDS] = word
        words += 1
        if words >= WORDS:
            hits[0] += look_up(runs, key_of(last, words), do)
    return max(words - WORDS + 1, 0)


cdef inline uint64_t key_of(const uint64_t *last, int64_t words) noexcept nogil:
    """Return the number of the run that ends at the last word."""
    cdef uint64_t key = 0
    cdef int k
    for k in range(WORDS):
        key = (key ^ last[(words + k) % WORDS]) * FACTOR
        key ^= key >> 32
    return key | 1


cdef inline bint look_up(Runs *runs, uint64_t key, int do) noexcept nogil:
    cdef size_t slot = <size_t>(key >> 20) & runs.mask
    while runs.key[slot] and runs.key[slot] != key:
        slot = (slot + 1) & runs.mask
    if do == INSERT and not runs.key[slot]:
        runs.key[slot] = key
        runs.size += 1
    if do == MARK and runs.key[slot] and not runs.is_of_data[slot]:
        runs.is_of_data[slot] = 1
        runs.of_data += 1
    return runs.key[slot] != 0


cdef int64_t walk_text(str text, Runs *runs, int do, int64_t *hits) except -1:
    text = (text[:MOST] if PyUnicode_GET_LENGTH(text) > MOST else text).lower()
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    cdef void *units = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    if kind == 1:
        return walk(<const uint8_t *>units, n, runs, do, hits)
    if kind == 2:
        return walk(<const uint16_t *>units, n, runs, do, hits)
    return walk(<const uint32_t *>units, n, runs, do, hits)


cdef str plain_text(str text):
    return _offer.bare(_offer.unescaped(text)) if "&" in text or "<" in text else text


cdef bint is_shown_in(list values, Runs *runs) except -1:
    """Return whether the data has a share of the runs in the table, in strings that stand for what they are in."""
    cdef dict longest = {}
    cdef list parts = []
    cdef int64_t own, hits
    cdef object value
    cdef str text
    for value in values:
        text = value[0]
        if PyUnicode_GET_LENGTH(text) > MIN_SHOWN:
            text = plain_text(text)
            own = walk_text(text, runs, COUNT, &hits)
            owner = value[2][0]
            if 2 * hits >= max(own, 1):
                parts.append((owner, own, text))
            elif own > longest.get(owner, 0):
                longest[owner] = own
    for owner, size, text in parts:
        if longest.get(owner, 0) < MUCH_LONGER * size:
            walk_text(text, runs, MARK, &hits)
    return <double>runs.of_data > <double>_offer._SHOWN_SHARE * <double>runs.size


cdef bint _shown_data_ready = False


cdef int prepare_shown_data() except -1:
    global _offer, MIN_SHOWN, MOST, MIN_RUNS, MUCH_LONGER
    from dehusk.read.islands import offer
    if offer._SHINGLE != WORDS:
        raise ValueError(offer._SHINGLE)
    MIN_SHOWN, MOST, MIN_RUNS, MUCH_LONGER = (
        offer._MIN_SHOWN, offer._MAX_COMPARED, offer._MIN_RUNS, offer._MUCH_LONGER
    )
    _offer = offer
    return 0


def is_shown(list values, list shown):
    """Return whether strings of the data that the page shows make up much of its running text.

    A string counts as shown if half of it is, and if its object holds no much longer text that is not: the first lines
    of an article, or its description, stand for it on a page that keeps the text in its data.
    """
    cdef Runs runs
    cdef size_t slots = 1024
    cdef int64_t hits
    cdef str text
    once(&_shown_data_ready, prepare_shown_data)
    shown = [text for text in shown if len(text) > MIN_SHOWN]
    while slots < 2 * sum(map(len, shown)):
        slots *= 2
    runs.size = runs.of_data = 0
    runs.mask = slots - 1
    runs.key = <uint64_t *>PyMem_Calloc(slots, sizeof(uint64_t))
    runs.is_of_data = <uint8_t *>PyMem_Calloc(slots, 1)
    try:
        if runs.key == NULL or runs.is_of_data == NULL:
            raise MemoryError
        for text in shown:
            walk_text(text, &runs, INSERT, &hits)
        return runs.size >= MIN_RUNS and bool(is_shown_in(values, &runs))
    finally:
        PyMem_Free(runs.key)
        PyMem_Free(runs.is_of_data)
