"""The rows of a project's table of pages."""

from typing import Any

from dehusk.studio.page_rows import PageFilter, PageList, rows_of
from dehusk.studio.project import Project


def list_pages(
    project: Project, chosen: PageFilter, *, start: int = 0, count: int = 100, **order: Any
) -> list[dict[str, Any]]:
    """Return some rows in the order that `PageList.ids` takes."""
    return rows_of(project, PageList(project, chosen).ids(**order)[start : start + count].tolist())


def count_pages(project: Project, chosen: PageFilter) -> int:
    """Return how many pages a filter lets through."""
    return len(PageList(project, chosen))
