"""How many processors this process may use."""

import os
from pathlib import Path

_V2, _V1 = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cpu")


def available() -> int:
    """Return the number of processors: those of the machine, unless the process is bound to fewer or its share is less.

    The share is the quota of the process's container (control groups of Linux, both versions), rounded up.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(count, _quota(_V2, _V1) or count))


def _quota(version2: Path, version1: Path) -> int:
    """Return the number of processors that the quota of the container amounts to; 0 if there is none."""
    try:
        quota, period = (version2 / "cpu.max").read_text("ascii").split()
    except (OSError, ValueError):
        try:
            quota, period = ((version1 / f"cpu.cfs_{name}_us").read_text("ascii") for name in ("quota", "period"))
        except (OSError, ValueError):
            return 0
    try:
        return max(0, -(-int(quota) // int(period)))  # "max" and -1 mean no quota
    except (ValueError, ZeroDivisionError):
        return 0
