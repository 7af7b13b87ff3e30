"""Figures 4 and 5: a document as an HTML page in which the useless parts are grey."""

from html import escape
from itertools import pairwise

from dehusk.sites.alternation.grams import Spans

_HEAD = (
    '<!DOCTYPE html>\n<html lang="und">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    "<style>body{{font:14px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere;color:#000;background:#fff}}"
    "i{{font-style:normal;color:#999}}h1{{font-size:18px}}small{{font-family:sans-serif}}</style>\n"
    "<h1>{title}</h1>\n"
)


def draw_document(
    document: str,
    useless: Spans,
    *,
    title: str = "Useless parts are grey",
    note: str = "",
    omit: int | None = None,
) -> str:
    """Return a document as an HTML page.

    Args:
        document: the document, as given to `FindOptimal.useless`.
        useless: its useless parts, shape (k, 2), as `FindOptimal.useless` returns them.
        title: the heading of the page.
        note: a line below the heading.
        omit: shortens parts of more than twice as many characters: this many are shown at the start and at the end,
            with the number of omitted ones between two rows of boxes, as in figure 4. None shows everything.

    Returns:
        A complete HTML page without scripts and without anything to load. If nothing is omitted, the text of its only
        paragraph is the document.

    Raises:
        ValueError: `omit` is negative.
    """
    if omit is not None and omit < 0:
        raise ValueError(f"omit must be a non-negative number of characters, not {omit}")
    edges = [0, *useless.ravel().tolist(), len(document)]
    parts = [_HEAD.format(title=escape(title)), f"<small>{escape(note)}</small>\n" if note else "", "<p>"]
    for number, (start, end) in enumerate(pairwise(edges)):
        if start < end:
            text = escape(_shortened(document[start:end], omit))
            parts.append(f"<i>{text}</i>" if number % 2 else text)
    return "".join([*parts, "</p>\n</html>\n"])


def _shortened(text: str, omit: int | None) -> str:
    if omit is None or len(text) <= 2 * omit:
        return text
    return f"{text[:omit]}□□□{len(text) - 2 * omit}□□□{text[len(text) - omit :]}"
