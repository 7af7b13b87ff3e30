"""The plots and scores of bench/, on cases whose results are known."""

import ast
import sys
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from dehusk.read import parse
from dehusk.sites.wisdom import PAPER
from dehusk.sites.wisdom.coverage import Coverage

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import alternation_surface
import wisdom_pages
from dehusk.sites.wisdom import Wisdom
from dehusk.sites.wisdom.blocksets import tables_of_contents
from dehusk.sites.wisdom.link_targets import Anchors
from test_names import defined, imported

BENCH = Path(__file__).parents[1] / "bench"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_surface_ends_where_the_search_ends() -> None:
    letters = np.random.default_rng(0).choice(list("abcdefgh "), (6, 300))
    menu = "<ul><li>home</li><li>news from the world of tea</li><li>contact and imprint</li></ul><div class=story>"
    documents = [f"{menu}{''.join(own)}</div><p>rights reserved by the editors of the tea pages</p>" for own in letters]
    drawn, ends = alternation_surface.surface(documents, "three")
    assert ET.fromstring(drawn).tag == f"{SVG}svg"  # noqa: S314 (our own text)
    assert ends["look-ahead 2"][2] <= ends["as printed"][2]
    assert 0 < ends["least"][2] <= min(end[2] for end in ends.values())


def test_toc_blocks_are_evaluated_by_the_links_in_them() -> None:
    titles = "".join(f"<li><a href=/t/{i}>thread number {i} on the tea of the day</a></li>" for i in range(8))
    page = parse(f"<body><ul>{titles}</ul><p><a href=/help>help for readers</a></p></body>")
    method = Wisdom(preset=PAPER).fit([page])
    links = Anchors.of(page).node
    gold = np.zeros(len(page), dtype=np.bool_)
    gold[links[:6]] = True
    settings = replace(PAPER, toc="alen", tc_alen=0.0)
    case = wisdom_pages.Case("s", "", {PAPER.words: method.features(page)}, gold, tables_of_contents)
    extracted = int(case.blocks(settings).inside[links].sum())
    assert extracted >= 8
    assert case.coverage(settings) == Coverage(6, 0, extracted - 6)
    p, r, f = wisdom_pages.Cases([case]).figures(settings)
    assert (p, r, f) == pytest.approx((6 / extracted, 1.0, 12 / (extracted + 6)))


def test_the_independent_f1_by_hand() -> None:
    independent = pytest.importorskip("independent")  # it needs the tools of the extra `bench`
    assert independent.f1("Tea, tea and milk", "tea and sugar") == pytest.approx(4 / 7)
    assert independent.f1("", "") == 1.0
    assert independent.f1("tea", "") == 0.0


@pytest.mark.parametrize("script", sorted(BENCH.glob("*.py")), ids=lambda path: path.stem)
def test_every_name_that_a_bench_imports_exists(script: Path) -> None:
    """Benches run rarely and need data and extras; this notices a renamed function at once."""
    missing = []
    for node in ast.walk(ast.parse(script.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            missing += [f"{node.module}.{alias.name}" for alias in node.names if not exists(node.module, alias.name)]
    assert not missing


def exists(module: str, name: str) -> bool:
    """Return whether a bench or a module of dehusk has a name; true for modules from elsewhere."""
    source = BENCH / f"{module}.py"
    if source.exists():
        tree = ast.parse(source.read_text("utf-8"))
        return name in defined(tree) | imported(tree)
    if module.split(".", maxsplit=1)[0] != "dehusk":
        return True
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None
