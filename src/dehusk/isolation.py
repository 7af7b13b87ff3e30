"""Documents in child processes, so that no page can end this one.

A child makes a document and keeps it until it makes the next one; what is asked of the document, such as its Markdown
or its metadata, is computed there too, for an older document after making it again. What comes back are plain values.
Programs ask the same of one document after the other, so what was asked of the latest one comes with the next: a second
question takes as long as writing the Markdown. If nothing was asked of the latest one, the text comes with the next. A
child that dies, hangs or takes too much memory costs its page, and another one takes its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from importlib import import_module
from itertools import count
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from dehusk import compiled
from dehusk.base.caching import Latest, cached_property
from dehusk.base.errors import ChildError, ConfigError, DehuskError, unknown
from dehusk.base.processes.child import Data, keep_freed_memory
from dehusk.base.processes.pool import ChildPool
from dehusk.document import Document

_AT_ONCE = ("status", "message", "model", "kind")  # and what the caller asks for
PROPERTIES = (
    *("blocks", "cleaneval", "comments", "confidence", "declared", "html", "labels", "markdown", "metadata", "notes"),
    *("outline", "overlay", "posts", "text", "title", "units", "warnings"),
)
"""The properties of a document that are computed when they are asked for."""
_METHODS = (
    *("chunks", "facts", "locate", "record", "render", "source_span", "text_span", "within"),
    *("_repr_html_", "__repr__"),
)
_KEPT_OPTIONS = 16
_RAISED = (DehuskError, TypeError)


class _Making(NamedTuple):
    """How to make a document."""

    page: str | Path | None
    """None for bytes, which are sent beside it."""
    folder: str
    """Against which relative paths are meant, of the page and in its arguments; "" if it is gone."""
    options: bytes
    """The other arguments, pickled: a child keeps what it has read of the latest ones."""


class _Question(NamedTuple):
    """What is asked of a document."""

    number: int
    """Of the document."""
    ask: Callable[[Document], object]
    making: _Making | None
    """How to make it, if the child does not have it."""


class _Made(NamedTuple):
    """A document that a process made."""

    process: int
    known: dict[str, object]
    foreseen: dict[str, object]
    """Properties of the document that may be asked for next."""


class _Forgotten(NamedTuple):
    """The child does not have the document."""


def _properties(document: Document, *, names: Sequence[str], foreseen: Sequence[str]) -> _Made:
    """Return some properties, and of those that may be asked for next what can be had."""
    known, next_ones = {name: getattr(document, name) for name in names}, {}
    for name in foreseen:
        with suppress(*_RAISED):  # raised if it is asked for
            next_ones[name] = getattr(document, name)
    return _Made(os.getpid(), known, next_ones)


def _property(document: Document, *, name: str) -> object:
    return getattr(document, name)


def _result(document: Document, *, name: str, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> object:
    return getattr(document, name)(*arguments, **options)


class _Worker:
    """What a child does with a question; an error of the caller is returned, not raised."""

    def __init__(self, make: Callable[..., Document]) -> None:
        keep_freed_memory()
        make(b"<p>loads what every page needs, before the memory of the process is limited")
        for module in iter_modules(compiled.__path__, f"{compiled.__name__}."):  # and what some pages need
            import_module(module.name)
        self._make = make
        self._latest: tuple[int, Document] | None = None
        self._options: Latest[bytes, dict[str, Any]] = Latest(_KEPT_OPTIONS)

    def __call__(self, question: _Question, data: memoryview | None = None) -> object:
        try:
            if self._latest is not None and self._latest[0] == question.number:
                return question.ask(self._latest[1])
            if question.making is None:
                return _Forgotten()
            self._latest = None  # its memory is used again
            with suppress(OSError):  # without a folder, no relative path leads anywhere
                os.chdir(question.making.folder)
            page = question.making.page if data is None else data
            document = self._make(page, **self._read(question.making.options))
            self._latest = question.number, document
            return question.ask(document)
        except _RAISED as error:
            return error

    def _read(self, data: bytes) -> dict[str, Any]:
        return self._options.get(data, lambda: ForkingPickler.loads(data))


class DocumentPool:
    """Child processes that make documents, and answer for them. Any number of threads may use it.

    Args:
        make: a module-level function that returns the document of a page; called in the children.
        workers: the most children.
        memory: as `Child` has it.
    """

    def __init__(self, make: Callable[..., Document], *, workers: int, memory: float | None) -> None:
        self.children: ChildPool[_Question, Any] = ChildPool(_Worker, make, workers=workers, seconds=0, memory=memory)
        self._numbers = count()
        self._habit: set[str] = set()  # the properties asked of the latest document, while they are asked for

    def document(
        self, page: Data | str | Path, options: Mapping[str, object], *, seconds: float, ask: Sequence[str] = ()
    ) -> Document:
        """Return the document that `make(page, **options)` makes in a child; everything of it is computed there.

        Args:
            page: what `make` takes.
            options: of `make`; objects are sent with each page.
            seconds: wall time that the page, and each thing that is asked of the document, may take.
            ask: properties of the document to compute at once.

        Raises:
            ChildError: the process died, or took too long.
            ConfigError: an argument cannot be sent to another process; `ask` names what cannot be asked at once.
            DehuskError, TypeError: as `make`.
        """
        if unknown_names := [name for name in ask if name not in PROPERTIES]:
            raise ConfigError(unknown("property", unknown_names[0], PROPERTIES))
        try:
            sent = bytes(ForkingPickler.dumps(dict(options)))
        except Exception as error:  # whatever an argument raises
            raise _unsent(error) from error
        page = _as_read(page)
        data = page if isinstance(page, bytes) else None
        making = _Making(None if isinstance(page, bytes) else page, _folder(), sent)
        names, foreseen = (*_AT_ONCE, *ask), sorted((self._habit or {"text"}).difference(ask))
        self._habit = set()
        question = _Question(next(self._numbers), partial(_properties, names=names, foreseen=foreseen), making)
        try:
            made = _checked(self.children.work(question, data=data, seconds=seconds))
        except ChildError:
            if not foreseen:
                raise
            # only what the caller asks for may cost the document
            question = question._replace(ask=partial(_properties, names=names, foreseen=()))
            made = _checked(self.children.work(question, data=data, seconds=seconds))
        work = partial(self.children.work, seconds=seconds, prefer=made.process)
        return _IsolatedDocument(made.known, _Asking(work, question, data, made.foreseen, self._habit))

    def close(self) -> None:
        """End the children. Of a document, only what was asked before is known from then on."""
        self.children.close()


def _as_read(page: Data | str | Path) -> bytes | str | Path:
    """Return the page as it is now: a document is made again from it, whatever has become of the file or the buffer."""
    if isinstance(page, Data):
        return bytes(page)
    if isinstance(page, str):
        return str.__str__(page)  # the class of a subclass might not be sent
    with suppress(OSError):  # which the child finds, too, as it does what is no page
        if isinstance(page, Path) and page.is_file():  # a device or a pipe may never end
            return page.read_bytes()
    return page


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 (of each page)
    except OSError:
        return ""


def _unsent(error: Exception) -> ConfigError:
    return ConfigError(f"an argument cannot be sent to another process: {error}")


def _checked(answer: Any) -> Any:
    """Return what a child answered; raise the error of the caller that it found."""
    if isinstance(answer, _RAISED):
        raise answer
    return answer


class _Asking(NamedTuple):
    """How to ask a child about a document."""

    work: Callable[..., Any]
    made_by: _Question
    data: Data | None
    foreseen: dict[str, object]
    habit: set[str]
    """Gets the names of the properties that are asked for."""

    def property(self, name: str) -> Any:
        """Return a property of the document; raises as a call does."""
        self.habit.add(name)
        return self.foreseen.pop(name) if name in self.foreseen else self(partial(_property, name=name))

    def __call__(self, ask: Callable[[Document], object]) -> Any:
        """Return what a function returns for the document.

        Raises:
            ChildError: the process died, or took too long.
            ConfigError: an argument cannot be sent to another process.
        """
        question = self.made_by._replace(ask=ask)
        try:
            answer = self.work(question._replace(making=None))
            if isinstance(answer, _Forgotten):
                answer = self.work(question, data=self.data)
        except DehuskError:
            raise
        except Exception as error:  # an argument of the caller, such as a function that no module has
            raise _unsent(error) from error
        return _checked(answer)


class _IsolatedDocument(Document):
    """A document of which everything but its status is computed in a child process."""

    def __init__(self, known: Mapping[str, object], asking: _Asking) -> None:
        self.__dict__.update(known, _asking=asking)  # a document is frozen

    def __reduce__(self) -> tuple[type[Document], tuple[object, ...]]:
        return Document, (self.status, self.message, self.labels, self.model, self.kind)


def _asked_once(name: str) -> cached_property[Any]:
    asked = cached_property(lambda document: document._asking.property(name))
    asked.__set_name__(_IsolatedDocument, name)
    return asked


def _asked(name: str) -> Callable[..., Any]:
    @wraps(getattr(Document, name))
    def ask(document: Any, *arguments: Any, **options: Any) -> Any:
        return document._asking(partial(_result, name=name, arguments=arguments, options=options))

    return ask


for _name in PROPERTIES:
    setattr(_IsolatedDocument, _name, _asked_once(_name))
for _name in _METHODS:
    setattr(_IsolatedDocument, _name, _asked(_name))
