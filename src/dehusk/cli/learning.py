"""Learn a site from files, for the commands that need one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dehusk.base.atomic import write_text
from dehusk.base.errors import InputError, MissingExtraError, counted
from dehusk.base.processes.alarm import AlarmError, alarm_after
from dehusk.base.processes.risk import DeadlyPageError, at_risk
from dehusk.base.store import method_of
from dehusk.blocks import Blocks, segment
from dehusk.cli.links import folder_links
from dehusk.cli.options import is_quiet
from dehusk.cli.output import report
from dehusk.cli.progress import track
from dehusk.counts.grouping import By, of_one_site, site_name, site_of
from dehusk.counts.model import ENOUGH, SiteModel
from dehusk.counts.own_counts import DeclaredCounts
from dehusk.counts.templates import RULES_FILE
from dehusk.label.base import PageMethod
from dehusk.label.compiling import learn_templates
from dehusk.label.declaration import Declaration
from dehusk.label.registry import declarations
from dehusk.label.rules import ANY_HOST, Rules
from dehusk.label.sites import compiled_rules
from dehusk.label.styles import Style
from dehusk.label.template_rules import TemplateRules, with_edits
from dehusk.read import Limits, parse
from dehusk.read.files import PageLocation, PageLocations, find_pages
from dehusk.read.page import Page
from dehusk.sites.alternation import FindOptimal, page_string

MOST_LEARNED = 5_000
"""Pages that a site is learned from, so that a site of any size fits into memory: a thousand take 17 MB."""
MOST_SAMPLED = 50
"""Pages that a host of a folder is learned from, as in corpora; more gain nothing that was measured."""
MOST_COMPILED = 500
"""Pages that the rules of a site's templates are learned from."""
_SAMPLE_PAGES = 40  # for FindOptimal's search: enough to find a cut point, and read in seconds
_SAMPLE_CHARACTERS = 2_000_000


@dataclass
class PageReader:
    """Reads pages one after the other; reports and counts those that cannot be read."""

    pages: PageLocations
    limits: Limits
    failed: int = 0
    sample: list[str] = field(default_factory=list)
    """The strings of evenly chosen pages, if a sample was requested."""
    ready: dict[PageLocation, Blocks] = field(default_factory=dict)
    """Pages that were read before, which are not read again."""
    read_pages: int = 0
    texts: set[bytes] = field(default_factory=set)
    """Hashes of the different texts of the pages that were read."""
    told: set[str] = field(default_factory=set)
    """What was reported of pages that cannot be read, and is not reported again."""
    silent: bool = False
    """Whether to leave it to what follows to report pages that cannot be read."""

    def read(self, *, with_sample: bool = False) -> Iterator[Page]:
        """Yield the pages that can be read."""
        for _, page in self.read_located(with_sample=with_sample):
            yield page

    def read_located(self, *, with_sample: bool = False) -> Iterator[tuple[PageLocation, Page]]:
        """Yield the pages that can be read, and where each is from."""
        sources = self.pages.sources
        step = -(-len(sources) // _SAMPLE_PAGES)
        for number, source in enumerate(track(sources, len(sources), stage="learning", quiet=is_quiet())):
            try:
                with at_risk(source.name):
                    page = self._read(source)
                    if page is None:
                        continue
                    if with_sample and number % step == 0 and sum(map(len, self.sample)) < _SAMPLE_CHARACTERS:
                        self.sample.append(page_string(page).text)
                    yield source, page
            except DeadlyPageError as error:
                self.fail(source.name, f"error: {error}")
            except AlarmError:
                self.fail(source.name, f"limit: took longer than {self.limits.latest:g} s")

    def _read(self, source: PageLocation) -> Page | None:
        """Return a page; None if it cannot be read, which is reported."""
        if (known := self.ready.get(source)) is not None:
            page = known.page
        else:
            try:
                with alarm_after(self.limits.latest):
                    page = parse(source.read(self.limits.bytes), source.url, limits=self.limits)
            except OSError as error:
                self.fail(source.name, f"error: cannot be read: {error.strerror or error}")
                return None
        if not page.status.is_readable:
            self.fail(source.name, f"{page.status}: {page.message}")
            return None
        self.read_pages += 1
        self.texts.add(blake2b(page.text.encode("utf-8", "surrogatepass"), digest_size=16).digest())
        return page

    def fail(self, name: str, reason: str) -> None:
        """Report and count a page that cannot be used."""
        self.failed += 1
        if (problem := f"{name}: {reason}") not in self.told and not self.silent:
            report(problem)
            self.told.add(problem)


def learn_site(
    reader: PageReader,
    *,
    by: By = "host",
    mixed: bool = False,
    counts: Sequence[type[DeclaredCounts]] | None = None,
    cut: bool | None = False,
) -> SiteModel:
    """Learn what the pages of a site share, as counts.

    Args:
        reader: the pages.
        by: what counts as a site.
        mixed: whether to accept pages of several sites.
        counts: what to count beyond what is counted of every site; by default what any method declares.
        cut: whether to search for FindOptimal's cut point; None: if its extra is installed.

    Raises:
        InputError: no page can be read, or the pages belong to two sites.
        MissingExtraError: `cut`, but the extra "findoptimal" is not installed.
    """
    counts = declared_counts() if counts is None else counts
    site = SiteModel(by=by, mixed=mixed, structure=False, counts=counts).fit(reader.read(with_sample=cut is not False))
    if cut is not False and any(reader.sample):
        try:
            optimum = FindOptimal("printed").fit(reader.sample)
        except MissingExtraError as error:
            if cut:
                raise
            report(f"without FindOptimal's cut point, which only `dehusk site show` tells: {error}")
        else:
            site.cut = (optimum.n_, optimum.t_)
    return site


def declared_counts() -> tuple[type[DeclaredCounts], ...]:
    """Return what any method declares, so that a site model serves all of them."""
    return tuple(dict.fromkeys(chain.from_iterable(declared.counts for declared in declarations())))


def taught_by(site: SiteModel, pages: PageLocations, gold: str) -> str:
    """Teach a site by those of the pages that have labels; return what that did, in words.

    Args:
        site: a site that counts elements.
        pages: saved pages.
        gold: folder of annotations and gold texts.

    Raises:
        InputError: none of the pages has labels, or those are of other pages.
        GoldError: an annotation does not belong to its page.
    """
    from dehusk.lab.train.labelled_pages import is_usable, label_file
    from dehusk.lab.train.teaching import teach
    from dehusk.label.baseline import KeepAll

    found = [label_file(Path(source.name), KeepAll(), gold) for source in pages.sources]
    labelled = [page for page in found if page is not None]
    usable = [*filter(is_usable, labelled)]
    if not labelled:
        raise InputError(f"{gold} has labels of none of the pages: <page>.anno.json or <page without suffix>.txt")
    if not usable:
        raise InputError(f"{gold} teaches nothing: the gold texts are of other pages, or the annotations label no text")
    return str(teach(site, usable))


def learned_templates(
    site: SiteModel, pages: PageLocations, limits: Limits, style: Style = "auto", most: int = MOST_COMPILED
) -> Rules:
    """Return the rules of the templates of a site, from some of its pages, which are read again; maybe none.

    Args:
        site: the site.
        pages: its pages.
        limits: bounds on each.
        style: how much of a page to keep.
        most: pages to learn from, at most.
    """
    reader = PageReader(sample_of(pages, most), limits, silent=True)
    return compiled_rules(site, map(segment, reader.read()), style)


def write_templates(learned: Rules, file: Path) -> str:
    """Write rules of templates beside the rules that a file may already have; return what was learned, in words.

    Raises:
        ConfigError: the file is there, but is no rules file.
        InputError: there are no templates.
    """
    before = Rules.load(file) if file.exists() else Rules({})
    if not learned.templates:
        raise InputError(f"no two of the pages are built alike: there is no template to write to {file}")
    [(host, templates)] = learned.templates.items()
    templates = with_edits(templates, before.templates.get(host, ()))
    write_text(file, Rules(before.hosts, {**before.templates, host: templates}).text())
    rules = sum(len(template.elements) for template in templates)
    pages = counted(sum(template.pages for template in templates), "page")
    what = f"{counted(len(templates), 'template')} with {counted(rules, 'rule')}, from {pages}"
    return what + (f"; {_changes(before.templates[host], templates)}" if host in before.templates else "")


def _changes(before: Sequence[TemplateRules], after: Sequence[TemplateRules]) -> str:
    """Return in words how the rules of a host's templates differ from those before."""
    old, new = (
        {(rule.path, rule.text): rule.action for template in templates for rule in template.elements}
        for templates in (before, after)
    )
    counts = {
        "new": len(new.keys() - old.keys()),
        "gone": len(old.keys() - new.keys()),
        "decided otherwise": sum(old[key] != new[key] for key in old.keys() & new.keys()),
    }
    said = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
    edited = sum(len(template.by_people) for template in after)
    kept = f"; {counted(edited, 'rule')} of people kept" if edited else ""
    return f"against the file before: {said or 'the same rules'}{kept}"


def learn_sites(
    pages: PageLocations,
    limits: Limits,
    declared: Declaration,
    folder: Path,
    load: Callable[..., PageMethod],
    gold: str | None = None,
) -> dict[str, str]:
    """Learn each host that has enough of the pages, from some of them; return page -> the folder of its site's model.

    Pages that name no host are learned together: what they share of their structure tells which are of one design.

    Args:
        pages: saved pages.
        limits: bounds on each.
        declared: the method that will use the models.
        folder: an empty folder for the models, and the rules of each site's templates.
        load: returns the method for a site.
        gold: folder of labels of some of the pages, which teach their hosts.

    Raises:
        InputError: there is a folder of labels, but no host that they could teach.
    """
    hosts: dict[str, list[PageLocation]] = {}
    if len(pages.sources) < ENOUGH and not gold:
        return {}
    for source in track(pages.sources, len(pages.sources), stage="finding sites", quiet=is_quiet()):
        hosts.setdefault(_host(source, limits), []).append(source)
    learned: dict[str, str] = {}
    taught = 0
    for number, (host, sources) in enumerate(hosts.items()):
        if len(sources) < ENOUGH:
            continue
        sample = sample_of(PageLocations(tuple(sources), many=True), MOST_SAMPLED)
        reader = PageReader(sample, limits, silent=True)
        site = SiteModel(mixed=not host, structure=False, counts=declared.counts)
        for page in reader.read():
            site.add(page)
        if site.pages >= ENOUGH:
            taught += _taught_host(site, host, sources, gold)
            own = folder / str(number)
            site.save(own)
            templates = learn_templates(map(segment, reader.read()), load(site=own))
            write_text(own / RULES_FILE, Rules({}, {ANY_HOST: templates}).text())
            learned |= dict.fromkeys((source.name for source in sources), str(own))
    if learned:
        alone = len(pages.sources) - len(learned)
        rest = f"; {counted(alone, 'page')} of hosts with fewer than {ENOUGH} alone" if alone else ""
        report(f"learned {counted(len(set(learned.values())), 'site')} from the pages themselves{rest}")
    if gold and not taught:
        raise InputError(f"{gold} has no labels of a page whose host has {ENOUGH} of the pages")
    return learned


def _taught_host(site: SiteModel, host: str, sources: Sequence[PageLocation], gold: str | None) -> int:
    """Teach a host by the labels of its pages, and report it; return how many pages have labels."""
    if not gold:
        return 0
    from dehusk.lab.train.labelled_pages import has_labels

    labelled = [source for source in sources if has_labels(Path(source.name), gold)]
    if labelled:
        taught = taught_by(site, PageLocations(tuple(labelled), many=True), gold)
        report(f"{host or 'pages that name no host'}: {taught}")
    return len(labelled)


def sample_of(pages: PageLocations, most: int) -> PageLocations:
    """Return at most so many of the pages, in their order; the same ones wherever the folder is."""
    if len(pages.sources) <= most:
        return pages
    chosen = set(sorted(range(len(pages.sources)), key=lambda number: _order(pages.sources[number]))[:most])
    return PageLocations(tuple(source for n, source in enumerate(pages.sources) if n in chosen), many=True)


def _order(source: PageLocation) -> bytes:
    return blake2b(str(source.relative).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _host(source: PageLocation, limits: Limits) -> str:
    """Return the host of a page: of its address, otherwise as the page declares it; "" if it cannot be read."""
    if source.url and (host := site_name(source.url)):
        return host
    pages = PageReader(PageLocations((source,), many=False), limits, silent=True).read()
    return next(map(site_of, pages), "")


def learn_method(
    declared: Declaration, reader: PageReader, *, options: Mapping[str, Any], by: By = "host", mixed: bool = False
) -> Any:
    """Fit a method that has models of its own to the pages of a site.

    Raises:
        InputError: no page can be read, or the pages belong to two sites.
        ConfigError: the method does not have an option, or its value is invalid.
    """
    declared.check_options(options, learning=True)
    return declared.learn(declared.method(**options), released(of_one_site(reader.read(), by=by, mixed=mixed)))


def released(pages: Iterator[Page]) -> Iterator[Page]:
    """Yield pages; take the parser's tree from each when the next one is wanted, so that many fit into memory."""
    for page in pages:
        yield page
        page.release()


@contextmanager
def site_folder(
    given: str | None, declared: Declaration, limits: Limits, options: Mapping[str, Any]
) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    """Yield the folder of a site model, and the options for labelling.

    For a folder of pages, learn a temporary model, removed when the context ends. A method with models of its own
    learns with the options, so that none remain for labelling.

    Args:
        given: a site model or a folder of pages; None for no site.
        declared: the method that will use the model.
        limits: bounds on each page.
        options: options of the method.

    Raises:
        InputError: the folder contains neither a model nor pages.
    """
    if given is None or method_of(Path(given)):
        yield given, options
        return
    reader = PageReader(sample_of(find_pages([given], links=folder_links()), MOST_LEARNED), limits)
    with TemporaryDirectory(prefix="dehusk-") as folder:
        if declared.own_models and (options or declared.learning == "pages"):
            learn_method(declared, reader, options=options).save(Path(folder))
            options = {}
        else:
            site = learn_site(reader, counts=declared.counts)
            if site.warning:
                report(site.warning)
            site.save(folder)
            if declared.site == "optional":
                rules = learned_templates(site, reader.pages, limits, options.get("style", "auto"), MOST_SAMPLED)
                write_text(Path(folder, RULES_FILE), rules.text())
        yield folder, options
