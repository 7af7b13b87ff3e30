"""The tools to compare, behind one interface: a tool receives decoded pages and returns a text for each.

A tool is imported only when it is loaded, in a child process, so that a missing or faulty tool does not affect others.
Each runs with its documented defaults for main text, including its default for comments. Tools that learn from the
pages of a site get all pages of that site and nothing else; all others get one page at a time.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from dehusk.base.errors import InputError, MissingExtraError, unknown
from dehusk.counts.model import SiteModel
from dehusk.lab.evaluate.node_tools import PACKAGES, NodeText, NodeTool, node_version
from dehusk.lab.evaluate.predictions import BlockMark, ToolOutput
from dehusk.label.loading import load_method
from dehusk.label.registry import DEFAULT, declarations

if TYPE_CHECKING:
    from dehusk.blocks.labels import Labels
    from dehusk.label.base import PageMethod
    from dehusk.label.declaration import Declaration
    from dehusk.read.page import Page


class PageView(NamedTuple):
    """A page as a tool receives it."""

    html: str
    """The decoded page, without CLEANEVAL's wrapper."""
    url: str = ""


class LabelledText(NamedTuple):
    """The text that a method of dehusk keeps of a page, with the labels of all its blocks."""

    text: str
    labels: Labels


ToolResult = str | LabelledText | NodeText
CleanPage = Callable[[str], str | LabelledText]
CleanPages = Callable[[Sequence[PageView]], list[ToolResult]]


def _distribution_version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@dataclass(frozen=True)
class Tool:
    """A tool that cleans pages."""

    name: str
    package: str
    """The distribution that provides the tool: of the Python package index, unless `install` says otherwise."""
    load: Callable[[], CleanPages]
    by_site: bool = False
    """Whether it learns from all pages of a site, which it then gets together."""
    model: str = ""
    """The shipped model that the tool uses; "" if it uses none, or is not part of dehusk."""
    find_version: Callable[[str], str] = _distribution_version
    install: str = "pip install 'dehusk[bench]'"

    @property
    def version(self) -> str:
        """The installed version; "" if it is not installed."""
        return self.find_version(self.package)

    def missing(self, purpose: str) -> MissingExtraError:
        """Return the error for a tool that is not installed; `purpose` is the subject of its message."""
        return MissingExtraError(f"{purpose} needs {self.package}, which is not installed: {self.install}")


def _page_by_page(load: Callable[[], CleanPage]) -> Callable[[], CleanPages]:
    """Return the loader of a tool that cleans one page after the other."""

    def load_for_pages() -> CleanPages:
        clean = load()
        return lambda views: [clean(view.html) for view in views]

    return load_for_pages


def _trafilatura() -> CleanPage:
    from trafilatura import extract  # noqa: PLC0415 (each tool is imported when it is loaded)

    return lambda html: extract(html) or ""


def _readability() -> CleanPage:
    from lxml.html import fromstring  # noqa: PLC0415
    from readability import Document  # noqa: PLC0415

    def clean(html: str) -> str:
        summary = Document(html).summary(html_partial=True)
        return str(fromstring(summary).text_content()) if summary.strip() else ""

    return clean


def _justext() -> CleanPage:
    import justext  # noqa: PLC0415

    stop = justext.get_stoplist("English")
    return lambda html: "\n".join(p.text for p in justext.justext(html, stop) if not p.is_boilerplate)


def _resiliparse() -> CleanPage:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415

    return lambda html: str(extract_plain_text(html, main_content=True))


def _turbohtml() -> CleanPage:
    from turbohtml import parse  # noqa: PLC0415

    return lambda html: parse(html).main_text() or ""


def _boilerpy() -> CleanPage:
    from boilerpy3.extractors import ArticleExtractor  # noqa: PLC0415

    extractor = ArticleExtractor()
    return lambda html: str(extractor.get_content(html))


def _goose() -> CleanPage:
    from goose3 import Goose  # noqa: PLC0415

    goose = Goose({"enable_image_fetching": False})
    return lambda html: str(goose.extract(raw_html=html).cleaned_text)


def _all_text() -> CleanPage:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415

    return lambda html: str(extract_plain_text(html))


def _dehusk(**options: Any) -> Callable[[], CleanPage]:
    def load() -> CleanPage:
        from dehusk.cleaning import clean as dehusk_clean  # noqa: PLC0415

        def clean(html: str) -> LabelledText:
            document = dehusk_clean(html, **options)
            return LabelledText(document.text, document.labels)

        return clean

    return load


def _site_method(declared: Declaration) -> Callable[[], CleanPages]:
    """Return the loader of a method that learns from all pages of a site and then labels each."""

    def load() -> CleanPages:
        from dehusk.read import parse  # noqa: PLC0415
        from dehusk.write import to_text  # noqa: PLC0415

        def clean(views: Sequence[PageView]) -> list[ToolResult]:
            pages = [parse(view.html, url=view.url or None) for view in views]
            method = _learn(declared, pages)
            labels = [method.label(method.segment(page)) for page in pages]
            return [LabelledText(to_text(labelled), labelled) for labelled in labels]

        return clean

    return load


def _learn(declared: Declaration, pages: Sequence[Page]) -> PageMethod:
    if declared.learning == "pages":
        learner: Any = declared.method()
        learned: PageMethod = learner.fit(pages)
        return learned
    return load_method(declared.name, site=SiteModel(mixed=True, structure=False, counts=declared.counts).fit(pages))


def _dehusk_tools(declared: Declaration) -> Iterator[Tool]:
    """Yield the tools for one method: by preset if it has any, with and without a site if it can use one."""
    is_default = declared.name == DEFAULT
    title = "dehusk" if is_default else f"dehusk-{declared.name}"
    model = declared.default_model or ""
    if declared.presets:
        for preset in declared.presets:
            load = _dehusk(method=declared.name, config=preset)
            yield _page_tool(f"dehusk-{preset}", "dehusk", load, model=preset)
    elif declared.site != "required":
        yield _page_tool(title, "dehusk", _dehusk(method=declared.name), model=model)
    if declared.site != "no":
        title = title if declared.site == "required" else f"{title}-with-site"
        yield Tool(title, "dehusk", _site_method(declared), by_site=True, model=model)


def _deboiler() -> CleanPages:
    from deboiler import Deboiler  # noqa: PLC0415
    from deboiler.dataset.list_dataset import ListDataset  # noqa: PLC0415

    logging.disable(logging.INFO)  # it logs ten lines per site; nothing else runs in this process

    def clean(views: Sequence[PageView]) -> list[ToolResult]:
        # deboiler identifies pages by URL, so each needs a different one
        urls = [f"http://site/{number:05}" for number in range(len(views))]
        fields = {"status": 200, "content_type": "text/html"}
        pages = [{"url": url, "content": view.html, **fields} for url, view in zip(urls, views, strict=True)]
        dataset = ListDataset(pages, verbose=False)
        tool = Deboiler(operation_mode="memory", verbose=False)
        tool.fit(dataset)
        texts = {page.url: page.cleaned_text or "" for page in tool.transform(dataset)}
        return [str(texts[url]) for url in urls]

    return clean


def _page_tool(name: str, package: str, load: Callable[[], CleanPage], *, model: str = "") -> Tool:
    return Tool(name, package, _page_by_page(load), model=model)


def _node_tool(name: str) -> Tool:
    def load() -> CleanPages:
        tool = NodeTool(name)
        return lambda views: [tool.clean(view.html, view.url) for view in views]

    install = f"npm install {' '.join(PACKAGES[name])} in the working directory"
    return Tool(name, PACKAGES[name][0], load, find_version=lambda _: node_version(name), install=install)


OTHER_TOOLS = {
    tool.name: tool
    for tool in (
        _page_tool("trafilatura", "trafilatura", _trafilatura),
        _page_tool("readability", "readability-lxml", _readability),
        _page_tool("justext", "jusText", _justext),
        _page_tool("resiliparse", "resiliparse", _resiliparse),
        _page_tool("turbohtml", "turbohtml", _turbohtml),
        _page_tool("boilerpy3", "boilerpy3", _boilerpy),
        _page_tool("goose3", "goose3", _goose),
        Tool("deboiler", "deboiler", _deboiler, by_site=True),
        *map(_node_tool, PACKAGES),
        _page_tool("all-text", "resiliparse", _all_text),
    )
}
"""The tools that are not part of dehusk, by name."""


def known_tools() -> dict[str, Tool]:
    """Return all tools by name: one or more for each registered method of dehusk, then the others."""
    dehusk_tools = {tool.name: tool for declared in declarations() for tool in _dehusk_tools(declared)}
    return dehusk_tools | OTHER_TOOLS


def find_tool(name: str) -> Tool:
    """Return a tool by its name.

    Raises:
        InputError: no such tool.
    """
    tools = known_tools()
    if name not in tools:
        raise InputError(unknown("tool", name, tools))
    return tools[name]


def find_by_title(title: str) -> Tool | None:
    """Return the tool named by a prediction's title (name and version); None if the tool is unknown."""
    return known_tools().get(title.split(" ", maxsplit=1)[0])


def load_tool(name: str) -> CleanPages:
    """Return a tool ready to clean; called in the child process.

    Raises:
        InputError: no such tool.
        ImportError: the tool is not installed.
    """
    return find_tool(name).load()


def to_outputs(results: Sequence[ToolResult]) -> list[ToolOutput]:
    """Convert a tool's results to the form of predictions; called in the child process, outside the measured time."""
    return [_output_of(result) for result in results]


def _output_of(result: ToolResult) -> ToolOutput:
    if isinstance(result, str):
        return ToolOutput(result)
    if isinstance(result, NodeText):
        return ToolOutput(result.text, seconds=result.seconds)
    from dehusk.write import to_cleaneval  # noqa: PLC0415

    return ToolOutput(result.text, to_cleaneval(result.labels), block_marks(result.labels))


def block_marks(labels: Labels) -> tuple[BlockMark, ...]:
    """Return the decisions on all blocks of a page in the form of predictions."""
    blocks = labels.blocks
    start, end = blocks.source[blocks.start].tolist(), (blocks.source[blocks.end - 1] + 1).tolist()
    probabilities = [p if math.isfinite(p) else None for p in labels.probability.round(4).tolist()]
    columns = zip(start, end, probabilities, labels.kept.tolist(), strict=True)
    return tuple(BlockMark(*row) for row in columns)
