"""Builds the compiled modules of `dehusk.compiled`; without a C compiler, numpy computes the same.

A machine without a C compiler builds with the one of the package `ziglang`, which `building/backend.py` then asks for.
DEHUSK_COMPILE=no leaves the modules out, DEHUSK_COMPILE=yes makes a failing compiler an error; otherwise dehusk is
installed without them if the compiler fails. DEHUSK_CFLAGS adds flags for the compiler, such as those of sanitizers.
"""

import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.append("building")  # where `pyproject.toml` has the build backend
from backend import has_compiler  # noqa: E402

SOURCES = Path("src", "dehusk", "compiled")
WANTED = os.environ.get("DEHUSK_COMPILE", "")


class OptionalBuild(build_ext):
    """Builds all modules or none; setuptools' own `optional` lets a failing compiler end the build."""

    def run(self) -> None:
        """Build the modules; if one fails, remove what was built, since modules of two builds do not fit together."""
        try:
            super().run()
        except Exception as error:
            if WANTED == "yes":
                raise
            print(f"dehusk: no compiled modules, numpy computes instead ({error})", file=sys.stderr)  # noqa: T201
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []

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
        # sums of floating-point numbers must not depend on the machine: no fused multiply-add
        extension.extra_compile_args = (
            ["-O3", "-ffp-contract=off", "-fno-math-errno"] if gnu else ["/O2", "/fp:precise"]
        )
        extension.extra_compile_args += shlex.split(os.environ.get("DEHUSK_CFLAGS", ""))
        extension.extra_link_args = shlex.split(os.environ.get("DEHUSK_LDFLAGS", "")) or (
            ["-s"] if gnu and sys.platform == "linux" else []
        )
        super().build_extension(extension)


def extensions() -> list[Extension]:
    """Return the modules; none without Cython and numpy."""
    if WANTED == "no":
        return []
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
    }
    return cythonize(modules, compiler_directives=directives, include_path=["src"], nthreads=0)


setup(ext_modules=extensions(), cmdclass={"build_ext": OptionalBuild})
