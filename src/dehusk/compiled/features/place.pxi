"""The families that say where a block is: candidates for the main text, what holds it, its best runs."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from dehusk.compiled.blocks cimport below, per_block
from dehusk.compiled.first_use cimport once

cdef enum:
    LINKED = 1  # what `sum_in` adds up, beside the words
    RUNNING = 2
    MOST_SHARES = 8
    MOST_LEVELS = 8

cdef uint8_t[65536] CATEGORY  # of each tag, as `holder.tag` numbers them
cdef int32_t OUTSIDE_CANDIDATE, OUTSIDE_MAIN, MIN_GROUP, LEVELS
cdef uint16_t H1_TAG
cdef int32_t SUBTREE_SHARES = 0
cdef double[MOST_SHARES] SUBTREE_SHARE
cdef object title_matches = None  # a function of a module that imports this one
cdef Family CANDIDATES, HOLDERS, MAIN


cdef bint _place_ready = False


cdef int prepare_place() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global title_matches, CANDIDATES, HOLDERS, MAIN
    global OUTSIDE_CANDIDATE, OUTSIDE_MAIN, MIN_GROUP, H1_TAG, SUBTREE_SHARES, LEVELS
    from dehusk.label.features import place, text
    for tags, category in place._CATEGORIES:
        for tag in tags.tolist():
            CATEGORY[<uint16_t>tag] = category
    OUTSIDE_CANDIDATE, OUTSIDE_MAIN, MIN_GROUP = place._OUTSIDE_CANDIDATE, place._OUTSIDE_MAIN, place._MIN_GROUP
    H1_TAG, LEVELS = place._H1[0], place.LEVELS
    if len(place.SHARES) > MOST_SHARES or LEVELS > MOST_LEVELS:
        raise ValueError("there is no room for so many candidates or levels")
    for SUBTREE_SHARES, share in enumerate(place.SHARES.values()):
        SUBTREE_SHARE[SUBTREE_SHARES] = share
    SUBTREE_SHARES = <int32_t>len(place.SHARES)
    shares = tuple(place.SHARES)
    CANDIDATES = family_of(
        tuple(f"candidate.{name}.{part}" for name in shares for part in ("place", "levels", "words"))
        + tuple(f"candidate.{name}" for name in (
            "group", "group.words", "group.size", "group.place", "heading", "title"
        )),
        b"dld" * SUBTREE_SHARES + b"ddddll", fill_candidates,
    )
    parts = "words", "blocks", "link-density", "running", "siblings", "sibling-words", "sibling-running"
    HOLDERS = family_of(
        ("holder.tag", "holder.depth", *(f"holder.{level}.{name}" for level in range(LEVELS) for name in parts)),
        b"ii" + b"d" * (7 * LEVELS), fill_holders,
    )
    own = "place", "inner", "levels", "share", "local", "run", "run-distance"
    names = tuple(f"main.{name}" for name in (*shares, *own))
    MAIN = family_of(names, b"?" * SUBTREE_SHARES + b"ldidd?l", fill_main_text)
    title_matches = text.match_title
    return 0


cdef tuple families_of_place(object settings):
    """Return the families of this module."""
    once(&_place_ready, prepare_place)
    return CANDIDATES, HOLDERS, MAIN


cdef void find_candidates(const Facts *facts, int32_t *found) noexcept nogil:
    """Find for each share the smallest element with more of the running text."""
    cdef double total = facts.sums[3 * facts.rows.b + RUNNING], running
    cdef int32_t i, part
    for part in range(SUBTREE_SHARES):
        found[part] = -1
    for i in range(<int32_t>facts.tree.m - 1, 0, -1):  # they are nested: the last is the smallest
        running = sum_in(facts, i, RUNNING)
        for part in range(SUBTREE_SHARES):
            if found[part] < 0 and running > SUBTREE_SHARE[part] * total:
                found[part] = i
    for part in range(SUBTREE_SHARES):
        found[part] = max(found[part], 0)


# candidates


def candidate_features(object blocks, object settings):
    """Return each block's position relative to the candidates, shape (b,) each."""
    once(&_place_ready, prepare_place)
    return columns_of(blocks, settings, CANDIDATES)


cdef void place(const Facts *facts, int64_t first, int64_t last, const Column *column) noexcept nogil:
    """Fill a column with the position of each block relative to the blocks [first, last)."""
    cdef double *out = facts.spare
    cdef int32_t i, b = facts.rows.b
    cdef double span = max(last - 1 - first, 1), total = b
    if last <= first:
        for i in range(b):
            out[i] = 0
    else:
        for i in range(<int32_t>first):
            out[i] = (i - first) / total
        for i in range(<int32_t>first, <int32_t>last):
            out[i] = (i - first) / span
        for i in range(<int32_t>last, b):
            out[i] = 1 + (i - last + 1) / total
    emit(column, out, b)


cdef int fill_candidates(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef int32_t[MOST_SHARES] found
    cdef int32_t part, i, b = facts.rows.b
    cdef int64_t element, first, last, depth
    cdef double total = max(facts.sums[3 * b], 1)
    cdef double *out = facts.spare
    once(&_place_ready, prepare_place)
    group_siblings(facts)
    find_candidates(facts, found)
    for part in range(SUBTREE_SHARES):
        element = found[part]
        first, last, depth = facts.tree.first[element], facts.tree.end[element], facts.tree.depth[element]
        place(facts, first, last, column + 3 * part)
        for i in range(b):
            out[i] = OUTSIDE_CANDIDATE
        for i in range(<int32_t>first, <int32_t>last):
            out[i] = min(facts.tree.depth[facts.tree.innermost[i]] - depth, OUTSIDE_CANDIDATE - 1)
        emit(column + 3 * part + 1, out, b)
        emit_constant(column + 3 * part + 2, sum_in(facts, element, 0) / total, b)
    fill_group(facts, total, column + 3 * SUBTREE_SHARES)
    fill_anchors(facts, per_block(title_matches(blocks), &facts.rows), column + 3 * SUBTREE_SHARES + 4)
    return 0


cdef int32_t best_group(const Facts *facts) noexcept nogil:
    """Return the first element of the group of `MIN_GROUP` siblings or more with the most running text, or -1.

    Of equals, the first in the order of parent, tag and class.
    """
    cdef double most = 0
    cdef const double *own
    cdef int32_t i, best = -1
    for i in range(<int32_t>facts.tree.m):
        own = facts.of_group + 3 * facts.group[i]
        if own[0] < MIN_GROUP or own[2] <= 0 or own[2] < most:
            continue
        if own[2] > most or facts.keys[i] < facts.keys[best]:
            best, most = i, own[2]
    return best


cdef void fill_group(Facts *facts, double total, const Column *column) noexcept nogil:
    """Fill the columns of the best group of like siblings."""
    cdef int32_t i, k, b = facts.rows.b, best = best_group(facts), m = <int32_t>facts.tree.m
    cdef int64_t first = 0, last = 0
    cdef double *inside = facts.spare
    for i in range(b):
        inside[i] = 0
    for i in range(best if best >= 0 else m, m):
        if facts.group[i] == facts.group[best]:
            last = facts.tree.end[i]
            for k in range(<int32_t>facts.tree.first[i], <int32_t>last):
                inside[k] = 1
    if best >= 0:
        first = facts.tree.first[best]
    emit(column, inside, b)
    emit_constant(column + 1, facts.of_group[3 * facts.group[best] + 1] / total if best >= 0 else 0.0, b)
    emit_constant(column + 2, facts.of_group[3 * facts.group[best]] if best >= 0 else 0.0, b)
    place(facts, first, last, column + 3)


cdef void fill_anchors(Facts *facts, const int32_t *match, const Column *column) noexcept nogil:
    """Fill the distances from the first h1 and from the title; zeros if there is none."""
    cdef int32_t i, b = facts.rows.b, heading = b, title = b
    cdef double *out = facts.spare
    for i in range(facts.page.n):
        if facts.page.tag[i] == H1_TAG:
            heading = below(&facts.rows, i)
            break
    for i in range(b):
        if match[i] == 2:
            title = i
            break
    for i in range(b):
        out[i] = i - heading if heading < b else 0
    emit(column, out, b)
    for i in range(b):
        out[i] = i - title if title < b else 0
    emit(column + 1, out, b)


# holders


def holder_features(object blocks, object settings):
    """Return statistics of the elements around each block, shape (b,) each."""
    once(&_place_ready, prepare_place)
    return columns_of(blocks, settings, HOLDERS)


cdef int fill_holders(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef int32_t i, level, part, b = facts.rows.b
    cdef int32_t *element = facts.spare_rows
    cdef double *out = facts.spare
    once(&_place_ready, prepare_place)
    group_siblings(facts)
    for i in range(b):
        element[i] = <int32_t>facts.tree.innermost[i]
        out[i] = CATEGORY[facts.tree.tag[element[i]]]
        out[b + i] = facts.tree.depth[element[i]]
    emit(column, out, b)
    emit(column + 1, out + b, b)
    for level in range(LEVELS):
        fill_level(facts, element, out)
        for part in range(7):
            emit(column + 2 + 7 * level + part, out + part * b, b)
    return 0


cdef void fill_level(const Facts *facts, int32_t *element, double *out) noexcept nogil:
    """Fill the seven columns of a level, and go up to the next one."""
    cdef int32_t i, outer, b = facts.rows.b
    cdef double total = max(facts.sums[3 * b], 1), words, size
    cdef const double *group
    for i in range(b):
        outer = facts.outer[element[i]]
        words = sum_in(facts, outer, 0)
        size = max(words, 1.0)
        group = facts.of_group + 3 * facts.group[outer]
        out[i] = words / total
        out[b + i] = size_in(facts, outer)
        out[2 * b + i] = sum_in(facts, outer, LINKED) / size
        out[3 * b + i] = sum_in(facts, outer, RUNNING) / size
        out[4 * b + i] = group[0]
        out[5 * b + i] = group[1] / group[0]
        out[6 * b + i] = group[2] / max(group[1], 1.0)
        element[i] = <int32_t>max(facts.tree.parent[outer], 0)


# main text


def main_text_features(object blocks, object settings):
    """Return each block's position relative to the candidates for the main text, shape (b,) each."""
    once(&_place_ready, prepare_place)
    return columns_of(blocks, settings, MAIN)


cdef int32_t best_element(const Facts *facts) noexcept nogil:
    """Return the element with the most running text, half of what is one level further down, less its links."""
    cdef double *score = facts.spare
    cdef double *grand = facts.spare + facts.most
    cdef double most = 0
    cdef int32_t i, best = 0
    cdef int64_t up
    for i in range(<int32_t>facts.tree.m):
        score[i] = grand[i] = 0
    for i in range(facts.rows.b):
        if facts.running[i]:
            up = max(facts.tree.parent[facts.tree.innermost[i]], 0)
            score[up] += facts.running[i]
            grand[max(facts.tree.parent[up], 0)] += facts.running[i]
    for i in range(<int32_t>facts.tree.m):
        if score[i] > 0 or grand[i] > 0:
            score[i] = (score[i] + 0.5 * grand[i]) * (1 - sum_in(facts, i, LINKED) / max(sum_in(facts, i, 0), 1.0))
            if score[i] > most:
                best, most = i, score[i]
    return best


cdef void best_run(const Facts *facts, int32_t *first, int32_t *last) noexcept nogil:
    """Set the run of blocks [first, last) with the highest score."""
    cdef int64_t total = 0, lowest = 0, most = 0
    cdef int32_t i, low = 0
    first[0] = last[0] = 0
    for i in range(facts.rows.b):
        total += facts.running[i] if facts.running[i] > 0 else -3 - min(facts.words[i], 10)
        if total < lowest:
            lowest, low = total, i + 1
        if total - lowest > most:
            most = total - lowest
            first[0], last[0] = low, i + 1


cdef int fill_main_text(object blocks, object settings, Facts *facts, const Column *column) except -1:
    cdef int32_t[MOST_SHARES] found
    cdef int32_t part, i, best, b = facts.rows.b, first, last
    cdef int64_t element
    cdef double *out = facts.spare
    once(&_place_ready, prepare_place)
    find_candidates(facts, found)
    for part in range(SUBTREE_SHARES):
        for i in range(b):
            out[i] = facts.tree.first[found[part]] <= i < facts.tree.end[found[part]]
        emit(column + part, out, b)
    column += SUBTREE_SHARES
    best = best_element(facts)
    fill_main_element(facts, best, column)
    emit_constant(column + 3, sum_in(facts, best, RUNNING) / max(facts.sums[3 * b + RUNNING], 1), b)
    for i in range(b):
        element = max(facts.tree.parent[max(facts.tree.parent[facts.tree.innermost[i]], 0)], 0)
        out[i] = sum_in(facts, element, RUNNING) / max(sum_in(facts, element, 0), 1.0)
    emit(column + 4, out, b)
    best_run(facts, &first, &last)
    for i in range(b):
        out[i] = first <= i < last
        out[b + i] = max(0, max(first - i, i - last + 1))
    emit(column + 5, out, b)
    emit(column + 6, out + b, b)
    return 0


cdef void fill_main_element(const Facts *facts, int32_t best, const Column *column) noexcept nogil:
    """Fill `main.place`, `main.inner` and `main.levels`."""
    cdef int32_t first = <int32_t>facts.tree.first[best], last = <int32_t>facts.tree.end[best], i, b = facts.rows.b
    cdef int64_t depth = facts.tree.depth[best]
    cdef double *out = facts.spare
    cdef double span = max(last - first - 1, 1)
    for i in range(b):
        out[i] = 0 if i < first else 2
        out[b + i] = max(min(i, last - 1) - first, 0) / span
        out[2 * b + i] = OUTSIDE_MAIN
    for i in range(first, last):
        out[i] = 1
        out[2 * b + i] = min(facts.tree.depth[facts.tree.innermost[i]] - depth, OUTSIDE_MAIN)
    emit(column, out, b)
    emit(column + 1, out + b, b)
    emit(column + 2, out + 2 * b, b)
