"""Every tool that is compared, each behind one function: decoded page in, text out.

A tool is imported when it is made, in a process of its own, so that one that is not installed or breaks something
harms no other. Settings are each tool's documented default for main text, comments left to that default.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from dehusk.errors import InputError

Clean = Callable[[str], str]


@dataclass(frozen=True)
class Tool:
    """A tool that cleans one page."""

    name: str
    package: str
    """What it is installed as."""
    make: Callable[[], Clean]

    @property
    def version(self) -> str:
        """Its version; "" where it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


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


def _victor(config: str) -> Callable[[], Clean]:
    def make() -> Clean:
        from dehusk.clean import clean  # noqa: PLC0415

        return lambda html: clean(html, method="victor", config=config).text

    return make


TOOLS = {
    tool.name: tool
    for tool in (
        Tool("dehusk-web", "dehusk", _victor("web")),
        Tool("dehusk-cleaneval", "dehusk", _victor("cleaneval")),
        Tool("trafilatura", "trafilatura", _trafilatura),
        Tool("readability", "readability-lxml", _readability),
        Tool("justext", "jusText", _justext),
        Tool("resiliparse", "resiliparse", _resiliparse),
        Tool("turbohtml", "turbohtml", _turbohtml),
        Tool("boilerpy3", "boilerpy3", _boilerpy),
        Tool("goose3", "goose3", _goose),
        Tool("all-text", "resiliparse", _all_text),
    )
}
"""Name -> tool; ours first."""


def make(name: str) -> Clean:
    """Return a tool ready to clean; runs in the child process.

    Raises:
        InputError: no such tool.
        ImportError: it is not installed.
    """
    if name not in TOOLS:
        raise InputError(f"no tool {name!r}; known: {', '.join(TOOLS)}")
    return TOOLS[name].make()
