"""By what a row of the table of pages was made: the method, its model, and the rules that apply to the page's host."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from dehusk.base.errors import DehuskError, InputError
from dehusk.label.registry import DEFAULT
from dehusk.label.rules import Rules
from dehusk.studio.model_list import default_settings
from dehusk.studio.project import DATABASE, RULES, Project
from dehusk.studio.rule_editing import rules_text

_ROWS = "with unsure units"  # what rows have that those of an earlier dehusk lack: they are out of date


@dataclass(frozen=True)
class Making:
    """How the rows of the table are made; workers receive it."""

    method: str = DEFAULT
    model: str | None = None
    rules: str = ""
    """Text of the rules file."""
    problem: str = field(default="", compare=False)
    """Why the rules file is not applied; "" if it is."""

    def parsed_rules(self) -> Rules | None:
        """Return the rules; None if there are none."""
        return _parsed(self.rules) if self.rules else None

    def key(self, host: str) -> str:
        """Return what identifies how pages of a host are made; a rule for other hosts does not change it."""
        rules = self.parsed_rules()
        applied = [] if rules is None else [str(rule) for rule in rules.for_host(host)]
        parts = [_ROWS, self.method, Path(self.model).name if self.model else "", *applied]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


USUAL = Making()
"""The default method, without rules."""


def making_of(project: Project) -> Making:
    """Return how a project makes its rows now: by its default model, and by its rules if these are valid."""
    settings = default_settings(project)
    try:
        text = rules_text(project)
        _parsed(text)
    except DehuskError as error:
        return Making(settings.method, settings.model, problem=f"the rules are not applied: {error}")
    return Making(settings.method, settings.model, text if text.strip() else "")


def made_by(folder: Path) -> Making:
    """Return how the project in a folder makes its rows now.

    Raises:
        InputError: the folder contains no project, or one that cannot be read.
    """
    if not (folder / DATABASE).is_file():
        raise InputError(f"{folder} is no project of dehusk studio: it has no {DATABASE}")
    with closing(Project(folder)) as project:
        return making_of(project)


@lru_cache(maxsize=4)
def _parsed(text: str) -> Rules:
    return Rules.parse(text, RULES)


def count_outdated(project: Project) -> int:
    """Return how many pages have a row that was made otherwise than it would be now."""
    making = making_of(project)
    known: dict[str, str] = {}
    counts: Counter[bool] = Counter()
    for host, made_by, number in project.reading.execute("SELECT host, made_by, count(*) FROM page GROUP BY 1, 2"):
        if host not in known:
            known[host] = making.key(host)
        counts[made_by != known[host]] += number
    return counts[True]


def outdated_pages(project: Project, making: Making) -> list[int]:
    """Return the pages whose row was made otherwise than a making would make it."""
    rows = project.reading.execute("SELECT id, host, made_by FROM page ORDER BY id").fetchall()
    keys = {host: making.key(host) for host in {row["host"] for row in rows}}
    return [row["id"] for row in rows if row["made_by"] != keys[row["host"]]]
