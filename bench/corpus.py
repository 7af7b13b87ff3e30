"""The local run over WARC files: what isolation and files cost over a plain loop, two workers, memory, kills."""

import argparse
import datetime as dt
import gzip
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import mkdtemp

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import dehusk
from dehusk.corpus.index import IndexScope, choose_samples, index_file
from dehusk.evaluate.text_tables import markdown_table
from dehusk.gold.datasets import read_set
from dehusk.methods import load_method
from dehusk.records.inputs import Input, find_inputs, read_records
from dehusk.records.options import ReadOptions
from dehusk.records.record import Record
from dehusk.site.grouping import site_name
from dehusk.site.model import ENOUGH, Site
from processes import DEHUSK, Cost, children, measured, reap
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
    for record in read_records(one, ReadOptions(LIMIT)):
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
    indexes = [index_file(one, IndexScope(ReadOptions(LIMIT), "host", SAMPLE)) for one in inputs]
    sample = choose_samples(indexes, [one.name for one in inputs], sample=SAMPLE, least=ENOUGH)
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


def run(folder: Path, out: Path, workers: int) -> Cost:
    """Run `dehusk corpus`; return what it cost."""
    return measured([*DEHUSK, "corpus", str(folder), "-o", str(out), "--workers", str(workers), "-q"])


def killed(folder: Path, out: Path, wall: float, random: Random) -> list[float]:
    """Run, kill all with SIGKILL at five random moments, run to the end; return the seconds of the moments."""
    command = [*DEHUSK, "corpus", str(folder), "-o", str(out), "--workers", "2", "-q"]
    own = children()
    moments = [random.uniform(0, wall / 4) for _ in range(5)]
    for moment in moments:
        program = subprocess.Popen(command)
        try:
            program.wait(moment)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        reap(own)
    measured(command)
    return moments


def results(out: Path) -> dict[str, bytes]:
    """Return everything that a run is for, by name."""
    found = [*out.glob("pages/*"), *out.glob("sites/*/*"), out / "summary.json"]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in found}


def twice_or_lost(out: Path, count: int) -> int:
    """Return how many pages are not there exactly once."""
    from pyarrow.parquet import read_table

    urls = read_table(out / "pages", columns=["url"])["url"].to_pylist()
    return abs(count - len(urls)) + len(urls) - len(set(urls))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
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
    moments = killed(folder / "in", folder / "killed", runs[2].wall, Random(given.seed))
    wanted = results(folder / "out1")
    same = {name: results(folder / name) == wanted for name in ("out2", "killed")}
    wrong = twice_or_lost(folder / "killed", count)
    shutil.rmtree(folder)
    text = (
        f"# Corpora\n\n`python bench/corpus.py DATA --pages {given.pages}`, {dt.date.today()}: {count} pages, {size:.0f} MB of "
        f"HTML, in {FILES} .warc.gz files, two in five pages of one host.\n\n{_table(loop, runs)}\n"
        f"Two workers are {runs[1].wall / runs[2].wall:.2f} times as fast as one on {os.cpu_count()} processors; "
        f"their output is {_said(same['out2'])}.\n\n"
        f"Killed with SIGKILL after {', '.join(f'{one:.1f}' for one in moments)} s (random, seed {given.seed}) and run again "
        f"each time: {wrong} pages lost or doubled, output {_said(same['killed'])}.\n"
    )
    write_results(
        "corpus",
        text,
        {
            "pages": count,
            "mb": size,
            "loop": [before, after],
            "runs": {n: {"wall": one.wall, "cpu": one.cpu, "busy": one.busy} for n, one in runs.items()},
            "same": same,
            "wrong": wrong,
        },
    )


def _said(same: bool) -> str:
    return "the same bytes" if same else "DIFFERENT"


def _table(loop: dict[str, float], runs: dict[int, Cost]) -> str:
    work = loop["learn"] + loop["clean"]
    total = work + loop["files"]
    head = [
        "",
        "CPU s",
        "wall s",
        "CPU s of other programs",
        "over the loop's work",
        "over the loop",
        "largest child MB",
    ]
    rows = [
        ["plain loop: learn and clean", f"{work:.1f}", "", "", "", "", ""],
        ["plain loop, reading the files three times", f"{total:.1f}", "", "", f"{total / work - 1:+.1%}", "", ""],
    ]
    for n, one in runs.items():
        over = [f"{one.cpu / base - 1:+.1%}" for base in (work, total)]
        sizes = f"{one.largest(0.4, 0.6):.0f} in the middle, {one.largest(0.85):.0f} at the end"
        name = f"dehusk corpus --workers {n}"
        rows.append([name, f"{one.cpu:.1f}", f"{one.wall:.1f}", f"{one.busy - one.cpu:.1f}", *over, sizes])
    return markdown_table([head, *rows])


if __name__ == "__main__":
    main()
