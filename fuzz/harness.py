"""Start atheris on one of the targets; each `fuzz_*.py` beside this file is a target of its own, as OSS-Fuzz wants it."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["dehusk"]):
    from targets import TARGETS


def fuzz(name: str) -> None:
    """Fuzz a target with libFuzzer's arguments from the command line."""
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()
