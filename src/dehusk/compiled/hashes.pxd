# cython: language_level=3
"""The keys of `dehusk.base.hashing`, one at a time."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from dehusk.compiled.unicode cimport Py_UNICODE_TOLOWER

cdef extern from *:
    """
    static unsigned long long dehusk_scattered[256];
    """
    uint64_t[256] SCATTERED "dehusk_scattered"


cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    """Scatter a key, as `hashing.mix`."""
    key = (key ^ (key >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    key = (key ^ (key >> 27)) * <uint64_t>0x94D049BB133111EB
    return key ^ (key >> 31)


cdef inline uint64_t scattered(uint64_t value) noexcept nogil:
    """Scatter a code point or a key."""
    return mixed(value + <uint64_t>0x9E3779B97F4A7C15)


cdef inline void fill_scattered() noexcept nogil:
    """Fill the table of scattered characters, which each module has for itself; call this when it is imported."""
    cdef int value
    for value in range(256):
        SCATTERED[value] = scattered(value)


cdef inline uint64_t pair_key(uint64_t first, uint64_t second) noexcept nogil:
    """Return the key of an ordered pair, as `hashing.pair_keys`."""
    return mixed(scattered(first) + second)


cdef inline uint32_t lowered(uint32_t point) noexcept nogil:
    """Return a code point in lower case, as `characters.lower`."""
    if point < 128:
        return point | 32 if c"A" <= point <= c"Z" else point
    return 0x3C3 if point == 0x3C2 else <uint32_t>Py_UNICODE_TOLOWER(point)


cdef struct Spelling:  # the key of a sequence, item by item
    uint64_t total, power
    uint64_t length


cdef inline void begin(Spelling *spelling) noexcept nogil:
    spelling.total, spelling.power, spelling.length = 0, 1, 0


cdef inline void spell(Spelling *spelling, uint64_t value) noexcept nogil:
    """Add a code point or a key to the sequence."""
    spelling.total += (SCATTERED[value] if value < 256 else scattered(value)) * spelling.power
    spelling.power *= <uint64_t>0x9E3779B97F4A7C15
    spelling.length += 1


cdef inline uint64_t spelt(Spelling *spelling) noexcept nogil:
    """Return the key of the sequence, as `hashing.span_keys`."""
    return mixed(spelling.total + spelling.length)
