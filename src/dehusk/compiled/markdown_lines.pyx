"""Twins of the functions of `dehusk.write.markdown_lines`; `markdown` calls them.

What is rare on pages is left to those functions: code, brackets in links, and lines that could start a list or a rule.
"""

from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
    PyUnicode_READ_CHAR,
    PyUnicode_Substring,
    Py_UNICODE_ISALNUM,
    Py_UNICODE_ISALPHA,
    Py_UNICODE_ISDECIMAL,
)
from libc.stdint cimport uint8_t

from dehusk.compiled.emphasis cimport (
    CODE, EMPHASIS, OUTER, STRIKE, STRONG, Piece, edge, fitted, is_space, new_piece, starting,
)

cdef enum:
    TEXT = 0
    BREAK = 1
    IMAGE = 2
    MARKUP = 1  # what could be markup in a text
    PUNCTUATION = 2  # ASCII
    STARTS = 4  # what could give a line another meaning

cdef uint8_t[128] FLAGS
cdef object lines  # dehusk.write.markdown_lines
cdef object kind_text, kind_break, kind_image
cdef dict MARKS = {STRONG: "**", EMPHASIS: "*", STRIKE: "~~"}


def _set_flags():
    for index in range(128):
        FLAGS[index] = 0
        if chr(index) in "\\`<&*_[]!~":
            FLAGS[index] |= MARKUP
        if 33 <= index < 127 and not chr(index).isalnum():
            FLAGS[index] |= PUNCTUATION
        if chr(index) in "#>-+*=_|:[":
            FLAGS[index] |= STARTS


_set_flags()


cdef class Part:
    """A run that is shown."""

    cdef int kind
    cdef str text
    cdef int style
    cdef object link
    cdef bint is_linked
    cdef object node


cdef int load() except -1:
    """Find the functions and kinds of the layer above, at the first use: they cannot be imported before it is."""
    global lines, kind_text, kind_break, kind_image
    if lines is None:
        from dehusk.write import markdown_lines
        from dehusk.write.tokens import RunKind
        kind_text, kind_break, kind_image = RunKind.TEXT, RunKind.BREAK, RunKind.IMAGE
        lines = markdown_lines
    return 0


cdef inline bint is_ink(void *data, int kind, Py_ssize_t index, Py_ssize_t size, int around) noexcept:
    """Whether the character at an index is there and not white space; beside the text it is `around`, -1 for none."""
    cdef int char = <int>PyUnicode_READ(kind, data, index) if 0 <= index < size else around
    return char < 0 or not is_space(char)


cdef inline bint is_inside_word(void *data, int kind, Py_ssize_t index, Py_ssize_t size, int around) noexcept:
    """Whether the character at an index is a letter or digit; beside the text it is `around`, -1 for none."""
    cdef int char = <int>PyUnicode_READ(kind, data, index) if 0 <= index < size else around
    return char >= 0 and Py_UNICODE_ISALNUM(<Py_UCS4>char)


cdef inline int char_at(void *data, int kind, Py_ssize_t index, Py_ssize_t size, int after) noexcept:
    """Return the character at an index; the one after the text is `after`, -1 for none."""
    return <int>PyUnicode_READ(kind, data, index) if index < size else after if index == size else -1


cdef bint is_reference(void *data, int kind, Py_ssize_t index, Py_ssize_t size, int after) noexcept:
    """Whether a character reference goes on at an index."""
    cdef Py_ssize_t start
    cdef int char
    if char_at(data, kind, index, size, after) == 35:
        index += 1
    start = index
    while True:
        char = char_at(data, kind, index, size, after)
        if char < 0 or not (Py_UNICODE_ISALNUM(<Py_UCS4>char) or char == 95):
            break
        index += 1
    return index > start and char == 59


cdef bint is_markup(void *data, int kind, Py_ssize_t index, Py_ssize_t size, int before, int after) noexcept:
    """Whether a character that may be markup needs a backslash where it stands."""
    cdef int char = <int>PyUnicode_READ(kind, data, index)
    cdef int following = <int>PyUnicode_READ(kind, data, index + 1) if index + 1 < size else after
    if char == 96:  # `
        return True
    if char == 42:  # *
        return is_ink(data, kind, index - 1, size, before) or is_ink(data, kind, index + 1, size, after)
    if char == 95:  # _
        return not is_inside_word(data, kind, index - 1, size, before) or not is_inside_word(
            data, kind, index + 1, size, after)
    if following < 0 or following > 127:
        return char == 38 and is_reference(data, kind, index + 1, size, after)
    if char == 92:  # a backslash
        return FLAGS[following] & PUNCTUATION != 0
    if char == 60:  # <
        return 65 <= following <= 90 or 97 <= following <= 122 or following in (33, 47, 63)
    if char == 38:  # &
        return is_reference(data, kind, index + 1, size, after)
    if char == 93:  # ]
        return following == 40 or following == 91
    if char == 91:  # [
        return following == 94
    return char == 33 and following == 91  # !


cdef str escaped(str text, int before, int after):
    """`_escaped`; -1 for no character before or after the text."""
    cdef Py_ssize_t size = len(text), index, done = 0, tildes = 0
    cdef void *data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text), char
    cdef list pieces = None
    for index in range(size):
        char = <int>PyUnicode_READ(kind, data, index)
        if char > 127 or not FLAGS[char] & MARKUP:
            continue
        if char == 126:
            tildes += 1
        elif is_markup(data, kind, index, size, before, after):
            if pieces is None:
                pieces = []
            pieces.append(PyUnicode_Substring(text, done, index))
            done = index
    cdef str out = text
    if pieces is not None:
        pieces.append(PyUnicode_Substring(text, done, size))
        out = "\\".join(pieces)
    if tildes and (tildes > 1 or touches(data, kind, size, before, after)):
        return out.replace("~", "\\~")
    return out


cdef bint touches(void *data, int kind, Py_ssize_t size, int before, int after) noexcept:
    """Whether a tilde at an end of a text stands next to a mark."""
    if PyUnicode_READ(kind, data, 0) == 126 and (before == 42 or before == 126):
        return True
    return PyUnicode_READ(kind, data, size - 1) == 126 and (after == 42 or after == 126)


cdef str guarded(str line):
    """`_guarded`, which looks closer at the few lines that may start a list, a rule, a table or a definition."""
    if not line:
        return line
    cdef Py_UCS4 first = PyUnicode_READ_CHAR(line, 0)
    if first >= 128:
        return lines._guarded(line) if Py_UNICODE_ISDECIMAL(first) and not Py_UNICODE_ISALPHA(first) else line
    if 48 <= first <= 57:
        return lines._guarded(line) if is_number(line) else line
    if not FLAGS[first] & STARTS:
        return line
    return lines._guarded(line) if (is_label(line) if first == 91 else is_mark(line)) else line


cdef bint is_number(str line):
    """Whether a line may start with the number of an item."""
    cdef Py_ssize_t size = len(line), index = 0
    while index < size and Py_UNICODE_ISDECIMAL(PyUnicode_READ_CHAR(line, index)):
        index += 1
    return index < size and PyUnicode_READ_CHAR(line, index) in (41, 46)


cdef bint is_label(str line):
    """Whether a line that starts with a bracket may start with the box of a task or with a definition."""
    cdef Py_ssize_t size = len(line), index = 1
    cdef Py_UCS4 char
    while index < size:
        char = PyUnicode_READ_CHAR(line, index)
        if char == 93:
            return index + 1 < size and (PyUnicode_READ_CHAR(line, index + 1) == 58 or index == 2)
        if char == 91:
            return False
        index += 2 if char == 92 else 1
    return False


cdef bint is_mark(str line):
    """Whether a line that starts with another sign may be a heading, quote, item, rule, or the rule of a table."""
    cdef Py_ssize_t size = len(line), index
    cdef Py_UCS4 char = PyUnicode_READ_CHAR(line, 0)
    if char in (35, 62) or size == 1 or is_space(PyUnicode_READ_CHAR(line, 1)):
        return True
    for index in range(1, size):
        char = PyUnicode_READ_CHAR(line, index)
        if not is_space(char) and (char >= 128 or not FLAGS[char] & STARTS):
            return False
    return True


cdef str balanced(str text):
    return lines._balanced(text) if "[" in text or "]" in text else text


cdef str cell_line(str text):
    return lines.cell_line(text) if "|" in text or "\n" in text else text


cdef str heading_line(str text):
    return lines.heading_line(text) if "\n" in text or text.endswith("#") else text


cdef int first_of(list pieces, Py_ssize_t index, int style, int after):
    """`_first_of` of the piece at an index."""
    if index >= len(pieces):
        return 42 if style & OUTER else after
    cdef Piece piece = <Piece>pieces[index]
    return 42 if (piece.style ^ style) & OUTER else edge(piece, False)


cdef str joined(list pieces, int before, int after, bint in_link):
    """`_joined`."""
    cdef list out = [], opened = [], started
    cdef Py_ssize_t index
    cdef Piece piece
    cdef int last, style
    cdef str text, mark
    for index in range(len(pieces)):
        piece = <Piece>pieces[index]
        mark = None
        while opened and not <int>opened[len(opened) - 1] & piece.style:
            mark = <str>MARKS[opened.pop()]
            out.append(mark)
        if piece.style:
            started = starting(pieces, index, opened)
            opened += started
            for style in started:
                mark = <str>MARKS[style]
                out.append(mark)
        if piece.is_written:
            out.append(piece.text)
            continue
        if mark is not None:
            last = 126 if mark == "~~" else 42
        else:
            last = edge(<Piece>pieces[index - 1], True) if index else before
        text = escaped(piece.text, last, first_of(pieces, index + 1, piece.style, after))
        if last == 93 and text.startswith("("):  # after a link, it would be an address
            text = "\\" + text
        out.append(balanced(text) if in_link else text)
    while opened:
        out.append(MARKS[opened.pop()])
    return "".join(out)


cdef class LineWriter:
    def __cinit__(self, references):
        load()
        self.references = references
        self.addresses, self.images = {}, {}
        self.spent = 0

    cdef tuple link(self, object node):
        """Return the destination of a link and what its address costs; None if the text stands alone."""
        found = self.addresses.get(node, self)
        if found is self:
            address = self.references.address_of(node)
            found = self.addresses[node] = (self.references.destination(address), len(address)) if address else None
        if found is not None:
            self.spent += <Py_ssize_t>(<tuple>found)[1]
        return <tuple>found

    cdef tuple image(self, object node):
        """Return the destination of an image and what its address costs; None if it is not written."""
        found = self.images.get(node, self)
        if found is self:
            address = self.references.source_of(node)
            found = self.images[node] = (self.references.destination(address), len(address)) if address else None
        if found is not None:
            self.spent += <Py_ssize_t>(<tuple>found)[1]
        return <tuple>found

    cdef str line(self, object runs, int add, int drop):
        """`write_line` of runs whose styles are changed: some are added, some dropped."""
        cdef str text
        cdef list parts = self.shown(runs, add, drop)
        cdef Part part
        if len(runs) == 1 and parts:
            part = <Part>parts[0]
            if part.kind == TEXT and runs[0].link < 0 and not part.style:
                return guarded(escaped(part.text, -1, -1))
        text = joined(fitted(self.pieces(parts)), 32, 32, False)
        if "\n" not in text:
            return guarded(text.strip())
        written = [guarded(line) for line in map(str.strip, text.split("\n")) if line]
        for index in range(len(written) - 1):
            if written[index].startswith("[") and lines._OPEN_LABEL.match(written[index]):
                written[index] = "\\" + written[index]
        return "  \n".join(written)

    cdef list shown(self, object runs, int add, int drop):
        """Return the runs that are shown, adjacent code as one."""
        cdef list parts = []
        cdef Part part, before = None
        for run in runs:
            kind = run.kind
            if kind is kind_image and self.image(run.node) is None:
                continue
            part = Part.__new__(Part)
            part.kind = TEXT if kind is kind_text else IMAGE if kind is kind_image else BREAK
            part.text, part.style, part.node, part.link = run.text, (<int>run.style | add) & ~drop, run.node, run.link
            part.is_linked = run.link >= 0 and self.link(run.link) is not None
            if not part.is_linked:
                part.link = -1
            if (before is not None and part.style & before.style & CODE and part.kind == TEXT and before.kind == TEXT
                    and part.link == before.link):
                before.text += part.text
                before.style &= part.style
                continue
            parts.append(part)
            before = part
        return parts

    cdef list pieces(self, list parts):
        """`_pieces`."""
        cdef list pieces = []
        cdef Py_ssize_t start = 0, end, size = len(parts)
        cdef Part part
        while start < size:
            part = <Part>parts[start]
            end = start + 1
            if not part.is_linked:
                pieces.append(self.piece(part))
            else:
                while end < size and goes_on(parts, end, part.link):
                    end += 1
                pieces.append(self.group(parts, start, end, around(parts, start, end)))
            start = end
        return pieces

    cdef object group(self, list parts, Py_ssize_t start, Py_ssize_t end, int around):
        """Return a link as one piece."""
        cdef str address = self.link((<Part>parts[start]).link)[0]
        cdef list inner = []
        cdef Piece piece
        cdef Py_ssize_t index
        for index in range(start, end):
            piece = self.piece(parts[index])
            piece.style &= ~around
            inner.append(piece)
        text = joined(fitted(inner), 91, 93, True).replace("\n", " ").strip()
        return new_piece(f"[{text}]({address})" if text else "", around, True)

    cdef object piece(self, object given):
        """`_piece`."""
        cdef Part part = <Part>given
        cdef tuple found
        if part.kind == IMAGE:
            found = self.image(part.node)
            return new_piece(f"![{balanced(escaped(part.text, -1, -1))}]({found[0]})", part.style & OUTER, True)
        if part.style & CODE and part.text.strip():
            return new_piece(lines._code(part.text), part.style & OUTER, True)
        return new_piece(part.text, part.style & OUTER, False)


cdef bint goes_on(list parts, Py_ssize_t index, object link):
    """Whether a link goes on at a part, or after the line end that it is."""
    cdef Part part = <Part>parts[index]
    if part.link == link:
        return True
    return part.kind == BREAK and index + 1 < len(parts) and (<Part>parts[index + 1]).link == link


cdef int around(list parts, Py_ssize_t start, Py_ssize_t end):
    """`_around`."""
    cdef int shared = OUTER, beside = 0
    cdef Py_ssize_t index
    for index in range(start, end):
        shared &= (<Part>parts[index]).style
    if start:
        beside |= (<Part>parts[start - 1]).style
    if end < len(parts):
        beside |= (<Part>parts[end]).style
    return shared & beside
