"""Text files that people name: settings, rules, lists, labels."""

import errno
from pathlib import Path

MOST_BYTES = 200_000_000
"""Enough for a list of a million pages with their addresses; a device such as `/dev/zero` never ends."""


def read_given(path: str | Path, encoding: str = "utf-8") -> str:
    """Return the text of a file, or of a pipe such as a shell makes of `<(command)`.

    Args:
        path: of the file.
        encoding: of its text.

    Raises:
        OSError: it cannot be read, or is larger than `MOST_BYTES`.
        UnicodeDecodeError: it is in another encoding.
    """
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MOST_BYTES // 1_000_000} MB", str(path))
    return data.decode(encoding).replace("\r\n", "\n")
