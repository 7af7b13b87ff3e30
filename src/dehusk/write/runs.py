"""Collect the runs of a line: fold white space, merge runs, and keep spaces outside of styles."""

from __future__ import annotations

from dehusk.write.tokens import Run, RunKind


class Line:
    """The runs of one leaf of the content, collected in document order."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.first = self.last = -1
        """The first and last text node."""
        self._space = False

    def __bool__(self) -> bool:
        return bool(self.runs)

    def space(self) -> None:
        """Separate what follows from what is there by a space."""
        self._space = True

    def text(self, text: str, style: int, link: int, node: int) -> None:
        """Add text without white space at its ends."""
        self._separate(style, link)
        self._mark(node)
        last = self.runs[-1] if self.runs else None
        if last is not None and last.kind is RunKind.TEXT and (last.style, last.link) == (style, link):
            last.text += text
        else:
            self.runs.append(Run(RunKind.TEXT, text, style, link))

    def atom(self, run: Run, *, text_node: int = -1) -> None:
        """Add an image, a formula or a reference."""
        self._separate(run.style, run.link)
        self._mark(text_node)
        self.runs.append(run)

    def line_end(self) -> bool:
        """End the line; return False, without effect, if the line is already at its start."""
        if not self.runs or self.runs[-1].kind is RunKind.BREAK:
            return False
        self.runs.append(Run(RunKind.BREAK, "\n"))
        self._space = False
        return True

    def ends_in_image(self) -> bool:
        """Return whether the last run is an image that no text touches, so that a space does not part a word."""
        index = len(self.runs)
        while index and self.runs[index - 1].kind is RunKind.IMAGE:
            index -= 1
        if index == len(self.runs):
            return False
        before = self.runs[index - 1] if index else None
        return before is None or before.kind is RunKind.BREAK or before.text[-1:].isspace()

    def take(self) -> list[Run]:
        """Return the runs, without line ends after the last text, and start anew."""
        runs = self.runs
        while runs and runs[-1].kind is RunKind.BREAK:
            runs.pop()
        self.runs, self._space = [], False
        self.first = self.last = -1
        return runs

    def _mark(self, node: int) -> None:
        if node >= 0:
            self.first = node if self.first < 0 else self.first
            self.last = node

    def _separate(self, style: int, link: int) -> None:
        """Write the space that is due in the styles and the link that both sides share."""
        if self._space and self.runs and (last := self.runs[-1]).kind is not RunKind.BREAK:
            shared, inside = last.style & style, link if link == last.link else -1
            if last.kind is RunKind.TEXT and (last.style, last.link) == (shared, inside):
                last.text += " "
            else:
                self.runs.append(Run(RunKind.TEXT, " ", shared, inside))
        self._space = False
