"""The core takes every page: its outputs, features and errors; `.ci/sanitize` runs these tests with sanitizers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import dehusk
import made_sites
from core_pages import EXAMPLES, pages
from dehusk.base.errors import Status
from dehusk.base.hashing import text_keys
from dehusk.compiled.text import text_key
from dehusk.label.features import FEATURES, compute
from dehusk.label.victor.config import load_config
from dehusk.write import WRITERS

SETTINGS = load_config("cleaneval").settings
"""With features that the default method does not need."""


def test_pages_of_all_kinds_are_cleaned_and_written() -> None:
    for page in pages():
        document = dehusk.clean(page, url="https://tea.example/")
        assert document.status is not Status.ERROR, document.message
        for writer in WRITERS:
            document.render(writer.name)
        found = compute(dehusk.segment(document.page), SETTINGS, FEATURES.names(SETTINGS))
        assert {len(values) for values in found.values()} == {len(dehusk.segment(document.page))}


def test_pages_of_a_site_have_reasons() -> None:
    pages_of_site = made_sites.site(6)
    document = dehusk.clean(pages_of_site[0], site=dehusk.Site().fit(pages_of_site), explain=True)
    assert all(document.labels.reasons)
    assert len(document.labels.reasons) == len(document.labels)


@pytest.mark.parametrize("text", ["", "nav-item", "\u00e9t\u00e9", "\u4e2d\U00010400", "\ud800", "long" * 500])
def test_a_text_has_the_key_that_it_has_among_others(text: str) -> None:
    assert text_key(text) == int(text_keys([text])[0])


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, **environment}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=variables, check=False)


HIDING = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec
hides = "dehusk.compiled.tree".__eq__
PathFinder.find_spec = classmethod(lambda cls, name, *rest: None if hides(name) else find(name, *rest))
"""
CLEAN = "import dehusk\ntry:\n    dehusk.clean('<p>x')\nexcept dehusk.DehuskError as error:\n    print(error)"


@pytest.mark.parametrize(
    "arguments", [["clean", str(EXAMPLES / "tea.html")], ["corpus", "x", "-o", "y"], ["studio", "x"]]
)
def test_an_installation_without_compiled_modules_says_so_in_one_line(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDING)
    done = run("-m", "dehusk", *arguments, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "dehusk: dehusk has no compiled modules for this Python: install it again, pip install"
    )
    assert done.stderr.count("\n") == 1
    done = run("-c", CLEAN, PYTHONPATH=str(tmp_path))
    assert done.stdout.startswith("dehusk has no compiled modules for this Python")
