"""Response bodies without their transfer and content encodings.

Headers are often wrong: bodies labelled as chunked are not, bodies labelled as gzip are plain, and vice versa. A header
is trusted if the bytes agree; otherwise the bytes stay as they are and a note reports the mismatch. Decoding stops at a
given number of bytes, so decompression bombs do no harm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from dehusk.base.errors import MissingExtraError
from dehusk.base.extras import require
from dehusk.read.inflating import GZIP, MislabelledError, inflated

_CHUNK = re.compile(rb"[0-9a-fA-F]{1,8}[ \t]*(?:;[^\r\n]{0,256})?\r?\n")
_ZSTD = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = b"\x2a\x4d\x18"  # the second to fourth bytes of a frame without data
_TRAILERS = 1_000  # bytes after the last chunk, at most
_SHOWN = 1_000  # bytes in which a page that is not encoded has a tag
_STEP = 4096  # bytes of zstd decoded at a time: the library cannot limit its output, at most 134 MB from these
_IGNORED = frozenset({"", "identity", "none", "utf-8", "text/html"})
"""Values of Content-Encoding that encode nothing; the last two are common mistakes."""


_CUT = "the last chunk is incomplete"


class Body(NamedTuple):
    """The bytes of a page."""

    data: bytes
    notes: tuple[str, ...] = ()
    """One line for each encoding that does not match the headers or could not be undone."""
    loss: str = ""
    """Why part of the page is missing: its encoding is damaged, incomplete or unknown; "" if the page is complete."""


def decode_body(raw: bytes, headers: Mapping[str, str], *, limit: int) -> Body:
    """Undo the transfer and content encodings of a response body.

    Args:
        raw: the body as received.
        headers: names in lower case; only `transfer-encoding` and `content-encoding` are used.
        limit: maximum number of bytes to return of the body; one more is returned if it is longer.
    """
    losses: list[str] = []
    data, notes = _unchunk(raw, labelled="chunked" in headers.get("transfer-encoding", "").lower())
    losses += [note for note in notes if note == _CUT]
    names = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    for name in reversed([name for name in names if name not in _IGNORED]):
        data = _decode(data, name, limit, notes, losses)
    if data.startswith(GZIP):  # no page starts with these bytes, whatever the headers say
        data = _decode(data, "gzip", limit, notes, losses)
        notes.append("gzip, although no header says so")
    return Body(data[: limit + 1], tuple(notes), "; ".join(losses))


def _unchunk(data: bytes, *, labelled: bool) -> tuple[bytes, list[str]]:
    """Return a body with its chunks joined, and notes; some servers chunk a body twice."""
    notes: list[str] = []
    for _ in range(2):
        if not _CHUNK.match(data):
            break
        content, complete, rest = _join_chunks(data)
        is_page = rest > _TRAILERS and not (labelled and content)  # whose first line is a number
        if content is None or is_page or not (complete or labelled):
            break
        if not labelled:
            notes.append("chunked, although no header says so")
        if not complete:
            return content, [*notes, _CUT]
        data, labelled = content, False
    else:
        return data, notes
    return data, [*notes, "not chunked, although a header says so"] if labelled else notes


def _join_chunks(data: bytes) -> tuple[bytes | None, bool, int]:
    """Return the content of chunks, None if the bytes are not chunked, whether the final chunk was found, and the rest.

    The rest is the number of bytes after the final chunk.
    """
    parts: list[bytes] = []
    position = 0
    while match := _CHUNK.match(data, position):
        size = int(re.match(rb"[0-9a-fA-F]+", match.group())[0], 16)  # type: ignore[index]
        if size == 0:
            return b"".join(parts), True, len(data) - match.end()
        parts.append(data[match.end() : match.end() + size])
        position = match.end() + size
        if position > len(data):
            return b"".join(parts), False, 0
        position += 2 if data.startswith(b"\r\n", position) else 1 if data.startswith(b"\n", position) else 0
    return (b"".join(parts), False, 0) if position >= len(data) else (None, False, 0)


def _decode(data: bytes, name: str, limit: int, notes: list[str], losses: list[str]) -> bytes:
    """Undo one content encoding; on failure return the data unchanged and add a note."""
    decoder = _DECODERS.get(name)
    problem = ""
    if decoder is None and b"<" in data[:_SHOWN]:
        notes.append(f"unknown content encoding {name}")  # often the name of a charset
    elif decoder is None:
        problem = f"unknown content encoding {name}"
    elif data:
        try:
            data, complete = decoder(data, limit + 1)
            problem = "" if complete else f"the {name} data is damaged or truncated"
        except MislabelledError:
            notes.append(f"not {name}, although a header says so")
        except MissingExtraError as error:
            problem = str(error)
    if problem:
        notes.append(problem)
        losses.append(problem)
    return data


def _decode_gzip(data: bytes, limit: int) -> tuple[bytes, bool]:
    if not data.startswith(GZIP):
        raise MislabelledError
    return inflated(data, limit)


def _decode_deflate(data: bytes, limit: int) -> tuple[bytes, bool]:
    try:
        return inflated(data, limit, 15)
    except MislabelledError:
        if data.lstrip()[:1] == b"<":
            raise
        return inflated(data, limit, -15)  # some servers omit the zlib header


def _decode_brotli(data: bytes, limit: int) -> tuple[bytes, bool]:
    brotli = require("brotli", extra="corpus", purpose="decoding Brotli bodies")
    stream = brotli.Decompressor()
    output = bytearray()
    try:
        output += stream.process(data, output_buffer_limit=limit)
        while len(output) < limit and not stream.is_finished() and not stream.can_accept_more_data():
            output += stream.process(b"", output_buffer_limit=limit - len(output))
    except brotli.error as error:
        if not output or b"<" in data[:256]:
            raise MislabelledError from error
        return bytes(output), False
    if not output and not stream.is_finished():
        raise MislabelledError
    return bytes(output), stream.is_finished() or len(output) >= limit


def _decode_zstd(data: bytes, limit: int) -> tuple[bytes, bool]:
    if not data.startswith(_ZSTD) and data[1:4] != _SKIPPABLE:
        raise MislabelledError
    zstandard = require("zstandard", extra="corpus", purpose="decoding Zstandard bodies")
    frames = zstandard.ZstdDecompressor()
    stream, output = frames.decompressobj(), bytearray()
    try:
        for start in range(0, len(data), _STEP):
            rest = data[start : start + _STEP]
            while rest and len(output) < limit:
                stream = frames.decompressobj() if stream.eof else stream
                output += stream.decompress(rest)
                rest = stream.unused_data if stream.eof else b""
    except zstandard.ZstdError:
        return bytes(output), False
    return bytes(output), stream.eof or len(output) >= limit


_DECODERS: dict[str, Callable[[bytes, int], tuple[bytes, bool]]] = {
    "gzip": _decode_gzip,
    "x-gzip": _decode_gzip,
    "deflate": _decode_deflate,
    "br": _decode_brotli,
    "zstd": _decode_zstd,
}
