"""`dehusk train`: train a model on labelled pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.base.errors import counted
from dehusk.base.extras import missing, require
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import NearestChoice, gold_option, silencing_option
from dehusk.cli.output import report
from dehusk.label import DEFAULT, STYLES, PageMethod
from dehusk.label.registry import configurable_method, declaration, declarations

if TYPE_CHECKING:
    from dehusk.lab.train.labelled_pages import LabelledPage
    from dehusk.lab.train.united import TrainingSet

_NO_START = "none"


@dataclass(frozen=True)
class _UnitedOptions:
    """Options of the united labeller; None if the user did not give them."""

    style: str | None
    start: str | None
    epochs: int | None
    width: int | None
    seed: int | None
    site: bool | None


@dataclass(frozen=True)
class _VictorOptions:
    """Options of Victor; None if the user did not give them."""

    config: str | None
    c1: float | None
    c2: float | None
    iterations: int | None


def _trainable() -> list[str]:
    return [declared.name for declared in declarations() if declared.trainable]


@click.command("train")
@click.argument("inputs", nargs=-1, required=True, metavar="SET|PAGE...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Model folder to write.")
@click.option(
    "--method",
    type=NearestChoice(_trainable, "trainable method"),
    help=f"Method to train. [default: {DEFAULT}, or victor if one of its options is given]",
)
@gold_option
@click.option("--style", type=NearestChoice(STYLES, "style"), help="united: style of the gold texts. [default: auto]")
@click.option(
    "--start",
    metavar="MODEL|none",
    help="united: model folder to improve; none to start anew. [default: the shipped model]",
)
@click.option("--epochs", type=click.IntRange(1, 1000), help="united: passes over the pages. [default: 10]")
@click.option(
    "--width", type=click.IntRange(8, 288), help="united: numbers per block, with --start none. [default: 64]"
)
@click.option("--seed", type=click.IntRange(0), help="united: seed of the random numbers. [default: 1]")
@click.option(
    "--site",
    is_flag=True,
    default=None,
    help="united: also train on unlabelled PAGEs of the labelled pages' sites: what labels say of an element of a "
    "template holds on all of its pages.",
)
@click.option("--config", metavar="NAME|FILE", help="victor: preset or configuration file. [default: web]")
@click.option("--c1", type=click.FloatRange(0), help="victor: L1 regularisation. [default: as configured]")
@click.option("--c2", type=click.FloatRange(0), help="victor: L2 regularisation. [default: as configured]")
@click.option("--iterations", type=click.IntRange(1), help="victor: maximum iterations. [default: as configured]")
@follow_links_option
@silencing_option
def train_command(  # noqa: PLR0913 (the options of the command)
    *,
    inputs: tuple[str, ...],
    output: str,
    method: str | None,
    gold: str | None,
    style: str | None,
    start: str | None,
    epochs: int | None,
    width: int | None,
    seed: int | None,
    site: bool | None,
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

    \b
    A few labelled pages of a site, and the rest of it:
      dehusk train --site saved/example.org -o my-model
    """
    from dehusk.label.united import United
    from dehusk.label.victor import Victor

    united = _UnitedOptions(style, start, epochs, width, seed, site)
    victor = _VictorOptions(config, c1, c2, iterations)
    declared = declaration(method or (configurable_method() if _given(victor) else DEFAULT))
    options: dict[type[PageMethod], _UnitedOptions | _VictorOptions] = {United: united, Victor: victor}
    misplaced = [name for other, given in options.items() if other is not declared.method for name in _given(given)]
    if misplaced:
        raise click.UsageError(f"--{misplaced[0]} is not an option of method {declared.name}")
    if declared.method is Victor:
        trained = _train_victor(inputs, Path(output), gold, victor)
    else:
        trained = _train_united(inputs, Path(output), gold, united)
    _finish(Path(output), trained)
    return ExitCode.OK


def _given(options: _UnitedOptions | _VictorOptions) -> dict[str, Any]:
    """Return the options that the user gave."""
    return {name: value for name, value in asdict(options).items() if value is not None}


@dataclass(frozen=True)
class _Trained:
    """What a model was trained on."""

    pages: Sequence[LabelledPage]
    """All pages, usable or not."""
    used: int
    """Number of usable pages."""
    sites: int
    """Number of their sites."""
    known: frozenset[int] = frozenset()
    """Keys of the pages of the model that training started from."""


def _train_united(inputs: Sequence[str], output: Path, gold: str | None, options: _UnitedOptions) -> _Trained:
    """Train and save the united labeller."""
    if find_spec("torch") is None:  # not after all pages are read
        raise missing("torch", extra="train", purpose="training the united labeller")
    from dehusk.lab.gold.page_keys import load_keys
    from dehusk.lab.train.labelled_pages import gather_fact_pages, gather_pages
    from dehusk.lab.train.net import Schedule
    from dehusk.lab.train.united import TrainingSet, train_united
    from dehusk.label.baseline import KeepAll
    from dehusk.label.united import United

    schedule = _given(options)
    styles = tuple(dict.fromkeys((STYLES[0], schedule.pop("style", STYLES[0]))))
    folder = _start(schedule.pop("start", None), width="width" in schedule)
    spread = schedule.pop("site", False)
    pages, facts = TrainingSet(), gather_fact_pages(inputs, KeepAll())
    pages.add(gather_pages(inputs, KeepAll(), gold=gold, required=not facts, links=folder_links()), styles)
    if spread:
        _add_site_pages(pages, inputs, gold, styles)
    pages.add_facts(facts)
    model = train_united(pages, Schedule(**schedule), start=None if folder is None else United.load(folder))
    model.save(output)
    used = sum(inputs is not None for inputs in pages.inputs)
    return _Trained(pages.pages, used, model.card["sites"], frozenset() if folder is None else load_keys(folder))


def _add_site_pages(pages: TrainingSet, inputs: Sequence[str], gold: str | None, styles: Sequence[str]) -> None:
    """Add the unlabelled pages of the labelled pages' sites, labelled by what these say of their elements."""
    from dehusk.lab.train.labelled_pages import gather_unlabelled
    from dehusk.lab.train.spreading import WEIGHT, spread_labels
    from dehusk.label.baseline import KeepAll

    spread = spread_labels(pages.pages, gather_unlabelled(inputs, KeepAll(), gold=gold, links=folder_links()))
    for site in spread:
        report(str(site))
        pages.add(site.pages, styles, weight=WEIGHT)
    if not spread:
        report("--site: no unlabelled page is of the site of a labelled one")


def _start(name: str | None, *, width: bool) -> Path | None:
    """Return the folder of the model to improve: the shipped one unless the user named another, or none."""
    from dehusk.label.registry import model_folder

    if name == _NO_START:
        return None
    if width:
        raise click.UsageError("--width is only for --start none: a model that is improved keeps its shape")
    return Path(name) if name else model_folder(DEFAULT)


def _train_victor(inputs: Sequence[str], output: Path, gold: str | None, options: _VictorOptions) -> _Trained:
    """Train and save Victor."""
    require("pycrfsuite", extra="victor", purpose="training Victor")
    from dehusk.lab.train.labelled_pages import gather_pages, is_usable
    from dehusk.lab.train.victor import train_victor
    from dehusk.label.victor import Victor, load_config

    training = _given(options)
    config = load_config(training.pop("config", "web"))
    config = replace(config, training=replace(config.training, **training))
    pages = gather_pages(inputs, Victor(config), gold=gold, links=folder_links())
    model = train_victor(config, pages)
    model.card_["training"] = vars(config.training)
    model.save(output)
    return _Trained(pages, sum(map(is_usable, pages)), model.card_["sites"])


def _finish(output: Path, trained: _Trained) -> None:
    """Add the keys of the training pages to the model folder, and report what the model was trained on."""
    from dehusk.lab.gold import page_keys
    from dehusk.lab.train.labelled_pages import MIN_COVERAGE

    page_keys.save_keys(output, [page.sample for page in trained.pages], known=trained.known)
    used = trained.used
    report(f"{output}: trained on {counted(used, 'page')} of {counted(trained.sites, 'site')}")
    if used < len(trained.pages):
        report(
            f"{counted(len(trained.pages) - used, 'page')} skipped: "
            f"less than {MIN_COVERAGE:.0%} of the gold text is on the page, or the page has no text or no label"
        )
    report(f"next: dehusk clean --model {output} PAGE")
