"""What `dehusk.compiled.features` computes: the tags around blocks and between them."""

from dehusk.base.tags import VOID
from dehusk.blocks import Blocks
from dehusk.label.features import FeatureSettings
from oracle.tree import is_in, tag_names

Columns = dict[str, list[float]]


def container_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return for each set of tags whether each block is in an element with one of them."""
    return {
        f"container.{name}": [is_in(blocks.page, node, frozenset(tags)) for node in blocks.node.tolist()]
        for name, tags in settings.containers.items()
    }


def split_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return for each set of tags how many of them open and how many close between each block and the one before.

    Void elements do not close. The body, node 0, is before the first block. `#line` is before
    each line of preformatted text but the first one.
    """
    page, before, columns = blocks.page, [0, *blocks.last.tolist()], Columns()
    for name, tags in settings.splits.items():
        column = columns[f"split.{name}"] = [0.0] * len(blocks)
        for block, first in enumerate(blocks.first.tolist()):
            for node, tag in enumerate(tag_names(page)):
                if tag in tags:
                    column[block] += before[block] < node <= first
                    column[block] += before[block] < page.end[node] <= first and tag not in VOID
            if "#line" in tags:
                column[block] += sum(before[block] < node <= first for node in page.line_nodes.tolist())
    return columns
