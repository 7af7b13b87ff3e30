"""`dehusk bench`: compare tools on sets of pages with gold texts or facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dehusk.base.errors import explaining, unknown
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import quiet_option, report_option, text_or_json_option, timeout_option
from dehusk.cli.output import report as report_note
from dehusk.cli.output import tell
from dehusk.cli.progress import track
from dehusk.cli.score_output import print_scores, set_hashes

if TYPE_CHECKING:
    from dehusk.lab.evaluate.benchmark import BenchmarkPlan
    from dehusk.lab.evaluate.predictions import Prediction
    from dehusk.lab.evaluate.scores import FigureRow


@dataclass(frozen=True)
class _Gate:
    """The options for the quality floors."""

    check: str | None
    """File with the floors to reach."""
    pin: str | None
    """File to write the measured floors to."""
    lower: bool


@click.command("bench")
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False), help="File of predictions (JSON Lines) to write."
)
@click.option("--tools", help="Names of tools, separated by commas. [default: all that are installed]")
@click.option("--sample", type=click.IntRange(1), help="Use a random sample of this many pages per set.")
@click.option("--seed", type=int, default=0, help="Seed of the sample.")
@timeout_option(20.0, "Maximum seconds for a tool to clean a page.")
@text_or_json_option
@report_option()
@click.option(
    "--gate", type=click.Path(exists=True, dir_okay=False), help="Exit with 1 if a tool misses a floor in this file."
)
@click.option("--pin", type=click.Path(dir_okay=False), help="Write the measured F1 figures to this file as floors.")
@click.option("--lower", is_flag=True, help="Allow --pin to lower a floor.")
@quiet_option
def bench_command(  # noqa: PLR0913 (the options of the command)
    *,
    sets: tuple[str, ...],
    output: str,
    tools: str | None,
    sample: int | None,
    seed: int,
    timeout: float,
    form: str,
    report: str | None,
    gate: str | None,
    pin: str | None,
    lower: bool,
    quiet: bool,
) -> int:
    """Run tools on sets of pages with gold texts or facts and compare what they keep.

    All tools get the same decoded pages. Each tool runs in a child process, with a time limit per page. A page on which
    a tool fails scores 0 and counts as a failure. Tools that learn from sites get all pages of a site together.

    SET is a folder with pages.jsonl, html/ and gold/, or its .tar.xz archive. To resume an interrupted run, repeat the
    command.

    \b
    Examples:
      dehusk bench -o runs.jsonl --sample 100 --report report.html sets/*.tar.xz
      dehusk bench -o runs.jsonl --tools dehusk,trafilatura wcxb-dev
      dehusk eval --predictions runs.jsonl wcxb-dev
      dehusk bench -o runs.jsonl --tools dehusk,dehusk-web --gate floors.json examples/gold-pages
    """
    from dehusk.lab.evaluate.benchmark import BenchmarkPlan, choose_samples
    from dehusk.lab.evaluate.gate import read_floors

    if lower and not pin:
        raise click.UsageError("--lower requires --pin")
    if (gate or pin) and sample:
        raise click.UsageError("--gate and --pin need whole sets: omit --sample")
    if gate:
        read_floors(Path(gate))  # if it cannot be, this is said before the run
    names = _choose_tools(tools)
    paths = [Path(path) for path in sets]
    samples = choose_samples(paths, sample=sample, seed=seed)
    predictions = _measure(BenchmarkPlan(names, samples, timeout), Path(output), quiet=quiet)
    rows = print_scores(predictions, samples, paths, report_file=report, form=form)
    return _check_floors(rows, paths, _Gate(gate, pin, lower))


def _choose_tools(chosen: str | None) -> tuple[str, ...]:
    """Return the names of the tools to run, and report tools that are not installed."""
    from dehusk.lab.evaluate.tools import known_tools

    tools = known_tools()
    names = [name for name, tool in tools.items() if tool.version] if chosen is None else chosen.split(",")
    for name in names:
        if name not in tools:
            raise click.UsageError(unknown("tool", name, tools))
    if missing := [name for name in (names if chosen else tools) if not tools[name].version]:
        effect = "so they fail on every page" if chosen else "so they are left out"
        lines = dict.fromkeys(tools[name].install for name in missing)
        report_note(f"not installed, {effect}: {', '.join(missing)}; install them: {'; '.join(lines)}")
    return tuple(names)


def _measure(plan: BenchmarkPlan, output: Path, *, quiet: bool) -> list[Prediction]:
    """Compute the predictions that the file lacks, append each as soon as it is made, and return all of the plan's."""
    from dehusk.lab.evaluate.benchmark import current_predictions, missing_groups, read_unfinished, run_benchmark

    predictions = current_predictions(plan, read_unfinished(output))
    missing = sum(len(group) for groups in missing_groups(plan, predictions).values() for group in groups)
    with explaining(f"{output}: cannot be written"), output.open("a", encoding="utf-8", newline="\n") as stream:
        for prediction in track(run_benchmark(plan, list(predictions)), missing, stage="measuring", quiet=quiet):
            stream.write(prediction.line())
            stream.flush()
            predictions.append(prediction)
    return predictions


def _check_floors(rows: list[FigureRow], sets: Sequence[Path], gate: _Gate) -> int:
    """Pin floors and check the gate if the options ask for it; return the exit code."""
    from dehusk.lab.evaluate.gate import floors_of, missed_floors, pin_floors, read_floors

    if not gate.check and not gate.pin:
        return ExitCode.OK
    measured = floors_of(rows, set_hashes(sets))
    if gate.pin:
        pin_floors(Path(gate.pin), measured, lower=gate.lower)
    missed = missed_floors(read_floors(Path(gate.check)), measured) if gate.check else []
    for line in missed:
        tell(f"dehusk: {line}")
    return ExitCode.SOME_FAILED if missed else ExitCode.OK
