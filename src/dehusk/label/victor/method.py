r"""Victor: page cleaning as sequence labelling.

Marek, *Automatic cleaning of HTML documents* (bachelor thesis, Charles University, 2007): the blocks of a page are a
sequence; each has features with finitely many values (chapter 4); a conditional random field over a table of these
values, read through a template of neighbouring rows (section 3.5), gives each block one of five labels (section 2.3).

    p(y | x) ∝ exp( Σ_t Σ_k w_k(y_t) [the table's row t + r_k has value v_k in column c_k] + Σ_t T(y_{t-1}, y_t) )

Departures, with reasons:

* One HTML5 parser, which reads what browsers read, replaces HTML Tidy and a regular parser; as in the thesis, `pre` is
  split at line ends, `alt` texts become blocks and `tag-delete` removes blocks.
* CRFsuite (python-crfsuite, L-BFGS with L1 and L2 norms) replaces CRF++; its weights are read out once, and pages
  are scored from arrays, with marginal probabilities, which the best sequence of CRF++ does not give.
* Chapter 4 names 45 features; chapter 6 speaks of 46 and disables one, `wordratio`, that chapter 4 does not name. It is
  taken as the block's share of the page's words, `word-ratio`, the 46th.
* `decide = "expected-f1"` keeps the blocks that maximise the expected word F1 of the page by their marginal
  probabilities, instead of the most probable sequence; it is better on pages with scattered content.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, ModelError, NotFittedError
from dehusk.base.store import feature_hash, identity_of, load_model, save_model
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import LABELS, OTHER, Labels
from dehusk.label.features import compute
from dehusk.label.keep import expected_f1
from dehusk.label.victor.chain import best_sequence, marginals
from dehusk.label.victor.config import VictorConfig, load_config, parse_config
from dehusk.label.victor.crf import Weights, train
from dehusk.label.victor.tabulation import Tabulation
from dehusk.read.page import Bools, Page

_REASONS = 4  # features named in a reason


class Victor:
    """Labels the blocks of a page as a sequence, with a conditional random field.

    Args:
        config: name of a preset, path of a configuration file, or a `VictorConfig`.

    Attributes:
        weights_: the learned weights, after `fit` or `load`.
        card_: the model's card: configuration, training data, figures.
    """

    def __init__(self, config: VictorConfig | str | Path = "web") -> None:
        self.config = config if isinstance(config, VictorConfig) else load_config(config)
        self.card_: dict[str, Any] = {}
        self.weights_: Weights | None = None
        self._tabulation = Tabulation(self.config)

    def __repr__(self) -> str:
        state = "not trained" if self.weights_ is None else f"{len(self._tabulation.names)} columns"
        return f"<Victor: configuration {self.config.name}, {state}>"

    def segment(self, page: Page) -> Blocks:
        """Split a page into blocks, as configured."""
        return segment(page, every_tag=self.config.every_tag, alt=self.config.alt)

    def table(self, blocks: Blocks) -> npt.NDArray[np.int32]:
        """Return the document table of section 3.5: the value number of each column, shape (b, columns)."""
        return self._tabulation.table(compute(blocks, self.config.settings, self._tabulation.features))

    def fit(self, pages: Sequence[Blocks], gold: Sequence[npt.NDArray[np.integer]]) -> Self:
        """Learn from labelled pages, forgetting any earlier fit.

        Args:
            pages: blocks as `segment` cuts them.
            gold: for each page, one index into `LABELS` per block, -1 for unlabelled blocks. A sequence ends at an
                unlabelled block, which teaches nothing but is visible from neighbouring rows. Blocks in `tag-delete`
                elements are ignored.

        Raises:
            ValueError: no pages, or a column whose length is not the number of blocks.
        """
        if not pages or len(pages) != len(gold):
            raise ValueError(f"learning needs one gold column per page: got {len(pages)} pages and {len(gold)} columns")
        tables, codes = [], []
        for blocks, column in zip(pages, gold, strict=True):
            if len(column) != len(blocks):
                raise ValueError(f"a page has {len(blocks)} blocks but {len(column)} gold labels")
            present = np.flatnonzero(~self._deleted(blocks))
            tables.append(self.table(blocks)[present])
            codes.append(column[present])
        self.weights_ = train(self._tabulation, tables, codes, self.config.training)
        self.card_, self.identity = {}, ""
        return self

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page.

        Args:
            blocks: blocks as `segment` cuts them.
            explain: give a reason for each block: the features that weigh most for and against keeping it.

        Raises:
            NotFittedError: before `fit` or `load`.
        """
        if self.weights_ is None:
            raise NotFittedError("Victor is not trained: call fit or load first")
        deleted = self._deleted(blocks)
        present = np.flatnonzero(~deleted)
        table = self.table(blocks)[present]
        state = self.weights_.scores(table)
        chance = np.zeros((len(blocks), len(LABELS)))
        chance[:, OTHER] = 1.0
        chance[present] = marginals(state, self.weights_.transition)
        label = np.full(len(blocks), OTHER, dtype=np.uint8)
        probability = np.clip(1.0 - chance[:, OTHER], 0.0, 1.0)
        if self.config.decide == "labels":
            label[present] = best_sequence(state, self.weights_.transition)
            kept = label != OTHER
        else:
            kept = expected_f1(probability, blocks.words) & ~deleted
            label = np.where(kept, np.argmax(chance[:, :OTHER], axis=1), OTHER).astype(np.uint8)
        reasons = self._reasons(present, len(blocks), table, chance) if explain else ()
        return Labels(blocks=blocks, label=label, probability=probability, kept=kept, reasons=reasons)

    def _reasons(
        self, present: npt.NDArray[np.intp], b: int, table: npt.NDArray[np.int32], chance: npt.NDArray[np.float64]
    ) -> list[str]:
        """Return, for each block, the columns whose weights differ most between its best content label and noise."""
        reasons = ["in an element that tag-delete removes"] * b
        if self.weights_ is None or not len(present):
            return reasons
        likely = np.argmax(chance[present][:, :OTHER], axis=1)
        gain = self.weights_.contributions(table, likely, OTHER)
        strongest = np.argsort(-np.abs(gain), axis=1, kind="stable")[:, :_REASONS]
        names = self._tabulation.names
        for row, block in enumerate(present.tolist()):
            parts = [f"{names[c]} {gain[row, c]:+.1f}" for c in strongest[row].tolist() if gain[row, c]]
            reasons[block] = "; ".join(parts) or "no feature weighs for or against it"
        return reasons

    def save(self, folder: str | Path) -> None:
        """Write the model folder: card, configuration and weights.

        Raises:
            NotFittedError: before `fit`.
            ModelError: the folder cannot be written.
        """
        if self.weights_ is None:
            raise NotFittedError("Victor is not trained: call fit before save")
        card = {
            **self.card_,
            "method": "victor",
            "labels": list(LABELS),
            "features": feature_hash(self._tabulation.signature()),
            "config": self.config.source,
            "config-name": self.config.name,
        }
        save_model(folder, card, self.weights_.arrays())

    @classmethod
    def load(cls, folder: str | Path, *, config: VictorConfig | None = None) -> Self:
        """Read a model folder.

        Args:
            folder: what `save` wrote.
            config: replaces the model's own configuration. Its table must be the same: features, grids, words.

        Raises:
            ModelError: the folder is damaged or of another method or format, or its features are not those of this
                version or of `config`.
        """
        card, arrays = load_model(folder, "victor")
        try:
            own = parse_config(str(card.get("config", "")), str(card.get("config-name", Path(folder).name)))
        except ConfigError as error:
            raise ModelError(f"model {folder} is damaged: {' '.join(str(error).split())}") from error
        victor = cls(config or own)
        if config is not None and victor._tabulation != Tabulation(own):
            raise ModelError(f"model {folder} does not fit the features of configuration {config.name}")
        victor._accept(card, arrays, folder)
        victor.identity = identity_of(folder)
        return victor

    def _accept(self, card: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], folder: str | Path) -> None:
        if card.get("features") != feature_hash(self._tabulation.signature()) or card.get("labels") != list(LABELS):
            raise ModelError(f"model {folder} does not fit the features and labels of this version: train it again")
        self.weights_ = Weights.from_arrays(arrays, self._tabulation, folder)
        self.card_ = card

    def _deleted(self, blocks: Blocks) -> Bools:
        """Return whether each block is in an element that the configuration deletes, shape (b,)."""
        page = blocks.page
        deleted: Bools = page.within(page.nodes_of(numbers(self.config.tag_delete)))[blocks.node] > 0
        return deleted
