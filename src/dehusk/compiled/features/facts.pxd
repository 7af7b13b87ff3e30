"""What the families of features share: sums over the elements of a page that contain text, and columns to fill."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from dehusk.compiled.blocks cimport Blocks, Page
from dehusk.compiled.elements cimport Elements

cdef enum:
    MOST_COLUMNS = 64  # of a family
    SPARE = 8  # columns of spare numbers

# A column that somebody wants: 'd', 'l', 'i' and '?' as numpy names the types, 'f' in the table of the net; 0 for none.
cdef struct Column:
    char kind
    void *data

# The m elements with text of a page, and its b blocks. The elements are those of the skeleton.
cdef struct Facts:
    Page page
    Blocks rows
    Elements tree
    const int32_t *words  # (b,)
    const int32_t *linked  # (b,) words in links
    int32_t *running  # (b,) see `subtrees.running_words`
    int32_t *sums  # (b + 1, 3) words, linked words and running words before each block
    int32_t *outer  # (m,) outermost element with the same blocks
    int32_t *home  # (b,) element around the first text node of each block
    int32_t groups  # of like siblings, -1 before `group_siblings`
    int32_t *group  # (m,) group of each element
    double *of_group  # (groups, 3) size, words and running words
    uint64_t *keys  # (m,) parent, tag and class of each element
    size_t most  # the larger of m and b, and one
    double *spare  # (most * SPARE,)
    int32_t *spare_rows  # (most * 2,)
    uint64_t *spare_keys  # (most * 2,)
    void *memory

# Fills the wanted columns of a family.
ctypedef int (*Fill)(object blocks, object settings, Facts *facts, const Column *column) except -1


cdef class Family:
    """The names of the columns that a function fills, in its order, and their kinds: one for all, or one for each."""

    cdef tuple names
    cdef bytes kinds
    cdef Fill fill

cdef Family family_of(tuple names, bytes kinds, Fill fill)
cdef int open_facts(Facts *facts, object blocks) except -1
cdef int group_siblings(Facts *facts) except -1
cdef object columns_of(object blocks, object settings, Family family)


cdef inline int32_t size_in(const Facts *facts, int64_t element) noexcept nogil:
    """Return how many blocks are in an element."""
    return <int32_t>(facts.tree.end[element] - facts.tree.first[element])


cdef inline double sum_in(const Facts *facts, int64_t element, int part) noexcept nogil:
    """Return the words (0), linked words (1) or running words (2) in an element."""
    return facts.sums[3 * facts.tree.end[element] + part] - facts.sums[3 * facts.tree.first[element] + part]


cdef inline void emit(const Column *column, const double *value, int32_t b) noexcept nogil:
    """Copy the values of a column, if it is wanted."""
    cdef int32_t i
    if column.kind == c"f":
        for i in range(b):
            (<float *>column.data)[i] = <float>value[i]
    elif column.kind == c"d":
        for i in range(b):
            (<double *>column.data)[i] = value[i]
    elif column.kind == c"l":
        for i in range(b):
            (<int64_t *>column.data)[i] = <int64_t>value[i]
    elif column.kind == c"i":
        for i in range(b):
            (<int32_t *>column.data)[i] = <int32_t>value[i]
    elif column.kind == c"?":
        for i in range(b):
            (<uint8_t *>column.data)[i] = value[i] != 0


cdef inline void emit_constant(const Column *column, double value, int32_t b) noexcept nogil:
    """Fill a column with one number, if it is wanted; it has floating-point numbers."""
    cdef int32_t i
    if column.kind == c"f":
        for i in range(b):
            (<float *>column.data)[i] = <float>value
    elif column.kind == c"d":
        for i in range(b):
            (<double *>column.data)[i] = value


cdef inline void emit_bit(const Column *column, const uint64_t *bits, int bit, int32_t b) noexcept nogil:
    """Fill a column with a bit of each number, if it is wanted; it has truth values."""
    cdef int32_t i
    if column.kind == c"f":
        for i in range(b):
            (<float *>column.data)[i] = <float><int32_t>(bits[i] >> bit & 1)
    elif column.kind == c"?":
        for i in range(b):
            (<uint8_t *>column.data)[i] = bits[i] >> bit & 1
