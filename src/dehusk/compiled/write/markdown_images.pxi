"""Images of Markdown: no links to their own files, and without what the text beside them says."""

from libc.stdint cimport uint32_t

from dehusk.compiled.tokens cimport (
    BREAK_RUN, CODE_TOKEN, IMAGE_RUN, IS_LEAF, TABLE_TOKEN, TEXT_RUN, RunRow, Stream, TokenRow,
)

cdef enum:
    BELOW_IMAGE = 2  # leaves after an image that may say what it is: the caption, and a line of its author before it
    BESIDE_IMAGE = 16  # runs that are compared with what an image says, so that many images take linear time
    LONG_ALT = 20  # characters of what an image says that may be the start of the text beside it; both set by hand


cdef dict linked_images(Stream stream):
    """Return link -> image, for links around nothing but one image."""
    cdef Py_ssize_t index
    cdef const RunRow *run
    cdef set seen = set()
    cdef dict found = {}
    for index in range(stream.run_count):
        run = &stream.runs[index]
        if run.link < 0 or run.kind == BREAK_RUN:
            continue
        if run.kind == IMAGE_RUN and run.link not in seen:
            found[run.link] = run.node
        else:
            found.pop(run.link, None)
        seen.add(run.link)
    return found


cdef inline bint says(Stream stream, const RunRow *image, Py_ssize_t first, Py_ssize_t end) noexcept:
    """Whether the text of runs is what an image says, or starts with it; white space does not count."""
    cdef const uint32_t *points = stream.text.points
    cdef Py_ssize_t index, at, own = image.start
    cdef const RunRow *run
    for index in range(first, min(end, first + BESIDE_IMAGE)):
        run = &stream.runs[index]
        if run.kind == BREAK_RUN and own == image.end:
            return True
        if run.kind == IMAGE_RUN or run.kind == BREAK_RUN:
            continue
        if run.kind != TEXT_RUN:
            return False
        for at in range(run.start, run.end):
            if is_space(<int>points[at]):
                continue
            while own < image.end and is_space(<int>points[own]):
                own += 1
            if own == image.end:
                return image.end - image.start >= LONG_ALT
            if points[at] != points[own]:
                return False
            own += 1
    return own == image.end and end <= first + BESIDE_IMAGE


cdef inline bint may_say(const TokenRow *token) noexcept:
    return token.edge == IS_LEAF and token.kind != CODE_TOKEN and token.kind != TABLE_TOKEN


cdef inline bint is_said_beside(Stream stream, const RunRow *image, Py_ssize_t index, Py_ssize_t run) noexcept:
    """Whether the rest of the token with an image, or one of the next ones, starts with what the image says."""
    cdef Py_ssize_t at = index + 1, leaves = 0
    if says(stream, image, run + 1, stream.tokens[index].end):
        return True
    while at < stream.token_count and leaves < BELOW_IMAGE:
        if may_say(&stream.tokens[at]):
            leaves += 1
            if says(stream, image, stream.tokens[at].start, stream.tokens[at].end):
                return True
        elif stream.tokens[at].edge == IS_LEAF:
            return False
        at += 1
    return False


cdef int drop_told_alts(Stream stream) except -1:
    """Let images say nothing that the text below them says: their captions, or the titles of their cards."""
    cdef Py_ssize_t index, run
    cdef RunRow *image
    for index in range(stream.token_count):
        if not may_say(&stream.tokens[index]):
            continue
        for run in range(stream.tokens[index].start, stream.tokens[index].end):
            image = &stream.runs[run]
            if image.kind == IMAGE_RUN and image.start < image.end and is_said_beside(stream, image, index, run):
                image.end = image.start
    return 0
