"""The view of one page: the page itself with its blocks marked, and the outcome beside it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from dehusk.base.errors import DehuskError, InputError
from dehusk.blocks import segment
from dehusk.blocks.labels import KINDS, OTHER
from dehusk.document import Document
from dehusk.lab.gold.alignment import label_blocks
from dehusk.label import STYLES
from dehusk.label.declaration import Declaration
from dehusk.label.registry import DEFAULT, declaration, declarations
from dehusk.studio.comparing import comparison
from dehusk.studio.explaining import why
from dehusk.studio.exporting import safe_name
from dehusk.studio.frame import to_frame
from dehusk.studio.linked_sheets import sheets_of_page
from dehusk.studio.model_list import default_settings, list_models
from dehusk.studio.opened import HOST, ViewSettings
from dehusk.studio.other_tools import offered_tools
from dehusk.studio.outcome import block_outcome, common_of
from dehusk.studio.page_columns import columns_of
from dehusk.studio.page_gold import find_gold, judged_texts
from dehusk.studio.page_rows import find_neighbours, find_page
from dehusk.studio.places import FORMATS, outcome_text
from dehusk.studio.project import Project
from dehusk.studio.site_store import learned_record, learns_from_whole_sites
from dehusk.studio.web.answers import BadRequestError, answers_within, body_of, json_answer
from dehusk.studio.web.parameters import page_filter, page_order
from dehusk.studio.web.security import FRAME_PATH
from dehusk.studio.web.state import Studio, studio_of

_TOOL = "tool:"  # before the name of a tool that an outcome is compared with
_NO_TEXT = "none"  # format of an outcome that is shown only by marks of blocks


def _page_of(request: Request) -> int:
    return int(request.path_params["page"])


def settings_of(project: Project, query: Mapping[str, str]) -> ViewSettings:
    """Return the settings that a query describes: method, model, style, favour, rules=no, site=yes.

    What the method does not have, such as `favour`, is left out.

    Raises:
        BadRequestError: `favour` is not a number, or the model is not one that the studio lists.
        ConfigError: there is no such method.
    """
    model = query.get("model") or None
    if model is not None and all(listed.value != model for listed in list_models(project)):
        raise BadRequestError("model must be one that the studio lists")  # never a path elsewhere
    try:
        favour = float(query["favour"]) if query.get("favour") else None
    except ValueError as error:
        raise BadRequestError("favour must be a number from 0 to 1") from error
    method = query.get("method") or DEFAULT
    declared = declaration(method)
    uses_site = declared.site == "required" or (declared.site == "optional" and query.get("site") == "yes")
    return ViewSettings(
        method=method,
        model=model if declared.default_model else None,
        style=(query.get("style") or None) if "style" in declared.options else None,
        favour=favour if "favour" in declared.options else None,
        site=HOST if uses_site else None,
        rules=query.get("rules") != "no",
    )


def _view(request: Request) -> Response:
    studio = studio_of(request)
    row = find_page(studio.project, _page_of(request))
    pages_of_host = studio.opened.sites.key(row["id"])[1] if row["host"] else 1
    is_learned = learned_record(studio.project, row["host"]) is not None
    methods = [declared for declared in declarations() if _applies(declared, pages_of_host, is_learned=is_learned)]
    return studio.render(
        "page.html",
        view="page",
        page=row,
        styles=STYLES,
        methods=methods,
        models=list_models(studio.project),
        default=default_settings(studio.project),
        formats=FORMATS,
        tools=[name for name, version in offered_tools().items() if version],
        kinds=KINDS,
        pages_of_host=pages_of_host,
        answers=answers_within(request, _asked_first(request)),
    )


def _asked_first(request: Request) -> list[str]:
    """Return the requests of a page just opened, except for the outcome, which depends on settings, and labels.

    Labels are asked for later, because a tab may be sending some just now; and so are neighbours, as long as the
    columns of a large project have not been read.
    """
    path = f"/api/page/{_page_of(request)}"
    listed = urlencode([(name, value) for name, value in request.query_params.multi_items() if name[:5] != "with-"])
    neighbours = [f"{path}/neighbours?{listed}"] if columns_of(studio_of(request).project).is_read else []
    return [f"{path}/blocks", *neighbours, f"{path}/gold", "/api/label-keys", "/api/adding"]


def _applies(declared: Declaration, pages_of_host: int, *, is_learned: bool) -> bool:
    """Return whether a method can clean a page: some need other pages of its host, or a site learned as a whole."""
    if learns_from_whole_sites(declared.name):
        return is_learned
    return declared.site != "required" or pages_of_host > 1


def _frame(request: Request) -> Response:
    studio, number = studio_of(request), _page_of(request)
    (page, frame), studio.ahead = studio.ahead, (-1, b"")
    return HTMLResponse(frame if page == number else _frame_of(studio, number))


def _frame_of(studio: Studio, number: int) -> bytes:
    page = studio.opened.document(number).page
    sheets = sheets_of_page(studio.project, number, page)
    return to_frame(segment(page), sheets).encode("utf-8", "replace")


def _ahead(request: Request) -> Response:
    """Prepare a page that is probably opened next; what is wrong with it is told when it is opened."""
    studio, number = studio_of(request), _page_of(request)
    with suppress(DehuskError, KeyError, OSError):
        studio.opened.document(number, settings_of(studio.project, request.query_params))
        studio.ahead = number, _frame_of(studio, number)
    return json_answer(None)


def _blocks(request: Request) -> Response:
    """Answer with what does not depend on settings: text and number of words of each common block."""
    studio, number = studio_of(request), _page_of(request)
    row = find_page(studio.project, number)
    blocks = segment(studio.opened.document(number).page)
    return json_answer({"page": row, "texts": blocks.texts, "words": blocks.words.tolist(), "kinds": KINDS})


def _outcome(request: Request) -> Response:
    studio, number = studio_of(request), _page_of(request)
    document = studio.opened.document(number, settings_of(studio.project, request.query_params))
    if request.query_params.get("format") == _NO_TEXT:
        return json_answer(outcome_record(document) | {"text": None, "places": []})
    text, places = outcome_text(document, format_of(request))
    return json_answer(outcome_record(document) | {"text": text, "places": places})


def format_of(request: Request) -> str:
    """Return the format that a query names.

    Raises:
        BadRequestError: the studio does not show it.
    """
    format_name = request.query_params.get("format", "text")
    if format_name not in FORMATS:
        raise BadRequestError(f"format must be one of {', '.join(FORMATS)}")
    return format_name


def outcome_record(document: Document) -> dict[str, Any]:
    """Return the outcome of a page as plain values, with columns for its common blocks."""
    common = common_of(document).tolist()
    return {
        "status": str(document.status),
        "message": document.message,
        "confidence": round(document.confidence, 4),
        "notes": document.notes,
        "model": document.model,
        "blocks": block_outcome(document).columns(),
        "hidden": {str(common[own]): reason for own, reason in document.labels.hidden.items()},
    }


def _reason(request: Request) -> Response:
    studio, number = studio_of(request), _page_of(request)
    document = studio.opened.document(number, settings_of(studio.project, request.query_params), explain=True)
    site, is_final = studio.opened.sites.if_learned(number)
    answer = why(document, int(request.path_params["block"]), site)
    return json_answer(answer | {"final": is_final})


def _overlay(request: Request) -> Response:
    """Answer with the page as one file: its blocks marked, with their reasons; nothing in it loads or runs."""
    studio, number = studio_of(request), _page_of(request)
    document = studio.opened.document(number, settings_of(studio.project, request.query_params), explain=True)
    name = f"{Path(safe_name(find_page(studio.project, number)['name'])).stem}-explained.html"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(document.overlay.encode("utf-8", "replace"), media_type="application/octet-stream", headers=headers)


def _gold(request: Request) -> Response:
    studio, number = studio_of(request), _page_of(request)
    found = find_gold(studio.project, number, studio.opened.document(number))
    if found is None:
        return json_answer(None)
    return json_answer({"source": found.source, "codes": found.codes.tolist()})


async def _compare(request: Request) -> Response:
    """Answer with a word diff of an outcome and another one, the gold, a text that was sent, or that of a tool."""
    body, studio, number = await body_of(request), studio_of(request), _page_of(request)
    return json_answer(await run_in_threadpool(compared, studio, number, body))


def compared(studio: Studio, number: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a word diff of an outcome and what a request names; its places are those of the outcome's blocks.

    `kept` says of each common block whether the other keeps it: None for a text, or where gold says nothing.

    Raises:
        BadRequestError: the request names nothing to compare with.
        InputError: the page has no gold, or the tool fails on it.
        MissingExtraError: the tool is not installed.
    """
    settings, kind = settings_of(studio.project, _texts(body, "settings")), body.get("with")
    document = studio.opened.document(number, settings)
    name, right, left = "the text", "", document.text
    kept: list[Any] | None = None
    places = outcome_text(document, "text")[1]
    if kind == "text":
        right = str(body.get("text", ""))
    elif kind == "settings":
        other = studio.opened.document(number, settings_of(studio.project, _texts(body, "other")))
        right, kept = other.text, block_outcome(other).columns()["kept"]
    elif kind == "gold":
        gold = find_gold(studio.project, number, document)
        if gold is None:
            raise InputError("this page has no gold")
        name, (left, right, places) = gold.source, judged_texts(document, gold)
        kept = [None if code < 0 else code != OTHER for code in gold.codes.tolist()]
    elif isinstance(kind, str) and kind.startswith(_TOOL):
        name = kind.removeprefix(_TOOL)
        right = studio.tool_texts.text(number, name)
        kept = (label_blocks(segment(document.page), [("paragraph", right)])[0] != OTHER).tolist()
    else:
        raise BadRequestError(f"with must be text, settings, gold, or {_TOOL} and a name")
    return comparison(left, right) | {"name": name, "places": places, "kept": kept}


def _texts(body: Mapping[str, Any], name: str) -> dict[str, str]:
    given = body.get(name, {})
    if not isinstance(given, dict):
        raise BadRequestError(f"{name} must be an object")
    return {str(key): str(value) for key, value in given.items()}


def _neighbours(request: Request) -> Response:
    found = find_neighbours(
        studio_of(request).project,
        _page_of(request),
        page_filter(request.query_params),
        **page_order(request.query_params),
    )
    return json_answer(found._asdict())


ROUTES = [
    Route("/page/{page:int}", _view),
    Route(f"{FRAME_PATH}{{page:int}}", _frame),
    Route("/api/page/{page:int}/ahead", _ahead),
    Route("/api/page/{page:int}/blocks", _blocks),
    Route("/api/page/{page:int}/outcome", _outcome),
    Route("/api/page/{page:int}/reason/{block:int}", _reason),
    Route("/api/page/{page:int}/overlay", _overlay),
    Route("/api/page/{page:int}/gold", _gold),
    Route("/api/page/{page:int}/compare", _compare, methods=["POST"]),
    Route("/api/page/{page:int}/neighbours", _neighbours),
]
