"""The annotation tool as a function: checks what it is given, then hands over to the screen."""

from collections.abc import Sequence
from pathlib import Path

from dehusk.annotate.session import Session, Suggest, annotation_path
from dehusk.errors import InputError
from dehusk.extras import require


def annotate(
    paths: Sequence[Path],
    *,
    every_tag: bool = True,
    suggest: Suggest | None = None,
    annotation_dir: Path | None = None,
    annotator: str | None = None,
) -> int:
    """Let a person label pages in the terminal.

    Labels go to `<page file name>.anno.json`, and an annotation that is there is resumed.

    Args:
        paths: page files; never changed.
        every_tag: cut at every tag, images' alternative texts included, as Victor's thesis does.
        suggest: a method's labels for the person to confirm.
        annotation_dir: where annotations stand, if not beside the pages.
        annotator: who labels; kept in the annotation.

    Returns:
        0, or 1 if labels were thrown away (or the screen failed).

    Raises:
        InputError: no page is given, two would share an annotation, or the first cannot be read.
        MissingExtraError: textual is not installed.
        GoldError: the first page's annotation is malformed or of another page (later ones are skipped with a message).
    """
    if not paths:
        raise InputError("no page to annotate")
    targets: dict[Path, Path] = {}
    for path in paths:
        target = annotation_path(path, annotation_dir)
        if target in targets:
            raise InputError(f"{targets[target]} and {path} would share the annotation {target}")
        targets[target] = path

    def open_page(path: Path) -> Session:
        session = Session.open(path, annotation_path(path, annotation_dir), every_tag=every_tag, annotator=annotator)
        if suggest is not None:
            session.prelabel(suggest(session.blocks))
        return session

    require("textual", extra="terminal", purpose="annotating pages in the terminal")
    from dehusk.annotate.app import AnnotateApp  # noqa: PLC0415 (needs an extra)

    app = AnnotateApp(paths, open_page)
    result = app.run()
    return (app.return_code or 0) if result is None else result
