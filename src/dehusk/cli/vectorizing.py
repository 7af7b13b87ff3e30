"""Weighted word vectors of the pages that a command names, and the options for them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from dehusk.base.errors import ConfigError, InputError, counted, encodable, listed
from dehusk.base.store import method_of
from dehusk.cli.learning import PageReader, released
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import NearestChoice, adding, by_option, list_option, mixed_option
from dehusk.cli.output import report, spare_pages
from dehusk.counts.grouping import BY, site_of
from dehusk.label.site_models import load_site
from dehusk.read import Limits
from dehusk.read.files import PageLocation, find_pages
from dehusk.read.page import Page
from dehusk.sites.mining.known_trees import vectors_by_known_trees
from dehusk.sites.mining.page_labels import labels_of
from dehusk.sites.structure_tree.cst import CompressedStructureTree
from dehusk.sites.structure_tree.declaration import tree_of_site
from dehusk.sites.structure_tree.model_folder import CARD
from dehusk.sites.structure_tree.vector_files import NamedVectors, read_words
from dehusk.sites.structure_tree.vectors import PageVectors

_BY_FOLDER = "folder"
TREE_OPTIONS = ("mode", "leaves", "gamma", "lambda_", "classes", "sheets", "content")


def _leaves(_context: click.Context, _parameter: click.Parameter, value: str | None) -> int | str | None:
    if value is None or value == "grandparent":
        return value
    if not value.isdecimal():
        raise click.BadParameter(f'expected a number of levels or "grandparent", not {value!r}')
    return int(value)


vector_options = adding(
    follow_links_option,
    list_option,
    click.option(
        "--site",
        type=click.Path(file_okay=False),
        help="Weigh by a model: a folder of `dehusk site learn`, of method cst or for all methods.",
    ),
    by_option(
        [*BY, _BY_FOLDER], "What counts as a site; each site has a tree. folder: the first folder inside of PAGE."
    ),
    mixed_option("Build one tree for the pages of all sites."),
    click.option(
        "--mode",
        type=NearestChoice(["ordinal", "style"], "mode"),
        help="How tag nodes are merged: by their path, or as in the paper.  [default: ordinal]",
    ),
    click.option("--gamma", type=click.FloatRange(0, 1), help="γ of mode style.  [default: 0.85]"),
    click.option(
        "--lambda", "lambda_", type=click.FloatRange(0, 1, min_open=True), help="λ of mode style.  [default: 0.85]"
    ),
    click.option(
        "--leaves",
        callback=_leaves,
        metavar="LEVELS",
        help="Maximum levels of elements below a leaf; or grandparent, as in the paper.  [default: 1]",
    ),
    click.option(
        "--classes/--no-classes", default=None, help="Whether the class is a display attribute.  [default: classes]"
    ),
    click.option(
        "--sheets/--no-sheets",
        default=None,
        help="Whether rules of style sheets in the page count like display attributes.  [default: no-sheets]",
    ),
    click.option(
        "--content",
        type=NearestChoice(["words", "all"], "content"),
        help="What leaves contain; all: images and links too, as columns such as src=image.gif.  [default: words]",
    ),
    click.option("--stem", metavar="LANGUAGE", help="Add the weights of words with the same stem, by Snowball."),
    click.option(
        "--words",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="Use exactly these words as columns: a file with one word per line, or an npz file of this command.",
    ),
    click.option(
        "--labels",
        metavar="FILE",
        help="Labels of the pages: a file with lines of PAGE, tab, label; or folder, for the name of a page's folder.",
    ),
)
"""Adds the options of `read_vectors`."""

idf_option = click.option(
    "--idf", is_flag=True, help="Multiply words by ln(pages / pages with the word), before and after."
)


@dataclass(frozen=True)
class VectorsRead:
    """The vectors of the pages that could be read."""

    table: NamedVectors
    failed: int
    """Number of pages that could not be used."""
    method: CompressedStructureTree
    """The trees that the words were weighed by, except those that were learned beside the known ones."""


def read_vectors(
    pages: Sequence[str], options: Mapping[str, Any], *, known: CompressedStructureTree | None = None
) -> VectorsRead:
    """Return the vectors of the pages that can be read.

    What the vectors lose, and what is odd about the pages, is reported in one line each.

    Args:
        pages: the arguments that name pages.
        options: the values of `vector_options`.
        known: trees of known sites; the pages of all other sites are weighed by trees that are learned from them.

    Raises:
        InputError: no page can be read, or a file of the options cannot be.
        ConfigError: an option contradicts another, or has an invalid value.
    """
    if not pages and not options["lists"]:
        raise click.UsageError("name a PAGE or a --list")
    _check_mode(options)
    fixed = read_words(Path(options["words"])) if options["words"] else None
    reader = PageReader(find_pages(pages, options["lists"], links=folder_links()), Limits())
    spare_pages(reader.pages.sources, output=options["output"])
    found = _FoundPages(reader, options["by"], options["mixed"])
    method, vectors = _weighed(found, options, known)
    if not len(vectors):
        raise InputError("no page could be read")
    if known is not None and not options["site"]:
        _report_unknown(_unknown(found.sites, known))
    _report_sites(found.sites, learned=[] if options["site"] else _unknown(found.sites, known))
    _report_pages(vectors)
    vectors = _finished(vectors, options, fixed)
    labels, gaps = labels_of(found.locations, options["labels"]) if options["labels"] else ([None] * len(vectors), [])
    for gap in gaps:
        report(gap)
    names = tuple(encodable(location.name) for location in found.locations)
    return VectorsRead(NamedVectors(vectors, names, tuple(found.sites), tuple(labels)), found.reader.failed, method)


def _check_mode(options: Mapping[str, Any]) -> None:
    """Refuse options of mode "style" that another mode would ignore.

    Raises:
        UsageError: there is one.
    """
    given = [name for name in ("gamma", "lambda_") if options[name] is not None]
    if given and options["mode"] != "style" and not options["site"]:
        raise click.UsageError(f"--{given[0].strip('_')} is of mode style: add --mode style")


def _weighed(
    found: "_FoundPages", options: Mapping[str, Any], known: CompressedStructureTree | None
) -> tuple[CompressedStructureTree, PageVectors]:
    """Read the pages; return the trees and the vectors by them."""
    if options["site"]:
        method = found.method = _model(Path(options["site"]), options)
        return method, method.page_vectors(released(found.read()), sites=found.trees)
    if known is not None:
        return known, vectors_by_known_trees(known, found.read(), found.sites)
    method = CompressedStructureTree(**{name: options[name] for name in TREE_OPTIONS if options[name] is not None})
    return method, method.fit_vectors(released(found.read()), sites=found.sites)


def _unknown(sites: Sequence[str], known: CompressedStructureTree | None) -> list[str]:
    return [site for site in sites if known is None or site not in known.trees_]


@dataclass
class _FoundPages:
    """The pages of a command, with their sites."""

    reader: PageReader
    by: Any
    mixed: bool
    method: CompressedStructureTree | None = None
    """The model that the pages are weighed by."""
    locations: list[PageLocation] = field(default_factory=list)
    """Where each page was read from."""
    sites: list[str] = field(default_factory=list)
    """The site of each page."""
    trees: list[str] = field(default_factory=list)
    """The site in the model whose tree each page is weighed by; the only tree of a model serves pages of all sites."""

    def read(self) -> Iterator[Page]:
        """Yield the pages that can be used; their locations and sites are known when they are yielded."""
        for location, page in self.reader.read_located():
            site = "" if self.mixed else self._site(location, page)
            if self.method is not None:
                known = self.method.trees_
                tree = next(iter(known)) if len(known) == 1 else site
                if tree not in known:
                    self.reader.fail(location.name, f"error: the model has no tree for site {site or 'unknown'}")
                    continue
                self.trees.append(tree)
            self.locations.append(location)
            self.sites.append(site)
            yield page

    def _site(self, location: PageLocation, page: Page) -> str:
        if self.by != _BY_FOLDER:
            return site_of(page, self.by)
        folder, slash, _ = location.relative.partition("/")
        return folder if slash else ""


def _model(folder: Path, options: Mapping[str, Any]) -> CompressedStructureTree:
    """Return the trees of a model folder."""
    given = [name for name in TREE_OPTIONS if options[name] is not None]
    if given:
        raise ConfigError(f"--{given[0].strip('_')} is an option of learning: the model in --site has its own")
    if method_of(folder) == CARD:
        return CompressedStructureTree.load(folder)
    if method_of(folder):
        return tree_of_site(load_site(folder), {})
    raise ConfigError(
        f"--site {folder} is not a model: make one with `dehusk site learn PAGES -o MODEL`, or leave --site out to "
        "learn from the pages themselves"
    )


def _finished(vectors: PageVectors, options: Mapping[str, Any], fixed: list[str] | None) -> PageVectors:
    """Return vectors with the columns that the options request."""
    if options["stem"]:
        vectors = vectors.stemmed(options["stem"])
    if fixed is not None:
        vectors, dropped = vectors.restricted(fixed)
        if dropped.words:
            lost = f"{counted(dropped.words, 'word')} not in it, {dropped.share:.1%} of all weights"
            report(f"{options['words']}: {lost}")
    return vectors


def _report_unknown(sites: Sequence[str]) -> None:
    """Report the pages of sites that the known trees do not have."""
    if sites:
        names = listed([site or "(unknown)" for site in sorted(set(sites))])
        report(f"{counted(len(sites), 'page')} of sites that the model does not know, weighed by new trees: {names}")


def _report_sites(sites: Sequence[str], *, learned: Sequence[str]) -> None:
    """Report what is odd about sites whose trees were learned from the pages themselves.

    Args:
        sites: the site of each page.
        learned: the sites of those pages whose tree was learned from them.
    """
    sizes = Counter(learned)
    if len(set(sites)) > 1 and "" in sizes:
        report(f"{counted(sizes[''], 'page')} without a known site: learned as a site of their own")
    alone = [site or "(unknown)" for site, size in sizes.items() if size == 1]
    if alone:
        report(f"{counted(len(alone), 'site')} of a single page, where every word weighs 1: {listed(alone)}")


def _report_pages(vectors: PageVectors) -> None:
    strangers = len(vectors) - int(vectors.familiar.sum())
    if strangers:
        report(f"{counted(strangers, 'page')} without an element of the site's tree: their words weigh 1")
    rows = vectors.weights
    empty = int((rows.indptr[1:] == rows.indptr[:-1]).sum())
    if empty:
        report(
            f"{counted(empty, 'page')} with an empty vector: no words, "
            "or only words that other pages have at the same place"
        )
