"""`dehusk eval`: judge a model or a configuration on pages with gold texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dehusk.base.errors import ConfigError, InputError, counted, listed
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import (
    NearestChoice,
    gold_option,
    report_option,
    silencing_option,
    text_or_json_option,
    workers_option,
)
from dehusk.cli.output import report as report_note

if TYPE_CHECKING:
    from dehusk.lab.evaluate.fact_scores import FactScore
    from dehusk.lab.evaluate.verdicts import Verdict
    from dehusk.lab.train.labelled_pages import LabelledPage
    from dehusk.label.base import PageMethod


@dataclass(frozen=True)
class _Pages:
    """The pages to judge on."""

    inputs: tuple[str, ...]
    gold: str | None
    """Folder of annotations and gold texts; None if they are beside the pages."""


@dataclass(frozen=True)
class _Training:
    """The options that train models, and those that apply only together with them."""

    folds: int | None
    by: str
    thesis: bool
    ablations: bool
    seed: int
    workers: int

    def names(self) -> list[str]:
        """Return the names of the given options that train models."""
        given = {"--thesis": self.thesis, "--ablations": self.ablations, "--folds": self.folds}
        return [name for name, value in given.items() if value]


@dataclass(frozen=True)
class _Judged:
    """What a model does on the pages."""

    verdicts: list[Verdict]
    """On pages with annotations or gold texts."""
    facts: list[FactScore]
    """On pages with facts."""


@click.command("eval")
@click.argument("inputs", nargs=-1, required=True, metavar="SET|PAGE...")
@click.option(
    "--model", metavar="NAME|FOLDER", help="Model to judge. [default: united, or the model of the given --config]"
)
@click.option("--config", metavar="NAME|FILE", help="Configuration to cross-validate, or to use the model with.")
@gold_option
@click.option("--folds", type=click.IntRange(2), help="Cross-validate the configuration with this number of folds.")
@click.option(
    "--by",
    type=NearestChoice(["page", "site"]),
    default="site",
    help="Split by page, or keep the pages of a site in one fold.",
)
@click.option("--thesis", is_flag=True, help="Print tables 5.1 and 6.1 of the thesis: six folds, three experiments.")
@click.option(
    "--ablations", is_flag=True, help="Run the ablations of the thesis: without each feature, markup only, text only."
)
@click.option(
    "--predictions",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Judge texts of any tool: output of `dehusk clean`, or JSON Lines with id and text (docs/predictions.md).",
)
@text_or_json_option
@report_option(", with --predictions")
@click.option("--seed", type=int, default=0, help="Seed of the split into folds.")
@workers_option(1, "Number of processes.")
@follow_links_option
@silencing_option
def evaluate_command(  # noqa: PLR0913 (the options of the command)
    *,
    inputs: tuple[str, ...],
    model: str | None,
    config: str | None,
    gold: str | None,
    folds: int | None,
    by: str,
    thesis: bool,
    ablations: bool,
    predictions: tuple[str, ...],
    form: str,
    report: str | None,
    seed: int,
    workers: int,
) -> int:
    """Judge a model on pages with gold texts or facts, or cross-validate a configuration.

    An input is a set (a folder with pages.jsonl, html/ and gold/, or its .tar.xz archive) or a page with an annotation
    (<page>.anno.json) or a gold text (<page>.txt). Of pages with facts (docs/data.md), it counts the facts kept. Your
    own model is shown beside the shipped one.

    \b
    Examples:
      dehusk eval --model my-model pages/
      dehusk eval --config cleaneval --folds 6 cleaneval-dev
      dehusk eval --config cleaneval --thesis cleaneval-dev
      dehusk eval --config cleaneval --ablations --workers 2 cleaneval-dev
      dehusk eval --predictions mine.jsonl --report report.html cleaneval-dev
    """
    pages, training = _Pages(inputs, gold), _Training(folds, by, thesis, ablations, seed, workers)
    _check_training(training, model, form)
    if report and not predictions:
        raise click.UsageError("--report requires --predictions")
    if predictions:
        if training.names() or model or config or gold or folder_links().follow:
            raise click.UsageError("--predictions judges texts: only -f, --report and -q can be used with it")
        _judge_predictions(pages, predictions, form, report)
    elif thesis or ablations:
        _run_experiments(pages, config or "cleaneval", training)
    elif folds:
        _cross_validate(pages, config or "web", training, form)
    else:
        _judge_models(pages, model, config, form)
    return ExitCode.OK


def _check_training(training: _Training, model: str | None, form: str) -> None:
    """Refuse options that cannot be used together, or have no effect without another."""
    names = training.names()
    if len(names) > 1:
        raise click.UsageError(f"{' and '.join(names)} cannot be used together")
    if names and model:
        raise click.UsageError(f"{names[0]} trains models: use --config instead of --model")
    if form != "text" and (training.thesis or training.ablations):
        raise click.UsageError("--thesis and --ablations only write text: omit --format")
    source = click.get_current_context().get_parameter_source
    needs = {
        "by": ("--folds",),
        "seed": ("--folds", "--thesis", "--ablations"),
        "workers": ("--thesis", "--ablations"),
    }
    for option, allowed in needs.items():
        if source(option) is click.core.ParameterSource.COMMANDLINE and not set(allowed) & set(names):
            raise click.UsageError(f"--{option} requires {' or '.join(allowed)}")


def _judge_predictions(pages: _Pages, predictions: Sequence[str], form: str, report: str | None) -> None:
    from dehusk.cli.score_output import print_scores
    from dehusk.lab.evaluate.predictions import read_predictions
    from dehusk.lab.gold.datasets import read_set

    sets = [Path(path) for path in pages.inputs]
    samples = [sample for path in sets for sample in read_set(path)]
    read = [prediction for path in predictions for prediction in read_predictions(Path(path))]
    print_scores(read, samples, sets, report_file=report, form=form)


def _labelled(pages: _Pages, method: PageMethod, *, required: bool = True, told: bool = False) -> list[LabelledPage]:
    """Return the pages that have labels; count those whose annotations have none, unless it was told.

    Raises:
        InputError: some are required, and there is none.
    """
    from dehusk.lab.train.labelled_pages import gather_pages, is_labelled

    found = gather_pages(pages.inputs, method, gold=pages.gold, required=required, links=folder_links())
    labelled = [page for page in found if is_labelled(page)]
    skipped = [page.name for page in found if not is_labelled(page)]
    problem = f"{counted(len(skipped), 'page')} skipped, whose annotation labels no text: {listed(skipped)}"
    if required and not labelled:
        raise InputError(problem)
    if skipped and not told:
        report_note(problem)
    return labelled


def _run_experiments(pages: _Pages, config_name: str, training: _Training) -> None:
    from dehusk.lab.evaluate import thesis
    from dehusk.lab.evaluate.text_tables import markdown_table
    from dehusk.label.victor.config import load_config
    from dehusk.label.victor.method import Victor

    config = load_config(config_name)
    labelled = _labelled(pages, Victor(config))
    experiments = thesis.ablations(config) if training.ablations else thesis.EXPERIMENTS
    disabled = {name for names in experiments.values() for name in names}
    if missing := disabled - set(config.template.features):
        raise ConfigError(f"the experiments need features that configuration {config.name} lacks: {min(missing)}")
    if training.thesis:
        click.echo(markdown_table(thesis.table_5_1(labelled)))
    results = thesis.run_experiments(config, labelled, dict(experiments), seed=training.seed, workers=training.workers)
    click.echo("In percent, pooled / mean over documents; six folds by page.\n")
    click.echo(markdown_table(thesis.table_6_1(results)))


def _cross_validate(pages: _Pages, config_name: str, training: _Training, form: str) -> None:
    from dehusk.lab.evaluate.verdicts import cross_validate
    from dehusk.label.victor.config import load_config
    from dehusk.label.victor.method import Victor

    config = load_config(config_name)
    labelled = _labelled(pages, Victor(config))
    verdicts = cross_validate(config, labelled, folds=training.folds or 0, seed=training.seed, by=training.by)
    _print_judged({config.name: _Judged(verdicts, [])}, form)


def _judge_models(pages: _Pages, model: str | None, config: str | None, form: str) -> None:
    """Judge a model; beside a user's own model, also judge the shipped one of the same method."""
    from dehusk.label.registry import DEFAULT, configurable_method, declaration, method_of_model, shipped_models

    if model is None:
        method = declaration(configurable_method() if config else DEFAULT)
        model = config if config in shipped_models() else str(method.default_model)
        _print_judged({model: _judge_model(pages, model, config)}, form)
        return
    judged = {model: _judge_model(pages, model, config)}
    shipped = declaration(method_of_model(model)).default_model
    if shipped and model not in shipped_models():
        judged[shipped] = _judge_model(pages, shipped, None, told=True)
    _print_judged(judged, form)


def _judge_model(pages: _Pages, model: str, config: str | None, *, told: bool = False) -> _Judged:
    """Judge a model, and report which of the pages it was trained on, and which have no label unless it was told."""
    from dehusk.lab.evaluate.fact_scores import judge_facts
    from dehusk.lab.evaluate.leaks import training_notes
    from dehusk.lab.evaluate.verdicts import judge
    from dehusk.lab.gold.datasets import is_set, read_set
    from dehusk.label import load_method
    from dehusk.label.registry import resolve_model

    method = load_method(model=model, config=config)
    sets = [path for path in map(Path, pages.inputs) if is_set(path)]
    with_facts = [sample for path in sets for sample in read_set(path) if sample.facts]
    labelled = _labelled(pages, method, required=not with_facts, told=told)
    for line in training_notes(resolve_model(model), [*(page.sample for page in labelled), *with_facts]):
        report_note(f"{model}: {line}")
    return _Judged([judge(method, page) for page in labelled], judge_facts(model, method, with_facts))


def _print_judged(judged: dict[str, _Judged], form: str) -> None:
    """Print the figures of each model; the first model is the one that the user asked about."""
    from dehusk.lab.evaluate.fact_scores import fact_rows
    from dehusk.lab.evaluate.text_report import fact_record, fact_table, verdict_record, verdict_table
    from dehusk.write.json import dumps

    if form == "text":
        facts = fact_rows([score for of_model in judged.values() for score in of_model.facts], lambda score: score.set)
        verdicts = {model: of_model.verdicts for model, of_model in judged.items() if of_model.verdicts}
        click.echo(
            "\n".join([*([verdict_table(verdicts)] if verdicts else []), *([fact_table(facts)] if facts else [])])
        )
        return
    records = {
        model: verdict_record(of_model.verdicts) | fact_record(of_model.facts) for model, of_model in judged.items()
    }
    first, *others = judged
    record = records[first]
    for shipped in others:
        record["shipped"] = {"model": shipped, **records[shipped]}
    click.echo(dumps(record), nl=False)
