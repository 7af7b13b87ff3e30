"""Features of blocks: named columns, one family a module.

`compute` asks only the families whose features are wanted; a family is a function from blocks and settings to
columns of shape (b,).
"""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features import (
    candidates,
    duplicates,
    groups,
    holders,
    kind,
    lexicon,
    links,
    main,
    markup,
    near,
    paths,
    patterns,
    text,
)
from dehusk.features.settings import Columns, Expressions, FeatureSettings

__all__ = ["DOC", "Columns", "Expressions", "FeatureSettings", "compute", "known"]

Family = Callable[[Blocks, FeatureSettings], Columns]

_FAMILIES: dict[str, Family] = {
    "container.*": markup.containers,
    "split.*": markup.splits,
    "char.*": text.characters,
    "token.*": text.tokens,
    "word-ratio": text.tokens,
    "sentence-end": text.endings,
    "sentence*": text.sentences,
    "document.sentence-count": text.sentences,
    "duplicate-count": duplicates.duplicates,
    "first-duplicate": duplicates.duplicates,
    "regexp.*": patterns.expressions,
    "bullet": patterns.bullets,
    "*-group*": groups.groups,
    "position": groups.document,
    "document.*": groups.document,
    "link.*": links.links,
    "block.*": links.links,
    "title.*": links.title,
    "path.*": paths.paths,
    "main.*": main.main,
    "nearby.*": lexicon.nearby,
    "lexicon.*": lexicon.lexicon,
    "holder.*": holders.holders,
    "near.*": near.near,
    "section.*": near.near,
    "candidate.*": candidates.candidates,
    "page.*": kind.kind,
}
"""Pattern of feature names -> the family that computes them; the first that matches counts."""

DOC: dict[str, str] = {
    name: text
    for module in (
        markup,
        text,
        duplicates,
        patterns,
        groups,
        links,
        paths,
        main,
        lexicon,
        holders,
        near,
        candidates,
        kind,
    )
    for name, text in module.DOC.items()
}
"""Feature name, or a pattern where names are configured -> what it says; the order is the thesis's, then ours."""


def known(name: str, settings: FeatureSettings) -> bool:
    """Return whether a feature can be computed under these settings."""
    tail = name.partition(".")[2]
    configured = {
        "container": settings.containers,
        "split": settings.splits,
        "regexp": settings.regexp,
        "lexicon": settings.classes,
        "nearby": settings.classes,
    }
    kind = name.partition(".")[0]
    return tail in configured[kind] if kind in configured else name in DOC


def compute(blocks: Blocks, settings: FeatureSettings, names: Iterable[str]) -> Columns:
    """Compute the named features.

    Returns:
        Name -> column of shape (b,), in the order of `names`.

    Raises:
        KeyError: a name that `known` does not know.
    """
    wanted = list(names)
    if not len(blocks):
        for name in wanted:
            if not known(name, settings):
                raise KeyError(name)
        return {name: np.zeros(0) for name in wanted}
    found: Columns = {}
    for family in _families(tuple(wanted)):
        found |= family(blocks, settings)
    return {name: found[name] for name in wanted}


@lru_cache(maxsize=64)
def _families(names: tuple[str, ...]) -> tuple[Family, ...]:
    """Return the families of features, each once."""
    return tuple(dict.fromkeys(map(_family, names)))


def _family(name: str) -> Family:
    for pattern, family in _FAMILIES.items():
        if fnmatchcase(name, pattern):
            return family
    raise KeyError(name)
