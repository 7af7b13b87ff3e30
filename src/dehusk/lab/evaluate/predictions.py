"""Predictions: the text that a tool keeps of a page, one JSON object per line, from dehusk or any other tool.

`{"set": "wcxb-dev", "id": "0001", "tool": "trafilatura 2.3.1", "text": "…", "ms": 31.2, "error": ""}`; only `id` and
`text` are required. With an error it is a failure and scores as an empty text. Optional keys allow further
measures:

* `cleaneval`: the text in CLEANEVAL's format, for the scores of markup;
* `blocks`: `[[start, end, probability, kept], …]` for all blocks, kept and dropped, as offsets in the page's text as
  `dehusk.parse` reads it; for calibration and coverage. A probability may be null;
* `seen`: the first 16 digits of the SHA-256 of the page's bytes; if the page has changed, the prediction is not scored.

The lines that `dehusk clean` writes for many pages are accepted too: `page` gives the id.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from dehusk.base.errors import InputError, counted
from dehusk.base.given import read_given
from dehusk.lab.gold.cleaneval import from_cleaneval
from dehusk.lab.gold.datasets import Sample
from dehusk.measures.outcomes import FAILED

_LARGEST = 1e300  # numbers; an integer may be too large to be compared in another way
PageName = tuple[str, str]
"""Set and id of a page."""

_REQUIRED = ("set", "id", "tool", "text", "ms", "error")


class BlockMark(NamedTuple):
    """A tool's decision on one block."""

    start: int
    """Offset in the page's text as `dehusk.parse` reads it from the decoded page."""
    end: int
    probability: float | None
    """Probability that the block is content; None if the tool gives none."""
    kept: bool


@dataclass(frozen=True)
class ToolOutput:
    """What a tool returns for a page, in the form that predictions have."""

    text: str
    cleaneval: str = ""
    """The text in CLEANEVAL's format; "" if the tool does not write it."""
    blocks: tuple[BlockMark, ...] = ()
    """All blocks, kept and dropped; empty if the tool does not report them."""
    seconds: float = 0.0
    """CPU time of a process of the tool's own, which the child that runs the tool does not see."""


@dataclass(frozen=True)
class Prediction:
    """The text that one tool keeps of one page."""

    set: str
    id: str
    tool: str
    text: str
    ms: float | None = None
    """CPU milliseconds; None if not measured."""
    error: str = ""
    """Why the tool failed, in one line; "" if it did not."""
    mb: float | None = None
    """Peak resident memory of the tool's process so far, in MB."""
    seen: str = ""
    """The `page_hash` of the page that the tool cleaned; "" if unknown."""
    peers: str = ""
    """Hash of the group of pages that the tool got together; "" for a single page."""
    cleaneval: str = ""
    blocks: tuple[BlockMark, ...] = ()

    @property
    def scored(self) -> "Prediction":
        """What is scored: of a failure, nothing."""
        return replace(self, text="", cleaneval="", blocks=()) if self.error else self

    def line(self) -> str:
        """Return the prediction as one line of JSON."""
        row = {name: value for name, value in asdict(self).items() if name in _REQUIRED or value not in (None, "", ())}
        return json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n"


def page_hash(sample: Sample) -> str:
    """Return a hash of a page's bytes: 16 hexadecimal digits."""
    return hashlib.sha256(sample.data).hexdigest()[:16]


def read_predictions(path: Path) -> Iterator[Prediction]:
    """Yield the predictions in a JSON Lines file.

    Raises:
        InputError: the file cannot be read, or a line is not a prediction; the message names the line.
    """
    try:
        text = read_given(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: predictions cannot be read: {error}") from error
    yield from parse_predictions(text, str(path), path.stem)


def parse_predictions(text: str, where: str, tool: str) -> Iterator[Prediction]:
    """Yield the predictions in a text of JSON Lines.

    Args:
        text: the lines.
        where: name of the text, for messages.
        tool: name of the tool, if a line names none.

    Raises:
        InputError: a line is not a prediction; the message names it.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _prediction(line, f"{where}: line {number}", tool)


def _prediction(line: str, where: str, tool: str) -> Prediction:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON: {error}") from error
    if isinstance(row, dict) and {"page", "format"} <= row.keys():
        row = _from_clean(row, where)
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or row.get("id") is None:
        raise InputError(f"{where}: a prediction needs an id and a text")
    return Prediction(
        set=str(row.get("set") or ""),
        id=str(row["id"]),
        tool=str(row.get("tool") or tool),
        text=row["text"],
        ms=_number(row, "ms", where),
        error=str(row.get("error") or ""),
        mb=_number(row, "mb", where),
        seen=str(row.get("seen") or ""),
        peers=str(row.get("peers") or ""),
        cleaneval=str(row.get("cleaneval") or ""),
        blocks=_marks(row.get("blocks") or (), where),
    )


def _from_clean(row: dict[str, Any], where: str) -> dict[str, Any]:
    """Convert a row of `dehusk clean` to a prediction."""
    if row.get("format") not in ("text", "cleaneval"):
        raise InputError(f"{where}: rows of `dehusk clean` need the format text or cleaneval, not {row.get('format')}")
    failed = str(row.get("status")) in FAILED
    text = "" if failed else row.get("text")
    if not isinstance(text, str):
        return row  # which is no prediction
    prediction = {"id": PurePosixPath(str(row.get("page"))).stem, "text": text}
    if row["format"] == "cleaneval":
        prediction |= {"cleaneval": text, "text": "\n".join(segment.text for segment in from_cleaneval(text))}
    return prediction | {"error": f"{row.get('status')}: {row.get('message')}" if failed else ""}


def _number(row: dict[str, Any], name: str, where: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        raise InputError(f"{where}: {name} must be a number, not {value!r:.40}")
    return float(value)


def _marks(rows: Any, where: str) -> tuple[BlockMark, ...]:
    try:
        marks = tuple(BlockMark(*row) for row in rows)
        valid = all(
            type(mark.start) is int is type(mark.end)
            and 0 <= mark.start <= mark.end
            and type(mark.kept) is bool
            and (mark.probability is None or 0 <= mark.probability <= 1)
            for mark in marks
        )
    except TypeError:
        valid = False
    if not valid:
        raise InputError(
            f"{where}: a block must be [start, end, probability, kept] with a probability from 0 to 1 or null"
        )
    return marks


@dataclass(frozen=True)
class MatchedPredictions:
    """Predictions paired with their pages."""

    pairs: list[tuple[Sample, Prediction]]
    """Each page with gold text or facts, once per tool; a missing prediction is replaced by one that failed."""
    problems: list[str]
    """One line for each prediction or page that does not match."""


def match_predictions(predictions: Iterable[Prediction], samples: Iterable[Sample]) -> MatchedPredictions:
    """Pair predictions with pages.

    A prediction without a set matches by its id, provided that only one set has that id. A prediction for other bytes
    than the page's is ignored and reported.

    Raises:
        InputError: no prediction matches a page, no page has a gold text or facts, or two pages have the same id.
    """
    gold = _by_name(samples)
    by_id: dict[str, list[PageName]] = {}
    for name in gold:
        by_id.setdefault(name[1], []).append(name)
    matched: dict[str, dict[PageName, Prediction]] = {}
    problems = []
    for prediction in predictions:
        names = [(prediction.set, prediction.id)] if prediction.set else by_id.get(prediction.id, [])
        of_tool = matched.setdefault(prediction.tool, {})
        if problem := _problem(prediction, names, gold, of_tool):
            problems.append(f"{prediction.tool}: {problem}")
        else:
            of_tool[names[0]] = prediction
    if not any(matched.values()):
        raise InputError(
            " · ".join(
                [*problems[:1], f"no prediction matches the {counted(len(gold), 'page')} with gold text or facts"]
            )
        )
    pairs = []
    for tool, of_tool in matched.items():
        problems += _missing(tool, of_tool, gold)
        for name, sample in gold.items():
            failure = Prediction(*name, tool, "", error="no prediction")
            pairs.append((sample, of_tool.get(name, failure)))
    problems += [
        f"{'/'.join(name)}: its gold text is empty"
        for name, sample in gold.items()
        if sample.gold is not None and not sample.gold_text.strip()
    ]
    return MatchedPredictions(pairs, problems)


def _problem(
    prediction: Prediction,
    names: list[PageName],
    gold: Mapping[PageName, Sample],
    accepted: Mapping[PageName, Prediction],
) -> str:
    """Return why a prediction cannot be used; "" if it can."""
    if len(names) > 1:
        return f"ignored the prediction for {prediction.id}: several sets have a page with this id; add the key set"
    if not names or names[0] not in gold:
        return (
            f"ignored the prediction for {prediction.set or '?'}/{prediction.id}: no such page with gold text or facts"
        )
    page = "/".join(names[0])
    if prediction.seen and prediction.seen != page_hash(gold[names[0]]):
        return f"ignored the prediction for {page}: the page has changed since it was made"
    if names[0] in accepted:
        return f"ignored a second prediction for {page}"
    return ""


def _by_name(samples: Iterable[Sample]) -> dict[PageName, Sample]:
    gold: dict[PageName, Sample] = {}
    for sample in samples:
        name = (sample.set, sample.id)
        if name in gold:
            raise InputError(f"two pages have the id {'/'.join(name)}")
        if sample.has_gold:
            gold[name] = sample
    if not gold:
        raise InputError("none of the pages has a gold text or facts")
    return gold


def _missing(tool: str, predictions: Mapping[PageName, Prediction], gold: Mapping[PageName, Sample]) -> list[str]:
    missing = [name for name in gold if name not in predictions]
    if not missing:
        return []
    first = "/".join(missing[0])
    return [f"{tool}: no prediction for {counted(len(missing), 'page')} (first: {first}); counted as failures"]
