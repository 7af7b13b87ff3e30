"""The texts of tools on some pages, by the runner of `dehusk bench`: a child process per tool, a time limit, resumable."""

import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from dehusk.evaluate.benchmark import BenchmarkPlan, current_predictions, read_unfinished, run_benchmark
from dehusk.gold.datasets import Sample


def add_texts_option(parser: ArgumentParser) -> None:
    """Add the option --texts, the file of the texts so far."""
    parser.add_argument(
        "--texts",
        type=Path,
        default=Path(tempfile.gettempdir()) / "dehusk-mining-texts.jsonl",
        help="file that keeps the texts of tools, to resume; delete it after a change of dehusk [default: %(default)s]",
    )


def tool_texts(tools: Sequence[str], samples: Sequence[Sample], cache: Path) -> dict[str, list[str]]:
    """Return for each tool the text of each page, in order; a failure is an empty text.

    Args:
        tools: names as `dehusk bench --tools` takes them.
        samples: the pages; tools that learn from sites get all pages of a site together.
        cache: JSON Lines of predictions; texts that it has are not made again, new ones are added.
    """
    plan = BenchmarkPlan(tuple(tools), tuple(samples), seconds=60)
    done = read_unfinished(cache)
    with cache.open("a", encoding="utf-8") as stream:
        for prediction in run_benchmark(plan, done):
            stream.write(prediction.line())
            stream.flush()
            done.append(prediction)
    text = {(p.tool.split(" ")[0], p.set, p.id): p.text for p in current_predictions(plan, done)}
    return {tool: [text[tool, sample.set, sample.id] for sample in samples] for tool in tools}
