"""What all requests to a studio share."""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import replace
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from dehusk.studio.adding import Adding
from dehusk.studio.autosave import Autosave
from dehusk.studio.cleaning_again import CleaningAgain
from dehusk.studio.likeness import SitePlaces
from dehusk.studio.list_export import ListExports
from dehusk.studio.model_list import default_settings
from dehusk.studio.opened import OpenedPages, ViewSettings
from dehusk.studio.other_tools import ToolTexts
from dehusk.studio.project import Project
from dehusk.studio.reporting import StudioReport
from dehusk.studio.rule_pages import RulePages
from dehusk.studio.site_learning import SiteLearnings
from dehusk.studio.template_learning import LearnedTemplates
from dehusk.studio.tool_agreement import ToolAgreements
from dehusk.studio.training import StudioTraining

_IMPORT = re.compile(r'^import (?:.+ from )?"\./([\w.]+)";$', re.MULTILINE)
ANNOTATOR = "me"
"""Name of who labels, unless they say another."""
_HERE = Path(__file__).parent.parent
STATIC = _HERE / "static"


class Studio:
    """A running studio.

    Args:
        project: the project.
        annotator: name of who labels, unless the browser says otherwise.
        workers: processes that clean pages again, or for a file.
    """

    adding: Adding | None = None
    ahead: tuple[int, bytes] = (-1, b"")
    """A page and its frame, made before it is opened; -1: none."""

    def __init__(self, project: Project, *, annotator: str = ANNOTATOR, workers: int = 1) -> None:
        self.project = project
        self.annotator = annotator
        self.workers = workers
        self.opened = OpenedPages(project, lambda: default_settings(project))
        self.autosave = Autosave(project)
        self.places = SitePlaces(project)
        self.rule_pages = RulePages(project, self.opened, self._without_rules)
        self.learned_templates = LearnedTemplates(self.rule_pages)
        self.training = StudioTraining(project)
        self.again = CleaningAgain(project, workers=workers)
        self.exports = ListExports(project, workers=workers)
        self.agreements = ToolAgreements(project, workers=workers)
        self.report = StudioReport(project)
        self.tool_texts = ToolTexts(project)
        self.sites = SiteLearnings(project)
        self.static = f"/static/{_digest(project.identity)}"
        """Path of the static files: another one for other files, so that browsers keep them, and one for each project,
        so that what had this port before cannot have filled it."""
        self.templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"), autoescape=select_autoescape(default=True)
        )

    def _without_rules(self) -> ViewSettings:
        return replace(default_settings(self.project), rules=False)

    def render(self, template: str, **values: object) -> HTMLResponse:
        """Return a template as an answer."""
        folder = self.project.folder.resolve()
        command = ["dehusk", "studio", "--project", str(folder), "--annotator", self.annotator]
        shown = {
            "project": folder.name,
            "identity": self.project.identity,
            "command": shlex.join(command[:4] if self.annotator == ANNOTATOR else command),
            "bundle": shlex.join([*command[:4], "--bundle", f"{folder.name}.zip"]),
            "annotator": self.annotator,
            "static": self.static,
            "scripts": self._scripts,
            "answers": {},
        }
        return HTMLResponse(self.templates.get_template(template).render(shown | values))

    def _scripts(self, *names: str) -> Markup:
        """Return the elements of modules; what they import is loaded at the same time, not one after the other."""
        found = list(names)
        for name in found:  # grows
            imported = _IMPORT.findall((STATIC / name).read_text("utf-8"))
            found += [each for each in dict.fromkeys(imported) if each not in found]
        links = [f'<link rel="modulepreload" href="{self.static}/{name}">' for name in found[len(names) :]]
        return Markup("").join(
            map(Markup, [*links, *(f'<script type="module" src="{self.static}/{name}"></script>' for name in names)])
        )


def _digest(identity: str) -> str:
    found = hashlib.sha256(identity.encode())
    for path in sorted(STATIC.iterdir()):
        found.update(path.read_bytes())
    return found.hexdigest()[:24]


def studio_of(request: Request) -> Studio:
    """Return the studio that a request is for."""
    studio: Studio = request.app.state.studio
    return studio
