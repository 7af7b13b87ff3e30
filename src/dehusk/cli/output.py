"""Where a command's results go: a stream, a file, a folder; progress on a terminal."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TextIO, TypeVar

from rich.console import Console
from rich.progress import Progress

from dehusk.clean import Document
from dehusk.errors import InputError

T = TypeVar("T")
_TEXT_SHOWN = 100


@contextmanager
def open_output(path: str | None) -> Iterator[TextIO]:
    """Open a file for writing, or standard output; always UTF-8 with plain line ends.

    Raises:
        InputError: the file cannot be written.
    """
    if path is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        stream = Path(path).open("w", encoding="utf-8", newline="\n")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    with stream:
        yield stream


class OutputFolder:
    """One file a page, named after the page; two pages of one name get a number instead of overwriting each other."""

    def __init__(self, folder: Path, extension: str) -> None:
        self.folder = folder
        self.extension = extension
        self._taken: set[str] = set()

    def put(self, relative: str, content: str) -> None:
        """Write a page's content.

        Raises:
            InputError: the file cannot be written.
        """
        path = self.folder / self._name(relative)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from error

    def _name(self, relative: str) -> str:
        plain = PurePosixPath("stdin" if relative in ("-", "") else relative)
        name = plain.with_suffix(self.extension).as_posix()
        number = 2
        while name.casefold() in self._taken:
            name = plain.with_name(f"{plain.stem}-{number}{self.extension}").as_posix()
            number += 1
        self._taken.add(name.casefold())
        return name


def progress(results: Iterable[T], total: int, *, quiet: bool) -> Iterator[T]:
    """Yield results; with more than one, show how far it is on standard error, if that is a terminal."""
    console = Console(stderr=True)
    if quiet or total < 2 or not console.is_terminal:
        yield from results
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("cleaning", total=total)
        for result in results:
            yield result
            bar.advance(task)


def explained(document: Document) -> str:
    """Return every block on a line: kept or not, probability, label, text, and below it the reason."""
    lines = [
        f"{'status':>10}  {document.status} {document.message}".rstrip(),
        f"{'encoding':>10}  {document.page.encoding.name} ({document.page.encoding.evidence})",
        f"{'confidence':>10}  {document.confidence:.2f}",
        *(f"{'note':>10}  {note}" for note in document.page.notes),
        "",
    ]
    for block in document.blocks:
        text = block.text if len(block.text) <= _TEXT_SHOWN else block.text[: _TEXT_SHOWN - 1] + "…"
        lines.append(f"{'keep' if block.kept else 'drop':>10}  {block.probability:.2f} {block.label:<12} {text}")
        lines.append(f"{'':>10}  {'':>4} {'':<12} {block.reason}")
    return "\n".join(lines) + "\n"
