"""A paper is a plugin: its method's name stands in its own folder, its own commands and views, and nowhere else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dehusk

ROOT = Path(dehusk.__file__).parent
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
    paths = [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*.py"))]
    found = {path for path in paths if any(map(PAPERS.search, words(ROOT / path)))}
    assert sorted(path for path in found if not path.startswith(HOMES)) == []
    unused = [home for home in HOMES if not any(path.startswith(home) for path in found)]
    assert unused == []  # what no longer names one leaves the list


def words(path: Path) -> Iterator[str]:
    """Yield the names, imports and strings of a module, but not its documentation."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
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
