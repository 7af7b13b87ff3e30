"""Setups: methods with their model and options, as a report compares them; stored as the query that the page view has.

The results of other tools are setups of their own: a name with a version, and no settings.
"""

from __future__ import annotations

import json
from typing import Any

from dehusk.label.registry import declaration, declarations
from dehusk.studio.model_list import ListedModel, list_models
from dehusk.studio.opened import HOST, ViewSettings
from dehusk.studio.project import Project
from dehusk.studio.site_store import learned_times, learns_from_whole_sites

_TOOL = "tool"


def setup_of(settings: ViewSettings) -> str:
    """Return the setup of settings; equal settings have equal setups."""
    query = {
        "method": settings.method,
        "model": settings.model,
        "style": settings.style,
        "favour": None if settings.favour is None else f"{settings.favour:g}",
        "site": "yes" if settings.site == HOST else None,
        "rules": None if settings.rules else "no",
    }
    return json.dumps({name: value for name, value in query.items() if value is not None}, sort_keys=True)


def setup_of_tool(title: str) -> str:
    """Return the setup of another tool's texts."""
    return json.dumps({_TOOL: title})


def query_of(setup: str) -> dict[str, str] | None:
    """Return the query of a setup, as the page view takes it; None if it is of another tool."""
    query: dict[str, str] = json.loads(setup)
    return None if _TOOL in query else query


def name_of_setup(setup: str, models: list[ListedModel]) -> str:
    """Return the name of a setup for people."""
    query: dict[str, str] = json.loads(setup)
    if _TOOL in query:
        return query[_TOOL]
    names = {model.value: model.name for model in models}
    model = query.get("model", "")
    parts = [query["method"]]
    if model and names.get(model, model) != query["method"]:
        parts.append(names.get(model) or f"{model.rpartition('/')[2]} (removed)")
    parts += [query["style"]] if "style" in query else []
    parts += [f"favour {query['favour']}"] if "favour" in query else []
    parts += ["site"] if declaration(query["method"]).site == "optional" and "site" in query else []
    return " · ".join(parts) + (" · without rules" if query.get("rules") == "no" else "")


def offered_methods(project: Project) -> list[dict[str, Any]]:
    """Return the methods to choose from as plain values, one row for each model of a method.

    Returns:
        method, model, name, summary, options; site: "no", "optional" or "required"; problem: why it cannot be chosen,
        or "".
    """
    models = list_models(project)
    rows = []
    for declared in declarations():
        own = [model for model in models if model.method == declared.name] if declared.default_model else []
        is_unlearned = learns_from_whole_sites(declared.name) and not learned_times(project)
        shared = {
            "method": declared.name,
            "summary": declared.summary,
            "options": [option for option in ("style", "favour") if option in declared.options],
            "site": declared.site,
            "problem": "needs a learned site: learn one in Sites" if is_unlearned else "",
        }
        rows += [shared | {"model": model.value, "name": model.name} for model in own]
        rows += [] if own else [shared | {"model": "", "name": ""}]
    return rows
