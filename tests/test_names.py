"""Names in the package are unambiguous: one class per name, and no module hidden behind something of the same name."""

import ast
import re
from collections import defaultdict
from contextlib import suppress
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

import dehusk
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


PRESCRIBED = {  # by scikit-learn, LlamaIndex, trafilatura and readability
    ("dehusk.label.parameters", "get_params"),
    ("dehusk.integrations.llama_index", "_parse_nodes"),
    ("dehusk.compat.trafilatura", "extract_metadata"),
    ("dehusk.compat.trafilatura", "html2txt"),
    ("dehusk.compat.readability", "__init__"),
    ("dehusk.compat.readability", "summary"),
}


def test_flags_are_keywords() -> None:
    """A bare `True` in a call says nothing."""
    positional = {
        (module, node.name)
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if any(isinstance(one, ast.Constant) and isinstance(one.value, bool) for one in node.args.defaults)
    }
    assert positional == PRESCRIBED


QUOTED = re.compile(r"`(dehusk(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")


@pytest.mark.parametrize("ending", ["py", "pyx", "pxi", "pxd", "pyi"])
def test_what_comments_name_is_there(ending: str) -> None:
    root = Path(dehusk.__file__).parent
    named = {name: path for path in root.rglob(f"*.{ending}") for name in QUOTED.findall(path.read_text("utf-8"))}
    assert {name: path for name, path in named.items() if name != "dehusk.toml" and not is_there(name)} == {}


def is_there(name: str) -> bool:
    """Return whether a dotted name is a module, or a path of attributes of one."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        with suppress(ImportError):
            found = import_module(".".join(parts[:size]))
            with suppress(AttributeError):
                return reduce(getattr, parts[size:], found) is not None
    return False


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
