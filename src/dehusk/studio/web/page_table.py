"""The view of all pages."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from dehusk.base.errors import InputError
from dehusk.studio.list_export import ListFile, export_command
from dehusk.studio.making import count_outdated
from dehusk.studio.other_tools import offered_tools
from dehusk.studio.page_columns import columns_of
from dehusk.studio.page_rows import (
    CHOICES,
    FLAGS,
    RANGES,
    PageFilter,
    PageList,
    find_neighbours,
    first_rows,
    list_losses,
    rows_of,
)
from dehusk.studio.receiving import Received, receive_address, receive_file, receive_text
from dehusk.studio.tool_agreement import compared_tool
from dehusk.studio.web.answers import BadRequestError, body_of, json_answer
from dehusk.studio.web.parameters import FIRST_ORDER, integer, listed_pages, page_filter, page_order
from dehusk.studio.web.state import Studio, studio_of


def _view(request: Request) -> Response:
    tools = [name for name, version in offered_tools().items() if version]
    return studio_of(request).render("pages.html", view="pages", flags=FLAGS, tools=tools)


def _rows(request: Request) -> Response:
    """Answer with some rows of the list, how many the list has, and how many pages there are."""
    project, chosen, order = (
        studio_of(request).project,
        page_filter(request.query_params),
        page_order(request.query_params),
    )
    start, count = integer(request, "start", 0), integer(request, "count", 100, least=1, most=500)
    if chosen == PageFilter() and order == FIRST_ORDER and not columns_of(project).is_read:
        rows, total = first_rows(project, start, count)
        return json_answer({"rows": rows, "count": total, "all": total})
    pages = PageList(project, chosen)
    ids = pages.ids(**order)
    rows = rows_of(project, ids[start : start + count].tolist())
    return json_answer({"rows": rows, "count": len(ids), "all": pages.all_pages})


def _facets(request: Request) -> Response:
    """Answer with numbers of pages: for each column what its values would show, by the other filters."""
    pages = PageList(studio_of(request).project, page_filter(request.query_params))
    return json_answer(
        {
            "values": {name: pages.count_values(name) for name in CHOICES},
            "histograms": {name: pages.histogram(name) for name in RANGES},
            "labelled": pages.count_labelled(),
            "tool": compared_tool(studio_of(request).project),
        }
    )


def _next(request: Request) -> Response:
    """Answer with the next page of a kind in the list, and its position in it, counted from 1."""
    project, chosen = studio_of(request).project, page_filter(request.query_params)
    pages = PageList(project, chosen)
    page = integer(request, "page", 0)
    kind = request.path_params["kind"]
    if kind not in ("confidence", "site"):
        raise BadRequestError("the next page is that of confidence or of site")
    found = pages.least_confident(page or None) if kind == "confidence" else pages.same_site(page)
    if found is None:
        return json_answer({"page": None})
    return json_answer(
        {
            "page": found,
            "position": find_neighbours(project, found, chosen, **page_order(request.query_params)).position,
        }
    )


def _progress(request: Request) -> Response:
    adding = studio_of(request).adding
    return json_answer(None if adding is None else vars(adding.progress))


async def _add(request: Request) -> Response:
    """Add a page by its address, its text, or its file; answer with its id, or null if a file of many is being read."""
    body, studio = await body_of(request), studio_of(request)
    received = await run_in_threadpool(_received, studio, {name: str(value) for name, value in body.items()})
    return json_answer({"page": received.page})


def _received(studio: Studio, body: Mapping[str, str]) -> Received:
    if body.get("address"):
        return receive_address(studio.project, body["address"])
    if "html" in body:
        return receive_text(studio.project, body["html"], body.get("url", ""))
    if studio.adding is not None and not studio.adding.progress.done:
        raise InputError("pages are being added: wait until they are there")
    try:
        data = base64.b64decode(body.get("data", ""), validate=True)
    except ValueError as error:
        raise BadRequestError("data must be base64") from error
    received = receive_file(studio.project, body.get("name", "page.html"), data, workers=studio.workers)
    studio.adding = received.adding or studio.adding
    return received


def _losses(request: Request) -> Response:
    losses, count = list_losses(studio_of(request).project)
    return json_answer({"losses": losses, "count": count})


def _again(request: Request) -> Response:
    """Answer with the number of rows that are out of date, and how far cleaning them again is."""
    studio = studio_of(request)
    progress = studio.again.progress
    return json_answer(
        {"outdated": count_outdated(studio.project), "progress": None if progress is None else vars(progress)}
    )


def _clean_again(request: Request) -> Response:
    studio_of(request).again.start()
    return _again(request)


def _cancel_again(request: Request) -> Response:
    studio_of(request).again.cancel()
    return _again(request)


def _exported(request: Request) -> Response:
    """Answer with how far the latest export is; null if there was none."""
    progress = studio_of(request).exports.progress
    return json_answer(None if progress is None else vars(progress))


async def _export(request: Request) -> Response:
    """Start to export the list that the query describes, and answer with the command that does it again."""
    studio, body, query = studio_of(request), await body_of(request), request.query_params
    wanted = ListFile(*(str(body.get(name, "")) for name in ("suffix", "content", "annotator"))).checked()
    pages = await run_in_threadpool(listed_pages, studio.project, str(query))
    studio.exports.start(pages, wanted)
    return json_answer({"command": export_command(studio.project.folder, str(query), wanted)})


def _cancel_export(request: Request) -> Response:
    studio_of(request).exports.cancel()
    return _exported(request)


def _exported_file(request: Request) -> Response:
    exports = studio_of(request).exports
    if exports.progress is None or exports.progress.state != "done":
        raise BadRequestError("no list has been exported")
    return FileResponse(exports.folder / exports.progress.name, filename=exports.progress.name)


def _agreement(request: Request) -> Response:
    """Answer with how far the comparison of all pages with a tool is; null if there was none."""
    progress = studio_of(request).agreements.progress
    return json_answer(None if progress is None else vars(progress))


async def _compare(request: Request) -> Response:
    agreements, body = studio_of(request).agreements, await body_of(request)
    await run_in_threadpool(agreements.start, str(body.get("tool", "")))
    return _agreement(request)


def _cancel_comparing(request: Request) -> Response:
    studio_of(request).agreements.cancel()
    return _agreement(request)


ROUTES = [
    Route("/", _view),
    Route("/api/pages", _rows),
    Route("/api/facets", _facets),
    Route("/api/next/{kind}", _next),
    Route("/api/adding", _progress),
    Route("/api/add", _add, methods=["POST"]),
    Route("/api/losses", _losses),
    Route("/api/export", _exported),
    Route("/api/export", _export, methods=["POST"]),
    Route("/api/export", _cancel_export, methods=["DELETE"]),
    Route("/api/export/file", _exported_file),
    Route("/api/tool-agreement", _agreement),
    Route("/api/tool-agreement", _compare, methods=["POST"]),
    Route("/api/tool-agreement", _cancel_comparing, methods=["DELETE"]),
    Route("/api/clean-again", _again),
    Route("/api/clean-again", _clean_again, methods=["POST"]),
    Route("/api/clean-again", _cancel_again, methods=["DELETE"]),
]
