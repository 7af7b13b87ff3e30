"""Grow the trees of the united labeller: CatBoost builds them, arrays store them.

Only training needs CatBoost (extra `train`); its trees are read from its JSON export, never unpickled. The same pages
in the same order with the same seed give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.extras import require
from dehusk.labels import OTHER
from dehusk.methods.united import Forest
from dehusk.methods.united.columns import table
from dehusk.train.labelled_pages import LabelledPage, check_trainable, is_usable

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Growth:
    """How trees grow; the defaults were chosen by cross-validation over sites."""

    trees: int = 300
    depth: int = 6
    rate: float = 0.1
    """Learning rate."""
    l2: float = 5.0
    """Strength of the L2 regularisation of leaf values."""
    columns: float = 0.6
    """Share of the columns that the splits of one level may use."""
    rows: float = 0.6
    """Share of the blocks that each tree is grown on."""
    borders: int = 128
    """Number of thresholds per column."""
    seed: int = 1
    threads: int = 1

    def for_style(self) -> Growth:
        """Return the settings for the trees that a style adds to those of auto: fewer, since a style has few pages."""
        return replace(self, trees=max(1, self.trees // 4), depth=min(4, self.depth), rate=0.8 * self.rate, l2=20.0)


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The table that trees are grown on: r rows, one per labelled block."""

    columns: Floats
    """(r, k) features."""
    content: Floats
    """(r,) 1 for content, 0 for noise."""
    weight: Floats
    """(r,)"""


def training_rows(page: LabelledPage) -> TrainingRows:
    """Return the rows of one page; none if it is not usable for training.

    A block's weight grows with its words and shrinks with the words of its page, because the figure of merit, F1, is
    a mean over pages.
    """
    labelled = np.flatnonzero(page.codes >= 0) if is_usable(page) else np.zeros(0, dtype=np.intp)
    content = (page.codes[labelled] != OTHER).astype(np.float32)
    words = page.blocks.words[labelled].astype(np.float32)
    weight = (words + 2) / (max(60.0, float(words @ content)) + 0.15 * float(words.sum()))
    columns = table(page.blocks).T[labelled] if len(labelled) else np.zeros((0, 0), dtype=np.float32)
    return TrainingRows(np.ascontiguousarray(columns), content, weight.astype(np.float32))


def concatenate(parts: Sequence[TrainingRows]) -> TrainingRows:
    """Join the rows of several pages into one table, with weights of mean 1.

    Raises:
        GoldError: there are no rows, or all are content, or all are noise.
    """
    parts = [part for part in parts if len(part.content)]
    content = np.concatenate([part.content for part in parts]) if parts else np.zeros(0, dtype=np.float32)
    check_trainable(len(parts), content=int(np.count_nonzero(content)), noise=int(np.count_nonzero(content == 0)))
    weight = np.concatenate([part.weight for part in parts])
    return TrainingRows(np.concatenate([part.columns for part in parts]), content, weight / weight.mean())


def grow_forest(rows: TrainingRows, growth: Growth | None = None, *, base: Forest | None = None) -> Forest:
    """Grow trees.

    Args:
        rows: the rows of all training pages.
        growth: how trees grow.
        base: a forest; the new trees improve on its scores.

    Raises:
        MissingExtraError: CatBoost is not installed.
    """
    growth = growth or Growth()
    catboost = require("catboost", extra="train", purpose="training the united labeller")
    booster = catboost.CatBoostClassifier(
        iterations=growth.trees,
        depth=growth.depth,
        learning_rate=growth.rate,
        l2_leaf_reg=growth.l2,
        rsm=growth.columns,
        subsample=growth.rows,
        bootstrap_type="Bernoulli",
        boosting_type="Plain",
        border_count=growth.borders,
        leaf_estimation_iterations=1,
        boost_from_average=False,
        model_shrink_rate=0,
        random_seed=growth.seed,
        thread_count=growth.threads,
        allow_writing_files=False,
        verbose=False,
    )
    baseline = None if base is None else base.scores(np.ascontiguousarray(rows.columns.T))
    booster.fit(catboost.Pool(rows.columns, rows.content, weight=rows.weight, baseline=baseline))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        booster.save_model(str(path), format="json")
        return _read_forest(json.loads(path.read_text("utf-8")), growth.depth)


def _read_forest(model: dict[str, Any], depth: int) -> Forest:
    """Convert CatBoost's trees to arrays; shallower trees are padded with splits that no block passes."""
    trees = model["oblivious_trees"]
    feature = np.zeros((len(trees), depth), dtype=np.int16)
    border = np.full((len(trees), depth), np.finfo(np.float32).max, dtype=np.float32)
    value = np.zeros((len(trees), 1 << depth), dtype=np.float32)
    weight = np.zeros((len(trees), 1 << depth), dtype=np.float32)
    columns = [feature["flat_feature_index"] for feature in model["features_info"]["float_features"]]
    for row, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"] or ()):
            feature[row, level] = columns[split["float_feature_index"]]
            border[row, level] = split["border"]
        leaves = len(tree["leaf_values"])
        value[row, :leaves], weight[row, :leaves] = tree["leaf_values"], tree["leaf_weights"]
    scale, bias = model["scale_and_bias"]
    return Forest(feature, border, scale * value, weight / max(float(weight.max()), 1e-9), float(bias[0]))
