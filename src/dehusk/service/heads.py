"""Connections whose requests must begin in time: uvicorn waits for ever for the rest of a request's head."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""For a connection's first request, and for each that has begun, until its head is there. A client on a bad line needs
one or two; servers in wide use wait 20 to 60, but are not for programs that hold few connections."""


class PromptProtocol(H11Protocol):
    """HTTP/1.1 that closes connections whose request does not begin, or whose head does not end, in `HEAD_SECONDS`.

    Between two requests, uvicorn's own limit holds (`timeout_keep_alive`).
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the head of the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head, and no more once it is there."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.conn.trailing_data[0]:  # a part of a head
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self.transport.close()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
