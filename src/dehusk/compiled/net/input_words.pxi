"""What the net sees of words: of the names around a block, and of its text."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp

from dehusk.compiled.arrays cimport as_i32, as_i64, as_u32, as_u8, memory, new_array, size_of, values
from dehusk.compiled.blocks cimport Blocks, Page, read_blocks, read_page
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport rank_keys

cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.inputs")
cdef object Bags = None, name_parts  # of modules that import this one
cdef Rules name_rules
cdef int32_t NAME_LEVELS
cdef uint64_t[2 * MOST_LEVELS] WEIGHT


cdef bint _input_words_ready = False


cdef int prepare_input_words() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global Bags, name_parts, NAME_LEVELS
    from dehusk.label.features import lexicon
    from dehusk.label.united import inputs
    fill_rules(&name_rules, inputs)
    NAME_LEVELS = name_rules.levels
    for part, weight in enumerate(inputs._CHAIN_WEIGHTS.tolist()):
        WEIGHT[<int>part] = weight
    name_parts, Bags = lexicon.name_parts, inputs.Bags
    return 0


cdef object bags_of(object rows, object start):
    made = Bags.__new__(Bags)
    made.__dict__.update(row=rows, start=start)
    return made


# names


cdef struct NameParts:  # the words of the names of a page: their parts of two letters or more
    const uint8_t *source
    const int64_t *start  # of each part
    const int64_t *end
    int32_t *first  # (names + 1,) the first word of each name
    int32_t *part  # (words,)
    int32_t *row  # (2 words,) rows of the table for each word that is near, and far; -1 before they are needed


cdef struct Chains:  # the distinct chains of names of b blocks
    int32_t b
    int32_t chains
    const int32_t *levels  # (b, LEVELS)
    const int32_t *number  # (b,) chain of each block
    const int32_t *block  # (chains,) the first block of each chain


cdef void find_words(NameParts *names, const int64_t *first, int32_t size) noexcept nogil:
    """Fill `first`, `part` and `row` from the first part of each name."""
    cdef int32_t name, found = 0
    cdef int64_t part
    names.first[0] = 0
    for name in range(size):
        for part in range(first[name], first[name + 1]):
            if names.end[part] - names.start[part] > 1:
                names.part[found] = <int32_t>part
                names.row[2 * found] = -1
                found += 1
        names.first[name + 1] = found


cdef void chain_codes(Page *tree, const int32_t *level, int32_t *code) noexcept nogil:
    """Fill the numbers of the names around a block: of the classes, then of the ids, from the innermost on."""
    cdef int32_t i
    for i in range(NAME_LEVELS):
        code[i] = tree.class_code[level[i]] if level[i] >= 0 else 0
        code[NAME_LEVELS + i] = tree.classes + (tree.id_code[level[i]] if level[i] >= 0 else 0)


cdef int32_t number_chains(Page *tree, const int32_t *levels, int32_t b, uint64_t *key, int32_t *chain) noexcept nogil:
    """Number the chains of names of the blocks; return how many are distinct, -1 without memory."""
    cdef int32_t i, part
    cdef int32_t[2 * MOST_LEVELS] code
    for i in range(b):
        chain_codes(tree, levels + <int64_t>i * NAME_LEVELS, code)
        key[i] = 0
        for part in range(2 * NAME_LEVELS):
            key[i] += <uint64_t>code[part] * WEIGHT[part]
    return rank_keys(key, b, SEED, chain)


cdef bint are_alike(Page *tree, Chains *given) noexcept nogil:
    """Return whether the blocks of each chain have the same names; a page can be made of keys that collide."""
    cdef int32_t[2 * MOST_LEVELS] code
    cdef int32_t[2 * MOST_LEVELS] first
    cdef int32_t i
    for i in range(given.b):
        if given.block[given.number[i]] == i:
            continue
        chain_codes(tree, given.levels + <int64_t>i * NAME_LEVELS, code)
        chain_codes(tree, given.levels + <int64_t>given.block[given.number[i]] * NAME_LEVELS, first)
        if memcmp(code, first, 2 * NAME_LEVELS * sizeof(int32_t)):
            return False
    return True


cdef inline int32_t words_of(NameParts *names, int32_t name, int32_t most) noexcept nogil:
    """Return how many words of a name count."""
    return min(names.first[name + 1] - names.first[name], most)


cdef int32_t write_chain(NameParts *names, const int32_t *code, int32_t most, int32_t *out) noexcept nogil:
    """Write the rows of a chain, at most so many of each name; return how many."""
    cdef int32_t i, word, first, written = 0
    cdef uint64_t key
    for i in range(2 * NAME_LEVELS):
        first = names.first[code[i]]
        for word in range(first, first + words_of(names, code[i], most)):
            if names.row[2 * word] < 0:
                key = part_key(names.source, names.start[names.part[word]], names.end[names.part[word]])
                set_rows(&name_rules, key, &names.row[2 * word], &names.row[2 * word + 1])
            out[written] = names.row[2 * word + (i % NAME_LEVELS >= name_rules.near)]
            written += 1
    return written


cdef int64_t count_rows(Page *tree, NameParts *names, Chains *given, int32_t most, int64_t *count) noexcept nogil:
    """Fill the number of rows of each chain, with at most so many words of each name; return how many all have.

    Chains are counted in the order of their blocks, so that memory is read in order.
    """
    cdef int32_t[2 * MOST_LEVELS] code
    cdef int64_t total = 0, own
    cdef int32_t i, j
    for i in range(given.b):
        if given.block[given.number[i]] != i:
            continue
        chain_codes(tree, given.levels + <int64_t>i * NAME_LEVELS, code)
        own = 0
        for j in range(2 * NAME_LEVELS):
            own += words_of(names, code[j], most)
        count[given.number[i]] = own
        total += own
    return total


cdef int32_t most_of_each(Page *tree, NameParts *names, Chains *given, int64_t *count) noexcept nogil:
    """Return how many words of each name count, the first ones if the chains have too many; fill the rows of each."""
    cdef int32_t[2 * MOST_LEVELS] code
    cdef int32_t i, j, most = 0x7FFFFFFF
    if count_rows(tree, names, given, most, count) <= name_rules.most_parts:
        return most
    most = 0
    for i in range(given.chains):
        chain_codes(tree, given.levels + <int64_t>given.block[i] * NAME_LEVELS, code)
        for j in range(2 * NAME_LEVELS):
            most = max(most, words_of(names, code[j], 0x7FFFFFFF))
    while count_rows(tree, names, given, most, count) > name_rules.most_parts:
        most //= 2
    return most


def name_bags(object page, object levels):
    """Return a bag for each distinct chain of names, and the chain of each block."""
    cdef Page tree
    cdef NameParts names
    once(&_input_words_ready, prepare_input_words)
    cdef int32_t *level = as_i32(levels)
    cdef int32_t b = <int32_t>len(levels), chains, i
    read_page(page, &tree)
    if size_of(levels) != <Py_ssize_t>b * NAME_LEVELS:
        raise ValueError("the levels do not fit the blocks")
    for i in range(b * NAME_LEVELS):
        if not -1 <= level[i] < tree.n:
            raise ValueError("a level is no node of the page")
    parts = name_parts(page)
    cdef int32_t size = <int32_t>size_of(parts.start), attributes = tree.classes + tree.ids
    if size_of(parts.first) != attributes + 1:
        raise ValueError("there are not parts for each name of the page")
    chain_of = new_array(b, cnp.NPY_INT64)
    space = new_array(2 * <Py_ssize_t>b + 2 * <Py_ssize_t>size + attributes + 1, cnp.NPY_UINT64)
    cdef uint64_t *key = <uint64_t *>values(space)
    cdef int32_t *number = <int32_t *>(key + b)
    cdef int32_t *block = number + b  # the first block of each chain
    cdef int64_t *out = <int64_t *>values(chain_of)
    names.source, names.start, names.end = as_u8(parts.source), as_i64(parts.start), as_i64(parts.end)
    names.first = block + b
    names.part = names.first + attributes + 1
    names.row = names.part + size
    find_words(&names, as_i64(parts.first), attributes)
    chains = number_chains(&tree, level, b, key, number)
    if chains < 0:
        raise MemoryError
    for i in range(b - 1, -1, -1):
        block[number[i]] = i
    cdef Chains given = Chains(b, chains, level, number, block)
    if not are_alike(&tree, &given):
        given.chains = b
        for i in range(b):
            number[i] = block[i] = i
    for i in range(b):
        out[i] = number[i]
    return write_names(&tree, &names, &given), chain_of


cdef object write_names(Page *tree, NameParts *names, Chains *given):
    """Return the bag of each chain."""
    cdef int32_t[2 * MOST_LEVELS] code
    cdef int32_t i, most
    start = new_array(given.chains + 1, cnp.NPY_INT64)
    cdef int64_t *bound = <int64_t *>values(start)
    bound[0] = 0
    most = most_of_each(tree, names, given, bound + 1)
    for i in range(given.chains):
        bound[i + 1] += bound[i]
    rows = new_array(bound[given.chains], cnp.NPY_INT32)
    cdef int32_t *row = <int32_t *>values(rows)
    with nogil:
        for i in range(given.b):
            if given.block[given.number[i]] == i:
                chain_codes(tree, given.levels + <int64_t>i * NAME_LEVELS, code)
                write_chain(names, code, most, row + bound[given.number[i]])
    return bags_of(rows, start)


# texts


def text_bags(object blocks):
    """Return the bags of the texts' words; digits count as zeros."""
    cdef Page tree
    cdef Blocks rows
    cdef Words text
    once(&_input_words_ready, prepare_input_words)
    read_blocks(blocks, &tree, &rows)
    points, kinds = blocks.code_points, blocks.char_class
    text.points, text.kind = as_u32(points), as_u8(kinds)
    if size_of(kinds) != rows.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    cdef size_t most = name_rules.first + name_rules.last + 3
    cdef int64_t written = 0
    cdef int32_t i
    start = new_array(<Py_ssize_t>rows.b + 1, cnp.NPY_INT64)
    cdef int64_t *bound = <int64_t *>values(start)
    cdef int32_t *out = <int32_t *>memory(rows.b * most * sizeof(int32_t))
    cdef int32_t *row
    try:
        with nogil:
            for i in range(rows.b):
                bound[i] = written
                written += write_text(&text, &name_rules, rows.start[i], rows.end[i], out + written)
            bound[rows.b] = written
        found = new_array(written, cnp.NPY_INT32)
        row = <int32_t *>values(found)
        for i in range(<int32_t>written):
            row[i] = out[i]
    finally:
        free(out)
    return bags_of(found, start)
