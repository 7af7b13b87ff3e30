"""`Site`: a site model that counts what the default method needs, too, and learns from labels."""

from collections.abc import Iterable
from typing import Self

import numpy as np
import numpy.typing as npt

from dehusk.base.framed import to_file, to_frame, to_text
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import Annotation
from dehusk.blocks.labels import LABELS
from dehusk.counts.model import SiteModel
from dehusk.counts.own_counts import DeclaredCounts
from dehusk.counts.sources import PageSource, page_of, read_page, read_pages
from dehusk.label.compiling import learn_templates
from dehusk.label.loading import load_method
from dehusk.label.registry import DEFAULT, declaration
from dehusk.label.rules import ANY_HOST, Rules
from dehusk.label.styles import Style
from dehusk.label.united.declaration import label_odds

_MOST_SHOWN = 200  # texts
_LONGEST_SHOWN = 300  # characters
_STYLE = """
table{border-collapse:collapse;margin:.6rem 1rem}
th,td{padding:.1rem .6rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
td:first-child{text-align:right}
meter{width:6rem}
"""
_TOP = """<p>The texts that most pages have, and their share of the pages. <span class="drop">Red</span>: on more
than half of them, and so template in most places. What is dropped of a page, and why:
clean(page, site=…, explain=True).</p>"""


class Site(SiteModel):
    """What the pages of one site share; see `SiteModel` for arguments, attributes and errors.

    The default method is one for pages, so each page that is learned from is also labelled. `counts=()` leaves that
    out, for methods that use nothing but the site.
    """

    @classmethod
    def default_counts(cls) -> tuple[type[DeclaredCounts], ...]:
        """Return what the default method declares."""
        return declaration(DEFAULT).counts

    def compile(self, pages: Iterable[PageSource], *, style: Style = "auto") -> Rules:
        """Return rules of the site's templates: what the default method keeps and drops, element by element.

        Args:
            pages: pages of the site, some hundreds at most; those of each template should be five or more.
            style: how much of a page to keep.

        Raises:
            InputError: a file cannot be read, or the site was loaded without its counts.
            NotFittedError: the site has no pages.
        """
        return compiled_rules(self, (segment(page_of(page)) for page in read_pages(pages)), style)

    def teach(self, page: PageSource, labels: Annotation | npt.ArrayLike, *, url: str | None = None) -> Self:
        """Let the labels of a page decide for its elements on all pages of the site.

        Args:
            page: a page of the site, which need not have been learned from.
            labels: an annotation of the page, or for each of its b common blocks an index into `LABELS`, -1 if it is
                unlabelled.
            url: address of the page, for bytes, text and files.

        Raises:
            ConfigError: the site counts no elements.
            GoldError: the annotation is of another page.
            InputError: the file cannot be read, or the site was loaded without its counts.
            NotFittedError: the site has no pages.
            ValueError: `labels` is not one valid index for each block.
        """
        blocks = segment(page_of(read_page(page, url)))
        codes = labels.labels_for(blocks) if isinstance(labels, Annotation) else np.asarray(labels)
        is_whole = codes.dtype.kind in "iu" or not codes.size
        if codes.shape != (len(blocks),) or not is_whole or ((codes < -1) | (codes >= len(LABELS))).any():
            raise ValueError(f"labels must be {len(blocks)} numbers from -1 to {len(LABELS) - 1}, one for each block")
        return self.put_counts(label_odds(self, blocks, codes))

    def _repr_html_(self) -> str:
        """Return what most pages share, in a sandboxed frame; notebooks show it for the site."""
        if not self.pages:
            return to_frame(to_file(repr(self), ""))
        tables = self.tables
        rows = "".join(
            f'<tr><td>{count / tables.distinct:.0%}</td><td><meter value="{count / tables.distinct:.3f}"></meter></td>'
            f'<td class="{"drop" if 2 * count > tables.distinct else ""}">{to_text(text[:_LONGEST_SHOWN])}</td></tr>\n'
            for count, text in tables.repeated[:_MOST_SHOWN]
        )
        facts = {"pages": str(tables.seen), "not counting copies": str(tables.distinct)}
        body = f'<table><tr><th colspan="2">of the pages</th><th>text</th></tr>\n{rows}</table>\n'
        notes = [self.warning] * bool(self.warning)
        return to_frame(
            to_file(", ".join(self.hosts) or "site", body, style=_STYLE, facts=facts, notes=notes, top=_TOP)
        )


def compiled_rules(site: SiteModel, pages: Iterable[Blocks], style: Style = "auto") -> Rules:
    """Return rules of a site's templates: for its host, or for every host if the site has several or none.

    Args:
        site: the site.
        pages: blocks of some of its pages; each is read once.
        style: how much of a page to keep.
    """
    learned = learn_templates(pages, load_method(site=site, style=style))
    host = site.hosts[0].partition("/")[0] if len(site.hosts) == 1 else ANY_HOST  # a section belongs to its host
    return Rules({}, {host: learned} if learned else {})
