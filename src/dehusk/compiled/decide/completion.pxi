"""What goes with kept text, as `dehusk.label.united.completion` finds it, for `decisions`."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from dehusk.compiled.elements cimport Elements, TagBits, bits_of

cdef enum:
    PROSE = 1
    KEEPS_HEADING = 2
    KEEPS_CAPTION = 4
    CAPTIONED = 8
    NOSCRIPT = 16
    H1 = 32

    # what an element is in
    IN_CODE = 1
    IN_NOSCRIPT = 2
    IN_H1 = 4

cdef struct CompletionLimits:
    double listing
    double caption
    double of_image
    double inside
    double between
    double above

# The outermost or innermost elements of some tags around each element, -1 if there are none.
cdef struct Around:
    const TagBits *tags
    const CompletionLimits *limits
    const uint8_t *is_listing  # (m,) outermost code listings
    int32_t *prose  # (m,) outermost
    int32_t *heading  # (m,) outermost
    int32_t *caption  # (m,) outermost
    int32_t *captioned  # (m,) innermost
    int32_t *other  # (m,) smallest element around with other text
    uint8_t *inside  # (m,) IN_CODE, IN_NOSCRIPT, IN_H1
    int32_t *before  # (b,) first block before each that is not likely; b if there is none
    int32_t *after  # (b,)
    int32_t *kept_before  # (b + 1,)
    uint8_t *likely  # (b,)


cdef inline int32_t outermost(const int32_t *found, int64_t i, int64_t up, bint is_one) noexcept nogil:
    if up >= 0 and found[up] >= 0:
        return found[up]
    return <int32_t>i if is_one else -1


cdef inline void look_around(const Elements *t, Around *a) noexcept nogil:
    cdef int64_t i, up
    cdef uint32_t bits
    cdef uint8_t around
    for i in range(t.m):
        up, bits = t.parent[i], bits_of(a.tags, t.tag[i])
        a.prose[i] = outermost(a.prose, i, up, (bits & PROSE) != 0)
        a.heading[i] = outermost(a.heading, i, up, (bits & KEEPS_HEADING) != 0)
        a.caption[i] = outermost(a.caption, i, up, (bits & KEEPS_CAPTION) != 0)
        a.captioned[i] = <int32_t>i if bits & CAPTIONED else a.captioned[up] if up >= 0 else -1
        if up < 0:
            a.other[i] = 0
        elif t.first[i] == t.first[up] and t.end[i] == t.end[up]:
            a.other[i] = a.other[up]  # alone in the element around it
        else:
            a.other[i] = <int32_t>up
        around = a.inside[up] if up >= 0 else 0
        around |= (IN_CODE if a.is_listing[i] else 0) | (IN_NOSCRIPT if bits & NOSCRIPT else 0)
        a.inside[i] = around | (IN_H1 if bits & H1 else 0)


cdef inline int32_t block_before(const Elements *t, const Around *a, int32_t element) noexcept nogil:
    """Return the block before an element in the smallest element with other text, b if there is none."""
    cdef int64_t first = t.first[element]
    return <int32_t>(first - 1 if first > t.first[a.other[element]] else t.b)


cdef inline int32_t block_after(const Elements *t, const Around *a, int32_t element) noexcept nogil:
    cdef int64_t end = t.end[element]
    return <int32_t>(end if end < t.end[a.other[element]] else t.b)


cdef inline void complete(
    const Elements *t, Around *a, uint8_t *kept, const double *probability, const uint8_t *is_bound,
    const uint8_t *excluded,
) noexcept nogil:
    """Keep the listings, captions, paragraphs and headings that go with what is kept.

    `kept` has a place more than there are blocks, which is false.
    """
    cdef int64_t i
    for i in range(t.b):
        if a.inside[t.innermost[i]] & (IN_CODE | IN_NOSCRIPT) == IN_CODE and not excluded[i]:
            kept[i] |= probability[i] >= a.limits.listing
    keep_captions(t, a, kept, probability, excluded)
    for i in range(t.b):
        a.likely[i] = (
            a.prose[t.innermost[i]] >= 0 and not kept[i]
            and (0.0 if excluded[i] or is_bound[i] else probability[i]) >= a.limits.inside
        )
    keep_between(t, a, a.prose, kept, probability, 1.0)
    for i in range(t.b):
        a.likely[i] = (
            a.heading[t.innermost[i]] >= 0 and not kept[i]
            and (0.0 if excluded[i] else probability[i]) >= a.limits.between
        )
    keep_between(t, a, a.heading, kept, probability, a.limits.above)


cdef inline void keep_captions(
    const Elements *t, Around *a, uint8_t *kept, const double *probability, const uint8_t *excluded
) noexcept nogil:
    cdef int64_t i
    cdef int32_t own, around
    cdef bint goes, is_any = False
    for i in range(t.b):
        own = a.caption[t.innermost[i]]
        is_any |= own >= 0 and probability[i] >= a.limits.caption
    if not is_any:
        return
    a.kept_before[0] = 0
    for i in range(t.b):
        a.kept_before[i + 1] = a.kept_before[i] + kept[i]
        a.likely[i] = 0
    for i in range(t.b):
        own = a.caption[t.innermost[i]]
        if own < 0 or not probability[i] >= a.limits.caption or excluded[i]:
            continue
        around = a.captioned[own]
        goes = around >= 0 and a.kept_before[t.end[around]] > a.kept_before[t.first[around]]
        if probability[i] >= a.limits.of_image:
            goes |= kept[block_before(t, a, own)] & kept[block_after(t, a, own)]
        a.likely[i] = goes
    for i in range(t.b):
        kept[i] |= a.likely[i]


cdef inline void keep_between(
    const Elements *t, Around *a, const int32_t *element, uint8_t *kept, const double *probability, double above
) noexcept nogil:
    """Keep the likely blocks in these elements that stand between kept blocks, or above one."""
    cdef int64_t i
    cdef int32_t beside
    cdef bint is_any = False
    for i in range(t.b):
        is_any |= a.likely[i]
    if not is_any:
        return
    for i in range(t.b):
        a.before[i] = <int32_t>i
        if a.likely[i]:
            beside = block_before(t, a, element[t.innermost[i]])
            a.before[i] = beside if beside == t.b else a.before[beside]
    for i in range(t.b - 1, -1, -1):
        a.after[i] = <int32_t>i
        if a.likely[i]:
            beside = block_after(t, a, element[t.innermost[i]])
            a.after[i] = beside if beside == t.b else a.after[beside]
    # likely blocks are not kept, so what is kept here does not change what the others see
    for i in range(t.b):
        if a.likely[i] and kept[a.after[i]] and (kept[a.before[i]] or probability[i] >= above):
            kept[i] = 1
