"""The files in a zip archive that is as plain as those that dehusk writes, in a third of the time of `zipfile`.

Importing `zipfile` and what it needs, and what it does for each file, are 7 ms of the start of a process.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

_END = struct.Struct("<4s4H2IH")
_ENTRY = struct.Struct("<4s6H3I5H2I")
_LOCAL = struct.Struct("<4s5H3I2H")
_STORED, _DEFLATED = 0, 8
_VERSION = 20  # of the format, for files that are stored or deflated


def plain_members(archive: bytes, most: int) -> dict[str, bytes] | None:
    """Return the files of an archive by name.

    Args:
        archive: the bytes of the archive.
        most: bytes that all files together may have.

    Returns:
        None if it is no archive, is damaged, has more bytes, or uses more of the format than files that follow one
        another, stored or deflated. `zipfile` reads such an archive, or says what is wrong with it.
    """
    found: dict[str, bytes] = {}
    try:
        for entry in _entries(archive):
            most -= entry[3]
            if most < 0:
                return None
            name, content = _member(archive, entry)
            found[name] = content
    except (ValueError, struct.error, zlib.error):
        return None
    return found


def _entries(archive: bytes) -> Iterator[tuple[int, int, int, int, int, bytes]]:
    """Yield the method, checksum, size in the archive, size, offset and name of each file.

    Raises:
        ValueError: the directory is not plain.
    """
    end = len(archive) - _END.size
    if end < 0:
        raise ValueError
    signature, disk, start_disk, here, number, size, start, comment = _END.unpack_from(archive, end)
    if signature != b"PK\5\6" or disk or start_disk or here != number or comment or start + size != end:
        raise ValueError
    offset, expected = start, 0
    for _ in range(number):
        fields = _ENTRY.unpack_from(archive, offset)
        signature, _, version, flags, method = fields[:5]
        checksum, packed, unpacked, length, *others = fields[7:14]  # others: further bytes and disks
        local = fields[16]
        name = archive[offset + _ENTRY.size : offset + _ENTRY.size + length]
        if signature != b"PK\1\2" or version != _VERSION or flags or any(others) or local != expected:
            raise ValueError
        yield method, checksum, packed, unpacked, local, name
        offset += _ENTRY.size + length
        expected = local + _LOCAL.size + length + packed
    if offset != end or expected != start:
        raise ValueError


def _member(archive: bytes, entry: tuple[int, int, int, int, int, bytes]) -> tuple[str, bytes]:
    """Return the name and the content of a file.

    Raises:
        ValueError: it is not plain, or damaged; so do `struct.error` and `zlib.error`.
    """
    method, checksum, packed, unpacked, offset, name = entry
    local = _LOCAL.unpack_from(archive, offset)
    start = offset + _LOCAL.size + len(name)
    same = (_VERSION, 0, method, checksum, packed, unpacked, len(name), 0)
    if local[0] != b"PK\3\4" or (*local[1:4], *local[6:]) != same or archive[start - len(name) : start] != name:
        raise ValueError
    content = archive[start : start + packed]
    if method == _DEFLATED:
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        content = stream.decompress(content, unpacked + 1)  # no more than it says
        if not stream.eof or stream.unused_data:
            raise ValueError
    elif method != _STORED:
        raise ValueError
    if len(content) != unpacked or zlib.crc32(content) != checksum:
        raise ValueError
    return name.decode("ascii"), content
