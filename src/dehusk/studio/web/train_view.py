"""The view of training: what there is to train on, a training under way, its result, and the pages to label next."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dehusk.studio.choosing import next_pages
from dehusk.studio.model_list import default_settings, list_models, set_default_model
from dehusk.studio.training import accept, discard, figures, result_of, trainable_methods
from dehusk.studio.training_set import plan_training
from dehusk.studio.web.answers import body_of, json_answer
from dehusk.studio.web.parameters import integer
from dehusk.studio.web.state import Studio, studio_of


def _view(request: Request) -> Response:
    return studio_of(request).render("train.html", view="train", methods=trainable_methods())


def _state(studio: Studio) -> dict[str, Any]:
    project, now = studio.project, default_settings(studio.project)
    result = result_of(project)
    own = [model for model in list_models(project) if model.value == str(project.models / model.name)]
    return {
        "plan": plan_training(project).plain(),
        "progress": studio.training.plain(),
        "result": None if result is None else result | {"figures": figures(result["rows"])},
        "default": own_name(own, now.model) or now.method,
        "models": [{"name": model.name, "method": model.method, "value": model.value} for model in own],
    }


def own_name(models: list[Any], folder: str | None) -> str:
    """Return the name of the model in a folder; "" if it is none of the project."""
    return next((model.name for model in models if model.value == folder), "")


def _training(request: Request) -> Response:
    return json_answer(_state(studio_of(request)))


async def _start(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    options = {name: body.get(name) is True for name in ("fill", "one_by_one")}
    await run_in_threadpool(partial(studio.training.start, str(body.get("method", "")), **options))
    return json_answer(_state(studio))


def _cancel(request: Request) -> Response:
    studio = studio_of(request)
    studio.training.cancel()
    return json_answer(_state(studio))


def _accept(request: Request) -> Response:
    studio = studio_of(request)
    name = accept(studio.project)
    return json_answer(_state(studio) | {"done": f"the studio now cleans by {name}"})


def _discard(request: Request) -> Response:
    studio = studio_of(request)
    discard(studio.project)
    return json_answer(_state(studio) | {"done": "the trained model is discarded"})


async def _default(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    name = body.get("model") or None
    set_default_model(studio.project, None if name is None else str(name))
    return json_answer(_state(studio) | {"done": f"the studio now cleans by {name or 'the default method'}"})


def _next(request: Request) -> Response:
    """Answer with the pages to label next."""
    count = integer(request, "count", 20, least=1, most=200)
    return json_answer({"pages": next_pages(studio_of(request).project, count)})


ROUTES = [
    Route("/train", _view),
    Route("/api/training", _training),
    Route("/api/training", _start, methods=["POST"]),
    Route("/api/training/cancel", _cancel, methods=["POST"]),
    Route("/api/training/accept", _accept, methods=["POST"]),
    Route("/api/training/discard", _discard, methods=["POST"]),
    Route("/api/training/default", _default, methods=["POST"]),
    Route("/api/next-pages", _next),
]
