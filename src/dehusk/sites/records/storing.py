"""Wrappers as model folders: JSON for columns, arrays for keys."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ModelError
from dehusk.base.store import load_model, reading, save_model
from dehusk.base.version import __version__
from dehusk.sites.records.channels import CHANNELS
from dehusk.sites.records.columns import Reading, RecordColumn
from dehusk.sites.records.fitting import Channel, Learned
from dehusk.sites.records.layout import Layout, Omitted
from dehusk.sites.records.lexicon import Lexicon
from dehusk.sites.records.reading_rules import rules_hash
from dehusk.sites.records.record_units import RowPlan
from dehusk.sites.records.template import PageTemplate
from dehusk.sites.records.templates import PathShares
from dehusk.sites.records.value_types import ColumnType

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
        return templates, str(card["rows"]), tuple(map(str, card["warnings"]))


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
