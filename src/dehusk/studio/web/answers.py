"""Answers of the studio, and how errors become answers."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match

from dehusk.base.errors import ConfigError, DehuskError
from dehusk.studio.outcome import NoBlockError
from dehusk.studio.project import explained

MOST_BYTES = 100_000_000
"""Of a request."""


class BadRequestError(DehuskError):
    """A request that the studio's own pages do not make."""


class TooLargeError(BadRequestError):
    """A request with more than `MOST_BYTES`."""


class OtherProjectError(BadRequestError):
    """A change that was made to a page of another project, which had a studio at this address before."""


def json_answer(value: object, status: int = 200) -> Response:
    """Return plain values as JSON; what is not finite in them becomes null, lone surrogates U+FFFD."""
    try:  # columns of thousands of plain values, as nearly always
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


def answers_within(request: Request, paths: Sequence[str]) -> dict[str, Any]:
    """Return what requests would be answered, by their paths, so that a page brings it along and need not ask.

    What fails is left out: the page asks for it, and shows the error.
    """
    found = {}
    for path in paths:
        address, _, query = path.partition("?")
        scope = {**request.scope, "path": address, "query_string": query.encode()}
        with suppress(DehuskError, KeyError, OSError, sqlite3.Error):
            found[path] = json.loads(bytes(_route_of(scope)(Request(scope)).body))
    return found


def _route_of(scope: dict[str, Any]) -> Callable[[Request], Response]:
    for route in scope["app"].routes:
        match, found = route.matches(scope)
        if match is Match.FULL:
            scope.update(found)
            endpoint: Callable[[Request], Response] = found["endpoint"]
            return endpoint
    raise KeyError(scope["path"])


def error_answer(_request: Request, error: Exception) -> Response:
    """Return an error as JSON: {"error": one line}."""
    message = " ".join(str(error).split())
    if isinstance(error, KeyError):
        message = error.args[0] if isinstance(error, NoBlockError) else "there is no such page"
    elif isinstance(error, OverflowError):
        message = "a number is too large"
    elif isinstance(error, sqlite3.Error):
        message = explained(error)
    elif isinstance(error, ClientDisconnect):
        message = "nobody waits for the answer"
    elif isinstance(error, OSError):
        message = f"{error.filename or 'a file'} cannot be read or written: {error.strerror or error}"
    return json_answer({"error": message}, _status_of(error))


def _status_of(error: Exception) -> int:
    if isinstance(error, TooLargeError):
        return 413
    if isinstance(error, OtherProjectError):
        return 421
    if isinstance(error, KeyError):
        return 404
    return 400 if isinstance(error, (ConfigError, BadRequestError, OverflowError)) else 409


def failure_answer(_request: Request, error: Exception) -> Response:
    """Return what the browser shows of a fault of the studio; the terminal shows the rest."""
    return json_answer({"error": f"the studio failed ({type(error).__name__}); its terminal says more"}, 500)


async def body_of(request: Request) -> dict[str, Any]:
    """Return the JSON object that a request sends.

    Raises:
        BadRequestError: it is none, or has texts or numbers that are none.
        TooLargeError: it is too large.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequestError("not JSON: the content type must be application/json")
    parts, size = [], 0
    async for part in request.stream():
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise TooLargeError(f"a request can have {MOST_BYTES // 1_000_000} MB")
    return _object_of(b"".join(parts))


def _object_of(data: bytes) -> dict[str, Any]:
    try:
        text = data.decode()
        value = json.loads(text, parse_constant=_refuse)
        if "\\u" in text:  # may be half of a character, which cannot be stored
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadRequestError("not a JSON object")
    return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _finite(value: object) -> object:
    if isinstance(value, float):
        return value if -1e308 < value < 1e308 else None
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [_finite(inner) for inner in value]
    return value.item() if hasattr(value, "item") else value
