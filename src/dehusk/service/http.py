"""The HTTP face: an ASGI application, and the server that runs it. Every error is JSON, {"error": one line}."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import ExitStack, aclosing, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dehusk.base.errors import ConfigError, DehuskError, Status
from dehusk.base.listening import LOCAL, listen, named_host, own_hosts
from dehusk.base.version import __version__
from dehusk.read import Limits
from dehusk.service.heads import PromptProtocol
from dehusk.service.load import Capacity, Metrics, OverloadedError
from dehusk.service.openapi import NDJSON, PAGE_TYPES, describe
from dehusk.service.operations import OPERATIONS, Answer, CleanAnswer, Operation, SentPage, plain
from dehusk.service.requests import BatchLine, CleanWanted, RequestError, Wanted, checked, scalar_reader
from dehusk.service.workers import Workers, headers_of
from dehusk.write import find_writer
from dehusk.write.json import dumps

if TYPE_CHECKING:
    from dehusk.many.crawl import CrawlPlan

_SLOWEST = 100_000  # bytes a second of a body, once its first seconds are over
_IN_MEMORY = 4_000_000  # bytes of a batch; more of it waits in a temporary file
_AHEAD = 2  # lines of a batch that wait or run, for each worker
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",  # what is returned as HTML is another's page
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Bounds:
    """What requests may take."""

    bytes: int
    """Of a page."""
    batch_bytes: int
    """Of a batch."""
    seconds: float
    """For a body to arrive; a large one has a second more for each 100 kB."""


class Service:
    """What the requests to a service share.

    Args:
        workers: carry the operations out.
        capacity: how much at a time.
        bounds: what requests may take.
    """

    def __init__(self, workers: Workers, capacity: Capacity, bounds: Bounds) -> None:
        self.workers, self.capacity, self.bounds = workers, capacity, bounds
        self.metrics = Metrics(capacity)

    async def operate(self, operation: Operation, request: Request) -> Response:
        """Answer a request for an operation."""
        kind = _kind_of(request)
        query = _query(request, operation.request)
        if kind != "application/json" and not operation.is_of_one_page:
            raise HTTPException(415, f"{operation.name} is about several pages: send application/json")
        with self.capacity.reading():
            body = await self._body(request, self.bounds.bytes)
        work = partial(self._answer, operation, query, body, kind, headers_of(request.headers))
        with self.capacity.admit():
            answer = await self.capacity.run(work)
        return _found(answer)

    def _answer(
        self, operation: Operation, query: dict[str, Any], body: bytes, kind: str, headers: Mapping[str, str]
    ) -> Answer:
        sent = None
        if kind == "application/json":
            given = _object_of(body)
            if twice := sorted(query.keys() & given.keys()):
                raise RequestError(f"{twice[0]} is given twice: in the address and in the body")
            wanted = checked(operation.request, query | given)
        else:
            wanted = checked(operation.request, query)
            sent = SentPage(body, wanted.address, {} if kind == "application/octet-stream" else headers)
        answer = self.workers.answer(operation, wanted, sent)
        self.metrics.count_page(answer.status)
        return answer

    async def batch(self, request: Request) -> Response:
        """Answer a batch: its lines are read to their end first, as most clients send all before they read any."""
        _refuse_encoded(request)
        if _media_type(request) not in (NDJSON, "application/jsonl", "application/json"):
            raise HTTPException(415, f"a batch is lines of JSON: send them as {NDJSON}")
        query = _query(request, CleanWanted)
        if given := [name for name in ("html", "address") if name in query]:
            raise RequestError(f"{given[0]} is of a page: put it into the lines")
        wanted = checked(CleanWanted, query)
        find_writer(wanted.format).check(wanted.writing)
        with ExitStack() as stack:
            lines = stack.enter_context(SpooledTemporaryFile(_IN_MEMORY))
            with self.capacity.reading():
                await self._receive(request, self.bounds.batch_bytes, lines.write)
            lines.seek(0)
            stack.enter_context(self.capacity.admit())
            return BatchResponse(self._answers(lines, wanted), stack.pop_all())

    async def _answers(self, lines: IO[bytes], wanted: CleanWanted) -> AsyncGenerator[bytes]:
        """Yield the answers to the lines of a batch, in their order."""
        waiting: deque[asyncio.Task[bytes]] = deque()
        try:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    work = partial(self._line, number, line, wanted)
                    waiting.append(asyncio.create_task(self.capacity.run(work)))
                if len(waiting) > _AHEAD * self.capacity.workers:
                    yield await waiting.popleft()
            while waiting:
                yield await waiting.popleft()
        finally:
            for task in waiting:
                task.cancel()

    def _line(self, number: int, line: bytes, wanted: CleanWanted) -> bytes:
        """Return the answer to a line; one that cannot be used is an error of its own."""
        known: dict[str, object] = {"id": None}
        try:
            given = _object_of(line)
            known["id"] = given.get("id") if isinstance(given.get("id"), str | int) else None
            page = checked(BatchLine, given)
            one = wanted.model_copy(update={"html": page.html, "address": page.address})
            answer = self.workers.answer(OPERATIONS["clean"], one)
            assert isinstance(answer, CleanAnswer)  # noqa: S101 (narrows the type)
            known |= {"status": answer.status, "message": answer.message, "format": answer.format}
            self.metrics.count_page(answer.status)
            is_record = answer.format == "json"
            record = known | {"text": json.loads(answer.text) if is_record else answer.text}
        except RequestError as error:
            message = f"line {number}: {error}"
            record = known | {"status": Status.ERROR, "message": message, "format": wanted.format, "text": None}
        return dumps(record).encode()

    async def _body(self, request: Request, most: int) -> bytes:
        body = bytearray()
        await self._receive(request, most, body.extend)
        return bytes(body)

    async def _receive(self, request: Request, most: int, put: Callable[[bytes], object]) -> None:
        """Read a body in parts.

        Raises:
            HTTPException: it is too large, comes too slowly, or is cut.
        """
        message = f"the body has more than {most:,} bytes"
        if int(request.headers.get("content-length", 0)) > most:
            raise HTTPException(413, message)
        size, start, parts = 0, time.monotonic(), aiter(request.stream())
        with suppress(StopAsyncIteration):
            while True:
                end = start + self.bounds.seconds + size / _SLOWEST
                try:
                    part = await asyncio.wait_for(anext(parts), end - time.monotonic())
                except TimeoutError as error:
                    raise HTTPException(408, "the body came too slowly") from error
                except ClientDisconnect as error:
                    raise HTTPException(408, "the body was cut") from error
                if (size := size + len(part)) > most:
                    raise HTTPException(413, message)
                put(part)

    async def health(self, _request: Request) -> Response:
        """Say that the service works, and how busy it is."""
        capacity = self.capacity
        facts = {"workers": capacity.workers, "running": capacity.running, "admitted": capacity.admitted}
        return _json({"status": "ok", "version": __version__, **facts, "queue": capacity.queue})

    async def figures(self, _request: Request) -> Response:
        """Return the metrics."""
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    async def description(self, _request: Request) -> Response:
        """Return the description in OpenAPI."""
        return Response(_description(), media_type="application/json")

    async def usage(self, _request: Request) -> Response:
        """Say what the service does."""
        lines = [f"dehusk {__version__}: send a page, get its content.", ""]
        lines += [f"POST /{each.name:8} {each.summary}" for each in OPERATIONS.values()]
        lines += ["POST /batch    Clean many pages, one line of JSON each.", ""]
        lines += ["GET /openapi.json describes all of it; there are also /health and /metrics.", ""]
        return Response("\n".join(lines), media_type="text/plain")


class BatchResponse(StreamingResponse):
    """The answers to a batch; what it holds is released when they are sent, or when the client has gone.

    Args:
        answers: as they come.
        held: what it holds.
    """

    def __init__(self, answers: AsyncGenerator[bytes], held: ExitStack) -> None:
        super().__init__(answers, media_type=NDJSON)
        self._answers, self._held = answers, held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answers."""
        with self._held:
            async with aclosing(self._answers):
                await super().__call__(scope, receive, send)


@cache
def _description() -> bytes:
    return json.dumps(describe()).encode()


def make_app(service: Service, *, hosts: frozenset[str]) -> ASGIApp:
    """Return the application.

    Args:
        service: what it serves.
        hosts: values of `Host` by which requests may name it.
    """
    posts: dict[str, Callable[[Request], Awaitable[Response]]] = {
        f"/{name}": partial(service.operate, operation) for name, operation in OPERATIONS.items()
    }
    posts["/batch"] = service.batch
    gets = {"/": service.usage, "/health": service.health, "/metrics": service.figures}
    gets["/openapi.json"] = service.description
    app = Starlette(
        routes=[
            *(Route(path, _endpoint(answer), methods=["POST"]) for path, answer in posts.items()),
            *(Route(path, answer, methods=["GET"]) for path, answer in gets.items()),
        ],
        exception_handlers={
            HTTPException: _refusal,
            DehuskError: lambda _request, error: _json({"error": str(error)}, 400),
            OverloadedError: _overload,
            Exception: lambda _request, error: _json({"error": f"the service failed ({type(error).__name__})"}, 500),
        },
    )
    app.router.redirect_slashes = False  # an address is right or wrong
    return Entrance(app, service.metrics, hosts, frozenset(posts) | frozenset(gets))


def _endpoint(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Return a function that Starlette takes for an endpoint; it takes a partial one for an application."""

    async def endpoint(request: Request) -> Response:
        return await answer(request)

    return endpoint


class Entrance:
    """ASGI middleware around all: refuses what comes from pages of other sites, counts, adds headers.

    Args:
        app: what to enter.
        metrics: where requests are counted.
        hosts: values of `Host` by which requests may name the server.
        paths: that the server has; others are counted together.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, hosts: frozenset[str], paths: frozenset[str]) -> None:
        self._app, self._metrics, self._hosts, self._paths = app, metrics, hosts, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on; only HTTP is served."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        code, start = 500, time.monotonic()

        async def send_on(message: Message) -> None:
            nonlocal code
            if message["type"] == "http.response.start":
                code = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            await (self._refused(scope) or self._app)(scope, receive, send_on)
        finally:
            path = scope["path"] if scope["path"] in self._paths else "other"
            self._metrics.count_request(path, code, time.monotonic() - start)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = named_host(headers.getlist("host"), self._hosts)
        if not host:
            return _json({"error": "this host is not the service's: dehusk serve --name allows another name"}, 421)
        origins = headers.getlist("origin")
        if any(origin.lower() not in (f"http://{host}", f"https://{host}") for origin in origins):
            return _json({"error": "pages of other sites may not use the service"}, 403)
        return None


def _json(value: dict[str, object], code: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(dumps(value).encode(), code, headers, media_type="application/json")


def _refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 (narrows the type)
    detail = error.detail
    if error.status_code == HTTPStatus.NOT_FOUND:
        detail = f"there is no {request.url.path}: / lists what there is"
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        detail = f"{request.url.path} takes {(error.headers or {}).get('Allow', 'other methods')}"
    return _json({"error": " ".join(detail.split())}, error.status_code, error.headers)


def _overload(_request: Request, error: Exception) -> Response:
    assert isinstance(error, OverloadedError)  # noqa: S101 (narrows the type)
    return _json({"error": str(error)}, 503, {"Retry-After": str(error.seconds)})


def _found(answer: Answer) -> Response:
    """Return an answer: the content of a page in its format, or JSON."""
    about = {"Dehusk-Status": str(answer.status)}
    if answer.message:
        about["Dehusk-Message"] = answer.message.encode("ascii", "replace").decode()
    if not isinstance(answer, CleanAnswer):
        return _json(plain(answer), headers=about)
    media_type = find_writer(answer.format).media_type
    return Response(answer.text.encode("utf-8", "replace"), headers=about, media_type=media_type)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _kind_of(request: Request) -> str:
    """Return the type of a body: JSON, or a page."""
    _refuse_encoded(request)
    kind = _media_type(request) or "application/octet-stream"
    if kind != "application/json" and kind not in PAGE_TYPES:
        raise HTTPException(415, f"{kind} is no page: send text/html, or application/json with its html")
    return kind


def _refuse_encoded(request: Request) -> None:
    if request.headers.get("content-encoding", "identity") != "identity":
        raise HTTPException(415, "send the body without Content-Encoding")


def _query(request: Request, model: type[Wanted]) -> dict[str, Any]:
    """Return the parameters in the address."""
    values: dict[str, Any] = {}
    read = _reader(model)
    for name, text in request.query_params.multi_items():
        if name in values:
            raise RequestError(f"{name} is given twice")
        values[name] = read(name, text)
    if "html" in values:
        raise RequestError("html is too long for an address: send it as the body")
    return values


_reader = cache(scalar_reader)


def _object_of(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise RequestError("not a JSON object")
    return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


# ---------------------------------------------------------------- server

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (nothing is bound to them unless a user says so)
_NAME = re.compile(r"(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?|[\da-fA-F:.]+")  # of a host, maybe with its port


@dataclass(frozen=True)
class ServicePlan:
    """How to serve.

    Raises:
        ConfigError: one of the names is none.
    """

    host: str = LOCAL
    """Address of this machine to listen on."""
    port: int = 8420
    """0 for a free one."""
    names: tuple[str, ...] = ()
    """Further names by which requests may call the server, each with its port if that is not the server's."""
    workers: int = 1
    """Processes that clean pages."""
    queue: int = 64
    """Requests that may wait."""
    limits: Limits = field(default_factory=Limits)
    """Limits on each page."""
    batch_bytes: int = 100_000_000
    """The most bytes of a batch."""
    body_seconds: float = 10.0
    """The most seconds for a body to arrive; a large one has a second more for each 100 kB."""
    fetch: CrawlPlan | None = None
    """How to fetch pages of which only the address is sent; None not to."""

    def __post_init__(self) -> None:
        for name in self.names:
            if not _NAME.fullmatch(name):
                raise ConfigError(f"{name!r} is no name of a host: it would be as clean.example, or clean.example:8080")


def serve_http(plan: ServicePlan, announce: Callable[[str], object] = print) -> None:
    """Serve until SIGINT or SIGTERM: then what runs or waits is finished, and the signal is handled as before.

    Args:
        plan: how to serve.
        announce: receives a line with the address when the service is ready.

    Raises:
        InputError: the port is in use, or the address is none of this machine.
    """
    with (
        listen(plan.port, host=plan.host) as listener,
        Workers(workers=plan.workers, limits=plan.limits, fetch=plan.fetch) as workers,
    ):
        port = listener.getsockname()[1]
        bounds = Bounds(plan.limits.bytes, plan.batch_bytes, plan.body_seconds)
        service = Service(workers, Capacity(plan.workers, plan.queue), bounds)
        workers.start()
        shown = LOCAL if plan.host in _EVERYWHERE else plan.host
        announce(f"service: http://{f'[{shown}]' if ':' in shown else shown}:{port}/ (Ctrl-C ends it)")
        config = uvicorn.Config(
            make_app(service, hosts=_hosts(plan, port)),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=PromptProtocol,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=int(workers.longest) + 1,
        )
        uvicorn.Server(config).run(sockets=[listener])


def _hosts(plan: ServicePlan, port: int) -> frozenset[str]:
    """Return the values of `Host` that requests may have; a name behind a proxy may have any port, or none."""
    own = own_hosts(port, (LOCAL, "localhost", "::1", plan.host))
    return own | own_hosts(port, plan.names) | {name.lower() for name in plan.names}
