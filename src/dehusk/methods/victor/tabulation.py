"""Feature columns to the finite values that a CRF sees (thesis, sections 3.4 and 3.5)."""

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property
from dehusk.features import Columns
from dehusk.methods.victor.config import VictorConfig


class Tabulation:
    """How columns become value numbers: 'largest less-or-equal' on each feature's grid, then joins.

    Attributes:
        names: the columns of the table, a join's features joined by "*".
        features: all features that the table is made of.
        rows: for each column the neighbouring rows that the template looks at.
        sizes: for each column how many values it has.
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

    @cached_property
    def offsets(self) -> npt.NDArray[np.int32]:
        """(columns,) where each column's values begin when all values of all columns are numbered in one row."""
        return (np.cumsum(self.sizes) - self.sizes).astype(np.int32)

    def signature(self) -> list[str]:
        """Return a line for each column: its features, its rows, the values of its grids."""
        return [
            f"{name} {rows} {[self._grids[feature].tolist() for feature in features]}"
            for name, rows, features in zip(self.names, self.rows, self.parts, strict=True)
        ]

    def __eq__(self, other: object) -> bool:
        """Whether tables of the two mean the same: columns, rows and grids."""
        if not isinstance(other, Tabulation):
            return NotImplemented
        return self.signature() == other.signature()

    __hash__ = None  # type: ignore[assignment]

    def table(self, columns: Columns) -> npt.NDArray[np.int32]:
        """Return the value number of each column, shape (b, columns); numbers below the grid take its first value."""
        values = np.array([columns[name] for name in self._by_size], dtype=np.float64)
        number = np.zeros(values.shape, dtype=np.float32)
        for steps in self._steps:  # where the grids go on; number the values by how many steps they reach
            number[: len(steps)] += values[: len(steps)] >= steps[:, None]
        return (number.T @ self._places).astype(np.int32)

    @cached_property
    def _by_size(self) -> list[str]:
        """The features, those with most values first."""
        return sorted(self._grids, key=lambda name: -len(self._grids[name]))

    @cached_property
    def _steps(self) -> list[npt.NDArray[np.float64]]:
        """The second value of each grid, the third and so on, each of the features in order that have so many."""
        grids = [self._grids[name] for name in self._by_size]
        most = max(map(len, grids), default=1)
        return [np.array([grid[step] for grid in grids if len(grid) > step]) for step in range(1, most)]

    @cached_property
    def _places(self) -> npt.NDArray[np.float32]:
        """(features, columns) what a feature's number counts in a column's; far below 2**24, and hence exact."""
        places = np.zeros((len(self._by_size), len(self.parts)), dtype=np.float32)
        for column, features in enumerate(self.parts):
            worth = 1
            for name in reversed(features):
                places[self._by_size.index(name), column] = worth
                worth *= len(self._grids[name])
        return places
