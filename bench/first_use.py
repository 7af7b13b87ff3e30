"""First use of dehusk by eight threads, in fresh processes: how many fail. `python bench/first_use.py [RUNS]`.

Each case of `tests/first_use.py` runs with the default switch interval and with 1 µs; RUNS (200) is the number of processes
in all. The test suite runs each combination once.
"""

import itertools
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CHILD = Path(__file__).parents[1] / "tests" / "first_use.py"
COMBINATIONS = list(itertools.product(("cleaned", "written", "learned", "by_method"), ("0", "0.000001")))


def main(runs: int) -> int:
    with ThreadPoolExecutor(2) as pool:
        failures = Counter(filter(None, pool.map(run, itertools.islice(itertools.cycle(COMBINATIONS), runs))))
    print(f"{runs} processes with 8 threads each: {failures.total()} failed")
    for (combination, code, line), number in failures.most_common():
        print(f"{number} x {' '.join(combination)}: exit code {code}, {line}")
    return min(1, failures.total())


def run(combination: tuple[str, str]) -> tuple[tuple[str, str], int, str] | None:
    command = [sys.executable, str(CHILD), *combination]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (result.stdout + result.stderr).strip().splitlines()
    return (combination, result.returncode, lines[-1] if lines else "") if result.returncode or lines else None


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
