"""The view of two annotators: how well they agree, and the pages on which they differ."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dehusk.blocks.labels import LABELS
from dehusk.studio.agreeing import agreement_report, list_annotators
from dehusk.studio.labelling import checked_annotator
from dehusk.studio.web.answers import json_answer
from dehusk.studio.web.state import studio_of


def _view(request: Request) -> Response:
    studio = studio_of(request)
    return studio.render("agreement.html", view="agreement", annotators=list_annotators(studio.project), labels=LABELS)


def _report(request: Request) -> Response:
    names = [checked_annotator(request.query_params.get(name)) for name in ("first", "second")]
    return json_answer(agreement_report(studio_of(request).project, *names))


ROUTES = [
    Route("/agreement", _view),
    Route("/api/agreement", _report),
]
