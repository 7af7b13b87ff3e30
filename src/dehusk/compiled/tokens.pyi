"""The typed face of `tokens.pyx`."""

from dehusk.write.kept_content import KeptContent
from dehusk.write.tokens import Token

def tokens_of(kept: KeptContent) -> list[Token]:
    """Return kept content as tokens, in document order; containers are balanced."""
