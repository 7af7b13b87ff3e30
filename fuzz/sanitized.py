"""Compiled modules with the sanitizers for addresses and undefined behaviour, whose branches the fuzzer sees as well."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_FLAGS = (
    "-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-sanitize=function "
    "-fno-omit-frame-pointer -g1 -O1"
)  # that of functions: Cython calls methods by pointers of a more general type


def build(work: Path) -> dict[str, str]:
    """Build a copy of dehusk with sanitizers in a folder; return the variables of processes that use it.

    Raises:
        SystemExit: there is no clang, or it fails.
    """
    clang = shutil.which("clang")
    if clang is None:
        sys.exit("--sanitize needs clang with its runtime (Debian: clang, libclang-rt-14-dev)")
    copy = work / "sanitized"
    for name in ("src", "building", "setup.py", "pyproject.toml", "README.md", "LICENSE"):
        _copy(ROOT / name, copy / name)
    flags = {"CC": "clang", "LDSHARED": "clang -shared", "DEHUSK_CFLAGS": _FLAGS, "DEHUSK_LDFLAGS": _FLAGS}
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    with (work / "build.log").open("wb") as log:
        environment = os.environ | flags
        if subprocess.run(command, cwd=copy, env=environment, stdout=log, stderr=log, check=False).returncode:
            sys.exit(f"the build with sanitizers failed: see {work / 'build.log'}")
    return {
        "LD_PRELOAD": f"{_runtime()} {_library(clang, 'libstdc++.so')}",  # extensions in C++ throw through the latter
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(copy / "src"),
    }


def _copy(source: Path, target: Path) -> None:
    """Copy a file or a folder without what was built there; what is unchanged is not built again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        built = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
        shutil.copytree(source, target, ignore=built, dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)


def _runtime() -> Path:
    """Return the library of sanitizers that has libFuzzer in it."""
    import atheris  # noqa: PLC0415 (not installed everywhere)

    return Path(atheris.path()) / "asan_with_fuzzer.so"


def _library(clang: str, name: str) -> str:
    """Return the path of a library, as the compiler finds it."""
    found = subprocess.run([clang, f"-print-file-name={name}"], stdout=subprocess.PIPE, text=True, check=True)
    return found.stdout.strip()
