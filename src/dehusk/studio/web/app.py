"""The ASGI application of a studio."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from dehusk.base.errors import DehuskError
from dehusk.studio.web import (
    agreement_view,
    label_api,
    page_table,
    page_view,
    queue_view,
    report_view,
    rules_view,
    site_view,
    train_view,
)
from dehusk.studio.web.answers import error_answer, failure_answer
from dehusk.studio.web.security import Guard
from dehusk.studio.web.state import STATIC, Studio

VIEWS = (page_table, page_view, label_api, queue_view, agreement_view, site_view, rules_view, train_view, report_view)
"""Modules with `ROUTES`; a view is one of them, one template and one module of JavaScript."""


class _StaticFiles(StaticFiles):
    """Files that browsers keep for good: other files have another path."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def make_app(studio: Studio, *, secret: str, port: int, ticket: str = "") -> ASGIApp:
    """Return the application.

    Args:
        studio: what it serves.
        secret: that requests need.
        port: that the server listens on.
        ticket: another secret, which admits once.
    """
    routes: list[Route | Mount] = [route for view in VIEWS for route in view.ROUTES]
    app = Starlette(
        routes=[*routes, Mount(studio.static, _StaticFiles(directory=STATIC))],
        exception_handlers={
            **dict.fromkeys(
                (DehuskError, KeyError, OverflowError, ClientDisconnect, sqlite3.Error, OSError), error_answer
            ),
            Exception: failure_answer,
        },
    )
    app.state.studio = studio
    app.router.redirect_slashes = False  # an address is right or wrong
    return Guard(app, secret, port, ticket)  # around all, also around the answers to failures
