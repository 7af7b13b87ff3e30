"""FindOptimal: learn which n-grams of a set of documents are useless, and split documents by them."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, InputError, ModelError, NotFittedError, counted, is_integer, unknown
from dehusk.base.store import load_model, reading, save_model
from dehusk.label.parameters import WithParameters, check_options
from dehusk.sites.alternation.grams import Hashes, Spans, document_frequent, gram_places
from dehusk.sites.alternation.path_search import CutPoint, PathSearch
from dehusk.sites.alternation.ranges import span_mask
from dehusk.sites.alternation.ranking import TIES, Ties
from dehusk.sites.alternation.strings import Folded, Points, fold
from dehusk.sites.alternation.suffixes import LONGEST, SuffixArray, sort_suffixes
from dehusk.sites.alternation.surface import Surface, SurfaceRows

Search = Literal["df", "printed"]
"""How useless n-grams are found: a threshold on document frequency, or the search of figure 3."""

_N, _LONGEST, _START = 32, 256, (2, 1)
_LEAST = 2
"""Default and, for document frequency, least t: what occurs once is not frequent."""
_SHORT = 4
_ALL = 100
MODEL = "find-optimal"
"""What a model folder of `FindOptimal` says it belongs to."""


@dataclass(repr=False, eq=False)
class FindOptimal(WithParameters):
    """Finds the useless parts of similar documents, such as the pages of a site.

    Args:
        search: "df": no search; n-grams of a fixed length are useless if at least t documents contain them. "printed":
            the paper's search for a cut point (n, a).
        n: for "df": number of characters in a gram; None for 32.
        t: for "df": least number of documents, 2 or more; None for 2, which is right for articles. "records" uses a
            quarter of the documents, but at least 2: the values of records (publishers, dates) recur.
            For "printed": least number of occurrences, 1 or more; None for 2. 1 is the letter of figure 2; the search
            can then end at a = 100, where everything is useless.
        ties: for "printed": the order of n-grams that occur equally often (`ranking.Ties`); None for "hashed".
        look_ahead: for "printed": how far to look beyond the point where the paper's search stops
            (`PathSearch.path`); None for 0, as in the paper.
        start: for "printed": n and a of the first cut point; None for (2, 1), as in the paper.
        longest: for "printed": the largest n to try; None for 256.
        bounds: characters that an n-gram may have at its ends only (section 5); "" for none. The paper's examples
            are "<>.?". A stretch from one of them to the next counts as an n-gram if it is shorter than n.

    Attributes:
        n_: number of characters in the useless grams.
        a_: percentage of the distinct n-grams in W ("printed"), or that are useless ("df").
        t_: useless grams occur at least this many times ("printed"), or in this many documents ("df"). With "df", and
            with ties="join", all such grams are useless.
        grams_: (g,) hashes of the useless n-grams, sorted.
        documents_: number of distinct documents with text.
        given_: number of documents, copies and empty ones included.
        path_: the cut points of the search with their alternation counts; empty for "df".
    """

    search: Search = "df"
    _: KW_ONLY
    n: int | None = None
    t: int | Literal["records"] | None = None
    ties: Ties | None = None
    look_ahead: int | None = None
    start: tuple[int, int] | None = None
    longest: int | None = None
    bounds: str = ""

    n_: int = field(init=False)
    a_: float = field(init=False)
    t_: int = field(init=False)
    grams_: Hashes = field(init=False)
    documents_: int = field(init=False)
    given_: int = field(init=False)
    path_: tuple[CutPoint, ...] = field(init=False)

    def fit(self, documents: Iterable[str]) -> Self:
        """Learn the useless n-grams of documents; replaces an earlier fit.

        D is a set: documents that are equal after folding count once, so that a copy does not make all of its text
        useless. Documents without text do not count. If no gram can be useless (one document with "df", all documents
        shorter than n, few letters with "printed"), `grams_` is empty and everything is kept.

        Args:
            documents: one or more strings; `Alternation` is for pages. With "df" they are read one by one and not kept.

        Raises:
            ConfigError: an option has an invalid value or belongs to the other search.
            InputError: there are no documents, or more characters than a suffix array can hold.
            TypeError: `documents` is a single string, or an item is not a string.
        """
        self._check()
        distinct = _DistinctDocuments(documents)
        learn = self._fit_df if self.search == "df" else self._fit_search
        learn(distinct)
        return self

    def _fit_df(self, documents: "_DistinctDocuments") -> None:
        n = _N if self.n is None else self.n
        grams_of = [np.unique(gram_places(points, n, self.bounds).hashes) for points in documents]
        documents.require_any()
        quarter = max(_LEAST, -(-documents.count // 4))
        t = quarter if self.t == "records" else self.t or _LEAST
        grams, distinct = document_frequent(grams_of, t)
        self.n_, self.t_, self.a_ = n, t, 100 * len(grams) / max(distinct, 1)
        self.documents_, self.given_, self.path_ = documents.count, documents.given, ()
        self.grams_ = grams  # last: other threads take the object as fitted from here on

    def _fit_search(self, documents: "_DistinctDocuments") -> None:
        points_of, rows = self._sorted(documents)
        path = tuple(PathSearch(rows.row, self.longest or _LONGEST).path(self.start or _START, self.look_ahead or 0))
        self.documents_, self.given_ = documents.count, documents.given
        self._accept(points_of, rows, path)

    def fit_at(self, documents: Iterable[str], n: int, a: int) -> Self:
        """Learn the useless n-grams of documents at a given cut point (n, a), without a search for one.

        Raises:
            ConfigError: n or a is out of range, or the search is not "printed".
            InputError: there are no documents, or more characters than a suffix array can hold.
            TypeError: `documents` is a single string, or an item is not a string.
        """
        self._check_surface([n], [a])
        distinct = _DistinctDocuments(documents)
        points_of, rows = self._sorted(distinct)
        self.documents_, self.given_ = distinct.count, distinct.given
        self._accept(points_of, rows, (PathSearch(rows.row, n).point(n, a),))
        return self

    def _sorted(self, documents: "_DistinctDocuments") -> tuple[list[Points], SurfaceRows]:
        points_of = list(documents)
        documents.require_any()
        return points_of, self._rows(sort_suffixes(points_of, self.bounds))

    def _accept(self, points_of: list[Points], rows: SurfaceRows, path: tuple[CutPoint, ...]) -> None:
        """Keep the n-grams that are useless at the last cut point of a path."""
        n, a, t = path[-1][:3]
        is_representative = rows.representatives(n, a)
        lengths = np.array([len(points) for points in points_of])
        starts = np.cumsum(lengths + 1) - (lengths + 1)
        grams = [np.zeros(0, dtype=np.uint64)]
        for points, start in zip(points_of, starts.tolist(), strict=True):
            places = gram_places(points, n, self.bounds)
            grams.append(places.hashes[is_representative[start + places.start]])
        self.n_, self.a_, self.t_, self.path_ = n, a, t, path
        self.grams_ = np.unique(np.concatenate(grams))  # last: other threads take the object as fitted from here on

    def useless(self, document: str) -> Spans:
        """Return the useless parts of a document, learned or new, shape (k, 2).

        Each row has the start and the end (excluded) of a part, in characters of the document as given. Rows are
        ascending, with at least one character between them.

        Raises:
            NotFittedError: before `fit` or `load`.
            TypeError: the document is not a string.
        """
        self._require_fitted()
        folded = fold(_checked(document))
        return folded.first[self._covered(folded)].astype(np.int64)

    def kept(self, document: str) -> str:
        """Return the parts of a document that are not useless, as given, each on its own line.

        Raises:
            NotFittedError: before `fit` or `load`.
            TypeError: the document is not a string.
        """
        edges = np.concatenate([[0], self.useless(document).ravel(), [len(document)]]).tolist()
        return "\n".join(document[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b)

    @property
    def warning(self) -> str:
        """What can be expected to go wrong with these documents, in one line; "" if nothing.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        self._require_fitted()
        kept = "everything is kept" if self.search == "df" else "only repetitions inside of it count"
        if not self.documents_:
            return f"{counted(self.given_, 'document')} without text: everything is kept"
        if self.documents_ == 1:
            others = "" if self.given_ == 1 else f", because all {self.given_} are copies of it or empty"
            return f"one document cannot be compared with others{others}: {kept}"
        if not len(self.grams_):
            nothing = "share no" if self.search == "df" else "have no useless"
            return f"the {self.documents_} documents {nothing} {self.n_}-grams: everything is kept"
        if self.a_ >= _ALL and (self.search == "df" or self.t_ < _LEAST):
            return f"all {self.n_}-grams are useless, so nothing is kept: set a higher t"
        if self.search == "printed" and (self.n_ <= _SHORT or self.a_ <= 1):
            return (
                f"the search stopped early, at ({self.n_}, {self.a_}): learn from more documents of one site and "
                "language, or with a look-ahead of 4, or use the search df"
            )
        return ""

    def range_string(self, document: str) -> npt.NDArray[np.uint8]:
        """Return the range string r of a document (section 2.1), shape (len(document),): 0 where useless, else 1.

        Raises:
            NotFittedError: before `fit` or `load`.
            TypeError: the document is not a string.
        """
        return (~span_mask(self.useless(document), len(document))).astype(np.uint8)

    def surface(self, documents: Iterable[str], lengths: Sequence[int], percents: Sequence[int]) -> Surface:
        """Return A_D(n, a) of documents for some n ≥ 1 and some a from 0 to 100; neither needs nor changes a fit.

        Raises:
            ConfigError: a length or percentage is out of range, or the search is not "printed".
            InputError: there are no documents, or more characters than a suffix array can hold.
            TypeError: `documents` is a single string, or an item is not a string.
        """
        self._check_surface(lengths, percents)
        return self._sorted(_DistinctDocuments(documents))[1].surface(lengths, percents)

    def _check_surface(self, lengths: Sequence[int], percents: Sequence[int]) -> None:
        self._check()
        if self.search != "printed":
            raise ConfigError("the surface is of the printed search, not of 'df'")
        if not all(is_integer(n, 1, LONGEST) for n in lengths) or not all(is_integer(a, 0, 100) for a in percents):
            raise ConfigError(f"lengths must be integers from 1 to {LONGEST}, percents integers from 0 to 100")

    def _rows(self, array: SuffixArray) -> SurfaceRows:
        assert self.t != "records"  # noqa: S101 (only for "df")
        return SurfaceRows(array, self.ties or TIES[0], _LEAST if self.t is None else self.t)

    def _covered(self, folded: Folded) -> Spans:
        return gram_places(folded.points, self.n_, self.bounds).spans(self.grams_)

    def save(self, folder: str | Path) -> None:
        """Write a model folder: options and cut point as JSON, hashes of the useless grams as an array.

        Raises:
            NotFittedError: before `fit` or `load`.
            ModelError: the folder cannot be written.
        """
        card, arrays = self.state()
        save_model(folder, {"method": MODEL, **card}, arrays)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: the folder is missing, damaged or of another method.
        """
        card, arrays = load_model(folder, MODEL)
        return cls.from_state(card, arrays, folder)

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Return what was learned, as JSON values and arrays.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        self._require_fitted()
        learned = {name: getattr(self, name) for name in ("n_", "a_", "t_", "documents_", "given_", "path_")}
        return {"options": self.get_params(), **learned}, {"grams": self.grams_}

    @classmethod
    def from_state(cls, card: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], folder: str | Path) -> Self:
        """Return a fitted object from the values that `state` returned; errors name `folder`.

        Raises:
            ModelError: the values are damaged.
        """
        with reading(folder):
            options = dict(card["options"])
            options["start"] = tuple(options["start"]) if options["start"] else None
            loaded = cls(**options)
            loaded._check()
            loaded.n_, loaded.t_ = int(card["n_"]), int(card["t_"])
            loaded.documents_, loaded.given_ = int(card["documents_"]), int(card["given_"])
            loaded.a_ = float(card["a_"]) if loaded.search == "df" else int(card["a_"])
            loaded.path_ = tuple(CutPoint(*map(int, point)) for point in card["path_"])
            grams = arrays["grams"]
        if loaded.n_ < 1 or grams.dtype != np.uint64 or grams.ndim != 1 or not (grams[1:] > grams[:-1]).all():
            raise ModelError(f"model {folder} is damaged: its n-grams are not sorted hashes")
        loaded.grams_ = grams
        return loaded

    def _state(self) -> str:
        if not hasattr(self, "grams_"):
            return "not fitted"
        return f"{len(self.grams_)} useless {self.n_}-grams of {self.documents_} documents"

    def _require_fitted(self) -> None:
        if not hasattr(self, "grams_"):
            raise NotFittedError("this FindOptimal is not fitted: call fit or load first")

    def _check(self) -> None:
        """Refuse invalid values, and options of the other rule instead of ignoring them."""
        if self.search not in _ONLY_FOR:
            raise ConfigError(unknown("search", self.search, _ONLY_FOR))
        for search, names in _ONLY_FOR.items():
            for name in names:
                if search != self.search and getattr(self, name) is not None:
                    raise ConfigError(f"option {name} is for search {search!r}, not {self.search!r}")
        if self.ties not in (None, *TIES):
            raise ConfigError(unknown("ties", self.ties, TIES))
        longest = _LONGEST if self.longest is None else self.longest
        rules = {
            "n": (self.n is None or is_integer(self.n, 1, LONGEST), f"an integer from 1 to {LONGEST}"),
            "t": self._rule_of_t(),
            "look_ahead": (is_integer(self.look_ahead or 0, 0, LONGEST), f"an integer from 0 to {LONGEST}"),
            "longest": (is_integer(longest, 2, LONGEST), f"an integer from 2 to {LONGEST}"),
            "bounds": (isinstance(self.bounds, str), "a string of characters"),
        }
        check_options(self, rules)
        is_start = self.start is None or _is_cut_point(self.start, longest)
        check_options(self, {"start": (is_start, f"a pair of n from 1 to {longest} and a from 1 to 99")})

    def _rule_of_t(self) -> tuple[bool, str]:
        if self.search == "printed":
            return self.t is None or is_integer(self.t, 1), "an integer of 1 or more"
        return self.t in (None, "records") or is_integer(self.t, _LEAST), 'an integer of 2 or more, or "records"'


_ONLY_FOR = {"df": ("n",), "printed": ("ties", "look_ahead", "start", "longest")}


def _is_cut_point(start: object, longest: int) -> bool:
    if not isinstance(start, tuple) or len(start) != 2:
        return False
    n, a = start
    return is_integer(n, 1, longest) and is_integer(a, 1, 99)


def _checked(document: object) -> str:
    if not isinstance(document, str):
        name = type(document).__name__
        raise TypeError(f"a document must be a str, not {name}; for pages use Alternation of dehusk.sites.alternation")
    return document


class _DistinctDocuments:
    """The distinct documents with text among some documents, folded, in order."""

    def __init__(self, documents: Iterable[str]) -> None:
        if isinstance(documents, str | bytes | Path):
            raise TypeError(f"expected several documents, not one {type(documents).__name__}: pass a list")
        self.documents = documents
        self.given = 0
        """Number of documents read so far."""
        self.count = 0
        """Number of distinct documents with text among them."""

    def __iter__(self) -> Iterator[Points]:
        seen = set()
        for document in self.documents:
            points = fold(_checked(document)).points
            self.given += 1
            key = hashlib.blake2b(points.tobytes(), digest_size=16).digest()
            if key not in seen and document.strip():
                seen.add(key)
                self.count += 1
                yield points

    def require_any(self) -> None:
        """Raise `InputError` if there were no documents at all."""
        if not self.given:
            raise InputError("no documents to learn from")
