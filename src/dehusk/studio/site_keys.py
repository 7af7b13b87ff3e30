"""Hosts in addresses of views and in names of folders; a host comes from a page, so it can be any text."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from dehusk.studio.project import Project

NO_HOST = "-"
"""Key of the pages that name no host."""

_PLAIN = re.compile(r"[a-z0-9_][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
_CODED = "~"
_LONGEST = 150  # characters of the name of a folder


def key_of(host: str) -> str:
    """Return the key of a host: the host itself if it is an ordinary name, else "~" and its bytes in hex."""
    if not host:
        return NO_HOST
    return host if _PLAIN.fullmatch(host) else _CODED + host.encode("utf-8", "surrogatepass").hex()


def host_of(key: str) -> str:
    """Return the host of a key.

    Raises:
        KeyError: no host has this key.
    """
    try:
        coded = key.startswith(_CODED)
        host = bytes.fromhex(key[1:]).decode("utf-8", "surrogatepass") if coded else "" if key == NO_HOST else key
    except ValueError:
        raise KeyError(key) from None
    if key_of(host) != key:
        raise KeyError(key)
    return host


def site_folder(project: Project, host: str) -> Path:
    """Return the folder of what is learned of a site, in the project's folder of models."""
    key = key_of(host)
    name = key if len(key) <= _LONGEST else _CODED + hashlib.sha256(key.encode()).hexdigest()
    return project.models / "sites" / name
