"""Class names and ids that name a post, a comment or the like."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dehusk.lazy import pattern
from dehusk.page import Bools

POST_WORDS = ("entry", "post", "comment", "answer", "reply", "message", "msg", "review", "topic", "response")
_POST = pattern(
    rf"(?:^|.*[-_ ])(?:hentry|{'|'.join(POST_WORDS)})"
    r"(?:[-_]+(?:item|box|wrapper|wrap|row|container|block|node|card))*[\W_]*$",
    re.IGNORECASE,
)


def are_posts(tokens: Sequence[str]) -> Bools:
    """Return which class tokens and ids name a post, a comment or the like, shape (k,)."""
    mask = np.zeros(len(tokens), dtype=np.bool_)
    text = "\n".join(tokens).lower()
    if not text.isascii():  # case folds
        mask[:] = list(map(names_post, tokens))
        return mask
    lowered = text.split("\n")
    for word in POST_WORDS:
        for index in [row for row, token in enumerate(lowered) if word in token] if word in text else ():
            mask[index] = names_post(tokens[index])
    return mask


@lru_cache(maxsize=10_000)  # pages of a site have the same names
def names_post(token: str) -> bool:
    """Return whether one class token or id names a post."""
    if token.isascii() and not any(map(token.lower().__contains__, POST_WORDS)):  # beyond ASCII, case folds
        return False
    return _POST.match(token) is not None
