"""Oblivious decision trees as arrays: each level of a tree asks all blocks one question.

Friedman, *Greedy function approximation: a gradient boosting machine*, 2001; Prokhorenkova et al., *CatBoost: unbiased
boosting with categorical features*, 2018, whose trees ask the same question in all nodes of a level. The D answers are
the D bits of a leaf's number, so a forest is a few array operations per page: F(x) = bias + Σ_t value[t, leaf_t(x)].
Trees share questions; each distinct question is asked once.

What a question adds to a block's score (Palczewska et al., *Interpreting random forest models using a feature
contribution method*, 2013) is the change of a mean: of the leaves that are reachable after its answer, weighted by
their training blocks, minus the same mean before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property

Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]

_CHUNK = 2048  # blocks at a time, so that a page of a million blocks does not take gigabytes


@dataclass(frozen=True, eq=False)
class _Questions:
    """The q distinct questions of a forest."""

    feature: npt.NDArray[np.intp]
    """(q,)"""
    border: Floats
    """(q, 1)"""
    of_level: npt.NDArray[np.intp]
    """(D, T) the question that each level of each tree asks."""


@dataclass(frozen=True, eq=False)
class Forest:
    """T trees of depth D over k features."""

    feature: npt.NDArray[np.int16]
    """(T, D) the feature that each level asks about."""
    border: Floats
    """(T, D) the answer is 1 if the feature is greater."""
    value: Floats
    """(T, 2^D) value of each leaf; answer d is bit d of its number."""
    weight: Floats
    """(T, 2^D) number of training blocks in each leaf, scaled so that the largest is 1."""
    bias: float

    def scores(self, columns: Floats) -> Reals:
        """Return the log-odds of each block, shape (b,).

        Args:
            columns: (k, b) the features, one per row.
        """
        b = columns.shape[1]
        if b > _CHUNK:
            parts = [self.scores(columns[:, start : start + _CHUNK]) for start in range(0, b, _CHUNK)]
            return np.concatenate(parts)
        scores: Reals = self.value.ravel().take(self._leaves(columns)).sum(axis=0, dtype=np.float64) + self.bias
        return scores

    def contributions(self, columns: Floats) -> Reals:
        """Return what each feature adds to the log-odds of each block, shape (k, b).

        The sum over the features is the score minus the forest's mean over its training blocks.
        """
        k, b = columns.shape
        total = np.zeros((k, b))
        answers, prefix = self._answers(columns), np.zeros((len(self.value), b), dtype=np.intp)
        trees = np.arange(len(self.value))[:, None]
        for level, questions in enumerate(self._questions.of_level):
            before = self._means[level][trees, prefix]
            prefix |= answers.take(questions, axis=0).astype(np.intp) << level
            np.add.at(total, self.feature[:, level], self._means[level + 1][trees, prefix] - before)
        return total

    def _answers(self, columns: Floats) -> npt.NDArray[np.uint8]:
        """Return the answer of each block to each distinct question, 0 or 1, shape (q, b)."""
        questions = self._questions
        return (columns.take(questions.feature, axis=0, mode="clip") > questions.border).view(np.uint8)

    def _leaves(self, columns: Floats) -> npt.NDArray[np.intp]:
        """Return the index, among all values, of the leaf of each tree that each block falls into, shape (T, b)."""
        answers = self._answers(columns)
        leaf = np.zeros((len(self.value), columns.shape[1]), dtype=np.uint16 if self.depth > 8 else np.uint8)
        for level, questions in enumerate(self._questions.of_level):
            bits = answers.take(questions, axis=0, mode="clip")
            leaf |= bits.astype(leaf.dtype, copy=False) << leaf.dtype.type(level)
        first = np.arange(len(self.value), dtype=np.intp)[:, None] * self.value.shape[1]
        indices: npt.NDArray[np.intp] = leaf + first
        return indices

    @property
    def depth(self) -> int:
        """Number of levels of each tree."""
        return int(self.feature.shape[1])

    @cached_property
    def _questions(self) -> _Questions:
        pairs = np.stack([self.feature.T.ravel(), self.border.T.ravel().view(np.int32)], axis=1)
        distinct, number = np.unique(pairs, axis=0, return_inverse=True)
        return _Questions(
            feature=distinct[:, 0].astype(np.intp),
            border=np.ascontiguousarray(distinct[:, 1]).view(np.float32)[:, None],
            of_level=number.reshape(self.depth, -1),
        )

    @cached_property
    def _means(self) -> list[Reals]:
        """Mean of the leaves that share their first d answers, for d = 0 … D: shapes (T, 2^d)."""
        weight = np.maximum(self.weight.astype(np.float64), 1e-9)
        total, size = self.value * weight, weight
        means = [total / size]
        for _ in range(self.feature.shape[1]):
            half = total.shape[1] // 2
            total, size = total[:, :half] + total[:, half:], size[:, :half] + size[:, half:]
            means.append(total / size)
        return means[::-1]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model folder."""
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
            forest = cls(
                feature=arrays["feature"].astype(np.int16),
                border=arrays["border"].astype(np.float32),
                value=arrays["value"].astype(np.float32),
                weight=arrays["weight"].astype(np.float32),
                bias=float(arrays["bias"][0]),
            )
        except (KeyError, IndexError, TypeError) as error:
            raise ValueError(f"the arrays are not those of a forest: {error!r}") from error
        trees, depth = forest.feature.shape if forest.feature.ndim == 2 else (0, 0)
        leaves = (trees, 1 << depth)
        fits = forest.border.shape == (trees, depth) and forest.value.shape == forest.weight.shape == leaves
        if not fits or not trees or not 0 < depth <= 16:
            raise ValueError("the arrays of the forest do not fit each other")
        if not 0 <= forest.feature.min() <= forest.feature.max() < features:
            raise ValueError("the forest asks about features that do not exist")
        if not all(np.isfinite(values).all() for values in (forest.border, forest.value, forest.weight, forest.bias)):
            raise ValueError("the forest contains numbers that are not finite")
        return forest
