"""The texts of tools on some pages, by the runner of `dehusk bench`: a child process per tool, a time limit, resumable."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from dehusk.lab.evaluate.benchmark import BenchmarkPlan, current_predictions, read_unfinished, run_benchmark
from dehusk.lab.gold.datasets import Sample
from hashes import package_hash
from result_tables import ROOT


def add_texts_option(parser: ArgumentParser) -> None:
    """Add the option --texts, the folder that keeps the texts of tools."""
    parser.add_argument(
        "--texts",
        type=Path,
        default=ROOT / "bench" / "work",
        help="folder that keeps the texts of tools, to resume [default: %(default)s]",
    )


def tool_texts(tools: Sequence[str], samples: Sequence[Sample], folder: Path) -> dict[str, list[str]]:
    """Return for each tool the text of each page, in order; a failure is an empty text.

    Args:
        tools: names as `dehusk bench --tools` takes them.
        samples: the pages; tools that learn from sites get all pages of a site together.
        folder: keeps predictions as JSON Lines, so that no text is made twice with the same code of dehusk.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cache = folder / f"mining-texts-{package_hash()}.jsonl"
    plan = BenchmarkPlan(tuple(tools), tuple(samples), seconds=60)
    done = read_unfinished(cache)
    with cache.open("a", encoding="utf-8") as stream:
        for prediction in run_benchmark(plan, done):
            stream.write(prediction.line())
            stream.flush()
            done.append(prediction)
    text = {(p.tool.split(" ")[0], p.set, p.id): p.text for p in current_predictions(plan, done)}
    return {tool: [text[tool, sample.set, sample.id] for sample in samples] for tool in tools}
