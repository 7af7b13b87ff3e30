"""Files of vectors: SVMlight, npz, Parquet, JSON Lines; and files of words, which fix the columns of other vectors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
import numpy.typing as npt

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.base.given import read_given
from dehusk.base.store import damage, read_arrays, write_arrays
from dehusk.sites.structure_tree.vectors import PageVectors, SparseRows, each_row

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False)
class NamedVectors:
    """Vectors of p pages, and what is known of the pages."""

    vectors: PageVectors
    pages: tuple[str, ...]
    """(p,) name of each page, for example the path of its file."""
    sites: tuple[str, ...]
    """(p,) site of each page, "" if it is unknown."""
    labels: tuple[str | None, ...]
    """(p,) label of each page, None if it has none."""

    @property
    def targets(self) -> tuple[float, ...]:
        """(p,) the labels as numbers, as SVMlight needs them: see `target_of_label`; 0 for pages without label."""
        target = target_of_label(self.labels)
        return tuple(0.0 if label is None else target[label] for label in self.labels)


def target_of_label(labels: Iterable[str | None]) -> dict[str, float]:
    """Return label -> number for SVMlight.

    Labels that are all different numbers stay as they are, unless one is 0 and a page has none, which 0 stands for.
    Two others become -1 and 1, more become 1, 2, 3 and so on, in alphabetical order.
    """
    given = set(labels)
    names = sorted(label for label in given if label is not None)
    numbers = [_as_number(name) for name in names]
    is_ambiguous = None in given and 0.0 in numbers
    if is_ambiguous or not np.isfinite(numbers).all() or len(set(numbers)) < len(names):
        numbers = [-1.0, 1.0] if len(names) == 2 else [number + 1.0 for number in range(len(names))]
    return dict(zip(names, numbers, strict=True))


def svmlight(
    vectors: SparseRows | csr_matrix, targets: Sequence[float] | None = None, comments: Sequence[str] | None = None
) -> Iterator[str]:
    """Return the lines of an SVMlight file, one per page: target, then column:value pairs; columns start at 1.

    Args:
        vectors: vectors of pages, as `transform` returns them.
        targets: one number per page; None for 0 everywhere, which means "unknown" to SVMlight.
        comments: one text per page to write after " # ", for example its name.

    Raises:
        ValueError: the numbers of targets or comments and pages differ.
    """
    pages = vectors.shape[0]
    numbers = [0.0] * pages if targets is None else list(targets)
    notes = [""] * pages if comments is None else [f" # {' '.join(text.split())}" for text in comments]
    if len(numbers) != pages:
        raise ValueError(f"{len(numbers)} targets for {pages} pages")
    if len(notes) != pages:
        raise ValueError(f"{len(notes)} comments for {pages} pages")
    for (columns, values), target, note in zip(each_row(vectors), numbers, notes, strict=True):
        pairs = "".join(f" {column + 1}:{value!r}" for column, value in zip(columns, values, strict=True))
        yield f"{np.format_float_positional(target, trim='-')}{pairs}{note}\n"


def json_lines(
    vectors: SparseRows | csr_matrix,
    names: Sequence[str] | npt.NDArray[np.object_],
    pages: Sequence[str] | None = None,
    facts: Sequence[Mapping[str, object]] | None = None,
) -> Iterator[str]:
    """Return the lines of a JSON Lines file, one object per page: `page`, and `weights` from word to weight.

    Args:
        vectors: vectors of pages, as `transform` returns them.
        names: (columns,) the words, as `get_feature_names_out` returns them.
        pages: one name per page; None to number them from 0.
        facts: what else to write of each page, between `page` and `weights`.

    Raises:
        ValueError: the numbers of pages or names do not fit the matrix.
    """
    page_names: list[Any] = list(range(vectors.shape[0])) if pages is None else list(pages)
    if (len(page_names), len(names)) != vectors.shape:
        raise ValueError(f"{len(page_names)} pages and {len(names)} names for a matrix of shape {vectors.shape}")
    words = list(names)
    others = [{}] * len(page_names) if facts is None else facts
    for (columns, values), page, other in zip(each_row(vectors), page_names, others, strict=True):
        weights = dict(zip((words[column] for column in columns), values, strict=True))
        yield json.dumps({"page": page, **other, "weights": weights}, ensure_ascii=False) + "\n"


def write_svmlight(table: NamedVectors, stream: TextIO) -> None:
    """Write SVMlight; comments name the pages, and the labels unless they are the targets."""
    targets = target_of_label(table.labels)
    if any(_as_number(label) != number for label, number in targets.items()):
        stream.writelines(f"# {number:g} is {' '.join(label.split())}\n" for label, number in targets.items())
    stream.writelines(svmlight(table.vectors.weights, table.targets, table.pages))


def write_json_lines(table: NamedVectors, stream: TextIO) -> None:
    """Write JSON Lines: `page`, `site`, `label` (null if there is none), and `weights` from word to weight."""
    facts = [{"site": site, "label": label} for site, label in zip(table.sites, table.labels, strict=True)]
    stream.writelines(json_lines(table.vectors.weights, table.vectors.words, table.pages, facts))


def write_npz(table: NamedVectors, path: Path) -> None:
    """Write an npz file that `scipy.sparse.load_npz` reads as the matrix; nothing is pickled.

    The lists `words`, `pages`, `sites` and `labels` are JSON as bytes: `json.loads(bytes(numpy.load(path)["words"]))`.
    """
    rows, vectors = table.vectors.weights, table.vectors
    texts = {"words": vectors.words, "pages": table.pages, "sites": table.sites, "labels": table.labels}
    arrays: dict[str, npt.NDArray[Any]] = {
        "format": np.array(b"csr"),
        "shape": np.array(rows.shape),
        "data": rows.data,
        "indices": rows.indices,
        "indptr": rows.indptr,
        **{name: _json_bytes(values) for name, values in texts.items()},
    }
    with path.open("wb") as stream:
        write_arrays(stream, arrays)


def write_parquet(table: NamedVectors, path: Path) -> None:
    """Write Parquet, one row per page: `page`, `site`, `label`, `words` and `weights` (lists of equal length).

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    arrow = require("pyarrow", extra="corpus", purpose="writing Parquet files")
    parquet = require("pyarrow.parquet", extra="corpus", purpose="writing Parquet files")
    rows = table.vectors.weights
    ends = arrow.array(rows.indptr, type=arrow.int64())
    words = arrow.array(table.vectors.words, type=arrow.string()).take(arrow.array(rows.indices))
    columns = {
        "page": arrow.array(table.pages, type=arrow.string()),
        "site": arrow.array(table.sites, type=arrow.string()),
        "label": arrow.array(table.labels, type=arrow.string()),
        "words": arrow.LargeListArray.from_arrays(ends, words),
        "weights": arrow.LargeListArray.from_arrays(ends, arrow.array(rows.data)),
    }
    with path.open("wb") as stream:  # pyarrow opens no file whose name is not UTF-8
        parquet.write_table(arrow.table(columns), stream)


TEXT_FORMATS: Mapping[str, Callable[[NamedVectors, TextIO], None]] = {
    "svmlight": write_svmlight,
    "jsonl": write_json_lines,
}
"""Name of a text format -> what writes it."""

BINARY_FORMATS: Mapping[str, Callable[[NamedVectors, Path], None]] = {"npz": write_npz, "parquet": write_parquet}
"""Name of a binary format -> what writes it."""

SUFFIXES: Mapping[str, str] = {
    ".svmlight": "svmlight",
    ".svm": "svmlight",
    ".libsvm": "svmlight",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".npz": "npz",
    ".parquet": "parquet",
}
"""Suffix of a file -> name of its format."""


def words_path(path: Path) -> Path:
    """Return the file with the words of the columns, beside an SVMlight file, which has only their numbers."""
    return path.with_name(f"{path.name}.words.txt")


def write_words(words: Sequence[str], path: Path) -> None:
    """Write words, one per line: line n is column n."""
    with replacing(path) as temporary:
        temporary.write_text("".join(f"{word}\n" for word in words), encoding="utf-8", newline="\n")


def read_words(path: Path) -> list[str]:
    """Return the words of a file: one per line, or the columns of an npz file that `write_npz` has written.

    Raises:
        InputError: the file cannot be read, has no words or a word twice.
    """
    try:
        words = _words_of_npz(path) if path.suffix == ".npz" else read_given(path, "utf-8-sig").split("\n")
    except OSError as error:
        raise InputError(f"words {path} cannot be read: {error.strerror or error}") from error
    except damage() as error:
        kind = "an npz file of dehusk vectors" if path.suffix == ".npz" else "text in UTF-8"
        raise InputError(f"words {path} cannot be read: not {kind}") from error
    named = [word.strip() for word in words if word.strip()]
    if not named:
        raise InputError(f"words {path}: the file has no words; write one per line")
    if len(set(named)) < len(named):
        twice = next(word for word, times in Counter(named).items() if times > 1)
        raise InputError(f"words {path}: {twice!r} appears twice")
    return named


def _words_of_npz(path: Path) -> list[str]:
    with path.open("rb") as stream:
        return [str(word) for word in json.loads(bytes(read_arrays(stream)["words"]))]


def _json_bytes(values: Sequence[str | None]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(json.dumps(list(values), ensure_ascii=False).encode(), dtype=np.uint8)


def _as_number(label: str) -> float:
    """Return the number that a label is, NaN if it is none."""
    try:
        return float(label)
    except ValueError:
        return float("nan")
