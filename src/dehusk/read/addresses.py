r"""Addresses of links and images: resolved, safe, and written so that any format can contain them.

    >>> addresses = Addresses("https://example.org/a/b.html")
    >>> addresses.resolve("../c d.html#(1)")
    'https://example.org/c%20d.html#%281%29'
    >>> addresses.resolve("JaVa\nScript:alert(1)") is None
    True

Links are resolved as browsers do (WHATWG URL), with `urllib.parse.urljoin` for the path. Only http, https, ftp, mailto
and tel are returned. A result contains no space, quote, bracket, backslash, control character, half of a surrogate pair
or stray percent sign, so it needs neither `<…>` in Markdown nor more than `&amp;` in HTML; other characters outside
ASCII stay readable.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urljoin, urlsplit

from turbohtml.extract import normalize_url

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.compiled.text import resolve_all
from dehusk.read.page import Page

MAX_BASE = 2048
"""The longest address, in characters, that relative links are resolved against: every link repeats it."""
BASE_CHARS, BASE_SHARE = 100_000, 4
"""If the links and images of a page would repeat the base in more than `BASE_CHARS` characters and `BASE_SHARE` times
its source, they stay relative, so that the output is no larger than a small multiple of the page."""

_LINKED = numbers("a img")
SAFE_SCHEMES = frozenset({"http", "https", "ftp", "mailto", "tel"})
"""What a link may begin with."""
_SCHEME = pattern(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_WEB = pattern(r"(https?|ftp):(/*)", re.IGNORECASE)
_ENDS = "".join(map(chr, range(0x21)))  # what browsers strip from both ends of an address
_REMOVED = str.maketrans("", "", "\t\n\r\f")
_INVISIBLE = pattern("[\x00-\x20\x7f-\xa0\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_TRICK = pattern(r"(?:javascript|livescript|vbscript|data|view-source|blob|file):", re.IGNORECASE)
_SURROGATE = pattern("[\ud800-\udfff]")
_ENCODED = pattern(
    r"""[\x00-\x20"'()<>\[\]\\^`{|}\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"""
    r"\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]+|%(?![0-9a-fA-F]{2})"
)
_HOST = pattern(r"(?:https?|ftp)://[^/?#]*")
_PLAIN_PART = r"(?:[A-Za-z0-9_/.~!$&*+,:=@-]++|%[0-9A-Fa-f]{2})"
_QUERY_AND_PLACE = rf"(?>(?:\?{_PLAIN_PART}+)?)(?>(?:\#{_PLAIN_PART}+)?)"
_PLAIN_PATH = rf"/(?>{_PLAIN_PART}*){_QUERY_AND_PLACE}"
_PLAIN = pattern(rf"https?://[A-Za-z0-9][A-Za-z0-9.-]*+(?>(?:{_PLAIN_PATH})?)")
"""Addresses that resolving leaves as they are."""
_ROOTED = pattern(rf"(?!//){_PLAIN_PATH}")
"""Addresses that resolving puts behind the host of the base, unless they have dots for a path."""
_NAME = pattern(rf"\#(?>{_PLAIN_PART}+)")
_RELATIVE = pattern(rf"[A-Za-z0-9_/.~!$&*+,=@-]++{_QUERY_AND_PLACE}")
"""Addresses that resolving without a base leaves as they are, unless they start with `//`: they name no scheme."""
_ABOVE = pattern(r"\./|(?:\.\./)+")
_MAX_PLAIN = 2000  # characters
_CONTENT_PARAMETERS = frozenset({"campaign", "cid", "medium", "ref", "referrer", "session", "source"})
"""Parameters that turbohtml takes for trackers, although they often choose what the page shows."""


@dataclass(frozen=True)
class Addresses:
    """Resolves the addresses on one page."""

    base: str = ""
    """The absolute address that relative links are resolved against; "" if unknown: relative links stay relative."""
    page: str = ""
    """The page's own address, without fragment; "" if unknown."""
    is_cut: bool = False
    """Whether the base is left out because the links would repeat it too often (`BASE_CHARS`)."""

    @classmethod
    def of(cls, page: Page) -> "Addresses":
        """Return the addresses of a page.

        The page's address is `page.url`, else the canonical address that the page declares (`<link rel=canonical>`,
        `og:url`). A base element, if there is one, is resolved against it and replaces it as the base of links. If the
        links would repeat the base too often (`BASE_CHARS`), there is no base.
        """
        return _addresses_of(page)

    def resolve(self, address: str) -> str | None:
        """Return an address as a safe URL, absolute if the base is known.

        None for an address that is empty, is not valid, or has another scheme than http, https, ftp, mailto and tel,
        however that is spelt.
        """
        if len(address) <= _MAX_PLAIN and (plain := self._plain(address)):
            return plain
        if address.startswith("data:"):
            return None
        trimmed = _trimmed(address)
        if not trimmed or _is_trick(trimmed):
            return None
        scheme = _SCHEME.match(trimmed)
        if scheme is None or _WEB.match(trimmed):
            trimmed = _with_slashes(trimmed, self.base)
            joined = _join(self.base, trimmed)
            return _encoded(joined) if joined and _is_valid(joined) else None
        return _encoded(trimmed) if scheme[1].lower() in SAFE_SCHEMES and scheme.end() < len(trimmed) else None

    def _plain(self, address: str) -> str | None:
        """Return an address resolved if nothing in it needs a closer look, as in most links; otherwise None."""
        root = self._root
        if root is None or address[:4] == "http":
            return address if _PLAIN.fullmatch(address) else None
        if address[:1] == "#":
            return self.base.partition("#")[0] + address if _NAME.fullmatch(address) else None
        if address[:2] == "//":
            whole = f"{root.partition(':')[0]}:{address}"  # no match without a root
            return whole if _PLAIN.fullmatch(whole) else None
        if address[:1] == "/":
            return root + address if "/." not in address and _ROOTED.fullmatch(address) else None
        return self._beside(address) if root else address if _RELATIVE.fullmatch(address) else None

    def _beside(self, address: str) -> str | None:
        """Return a relative address resolved against `_folder` if it needs no closer look; otherwise None."""
        folder, above = self._folder, _ABOVE.match(address) if address[:1] == "." else None
        if above:
            address = address[above.end() :]
            if folder and above[0] != "./":
                names = folder.split("/")[3:-1]  # after scheme and host
                names = names[: max(0, len(names) - len(above[0]) // 3)]
                folder = "/".join([self._root or "", *names, ""])
        if not folder or address[:1] in (".", "/") or "/." in address or "//" in address:
            return None
        return folder + address if _RELATIVE.fullmatch(address) else None

    @cached_property
    def _root(self) -> str | None:
        """Scheme and host of the base, "" without a base; None if they need a closer look."""
        host = _HOST.match(self.base) if _PLAIN.fullmatch(self.base) else None
        return host[0] if host else None if self.base else ""

    @cached_property
    def _folder(self) -> str:
        """The base up to the last slash of its path, if `_root` is known; "" if its path needs a closer look."""
        root = self._root or ""
        path = self.base.partition("#")[0].partition("?")[0][len(root) :]
        return "" if "//" in path or "/." in path else root + (path[: path.rfind("/") + 1] or "/")

    def resolve_all(self, addresses: Sequence[str | None]) -> list[str | None]:
        """Return several addresses as `resolve` does each; None for those that are missing."""
        return resolve_all(self, addresses)

    def target(self, address: str) -> str | None:
        """Return the id of the element of this page that a link leads to; None if the link leads elsewhere.

        The id is percent-decoded. A link may name the page's own address before the `#`.
        """
        before, mark, name = _trimmed(address).partition("#")
        if not mark or not name:
            return None
        if before:
            if not self.page and not self.base:
                return None
            joined = self.resolve(before)
            if joined is None or joined not in {self.page, self.base.partition("#")[0]}:
                return None
        return unquote(name, errors="replace")


@cached_per_object
def _addresses_of(page: Page) -> Addresses:
    own = _absolute(page.url) or next(filter(None, map(_absolute, _canonical(page))), "")
    base = _absolute(_join(own, _trimmed(page.meta.base or "")) or "") if page.meta.base else ""
    most = max(BASE_CHARS, BASE_SHARE * len(page.elements.text))
    size = len(base or own)
    if size * len(page) > most and size * len(page.nodes_of(_LINKED)) > most:
        return Addresses("", own.partition("#")[0], is_cut=True)
    return Addresses(base or own, own.partition("#")[0])


def address_of(page: Page) -> str | None:
    """Return the address of a page: the one that was given, else the one that it declares; None without either."""
    return page.url or Addresses.of(page).page or None


def without_tracking(address: str) -> str:
    """Return an address without its tracking parameters (`utm_…`, `fbclid`, `gclid`, `mc_cid` and the like).

    turbohtml's table decides which parameters track. The order and spelling of the others stay, and so does the rest of
    the address.
    """
    before, mark, query = address.partition("?")
    if not mark or not _WEB.match(address):
        return address
    query, hash_sign, fragment = query.partition("#")
    kept = [parameter for parameter in query.split("&") if not _tracks(parameter)]
    return before + ("?" + "&".join(kept) if any(kept) else "") + hash_sign + fragment


def _tracks(parameter: str) -> bool:
    name = parameter.partition("=")[0]
    if not name or len(name) > 100 or name.lower() in _CONTENT_PARAMETERS:
        return False
    return "?" not in normalize_url(f"http://x.org/?{name}=1")


def _canonical(page: Page) -> Iterator[str]:
    for address in (page.meta.canonical, next(page.meta.values("og:url"), None)):
        trimmed = _trimmed(address or "")
        yield f"https:{trimmed}" if trimmed.startswith("//") else trimmed


def _absolute(address: str | None) -> str:
    """Return an address if it can be a base, otherwise ""."""
    if address and len(address) <= _MAX_PLAIN and _PLAIN.fullmatch(address):
        return address
    trimmed = _trimmed(address or "")
    if not _WEB.match(trimmed):
        return ""
    trimmed = _with_slashes(trimmed, "")
    return _encoded(trimmed) if len(trimmed) <= MAX_BASE and _is_valid(trimmed) else ""


def _trimmed(address: str) -> str:
    """Return an address as browsers read it, with U+FFFD for halves of surrogate pairs."""
    trimmed = address.strip(_ENDS).strip().translate(_REMOVED)
    return _SURROGATE.sub("\ufffd", trimmed)


def _is_trick(trimmed: str) -> bool:
    """Return whether an address runs a script or contains data, also if its scheme is encoded or broken up."""
    start = _INVISIBLE.sub("", unquote(trimmed[:1000], errors="replace").replace("\ufffd", ""))
    return _TRICK.match(start) is not None


def _with_slashes(trimmed: str, base: str) -> str:
    """Return a web address as browsers read it: slashes for backslashes, its scheme in lower case with two slashes."""
    end = min(filter(lambda index: index >= 0, (trimmed.find("?"), trimmed.find("#"), len(trimmed))))
    trimmed = trimmed[:end].replace("\\", "/") + trimmed[end:]
    match = _WEB.match(trimmed)
    if match is None:
        return trimmed
    scheme, rest = match[1].lower(), trimmed[match.end() :]
    if len(match[2]) < 2 and base.startswith(f"{scheme}:"):
        return match[2] + rest  # relative, although it names the scheme
    return f"{scheme}://{rest}"


def _join(base: str, address: str) -> str | None:
    try:
        return urljoin(base, address) if base else address
    except ValueError:
        return None


def _is_valid(address: str) -> bool:
    """Return whether an address is relative, or has a host and a valid port."""
    try:
        parts = urlsplit(address)
        needs_host = bool(parts.scheme) or address.startswith("//")
        return not needs_host or (bool(parts.hostname) and (parts.port is None or parts.port >= 0))
    except ValueError:
        return False


def _encoded(address: str) -> str:
    """Return an address with everything percent-encoded that is not allowed in a URL or means something in Markdown."""
    host = _HOST.match(address)
    start = host.end() if host and "[" in host[0] else 0  # the brackets of an IPv6 address stay
    return address[:start] + _ENCODED.sub(_encode, address[start:])


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
