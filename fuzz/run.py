"""Fuzz dehusk: `python fuzz/run.py --seconds 20` runs every target that long, `--target page` only one.

What the fuzzer finds, and the inputs that reach new code, stay in `--work`; run again to go on. `--jobs` runs several
targets at a time; `--sanitize` runs them with compiled modules that clang's sanitizers watch, and whose branches the fuzzer
follows. The exit code is 1 if a target failed; the input is then in `--work`, named `crash-…` or `slow-…`.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from sanitized import build
from seeds import SEEDS, write_seeds

HERE = Path(__file__).resolve().parent
_MEMORY = 2500  # MB that a target may take
_SANITIZED_MEMORY = 8000  # shadow memory, and freed memory that is kept to find its use
_TIMEOUT = 25  # seconds that one input may take; coverage makes Python several times slower
_MAX_LENGTH = 20_000  # bytes of an input
_SLICE = 60  # seconds; then the target starts again from its corpus: the fuzzer itself grows by 200 kB an input
_COVERED = re.compile(r"\bcov: (\d+)")


@dataclass(frozen=True)
class Extent:
    """How much to fuzz each target."""

    seconds: int
    inputs: int  # at most, in each slice; 0: as many as the time allows
    seed: int  # 0: libFuzzer takes a new one


def run_target(name: str, work: Path, extent: Extent, variables: Mapping[str, str]) -> int:
    """Fuzz one target and return the exit code of its process.

    Each minute a line tells how many inputs were run and how many branches the corpus reaches: a target whose branches do
    not grow any more has seen what it can find.
    """
    (work / "corpus" / name).mkdir(parents=True, exist_ok=True)
    executed, code = 0, 0
    for done in range(0, extent.seconds, _SLICE):
        code = _run_slice(name, work, replace(extent, seconds=min(_SLICE, extent.seconds - done)), variables)
        log = (work / f"{name}.log").read_text("utf-8", "replace")
        lines = log.splitlines()
        executed += sum(int(line.rpartition(":")[2]) for line in lines if "number_of_executed_units" in line)
        covered = max(map(int, _COVERED.findall(log)), default=0)
        print(f"{name}: minute {done // 60 + 1}: {executed} inputs, {covered} branches", flush=True)
        if code:
            print("\n".join(lines[-40:]), flush=True)
            break
    print(f"{name}: {executed or 'no'} inputs, exit code {code}", flush=True)
    return code


def _run_slice(name: str, work: Path, extent: Extent, variables: Mapping[str, str]) -> int:
    options = {
        "max_total_time": extent.seconds,
        "runs": extent.inputs or -1,
        "seed": extent.seed,
        "rss_limit_mb": _SANITIZED_MEMORY if variables else _MEMORY,
        "timeout": _TIMEOUT,
        "max_len": _MAX_LENGTH,
        "artifact_prefix": f"{work}/{name}-",
        "print_final_stats": 1,
    }
    command = [sys.executable, str(HERE / f"fuzz_{name}.py"), *(f"-{key}={value}" for key, value in options.items())]
    with (work / f"{name}.log").open("wb") as log:
        process = subprocess.run(
            [*command, str(work / "corpus" / name), str(work / "seeds" / name)],
            stdout=log,
            stderr=log,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": str(extent.seed), **variables},
            check=False,
        )
    return process.returncode


def _is_installed() -> bool:
    try:
        return find_spec("atheris") is not None
    except ValueError:  # the module is blocked
        return False


def main(command_line: list[str] | None = None) -> int:
    """Run the targets that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the inputs: the same seed, the same inputs; 0: new ones (0)"
    )
    parser.add_argument("--inputs", type=int, default=0, help="for each target and minute, at most; 0: no limit (0)")
    parser.add_argument("--target", action="append", choices=sorted(SEEDS), help="one target; may be repeated")
    parser.add_argument("--work", type=Path, default=Path("fuzz/work"), help="folder for seeds, corpora and findings")
    parser.add_argument("--sanitize", action="store_true", help="build with clang's sanitizers, and use what was built")
    parser.add_argument("--jobs", type=int, default=1, help="targets to run at a time (1)")
    arguments = parser.parse_args(command_line)
    if not _is_installed():
        print("fuzzing is skipped: atheris is not installed (pip install 'dehusk[fuzz]')")
        return 0
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    variables = build(work) if arguments.sanitize else {}
    names, extent = arguments.target or list(SEEDS), Extent(arguments.seconds, arguments.inputs, arguments.seed)
    for name in names:  # in one thread: the modules that they come from are not made for first use from several
        write_seeds(work / "seeds" / name, name)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        codes = list(pool.map(lambda name: run_target(name, work, extent, variables), names))
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
