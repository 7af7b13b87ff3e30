"""A page's blocks in a hierarchy of units: lists, tables, listings, records, sections (docs/units.md).

`find_units` returns the hierarchy, `fields` the role of each block in records, and `decision_groups` the blocks that
must be kept or dropped together.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.blocks.units.decisions import decision_groups, fields, is_bound

if TYPE_CHECKING:
    from dehusk.blocks.units.hierarchy import UNIT_KINDS, Units, find_units

__all__ = ["UNIT_KINDS", "Units", "decision_groups", "fields", "find_units", "is_bound"]


def __getattr__(name: str) -> Any:
    """Import the hierarchy when something of it is asked for: plain text needs none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("dehusk.blocks.units.hierarchy"), name)
