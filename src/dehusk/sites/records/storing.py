"""Wrappers as model folders: JSON for columns, arrays for keys."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk import blocks
from dehusk.about import dates
from dehusk.about.dates import attributes, months, orders, texts
from dehusk.about.metadata import linked_data
from dehusk.about.posts import authors, bodies, depths, extents, finding, kinds, marks, openings, permalinks, profiles
from dehusk.base import hashing, tags
from dehusk.base.errors import ModelError
from dehusk.base.lazy import LatePattern
from dehusk.base.store import feature_hash, load_model, reading, save_model
from dehusk.base.version import __version__
from dehusk.blocks import post_profiles
from dehusk.blocks.units import hierarchy
from dehusk.counts import display, templates
from dehusk.counts.templates import PathShares
from dehusk.read.names import NameWords
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
    value_types,
)
from dehusk.sites.records.channels import CHANNELS
from dehusk.sites.records.columns import Reading, RecordColumn
from dehusk.sites.records.fitting import Channel, Learned
from dehusk.sites.records.layout import Layout, Omitted
from dehusk.sites.records.learning import ROWS
from dehusk.sites.records.lexicon import Lexicon
from dehusk.sites.records.record_units import RowPlan
from dehusk.sites.records.template import PageTemplate
from dehusk.sites.records.value_types import ColumnType

# ---------------------------------------------------------------- reading rules
# The hash of what reading a page depends on: words, patterns and numbers of the modules that find and read values.
#
# Places of columns are keys of paths, labels and texts. If a pattern changes, a stored key or type no longer means the
# same, so a model is only used with the rules that it was learned with.

_MODULES = (
    *(hashing, tags, linked_data, display, hierarchy, post_profiles),
    *(attributes, months, orders, texts),
    *(authors, bodies, depths, extents, finding, kinds, marks, openings, permalinks, profiles),
    *(amounts, channels, columns, layout, lexicon, paths, pieces, record_units, runs, templates, value_types),
)


@cache
def rules_hash() -> str:
    """Return the hash of the rules."""
    tables = [resources.files(dates).joinpath("months.toml"), *resources.files(blocks).joinpath("engines").iterdir()]
    names = [table.read_text("utf-8") for table in sorted(tables, key=lambda table: table.name)]
    return feature_hash([*names, *(line for module in _MODULES for line in constants(module))])


def constants(module: ModuleType) -> Iterator[str]:
    """Yield the constants of a module, one line each, by name."""
    for name, value in sorted(vars(module).items()):
        if name.isupper() and not isinstance(value, type):
            yield f"{module.__name__}.{name} {_written(value)}"


def _written(value: object) -> str:
    """Return a constant as text, the same in every run.

    Raises:
        TypeError: its text would be its place in memory.
    """
    value = vars(value) if isinstance(value, NameWords) else value
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
    if " at 0x" in (text := repr(value)) and not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} has no text that is the same in every run")
    return text


# ---------------------------------------------------------------- storing

CARD = "wrapper"
"""What the card of a wrapper names as its method."""

FORMAT = 1
"""Version of the keys and columns; a model of another version is refused."""

Arrays = Mapping[str, npt.NDArray[Any]]


def save_templates(folder: Path, templates: Sequence[PageTemplate], rows: str, warnings: Sequence[str]) -> None:
    """Write templates as a model folder.

    Raises:
        ModelError: the folder cannot be written.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    for number, template in enumerate(templates):
        arrays |= {f"{number}_paths": template.shares.keys, f"{number}_shares": template.shares.share}
        for channel, name in zip(template.learned.channels, CHANNELS, strict=True):
            columns = {
                "template": channel.lexicon.template,
                "labels": channel.lexicon.labels,
                "running": channel.lexicon.running,
                "by_heading": channel.layout.by_heading,
                "by_order": channel.layout.by_order,
                "places": channel.layout.places,
                "many": channel.layout.many,
            }
            arrays |= {f"{number}_{name}_{column}": values for column, values in columns.items()}
    card = {
        "method": CARD,
        "version": FORMAT,
        "dehusk": __version__,
        "rules": rules_hash(),
        "rows": rows,
        "warnings": list(warnings),
        "templates": [_described(template) for template in templates],
    }
    save_model(folder, card, arrays)


def _described(template: PageTemplate) -> dict[str, Any]:
    return {
        "name": template.name,
        "plan": asdict(template.plan),
        "pages": template.pages,
        "rest": template.is_rest,
        "records": template.learned.records,
        "omitted": asdict(template.learned.omitted),
        "fixed": [asdict(column) for column in template.fixed],
        "columns": [asdict(column) for column in template.learned.columns],
    }


def load_templates(folder: Path) -> tuple[tuple[PageTemplate, ...], str, tuple[str, ...]]:
    """Read templates, what their rows are to be, and warnings, from a model folder.

    Raises:
        ModelError: the folder is missing, damaged, of another version, or not of a wrapper.
    """
    card, arrays = load_model(folder, CARD)
    if card.get("version") != FORMAT:
        raise ModelError(f"model {folder} is of version {card.get('version')}, not {FORMAT}: learn it again")
    if card.get("rules") != rules_hash():
        raise ModelError(f"model {folder} depends on other words or patterns than this dehusk has: learn it again")
    with reading(folder):
        templates = tuple(_template(stored, arrays, number) for number, stored in enumerate(card["templates"]))
        rows = str(card["rows"])
        if rows not in ROWS:
            raise ValueError(f"unknown rows {rows!r}")
        return templates, rows, tuple(map(str, card["warnings"]))


def _template(stored: Mapping[str, Any], arrays: Arrays, number: int) -> PageTemplate:
    def keys(name: str) -> npt.NDArray[np.uint64]:
        return np.asarray(arrays[f"{number}_{name}"], dtype=np.uint64)

    def channel(name: str) -> Channel:
        lexicon = Lexicon(keys(f"{name}_template"), keys(f"{name}_labels"), keys(f"{name}_running"))
        many = np.asarray(arrays[f"{number}_{name}_many"], dtype=np.bool_)
        return Channel(
            lexicon, Layout(keys(f"{name}_by_heading"), keys(f"{name}_by_order"), keys(f"{name}_places"), many)
        )

    columns = tuple(_column(column) for column in stored["columns"])
    learned = Learned(tuple(map(channel, CHANNELS)), columns, int(stored["records"]), Omitted(**stored["omitted"]))
    return PageTemplate(
        name=str(stored["name"]),
        plan=RowPlan(stored["plan"]["kind"], tuple(map(int, stored["plan"]["lists"]))),
        shares=PathShares(keys("paths"), np.asarray(arrays[f"{number}_shares"], dtype=np.float64)),
        learned=learned,
        fixed=tuple(_column(column) for column in stored["fixed"]),
        pages=int(stored["pages"]),
        is_rest=bool(stored["rest"]),
    )


def _column(stored: Mapping[str, Any]) -> RecordColumn:
    readings = tuple(Reading(**{**each, "types": tuple(each["types"])}) for each in stored["readings"])
    return RecordColumn(**{**stored, "type": ColumnType(**stored["type"]), "readings": readings})
