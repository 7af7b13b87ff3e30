"""Functions that still stand twice: compiled, and in Python for the pages that the compiled one does not know yet.

    @kernel("tokens.tokens_of")
    def tokens_of(kept): ...

names the compiled function of `dehusk.compiled` that runs in place of the Python function; this one runs for inputs
that the compiled one declines by returning NotImplemented. For tests, the environment variable DEHUSK_BACKEND, or
`using`, has both run for each call (`check`; `Disagreement` if their results differ), or the Python function alone
(`numpy`).

All other rules of a page stand once, in `dehusk.compiled`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
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
"""The functions with a compiled twin, by the name of the kernel."""


def kernel(name: str, *, tolerance: float = 0.0) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function that has a compiled twin.

    Args:
        name: module and function of the kernel in `dehusk.compiled`.
        tolerance: how far floating-point numbers may be from those of the function; by default all bits agree.
    """

    def declare(reference: Callable[P, R]) -> Callable[P, R]:
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
    """Raise ConfigError if DEHUSK_BACKEND asks for a backend that does not exist.

    It is not raised while dehusk is imported, so that the command line can print it as one line.
    """
    _valid(_chosen)


@contextmanager
def using(backend: Backend) -> Iterator[None]:
    """Use another backend, in all threads of the process.

    Raises:
        ConfigError: there is no such backend.
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
    return backend


_chosen: Backend = os.environ.get(VARIABLE) or "compiled"  # type: ignore[assignment]
