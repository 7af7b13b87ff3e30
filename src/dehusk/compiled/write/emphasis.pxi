"""Fit styles to what CommonMark can say: where emphasis may start and end, and which styles may touch.

A mark such as `**` opens emphasis only if no white space follows it, and if punctuation follows it only after white
space or punctuation; closing is the mirror image (CommonMark 0.31, section 6.2). `**Note:**text` is not strong, so
punctuation leaves the emphasis where it must: `**Note**:text`. Emphasis that would still be misread is dropped.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memmove

from dehusk.compiled.tokens cimport grow
from dehusk.compiled.unicode cimport Py_UNICODE_ISSPACE

from unicodedata import category

cdef enum:
    IS_PUNCTUATION = 1
    IS_SYMBOL = 2

cdef int[3] STYLES = [STRONG, EMPHASIS, STRIKE]
cdef uint8_t[256] KIND
"""For the first 256 characters: 1 for punctuation, 2 for symbols."""


def _set_kinds():
    for point in range(256):
        KIND[point] = {"P": IS_PUNCTUATION, "S": IS_SYMBOL}.get(category(chr(point))[0], 0)


_set_kinds()


cdef int kind_of(int char) except -1:
    """Return 1 for punctuation, 2 for symbols, 0 for other characters."""
    if char < 256:
        return KIND[char]
    first = category(chr(char))[0]
    return IS_PUNCTUATION if first == "P" else IS_SYMBOL if first == "S" else 0


cdef bint is_space(int char) noexcept:
    return Py_UNICODE_ISSPACE(<Py_UCS4>char)


cdef int add_piece(Pieces *pieces, Py_ssize_t start, Py_ssize_t end, int style, bint is_written) except -1:
    """Add a piece, unless it is empty."""
    if end > start:
        grow(<void **>&pieces.rows, &pieces.room, pieces.count, sizeof(Piece))
        pieces.rows[pieces.count] = Piece(start, end, style, is_written)
        pieces.count += 1
    return 0


cdef bint may_touch(int inside, int outside) except -1:
    """Whether a mark may stand between a character of the emphasised text and one outside of it."""
    cdef int kind
    if is_space(inside):
        return False
    if not kind_of(inside) or is_space(outside):
        return True
    kind = kind_of(outside)
    return kind == IS_PUNCTUATION or (outside < 128 and kind != 0)


cdef bint is_clear(int inside, int outside) except -1:
    """Whether a star inside of strong, between emphasised and other text, can only mean that."""
    return is_space(outside) or (kind_of(outside) != 0 and kind_of(inside) == 0)


cdef int fit(Pieces *pieces) except -1:
    """Let every style start and end where Markdown can say so."""
    cdef int present = 0, place
    cdef Py_ssize_t index
    for index in range(pieces.count):
        present |= pieces.rows[index].style
    if not present & OUTER:
        return 0
    for place in range(3):
        if present & STYLES[place]:
            flank(pieces, STYLES[place])
    for place in range(2):  # a style that is dropped may leave two marks side by side
        separate(pieces)
        nest(pieces)
    return 0


cdef inline bint has_style(const Pieces *pieces, Py_ssize_t index, int style) noexcept:
    return pieces.rows[index].style & style != 0


cdef int flank(Pieces *pieces, int style) except -1:
    """Take a style from the characters at its start and end that keep it from starting and ending there."""
    cdef Py_ssize_t index = 0, end
    while index < pieces.count:
        if not has_style(pieces, index, style):
            index += 1
            continue
        end = index
        while end < pieces.count and has_style(pieces, end, style):
            end += 1
        end += trim_start(pieces, &index, end, style)
        index = trim_end(pieces, index, end, style)
    return 0


cdef Py_ssize_t trim_start(Pieces *pieces, Py_ssize_t *start, Py_ssize_t end, int style) except -1:
    """Trim a style from the start of the pieces start:end; return by how many pieces there are more."""
    cdef Py_ssize_t size = pieces.count, index = start[0]
    cdef int before
    while index < end + pieces.count - size:
        before = edge(pieces, index - 1, True) if index else 32
        if may_touch(edge(pieces, index, False), before):
            break
        split(pieces, index, leading(pieces, index, before), style, True)
        index += 1
    start[0] = index
    return pieces.count - size


cdef Py_ssize_t trim_end(Pieces *pieces, Py_ssize_t start, Py_ssize_t end, int style) except -1:
    """Trim a style from the end of the pieces start:end; return where what follows them is."""
    cdef Py_ssize_t size = pieces.count, last = end
    cdef int after
    cdef const Piece *piece
    while start < last:
        after = edge(pieces, last, False) if last < pieces.count else 32
        if may_touch(edge(pieces, last - 1, True), after):
            break
        piece = &pieces.rows[last - 1]
        if not split(pieces, last - 1, piece.end - piece.start - trailing(pieces, last - 1, after), style, False):
            last -= 1
    return end + pieces.count - size


cdef Py_ssize_t leading(const Pieces *pieces, Py_ssize_t index, int before) except -1:
    """Return how many characters at the start of a piece a style cannot include; all, if it is Markdown."""
    cdef const Piece *piece = &pieces.rows[index]
    cdef Py_ssize_t at
    cdef int char
    if not piece.is_written:
        for at in range(piece.start, piece.end):
            char = <int>pieces.text.points[at]
            if may_touch(char, before):
                return at - piece.start
            before = char
    return piece.end - piece.start


cdef Py_ssize_t trailing(const Pieces *pieces, Py_ssize_t index, int after) except -1:
    """Return how many characters at the end of a piece a style cannot include; all, if it is Markdown."""
    cdef const Piece *piece = &pieces.rows[index]
    cdef Py_ssize_t at
    cdef int char
    if not piece.is_written:
        for at in range(piece.end - 1, piece.start - 1, -1):
            char = <int>pieces.text.points[at]
            if may_touch(char, after):
                return piece.end - 1 - at
            after = char
    return piece.end - piece.start


cdef bint split(Pieces *pieces, Py_ssize_t index, Py_ssize_t size, int style, bint at_start) except -1:
    """Take a style from the first `size` characters of a piece, or from all but them; return whether it is two now.

    Args:
        at_start: whether the first ones lose the style.
    """
    cdef Piece *piece = &pieces.rows[index]
    cdef bint is_whole = size >= piece.end - piece.start if at_start else size <= 0
    if is_whole:
        piece.style &= ~style
        return False
    grow(<void **>&pieces.rows, &pieces.room, pieces.count, sizeof(Piece))
    piece = &pieces.rows[index]
    memmove(piece + 1, piece, (pieces.count - index) * sizeof(Piece))
    pieces.count += 1
    piece[0].end = piece[1].start = piece[0].start + size
    piece[0].is_written = piece[1].is_written = False
    piece[0 if at_start else 1].style &= ~style
    return True


cdef int separate(Pieces *pieces) except -1:
    """Drop styles whose marks would stand next to those of another style that they could be taken for."""
    cdef Py_ssize_t index
    cdef int before, style, last, first
    for index in range(1, pieces.count):
        before, style = pieces.rows[index - 1].style & STARS, pieces.rows[index].style & STARS
        if before & ~style and style & ~before:
            drop(pieces, index, style & ~before)
        elif before & style and before != style:
            last, first = edge(pieces, index - 1, True), edge(pieces, index, False)
            if not is_clear(first, last):
                drop(pieces, index, style & ~before)
            if not is_clear(last, first):
                drop_before(pieces, index, before & ~style)
        drop_with_strike(pieces, index)
    return 0


cdef int nest(Pieces *pieces) noexcept:
    """Drop the rest of styles that go on where one around them ends."""
    cdef Opened opened
    cdef Py_ssize_t index
    cdef int place, above
    opened.count = 0
    for index in range(pieces.count):
        while opened.count and not has_style(pieces, index, opened.styles[opened.count - 1]):
            opened.count -= 1
        while True:
            place = 0
            while place < opened.count and has_style(pieces, index, opened.styles[place]):
                place += 1
            if place == opened.count:
                break
            for above in range(place + 1, opened.count):
                drop(pieces, index, opened.styles[above])
            opened.count = place
        start_styles(pieces, index, &opened)
    return 0


cdef int start_styles(const Pieces *pieces, Py_ssize_t index, Opened *opened) noexcept:
    """Add the styles that start at a piece to those that are open, those that end last first; return how many."""
    cdef int own = pieces.rows[index].style, place, new = 0, at, style
    cdef Py_ssize_t end
    cdef Py_ssize_t[3] ends
    for at in range(opened.count):
        own &= ~opened.styles[at]
    for place in range(3):
        style = STYLES[place]
        if not own & style:
            continue
        end = index
        while end < pieces.count and has_style(pieces, end, style):
            end += 1
        at = new
        while at and ends[at - 1] < end:
            ends[at] = ends[at - 1]
            opened.styles[opened.count + at] = opened.styles[opened.count + at - 1]
            at -= 1
        ends[at], opened.styles[opened.count + at] = end, style
        new += 1
    opened.count += new
    return new


cdef void drop(Pieces *pieces, Py_ssize_t index, int styles) noexcept:
    """Take styles from the pieces from an index on, as far as each goes."""
    cdef Py_ssize_t each
    cdef int place
    for place in range(3):
        if styles & STYLES[place]:
            each = index
            while each < pieces.count and has_style(pieces, each, STYLES[place]):
                pieces.rows[each].style &= ~STYLES[place]
                each += 1


cdef void drop_before(Pieces *pieces, Py_ssize_t index, int styles) noexcept:
    """Take styles from the pieces before an index, as far as each goes."""
    cdef Py_ssize_t each
    cdef int place
    for place in range(3):
        if styles & STYLES[place]:
            each = index - 1
            while each >= 0 and has_style(pieces, each, STYLES[place]):
                pieces.rows[each].style &= ~STYLES[place]
                each -= 1


cdef int drop_with_strike(Pieces *pieces, Py_ssize_t index) except -1:
    """Drop stars that start, or end, together with a strike inside of a word: marks are signs to each other."""
    cdef int before = pieces.rows[index - 1].style, style = pieces.rows[index].style
    cdef int starts = style & ~before, ends = before & ~style
    if starts & STRIKE and not is_clear(97, edge(pieces, index - 1, True)):
        drop(pieces, index, starts & STARS)
    if ends & STRIKE and not is_clear(97, edge(pieces, index, False)):
        drop_before(pieces, index, ends & STARS)
    return 0
