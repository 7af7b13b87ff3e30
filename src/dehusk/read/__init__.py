"""Read pages: find them, decode their bytes, parse them into a `Page`."""

from dehusk.read.decoding import Decoded, decode
from dehusk.read.limits import Limits
from dehusk.read.parsing import parse

__all__ = ["Decoded", "Limits", "decode", "parse"]
