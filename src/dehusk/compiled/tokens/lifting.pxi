"""Lists in items that hold nothing else: without the outer item, whose mark would stand alone before the inner one.

A list of such items only becomes the lists in them, one after the other, unless its numbers count several. Beside items
without lists, one that holds lists without numbers becomes their items. Lists that have lists in their own items stay
where they are: the levels of a thread or an outline say something even where the text of one is not kept.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free

cdef enum:  # what is in an item; what of a list is known from its items; what becomes of both
    HOLDS_LISTS = 1
    HOLDS_NUMBERED = 2  # lists with numbers, once those in the item are lifted
    HOLDS_OTHER = 4  # of a list: lists in its items, once those are lifted
    HAS_BARE_ITEMS = 8  # that hold lists and nothing else
    HAS_OTHER_ITEMS = 16
    HAS_SEVERAL_ITEMS = 32
    GOES = 64
    LIFTS = 128  # of an item: the lists in it go too, as their items belong to a list around it


cdef int lift_lists(Stream stream) except -1:
    """Leave out the items that hold nothing but lists."""
    cdef uint8_t *seen = <uint8_t *>calloc(stream.token_count + 1, 1)
    if seen == NULL:
        raise MemoryError
    try:
        if look_at_items(stream, seen):
            choose_lifted(stream, seen)
            leave_out(stream, seen)
    finally:
        free(seen)
    return 0


cdef inline bint is_bare(uint8_t item) noexcept:
    return item & HOLDS_LISTS and not item & HOLDS_OTHER


cdef inline bint dissolves(const TokenRow *items, uint8_t seen) noexcept:
    """Whether a list is nothing but the lists in its items."""
    is_counted = items.is_ordered and seen & HAS_SEVERAL_ITEMS
    return seen & HAS_BARE_ITEMS and not seen & HAS_OTHER_ITEMS and not is_counted


cdef inline uint8_t left_in(const TokenRow *items, uint8_t seen) noexcept:
    """Return what an item around a list holds by it, once the lists in its items are lifted."""
    if dissolves(items, seen):
        return seen & (HOLDS_NUMBERED | HOLDS_OTHER)
    if seen & HAS_BARE_ITEMS and (items.is_ordered or seen & HOLDS_NUMBERED):
        seen |= HOLDS_OTHER
    return seen & HOLDS_OTHER | (HOLDS_NUMBERED if items.is_ordered else 0)


cdef bint look_at_items(Stream stream, uint8_t *seen) noexcept:
    """Note what is in each item and list; return whether any item holds lists and nothing else."""
    cdef Py_ssize_t index, around = -1, outer
    cdef const TokenRow *token
    cdef bint is_any = False
    for index in range(stream.token_count):
        token = &stream.tokens[index]
        if token.edge != CLOSES:
            if around >= 0 and stream.tokens[around].kind == ITEM_TOKEN:
                seen[around] |= HOLDS_LISTS if token.kind == LIST_TOKEN else HOLDS_OTHER
            if token.edge == OPENS:
                stream.tokens[index].outer = around
                around = index
            continue
        outer = stream.tokens[around].outer
        if outer >= 0 and token.kind == ITEM_TOKEN:
            seen[outer] |= HAS_SEVERAL_ITEMS if seen[outer] & (HAS_BARE_ITEMS | HAS_OTHER_ITEMS) else 0
            seen[outer] |= HAS_BARE_ITEMS if is_bare(seen[around]) else HAS_OTHER_ITEMS
            seen[outer] |= HOLDS_OTHER if seen[around] & HOLDS_LISTS and not is_bare(seen[around]) else 0
            seen[outer] |= seen[around] & HOLDS_NUMBERED
            is_any = is_any or is_bare(seen[around])
        elif outer >= 0 and token.kind == LIST_TOKEN:
            seen[outer] |= left_in(&stream.tokens[around], seen[around])
        around = outer
    return is_any


cdef void choose_lifted(Stream stream, uint8_t *seen) noexcept:
    """Mark the starts and ends of lists and items that go."""
    cdef Py_ssize_t index, around = -1
    cdef const TokenRow *token
    cdef uint8_t above
    for index in range(stream.token_count):
        token = &stream.tokens[index]
        if token.edge == CLOSES:
            seen[index] = seen[around] & GOES
            around = stream.tokens[around].outer
        if token.edge != OPENS:
            continue
        above = seen[around] if around >= 0 else 0
        if token.kind == LIST_TOKEN:
            if dissolves(token, seen[index]):
                seen[index] |= GOES | above & LIFTS
            elif above & LIFTS:
                seen[index] |= GOES
        elif token.kind == ITEM_TOKEN and around >= 0:
            if dissolves(&stream.tokens[around], above):
                seen[index] |= GOES | above & LIFTS
            elif is_bare(seen[index]) and not stream.tokens[around].is_ordered and not above & HOLDS_OTHER:
                seen[index] |= 0 if seen[index] & HOLDS_NUMBERED else GOES | LIFTS
        around = index


cdef int leave_out(Stream stream, const uint8_t *seen) except -1:
    """Leave out the starts and ends of containers that are marked."""
    cdef Py_ssize_t index, kept = 0
    cdef dict languages = {}
    for index in range(stream.token_count):
        if not seen[index] & GOES:
            if index in stream.languages:
                languages[kept] = stream.languages[index]
            stream.tokens[kept] = stream.tokens[index]
            kept += 1
    stream.token_count, stream.languages = kept, languages
    return 0
