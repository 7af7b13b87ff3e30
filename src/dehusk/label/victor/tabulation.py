"""Turn feature columns into the finite values that a CRF sees (thesis, sections 3.4 and 3.5).

Sums over few columns are gathered with `take` instead of a matrix product: BLAS would wake a thread on every core for
products that take microseconds.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.label.features import VERSION, Columns
from dehusk.label.features.family import settings_signature
from dehusk.label.victor.config import VictorConfig

Gather = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.float32]]


class Tabulation:
    """Maps columns to value numbers: each value is rounded down to its grid; then joins combine columns.

    Attributes:
        names: the columns of the table; a join's features are joined by "*".
        features: all features that the table needs.
        rows: for each column, the offsets of the rows that the template reads.
        sizes: for each column, its number of values.
    """

    def __init__(self, config: VictorConfig) -> None:
        self._grids = {name: np.array(config.grid(name)) for name in config.template.features}
        columns = config.template.columns()
        for features, _ in columns:
            for name in features:
                self._grids.setdefault(name, np.array(config.grid(name)))
        self.features = list(self._grids)
        self.parts = [features for features, _ in columns]
        self.names = ["*".join(features) for features in self.parts]
        self.rows = [rows for _, rows in columns]
        self.sizes = [int(np.prod([len(self._grids[name]) for name in features])) for features in self.parts]
        self._config = config

    @cached_property
    def offsets(self) -> npt.NDArray[np.int32]:
        """(columns,) number of each column's first value when all values of all columns are numbered in one row."""
        return (np.cumsum(self.sizes) - self.sizes).astype(np.int32)

    def signature(self) -> list[str]:
        """Return everything that the table depends on: columns, rows, grids, segmentation, words, patterns, version."""
        config = self._config
        columns = [
            f"{name} {rows} {[self._grids[feature].tolist() for feature in features]}"
            for name, rows, features in zip(self.names, self.rows, self.parts, strict=True)
        ]
        segmentation = f"every-tag {config.every_tag} alt {config.alt}"
        return [*columns, segmentation, settings_signature(config.settings), f"features {VERSION}"]

    def __eq__(self, other: object) -> bool:
        """Return whether both build the same tables."""
        if not isinstance(other, Tabulation):
            return NotImplemented
        return self.signature() == other.signature()

    __hash__ = None  # type: ignore[assignment]

    def table(self, columns: Columns) -> npt.NDArray[np.int32]:
        """Return the value number of each column, shape (b, columns); a number below the grid gets the first value."""
        values = np.array([columns[name] for name in self._by_size], dtype=np.float64)
        number = np.zeros(values.shape, dtype=np.float32)
        for steps in self._steps:  # a value's number is the count of the steps of its grid that it reaches
            number[: len(steps)] += values[: len(steps)] >= steps[:, None]
        b = len(columns[self.features[0]])
        total = np.zeros((len(self.parts), b), dtype=np.float32)
        for column, feature, factor in self._gathers:
            total[column] += number.take(feature, axis=0) * factor[:, None]
        return np.ascontiguousarray(total.T).astype(np.int32)

    @cached_property
    def _by_size(self) -> list[str]:
        """The features, those with the most values first."""
        return sorted(self._grids, key=lambda name: -len(self._grids[name]))

    @cached_property
    def _steps(self) -> list[npt.NDArray[np.float64]]:
        """The second values of all grids, the third values, and so on, each for the features that have that many."""
        grids = [self._grids[name] for name in self._by_size]
        most = max(map(len, grids), default=1)
        return [np.array([grid[step] for grid in grids if len(grid) > step]) for step in range(1, most)]

    @cached_property
    def _gathers(self) -> list[Gather]:
        """(column, feature, factor) arrays whose products add up to the table.

        The first covers all columns, the next ones the further features of joins. A join's number is positional: each
        feature counts as many times as the features after it have values. Numbers stay far below 2**24, hence exact.
        """
        by_depth: list[list[tuple[int, int, int]]] = []
        for column, features in enumerate(self.parts):
            factor = 1
            for depth, name in enumerate(reversed(features)):
                if depth == len(by_depth):
                    by_depth.append([])
                by_depth[depth].append((column, self._by_size.index(name), factor))
                factor *= len(self._grids[name])
        return [_columns(rows) for rows in by_depth]


def _columns(rows: list[tuple[int, int, int]]) -> Gather:
    column, feature, factor = np.array(rows).T
    return column.astype(np.intp), feature.astype(np.intp), factor.astype(np.float32)
