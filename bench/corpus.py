"""The local run over WARC files: what isolation and files cost over a plain loop, two workers, memory of the children."""

import argparse
import datetime as dt
import gzip
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import mkdtemp

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import dehusk
from dehusk.corpus.index import Scope, cut, index_file
from dehusk.corpus.inputs import Input, find_inputs, read
from dehusk.corpus.records import Record
from dehusk.corpus.tables import Columns
from dehusk.evaluate.tables import markdown_table
from dehusk.gold.datasets import read_set
from dehusk.methods import load_method
from dehusk.site.grouping import site_name
from dehusk.site.model import ENOUGH, Site
from sets import set_path, write_results

PAGES, FILES, SAMPLE, LIMIT = 10_000, 16, 50, 20_000_000
HUGE = "site-asp-forums"
OTHERS = ("site-android-questions", "site-zhihu-a", "wcxb-dev", "dragnet-a", "l3s-gn1-a", "cleaneval-final", "chaos-a")


def pages(data: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield address and bytes of a set's pages again and again; each round has addresses of its own."""
    samples = [
        (one.url or f"http://{one.site or name}.example/{one.id}", one.bare) for one in read_set(set_path(data, name))
    ]
    for turn in range(1000):
        yield from ((f"{url}{'&' if '?' in url else '?'}copy={turn}" if turn else url, body) for url, body in samples)


def chosen(data: Path, count: int) -> list[tuple[str, bytes]]:
    """Return pages, two in five of them of one host."""
    found = list(islice(pages(data, HUGE), count * 2 // 5))
    left = count - len(found)
    for place, name in enumerate(OTHERS):
        share = left // (len(OTHERS) - place)
        found += islice(pages(data, name), share)
        left -= share
    return found


def write_warcs(folder: Path, given: list[tuple[str, bytes]]) -> None:
    """Write pages into files, one after the other."""
    folder.mkdir()
    streams = [(folder / f"{number:02d}.warc.gz").open("wb") for number in range(FILES)]
    for number, (url, body) in enumerate(given):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        streams[number % FILES].write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))
    for stream in streams:
        stream.close()


def records(one: Input, wanted: set[int] | None = None) -> Iterator[tuple[Record, bytes]]:
    for record in read(one, Columns(), LIMIT):
        if isinstance(record, Record) and not record.skipped and (wanted is None or record.number in wanted):
            yield record, record.body(LIMIT).data


class Clock:
    """CPU seconds of this process by what they were spent on."""

    def __init__(self) -> None:
        self.spent = {"files": 0.0, "learn": 0.0, "clean": 0.0}
        self._last = time.process_time()

    def add(self, name: str) -> None:
        """Give what was spent since the last call to a part of the work."""
        now = time.process_time()
        self.spent[name] += now - self._last
        self._last = now


def plain(folder: Path) -> dict[str, float]:
    """Do in this process, without any care, what the run does; return its CPU seconds by part."""
    inputs = find_inputs([str(folder)])
    alone = load_method()
    dehusk.clean(b"<p>loads", method=alone)
    clock = Clock()
    indexes = [index_file(one, Scope(Columns(), LIMIT, "host", SAMPLE)) for one in inputs]
    sample = cut(indexes, [one.name for one in inputs], sample=SAMPLE, least=ENOUGH)
    clock.add("files")
    sites: dict[str, Site] = {}
    for one, part in zip(inputs, sample.by_file, strict=True):
        held = list(records(one, {place.number for place in part}))
        clock.add("files")
        for record, body in held:
            sites.setdefault(site_name(record.url), Site(structure=False)).add(body, url=record.url)
        clock.add("learn")
    methods = {name: load_method(site=site) for name, site in sites.items() if site.tables}
    clock.add("learn")
    for one in inputs:
        held = list(records(one))
        clock.add("files")
        for record, body in held:
            method = methods.get(site_name(record.url), alone)
            document = dehusk.clean(body, url=record.url, headers=record.headers, method=method)
            _ = document.text, document.facts()
        clock.add("clean")
    return clock.spent


def apart(folder: Path) -> dict[str, float]:
    """Run the plain loop in a process of its own, as the children of the other run are."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(plain, folder).result()


def busy() -> float:
    """Return the seconds that all processors were busy since the machine was started."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    idle = int(fields[3]) + int(fields[4])
    return (sum(map(int, fields)) - idle) / os.sysconf("SC_CLK_TCK")


def run(folder: Path, out: Path, workers: int) -> dict[str, float]:
    """Run `dehusk corpus`; return its wall and CPU seconds, children included, and the memory of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start, all_before = time.perf_counter(), busy()
    command = [
        sys.executable,
        "-c",
        "from dehusk.cli import main; main()",
        "corpus",
        str(folder),
        "-o",
        str(out),
        "--workers",
        str(workers),
        "-q",
    ]
    program = subprocess.Popen(command)
    sizes: list[tuple[float, float]] = []
    while program.poll() is None:
        sizes += [(time.perf_counter() - start, size) for size in _resident(program.pid)]
        time.sleep(1)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    others = busy() - all_before - cpu
    middle = [size for when, size in sizes if 0.4 < when / wall < 0.6]
    last = [size for when, size in sizes if when / wall > 0.85]
    return {"wall": wall, "cpu": cpu, "others": others, "middle": max(middle, default=0), "last": max(last, default=0)}


def _resident(parent: int) -> list[float]:
    """Return the resident sizes of a process's children in MB."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--folder", type=Path, help="where the files are made, and left")
    given = parser.parse_args()
    folder = Path(mkdtemp(prefix="dehusk-", dir=given.folder))
    made = chosen(given.data, given.pages)
    size = sum(len(body) for _, body in made) / 1e6
    write_warcs(folder / "in", made)
    count = len(made)
    del made
    before = apart(folder / "in")
    runs = {workers: run(folder / "in", folder / f"out{workers}", workers) for workers in (1, 2)}
    after = apart(folder / "in")  # the machine may have grown slower or faster
    loop = {name: (before[name] + after[name]) / 2 for name in before}
    same = all(
        file.read_bytes() == (folder / "out2/pages" / file.name).read_bytes()
        for file in (folder / "out1/pages").iterdir()
    )
    shutil.rmtree(folder)
    work = loop["learn"] + loop["clean"]
    total = work + loop["files"]
    table = markdown_table(
        [
            [
                "",
                "CPU s",
                "wall s",
                "CPU s of other programs meanwhile",
                "over the loop's CPU",
                "largest child, middle of the run MB",
                "its end MB",
            ],
            ["plain loop: learn and clean", f"{work:.1f}", "", "", "", "", ""],
            ["plain loop, reading the files three times", f"{total:.1f}", "", "", f"{total / work - 1:+.1%}", "", ""],
            *(
                [
                    f"dehusk corpus --workers {n}",
                    f"{one['cpu']:.1f}",
                    f"{one['wall']:.1f}",
                    f"{one['others']:.1f}",
                    f"{one['cpu'] / work - 1:+.1%}",
                    f"{one['middle']:.0f}",
                    f"{one['last']:.0f}",
                ]
                for n, one in runs.items()
            ),
        ]
    )
    text = (
        f"# Corpora\n\n`python bench/corpus.py DATA --pages {given.pages}`, {dt.date.today()}: {count} pages, {size:.0f} MB of "
        f"HTML, in {FILES} .warc.gz files, two in five pages of one host.\n\n{table}\n"
        f"Two workers are {runs[1]['wall'] / runs[2]['wall']:.2f} times as fast as one on {os.cpu_count()} processors "
        f"(load at the end {os.getloadavg()[0]:.1f}); their output is {'the same bytes' if same else 'DIFFERENT'}.\n"
    )
    write_results("corpus", text, {"pages": count, "mb": size, "loop": [before, after], "runs": runs, "same": same})


if __name__ == "__main__":
    main()
