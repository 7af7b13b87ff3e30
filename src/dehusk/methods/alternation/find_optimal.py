"""FindOptimal: learn which n-grams of a set of documents are useless, and part documents by them."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from dehusk.errors import ConfigError, ModelError, NotFittedError
from dehusk.methods.alternation import surface as surfaces
from dehusk.methods.alternation.grams import Hashes, Spans, covered, document_frequent, gram_hashes, is_in
from dehusk.methods.alternation.path_search import CutPoint, PathSearch
from dehusk.methods.alternation.ranges import span_mask
from dehusk.methods.alternation.strings import Folded, Points, fold
from dehusk.methods.alternation.suffixes import LONGEST, sort_suffixes
from dehusk.store import load_model, save_model

_N, _LONGEST, _START = 32, 256, (2, 1)
_CARD = "find-optimal"


class FindOptimal:
    """Which parts of documents of one kind are useless.

    Args:
        rule: "df": an n-gram of fixed length is useless if at least t documents hold it. "search": the paper's search
            for a cut point (n, a).
        n: length of the grams in characters, for "df"; 32 if None.
        t: least number of documents, at least 2, for "df"; 2 if None, which fits articles. "records" takes a quarter
            of the documents, at least 2: for records, whose values (publishers, dates) recur.
        look_ahead: how far to look beyond where the paper's rule stops, for "search" (`PathSearch.path`); 0 if None,
            as the paper does.
        start: n and a of the first cut point, for "search"; (2, 1) if None, as in the paper.
        longest: no n above this is looked at, for "search"; 256 if None.

    Attributes:
        n_: length of the useless grams.
        a_: percent of the different n-grams that were asked for (search), or that the useless ones are (df).
        t_: a gram is useless if it occurs at least so many times (search), or in so many documents (df).
        grams_: (g,) hashes of the useless n-grams, sorted.
        documents_: different documents with text that were learnt from.
        path_: the search's cut points with their alternation counts; empty for "df".
    """

    n_: int
    a_: float
    t_: int
    grams_: Hashes
    documents_: int
    path_: tuple[CutPoint, ...]

    def __init__(
        self,
        rule: Literal["df", "search"] = "df",
        *,
        n: int | None = None,
        t: int | Literal["records"] | None = None,
        look_ahead: int | None = None,
        start: tuple[int, int] | None = None,
        longest: int | None = None,
    ) -> None:
        self.rule = rule
        self.n = n
        self.t = t
        self.look_ahead = look_ahead
        self.start = start
        self.longest = longest

    @property
    def options(self) -> dict[str, Any]:
        """The constructor's arguments, as they were given."""
        return {name: getattr(self, name) for name in _OPTIONS}

    def fit(self, documents: Iterable[str]) -> Self:
        """Learn the useless n-grams of documents; a former fit is forgotten.

        D is a set: documents that are equal after folding count once, so that a copy does not make all of its text
        useless. Documents without text count for nothing. Where no gram can be useless (one document and "df", no
        document as long as n, "search" on a few letters), `grams_` is empty and everything is kept.

        Args:
            documents: at least one string, folded here; under "df" they are read one after the other and not kept.

        Raises:
            ConfigError: an option that cannot be or that is of the other rule.
            TypeError: documents are not strings.
            ValueError: no documents, or more characters than a suffix array can hold.
        """
        self._check()
        if isinstance(documents, str):
            raise TypeError("documents are several strings, not one")
        different = _Different(documents)
        learn = self._fit_df if self.rule == "df" else self._fit_search
        learn(different)
        return self

    def _fit_df(self, documents: "_Different") -> None:
        n = _N if self.n is None else self.n
        grams = [np.unique(gram_hashes(points, n)) for points in documents]
        documents.require_any()
        quarter = max(surfaces.LEAST, -(-documents.count // 4))
        t = quarter if self.t == "records" else self.t or surfaces.LEAST
        self.grams_, distinct = document_frequent(grams, t)
        self.n_, self.t_, self.a_ = n, t, 100 * len(self.grams_) / max(distinct, 1)
        self.documents_, self.path_ = documents.count, ()

    def _fit_search(self, documents: "_Different") -> None:
        given = list(documents)
        documents.require_any()
        found = sort_suffixes(given)
        search = PathSearch(surfaces.SurfaceRows(found).row, _LONGEST if self.longest is None else self.longest)
        self.path_ = tuple(search.path(self.start or _START, self.look_ahead or 0))
        self.n_, self.a_, self.t_ = self.path_[-1][:3]
        marked = surfaces.representatives(found, self.n_, self.t_)
        starts = np.cumsum(found.lengths + 1) - (found.lengths + 1)
        grams = [np.zeros(0, dtype=np.uint64)]
        for points, at in zip(given, starts.tolist(), strict=True):
            hashes = gram_hashes(points, self.n_)
            grams.append(hashes[marked[at : at + len(hashes)]])
        self.grams_ = np.unique(np.concatenate(grams))
        self.documents_ = documents.count

    def useless(self, document: str) -> Spans:
        """Return the useless parts of a document of the set or of any other, shape (k, 2).

        Rows are start and end (excluded) in characters of the document as given, rising, with at least one character
        between them.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        folded = fold(document)
        return folded.first[self._covered(folded)].astype(np.int64)

    def kept(self, document: str) -> str:
        """Return the parts of a document that are not useless, as given, each on a line of its own.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        edges = np.concatenate([[0], self.useless(document).ravel(), [len(document)]]).tolist()
        return "\n".join(document[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b)

    def range_string(self, document: str) -> npt.NDArray[np.uint8]:
        """Return the range string r of a document (section 2.1), shape (len(document),): 0 where useless, else 1.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        return (~span_mask(self.useless(document), len(document))).astype(np.uint8)

    def surface(self, documents: Iterable[str], lengths: Sequence[int], percents: Sequence[int]) -> surfaces.Surface:
        """Return A_D(n, a) of documents for some n ≥ 1 and a from 0 to 100; nothing is learnt, no fit is needed.

        Raises:
            ConfigError: a length or percentage that cannot be.
            TypeError: documents are not strings.
            ValueError: no documents, or more characters than a suffix array can hold.
        """
        if not all(1 <= n <= LONGEST for n in lengths) or not all(0 <= a <= 100 for a in percents):
            raise ConfigError(f"lengths are 1 to {LONGEST}, percents 0 to 100")
        different = _Different(documents)
        given = list(different)
        different.require_any()
        return surfaces.compute_surface(sort_suffixes(given), lengths, percents)

    def _covered(self, folded: Folded) -> Spans:
        if not hasattr(self, "grams_"):
            raise NotFittedError("FindOptimal knows no useless n-grams: use fit or load first")
        useless = is_in(gram_hashes(folded.points, self.n_), self.grams_)
        return covered(np.flatnonzero(useless), self.n_)

    def save(self, folder: Path) -> None:
        """Write a model folder: options and cut point as JSON, hashes of the useless grams as an array.

        Raises:
            NotFittedError: before `fit` or `load`.
            ModelError: the folder cannot be written.
        """
        card, arrays = self.state()
        save_model(folder, {"method": _CARD, **card}, arrays)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: it is missing, damaged or of another method.
        """
        card, arrays = load_model(folder, _CARD)
        return cls.from_state(card, arrays, folder)

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Return what was learnt, as JSON values and arrays.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        if not hasattr(self, "grams_"):
            raise NotFittedError("FindOptimal has nothing to save: use fit first")
        learnt = {name: getattr(self, name) for name in ("n_", "a_", "t_", "documents_", "path_")}
        return {"options": self.options, **learnt}, {"grams": self.grams_}

    @classmethod
    def from_state(cls, card: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], folder: Path) -> Self:
        """Make a fitted object of what `state` returned; `folder` is named where it does not fit.

        Raises:
            ModelError: the state is damaged.
        """
        try:
            options = dict(card["options"])
            options["start"] = tuple(options["start"]) if options["start"] else None
            made = cls(**options)
            made._check()
            made.n_, made.t_, made.documents_ = int(card["n_"]), int(card["t_"]), int(card["documents_"])
            made.a_ = float(card["a_"]) if made.rule == "df" else int(card["a_"])
            made.path_ = tuple(CutPoint(*map(int, point)) for point in card["path_"])
            grams = arrays["grams"]
        except (KeyError, TypeError, ValueError, ConfigError) as error:
            raise ModelError(f"model {folder} is damaged: {error!r}") from error
        if made.n_ < 1 or grams.dtype != np.uint64 or grams.ndim != 1 or not (grams[1:] > grams[:-1]).all():
            raise ModelError(f"model {folder} is damaged: its n-grams are not sorted hashes")
        made.grams_ = grams
        return made

    def _check(self) -> None:
        """Refuse options that cannot be, and options that the rule does not have: none is ignored."""
        if self.rule not in _OF_RULE:
            raise ConfigError(f"no rule {self.rule!r}; known: {', '.join(_OF_RULE)}")
        others = [name for name in _OPTIONS[1:] if name not in _OF_RULE[self.rule] and getattr(self, name) is not None]
        if others:
            raise ConfigError(f"rule {self.rule!r} has no option {others[0]!r}")
        bounds = {"n": (1, LONGEST), "t": (surfaces.LEAST, None), "look_ahead": (0, LONGEST), "longest": (2, LONGEST)}
        for name, (least, most) in bounds.items():
            value = getattr(self, name)
            if value is not None and not (name == "t" and value == "records"):
                _require_whole(name, value, least, most)
        if self.start is not None:
            if not isinstance(self.start, tuple) or len(self.start) != 2:
                raise ConfigError(f"start is a pair of n and a, not {self.start!r}")
            _require_whole("n of start", self.start[0], 1, _LONGEST if self.longest is None else self.longest)
            _require_whole("a of start", self.start[1], 1, 99)


_OF_RULE = {"df": ("n", "t"), "search": ("look_ahead", "start", "longest")}
_OPTIONS = ("rule", "n", "t", "look_ahead", "start", "longest")


def _require_whole(name: str, value: object, least: int, most: int | None) -> None:
    fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
    if not fits or (most is not None and value > most):  # type: ignore[operator]
        bound = f"from {least} on" if most is None else f"from {least} to {most}"
        raise ConfigError(f"{name} is a whole number {bound}, not {value!r}")


class _Different:
    """The different documents with text among those given, folded, in order."""

    def __init__(self, documents: Iterable[str]) -> None:
        self.documents = documents
        self.given = 0
        self.count = 0

    def __iter__(self) -> Iterator[Points]:
        seen = set()
        for document in self.documents:
            if not isinstance(document, str):
                raise TypeError(f"a document is a str, not {type(document).__name__}")
            self.given += 1
            points = fold(document).points
            key = hashlib.blake2b(points.tobytes(), digest_size=16).digest()
            if key not in seen and document.strip():
                seen.add(key)
                self.count += 1
                yield points

    def require_any(self) -> None:
        """Raise where no document was given at all."""
        if not self.given:
            raise ValueError("no documents to learn from")
