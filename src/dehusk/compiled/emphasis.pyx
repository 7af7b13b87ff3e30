"""Twins of the functions of `dehusk.write.emphasis`, on pieces that are C structures; `markdown_lines` calls them."""

from cpython.unicode cimport Py_UNICODE_ISSPACE, PyUnicode_READ_CHAR, PyUnicode_Substring
from libc.stdint cimport uint8_t

from unicodedata import category

cdef enum:
    PUNCTUATION = 1
    SYMBOL = 2

cdef uint8_t[256] KIND
"""For the first 256 characters: 1 for punctuation, 2 for symbols."""


def _set_kinds():
    for point in range(256):
        KIND[point] = {"P": PUNCTUATION, "S": SYMBOL}.get(category(chr(point))[0], 0)


_set_kinds()


cdef int kind_of(int char):
    """Return 1 for punctuation, 2 for symbols, 0 for other characters."""
    if char < 256:
        return KIND[char]
    first = category(chr(char))[0]
    return PUNCTUATION if first == "P" else SYMBOL if first == "S" else 0


cdef bint is_space(int char) noexcept:
    return Py_UNICODE_ISSPACE(<Py_UCS4>char)


cdef Piece new_piece(str text, int style, bint is_written):
    cdef Piece piece = Piece.__new__(Piece)
    piece.text, piece.style, piece.is_written = text, style, is_written
    return piece


cdef int edge(Piece piece, bint is_end):
    """Return the first or last character; a space if there is none."""
    cdef Py_ssize_t size = len(piece.text)
    if not size:
        return 32
    return <int>PyUnicode_READ_CHAR(piece.text, size - 1 if is_end else 0)


cdef bint may_touch(int inside, int outside):
    """Whether a mark may stand between a character of the emphasised text and one outside of it."""
    cdef int kind
    if is_space(inside):
        return False
    if not kind_of(inside) or is_space(outside):
        return True
    kind = kind_of(outside)
    return kind == PUNCTUATION or (outside < 128 and kind != 0)


cdef bint is_clear(int inside, int outside):
    """Whether a star inside of strong, between emphasised and other text, can only mean that."""
    return is_space(outside) or (kind_of(outside) != 0 and kind_of(inside) == 0)


cdef list fitted(list pieces):
    """`fit_styles`."""
    cdef list kept = []
    cdef Piece piece
    cdef int present = 0, style
    for piece in pieces:
        if piece.text:
            kept.append(piece)
            present |= piece.style
    if not present:
        return kept
    for style in (STRONG, EMPHASIS, STRIKE):
        if present & style:
            flank(kept, style)
    for _ in range(2):
        separate(kept)
        nest(kept)
    return kept


cdef inline bint has(list pieces, Py_ssize_t index, int style):
    return (<Piece>pieces[index]).style & style != 0


cdef void flank(list pieces, int style):
    """Take a style from the characters at its start and end that keep it from starting and ending there."""
    cdef Py_ssize_t index = 0, end
    while index < len(pieces):
        if not has(pieces, index, style):
            index += 1
            continue
        end = index
        while end < len(pieces) and has(pieces, end, style):
            end += 1
        index = end + trim(pieces, index, end, style)


cdef Py_ssize_t trim(list pieces, Py_ssize_t start, Py_ssize_t end, int style):
    """Trim a style from both ends of the pieces start:end; return by how many pieces the list has grown."""
    cdef Py_ssize_t size = len(pieces)
    cdef int before, after
    cdef Piece piece
    while start < end:
        before = edge(<Piece>pieces[start - 1], True) if start else 32
        piece = <Piece>pieces[start]
        if may_touch(edge(piece, False), before):
            break
        if split(pieces, start, leading(piece, before), style):
            end += 1
        start += 1
    while start < end:
        after = edge(<Piece>pieces[end], False) if end < len(pieces) else 32
        piece = <Piece>pieces[end - 1]
        if may_touch(edge(piece, True), after):
            break
        if not split_end(pieces, end - 1, len(piece.text) - trailing(piece, after), style):
            end -= 1
    return len(pieces) - size


cdef Py_ssize_t leading(Piece piece, int before):
    """Return how many characters at the start of a piece a style cannot include; all, if it is Markdown."""
    cdef Py_ssize_t index, size = len(piece.text)
    cdef int char
    if not piece.is_written:
        for index in range(size):
            char = <int>PyUnicode_READ_CHAR(piece.text, index)
            if may_touch(char, before):
                return index
            before = char
    return size


cdef Py_ssize_t trailing(Piece piece, int after):
    """Return how many characters at the end of a piece a style cannot include; all, if it is Markdown."""
    cdef Py_ssize_t index, size = len(piece.text)
    cdef int char
    if not piece.is_written:
        for index in range(size):
            char = <int>PyUnicode_READ_CHAR(piece.text, size - 1 - index)
            if may_touch(char, after):
                return index
            after = char
    return size


cdef bint split(list pieces, Py_ssize_t index, Py_ssize_t size, int style):
    """Take a style from the first `size` characters of a piece; return whether that has split the piece."""
    cdef Piece piece = <Piece>pieces[index]
    if size >= len(piece.text):
        piece.style &= ~style
        return False
    head = new_piece(PyUnicode_Substring(piece.text, 0, size), piece.style & ~style, False)
    rest = new_piece(PyUnicode_Substring(piece.text, size, len(piece.text)), piece.style, False)
    pieces[index : index + 1] = [head, rest]
    return True


cdef bint split_end(list pieces, Py_ssize_t index, Py_ssize_t size, int style):
    """Take a style from all but the first `size` characters of a piece; return whether that has split the piece."""
    cdef Piece piece = <Piece>pieces[index]
    if size <= 0:
        piece.style &= ~style
        return False
    tail = new_piece(PyUnicode_Substring(piece.text, size, len(piece.text)), piece.style & ~style, False)
    pieces[index : index + 1] = [new_piece(PyUnicode_Substring(piece.text, 0, size), piece.style, False), tail]
    return True


cdef void separate(list pieces):
    """Drop styles whose marks would stand next to those of another style that they could be taken for."""
    cdef Py_ssize_t index
    cdef int before, style, last, first
    for index in range(1, len(pieces)):
        before, style = (<Piece>pieces[index - 1]).style & STARS, (<Piece>pieces[index]).style & STARS
        if before & ~style and style & ~before:
            drop(pieces, index, style & ~before)
        elif before & style and before != style:
            last, first = edge(<Piece>pieces[index - 1], True), edge(<Piece>pieces[index], False)
            if not is_clear(first, last):
                drop(pieces, index, style & ~before)
            if not is_clear(last, first):
                drop_before(pieces, index, before & ~style)
        drop_with_strike(pieces, index)


cdef void nest(list pieces):
    """Drop the rest of styles that go on where one around them ends."""
    cdef list opened = []
    cdef Py_ssize_t index, place, above
    cdef int own
    for index in range(len(pieces)):
        own = (<Piece>pieces[index]).style
        while opened and not <int>opened[len(opened) - 1] & own:
            opened.pop()
        while True:
            for place in range(len(opened)):
                if not <int>opened[place] & (<Piece>pieces[index]).style:
                    break
            else:
                break
            for above in range(place + 1, len(opened)):
                drop(pieces, index, opened[above])
            del opened[place:]
        opened += starting(pieces, index, opened)


cdef list starting(list pieces, Py_ssize_t index, list opened):
    """Return the styles that start at a piece, those that end last first."""
    cdef int own = (<Piece>pieces[index]).style, style
    cdef Py_ssize_t end
    if not own:
        return []
    cdef list new = [style for style in (STRONG, EMPHASIS, STRIKE) if own & style and style not in opened]
    if len(new) < 2:
        return new
    ends = {}
    for style in new:
        end = index
        while end < len(pieces) and has(pieces, end, style):
            end += 1
        ends[style] = -end
    return sorted(new, key=ends.__getitem__)


cdef void drop(list pieces, Py_ssize_t index, int styles):
    """Take styles from the pieces from an index on, as far as each goes."""
    cdef Py_ssize_t each
    cdef int style
    for style in (STRONG, EMPHASIS, STRIKE):
        if styles & style:
            each = index
            while each < len(pieces) and has(pieces, each, style):
                (<Piece>pieces[each]).style &= ~style
                each += 1


cdef void drop_before(list pieces, Py_ssize_t index, int styles):
    """Take styles from the pieces before an index, as far as each goes."""
    cdef Py_ssize_t each
    cdef int style
    for style in (STRONG, EMPHASIS, STRIKE):
        if styles & style:
            each = index - 1
            while each >= 0 and has(pieces, each, style):
                (<Piece>pieces[each]).style &= ~style
                each -= 1


cdef void drop_with_strike(list pieces, Py_ssize_t index):
    """Drop stars that start, or end, together with a strike inside of a word: marks are signs to each other."""
    cdef Piece before = <Piece>pieces[index - 1], piece = <Piece>pieces[index]
    cdef int starts = piece.style & ~before.style, ends = before.style & ~piece.style
    if starts & STRIKE and not is_clear(97, edge(before, True)):
        drop(pieces, index, starts & STARS)
    if ends & STRIKE and not is_clear(97, edge(piece, False)):
        drop_before(pieces, index, ends & STARS)
