"""`dehusk bench`: tools side by side on sets of pages with gold."""

from pathlib import Path
from typing import Any

import click

from dehusk.errors import InputError


@click.command()
@click.argument("sets", nargs=-1, required=True, metavar="SET...")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="File of predictions, JSON Lines.")
@click.option("--tools", help="Names with commas between them. [default: all that are installed]")
@click.option("--sample", type=click.IntRange(1), help="At most so many pages of each set.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the sample.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True, metavar="SECONDS")
@click.option("--report", type=click.Path(dir_okay=False), help="Write an HTML report, too.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def bench(sets: tuple[str, ...], **options: Any) -> int:
    """Run tools on sets of pages with gold and judge what they give.

    All tools see the same decoded pages, each in a process of its own with a time limit; what a tool fails on scores
    0 and is counted. SET is a folder with pages.jsonl, html/ and gold/, or its .tar.xz. A run that was ended goes on
    where it was when it is called again with the same file.

    \b
    Examples:
      dehusk bench -o runs.jsonl --sample 100 --report report.html sets/*.tar.xz
      dehusk bench -o runs.jsonl --tools dehusk-web,trafilatura wcxb-dev
      dehusk eval --predictions runs.jsonl wcxb-dev
    """
    from dehusk.cli.output import progress
    from dehusk.evaluate.bench import Task, choose, missing, resumed, run
    from dehusk.evaluate.rivals import TOOLS

    names = options["tools"].split(",") if options["tools"] else [name for name, tool in TOOLS.items() if tool.version]
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        raise click.UsageError(f"no tool {unknown[0]!r}; known: {', '.join(TOOLS)}")
    task = Task(tuple(names), choose([Path(one) for one in sets], sample=options["sample"], seed=options["seed"]))
    task = Task(task.tools, task.samples, options["timeout"])
    output = Path(options["output"])
    done = resumed(output)
    left = sum(map(len, missing(task, done).values()))
    try:
        with output.open("a", encoding="utf-8", newline="\n") as stream:
            for prediction in progress(run(task, done), left, quiet=options["quiet"], what="measuring"):
                stream.write(prediction.line())
                stream.flush()
                done.append(prediction)
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from error
    return tell(done, list(task.samples), [Path(one) for one in sets], options["report"])


def tell(predictions: Any, samples: Any, sets: list[Path], report: str | None, *, all_of_them: bool = False) -> int:
    """Print the figures of predictions on pages, and write the HTML report where it is wanted.

    Predictions for pages that are not among the samples are passed over, or said where all of them should fit.
    """
    from dehusk.cli.output import open_output
    from dehusk.evaluate.html import report as html_report
    from dehusk.evaluate.leaks import notes
    from dehusk.evaluate.predictions import match
    from dehusk.evaluate.report import by_tool
    from dehusk.evaluate.scores import score
    from dehusk.gold.datasets import fingerprint

    known = {(one.set, one.id) for one in samples}
    fitting = [one for one in predictions if all_of_them or (one.set, one.id) in known]
    matched = match(fitting, samples)
    scores = [score(*pair) for pair in matched.pairs]
    click.echo(by_tool(scores))
    said = notes(dict.fromkeys(one.tool for one in scores), [sample for sample, _ in matched.pairs]) + matched.problems
    for problem in said:
        click.echo(f"dehusk: {problem}", err=True)
    if report:
        hashes = {path.name.removesuffix(".tar.xz"): fingerprint(path) for path in sets}
        with open_output(report) as stream:
            stream.write(html_report(scores, title="Cleaning web pages", notes=said, hashes=hashes))
    return 0
