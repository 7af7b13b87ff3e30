"""`dehusk classify`: classes of pages by their words, before and after weighting by the structure of the site."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from dehusk.base.errors import counted
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.mined_files import check_folder, check_library, write_files
from dehusk.cli.options import NearestChoice, raw_cells_option, silencing_option
from dehusk.cli.output import report
from dehusk.cli.saved_classes import TREES, apply_model, class_model
from dehusk.cli.vectorizing import TREE_OPTIONS, VectorsRead, idf_option, read_vectors, vector_options
from dehusk.sites.mining.class_report import ClassResult, classify_vectors
from dehusk.sites.mining.classes import SvmPlan, check_classes
from dehusk.sites.mining.cross_validation import HOLD_OUT, HoldOut, folds_of, in_one_fold
from dehusk.sites.mining.unit_vectors import SIDES
from dehusk.sites.structure_tree.vector_files import NamedVectors

_LEARNING = ("c", "folds", "hold_out", "seed", "save", "plain", "idf", "by", "mixed", "stem", "words", *TREE_OPTIONS)
"""Options that a model has already used, so that they cannot be given with it."""


@click.command("classify")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@click.option("--model", type=click.Path(file_okay=False), help="Assign classes by a model that --save has written.")
@click.option("--save", type=click.Path(file_okay=False), help="Save a model of all labelled pages to this folder.")
@click.option(
    "--hold-out",
    type=NearestChoice(HOLD_OUT),
    help="What cross-validation keeps out of learning.  [default: site if the labels have several, else page]",
)
@click.option("--folds", type=click.IntRange(2), default=5, help="Maximum folds of cross-validation.")
@click.option(
    "-C",
    "c",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    help="Penalty of the SVM for pages on the wrong side of its margin.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, help="Seed of folds and SVM.")
@idf_option
@click.option(
    "--plain", is_flag=True, help="With --save: save the model of unweighted words, which needs no trees of sites."
)
@vector_options
@click.option("-o", "--output", type=click.Path(), help="Folder for assignments, report and map.")
@raw_cells_option
@silencing_option
def classify_command(pages: tuple[str, ...], **options: Any) -> int:
    """Classify pages by a linear SVM on their words, before and after weighting by the structure of their site.

    A third side, which needs no structure, multiplies words by ln(pages / pages with the word) over each site.

    With --labels, classes are learned and judged by cross-validation (Yi & Liu 2003), and pages without a label get a
    class. The folder gets assignments.csv, report.md, report.json and map.svg. With --model, pages get classes by a
    saved model; without -o, as CSV on standard output.

    \b
    Examples:
      dehusk classify universities --by folder --labels folder -o classes
      dehusk classify saved/example.org --labels labels.tsv --save example.classes
      dehusk classify --model example.classes new-pages
    """
    check_folder(options["output"])
    if options["model"]:
        _refuse_learning()
        return apply_model(pages, options)
    if not options["labels"]:
        raise click.UsageError("name the --labels to learn, or a --model")
    if options["output"] is None and options["save"] is None:
        raise click.UsageError("name a folder for the results: -o FOLDER, or --save MODEL")
    if options["raw_cells"] and options["output"] is None:
        raise click.UsageError("--raw-cells is of assignments.csv: add -o FOLDER")
    if options["plain"] and options["save"] is None:
        raise click.UsageError("--plain is of the saved model: add --save MODEL")
    check_library("classify")
    return _learn(read_vectors(pages, options), options)


def _refuse_learning() -> None:
    """Refuse options of learning that were typed.

    Raises:
        UsageError: there is one.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in _LEARNING and source is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[0]} is an option of learning: the model in --model has its own")


def _learn(done: VectorsRead, options: Mapping[str, Any]) -> ExitCode:
    """Judge classes by cross-validation, write what was asked for, and report."""
    table = done.table
    for line in check_classes(table.labels):
        report(line)
    if not len(table.vectors.weights.data):
        report("nothing is learned: no page has words that weigh anything")
        return ExitCode.SOME_FAILED if done.failed else ExitCode.NOTHING
    result = _result(table, options)
    if alone := in_one_fold(table.labels, result.folds):
        where = f"on one {result.hold_out} only" if len(alone) == 1 else f"each on one {result.hold_out} only"
        report(f"{', '.join(alone)}: {where}, so that cross-validation can never find it; try another --hold-out")
    if not result.converged:
        report(f"the SVM did not reach its optimum: try a smaller cost than -C {result.plan.c:g}")
    if options["output"]:
        write_files(options["output"], result.files(raw_cells=options["raw_cells"]))
    if options["save"]:
        class_model(result, options).save(Path(options["save"]))
        if not options["plain"]:
            done.method.save(Path(options["save"]) / TREES)
    _report(result, options["output"] or options["save"])
    return ExitCode.SOME_FAILED if done.failed else ExitCode.OK


def _result(table: NamedVectors, options: Mapping[str, Any]) -> ClassResult:
    sites = {site for site, label in zip(table.sites, table.labels, strict=True) if label is not None}
    hold_out: HoldOut = options["hold_out"] or ("site" if len(sites) > 1 else "page")
    plan = SvmPlan(options["c"], options["seed"])
    folds = folds_of(table.labels, table.sites, hold_out=hold_out, folds=options["folds"], seed=plan.seed)
    return classify_vectors(table, folds, plan, hold_out=hold_out, idf=options["idf"])


def _report(result: ClassResult, output: str) -> None:
    facts = result.facts
    values = ", ".join(f"{facts[side]['accuracy']:.3f} {sentence}" for side, sentence in SIDES.items())
    held_out = f"{counted(facts['folds'], 'fold')} by {facts['held out']}"
    judged = counted(facts["pages"] - facts["without label"], "page")
    report(f"{output}: {judged} of {len(facts['labels'])} classes, {held_out}; accuracy {values}")
    if facts["without label"]:
        guessed = Counter(facts["after"]["without label"]).most_common()
        told = ", ".join(f"{name} {number}" for name, number in guessed[:5])
        report(f"{counted(facts['without label'], 'page')} without a label: {told}")
