"""What all requests to a studio share."""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import dataclass, field, replace
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


@dataclass
class Studio:
    """A running studio."""

    project: Project
    opened: OpenedPages = field(init=False)
    adding: Adding | None = None
    annotator: str = ANNOTATOR
    """Name of who labels, unless the browser says otherwise."""
    sites: SiteLearnings = field(init=False)
    templates: Environment = field(init=False)
    autosave: Autosave = field(init=False)
    places: SitePlaces = field(init=False)
    rule_pages: RulePages = field(init=False)
    learned_templates: LearnedTemplates = field(init=False)
    training: StudioTraining = field(init=False)
    workers: int = 1
    """Processes that clean pages again, or for a file."""
    again: CleaningAgain = field(init=False)
    exports: ListExports = field(init=False)
    agreements: ToolAgreements = field(init=False)
    report: StudioReport = field(init=False)
    tool_texts: ToolTexts = field(init=False)
    ahead: tuple[int, bytes] = (-1, b"")
    """A page and its frame, made before it is opened; -1: none."""
    static: str = field(init=False)
    """Path of the static files: another one for other files, so that browsers keep them, and one for each project, so
    that what had this port before cannot have filled it."""

    def __post_init__(self) -> None:
        self.opened = OpenedPages(self.project, lambda: default_settings(self.project))
        self.autosave = Autosave(self.project)
        self.places = SitePlaces(self.project)
        self.rule_pages = RulePages(self.project, self.opened, self._without_rules)
        self.learned_templates = LearnedTemplates(self.rule_pages)
        self.training = StudioTraining(self.project)
        self.again = CleaningAgain(self.project, workers=self.workers)
        self.exports = ListExports(self.project, workers=self.workers)
        self.agreements = ToolAgreements(self.project, workers=self.workers)
        self.report = StudioReport(self.project)
        self.tool_texts = ToolTexts(self.project)
        self.sites = SiteLearnings(self.project)
        self.static = f"/static/{_digest(self.project.identity)}"
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
