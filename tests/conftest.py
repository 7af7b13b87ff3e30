"""Settings that every test file shares.

Random examples are the same in every run and judged by their result, never by their time;
`pytest --hypothesis-profile=deep` tries many more, new ones each time.
"""

import os
from typing import Any

import pytest
from hypothesis import settings

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # Haystack reports the use of its pipelines unless told not to

settings.register_profile("dehusk", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("deep", deadline=None, max_examples=3000)
settings.load_profile("dehusk")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Give each process of `-n` the tests of whole files, as fixtures and caches are made once for a file."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None
