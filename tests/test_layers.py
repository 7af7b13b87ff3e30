"""A module imports only from the layers above its own; the list is docs/architecture.md's reading order."""

import ast
from pathlib import Path

import pytest

import dehusk
from imports import ROOT, cycle, folder_edges, imports, modules, statements

LAYERS = [
    "version",
    "lazy",
    "errors",
    "compiled",
    "caching",
    "blas",
    "extras",
    "processes",
    "remote",
    "atomic",
    "csv_cells",
    "zip_members",
    "store",
    "tags",
    "characters",
    "hashing",
    "page",
    "signs",
    "xpath",
    "read",
    "blocks",
    "layout",
    "labels",
    "annotation",
    "visibility",
    "units",
    "features",
    "site",
    "rules",
    "content",
    "dates",
    "metadata",
    "posts",
    "methods",
    "write",
    "chunks",
    "site_report",
    "outline",
    "document",
    "isolation",
    "cleaning",
    "wrapper",
    "records",
    "toc",
    "corpus",
    "spark",
    "crawl",
    "web",
    "integrations",
    "measures",
    "mining",
    "gold",
    "annotate",
    "train",
    "evaluate",
    "studio",
    "cli",
    "__main__",
]


def layer(module: str) -> int:
    if module == "dehusk":  # `import dehusk` loads everything that cleaning needs
        return LAYERS.index("cleaning")
    name = module.removeprefix("dehusk.")
    parts = name.split(".")
    for depth in (2, 1):
        if ".".join(parts[:depth]) in LAYERS:
            return LAYERS.index(".".join(parts[:depth]))
    raise AssertionError(f"{module} is in no layer")


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


def test_writers_know_nothing_of_methods() -> None:
    below = {name: LAYERS.index(name) for name in ("methods", "features")}
    wrong = [(a, b) for a, b in imports() if a.startswith("dehusk.write") and layer(b) in below.values()]
    assert not wrong


def test_what_a_site_shares_knows_no_features_or_methods() -> None:
    below = {LAYERS.index(name) for name in ("features", "methods")}
    assert not [(a, b) for a, b in imports() if a.startswith("dehusk.site.") and layer(b) in below]


TURBOHTML = {
    "read/decoding.py": "decodes bytes and detects encodings",
    "read/elements.py": "parses pages, reads attributes, matches selectors",
    "read/exact_markup.py": "writes the few trees that its own markup does not tell",
    "read/islands/offer.py": "sanitizes the markup in data",
    "content/addresses.py": "knows which parameters of addresses track",
    "write/safety.py": "sanitizes HTML",
    "evaluate/tools.py": "turbohtml itself is one of the compared tools",
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
        text = path.read_text("utf-8")
        assert text.count("\n") <= 800, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, (path, node.name)


def test_compiled_sources_are_small() -> None:
    sources = [path for path in (ROOT / "compiled").rglob("*") if path.suffix in {".pyx", ".pxi", ".pxd", ".h"}]
    assert len(sources) > 50
    for path in sources:
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 800, path
        assert not [line for line in lines if len(line) > 120], path


def test_cached_properties_take_no_lock() -> None:
    """`functools.cached_property` can hang in a forked process; see `dehusk.caching`."""
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
