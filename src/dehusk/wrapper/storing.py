"""Wrappers as model folders: JSON for columns, arrays for keys."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.errors import ModelError
from dehusk.store import load_model, save_model
from dehusk.version import __version__
from dehusk.wrapper.columns import Reading, RecordColumn
from dehusk.wrapper.fitting import Learned
from dehusk.wrapper.layout import Layout, Omitted
from dehusk.wrapper.lexicon import Lexicon
from dehusk.wrapper.record_units import RowPlan
from dehusk.wrapper.template import PageTemplate
from dehusk.wrapper.templates import PathShares
from dehusk.wrapper.value_types import ColumnType

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
        learned = template.learned
        columns = {
            "template": learned.lexicon.template,
            "labels": learned.lexicon.labels,
            "running": learned.lexicon.running,
            "by_heading": learned.layout.by_heading,
            "by_order": learned.layout.by_order,
            "places": learned.layout.places,
            "many": learned.layout.many,
            "paths": template.shares.keys,
            "shares": template.shares.share,
        }
        arrays |= {f"{number}_{name}": column for name, column in columns.items()}
    card = {
        "method": CARD,
        "version": FORMAT,
        "dehusk": __version__,
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
    try:
        templates = tuple(_template(stored, arrays, number) for number, stored in enumerate(card["templates"]))
        return templates, str(card["rows"]), tuple(map(str, card["warnings"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(
            f"model {folder} is damaged: {' '.join(str(error).split()) or type(error).__name__}"
        ) from error


def _template(stored: Mapping[str, Any], arrays: Arrays, number: int) -> PageTemplate:
    def keys(name: str) -> npt.NDArray[np.uint64]:
        return np.asarray(arrays[f"{number}_{name}"], dtype=np.uint64)

    lexicon = Lexicon(keys("template"), keys("labels"), keys("running"))
    many = np.asarray(arrays[f"{number}_many"], dtype=np.bool_)
    layout = Layout(keys("by_heading"), keys("by_order"), keys("places"), many)
    columns = tuple(_column(column) for column in stored["columns"])
    learned = Learned(lexicon, layout, columns, int(stored["records"]), Omitted(**stored["omitted"]))
    return PageTemplate(
        name=str(stored["name"]),
        plan=RowPlan(stored["plan"]["kind"], tuple(map(int, stored["plan"]["lists"]))),
        shares=PathShares(keys("paths"), np.asarray(arrays[f"{number}_shares"], dtype=np.float64)),
        learned=learned,
        fixed=tuple(_column(column) for column in stored["fixed"]),
        pages=int(stored["pages"]),
    )


def _column(stored: Mapping[str, Any]) -> RecordColumn:
    readings = tuple(Reading(**{**each, "types": tuple(each["types"])}) for each in stored["readings"])
    return RecordColumn(**{**stored, "type": ColumnType(**stored["type"]), "readings": readings})
