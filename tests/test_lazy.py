"""Dataclasses and patterns of `dehusk.lazy` behave as those of the standard library."""

import dataclasses
import re

import pytest

from dehusk.lazy import LatePattern, dataclass, pattern
from imports import ROOT


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    near: list[int] = dataclasses.field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Place(Point):
    name: str = ""

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x")


@dataclass(frozen=True, eq=False)
class Token:
    text: str


@dataclass(frozen=True, kw_only=True)
class Choice:
    name: str
    default: int = 0


@dataclass
class Count:
    times: int = 0
    twice: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.twice = 2 * self.times


def test_a_frozen_dataclass() -> None:
    point = Point(1)
    assert (point.x, point.y, point.near) == (1, 2, [])
    assert point.near is not Point(1).near
    assert point == Point(1, y=2, near=[3])
    assert hash(point) == hash(Point(1))
    assert point != Point(2)
    assert repr(point) == "Point(x=1, y=2, near=[])"
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 3  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_the_functions_of_dataclasses_take_it() -> None:
    assert dataclasses.is_dataclass(Choice)
    assert [field.name for field in dataclasses.fields(Place)] == ["x", "y", "near", "name"]
    assert dataclasses.replace(Point(1), y=5) == Point(1, 5)
    assert dataclasses.asdict(Point(1)) == {"x": 1, "y": 2, "near": []}


def test_a_dataclass_that_inherits() -> None:
    place = Place(1, name="here")
    assert (place.x, place.y, place.name) == (1, 2, "here")
    assert place == Place(1, name="here")
    assert place != Place(1)
    with pytest.raises(ValueError, match="x"):
        dataclasses.replace(place, x=-1)


def test_a_dataclass_that_can_be_changed() -> None:
    count = Count(3)
    count.times += 1
    assert (count.times, count.twice) == (4, 6)
    assert count != Count(3)
    with pytest.raises(TypeError):
        hash(count)


def test_a_dataclass_of_keywords() -> None:
    assert (Choice(name="a").default, Choice(default=1, name="a").default) == (0, 1)
    with pytest.raises(TypeError):
        Choice("a")  # type: ignore[call-arg]


def test_a_dataclass_compared_by_identity() -> None:
    assert Token("a") != Token("a")
    assert len({Token("a"), Token("a")}) == 2


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    words = pattern(r"(\w+) tea", re.IGNORECASE)
    assert "search" not in vars(words)
    assert words.findall("Green Tea, black tea") == ["Green", "black"]
    assert words.pattern == r"(\w+) tea"
    assert words.flags & re.IGNORECASE
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


def test_all_patterns_of_the_package_are_valid() -> None:
    """A wrong pattern shows only where it is used, so compile them all."""
    names = [
        ".".join(path.with_suffix("").relative_to(ROOT.parent).parts)
        for path in ROOT.rglob("*.py")
        if "dehusk.lazy import" in path.read_text("utf-8")
    ]
    assert len(names) > 50
    patterns = [
        value
        for name in names
        for value in vars(__import__(name, fromlist=["x"])).values()
        if isinstance(value, LatePattern)
    ]
    assert len(patterns) > 100
    assert all(each.groups >= 0 for each in patterns)
