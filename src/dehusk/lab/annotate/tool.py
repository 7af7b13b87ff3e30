"""The annotation tool as a function: checks its arguments, then opens the screen."""

from collections.abc import Sequence
from pathlib import Path

from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.lab.annotate.page_progress import PageProgress, read_progress
from dehusk.lab.annotate.session import Session, annotation_path
from dehusk.lab.annotate.suggestions import Suggest


def annotate(
    paths: Sequence[Path],
    *,
    every_tag: bool = True,
    suggest: Suggest | None = None,
    annotation_dir: Path | None = None,
    annotator: str | None = None,
) -> int:
    """Let an annotator label pages in the terminal.

    Labels are saved as `<page file name>.anno.json`; existing annotations are continued.

    Args:
        paths: page files; they are never changed.
        every_tag: split text at every tag, and include the alternative texts of images, as in Victor's thesis.
        suggest: returns labels for the annotator to confirm; see `dehusk.lab.annotate.suggest_by`.
        annotation_dir: the folder of the annotations; by default they are beside the pages.
        annotator: the annotator's name, stored in the annotation.

    Returns:
        0, or 1 if labels were discarded or the screen failed.

    Raises:
        InputError: `paths` is empty, two pages would share an annotation, or the first page cannot be read.
        GoldError: the first page's annotation is malformed or belongs to another page (other pages are skipped with a
            message).
        MissingExtraError: textual is not installed.
    """
    if not paths:
        raise InputError("no pages to annotate")
    targets: dict[Path, Path] = {}
    for path in paths:
        target = annotation_path(path, annotation_dir)
        if target in targets:
            raise InputError(
                f"{targets[target]} and {path} would share the annotation {target}: annotate them separately"
            )
        targets[target] = path

    def open_page(path: Path) -> Session:
        session = Session.open(path, annotation_path(path, annotation_dir), every_tag=every_tag, annotator=annotator)
        if suggest is not None:
            session.set_suggestions(suggest(session.blocks))
        return session

    require("textual", extra="terminal", purpose="annotating pages in the terminal")
    from dehusk.lab.annotate.app import AnnotateApp  # noqa: PLC0415 (needs an extra)

    def look(path: Path) -> PageProgress:
        return read_progress(path, annotation_dir, every_tag=every_tag)

    app = AnnotateApp(paths, open_page, look)
    result = app.run()
    return (app.return_code or 0) if result is None else result
