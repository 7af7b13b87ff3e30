"""The view of the queue: one unit at a time, of all pages of a list."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dehusk.blocks import segment
from dehusk.studio.labelling import annotators_of, checked_annotator, labels_of
from dehusk.studio.page_rows import find_page
from dehusk.studio.unit_queue import agreement_with_others, expected_gain, list_queue
from dehusk.studio.unit_surroundings import surroundings
from dehusk.studio.web.answers import BadRequestError, json_answer
from dehusk.studio.web.parameters import integer, page_filter
from dehusk.studio.web.state import studio_of


def _annotator(request: Request) -> str:
    return checked_annotator(request.query_params.get("annotator", studio_of(request).annotator))


def _view(request: Request) -> Response:
    return studio_of(request).render("queue.html", view="queue", annotator=_annotator(request))


def _queue(request: Request) -> Response:
    """Answer with the next units; with `corrected` (a 0 or 1 for each decision) also with what these were worth."""
    project, annotator = studio_of(request).project, _annotator(request)
    found = list_queue(
        project, annotator, page_filter(request.query_params), count=integer(request, "count", 20, most=200)
    )
    corrected = request.query_params.get("corrected")
    if corrected is not None:
        if corrected.strip("01"):
            raise BadRequestError("corrected must be a 0 or 1 for each decision")
        gain = expected_gain([each == "1" for each in corrected], found["left"]["unsure"]) if corrected else ""
        found |= {"gain": gain, "agreement": agreement_with_others(project, annotator)}
    return json_answer(found)


def _unit(request: Request) -> Response:
    studio, page = studio_of(request), int(request.path_params["page"])
    row = find_page(studio.project, page)
    document = studio.opened.document(page, explain=True)
    size = len(segment(document.page))
    codes = {name: labels_of(studio.project, page, name, size) for name in annotators_of(studio.project, page)}
    of_now = {name: own for name, own in codes.items() if len(own) == size}
    first, stop = integer(request, "first", 0), integer(request, "stop", 1)
    return json_answer(
        {"page": page, "title": row["title"] or row["name"] or row["url"], "site": row["host"]}
        | surroundings(document, first, stop, _annotator(request), of_now)
    )


ROUTES = [
    Route("/queue", _view),
    Route("/api/queue", _queue),
    Route("/api/page/{page:int}/unit", _unit),
]
