"""Learning a site from files, for the commands that need one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from dehusk.cli.output import report
from dehusk.cli.progress import track
from dehusk.errors import InputError, Status
from dehusk.methods.alternation import Alternation, FindOptimal, page_string
from dehusk.page import Page
from dehusk.read import Limits, parse
from dehusk.read.files import PageSources, find_pages
from dehusk.site.grouping import By, of_one_site
from dehusk.site.model import Site
from dehusk.store import method_of

SAMPLE = 40
"""Pages that FindOptimal's search is shown: enough for it to find its way, few enough for some seconds."""
_SAMPLED = 2_000_000  # characters
_UNREAD = (Status.NOT_HTML, Status.UNDECODABLE, Status.LIMIT, Status.ERROR)


@dataclass
class Reader:
    """Pages of files, one after the other; what could not be read is said and counted."""

    found: PageSources
    limits: Limits
    quiet: bool
    failed: int = 0
    sample: list[str] = field(default_factory=list)
    """The strings of some of the pages, evenly chosen, where they are wanted."""

    def pages(self, *, sample: bool = False) -> Iterator[Page]:
        """Yield the pages that could be read."""
        step = -(-len(self.found.sources) // SAMPLE)
        sources = self.found.sources
        for number, source in enumerate(track(sources, len(sources), stage="learning", quiet=self.quiet)):
            try:
                page = parse(source.read(self.limits.bytes), source.url, limits=self.limits)
            except OSError as error:
                self._say(source.name, f"error: cannot be read: {error.strerror or error}")
                continue
            if page.status in _UNREAD:
                self._say(source.name, f"{page.status}: {page.message}")
                continue
            if sample and number % step == 0 and sum(map(len, self.sample)) < _SAMPLED:
                self.sample.append(page_string(page).text)
            yield page

    def _say(self, name: str, what: str) -> None:
        self.failed += 1
        if not self.quiet:
            report(f"{name}: {what}")


def learn(reader: Reader, *, by: By = "host", mixed: bool = False, structure: bool = True, cut: bool = False) -> Site:
    """Learn a site from files; see `Site` for the options, `cut` searches for FindOptimal's cut point.

    Raises:
        InputError: no page could be read, or pages are of two sites.
    """
    site = Site(by=by, mixed=mixed, structure=structure).fit(reader.pages(sample=cut))
    if cut and any(reader.sample):
        found = FindOptimal("search").fit(reader.sample)
        site.cut = (found.n_, found.t_)
    return site


def learn_alternation(reader: Reader, *, by: By = "host", mixed: bool = False) -> Alternation:
    """Learn useless n-grams from files; see `learn`."""
    pages = list(_released(of_one_site(reader.pages(), by=by, mixed=mixed)))
    if not pages:
        raise InputError("no pages to learn a site from")
    return Alternation().fit(pages)


def _released(pages: Iterator[Page]) -> Iterator[Page]:
    """Yield pages without the parser's trees, so that many fit into memory."""
    for page in pages:
        page.release()
        yield page


@contextmanager
def site_folder(given: str | None, method: str | None, limits: Limits, *, quiet: bool) -> Iterator[str | None]:
    """Give a site model's folder; one of a folder of pages is made for the time being.

    Raises:
        InputError: the folder has neither a model nor pages.
    """
    if given is None or method_of(Path(given)):
        yield given
        return
    reader = Reader(find_pages([given]), limits, quiet)
    with TemporaryDirectory(prefix="dehusk-") as folder:
        if method == "alternation":
            learn_alternation(reader).save(Path(folder))
        else:
            site = learn(reader, structure=method == "cst")
            if site.warning and not quiet:
                report(f"{site.warning}")
            site.save(folder)
        yield folder
