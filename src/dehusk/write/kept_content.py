"""The kept content of a page before it is read as tokens: its nodes, and what stands for parts of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.tags import TAG_NUMBER
from dehusk.blocks.labels import Labels
from dehusk.blocks.units.tables import table_nodes
from dehusk.write.content.callouts import with_questions
from dehusk.write.content.headline import with_headline
from dehusk.write.content.ornaments import ornaments_among
from dehusk.write.inserts import Inserts, read_inserts, replacements_in_runs
from dehusk.write.pruning import Pruned, dissolve, prune


@dataclass(frozen=True, eq=False)
class KeptContent:
    """The m kept nodes of a page and what stands for parts of them."""

    labels: Labels
    pruned: Pruned
    names: list[str]
    """(m,) the name of each element in the output, "" for text nodes; tables for layout are div elements."""
    inserts: Inserts
    replaced: dict[int, str]
    """Text node -> what stands for its text."""

    @classmethod
    def of(cls, labels: Labels) -> KeptContent:
        """Return the kept content of a page."""
        pruned, tables = prune(labels), table_nodes(labels.blocks)
        dissolved = with_headline(labels, pruned.nodes, dissolve(pruned, ~tables))  # it may be in a cell of the layout
        names = with_questions(pruned.page, pruned.nodes, dissolved.tolist())
        return cls(
            labels, pruned, names, read_inserts(pruned, np.flatnonzero(tables)), replacements_in_runs(pruned.page)
        )

    @cached_property
    def ornaments(self) -> frozenset[int]:
        """Kept images that are no content."""
        nodes = self.pruned.nodes
        return ornaments_among(self.pruned.page, nodes[self.pruned.page.tag[nodes] == TAG_NUMBER["img"]])
