"""`dehusk train`: labelled pages to a model folder."""

from pathlib import Path

import click


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="SET|PAGE...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Model folder to write.")
@click.option("--config", default="web", show_default=True, metavar="NAME|FILE", help="Preset or configuration file.")
@click.option("--gold", type=click.Path(exists=True, file_okay=False), help="Folder of annotations and gold texts.")
@click.option("--c1", type=click.FloatRange(0), help="L1 strength. [default: as configured]")
@click.option("--c2", type=click.FloatRange(0), help="L2 strength. [default: as configured]")
@click.option("--iterations", type=click.IntRange(1), help="Iterations at most. [default: as configured]")
def train(inputs: tuple[str, ...], output: str, config: str, gold: str | None, **strengths: float | None) -> int:
    """Train Victor on pages with annotations (<page>.anno.json) or gold texts (<page>.txt), or on whole sets.

    \b
    Example, from annotation to use:
      dehusk annotate pages/*.html
      dehusk train pages/*.html -o my-model --config cleaneval
      dehusk eval --model my-model pages/*.html
      dehusk clean --model my-model other.html
    """
    from dataclasses import replace

    from dehusk.config import load_config
    from dehusk.gold import fingerprints
    from dehusk.methods.victor import Victor
    from dehusk.train.corpus import gather
    from dehusk.train.fit import train as fit
    from dehusk.train.fit import usable

    loaded = load_config(config)
    given = {name: value for name, value in strengths.items() if value is not None}
    loaded = replace(loaded, training=replace(loaded.training, **given))  # type: ignore[arg-type]
    pages = gather(inputs, Victor(loaded), gold=gold)
    model = fit(loaded, pages)
    model.card_["training"] = vars(loaded.training)
    model.save(Path(output))
    fingerprints.save(Path(output), [page.sample for page in pages])
    left_out = len(pages) - len(usable(pages))
    click.echo(f"{output}: trained on {len(pages) - left_out} pages, {model.card_['sites']} sites", err=True)
    if left_out:
        click.echo(f"{left_out} pages left out: too little of their gold text stands on the page", err=True)
    return 0
