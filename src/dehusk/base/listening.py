"""Servers of this machine: the socket that they listen on, and the names by which requests may call them.

A page elsewhere can point its own name at 127.0.0.1, and so have browsers send requests to a server of the machine (DNS
rebinding). Such requests name another host than the server's.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable

from dehusk.base.errors import InputError

LOCAL = "127.0.0.1"


def listen(port: int, *, host: str = LOCAL, free: str = "--port 0") -> socket.socket:
    """Return a socket that listens; port 0 is a free one.

    Args:
        port: the port.
        host: an address of this machine; by default, only programs of this machine can connect.
        free: what the user chooses a free port by.

    Raises:
        InputError: the port is in use, or the address is none of this machine; an empty one is none.
    """
    if not host:  # the system would take it for all addresses, and open the server to others
        raise InputError("the address to listen on is empty: 0.0.0.0 stands for all of this machine")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # with the protocol named: else asyncio leaves Nagle's algorithm on, and each answer waits 40 ms
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # elsewhere it would let another program take the port over
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # browsers that are quicker than the server wait
    except OSError as error:
        listener.close()
        said = (error.strerror or str(error)).lower()
        if host != LOCAL:
            raise InputError(f"port {port} of {host}: {said}") from error
        raise InputError(f"port {port} of this machine: {said}; with {free}, a free one is taken") from error
    return listener


def own_hosts(port: int, names: Iterable[str] = (LOCAL, "localhost")) -> frozenset[str]:
    """Return the values of `Host` by which requests name a server, in lower case.

    Args:
        port: that it listens on.
        names: of the machine; an address of IPv6 without brackets.
    """
    ends = (f":{port}", "") if port == 80 else (f":{port}",)  # browsers leave the port of HTTP out
    named = (f"[{name}]" if ":" in name else name for name in names)
    return frozenset(f"{name.lower()}{end}" for name in named for end in ends)


def named_host(given: Iterable[str], own: frozenset[str]) -> str:
    """Return the only host that a request names, if it is one of the server's own, else ""."""
    hosts = [host.lower() for host in given]
    return hosts[0] if len(hosts) == 1 and hosts[0] in own else ""
