"""Requests about the labels of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from dehusk.base.errors import unknown
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import SOURCES, UNKNOWN_SOURCE
from dehusk.blocks.labels import LABELS
from dehusk.studio.agreeing import list_annotators
from dehusk.studio.exporting import annotation_of, cleaneval_of, label_files
from dehusk.studio.importing import ImportReport, LabelFile, files_beside, import_labels
from dehusk.studio.labelling import (
    ACTIONS,
    Change,
    add_seconds,
    apply_changes,
    can_step,
    checked_annotator,
    count_done,
    count_labels,
    flags_of,
    keys_of_actions,
    labels_of,
    redo,
    seconds_on,
    set_label_keys,
    set_note,
    undo,
)
from dehusk.studio.likeness import alike_on_page, units_around
from dehusk.studio.outcome import suggested_codes
from dehusk.studio.page_rows import FLAGS, find_page
from dehusk.studio.web.answers import BadRequestError, OtherProjectError, body_of, json_answer
from dehusk.studio.web.page_view import settings_of
from dehusk.studio.web.parameters import page_filter
from dehusk.studio.web.state import Studio, studio_of

_PAGE = re.compile(r"[0-9]{1,18}")
_MOST_PREVIEWED = 50  # pages of a request
_SENT = re.compile(r"[\w-]{1,80}")


def _annotator(request: Request, given: Mapping[str, Any] | None = None) -> str:
    values: Mapping[str, Any] = request.query_params if given is None else given
    return checked_annotator(values.get("annotator", studio_of(request).annotator))


def _sent(request: Request, given: Mapping[str, Any]) -> str:
    """Return the id of a change, which browsers send again if they hear no answer; "" if it has none.

    Raises:
        BadRequestError: it is none.
        OtherProjectError: the change was made in another project.
    """
    identity = studio_of(request).project.identity
    if given.get("project", identity) != identity:
        raise OtherProjectError("this change was made in another project: the studio of that one stores it")
    sent = given.get("id", "")
    if not isinstance(sent, str) or (sent and not _SENT.fullmatch(sent)):
        raise BadRequestError("id must be up to 80 letters, digits and hyphens")
    return sent


def _page_of(request: Request) -> int:
    return int(request.path_params["page"])


def _blocks(studio: Studio, page: int) -> Blocks:
    return segment(studio.opened.parsed(page))  # not cleaned: invalid rules do not hinder who labels


def _state(studio: Studio, page: int, annotator: str) -> dict[str, Any]:
    """Return the labels of a page as plain values."""
    project = studio.project
    can_undo, can_redo = can_step(project, annotator, page)
    flags = flags_of(project, page)
    return {
        "codes": labels_of(project, page, annotator, len(_blocks(studio, page))).tolist(),
        "undo": can_undo,
        "redo": can_redo,
        "seconds": seconds_on(project, page, annotator),
        "flag": flags.get(annotator, ""),
        "flags_of_others": {name: flag for name, flag in flags.items() if name != annotator},
        "failure": studio.autosave.failures.get((page, annotator), ""),
    }


def _labels(request: Request) -> Response:
    studio, page, annotator = studio_of(request), _page_of(request), _annotator(request)
    row = find_page(studio.project, page)
    about = {
        "labels": LABELS,
        "flags": FLAGS,
        "comment": row["comment"],
        "annotators": [each["name"] for each in list_annotators(studio.project)],
        "file": str(label_files(studio.project, page, annotator).annotation),
    }
    return json_answer(_state(studio, page, annotator) | about)


async def _label(request: Request) -> Response:
    studio, page, body = studio_of(request), _page_of(request), await body_of(request)
    annotator = _annotator(request, body)
    changes = {page: (_integers(body, "blocks"), _codes_of(body), _source_of(body))}
    await run_in_threadpool(_apply, studio, annotator, changes, _sent(request, body))
    count = await run_in_threadpool(count_labels, studio.project, page, annotator)
    return json_answer({"labelled": count, "failure": studio.autosave.failures.get((page, annotator), "")})


async def _label_site(request: Request) -> Response:
    """Give blocks of several pages the same label, as one action."""
    studio, body = studio_of(request), await body_of(request)
    annotator, code, pages = _annotator(request, body), _codes_of(body), body.get("pages")
    if not isinstance(pages, dict) or not isinstance(code, int) or not all(map(_PAGE.fullmatch, pages)):
        raise BadRequestError("pages must be an object of pages with their blocks, and label a number")
    changes = {int(page): (_integers(pages, page), code, SOURCES.index("site")) for page in pages}
    count = await run_in_threadpool(_apply, studio, annotator, changes, _sent(request, body))
    return json_answer({"labels": count, "pages": len(changes)})


def _apply(
    studio: Studio, annotator: str, given: Mapping[int, tuple[list[int], int | list[int], int]], sent: str
) -> int:
    changes = [
        Change(page, len(studio.places.places(page).slot) if len(given) > 1 else len(_blocks(studio, page)), *change)
        for page, change in given.items()
    ]
    bodies = {page: studio.opened.body(page).data for page in given}
    count = apply_changes(studio.project, annotator, changes, bodies, sent=sent)
    studio.autosave.wake()
    return count


async def _step(request: Request) -> Response:
    studio, page, body = studio_of(request), _page_of(request), await body_of(request)
    annotator, sent = _annotator(request, body), _sent(request, body)
    step = {"undo": undo, "redo": redo}.get(request.path_params["step"])
    if step is None:
        raise BadRequestError("a step is undo or redo")
    if step is undo and "blocks" in body:
        step = partial(undo, blocks=_integers(body, "blocks"))
    pages = await run_in_threadpool(partial(step, studio.project, annotator, page, sent=sent))
    studio.autosave.wake()
    return json_answer({"pages": pages} | await run_in_threadpool(_state, studio, page, annotator))


async def _seconds(request: Request) -> Response:
    studio, page, body = studio_of(request), _page_of(request), await body_of(request)
    seconds, _ = body.get("seconds"), _sent(request, body)
    if not isinstance(seconds, (int, float)):
        raise BadRequestError("seconds must be a number")
    size = len(await run_in_threadpool(_blocks, studio, page))
    add_seconds(studio.project, page, _annotator(request, body), float(seconds), size)
    return json_answer(None)


async def _note(request: Request) -> Response:
    studio, page, body = studio_of(request), _page_of(request), await body_of(request)
    annotator, _ = _annotator(request, body), _sent(request, body)  # the same note again changes nothing
    given = {name: str(body[name]) for name in ("flag", "comment") if name in body}
    await run_in_threadpool(partial(set_note, studio.project, page, annotator, **given))
    return json_answer(await run_in_threadpool(_state, studio, page, annotator))


def _suggestions(request: Request) -> Response:
    """Answer with the labels that an annotator gave (by=name), or that settings give."""
    studio, page = studio_of(request), _page_of(request)
    if "by" in request.query_params:
        name = checked_annotator(request.query_params["by"])
        codes = labels_of(studio.project, page, name, len(_blocks(studio, page)))
    else:
        codes = suggested_codes(studio.opened.document(page, settings_of(studio.project, request.query_params)))
    return json_answer({"codes": codes.tolist()})


def _alike(request: Request) -> Response:
    blocks = _blocks(studio_of(request), _page_of(request))
    chosen = _chosen(request)
    units = [unit._asdict() for unit in units_around(blocks, chosen)]
    return json_answer({"blocks": alike_on_page(blocks, chosen), "units": units})


def _chosen(request: Request) -> list[int]:
    try:
        return [int(block) for block in request.query_params.get("blocks", "").split(",") if block]
    except ValueError as error:
        raise BadRequestError("blocks must be whole numbers") from error


def _site_pages(request: Request) -> Response:
    return json_answer({"pages": studio_of(request).places.pages_of_site(_page_of(request))})


async def _site_preview(request: Request) -> Response:
    studio, page, body = studio_of(request), _page_of(request), await body_of(request)
    annotator, blocks = _annotator(request, body), _integers(body, "blocks")
    pages, same_text = _integers(body, "pages")[:_MOST_PREVIEWED], bool(body.get("same_text"))
    return json_answer(await run_in_threadpool(_previewed, studio, annotator, page, blocks, pages, same_text=same_text))


def _previewed(
    studio: Studio, annotator: str, page: int, blocks: list[int], pages: list[int], *, same_text: bool
) -> list[dict[str, Any]]:
    rows = studio.places.preview(page, blocks, pages, same_text=same_text)
    for row in rows:
        if "blocks" in row:
            codes = labels_of(studio.project, row["page"], annotator, row["size"])
            row["codes"] = codes[row["blocks"]].tolist()
    return rows


def _integers(values: Mapping[str, Any], name: str) -> list[int]:
    given = values.get(name)
    if not isinstance(given, list) or not all(type(value) is int for value in given):
        raise BadRequestError(f"{name} must be a list of whole numbers")
    return given


def _codes_of(body: Mapping[str, Any]) -> int | list[int]:
    return _integers(body, "labels") if "labels" in body else _integers({"label": [body.get("label")]}, "label")[0]


def _source_of(body: Mapping[str, Any]) -> int:
    """Return how labels were given: one of `SOURCES`, or nothing."""
    source = body.get("source", "")
    if source and source not in SOURCES:
        raise BadRequestError(unknown("source", str(source), SOURCES))
    return SOURCES.index(source) if source else UNKNOWN_SOURCE


def _progress(request: Request) -> Response:
    return json_answer(count_done(studio_of(request).project, page_filter(request.query_params), _annotator(request)))


def _keys(request: Request) -> Response:
    keys = keys_of_actions(studio_of(request).project)
    rows = [
        {"action": action, "key": keys[action], "usual": usual, "words": words}
        for action, (usual, words) in ACTIONS.items()
    ]
    return json_answer(rows)


async def _set_keys(request: Request) -> Response:
    return json_answer(set_label_keys(studio_of(request).project, await body_of(request)))


async def _import(request: Request) -> Response:
    """Import the files that a request contains, or those beside the pages (beside: true)."""
    studio, body = studio_of(request), await body_of(request)
    annotator, given = _annotator(request, body), body.get("files", [])
    if not isinstance(given, list) or not all(isinstance(file, dict) for file in given):
        raise BadRequestError("files must be a list of names and contents")
    files = [LabelFile(str(file.get("name", "")), str(file.get("content", ""))) for file in given]
    return json_answer(
        vars(await run_in_threadpool(_imported, studio, annotator, None if body.get("beside") else files))
    )


def _imported(studio: Studio, annotator: str, files: list[LabelFile] | None) -> ImportReport:
    report = import_labels(studio.project, annotator, files_beside(studio.project) if files is None else files)
    studio.autosave.wake()
    return report


def _annotation(request: Request) -> Response:
    _, annotation = annotation_of(studio_of(request).project, _page_of(request), _annotator(request))
    return _download(annotation.json(), f"{_page_of(request)}.html.anno.json")


def _cleaneval(request: Request) -> Response:
    text = cleaneval_of(studio_of(request).project, _page_of(request), _annotator(request))
    return _download(text, f"{_page_of(request)}.txt")


def _copy(request: Request) -> Response:
    """Answer with a copy of the database."""
    project = studio_of(request).project
    with ExitStack() as making:
        path = Path(making.enter_context(TemporaryDirectory(prefix="copy-", dir=project.folder)), "project.db")
        project.save_copy(path)
        end = BackgroundTask(making.pop_all().close)
    return FileResponse(path, filename=f"{project.folder.resolve().name}.db", background=end)


def _download(text: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text.encode("utf-8", "replace"), headers=headers)


ROUTES = [
    Route("/api/page/{page:int}/labels", _labels),
    Route("/api/page/{page:int}/labels", _label, methods=["POST"]),
    Route("/api/page/{page:int}/labels/{step:str}", _step, methods=["POST"]),
    Route("/api/page/{page:int}/seconds", _seconds, methods=["POST"]),
    Route("/api/page/{page:int}/note", _note, methods=["PUT"]),
    Route("/api/page/{page:int}/suggestions", _suggestions),
    Route("/api/page/{page:int}/alike", _alike),
    Route("/api/page/{page:int}/site-pages", _site_pages),
    Route("/api/page/{page:int}/site-preview", _site_preview, methods=["POST"]),
    Route("/api/page/{page:int}/annotation", _annotation),
    Route("/api/page/{page:int}/cleaneval", _cleaneval),
    Route("/api/site-labels", _label_site, methods=["POST"]),
    Route("/api/copy", _copy),
    Route("/api/labelling", _progress),
    Route("/api/label-keys", _keys),
    Route("/api/label-keys", _set_keys, methods=["PUT"]),
    Route("/api/label-files", _import, methods=["POST"]),
]
