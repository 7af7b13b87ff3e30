"""The views of sites: the list, and what the pages of one site share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dehusk.blocks import Blocks, segment
from dehusk.counts.model import ENOUGH
from dehusk.studio.page_rows import find_page
from dehusk.studio.site_methods import (
    CHOSEN,
    COMPARED,
    compare_methods,
    grey_page,
    information_view,
    leaf_words,
    read_surface,
    repeated_texts,
    structure_view,
    template_map,
)
from dehusk.studio.site_rows import list_site_pages, list_sites, site_facts, too_few_pages
from dehusk.studio.site_store import host_of, learned_folder, learned_record
from dehusk.studio.web.answers import BadRequestError, json_answer
from dehusk.studio.web.parameters import integer
from dehusk.studio.web.state import studio_of


def _sites(request: Request) -> Response:
    return studio_of(request).render("sites.html", view="site")


def _list(request: Request) -> Response:
    query = request.query_params
    found = list_sites(
        studio_of(request).project,
        search=query.get("search", ""),
        sort=query.get("sort", "pages"),
        descending=query.get("descending", "yes") == "yes",
        start=integer(request, "start", 0),
        count=integer(request, "count", 200, least=1, most=1000),
    )
    return json_answer({**found, "enough": ENOUGH})


def _host(request: Request) -> str:
    return host_of(request.path_params["key"])


def _folder(request: Request) -> Path:
    return learned_folder(studio_of(request).project, _host(request))


def _blocks(request: Request) -> Blocks:
    """Return the common blocks of the page of a request, which must be one of the site.

    Raises:
        KeyError: it is not.
    """
    studio, page = studio_of(request), int(request.path_params["page"])
    if find_page(studio.project, page)["host"] != _host(request):
        raise KeyError(page)
    return segment(studio.opened.document(page).page)


def _view(request: Request) -> Response:
    studio, host = studio_of(request), _host(request)
    facts = site_facts(studio.project, host)
    return studio.render(
        "site.html", view="site", host=host, key=request.path_params["key"], facts=facts, methods=COMPARED
    )


def _facts(request: Request) -> Response:
    studio, host = studio_of(request), _host(request)
    facts = site_facts(studio.project, host)
    few = "" if facts["usable"] >= ENOUGH else too_few_pages(facts["usable"])
    return json_answer({**facts, "few": few, "learned": learned_record(studio.project, host)})


def _pages(request: Request) -> Response:
    """Answer with pages of the site to choose from: those with some words, or those around one."""
    query = request.query_params
    found = list_site_pages(
        studio_of(request).project, _host(request), search=query.get("search", ""), around=integer(request, "around", 0)
    )
    return json_answer(found)


def _learn(request: Request) -> Response:
    host = _host(request)
    site_facts(studio_of(request).project, host)
    return json_answer(vars(studio_of(request).sites.start(host)))


def _progress(request: Request) -> Response:
    progress = studio_of(request).sites.progress(_host(request))
    return json_answer(None if progress is None else vars(progress))


def _cancel(request: Request) -> Response:
    studio, host = studio_of(request), _host(request)
    studio.sites.cancel(host)
    return _progress(request)


def _template(request: Request) -> Response:
    folder, blocks = _folder(request), _blocks(request)
    return json_answer({**_texts(blocks), **template_map(blocks, folder), "repeated": repeated_texts(folder)})


def _structure(request: Request) -> Response:
    folder, blocks = _folder(request), _blocks(request)
    return json_answer({**_texts(blocks), **structure_view(blocks, folder)})


def _leaf(request: Request) -> Response:
    return json_answer(leaf_words(_blocks(request), _folder(request), int(request.path_params["block"])))


def _surface(request: Request) -> Response:
    return json_answer(read_surface(_folder(request)))


def _grey(request: Request) -> Response:
    cut = None
    if "n" in request.query_params:
        cut = integer(request, "n", 2, least=1, most=400), integer(request, "a", 1, most=100)
    return json_answer(grey_page(_blocks(request), _folder(request), cut))


def _information(request: Request) -> Response:
    query = request.query_params
    try:
        changes = {name: float(query[name]) for name in CHOSEN if query.get(name)}
    except ValueError as error:
        raise BadRequestError(f"{', '.join(CHOSEN)} must be numbers") from error
    folder, blocks = _folder(request), _blocks(request)
    view = information_view(blocks, folder, query.get("preset") or "recommended", changes)
    return json_answer({**_texts(blocks), **view})


def _methods(request: Request) -> Response:
    folder, blocks = _folder(request), _blocks(request)
    page = int(request.path_params["page"])
    return json_answer({**_texts(blocks), **compare_methods(studio_of(request).opened, page, folder)})


def _texts(blocks: Blocks) -> dict[str, Any]:
    return {"texts": [text[:_MOST_TEXT] for text in blocks.texts]}


_MOST_TEXT = 300  # characters of a block, to show beside the page
_SITE = "/api/site/{key}"
_PAGE = _SITE + "/page/{page:int}"
ROUTES = [
    Route("/sites", _sites),
    Route("/site/{key}", _view),
    Route("/api/sites", _list),
    Route(_SITE, _facts),
    Route(_SITE + "/learning", _progress, methods=["GET"]),
    Route(_SITE + "/learning", _learn, methods=["POST"]),
    Route(_SITE + "/learning", _cancel, methods=["DELETE"]),
    Route(_SITE + "/pages", _pages),
    Route(_SITE + "/surface", _surface),
    Route(_PAGE + "/template", _template),
    Route(_PAGE + "/structure", _structure),
    Route(_PAGE + "/structure/{block:int}", _leaf),
    Route(_PAGE + "/grey", _grey),
    Route(_PAGE + "/information", _information),
    Route(_PAGE + "/methods", _methods),
]
