"""Methods declare themselves, and everything that uses methods reads the declarations."""

import ast
import sys
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import dehusk
import made_sites
from dehusk import ConfigError, Site
from dehusk.blocks.labels import Labels
from dehusk.cli import command
from dehusk.counts.structure_counts import StructureCounts
from dehusk.label import Declaration, load_method, register, registry
from dehusk.label.baseline import METHOD as KEEP_ALL
from dehusk.label.baseline import KeepAll
from dehusk.many.corpus.child_tasks import learns_sites
from dehusk.sites.alternation import Alternation
from dehusk.sites.wisdom import Settings

ROOT = Path(dehusk.__file__).parent
PAGE = b"<h1>Green tea</h1><p>Pour the water at seventy degrees and wait for two minutes."


class DropShort(KeepAll):
    """Drops blocks of few words: the method that these tests add."""

    def __init__(self, *, words: int = 3) -> None:
        self.words = words

    def label(self, blocks: dehusk.Blocks, *, explain: bool = False) -> Labels:
        labels = super().label(blocks, explain=explain)
        return replace(labels, kept=blocks.words >= self.words)


def declared(**changes: object) -> Declaration:
    facts: dict[str, object] = {
        "name": "drop-short",
        "summary": "Drops blocks of few words.",
        "method": DropShort,
        "build": lambda request: DropShort(**request.options),
    }
    return Declaration(**(facts | changes))  # type: ignore[arg-type]


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Declaration:
    """A method that is added with one line."""
    module = ModuleType("toy_method")
    module.METHOD = declared()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "toy_method", module)
    monkeypatch.setitem(registry.HOMES, "drop-short", "toy_method")
    return module.METHOD


@pytest.mark.usefixtures("toy")
def test_a_new_method_is_found_everywhere(tmp_path: Path) -> None:
    assert registry.names()[-1] == "drop-short"
    assert load_method("drop-short").words == 3
    assert load_method("drop-short", options={"words": 9}).words == 9
    assert "Green tea" not in dehusk.clean(PAGE, method="drop-short").text
    assert "Green tea" in dehusk.clean(PAGE, method="drop-short", options={"words": 1}).text
    assert registry.name_of(load_method("drop-short")) == "drop-short"
    assert learns_sites("drop-short") is False
    (tmp_path / "tea.html").write_bytes(PAGE)
    result = CliRunner().invoke(command, ["clean", "--method", "drop-short", str(tmp_path / "tea.html")])
    assert result.output.startswith("Pour the water")
    with pytest.raises(ConfigError, match="does not use a site; these do: united, site, cst, wisdom, alternation"):
        load_method("drop-short", site=Site().fit(made_sites.site(3)))


def test_register_adds_a_method_to_this_process(toy: Declaration, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(registry.HOMES, "drop-short")
    with pytest.raises(ConfigError, match="unknown method 'drop-short'"):
        load_method("drop-short")
    assert register("toy_method") is toy
    assert register("toy_method") is toy
    assert isinstance(load_method("drop-short"), DropShort)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Drop short"}, "the name must be lower-case words joined by hyphens"),
        ({"summary": " "}, "the summary must be one line"),
        ({"summary": "a\nb"}, "the summary must be one line"),
        ({"method": int}, "its class needs the methods segment and label"),
        ({"method": KeepAll()}, "its class needs the methods segment and label"),
        ({"site": "maybe"}, "site must be one of no, optional, required"),
        ({"site": "required", "learning": "words"}, "learning must be one of counts, pages"),
        ({"counts": (StructureCounts,)}, "a method that uses no site cannot need counts of one"),
        ({"trainable": True}, "a trainable method needs the methods save and load"),
        ({"site": "required", "own_models": True}, "a method with models of its own needs the methods fit, save"),
        ({"site": "required", "learning": "pages"}, "a method that learns from pages needs models of its own"),
        ({"build": None}, "build must be callable"),
    ],
)
def test_nonsense_is_refused_when_it_is_declared(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^method .*{message}"):
        declared(**changes)


def test_a_module_that_declares_no_method_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="method module json has no METHOD"):
        register("json")
    with pytest.raises(ConfigError, match="method module no_such_module cannot be imported"):
        register("no_such_module")
    module = ModuleType("impostor")
    module.METHOD = replace(KEEP_ALL, name="united")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "impostor", module)
    with pytest.raises(ConfigError, match=r"'united' is registered already, by dehusk\.label\.united"):
        register("impostor")
    monkeypatch.setitem(registry.HOMES, "other-name", "impostor")
    with pytest.raises(ConfigError, match="impostor declares method 'united', but is registered as 'other-name'"):
        load_method("other-name")


@pytest.mark.parametrize("name", registry.names())
def test_every_method_declares_itself_in_its_folder(name: str) -> None:
    declaration = registry.declaration(name)
    assert declaration.name == name
    assert declaration.method.__module__.startswith(registry.HOMES[name])
    assert declaration.summary.endswith(".")
    for option in declaration.options.values():
        assert option.accepts(option.default), option


def test_options_have_the_types_of_the_constructor() -> None:
    style = registry.declaration("united").options["style"]
    assert style.choices == ("auto", "body", "article", "comments", "whole", "core")
    wisdom = registry.declaration("wisdom").options
    assert set(wisdom) == {"preset", *(field.name for field in fields(Settings))}
    assert wisdom["preset"].choices == ("recommended", "paper")
    assert registry.declaration("keep-all").options == {}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("united", {"style": "boddy"}, "unknown style 'boddy'. Did you mean body\\? Known: auto, body"),
        ("united", {"favour": "high"}, "option favour of method united must be float, not 'high'"),
        (
            "united",
            {"stile": "body"},
            "method united: unknown option 'stile'. Did you mean style\\? Known: style, favour",
        ),
        ("victor", {"style": "body"}, "method victor: takes no options, but style was given"),
    ],
)
def test_wrong_options_are_named(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_method(name, options=options)


@pytest.mark.parametrize(
    ("method", "text", "value"),
    [
        ("cst", {"mode": "style"}, {"mode": "style"}),
        ("cst", {"leaves": "grandparent"}, {"leaves": "grandparent"}),
        ("cst", {"leaves": "2"}, {"leaves": 2}),
        ("cst", {"classes": "no", "gamma": "1"}, {"classes": False, "gamma": 1.0}),
        (
            "wisdom",
            {"k": "inf", "preset": "paper", "cstm": "none"},
            {"k": float("inf"), "preset": "paper", "cstm": None},
        ),
        ("alternation", {"attributes": "class,id"}, {"attributes": ("class", "id")}),
        ("alternation", {"attributes": "none", "least": "0.2"}, {"attributes": None, "least": 0.2}),
    ],
)
def test_options_are_read_from_texts(method: str, text: dict[str, str], value: dict[str, object]) -> None:
    declared = registry.declaration(method)
    parsed = declared.parse_options(text)
    assert {name: parsed[name] for name in value} == value
    assert [type(parsed[name]) for name in value] == [type(v) for v in value.values()]
    declared.check_options(parsed, learning=True)


@pytest.mark.parametrize(
    ("method", "text", "message"),
    [
        ("cst", {"mode": "stile"}, "unknown mode 'stile'. Did you mean style"),
        ("cst", {"gamma": "high"}, "option gamma of method cst must be float, not 'high'"),
        ("cst", {"leaves": "few"}, "option leaves of method cst must be int or 'grandparent', not 'few'"),
        ("alternation", {"t": "many"}, "option t of method alternation must be int or 'records', not 'many'"),
        ("cst", {"classes": "maybe"}, "option classes of method cst must be bool, not 'maybe'"),
        ("cst", {"lambda": "1"}, "method cst: unknown option 'lambda'. Did you mean lambda_"),
        ("keep-all", {"words": "1"}, "method keep-all: takes no options, but words was given"),
    ],
)
def test_texts_that_are_no_values_are_refused(method: str, text: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        registry.declaration(method).parse_options(text)


def test_site_methods_take_options() -> None:
    site = Site().fit(made_sites.site(6))
    assert load_method("cst", site=site, options={"threshold": 0.5}).get_params()["threshold"] == 0.5
    assert load_method("cst", site=site).get_params()["threshold"] == 0.8
    assert load_method("cst", site=site) is load_method("cst", site=site)
    assert load_method("site", site=site, options={"words": 2}).words == 2


def _compared_names(tree: ast.AST, names: set[str]) -> list[int]:
    """Return the lines that compare something with the name of a method."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            constants = [leaf for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)]
            lines += [leaf.lineno for leaf in constants if leaf.value in names]
        elif isinstance(node, ast.MatchValue) and isinstance(node.value, ast.Constant) and node.value.value in names:
            lines.append(node.lineno)
    return lines


def test_no_method_is_compared_by_name() -> None:
    names = set(registry.names()) - {"site"}  # also a word of the data: columns, keys
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        for line in _compared_names(ast.parse(path.read_text("utf-8")), names)
    ]
    assert not wrong
    assert _compared_names(ast.parse('x == "cst" or y in ("a", "wisdom")'), names) == [1, 1]


def test_a_method_shows_itself_in_one_line() -> None:
    site = Site().fit(made_sites.site(6))
    shown = {
        name: repr(load_method(name, site=site if registry.declaration(name).site == "required" else None))
        for name in registry.names()
        if registry.declaration(name).learning == "counts"
    }
    assert shown["united"] == "<United: style auto, favour 0.5>"
    assert shown["victor"] == "<Victor: configuration web, 103 columns>"
    assert shown["cst"] == "<CompressedStructureTree: fitted to 6 pages of 1 site>"
    assert shown["keep-all"] == "<KeepAll>"
    assert repr(Alternation()) == "<Alternation: not fitted>"
    assert shown["site"].startswith("<SiteRule site=<Site tea.example: 6 pages")
    assert all("\n" not in line and len(line) < 200 for line in shown.values())
