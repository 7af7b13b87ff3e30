"""Settings that every test file shares.

Random examples are the same in every run and judged by their result, never by their time;
`pytest --hypothesis-profile=deep` tries many more, new ones each time.
"""

import gc
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from dehusk.base.processes.child import Child

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False  # each of thousands of processes would compile what it imports, in half a second

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # Haystack reports the use of its pipelines unless told not to

settings.register_profile("dehusk", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("deep", deadline=None, max_examples=3000)
settings.load_profile("dehusk")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect without the garbage collector, which would take half of the time, and spare it what stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run a test in a browser once more if it ran out of time, and say so: on busy machines Chromium stands still.

    The tests of Spark come first: one process of `-n` then runs all of them in one virtual machine of Java, before the
    others take what is left of its tests. Spread over four, each with a machine of its own, they take longer.
    """
    items.sort(key=lambda item: item.path.name != "test_spark.py")
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError"]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Let `-n auto` start more processes than there are processors, as tests in a browser and of crawls mostly wait."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Give each process of `-n` the tests of whole files, as fixtures and caches are made once for a file."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


@pytest.fixture(scope="session", autouse=sys.platform == "linux")
def process_of_children() -> None:
    """Start the process that forks the children of all tests: it has cleaned a page, which takes a new one a second."""
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as thread:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        with Child(itemgetter, 0, seconds=60, preload="cleaned_page") as child:
            assert thread.submit(child.work, "x").result().result == "x"
