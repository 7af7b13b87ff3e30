"""What the searches of `dehusk.compiled.text` find in sources and in texts."""

import re
from collections.abc import Sequence

from dehusk.read.signs import CONCEALING

MOST, SCRIPTS, PRICES = 32_000, 50, 1_000


def signs_in(source: str) -> tuple[tuple[str, ...], bool, tuple[str, ...], bool, bool, tuple[int, ...], bool, bool]:
    """Return style sheets that may conceal text, whether MathJax's type is named, linked data, signs of a shop, prices.

    The last two are whether the roles of a heading and of the header of a column are named.

    Only the first characters of all sheets together are read, and the first scripts; each may end with the source.
    """
    sheets, left = [], MOST
    for match in re.finditer(r"<style[^>]*>(.*?)(?=</style|\Z)", source, re.DOTALL):
        sheet = match[1][:left]
        left -= len(sheet)
        if any(sign in sheet for sign in CONCEALING):
            sheets.append(sheet)
    scripts = re.findall(r"application/ld\+json[^>]*>(.*?)(?=</script|\Z)", source, re.DOTALL)[:SCRIPTS]
    sells = re.search(r"[Aa]dd[-_]?[Tt]o[-_]?[Cc]art|schema\.org/Product", source) is not None
    prices = [match.start() for match in re.finditer('itemprop=(?="price"|price)', source)][:PRICES]
    formulas, cooks = "math/tex" in source or "math/TeX" in source, "schema.org/Recipe" in source
    heads, columns = (re.search(f"role=[\"']?{role}", source) is not None for role in ("heading", "columnheader"))
    return tuple(sheets), formulas, tuple(scripts), sells, cooks, tuple(prices), heads, columns


def with_words(texts: list[str], words: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return (phrase, text) where a text has one of the words of a phrase, ascending."""
    return [
        (phrase, text)
        for phrase, its_words in enumerate(words)
        for text, content in enumerate(texts)
        if any(word in content for word in its_words)
    ]
