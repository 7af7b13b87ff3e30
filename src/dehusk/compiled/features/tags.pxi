"""The families that look at tags: what is around a block, and what opens or closes before it."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from dehusk.compiled.blocks cimport Blocks, Page, below, integers, per_block, read_blocks


cdef class TagSets:
    """The sets of tags of some settings, as bits of each tag."""

    cdef object settings
    cdef tuple names
    cdef uint64_t[65536] bits
    cdef uint64_t of_line  # the sets that name the end of a line


cdef TagSets latest_containers = None, latest_splits = None
cdef uint8_t[65536] IS_VOID


cdef TagSets tag_sets(object settings, str prefix, object sets):
    """Return the sets of settings."""
    from dehusk.base.lazy import IMPORTING
    from dehusk.base.tags import VOID, numbers
    with IMPORTING:
        from dehusk.label.features.family import LINE
    if len(sets) > MOST_COLUMNS:
        raise ValueError(f"at most {MOST_COLUMNS} sets of tags")
    made = TagSets()
    made.settings = settings
    made.names = tuple(prefix + name for name in sets)
    for bit, tags in enumerate(sets.values()):
        if LINE in tags:
            made.of_line |= <uint64_t>1 << <int>bit
        for tag in numbers(tuple(tag for tag in tags if tag != LINE)).tolist():
            made.bits[<uint16_t>tag] |= <uint64_t>1 << <int>bit
    for tag in numbers(VOID).tolist():
        IS_VOID[<uint16_t>tag] = True
    return made


cdef TagSets containers_of(object settings):
    global latest_containers
    cdef TagSets sets = latest_containers  # of these settings or not: other threads may set another one meanwhile
    if sets is None or sets.settings is not settings:
        sets = latest_containers = tag_sets(settings, "container.", settings.containers)
    return sets


cdef tuple families_of_tags(object settings):
    """Return the family of this module whose columns are truth values."""
    return (family_of(containers_of(settings).names, b"?", fill_containers),)


def container_features(object blocks, object settings):
    """Return a 0/1 column for each set of tags, shape (b,)."""
    return columns_of(blocks, settings, family_of(containers_of(settings).names, b"?", fill_containers))


cdef int fill_containers(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef TagSets sets = containers_of(settings)
    cdef int32_t i
    for i in range(<int32_t>facts.tree.m):
        facts.spare_keys[i] = sets.bits[facts.tree.tag[i]]
    pass_down(facts, facts.spare_keys)
    fill_bits(facts, facts.spare_keys, <int32_t>len(sets.names), column)
    return 0


cdef void count_tag(uint64_t bits, int32_t at, Blocks *rows, const int32_t *last, int64_t **out) noexcept nogil:
    """Count a tag that opens or closes at a node before the first block that starts there or later."""
    cdef int32_t block = below(rows, at)
    cdef int number = 0
    if block == rows.b or at <= (last[block - 1] if block else 0):  # after all blocks, or within one
        return
    while bits:
        if bits & 1:
            out[number][block] += 1
        bits >>= 1
        number += 1


def split_features(object blocks, object settings):
    """Return a column of counts for each set of tags and ends of lines, shape (b,)."""
    global latest_splits
    cdef Page tree
    cdef Blocks rows
    cdef TagSets sets = latest_splits
    cdef int64_t *out[64]
    cdef uint64_t bits
    cdef int32_t i, k
    read_blocks(blocks, &tree, &rows)
    if sets is None or sets.settings is not settings:
        sets = latest_splits = tag_sets(settings, "split.", settings.splits)
    cdef int32_t *last = per_block(blocks.last, &rows)
    columns = {}
    for k, name in enumerate(sets.names):
        out[k] = integers(columns, name, &rows)
        memset(out[k], 0, rows.b * sizeof(int64_t))
    for i in range(tree.n):
        bits = sets.bits[tree.tag[i]]
        if bits:
            count_tag(bits, i, &rows, last, out)
            if not IS_VOID[tree.tag[i]]:
                count_tag(bits, tree.end[i], &rows, last, out)
    if sets.of_line:
        for i in blocks.page.line_nodes.tolist():
            count_tag(sets.of_line, i, &rows, last, out)
    return columns
