"""Which blocks are kept: groups decide together, and the cut maximises the expected F."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from dehusk.compiled.arrays cimport as_bool, as_f64, as_i32, as_u32, new_array, size_of, values
from dehusk.compiled.elements cimport Elements, TagBits, add_tags, bits_of, read_elements
from dehusk.compiled.first_use cimport once
from dehusk.compiled.text cimport lower_for

cdef enum:
    NEVER = 1 << 9  # beside the sets of tags in `completion`

cdef TagBits decision_tags
cdef CompletionLimits completion_limits
cdef object decision_rules = None  # dehusk.label.united.decisions, which cannot be imported before this module
cdef object groups_of = None
cdef object exp = np.exp
cdef double spread = 0, least_title = 0, most = 0, least = 0
cdef int64_t short_link = 0, often = 0

cdef struct Ranked:
    double probability
    int32_t block

cdef struct Deciding:
    Elements t
    const int32_t *group  # (b,)
    const uint8_t *is_bound  # (b,)
    const int32_t *words  # (b,)
    const int32_t *link_words  # (b,)
    const uint8_t *excluded  # (b,)
    int32_t groups
    double *sums  # (4 groups,) of each group: weight, and weighted probability, log-odds and their square
    double *own  # (b,) before pooling
    int32_t *size  # (2 groups,)
    uint8_t *acts  # (b,) repeated links
    uint8_t *closed  # (b,) excluded or repeated links
    uint8_t *kept  # (b + 1,)
    Ranked *ranked  # (2 b,)
    Around around


cdef int prepare_decisions() except -1:
    global completion_limits, decision_rules, groups_of, spread, least_title, most, least, short_link, often
    from dehusk.label import keep
    from dehusk.label.united import completion, decisions
    from dehusk.blocks.units import decisions as groups, skeleton, structures
    for table, bit in (
        (completion._PROSE, PROSE), (completion._HEADING, KEEPS_HEADING), (completion._CAPTION, KEEPS_CAPTION),
        (completion._CAPTIONED, CAPTIONED), (completion._NOSCRIPT, NOSCRIPT), (decisions._H1, H1),
        (decisions._NEVER, NEVER),
    ):
        add_tags(&decision_tags, table, bit)
    completion_limits = CompletionLimits(
        listing=completion.LISTING, caption=completion.CAPTION, of_image=completion.OF_IMAGE,
        inside=completion.INSIDE, between=completion.BETWEEN, above=completion.ABOVE,
    )
    spread, least_title, most = decisions.SPREAD * decisions.SPREAD, decisions.TITLE, decisions._MOST
    short_link, often, least = decisions.SHORT, decisions.OFTEN, keep.LEAST
    groups_of = groups.grouping
    decision_rules = decisions
    return 0


def never_content(object blocks):
    """Return whether each block is in an element that never has content, shape (b,)."""
    once(&_is_ready, prepare)
    cdef Elements t
    tree = skeleton_of(blocks)
    read_elements(tree, &t)
    excluded, around = new_array(t.b, cnp.NPY_BOOL), new_array(t.m, cnp.NPY_BOOL)
    cdef uint8_t *out = <uint8_t *>values(excluded)
    cdef uint8_t *inside = <uint8_t *>values(around)
    cdef int64_t i
    for i in range(t.m):
        inside[i] = (bits_of(&decision_tags, t.tag[i]) & NEVER) != 0 or (i and inside[t.parent[i]])
    for i in range(t.b):
        out[i] = inside[t.innermost[i]]
    return excluded


cdef int check(object array, int kind, int64_t n) except -1:
    """Raise a TypeError or a ValueError unless an array can be read as it is: one number for each block."""
    if not cnp.PyArray_Check(array) or cnp.PyArray_TYPE(<cnp.ndarray>array) != kind:
        raise TypeError("an array has another type")
    if not cnp.PyArray_IS_C_CONTIGUOUS(<cnp.ndarray>array) or cnp.PyArray_NDIM(<cnp.ndarray>array) != 1:
        raise ValueError("an array is not one row of numbers")
    if size_of(array) != n:
        raise ValueError("an array has not one number for each block")
    return 0


def decide(object blocks, object page_scores, *, object excluded, object evidence=None, double beta=1.0):
    """Decide which blocks to keep.

    What the site repeats is dropped from what the page alone would keep, unless the net is so sure of it that the
    evidence leaves it likely. The cut itself does not take part: it would rise where template falls, and drop values
    that are unlikely but not repeated.

    Args:
        blocks: the blocks of a page.
        page_scores: (b,) log-odds that each block is content, from the page only.
        excluded: (b,) whether the block can never be content.
        evidence: what the site's other pages say; None without a site.
        beta: weight of recall relative to precision.
    """
    once(&_is_ready, prepare)
    cdef Deciding w
    tree, groups, structures = skeleton_of(blocks), groups_of(blocks), structures_of(blocks)
    words, link_words, points = blocks.words, blocks.link_words, blocks.code_points
    read_elements(tree, &w.t)
    cdef int64_t b = w.t.b
    check(page_scores, cnp.NPY_FLOAT64, b)
    check(excluded, cnp.NPY_BOOL, b)
    if evidence is not None:
        check(evidence.scores, cnp.NPY_FLOAT64, b)
        check(evidence.template, cnp.NPY_BOOL, b)
    w.group, w.is_bound, w.excluded = as_i32(groups.group), as_bool(groups.is_bound), as_bool(excluded)
    w.words, w.link_words = as_i32(words), as_i32(link_words)
    w.around.is_listing = as_bool(structures.listings)
    chances = chances_of(page_scores)
    probability, kept = new_array(b, cnp.NPY_FLOAT64), new_array(b, cnp.NPY_BOOL)
    cdef void *memory = NULL
    try:
        memory = lay_out_deciding(&w)
        pool(&w, as_f64(page_scores), as_f64(chances), as_f64(probability))
        memcpy(w.own, as_f64(chances), b * sizeof(double))
        find_acting_links(&w, blocks, points)
        choose(&w, as_f64(probability), beta)
        memcpy(as_bool(kept), w.kept, b)
        if evidence is not None:
            chances = chances_of(evidence.scores)
            pool(&w, as_f64(evidence.scores), as_f64(chances), as_f64(probability))
            drop_template(&w, as_bool(evidence.template), as_f64(probability), as_bool(kept), beta)
    finally:
        free(memory)
    return decision_rules.Decision(probability, kept)


cdef object chances_of(object scores):
    """Return the probability of each block before pooling; raises ValueError if a score is not a number."""
    cdef int64_t n = size_of(scores), i
    cdef const double *score = as_f64(scores)
    result = new_array(n, cnp.NPY_FLOAT64)
    cdef double *out = <double *>values(result)
    for i in range(n):
        if score[i] != score[i]:
            raise ValueError(f"the score of block {i} is not a number")
        out[i] = -min(max(score[i], -30.0), 30.0)
    exp(result, result)  # numpy's own, so that the bits agree
    for i in range(n):
        out[i] = 1 / (1 + out[i])
    return result


cdef void *lay_out_deciding(Deciding *w) except NULL:
    """Take the memory for all columns."""
    cdef size_t b = w.t.b + 1, m = w.t.m + 1
    cdef int64_t i
    w.groups = 0
    for i in range(w.t.b):
        if w.group[i] < 0 or w.group[i] >= w.t.b:
            raise ValueError("a block has no group")
        w.groups = max(w.groups, w.group[i] + 1)
    cdef char *memory = <char *>malloc(
        8 * (5 * b) + 2 * b * sizeof(Ranked) + 4 * (5 * m + 5 * b) + 4 * b + m
    )
    if memory == NULL:
        raise MemoryError
    w.sums, w.own = <double *>memory, <double *>memory + 4 * b
    w.ranked = <Ranked *>(w.own + b)
    cdef int32_t *at = <int32_t *>(w.ranked + 2 * b)
    w.around.prose, w.around.heading, w.around.caption = at, at + m, at + 2 * m
    w.around.captioned, w.around.other = at + 3 * m, at + 4 * m
    at += 5 * m
    w.around.before, w.around.after, w.around.kept_before, w.size = at, at + b, at + 2 * b, at + 3 * b
    w.acts = <uint8_t *>(at + 5 * b)
    w.closed, w.kept, w.around.likely = w.acts + b, w.acts + 2 * b, w.acts + 3 * b
    w.around.inside = w.acts + 4 * b
    w.around.tags, w.around.limits = &decision_tags, &completion_limits
    return memory


cdef void pool(Deciding *w, const double *score, const double *chance, double *out) noexcept nogil:
    """Give the blocks of each group that is decided as one their mean probability; 0 to excluded blocks.

    Sums are in the order of the blocks, as `numpy.bincount` takes them.
    """
    cdef int64_t i
    cdef double weight, odds, level
    cdef double *sums
    memset(w.sums, 0, 4 * <size_t>w.groups * sizeof(double))
    for i in range(w.t.b):
        if w.excluded[i]:
            continue
        sums, weight = w.sums + 4 * w.group[i], w.words[i] + 1.0
        odds = min(max(score[i], -most), most)
        sums[0] += weight
        sums[1] += weight * chance[i]
        sums[2] += weight * odds
        sums[3] += weight * (odds * odds)
    for i in range(w.t.b):
        out[i] = 0
        if w.excluded[i]:
            continue
        sums = w.sums + 4 * w.group[i]
        level = sums[2] / sums[0]
        if w.is_bound[i] or sums[3] / sums[0] - level * level <= spread:
            out[i] = sums[1] / sums[0]
        else:
            out[i] = chance[i]


cdef bint find_acting_links(Deciding *w, object blocks, object points) except False:
    """Find the fields of records of which all blocks are short links with few distinct texts."""
    cdef int64_t i
    cdef int32_t g
    cdef bint is_any = False
    memset(w.size, 0, 2 * <size_t>w.groups * sizeof(int32_t))
    for i in range(w.t.b):
        w.acts[i] = w.link_words[i] >= w.words[i] and w.words[i] <= short_link and not w.is_bound[i]
        w.size[2 * w.group[i]] += 1
        w.size[2 * w.group[i] + 1] += w.acts[i]
    for i in range(w.t.b):
        g = w.group[i]
        w.acts[i] = w.acts[i] and w.size[2 * g] == w.size[2 * g + 1] and w.size[2 * g] >= often
        is_any |= w.acts[i]
    if is_any:
        count_texts(w, as_i32(blocks.start), as_i32(blocks.end), points)
    for i in range(w.t.b):
        w.closed[i] = w.excluded[i] or w.acts[i]
    return True


cdef bint count_texts(Deciding *w, const int32_t *start, const int32_t *end, object points) except False:
    """Leave in `acts` the blocks of groups in which each text stands `often` times on average."""
    cdef const uint32_t *code_points = as_u32(points)
    cdef const uint32_t *lowered = lower_for(code_points, size_of(points))
    cdef int64_t i
    cdef int32_t j, found
    cdef uint64_t key
    cdef Table texts
    cdef bint is_done = table_open(&texts, 64)
    for i in range(w.groups):
        w.size[2 * i + 1] = 0  # distinct texts
    for i in range(w.t.b if is_done else 0):
        if not w.acts[i]:
            continue
        key = hash_of_one(w.group[i])
        for j in range(start[i], end[i]):
            key = hash_of_two(key, lowered[code_points[j]])
        found = texts.used
        is_done &= table_number(&texts, key) >= 0
        w.size[2 * w.group[i] + 1] += texts.used - found
    table_close(&texts)
    if not is_done:
        raise MemoryError
    for i in range(w.t.b):
        w.acts[i] = w.acts[i] and often * w.size[2 * w.group[i] + 1] <= w.size[2 * w.group[i]]
    return True


cdef void choose(Deciding *w, const double *probability, double beta) noexcept nogil:
    """Keep what maximises the expected F, a title, and what goes with both."""
    cdef int64_t i
    cdef bint is_any = False
    keep_best(w, probability, beta)
    w.kept[w.t.b] = 0
    for i in range(w.t.b):
        w.kept[i] = w.kept[i] and not w.closed[i]
        is_any |= w.kept[i]
    if not is_any:
        return
    look_around(&w.t, &w.around)
    keep_title(w)
    complete(&w.t, &w.around, w.kept, probability, w.is_bound, w.closed)


cdef void keep_best(Deciding *w, const double *probability, double beta) noexcept nogil:
    """Keep the blocks that maximise the expected F; see `dehusk.label.keep.expected_f1`."""
    cdef int64_t i, b = w.t.b
    cdef double gain = 0, weight = 0, total = 0, best = -1, score, cut = 0
    for i in range(b):
        w.kept[i] = 0
    for i in range(b):
        w.ranked[i].probability, w.ranked[i].block = probability[i], <int32_t>i
    rank(w.ranked, w.ranked + b, b)
    for i in range(b):
        total += w.ranked[i].probability * w.words[w.ranked[i].block]
    if total <= 0 or not b or w.ranked[0].probability < least:
        return
    for i in range(b):
        gain += w.ranked[i].probability * w.words[w.ranked[i].block]
        weight += w.words[w.ranked[i].block]
        score = gain / (weight + beta * beta * total + 1e-12)
        if score > best:
            best, cut = score, w.ranked[i].probability
    for i in range(b):
        w.kept[i] = probability[i] >= cut


cdef void rank(Ranked *ranked, Ranked *spare, int64_t n) noexcept nogil:
    """Sort by probability, highest first; equal ones stay in order."""
    cdef int64_t width = 16, start = 0, i, j, k, middle, end
    cdef Ranked one
    cdef Ranked *source = ranked
    cdef Ranked *target = spare
    while start < n:
        for i in range(start + 1, min(start + width, n)):
            one, j = ranked[i], i
            while j > start and ranked[j - 1].probability < one.probability:
                ranked[j] = ranked[j - 1]
                j -= 1
            ranked[j] = one
        start += width
    while width < n:
        start = 0
        while start < n:
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if j < end and (i == middle or source[j].probability > source[i].probability):
                    target[k] = source[j]
                    j += 1
                else:
                    target[k] = source[i]
                    i += 1
            start = end
        source, target = target, source
        width *= 2
    if source != ranked:
        memcpy(ranked, source, n * sizeof(Ranked))


cdef void keep_title(Deciding *w) noexcept nogil:
    """If no h1 is kept, keep the most probable one, if it stands before the middle of the kept text."""
    cdef int64_t i, title = -1, words = 0, read = 0
    for i in range(w.t.b):
        words += w.words[i] if w.kept[i] else 0
        if not w.around.inside[w.t.innermost[i]] & IN_H1:
            continue
        if w.kept[i]:
            return
        if not w.excluded[i] and w.own[i] >= least_title and (title < 0 or w.own[i] > w.own[title]):
            title = i
    for i in range(title + 1):
        read += w.words[i] if w.kept[i] else 0
    if title >= 0 and read < words / 2.0:
        w.kept[title] = 1


cdef void drop_template(
    Deciding *w, const uint8_t *template, const double *probability, uint8_t *kept, double beta
) noexcept nogil:
    """Drop what the site repeats, where the evidence leaves it unlikely: units most of whose words are template."""
    cdef int64_t i
    cdef double weight, share = 1 / (1 + beta)
    cdef double *sums
    cdef bint is_template
    memset(w.sums, 0, 2 * <size_t>w.groups * sizeof(double))
    for i in range(w.t.b):
        sums, weight = w.sums + 2 * w.group[i], 1e-9 if w.excluded[i] else w.words[i] + 1.0
        sums[0] += weight * template[i]
        sums[1] += weight
    for i in range(w.t.b):
        sums = w.sums + 2 * w.group[i]
        is_template = 2 * (sums[0] / sums[1]) > 1 if w.is_bound[i] else template[i]
        if is_template and probability[i] < min(0.5, share):
            kept[i] = 0
