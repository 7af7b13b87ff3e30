"""The examples are known; `example_programs.py` says where they are run."""

import pytest

from example_programs import EXAMPLES, assert_shows_usage


@pytest.mark.parametrize(("example", "library"), [("scrapy_spider.py", "scrapy"), ("spark_pages.py", "pyspark")])
def test_an_example_without_arguments_shows_its_usage(example: str, library: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    assert_shows_usage(example)


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
