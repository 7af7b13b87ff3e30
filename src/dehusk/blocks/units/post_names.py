"""Class names and ids that name a post, a comment or the like."""

import re
from functools import lru_cache

from dehusk.base.lazy import pattern

POST_WORDS = ("entry", "post", "comment", "answer", "reply", "message", "msg", "review", "topic", "response")
_POST = pattern(
    rf"(?:^|.*[-_ ])(?:hentry|{'|'.join(POST_WORDS)})"
    r"(?:[-_]+(?:item|box|wrapper|wrap|row|container|block|node|card))*[\W_]*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)  # pages of a site have the same names
def names_post(token: str) -> bool:
    """Return whether one class token or id names a post."""
    if token.isascii() and not any(map(token.lower().__contains__, POST_WORDS)):  # beyond ASCII, case folds
        return False
    return _POST.match(token) is not None
