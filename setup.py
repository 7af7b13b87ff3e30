"""Builds the compiled modules of `dehusk.compiled`.

A machine without a C compiler builds with the one of the package `ziglang`, which `building/backend.py` then asks for.
DEHUSK_CFLAGS and DEHUSK_LDFLAGS add flags for the compiler and the linker, such as those of sanitizers.
"""

import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.append("building")  # where `pyproject.toml` has the build backend
from backend import has_compiler

SOURCES = Path("src", "dehusk", "compiled")
LOOPS = ("net", "text")
"""The modules with long loops over vectors, without whose highest level a page takes a fifth more time."""
FASTEST = ("-O3",)
FAST = ("-O1", "-finline-functions", "-fstrict-aliasing", "-ftree-vectorize")
"""What the other modules need: a page takes as long as with `-O3`, and compiling them half as long."""


class Build(build_ext):
    """Builds the modules with the compiler at hand, or with that of `ziglang`."""

    def finalize_options(self) -> None:
        """Compile several modules at a time."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def build_extensions(self) -> None:
        """Compile with `ziglang` where the machine has no compiler."""
        if find_spec("ziglang") and not has_compiler():
            clang = [sys.executable, "-m", "ziglang", "cc"]
            flags = ["-fPIC", "-fwrapv", "-DNDEBUG"]
            self.compiler.set_executables(compiler_so=[*clang, *flags], linker_so=[*clang, "-shared"])
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        """Add the flags that this compiler knows."""
        gnu = self.compiler.compiler_type != "msvc"
        level = FASTEST if extension.name.rpartition(".")[2] in LOOPS else FAST
        # sums of floating-point numbers must not depend on the machine: no fused multiply-add
        extension.extra_compile_args = (
            [*level, "-g0", "-ffp-contract=off", "-fno-math-errno"] if gnu else ["/O2", "/fp:precise"]
        )
        extension.extra_compile_args += shlex.split(os.environ.get("DEHUSK_CFLAGS", ""))
        extension.extra_link_args = shlex.split(os.environ.get("DEHUSK_LDFLAGS", "")) or (
            ["-s"] if gnu and sys.platform == "linux" else []
        )
        super().build_extension(extension)


def extensions() -> list[Extension]:
    """Return the modules."""
    import numpy as np  # noqa: PLC0415
    from Cython.Build import cythonize  # noqa: PLC0415

    modules = [
        Extension(
            f"dehusk.compiled.{source.stem}",
            [source.as_posix()],
            include_dirs=[np.get_include(), SOURCES.as_posix()],
            define_macros=[
                ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"),
                ("NPY_TARGET_VERSION", "NPY_2_0_API_VERSION"),
            ],
            depends=[path.as_posix() for path in sorted(SOURCES.glob("*.h"))],
        )
        for source in sorted(SOURCES.glob("*.pyx"))
    ]
    directives = {
        "language_level": 3,
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
        "embedsignature": False,
        "auto_pickle": False,
    }
    return cythonize(modules, compiler_directives=directives, include_path=["src"], nthreads=os.cpu_count() or 0)


setup(ext_modules=extensions(), cmdclass={"build_ext": Build})
