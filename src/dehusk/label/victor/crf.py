"""Training by CRFsuite, and its weights as arrays.

CRFsuite sees strings: "column|row=value" for each template line of each block, and "column|row=edge" if the row is
outside of the page (as in CRF++). After training, the weights are read out once into arrays; a state score is then a
sum of rows of a matrix.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.errors import ModelError
from dehusk.base.extras import require
from dehusk.blocks.labels import LABELS
from dehusk.label.victor.config import Training
from dehusk.label.victor.tabulation import Tabulation

NEVER = -200.0
"""Score of a label that did not occur in training, so that it is never assigned."""

_PACK = 512  # values per pack, so that its weights stay in the processor's cache

Table = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of a trained chain; R is the number of distinct row offsets, V of values over all columns."""

    offsets: npt.NDArray[np.int32]
    """(columns,) index of each column's first value among the V."""
    rows: npt.NDArray[np.int32]
    """(R,) row offsets that any column reads, in ascending order."""
    state: npt.NDArray[np.float32]
    """(V, R, L) weight of a value at a row offset for a label; 0 for rows that the template does not read."""
    edge: npt.NDArray[np.float32]
    """(R, L) weight of a row offset outside of the page, summed over all columns."""
    transition: npt.NDArray[np.float64]
    """(L, L) weight of a label (row) that is followed by another (column)."""

    @cached_property
    def never(self) -> npt.NDArray[np.bool_]:
        """(L,) whether the label did not occur in training."""
        unseen: npt.NDArray[np.bool_] = self.transition.max(axis=0) <= NEVER
        return unseen

    @cached_property
    def _packs(self) -> "list[_Packs]":
        """Packs of the columns that read only the block's own row, and of the others."""
        around = self.state[:, self.rows != 0].reshape(len(self.state), -1).any(axis=1)
        wide = np.add.reduceat(around, self.offsets) > 0
        here = np.flatnonzero(self.rows == 0)
        return [_pack(self, np.flatnonzero(~wide), here), _pack(self, np.flatnonzero(wide), np.arange(len(self.rows)))]

    def scores(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the state scores of a page's table, shape (b, L)."""
        b, labels = len(table), len(LABELS)
        scores = np.zeros((b, labels))
        if not b:
            return scores
        for packs in self._packs:
            seen = packs.sums(table)
            for index, row_index in enumerate(packs.row_indices.tolist()):
                row = int(self.rows[row_index])
                first, last = max(0, -row), min(b, b - row)  # the blocks whose neighbour at this offset exists
                if first < last:
                    scores[first:last] += seen[first + row : last + row, index]
        for row_index, row in enumerate(self.rows.tolist()):
            outside = np.ones(b, dtype=np.bool_)
            outside[max(0, -row) : max(0, -row, min(b, b - row))] = False
            scores[outside] += self.edge[row_index]
        scores[:, self.never] = NEVER
        return scores

    def contributions(self, table: Table, labels: npt.NDArray[np.intp], against: int) -> npt.NDArray[np.float64]:
        """Return how much each column favours a block's label over another, summed over the rows of the template.

        Args:
            table: (b, columns) a page's table.
            labels: (b,) the label of each block.
            against: the other label.

        Returns:
            (b, columns) differences of weights, without those of the page's edges.
        """
        b = len(table)
        gain = np.zeros(table.shape)
        for row_index, row in enumerate(self.rows.tolist()):
            first, last = max(0, -row), min(b, b - row)
            if first < last:
                weight = self.state[table[first + row : last + row] + self.offsets, row_index]
                chosen = np.take_along_axis(weight, labels[first:last, None, None], axis=2)[..., 0]
                gain[first:last] += chosen - weight[..., against]
        return gain

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model folder: only the weights that are not zero."""
        where = np.flatnonzero(self.state)
        return {
            "rows": self.rows,
            "where": where.astype(np.int32),
            "weight": self.state.ravel()[where],
            "edge": self.edge,
            "transition": self.transition,
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, npt.NDArray[Any]], tabulation: Tabulation, folder: str | Path) -> Self:
        """Rebuild the weights of a model folder; raises `ModelError` if they do not fit the table."""
        rows = _template_rows(tabulation)
        shape = (sum(tabulation.sizes), len(rows), len(LABELS))
        try:
            where, weight = arrays["where"], arrays["weight"]
            edge, transition = arrays["edge"], arrays["transition"]
            rules = {
                "rows": arrays["rows"].tolist() == rows,
                "edge": edge.shape == shape[1:] and bool(np.isfinite(edge).all()),
                "transition": transition.shape == (len(LABELS),) * 2 and bool(np.isfinite(transition).all()),
                "weight": weight.shape == where.shape and bool(np.isfinite(weight).all()),
                "where": where.ndim == 1 and bool(((where >= 0) & (where < np.prod(shape))).all()),
            }
        except (KeyError, TypeError) as error:
            raise ModelError(f"model {folder} is damaged: {error!r}") from error
        for name, holds in rules.items():
            if not holds:
                raise ModelError(f"model {folder} is damaged: {name} does not fit its configuration")
        state = np.zeros(shape, dtype=np.float32)
        state.ravel()[where] = weight
        return cls(tabulation.offsets, arrays["rows"], state, edge, transition)


@dataclass(frozen=True, eq=False)
class _Packs:
    """Columns whose weights are summed in advance: each combination of their values is one value of the pack."""

    row_indices: npt.NDArray[np.intp]
    """(r,) indices, among the R, of the rows that the columns read."""
    columns: npt.NDArray[np.intp]
    """(c,) the columns, pack by pack."""
    factors: npt.NDArray[np.int32]
    """(c,) factor of a column's value in the value of its pack."""
    starts: npt.NDArray[np.intp]
    """(packs,) index of each pack's first column among the c."""
    offsets: npt.NDArray[np.intp]
    """(packs,) index of each pack's first value among the weights."""
    weights: npt.NDArray[np.float32]
    """(values of all packs, r * L)."""

    def sums(self, table: Table) -> npt.NDArray[np.float64]:
        """Return the sum over the packs, shape (b, r, L)."""
        # reduceat instead of a matrix product, for which BLAS would wake a thread on every core
        codes = np.add.reduceat(table.take(self.columns, axis=1) * self.factors, self.starts, axis=1) + self.offsets
        total: npt.NDArray[np.float64] = np.einsum("bpw->bw", np.take(self.weights, codes, axis=0)).astype(np.float64)
        return total.reshape(len(table), len(self.row_indices), len(LABELS))


def _pack(weights: Weights, columns: npt.NDArray[np.intp], row_indices: npt.NDArray[np.intp]) -> _Packs:
    """Pack columns in their order, each pack with up to `_PACK` values."""
    sizes = np.diff(np.append(weights.offsets, len(weights.state)))
    starts: list[int] = []
    factors: list[int] = []
    tables: list[npt.NDArray[np.float32]] = []
    for index, column in enumerate(columns.tolist()):
        first = int(weights.offsets[column])
        own = weights.state[first : first + sizes[column]][:, row_indices].reshape(sizes[column], -1)
        if not tables or len(tables[-1]) * len(own) > _PACK:
            starts.append(index)
            tables.append(np.zeros((1, own.shape[1]), dtype=np.float32))
        factors.append(len(tables[-1]))
        tables[-1] = (own[:, None] + tables[-1]).reshape(-1, own.shape[1])
    lengths = np.array(list(map(len, tables)), dtype=np.intp)
    return _Packs(
        row_indices=row_indices,
        columns=columns,
        factors=np.array(factors, dtype=np.int32),
        starts=np.array(starts, dtype=np.intp),
        offsets=np.cumsum(lengths) - lengths,
        weights=np.concatenate([np.zeros((0, len(row_indices) * len(LABELS)), dtype=np.float32), *tables]),
    )


def train(tabulation: Tabulation, tables: list[Table], codes: list[npt.NDArray[Any]], training: Training) -> Weights:
    """Train on tables and label codes (-1: unlabelled) of pages; equal input gives equal weights."""
    strings = _Strings(tabulation)
    pycrfsuite = _crfsuite()
    trainer = pycrfsuite.Trainer("lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": training.c1,
            "c2": training.c2,
            "max_iterations": training.iterations,
            "feature.possible_transitions": True,
        }
    )
    for table, column in zip(tables, codes, strict=True):
        items = strings.items(table)
        for first, last in _labelled_runs(column):
            labels = [LABELS[code] for code in column[first:last].tolist()]
            trainer.append(pycrfsuite.ItemSequence(items[first:last]), labels)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "chain.crfsuite")
        trainer.train(path)
        return _read_out(path, tabulation, strings)


def _crfsuite() -> ModuleType:
    return require("pycrfsuite", extra="victor", purpose="training Victor")


def _labelled_runs(codes: npt.NDArray[Any]) -> list[tuple[int, int]]:
    """Return the runs [first, last) of labelled blocks."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], codes >= 0, [False]))))
    return list(zip(edges[0::2].tolist(), edges[1::2].tolist(), strict=True))


class _Strings:
    """The strings that denote a value of a column at a row offset."""

    def __init__(self, tabulation: Tabulation) -> None:
        self.lines: list[tuple[int, int, list[str]]] = []
        self.indices: dict[str, tuple[int, int]] = {}
        """String -> (index of the value among the V, row offset)."""
        self.edges: dict[str, int] = {}
        """String -> row offset."""
        for column, name in enumerate(tabulation.names):
            for row in tabulation.rows[column]:
                values = [f"{name}|{row}={value}" for value in range(tabulation.sizes[column])]
                edge = f"{name}|{row}=edge"
                self.lines.append((column, row, [*values, edge]))
                first = int(tabulation.offsets[column])
                self.indices |= {string: (first + value, row) for value, string in enumerate(values)}
                self.edges[edge] = row

    def items(self, table: Table) -> list[list[str]]:
        """Return the strings of each block."""
        b = len(table)
        lines = []
        for column, row, strings in self.lines:
            values = np.full(b, len(strings) - 1)
            first, last = max(0, -row), min(b, b - row)
            if first < last:
                values[first:last] = table[first + row : last + row, column]
            lines.append([strings[value] for value in values.tolist()])
        return [list(item) for item in zip(*lines, strict=True)]


def _template_rows(tabulation: Tabulation) -> list[int]:
    """Return the row offsets that any column reads, in ascending order."""
    return sorted({row for offsets in tabulation.rows for row in offsets})


def _read_out(path: str, tabulation: Tabulation, strings: _Strings) -> Weights:
    """Return the weights of a model that CRFsuite wrote."""
    tagger = _crfsuite().Tagger()
    tagger.open(path)
    info = tagger.info()
    rows = _template_rows(tabulation)
    row_index = {row: index for index, row in enumerate(rows)}
    state = np.zeros((sum(tabulation.sizes), len(rows), len(LABELS)), dtype=np.float32)
    edge = np.zeros((len(rows), len(LABELS)), dtype=np.float32)
    for (string, label), weight in info.state_features.items():
        if string in strings.edges:
            edge[row_index[strings.edges[string]], LABELS.index(label)] += weight
        else:
            value, row = strings.indices[string]
            state[value, row_index[row], LABELS.index(label)] = weight
    transition = np.zeros((len(LABELS),) * 2)
    for (before, after), weight in info.transitions.items():
        transition[LABELS.index(before), LABELS.index(after)] = weight
    seen = set(info.labels)
    for code, label in enumerate(LABELS):
        if label not in seen:
            transition[:, code] = transition[code, :] = NEVER
    return Weights(tabulation.offsets, np.array(rows, dtype=np.int32), state, edge, transition)
