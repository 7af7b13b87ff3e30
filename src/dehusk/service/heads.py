"""A time limit for the head of a request, which uvicorn waits for without one."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Until the whole head is there: of the first request from the connection on, of later ones from their first byte on.
As long as a body may take by default (`ServicePlan.body_seconds`)."""


class PromptProtocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose request head is not complete within `HEAD_SECONDS`.

    Between two requests, uvicorn's own limit holds (`timeout_keep_alive`).
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the head of the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Stop the clock once a head is complete; start it when another one begins."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self.conn.trailing_data[0]:  # a part of a head
            body = b'{"error": "the head of the request was not complete after %g s"}' % HEAD_SECONDS
            head = b"Content-Type: application/json\r\nContent-Length: %d\r\nConnection: close" % len(body)
            self.transport.write(b"HTTP/1.1 408 Request Timeout\r\n%b\r\n\r\n%b" % (head, body))
        self.transport.close()

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
