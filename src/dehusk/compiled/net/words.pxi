"""Rows of embedding tables for the words of names and texts, and keys of classes: see `dehusk.label.united.inputs`."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr

from dehusk.compiled.hashes cimport SCATTERED, fill_scattered, lowered, mixed, pair_key, scattered
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

cdef enum:
    ALPHA = 1  # of `characters.CharClass`
    DIGIT = 2
    MOST_LEVELS = 16
    MOST_FIRST = 16
    MOST_LAST = 16
    POWERS = 64

cdef extern from *:
    """
    static unsigned long long dehusk_power[64], dehusk_letter[256];
    """
    uint64_t[POWERS] POWER "dehusk_power"  # what an item of a sequence is multiplied by, see `hashes.spell`
    uint64_t[256] LETTER "dehusk_letter"  # the scattered characters in lower case


cdef struct Rules:  # numbers that `inputs` defines
    int32_t levels, near, name_mask, text_mask, first, last, long, bucket, buckets
    int64_t most_parts
    uint64_t far, start, end, pair, length


cdef inline int fill_rules(Rules *rules, object inputs) except -1:
    """Read what the Python module defines, and fill the tables, which each module has for itself."""
    cdef object salt = inputs._SALT
    cdef uint64_t power = 1
    cdef int i
    fill_scattered()
    for i in range(POWERS):
        POWER[i] = power
        power *= <uint64_t>0x9E3779B97F4A7C15
    for i in range(256):
        LETTER[i] = SCATTERED[lowered(i)] if lowered(i) < 256 else scattered(lowered(i))
    rules.levels, rules.near = inputs._LEVELS, inputs._NEAR
    rules.name_mask, rules.text_mask = inputs.NAME_ROWS - 1, inputs.TEXT_ROWS - 1
    rules.first, rules.last, rules.long = inputs._FIRST_WORDS, inputs._LAST_WORDS, inputs._LONG
    rules.bucket, rules.buckets, rules.most_parts = inputs._BUCKET, inputs._BUCKETS, inputs._MOST_PARTS
    rules.far, rules.start, rules.end = int(salt["far"]), int(salt["start"]), int(salt["end"])
    rules.pair, rules.length = int(salt["pair"]), int(salt["length"])
    if rules.levels > MOST_LEVELS or rules.first > MOST_FIRST or rules.last > MOST_LAST:
        raise ValueError("the kernel has too little room")
    if rules.name_mask & (rules.name_mask + 1) or rules.text_mask & (rules.text_mask + 1):
        raise ValueError("the tables of words have a number of rows that is not a power of two")
    return 0


cdef inline uint64_t next_power(uint64_t power, int64_t length) noexcept nogil:
    """Return the power for the item at `length`; `power` is that of the item before."""
    return POWER[length] if length < POWERS else power * <uint64_t>0x9E3779B97F4A7C15


# names


cdef inline uint64_t part_key(const uint8_t *source, int64_t start, int64_t end) noexcept nogil:
    """Return the key of a part of a name, which is made of letters."""
    cdef uint64_t total = 0, power = 1
    cdef int64_t i
    for i in range(end - start):
        power = next_power(power, i)
        total += SCATTERED[source[start + i] | 32] * power
    return mixed(total + <uint64_t>(end - start))


cdef inline void set_rows(Rules *rules, uint64_t key, int32_t *near, int32_t *far) noexcept nogil:
    """Set the rows of a word of a name, where it is near and where it is far."""
    near[0] = <int32_t>(key & <uint64_t>rules.name_mask)
    far[0] = <int32_t>(mixed(key + rules.far) & <uint64_t>rules.name_mask)


cdef inline int first_class_key(object name, uint64_t *key) except -1:
    """Set the key of the first class of a class attribute, in lower case and without digits."""
    cdef int kind = PyUnicode_KIND(name)
    cdef void *data = PyUnicode_DATA(name)
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name), i = 0, found = 0
    cdef uint64_t total = 0, power = 1
    cdef uint32_t point
    while i < length and PyUnicode_READ(kind, data, i) <= 32:
        i += 1
    while i < length:
        point = PyUnicode_READ(kind, data, i)
        if point <= 32:
            break
        if not c"0" <= point <= c"9":
            power = next_power(power, found)
            total += (LETTER[point] if point < 256 else scattered(lowered(point))) * power
            found += 1
        i += 1
    key[0] = mixed(total + <uint64_t>found)
    return 0


# texts


cdef struct Words:
    const uint32_t *points
    const uint8_t *kind


cdef inline bint is_ink(Words *text, int32_t at) noexcept nogil:
    """Return whether a character is part of a word."""
    return text.kind[at] == ALPHA or text.kind[at] == DIGIT


cdef inline bint stands_alone(Words *text, int32_t at) noexcept nogil:
    """Return whether a character of a word is one: Han and kana are."""
    return 0x3040 <= text.points[at] < 0xA000 and text.kind[at] == ALPHA


cdef inline uint64_t ink_key(Words *text, int32_t at) noexcept nogil:
    """Return a character of a word, scattered: in lower case, zero for a digit."""
    if text.kind[at] == DIGIT:
        return SCATTERED[c"0"]
    return LETTER[text.points[at]] if text.points[at] < 256 else scattered(lowered(text.points[at]))


cdef inline bint next_word(Words *text, int32_t *at, int32_t end, uint64_t *key) noexcept nogil:
    """Set the key of the first word from `at` on, and `at` to its end; return whether there is one."""
    cdef int32_t i = at[0], start
    cdef uint64_t total, power = 1
    while i < end and not is_ink(text, i):
        i += 1
    if i == end:
        return False
    start, total = i, ink_key(text, i)
    i += 1
    if not stands_alone(text, start):
        while i < end and is_ink(text, i) and not stands_alone(text, i):
            power = next_power(power, i - start)
            total += ink_key(text, i) * power
            i += 1
    at[0], key[0] = i, mixed(total + <uint64_t>(i - start))
    return True


cdef inline int32_t last_words(Words *text, int32_t start, int32_t at, int32_t most, uint64_t *key) noexcept nogil:
    """Write the keys of the last words of a text, the last first; return how many."""
    cdef int32_t found = 0, begun, stop
    while at > start and found < most:
        if not is_ink(text, at - 1):
            at -= 1
            continue
        stop, at = at, at - 1
        if not stands_alone(text, at):
            while at > start and is_ink(text, at - 1) and not stands_alone(text, at - 1):
                at -= 1
        begun = at
        next_word(text, &begun, stop, &key[found])
        found += 1
    return found


cdef inline int32_t write_text(Words *text, Rules *rules, int32_t start, int32_t end, int32_t *out) noexcept nogil:
    """Write the rows of a block, see `inputs._texts`; return how many, at most `first + last + 3`."""
    cdef uint64_t[MOST_FIRST] key
    cdef uint64_t[MOST_LAST] last
    cdef uint64_t mask = <uint64_t>rules.text_mask, size
    cdef int32_t words = 0, written = 0, lasts = 0, i, at = start
    while words < rules.first and next_word(text, &at, end, &key[words]):
        out[words] = <int32_t>(key[words] & mask)
        words += 1
    written = words
    if words:
        out[written] = <int32_t>(mixed(key[0] + rules.start) & mask)
        written += 1
    if end - start > rules.long:
        lasts = last_words(text, start, end, rules.last, last)
    for i in range(lasts - 1, -1, -1):
        out[written] = <int32_t>(mixed(last[i] + rules.end) & mask)
        written += 1
    if words > 1:
        out[written] = <int32_t>(pair_key(key[0] + rules.pair, key[1]) & mask)
        written += 1
    size = <uint64_t>min((end - start) // rules.bucket, rules.buckets)
    out[written] = <int32_t>(mixed(size + (rules.length << 32)) & mask)
    return written + 1
