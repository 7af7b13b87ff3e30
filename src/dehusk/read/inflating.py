"""Pages that gzip or zlib have packed, damaged or not; decompression bombs do no harm."""

import zlib

GZIP = b"\x1f\x8b"
"""How gzip data begins, and no page."""


class MislabelledError(Exception):
    """The bytes are not in the encoding that a header or a name says."""


def inflated(data: bytes, limit: int, bits: int = 31) -> tuple[bytes, bool]:
    """Decompress all members of gzip or zlib data; also return whether the data is complete.

    Args:
        data: the packed bytes; of damaged ones, what precedes the damage is returned.
        limit: maximum number of bytes to return.
        bits: as `zlib.decompressobj` has it: 31 for gzip, 15 for zlib, -15 for deflated data without a header.

    Raises:
        MislabelledError: the bytes are no such data.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        stream = zlib.decompressobj(bits)
        try:
            part = stream.decompress(data, limit - size)
        except zlib.error as error:
            part = _inflate_before_damage(data, limit - size, bits)
            if not part and not parts:
                raise MislabelledError from error
            return b"".join([*parts, part]), not part  # a complete member may be followed by anything
        parts.append(part)
        size += len(part)
        if size >= limit:
            return b"".join(parts), True
        if not stream.eof:
            if not size:
                raise MislabelledError
            return b"".join(parts), False
        data = stream.unused_data
        if not data.startswith(GZIP):
            return b"".join(parts), True


def _inflate_before_damage(data: bytes, limit: int, bits: int) -> bytes:
    """Return what precedes the damage. zlib returns nothing from a call that fails, so calls are small."""
    stream = zlib.decompressobj(bits)
    output = bytearray()
    try:
        for start in range(0, len(data), 256):
            output += stream.decompress(data[start : start + 256], limit - len(output))
            if len(output) >= limit:
                break
    except zlib.error:
        pass
    return bytes(output)
