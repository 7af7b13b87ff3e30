"""What tools made of pages: one JSON object a line, ours or anyone's.

`{"set": "wcxb-dev", "id": "0001", "tool": "trafilatura 2.3.1", "text": "…", "ms": 31.2, "error": ""}`; `set`, `tool`,
`ms` and `error` may be missing. An empty text with an error is a failure and scores as an empty text.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dehusk.errors import InputError
from dehusk.gold.datasets import Sample


@dataclass(frozen=True)
class Prediction:
    """One tool's text of one page."""

    set: str
    id: str
    tool: str
    text: str
    ms: float | None = None
    """CPU milliseconds; None where nobody measured."""
    error: str = ""
    """Why there is no text, in one line; "" where the tool ended well."""

    def line(self) -> str:
        """Return the prediction as a line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=True) + "\n"


def read_predictions(path: Path) -> Iterator[Prediction]:
    """Read predictions.

    Raises:
        InputError: the file cannot be read, or a line is no prediction; the line is named.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"predictions {path} cannot be read: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _prediction(line, f"{path}, line {number}", path.stem)


def _prediction(line: str, where: str, tool: str) -> Prediction:
    try:
        row: Any = json.loads(line)
    except ValueError as error:
        raise InputError(f"{where} is no JSON: {error}") from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or "id" not in row:
        raise InputError(f"{where} is no prediction: it needs an id and a text")
    ms = row.get("ms")
    return Prediction(
        set=str(row.get("set") or ""),
        id=str(row["id"]),
        tool=str(row.get("tool") or tool),
        text=row["text"],
        ms=float(ms) if isinstance(ms, int | float) else None,
        error=str(row.get("error") or ""),
    )


@dataclass(frozen=True)
class Matched:
    """Predictions laid over pages with gold."""

    pairs: list[tuple[Sample, Prediction]]
    """Every page of every tool; a page that a tool has no prediction for is a failure of it."""
    problems: list[str]
    """What does not fit, one line each."""


def match(predictions: Iterable[Prediction], samples: Iterable[Sample]) -> Matched:
    """Lay predictions over pages.

    A prediction without a set is taken for a page by its id alone, where one set has it.

    Raises:
        InputError: no prediction is for any of the pages, or there are no pages with gold.
    """
    gold = {(sample.set, sample.id): sample for sample in samples if sample.gold is not None}
    if not gold:
        raise InputError("no pages with gold text to judge by")
    by_id: dict[str, list[tuple[str, str]]] = {}
    for key in gold:
        by_id.setdefault(key[1], []).append(key)
    found: dict[str, dict[tuple[str, str], Prediction]] = {}
    problems = []
    for one in predictions:
        keys = [(one.set, one.id)] if one.set else by_id.get(one.id, [])
        if len(keys) != 1 or keys[0] not in gold:
            problems.append(f"{one.tool}: no one page {one.set or '?'}/{one.id}")
        elif keys[0] in found.setdefault(one.tool, {}):
            problems.append(f"{one.tool}: a second prediction for {keys[0][0]}/{one.id}, left out")
        else:
            found[one.tool][keys[0]] = one
    if not any(found.values()):
        raise InputError(f"none of the predictions is for one of the {len(gold)} pages")
    pairs = []
    for tool, own in found.items():
        missing = [key for key in gold if key not in own]
        if missing:
            problems.append(f"{tool}: no prediction for {len(missing)} pages, the first {'/'.join(missing[0])}")
        for key, sample in gold.items():
            empty = Prediction(key[0], key[1], tool, "", error="no prediction")
            pairs.append((sample, own.get(key, empty)))
    problems += [f"{'/'.join(key)}: its gold text is empty" for key, s in gold.items() if not s.gold_text.strip()]
    return Matched(pairs, problems)
