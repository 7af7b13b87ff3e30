"""`Wrapper`: learns the columns of a site's records from its pages, and reads them from other pages of the site."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from dehusk.base.errors import ConfigError, InputError, NotFittedError, counted, is_integer, unknown
from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks, segment
from dehusk.counts.sources import PageSource, read_page, read_pages
from dehusk.counts.templates import KNOWN, PathShares, group_pages
from dehusk.read.page import Page
from dehusk.sites.records.fitting import MAX_COLUMNS
from dehusk.sites.records.learning import ROWS, RowChoice, SeenPage, learn_template
from dehusk.sites.records.pieces import page_pieces
from dehusk.sites.records.storing import load_templates, save_templates
from dehusk.sites.records.template import PageTemplate, RecordRow


@dataclass(frozen=True)
class PageRecords:
    """The records of a page."""

    template: PageTemplate | None
    """The template that the page is most like, None if it is like none."""
    rows: list[RecordRow]


class Wrapper:
    """Turns pages of one site into records: what varies where the site's template does not.

        wrapper = Wrapper().fit(pages)
        for row in wrapper.extract(page):
            row.values                     # {"title": …, "ISBN": …, "Publication Date": 2010}

    Pages that are built alike form a template, with columns of its own. docs/records-how.md describes the method.

    Args:
        rows: what a row is: a "page"; a "record", such as a post of a thread or a row of a list; or "auto", which
            decides for each template.
        max_columns: number of columns of a template, at most; those with most values are kept.

    Attributes:
        templates: what was learned, the template with most pages first.
        warnings: what could not be learned, one line each.

    Raises:
        ConfigError: unknown `rows`, or `max_columns` no integer of at least 1.
    """

    def __init__(self, *, rows: RowChoice = "auto", max_columns: int = MAX_COLUMNS) -> None:
        if rows not in ROWS:
            raise ConfigError(unknown("rows", rows, ROWS))
        if not is_integer(max_columns, 1):
            raise ConfigError(f"max_columns must be an integer, at least 1, not {max_columns!r}")
        self.max_columns = max_columns
        self.rows: RowChoice = rows
        self.templates: tuple[PageTemplate, ...] = ()
        self.warnings: tuple[str, ...] = ()

    def fit(self, pages: Iterable[PageSource]) -> Self:
        """Learn the columns from pages of one site, without labels.

        Args:
            pages: at least two different pages; one is enough if it has a list of records.

        Raises:
            InputError: no page has text, or nothing varies between the pages.
            TypeError: `pages` is a single page.
        """
        found, warnings = _distinct(read_pages(pages))
        if not found and not warnings:
            raise InputError("no pages to learn from")
        if not found:
            raise InputError("no page has text: records need pages with text that varies")
        paths = [np.unique(page.channels[0].loose) for page in found]
        group = group_pages(paths)
        templates = []
        for number in range(-1, int(group.max(initial=-1)) + 1):
            which = np.flatnonzero(group == number).tolist()
            if which:
                shares = PathShares.of([paths[n] for n in which])
                learned = learn_template([found[n] for n in which], shares, self.rows, self.max_columns)
                templates.append(replace(learned, is_rest=number < 0))
        templates.sort(key=lambda template: -template.pages)
        templates = [replace(template, name=str(number)) for number, template in enumerate(templates, 1)]
        if not any(template.columns for template in templates):
            raise InputError(_nothing(len(found), has_copies=len(found) == 1 and bool(warnings)))
        self.templates, self.warnings = tuple(templates), (*warnings, *_warnings(templates))
        return self

    def extract(self, page: PageSource, *, url: str | None = None, places: bool = False) -> list[RecordRow]:
        """Return the records of a page.

        Args:
            page: a page of the site.
            url: its address, for bytes, text and files.
            places: whether to say where each value is, as XPaths.

        Returns:
            The records in the order of the page: one if a row is a page; none if the page is like no template, or has
            no records.

        Raises:
            NotFittedError: nothing was learned.
        """
        return self.read_records(page, url=url, places=places).rows

    def read_records(self, page: PageSource, *, url: str | None = None, places: bool = False) -> PageRecords:
        """Return the records of a page with the template that the page is most like; see `extract`."""
        if not self.templates:
            raise NotFittedError("the wrapper has learned nothing: call fit or load first")
        found = read_page(page, url)
        blocks = found if isinstance(found, Blocks) else segment(found)
        paths = np.unique(page_pieces(blocks).loose)
        template = self._nearest(paths)
        if template is None or not len(paths):
            return PageRecords(None, [])
        return PageRecords(template, template.rows(blocks, places=places))

    def _nearest(self, paths: Keys) -> PageTemplate | None:
        """Return the template that a page with these paths is most like."""
        likeness = [0.0 if template.is_rest else template.shares.likeness(paths) for template in self.templates]
        best = int(np.argmax(likeness))
        if likeness[best] >= KNOWN:
            return self.templates[best]
        return next((template for template in self.templates if template.is_rest), None)

    def save(self, folder: str | Path) -> None:
        """Write the wrapper as a model folder: JSON and arrays.

        Raises:
            NotFittedError: nothing was learned.
            ModelError: the folder cannot be written.
        """
        if not self.templates:
            raise NotFittedError("the wrapper has learned nothing: call fit first")
        save_templates(Path(folder), self.templates, self.rows, self.warnings)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a wrapper from a model folder.

        Raises:
            ModelError: the folder is missing, damaged, of another version, or not of a wrapper.
        """
        templates, rows, warnings = load_templates(Path(folder))
        wrapper = cls(rows=rows)  # type: ignore[arg-type] # (checked by the constructor)
        wrapper.templates, wrapper.warnings = templates, warnings
        return wrapper


def _blocks(page: Page | Blocks) -> Blocks:
    return page if isinstance(page, Blocks) else segment(page)


def _distinct(pages: Iterable[Page | Blocks]) -> tuple[list[SeenPage], list[str]]:
    """Return the pages that have text, each once, and what was left out."""
    found: dict[str, SeenPage] = {}
    empty = copies = 0
    for page in pages:
        blocks = _blocks(page)
        if not len(blocks):
            empty += 1
        elif blocks.text in found:
            copies += 1
        else:
            found[blocks.text] = SeenPage.of(blocks)
    warnings = []
    if empty:
        warnings.append(f"{counted(empty, 'page')} without text taught nothing")
    if copies:
        warnings.append(f"{counted(copies, 'page')} with the same text as another taught nothing")
    return list(found.values()), warnings


def _nothing(pages: int, *, has_copies: bool) -> str:
    """Return why nothing was learned."""
    if pages == 1:
        others = ", and the others are copies of it or have no text" if has_copies else ""
        return (
            f"one page does not show what varies{others}: "
            "name at least two different pages of the site, or one with a list (option rows: record)"
        )
    return f"nothing varies in the same way on the {pages} pages: name pages that are built alike, as a shop's products"


def _warnings(templates: Sequence[PageTemplate]) -> list[str]:
    """Return what is worth knowing of the templates, one line each."""
    found = [
        f"template {template.name}: {counted(template.pages, 'page')} without columns: nothing varies in the same way"
        for template in templates
        if not template.columns
    ]
    found += [
        f"template {template.name}: {counted(template.learned.omitted.surplus, 'column')} with few values left out: "
        "--max-columns (max_columns) allows more"
        for template in templates
        if template.learned.omitted.surplus
    ]
    if len(templates) > 1:
        sizes = ", ".join(str(template.pages) for template in templates)
        found.append(
            f"the pages are of {len(templates)} templates ({sizes} pages): column template tells their rows apart"
        )
    return found
