"""`main.*`: which element holds the page's main text; not in the thesis.

Sums over the subtrees of all elements are at hand, so all candidates are weighed at once.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.features.sums import sums, text_holders
from dehusk.tags import TEXT

DOC = {
    "main.half": "1 in the smallest element that holds more than 50 % of the page's running text.",
    "main.most": "1 in the smallest element that holds 80 % of the page's running text.",
    "main.nearly-all": "1 in the smallest element that holds 95 % of the page's running text.",
    "main.place": "0 before the best element, 1 in it, 2 after it (best: most running text in children, few links).",
    "main.inner": "Relative position among the blocks of the best element; 0 before it, 1 after it.",
    "main.levels": "Levels from the block's holder up to the best element, 20 outside of it.",
    "main.share": "Share of the page's running text that the best element holds.",
    "main.run": "1 in the run of blocks with the highest sum of running words, each other block costing some.",
    "main.run-distance": "Blocks to that run, 0 in it.",
    "main.local": "Share of running text among the words of the element two levels above the block's holder.",
}

_OUTSIDE = 20


def main(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's place relative to the candidates, shape (b,) each."""
    page, b = blocks.page, len(blocks)
    known = sums(blocks)
    running, held, words = known.running_words, known.running, known.words
    columns = Columns()
    for name, node in text_holders(blocks).items():
        columns[f"main.{name}"] = _in(blocks, node)
    best = _best(blocks)
    inside = _in(blocks, best)
    columns["main.place"] = np.where(inside, 1, np.where(blocks.first < best, 0, 2))
    rank = np.cumsum(inside) - 1
    columns["main.inner"] = np.clip(rank, 0, None) / max(int(inside.sum()) - 1, 1)
    depth = page.depth
    columns["main.levels"] = np.where(inside, np.minimum(depth[blocks.node] - depth[best], _OUTSIDE), _OUTSIDE)
    columns["main.share"] = np.full(b, held[best] / max(int(running.sum()), 1) if len(page) else 0.0)
    above = page.parent[np.maximum(page.parent[blocks.node], 0)]
    columns["main.local"] = held[np.maximum(above, 0)] / np.maximum(words[np.maximum(above, 0)], 1)
    first, last = _best_run(blocks, running)
    index = np.arange(b)
    columns["main.run"] = (index >= first) & (index < last)
    columns["main.run-distance"] = np.maximum(0, np.maximum(first - index, index - last + 1))
    return columns


def _best_run(blocks: Blocks, running: npt.NDArray[np.int32]) -> tuple[int, int]:
    """Return the run of blocks, [first, last), with the highest sum (Pasternack & Roth 2009 cut pages like this).

    A block that is no running text costs its words, ten at most, and three more.
    """
    if not len(blocks):
        return 0, 0
    gain = np.where(running > 0, running, -3 - np.minimum(blocks.words, 10))
    total = np.append(0, np.cumsum(gain))
    lowest = np.minimum.accumulate(total)
    last = int(np.argmax(total - lowest))
    return int(np.argmin(total[: last + 1])), last


def _in(blocks: Blocks, node: int) -> npt.NDArray[np.bool_]:
    if not len(blocks):
        return np.zeros(0, dtype=np.bool_)
    inside: npt.NDArray[np.bool_] = (blocks.first >= node) & (blocks.first < blocks.page.end[node])
    return inside


def _best(blocks: Blocks) -> int:
    """Return the element with the most running text in its children, half of it for grandchildren, less by links."""
    page, n, known = blocks.page, len(blocks.page), sums(blocks)
    running = known.running_words
    if not len(blocks):
        return 0
    parent = np.maximum(page.parent[blocks.node], 0)
    grand = np.maximum(page.parent[parent], 0)
    score = np.bincount(parent, weights=running, minlength=n) + 0.5 * np.bincount(grand, weights=running, minlength=n)
    score *= 1 - known.linked / np.maximum(known.words, 1)
    score[page.tag == TEXT] = 0
    return int(np.argmax(score))
