"""The compiled core, in Cython: the rules that make blocks, labels and outputs of a page.

Each module has a typed face, its `.pyi`. They are built while dehusk is installed; an installation without them is
refused here, in one line.
"""

from importlib.machinery import PathFinder

from dehusk.base.errors import BuildError

if PathFinder.find_spec("dehusk.compiled.tree", __path__) is None:
    raise BuildError(
        "dehusk has no compiled modules for this Python: install it again, "
        "pip install --force-reinstall --no-deps dehusk"
    )
