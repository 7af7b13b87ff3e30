"""The whole chain: bytes to page, page to blocks, blocks to labels, labels to a document."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import repeat
from operator import is_
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypedDict, TypeVar, Unpack, get_args

import numpy as np

from dehusk.about import MOST_WORDS, CommentsChoice
from dehusk.base.errors import (
    ChildError,
    ChildSlowError,
    ConfigError,
    NotFittedError,
    Status,
    is_integer,
    is_number,
    require_type,
    unknown,
)
from dehusk.base.lazy import IMPORTING
from dehusk.base.processes.risk import Handling
from dehusk.blocks import segment
from dehusk.blocks.labels import OTHER, Labels, relabelled
from dehusk.document import Document
from dehusk.label import PageMethod, Style, load_method
from dehusk.label.base import model_of
from dehusk.read import Limits, parse
from dehusk.read.limits import Deadline
from dehusk.read.page import Page
from dehusk.read.parsing import check_types, place_of
from dehusk.visible import HiddenText, leave_out, without_smuggled

if TYPE_CHECKING:
    from dehusk.counts.model import SiteModel
    from dehusk.label.rules import Rule, RuleMatches, Rules

T = TypeVar("T")

_LIMITS = Limits()
_MOST_WORKERS = 10_000
_GRACE = 2.0  # seconds beyond a page's limit after which its process is killed
_HIDDEN: tuple[HiddenText, ...] = get_args(HiddenText)
_COMMENTS: tuple[CommentsChoice, ...] = get_args(CommentsChoice)
EMPTINESS: dict[str, str] = {
    "script-shell": "the page is rendered by scripts; it has hardly any text itself",
    "challenge": "the page asks whether its visitor is human",
    "not-found": "the page says that there is no such page",
    "error": "the page reports an error of its server",
    "log-in": "the page asks its visitor to log in",
    "consent": "the page asks for consent",
    "empty-result": "the page says that nothing was found",
    "parked": "the page says that its site is not there, or for sale",
    "moved": "the page says that it has moved",
    "frames": "the page only shows other pages, in frames",
}
"""`Document.kind` of a page without a kernel -> the message that says so."""
_TEXT_PROBABILITY = 0.95  # of the text of a page that is Markdown or plain text
_DATA_PROBABILITY = 0.75  # of the text of a page's data: it is content by construction
_READS = {"an address": "clean_url", "a path": "clean_file"}
"""What a text is instead of a page -> the function that reads the page."""


class MethodOptions(TypedDict, total=False):
    """The keyword arguments of `clean` that decide how a page is labelled."""

    method: str | PageMethod | None
    model: str | Path | None
    config: str | Path | None
    site: SiteModel | str | Path | None
    style: Style | None
    favour: float | None
    options: Mapping[str, Any] | None
    rules: Rules | str | Path | None
    hidden: HiddenText
    comments: CommentsChoice


class CommonOptions(MethodOptions, total=False):
    """The keyword arguments of `clean`, except those that only a caller with the page's bytes can know."""

    limits: Limits | None
    explain: bool


class CleanOptions(CommonOptions, total=False):
    """The keyword arguments of `clean`, for functions that pass them on."""

    url: str | None
    headers: Mapping[str, str] | None


def clean(  # noqa: PLR0913 (what a caller can choose is named here, with its type)
    data: bytes | str | Path,
    *,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    method: str | PageMethod | None = None,
    model: str | Path | None = None,
    config: str | Path | None = None,
    site: SiteModel | str | Path | None = None,
    style: Style | None = None,
    favour: float | None = None,
    options: Mapping[str, Any] | None = None,
    rules: Rules | str | Path | None = None,
    limits: Limits | None = None,
    explain: bool = False,
    hidden: HiddenText = "drop",
    comments: CommentsChoice = "drop",
    isolated: bool = False,
) -> Document:
    """Clean one page.

    Args:
        data: the page: its bytes as received (preferred, because dehusk detects the encoding), its text, or the `Path`
            of a file. A str is the text of a page: for a path use `clean_file`, for a URL `clean_url`.
        url: address of the page, against which its links are resolved. It is not fetched.
        headers: headers of the response; `Content-Type` helps to decode the bytes.
        method: name of a method, or a method that is ready to label; by default "united".
        model: name of a shipped model, or a model folder.
        config: for Victor: name of a preset, or a configuration file.
        site: what the site's other pages share: a learned `Site`, or the folder of a site model.
        style: how much of the page to keep, one of `dehusk.label.STYLES`; by default "auto".
        favour: 0 for precision, 1 for recall; by default .5.
        options: further options of the method, by name; see `dehusk.label.load_method`.
        rules: what to keep or drop whatever the method decides: `Rules`, or the path of a rules file.
        limits: limits on the page's size and processing time.
        explain: give a reason for each block.
        hidden: drop or keep text that readers do not see, such as white on white; `Block.hidden` names it anyway.
        comments: drop or keep what readers write below an article, a recipe or a product; `Document.comments` has it
            if it is dropped.
        isolated: clean the page in a child process, which may die or hang without harm; see `dehusk.Pool`.

    Returns:
        The document; its `status` tells how the page was processed. The content of a page never raises an error.

    Raises:
        TypeError: an argument of the wrong type, or options that need a named method given with a method object.
        ConfigError: unknown method, unknown option, or an option with an invalid value.
        ModelError, NotFittedError: the model is missing or does not fit; the site has no pages.
    """
    if isolated:
        given = {name: value for name, value in locals().items() if name not in ("data", "isolated")}
        return _shared_pool().clean(data, **given)
    _check(data, hidden, comments, (url, headers, limits))
    ready = _ready(method, model=model, config=config, site=site, style=style, favour=favour, options=options)
    return _cleaned(data, url, headers, limits or _LIMITS, ready, _Request(hidden, comments, _loaded(rules), explain))


class _Request(NamedTuple):
    """What is asked of a page besides what the method decides."""

    hidden: HiddenText
    comments: CommentsChoice
    rules: Rules | None
    explain: bool


def _cleaned(
    data: bytes | str | Path,
    url: str | None,
    headers: Mapping[str, str] | None,
    limits: Limits,
    method: PageMethod,
    request: _Request,
) -> Document:
    deadline = Deadline(limits.seconds)
    if named := place_of(data):
        message = f"the text is {named}, not a page: call dehusk.{_READS[named]}"
        return failed(message, url=url, status=Status.NOT_HTML)
    try:
        _empty()
        page = parse(data.read_bytes() if isinstance(data, Path) else data, url, headers, limits=limits)
        return _label(page, method, request, deadline)
    except NotFittedError:  # of the method, not of the page
        raise
    except Exception as error:  # one bad page must not end a run over millions
        return failed(_reason(error), url=url)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror or error}"
    return f"{type(error).__name__}: {error}"


class Pool:
    """Child processes that clean pages, for servers, notebooks and programs with many pages; a context.

    Any number of threads may use a pool. Its children start when they are first needed, and end with the pool.

    Args:
        workers: the most child processes; by default as many as there are processors.
        memory: MB that a page may take beyond what a child needs anyway, on systems with `setrlimit`; by default 2,000.

    Raises:
        ConfigError: `workers` is not a whole number from 1 to 10,000, or `memory` not a number of at least 1.
    """

    def __init__(self, workers: int | None = None, *, memory: float | None = None) -> None:
        from dehusk.base.processes.child import PAGE_MEMORY  # noqa: PLC0415
        from dehusk.base.processes.processors import available  # noqa: PLC0415
        from dehusk.isolation import DocumentPool  # noqa: PLC0415 (most programs clean pages themselves)

        self.workers = available() if workers is None else workers
        memory = PAGE_MEMORY if memory is None else memory
        if not is_integer(self.workers, 1, _MOST_WORKERS):
            raise ConfigError(f"workers must be a whole number from 1 to {_MOST_WORKERS:,}, not {self.workers!r}")
        if not is_number(memory, 1):
            raise ConfigError(f"memory must be a number of at least 1, not {memory!r}")
        self._documents = DocumentPool(clean, workers=int(self.workers), memory=memory)

    def clean(self, data: bytes | str | Path, *, ask: Sequence[str] = (), **options: Unpack[CleanOptions]) -> Document:
        """Clean a page in a child process.

        Args:
            data: as `dehusk.clean` has it.
            ask: properties of the document to compute at once, such as "markdown" and "metadata". Others are computed
                when they are used, for which a page that is not the latest of its process is cleaned again.
            **options: the other arguments of `dehusk.clean`. Objects such as a `Site` are sent with each page, so the
                folder of a saved one is faster.

        Returns:
            The document, of which everything is computed in the child process when it is asked for; that raises
            `ChildError` if it ends the process. If cleaning did, the status is `error`; if it took much longer than its
            limit, `limit`.

        Raises: as `dehusk.clean`; ConfigError also for what cannot be sent to another process, and after `close`.
        """
        self._check_open()
        if isinstance(ask, str):
            raise TypeError(f"ask must be a list of properties, such as [{ask!r}], not a str")
        check_types(options.get("url"), options.get("headers"), options.get("limits"))
        seconds = (options.get("limits") or _LIMITS).latest + _GRACE
        try:
            sent = {name: value for name, value in options.items() if name != "isolated"}  # in a pool, every page is
            return self._documents.document(data, sent, seconds=seconds, ask=ask)
        except ChildError as error:
            status = Status.LIMIT if isinstance(error, ChildSlowError) else Status.ERROR
            return failed(str(error), url=options.get("url"), status=status)

    def map(
        self, pages: Iterable[bytes | str | Path], *, ask: Sequence[str] = (), **options: Unpack[CleanOptions]
    ) -> Iterator[Document]:
        """Yield the document of each page, in their order, as `clean` returns it; the children work side by side.

        Args:
            pages: read as needed.
            ask: as in `clean`.
            **options: as in `clean`, the same for all pages.

        Raises: as `clean`; TypeError also for a single page.
        """
        self._check_open()
        from dehusk.base.processes.pool import in_order  # noqa: PLC0415
        from dehusk.counts.sources import require_several  # noqa: PLC0415

        require_several(pages)

        return in_order(pages, lambda data: self.clean(data, ask=ask, **options), workers=self.workers)

    def close(self) -> None:
        """End the child processes. The pool cleans no more pages, and its documents have only what was asked before.

        What else is asked of them raises `ChildError`.
        """
        self._documents.close()

    def _check_open(self) -> None:
        if self._documents.children.closed:
            raise ConfigError("the pool is closed: make a new one")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_shared: tuple[int, Pool] | None = None  # of which process, and its pool
_SHARING = Lock()


def _shared_pool() -> Pool:
    """Return the pool of pages that are `isolated`: one for the whole process, and a new one after a fork."""
    global _shared  # noqa: PLW0603 (there is one)
    with _SHARING:
        if _shared is None or _shared[0] != os.getpid():
            _shared = os.getpid(), Pool()
        return _shared[1]


def _ready(method: str | PageMethod | None, **named_only: Any) -> PageMethod:
    """Return the method that the arguments of `clean` choose."""
    if method is not None and not isinstance(method, str):
        return _checked(method, **named_only)
    if method is None and all(map(is_, named_only.values(), repeat(None))):
        return _usual_method()
    return load_method(method, **named_only)


@cache
def _usual_method() -> PageMethod:
    """Return the default method; finding it for each page would take a tenth of the time of a tiny one."""
    return load_method()


def clean_file(path: str | Path, **options: Unpack[CleanOptions]) -> Document:
    """Clean the page in a file.

    Args:
        path: the file. If it cannot be read, the document has the status `error`.
        **options: the keyword arguments of `clean`.

    Raises: as `clean`.
    """
    require_type(path, str | os.PathLike, "the path of a page must be a str or Path")
    return clean(Path(path), **options)


def clean_parsed(
    page: Page,
    method: PageMethod,
    *,
    rules: Rules | None = None,
    explain: bool = False,
    hidden: HiddenText = "drop",
    comments: CommentsChoice = "drop",
) -> Document:
    """Clean a page that has been parsed, for those who clean the same page several times.

    Args:
        page: the page.
        method: a method that is ready to label.
        rules: what to keep or drop whatever the method decides.
        explain: give a reason for each block.
        hidden: as `clean` has it.
        comments: as `clean` has it.

    Returns:
        What `clean` returns for the bytes of the page.

    Raises:
        NotFittedError: the method is not fitted.
    """
    try:
        return _label(page, method, _Request(hidden, comments, rules, explain), Deadline(_LIMITS.seconds))
    except NotFittedError:
        raise
    except Exception as error:  # as in `clean`
        return failed(f"{type(error).__name__}: {error}", url=page.url)


def _check(data: object, hidden: HiddenText, comments: CommentsChoice, others: tuple[object, object, object]) -> None:
    require_type(data, str | bytes | bytearray | memoryview | Path, "a page must be bytes, str or Path")
    if hidden not in _HIDDEN:
        raise ConfigError(unknown("hidden", hidden, _HIDDEN))
    if comments not in _COMMENTS:
        raise ConfigError(unknown("comments", comments, _COMMENTS))
    check_types(*others)


def _checked(method: PageMethod, **named_only: object) -> PageMethod:
    """Return a method object; raise TypeError for a class, and for arguments that need a method given by name."""
    if given := [name for name, value in named_only.items() if value is not None]:
        raise TypeError(f"{', '.join(given)}: only for a method given by name, not for a method object")
    rule = "method must be a name or an object with segment and label"
    if isinstance(method, type):
        raise TypeError(f"{rule}, not the class {method.__name__}")
    require_type(method, PageMethod, rule)
    return method


def _loaded(rules: Rules | str | Path | None) -> Rules | None:
    if rules is None:
        return None
    with IMPORTING:
        from dehusk.label.rules import Rules  # noqa: PLC0415 (few uses of dehusk have rules)

    require_type(rules, Rules | str | Path, "rules must be Rules or the path of a rules file")
    return rules if isinstance(rules, Rules) else Rules.load(rules)


def _label(page: Page, method: PageMethod, request: _Request, deadline: Deadline) -> Document:
    with Handling(page.data):
        return _labelled(page, method, request, deadline)


def _labelled(page: Page, method: PageMethod, request: _Request, deadline: Deadline) -> Document:
    hidden, comments, rules, explain = request
    page, notes = without_smuggled(page, drop=hidden == "drop")
    blocks = method.segment(page)
    if deadline.passed():
        return Document(Status.LIMIT, deadline.message, nothing(page), model_of(method))
    given = method.label(blocks, explain=explain) if rules is None else rules.label(blocks, method, explain=explain)
    labels = _with_islands(given)
    if comments == "keep":
        labels = _with_comments(labels)
    if rules is not None:
        labels = apply_rules(labels, rules)
    protected = None if rules is None else rules.match(blocks).keep
    labels = leave_out(labels, hidden=hidden, protected=protected)
    labels = replace(labels, notes=labels.notes + notes) if notes else labels
    if deadline.passed():
        return Document(Status.LIMIT, deadline.message, labels, model_of(method))
    return _judged(labels, model_of(method))


def _with_comments(labels: Labels) -> Labels:
    with IMPORTING:
        from dehusk.about.posts.comments import with_comments  # noqa: PLC0415 (finding posts takes long)

    return with_comments(labels)


def _judged(labels: Labels, model: str) -> Document:
    """Return the document of a page, with its status: what it is without a kernel, or a part of what."""
    page = labels.blocks.page
    if page.status is not Status.OK:
        return Document(page.status, page.message, labels, model)
    if kind := _kind_of_emptiness(labels):
        return Document(Status.NO_CONTENT, EMPTINESS[kind], labels, model, kind)
    if not np.count_nonzero(labels.kept):
        message = "no block of the page is content" if len(labels.blocks) else "the page contains no text"
        return Document(Status.NO_CONTENT, message, labels, model)
    with IMPORTING:
        from dehusk.about.partial import parts_of  # noqa: PLC0415 (what only reads or segments pages needs none of it)

    if parts := parts_of(labels):
        return Document(Status.PARTIAL, parts[0].message, labels, model)
    return Document(Status.OK, page.message, labels, model)


def _kind_of_emptiness(labels: Labels) -> str:
    """Return which page without a kernel a page is, one of `EMPTINESS`; "" for other pages."""
    blocks = labels.blocks
    if blocks.page.rendered_by_scripts:
        with IMPORTING:
            from dehusk.about.emptiness import challenge_of  # noqa: PLC0415 (few pages are shells)

        return challenge_of(blocks.page) or "script-shell"
    if int(blocks.words[labels.kept].sum()) > MOST_WORDS:
        return ""
    with IMPORTING:
        from dehusk.about.emptiness import emptiness_of  # noqa: PLC0415 (few pages are as short)

    return emptiness_of(labels) or ""


def _with_islands(labels: Labels) -> Labels:
    """Return labels that keep the text of the page's data, and nothing of a shell that waits for scripts.

    Data is searched for text only if the elements hold little, and only running text is taken from it, so it is the
    content by construction; what a method learned from elements says little about it.
    """
    page, blocks = labels.blocks.page, labels.blocks
    if page.form != "html":
        return _all_kept(labels, f"all text of a page of {page.form}")
    if page.rendered_by_scripts and labels.kept.any():
        return replace(labels, kept=np.zeros_like(labels.kept), label=np.full_like(labels.label, OTHER))
    if not page.islands:
        return labels
    from_data = page.in_island[blocks.first]
    kept = labels.kept | from_data
    added = (from_data & ~labels.kept).tolist()
    return replace(
        labels,
        kept=kept,
        label=relabelled(labels, kept),
        probability=np.where(from_data, np.maximum(labels.probability, _DATA_PROBABILITY), labels.probability),
        reasons=["text of the page's data" if new else why for why, new in zip(labels.reasons, added, strict=False)],
    )


def _all_kept(labels: Labels, reason: str) -> Labels:
    """Return labels that keep the whole page, which has no frame of a site."""
    kept = np.ones_like(labels.kept)
    likely = np.maximum(labels.probability, _TEXT_PROBABILITY)
    reasons = [reason] * len(labels.reasons)
    return replace(labels, kept=kept, label=relabelled(labels, kept), probability=likely, reasons=reasons)


def apply_rules(labels: Labels, rules: Rules) -> Labels:
    """Return labels to which rules are applied.

    Blocks that a rule keeps or drops get the probability 1 or 0. Blocks that the method had dropped get a label by
    their markup. If there are reasons, the rule becomes the reason. The notes of the rules come last.
    """
    matches = rules.match(labels.blocks)
    if not (matches.keep.any() or matches.drop.any()):
        return replace(labels, notes=labels.notes + matches.notes) if matches.notes else labels
    kept = (labels.kept | matches.keep) & ~matches.drop
    return replace(
        labels,
        kept=kept,
        label=relabelled(labels, kept),
        probability=np.where(matches.keep, 1.0, np.where(matches.drop, 0.0, labels.probability)),
        reasons=[f"rule: {rule}" if rule else reason for rule, reason in _with_rules(matches, labels.reasons)],
        evidence=[{"rule": str(rule)} if rule else record for rule, record in _with_rules(matches, labels.evidence)],
        notes=labels.notes + matches.notes,
    )


def _with_rules(matches: RuleMatches, per_block: Sequence[T]) -> Iterator[tuple[Rule | None, T]]:
    return zip(matches.rule if len(per_block) else (), per_block, strict=True)


def nothing(page: Page) -> Labels:
    """Return labels that keep nothing, for a page that no method labelled."""
    blocks = segment(page)
    b = len(blocks)
    return Labels(blocks, np.full(b, OTHER, dtype=np.uint8), np.zeros(b), np.zeros(b, dtype=np.bool_))


def failed(message: str, *, url: str | None = None, status: Status = Status.ERROR) -> Document:
    """Return the document of a page that could not be read or processed."""
    labels = _empty()
    if url is not None:
        blocks = replace(labels.blocks, page=replace(labels.blocks.page, url=url))
        labels = replace(labels, blocks=blocks)
    return Document(status, message, labels)


@cache
def _empty() -> Labels:
    """Return the labels of a page without nodes; made early, as a page may fail because memory is short."""
    return nothing(parse(""))
