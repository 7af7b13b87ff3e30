"""The build backend: setuptools, and a C compiler from the package index where the machine has none.

pip asks for the requirements of a build before it builds. If the machine's own compiler does not compile a line of C,
they include `ziglang`, whose wheel holds a complete C compiler (Clang); `setup.py` then uses it.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]
COMPILER = "ziglang>=0.13,<1"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what building a wheel needs."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_compilers()]


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return what an editable installation needs."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *_compilers()]


def _compilers() -> list[str]:
    return [] if has_compiler() else [COMPILER]


def has_compiler() -> bool:
    """Return whether the C compiler that setuptools would use compiles a line."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "line.c").write_text("int line;\n")
        program = [sys.executable, "-c", _COMPILING, folder]
        return subprocess.run(program, cwd=folder, capture_output=True, check=False).returncode == 0  # noqa: S603


_COMPILING = """
import setuptools, sys
from distutils.ccompiler import new_compiler
from distutils.sysconfig import customize_compiler

compiler = new_compiler()
customize_compiler(compiler)
compiler.compile(["line.c"], output_dir=sys.argv[1])
"""
