"""The texts of the kept text nodes of a page, folded as in blocks, or preformatted."""

from __future__ import annotations

import numpy as np

from dehusk.caching import cached_property
from dehusk.characters import CharClass
from dehusk.compiled.characters import classify
from dehusk.labels import Labels
from dehusk.lazy import pattern
from dehusk.write.pruning import Pruned
from dehusk.write.safety import BLOCK

_LINE_ENDS = frozenset({"br", "hr"})
_INVISIBLE = pattern("[\u00ad\u2060\ufeff\u180e\r]")
_BLANK_LINES = pattern(r"\A(?:[^\S\n]*\n)+")


class NodeTexts:
    """The texts of the kept text nodes, folded as in blocks."""

    def __init__(self, labels: Labels, pruned: Pruned) -> None:
        self.page, self.pruned, self.blocks = pruned.page, pruned, labels.blocks
        self.text = labels.blocks.text

    @cached_property
    def row_of(self) -> dict[int, tuple[bool, int, int, bool]]:
        """Text node -> whether it starts with white space, its slice of the text, whether it ends with white space."""
        page, pruned, blocks = self.page, self.pruned, self.blocks
        nodes = pruned.nodes[page.is_text[pruned.nodes]]
        starts, ends = page.text_start[nodes], page.text_end[nodes]
        white = classify(page.code_points.take(np.concatenate((starts, ends - 1)), mode="clip")) >= CharClass.WHITE
        white &= np.tile(ends > starts, 2)
        before, after = white[: len(nodes)].tolist(), white[len(nodes) :].tolist()
        first, last = (np.searchsorted(blocks.source, each).tolist() for each in (starts, ends))
        return dict(zip(nodes.tolist(), zip(before, first, last, after, strict=True), strict=True))

    def of(self, node: int) -> tuple[bool, str, bool]:
        """Return the folded text of a text node without white space at its ends, and whether there was any."""
        before, first, last, after = self.row_of[node]
        text = self.text[first:last].strip()
        return before, " ".join(text.split()) if "  " in text or "\t" in text else text, after

    def preformatted(self, node: int, end: int, names: list[str]) -> tuple[int, int, str]:
        """Return the first and last text node below an element, and the text with its white space."""
        page, pruned = self.page, self.pruned
        start, stop = np.searchsorted(pruned.nodes, (node + 1, end)).tolist()
        parts: list[str] = []
        inside: list[int] = []
        blocks: list[int] = []
        at_start = True
        for each, name in zip(pruned.nodes[start:stop].tolist(), names[start:stop], strict=True):
            breaks = name in _LINE_ENDS or name in BLOCK or pruned.seams.get(each, " ") != " "
            while blocks and blocks[-1] <= each:
                blocks.pop()
                breaks = True
            if name in BLOCK:
                blocks.append(int(page.end[each]))
            if breaks and (name in _LINE_ENDS or not at_start):
                parts.append("\n")
                at_start = True
            if not name:
                text = page.text[page.text_start[each] : page.text_end[each]]
                parts.append(text)
                inside.append(each)
                at_start = text.endswith("\n") if text else at_start
        text = _BLANK_LINES.sub("", _INVISIBLE.sub("", "".join(parts))).rstrip()
        return (inside[0], inside[-1], text) if inside else (-1, -1, text)
