"""Twin of `dehusk.write.containers.OpenContainers`, for `tokens`."""

cdef object Token, LIST, ITEM, OPEN, CLOSE


cdef int load() except -1:
    """Find the classes of the layer above, at the first use: they cannot be imported before it is."""
    global Token, LIST, ITEM, OPEN, CLOSE
    if Token is None:
        from dehusk.write import tokens
        LIST, ITEM, OPEN, CLOSE = tokens.TokenKind.LIST, tokens.TokenKind.ITEM, tokens.Edge.OPEN, tokens.Edge.CLOSE
        Token = tokens.Token
    return 0


cdef class OpenContainers:
    """The open containers, outer ones first; writes their starts and ends among the tokens."""

    def __cinit__(self, list tokens):
        load()
        self.tokens, self.kinds = tokens, []
        self.depth = 0

    cdef int enter(self, object kind, Container container) except -1:
        """Add a container, and return the depth to `leave` to when it ends."""
        if self.depth == MOST:
            raise OverflowError("too many open containers")
        self.kinds.append(kind)
        self.open[self.depth] = container
        self.depth += 1
        return self.depth - 1

    cdef int leave(self, int depth) except -1:
        """End all containers but the outer `depth`."""
        while self.depth > depth:
            self.depth -= 1
            kind = self.kinds.pop()
            if self.open[self.depth].is_written:
                self.tokens.append(Token(kind, self.open[self.depth].node, CLOSE))
        return 0

    cdef bint is_in_list(self) except -1:
        """Whether an item may start here: in a list, after an item that is over."""
        if self.depth and self.open[self.depth - 1].is_over:
            self.leave(self.depth - 1)
        return self.depth > 0 and self.open[self.depth - 1].is_list

    cdef int start_item(self, int node) except -1:
        """Start an item of the innermost list, and the list if it has none yet; return where the item is."""
        cdef Container *items = &self.open[self.depth - 1]
        if not items.is_written:
            items.is_written = True
            self.tokens.append(Token(LIST, items.node, OPEN, start=items.start if items.is_ordered else None))
        items.start += 1
        self.tokens.append(Token(ITEM, node, OPEN))
        return self.enter(ITEM, Container(False, node, True, False, False, False, 0))

    cdef int end_list(self) except -1:
        """End an item that is over, and its list, before what is not part of it."""
        cdef Container *items
        if self.depth and self.open[self.depth - 1].is_over:
            self.leave(self.depth - 1)
            items = &self.open[self.depth - 1]
            items.is_written = False
            self.tokens.append(Token(LIST, items.node, CLOSE))
        return 0

    cdef int end_implied_list(self) except -1:
        """End a list of items outside of lists before a list of the page."""
        if self.depth > 1 and self.open[self.depth - 2].is_implied:
            self.end_list()
        return 0
