"""The containers that are open while a page's tokens are read, and when a list starts and ends."""

from libc.stdlib cimport free


cdef class OpenContainers:
    """The open containers, outer ones first; writes their starts and ends among the tokens."""

    def __cinit__(self, Stream stream):
        self.stream = stream

    def __dealloc__(self):
        free(self.open)

    cdef int enter(self, Container container) except -1:
        """Add a container, and return the depth to `leave` to when it ends."""
        grow(<void **>&self.open, &self.room, self.depth, sizeof(Container))
        self.open[self.depth] = container
        self.depth += 1
        return self.depth - 1

    cdef int leave(self, int depth) except -1:
        """End all containers but the outer `depth`."""
        cdef Container *container
        while self.depth > depth:
            self.depth -= 1
            container = &self.open[self.depth]
            if container.is_written:
                self.stream.add_token(container.kind, CLOSES, container.node)
        return 0

    cdef bint is_in_list(self) except -1:
        """Whether an item may start here: in a list, after an item that is over."""
        if self.depth and self.open[self.depth - 1].is_over:
            self.leave(self.depth - 1)
        return self.depth > 0 and self.open[self.depth - 1].kind == LIST_TOKEN

    cdef int start_item(self, int node) except -1:
        """Start an item of the innermost list, and the list if it has none yet; return where the item is."""
        cdef Container *items = &self.open[self.depth - 1]
        cdef TokenRow *token
        if not items.is_written:
            items.is_written = True
            token = self.stream.add_token(LIST_TOKEN, OPENS, items.node)
            token.is_ordered, token.number = items.is_ordered, items.start
        items.start += 1
        self.stream.add_token(ITEM_TOKEN, OPENS, node)
        return self.enter(Container(ITEM_TOKEN, node, True, False, False, False, 0))

    cdef int end_list(self) except -1:
        """End an item that is over, and its list, before what is not part of it."""
        cdef Container *items
        if self.depth and self.open[self.depth - 1].is_over:
            self.leave(self.depth - 1)
            items = &self.open[self.depth - 1]
            items.is_written = False
            self.stream.add_token(LIST_TOKEN, CLOSES, items.node)
        return 0

    cdef int end_implied_list(self) except -1:
        """End a list of items outside of lists before a list of the page."""
        if self.depth > 1 and self.open[self.depth - 2].is_implied:
            self.end_list()
        return 0
