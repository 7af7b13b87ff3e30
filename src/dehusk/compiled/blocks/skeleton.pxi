"""The skeleton of a page: the elements that contain text, as a tree of their own."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from dehusk.compiled.arrays cimport as_bool, memory, new_array, size_of, values
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport scrambled, table_size
from dehusk.compiled.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_IS_ASCII

cdef enum:
    MOST_WORDS = 20
    LONGEST_WORD = 20

# The words of posts, all in small letters, and which pairs of letters they start with.
cdef struct PostWords:
    int n
    int[MOST_WORDS] size
    uint8_t[MOST_WORDS][LONGEST_WORD] letters
    uint8_t[1024] starts

# The distinct class tokens and ids: the bytes of each, and a table of their numbers.
cdef struct Tokens:
    int32_t n, mask
    const uint8_t **text
    int32_t *length
    uint8_t *is_post
    int32_t *table  # -1 if a place is free

# What is worked out of a page: whether text of a block is in each node, the m elements where it is, and their rows.
cdef struct Work:
    Page tree
    Blocks rows
    int32_t m
    uint8_t *has_text  # (n,)
    int32_t *node  # (n,)
    int32_t *row  # (n,)
    void *memory

cdef PostWords post_words
cdef object reference = None  # dehusk.blocks.units.skeleton, which cannot be imported before this module
cdef object names_post
cdef uint8_t *is_holder = NULL
cdef uint8_t *is_anchored = NULL
cdef int known = 0
cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.skeleton")


cdef bint _skeleton_ready = False


cdef int prepare_skeleton() except -1:
    global reference, is_holder, is_anchored, known, names_post
    from dehusk.blocks.units import skeleton as module
    cdef int i, k
    if len(module.POST_WORDS) > MOST_WORDS or max(map(len, module.POST_WORDS)) > LONGEST_WORD:
        raise ValueError("there is no room for the words of posts")
    for i, word in enumerate(module.POST_WORDS):
        post_words.n, post_words.size[i] = i + 1, <int>len(word)
        for k, letter in enumerate(word.encode()):
            post_words.letters[i][k] = letter
        post_words.starts[(post_words.letters[i][0] & 31) * 32 + (post_words.letters[i][1] & 31)] = 1
    is_holder, is_anchored = as_bool(module._HOLDER), as_bool(module._ANCHORED)
    known = <int>size_of(module._HOLDER) - 1
    names_post, reference = module.names_post, module
    return 0


def skeleton_of(object blocks):
    """Return the elements in which blocks start."""
    cdef Work w
    once(&_skeleton_ready, prepare_skeleton)
    read_blocks(blocks, &w.tree, &w.rows)
    cdef size_t n = w.tree.n
    w.memory = memory(n * (2 * sizeof(int32_t) + 1))
    w.node = <int32_t *>w.memory
    w.row, w.has_text = w.node + n, <uint8_t *>(w.node + 2 * n)
    try:
        if not find_elements(&w):
            raise ValueError("a block is not inside an element")
        return skeleton(blocks.page, &w)
    finally:
        free(w.memory)


cdef bint find_elements(Work *w) noexcept nogil:
    """Find the elements in which blocks start; return whether all are elements."""
    cdef int32_t i, node, m = 0
    cdef uint8_t is_wrong = 0
    memset(w.has_text, 0, w.tree.n)
    for i in range(w.rows.b):
        node = w.tree.parent[w.rows.first[i]]
        while node >= 0 and not w.has_text[node]:
            w.has_text[node] = 1
            node = w.tree.parent[node]
    for i in range(w.tree.n):  # no branch: the next one takes the place of a node that is not kept
        w.row[i], w.node[m] = m, i
        m += w.has_text[i]
    w.m = m
    for i in range(m):
        is_wrong |= w.tree.tag[w.node[i]] == 0
    for i in range(w.rows.b):
        is_wrong |= not w.has_text[w.rows.node[i]]
    return not is_wrong


cdef object skeleton(object page, Work *w):
    cdef int32_t m = w.m, i, k, up, block = 0
    cdef list arrays = [new_array(m, cnp.NPY_INT64) for _ in range(6)]
    cdef int64_t *node = <int64_t *>values(arrays[0])
    cdef int64_t *parent = <int64_t *>values(arrays[1])
    cdef int64_t *close = <int64_t *>values(arrays[2])
    cdef int64_t *first = <int64_t *>values(arrays[3])
    cdef int64_t *end = <int64_t *>values(arrays[4])
    cdef int64_t *depth = <int64_t *>values(arrays[5])
    tags, holders = new_array(m, cnp.NPY_UINT16), new_array(m, cnp.NPY_BOOL)
    cdef uint16_t *tag = <uint16_t *>values(tags)
    cdef uint8_t *holder = <uint8_t *>values(holders)
    for k in range(m):
        i = w.node[k]
        up = w.row[w.tree.parent[i]] if k else -1
        while block < w.rows.b and w.rows.first[block] < i:
            block += 1
        node[k], tag[k], parent[k], first[k] = i, w.tree.tag[i], up, block
        depth[k] = depth[up] + 1 if k else 0
        close[k], end[k] = k + 1, 0
        holder[k] = is_holder[min(<int>tag[k], known)]
    innermost = new_array(w.rows.b, cnp.NPY_INT64)
    cdef int64_t *inner = <int64_t *>values(innermost)
    for i in range(w.rows.b):
        inner[i] = w.row[w.rows.node[i]]
        end[w.row[w.tree.parent[w.rows.first[i]]]] = i + 1
    for k in range(m - 1, 0, -1):
        close[parent[k]], end[parent[k]] = max(close[parent[k]], close[k]), max(end[parent[k]], end[k])
    cdef int32_t n_tags = known + <int32_t>len(page.extra_tags) + 1
    signature, is_post = signatures(page, w, tag, n_tags)
    return reference.Skeleton(
        arrays[0], tags, arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], signature, n_tags, is_post, innermost,
        holders,
    )


cdef tuple signatures(object page, Work *w, const uint16_t *tag, int32_t n_tags):
    """Return `signature` and `is_post`."""
    cdef tuple classes = page.class_names, ids = page.id_names
    cdef int32_t n_classes = <int32_t>len(classes), size = n_classes + <int32_t>len(ids), i, index, k
    signature, posts = new_array(w.m, cnp.NPY_INT64), new_array(w.m, cnp.NPY_BOOL)
    codes_ = new_array(size, cnp.NPY_INT32)
    cdef int64_t *out = <int64_t *>values(signature)
    cdef uint8_t *is_post = <uint8_t *>values(posts)
    cdef int32_t *codes = <int32_t *>values(codes_)
    memset(codes, 0, size * sizeof(int32_t))
    for k in range(w.m):
        i = w.node[k]
        index = w.tree.class_code[i]
        if index <= 0:
            index = n_classes + (0 if is_anchored[min(<int>tag[k], known)] else w.tree.id_code[i])
        codes[index] = 1
        out[k] = index
    cdef bytes is_post_of = number_tokens(classes, ids, codes)
    cdef const uint8_t *of_token = <const uint8_t *><const char *>is_post_of
    for k in range(w.m):
        is_post[k] = of_token[codes[out[k]]]
        out[k] = <int64_t>codes[out[k]] * n_tags + tag[k]
    return signature, posts


# class tokens and ids


cdef bytes number_tokens(tuple classes, tuple ids, int32_t *codes):
    """Replace the 1 of each name that is used by the number of its token; return which tokens are posts."""
    cdef int32_t n_classes = <int32_t>len(classes), size = n_classes + <int32_t>len(ids), i
    cdef int32_t places = table_size(size + 2)
    cdef size_t chars = 0
    cdef list others = []  # tokens beyond ASCII, kept alive
    for i in range(size):
        if codes[i]:
            chars += PyUnicode_GET_LENGTH(classes[i] if i < n_classes else ids[i - n_classes]) + 1
    cdef bytes found = bytes(size + 2)
    cdef Tokens t
    t.text = <const uint8_t **>memory(
        (size + 2) * (sizeof(void *) + sizeof(int32_t)) + places * sizeof(int32_t) + chars
    )
    t.length = <int32_t *>(t.text + size + 2)
    t.table = t.length + size + 2
    t.n, t.mask, t.is_post = 2, places - 1, <uint8_t *><char *>found
    memset(t.table, 255, places * sizeof(int32_t))
    cdef uint8_t *spare = <uint8_t *>(t.table + places)
    try:
        for i in range(size):
            if codes[i]:
                codes[i] = number_name(
                    classes[i] if i < n_classes else ids[i - n_classes], i >= n_classes, &t, &spare, others
                )
    finally:
        free(t.text)
    return found


cdef int32_t number_name(str name, bint is_id, Tokens *t, uint8_t **spare, list others) except -1:
    """Return the number of the token of a name, which is written to spare memory unless it goes beyond ASCII."""
    cdef const uint8_t *text = spare[0]
    cdef int32_t length, before = t.n, number
    if PyUnicode_IS_ASCII(name):
        length = first_word(<const uint8_t *>PyUnicode_DATA(name), PyUnicode_GET_LENGTH(name), is_id, spare[0])
    else:
        token = reference._first_words(["#" + name if is_id else name])[0]
        others.append(token.encode("utf-8", "surrogatepass"))
        length = <int32_t>len(others[len(others) - 1])
        text = <const uint8_t *><const char *>(<bytes>others[len(others) - 1])
    if not length or (length == 1 and text[0] == c"#"):
        return 0
    number = number_token(text, length, t)
    if number == before:  # a new one
        if text == spare[0]:
            spare[0] += length
        if not PyUnicode_IS_ASCII(name) or has_post_word(text, length):
            t.is_post[number] = names_post((<const char *>text)[:length].decode("utf-8", "surrogatepass"))
    return number


cdef int32_t first_word(const uint8_t *name, Py_ssize_t n, bint is_id, uint8_t *out) noexcept nogil:
    """Write the first word of a name without digits, that of an id after a "#"; return its length."""
    cdef Py_ssize_t i = 0
    cdef int32_t size = 0
    if is_id:
        out[0], size = c"#", 1
    while not is_id and i < n and is_space(name[i]):
        i += 1
    while i < n and not is_space(name[i]):
        out[size] = name[i]
        size += not c"0" <= name[i] <= c"9"
        i += 1
    return size


cdef inline bint is_space(uint8_t point) noexcept nogil:
    """Return whether an ASCII character is white space for `str.split`."""
    return point <= 32 and (9 <= point <= 13 or point >= 28)


cdef int32_t number_token(const uint8_t *text, int32_t length, Tokens *t) noexcept nogil:
    """Return the number of a token, the next one if it is new."""
    cdef uint64_t key = SEED ^ <uint64_t>length, part
    cdef int32_t i = 0, slot, number
    while i < length:
        part = 0
        memcpy(&part, text + i, min(8, length - i))
        key = (key ^ part) * <uint64_t>0x9E3779B97F4A7C15
        key ^= key >> 32
        i += 8
    slot = <int32_t>(scrambled(key) & <uint64_t>t.mask)
    while t.table[slot] >= 0:
        number = t.table[slot]
        if t.length[number] == length and not memcmp(t.text[number], text, length):
            return number
        slot = (slot + 1) & t.mask
    t.table[slot], t.text[t.n], t.length[t.n] = t.n, text, length
    t.n += 1
    return t.n - 1


cdef bint has_post_word(const uint8_t *token, int32_t n) noexcept nogil:
    """Return whether a token contains one of the words, in upper or lower case."""
    cdef int32_t i, j, k
    for i in range(n - 1):
        if not post_words.starts[(token[i] & 31) * 32 + (token[i + 1] & 31)]:
            continue
        for k in range(post_words.n):
            j = 0
            while j < post_words.size[k] and i + j < n and token[i + j] | 32 == post_words.letters[k][j]:
                j += 1
            if j == post_words.size[k]:
                return True
    return False
