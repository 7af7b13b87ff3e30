"""The first use of dehusk by several threads, each time in a process of its own; `bench/first_use.py` has 200."""

import os
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

FORKED = """
import asyncio, os, sys, threading
from pathlib import Path
import dehusk

pages = [path.read_bytes() for path in sorted(Path(sys.argv[1]).glob("*.html"))] * 3
outcome = lambda page: dehusk.clean(page).markdown
expected = [outcome(page) for page in pages]
answers = []

async def in_threads():
    return await asyncio.gather(*(asyncio.to_thread(outcome, page) for page in pages))

def in_a_fork():
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, b"same" if [outcome(page) for page in pages] == expected else b"other")
        os._exit(0)
    os.close(writing)
    answers.append(os.read(reading, 9).decode())
    os.waitpid(child, 0)

threads = [threading.Thread(target=work) for work in [in_a_fork] * 3 + [lambda: [outcome(page) for page in pages]] * 2]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*answers, asyncio.run(in_threads()) == expected)
"""
"""Threads fork while others clean pages, and an event loop has its threads clean them."""


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
def test_forks_of_threads_and_threads_of_an_event_loop_get_what_one_thread_gets() -> None:
    command = [sys.executable, "-c", FORKED, str(Path(__file__).parent.parent / "examples" / "tea-room")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (result.stdout.split(), result.returncode) == (["same"] * 3 + ["True"], 0), result.stderr[-2000:]
