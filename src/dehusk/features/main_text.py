"""`main.*`: which element contains the page's main text; not in the thesis."""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.features.subtrees import count_subtrees, text_holders
from dehusk.tags import TEXT

_OUTSIDE = 20  # levels


@kernel("features_place.main_text_features")
def main_text_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's position relative to the candidates for the main text, shape (b,) each."""
    page, b = blocks.page, len(blocks)
    counts = count_subtrees(blocks)
    running, depth = counts.running_words, page.depth
    columns = Columns({f"main.{name}": _is_in(blocks, node) for name, node in text_holders(blocks).items()})
    best = _best_element(blocks)
    inside = _is_in(blocks, best)
    columns["main.place"] = np.where(inside, 1, np.where(blocks.first < best, 0, 2))
    rank = inside.cumsum() - 1
    columns["main.inner"] = np.maximum(rank, 0) / max(int(inside.sum()) - 1, 1)
    columns["main.levels"] = np.where(inside, np.minimum(depth[blocks.node] - depth[best], _OUTSIDE), _OUTSIDE)
    columns["main.share"] = np.full(b, counts.running[best] / max(int(running.sum()), 1))
    grandparent = np.maximum(page.parent[np.maximum(page.parent[blocks.node], 0)], 0)
    columns["main.local"] = counts.running[grandparent] / np.maximum(counts.words[grandparent], 1)
    first, last = _best_run(blocks, running)
    index = np.arange(b)
    columns["main.run"] = (index >= first) & (index < last)
    columns["main.run-distance"] = np.maximum(0, np.maximum(first - index, index - last + 1))
    return columns


def _best_run(blocks: Blocks, running: npt.NDArray[np.int32]) -> tuple[int, int]:
    """Return the run of blocks, [first, last), with the highest score (Pasternack & Roth 2009 cut pages this way).

    A block of running text scores its words. Any other block costs 3 points plus its words, but no more than 13 points.
    """
    gain = np.where(running > 0, running, -3 - np.minimum(blocks.words, 10))
    total = np.append(0, gain.cumsum())
    lowest = np.minimum.accumulate(total)
    last = int((total - lowest).argmax())
    return int(total[: last + 1].argmin()), last


def _is_in(blocks: Blocks, node: int) -> npt.NDArray[np.bool_]:
    inside: npt.NDArray[np.bool_] = (blocks.first >= node) & (blocks.first < blocks.page.end[node])
    return inside


def _best_element(blocks: Blocks) -> int:
    """Return the element with the highest score.

    An element scores the running words of its children and half of those of its grandchildren, times its share of
    unlinked words.
    """
    page, n, counts = blocks.page, len(blocks.page), count_subtrees(blocks)
    running = counts.running_words
    parent = np.maximum(page.parent[blocks.node], 0)
    grand = np.maximum(page.parent[parent], 0)
    score = np.bincount(parent, weights=running, minlength=n) + 0.5 * np.bincount(grand, weights=running, minlength=n)
    score *= 1 - counts.linked / np.maximum(counts.words, 1)
    score[page.tag == TEXT] = 0
    return int(score.argmax())


FAMILIES = (
    Family(
        main_text_features,
        {
            "main.half": "1 in the smallest element with more than 50 % of the page's running text, else 0.",
            "main.most": "1 in the smallest element with more than 80 % of the page's running text, else 0.",
            "main.nearly-all": "1 in the smallest element with more than 95 % of the page's running text, else 0.",
            "main.place": "0 before the main element, 1 in it, 2 after it; the main element has the most running text "
            "in its children and few links.",
            "main.inner": "Position among the blocks of the main element: 0 for the first (and before it), 1 for the "
            "last (and after it).",
            "main.levels": "Levels from the block's innermost element up to the main element; 20 outside it.",
            "main.share": "Share of the page's running text in the main element.",
            "main.run": "1 in the run of blocks with the most running text and the least other text, else 0.",
            "main.run-distance": "Blocks to that run; 0 in it.",
            "main.local": "Share of running text among the words of the element two levels above the block's innermost "
            "element.",
        },
    ),
)
