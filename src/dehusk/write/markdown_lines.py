"""Write the runs of a line as inline Markdown (CommonMark and GitHub's strikethrough and tables).

`emphasis` fits the styles to CommonMark's rules. A character is escaped only if it could mean something where it
stands: `2 * 3`, `snake_case` and `[1]` stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from dehusk.lazy import pattern
from dehusk.write.emphasis import MARKS, StyledText, fit_styles, starting
from dehusk.write.tokens import Run, RunKind, Style

_MARK_SIGNS = ("*", "~")
_OUTER = Style.STRONG | Style.EMPHASIS | Style.STRIKE

_ALWAYS = pattern(
    r"""\\(?=[!-/:-@\[-`{-~])         # a backslash before punctuation
      | `
      | <(?=[A-Za-z/!?])              # a tag
      | &(?=\#?\w+;)                  # a character reference
      | (?<!\s)\*|\*(?!\s)            # a star next to ink
      | (?<![^\W_])_|_(?![^\W_])      # an underscore that is not inside a word
      | \](?=[(\[])                   # the end of what could be a link
      | \[(?=\^)                      # a footnote
      | !(?=\[)                       # an image
    """,
    re.VERBOSE,
)
_MAY_BE_MARKUP = pattern(r"[\\`<&*_\[\]!~]")
_LINE_START = pattern(
    r"""(?:
        (?=\#{1,6}(?:\s|\Z)) | (?=>)
      | (?=[-+*](?:\s|\Z)) | (?=(?:=+|-+)\s*\Z)
      | (?=([-_*])(?:\s*\1){2,}\s*\Z)
      | (?=[|:-][\s:|-]*\Z)
      | (?=\[[ xX]\]\s) | (?=\[(?:[^\[\]\\]|\\.)+\]:)
      )""",
    re.VERBOSE,
)
_OPEN_LABEL = pattern(r"\[(?:[^\[\]\\]|\\.)*\Z")
"""A line that may start a definition of a link, whose label goes on in the next line."""
_NUMBER = pattern(r"(\d{1,9})([.)])(?=\s|\Z)")
_CLOSING_SIGNS = pattern(r"(\A|\s)(#+)\Z")
_TICKS = pattern("`+")
_BRACKET = pattern(r"\\.|[\[\]]", re.DOTALL)
_PIPE = pattern(r"(?<!\\)\|")


@dataclass(frozen=True)
class LineContext:
    """What the runs of a line refer to, and how a page's lines are written."""

    address: Callable[[int], str | None]
    """Returns the address of a link's node; None if the text stands alone."""
    image: Callable[[int], str | None]
    """Returns the address of an image's node; None if it is not written."""
    note: Callable[[str], str] | None = None
    """Returns the label of the footnote for the address of a link, if links are to be in footnotes."""
    has_formulas: bool = False
    """Whether a dollar sign could be taken for the start of a formula."""


def write_line(runs: Sequence[Run], context: LineContext) -> str:
    """Return the runs as one or several lines of Markdown; lines end with two spaces, which break them."""
    if len(runs) == 1 and not context.has_formulas:
        run = runs[0]
        if run.kind is RunKind.TEXT and run.link < 0 and not run.style:
            return _guarded(_escaped(run.text))
    kept = _with_code_joined(each for run in runs for each in _shown(run, context))
    pieces = fit_styles(_pieces(kept, context))
    text = _joined(pieces, " ", " ", dollars=context.has_formulas)
    lines = [_guarded(line) for line in map(str.strip, text.split("\n")) if line]
    guarded = [f"\\{line}" if _OPEN_LABEL.match(line) else line for line in lines[:-1]]
    return "  \n".join([*guarded, *lines[-1:]])


def heading_line(text: str) -> str:
    """Return a line as the text of a heading."""
    line = text.replace("  \n", " ")
    return _CLOSING_SIGNS.sub(lambda match: f"{match[1]}{match[2][:-1]}\\#", line)


def cell_line(text: str) -> str:
    """Return a line as the text of a cell of a table."""
    return _PIPE.sub(r"\\|", text.replace("  \n", " "))


def _shown(run: Run, context: LineContext) -> list[Run]:
    """Return a run, or the text that stands for it, or nothing."""
    if run.kind is RunKind.IMAGE and context.image(run.node) is None:
        return []
    if run.link >= 0 and context.address(run.link) is None:
        return [replace(run, link=-1)]
    return [run]


def _with_code_joined(runs: Iterable[Run]) -> list[Run]:
    """Return the runs with adjacent code as one, because the backticks of two would touch."""
    joined: list[Run] = []
    for run in runs:
        before = joined[-1] if joined else None
        if (
            before
            and run.style & before.style & Style.CODE
            and run.kind is before.kind is RunKind.TEXT
            and run.link == before.link
        ):
            joined[-1] = replace(before, text=before.text + run.text, style=before.style & run.style)
        else:
            joined.append(run)
    return joined


def _pieces(runs: list[Run], context: LineContext) -> list[StyledText]:
    """Return the pieces of a line; a link is one piece, with the styles that go on beyond it."""
    pieces: list[StyledText] = []
    start = 0
    while start < len(runs):
        end = start + 1
        link = runs[start].link
        while link >= 0 and link in (each.link for each in runs[end : end + 1 + _is_break(runs, end)]):
            end += 1
        if link < 0:
            pieces.append(_piece(runs[start], context))
        elif context.note:
            reference = f"[^{context.note(context.address(link) or '')}]"
            pieces += [_piece(run, context) for run in runs[start:end]]
            pieces.append(StyledText(reference, runs[end - 1].style & _OUTER, is_written=True))
        else:
            around = _around(runs, start, end)
            pieces.append(_link(runs[start:end], around, context))
        start = end
    return pieces


def _is_break(runs: list[Run], index: int) -> bool:
    return index < len(runs) and runs[index].kind is RunKind.BREAK


def _around(runs: list[Run], start: int, end: int) -> int:
    """Return the styles of a whole link that the run before or after it has too."""
    shared = _OUTER
    for run in runs[start:end]:
        shared &= run.style
    neighbours = Style.PLAIN
    for run in (*runs[start - 1 : start], *runs[end : end + 1]) if start else runs[end : end + 1]:
        neighbours |= run.style
    return shared & neighbours


def _link(runs: list[Run], around: int, context: LineContext) -> StyledText:
    address = context.address(runs[0].link)
    inner = [_piece(run, context) for run in runs]
    for piece in inner:
        piece.style &= ~around
    text = _joined(fit_styles(inner), "[", "]", in_link=True, dollars=context.has_formulas).replace("\n", " ").strip()
    return StyledText(f"[{text}]({address})" if text else "", around, is_written=True)


def _piece(run: Run, context: LineContext) -> StyledText:
    written = _written(run, context)
    return StyledText(run.text if written is None else written, run.style & _OUTER, is_written=written is not None)


def _written(run: Run, context: LineContext) -> str | None:
    """Return a run as Markdown; None for plain text, which depends on what is around it."""
    sign = "$$" if run.display else "$"
    match run.kind:
        case RunKind.IMAGE:
            return f"![{_balanced(_escaped(run.text))}]({context.image(run.node)})"
        case RunKind.FORMULA:
            return f"{sign}{run.text}{sign}"
        case RunKind.REFERENCE:
            return f"[^{run.text}]"
    if run.style & Style.CODE and run.text.strip():
        return _code(run.text)
    return None


def _code(text: str) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _escaped(text: str, before: str = "", after: str = "") -> str:
    """Return a text with a backslash before what would be markup, between the characters before and after it."""
    if not _MAY_BE_MARKUP.search(text):
        return text
    start, end = len(before), len(before) + len(text)
    around = f"{before}{text}{after}"
    pieces, done = [], start
    for match in _ALWAYS.finditer(around):
        if start <= match.start() < end:
            pieces.append(f"{around[done : match.start()]}\\")
            done = match.start()
    escaped = "".join([*pieces, around[done:end]])
    touches = (text.startswith("~") and before in _MARK_SIGNS) or (text.endswith("~") and after in _MARK_SIGNS)
    return escaped.replace("~", "\\~") if text.count("~") > 1 or touches else escaped


def _balanced(text: str) -> str:
    """Return Markdown for the text of a link, with its brackets escaped unless they are balanced."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += {"[": 1, "]": -1}.get(match[0], 0)
        if depth < 0:
            break
    if not depth:
        return text
    return _BRACKET.sub(lambda match: match[0] if len(match[0]) > 1 else f"\\{match[0]}", text)


def _joined(pieces: list[StyledText], before: str, after: str, *, in_link: bool = False, dollars: bool = False) -> str:
    """Return the pieces with the marks of their styles, between the characters before and after them.

    Args:
        pieces: the pieces.
        before: the character before them.
        after: the character after them.
        in_link: whether they are the text of a link.
        dollars: whether dollar signs in texts are escaped.
    """
    out: list[str] = []
    opened: list[int] = []
    for index, piece in enumerate(pieces):
        marks = _closing(piece, opened)
        if started := starting(pieces, index, opened):
            opened += started
            marks += [MARKS[style] for style in started]
        out += marks
        if piece.is_written:
            out.append(piece.text)
            continue
        following = pieces[index + 1] if index + 1 < len(pieces) else None
        last = marks[-1][-1] if marks else pieces[index - 1].edge(-1) if index else before
        text = _escaped(piece.text, last, _first_of(following, piece.style, after))
        if dollars:
            text = text.replace("$", "\\$")
        if last == "]" and text.startswith("("):  # after a reference to a footnote, it would be an address
            text = f"\\{text}"
        out.append(_balanced(text) if in_link else text)
    out += [MARKS[style] for style in reversed(opened)]
    return "".join(out)


def _closing(piece: StyledText, opened: list[int]) -> list[str]:
    marks = []
    while opened and not opened[-1] & piece.style:
        marks.append(MARKS[opened.pop()])
    return marks


def _first_of(piece: StyledText | None, style: int, after: str) -> str:
    """Return the character after a piece with a style: of the next piece, or a mark."""
    if piece is None:
        return "*" if style & _OUTER else after
    return "*" if (piece.style ^ style) & _OUTER else piece.edge(0)


def _guarded(line: str) -> str:
    """Return a line whose start cannot be taken for that of a heading, quote, item, rule or table."""
    if not line or line[0].isalpha():
        return line
    if match := _NUMBER.match(line):
        return f"{match[1]}\\{line[match.end(1) :]}"
    return f"\\{line}" if _LINE_START.match(line) else line
