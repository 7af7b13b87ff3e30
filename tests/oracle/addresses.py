"""What `dehusk.compiled.text` resolves the addresses of links to: always with a close look."""

from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

from dehusk.read.addresses import _SCHEME, _WEB, SAFE_SCHEMES, Addresses, _encoded, _is_trick, _trimmed, _with_slashes


def is_valid(address: str) -> bool:
    """Return whether an address is relative, or has a host and a valid port."""
    parts = urlsplit(address)
    is_relative = not parts.scheme and not address.startswith("//")
    return is_relative or (bool(parts.hostname) and (parts.port is None or parts.port >= 0))


def resolve(base: str, address: str) -> str | None:
    """Return an address resolved against a base, encoded; None if it is not safe, not valid, or empty."""
    trimmed = _trimmed(address)
    if not trimmed or _is_trick(trimmed):
        return None
    scheme = _SCHEME.match(trimmed)
    if scheme and not _WEB.match(trimmed):
        return _encoded(trimmed) if scheme[1].lower() in SAFE_SCHEMES and trimmed != scheme[0] else None
    try:
        joined = urljoin(base, _with_slashes(trimmed, base)) if base else _with_slashes(trimmed, base)
        return _encoded(joined) if joined and is_valid(joined) else None
    except ValueError:
        return None


def resolve_all(addresses: Addresses, given: Sequence[str | None]) -> list[str | None]:
    """Return each address resolved; None for those that are missing."""
    return [resolve(addresses.base, address) if address else None for address in given]
