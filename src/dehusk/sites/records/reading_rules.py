"""The hash of what reading a page depends on: words, patterns and numbers of the modules that find and read values.

Places of columns are keys of paths, labels and texts. If a pattern changes, a stored key or type no longer means the
same, so a model is only used with the rules that it was learned with.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from types import ModuleType

import numpy as np

from dehusk.about import dates
from dehusk.about.dates import attributes, months, orders, texts
from dehusk.about.metadata import linked_data
from dehusk.about.posts import authors, bodies, depths, extents, finding, kinds, marks, openings, permalinks
from dehusk.base import hashing, tags
from dehusk.base.lazy import LatePattern
from dehusk.base.store import feature_hash
from dehusk.blocks.units import hierarchy
from dehusk.counts import display
from dehusk.sites.records import (
    amounts,
    channels,
    columns,
    layout,
    lexicon,
    paths,
    pieces,
    record_units,
    runs,
    templates,
    value_types,
)

_MODULES = (
    *(hashing, tags, linked_data, display, hierarchy),
    *(attributes, months, orders, texts),
    *(authors, bodies, depths, extents, finding, kinds, marks, openings, permalinks),
    *(amounts, channels, columns, layout, lexicon, paths, pieces, record_units, runs, templates, value_types),
)


@cache
def rules_hash() -> str:
    """Return the hash of the rules."""
    names = resources.files(dates).joinpath("months.toml").read_text("utf-8")
    return feature_hash([names, *(line for module in _MODULES for line in constants(module))])


def constants(module: ModuleType) -> Iterator[str]:
    """Yield the constants of a module, one line each, by name."""
    for name, value in sorted(vars(module).items()):
        if name.isupper() and not isinstance(value, type):
            yield f"{module.__name__}.{name} {_written(value)}"


def _written(value: object) -> str:
    """Return a constant as text, the same in every run."""
    if isinstance(value, re.Pattern | LatePattern):
        return f"{value.pattern!r} {value.flags}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str} {value.tolist()}"
    if isinstance(value, frozenset | set):
        return str(sorted(map(_written, value)))
    if isinstance(value, dict):
        return str([(_written(key), _written(inner)) for key, inner in value.items()])
    if isinstance(value, tuple | list):
        return str(list(map(_written, value)))
    return repr(value)
