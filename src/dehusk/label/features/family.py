"""What a feature module declares, and `FeatureSet`, which finds and computes features by name."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, unknown
from dehusk.blocks import Blocks

Column = npt.NDArray[np.float64] | npt.NDArray[np.bool_] | npt.NDArray[np.int32] | npt.NDArray[np.int64]
Columns = dict[str, Column]
"""Feature name -> one value per block, shape (b,)."""

LINE = "#line"
"""Stands among the tags of a split for the end of a line of preformatted text, where the thesis puts a `br`."""


@dataclass(frozen=True)
class Expressions:
    """The regular expressions of one `regexp.*` feature, tried in order."""

    patterns: tuple[re.Pattern[str], ...]
    needs: str = ""
    """Skip blocks that contain none of these characters; "" searches every block."""
    most: int = 0
    """Skip blocks with more characters than this; 0 searches every block."""


@dataclass(frozen=True)
class FeatureSettings:
    """Features that the user defines; a key is the part of the feature's name after the prefix."""

    containers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`container.KEY` -> the tags to look for above a block."""
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`split.KEY` -> the tags to count."""
    regexp: Mapping[str, Expressions] = field(default_factory=dict)
    """`regexp.KEY` -> the expressions to search for."""
    bullet: tuple[re.Pattern[str], ...] = ()
    """Patterns that mark a list item if a block starts with them."""
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`lexicon.KEY` and `nearby.KEY` -> the words to look for in class and id attributes."""
    language: str = ""
    """Code of the language whose abbreviations end no sentence; "" counts every stop."""


def settings_signature(settings: FeatureSettings) -> str:
    """Return feature settings as a canonical string, for the hash of a model."""
    regexp = {
        name: [[pattern.pattern for pattern in chosen.patterns], chosen.needs, chosen.most]
        for name, chosen in settings.regexp.items()
    }
    parts: dict[str, object] = {
        "containers": {name: list(tags) for name, tags in settings.containers.items()},
        "splits": {name: list(tags) for name, tags in settings.splits.items()},
        "regexp": regexp,
        "bullet": [pattern.pattern for pattern in settings.bullet],
        "lexicon": {name: list(words) for name, words in settings.classes.items()},
    }
    if settings.language:  # models without it keep their hash
        parts["language"] = settings.language
    return json.dumps(parts, ensure_ascii=True, separators=(",", ":"))


Compute = Callable[[Blocks, FeatureSettings], Columns]
"""Computes the columns of a family, shape (b,) each; called only for pages with blocks."""


@dataclass(frozen=True)
class Family:
    """Features that one function computes together."""

    compute: Compute
    doc: Mapping[str, str]
    """Feature name -> what its values mean. If the user defines the names, a single entry `prefix.*`."""
    keys: Callable[[FeatureSettings], Collection[str]] | None = None
    """Returns the names that the user defined, without the prefix; None if `doc` lists all names."""

    def names(self, settings: FeatureSettings) -> list[str]:
        """Return the names of the family's features under these settings."""
        if self.keys is None:
            return list(self.doc)
        return [entry.replace("*", key) for entry in self.doc for key in self.keys(settings)]


class FeatureModule(Protocol):
    """A module of `label/features/`."""

    @property
    def FAMILIES(self) -> tuple[Family, ...]:  # noqa: N802 (a constant of the module)
        """The families that the module declares."""
        ...


class FeatureSet:
    """All features of some modules.

    Args:
        *modules: the modules, in the order in which `doc` lists their features.

    Raises:
        ConfigError: two families declare the same feature.
    """

    def __init__(self, *modules: FeatureModule) -> None:
        self.families = tuple(family for module in modules for family in module.FAMILIES)
        self.doc: dict[str, str] = {}
        self._family_of: dict[str, Family] = {}
        for family in self.families:
            for name, text in family.doc.items():
                if name in self.doc:
                    raise ConfigError(f"feature {name!r} is declared twice")
                self.doc[name] = text
                self._family_of[name] = family
        self._functions = lru_cache(maxsize=64)(self._find_functions)

    def names(self, settings: FeatureSettings) -> list[str]:
        """Return the names of all features under these settings, in the order of `doc`."""
        return [name for family in self.families for name in family.names(settings)]

    def is_known(self, name: str, settings: FeatureSettings) -> bool:
        """Return whether a feature exists under these settings."""
        family = self.family_of(name)
        return family is not None and name in family.names(settings)

    def compute(self, blocks: Blocks, settings: FeatureSettings, names: Iterable[str]) -> Columns:
        """Compute features; only the families of the requested features are computed.

        Returns:
            Name -> column of shape (b,), in the order of `names`.

        Raises:
            ConfigError: no such feature under these settings.
            TypeError: `blocks` are not `Blocks`.
        """
        requested = tuple(names)
        columns = dict(self.each(blocks, settings, requested))
        return {name: columns[name] for name in requested}

    def each(self, blocks: Blocks, settings: FeatureSettings, names: Iterable[str]) -> Iterator[tuple[str, Column]]:
        """Yield the name and the column of each feature, family by family, so that not all are in memory at once.

        Raises: as `compute`.
        """
        if not isinstance(blocks, Blocks):
            received = type(blocks).__name__
            raise TypeError(f"features are computed from Blocks, which dehusk.segment() returns, not {received}")
        requested = tuple(names)
        missing = dict.fromkeys(requested)
        if not len(blocks):
            missing = {name: None for name in requested if not self.is_known(name, settings)}
            yield from ((name, np.zeros(0)) for name in requested if name not in missing)
        for function in self._functions(requested) if len(blocks) else ():
            for name, column in function(blocks, settings).items():
                if name in missing:
                    del missing[name]
                    yield name, column
        if missing:
            raise ConfigError(unknown("feature", next(iter(missing)), self.names(settings)))

    def family_of(self, name: str) -> Family | None:
        """Return the family that computes a feature, or would if the user defined its name."""
        return self._family_of.get(name) or self._family_of.get(f"{name.partition('.')[0]}.*")

    def _find_functions(self, names: tuple[str, ...]) -> tuple[Compute, ...]:
        """Return the functions that compute the named features, each once."""
        families = [family for name in names if (family := self.family_of(name)) is not None]
        return tuple(dict.fromkeys(family.compute for family in families))
