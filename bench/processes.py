"""Measure the cost of a program, including all processes that it starts or leaves behind."""

import ctypes
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: orphans become children of this process
_INTERVAL = 0.5  # seconds between measurements of memory

DEHUSK = (sys.executable, "-c", "from dehusk.cli import main; main()")
"""The command line, independent of PATH."""


@dataclass
class Cost:
    """The cost of a program."""

    wall: float = 0.0
    cpu: float = 0.0
    """CPU seconds of its processes that were waited for; Java does not wait for all of its child processes."""
    main: float = 0.0
    """CPU seconds of the program itself, and of its processes that it waited for."""
    busy: float = 0.0
    """Busy seconds of all processors of the machine, whatever the reason."""
    sizes: list[tuple[float, dict[int, float]]] = field(default_factory=list)
    """Seconds since the start, and the resident MB of each process but the program itself at that time."""
    own: float = 0.0
    """Largest resident MB of the program itself."""

    def largest(self, start: float = 0.0, end: float = 1.0) -> float:
        """Return the size of the largest process during part of the run, in MB, except for the program itself."""
        sizes = [size for time, sizes in self.sizes if start <= time / self.wall <= end for size in sizes.values()]
        return max(sizes, default=0.0)

    def together(self) -> float:
        """Return the largest total size of all processes, in MB; shared memory counts for each."""
        return max((sum(sizes.values()) for _, sizes in self.sizes), default=0.0)


def measure(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Cost:
    """Run a program, wait for all its processes, and return its cost.

    Raises:
        SystemExit: its exit code is neither 0 nor 1.
    """
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    cost, before, start, all_before = Cost(), _cpu(), time.perf_counter(), busy()
    own = children()
    program = subprocess.Popen(command, env={**os.environ, **(environment or {})})
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(cost, program.pid, start, ended))
    watcher.start()
    _, status, usage = os.wait4(program.pid, 0)
    code = program.returncode = os.waitstatus_to_exitcode(status)
    cost.main = usage.ru_utime + usage.ru_stime
    cost.wall = time.perf_counter() - start
    ended.set()
    watcher.join()
    reap(own)
    cost.cpu = _cpu() - before
    cost.busy = busy() - all_before
    if code not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit code {code}")
    return cost


def children() -> set[int]:
    """Return the children of this process."""
    return {pid for pid, (parent, _) in _processes().items() if parent == os.getpid()}


def reap(but: Collection[int]) -> None:
    """Wait until this process has no children but these."""
    while left := children().difference(but):
        for pid in left:
            os.waitpid(pid, 0)


def _watch(cost: Cost, program: int, start: float, ended: threading.Event) -> None:
    while not ended.wait(_INTERVAL):
        sizes = _resident(program)
        cost.own = max(cost.own, sizes.pop(program, 0.0))
        cost.sizes.append((time.perf_counter() - start, sizes))


def _resident(program: int) -> dict[int, float]:
    """Return the resident MB of a program and of each process that it started or left behind."""
    processes = _processes()
    parents = {pid: parent for pid, (parent, _) in processes.items()}
    ours = {program, os.getpid()}
    return {pid: size for pid, (_, size) in processes.items() if pid == program or _descends(pid, parents, ours)}


def _processes() -> dict[int, tuple[int, float]]:
    """Return parent and resident MB of each process."""
    processes = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        processes[int(path.parent.name)] = int(fields[1]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return processes


def _descends(pid: int, parents: Mapping[int, int], ancestors: set[int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid in ancestors:
            return True
    return False


def _cpu() -> float:
    """Return the CPU seconds of all processes that this one has waited for, and that those have waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def busy() -> float:
    """Return the busy seconds of all processors since the machine was started."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    idle = int(fields[3]) + int(fields[4])
    return (sum(map(int, fields)) - idle) / os.sysconf("SC_CLK_TCK")
