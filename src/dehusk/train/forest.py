"""Growing the united labeller: CatBoost makes the trees, arrays keep them.

CatBoost is needed for training only (extra `train`); what it made is read from its JSON, never pickled. The same pages
in the same order and the same seed give the same bytes.
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

from dehusk.errors import ConfigError, GoldError
from dehusk.labels import OTHER
from dehusk.methods.united import Forest
from dehusk.methods.united.columns import table
from dehusk.train.corpus import Labelled
from dehusk.train.fit import usable

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Growth:
    """How trees grow; the defaults were chosen by cross-validation over sites."""

    trees: int = 300
    depth: int = 6
    rate: float = 0.1
    l2: float = 5.0
    columns: float = 0.6
    """Share of the columns that a level may choose from."""
    rows: float = 0.6
    """Share of the blocks that a tree sees."""
    borders: int = 128
    """Values at which a column may be cut."""
    seed: int = 1
    threads: int = 1

    def for_style(self) -> Growth:
        """Return how the trees of a style grow on top of those of auto: few and shallow, its pages are few."""
        return replace(self, trees=max(1, self.trees // 4), depth=min(4, self.depth), rate=0.8 * self.rate, l2=20.0)


@dataclass(frozen=True, eq=False)
class Rows:
    """What trees learn from; r rows, one a labelled block."""

    columns: Floats
    """(r, k)"""
    content: npt.NDArray[np.float32]
    """(r,) 1 for content."""
    weight: npt.NDArray[np.float32]
    """(r,)"""


def rows(page: Labelled) -> Rows:
    """Return the rows of one page; none where it is not fit to teach.

    A block weighs as its words do, and less on pages with more words to get right: F1 is a mean over pages.
    """
    labelled = np.flatnonzero(page.codes >= 0) if usable(page) else np.zeros(0, dtype=np.intp)
    content = (page.codes[labelled] != OTHER).astype(np.float32)
    words = page.blocks.words[labelled].astype(np.float32)
    weight = (words + 2) / (max(60.0, float(words @ content)) + 0.15 * float(words.sum()))
    columns = table(page.blocks).T[labelled] if len(labelled) else np.zeros((0, 0), dtype=np.float32)
    return Rows(np.ascontiguousarray(columns), content, weight.astype(np.float32))


def joined(parts: Sequence[Rows]) -> Rows:
    """Return the rows of several pages as one table.

    Raises:
        GoldError: no rows, or rows of content only or of noise only.
    """
    parts = [part for part in parts if len(part.content)]
    content = np.concatenate([part.content for part in parts]) if parts else np.zeros(0, dtype=np.float32)
    if not content.any() or content.all():
        raise GoldError(f"training needs content and noise; {len(parts)} usable pages have not both")
    weight = np.concatenate([part.weight for part in parts])
    return Rows(np.concatenate([part.columns for part in parts]), content, weight / weight.mean())


def grow(learned: Rows, growth: Growth | None = None, *, base: Forest | None = None) -> Forest:
    """Return the trees that rows teach.

    Args:
        learned: rows of pages.
        growth: how.
        base: trees whose scores the new ones are added to.

    Raises:
        ConfigError: CatBoost is not installed.
    """
    growth = growth or Growth()
    try:
        from catboost import CatBoostClassifier, Pool  # noqa: PLC0415 (100 MB that only training needs)
    except ImportError as error:
        raise ConfigError("training the united labeller needs CatBoost: pip install 'dehusk[train]'") from error
    booster = CatBoostClassifier(
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
    below = None if base is None else base.scores(np.ascontiguousarray(learned.columns.T))
    booster.fit(Pool(learned.columns, learned.content, weight=learned.weight, baseline=below))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trees.json"
        booster.save_model(str(path), format="json")
        return _forest(json.loads(path.read_text("utf-8")), growth.depth)


def _forest(model: dict[str, Any], depth: int) -> Forest:
    """Return CatBoost's trees as arrays; trees of fewer levels get levels that no block passes."""
    trees = model["oblivious_trees"]
    feature = np.zeros((len(trees), depth), dtype=np.int16)
    border = np.full((len(trees), depth), np.finfo(np.float32).max, dtype=np.float32)
    value = np.zeros((len(trees), 1 << depth), dtype=np.float32)
    weight = np.zeros((len(trees), 1 << depth), dtype=np.float32)
    numbers = [one["flat_feature_index"] for one in model["features_info"]["float_features"]]
    for row, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"] or ()):
            feature[row, level] = numbers[split["float_feature_index"]]
            border[row, level] = split["border"]
        leaves = len(tree["leaf_values"])
        value[row, :leaves], weight[row, :leaves] = tree["leaf_values"], tree["leaf_weights"]
    scale, bias = model["scale_and_bias"]
    return Forest(feature, border, scale * value, weight / max(float(weight.max()), 1e-9), float(bias[0]))
