"""What the annotation tool draws: the list of segments, the segment at the cursor, the keys.

The list draws only the lines on the screen (Textual's line API), so a page of 40,000 segments moves like one of 40.
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

from dehusk.annotate.session import Session
from dehusk.gold import UNLABELLED
from dehusk.labels import LABELS

COLOURS = ("yellow", "cyan", "green", "dark_sea_green4", "grey50")
"""Of each label of `LABELS`; the letter says the same, for screens and eyes without colours."""

LETTERS = tuple(label[0] for label in LABELS)

_KEYS = (
    (
        ("space", "range"),
        ("n", "next unlabelled"),
        ("u", "undo"),
        ("x", "clear"),
        ("enter", "take ?"),
        ("a", "take all ?"),
    ),
    (("s", "save"), ("q", "save and quit"), ("Q", "quit without saving"), ("[ ]", "other page"), ("?", "help")),
)
_TAG = 8  # cells for the name of the element
_AROUND = 3  # lines that stay visible above and below the cursor


HELP = """\
One line is one piece of text between two tags of the page; beside
its number stand its label and the tag it is in. Say what it is:
  h  header        a title or heading
  l  list          an item of a list begins
  p  paragraph     a paragraph begins
  c  continuation  goes on with the one above; tags cut sentences:
                   p See   c our website   c for more.
  o  other         not content: menus, advertisements, footers

arrows, pgup, pgdn, home, end   move
n N     next, previous piece without a label
space   begin a range; move; the next label key labels all of it
u x     undo; take a label away
h?      only a suggestion: enter takes it, a takes all that are left
s       save; it is written beside the page, never into it
q Q     save and quit; quit without saving (asks)
[ ]     previous, next page                     any key goes back"""


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
        """Draw a session as it is now, the cursor in sight."""
        self._session = session
        self.virtual_size = Size(1, len(session))
        top, height = round(self.scroll_y), max(self.size.height, 1)
        around = min(_AROUND, (height - 1) // 2)
        lowest, highest = session.cursor - height + 1 + around, session.cursor - around
        self.scroll_to(y=min(max(top, lowest), highest), animate=False, immediate=True)
        self.refresh()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
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
        tag = set_cell_size(printable(blocks.page.tag_name(int(blocks.node[row]))), _TAG)
        text = printable(blocks.texts[row][:width])
        back = Style(bgcolor="grey30" if row == session.cursor else "grey19") if cursor != " " else Style()
        pieces = [(number, Style(dim=True)), (f"{letter:<2} ", style + Style(bold=True)), (f"{tag} ", Style(dim=True))]
        segments = [Segment(piece, self.rich_style + of + back) for piece, of in [*pieces, (text, style)]]
        return Strip(segments).adjust_cell_length(width, self.rich_style + back)


class Box(ModalScreen[bool]):
    """A text over the page; the next key takes it away, and `y` means yes."""

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
        """Close; the key does nothing else."""
        event.stop()
        self.dismiss(event.key == "y")


def label_of(session: Session, row: int) -> tuple[str, Style]:
    """Return how a segment's label shows: a letter, `?` behind it where it is only a suggestion, and a style."""
    code = int(session.codes[row])
    if code != UNLABELLED:
        return LETTERS[code].upper(), Style(color=COLOURS[code])
    code = int(session.suggestions[row])
    return (f"{LETTERS[code]}?", Style(dim=True, italic=True)) if code != UNLABELLED else ("\u00b7", Style())


def printable(text: str) -> str:
    """Replace what does not print: a page must not send commands to the terminal or turn its lines round."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def head_line(session: Session, name: str, number: int, of: int) -> Text:
    """Return the line above the list: which page, how far, whether it is saved."""
    parts = [f" {printable(name)}", f"labelled {session.labelled}/{len(session)}"]
    if count := int(session.suggested.sum()):
        parts.append(f"{count} suggested")
    if of > 1:
        parts.insert(0, f" page {number}/{of}")
    if session.mark is not None:
        start, end = session.selection
        parts.append(f"range {start + 1} to {end}")
    line = Text("  ".join(parts), no_wrap=True)
    return line.append("  \u25cf unsaved", style="bold red") if session.unsaved else line


def detail(session: Session) -> Text:
    """Return the segment at the cursor in full, with the elements that hold it."""
    if not len(session):
        page = session.blocks.page
        return Text(f"No text on this page ({page.status}{': ' * bool(page.message)}{printable(page.message)}).")
    page, row = session.blocks.page, session.cursor
    names: list[str] = []
    node = int(session.blocks.node[row])
    while node >= 0 and len(names) < 5:
        names.append(page.tag_name(node))
        node = int(page.parent[node])
    code, suggested = int(session.codes[row]), int(session.suggestions[row])
    guess = f"{LABELS[suggested]}?" if suggested != UNLABELLED else "not labelled"
    label = LABELS[code] if code != UNLABELLED else guess
    path = printable(" > ".join(reversed(names)))
    text = session.blocks.texts[row]
    size = f"{len(text)} character{'s' * (len(text) != 1)}"
    line = Text(f"{row + 1} {label} \u00b7 {size} \u00b7 {path}\n", style="dim")
    return line.append(printable(text[:2000]), style=label_of(session, row)[1] + Style(dim=False))


def key_lines() -> Text:
    """Return the lines at the bottom: what each key does."""
    lines = Text()
    for label, colour in zip(LABELS, COLOURS, strict=True):
        lines.append(" ").append(f" {label[0]} ", style=f"bold reverse {colour}").append(f" {label} ")
    for row in _KEYS:
        lines.append("\n")
        for key, does in row:
            lines.append(f" {key}", style="bold").append(f" {does} ", style="dim")
    return lines
