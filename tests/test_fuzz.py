"""The fuzzer's targets hold on their seeds, on damaged ones, and without atheris."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

FUZZ = Path(__file__).parent.parent / "fuzz"
sys.path.insert(0, str(FUZZ))
pytest.importorskip("pyarrow", reason="the extra corpus is not installed")
import seeds  # noqa: E402
import targets  # noqa: E402


@pytest.mark.parametrize("target", seeds.SEEDS)
def test_seeds(target):
    run, random = targets.TARGETS[target], Random(target)  # noqa: S311 (nothing secret)
    count = 0
    for data in seeds.SEEDS[target]():
        count += 1
        run(data)
        damaged = bytearray(data)
        for _ in range(3):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        run(bytes(damaged))
    assert count > 1


def test_every_target_has_seeds_and_a_program():
    programs = {path.stem.removeprefix("fuzz_") for path in FUZZ.glob("fuzz_*.py")}
    assert programs == set(targets.TARGETS) == set(seeds.SEEDS)


def test_without_atheris_nothing_runs_and_one_line_says_so(tmp_path):
    program = (
        "import sys; sys.modules['atheris'] = None; sys.path.insert(0, sys.argv[1]); import run; sys.exit(run.main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program.replace("run.main()", "run.main([])"), str(FUZZ)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert "atheris is not installed" in done.stdout
