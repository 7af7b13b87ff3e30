"""What a program costs with all processes that it starts, also those that it leaves behind."""

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

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: what a program leaves behind becomes a child of this process
_EVERY = 0.5  # seconds between two looks at memory

DEHUSK = (sys.executable, "-c", "from dehusk.cli import main; main()")
"""The command line, whatever PATH says."""


@dataclass
class Cost:
    """What a program cost."""

    wall: float = 0.0
    cpu: float = 0.0
    """Seconds of all its processes that others have waited for; those of Java in part have not."""
    busy: float = 0.0
    """Seconds that all processors of the machine were busy meanwhile, whatever with."""
    sizes: list[tuple[float, dict[int, float]]] = field(default_factory=list)
    """Seconds since the start, and the resident MB of each process then."""

    def largest(self, start: float = 0.0, end: float = 1.0) -> float:
        """Return the largest process in a part of the time, in MB; the program's own is left out."""
        found = [size for at, sizes in self.sizes if start <= at / self.wall <= end for size in sizes.values()]
        return max(found, default=0.0)

    def together(self) -> float:
        """Return the most that all processes had together, in MB; memory that they share counts for each."""
        return max((sum(sizes.values()) for _, sizes in self.sizes), default=0.0)


def measured(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Cost:
    """Run a program and return what it cost; its processes are waited for.

    Raises:
        SystemExit: it ended with another code than 0 or 1.
    """
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    cost, before, start, all_before = Cost(), _cpu(), time.perf_counter(), busy()
    own = children()
    program = subprocess.Popen(command, env={**os.environ, **(environment or {})})
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(cost, program.pid, start, ended))
    watcher.start()
    code = program.wait()
    cost.wall = time.perf_counter() - start
    ended.set()
    watcher.join()
    reap(own)
    cost.cpu = _cpu() - before
    cost.busy = busy() - all_before
    if code not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with code {code}")
    return cost


def children() -> set[int]:
    """Return the processes that this one has to wait for."""
    return {pid for pid, (parent, _) in _processes().items() if parent == os.getpid()}


def reap(but: Collection[int]) -> None:
    """Wait until this process has no other children than these."""
    while left := children().difference(but):
        for pid in left:
            os.waitpid(pid, 0)


def _watch(cost: Cost, program: int, start: float, ended: threading.Event) -> None:
    while not ended.wait(_EVERY):
        cost.sizes.append((time.perf_counter() - start, _resident(program)))


def _resident(program: int) -> dict[int, float]:
    """Return the resident MB of what was started by a program or left behind by it."""
    found = _processes()
    parents = {pid: parent for pid, (parent, _) in found.items()}
    ours = {program, os.getpid()}
    return {pid: size for pid, (_, size) in found.items() if pid != program and _below(pid, parents, ours)}


def _processes() -> dict[int, tuple[int, float]]:
    """Return parent and resident MB of each process."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        found[int(path.parent.name)] = int(fields[1]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return found


def _below(pid: int, parents: Mapping[int, int], wanted: set[int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid in wanted:
            return True
    return False


def _cpu() -> float:
    """Return the CPU seconds of all processes that this one has waited for, and that those have."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def busy() -> float:
    """Return the seconds that all processors were busy since the machine was started."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    idle = int(fields[3]) + int(fields[4])
    return (sum(map(int, fields)) - idle) / os.sysconf("SC_CLK_TCK")
