"""The parts of the annotation tool's screen: the list of segments, the segment at the cursor, the keys.

The list draws only the visible lines (Textual's line API), so a page of 40,000 segments scrolls as fast as one of 40.
"""

from rich.cells import set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from dehusk.base.errors import printable
from dehusk.blocks.labels import LABELS
from dehusk.lab.annotate.session import Session
from dehusk.lab.gold import UNLABELLED

COLOURS = ("yellow", "cyan", "green", "dark_sea_green4", "grey50")
"""One per label of `LABELS`; the letter gives the same information without colours."""

LETTERS = tuple(label[0] for label in LABELS)

_KEYS = (
    (
        ("space", "range"),
        ("n", "next unlabelled"),
        ("u", "undo"),
        ("x", "clear"),
        ("enter", "confirm ?"),
        ("a", "confirm all"),
    ),
    (
        ("s", "save"),
        ("q", "save and quit"),
        ("Q", "quit"),
        ("[ ]", "turn page"),
        ("v", "pages"),
        ("/", "search"),
        ("?", "help"),
    ),
)
_TAG = 8  # cells for the name of the element
_CONTEXT = 3  # lines that stay visible above and below the cursor


HELP = """\
Each line is a segment: the text between two tags of the page, with
its number, its label and the tag it is in. Press a key to label it:
  h  header        a title or heading
  l  list          the start of a list item
  p  paragraph     the start of a paragraph
  c  continuation  continues the line above; tags split sentences:
                   p See   c our website   c for more.
  o  other         not content: menus, advertisements, footers

arrows, pgup, pgdn, home, end   move
n N     next, previous segment without a label
space   start a range; move; the next label key labels all of it
u x     undo; remove a label
h?      is a suggestion: enter confirms it, a confirms all of them
/ f F g search; next, previous match; next page with the text
v [ ]   overview of all pages; previous, next page
s       save to a file beside the page; the page is not changed
q Q     save and quit; quit without saving (asks first)
                                         press any key to go back"""


class SegmentList(ScrollView):
    """The segments of a page, one line each."""

    DEFAULT_CSS = "SegmentList { height: 1fr; overflow-x: hidden; }"
    ALLOW_SELECT = False
    can_focus = False

    class Picked(Message):
        """A segment was clicked."""

        def __init__(self, segment: int) -> None:
            super().__init__()
            self.segment = segment

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None

    def show(self, session: Session) -> None:
        """Draw the current state of a session, with the cursor visible."""
        self._session = session
        self.virtual_size = Size(1, len(session))
        top, height = round(self.scroll_y), max(self.size.height, 1)
        context = min(_CONTEXT, (height - 1) // 2)
        lowest, highest = session.cursor - height + 1 + context, session.cursor - context
        self.scroll_to(y=min(max(top, lowest), highest), animate=False, immediate=True)
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor visible."""
        if self._session:
            self.show(self._session)

    def on_click(self, event: events.Click) -> None:
        """Report the segment that was clicked."""
        segment = event.y + round(self.scroll_y)
        if self._session and segment < len(self._session):
            self.post_message(self.Picked(segment))

    def render_line(self, y: int) -> Strip:
        """Draw line y of the screen: cursor, number, label, element, text."""
        row, width, session = y + round(self.scroll_y), self.size.width, self._session
        if session is None or row >= len(session):
            return Strip.blank(width, self.rich_style)
        letter, style = label_of(session, row)
        blocks = session.blocks
        start, end = session.selection
        in_range = session.mark is not None and start <= row < end
        cursor = "\u203a" if row == session.cursor else "\u2502" if in_range else " "
        number = f"{cursor}{row + 1:>{len(str(len(session)))}} "
        tag = set_cell_size(on_screen(blocks.page.tag_name(int(blocks.node[row]))), _TAG)
        text = on_screen(blocks.texts[row][:width])
        back = Style(bgcolor="grey30" if row == session.cursor else "grey19") if cursor != " " else Style()
        pieces = [(number, Style(dim=True)), (f"{letter:<2} ", style + Style(bold=True)), (f"{tag} ", Style(dim=True))]
        segments = [Segment(piece, self.rich_style + of + back) for piece, of in [*pieces, (text, style)]]
        return Strip(segments).adjust_cell_length(width, self.rich_style + back)


class Box(ModalScreen[bool]):
    """A text on top of the page; the next key closes it, and `y` means yes."""

    CSS = """
    Box { align: center middle; }
    Box Static { width: auto; height: auto; max-width: 100%; padding: 0 2; border: round $accent; background: $panel; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Show the text."""
        yield Static(self._text, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Close the box; the key has no other effect."""
        event.stop()
        self.dismiss(event.key == "y")


def label_of(session: Session, row: int) -> tuple[str, Style]:
    """Return the text and style of a segment's label: a letter, followed by `?` if it is a suggestion."""
    code = int(session.codes[row])
    if code != UNLABELLED:
        return LETTERS[code].upper(), Style(color=COLOURS[code])
    code = int(session.suggestions[row])
    return (f"{LETTERS[code]}?", Style(dim=True, italic=True)) if code != UNLABELLED else ("\u00b7", Style())


def on_screen(text: str) -> str:
    """Return a text that does not control the terminal; unprintable characters leave gaps, as soft hyphens are many."""
    return printable(text, " ")


def head_line(session: Session, name: str, number: int, total: int) -> Text:
    """Return the line above the list: the page, how many segments are labelled, whether the labels are saved."""
    parts = [f" {on_screen(name)}", f"labelled {session.labelled}/{len(session)}"]
    if count := int(session.suggested.sum()):
        parts.append(f"{count} suggested")
    if total > 1:
        parts.insert(0, f" page {number}/{total}")
    if session.mark is not None:
        start, end = session.selection
        parts.append(f"range {start + 1} to {end}")
    line = Text("  ".join(parts), no_wrap=True)
    return line.append("  \u25cf unsaved", style="bold red") if session.unsaved else line


def detail(session: Session) -> Text:
    """Return the full text of the segment at the cursor, with the elements it is in."""
    if not len(session):
        page = session.blocks.page
        return Text(f"No text on this page ({page.status}{': ' * bool(page.message)}{on_screen(page.message)}).")
    page, row = session.blocks.page, session.cursor
    names: list[str] = []
    node = int(session.blocks.node[row])
    while node >= 0 and len(names) < 5:
        names.append(page.tag_name(node))
        node = int(page.parent[node])
    code, suggested = int(session.codes[row]), int(session.suggestions[row])
    suggestion = f"{LABELS[suggested]}?" if suggested != UNLABELLED else "not labelled"
    label = LABELS[code] if code != UNLABELLED else suggestion
    path = on_screen(" > ".join(reversed(names)))
    text = session.blocks.texts[row]
    size = f"{len(text)} character{'s' * (len(text) != 1)}"
    line = Text(f"{row + 1} {label} \u00b7 {size} \u00b7 {path}\n", style="dim")
    return line.append(on_screen(text[:2000]), style=label_of(session, row)[1] + Style(dim=False))


def key_lines() -> Text:
    """Return the lines at the bottom, which name the keys."""
    lines = Text()
    for label, colour in zip(LABELS, COLOURS, strict=True):
        lines.append(" ").append(f" {label[0]} ", style=f"bold reverse {colour}").append(f" {label} ")
    for row in _KEYS:
        lines.append("\n")
        for key, action in row:
            lines.append(f" {key}", style="bold").append(f" {action} ", style="dim")
    return lines
