"""A module imports only from the layers above its own; the list is docs/architecture.md's reading order."""

import ast
from pathlib import Path

import dehusk

ROOT = Path(dehusk.__file__).parent
LAYERS = [
    "errors",
    "caching",
    "atomic",
    "extras",
    "store",
    "tags",
    "characters",
    "page",
    "xpath",
    "read",
    "blocks",
    "layout",
    "labels",
    "features",
    "site",
    "rules",
    "metadata",
    "methods",
    "write",
    "show",
    "outline",
    "document",
    "cleaning",
    "records",
    "processes",
    "corpus",
    "spark",
    "integrations",
    "crawl",
    "measures",
    "gold",
    "annotate",
    "train",
    "evaluate",
    "cli",
    "__main__",
]


def layer(module: str) -> int:
    name = module.removeprefix("dehusk.")
    parts = name.split(".")
    for depth in (2, 1):
        if ".".join(parts[:depth]) in LAYERS:
            return LAYERS.index(".".join(parts[:depth]))
    raise AssertionError(f"{module} is in no layer")


def imports() -> list[tuple[str, str]]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(("dehusk", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dehusk."):
                found.append((module, str(node.module)))
            elif isinstance(node, ast.Import):
                found += [(module, alias.name) for alias in node.names if alias.name.startswith("dehusk.")]
            elif isinstance(node, ast.ImportFrom) and node.module == "dehusk":
                found += [(module, f"dehusk.{alias.name}") for alias in node.names if alias.name != "__version__"]
    return found


def test_imports_go_up() -> None:
    found = [(a, b) for a, b in imports() if a != "dehusk"]
    assert len(found) > 100
    wrong = [f"{a} imports {b}" for a, b in found if layer(b) > layer(a)]
    assert not wrong


def test_writers_know_nothing_of_methods() -> None:
    below = {name: LAYERS.index(name) for name in ("methods", "features")}
    wrong = [(a, b) for a, b in imports() if a.startswith("dehusk.write") and layer(b) in below.values()]
    assert not wrong


def test_what_a_site_shares_knows_no_features_or_methods() -> None:
    below = {LAYERS.index(name) for name in ("features", "methods")}
    assert not [(a, b) for a, b in imports() if a.startswith("dehusk.site") and layer(b) in below]


def test_only_the_reader_knows_the_parser() -> None:
    users = {
        path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if ".descendants" in path.read_text("utf-8")
    }
    assert users == {"read/elements.py", "read/nodes.py"}


def test_modules_and_functions_are_small() -> None:
    for path in ROOT.rglob("*.py"):
        text = path.read_text("utf-8")
        assert text.count("\n") < 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 60, (path, node.name)


def test_no_pickle() -> None:
    for path in ROOT.rglob("*.py"):
        assert "import pickle" not in path.read_text("utf-8"), path


def test_public_names_exist() -> None:
    assert len(set(dehusk.__all__)) == len(dehusk.__all__)
    for name in dehusk.__all__:
        assert getattr(dehusk, name) is not None
