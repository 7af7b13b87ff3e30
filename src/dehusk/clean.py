"""The whole chain: bytes to page, page to blocks, blocks to labels, labels to a document."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dehusk import write
from dehusk.blocks import segment
from dehusk.errors import Status
from dehusk.labels import OTHER, Labels
from dehusk.methods import PageMethod, load_method
from dehusk.page import Page
from dehusk.read import Limits, parse
from dehusk.read.limits import Deadline
from dehusk.write.json import block_records, dumps


@dataclass(frozen=True)
class Block:
    """One block of a document, as a view on the columns."""

    text: str
    label: str
    """One of `dehusk.labels.LABELS`."""
    probability: float
    """That the block is content, 0 to 1."""
    kept: bool
    reason: str | None
    """Why it is kept or not; None unless the page was cleaned with `explain=True`."""
    xpath: str
    """Of the innermost element that holds the block."""
    span: tuple[int, int]
    """(start, end) in characters of `page.text`."""


@dataclass(frozen=True, eq=False)
class Document:
    """What became of one page."""

    status: Status
    message: str
    """One line on a status other than ok."""
    labels: Labels

    @property
    def page(self) -> Page:
        """The page that was read."""
        return self.labels.blocks.page

    @property
    def title(self) -> str:
        """The page's title element."""
        return self.page.meta.title

    @property
    def confidence(self) -> float:
        """The word F1 that the probabilities promise for what was kept, 0 to 1; 0 where nothing was kept."""
        words = self.labels.blocks.words * self.labels.probability
        kept = self.labels.kept
        size = float(self.labels.blocks.words[kept].sum() + words.sum())
        return min(1.0, 2 * float(words[kept].sum()) / size) if size else 0.0

    @cached_property
    def text(self) -> str:
        """The kept blocks as plain text."""
        return write.text(self.labels)

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown."""
        return write.markdown(self.labels)

    @cached_property
    def html(self) -> str:
        """The original nodes of the kept blocks as a safe HTML document."""
        return write.html(self.labels)

    @cached_property
    def cleaneval(self) -> str:
        """The kept blocks in CLEANEVAL's format."""
        return write.cleaneval(self.labels)

    @cached_property
    def blocks(self) -> list[Block]:
        """All blocks, kept and dropped, in document order."""
        records = block_records(self.labels)
        return [Block(**{**record, "span": tuple(record["span"])}) for record in records]

    def record(self) -> dict[str, object]:
        """Return the document as plain values, ready for JSON: facts of the page and every block."""
        return {**self.facts(), "blocks": block_records(self.labels)}

    def facts(self) -> dict[str, object]:
        """Return what `record` returns, without the blocks."""
        return write.page_record(
            self.page, status=str(self.status), message=self.message, confidence=round(self.confidence, 4)
        )

    def render(self, format_name: str) -> str:
        """Return the document in one of `dehusk.write.FORMATS`; raises KeyError for another name."""
        if format_name == "json":
            return dumps(self.record())
        return write.FORMATS[format_name].write(self.labels)


def clean(
    data: bytes | str,
    *,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    method: str | PageMethod | None = None,
    limits: Limits | None = None,
    explain: bool = False,
    **options: Any,
) -> Document:
    """Clean one page.

    Args:
        data: the page's bytes as they came (best: the encoding is found), or its text.
        url: where the page is from; resolves its links, never fetched.
        headers: the transport's headers; `Content-Type` helps to decode.
        method: a method's name, or a method that is ready to label; by default "site" where a site is given, else
            "victor".
        limits: bounds on what the page may cost.
        explain: give a reason for each block.
        **options: `model`, `config` and `site` as `dehusk.methods.load_method` takes them; for a method given by name.

    Returns:
        The document. Whatever the bytes hold, its `status` says what became of them; nothing is raised for them.

    Raises:
        TypeError: `data` is neither bytes nor str, or an unknown option.
        ConfigError: no such method, or a wrong configuration.
        ModelError: the model is missing or does not fit.
        NotFittedError: the site has no pages.
    """
    unknown = options.keys() - {"model", "config", "site"}
    if unknown:
        raise TypeError(f"clean() got an unexpected keyword argument {min(unknown)!r}")
    if options and not isinstance(method, str | None):
        raise TypeError("model, config and site are for a method given by its name")
    ready = load_method(method, **options) if isinstance(method, str | None) else method
    limits = limits or Limits()
    if not isinstance(data, str | bytes | bytearray | memoryview):
        raise TypeError(f"a page is bytes or str, not {type(data).__name__}")
    try:
        return _clean(data, url, headers, method=ready, limits=limits, explain=explain)
    except Exception as error:  # (one page's fault must not end a run over millions)
        return failed(f"{type(error).__name__}: {error}", url=url)


def _clean(
    data: bytes | str,
    url: str | None,
    headers: Mapping[str, str] | None,
    *,
    method: PageMethod,
    limits: Limits,
    explain: bool,
) -> Document:
    deadline = Deadline(limits.seconds)
    page = parse(data, url, headers, limits=limits)
    blocks = method.segment(page)
    if deadline.passed():
        return Document(Status.LIMIT, f"took longer than {limits.seconds:g} s", nothing(page))
    labels = method.label(blocks, explain=explain)
    status, message = page.status, page.message
    if deadline.passed():
        status, message = Status.LIMIT, f"took longer than {limits.seconds:g} s"
    if status is Status.OK and not labels.kept.any():
        status = Status.NO_CONTENT
        message = "nothing on the page is content" if len(blocks) else "the page holds no text"
    return Document(status, message, labels)


def nothing(page: Page) -> Labels:
    """Return the labels of a page of which nothing is kept and nothing was labelled."""
    blocks = segment(page)
    b = len(blocks)
    return Labels(blocks, np.full(b, OTHER, dtype=np.uint8), np.zeros(b), np.zeros(b, dtype=np.bool_))


def failed(message: str, *, url: str | None = None) -> Document:
    """Return the document of a page that could not be read or processed."""
    page = parse("", url)
    return Document(Status.ERROR, message, nothing(page))
