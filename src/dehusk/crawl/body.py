"""A page's bytes out of what was transferred."""

import zlib

_GZIP = b"\x1f\x8b"


def decoded(body: bytes, encoding: str, limit: int) -> tuple[bytes, str]:
    """Undo a content encoding; a false label or a damaged end costs nothing that can be read.

    Args:
        body: as transferred, chunks undone.
        encoding: the header Content-Encoding, "" for none.
        limit: bytes of the result at most.

    Returns:
        The bytes, and what of them is lost in a few words, "" for nothing. A plain body that says to be packed is
        whole.
    """
    said = ""
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        if name in ("gzip", "x-gzip"):
            body, wrong = _inflated(body, zlib.MAX_WBITS | 16, limit) if body.startswith(_GZIP) else (body, "")
        elif name == "deflate":
            body, wrong = _deflated(body, limit)
        else:
            wrong = "" if name in ("", "identity") else f"content encoding {name} is unknown"
        said = said or wrong
    return (body[:limit], said or f"longer than {limit} bytes") if len(body) > limit else (body, said)


def _deflated(body: bytes, limit: int) -> tuple[bytes, str]:
    """Undo deflate, which servers send with and without zlib's frame."""
    found, wrong = _inflated(body, zlib.MAX_WBITS, limit)
    if not found and wrong:
        found, wrong = _inflated(body, -zlib.MAX_WBITS, limit)
    return (found, wrong) if found or not body else (body, "")


def _inflated(body: bytes, window: int, limit: int) -> tuple[bytes, str]:
    parts: list[bytes] = []
    room = limit + 1
    while body and room > 0:  # a gzip body may have several members
        inflater = zlib.decompressobj(window)
        try:
            parts.append(inflater.decompress(body, room))
        except zlib.error:
            return b"".join(parts) + _as_far_as_it_goes(body, window, room), "damaged compression"
        room -= len(parts[-1])
        if not inflater.eof:
            return b"".join(parts), "" if room <= 0 else "compression ends too early"
        body = inflater.unused_data if inflater.unused_data.startswith(_GZIP) else b""
    return b"".join(parts), ""


def _as_far_as_it_goes(body: bytes, window: int, room: int) -> bytes:
    """Return what comes before the fault: byte by byte, since zlib gives nothing of the call that fails."""
    inflater, found = zlib.decompressobj(window), bytearray()
    try:
        for place in range(len(body)):
            found += inflater.decompress(body[place : place + 1])
            if len(found) >= room:
                break
    except zlib.error:
        pass
    return bytes(found[:room])
