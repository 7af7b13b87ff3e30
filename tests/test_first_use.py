"""The first use of dehusk by several threads, each time in a process of its own; `bench/first_use.py` has 200."""

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import dehusk

CHILD = Path(__file__).with_name("first_use.py")
AT_IMPORT = """
import importlib, sys, traceback
import dehusk.base.lazy

class Recorder:
    def __enter__(self):
        inside = [frame.filename for frame in traceback.extract_stack() if frame.name == "<module>"][1:]
        if inside:
            print(inside[-1])
    def __exit__(self, *_):
        pass

dehusk.base.lazy.IMPORTING = Recorder()
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


@pytest.mark.parametrize("interval", ["0", "0.000001"])
@pytest.mark.parametrize("case", ["cleaned", "written", "learned", "by_method"])
def test_threads_that_use_dehusk_first_get_what_one_thread_gets(case: str, interval: str) -> None:
    command = [sys.executable, str(CHILD), case, interval]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout, result.stderr[-2000:]) == (0, "", "")


def test_no_module_calls_a_kernel_while_it_is_imported() -> None:
    """Otherwise two threads could wait for each other, for an import and a lock; a command starts with one thread."""
    names = [
        found.name
        for found in pkgutil.walk_packages(dehusk.__path__, "dehusk.")
        if not found.name.startswith(("dehusk.cli", "dehusk.__main__")) and importable(found.name)
    ]
    assert len(names) > 300
    command = [sys.executable, "-c", AT_IMPORT, *names]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr[-2000:]


def importable(name: str) -> bool:
    """Return whether a module can be imported here: some need an extra."""
    try:
        importlib.import_module(name)
    except Exception:
        return False
    return True
