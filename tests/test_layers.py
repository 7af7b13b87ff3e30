"""A module imports only from the layers above its own: docs/architecture-modules.md has the order, and -many.md."""

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import dehusk
from imports import ROOT, cycle, folder_edges, imports, modules, statements

LAYERS = [
    "base",
    "compiled",
    "read",
    "blocks",
    "visible",
    "counts",
    "label",
    "about",
    "write",
    "document",
    "isolation",
    "cleaning",
    "many",
    "measures",
    "sites",
    "lab",
    "integrations",
    "compat",
    "studio",
    "service",
    "cli",
    "__main__",
]


def layer(module: str) -> int:
    if module == "dehusk":  # `import dehusk` loads everything that cleaning needs
        return LAYERS.index("cleaning")
    folder = module.split(".")[1]
    assert folder in LAYERS, f"{module} is in no layer"
    return LAYERS.index(folder)


def test_imports_go_up() -> None:
    edges = [(importer, imported) for importer, imported in imports() if importer != "dehusk"]
    assert len(edges) > 1000
    wrong = [f"{importer} imports {imported}" for importer, imported in edges if layer(imported) > layer(importer)]
    assert not wrong


def test_no_cycle_of_modules() -> None:
    assert not cycle(imports())


def test_no_cycle_of_folders() -> None:
    assert not cycle(folder_edges(imports()))


@pytest.mark.parametrize(
    "statement",
    [
        "import pack.b.y",
        "from pack.b import y",
        "from pack.b.y import name",
        "from ..b import y",
        "from pack import b",
        "def load():\n    from pack.b import y",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pack.b.y import Name",
    ],
)
def test_every_kind_of_import_shows_in_a_cycle_of_folders(tmp_path: Path, statement: str) -> None:
    """a/x imports from b, b/z from a: no cycle of modules, but one of folders."""
    pack = tmp_path / "pack"
    sources = {"__init__": "", "a/__init__": "", "b/__init__": "", "a/w": "", "b/y": "", "b/z": "import pack.a.w"}
    sources["a/x"] = statement
    for name, source in sources.items():
        (pack / name).parent.mkdir(parents=True, exist_ok=True)
        (pack / name).with_suffix(".py").write_text(source, "utf-8")
    edges = imports(pack)
    assert not cycle(edges)
    assert set(cycle(folder_edges(edges))) == {"pack.a", "pack.b"}


def test_a_module_that_imports_its_package_is_a_cycle(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "__init__.py").write_text("from pack.a import name", "utf-8")
    (pack / "a.py").write_text("def load():\n    import pack", "utf-8")
    assert set(cycle(imports(pack))) == {"pack", "pack.a"}


def test_a_page_s_way_ends_before_what_is_made_of_many() -> None:
    """`import dehusk` and cleaning load nothing of sites, studio and lab."""
    way = range(LAYERS.index("cleaning") + 1)
    assert not [(a, b) for a, b in imports() if a != "dehusk" and layer(a) in way and layer(b) not in way]


def test_only_the_public_face_is_at_the_top() -> None:
    loose = {path.stem for path in ROOT.glob("*.py")}
    assert loose == {"__init__", "__main__", "cleaning", "document", "isolation"}


def test_writers_know_nothing_of_methods() -> None:
    labelling = LAYERS.index("label")
    assert not [(a, b) for a, b in imports() if a.startswith("dehusk.write") and layer(b) == labelling]


def test_what_a_site_shares_knows_no_features_or_methods() -> None:
    assert not [(a, b) for a, b in imports() if a.startswith("dehusk.counts.") and layer(b) >= LAYERS.index("label")]


TURBOHTML = {
    "read/decoding.py": "decodes bytes and detects encodings",
    "read/source.py": "reads pages by tokens, which have their places",
    "read/elements.py": "parses pages, reads attributes, matches selectors",
    "read/exact_markup.py": "writes the few trees that its own markup does not tell",
    "read/islands/offer.py": "sanitizes the markup in data",
    "read/addresses.py": "knows which parameters of addresses track",
    "write/safety.py": "sanitizes HTML",
    "lab/evaluate/tools.py": "turbohtml itself is one of the compared tools",
}
"""Module -> what it uses turbohtml for."""


def test_turbohtml_is_imported_only_where_it_is_meant_to_be() -> None:
    users = set()
    for module, tree in modules().items():
        for node in statements(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] == "turbohtml" for name in names):
                users.add(module.removeprefix("dehusk.").replace(".", "/") + ".py")
    assert users == set(TURBOHTML)


def test_only_read_walks_the_tree_of_a_page() -> None:
    """Everything after `read` works on the columns of `Page`, not on the parser's nodes."""
    users = {
        path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if ".descendants" in path.read_text("utf-8")
    }
    assert users == {"read/elements.py", "read/exact_markup.py"}


def test_modules_and_functions_are_small() -> None:
    for path in ROOT.rglob("*.py"):
        assert path.read_text("utf-8").count("\n") <= 800, path
    for module, tree in modules().items():
        for node in statements(tree):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, (module, node.name)


def test_compiled_sources_are_small() -> None:
    sources = [path for path in (ROOT / "compiled").rglob("*") if path.suffix in {".pyx", ".pxi", ".pxd", ".h"}]
    assert len(sources) > 50
    for path in sources:
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 800, path
        assert not [line for line in lines if len(line) > 120], path


def lines_of(folder: Path) -> int:
    if folder == ROOT:
        sources = list(ROOT.glob("*.py"))
    elif folder.name == "compiled":
        sources = [path for path in folder.rglob("*") if path.suffix in {".pyx", ".pxi", ".pxd", ".pyi", ".h"}]
    else:
        sources = list(folder.rglob("*.py"))
    return sum(path.read_text("utf-8").count("\n") for path in sources)


def test_folders_keep_their_budget_of_lines() -> None:
    budget = tomllib.loads(Path(__file__).with_name("line_budget.toml").read_text("utf-8"))
    lines = {name: lines_of(ROOT if name == "top" else ROOT / name) for name in budget}
    assert {name: count for name, count in lines.items() if count > budget[name]} == {}
    loose = {name: count for name, count in lines.items() if budget[name] > count + max(200, count // 20)}
    assert loose == {}  # lower the number
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and list(path.glob("*.py"))}
    assert budget.keys() == folders | {"top"}


APART = {
    "about.metadata.people": "about.metadata.reading",
    "about.metadata.titles": "about.metadata.reading",
    "about.posts.named": "about.posts.comments",
    "blocks.units.footnotes": "blocks.units.marks",
    "blocks.units.loose_notes": "blocks.units.footnotes",
    "blocks.units.ranges": "blocks.units.hierarchy",
    "cli.defaults": "cli.commands",
    "cli.saved_classes": "cli.classify",
    "isolation": "cleaning",
    "lab.annotate.app": "lab.annotate.tool",
    "lab.annotate.overview": "lab.annotate.app",
    "lab.evaluate.node_tools": "lab.evaluate.tools",
    "lab.papers.shops.noise": "lab.papers.shops.pages",
    "lab.papers.shops.sites": "lab.papers.shops.pages",
    "lab.papers.shops.words": "lab.papers.shops.pages",
    "lab.papers.weightings": "lab.papers.cst",
    "lab.sets.layouts": "lab.sets.building",
    "lab.train.torch_net": "lab.train.net",
    "label.united.copies": "label.united.rubric",
    "label.united.decisions": "label.united.method",
    "label.united.quotes": "label.united.reasons",
    "label.united.reasons": "label.united.method",
    "label.united.record_slots": "label.united.rubric",
    "label.united.rubric": "label.united.method",
    "label.united.teasers": "label.united.rubric",
    "label.victor.chain": "label.victor.method",
    "label.victor.crf": "label.victor.method",
    "read.feeds": "read.parsing",
    "many.crawl.spider": "many.crawl.worker",
    "many.spark.queries": "many.spark.driver",
    "read.islands.literals": "read.islands.offer",
    "read.islands.prose": "read.islands.offer",
    "read.self_closed": "read.parsing",
    "service.load": "service.http",
    "service.openapi": "service.http",
    "visible.colours": "visible.hidden_text",
    "visible.hidden_text": "visible.leaving_out",
    "visible.line_numbers": "visible.leaving_out",
    "visible.stylesheets": "visible.hidden_text",
    "visible.wording": "visible.leaving_out",
    "write.chunks.token_parts": "write.chunks.chunking",
    "write.content.raw_tex": "write.content.formulas",
    "write.content.tex": "write.content.formulas",
}
"""Module -> the only one that imports it, beside it. Each is a thought of its own (a model, a language, a format), is
loaded only when it is needed, or is read by the core too. Others become part of the one that imports them."""
LISTS = {"label.features.families", "studio.web.app", "many.files.formats"}
"""Modules that list others of the same role."""


def test_no_module_is_a_fragment_of_its_only_neighbour() -> None:
    importers: dict[str, set[str]] = {}
    for importer, imported in imports():
        importers.setdefault(imported.removeprefix("dehusk."), set()).add(importer.removeprefix("dehusk."))
    found = {
        module: next(iter(importers[module]))
        for path in sorted(ROOT.rglob("*.py"))
        if len(importers.get(module := ".".join(path.relative_to(ROOT).with_suffix("").parts), ())) == 1
    }
    fragments = {
        module: importer
        for module, importer in found.items()
        if module.rpartition(".")[0] == importer.rpartition(".")[0]
        and (ROOT / importer.replace(".", "/")).with_suffix(".py").exists()
        and importer not in LISTS
        and not (module.startswith("cli.") and hasattr(import_module(f"dehusk.{module}"), f"{module[4:]}_command"))
    }
    assert fragments == APART


def test_cached_properties_take_no_lock() -> None:
    """`functools.cached_property` can hang in a forked process; see `dehusk.base.caching`."""
    for module, tree in modules().items():
        for node in statements(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "functools":
                assert "cached_property" not in [alias.name for alias in node.names], module


def test_no_pickle() -> None:
    for path in ROOT.rglob("*.py"):
        assert "import pickle" not in path.read_text("utf-8"), path


def test_public_names_exist() -> None:
    assert len(set(dehusk.__all__)) == len(dehusk.__all__)
    for name in dehusk.__all__:
        assert getattr(dehusk, name) is not None


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.2 matches such groups wrongly; `dehusk.base.lazy.pattern` says what to write."""
    sources = {path: path.read_text("utf-8") for path in ROOT.rglob("*.py") if path.name != "lazy.py"}
    assert [str(path) for path, text in sources.items() if re.search(r"(?<!\()[)}][*+?]\+", text)] == []


PAPERS = re.compile(r"wisdom|(?<![a-z])cst(?![a-z])|structure_tree|find_?optimal|alternation", re.IGNORECASE)
HOMES = (
    *("sites/wisdom/", "sites/structure_tree/", "sites/alternation/", "label/registry.py", "__init__.py"),
    *("sites/toc/", "sites/outline.py", "cli/toc.py"),  # WISDOM's command
    *(
        "sites/mining/",
        "cli/classify.py",
        "cli/cluster.py",
        "cli/saved_classes.py",
        "cli/vector",
    ),  # Yi & Liu's commands
    "cli/colour.py",  # that of FindOptimal
    "cli/doctor.py",  # lists the extras by name, and the paper's has one
    *("sites/report.py", "cli/site.py", "cli/learning.py", "cli/settings.py", "studio/"),  # show what all of them learn
    "lab/papers/",  # the experiments of all of them
    "lab/evaluate/scores.py",  # WISDOM's measures of blocks
)


def test_no_other_module_names_a_paper() -> None:
    """A paper is a plugin: its method's name stands in its own folder, its own commands and views, and nowhere else."""
    named = {module: tree for module, tree in modules().items() if any(map(PAPERS.search, words(tree)))}
    found = {path_of(module) for module in named}
    assert sorted(path for path in found if not path.startswith(HOMES)) == []
    unused = [home for home in HOMES if not any(path.startswith(home) for path in found)]
    assert unused == []  # what no longer names one leaves the list


def path_of(module: str) -> str:
    """Return the path of a module's source, from the package's folder."""
    place = Path(*module.split(".")[1:])
    return (place / "__init__.py" if (ROOT / place).is_dir() else place.with_suffix(".py")).as_posix()


def words(tree: ast.Module) -> Iterator[str]:
    """Yield the names, imports and strings of a module, but not its documentation."""
    nodes = [*ast.walk(tree)]
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if id(node) not in told:
                yield text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ImportFrom(module=module, names=names):
                yield from (module or "", *(each.name for each in names))
            case ast.Import(names=names):
                yield from (each.name for each in names)
