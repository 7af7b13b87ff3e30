"""Put backslashes before what would be markup where it stands: `2 * 3`, `snake_case` and `[1]` stay as they are.

What is rare on pages is left to `dehusk.write.markdown`: brackets in links, lines that could start a list.
"""

from libc.stdint cimport uint8_t, uint32_t

from dehusk.compiled.buffers cimport Buffer, append, append_part, repeat, reserve
from dehusk.compiled.first_use cimport once
from dehusk.compiled.text cimport text_of_points
from dehusk.compiled.unicode cimport Py_UNICODE_ISALNUM

cdef enum:
    MARKUP = 1  # what could be markup in a text
    ASCII_PUNCTUATION = 2  # ASCII
    STARTS = 4  # what could give a line another meaning

cdef uint8_t[128] FLAGS
cdef object lines  # dehusk.write.markdown


def _set_flags():
    for index in range(128):
        FLAGS[index] = 0
        if chr(index) in "\\`<&*_[]!~":
            FLAGS[index] |= MARKUP
        if 33 <= index < 127 and not chr(index).isalnum():
            FLAGS[index] |= ASCII_PUNCTUATION
        if chr(index) in "#>-+*=_|:[":
            FLAGS[index] |= STARTS


_set_flags()


cdef bint _escapes_ready = False


cdef int prepare_escapes() except -1:
    """Find the functions of the layer above, at the first use: they cannot be imported before it is."""
    global lines
    from dehusk.write import markdown
    lines = markdown
    return 0


cdef inline bint is_ink(const uint32_t *s, Py_ssize_t index, Py_ssize_t size, int around) noexcept:
    """Whether the character at an index is there and not white space; beside the text it is `around`, -1 for none."""
    cdef int char = <int>s[index] if 0 <= index < size else around
    return char < 0 or not is_space(char)


cdef inline bint is_inside_word(const uint32_t *s, Py_ssize_t index, Py_ssize_t size, int around) noexcept:
    """Whether the character at an index is a letter or digit; beside the text it is `around`, -1 for none."""
    cdef int char = <int>s[index] if 0 <= index < size else around
    return char >= 0 and Py_UNICODE_ISALNUM(<Py_UCS4>char)


cdef inline int char_at(const uint32_t *s, Py_ssize_t index, Py_ssize_t size, int after) noexcept:
    """Return the character at an index; the one after the text is `after`, -1 for none."""
    return <int>s[index] if index < size else after if index == size else -1


cdef bint is_reference(const uint32_t *s, Py_ssize_t index, Py_ssize_t size, int after) noexcept:
    """Whether a character reference goes on at an index."""
    cdef Py_ssize_t start
    cdef int char
    if char_at(s, index, size, after) == 35:
        index += 1
    start = index
    while True:
        char = char_at(s, index, size, after)
        if char < 0 or not (Py_UNICODE_ISALNUM(<Py_UCS4>char) or char == 95):
            break
        index += 1
    return index > start and char == 59


cdef bint is_markup(const uint32_t *s, Py_ssize_t index, Py_ssize_t size, int after) noexcept:
    """Whether a character that may be markup, but not emphasis, needs a backslash where it stands."""
    cdef int char = <int>s[index], following = <int>s[index + 1] if index + 1 < size else after
    if char == 96:  # `
        return True
    if following < 0 or following > 127:
        return char == 38 and is_reference(s, index + 1, size, after)
    if char == 92:  # a backslash
        return FLAGS[following] & ASCII_PUNCTUATION != 0
    if char == 60:  # <
        return 65 <= following <= 90 or 97 <= following <= 122 or following in (33, 47, 63)
    if char == 38:  # &
        return is_reference(s, index + 1, size, after)
    if char == 93:  # ]
        return following == 40 or following == 91
    if char == 91:  # [
        return following == 94
    return char == 33 and following == 91  # !


cdef bint may_emphasize(
    const uint32_t *s, Py_ssize_t start, Py_ssize_t end, Py_ssize_t size, int before, int after, int alone
) noexcept:
    """Whether a run of asterisks or underscores could begin or end emphasis: not between white space, nor in a word."""
    if alone & (ASTERISK if s[start] == 42 else UNDERSCORE):
        return False
    if s[start] == 95 and is_inside_word(s, start - 1, size, before) and is_inside_word(s, end, size, after):
        return False
    return is_ink(s, start - 1, size, before) or is_ink(s, end, size, after)


cdef int escape(Buffer *text, Py_ssize_t start, Py_ssize_t end, int before, int after, int alone) except -1:
    """Append a part of a text to it, escaped between the characters before and after it; -1 for none.

    `alone` has the marks of emphasis that have no partner in the leaf: they stay as they are.
    """
    cdef Py_ssize_t size = end - start, index, run = 0, tildes = 0
    cdef const uint32_t *s = text.points + start
    cdef uint32_t *out
    cdef bint seen = False, emphasizes = False, is_escaped
    for index in range(size):
        if s[index] < 128 and FLAGS[s[index]] & MARKUP:
            seen = True
            tildes += s[index] == 126
    if not seen:
        return append_part(text, text, start, end)
    reserve(text, 2 * size)
    s, out = text.points + start, text.points + text.used
    cdef bint are_escaped = tildes > 1 or (tildes and touches(s, size, before, after))
    for index in range(size):
        if s[index] == 42 or s[index] == 95:
            if index >= run:
                run = index
                while run < size and s[run] == s[index]:
                    run += 1
                emphasizes = may_emphasize(s, index, run, size, before, after, alone)
            is_escaped = emphasizes
        elif s[index] == 126:
            is_escaped = are_escaped
        else:
            is_escaped = s[index] < 128 and FLAGS[s[index]] & MARKUP and is_markup(s, index, size, after)
        if is_escaped:
            out[0] = 92
            out += 1
        out[0] = s[index]
        out += 1
    text.used = out - text.points
    return 0


cdef bint touches(const uint32_t *s, Py_ssize_t size, int before, int after) noexcept:
    """Whether a tilde at an end of a text stands next to a mark."""
    if s[0] == 126 and (before == 42 or before == 126):
        return True
    return s[size - 1] == 126 and (after == 42 or after == 126)


cdef int guard(const Buffer *text, Py_ssize_t start, Py_ssize_t end, Buffer *out) except -1:
    """Append a part of a text to another text as `guarded` has it."""
    if start < end and needs_guard(text.points + start, end - start):
        once(&_escapes_ready, prepare_escapes)
        return append_all(out, lines.guarded(text_of_points(text.points + start, end - start)))
    return append_part(out, text, start, end)


cdef bint needs_guard(const uint32_t *s, Py_ssize_t size) noexcept:
    """Whether a line has to be looked at closer: few may start a list, a rule, a table or a definition."""
    cdef uint32_t first = s[0]
    if 48 <= first <= 57:
        return item_number(s, size) > 0
    if first >= 128 or not FLAGS[first] & STARTS:
        return False
    return is_label(s, size) if first == 91 else is_mark(s, size)


cdef int item_number(const uint32_t *s, Py_ssize_t size) noexcept:
    """Return 1 if a line may start with the number 1 of an item, 2 if with another one, and 0 if with none."""
    cdef Py_ssize_t index = 0
    cdef int value = 0
    while index < size and 48 <= s[index] <= 57:
        value = min(10 * value + <int>s[index] - 48, 10)
        index += 1
    return (1 if value == 1 else 2) if 0 < index < size and s[index] in (41, 46) else 0


cdef bint is_label(const uint32_t *s, Py_ssize_t size) noexcept:
    """Whether a line that starts with a bracket may start with the box of a task or with a definition."""
    cdef Py_ssize_t index = 1
    cdef uint32_t char
    while index < size:
        char = s[index]
        if char == 93:
            return index + 1 < size and (s[index + 1] == 58 or index == 2)
        if char == 91:
            return False
        index += 2 if char == 92 else 1
    return False


cdef bint is_mark(const uint32_t *s, Py_ssize_t size) noexcept:
    """Whether a line that starts with another sign may be a heading, quote, item, rule, or the rule of a table."""
    cdef Py_ssize_t index
    cdef uint32_t char = s[0]
    if char in (35, 62) or size == 1 or is_space(<int>s[1]):
        return True
    for index in range(1, size):
        char = s[index]
        if not is_space(<int>char) and (char >= 128 or not FLAGS[char] & STARTS):
            return False
    return True


cdef int append_all(Buffer *out, str text) except -1:
    return append(out, text, 0, len(text))


cdef bint has(const Buffer *text, Py_ssize_t start, uint32_t one, uint32_t other) noexcept:
    """Whether one of two characters is in a text from a place on."""
    cdef Py_ssize_t index
    for index in range(start, text.used):
        if text.points[index] == one or text.points[index] == other:
            return True
    return False


cdef int change(Buffer *text, Py_ssize_t start, object function) except -1:
    """Put the result of a function in place of the end of a text."""
    changed = function(text_of_points(text.points + start, text.used - start))
    text.used = start
    return append_all(text, changed)


def with_dollars_escaped(str text):
    return text.replace("$", "\\$")


cdef int escape_dollars(Buffer *text, Py_ssize_t start) except -1:
    """Escape the dollar signs at the end of a text."""
    return change(text, start, with_dollars_escaped) if has(text, start, 36, 36) else 0


cdef int balance(Buffer *text, Py_ssize_t start) except -1:
    """`balanced` for the end of a text."""
    once(&_escapes_ready, prepare_escapes)
    return change(text, start, lines.balanced) if has(text, start, 91, 93) else 0


cdef int end_label(Buffer *text, Py_ssize_t start) except -1:
    """Guard a line at the end of a text, after which another one comes."""
    once(&_escapes_ready, prepare_escapes)
    if start < text.used and text.points[start] == 91:
        line = text_of_points(text.points + start, text.used - start)
        if lines.OPEN_LABEL.match(line):
            text.used = start
            repeat(text, 92, 1)
            append_all(text, line)
    return 0


cdef int end_cell(Buffer *text, Py_ssize_t start) except -1:
    """`cell_line` for the end of a text."""
    once(&_escapes_ready, prepare_escapes)
    return change(text, start, lines.cell_line) if has(text, start, 124, 10) else 0


cdef int end_heading(Buffer *text, Py_ssize_t start) except -1:
    """`heading_line` for the end of a text."""
    once(&_escapes_ready, prepare_escapes)
    if (start < text.used and text.points[text.used - 1] == 35) or has(text, start, 10, 10):
        return change(text, start, lines.heading_line)
    return 0
