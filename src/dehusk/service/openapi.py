"""The description of the HTTP service in OpenAPI 3.1, made of the types of the requests and answers."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from dehusk.base.version import __version__
from dehusk.service.operations import OPERATIONS, CleanAnswer, Operation
from dehusk.service.requests import BatchLine, CleanWanted, Wanted
from dehusk.write import WRITERS

PAGE_TYPES = (
    *("text/html", "application/xhtml+xml", "text/plain", "text/markdown"),
    *("text/xml", "application/xml", "application/octet-stream"),
)
"""Content types of a page that is sent as it is."""
NDJSON = "application/x-ndjson"
ERRORS = {
    400: "The request is wrong; the line says what would be right.",
    403: "The request comes from a page of another site.",
    408: "The body came too slowly, or was cut.",
    413: "The body is too large.",
    415: "The body is of a type that cannot be a page.",
    421: "The request names another host than this server.",
    500: "The service failed.",
    503: "The service is overloaded; Retry-After says when to try again.",
}
"""Codes of answers to requests that were not carried out."""
_REFERENCE = "#/components/schemas/{model}"
_ABOUT = "The outcome of the page: ok, partial, no-content, truncated, not-html, undecodable, limit or error."


def describe() -> dict[str, Any]:
    """Return the description, as plain values."""
    models: list[tuple[type[Wanted], JsonSchemaMode]] = [(each.request, "validation") for each in OPERATIONS.values()]
    _, found = models_json_schema([*models, (BatchLine, "validation")], ref_template=_REFERENCE)
    schemas = dict(found["$defs"])
    for answer in (each.answer for each in OPERATIONS.values()):
        schema = TypeAdapter(answer).json_schema(mode="serialization", ref_template=_REFERENCE)
        schemas |= schema.pop("$defs", {})
        schemas[answer.__name__] = schema
    schemas["Error"] = _object({"error": {"type": "string", "description": "One line."}})
    schemas["BatchAnswer"] = _batch_answer()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "dehusk",
            "version": __version__,
            "description": "Take the husk off web pages: their content as text, Markdown, HTML, TEI or JSON.",
        },
        "paths": {
            **{f"/{name}": {"post": _posted(operation)} for name, operation in OPERATIONS.items()},
            "/batch": {"post": _batch()},
            **{path: {"get": _got(*about)} for path, about in _READ.items()},
        },
        "components": {"schemas": schemas},
    }


_READ = {
    "/": ("usage", "Say what the service does.", "text/plain"),
    "/health": ("health", "Say whether the service works, and how busy it is.", "application/json"),
    "/metrics": ("metrics", "Return figures for Prometheus.", "text/plain"),
    "/openapi.json": ("description", "Return this description.", "application/json"),
}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _schema(name: str) -> dict[str, str]:
    return {"$ref": _REFERENCE.format(model=name)}


def _got(name: str, summary: str, media_type: str) -> dict[str, Any]:
    kind = "object" if media_type == "application/json" else "string"
    content = {media_type: {"schema": {"type": kind}}}
    return {
        "operationId": name,
        "summary": summary,
        "responses": {"200": {"description": "As asked.", "content": content}, **_errors(403, 421, 500)},
    }


def _posted(operation: Operation) -> dict[str, Any]:
    whole = {"application/json": {"schema": _schema(operation.request.__name__)}}
    pages: dict[str, Any] = {kind: {} for kind in PAGE_TYPES} if operation.is_of_one_page else {}
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "requestBody": {"required": True, "content": {**whole, **pages}},
        "responses": {"200": _found(operation), **_errors(*ERRORS)},
    }
    if operation.is_of_one_page:
        described["parameters"] = parameters(operation.request)
    return described


def _found(operation: Operation) -> dict[str, Any]:
    if operation.answer is CleanAnswer:
        types = {writer.media_type: {"schema": {"type": "string"}} for writer in WRITERS}
        content = types | {"application/json": {"schema": {"type": "object"}}}
    else:
        content = {"application/json": {"schema": _schema(operation.answer.__name__)}}
    return {"description": operation.answer.__doc__, "content": content, "headers": _outcome_headers()}


def _outcome_headers() -> dict[str, Any]:
    meanings = {"Dehusk-Status": _ABOUT, "Dehusk-Message": "Explains a status other than ok."}
    return {name: {"description": meaning, "schema": {"type": "string"}} for name, meaning in meanings.items()}


def parameters(model: type[Wanted], *, without: tuple[str, ...] = ("html",)) -> list[dict[str, Any]]:
    """Return the parameters in the address of a request; text has a schema without null there."""
    described = []
    for name, schema in model.model_json_schema()["properties"].items():
        if name in without:
            continue
        own = {key: value for key, value in schema.items() if key not in ("anyOf", "default", "title", "description")}
        own |= next((each for each in schema.get("anyOf", ()) if each.get("type") != "null"), {})
        if schema.get("default") is not None:
            own["default"] = schema["default"]
        described.append({"name": name, "in": "query", "description": schema.get("description", ""), "schema": own})
    return described


def _batch() -> dict[str, Any]:
    return {
        "operationId": "batch",
        "summary": "Clean many pages: a line of JSON for each page in, a line for each out, in the same order.",
        "parameters": parameters(CleanWanted, without=("html", "address")),
        "requestBody": {"required": True, "content": {NDJSON: {"schema": _schema("BatchLine")}}},
        "responses": {
            "200": {"description": "The lines.", "content": {NDJSON: {"schema": _schema("BatchAnswer")}}},
            **_errors(*ERRORS),
        },
    }


def _batch_answer() -> dict[str, Any]:
    texts = {"status": _ABOUT, "message": "Explains a status other than ok.", "format": "The format of `text`."}
    return _object(
        {
            "id": {"type": ["string", "integer", "null"], "description": "That of the page."},
            **{name: {"type": "string", "description": meaning} for name, meaning in texts.items()},
            "text": {"type": ["string", "object", "null"], "description": "An object for format json."},
        }
    )


def _errors(*codes: int) -> dict[str, Any]:
    content = {"application/json": {"schema": _schema("Error")}}
    return {str(code): {"description": ERRORS[code], "content": content} for code in codes}
