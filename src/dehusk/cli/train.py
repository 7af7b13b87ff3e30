"""`dehusk train`: train a model on labelled pages."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import NearestChoice, silencing_option
from dehusk.cli.output import report
from dehusk.methods import STYLES

if TYPE_CHECKING:
    from dehusk.train.labelled_pages import LabelledPage


@dataclass(frozen=True)
class _Options:
    """Options that belong to one method; None if the user did not give them."""

    def given(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class _UnitedOptions(_Options):
    style: str | None
    trees: int | None
    depth: int | None
    seed: int | None


@dataclass(frozen=True)
class _VictorOptions(_Options):
    config: str | None
    c1: float | None
    c2: float | None
    iterations: int | None


@click.command("train")
@click.argument("inputs", nargs=-1, required=True, metavar="SET|PAGE...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Model folder to write.")
@click.option(
    "--method",
    type=NearestChoice(["united", "victor"], "method"),
    help="Method to train. [default: united, or victor if one of its options is given]",
)
@click.option("--gold", type=click.Path(exists=True, file_okay=False), help="Folder of annotations and gold texts.")
@click.option("--style", type=NearestChoice(STYLES, "style"), help="united: style of the gold texts. [default: auto]")
@click.option("--trees", type=click.IntRange(1, 5000), help="united: number of trees. [default: 300]")
@click.option("--depth", type=click.IntRange(1, 12), help="united: levels of a tree. [default: 6]")
@click.option("--seed", type=click.IntRange(0), help="united: seed of the random numbers. [default: 1]")
@click.option("--config", metavar="NAME|FILE", help="victor: preset or configuration file. [default: web]")
@click.option("--c1", type=click.FloatRange(0), help="victor: L1 regularisation. [default: as configured]")
@click.option("--c2", type=click.FloatRange(0), help="victor: L2 regularisation. [default: as configured]")
@click.option("--iterations", type=click.IntRange(1), help="victor: maximum iterations. [default: as configured]")
@silencing_option
def train_command(  # noqa: PLR0913 (the options of the command)
    *,
    inputs: tuple[str, ...],
    output: str,
    method: str | None,
    gold: str | None,
    style: str | None,
    trees: int | None,
    depth: int | None,
    seed: int | None,
    config: str | None,
    c1: float | None,
    c2: float | None,
    iterations: int | None,
) -> int:
    """Train on pages with annotations (<page>.anno.json) or gold texts (<page>.txt), or on whole sets.

    Training the united labeller needs the extra "train".

    \b
    Example, from annotating to cleaning:
      dehusk annotate pages/*.html
      dehusk train pages/*.html -o my-model
      dehusk eval --model my-model other-pages/*.html
      dehusk clean --model my-model new.html
    """
    united = _UnitedOptions(style, trees, depth, seed).given()
    victor = _VictorOptions(config, c1, c2, iterations).given()
    method = method or ("victor" if victor else "united")
    misplaced = united if method == "victor" else victor
    if misplaced:
        raise click.UsageError(f"--{min(misplaced)} is not an option of method {method}")
    if method == "victor":
        _train_victor(inputs, Path(output), gold, **victor)
    else:
        _train_united(inputs, Path(output), gold, **united)
    return ExitCode.OK


def _train_united(inputs: Sequence[str], output: Path, gold: str | None, *, style: str = "auto", **growth: int) -> None:
    from dehusk.methods.baseline import KeepAll
    from dehusk.train.boosting import Growth
    from dehusk.train.labelled_pages import gather_pages
    from dehusk.train.united import TrainingSet, train_united

    pages = gather_pages(inputs, KeepAll(), gold=gold)
    model = train_united(TrainingSet.of(pages, style), Growth(**growth))
    model.save(output)
    _finish(output, pages, model.card["sites"])


def _train_victor(
    inputs: Sequence[str], output: Path, gold: str | None, *, config: str = "web", **training: Any
) -> None:
    from dataclasses import replace

    from dehusk.methods.victor.config import load_config
    from dehusk.methods.victor.method import Victor
    from dehusk.train.labelled_pages import gather_pages
    from dehusk.train.victor import train_victor

    loaded = load_config(config)
    loaded = replace(loaded, training=replace(loaded.training, **training))
    pages = gather_pages(inputs, Victor(loaded), gold=gold)
    model = train_victor(loaded, pages)
    model.card_["training"] = vars(loaded.training)
    model.save(output)
    _finish(output, pages, model.card_["sites"])


def _finish(output: Path, pages: "Sequence[LabelledPage]", sites: int) -> None:
    """Add the keys of the training pages to the model folder, and report what the model was trained on."""
    from dehusk.gold import page_keys
    from dehusk.train.labelled_pages import MIN_COVERAGE, is_usable

    page_keys.save_keys(output, [page.sample for page in pages])
    used = sum(map(is_usable, pages))
    report(f"{output}: trained on {_count(used, 'page')} of {_count(sites, 'site')}")
    if used < len(pages):
        report(
            f"{_count(len(pages) - used, 'page')} skipped: "
            f"less than {MIN_COVERAGE:.0%} of the gold text is on the page, or the page has no text"
        )
    report(f"next: dehusk clean --model {output} PAGE")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
