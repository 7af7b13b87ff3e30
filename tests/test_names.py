"""Names in the package are unambiguous: one class per name, and no module hidden behind something of the same name."""

import ast
from collections import defaultdict

from imports import modules


def test_no_two_classes_share_a_name() -> None:
    homes = defaultdict(list)
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    assert len(homes) > 100
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def test_no_module_is_named_like_something_in_it() -> None:
    named_alike = {module for module, tree in modules().items() if module.rpartition(".")[2] in defined(tree)}
    assert named_alike == set()


def test_no_package_exports_the_name_of_a_submodule() -> None:
    """Otherwise `import dehusk.x` gives a module in one place and a function in another."""
    for package, tree in modules().items():
        submodules = {name.rpartition(".")[2] for name in modules() if name.rpartition(".")[0] == package}
        assert not submodules & (defined(tree) | imported(tree)), package


def defined(tree: ast.Module) -> set[str]:
    """Return the names of the functions, classes and variables that a module defines at its top level."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
    return names


def imported(tree: ast.Module) -> set[str]:
    """Return the names that a module imports at its top level and that are not modules themselves."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.{alias.name}" not in modules()
    }
