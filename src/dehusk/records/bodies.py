"""Bodies of answers without their transfer and content encodings.

Labels lie: bodies are called chunked that are not, gzip that are plain, and the other way round. A label is believed
where the bytes agree; else the bytes stay as they are and a note says so. What is decoded is never longer than asked
for, so small bodies that blow up do no harm.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from importlib import import_module

_CHUNK = re.compile(rb"[0-9a-fA-F]{1,8}[ \t]*(?:;[^\r\n]{0,256})?\r?\n")
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_STEP = 16_384  # bytes of zstd at a time: its library has no bound on what they become


class _FalseError(Exception):
    """The bytes are not what the label says."""


def undo(raw: bytes, headers: Mapping[str, str], *, limit: int) -> tuple[bytes, tuple[str, ...]]:
    """Return a body without its encodings, `limit` + 1 bytes at most, and a note for each label that was false.

    Args:
        raw: the body as it came.
        headers: names in lower case; `transfer-encoding` and `content-encoding` are read.
        limit: bytes that are wanted; one more tells that there are more.
    """
    notes: list[str] = []
    data = _unchunked(raw, "chunked" in headers.get("transfer-encoding", "").lower(), notes)
    names = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    for name in reversed([name for name in names if name not in ("", "identity", "none", "utf-8", "text/html")]):
        data = _decoded(data, name, limit, notes)
    if data.startswith(_GZIP):  # no page begins like this, whatever the headers say
        data = _decoded(data, "gzip", limit, notes)
        notes.append("gzip, although no header says so")
    return data[: limit + 1], tuple(notes)


def _unchunked(data: bytes, labelled: bool, notes: list[str]) -> bytes:
    """Return a body without chunks: as often as it has them, since some servers make them twice."""
    for _ in range(2):
        if not _CHUNK.match(data):
            break
        joined, whole = _chunks(data)
        if joined is None or not (whole or labelled):
            break
        if not labelled:
            notes.append("chunked, although no header says so")
        if not whole:
            notes.append("the last chunk is not whole")
            return joined
        data, labelled = joined, False
    else:
        return data
    if labelled:
        notes.append("not chunked, although a header says so")
    return data


def _chunks(data: bytes) -> tuple[bytes | None, bool]:
    """Return the content of chunks, None where the bytes are none, and whether the end was there."""
    parts: list[bytes] = []
    at = 0
    while match := _CHUNK.match(data, at):
        size = int(re.match(rb"[0-9a-fA-F]+", match.group())[0], 16)  # type: ignore[index]
        if size == 0:
            return b"".join(parts), True
        parts.append(data[match.end() : match.end() + size])
        at = match.end() + size
        if at > len(data):
            return b"".join(parts), False
        at += 2 if data.startswith(b"\r\n", at) else 1 if data.startswith(b"\n", at) else 0
    return (b"".join(parts), False) if at >= len(data) else (None, False)


def _decoded(data: bytes, name: str, limit: int, notes: list[str]) -> bytes:
    decoder = _DECODERS.get(name)
    if decoder is None:
        notes.append(f"unknown content encoding {name}")
        return data
    if not data:
        return data
    try:
        found, whole = decoder(data, limit + 1)
    except _FalseError:
        notes.append(f"not {name}, although a header says so")
        return data
    except ImportError:
        notes.append(f"{name} cannot be undone: pip install 'dehusk[corpus]'")
        return data
    if not whole:
        notes.append(f"the {name} data is damaged or cut")
    return found


def _inflated(data: bytes, most: int, bits: int) -> tuple[bytes, bool]:
    """Return what zlib makes of data, members of gzip one after the other, and whether it came to an end."""
    parts: list[bytes] = []
    size = 0
    while True:
        stream = zlib.decompressobj(bits)
        try:
            part = stream.decompress(data, most - size)
        except zlib.error as error:
            part = _as_far_as_it_goes(data, most - size, bits)
            if not part and not parts:
                raise _FalseError from error
            return b"".join([*parts, part]), not part  # after a whole member anything may follow
        parts.append(part)
        size += len(part)
        if size >= most:
            return b"".join(parts), True
        if not stream.eof:
            if not size:
                raise _FalseError
            return b"".join(parts), False
        data = stream.unused_data
        if not data.startswith(_GZIP):
            return b"".join(parts), True


def _as_far_as_it_goes(data: bytes, most: int, bits: int) -> bytes:
    """Return what comes out before the damage: zlib gives nothing of a step in which it fails, so steps are small."""
    stream = zlib.decompressobj(bits)
    found = bytearray()
    try:
        for at in range(0, len(data), 256):
            found += stream.decompress(data[at : at + 256], most - len(found))
            if len(found) >= most:
                break
    except zlib.error:
        pass
    return bytes(found)


def _gunzipped(data: bytes, most: int) -> tuple[bytes, bool]:
    if not data.startswith(_GZIP):
        raise _FalseError
    return _inflated(data, most, 31)


def _deflated(data: bytes, most: int) -> tuple[bytes, bool]:
    try:
        return _inflated(data, most, 15)
    except _FalseError:
        if data.lstrip()[:1] == b"<":
            raise
        return _inflated(data, most, -15)  # some servers leave zlib's header away


def _unbrotlied(data: bytes, most: int) -> tuple[bytes, bool]:
    brotli = import_module("brotli")
    stream = brotli.Decompressor()
    found = bytearray()
    try:
        found += stream.process(data, output_buffer_limit=most)
        while len(found) < most and not stream.is_finished() and not stream.can_accept_more_data():
            found += stream.process(b"", output_buffer_limit=most - len(found))
    except brotli.error as error:
        if not found or b"<" in data[:256]:
            raise _FalseError from error
        return bytes(found), False
    if not found and not stream.is_finished():
        raise _FalseError
    return bytes(found), stream.is_finished() or len(found) >= most


def _unzstandard(data: bytes, most: int) -> tuple[bytes, bool]:
    if not data.startswith(_ZSTD):
        raise _FalseError
    zstandard = import_module("zstandard")
    stream = zstandard.ZstdDecompressor().decompressobj()
    found = bytearray()
    try:
        for at in range(0, len(data), _STEP):
            found += stream.decompress(data[at : at + _STEP])
            if len(found) >= most or stream.eof:
                break
    except zstandard.ZstdError:
        return bytes(found), False
    return bytes(found), stream.eof or len(found) >= most


_DECODERS: dict[str, Callable[[bytes, int], tuple[bytes, bool]]] = {
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": _deflated,
    "br": _unbrotlied,
    "zstd": _unzstandard,
}
