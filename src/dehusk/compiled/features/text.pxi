"""The families that read texts: characters, tokens, sentences, duplicates, the title."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from dehusk.compiled.arrays cimport as_bool, as_u32, as_u8, memory, new_array, size_of, values
from dehusk.compiled.blocks cimport Blocks, Page, bools, integers, ints, per_block, read_blocks, reals
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport number_keys
from dehusk.compiled.hashes cimport lowered
from dehusk.compiled.unicode cimport Py_UNICODE_ISLOWER, Py_UNICODE_TOLOWER

cdef enum:  # of `characters.CharClass`
    ALPHA = 1
    DIGIT = 2
    WHITE = 4

cdef int32_t MIN_TITLE, MAX_TITLE
cdef object is_ender = None  # tables and a function of modules that import this one
cdef object is_closer, title_match


cdef Family TITLE = family_of(("title.match", "title.seen"), b"i?", fill_title)
cdef Family SENTENCE_END = family_of(("sentence-end",), b"?", fill_sentence_end)


cdef tuple families_of_text(object settings):
    """Return the families of this module that need elements."""
    return TITLE, SENTENCE_END


cdef bint _text_ready = False


cdef int prepare_text() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global MIN_TITLE, MAX_TITLE, is_ender, is_closer, title_match
    from dehusk.label.features import text
    title_match = text.match_title
    MIN_TITLE, MAX_TITLE = text._MIN_TITLE, text._MAX_TITLE
    is_closer, is_ender = text._IS_CLOSER, text._IS_ENDER
    return 0


cdef struct Text:
    const uint32_t *points
    const uint8_t *kind  # `CharClass` of each character
    const uint8_t *ender  # tables of the basic multilingual plane
    const uint8_t *closer


cdef int text_of(object blocks, Page *tree, Blocks *rows, Text *text) except -1:
    """Fill the structs; raises ValueError if the columns are not valid."""
    once(&_text_ready, prepare_text)
    read_blocks(blocks, tree, rows)
    points, kinds = blocks.code_points, blocks.char_class
    text.points, text.kind = as_u32(points), as_u8(kinds)
    text.ender, text.closer = as_bool(is_ender), as_bool(is_closer)
    if size_of(kinds) != rows.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    return 0


# titles


cdef int contains(const uint32_t *text, int32_t n, const uint32_t *part, int32_t m) noexcept nogil:
    """Return whether a text of n characters contains a part of m; -1 if this search would take too long to tell."""
    cdef int32_t i, j, steps = 0
    for i in range(n - m + 1):
        if text[i] != part[0]:
            continue
        for j in range(1, m):
            if text[i + j] != part[j]:
                break
        else:
            return 1
        steps += j
        if steps > 8 * n + 64:
            return -1
    return 0


cdef int match_block(const uint32_t *points, int32_t n, str title, const uint32_t *wanted, uint32_t *lower) except -1:
    """Return the `title.match` of a block of n characters; `lower` is memory for them."""
    cdef int32_t i, size = <int32_t>len(title)
    cdef int found = -1
    for i in range(n):
        lower[i] = points[i] | 32 if c"A" <= points[i] <= c"Z" else points[i]
        if points[i] >= 128:
            if points[i] == 0x130 or points[i] == 0x3A3:  # of two characters, or by its neighbours
                break
            lower[i] = <uint32_t>Py_UNICODE_TOLOWER(points[i])
    else:
        found = 2 * contains(wanted, size, lower, n) if n <= size else contains(lower, n, wanted, size)
    if found >= 0:
        return found
    text = (<const char *>points)[:4 * n].decode("utf-32-le").lower()
    return 2 if text in title else int(title in text)


cdef inline int32_t pair_of(uint32_t first, uint32_t second) noexcept nogil:
    """Return the number of a pair of characters, which small and capital letters share."""
    return (first & 31) * 32 + (second & 31)


cdef inline bint may_be_part(const uint32_t *points, int32_t n, const uint8_t *pairs) noexcept nogil:
    """Return whether a block that is not longer than the title may be part of it, by its first and last pairs."""
    if (points[0] | points[1] | points[n - 2] | points[n - 1]) >= 128:
        return True
    return pairs[pair_of(points[0], points[1])] and pairs[pair_of(points[n - 2], points[n - 1])]


def match_title(object blocks):
    """Return 2 for blocks that are part of the page's title, 1 for blocks that contain it, else 0, shape (b,)."""
    cdef Page tree
    cdef Blocks rows
    cdef Text text
    text_of(blocks, &tree, &rows, &text)
    cdef str title = " ".join(blocks.page.meta.title[:MAX_TITLE].lower().split())
    cdef int32_t size = <int32_t>len(title), i, n
    found = new_array(rows.b, cnp.NPY_INT32)
    cdef int32_t *match = <int32_t *>values(found)
    for i in range(rows.b):
        match[i] = 0
    if size < MIN_TITLE:
        return found
    wanted, spare = new_array(size, cnp.NPY_UINT32), new_array(2 * size, cnp.NPY_UINT32)
    cdef uint32_t *letters = <uint32_t *>values(wanted)
    cdef uint8_t[1024] pairs  # whether the title has a pair of letters with this number
    memset(pairs, 0, sizeof(pairs))
    for i in range(size):
        letters[i] = <uint32_t>ord(title[i])
        if i:
            pairs[pair_of(letters[i - 1], letters[i])] = True
    for i in range(rows.b):
        n = rows.end[i] - rows.start[i]
        if MIN_TITLE <= n <= 2 * size and (n > size or may_be_part(text.points + rows.start[i], n, pairs)):
            match[i] = match_block(text.points + rows.start[i], n, title, letters, <uint32_t *>values(spare))
    return found


def title_features(object blocks, object settings):
    """Return how each block matches the page's title, shape (b,) each."""
    return columns_of(blocks, settings, TITLE)


cdef int fill_title(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef int32_t i, b = facts.rows.b
    cdef double *out = facts.spare
    cdef const int32_t *match
    once(&_text_ready, prepare_text)
    match = per_block(title_match(blocks), &facts.rows)
    for i in range(b):
        out[i] = match[i]
        out[b + i] = match[i] == 2 or (i > 0 and out[b + i - 1])
    emit(column, out, b)
    emit(column + 1, out + b, b)
    return 0


# sentences


cdef inline bint is_in(const uint8_t *table, uint32_t point) noexcept nogil:
    return table[point if point < 0xFFFF else 0xFFFF]


def sentence_end_features(object blocks, object settings):
    """Return `sentence-end`, shape (b,): a separate family because it costs almost nothing."""
    return columns_of(blocks, settings, SENTENCE_END)


cdef int fill_sentence_end(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef const Blocks *rows = &facts.rows
    cdef int32_t i, last, step
    points = blocks.code_points
    once(&_text_ready, prepare_text)
    cdef const uint32_t *point = as_u32(points)
    cdef const uint8_t *ender = as_bool(is_ender)
    cdef const uint8_t *closer = as_bool(is_closer)
    if size_of(points) != rows.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    for i in range(rows.b):
        last = rows.end[i] - 1
        for step in range(3):
            if last > rows.start[i] and is_in(closer, point[last]):
                last -= 1
        facts.spare[i] = is_in(ender, point[last])
    emit(column, facts.spare, rows.b)
    return 0


cdef void count_sentences(Text *text, Blocks *rows, int32_t *count, uint8_t *begins) noexcept nogil:
    """Fill the numbers of sentences that end in each block, and whether the first letter of each is no small one."""
    cdef int32_t i, at
    cdef bint searching
    for i in range(rows.b):
        count[i], begins[i], searching = 0, 0, True
        for at in range(rows.start[i], rows.end[i]):
            if searching and text.kind[at] == ALPHA:
                begins[i], searching = not Py_UNICODE_ISLOWER(text.points[at]), False
            if is_in(text.ender, text.points[at]):
                count[i] += (
                    at + 1 == rows.end[i]
                    or text.kind[at + 1] == WHITE
                    or is_in(text.closer, text.points[at + 1])
                    or text.points[at] > 0x2FFF
                )


def sentence_features(object blocks, object settings):
    cdef Page tree
    cdef Blocks rows
    cdef Text text
    text_of(blocks, &tree, &rows, &text)
    columns = {}
    cdef int32_t *words = per_block(blocks.words, &rows)
    cdef int32_t *count = ints(columns, "sentence.count", &rows)
    cdef int64_t *of_page = integers(columns, "document.sentence-count", &rows)
    cdef double *length = reals(columns, "sentence.avg-length", &rows)
    cdef uint8_t *begins = bools(columns, "sentence-begin", &rows)
    cdef int64_t total = 0
    cdef int32_t i
    count_sentences(&text, &rows, count, begins)
    for i in range(rows.b):
        total += count[i]
    for i in range(rows.b):
        of_page[i], length[i] = total, words[i] / <double>max(count[i], 1)
    return columns


# characters and tokens


def character_features(object blocks, object settings):
    """Return the shares of the character classes and the number of characters, shape (b,) each."""
    cdef Page tree
    cdef Blocks rows
    cdef Text text
    cdef double *out[5]
    cdef int32_t counts[5]
    text_of(blocks, &tree, &rows, &text)
    cdef int32_t i, at, kind
    columns = {}
    for kind, name in ((1, "alpha"), (2, "num"), (3, "punct"), (4, "white"), (0, "other")):
        out[kind] = reals(columns, f"char.{name}-rel", &rows)
    cdef int32_t *chars = ints(columns, "char.count", &rows)
    for i in range(rows.b):
        counts[0] = counts[1] = counts[2] = counts[3] = counts[4] = 0
        chars[i] = rows.end[i] - rows.start[i]
        for at in range(rows.start[i], rows.end[i]):
            if text.kind[at] > WHITE:
                raise ValueError("a character has no known class")
            counts[text.kind[at]] += 1
        for kind in range(5):
            out[kind][i] = counts[kind] / <double>chars[i]
    return columns


cdef void count_kinds(Text *text, Blocks *rows, int64_t **out) noexcept nogil:
    """Fill the numbers of tokens with neither letters nor digits, with letters, with digits, and with both."""
    cdef int32_t i, at, kinds
    for i in range(rows.b):
        kinds = -1  # outside of tokens
        for at in range(4):
            out[at][i] = 0
        for at in range(rows.start[i], rows.end[i]):
            if text.kind[at] == WHITE:
                if kinds >= 0:
                    out[kinds][i] += 1
                kinds = -1
            else:
                kinds = max(kinds, 0) | (text.kind[at] if text.kind[at] <= DIGIT else 0)
        if kinds >= 0:
            out[kinds][i] += 1


def token_features(object blocks, object settings):
    """Return the counts and shares of the token classes, shape (b,) each."""
    cdef Page tree
    cdef Blocks rows
    cdef Text text
    cdef int64_t *counts[4]
    cdef double *shares[4]
    text_of(blocks, &tree, &rows, &text)
    names, columns = ("other", "alpha", "num", "mix"), {}
    cdef int32_t i, kind
    cdef int64_t words = 0
    cdef double total
    for kind, name in enumerate(names):
        counts[kind] = integers(columns, f"token.{name}-abs", &rows)
    for kind, name in enumerate(names):
        shares[kind] = reals(columns, f"token.{name}-rel", &rows)
    cdef double *ratio = reals(columns, "word-ratio", &rows)
    count_kinds(&text, &rows, counts)
    for i in range(rows.b):
        total = max(counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i], 1)
        words += counts[1][i]
        for kind in range(4):
            shares[kind][i] = counts[kind][i] / total
    for i in range(rows.b):
        ratio[i] = counts[1][i] / <double>max(words, 1)
    return columns


# duplicates


cdef void hash_letters(Text *text, Blocks *rows, uint64_t *key, int32_t *letters) noexcept nogil:
    """Fill the key and the number of the letters of each block, in lower case."""
    cdef int32_t i, at
    cdef uint64_t total, power, letter
    for i in range(rows.b):
        total, power, letters[i] = 0, 1, 0
        for at in range(rows.start[i], rows.end[i]):
            if text.kind[at] != ALPHA:
                continue
            letter = lowered(text.points[at])
            letter = (letter ^ (letter << 17)) * <uint64_t>0xBF58476D1CE4E5B9
            total += (letter ^ (letter >> 29)) * power
            power *= <uint64_t>0x9E3779B97F4A7C15
            letters[i] += 1
        key[i] = total


def duplicate_features(object blocks, object settings):
    """Return how many duplicates each block has and which block is the first of them, shape (b,) each."""
    cdef Page tree
    cdef Blocks rows
    cdef Text text
    text_of(blocks, &tree, &rows, &text)
    columns = {}
    cdef int32_t *count = ints(columns, "duplicate-count", &rows)
    cdef uint8_t *is_first = bools(columns, "first-duplicate", &rows)
    cdef size_t b = rows.b
    cdef uint64_t *key = <uint64_t *>memory(b * (sizeof(uint64_t) + 3 * sizeof(int32_t)))
    cdef int32_t *letters = <int32_t *>(key + b)
    cdef int32_t *group = letters + b
    cdef int32_t *size = group + b
    cdef int32_t i, found, seen = 0
    hash_letters(&text, &rows, key, letters)
    found = number_keys(key, rows.b, SEED, group)
    for i in range(found):
        size[i] = 0
    for i in range(rows.b if found >= 0 else 0):
        size[group[i]] += 1
    for i in range(rows.b if found >= 0 else 0):
        count[i] = size[group[i]] if letters[i] else 1
        is_first[i] = group[i] == seen and count[i] > 1
        seen += group[i] == seen
    free(key)
    if found < 0:
        raise MemoryError
    return columns
