"""`dehusk eval`: how good a model or a configuration is on pages with gold."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.cli.options import NearestChoice, silencing_option
from dehusk.errors import ConfigError
from dehusk.methods.victor.config import load_config

if TYPE_CHECKING:
    from dehusk.evaluate.verdicts import Verdict


@click.command("eval")
@click.argument("inputs", nargs=-1, required=True, metavar="SET|PAGE...")
@click.option("--model", metavar="NAME|FOLDER", help="Model to judge. [default: united, with --config the preset's]")
@click.option("--config", metavar="NAME|FILE", help="Configuration to cross-validate, or to use the model with.")
@click.option("--gold", type=click.Path(exists=True, file_okay=False), help="Folder of annotations and gold texts.")
@click.option("--folds", type=click.IntRange(2), help="Cross-validate the configuration with so many folds.")
@click.option(
    "--by", type=NearestChoice(["page", "site"]), default="site", show_default=True, help="What a fold keeps whole."
)
@click.option("--thesis", is_flag=True, help="Tables 5.1 and 6.1 of the thesis: six folds by page, three experiments.")
@click.option(
    "--ablations", is_flag=True, help="The thesis's ablations: each feature left out, markup only, text only."
)
@click.option(
    "--predictions",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Judge texts of any tool instead: lines of `dehusk clean`, or JSON Lines with id and text (docs/data.md).",
)
@click.option(
    "-f", "--format", "form", type=NearestChoice(["text", "json"], "format"), default="text", show_default=True
)
@click.option("--report", type=click.Path(dir_okay=False), help="With --predictions: write an HTML report, too.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the split.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True)
@silencing_option
def evaluate_command(
    inputs: tuple[str, ...], model: str | None, config: str | None, gold: str | None, **options: Any
) -> int:
    """Judge a model on pages with gold, or cross-validate a configuration.

    Each is a set (a folder with pages.jsonl, html/ and gold/, or its .tar.xz), or pages with annotations
    (<page>.anno.json) or gold texts (<page>.txt).

    \b
    Examples:
      dehusk eval --model my-model pages/
      dehusk eval --config cleaneval --folds 6 cleaneval-dev
      dehusk eval --config cleaneval --thesis cleaneval-dev
      dehusk eval --config cleaneval --ablations --workers 2 cleaneval-dev
      dehusk eval --predictions mine.jsonl --report report.html cleaneval-dev
    """
    _check_usage(options, by_name=bool(model or config or gold))
    if options["predictions"]:
        return _predictions(inputs, options)
    if options["thesis"] or options["ablations"]:
        if model:
            raise click.UsageError("--thesis and --ablations train models: they take --config, not --model")
        _experiments(inputs, config or "cleaneval", gold, options)
    elif options["folds"]:
        if model:
            raise click.UsageError("--folds trains models: it takes --config, not --model")
        _cross_validation(inputs, config or "web", gold, options)
    else:
        _judge(inputs, model, config, gold=gold, form=options["form"])
    return 0


def _check_usage(options: dict[str, Any], *, by_name: bool) -> None:
    """Refuse options that exclude each other or mean nothing without another."""
    trains = [f"--{name}" for name in ("thesis", "ablations", "folds") if options[name]]
    if options["predictions"] and (trains or by_name):
        raise click.UsageError("--predictions judges texts: it goes with sets and --report only")
    if options["report"] and not options["predictions"]:
        raise click.UsageError("--report goes with --predictions")
    if options["form"] != "text" and (options["thesis"] or options["ablations"]):
        raise click.UsageError("--thesis and --ablations write tables of text only")
    if len(trains) > 1:
        raise click.UsageError(f"{' and '.join(trains)} exclude each other")
    given = click.get_current_context().get_parameter_source
    takes = {"by": "--folds", "seed": "--folds, --thesis or --ablations", "workers": "--thesis or --ablations"}
    for name, others in takes.items():
        if given(name) is click.core.ParameterSource.COMMANDLINE and not any(one in others for one in trains):
            raise click.UsageError(f"--{name} goes with {others}")


def _predictions(inputs: Sequence[str], options: dict[str, Any]) -> int:
    from dehusk.cli.bench import tell
    from dehusk.evaluate.predictions import read_predictions
    from dehusk.gold.datasets import read_set

    sets = [Path(one) for one in inputs]
    samples = tuple(sample for path in sets for sample in read_set(path))
    found = [one for name in options["predictions"] for one in read_predictions(Path(name))]
    tell(found, samples, sets, report=options["report"], form=options["form"])
    return 0


def _experiments(inputs: Sequence[str], config_name: str, gold: str | None, options: dict[str, object]) -> None:
    from dehusk.evaluate import thesis
    from dehusk.evaluate.text_tables import markdown_table
    from dehusk.methods.victor.method import Victor
    from dehusk.train.labelled_pages import gather_pages

    config = load_config(config_name)
    pages = gather_pages(inputs, Victor(config), gold=gold)
    chosen = thesis.ablations(config) if options["ablations"] else thesis.EXPERIMENTS
    missing = {name for names in chosen.values() for name in names} - set(config.template.features)
    if missing:
        raise ConfigError(f"the experiments need features that configuration {config.name} lacks: {min(missing)}")
    if options["thesis"]:
        click.echo(markdown_table(thesis.table_5_1(pages)))
    results = thesis.run(
        config, pages, dict(chosen), seed=int(str(options["seed"])), workers=int(str(options["workers"]))
    )
    click.echo("In percent, pooled / mean over documents; six folds by page.\n")
    click.echo(markdown_table(thesis.table_6_1(results)))


def _cross_validation(inputs: Sequence[str], config_name: str, gold: str | None, options: dict[str, object]) -> None:
    from dehusk.evaluate.verdicts import cross_validate
    from dehusk.methods.victor.method import Victor
    from dehusk.train.labelled_pages import gather_pages

    config = load_config(config_name)
    pages = gather_pages(inputs, Victor(config), gold=gold)
    folds, seed = int(str(options["folds"])), int(str(options["seed"]))
    _show(cross_validate(config, pages, folds=folds, seed=seed, by=str(options["by"])), str(options["form"]))


def _judge(inputs: Sequence[str], model: str | None, config: str | None, *, gold: str | None, form: str) -> None:
    from dehusk.evaluate.leaks import trained_on
    from dehusk.evaluate.verdicts import judge
    from dehusk.methods import DEFAULT, load_method
    from dehusk.methods.registry import resolve_model, shipped_models
    from dehusk.train.labelled_pages import gather_pages

    method = load_method(model=model, config=config)
    pages = gather_pages(inputs, method, gold=gold)
    name = str(model or (config if str(config) in shipped_models() else "web" if config else DEFAULT))
    folder = resolve_model(name)
    for line in trained_on(folder, [page.sample for page in pages]):
        click.echo(f"dehusk: {name}: {line}", err=True)
    _show([judge(method, page) for page in pages], form)


def _show(verdicts: "Sequence[Verdict]", form: str) -> None:
    from dehusk.evaluate.text_report import of_verdicts, verdict_record
    from dehusk.write.json import dumps

    click.echo(of_verdicts(verdicts) if form == "text" else dumps(verdict_record(verdicts)), nl=form == "text")
