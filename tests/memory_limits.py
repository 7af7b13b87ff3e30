"""Cleans pages at many limits of memory (RLIMIT_AS), each in a fork: every output is right, or reported as failed.

    python memory_limits.py [STEP]

The limits rise from what the process has to 40 MB more, by STEP MB (1).
"""

import gc
import json
import re
import resource
import sys
from pathlib import Path

from allocation_failures import FAILED, FORMS, LISTS, TEA, THREAD, differences, in_fork, written

MOST = 40
PAGES = {"lists": LISTS, "forms": FORMS, "posts": THREAD * 10, "big": (LISTS + FORMS + THREAD) * 25}


def main(step: int) -> int:
    """Try all pages; print what was tried and what is wrong, and return how much is."""
    wrong, outcomes = [], {"done": 0, "failed": 0}
    for name, page in PAGES.items():
        expected = json.loads(in_fork(lambda page=page: [json.dumps(written(page))])[0])  # frees nothing for the others
        for memory in range(0, MOST, step):
            found = in_fork(lambda page=page, memory=memory, expected=expected: limited(page, memory, expected))
            wrong += [f"{name} with {memory} MB: {line}" for line in found if line not in outcomes]
            outcomes["failed" if "failed" in found else "done"] += 1
    print(*(f"{number} {outcome}" for outcome, number in outcomes.items()), sep=", ")  # noqa: T201 (for the parent)
    print(*wrong, sep="\n")  # noqa: T201
    return len(wrong)


def limited(page: str, memory: int, expected: dict[str, str]) -> list[str]:
    """Return the outcome of a page with some MB more than this process has, and the outputs that are wrong."""
    gc.disable()
    size = int(re.findall(r"VmSize:\s*(\d+)", Path("/proc/self/status").read_text())[0]) * 1024 + memory * 1_000_000
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))
    found = written(page)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    wrong = [f"{name} is {found[name][:200]}" for name in differences(found, expected, once=False)]
    return [*wrong, "failed" if FAILED in "".join(found.values()) else "done"]


if __name__ == "__main__":
    written(TEA)  # loads all modules, as processes do before their memory is limited
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1) > 0)
