"""Twins of the families that say where a block is: `features.candidates`, `features.holders`, `features.main_text`."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free

from dehusk.compiled.arrays cimport as_f64, as_i32, as_i64, size_of
from dehusk.compiled.views cimport (
    Rows, Tree, below, bools, constant, integers, ints, memory, per_block, reals, rows_of, zeros
)

cnp.import_array()

cdef uint8_t[65536] CATEGORY  # of each tag, as `holder.tag` numbers them
cdef int32_t OUTSIDE_CANDIDATE, OUTSIDE_MAIN, MIN_GROUP
cdef uint16_t H1
cdef object count_subtrees = None  # functions of modules that import this one
cdef object group_siblings, match_title, text_holders, topmost
cdef tuple HOLDER_NAMES, SHARE_NAMES


cdef int prepare() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global count_subtrees, group_siblings, match_title, text_holders, topmost, HOLDER_NAMES, SHARE_NAMES
    global OUTSIDE_CANDIDATE, OUTSIDE_MAIN, MIN_GROUP, H1
    from dehusk.features import candidates, holders, links, main_text, subtrees
    for tags, category in holders._CATEGORIES:
        for tag in tags.tolist():
            CATEGORY[<uint16_t>tag] = category
    OUTSIDE_CANDIDATE, OUTSIDE_MAIN, MIN_GROUP = candidates._OUTSIDE, main_text._OUTSIDE, candidates._MIN_GROUP
    H1 = candidates._H1[0]
    columns = "words", "blocks", "link-density", "running", "siblings", "sibling-words", "sibling-running"
    HOLDER_NAMES = tuple(tuple(f"holder.{level}.{name}" for name in columns) for level in range(holders.LEVELS))
    SHARE_NAMES = tuple(f"candidate.{name}" for name in subtrees.SHARES)
    match_title, topmost = links.match_title, holders.topmost
    group_siblings, text_holders = subtrees.group_siblings, subtrees.text_holders
    count_subtrees = subtrees.count_subtrees
    return 0


cdef struct Groups:  # like siblings
    int32_t *of_node  # (n,) group of each node, -1 for none
    double *size  # (g,)
    double *words  # (g,) mean number of words
    double *running  # (g,) share of running text


cdef void describe(Groups *groups, Tree *tree, object counts, object siblings) noexcept:
    """Fill the struct, whose pointers have memory."""
    cdef int64_t *node = <int64_t *>cnp.PyArray_DATA(siblings.nodes)
    cdef int64_t *group = <int64_t *>cnp.PyArray_DATA(siblings.group)
    cdef int64_t *size = <int64_t *>cnp.PyArray_DATA(siblings.size)
    cdef double *words = <double *>cnp.PyArray_DATA(counts.words)
    cdef double *running = <double *>cnp.PyArray_DATA(counts.running)
    cdef int32_t h = <int32_t>size_of(siblings.nodes), g = <int32_t>size_of(siblings.size), i
    for i in range(tree.n):
        groups.of_node[i] = -1
    for i in range(g):
        groups.words[i] = groups.running[i] = 0
    for i in range(h):
        groups.of_node[node[i]] = <int32_t>group[i]
        groups.words[group[i]] += words[node[i]]
        groups.running[group[i]] += running[node[i]]
    for i in range(g):
        groups.size[i] = size[i]
        groups.running[i] /= max(groups.words[i], 1.0)
        groups.words[i] /= max(groups.size[i], 1.0)


cdef struct Levels:  # what `fill_levels` reads
    double *words
    double *count
    double *linked
    double *running
    int64_t *top
    double total


cdef void fill_levels(
    Levels *given, Groups *groups, Tree *tree, Rows *rows, double *(*out)[7], int levels
) noexcept nogil:
    """Fill the columns of all levels."""
    cdef int32_t i, outer, group, level, node
    cdef double size
    for i in range(rows.b):
        node = rows.node[i]
        for level in range(levels):
            outer = <int32_t>given.top[node]
            size = max(given.words[outer], 1.0)
            out[level][0][i] = given.words[outer] / given.total
            out[level][1][i] = given.count[outer]
            out[level][2][i] = given.linked[outer] / size
            out[level][3][i] = given.running[outer] / size
            group = groups.of_node[outer]
            out[level][4][i] = groups.size[group] if group >= 0 else 0
            out[level][5][i] = groups.words[group] if group >= 0 else 0
            out[level][6][i] = groups.running[group] if group >= 0 else 0
            node = max(tree.parent[outer], 0)


def holder_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    cdef double *out[8][7]
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows) or len(HOLDER_NAMES) > 8:
        return NotImplemented
    counts, siblings = count_subtrees(blocks), group_siblings(blocks)
    cdef int64_t total = 0
    cdef int32_t *words = per_block(blocks.words, &rows)
    cdef int32_t *depth = as_i32(blocks.page.depth)
    cdef int32_t i, g = <int32_t>size_of(siblings.size)
    for i in range(rows.b):
        total += words[i]
    columns = {}
    cdef int32_t *tag_out = ints(columns, "holder.tag", &rows)
    cdef int32_t *depth_out = ints(columns, "holder.depth", &rows)
    for i in range(rows.b):
        tag_out[i], depth_out[i] = CATEGORY[tree.tag[rows.node[i]]], depth[rows.node[i]]
    for level, names in enumerate(HOLDER_NAMES):
        for part, name in enumerate(names):
            out[<int>level][<int>part] = reals(columns, name, &rows)
    cdef Levels given = Levels(
        as_f64(counts.words), as_f64(counts.count), as_f64(counts.linked), as_f64(counts.running),
        as_i64(topmost(blocks)), <double>max(total, 1)
    )
    cdef Groups groups
    groups.size = <double *>memory(3 * <size_t>g * sizeof(double) + tree.n * sizeof(int32_t))
    groups.words, groups.running = groups.size + g, groups.size + 2 * g
    groups.of_node = <int32_t *>(groups.size + 3 * g)
    describe(&groups, &tree, counts, siblings)
    fill_levels(&given, &groups, &tree, &rows, out, <int>len(HOLDER_NAMES))
    free(groups.size)
    return columns


cdef void place(double *out, Rows *rows, int32_t first, int32_t last) noexcept nogil:
    """Fill a column with the position of each block relative to the blocks [first, last)."""
    cdef int32_t i
    cdef double span = max(last - 1 - first, 1), b = rows.b
    if last <= first:
        for i in range(rows.b):
            out[i] = 0
        return
    for i in range(first):
        out[i] = (i - first) / b
    for i in range(first, last):
        out[i] = (i - first) / span
    for i in range(last, rows.b):
        out[i] = 1 + (i - last + 1) / b


def candidate_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    cdef int32_t *depth = as_i32(blocks.page.depth)
    cdef double *words = as_f64(count_subtrees(blocks).words)
    cdef double total = max(words[0], 1.0)
    cdef int32_t i, node, first, last
    cdef int64_t *levels
    columns = {}
    for prefix, holder in zip(SHARE_NAMES, text_holders(blocks).values()):
        node = holder
        first, last = below(&rows, node), below(&rows, tree.end[node])
        place(reals(columns, prefix + ".place", &rows), &rows, first, last)
        levels = integers(columns, prefix + ".levels", &rows)
        for i in range(rows.b):
            levels[i] = OUTSIDE_CANDIDATE
        for i in range(first, last):
            levels[i] = min(depth[rows.node[i]] - depth[node], OUTSIDE_CANDIDATE - 1)
        constant(columns, prefix + ".words", &rows, words[node] / total)
    add_group(blocks, &tree, &rows, columns)
    add_anchors(blocks, &tree, &rows, columns)
    return columns


cdef int32_t best_group(object counts, object siblings) except -2:
    """Return the group of at least `MIN_GROUP` like siblings with the most running text; -1 if none has any."""
    cdef int64_t *node = as_i64(siblings.nodes)
    cdef int64_t *group = as_i64(siblings.group)
    cdef int64_t *size = as_i64(siblings.size)
    cdef double *running = as_f64(counts.running)
    cdef int32_t h = <int32_t>size_of(siblings.nodes), g = <int32_t>size_of(siblings.size), i, best = -1
    cdef double *sums = <double *>zeros(g * sizeof(double))
    cdef double most = 0
    for i in range(h):
        sums[group[i]] += running[node[i]]
    for i in range(g):
        if size[i] >= MIN_GROUP and sums[i] > most:
            best, most = i, sums[i]
    free(sums)
    return best


cdef int add_group(object blocks, Tree *tree, Rows *rows, dict columns) except -1:
    """Add the columns of the best group of like siblings."""
    counts, siblings = count_subtrees(blocks), group_siblings(blocks)
    cdef int32_t best = best_group(counts, siblings), h = <int32_t>size_of(siblings.nodes), i, k, first = 0, last = 0
    cdef int64_t *node = as_i64(siblings.nodes)
    cdef int64_t *group = as_i64(siblings.group)
    cdef double *words = as_f64(counts.words)
    cdef double *inside = reals(columns, "candidate.group", rows)
    cdef double sum_of_words = 0, members = 0
    for i in range(rows.b):
        inside[i] = 0
    if best >= 0:
        for i in range(h):
            if group[i] != best:
                continue
            k, last = below(rows, <int32_t>node[i]), below(rows, tree.end[node[i]])
            if not members:
                first = k
            members += 1
            sum_of_words += words[node[i]]
            for k in range(k, last):
                inside[k] = 1
    constant(columns, "candidate.group.words", rows, sum_of_words / max(words[0], 1.0))
    constant(columns, "candidate.group.size", rows, members)
    place(reals(columns, "candidate.group.place", rows), rows, first, last)
    return 0


cdef int add_distance(dict columns, str name, Rows *rows, int32_t anchor) except -1:
    """Add the distance of each block from an anchor; zeros if the anchor is no block."""
    cdef int64_t *out
    cdef int32_t i
    if not 0 <= anchor < rows.b:
        return constant(columns, name, rows, 0)
    out = integers(columns, name, rows)
    for i in range(rows.b):
        out[i] = i - anchor
    return 0


cdef int add_anchors(object blocks, Tree *tree, Rows *rows, dict columns) except -1:
    """Add the distances from the first h1 and from the title."""
    cdef int32_t *match = per_block(match_title(blocks), rows)
    cdef int32_t i, heading = rows.b, title = rows.b
    for i in range(tree.n):
        if tree.tag[i] == H1:
            heading = below(rows, i)
            break
    for i in range(rows.b):
        if match[i] == 2:
            title = i
            break
    add_distance(columns, "candidate.heading", rows, heading)
    return add_distance(columns, "candidate.title", rows, title)


cdef int32_t best_element(Tree *tree, Rows *rows, const int32_t *running, object counts) except -1:
    """Return the element with the highest score; see `main_text._best_element`."""
    cdef double *linked = as_f64(counts.linked)
    cdef double *words = as_f64(counts.words)
    cdef double *score = <double *>zeros(2 * <size_t>tree.n * sizeof(double))
    cdef double *grand = score + tree.n
    cdef double most = 0
    cdef int32_t i, up, best = 0
    for i in range(rows.b):
        up = max(tree.parent[rows.node[i]], 0)
        score[up] += running[i]
        grand[max(tree.parent[up], 0)] += running[i]
    for i in range(tree.n):
        if tree.tag[i] and (score[i] > 0 or grand[i] > 0):
            score[i] = (score[i] + 0.5 * grand[i]) * (1 - linked[i] / max(words[i], 1.0))
            if score[i] > most:
                best, most = i, score[i]
    free(score)
    return best


cdef void best_run(
    Rows *rows, const int32_t *running, const int32_t *words, int32_t *first, int32_t *last
) noexcept nogil:
    """Set the run of blocks [first, last) with the highest score; see `main_text._best_run`."""
    cdef int64_t total = 0, lowest = 0, most = 0
    cdef int32_t i, low = 0
    first[0] = last[0] = 0
    for i in range(rows.b):
        total += running[i] if running[i] > 0 else -3 - min(words[i], 10)
        if total < lowest:
            lowest, low = total, i + 1
        if total - lowest > most:
            most = total - lowest
            first[0], last[0] = low, i + 1


def main_text_features(object blocks, object settings):
    cdef Tree tree
    cdef Rows rows
    if count_subtrees is None:
        prepare()
    if not rows_of(blocks, &tree, &rows):
        return NotImplemented
    counts, columns = count_subtrees(blocks), {}
    cdef int32_t *running = per_block(counts.running_words, &rows)
    cdef int32_t *words = per_block(blocks.words, &rows)
    cdef double *in_subtree = as_f64(counts.words)
    cdef double *running_in = as_f64(counts.running)
    cdef int32_t i, node, first, last
    cdef int64_t total = 0
    cdef uint8_t *inside
    for i in range(rows.b):
        total += running[i]
    for name, holder in text_holders(blocks).items():
        node = holder
        first, last = below(&rows, node), below(&rows, tree.end[node])
        inside = bools(columns, "main." + name, &rows)
        for i in range(rows.b):
            inside[i] = first <= i < last
    cdef int32_t best = best_element(&tree, &rows, running, counts)
    add_main_element(&tree, &rows, columns, best, as_i32(blocks.page.depth))
    constant(columns, "main.share", &rows, running_in[best] / <double>max(total, 1))
    cdef double *local = reals(columns, "main.local", &rows)
    for i in range(rows.b):
        node = max(tree.parent[max(tree.parent[rows.node[i]], 0)], 0)
        local[i] = running_in[node] / max(in_subtree[node], 1.0)
    best_run(&rows, running, words, &first, &last)
    inside = bools(columns, "main.run", &rows)
    cdef int64_t *distance = integers(columns, "main.run-distance", &rows)
    for i in range(rows.b):
        inside[i] = first <= i < last
        distance[i] = max(0, max(first - i, i - last + 1))
    return columns


cdef int add_main_element(Tree *tree, Rows *rows, dict columns, int32_t best, const int32_t *depth) except -1:
    """Add `main.place`, `main.inner` and `main.levels`."""
    cdef int32_t first = below(rows, best), last = below(rows, tree.end[best]), i
    cdef int64_t *place_out = integers(columns, "main.place", rows)
    cdef double *inner = reals(columns, "main.inner", rows)
    cdef int32_t *levels = ints(columns, "main.levels", rows)
    cdef double span = max(last - first - 1, 1)
    for i in range(rows.b):
        if first <= i < last:
            place_out[i], levels[i] = 1, min(depth[rows.node[i]] - depth[best], OUTSIDE_MAIN)
        else:
            place_out[i], levels[i] = 0 if rows.first[i] < best else 2, OUTSIDE_MAIN
        inner[i] = max(min(i, last - 1) - first, 0) / span
    return 0
