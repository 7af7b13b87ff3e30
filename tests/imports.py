"""The modules and imports of the package, read from its source, for the tests of its structure."""

import ast
from collections.abc import Container, Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import dehusk

ROOT = Path(dehusk.__file__).parent
Edge = tuple[str, str]


def modules(root: Path = ROOT) -> dict[str, ast.Module]:
    """Return module name -> syntax tree; a package goes by its own name, without `__init__`."""
    return _parsed(root)


@cache  # behind a function without default values, which would be another key
def _parsed(root: Path) -> dict[str, ast.Module]:
    trees = {}
    for path in sorted(root.rglob("*.py")):
        parts = (root.name, *path.relative_to(root).with_suffix("").parts)
        trees[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    return trees


def imports(root: Path = ROOT) -> list[Edge]:
    """Return (importer, imported) for every import of the package's own modules.

    Reads `import a.b`, `from a import b`, relative imports, and imports inside functions and under TYPE_CHECKING alike.
    """
    return _imports(root)


@cache  # as `_parsed`
def _imports(root: Path) -> list[Edge]:
    trees = modules(root)
    packages = {path.parent.relative_to(root.parent).as_posix().replace("/", ".") for path in root.rglob("__init__.py")}
    edges = []
    for module, tree in trees.items():
        package = module if module in packages else module.rpartition(".")[0]
        for node in statements(tree):
            edges += [(module, target) for target in _targets(node, package, trees) if target in trees]
    return edges


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield all statements of a module, also those inside others; expressions, most of a tree, are not looked at."""
    outer: list[ast.AST] = [tree]
    while outer:
        for node in ast.iter_child_nodes(outer.pop()):
            if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
                outer.append(node)
                yield node


def _targets(node: ast.AST, package: str, known: Container[str]) -> Iterator[str]:
    """Yield the modules that a statement imports: the submodule if there is one, otherwise the module itself."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        source = ".".join([*parents, *([node.module] if node.module else [])])
        for alias in node.names:
            submodule = f"{source}.{alias.name}"
            yield submodule if submodule in known else source


def folder_edges(edges: Iterable[Edge]) -> list[Edge]:
    """Return each import as an edge between the two folders, or modules, in which the two paths first differ."""
    split = [(importer.split("."), imported.split(".")) for importer, imported in edges]
    shortened = []
    for importer, imported in split:
        depth = next((i for i, (a, b) in enumerate(zip(importer, imported, strict=False)) if a != b), None)
        if depth is not None:  # otherwise one is the package that contains the other; the graph of modules covers these
            shortened.append((".".join(importer[: depth + 1]), ".".join(imported[: depth + 1])))
    return shortened


def cycle(edges: Iterable[Edge]) -> list[str]:
    """Return the names along one cycle, or nothing if the graph has none."""
    graph: dict[str, set[str]] = {}
    for importer, imported in edges:
        graph.setdefault(importer, set()).add(imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])[::-1]
    return []
