"""Run tools under equal conditions: the same decoded pages, a child process per tool, a time limit; resumable."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dehusk.base.errors import ChildError, InputError, encodable
from dehusk.base.processes.child import Child
from dehusk.lab.evaluate.predictions import Prediction, ToolOutput, page_hash, read_predictions
from dehusk.lab.evaluate.site_groups import group_by_site, hash_group
from dehusk.lab.evaluate.tools import PageView, find_tool, load_tool, to_outputs
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.read import decode

DEFAULT_SECONDS = 20.0
_WARM_UP = "<html><body><article><h1>A page</h1><p>Some words, so that every part is loaded.</p></article></html>"


@dataclass(frozen=True)
class BenchmarkPlan:
    """Which tools run on which pages."""

    tools: tuple[str, ...]
    samples: tuple[Sample, ...]
    seconds: float = DEFAULT_SECONDS
    """Limit of wall time per page; the pages of a site share the sum of their limits."""


Group = list[Sample]
"""Pages that a tool gets together: the pages of one site, or a single page."""

ToolChild = Child[Sequence[PageView], list[ToolOutput]]
"""The process in which a tool cleans pages."""

PredictionKey = tuple[str, str, str, str, str]
"""Tool, set, page id, hash of the page, hash of the group; identifies a prediction."""


def choose_samples(paths: Sequence[Path], *, sample: int | None, seed: int = 0) -> tuple[Sample, ...]:
    """Return the pages with gold text or facts of some sets.

    Args:
        paths: folders or archives of sets.
        sample: maximum number of pages from each set; None for all.
        seed: the seed of the random sample.

    Raises:
        InputError: a set is missing or damaged, two have the same name, or no page has a gold text or
            facts.
    """
    samples: list[Sample] = []
    names: set[str] = set()
    for path in paths:
        pages = [page for page in read_set(path) if page.has_gold]
        if pages and pages[0].set in names:
            raise InputError(f"two sets have the name {pages[0].set}; rename one of them")
        names.update(page.set for page in pages[:1])
        if sample is not None and sample < len(pages):
            chosen = sorted(random.Random(seed).sample(range(len(pages)), sample))  # noqa: S311 (not for security)
            pages = [pages[index] for index in chosen]
        samples += pages
    if not samples:
        raise InputError("no page in the sets has a gold text or facts")
    return tuple(samples)


def missing_groups(plan: BenchmarkPlan, done: Iterable[Prediction]) -> dict[str, list[Group]]:
    """Return the groups of pages that each tool has yet to clean; finished tools have no entry.

    A group is cleaned again if any of its pages lacks a prediction, because a tool learns from all of them.
    """
    done_keys = {prediction_key(prediction) for prediction in done}
    missing: dict[str, list[Group]] = {}
    for tool in plan.tools:
        groups = [group for group in groups_for(tool, plan.samples) if not done_keys.issuperset(_expected(tool, group))]
        if groups:
            missing[tool] = groups
    return missing


def groups_for(tool: str, samples: Sequence[Sample]) -> list[Group]:
    """Return the pages in the groups that a tool gets: by site if it learns from sites, else one by one."""
    return group_by_site(samples) if find_tool(tool).by_site else [[sample] for sample in samples]


def prediction_key(prediction: Prediction) -> PredictionKey:
    """Return the key of a prediction, which includes a hash of the pages that the tool got together."""
    return (prediction.tool, prediction.set, prediction.id, prediction.seen, prediction.peers)


def current_predictions(plan: BenchmarkPlan, done: Iterable[Prediction]) -> list[Prediction]:
    """Return the predictions that belong to a plan: from its tools and versions, for its pages in the same groups."""
    expected = {
        key for tool in plan.tools for group in groups_for(tool, plan.samples) for key in _expected(tool, group)
    }
    latest = {prediction_key(prediction): prediction for prediction in done}
    return [prediction for key, prediction in latest.items() if key in expected]


def _expected(tool: str, group: Group) -> list[PredictionKey]:
    """Return the keys of the predictions that a tool gives for a group."""
    group_hash = hash_group(group) if find_tool(tool).by_site else ""
    title = tool_title(tool)
    return [(title, sample.set, sample.id, page_hash(sample), group_hash) for sample in group]


def tool_title(tool: str) -> str:
    """Return a tool's name and version; predictions contain it, so another version is measured again.

    Raises:
        InputError: the tool does not exist.
    """
    return f"{tool} {find_tool(tool).version or 'not installed'}"


def run_benchmark(plan: BenchmarkPlan, done: Iterable[Prediction] = ()) -> Iterator[Prediction]:
    """Yield the missing predictions, tool by tool; a failure becomes a prediction with an error."""
    for tool, groups in missing_groups(plan, done).items():
        with tool_child(tool, seconds=plan.seconds) as child:
            warm_up(child)
            for group in groups:
                yield from _predict(child, tool, group)


def tool_child(tool: str, *, seconds: float) -> ToolChild:
    """Return the process of a tool, a new interpreter, which starts when it is first needed."""
    return Child(load_tool, tool, seconds=seconds, finish=to_outputs, preload="")


def warm_up(child: ToolChild) -> None:
    """Let a tool clean a first page, so that no measurement includes what it loads on first use."""
    try:
        child.work([PageView(_WARM_UP)])
    except ChildError:
        return


def _predict(child: ToolChild, tool: str, group: Group) -> list[Prediction]:
    """Return a prediction for each page of a group; if the tool fails, all of them contain the error."""
    views = [PageView(decode(sample.bare).text, sample.url or "") for sample in group]
    keys = _expected(tool, group)
    try:
        outputs, seconds = child.work(views, seconds=child.seconds * len(group))
        seconds += sum(output.seconds for output in outputs)
        peak = child.peak()
    except ChildError as error:
        return [
            Prediction(set_, id_, title, "", error=str(error), seen=seen, peers=peers)
            for title, set_, id_, seen, peers in keys
        ]
    return [
        Prediction(
            set=set_,
            id=id_,
            tool=title,
            text=encodable(output.text),
            ms=round(1000 * seconds / len(group), 3),
            mb=None if peak is None else round(peak, 1),
            seen=seen,
            peers=peers,
            cleaneval=encodable(output.cleaneval),
            blocks=output.blocks,
        )
        for (title, set_, id_, seen, peers), output in zip(keys, outputs, strict=True)
    ]


def read_unfinished(path: Path) -> list[Prediction]:
    """Read the predictions of an earlier run, and cut off a last line that was not written completely.

    Raises:
        InputError: the file contains something else.
    """
    if not path.exists():
        return []
    data = path.read_bytes()
    complete = data[: data.rfind(b"\n") + 1]
    if len(complete) < len(data):
        path.write_bytes(complete)
    return list(read_predictions(path))
