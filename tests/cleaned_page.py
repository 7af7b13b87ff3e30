"""Imports what children import and cleans a page: forks of a process that has done it need not (`conftest.py`)."""

from contextlib import suppress
from importlib import import_module
from pathlib import Path

from dehusk import clean

for name in ("dehusk.cli.clean", "dehusk.many.corpus.child_tasks", "dehusk.studio.page_facts"):
    with suppress(ImportError):  # an extra is not installed
        import_module(name)
clean((Path(__file__).parents[1] / "examples" / "tea.html").read_bytes(), explain=True).render("json")
