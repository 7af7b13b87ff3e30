"""Counts that a method declares: what it needs of a site's pages beyond what is counted of every site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy.typing as npt

from dehusk.base.errors import ConfigError, InputError, ModelError
from dehusk.counts.structure_counts import StructureCounts
from dehusk.read.page import Page

Arrays = Mapping[str, npt.NDArray[Any]]
_PREFIX = "own"
_MOST_PARTS = 256  # counts of single pages that are added up at once, so that the counts of many pages stay small


class DeclaredCounts(Protocol):
    """Counts of pages that add up: any order and any split of the pages gives the same arrays."""

    name: ClassVar[str]
    """Name in model folders: lower-case letters."""

    @classmethod
    def of(cls, pages: Iterable[Page]) -> Self:
        """Return the counts of some pages."""

    @classmethod
    def total(cls, parts: Sequence[Self]) -> Self:
        """Return the sum of one or more counts."""

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as named arrays."""

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """Return the counts that `arrays` returned as arrays; raises `ValueError` if they are not that."""


C = TypeVar("C", bound=DeclaredCounts)


class OwnCounts:
    """Counts of a site by their type; those of a stored site are read when they are asked for.

    Args:
        types: what to count; of a stored site, only what is stored, as other counts would be of new pages alone.
        stored: the arrays of a site, some of which are counts; None for a new site.
    """

    def __init__(self, types: Sequence[type[DeclaredCounts]] = (), stored: Arrays | None = None) -> None:
        self._stored = {name: array for name, array in (stored or {}).items() if name.startswith(f"{_PREFIX}_")}
        own = (kind for kind in types if kind is not StructureCounts)  # which `SiteCounts` has
        self.types = tuple(kind for kind in own if stored is None or self._has(kind))
        self._counted: dict[str, list[Any]] = {kind.name: [] for kind in self.types}
        self._totals: dict[str, Any] = {}  # what `find` returned, until more is counted

    def _has(self, kind: type[DeclaredCounts]) -> bool:
        return any(name.startswith(f"{_PREFIX}_{kind.name}_") for name in self._stored)

    def add(self, page: Page) -> None:
        """Count one more page.

        Raises:
            InputError: there are counts of other types, which would no longer be those of all pages.
        """
        self._check(self.types)
        for kind in self.types:
            self._put(kind, kind.of([page]))

    def _check(self, types: Sequence[type[DeclaredCounts]]) -> None:
        """Raise InputError if counts of other types are stored."""
        known = tuple(f"{_PREFIX}_{kind.name}_" for kind in types)
        if any(not name.startswith(known) for name in self._stored):
            raise InputError("the site has counts that a method declares: load it with Site.load(…, counts=…) to add")

    def put(self, counts: DeclaredCounts) -> None:
        """Add counts that are not of a page, or not of all that it has.

        Raises:
            ConfigError: the site does not count them.
        """
        for kind in self.types:
            if kind.name == counts.name:
                return self._put(kind, counts)
        raise ConfigError(f"the site has no counts {counts.name!r}: learn it with Site(counts=…)")

    def plus(self, counts: DeclaredCounts) -> OwnCounts:
        """Return these counts and more; raises as `put`."""
        more = copy(self)
        more._counted, more._totals = {name: [*parts] for name, parts in self._counted.items()}, dict(self._totals)
        more.put(counts)
        return more

    def _put(self, kind: type[DeclaredCounts], counts: DeclaredCounts) -> None:
        self._totals.pop(kind.name, None)
        parts = self._counted[kind.name]
        parts.append(counts)
        if len(parts) >= _MOST_PARTS:
            parts[:] = [kind.total(parts)]

    def find(self, kind: type[C]) -> C | None:
        """Return the counts of a type; None if the site was learned without them.

        Raises:
            ModelError: what is stored is damaged.
        """
        if kind.name not in self._totals:
            parts = [*self._read(kind), *self._counted.get(kind.name, ())]
            self._totals[kind.name] = kind.total(parts) if len(parts) > 1 else next(iter(parts), None)
        found: C | None = self._totals[kind.name]
        return found

    def get(self, kind: type[C]) -> C:
        """Return the counts of a type.

        Raises:
            ConfigError: the site was learned without them.
            ModelError: what is stored is damaged.
        """
        found = self.find(kind)
        if found is None:
            raise ConfigError(f"the site was learned without counts {kind.name!r}: learn it with Site(counts=…)")
        return found

    def _read(self, kind: type[C]) -> list[C]:
        prefix = f"{_PREFIX}_{kind.name}_"
        stored = {name.removeprefix(prefix): self._stored[name] for name in self._stored if name.startswith(prefix)}
        try:
            return [kind.from_arrays(stored)] if stored else []
        except ValueError as error:
            raise ModelError(f"counts {kind.name!r} of a site cannot be used: {error}") from error

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all counts as named arrays, which share no name with those of `SiteCounts`."""
        found = dict(self._stored)
        for kind in self.types:
            if self._counted[kind.name]:
                found |= {f"{_PREFIX}_{kind.name}_{name}": array for name, array in self.get(kind).arrays().items()}
        return found

    @classmethod
    def total(cls, types: Sequence[type[DeclaredCounts]], parts: Sequence[OwnCounts]) -> OwnCounts:
        """Return the sum of the counts of some types of the parts of a site; raises as `get` and `add`.

        A part without pages has no counts.
        """
        for part in parts:
            part._check(types)
        total = cls(types)
        for kind in total.types:
            empty = [part for part in parts if kind in part.types and part.find(kind) is None]
            total._counted[kind.name] = [part.get(kind) for part in parts if part not in empty]
        return total
