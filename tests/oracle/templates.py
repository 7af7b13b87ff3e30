"""What the rules of a template do with an element: with loops."""

from collections.abc import Sequence

Block = tuple[str, int, bool]
"""Text, words, and whether it is kept."""


def action(pages: Sequence[Sequence[Block]]) -> str | None:
    """Return what is done with an element's blocks, given those of each page; None if too few pages have it."""
    if len(pages) < 2:
        return None
    repeated = {text for page in pages for text, _, _ in page if sum(text in {b[0] for b in p} for p in pages) >= 3}
    varying = [[block for block in page if block[0] not in repeated] for page in pages]
    voting = [page for page in varying if page] or pages
    keeping = sum(any(kept for _, _, kept in page) for page in voting)
    dropping = sum(any(not kept for _, _, kept in page) for page in voting)
    lengths = [words for page in voting for _, words, _ in page]
    short = sum(words < 8 for words in lengths) >= 0.9 * len(lengths) and len(voting) >= 3
    share = keeping / (keeping + dropping)
    if share >= 0.9 or (short and share >= 0.5):
        return "keep"
    return "drop" if share <= 0.1 or short else "ask"
