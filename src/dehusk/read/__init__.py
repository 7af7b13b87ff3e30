"""Pages come in: bytes become text, text becomes a `Page`."""

from dehusk.read.decode import Decoded, decode
from dehusk.read.html import parse
from dehusk.read.limits import Limits

__all__ = ["Decoded", "Limits", "decode", "parse"]
