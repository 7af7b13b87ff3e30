"""Which code computes a page: numpy, which is the reference, or compiled kernels that give the same results.

A kernel is a compiled twin of one Python function, in the Cython modules of `dehusk.compiled`. The function names it:

    @kernel("tree.subtree_ends")
    def subtree_ends(parent): ...

The Python function stays the definition: it runs where the modules are not built, where the environment variable
DEHUSK_BACKEND asks for it, and for inputs that the kernel declines by returning NotImplemented. DEHUSK_BACKEND is

- `compiled`: the kernels; the default if they are built, and an error if they are not;
- `numpy`: the Python functions;
- `check`: both for each call, and `Disagreement` if their results differ.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from importlib.machinery import PathFinder
from typing import Literal, ParamSpec, TypeVar, get_args

from dehusk.errors import ConfigError, unknown

P = ParamSpec("P")
R = TypeVar("R")

Backend = Literal["compiled", "numpy", "check"]

_BACKENDS: tuple[Backend, ...] = get_args(Backend)

VARIABLE = "DEHUSK_BACKEND"
"""The environment variable that chooses the backend."""


class Disagreement(BaseException):
    """The two backends give different results.

    It is not an `Exception`, because `clean` turns each of those into the status of a page.
    """


@dataclass
class Kernel:
    """A Python function and its compiled twin."""

    name: str
    reference: Callable[..., object]
    compiled: Callable[..., object]
    tolerance: float
    """How far floating-point numbers may be from each other; 0 if all bits must agree."""
    calls: int = 0
    """How often both ran and agreed."""

    def check(self, *args: object, **options: object) -> object:
        """Run both and return the result of the reference; raises `Disagreement` if the results differ."""
        from dehusk.comparison import difference  # noqa: PLC0415 (imports numpy, which nothing else here needs)

        verify()
        found = self.compiled(*args, **options)
        expected = self.reference(*args, **options)
        if found is NotImplemented:
            return expected
        self.calls += 1
        if why := difference(found, expected, self.tolerance):
            raise Disagreement(f"kernel {self.name}: {why}")
        return expected


KERNELS: dict[str, Kernel] = {}
"""The functions with a compiled twin, by the name of the kernel; empty if the modules are not built."""


def kernel(name: str, *, tolerance: float = 0.0) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function that has a compiled twin.

    Args:
        name: module and function of the kernel in `dehusk.compiled`.
        tolerance: how far floating-point numbers may be from those of the function; by default all bits agree.
    """

    def declare(reference: Callable[P, R]) -> Callable[P, R]:
        if not _BUILT:
            return reference
        module, _, function = name.partition(".")
        compiled: Callable[P, R] = getattr(import_module(f"dehusk.compiled.{module}"), function)
        pair = KERNELS[name] = Kernel(name, reference, compiled, tolerance)

        @wraps(reference)
        def call(*args: P.args, **options: P.kwargs) -> R:
            if _chosen == "compiled":
                result = compiled(*args, **options)
                return reference(*args, **options) if result is NotImplemented else result
            return reference(*args, **options) if _chosen == "numpy" else pair.check(*args, **options)  # type: ignore[return-value]

        return call

    return declare


def chosen() -> Backend:
    """Return the backend in use; raises as `verify`."""
    verify()
    return _chosen


def verify() -> None:
    """Raise ConfigError if DEHUSK_BACKEND asks for a backend that does not exist or is not built.

    It is not raised while dehusk is imported, so that the command line can print it as one line.
    """
    _valid(_chosen)


@contextmanager
def using(backend: Backend) -> Iterator[None]:
    """Use another backend, in all threads of the process.

    Raises:
        ConfigError: there is no such backend, or its modules are not built.
    """
    global _chosen  # noqa: PLW0603 (the one place that holds it)
    before, _chosen = chosen(), _valid(backend)
    try:
        yield
    finally:
        _chosen = before


def _valid(backend: str) -> Backend:
    if backend not in _BACKENDS:
        raise ConfigError(unknown(VARIABLE, backend, _BACKENDS))
    if backend != "numpy" and not _BUILT:
        raise ConfigError(f"{VARIABLE}={backend}: this installation has no compiled modules, so use numpy")
    return backend


def _is_built() -> bool:
    """Return whether the compiled modules are built: all of them or none, so one tells."""
    try:
        folder = import_module("dehusk.compiled").__path__
    except ImportError:
        return False
    return PathFinder.find_spec("dehusk.compiled.tree", folder) is not None


_BUILT = _is_built()
_chosen: Backend = os.environ.get(VARIABLE) or ("numpy" if not _BUILT else "compiled")  # type: ignore[assignment]
