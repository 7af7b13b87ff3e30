"""The examples without arguments; test_tools.py, test_retrieval.py and test_spark.py run them with arguments, too."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def assert_shows_usage(example: str) -> None:
    """Assert that an example without arguments ends with its usage; in this process, which has its library."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [example])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(EXAMPLES / example), run_name="__main__")
    assert str(ended.value.code).startswith(f"usage: python {example} ")
