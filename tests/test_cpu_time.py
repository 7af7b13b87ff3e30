import gc
import time
from collections.abc import Callable

import pytest

import cpu_time
from cpu_time import assert_linear, assert_quick, cpu_seconds


def loops(count: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(count):
            pass

    return work


def test_linear_work_passes() -> None:
    assert_linear(lambda size: loops(size * 100), 5_000)
    assert_linear(loops, 1)


def test_work_that_is_not_linear_fails() -> None:
    with pytest.raises(AssertionError, match=r"^8 times the items take more than 22\.6 times: .* instead of .* s$"):
        assert_linear(lambda size: loops(size**3), 70, attempts=2)


def test_one_slow_measure_is_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = iter([0.1, 0.1, 9.0, 0.1, 0.1, 0.2])
    monkeypatch.setattr(cpu_time, "cpu_seconds", lambda _: next(measured))
    assert_linear(loops, 1, factor=2)
    assert list(measured) == []


def test_preparation_is_not_measured() -> None:
    def prepare(size: int) -> Callable[[], None]:
        loops(size**2 * 1_000_000)()
        return loops(size * 1_000)

    assert_linear(prepare, 1, factor=4, attempts=1)


def test_what_takes_longer_than_its_budget_fails() -> None:
    assert assert_quick(lambda: "tea", 5) == "tea"
    with pytest.raises(AssertionError, match=r"^took 0\.\d\d s of CPU time, not less than 0\.01 s$"):
        assert_quick(loops(2_000_000), 0.01)


def test_waiting_is_no_cpu_time() -> None:
    assert_quick(lambda: time.sleep(0.2), 0.1)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_rests_while_work_is_measured(enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        seen: list[bool] = []
        cpu_seconds(lambda: seen.append(gc.isenabled()))
        with pytest.raises(ZeroDivisionError):
            cpu_seconds(lambda: 1 / 0)
        assert (seen, gc.isenabled()) == ([False], enabled)
    finally:
        (gc.enable if before else gc.disable)()
