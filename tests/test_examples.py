"""The examples without arguments; test_tools.py, test_retrieval.py and test_spark.py run them with arguments."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize(
    ("example", "library"),
    [
        ("datatrove_pipeline.py", "datatrove"),
        ("haystack_search.py", "haystack"),
        ("langchain_chunks.py", "langchain_core"),
        ("llama_index_nodes.py", "llama_index"),
        ("scrapy_spider.py", "scrapy"),
        ("spark_pages.py", "pyspark"),
    ],
)
def test_an_example_without_arguments_shows_its_usage(example: str, library: str) -> None:
    if find_spec(library) is None:  # the example imports it, which takes some libraries seconds
        pytest.skip(f"{library} is not installed")
    done = subprocess.run([sys.executable, EXAMPLES / example], capture_output=True, check=False, timeout=120)
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.decode().splitlines()[-1].startswith(f"usage: python {example} ")
    assert b"Traceback" not in done.stderr


def test_every_example_is_known() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    assert names == {
        "datatrove_pipeline.py",
        "haystack_search.py",
        "langchain_chunks.py",
        "llama_index_nodes.py",
        "scrapy_spider.py",
        "sklearn_pipeline.py",
        "spark_pages.py",
        "tea_sites.py",
    }
