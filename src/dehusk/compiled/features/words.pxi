"""The families that count words: of groups, of links, of neighbours, of the page."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memset

from dehusk.compiled.arrays cimport as_i32, as_u32, size_of
from dehusk.compiled.blocks cimport Blocks
from dehusk.compiled.elements cimport row_of
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport table_size, text_hash

cdef enum:
    IS_WORD_HEADING = 1
    NOSCRIPT = 2
    HIDDEN = 4
    DIV = 8
    TD = 16

cdef uint8_t[65536] WORD_KIND  # of each tag
cdef int32_t H1_BEFORE = -1
cdef Family GROUPS = family_of(
    ("div-group.word-ratio", "td-group.word-ratio", "document.max-div-group", "document.max-td-group"),
    b"d", fill_groups,
)
cdef Family DOCUMENT = family_of(("position", "document.word-count", "document.block-count"), b"d", fill_document)
cdef Family LINKS = family_of(
    (
        "link.density", "link.page-density", "block.words", "block.noscript", "block.hidden", "block.copies",
        "block.since-heading",
    ),
    b"ddi??ll", fill_links,
)
cdef Family NEIGHBOURS = family_of(
    (
        "near.-1.words", "near.-1.link-density", "near.+1.words", "near.+1.link-density",
        "near.2.words", "near.2.link-density", "near.2.running",
        "near.5.words", "near.5.link-density", "near.5.running",
        "section.words", "section.running", "section.link-density", "section.level", "section.number",
    ),
    b"dddddddddddddil", fill_neighbours,
)


cdef tuple families_of_words(object settings):
    """Return the families of this module."""
    return GROUPS, DOCUMENT, LINKS, NEIGHBOURS


cdef bint _words_ready = False


cdef int prepare_words() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global H1_BEFORE
    from dehusk.base import tags
    from dehusk.label.features import words
    for chosen, kind in (
        (words._HEADINGS, IS_WORD_HEADING), (tags.numbers("noscript"), NOSCRIPT), (tags.numbers("div"), DIV),
        (tags.numbers("td"), TD),
    ):
        for tag in chosen.tolist():
            WORD_KIND[<uint16_t>tag] |= <uint8_t>kind
    H1_BEFORE = words._HEADINGS[0]
    return 0


# groups


def group_features(object blocks, object settings):
    """Return the relative size of each block's div and td groups, and the page's largest, shape (b,) each."""
    return columns_of(blocks, settings, GROUPS)


cdef double fill_ratio(const Facts *facts, int kind, const Column *column) noexcept nogil:
    """Fill the share of unlinked words in blocks with the same innermost element of a kind; return the largest."""
    cdef int32_t i, own, b = facts.rows.b, m = <int32_t>facts.tree.m
    cdef int32_t *nearest = facts.spare_rows
    cdef int32_t *sums = nearest + facts.most
    cdef double *out = facts.spare
    cdef double total = max(facts.sums[3 * b] - facts.sums[3 * b + 1], 1), largest = 0
    cdef bint is_any = False
    for i in range(m):
        nearest[i] = i if WORD_KIND[facts.tree.tag[i]] & kind else nearest[facts.tree.parent[i]] if i else -1
        is_any |= nearest[i] == i
        sums[i] = 0
    for i in range(b):
        out[i] = 0
        own = nearest[facts.tree.innermost[i]]
        if own >= 0:
            sums[own] += facts.words[i] - facts.linked[i]
    for i in range(b if is_any else 0):
        own = nearest[facts.tree.innermost[i]]
        if own >= 0:
            out[i] = sums[own] / total
            largest = max(largest, out[i])
    emit(column, out, b)
    return largest


cdef int fill_groups(object blocks, object settings, Facts *facts, const Column *column) except -1:
    once(&_words_ready, prepare_words)
    if column[0].kind or column[2].kind:
        emit_constant(column + 2, fill_ratio(facts, DIV, column), facts.rows.b)
    if column[1].kind or column[3].kind:
        emit_constant(column + 3, fill_ratio(facts, TD, column + 1), facts.rows.b)
    return 0


def document_features(object blocks, object settings):
    """Return the blocks' positions and the size of the page, shape (b,) each."""
    return columns_of(blocks, settings, DOCUMENT)


cdef int fill_document(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef int32_t i, b = facts.rows.b
    cdef double span = max(b - 1, 1)
    for i in range(b):
        facts.spare[i] = i / span
    emit(column, facts.spare, b)
    emit_constant(column + 1, facts.sums[3 * b], b)
    emit_constant(column + 2, b, b)
    return 0


# links


def link_features(object blocks, object settings):
    """Return sizes, link densities and the distance from the last heading, shape (b,) each."""
    return columns_of(blocks, settings, LINKS)


cdef void mark_kinds(const Facts *facts, const int32_t *hidden, int32_t h, uint8_t *kinds) noexcept nogil:
    """Fill the kinds of the elements that each element lies in; h nodes are hidden."""
    cdef int32_t i
    cdef int64_t row
    for i in range(<int32_t>facts.tree.m):
        kinds[i] = WORD_KIND[facts.tree.tag[i]]
    for i in range(h):
        row = row_of(&facts.tree, hidden[i], 0)
        if facts.tree.node[row] == hidden[i]:
            kinds[row] |= HIDDEN
    for i in range(1, <int32_t>facts.tree.m):
        kinds[i] |= kinds[facts.tree.parent[i]]


cdef int count_copies(Facts *facts, const uint32_t *points, double *out) except -1:
    """Fill a column with the number of blocks that have the same text."""
    cdef const Blocks *rows = &facts.rows
    cdef int32_t size = table_size(rows.b), mask = size - 1, i, slot, length, other
    cdef uint64_t *key = facts.spare_keys
    cdef int32_t *same = facts.spare_rows  # the first block with the same text
    cdef int32_t *table = <int32_t *>(facts.spare + 4 * facts.most)
    with nogil:
        memset(table, 255, size * sizeof(int32_t))
        for i in range(rows.b):
            length = rows.end[i] - rows.start[i]
            key[i] = text_hash(points + rows.start[i], length, SEED)
            slot, out[i] = <int32_t>(key[i] & <uint64_t>mask), 0
            while table[slot] >= 0:
                other = table[slot]
                if key[other] == key[i] and rows.end[other] - rows.start[other] == length and not memcmp(
                    points + rows.start[other], points + rows.start[i], length * sizeof(uint32_t)
                ):
                    break
                slot = (slot + 1) & mask
            else:
                table[slot] = i
            same[i] = table[slot]
            out[same[i]] += 1
        for i in range(rows.b):
            out[i] = out[same[i]]
    return 0


cdef int fill_links(object blocks, object settings, Facts *facts, const Column *column) except -1:
    points, hidden = blocks.code_points, blocks.page.hidden_nodes
    cdef int32_t i, b = facts.rows.b, heading = -1
    cdef uint8_t *kinds = <uint8_t *>facts.spare_rows
    cdef double *out = facts.spare
    once(&_words_ready, prepare_words)
    if size_of(points) != facts.rows.chars:
        raise ValueError("the columns of the blocks do not fit their page")
    count_copies(facts, as_u32(points), out)
    emit(column + 5, out, b)
    emit_constant(column + 1, facts.sums[3 * b + 1] / <double>max(facts.sums[3 * b], 1), b)
    mark_kinds(facts, as_i32(hidden), <int32_t>size_of(hidden), kinds)
    for i in range(b):
        out[i] = facts.linked[i] / <double>max(facts.words[i], 1)
        out[b + i] = facts.words[i]
        out[2 * b + i] = kinds[facts.home[i]] & NOSCRIPT
        out[3 * b + i] = kinds[facts.tree.innermost[i]] & HIDDEN
        if kinds[facts.tree.innermost[i]] & IS_WORD_HEADING:
            heading = i
        out[4 * b + i] = 1000 if heading < 0 else i - heading
    emit(column, out, b)
    emit(column + 2, out + b, b)
    for i in range(2 * b, 4 * b):
        out[i] = out[i] != 0
    emit(column + 3, out + 2 * b, b)
    emit(column + 4, out + 3 * b, b)
    emit(column + 6, out + 4 * b, b)
    return 0


# neighbours


def neighbour_features(object blocks, object settings):
    """Return statistics of each block's neighbours, windows and section, shape (b,) each."""
    return columns_of(blocks, settings, NEIGHBOURS)


cdef void fill_neighbour(const Facts *facts, int32_t offset, const Column *column) noexcept nogil:
    """Fill the words and the link density of the block before or after each block."""
    cdef int32_t i, j, b = facts.rows.b
    cdef double *out = facts.spare
    for i in range(b):
        j = i + offset
        if 0 <= j < b:
            out[i], out[b + i] = facts.words[j], facts.linked[j] / <double>max(facts.words[j], 1)
        else:
            out[i] = out[b + i] = -1
    emit(column, out, b)
    emit(column + 1, out + b, b)


cdef void fill_window(const Facts *facts, int32_t window, const Column *column) noexcept nogil:
    """Fill statistics of each block and the blocks on either side."""
    cdef int32_t i, b = facts.rows.b
    cdef const int32_t *first
    cdef const int32_t *last
    cdef double *out = facts.spare
    cdef double words, size
    for i in range(b):
        first, last = facts.sums + 3 * max(i - window, 0), facts.sums + 3 * min(i + window + 1, b)
        words = last[0] - first[0]
        size = max(words, 1.0)
        out[i] = words / <double>(min(i + window + 1, b) - max(i - window, 0))
        out[b + i] = (last[1] - first[1]) / size
        out[2 * b + i] = (last[2] - first[2]) / size
    emit(column, out, b)
    emit(column + 1, out + b, b)
    emit(column + 2, out + 2 * b, b)


cdef void fill_heading_levels(const Facts *facts, int32_t *level) noexcept nogil:
    """Fill the level of the heading that contains each block; 0 outside headings.

    Only the last heading that opens before a block counts, whether or not there is text in it.
    """
    cdef int32_t i, node = 0, heading = -1
    for i in range(facts.rows.b):
        while node <= facts.rows.first[i]:
            if WORD_KIND[facts.page.tag[node]] & IS_WORD_HEADING:
                heading = node
            node += 1
        level[i] = (
            facts.page.tag[heading] - H1_BEFORE + 1
            if heading >= 0 and facts.rows.first[i] < facts.page.end[heading]
            else 0
        )


cdef void fill_sections(const Facts *facts, const Column *column) noexcept nogil:
    """Fill statistics of the section of each block, which reaches from one heading to the next."""
    cdef int32_t i, first = 0, last, section = 0, b = facts.rows.b
    cdef int32_t *level = facts.spare_rows
    cdef const int32_t *sums = facts.sums
    cdef double *out = facts.spare
    cdef double words, size, linked, running
    fill_heading_levels(facts, level)
    while first < b:
        last = first + 1
        while last < b and not (level[last] > 0 and level[last - 1] == 0):
            last += 1
        words = sums[3 * last] - sums[3 * first]
        size = max(words, 1.0)
        linked = (sums[3 * last + 1] - sums[3 * first + 1]) / size
        running = (sums[3 * last + 2] - sums[3 * first + 2]) / size
        for i in range(first, last):
            out[i], out[b + i], out[2 * b + i] = words, running, linked
            out[3 * b + i], out[4 * b + i] = level[first], section
        first, section = last, section + 1
    for i in range(5):
        emit(column + i, out + i * b, b)


cdef int fill_neighbours(object blocks, object settings, Facts *facts, const Column *column) except -1:
    once(&_words_ready, prepare_words)
    fill_neighbour(facts, -1, column)
    fill_neighbour(facts, 1, column + 2)
    fill_window(facts, 2, column + 4)
    fill_window(facts, 5, column + 7)
    fill_sections(facts, column + 10)
    return 0
