"""What people note about a page as a whole: a flag and a comment."""

from __future__ import annotations

from dehusk.base.errors import ConfigError, unknown
from dehusk.studio.labelling import apply_flag
from dehusk.studio.page_rows import FLAGS
from dehusk.studio.project import Project

_MOST = 5_000  # characters of a comment


def set_note(
    project: Project, page: int, annotator: str, *, flag: str | None = None, comment: str | None = None
) -> None:
    """Store the flag or the comment of a page, or both; "" removes it.

    A flag is the annotator's own, and can be undone like labels; the comment is everybody's.

    Raises:
        ConfigError: unknown flag, or a comment that is too long.
        KeyError: there is no such page.
    """
    if flag and flag not in FLAGS:
        raise ConfigError(unknown("flag", flag, FLAGS))
    if comment and len(comment) > _MOST:
        raise ConfigError(f"a comment can have {_MOST} characters, this one has {len(comment)}")
    if flag is not None:
        apply_flag(project, annotator, page, flag)
    if comment is not None:
        with project.writing() as connection:
            found = connection.execute("UPDATE page SET comment = ? WHERE id = ?", (comment, page))
            if not found.rowcount:
                raise KeyError(page)
