"""Measure memory, time and outputs of pages at the limit of nodes, and of 20 MB, each in a process of its own."""

import datetime as dt
import json
import subprocess
import sys

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.read import Limits
from dehusk.write import WRITERS
from sets import write_results

NODES = {
    "paragraphs": ("", "<p>x", 2),
    "lines of a pre": ("<pre>", "x\n", 1),
    "rows of a table": ("<table>", "<tr><td>x<td>y", 5),
    "cells of one row": ("<table><tr>", "<td>x", 2),
    "items": ("<ul>", "<li>x", 2),
    "nested lists": ("", "<ul><li>x", 3),
    "links": ("<ul>", "<li><a href=x%d>y</a>", 3),
    "classes and ids": ("", "<p class=a%d id=b%d>x", 2),
    "bold words": ("", "<p>some words are here <b>and there</b>", 4),
}
"""Start of the page, what is repeated with its number, and how many nodes that gives."""
FORMATS = (*(writer.name for writer in WRITERS), "overlay")
CHILD = """
import json, sys, time
import dehusk
start = time.perf_counter()
doc = dehusk.clean(sys.stdin.buffer.read())
seconds, sizes = time.perf_counter() - start, {}
for name in sys.argv[1:]:
    sizes[name] = len(doc.overlay if name == "overlay" else doc.render(name))
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([str(doc.status), len(doc.labels), seconds, time.perf_counter() - start, peak / 1000, sizes]))
"""


def page(start: str, unit: str, count: int) -> bytes:
    """Return a page of repeated units, each with its number."""
    numbers = unit.count("%d")
    return (start + "".join(unit % ((i,) * numbers) for i in range(count))).encode()[:20_000_000]


def measure(html: bytes) -> list[str]:
    """Return the figures of a page as cells: size, status, blocks, seconds, MB, largest outputs."""
    done = subprocess.run([sys.executable, "-c", CHILD, *FORMATS], input=html, capture_output=True, check=True)
    status, blocks, cleaning, seconds, peak, sizes = json.loads(done.stdout)
    size = f"{len(html) / 1e6:.1f}"
    times = [f"{cleaning:.1f}", f"{seconds:.1f}"]
    outputs = [f"{sizes[name] / 1e6:.1f}" for name in FORMATS]
    return [size, status, f"{blocks:,}", *times, f"{peak:.0f}", *outputs]


def main() -> None:
    limit = Limits().nodes
    rows = [["page", "MB", "status", "blocks", "s", "s with outputs", "peak MB", *(f"{name}, MB" for name in FORMATS)]]
    for name, (start, unit, nodes) in NODES.items():
        rows.append([name, *measure(page(start, unit, (limit - 400) // nodes))])
        rows.append([f"{name}, 20 MB", *measure(page(start, unit, 20_000_000 // len(unit)))])
        print(rows[-2], rows[-1], flush=True)
    text = (
        f"# Memory at the limit\n\n`python bench/memory_at_limit.py`, {dt.date.today()}: pages of {limit:,} nodes, and of "
        f"20 MB, cleaned and written in every format by one process each.\n\n{markdown_table(rows)}"
    )
    write_results("memory-at-limit", text, {"rows": rows}, judges="shipped")


if __name__ == "__main__":
    main()
