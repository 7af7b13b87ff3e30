"""`dehusk sets`: list, build and check the public sets that quality is measured on."""

from pathlib import Path

import click

from dehusk.base.errors import FetchError, InputError, unknown
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import silencing_option
from dehusk.cli.output import report
from dehusk.lab.gold.datasets import is_set
from dehusk.lab.sets.archives import download
from dehusk.lab.sets.building import Difference, build, check
from dehusk.lab.sets.catalogue import PublishedSet, published_sets

ARCHIVES = "archives"
"""Folder of downloaded archives, in the folder of sets."""


@click.group("sets")
def sets_command() -> None:
    """List, build and check the public sets that quality is measured on.

    The pages of a set belong to their publishers, so dehusk does not hold them: it holds where each set is published
    and the hashes of the pages that its figures are of.

    \b
    Examples:
      dehusk sets list
      dehusk sets get DATA wcxb-dev scrapinghub-a
      dehusk sets check DATA
    """


@sets_command.command("list")
@click.argument("names", nargs=-1, metavar="[SET]...")
@silencing_option
def list_command(names: tuple[str, ...]) -> int:
    """List the sets; for each SET that is named, also who made its gold texts, what these contain, known faults.

    \b
    Examples:
      dehusk sets list
      dehusk sets list wcxb-dev
    """
    if names:
        click.echo("\n\n".join(_described(published) for published in _named(names)))
        return ExitCode.OK
    for published in published_sets().values():
        why = "" if published.layout else f"; cannot be built: {published.why}"
        click.echo(f"{published.name:24}{published.pages:5}  {published.licence}{why}")
    return ExitCode.OK


@sets_command.command("get")
@click.argument("data", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", nargs=-1, required=True, metavar="SET...")
@click.option(
    "--archives",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with downloaded archives, named as `dehusk sets list SET` says; nothing is downloaded.",
)
@silencing_option
def get_command(data: Path, names: tuple[str, ...], archives: Path | None) -> int:
    """Build sets in folder DATA from what is published; `all` stands for those that our figures are of.

    Archives are downloaded to DATA/archives; a repeated command resumes them. A set that differs from the one that
    was measured is written to <SET>.partial, and each difference is named. A set that was never measured is written as
    it is published.

    \b
    Examples:
      dehusk sets get DATA wcxb-dev
      dehusk sets get DATA all --archives downloads
    """
    wanted = _checkable() if names == ("all",) else _named_buildable(names)
    outcomes = [_get(published, data, archives) for published in wanted]
    return ExitCode.OK if all(outcomes) else ExitCode.SOME_FAILED


@sets_command.command("check")
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("names", nargs=-1, metavar="[SET]...")
@silencing_option
def check_command(data: Path, names: tuple[str, ...]) -> int:
    """Compare the sets in folder DATA with those that were measured, page by page.

    \b
    Example:
      dehusk sets check DATA
    """
    found = _named_buildable(names) if names else _sets_in(data)
    for published in found:
        if published.unmeasured:
            raise InputError(f"{published.name} cannot be checked: {published.unmeasured}")
    if not found:
        checkable = ", ".join(published.name for published in _checkable())
        raise InputError(f"{data} holds none of the sets that can be checked: {checkable}")
    same = True
    for published in found:
        differences = check(published, _path(data, published.name))
        _tell(published.name, published.pages, differences)
        same = same and not differences
    return ExitCode.OK if same else ExitCode.SOME_FAILED


def _get(published: PublishedSet, data: Path, archives: Path | None) -> bool:
    """Build a set; return whether it is the one that was measured, or has all pages of a set that never was."""
    archive = (archives or data / ARCHIVES) / published.archive
    try:
        if archives is None and not archive.exists():
            report(f"{published.name}: {published.address} ({published.licence})")
            download(published.address, archive)
        folder, differences = build(published, archive, data)
    except (FetchError, InputError) as error:
        report(f"{published.name}: {error}")
        return False
    if published.unmeasured:
        built = (folder / "pages.jsonl").read_bytes().count(b"\n")
        click.echo(f"{folder}: {built} of {published.pages} pages, not checked: {published.unmeasured}")
        return built == published.pages
    _tell(str(folder), published.pages, differences)
    return not differences


def _tell(name: str, pages: int, differences: list[Difference]) -> None:
    click.echo(f"{name}: {'; '.join(map(str, differences)) or f'all {pages} pages, as measured'}")


def _described(published: PublishedSet) -> str:
    source = f"{published.address} as {published.archive}" if published.layout else f"cannot be built: {published.why}"
    rows = {
        "pages": published.pages, "licence": published.licence, "published": published.home, "archive": source,
        "gold": published.gold, "contains": published.convention, "known faults": published.faults,
        "not checked": published.unmeasured,
    }  # fmt: skip
    return "\n".join(
        [f"{published.name}: {published.title}", *(f"  {key:14}{value}" for key, value in rows.items() if value)]
    )


def _named(names: tuple[str, ...]) -> list[PublishedSet]:
    sets = published_sets()
    for name in names:
        if name not in sets:
            raise InputError(unknown("set", name, tuple(sets)))
    return [sets[name] for name in dict.fromkeys(names)]


def _checkable() -> list[PublishedSet]:
    return [published for published in published_sets().values() if published.layout and not published.unmeasured]


def _named_buildable(names: tuple[str, ...]) -> list[PublishedSet]:
    for published in _named(names):
        if not published.layout:
            raise InputError(f"{published.name} cannot be built: {published.why}; see {published.home}")
    return _named(names)


def _path(data: Path, name: str) -> Path:
    return data / name if (data / name).is_dir() else data / f"{name}.tar.xz"


def _sets_in(data: Path) -> list[PublishedSet]:
    paths = {published: _path(data, published.name) for published in _checkable()}
    return [published for published, path in paths.items() if path.exists() and is_set(path)]
