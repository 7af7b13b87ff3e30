"""E-mail addresses that Cloudflare hides from machines: `[email protected]`, with the address in an attribute.

>>> decoded_email("4c2d22220c38292d6229342d213c2029")
'ann@tea.example'
"""

from contextlib import suppress

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import numbers
from dehusk.read.names import NameWords
from dehusk.read.page import Page

HIDING = "/cdn-cgi/l/email-protection"
"""The address of a link to such an e-mail address, before `#` and its code."""
_MARK, _CLASS = "data-cfemail", NameWords("__cf_email__")
_ELEMENTS = numbers("a span")
_LONGEST = 400  # characters of a code; an address has 254 bytes at most


@cached_per_object
def hidden_emails(page: Page) -> dict[int, str]:
    """Return text node -> the address that stands for its text."""
    if not page.classes.having(_CLASS):
        return {}
    nodes, found = page.nodes_of(_ELEMENTS), dict[int, str]()
    for node, code in zip(nodes.tolist(), page.elements.values(nodes, _MARK), strict=True):
        if code and (address := decoded_email(code)):
            texts = [text for text in range(node + 1, int(page.end[node])) if page.is_text[text]]
            found |= dict.fromkeys(texts, "")
            found |= dict.fromkeys(texts[:1], address)
    return found


def decoded_email(code: str) -> str:
    """Return the address of a code, "" if it is none: bytes in hexadecimal, each but the first xored with the first."""
    with suppress(ValueError):  # no hexadecimal digits, or no UTF-8
        key, *rest = bytes.fromhex(code[:_LONGEST])
        return bytes(byte ^ key for byte in rest).decode()
    return ""
