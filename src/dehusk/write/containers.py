"""The containers that are open while a page's tokens are read, and when a list starts and ends."""

from __future__ import annotations

from dataclasses import dataclass

from dehusk.write.tokens import Edge, Token, TokenKind


@dataclass(slots=True)
class Container:
    """An element whose tokens are around what follows."""

    kind: TokenKind
    node: int
    is_written: bool = False
    """Whether its start is among the tokens; a list starts with its first item."""
    is_over: bool = False
    """Whether the element of an item has ended; its token ends when something follows that is not part of it."""
    is_implied: bool = False
    """Whether it is a list of items that the page has outside of lists."""
    start: int | None = None
    """Number of the next item of an ordered list."""


class OpenContainers:
    """The open containers, outer ones first; writes their starts and ends among the tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self._open: list[Container] = []

    @property
    def depth(self) -> int:
        """Number of open containers."""
        return len(self._open)

    def enter(self, container: Container) -> int:
        """Add a container, and return the depth to `leave` to when it ends."""
        self._open.append(container)
        return len(self._open) - 1

    def leave(self, depth: int) -> None:
        """End all containers but the outer `depth`."""
        while len(self._open) > depth:
            container = self._open.pop()
            if container.is_written:
                self.tokens.append(Token(container.kind, container.node, Edge.CLOSE))

    def is_in_list(self) -> bool:
        """Return whether an item may start here: in a list, after an item that is over."""
        self._end_item()
        return bool(self._open) and self._open[-1].kind is TokenKind.LIST

    def start_item(self, node: int) -> Container:
        """Start an item of the innermost list, and the list if it has none yet."""
        items = self._open[-1]
        if not items.is_written:
            items.is_written = True
            self.tokens.append(Token(TokenKind.LIST, items.node, Edge.OPEN, start=items.start))
        if items.start is not None:
            items.start += 1
        self.tokens.append(Token(TokenKind.ITEM, node, Edge.OPEN))
        item = Container(TokenKind.ITEM, node, is_written=True)
        self._open.append(item)
        return item

    def end_list(self) -> None:
        """End an item that is over, and its list, before what is not part of it."""
        if self._open and self._open[-1].is_over:
            self._end_item()
            items = self._open[-1]
            items.is_written = False
            self.tokens.append(Token(TokenKind.LIST, items.node, Edge.CLOSE))

    def end_implied_list(self) -> None:
        """End a list of items outside of lists before a list of the page."""
        if len(self._open) > 1 and self._open[-2].is_implied:
            self.end_list()

    def _end_item(self) -> None:
        if self._open and self._open[-1].is_over:
            self.leave(len(self._open) - 1)
