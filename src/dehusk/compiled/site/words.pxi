"""What a site counts of a page, its words and the texts in its slots, and how they are looked up."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport as_i32, as_i64, as_u32, as_u64, as_u8, memory, new_array, size_of, values
from dehusk.compiled.blocks cimport Blocks, Page, read_blocks, read_page
from dehusk.compiled.first_use cimport once
from dehusk.compiled.hashes cimport Spelling, begin, fill_scattered, lowered, pair_key, spell, spelt

cnp.import_array()
fill_scattered()

cdef enum:
    ALPHA = 1  # of `characters.CharClass`
    DIGIT = 2
    TAGS = 65536

cdef object SlotTexts = None  # of modules that import this one
cdef object term_spans_of, block_slots, first_class_key, name_key
cdef int32_t LONG_SLOT
cdef uint64_t[TAGS] TAG_KEY  # of each known tag
cdef int32_t KNOWN


cdef bint _words_ready = False


cdef int prepare_words() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global SlotTexts, term_spans_of, block_slots, first_class_key, name_key, LONG_SLOT, KNOWN
    from dehusk.counts import display, slots, terms
    from dehusk.base.tags import TAG_NUMBER
    for name, number in TAG_NUMBER.items():
        TAG_KEY[<uint16_t>number] = display._name_key(name)
    term_spans_of, block_slots, LONG_SLOT, KNOWN = terms.term_spans, slots.block_slots, slots.LONG, len(TAG_NUMBER)
    first_class_key, name_key = slots.first_class_key, display._name_key
    SlotTexts = slots.SlotTexts
    return 0


# words


cdef struct Columns:
    const uint32_t *points
    const uint8_t *kind
    int32_t *start
    int32_t *end
    int32_t *block


cdef int columns_of(object blocks, Page *tree, Blocks *rows, Columns *text) except -1:
    """Fill the structs; raises ValueError if the blocks do not cover the text or a column is not valid."""
    cdef int32_t i
    read_blocks(blocks, tree, rows)
    points, kinds = blocks.code_points, blocks.char_class
    if size_of(kinds) != rows.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    text.points, text.kind = as_u32(points), as_u8(kinds)
    for i in range(rows.b):
        if rows.start[i] != (rows.end[i - 1] if i else 0):
            raise ValueError("the columns of the blocks do not fit their page")
    if rows.chars != (rows.end[rows.b - 1] if rows.b else 0):
        raise ValueError("the columns of the blocks do not fit their page")
    return 0


cdef inline bint is_ink(Columns *text, int32_t at) noexcept nogil:
    return text.kind[at] == ALPHA or text.kind[at] == DIGIT


cdef inline bint stands_alone(Columns *text, int32_t at) noexcept nogil:
    """Return whether a character of a word is one: Han and kana are."""
    return 0x3040 <= text.points[at] < 0xA000 and text.kind[at] == ALPHA


cdef int32_t find_words(Columns *text, Blocks *rows) noexcept nogil:
    """Find the words of the blocks; return how many there are."""
    cdef int32_t i, at, end, found = 0
    for i in range(rows.b):
        at, end = rows.start[i], rows.end[i]
        while at < end:
            if not is_ink(text, at):
                at += 1
                continue
            text.start[found], text.block[found] = at, i
            at += 1
            if not stands_alone(text, at - 1):
                while at < end and is_ink(text, at) and not stands_alone(text, at):
                    at += 1
            text.end[found] = at
            found += 1
    return found


def term_spans(object blocks):
    """Return `Terms.start`, `Terms.end` and `Terms.block`, without the other columns, which take longer."""
    cdef Page tree
    cdef Blocks rows
    cdef Columns text
    columns_of(blocks, &tree, &rows, &text)
    cdef size_t chars = rows.chars
    cdef int32_t *space = <int32_t *>memory(3 * chars * sizeof(int32_t))
    cdef int32_t words, part, i
    cdef int32_t *out
    text.start, text.end, text.block = space, space + chars, space + 2 * chars
    try:
        with nogil:
            words = find_words(&text, &rows)
        spans = []
        for part in range(3):
            column = new_array(words, cnp.NPY_INT32)
            out = <int32_t *>values(column)
            for i in range(words):
                out[i] = space[part * <int64_t>chars + i]
            spans.append(column)
    finally:
        free(space)
    return tuple(spans)


cdef bint fill_nodes(
    Page *tree, const int32_t *text_start, const int32_t *source, const int32_t *start, int32_t words, int32_t *node
) noexcept nogil:
    """Fill the text node in which each word starts; return whether there is one and the words are in its order."""
    cdef int32_t i, at = 0, holder = -1, before = 0
    for i in range(words):
        if source[start[i]] < before:
            return False
        before = source[start[i]]
        while at < tree.n and (tree.tag[at] or text_start[at] <= before):
            if not tree.tag[at]:
                holder = at
            at += 1
        if holder < 0:
            return False
        node[i] = holder
    return True


def term_columns(object blocks):
    """Return the columns of `Terms`, in their order."""
    cdef Page tree
    cdef Blocks rows
    cdef Columns text
    cdef Spelling spelling
    once(&_words_ready, prepare_words)
    columns_of(blocks, &tree, &rows, &text)
    if size_of(blocks.source) != rows.chars or size_of(blocks.page.text_start) != tree.n:
        raise ValueError("the columns of the blocks do not fit their page")
    starts, ends, block = term_spans_of(blocks)
    cdef int32_t *start = as_i32(starts)
    cdef int32_t *end = as_i32(ends)
    cdef int32_t words = <int32_t>size_of(starts), i, at
    keys, nodes = new_array(words, cnp.NPY_UINT64), new_array(words, cnp.NPY_INT32)
    cdef uint64_t *key = <uint64_t *>values(keys)
    cdef int32_t *source = as_i32(blocks.source)
    if not fill_nodes(&tree, as_i32(blocks.page.text_start), source, start, words, <int32_t *>values(nodes)):
        raise ValueError("the words are not in the order of the page")
    with nogil:
        for i in range(words):
            begin(&spelling)
            for at in range(start[i], end[i]):
                spell(&spelling, lowered(text.points[at]))
            key[i] = spelt(&spelling)
    return keys, starts, ends, block, nodes


# slots


def path_keys(object page):
    """Return for each node, shape (n,), the sum of the keys of the elements that it lies in."""
    cdef Page tree
    once(&_words_ready, prepare_words)
    read_page(page, &tree)
    cdef int32_t *depth = as_i32(page.depth)
    cdef int32_t i = 0
    keys, classes = new_array(tree.n, cnp.NPY_UINT64), new_array(tree.classes, cnp.NPY_UINT64)
    cdef uint64_t *key = <uint64_t *>values(keys)
    cdef uint64_t *of_class = <uint64_t *>values(classes)
    cdef uint64_t own
    for name in page.class_names:
        of_class[i] = first_class_key(name)
        i += 1
    for i in range(tree.n):
        key[i] = key[tree.parent[i]] if i else 0
        if tree.tag[i]:
            own = TAG_KEY[tree.tag[i]] if tree.tag[i] < KNOWN else <uint64_t>name_key(page.tag_name(i))
            key[i] += pair_key(pair_key(own, of_class[tree.class_code[i]] if i else 0), depth[i])
    return keys


cdef struct Texts:
    int64_t *block
    uint64_t *words
    uint64_t *slot
    uint64_t *text
    uint64_t *without_numbers
    uint8_t *has_letters


cdef void fill_texts(
    const uint64_t *key, const int32_t *block, const uint8_t *is_number, int32_t words, const uint64_t *slots,
    Texts *out,
) noexcept nogil:
    """Fill the columns of `SlotTexts` from the words."""
    cdef int32_t i = 0, row = 0
    cdef Spelling spelling, lettered
    while i < words:
        begin(&spelling)
        begin(&lettered)
        out.block[row] = block[i]
        while True:
            spell(&spelling, key[i])
            if not is_number[i]:
                spell(&lettered, key[i])
            i += 1
            if i == words or block[i] != block[i - 1]:
                break
        out.words[row], out.slot[row] = spelt(&spelling), slots[out.block[row]]
        out.text[row] = pair_key(out.slot[row], out.words[row])
        out.without_numbers[row] = out.text[row]
        if lettered.length >= <uint64_t>LONG_SLOT:
            out.without_numbers[row] = pair_key(out.slot[row], spelt(&lettered))
        out.has_letters[row] = lettered.length > 0
        row += 1


def slot_texts(object words):
    """Return the texts of a page in their slots."""
    cdef Page tree
    cdef Blocks rows
    cdef Texts out
    once(&_words_ready, prepare_words)
    blocks = words.blocks
    read_blocks(blocks, &tree, &rows)
    if size_of(blocks.char_class) != rows.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    cdef uint8_t *kind = as_u8(blocks.char_class)
    cdef uint64_t *key = as_u64(words.key)
    cdef int32_t *start = as_i32(words.start)
    cdef int32_t *end = as_i32(words.end)
    cdef int32_t *block = as_i32(words.block)
    cdef int32_t size = <int32_t>size_of(words.key), i, t = 0
    if size_of(words.start) != size or size_of(words.end) != size or size_of(words.block) != size:
        raise ValueError("the columns of the words do not fit together")
    numbers = new_array(size, cnp.NPY_UINT8)
    cdef uint8_t *is_number = <uint8_t *>values(numbers)
    for i in range(size):
        if not (0 <= start[i] < end[i] <= rows.chars and 0 <= block[i] < rows.b):
            raise ValueError("the words do not fit the blocks")
        is_number[i] = kind[start[i]] == DIGIT and kind[end[i] - 1] == DIGIT
        t += i == 0 or block[i] != block[i - 1]
    slots, fields = block_slots(blocks), {"block": new_array(t, cnp.NPY_INT64)}
    for name in ("words", "slot", "text", "without_numbers"):
        fields[name] = new_array(t, cnp.NPY_UINT64)
    fields["has_letters"] = new_array(t, cnp.NPY_BOOL)
    out.block, out.words = <int64_t *>values(fields["block"]), <uint64_t *>values(fields["words"])
    out.slot, out.text = <uint64_t *>values(fields["slot"]), <uint64_t *>values(fields["text"])
    out.without_numbers = <uint64_t *>values(fields["without_numbers"])
    out.has_letters = <uint8_t *>values(fields["has_letters"])
    per_block_keys(slots, &rows)
    fill_texts(key, block, is_number, size, as_u64(slots), &out)
    made = SlotTexts.__new__(SlotTexts)
    made.__dict__.update(fields)
    return made


cdef int per_block_keys(object keys, Blocks *rows) except -1:
    if size_of(keys) != rows.b:
        raise ValueError("a column has not one row per block")
    return 0


# tables


cdef extern from *:
    """
    #ifdef __SIZEOF_INT128__
    #define dehusk_share(key, rows) ((int64_t)(((unsigned __int128)(key) * (uint64_t)(rows)) >> 64))
    #else
    #define dehusk_share(key, rows) ((int64_t)(((key) >> 32) * (uint64_t)(rows) >> 32))
    #endif
    """
    int64_t dehusk_share(uint64_t key, int64_t rows) nogil


cdef inline int64_t find_row(const uint64_t *column, int64_t size, uint64_t key) noexcept nogil:
    """Return the row of a key, -1 if there is none.

    Keys are spread evenly, so the search starts where the key would be and doubles its steps from there.
    """
    cdef int64_t low, high, middle, step = 1
    low = dehusk_share(key, size)
    if column[low] < key:
        high = low + 1
        while high < size and column[high] < key:
            low, high, step = high, high + 2 * step, 2 * step
        high = min(high, size)
    else:
        high = low
        while low >= 0 and column[low] >= key:
            high, low, step = low, low - step, 2 * step
        low = max(low, -1)
    while high - low > 1:  # what is at `low` is smaller, what is at `high` is not
        middle = low + (high - low) // 2
        if column[middle] < key:
            low = middle
        else:
            high = middle
    return high if high < size and column[high] == key else -1


def look_up(object table, object keys):
    stored, counts = table.keys, table.counts
    cdef int64_t size = size_of(counts), i, m = size_of(keys), row
    if size_of(stored) != size or size >= 1 << 31:
        raise ValueError("the columns of the table do not fit together")
    cdef uint64_t *column = as_u64(stored)
    cdef int64_t *count = as_i64(counts)
    cdef uint64_t *key = as_u64(keys)
    found = new_array(m, cnp.NPY_INT64)
    cdef int64_t *out = <int64_t *>values(found)
    with nogil:
        for i in range(m):
            row = find_row(column, size, key[i]) if size else -1
            out[i] = count[row] if row >= 0 else 0
    return found
