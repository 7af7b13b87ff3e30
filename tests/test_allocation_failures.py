"""Every allocation of the compiled modules may fail: there is an error or a status, no crash, no leak, no wrong state.

`allocation_failures.py` has the cases, and lets only some allocations fail here; `failing_malloc.c` makes them fail.
`memory_limits.py` limits the memory of the process instead.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("gcc")


@pytest.mark.skipif(sys.platform != "linux" or not COMPILER, reason="needs Linux and gcc")
@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_DEBUG")), reason="Python's own functions must call malloc last")
def test_a_failing_allocation_is_an_error_and_no_more(tmp_path: Path) -> None:
    library = compiled(tmp_path / "failing_malloc.so")
    # with its own allocator, Python would not ask the C library for each piece of memory
    environment = {**os.environ, "LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc"}
    command = [sys.executable, str(HERE / "allocation_failures.py"), str(library)]
    result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-3000:]
    places = {module: int(number) for module, number in map(str.split, result.stdout.splitlines()[1].split(", "))}
    assert {"blocks", "decide", "features", "site", "tokens", "tree", "write"} <= places.keys()
    assert sum(places.values()) > 50


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_at_any_limit_of_memory_an_output_is_right_or_failed() -> None:
    command = [sys.executable, str(HERE / "memory_limits.py"), "8"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-3000:]
    done, failed = (int(part.split()[0]) for part in result.stdout.splitlines()[0].split(", "))
    assert min(done, failed) > 3  # the limits are neither all too large nor all too small


def compiled(library: Path) -> Path:
    """Compile the functions that fail, if this C library has what they call."""
    command = [str(COMPILER), "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "failing_malloc.c")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    libc = sysconfig.get_config_var("SOABI") or ""
    if result.returncode or "musl" in libc:
        pytest.skip(f"the functions of the C library cannot be replaced: {result.stderr[-500:]}")
    return library
