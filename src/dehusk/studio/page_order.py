"""The pages before and after one in a list that is filtered and sorted."""

from __future__ import annotations

from typing import NamedTuple

from dehusk.studio.page_rows import PageFilter, PageList
from dehusk.studio.project import Project


class Neighbours(NamedTuple):
    """Where a page is in a list."""

    previous: int | None
    next: int | None
    position: int
    """Number of pages up to it, including itself if the list has it."""
    total: int
    """Number of pages of the list."""


def find_neighbours(
    project: Project, page: int, chosen: PageFilter, *, sort: str = "id", descending: bool = False
) -> Neighbours:
    """Return the neighbours of a page; also of one that the filter no longer lets through.

    Raises:
        ConfigError: unknown column.
        KeyError: there is no such page.
    """
    before, is_listed, after = PageList(project, chosen).around(page, sort=sort, descending=descending)
    return Neighbours(
        previous=int(before[-1]) if len(before) else None,
        next=int(after[0]) if len(after) else None,
        position=len(before) + is_listed,
        total=len(before) + is_listed + len(after),
    )
