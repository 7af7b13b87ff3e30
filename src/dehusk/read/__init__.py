"""Pages come in: bytes become text, text becomes a `Page`."""

from dehusk.read.decoding import Decoded, decode
from dehusk.read.limits import Limits
from dehusk.read.parsing import parse

__all__ = ["Decoded", "Limits", "decode", "parse"]
