"""How two results of the same function differ: arrays bit by bit, dataclasses field by field."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def difference(found: Any, expected: Any, tolerance: float = 0.0) -> str:
    """Return the first difference of two values in one line, "" if they are equal.

    Args:
        found: a value: arrays, numbers, strings, and tuples, lists, dicts and dataclasses of values.
        expected: the value that it should be equal to, of the same types.
        tolerance: how far floating-point numbers may be from each other; with 0, all bits are equal.
    """
    if found is expected:
        return ""
    if type(found) is not type(expected):
        return f"the type is {type(found).__name__}, not {type(expected).__name__}"
    if isinstance(expected, np.ndarray):
        return _of_arrays(found, expected, tolerance)
    if isinstance(expected, float):
        return _of_arrays(np.array([found]), np.array([expected]), tolerance)
    if parts := _parts(expected):
        return _of_parts(_parts(found), parts, tolerance)
    return "" if found == expected else f"{found!r:.100} is not {expected!r:.100}"


def _parts(value: Any) -> list[tuple[str, Any]]:
    """Return the parts of a value with their names, none for a simple value."""
    if isinstance(value, tuple | list):
        return [("length", len(value)), *((f"[{index}]", part) for index, part in enumerate(value))]
    if isinstance(value, Mapping):
        return [("keys", "".join(map(repr, value))), *((f"[{key!r}]", part) for key, part in value.items())]
    if is_dataclass(value):
        return [(f".{field.name}", getattr(value, field.name)) for field in fields(value) if field.compare]
    return []


def _of_parts(found: list[tuple[str, Any]], expected: list[tuple[str, Any]], tolerance: float) -> str:
    for (name, mine), (_, theirs) in zip(found, expected, strict=False):
        if why := difference(mine, theirs, tolerance):
            return f"{name} {why}" if why[0] not in ".[" else f"{name}{why}"
    return ""


def _of_arrays(found: Any, expected: Any, tolerance: float) -> str:
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        return f"is {found.dtype} {found.shape}, not {expected.dtype} {expected.shape}"
    if tolerance and expected.dtype.kind == "f":
        with np.errstate(invalid="ignore"):  # infinity minus infinity
            differs = ~(np.abs(found - expected) <= tolerance) & (found != expected)
    elif expected.dtype.hasobject:
        differs = found != expected
    else:  # equal bits: a sum in another order shows, and so does a zero with another sign
        bytes_each = [np.ascontiguousarray(array).reshape(-1, 1).view(np.uint8) for array in (found, expected)]
        differs = (bytes_each[0] != bytes_each[1]).any(axis=1).reshape(expected.shape)
    if not differs.any():
        return ""
    place = np.argwhere(differs)[0].tolist()
    index = tuple(place)
    return f"at {place} is {found[index]!r}, not {expected[index]!r} ({int(differs.sum())} of {differs.size} differ)"
