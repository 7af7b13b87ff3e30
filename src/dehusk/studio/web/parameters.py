"""Values in the query of a request, checked."""

from __future__ import annotations

from typing import TypedDict

from starlette.datastructures import QueryParams
from starlette.requests import Request

from dehusk.base.errors import unknown
from dehusk.studio.page_rows import CHOICES, RANGES, PageFilter, PageList
from dehusk.studio.project import Project
from dehusk.studio.web.answers import BadRequestError


class PageOrder(TypedDict):
    """The order of a list of pages."""

    sort: str
    descending: bool


FIRST_ORDER: PageOrder = {"sort": "id", "descending": False}
"""The order of a list if its address says nothing."""


def integer(request: Request, name: str, default: int, *, least: int = 0, most: int = 1_000_000_000) -> int:
    """Return a whole number from a query.

    Raises:
        BadRequestError: it is none, or out of range.
    """
    try:
        value = int(request.query_params.get(name, default))
    except ValueError as error:
        raise BadRequestError(f"{name} must be a whole number") from error
    if not least <= value <= most:
        raise BadRequestError(f"{name} must be from {least} to {most}")
    return value


def page_filter(query: QueryParams) -> PageFilter:
    """Return the filter that a query describes: search, labelled, values of columns, `min,max` of ranges.

    Raises:
        BadRequestError: it has other ranges.
    """
    ranges: dict[str, tuple[float, float]] = {}
    for name in RANGES:
        if name in query:
            try:
                least, most = map(float, query[name].split(","))
            except ValueError as error:
                raise BadRequestError(f"{name} must be two numbers") from error
            if not least <= most:
                raise BadRequestError(f"{name} must be two ascending numbers")
            ranges[name] = (least, most)
    labelled = _answer(query, "labelled")
    values = {name: query.getlist(name) for name in CHOICES if name in query}
    return PageFilter(query.get("search", ""), values, ranges, labelled)


def page_order(query: QueryParams) -> PageOrder:
    """Return the order that a query describes: sort, descending=yes."""
    return {"sort": query.get("sort", "id"), "descending": bool(_answer(query, "descending"))}


def _answer(query: QueryParams, name: str) -> bool | None:
    """Return a "yes" or "no" of a query; None if it has neither.

    Raises:
        BadRequestError: it has another value.
    """
    given = query.get(name, "")
    if given not in _ANSWERS:
        raise BadRequestError(f"{name} must be yes or no")
    return _ANSWERS[given]


_ANSWERS = {"": None, "yes": True, "no": False}
_NAMES = ("search", "labelled", "sort", "descending", *CHOICES, *RANGES)


def listed_pages(project: Project, query: str) -> list[int]:
    """Return the ids of the pages of a list, in its order.

    Args:
        project: the project.
        query: what the address of the list says after its question mark.

    Raises:
        BadRequestError: the query has names or values that no list has.
        ConfigError: as `PageFilter` and `PageList`.
    """
    given = QueryParams(query)
    if wrong := [name for name in given if name not in _NAMES]:
        raise BadRequestError(unknown("filter", wrong[0], _NAMES))
    ids: list[int] = PageList(project, page_filter(given)).ids(**page_order(given)).tolist()
    return ids
