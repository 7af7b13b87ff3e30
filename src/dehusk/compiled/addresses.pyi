"""The typed face of `addresses.pyx`."""

from collections.abc import Sequence

from dehusk.content.addresses import Addresses

def resolve_all(addresses: Addresses, given: Sequence[str | None]) -> list[str | None]:
    """Return several addresses as `Addresses.resolve` does each; None for those that are missing."""
