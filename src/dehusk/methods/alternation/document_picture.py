"""Figures 4 and 5: a document as an HTML page on which the useless parts are grey."""

from html import escape
from itertools import pairwise

from dehusk.methods.alternation.grams import Spans

_HEAD = (
    '<!DOCTYPE html>\n<html lang="und">\n<meta charset="utf-8">\n<title>{title}</title>\n'
    "<style>body{{font:14px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere;color:#000;background:#fff}}"
    "i{{font-style:normal;color:#999}}</style>\n<h1>{title}</h1>\n<p>"
)


def draw_document(
    document: str, useless: Spans, *, title: str = "Useless parts are grey", omit: int | None = None
) -> str:
    """Draw a document.

    Args:
        document: the document as given to `FindOptimal.useless`.
        useless: what it returned, shape (k, 2).
        title: heading of the page.
        omit: of a part with more than twice so many characters, only so many of its beginning and its end are shown,
            and between them the number of those left away in boxes, as in figure 4; None shows all.

    Returns:
        A whole HTML page that holds nothing that runs or loads; where nothing is omitted, the text of its one
        paragraph is the document.

    Raises:
        ValueError: `omit` is negative.
    """
    if omit is not None and omit < 0:
        raise ValueError(f"omit is a number of characters, not {omit}")
    edges = [0, *useless.ravel().tolist(), len(document)]
    parts = [_HEAD.format(title=escape(title))]
    for number, (start, end) in enumerate(pairwise(edges)):
        if start < end:
            shown = escape(_shortened(document[start:end], omit))
            parts.append(f"<i>{shown}</i>" if number % 2 else shown)
    return "".join([*parts, "</p>\n</html>\n"])


def _shortened(text: str, omit: int | None) -> str:
    if omit is None or len(text) <= 2 * omit:
        return text
    return f"{text[:omit]}□□□{len(text) - 2 * omit}□□□{text[len(text) - omit :]}"
