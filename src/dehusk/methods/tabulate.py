"""Feature columns to the finite values that a CRF sees (thesis, sections 3.4 and 3.5)."""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from dehusk.config import Config
from dehusk.features import Columns


class Tabulation:
    """How columns become value numbers: 'largest less-or-equal' on each feature's grid, then joins.

    Attributes:
        names: the columns of the table, a join's features joined by "*".
        features: all features that the table is made of.
        rows: for each column the neighbouring rows that the template looks at.
        sizes: for each column how many values it has.
    """

    def __init__(self, config: Config) -> None:
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
        number = {name: _on_grid(grid, np.asarray(columns[name])) for name, grid in self._grids.items()}
        b = len(next(iter(number.values()))) if number else 0
        table = np.empty((b, len(self.parts)), dtype=np.int32)
        for index, features in enumerate(self.parts):
            code = number[features[0]]
            for name in features[1:]:
                code = code.astype(np.int32) * len(self._grids[name]) + number[name]
            table[:, index] = code
        return table


def _on_grid(grid: npt.NDArray[np.float64], values: npt.NDArray[np.generic]) -> npt.NDArray[np.integer]:
    if values.dtype == np.bool_ and len(grid) == 2 and grid[0] == 0 and grid[1] == 1:
        return values.view(np.int8)
    if values.dtype == np.bool_:
        return _on_grid(grid, np.array([0, 1]))[values.astype(np.intp)]
    return np.maximum(np.searchsorted(grid, values, side="right") - 1, 0)
