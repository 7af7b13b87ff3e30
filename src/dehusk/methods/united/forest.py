"""Oblivious decision trees as arrays: every level of a tree asks one question of all blocks.

Friedman, *Greedy function approximation: a gradient boosting machine*, 2001; Prokhorenkova et al., *CatBoost: unbiased
boosting with categorical features*, 2018, whose trees ask the same question in all nodes of a level. D answers are the
D bits of a leaf's number, so that a forest is a few array operations a page: F(x) = bias + Σ_t value[t, leaf_t(x)].

What a question adds to a page's score (Palczewska et al., *Interpreting random forest models using a feature
contribution method*, 2013): the mean of the leaves that the answers up to it leave open, weighted by the blocks of
training in them, less the mean before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property

Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]

_CHUNK = 2048  # blocks at once: a page of a million blocks must not take gigabytes


@dataclass(frozen=True, eq=False)
class Forest:
    """T trees of depth D over k features."""

    feature: npt.NDArray[np.int16]
    """(T, D) which feature each level asks."""
    border: Floats
    """(T, D) the answer is 1 where the feature is greater."""
    value: Floats
    """(T, 2^D) of each leaf; answer d is bit d of its number."""
    weight: Floats
    """(T, 2^D) blocks of training in each leaf, scaled so that the largest is 1."""
    bias: float

    def scores(self, columns: Floats) -> Reals:
        """Return the log-odds of each block, shape (b,).

        Args:
            columns: (k, b) the features, one row each.
        """
        b = columns.shape[1]
        if b > _CHUNK:
            parts = [self.scores(columns[:, at : at + _CHUNK]) for at in range(0, b, _CHUNK)]
            return np.concatenate(parts)
        scores: Reals = self.value.ravel().take(self._leaves(columns)).sum(axis=0, dtype=np.float64) + self.bias
        return scores

    def contributions(self, columns: Floats) -> Reals:
        """Return what each feature adds to the log-odds of each block, shape (k, b).

        The sum over the features is the score less the forest's mean over its training blocks.
        """
        k, b = columns.shape
        found = np.zeros((k, b))
        answers, known = self._answers(columns), np.zeros((len(self.value), b), dtype=np.intp)
        rows = np.arange(len(self.value))[:, None]
        for level, bits in enumerate(answers):
            before = self._means[level][rows, known]
            known |= bits.astype(np.intp) << level
            np.add.at(found, self.feature[:, level], self._means[level + 1][rows, known] - before)
        return found

    def _answers(self, columns: Floats) -> list[npt.NDArray[np.bool_]]:
        levels = zip(self._by_level[0], self._by_level[1], strict=True)
        return [columns.take(feature, axis=0) > border for feature, border in levels]

    def _leaves(self, columns: Floats) -> npt.NDArray[np.intp]:
        """Return where the value of the leaf of each tree that each block falls in stands, shape (T, b)."""
        leaf = np.zeros((len(self.value), columns.shape[1]), dtype=np.uint16 if self.depth > 8 else np.uint8)
        for level, bits in enumerate(self._answers(columns)):
            leaf |= bits.view(np.uint8).astype(leaf.dtype, copy=False) << leaf.dtype.type(level)
        places: npt.NDArray[np.intp] = leaf + self._by_level[2]
        return places

    @property
    def depth(self) -> int:
        """Levels of each tree."""
        return int(self.feature.shape[1])

    @cached_property
    def _by_level(self) -> tuple[npt.NDArray[np.intp], Floats, npt.NDArray[np.intp]]:
        """Features (D, T) and borders (D, T, 1) as scoring asks them, and where each tree's values begin (T, 1)."""
        begins = np.arange(len(self.value), dtype=np.intp)[:, None] * self.value.shape[1]
        return self.feature.T.astype(np.intp), np.ascontiguousarray(self.border.T)[:, :, None], begins

    @cached_property
    def _means(self) -> list[Reals]:
        """The mean of the leaves that share their first d answers, for d = 0 … D: shapes (T, 2^d)."""
        weight = np.maximum(self.weight.astype(np.float64), 1e-9)
        total, size = self.value * weight, weight
        means = [total / size]
        for _ in range(self.feature.shape[1]):
            half = total.shape[1] // 2
            total, size = total[:, :half] + total[:, half:], size[:, :half] + size[:, half:]
            means.append(total / size)
        return means[::-1]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what a model folder keeps."""
        return {
            "feature": self.feature,
            "border": self.border,
            "value": self.value,
            "weight": self.weight.astype(np.float16),
            "bias": np.array([self.bias]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]], features: int) -> "Forest":
        """Return the forest of a model folder.

        Raises:
            ValueError: the arrays do not fit each other or the number of features.
        """
        try:
            made = cls(
                feature=arrays["feature"].astype(np.int16),
                border=arrays["border"].astype(np.float32),
                value=arrays["value"].astype(np.float32),
                weight=arrays["weight"].astype(np.float32),
                bias=float(arrays["bias"][0]),
            )
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"no forest: {error!r}") from error
        trees, depth = made.feature.shape if made.feature.ndim == 2 else (0, 0)
        fits = made.border.shape == (trees, depth) and made.value.shape == made.weight.shape == (trees, 1 << depth)
        if not fits or not trees or not 0 < depth <= 16 or not 0 <= made.feature.min() <= made.feature.max() < features:
            raise ValueError("the arrays of the forest do not fit each other or its features")
        if not all(np.isfinite(values).all() for values in (made.border, made.value, made.weight, made.bias)):
            raise ValueError("the forest holds numbers that are not finite")
        return made
