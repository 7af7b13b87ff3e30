"""`dehusk bench`: tools side by side on sets of pages with gold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import NearestChoice, quiet_option
from dehusk.errors import InputError

if TYPE_CHECKING:
    from dehusk.evaluate.predictions import Prediction
    from dehusk.evaluate.scores import Row
    from dehusk.gold.datasets import Sample


@click.command("bench")
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="File of predictions, JSON Lines.")
@click.option("--tools", help="Names with commas between them. [default: all that are installed]")
@click.option("--sample", type=click.IntRange(1), help="At most so many pages of each set.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True, metavar="SECONDS")
@click.option(
    "-f", "--format", "form", type=NearestChoice(["text", "json"], "format"), default="text", show_default=True
)
@click.option("--report", type=click.Path(dir_okay=False), help="Write an HTML report, too.")
@click.option("--gate", type=click.Path(exists=True, dir_okay=False), help="Fail under a floor of this file.")
@click.option("--pin", type=click.Path(dir_okay=False), help="Write what was measured as floors into this file.")
@click.option("--lower", is_flag=True, help="Let --pin lower a floor.")
@quiet_option
def bench_command(sets: tuple[str, ...], **options: Any) -> int:
    """Run tools on sets of pages with gold and judge what they give.

    All tools see the same decoded pages, each in a process of its own with a time limit; what a tool fails on scores
    0 and is counted. Tools that learn from the pages of a site get the pages of each site together. SET is a folder
    with pages.jsonl, html/ and gold/, or its .tar.xz. A run that was ended goes on where it was when it is called
    again with the same file.

    \b
    Examples:
      dehusk bench -o runs.jsonl --sample 100 --report report.html sets/*.tar.xz
      dehusk bench -o runs.jsonl --tools dehusk,trafilatura wcxb-dev
      dehusk eval --predictions runs.jsonl wcxb-dev
      dehusk bench -o runs.jsonl --tools dehusk,dehusk-web --gate bench/quality.json examples/gold-pages
    """
    from dehusk.evaluate.benchmark import BenchmarkPlan, choose
    from dehusk.evaluate.tools import TOOLS

    if options["lower"] and not options["pin"]:
        raise click.UsageError("--lower goes with --pin")
    if (options["gate"] or options["pin"]) and options["sample"]:
        raise click.UsageError("floors are of whole sets: --gate and --pin go without --sample")
    names = options["tools"].split(",") if options["tools"] else [name for name, tool in TOOLS.items() if tool.version]
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        raise click.UsageError(f"no tool {unknown[0]!r}; known: {', '.join(TOOLS)}")
    for name in TOOLS:
        if not TOOLS[name].version and (name in names or not options["tools"]):
            click.echo(f"dehusk: {name} is not installed: {_without(name, names)}", err=True)
    paths = [Path(one) for one in sets]
    pages = choose(paths, sample=options["sample"], seed=options["seed"])
    done = _run(BenchmarkPlan(tuple(names), pages, options["timeout"]), Path(options["output"]), quiet=options["quiet"])
    rows = tell(done, pages, paths, report=options["report"], form=options["form"])
    return _hold(rows, paths, options)


def _without(name: str, names: list[str]) -> str:
    return "it fails on every page" if name in names else "it takes no part; pip install 'dehusk[bench]'"


def _run(task: Any, output: Path, *, quiet: bool) -> list[Prediction]:
    """Measure what the file does not have yet, writing each prediction at once; return all that it has then."""
    from dehusk.cli.progress import track
    from dehusk.evaluate.benchmark import current, missing, resumed, run

    written = resumed(output)
    done = current(task, written)
    left = sum(map(len, missing(task, done).values()))
    try:
        with output.open("a", encoding="utf-8", newline="\n") as stream:
            for prediction in track(run(task, list(done)), left, stage="measuring", quiet=quiet):
                stream.write(prediction.line())
                stream.flush()
                done.append(prediction)
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from error
    return done


def tell(
    predictions: list[Prediction],
    samples: tuple[Sample, ...],
    sets: list[Path],
    *,
    report: str | None,
    form: str,
) -> list[Row]:
    """Print the figures of predictions on pages, and write the HTML report where it is wanted.

    Returns the rows of the sets.

    Args:
        predictions: of any tools; what is for no page is said.
        samples: the pages.
        sets: where they are from.
        report: file of the HTML report.
        form: text or json.
    """
    from dehusk.cli.output import open_output
    from dehusk.evaluate import scores as scoring
    from dehusk.evaluate.html_report import report as html_report
    from dehusk.evaluate.leaks import no_measure, not_in_page, notes
    from dehusk.evaluate.predictions import match
    from dehusk.evaluate.site_groups import alone
    from dehusk.evaluate.text_report import by_tool, record
    from dehusk.evaluate.tools import TOOLS
    from dehusk.write.json import dumps

    with_gold = [one for one in samples if one.gold is not None]
    matched = match(predictions, samples)
    scores = scoring.score_all(matched.pairs)
    tools = dict.fromkeys(one.tool for one in scores)
    said = notes(tools, with_gold) + matched.problems + not_in_page(with_gold) + scoring.notes(scores)
    if any(TOOLS[name].by_site for tool in tools if (name := tool.split(" ")[0]) in TOOLS):
        said += alone(with_gold)
    hashes, tables = _hashes(sets), scoring.tabulate(scores)
    made = by_tool(tables) if form == "text" else dumps(record(tables, notes=said, hashes=hashes))
    click.echo(made, nl=form == "text")
    for problem in said:
        click.echo(f"dehusk: {problem}", err=True)
    if report:
        with open_output(report) as stream:
            trained = no_measure(tools, with_gold)
            title = "Cleaning web pages"
            stream.write(html_report(tables, title=title, notes=said, hashes=hashes, trained=trained))
    return tables.sets


def _hold(rows: list[Row], paths: list[Path], options: dict[str, Any]) -> int:
    """Pin floors and hold the gate, where it is asked for."""
    from dehusk.evaluate import gate

    if not options["gate"] and not options["pin"]:
        return ExitCode.OK
    measured = gate.floors_of(rows, _hashes(paths))
    if options["pin"]:
        gate.pin(Path(options["pin"]), measured, lower=options["lower"])
    under = gate.failures(gate.read_floors(Path(options["gate"])), measured) if options["gate"] else []
    for line in under:
        click.echo(f"dehusk: {line}", err=True)
    return ExitCode.SOME_FAILED if under else ExitCode.OK


def _hashes(paths: list[Path]) -> dict[str, str]:
    """Return set -> hash of its contents."""
    from dehusk.gold.datasets import set_fingerprint

    return {path.resolve().name.removesuffix(".tar.xz"): set_fingerprint(path) for path in paths}
