"""The view of reports: how well methods do on the pages with gold, where they fail, and what they cost."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dehusk.label import STYLES
from dehusk.studio.comparing import comparison
from dehusk.studio.judgements import known_setups, remove_setup, setup_pages, setup_rows, tool_text
from dehusk.studio.model_list import default_settings
from dehusk.studio.other_tools import install_lines, offered_tools
from dehusk.studio.page_gold import find_gold
from dehusk.studio.result_files import list_result_files, predictions_in, remove_result_file, store_figures
from dehusk.studio.setups import offered_methods, query_of
from dehusk.studio.web.answers import BadRequestError, body_of, json_answer
from dehusk.studio.web.page_view import compared, settings_of
from dehusk.studio.web.parameters import integer
from dehusk.studio.web.state import Studio, studio_of


def _view(request: Request) -> Response:
    project = studio_of(request).project
    return studio_of(request).render(
        "report.html",
        view="report",
        methods=offered_methods(project),
        tools=(tools := offered_tools()),
        installs=install_lines(name for name, version in tools.items() if not version),
        styles=STYLES,
        default=default_settings(project),
        has_rules=project.rules.is_file(),
    )


def _state(studio: Studio, *, anew: bool = False) -> dict[str, Any]:
    gold = studio.report.gold(anew=anew)
    return {"gold": gold.plain(), "progress": studio.report.plain(), "rows": setup_rows(studio.project, gold)}


def _report(request: Request) -> Response:
    return json_answer(_state(studio_of(request), anew=request.query_params.get("anew") == "yes"))


def _progress(request: Request) -> Response:
    return json_answer(studio_of(request).report.plain())


async def _start(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    chosen, most = body.get("setups"), body.get("most")
    if not isinstance(chosen, list) or not all(isinstance(each, dict) for each in chosen):
        raise BadRequestError("setups must be a list of objects")
    if most is not None and (type(most) is not int or most < 1):
        raise BadRequestError("most must be a positive whole number")
    tools = [str(each["tool"]) for each in chosen if "tool" in each]
    queries = [{str(key): str(value) for key, value in each.items()} for each in chosen if "tool" not in each]
    settings = [settings_of(studio.project, query) for query in queries]
    again = body.get("again") is True
    await run_in_threadpool(studio.report.start, settings, tools=tools, most=most, again=again)
    return json_answer(studio.report.plain())


def _cancel(request: Request) -> Response:
    studio = studio_of(request)
    studio.report.cancel()
    return json_answer(studio.report.plain())


async def _remove(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    setup = _known(studio, body.get("setup"))
    await run_in_threadpool(remove_setup, studio.project, setup)
    return json_answer(await run_in_threadpool(_state, studio))


def _pages(request: Request) -> Response:
    """Answer with the pages of a setup, the worst ones first."""
    studio, query = studio_of(request), request.query_params
    found = setup_pages(
        studio.project,
        studio.report.gold(),
        _known(studio, query.get("setup")),
        sort=query.get("sort", "f1"),
        descending=query.get("descending") == "yes",
        most=integer(request, "most", 200, least=1, most=100_000),
    )
    return json_answer(found)


async def _compare(request: Request) -> Response:
    """Answer with a word diff of what a setup keeps of a page, and the gold."""
    body, studio, page = await body_of(request), studio_of(request), int(request.path_params["page"])
    return json_answer(await run_in_threadpool(_comparison, studio, page, _known(studio, body.get("setup"))))


def _comparison(studio: Studio, page: int, setup: str) -> dict[str, Any]:
    query = query_of(setup)
    if query is not None:
        return compared(studio, page, {"settings": query, "with": "gold"})
    gold = find_gold(studio.project, page, studio.opened.document(page))
    found = comparison(tool_text(studio.project, page, setup), "" if gold is None else gold.text)
    return found | {"name": "" if gold is None else gold.source, "places": []}


def _known(studio: Studio, setup: object) -> str:
    """Return a setup that has judgements.

    Raises:
        BadRequestError: it has none.
    """
    if not isinstance(setup, str) or setup not in known_setups(studio.project):
        raise BadRequestError("this method has no results")
    return setup


def _files(request: Request) -> Response:
    return json_answer({"files": list_result_files(studio_of(request).project)})


async def _add_file(request: Request) -> Response:
    """Take a file: figures become tables, predictions are judged."""
    body, studio = await body_of(request), studio_of(request)
    name, content = str(body.get("name") or "results"), str(body.get("content") or "")
    return json_answer(await run_in_threadpool(_added, studio, name, content))


def _added(studio: Studio, name: str, content: str) -> dict[str, Any]:
    predictions = predictions_in(name, content)
    if predictions is None:
        count = store_figures(studio.project, name, content)
        return {"kind": "figures", "tables": count, "files": list_result_files(studio.project)}
    studio.report.add_predictions(predictions)
    return {"kind": "predictions", "progress": studio.report.plain()}


async def _remove_file(request: Request) -> Response:
    studio = studio_of(request)
    await run_in_threadpool(remove_result_file, studio.project, int(request.path_params["file"]))
    return json_answer({"files": await run_in_threadpool(list_result_files, studio.project)})


ROUTES = [
    Route("/report", _view),
    Route("/api/report", _report),
    Route("/api/report", _start, methods=["POST"]),
    Route("/api/report/progress", _progress),
    Route("/api/report/cancel", _cancel, methods=["POST"]),
    Route("/api/report/remove", _remove, methods=["POST"]),
    Route("/api/report/pages", _pages),
    Route("/api/report/compare/{page:int}", _compare, methods=["POST"]),
    Route("/api/report/files", _files),
    Route("/api/report/files", _add_file, methods=["POST"]),
    Route("/api/report/files/{file:int}", _remove_file, methods=["DELETE"]),
]
