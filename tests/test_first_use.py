"""The first use of dehusk by several threads, each time in a process of its own; `bench/first_use.py` has 200."""

import subprocess
import sys
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("first_use.py")
AT_IMPORT = """
import gc, importlib, pkgutil, sys, traceback
from contextlib import suppress
import dehusk, dehusk.base.lazy

class Recorder:
    def __enter__(self):
        frames = [frame for frame, _ in traceback.walk_stack(sys._getframe()) if frame.f_code.co_name == "<module>"]
        if frames[:-1]:
            print(frames[0].f_code.co_filename)
    def __exit__(self, *_):
        pass

gc.disable()  # most of what is imported stays
dehusk.base.lazy.IMPORTING = Recorder()
imported = 0
for found in pkgutil.walk_packages(dehusk.__path__, "dehusk.", onerror=lambda name: None):
    if not found.name.startswith(("dehusk.cli", "dehusk.__main__")):
        with suppress(Exception):  # some need an extra
            importlib.import_module(found.name)
            imported += 1
assert imported > 300, imported
"""


@pytest.mark.parametrize("interval", ["0", "0.000001"])
@pytest.mark.parametrize("case", ["cleaned", "written", "learned", "by_method"])
def test_threads_that_use_dehusk_first_get_what_one_thread_gets(case: str, interval: str) -> None:
    command = [sys.executable, str(CHILD), case, interval]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout, result.stderr[-2000:]) == (0, "", "")


def test_no_module_calls_a_kernel_while_it_is_imported() -> None:
    """Otherwise two threads could wait for each other, for an import and a lock; a command starts with one thread."""
    command = [sys.executable, "-c", AT_IMPORT]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr[-2000:]
