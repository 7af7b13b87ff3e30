"""A page's blocks in a hierarchy of units: lists, tables, listings, records, sections (docs/units.md).

`find_units` returns the hierarchy, `fields` the role of each block in records, and `decision_groups` the blocks that
must be kept or dropped together.
"""

from dehusk.units.decisions import decision_groups, fields, is_bound
from dehusk.units.hierarchy import UNIT_KINDS, Units, find_units

__all__ = ["UNIT_KINDS", "Units", "decision_groups", "fields", "find_units", "is_bound"]
