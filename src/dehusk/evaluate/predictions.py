"""What tools made of pages: one JSON object a line, ours or anyone's.

`{"set": "wcxb-dev", "id": "0001", "tool": "trafilatura 2.3.1", "text": "…", "ms": 31.2, "error": ""}`; only `id` and
`text` must be there. An empty text with an error is a failure and scores as an empty text. More can be told, and then
more is measured:

* `cleaneval`: the text in CLEANEVAL's format, for the scores of markup;
* `blocks`: `[[start, end, probability, kept], …]` of all blocks, kept and dropped, in characters of the text of the
  page as `dehusk.parse` reads it; for calibration and coverage. A probability may be null;
* `seen`: the first 16 digits of the SHA-256 of the page's bytes; a prediction of another page is not scored.

Lines of `dehusk clean` over many pages are read, too: their `page` gives the id, their `content` the text.
"""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from dehusk.errors import InputError
from dehusk.gold.cleaneval import from_cleaneval
from dehusk.gold.datasets import Sample
from dehusk.measures.outcomes import FAILED

Name = tuple[str, str]
"""Set and id of a page."""

_ALWAYS = ("set", "id", "tool", "text", "ms", "error")


class Mark(NamedTuple):
    """What a tool says of one block."""

    start: int
    """In characters of the text of the page as `dehusk.parse` reads it from the decoded page."""
    end: int
    probability: float | None
    """That it is content; None where the tool has none."""
    kept: bool


@dataclass(frozen=True)
class Output:
    """What came of a page, as it is written down."""

    text: str
    cleaneval: str = ""
    """The same in CLEANEVAL's format; "" where the tool has no such thing."""
    blocks: tuple[Mark, ...] = ()
    """All blocks, kept and dropped; empty where the tool does not tell."""


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
    mb: float | None = None
    """Highest resident memory of the tool's process so far, in MB."""
    seen: str = ""
    """`key` of the page it was made of; "" where nobody knows."""
    peers: str = ""
    """Hash of the pages that were seen together; "" for a page alone."""
    cleaneval: str = ""
    blocks: tuple[Mark, ...] = ()

    def line(self) -> str:
        """Return the prediction as a line of JSON."""
        row = {name: value for name, value in asdict(self).items() if name in _ALWAYS or value not in (None, "", ())}
        return json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n"


def key(sample: Sample) -> str:
    """Return a hash of a page's bytes."""
    return hashlib.sha256(sample.data).hexdigest()[:16]


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
    if isinstance(row, dict) and "content" in row and "text" not in row:
        row = _cleaned(row, where)
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or row.get("id") is None:
        raise InputError(f"{where} is no prediction: it needs an id and a text")
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


def _cleaned(row: dict[str, Any], where: str) -> dict[str, Any]:
    """Return a line of `dehusk clean` as a prediction."""
    if row.get("format") not in ("text", "cleaneval"):
        raise InputError(f"{where} is of `dehusk clean` in another format than text or cleaneval")
    failed = row.get("status") in FAILED
    text = "" if failed else str(row["content"])
    found = {"id": PurePosixPath(str(row.get("page"))).stem, "text": text}
    if row["format"] == "cleaneval":
        found |= {"cleaneval": text, "text": "\n".join(segment.text for segment in from_cleaneval(text))}
    return found | {"error": f"{row.get('status')}: {row.get('message')}" if failed else ""}


def _number(row: dict[str, Any], name: str, where: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{where}: {name} is no number but {value!r}")
    return float(value)


def _marks(rows: Any, where: str) -> tuple[Mark, ...]:
    try:
        marks = tuple(Mark(*row) for row in rows)
        right = all(
            type(one.start) is int is type(one.end)
            and 0 <= one.start <= one.end
            and type(one.kept) is bool
            and (one.probability is None or 0 <= one.probability <= 1)
            for one in marks
        )
    except TypeError:
        right = False
    if not right:
        raise InputError(f"{where}: blocks are [start, end, probability, kept], with a probability of 0 to 1 or null")
    return marks


@dataclass(frozen=True)
class Matched:
    """Predictions laid over pages with gold."""

    pairs: list[tuple[Sample, Prediction]]
    """Every page of every tool; a page that a tool has no prediction for is a failure of it."""
    problems: list[str]
    """What does not fit, one line each."""


def match(predictions: Iterable[Prediction], samples: Iterable[Sample]) -> Matched:
    """Lay predictions over pages.

    A prediction without a set is taken for a page by its id alone, where one set has it. One that says that it was
    made of other bytes than the page's is left out.

    Raises:
        InputError: no prediction is for any of the pages, there are no pages with gold, or two pages have one id.
    """
    gold = _by_name(samples)
    by_id: dict[str, list[Name]] = {}
    for name in gold:
        by_id.setdefault(name[1], []).append(name)
    found: dict[str, dict[Name, Prediction]] = {}
    problems = []
    for one in predictions:
        names = [(one.set, one.id)] if one.set else by_id.get(one.id, [])
        own = found.setdefault(one.tool, {})
        if len(names) != 1 or names[0] not in gold:
            problems.append(f"{one.tool}: no one page {one.set or '?'}/{one.id}")
        elif one.seen and one.seen != key(gold[names[0]]):
            problems.append(f"{one.tool}: {'/'.join(names[0])} has changed since, the prediction is left out")
        elif names[0] in own:
            problems.append(f"{one.tool}: a second prediction for {'/'.join(names[0])}, left out")
        else:
            own[names[0]] = one
    if not any(found.values()):
        raise InputError(" · ".join([*problems[:1], f"none of the predictions is for one of the {len(gold)} pages"]))
    pairs = []
    for tool, own in found.items():
        problems += _lacking(tool, own, gold)
        for name, sample in gold.items():
            empty = Prediction(*name, tool, "", error="no prediction")
            pairs.append((sample, own.get(name, empty)))
    problems += [f"{'/'.join(name)}: its gold text is empty" for name, s in gold.items() if not s.gold_text.strip()]
    return Matched(pairs, problems)


def _by_name(samples: Iterable[Sample]) -> dict[Name, Sample]:
    gold: dict[Name, Sample] = {}
    for sample in samples:
        name = (sample.set, sample.id)
        if name in gold:
            raise InputError(f"two pages are called {'/'.join(name)}")
        if sample.gold is not None:
            gold[name] = sample
    if not gold:
        raise InputError("no pages with gold text to judge by")
    return gold


def _lacking(tool: str, own: Mapping[Name, Prediction], gold: Mapping[Name, Sample]) -> list[str]:
    missing = [name for name in gold if name not in own]
    if not missing:
        return []
    return [f"{tool}: no prediction for {len(missing)} pages, the first {'/'.join(missing[0])}; they count as failures"]
