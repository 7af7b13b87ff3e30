"""Posts that are the items of a list, as posts: a thread is no list. Lists in lists, which show replies, stay."""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

from dehusk.compiled.tokens cimport CLOSES, ITEM_TOKEN, LIST_TOKEN, OPENS, Stream

cdef struct Threads:
    # of each token
    int32_t *around  # the innermost container around it, -1 for none; of the end of one, its start
    int32_t *in_list  # the innermost list around it, -1 for none
    int32_t *items  # of a list
    int32_t *posts  # of a list: those that start in it, and in no list in it


cdef int count_posts(Stream stream, object posts, Threads *found) except -1:
    """Count the items and the posts of lists; one in or around another one with posts has none."""
    cdef int32_t index, up = -1
    cdef set nested = set()
    for index in range(<int32_t>stream.token_count):
        found.around[index] = up
        found.in_list[index] = -1 if up < 0 else up if stream.tokens[up].kind == LIST_TOKEN else found.in_list[up]
        if stream.tokens[index].edge == CLOSES:
            up = found.around[up]
            continue
        if stream.tokens[index].kind == ITEM_TOKEN and up >= 0 and found.in_list[index] == up:
            found.items[up] += 1
        if index in posts.openings and found.in_list[index] >= 0:
            found.posts[found.in_list[index]] += 1
        if stream.tokens[index].edge == OPENS:
            up = index
    for index in range(<int32_t>stream.token_count):
        if stream.tokens[index].edge == OPENS and found.posts[index]:
            up = found.in_list[index]
            while up >= 0:
                nested.update((index, up) if found.posts[up] else ())
                up = found.in_list[up]
    for index in nested:
        found.posts[index] = 0
    return 0


cdef inline bint is_of_thread(Stream stream, const Threads *found, int32_t index) noexcept:
    """Whether a token starts or ends a list most of whose items are posts, or one of these items."""
    cdef int32_t start = found.around[index] if stream.tokens[index].edge == CLOSES else index
    cdef int32_t of = found.in_list[start] if stream.tokens[start].kind == ITEM_TOKEN else start
    if of < 0 or stream.tokens[of].kind != LIST_TOKEN or (of != start and found.around[start] != of):
        return False
    return 2 * found.posts[of] > found.items[of]


cdef int flatten_posts(Stream stream, object posts) except -1:
    """Make lists whose items are posts no lists, and these no items."""
    cdef Py_ssize_t n = stream.token_count
    cdef int32_t index
    cdef Threads found
    if posts is None or not posts.openings:
        return 0
    found.around = <int32_t *>calloc(4 * n + 1, sizeof(int32_t))
    if found.around == NULL:
        raise MemoryError
    found.in_list, found.items, found.posts = found.around + n, found.around + 2 * n, found.around + 3 * n
    try:
        count_posts(stream, posts, &found)
        for index in [index for index in range(<int32_t>n) if is_of_thread(stream, &found, index)]:
            erase(&stream.tokens[index])
    finally:
        free(found.around)
    return 0
