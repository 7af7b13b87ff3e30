"""`dehusk train`: labelled pages to a model folder."""

from pathlib import Path
from typing import Any

import click

from dehusk.methods import STYLES

_OF_VICTOR = ("config", "c1", "c2", "iterations")
_OF_UNITED = ("style", "trees", "depth", "seed")


@click.command("train")
@click.argument("inputs", nargs=-1, required=True, metavar="SET|PAGE...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Model folder to write.")
@click.option(
    "--method",
    type=click.Choice(["united", "victor"]),
    help="What to train. [default: united, victor where options of its own are given]",
)
@click.option("--gold", type=click.Path(exists=True, file_okay=False), help="Folder of annotations and gold texts.")
@click.option("--style", type=click.Choice(STYLES), help="united: the style that the gold is of. [default: auto]")
@click.option("--trees", type=click.IntRange(1, 5000), help="united: trees. [default: 300]")
@click.option("--depth", type=click.IntRange(1, 12), help="united: levels of a tree. [default: 6]")
@click.option("--seed", type=click.IntRange(0), help="united: of all chance. [default: 1]")
@click.option("--config", metavar="NAME|FILE", help="victor: preset or configuration file. [default: web]")
@click.option("--c1", type=click.FloatRange(0), help="victor: L1 strength. [default: as configured]")
@click.option("--c2", type=click.FloatRange(0), help="victor: L2 strength. [default: as configured]")
@click.option("--iterations", type=click.IntRange(1), help="victor: iterations at most. [default: as configured]")
def train_command(inputs: tuple[str, ...], output: str, method: str | None, gold: str | None, **options: Any) -> int:
    """Train on pages with annotations (<page>.anno.json) or gold texts (<page>.txt), or on whole sets.

    Training the united labeller needs the extra "train".

    \b
    Example, from annotation to use:
      dehusk annotate pages/*.html
      dehusk train pages/*.html -o my-model
      dehusk eval --model my-model other-pages/*.html
      dehusk clean --model my-model new.html
    """
    given = {name: value for name, value in options.items() if value is not None}
    method = method or ("victor" if given.keys() & set(_OF_VICTOR) else "united")
    foreign = given.keys() & set(_OF_UNITED if method == "victor" else _OF_VICTOR)
    if foreign:
        raise click.UsageError(f"--{min(foreign)} is not for method {method}")
    return (_united if method == "united" else _victor)(inputs, Path(output), gold, given)


def _united(inputs: tuple[str, ...], output: Path, gold: str | None, given: dict[str, Any]) -> int:
    from dehusk.gold import fingerprints
    from dehusk.methods.baseline import KeepAll
    from dehusk.train.corpus import gather
    from dehusk.train.fit import usable
    from dehusk.train.forest import Growth
    from dehusk.train.united import Corpus, train_united

    pages = gather(inputs, KeepAll(), gold=gold)
    style = given.pop("style", "auto")
    model = train_united(Corpus.of(pages, style), Growth(**given))
    model.save(output)
    fingerprints.save(output, [page.sample for page in pages])
    _tell(output, len(pages), sum(map(usable, pages)), model.card["sites"])
    return 0


def _victor(inputs: tuple[str, ...], output: Path, gold: str | None, given: dict[str, Any]) -> int:
    from dataclasses import replace

    from dehusk.gold import fingerprints
    from dehusk.methods.victor.config import load_config
    from dehusk.methods.victor.method import Victor
    from dehusk.train.corpus import gather
    from dehusk.train.fit import train as fit
    from dehusk.train.fit import usable

    loaded = load_config(given.pop("config", "web"))
    loaded = replace(loaded, training=replace(loaded.training, **given))
    pages = gather(inputs, Victor(loaded), gold=gold)
    model = fit(loaded, pages)
    model.card_["training"] = vars(loaded.training)
    model.save(output)
    fingerprints.save(output, [page.sample for page in pages])
    _tell(output, len(pages), sum(map(usable, pages)), model.card_["sites"])
    return 0


def _tell(output: Path, pages: int, used: int, sites: int) -> None:
    click.echo(f"{output}: trained on {used} pages, {sites} sites", err=True)
    if used < pages:
        click.echo(f"{pages - used} pages left out: too little of their gold text stands on the page", err=True)
