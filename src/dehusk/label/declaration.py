"""The declaration of a method: everything that the rest of dehusk needs to know about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import Parameter, signature
from numbers import Integral, Real
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from dehusk.base.caching import cached_property
from dehusk.base.errors import ConfigError, unknown
from dehusk.base.lazy import pattern
from dehusk.label.base import PageMethod
from dehusk.read.page import Page

if TYPE_CHECKING:
    from dehusk.counts.model import SiteModel
    from dehusk.counts.own_counts import DeclaredCounts

SiteUse = Literal["no", "optional", "required"]
"""Whether a method uses a site: never, if one is given, or always."""

Learning = Literal["counts", "pages"]
"""What a site method learns from: counts, which add up over files and machines, or all pages of a site at once."""

_NAME = pattern(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_NOT_OPTIONS = ("self", "site")


@dataclass(frozen=True)
class Request:
    """What the caller of `load_method` requests, checked against the declaration of the method."""

    model: Path | None = None
    """Model folder."""
    config: str | Path | None = None
    """Name of a preset, or a configuration file."""
    site: SiteModel | Path | None = None
    """A learned site, or the folder of a site model."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Option -> value; the method has the option, and the value has its type."""


@dataclass(frozen=True)
class Option:
    """One option of a method: a keyword-only parameter of its constructor."""

    name: str
    annotation: Any
    default: Any

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values that a `Literal` type allows; empty for other types."""
        return tuple(
            value for part in _parts(self.annotation) if get_origin(part) is Literal for value in get_args(part)
        )

    def accepts(self, value: object) -> bool:
        """Return whether a value is of the option's type."""
        return any(_is_a(value, part) for part in _parts(self.annotation))

    def parse(self, text: str, method: str) -> Any:
        """Return the value that a text on the command line stands for.

        Args:
            text: as the type allows: one of the choices, a number, "yes" or "no", "none", or names separated by commas.
            method: the name of the method, for the message.

        Raises:
            ConfigError: the text is no value of the option's type.
        """
        for part in sorted(_parts(self.annotation), key=_reading_order):
            for value in _readings(text, part):
                return value
        self.check(text, method)
        return text

    def check(self, value: object, method: str) -> None:
        """Raise `ConfigError` if a value is not of the option's type."""
        if self.accepts(value):
            return
        parts = [part for part in _parts(self.annotation) if get_origin(part) or part in _WRITTEN]
        if all(get_origin(part) is Literal for part in parts):
            raise ConfigError(unknown(self.name, value, map(str, self.choices)))
        types = " or ".join(map(_type_name, parts))
        raise ConfigError(f"option {self.name} of method {method} must be {types}, not {value!r}")


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a method finds on the pages of a site beside what it keeps; corpora and crawls write it."""

    summary: str
    """A few words, in the plural, for messages."""
    counts: type[DeclaredCounts]
    """What must be counted of the site's pages."""
    fit: Callable[[Any], Callable[[Page], Mapping[str, Any]]]
    """Takes these counts; returns a function that returns what is found on a page, as plain values for JSON."""
    nothing: Mapping[str, Any]
    """The values for a page that could not be read, or whose site was not learned."""


class FoundLinks(NamedTuple):
    """The links of a page that lead to more pages of its site."""

    hrefs: Sequence[str]
    """As they are written on the page."""
    places: Sequence[int]
    """Number of the place of each link, from 0; links at one place are of one kind."""
    has_content: bool
    """Whether the page has more content than such links."""


@dataclass(frozen=True, kw_only=True)
class LinkSearch:
    """How a method finds the links of a page that lead to more pages of its site."""

    order: str
    """Name of the order of a crawl that follows them first."""
    summary: str
    """What the links are, for help."""
    counts: type[DeclaredCounts]
    """What must be counted of the site's pages."""
    fit: Callable[[Any], Callable[[Page], FoundLinks]]
    """Takes these counts; returns the search."""


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A method as the registry, the command line, corpora, Spark, benches, tests and docs see it.

    Raises:
        ConfigError: the declaration contradicts itself or its class.
    """

    name: str
    """Name for `--method`: words in lower case, joined by hyphens."""
    summary: str
    """One line for help and documentation."""
    method: type[PageMethod]
    """The class. Its keyword-only constructor parameters, except `site`, are the method's options."""
    build: Callable[[Request], PageMethod]
    """Return a method that is ready to label."""
    site: SiteUse = "no"
    learning: Learning = "counts"
    counts: tuple[type[DeclaredCounts], ...] = ()
    """What must be counted of a site's pages, beyond what is counted of every site; `build` asks `Site.own_counts`."""
    findings: Findings | None = None
    """What the method finds on pages beside what it keeps."""
    links: LinkSearch | None = None
    """Which links of a page lead to more of its site, for a crawl."""
    default_model: str | None = None
    """The shipped model to use if the caller names none; None for a method without models."""
    presets: tuple[str, ...] = ()
    """Names of the configurations that ship with the package; empty for a method without configuration."""
    trainable: bool = False
    """Whether `dehusk train` can train models for it."""
    own_models: bool = False
    """Whether `dehusk site learn --method` writes model folders for this method alone, with its options. A method that
    learns from counts also works with the site models that all such methods share."""
    learn: Callable[[Any, Iterable[Page]], Any] = lambda method, pages: method.fit(pages)
    """Fits a new object of the class to the pages of one site and returns it."""
    fixed_options: bool = False
    """Whether the options are stored in the model, so that they apply to learning only, not to labelling."""

    def __post_init__(self) -> None:
        for problem, is_wrong in self._problems().items():
            if is_wrong:
                raise ConfigError(f"method {self.name!r}: {problem}")

    def _problems(self) -> dict[str, bool]:
        is_class = isinstance(self.method, type)
        trained = ("fit", "save", "load")
        return {
            "the name must be lower-case words joined by hyphens": not _NAME.fullmatch(str(self.name)),
            "the summary must be one line": not self.summary.strip() or "\n" in self.summary,
            f"site must be one of {', '.join(get_args(SiteUse))}": self.site not in get_args(SiteUse),
            f"learning must be one of {', '.join(get_args(Learning))}": self.learning not in get_args(Learning),
            "its class needs the methods segment and label": not is_class or not _has(self.method, "segment", "label"),
            "a trainable method needs the methods save and load": self.trainable
            and not _has(self.method, "save", "load"),
            "a method that uses no site cannot need counts of one": self.site == "no" and bool(self.counts),
            "a method with models of its own needs the methods fit, save and load": self.own_models
            and not _has(self.method, *trained),
            "a method that learns from pages needs models of its own": self.learning == "pages" and not self.own_models,
            "build must be callable": not callable(self.build),
        }

    @cached_property
    def options(self) -> dict[str, Option]:
        """Name -> option, from the constructor's signature."""
        found = {
            name: parameter
            for name, parameter in signature(self.method).parameters.items()
            if parameter.kind is Parameter.KEYWORD_ONLY and name not in _NOT_OPTIONS
        }
        written = getattr(
            self.method.__init__, "__annotations__", {}
        )  # those of other parameters need not be importable
        wanted = SimpleNamespace(__annotations__={name: written[name] for name in found if name in written})
        hints = get_type_hints(wanted, globalns=getattr(self.method.__init__, "__globals__", {}))
        return {name: Option(name, hints.get(name, object), parameter.default) for name, parameter in found.items()}

    @property
    def learns_from_counts(self) -> bool:
        """Whether a corpus can learn its sites: it uses one, and what it learns adds up."""
        return self.site != "no" and self.learning == "counts"

    def check_options(self, options: Mapping[str, object], *, learning: bool = False) -> None:
        """Raise `ConfigError` for an option that the method does not have, or a value of the wrong type.

        Args:
            options: option -> value.
            learning: whether the options are for learning; otherwise for labelling.
        """
        for name, value in options.items():
            self._option(name, learning=learning).check(value, self.name)

    def parse_options(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of options, for learning or labelling, that are given as texts; see `Option.parse`."""
        return {name: self._option(name, learning=True).parse(text, self.name) for name, text in texts.items()}

    def _option(self, name: str, *, learning: bool) -> Option:
        if self.fixed_options and not learning and name in self.options:
            raise ConfigError(f"method {self.name}: option {name} is for learning a model, not for labelling with it")
        if name not in self.options:
            problem = (
                unknown("option", name, self.options) if self.options else f"takes no options, but {name} was given"
            )
            raise ConfigError(f"method {self.name}: {problem}")
        return self.options[name]


def _has(method: type, *names: str) -> bool:
    return all(callable(getattr(method, name, None)) for name in names)


_ORDER = (NoneType, bool, int, float)
_WRITTEN = (bool, int, float, str)
"""Types of values that people write; None and objects have no place in messages."""
_SWITCH = {"yes": True, "true": True, "no": False, "false": False}


def _reading_order(kind: Any) -> int:
    """Return how early a type is tried: names and numbers before any text."""
    return -1 if get_origin(kind) is Literal else _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _readings(text: str, kind: Any) -> Iterator[object]:
    """Yield the value that a text stands for in a type, if there is one."""
    plain = get_origin(kind) or kind
    if plain is Literal:
        yield from (value for value in get_args(kind) if str(value) == text)
    elif plain is NoneType and text == "none":
        yield None
    elif plain is bool and text in _SWITCH:
        yield _SWITCH[text]
    elif plain in (int, float):
        with suppress(ValueError):
            yield plain(text)
    elif plain is str:
        yield text
    elif plain is Sequence:
        yield tuple(filter(None, text.split(",")))


def _parts(annotation: Any) -> tuple[Any, ...]:
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _type_name(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(map(repr, get_args(kind)))
    return getattr(kind, "__name__", str(kind))


def _is_a(value: object, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    plain = get_origin(kind) or (NoneType if kind is None else kind)
    return isinstance(value, plain) if isinstance(plain, type) else True
