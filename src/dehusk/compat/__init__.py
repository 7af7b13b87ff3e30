"""The functions of other libraries, done by dehusk: change the import, and a program keeps its calls.

`dehusk.compat.trafilatura` and `dehusk.compat.readability` take the usual arguments and return the usual types;
docs/compat.md has what each argument becomes. An argument that dehusk has no counterpart for raises an error that names
it; nothing is ignored without saying so.
"""

from dehusk.compat.inputs import UnsupportedError

__all__ = ["UnsupportedError"]
