"""Words of phrases in texts: all are looked for in one pass over each text."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memset

from dehusk.compiled.markup cimport Char
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII, PyUnicode_KIND

cdef enum:
    MOST_WORDS = 16384
    MOST_POINTS = 131072
    LONG = 4  # characters of words that are found by their first four; by two, hundreds begin alike
    BUCKETS = 1024  # more make a table larger, which a page has pushed out of the caches
    LONG_BUCKETS = 4096
    SHORT_TEXT = 4096  # characters of a text that is put in lower case here

cdef struct Word:
    int32_t start  # in `points`
    int32_t size
    int16_t phrase
    int16_t following  # the next word of the same bucket, -1 for none

# The words by their first characters: two or, of long words, four.
cdef struct Table:
    int16_t[BUCKETS] short_first  # word, -1 for none
    int16_t[LONG_BUCKETS] long_first
    Word[MOST_WORDS] words
    uint32_t[MOST_POINTS] points

cdef inline uint32_t _bucket(uint32_t one, uint32_t other) noexcept nogil:
    return (one * 31 + other) & (BUCKETS - 1)


cdef inline uint32_t _long_bucket(uint32_t one, uint32_t second, uint32_t third, uint32_t fourth) noexcept nogil:
    return ((((one * 31 + second) * 31 + third) * 31 + fourth) * <uint32_t>0x9E3779B1 >> 20) & (LONG_BUCKETS - 1)


cdef int16_t *_first_like(Table *table, str word) noexcept:
    """Return where the first word of the same bucket is noted."""
    if len(word) < LONG:
        return &table.short_first[_bucket(word[0], word[1])]
    return &table.long_first[_long_bucket(word[0], word[1], word[2], word[3])]


cdef int _fill_words(Table *table, tuple words) except -1:
    """Fill a table; raises ValueError if words are too short or too many for it."""
    cdef Py_ssize_t i, used = 0, n = 0, phrase
    cdef int16_t *first
    cdef str word
    memset(table.short_first, 0xFF, sizeof(table.short_first))  # -1, in all
    memset(table.long_first, 0xFF, sizeof(table.long_first))
    for phrase in range(len(words)):
        for word in words[phrase]:
            if len(word) < 2 or n == MOST_WORDS or used + len(word) > MOST_POINTS:
                raise ValueError("a word is too short, or there is no room for so many words")
            first = _first_like(table, word)
            table.words[n] = Word(<int32_t>used, <int32_t>len(word), <int16_t>phrase, first[0])
            first[0] = <int16_t>n
            for i in range(len(word)):
                table.points[used] = word[i]
                used += 1
            n += 1
    return 0


cdef inline bint _is_word(
    const Table *table, const Char *s, Py_ssize_t n, Py_ssize_t at, const Word *word
) noexcept nogil:
    cdef Py_ssize_t i
    if at + word.size > n:
        return False
    for i in range(word.size - 1, -1, -1):  # those in one bucket begin alike
        if s[at + i] != table.points[word.start + i]:
            return False
    return True


cdef int _find(const Table *table, const Char *s, Py_ssize_t n, object text, list found) except -1:
    """Add a text to the phrases of which it has a word."""
    cdef Py_ssize_t i
    cdef int16_t word
    for i in range(n - 1):
        _add_words(table, s, n, i, table.short_first[_bucket(s[i], s[i + 1])], text, found)
        if i + LONG <= n:
            word = table.long_first[_long_bucket(s[i], s[i + 1], s[i + 2], s[i + 3])]
            _add_words(table, s, n, i, word, text, found)
    return 0


cdef inline int _add_words(
    const Table *table, const Char *s, Py_ssize_t n, Py_ssize_t at, int16_t word, object text, list found
) except -1:
    """Add a text to the phrases of the words that are at a place, of a word and those that follow it in its bucket."""
    while word >= 0:
        if _is_word(table, s, n, at, &table.words[word]):
            _add_text(found, table.words[word].phrase, text)
        word = table.words[word].following
    return 0


cdef inline int _add_text(list found, Py_ssize_t phrase, object text) except -1:
    """Add a text to those of a phrase, once."""
    cdef object texts = found[phrase]
    if texts is None:
        found[phrase] = [text]
    elif (<list>texts)[len(<list>texts) - 1] is not text:
        (<list>texts).append(text)
    return 0


cdef void _lower_ascii(const uint8_t *s, Py_ssize_t n, uint8_t *out) noexcept nogil:
    """Write a text of ASCII in lower case."""
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = s[i] | (<uint8_t>(<uint8_t>(s[i] - 65) < 26) << 5)


cdef class WordTable:
    cdef Table table
    cdef Py_ssize_t phrases

    def __init__(self, words):
        words = tuple(words)
        _fill_words(&self.table, words)
        self.phrases = len(words)

    cdef int look_in(self, str text, object number, list found) except -1:
        cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
        cdef const void *data = PyUnicode_DATA(text)
        if PyUnicode_KIND(text) == 1:
            return _find(&self.table, <const uint8_t *>data, n, number, found)
        if PyUnicode_KIND(text) == 2:
            return _find(&self.table, <const uint16_t *>data, n, number, found)
        return _find(&self.table, <const uint32_t *>data, n, number, found)

    def found_in(self, texts, bint in_lower_case=False):
        cdef Py_ssize_t i, n
        cdef uint8_t[SHORT_TEXT] lowered
        cdef str text
        cdef list found = [None] * self.phrases, given = list(texts)
        for i in range(len(given)):
            text = given[i]
            n = PyUnicode_GET_LENGTH(text)
            if not in_lower_case:
                self.look_in(text, i, found)
            elif n > SHORT_TEXT or not PyUnicode_IS_ASCII(text):
                self.look_in(text.lower(), i, found)
            else:  # no string is made for each of hundreds of names
                _lower_ascii(<const uint8_t *>PyUnicode_DATA(text), n, lowered)
                _find(&self.table, <const uint8_t *>lowered, n, i, found)
        return {i: found[i] for i in range(self.phrases) if found[i] is not None}
