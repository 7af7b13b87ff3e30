"""Which IP addresses belong to the public internet.

Python's `ipaddress` knows most of IANA's special-purpose registries. What it lacks is here, and the addresses that
embed an IPv4 address, which a translator on the way may contact.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NOT_PUBLIC = (
    IPv4Network("168.63.129.16/32"),  # the host's service of a virtual machine on Azure
    IPv4Network("192.0.0.0/24"),  # protocol assignments (RFC 6890), and a service of Oracle's cloud
    IPv4Network("192.88.99.0/24"),  # deprecated 6to4 relays (RFC 7526)
    IPv6Network("fec0::/10"),  # site-local (RFC 3879)
    IPv6Network("64:ff9b:1::/48"),  # NAT64 in a network of its own (RFC 8215)
    IPv6Network("100:0:0:1::/64"),  # dummy prefix (RFC 9780)
    IPv6Network("2001::/23"),  # protocol assignments (RFC 2928)
    IPv6Network("3fff::/20"),  # documentation (RFC 9637)
    IPv6Network("5f00::/16"),  # segment routing (RFC 9602)
)
_EMBEDDING = (
    IPv6Network("64:ff9b::/96"),  # NAT64 (RFC 6052)
    IPv6Network("::/96"),  # IPv4-compatible (RFC 4291)
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated (RFC 2765)
)
"""Networks whose last 32 bits are an IPv4 address."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""What precedes an IPv4 address in the last 64 bits of any network (RFC 5214)."""


def is_public(address: str) -> bool:
    """Return whether an IP address, and any IPv4 address embedded in it, is public.

    Raises:
        ValueError: not an IP address.
    """
    ip = ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(ip, IPv6Address):
        if any(not is_public(str(embedded)) for embedded in _embedded(ip)):
            return False
        if ip.ipv4_mapped is not None:
            return True
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _NOT_PUBLIC)


def _embedded(ip: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses in an IPv6 address."""
    last = IPv4Address(int(ip) & 0xFFFFFFFF)
    found = [address for address in (ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())) if address is not None]
    has_last = any(ip in network for network in _EMBEDDING) or int(ip) >> 32 & 0xFFFFFFFF in _ISATAP
    return [*found, last] if has_last else found
