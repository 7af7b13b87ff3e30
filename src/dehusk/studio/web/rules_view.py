"""The view of rules: those of the project's rules file, and the making of new ones from blocks of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dehusk.base.errors import ConfigError
from dehusk.label.rules import ANY_HOST, Rule, Rules, covered
from dehusk.read.elements import check_selector
from dehusk.studio.proposing import propose
from dehusk.studio.rule_editing import (
    add_rules,
    change_rule,
    checked_rule,
    delete_rule,
    is_host,
    redo_rules,
    rules_text,
    set_templates,
    steps,
    undo_rules,
)
from dehusk.studio.rule_effects import effects, plain_rule, reach_of_rules, with_changes
from dehusk.studio.rule_pages import heading, positions
from dehusk.studio.template_learning import change_row, rows, summary, with_learned
from dehusk.studio.web.answers import BadRequestError, body_of, json_answer
from dehusk.studio.web.parameters import integer
from dehusk.studio.web.state import Studio, studio_of


def _view(request: Request) -> Response:
    studio = studio_of(request)
    page = integer(request, "page", 0)
    row = studio.rule_pages.row(page) if page else None
    file, hosts = str(studio.project.rules), [] if row else studio.rule_pages.hosts()
    return studio.render("rules.html", view="rules", page=row, file=file, hosts=hosts)


def _listed(studio: Studio) -> dict[str, Any]:
    project = studio.project
    pages = studio.rule_pages
    problem, rules = "", Rules({})
    try:
        rules = Rules.parse(rules_text(project), project.rules.name)
    except ConfigError as error:
        problem = " ".join(str(error).split())
    listed = [
        {
            "host": host,
            "rules": [plain_rule(rule) for rule in rules.hosts.get(host, ())],
            "templates": [summary(template) for template in rules.templates.get(host, ())],
            "pages": len(pages.pages_of(host)),
        }
        for host in dict.fromkeys([*rules.hosts, *rules.templates])
        if rules.hosts.get(host) or rules.templates.get(host)
    ]
    about = {"problem": problem, "file": str(project.rules), "without_address": pages.without_address()}
    return {"hosts": listed} | about | steps(project)._asdict()


def _rules(request: Request) -> Response:
    return json_answer(_listed(studio_of(request)))


def _page(request: Request) -> Response:
    """Answer with a page's blocks as they are without rules, and which of them people corrected."""
    pages, number = studio_of(request).rule_pages, int(request.path_params["page"])
    known = pages.page(number)
    drop = known.should_be(kept=False)[0] & known.kept
    keep = known.should_be(kept=True)[0] & ~known.kept
    return json_answer(
        heading(pages.row(number))
        | {
            "texts": known.blocks.texts,
            "words": known.blocks.words.tolist(),
            "kept": known.kept.astype(int).tolist(),
            "corrections": {"drop": positions(drop), "keep": positions(keep)},
            "hosts": _hosts(known.host),
        }
    )


def _hosts(host: str) -> list[str]:
    """Return the hosts that a rule for a page can be for: its own, those above it, and every host."""
    parts = host.split(".") if host else []
    above = (
        [".".join(parts[start:]) for start in range(len(parts) - 1)] if not host.replace(".", "").isdigit() else [host]
    )
    return [*filter(is_host, above), ANY_HOST]


async def _propose(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    wanted, unwanted = _numbers(body, "wanted"), _numbers(body, "unwanted")
    page, keep = _number(body, "page"), body.get("action") == "keep"
    found = await run_in_threadpool(propose, studio.rule_pages, page, wanted, unwanted, keep=keep)
    return json_answer({"proposals": found})


async def _covered(request: Request) -> Response:
    """Answer with the blocks of a page that each of some selectors covers."""
    body, studio = await body_of(request), studio_of(request)
    rules = [checked_rule("drop", str(each), ANY_HOST) for each in _listed_values(body, "selectors")]
    _checked_selectors(rules)
    known = await run_in_threadpool(studio.rule_pages.page, _number(body, "page"))
    masks = covered(known.blocks, [rule.selector for rule in rules])
    return json_answer({"covered": [positions(mask) for mask in masks]})


async def _effects(request: Request) -> Response:
    """Answer with what rules change on some pages of a host, from `start`."""
    body, studio = await body_of(request), studio_of(request)
    add, remove = ([_rule_of(each) for each in _listed_values(body, name)] for name in ("add", "remove"))
    before = Rules.parse(rules_text(studio.project), studio.project.rules.name)
    _checked_selectors(add)
    after = with_changes(before, add, remove)
    host = _host_of(body)
    answer = await run_in_threadpool(effects, studio.rule_pages, host, before, after, _number(body, "start"))
    return json_answer(answer)


async def _reach(request: Request) -> Response:
    """Answer with what each rule of a host does on some of its pages, from `start`."""
    body, studio = await body_of(request), studio_of(request)
    rules = Rules.parse(rules_text(studio.project), studio.project.rules.name)
    host = _host_of(body)
    return json_answer(await run_in_threadpool(reach_of_rules, studio.rule_pages, host, rules, _number(body, "start")))


async def _template_effects(request: Request) -> Response:
    """Learn the templates of a host, and answer with what they would change on some of its pages, from `start`."""
    body, studio = await body_of(request), studio_of(request)
    host, start = _host_of(body), _number(body, "start")
    learned = studio.learned_templates
    templates = await run_in_threadpool(learned.of if start else learned.learn, host)
    before = Rules.parse(rules_text(studio.project), studio.project.rules.name)
    after = with_learned(before, host, templates)
    answer = await run_in_threadpool(effects, studio.rule_pages, host, before, after, start)
    return json_answer(answer | {"templates": [summary(template) for template in templates]})


async def _template_write(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    await run_in_threadpool(studio.learned_templates.write, _host_of(body))
    return json_answer(_listed(studio))


async def _template_delete(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    host = _host_of(body)
    await run_in_threadpool(set_templates, studio.project, host, (), f"delete the templates of {host}")
    return json_answer(_listed(studio))


async def _template_change(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    await run_in_threadpool(change_row, studio.rule_pages, _host_of(body), body)
    return json_answer(_listed(studio))


def _template_rows(request: Request) -> Response:
    """Answer with the rules of a host's templates."""
    studio, host = studio_of(request), request.query_params.get("host", "")
    templates = Rules.parse(rules_text(studio.project), studio.project.rules.name).templates.get(host, ())
    return json_answer({"templates": [{"name": each.name, "rows": rows(each)} for each in templates]})


def _host_of(body: Mapping[str, Any]) -> str:
    return checked_rule("keep", "a", str(body.get("host", ""))).host


async def _add(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    await run_in_threadpool(add_rules, studio.project, [_rule_of(each) for each in _listed_values(body, "add")])
    return json_answer(_listed(studio))


async def _delete(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    await run_in_threadpool(delete_rule, studio.project, _rule_of(body.get("rule")))
    return json_answer(_listed(studio))


async def _change(request: Request) -> Response:
    body, studio = await body_of(request), studio_of(request)
    await run_in_threadpool(change_rule, studio.project, _rule_of(body.get("old")), _rule_of(body.get("new")))
    return json_answer(_listed(studio))


def _undo(request: Request) -> Response:
    studio = studio_of(request)
    what = undo_rules(studio.project)
    return json_answer(_listed(studio) | {"done": f"undone: {what}"})


def _redo(request: Request) -> Response:
    studio = studio_of(request)
    what = redo_rules(studio.project)
    return json_answer(_listed(studio) | {"done": f"redone: {what}"})


def _checked_selectors(rules: Sequence[Rule]) -> None:
    for rule in rules:
        try:
            check_selector(rule.selector)
        except ValueError as error:
            raise ConfigError(" ".join(str(error).split())) from error


def _rule_of(given: object) -> Rule:
    if not isinstance(given, Mapping):
        raise BadRequestError("a rule is an object with action, selector and host")
    return checked_rule(*(str(given.get(name, "")) for name in ("action", "selector", "host")))


def _number(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name, 0)
    if type(value) is not int or value < 0:
        raise BadRequestError(f"{name} must be a whole number")
    return value


def _numbers(body: Mapping[str, Any], name: str) -> list[int]:
    values = _listed_values(body, name)
    if not all(type(value) is int for value in values):
        raise BadRequestError(f"{name} must be whole numbers")
    return values


def _listed_values(body: Mapping[str, Any], name: str) -> list[Any]:
    values = body.get(name, [])
    if not isinstance(values, list) or len(values) > 100_000:
        raise BadRequestError(f"{name} must be a list")
    return values


ROUTES = [
    Route("/rules", _view),
    Route("/api/rules", _rules),
    Route("/api/rules", _add, methods=["POST"]),
    Route("/api/rules", _delete, methods=["DELETE"]),
    Route("/api/rules", _change, methods=["PUT"]),
    Route("/api/rules/templates", _template_rows),
    Route("/api/rules/templates", _template_write, methods=["POST"]),
    Route("/api/rules/templates", _template_delete, methods=["DELETE"]),
    Route("/api/rules/templates", _template_change, methods=["PUT"]),
    Route("/api/rules/templates/effects", _template_effects, methods=["POST"]),
    Route("/api/rules/undo", _undo, methods=["POST"]),
    Route("/api/rules/redo", _redo, methods=["POST"]),
    Route("/api/rules/page/{page:int}", _page),
    Route("/api/rules/propose", _propose, methods=["POST"]),
    Route("/api/rules/covered", _covered, methods=["POST"]),
    Route("/api/rules/effects", _effects, methods=["POST"]),
    Route("/api/rules/reach", _reach, methods=["POST"]),
]
