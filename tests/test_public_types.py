"""What `help()`, editors and `copy` see of the types of results, also before the first page is cleaned."""

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys

import pytest

import dehusk

TYPES = [kind for name in dehusk.__all__ if dataclasses.is_dataclass(kind := getattr(dehusk, name))]
SHOWN = """
import dataclasses, inspect, dehusk
for name in dehusk.__all__:
    if dataclasses.is_dataclass(kind := getattr(dehusk, name)):
        print(name, *inspect.signature(kind).parameters, "|", *kind.__match_args__)
"""
TEA = (
    "<html lang=en><title>Tea</title><article><h1>Tea</h1><div class=post><b class=author>Ann Leaf</b> <time>3 May 2020"
    "</time><p>Green tea turns bitter for two reasons: the water was too hot, or stood too long.</p></div></article>"
)


def test_the_types_of_results_are_dataclasses() -> None:
    names = {kind.__name__ for kind in TYPES}
    assert names >= {"Block", "Blocks", "Chunk", "Document", "Labels", "Metadata", "Page", "Post", "Unit"}


def test_signatures_are_known_before_the_first_page() -> None:
    shown = subprocess.run([sys.executable, "-c", SHOWN], capture_output=True, text=True, check=True).stdout
    lines = [" ".join([kind.__name__, *_parameters(kind), "|", *kind.__match_args__]) for kind in TYPES]
    assert shown.splitlines() == lines


def _parameters(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind) if field.init]


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_parameter_has_its_type(kind: type) -> None:
    parameters = inspect.signature(kind).parameters
    assert parameters
    assert all(each.annotation is not inspect.Parameter.empty for each in parameters.values())


def test_results_are_copied_and_pickled() -> None:
    document = dehusk.clean(TEA)
    results = [document.metadata, *document.blocks, *document.units, *document.posts, *document.chunks()]
    assert len({type(each) for each in results}) >= 4
    for each in results:
        assert copy.copy(each) == each
        assert pickle.loads(pickle.dumps(each)) == each  # noqa: S301
    for copied in (copy.copy(document), pickle.loads(pickle.dumps(document))):  # noqa: S301
        assert (copied.text, copied.metadata) == (document.text, document.metadata)
    for part in (document.labels, document.labels.blocks, document.labels.blocks.page):
        names = {field.name for field in dataclasses.fields(part)}
        assert copy.copy(part).__dict__.keys() == pickle.loads(pickle.dumps(part)).__dict__.keys() == names  # noqa: S301


def test_results_match_by_position() -> None:
    block = dehusk.clean(TEA).blocks[0]
    match block:
        case dehusk.Block(first):
            assert first == getattr(block, dehusk.Block.__match_args__[0])
        case _:
            pytest.fail("no match")
