"""The families that see the whole page: paths and the type of the page."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport number_keys

cdef enum:
    IS_PAGE_HEADING = 1
    FORM = 2
    ARTICLE = 4

cdef uint8_t[65536] PAGE_KIND  # of each tag
cdef uint8_t[65536] PAGE_SHARE  # of each tag, one bit for each of `page._SHARES`
cdef int32_t MIN_LONG
cdef object _is_article = None
cdef Family PATHS = family_of(
    (
        "path.words", "path.long", "path.link-density", "path.blocks",
        "path.parent-words", "path.parent-long", "path.parent-link-density",
    ),
    b"dddlddd", fill_paths,
)
cdef Family PAGE
cdef int32_t PAGE_SHARES


cdef tuple families_of_page(object settings):
    """Return the families of this module."""
    once(&_page_ready, prepare_page)
    return PATHS, PAGE


cdef bint _page_ready = False


cdef int prepare_page() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global MIN_LONG, PAGE, PAGE_SHARES, _is_article
    from dehusk.label.features import page
    from dehusk.read.signs import is_article
    for name, kind in (("page.headings", IS_PAGE_HEADING), ("page.forms", FORM), ("page.articles", ARTICLE)):
        for tag in page._COUNTS[name].tolist():
            PAGE_KIND[<uint16_t>tag] |= <uint8_t>kind
    for bit, chosen in enumerate(page._SHARES.values()):
        for tag in chosen.tolist():
            PAGE_SHARE[<uint16_t>tag] |= <uint8_t>(1 << bit)
    own = "running", "running-blocks", "running-words", "classes", "elements", "article-type"
    names = *(f"page.{name}" for name in own), *page._COUNTS, *page._SHARES
    PAGE, PAGE_SHARES = family_of(names, b"d", fill_page), <int32_t>len(page._SHARES)
    MIN_LONG, _is_article = page._MIN_LONG, is_article
    return 0


# paths


def path_features(object blocks, object settings):
    """Return statistics of the blocks with the same path, and with the same parent path, shape (b,) each."""
    return columns_of(blocks, settings, PATHS)


cdef void fill_path_keys(const Facts *facts, uint64_t *key) noexcept nogil:
    """Fill a column with the key of the path of tags and classes to each element."""
    cdef int32_t i
    cdef uint64_t mixed
    for i in range(<int32_t>facts.tree.m):
        mixed = (facts.tree.tag[i] + <uint64_t>1) * <uint64_t>0x9E3779B97F4A7C15
        mixed ^= (facts.page.class_code[facts.tree.node[i]] + <uint64_t>1) * <uint64_t>0xC2B2AE3D27D4EB4F
        mixed ^= mixed >> 31
        mixed *= (2 * <uint64_t>facts.tree.depth[i] + 1) * <uint64_t>0x165667B19E3779F9
        key[i] = mixed + key[facts.tree.parent[i]] if i else mixed


cdef void add_up_groups(const Facts *facts, const int32_t *group, int32_t groups, int32_t *sums) noexcept nogil:
    """Add up the blocks of each group, in sums of shape (groups, 4): words, unlinked, of long blocks, and blocks."""
    cdef int32_t i, words, unlinked
    cdef int32_t *own
    for i in range(4 * groups):
        sums[i] = 0
    for i in range(facts.rows.b):
        own, words, unlinked = sums + 4 * group[i], facts.words[i], facts.words[i] - facts.linked[i]
        own[0] += words
        own[1] += unlinked
        own[2] += words if words >= MIN_LONG and 2 * unlinked >= words else 0
        own[3] += 1


cdef int fill_paths(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef int32_t i, level, groups, b = facts.rows.b
    cdef uint64_t *own = facts.spare_keys + facts.most
    cdef int32_t *group = facts.spare_rows
    cdef int32_t *sums = <int32_t *>(facts.spare + 4 * facts.most)
    cdef int32_t *of_block
    cdef double *out = facts.spare
    cdef double total = max(facts.sums[3 * b] - facts.sums[3 * b + 1], 1), size
    once(&_page_ready, prepare_page)
    fill_path_keys(facts, facts.spare_keys)
    for level in range(2):
        for i in range(b):
            own[i] = facts.tree.innermost[i]
            own[i] = facts.spare_keys[max(facts.tree.parent[own[i]], 0) if level else <int64_t>own[i]]
        groups = number_keys(own, b, SEED, group)
        if groups < 0:
            raise MemoryError
        add_up_groups(facts, group, groups, sums)
        for i in range(b):
            of_block = sums + 4 * group[i]
            size = max(of_block[0], 1)
            out[i], out[b + i], out[2 * b + i] = of_block[1] / total, of_block[2] / size, 1 - of_block[1] / size
            out[3 * b + i] = of_block[3]
        for i in range(3 if level else 4):
            emit(column + 4 * level + i, out + i * b, b)
    return 0


# page_type


cdef struct Counts:
    int64_t elements, classes, headings, forms, articles
    double[8] words  # in the outermost elements of each of `page._SHARES`


cdef void count_page(const Facts *facts, Counts *counts) noexcept nogil:
    """Count the elements of a page, and the words in some."""
    cdef int64_t[8] reached
    cdef int32_t i, bit
    cdef uint8_t kind, shares
    counts.elements = counts.classes = counts.headings = counts.forms = counts.articles = 0
    for i in range(facts.page.n):
        counts.elements += facts.page.tag[i] != 0
        counts.classes += facts.page.class_code[i] > 0
        kind = PAGE_KIND[facts.page.tag[i]]
        counts.headings += kind & IS_PAGE_HEADING
        counts.forms += (kind & FORM) >> 1
        counts.articles += (kind & ARTICLE) >> 2
    for bit in range(8):
        reached[bit], counts.words[bit] = 0, 0
    for i in range(<int32_t>facts.tree.m):
        shares = PAGE_SHARE[facts.tree.tag[i]]
        for bit in range(8 if shares else 0):
            if shares >> bit & 1 and i >= reached[bit]:  # nested elements count once
                counts.words[bit] += sum_in(facts, i, 0)
                reached[bit] = facts.tree.close[i]


def page_features(object blocks, object settings):
    """Return statistics of the page, shape (b,) each."""
    once(&_page_ready, prepare_page)
    return columns_of(blocks, settings, PAGE)


cdef int fill_page(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef Counts counted
    cdef int32_t i, b = facts.rows.b
    cdef double total = max(facts.sums[3 * b], 1), running_words = facts.sums[3 * b + 2], running_blocks = 0
    once(&_page_ready, prepare_page)
    for i in range(b):
        running_blocks += facts.running[i] > 0
    count_page(facts, &counted)
    emit_constant(column, running_words / total, b)
    emit_constant(column + 1, running_blocks, b)
    emit_constant(column + 2, running_words / max(running_blocks, 1.0), b)
    emit_constant(column + 3, counted.classes / <double>max(counted.elements, 1), b)
    emit_constant(column + 4, max(counted.elements, 1) / total, b)
    emit_constant(column + 5, _is_article(blocks.page), b)
    emit_constant(column + 6, counted.headings, b)
    emit_constant(column + 7, counted.forms, b)
    emit_constant(column + 8, counted.articles, b)
    for i in range(PAGE_SHARES):
        emit_constant(column + 9 + i, counted.words[i] / total, b)
    return 0
