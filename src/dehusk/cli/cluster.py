"""`dehusk cluster`: groups of pages by their words, before and after weighting by the structure of the site."""

from typing import Any

import click

from dehusk.base.errors import counted
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.mined_files import check_folder, check_library, write_files
from dehusk.cli.options import NearestChoice, raw_cells_option, silencing_option
from dehusk.cli.output import report
from dehusk.cli.vectorizing import idf_option, read_vectors, vector_options
from dehusk.sites.mining.cluster_report import COLOURS_OF, ClusterResult, cluster_vectors
from dehusk.sites.mining.clusters import INITS, KMeansPlan, fewer
from dehusk.sites.mining.unit_vectors import SIDES
from dehusk.sites.structure_tree.vector_files import NamedVectors


@click.command("cluster")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@click.option(
    "-k", "--clusters", "k", type=click.IntRange(2), help="Number of clusters.  [default: the number of labels]"
)
@click.option("--starts", type=click.IntRange(1), default=10, help="Runs of k-means; the best one is used.")
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, help="Seed of the first run.")
@click.option(
    "--init",
    type=NearestChoice(INITS),
    default=INITS[0],
    help="How to choose the first centres: far from each other, or at random pages as in the paper.",
)
@idf_option
@click.option(
    "--colour",
    type=NearestChoice(COLOURS_OF),
    help="What the map's colours show.  [default: label if there are labels, else cluster]",
)
@vector_options
@click.option("-o", "--output", required=True, type=click.Path(), help="Folder for assignments, report and map.")
@raw_cells_option
@silencing_option
def cluster_command(pages: tuple[str, ...], **options: Any) -> int:
    """Cluster pages by their words, before and after weighting by the structure of their site (Yi & Liu 2003).

    A third side, which needs no structure, multiplies words by ln(pages / pages with the word) over each site.

    PAGE is a file, a folder, or a glob in quotes. The folder gets assignments.csv, report.md, report.json and map.svg.

    \b
    Examples:
      dehusk cluster saved/example.org -k 5 -o clusters
      dehusk cluster shops --by folder --labels labels.tsv --init random --starts 800 -o clusters
    """
    if options["k"] is None and not options["labels"]:
        raise click.UsageError("name the number of clusters: -k K, or --labels")
    check_folder(options["output"])
    check_library("cluster")
    done = read_vectors(pages, options)
    if not len(done.table.vectors.weights.data):
        report(f"{options['output']} is not written: no page has words that weigh anything")
        return ExitCode.SOME_FAILED if done.failed else ExitCode.NOTHING
    result = cluster_vectors(done.table, _plan(done.table, options), idf=options["idf"])
    colour = options["colour"] or _colour(done.table)
    write_files(options["output"], result.files(colour, raw_cells=options["raw_cells"]))
    _report(result, options["output"])
    return ExitCode.SOME_FAILED if done.failed else ExitCode.OK


def _plan(table: NamedVectors, options: dict[str, Any]) -> KMeansPlan:
    k = options["k"] or len(set(table.labels) - {None})
    if k < 2:
        raise click.UsageError(f"the pages have {counted(k, 'label')}, too few for clusters: add -k K")
    return KMeansPlan(k, options["starts"], options["seed"], options["init"])


def _colour(table: NamedVectors) -> Any:
    return "label" if any(label is not None for label in table.labels) else "cluster"


def _report(result: ClusterResult, output: str) -> None:
    facts = result.facts
    for side, found in result.sides.items():
        if line := fewer(found, result.plan):
            report(f"{SIDES[side]}: {line}")
    if "rival" not in result.sides:
        report(f"{SIDES['rival']} fewer pages than clusters have words: that side is left out")
    measure = "V-measure" if "V-measure" in facts["after"] else "silhouette"
    values = ", ".join(f"{facts[side][measure]:.3f} {SIDES[side]}" for side in result.sides)
    sizes = ", ".join(map(str, result.sides["after"].sizes))
    report(f"{output}: {counted(facts['pages'], 'page')}, clusters of {sizes}; {measure} {values}")
