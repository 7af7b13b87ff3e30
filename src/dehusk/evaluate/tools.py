"""Every tool that is compared, each behind one function: decoded pages in, a text for each out.

A tool is imported when it is made, in a process of its own, so that one that is not installed or breaks something
harms no other. Settings are each tool's documented default for main text, comments left to that default. Tools that
learn from the pages of a site get these pages and nothing else; all others get one page at a time.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from dehusk.errors import InputError
from dehusk.evaluate.predictions import Mark, Output

if TYPE_CHECKING:
    from dehusk.labels import Labels
    from dehusk.methods.base import PageMethod
    from dehusk.page import Page


class View(NamedTuple):
    """What a tool sees of a page."""

    html: str
    """Decoded, without CLEANEVAL's wrapper."""
    url: str = ""


class Kernel(NamedTuple):
    """What a tool of ours makes of a page: its text, and the labels that more can be told from."""

    text: str
    labels: Labels


Clean = Callable[[str], str | Kernel]
CleanSite = Callable[[Sequence[View]], list[str | Kernel]]


@dataclass(frozen=True)
class Tool:
    """A tool that cleans pages."""

    name: str
    package: str
    """What it is installed as."""
    make: Callable[[], CleanSite]
    by_site: bool = False
    """Whether it learns from the pages that it is given together."""

    @property
    def version(self) -> str:
        """Its version; "" where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


def _alone(make: Callable[[], Clean]) -> Callable[[], CleanSite]:
    """Return a tool that cleans one page after the other."""

    def made() -> CleanSite:
        clean = make()
        return lambda views: [clean(view.html) for view in views]

    return made


def _trafilatura() -> Clean:
    from trafilatura import extract  # noqa: PLC0415 (each tool is imported when it is made)

    return lambda html: extract(html) or ""


def _readability() -> Clean:
    from lxml.html import fromstring  # noqa: PLC0415
    from readability import Document  # noqa: PLC0415

    def clean(html: str) -> str:
        summary = Document(html).summary(html_partial=True)
        return str(fromstring(summary).text_content()) if summary.strip() else ""

    return clean


def _justext() -> Clean:
    import justext  # noqa: PLC0415

    stop = justext.get_stoplist("English")
    return lambda html: "\n".join(p.text for p in justext.justext(html, stop) if not p.is_boilerplate)


def _resiliparse() -> Clean:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415

    return lambda html: str(extract_plain_text(html, main_content=True))


def _turbohtml() -> Clean:
    from turbohtml import parse  # noqa: PLC0415

    return lambda html: parse(html).main_text() or ""


def _boilerpy() -> Clean:
    from boilerpy3.extractors import ArticleExtractor  # noqa: PLC0415

    extractor = ArticleExtractor()
    return lambda html: str(extractor.get_content(html))


def _goose() -> Clean:
    from goose3 import Goose  # noqa: PLC0415

    goose = Goose({"enable_image_fetching": False})
    return lambda html: str(goose.extract(raw_html=html).cleaned_text)


def _all_text() -> Clean:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415

    return lambda html: str(extract_plain_text(html))


def _ours(**options: Any) -> Callable[[], Clean]:
    def make() -> Clean:
        from dehusk.cleaning import clean as dehusk_clean  # noqa: PLC0415

        def clean(html: str) -> Kernel:
            document = dehusk_clean(html, **options)
            return Kernel(document.text, document.labels)

        return clean

    return make


def _site_method(learn: Callable[[Sequence[Page]], PageMethod]) -> Callable[[], CleanSite]:
    """Return a method of ours that sees all pages, learns from them, and then labels each."""

    def made() -> CleanSite:
        from dehusk.read import parse  # noqa: PLC0415
        from dehusk.write import to_text  # noqa: PLC0415

        def clean(views: Sequence[View]) -> list[str | Kernel]:
            pages = [parse(view.html, url=view.url or None) for view in views]
            method = learn(pages)
            labels = [method.label(method.segment(page)) for page in pages]
            return [Kernel(to_text(one), one) for one in labels]

        return clean

    return made


def _learn_site(pages: Sequence[Page]) -> PageMethod:
    from dehusk.methods.repetition import SiteRule  # noqa: PLC0415
    from dehusk.site.model import Site  # noqa: PLC0415

    return SiteRule(Site(mixed=True, structure=False).fit(pages))


def _learn_united(pages: Sequence[Page]) -> PageMethod:
    from dehusk.methods import load_method  # noqa: PLC0415
    from dehusk.site.model import Site  # noqa: PLC0415

    return load_method(site=Site(mixed=True, structure=False).fit(pages))


def _learn_cst(pages: Sequence[Page]) -> PageMethod:
    from dehusk.methods.structure_tree import CompressedStructureTree  # noqa: PLC0415

    return CompressedStructureTree().fit(pages, sites=[""] * len(pages))


def _learn_wisdom(pages: Sequence[Page]) -> PageMethod:
    from dehusk.methods.wisdom import Wisdom  # noqa: PLC0415

    return Wisdom().fit(pages)


def _learn_alternation(pages: Sequence[Page]) -> PageMethod:
    from dehusk.methods.alternation import Alternation  # noqa: PLC0415

    return Alternation().fit(pages)


def _deboiler() -> CleanSite:
    from deboiler import Deboiler  # noqa: PLC0415
    from deboiler.dataset.list_dataset import ListDataset  # noqa: PLC0415

    logging.disable(logging.INFO)  # it tells ten lines a site, and this process is its own

    def clean(views: Sequence[View]) -> list[str | Kernel]:
        # it knows pages by their address, so each gets one that no other has
        names = [f"http://site/{number:05}" for number in range(len(views))]
        facts = {"status": 200, "content_type": "text/html"}
        pages = [{"url": name, "content": view.html, **facts} for name, view in zip(names, views, strict=True)]
        dataset = ListDataset(pages, verbose=False)
        tool = Deboiler(operation_mode="memory", verbose=False)
        tool.fit(dataset)
        found = {page.url: page.cleaned_text or "" for page in tool.transform(dataset)}
        return [str(found[name]) for name in names]

    return clean


def _page_tool(name: str, package: str, make: Callable[[], Clean]) -> Tool:
    return Tool(name, package, _alone(make))


TOOLS = {
    tool.name: tool
    for tool in (
        _page_tool("dehusk", "dehusk", _ours()),
        Tool("dehusk-with-site", "dehusk", _site_method(_learn_united), by_site=True),
        _page_tool("dehusk-web", "dehusk", _ours(method="victor", config="web")),
        _page_tool("dehusk-cleaneval", "dehusk", _ours(method="victor", config="cleaneval")),
        Tool("dehusk-site", "dehusk", _site_method(_learn_site), by_site=True),
        Tool("dehusk-cst", "dehusk", _site_method(_learn_cst), by_site=True),
        Tool("dehusk-wisdom", "dehusk", _site_method(_learn_wisdom), by_site=True),
        Tool("dehusk-alternation", "dehusk", _site_method(_learn_alternation), by_site=True),
        _page_tool("trafilatura", "trafilatura", _trafilatura),
        _page_tool("readability", "readability-lxml", _readability),
        _page_tool("justext", "jusText", _justext),
        _page_tool("resiliparse", "resiliparse", _resiliparse),
        _page_tool("turbohtml", "turbohtml", _turbohtml),
        _page_tool("boilerpy3", "boilerpy3", _boilerpy),
        _page_tool("goose3", "goose3", _goose),
        Tool("deboiler", "deboiler", _deboiler, by_site=True),
        _page_tool("all-text", "resiliparse", _all_text),
    )
}
"""Name -> tool; ours first."""


def make(name: str) -> CleanSite:
    """Return a tool ready to clean; runs in the child process.

    Raises:
        InputError: no such tool.
        ImportError: it is not installed.
    """
    if name not in TOOLS:
        raise InputError(f"no tool {name!r}; known: {', '.join(TOOLS)}")
    return TOOLS[name].make()


def told(results: Sequence[str | Kernel]) -> list[Output]:
    """Return what is written down of a tool's results; runs in the child process, outside of the time measured."""
    return [_told(one) for one in results]


def _told(result: str | Kernel) -> Output:
    if isinstance(result, str):
        return Output(result)
    from dehusk.write import to_cleaneval  # noqa: PLC0415

    labels, blocks = result.labels, result.labels.blocks
    start, end = blocks.source[blocks.start].tolist(), (blocks.source[blocks.end - 1] + 1).tolist()
    chance = [one if math.isfinite(one) else None for one in labels.probability.round(4).tolist()]
    columns = zip(start, end, chance, labels.kept.tolist(), strict=True)
    return Output(result.text, to_cleaneval(labels), tuple(Mark(*row) for row in columns))
