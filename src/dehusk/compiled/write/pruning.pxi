"""The nodes that a cleaned page keeps, in a few passes over its columns; `dehusk.write.pruning` says which these are.

A block's characters say which text nodes have ink, since every visible character of a page is in one of its blocks.
"""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

import numpy as np

from dehusk.base.tags import numbers
from dehusk.compiled.arrays cimport as_bool, as_i32, as_i64, as_u8, new_array, size_of, values
from dehusk.compiled.blocks cimport (
    BR, CELL, FIGURE, HOLDER, HR, IMAGE, LINE, PRE, ROW, SPACE, WBR, Blocks, Page, check_indices, flags_of, gap,
    mark_breaks, read_blocks,
)

cdef bint _pruning_ready = False
cdef object _loaded_late = None, _figure = numbers("figure"), _caption = numbers("figcaption")


cdef int prepare_pruning() except -1:
    """Import what is in Python; modules that import this one cannot be imported before."""
    global _loaded_late
    from dehusk.write.content.images import loaded_late

    _loaded_late = loaded_late
    return 0


cdef enum:
    EMPTY = BR | HR | WBR | IMAGE
    WHITE = 4  # of `CharClass`


cdef struct Columns:
    Page page
    Blocks blocks
    int32_t n
    int32_t b
    int32_t k
    const uint16_t *tag
    const int32_t *parent
    const int32_t *end
    const int32_t *first
    const int32_t *last
    const uint8_t *char_class
    const int64_t *kept
    uint8_t *is_alt  # (n,) whether each node is an alternative text
    uint8_t *text  # (n,) whether each node is text of a kept block
    uint8_t *stays
    uint8_t *breaks  # (n + 1,) what is at each node: see `layout`
    int32_t *hard  # (n + 1,) boundaries of blocks at or before each node


cdef object zeros(Py_ssize_t n, int kind):
    cdef cnp.npy_intp size = n
    return cnp.PyArray_ZEROS(1, &size, kind, 0)


cdef bint in_range(const int32_t *nodes, Py_ssize_t size, int32_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(size):
        if not 0 <= nodes[i] < n:
            return False
    return True


cdef void mark_text(Columns *c, uint8_t *is_written, uint8_t wanted, int32_t *change, uint8_t *out) noexcept nogil:
    """Mark the text nodes of the blocks that are written, or of those that are not."""
    cdef int32_t i, depth = 0
    for i in range(c.n + 1):
        change[i] = 0
    for i in range(c.b):
        if is_written[i] == wanted:
            change[c.first[i]] += 1
            change[c.last[i] + 1] -= 1
    for i in range(c.n):
        depth += change[i]
        out[i] = depth > 0 and c.tag[i] == 0 and not c.is_alt[i]
    for i in range(c.b):  # an alternative text that is a block
        if is_written[i] == wanted and c.is_alt[c.first[i]]:
            out[c.first[i]] = c.tag[c.first[i]] == 0


cdef void count_boundaries(Columns *c) noexcept nogil:
    cdef int32_t i
    cdef uint32_t flags
    for i in range(c.n + 1):
        c.hard[i] = 0
    for i in range(c.n):
        flags = flags_of[c.tag[i]]
        if flags & HOLDER:
            c.hard[i] += 1
            c.hard[c.end[i]] += 1
        elif flags & HR:
            c.hard[i] += 1
    for i in range(1, c.n + 1):
        c.hard[i] += c.hard[i - 1]


cdef bint inked(Columns *c, int32_t node) noexcept nogil:
    """Whether a text node has a visible character, which is one of its block's."""
    cdef int32_t low = 0, high = c.blocks.chars, middle
    while low < high:
        middle = (low + high) // 2
        if c.blocks.source[middle] < c.page.start[node]:
            low = middle + 1
        else:
            high = middle
    while low < c.blocks.chars and c.blocks.source[low] < c.page.stop[node]:
        if c.char_class[low] < WHITE:
            return True
        low += 1
    return False


cdef void keep_white(Columns *c, uint8_t *dropped, int32_t *holder, int32_t *head, int32_t *tail) noexcept nogil:
    """Keep white space between kept texts of one block-level element."""
    cdef int32_t i
    for i in range(c.n):
        holder[i] = i if flags_of[c.tag[i]] & HOLDER else holder[c.parent[i]] if i else c.n - 1
        head[i] = c.n
        tail[i] = -1
    for i in range(c.n):
        if c.text[i]:
            if head[holder[i]] > i:
                head[holder[i]] = i
            tail[holder[i]] = i
    for i in range(c.n):
        if c.tag[i] or c.text[i] or dropped[i] or c.is_alt[i]:
            continue
        if head[holder[i]] < i < tail[holder[i]] and not inked(c, i):
            c.stays[i] = 1


cdef void keep_above(Columns *c) noexcept nogil:
    """Keep the elements above kept nodes, and then the empty cells of kept rows."""
    cdef int32_t i
    for i in range(c.n - 1, 0, -1):
        if c.stays[i]:
            c.stays[c.parent[i]] = 1
    for i in range(1, c.n):
        if flags_of[c.tag[i]] & CELL and c.stays[c.parent[i]] and flags_of[c.tag[c.parent[i]]] & ROW:
            c.stays[i] = 1


cdef int keep_images(Columns *c, object page, list images, bint are_blocks) except -1:
    """Keep the images that show something that is not a block's text; tracking pixels do not."""
    cdef list late = []
    given = page.elements.columns(np.array(images, np.intp), ("alt", "src", "width", "height"))
    for image, alt, source, width, height in zip(images, *given):
        if alt and alt.strip():
            c.stays[<int>image] |= not are_blocks
        elif width not in ("0", "1") and height not in ("0", "1"):
            if source and source.strip() and not source.strip().lower().startswith("data:"):
                c.stays[<int>image] = 1
            else:
                late.append(image)
    if late:
        once(&_pruning_ready, prepare_pruning)
        for image in _loaded_late(page, late):
            c.stays[<int>image] = 1
    return 0


cdef bint has_alternative(Columns *c) noexcept nogil:
    """Whether alternative texts are blocks."""
    cdef int32_t i
    for i in range(c.b):
        if c.is_alt[c.first[i]]:
            return True
    return False


cdef dict captions_below(object page):
    """Return figure -> the `figcaption` that follows it, of those that are in no figure themselves."""
    figures, captions = page.nodes_of(_figure), page.nodes_of(_caption)
    if not len(figures) or not len(captions):
        return {}
    before = figures.searchsorted(captions) - 1
    pairs = [*zip(figures[before].tolist(), captions.tolist())]
    return {figure: caption for figure, caption in pairs[::-1] if figure < caption and page.end[figure] <= caption}


cdef list keep_empty(Columns *c, uint8_t *is_written, dict captions):
    """Keep br, hr and wbr next to kept blocks; return the images there, and those of figures with kept text.

    The text of a figure may be its caption that follows it.
    """
    cdef list images = []
    cdef int32_t caption
    cdef int32_t i, following = 0, figure_end = 0, last, first
    cdef uint32_t flags
    cdef bint before, after, stays
    texts = new_array(c.n + 1, cnp.NPY_INT32)
    cdef int32_t *kept_before = <int32_t *>values(texts)
    kept_before[0] = 0
    for i in range(c.n):
        kept_before[i + 1] = kept_before[i] + c.text[i]
    for i in range(c.n):
        flags = flags_of[c.tag[i]]
        if flags & FIGURE and kept_before[c.end[i]] > kept_before[i] and c.end[i] > figure_end:
            figure_end = c.end[i]
        elif flags & FIGURE and i in captions and c.end[i] > figure_end:
            caption = captions[i]
            if kept_before[caption] == kept_before[c.end[i]] and kept_before[c.end[caption]] > kept_before[caption]:
                figure_end = c.end[i]
        if not flags & EMPTY:
            continue
        while following < c.b and c.first[following] < i:
            following += 1
        before = following > 0 and is_written[following - 1]
        after = following < c.b and is_written[following]
        last = c.last[following - 1] if following else 0
        first = c.first[following] if following < c.b else c.n
        stays = (before and after) or (before and c.hard[i] == c.hard[last]) or (after and c.hard[first] == c.hard[i])
        if flags & IMAGE:
            if stays or i < figure_end:
                images.append(i)
        elif stays:
            c.stays[i] = 1
    return images


cdef void count_remaining(Columns *c, const uint8_t *ends_line, int32_t *remaining, int32_t *lines) noexcept nogil:
    """Count the boundaries that stay at or before each node, and the lines of kept preformatted text before it."""
    cdef int32_t i, pre_end = 0
    cdef uint32_t flags
    for i in range(c.n + 1):
        remaining[i] = 0
    lines[0] = 0
    for i in range(c.n):
        flags = flags_of[c.tag[i]]
        if c.stays[i] and flags & HOLDER:
            remaining[i] += 1
            remaining[c.end[i]] += 1
        if c.stays[i] and flags & (BR | HR):
            remaining[i] += 1
        if flags & PRE and c.end[i] > pre_end:
            pre_end = c.end[i]
        lines[i + 1] = lines[i] + (1 if c.stays[i] and c.tag[i] == 0 and i < pre_end and ends_line[i] else 0)
    for i in range(1, c.n + 1):
        remaining[i] += remaining[i - 1]


cdef object line_ends(Columns *c, str text):
    """Whether each text node in preformatted text, shape (n,), has a line end."""
    found = zeros(c.n, cnp.NPY_UINT8)
    cdef uint8_t *out = <uint8_t *>values(found)
    cdef int32_t i, pre_end = 0
    for i in range(c.n):
        if flags_of[c.tag[i]] & PRE and c.end[i] > pre_end:
            pre_end = c.end[i]
        if i < pre_end and c.tag[i] == 0:
            out[i] = text.find("\n", c.page.start[i], c.page.stop[i]) >= 0
    return found


cdef object seams_of(Columns *c, str text):
    """Return text node -> what to write before it, for blocks that have lost everything that separated them.

    Raises ValueError if a block has no text left.
    """
    cdef int32_t i, node, at
    cdef int parted
    lines_end = line_ends(c, text)
    counts, line_counts = new_array(c.n + 1, cnp.NPY_INT32), new_array(c.n + 1, cnp.NPY_INT32)
    cdef int32_t *remaining = <int32_t *>values(counts)
    cdef int32_t *lines = <int32_t *>values(line_counts)
    count_remaining(c, <uint8_t *>values(lines_end), remaining, lines)
    broken, spaced = {}, {}
    for i in range(1, c.k):
        at = c.first[c.kept[i]]
        node = at
        while node < c.n and not c.text[node]:  # the first text of a block may be omitted
            node += 1
            if node > c.last[c.kept[i]]:
                raise ValueError("a kept block has no text that is not omitted")
        if c.is_alt[node]:
            node = c.parent[node]
        parted = gap(&c.blocks, c.breaks, c.kept[i - 1], c.kept[i])
        if parted >= LINE:
            if remaining[at] <= remaining[c.last[c.kept[i - 1]]] and lines[at] <= lines[c.first[c.kept[i - 1]]]:
                broken[node] = "<br>"
        elif parted == SPACE and c.kept[i] - c.kept[i - 1] > 1:
            spaced[node] = " "
    return broken | spaced


cdef object nodes_of(Columns *c):
    """Return the nodes that stay."""
    cdef int32_t i, count = 0
    for i in range(c.n):
        count += c.stays[i]
    nodes = new_array(count, cnp.NPY_INT64)
    cdef int64_t *node = <int64_t *>values(nodes)
    for i in range(c.n):
        if c.stays[i]:
            node[0] = i
            node += 1
    return nodes


def kept_nodes(object labels):
    blocks = labels.blocks
    page, kept, omitted = blocks.page, labels.written, labels.omitted
    if omitted.dtype != np.int32:
        omitted = omitted.astype(np.int32)
    cdef Columns c
    read_blocks(blocks, &c.page, &c.blocks)
    check_indices(kept, c.blocks.b)
    c.n, c.b, c.k = c.page.n, c.blocks.b, <int32_t>size_of(kept)
    c.tag, c.parent, c.end, c.first, c.last = c.page.tag, c.page.parent, c.page.end, c.blocks.first, c.blocks.last
    classes, alt = blocks.char_class, page.alt_nodes
    c.char_class, c.kept = as_u8(classes), as_i64(kept)
    cdef const int32_t *alts = as_i32(alt)
    cdef const int32_t *left_out = as_i32(omitted)
    cdef const uint8_t *is_kept = as_bool(labels.kept)  # also of blocks that are omitted completely: images stay there
    if size_of(labels.kept) != c.blocks.b:
        raise ValueError("the labels do not fit the blocks")
    if size_of(classes) != c.blocks.chars or not in_range(alts, size_of(alt), c.n):
        raise ValueError("the columns of the page do not fit together")
    if not in_range(left_out, size_of(omitted), c.n):
        raise ValueError("an omitted node is no node of the page")
    masks, written = zeros(5 * c.n + 1, cnp.NPY_UINT8), zeros(c.b, cnp.NPY_UINT8)
    counts = new_array(4 * c.n + 1, cnp.NPY_INT32)
    cdef uint8_t *mask = <uint8_t *>values(masks)
    cdef uint8_t *is_written = <uint8_t *>values(written)
    c.is_alt, c.text, c.stays, c.breaks = mask, mask + c.n, mask + 2 * c.n, mask + 4 * c.n
    c.hard = <int32_t *>values(counts)
    mark_breaks(&c.page, page.line_nodes, c.breaks)
    cdef int32_t *scratch = c.hard + c.n + 1
    cdef Py_ssize_t i
    for i in range(size_of(alt)):
        c.is_alt[alts[i]] = 1
    for i in range(c.b):
        is_written[i] = is_kept[i]
    mark_text(&c, is_written, 1, scratch, c.text)
    for i in range(size_of(omitted)):
        c.text[left_out[i]] = 0
    count_boundaries(&c)
    images = keep_empty(&c, is_written, captions_below(page))
    if images:
        keep_images(&c, page, images, has_alternative(&c))
    mark_text(&c, is_written, 0, scratch, mask + 3 * c.n)
    for i in range(c.n):
        c.stays[i] |= c.text[i]
    keep_white(&c, mask + 3 * c.n, scratch, scratch + c.n, scratch + 2 * c.n)
    for i in range(size_of(omitted)):
        c.stays[left_out[i]] = 0
    keep_above(&c)
    seams = seams_of(&c, page.text) if c.k > 1 else {}
    c.stays[0] = 0
    for i in range(size_of(alt)):
        c.stays[alts[i]] = 0
    return nodes_of(&c), seams
