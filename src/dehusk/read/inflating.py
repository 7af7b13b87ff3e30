"""Pages that gzip or zlib have packed, damaged or not; decompression bombs do no harm."""

import zlib

GZIP = b"\x1f\x8b"
"""How gzip data begins, and no page."""
PIECE = 256
"""Bytes that are inflated at once: zlib returns nothing from a call that fails, and copies what is behind a member."""


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
    output, at, members = bytearray(), 0, 0
    while len(output) < limit:
        stream, before = zlib.decompressobj(bits), len(output)
        try:
            while at < len(data) and not stream.eof and len(output) < limit:
                output += stream.decompress(data[at : at + PIECE], limit - len(output))
                at += PIECE
        except zlib.error as error:
            if not output and not members:
                raise MislabelledError from error
            return bytes(output), len(output) == before  # a complete member may be followed by anything
        if not stream.eof and len(output) < limit:
            if not output:
                raise MislabelledError
            return bytes(output), False
        members += 1
        at = min(at, len(data)) - len(stream.unused_data)
        if not data.startswith(GZIP, at):
            break
    return bytes(output), True
