"""What the families of features share; see `facts.pxd`. The numbers are those of `dehusk.label.features.place`."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from dehusk.compiled.arrays cimport memory, new_array, values
from dehusk.compiled.blocks cimport Blocks, Page, per_block, read_blocks
from dehusk.compiled.elements cimport Elements, read_elements, row_of
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport number_keys

cdef object skeleton_of = None  # dehusk.blocks.units.skeleton imports modules of this package
cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.label.features")
cdef int32_t LEAST
cdef int[128] TYPES  # of numpy, by the kind of a column
TYPES[c"d"], TYPES[c"l"], TYPES[c"i"], TYPES[c"?"] = cnp.NPY_FLOAT64, cnp.NPY_INT64, cnp.NPY_INT32, cnp.NPY_BOOL


cdef bint _facts_ready = False


cdef int prepare_facts() except -1:
    """Read what the Python modules define, which cannot be imported before this one."""
    global skeleton_of, LEAST
    from dehusk.label.features import place
    from dehusk.blocks.units import skeleton
    LEAST, skeleton_of = place.MIN_RUNNING_WORDS, skeleton.skeleton_of
    return 0


cdef int open_facts(Facts *facts, object blocks) except -1:
    """Fill the struct; raises ValueError if the columns are not valid. The caller frees `facts.memory`.

    The columns that it points to belong to the blocks, which the caller keeps alive.
    """
    once(&_facts_ready, prepare_facts)
    read_blocks(blocks, &facts.page, &facts.rows)
    skeleton = skeleton_of(blocks)
    read_elements(skeleton, &facts.tree)
    facts.words, facts.linked = per_block(blocks.words, &facts.rows), per_block(blocks.link_words, &facts.rows)
    if facts.tree.b != facts.rows.b or not facts.tree.m or facts.tree.node[facts.tree.m - 1] >= facts.page.n:
        raise ValueError("the skeleton does not fit the blocks")
    lay_out(facts)
    sum_up(facts)
    return 0


cdef int lay_out(Facts *facts) except -1:
    """Take the memory for all columns."""
    cdef size_t m = facts.tree.m, b = facts.rows.b
    cdef size_t most = max(m, b) + 1
    facts.memory = memory(8 * (most * (SPARE + 2) + 4 * m) + 4 * (2 * most + 2 * m + 2 * b + 3 * (b + 1)))
    facts.most, facts.groups = most, -1
    facts.spare = <double *>facts.memory
    facts.of_group = facts.spare + SPARE * most
    facts.spare_keys = <uint64_t *>(facts.of_group + 3 * m)
    facts.keys = facts.spare_keys + 2 * most
    facts.spare_rows = <int32_t *>(facts.keys + m)
    facts.group = facts.spare_rows + 2 * most
    facts.outer, facts.home = facts.group + m, facts.group + 2 * m
    facts.running = facts.home + b
    facts.sums = facts.running + b
    return 0


cdef void sum_up(Facts *facts) noexcept nogil:
    """Fill the columns of the blocks and of the elements."""
    cdef int32_t i, unlinked
    cdef int32_t *sums = facts.sums
    cdef int64_t up
    sums[0] = sums[1] = sums[2] = 0
    for i in range(facts.rows.b):
        unlinked = facts.words[i] - facts.linked[i]
        facts.running[i] = unlinked if facts.words[i] >= LEAST and 2 * unlinked >= facts.words[i] else 0
        sums[3] = sums[0] + facts.words[i]
        sums[4] = sums[1] + facts.linked[i]
        sums[5] = sums[2] + facts.running[i]
        sums += 3
        facts.home[i] = <int32_t>row_of(
            &facts.tree, facts.page.parent[facts.rows.first[i]], facts.tree.innermost[i]
        )
    facts.outer[0] = 0
    for i in range(1, <int32_t>facts.tree.m):
        up = facts.tree.parent[i]
        facts.outer[i] = facts.outer[up] if size_in(facts, up) == size_in(facts, i) else i


cdef int group_siblings(Facts *facts) except -1:
    """Number the groups of elements with the same parent, tag and class, and add up each."""
    cdef int64_t i
    cdef double *own
    if facts.groups >= 0:
        return 0
    if facts.page.classes >= 1 << 24:
        raise ValueError("the page has more than 16,777,215 classes")
    for i in range(facts.tree.m):
        facts.keys[i] = (
            <uint64_t>(facts.tree.parent[i] + 1) << 40 | <uint64_t>facts.tree.tag[i] << 24
            | <uint64_t>facts.page.class_code[facts.tree.node[i]]
        )
    facts.groups = number_keys(facts.keys, <int32_t>facts.tree.m, SEED, facts.group)
    if facts.groups < 0:
        raise MemoryError
    memset(facts.of_group, 0, 3 * facts.groups * sizeof(double))
    for i in range(facts.tree.m):
        own = facts.of_group + 3 * facts.group[i]
        own[0] += 1
        own[1] += sum_in(facts, i, 0)
        own[2] += sum_in(facts, i, 2)
    return 0


cdef class Family:
    pass


cdef Family family_of(tuple names, bytes kinds, Fill fill):
    if len(names) > MOST_COLUMNS:
        raise ValueError("there is no room for so many columns")
    cdef Family family = Family()
    family.names, family.kinds, family.fill = names, kinds, fill
    return family


cdef object columns_of(object blocks, object settings, Family family):
    """Return the columns of a family, name -> array."""
    cdef Facts facts
    cdef Column column[MOST_COLUMNS]
    cdef Py_ssize_t i
    cdef const char *kind = family.kinds
    open_facts(&facts, blocks)
    columns = {}
    try:
        for i, name in enumerate(family.names):
            column[i].kind = kind[i if len(family.kinds) > 1 else 0]
            columns[name] = array = new_array(facts.rows.b, TYPES[column[i].kind])
            column[i].data = values(array)
        family.fill(blocks, settings, &facts, column)
    finally:
        free(facts.memory)
    return columns
