"""Cost of `dehusk corpus` on one large WARC file: against a plain loop, several workers, memory, kills."""

import argparse
import datetime as dt
import gzip
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from tempfile import mkdtemp

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import dehusk
from dehusk.base.processes.processors import available
from dehusk.counts.grouping import site_name
from dehusk.counts.model import ENOUGH, SiteModel
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from dehusk.label import load_method
from dehusk.many.corpus.index import IndexScope, choose_samples, index_file, read_pages
from dehusk.many.files.inputs import find_inputs, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Record
from processes import DEHUSK, Cost, children, measure, reap
from sets import set_path, write_results

PAGES, FILES, SAMPLE, LIMIT = 10_000, 16, 50, 20_000_000  # FILES: of `bench/spark.py`
WORKERS = (1, 2, 4)
ROUNDS = 3
HUGE = "site-asp-forums"
OTHERS = ("site-android-questions", "site-zhihu-a", "wcxb-dev", "dragnet-a", "l3s-gn1-a", "cleaneval-final", "chaos-a")

_EXPLANATION = (
    "The plain loop is one process that reads the same records with the same functions, learns the same sites and cleans "
    "with the same options. It is told which pages to learn from, and writes nothing. What a run takes over it is for the "
    "index, the processes and the pipes between them, the models and the rows in files. Main process: its CPU seconds, "
    "which are part of the first column. Other programs: what else the processors were busy with, in CPU seconds."
)


def pages(data: Path, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield address and bytes of a set's pages again and again; each round has different addresses."""
    samples = [
        (sample.url or f"http://{sample.site or name}.example/{sample.id}", sample.bare)
        for sample in read_set(set_path(data, name))
    ]
    for turn in range(1000):
        yield from ((f"{url}{'&' if '?' in url else '?'}copy={turn}" if turn else url, body) for url, body in samples)


def choose_pages(data: Path, count: int) -> list[tuple[str, bytes]]:
    """Return pages, two in five of them from one host."""
    chosen = list(islice(pages(data, HUGE), count * 2 // 5))
    left = count - len(chosen)
    for index, name in enumerate(OTHERS):
        share = left // (len(OTHERS) - index)
        chosen += islice(pages(data, name), share)
        left -= share
    return chosen


def write_warcs(folder: Path, pages: list[tuple[str, bytes]], files: int = FILES) -> None:
    """Distribute pages over WARC files."""
    folder.mkdir()
    streams = [(folder / f"{number:02d}.warc.gz").open("wb") for number in range(files)]
    for number, (url, body) in enumerate(pages):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: {url}\r\n"
            f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        streams[number % files].write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))
    for stream in streams:
        stream.close()


def run_plain_loop(folder: Path) -> dict[str, float]:
    """Do in one process what has the same results; return its CPU seconds by activity.

    It reads the same records with the same functions, learns the same sites and cleans with the same options. It knows
    from the start which pages to learn from, so it does without an index; it isolates nothing and writes nothing.
    """
    [file] = find_inputs([str(folder)])
    default = load_method()
    dehusk.clean(b"<p>loads", method=default)
    spent = {"start": time.process_time()}
    index = index_file(file, IndexScope(ReadOptions(LIMIT), "host", SAMPLE))
    [refs] = choose_samples([index], [file.name], sample=SAMPLE, least=ENOUGH).by_file
    start = time.process_time()
    sites: dict[str, SiteModel] = {}
    for _, record in read_pages(file, ReadOptions(LIMIT), refs):
        url, body = _page(record)
        sites.setdefault(site_name(url), SiteModel(structure=False)).add(body, url=url)
    methods = {name: load_method(site=site) for name, site in sites.items() if site.tables}
    del sites
    spent["learn"] = time.process_time() - start
    start = time.process_time()
    for item in read_records(file, ReadOptions(LIMIT)):
        if isinstance(item, Record) and not item.skipped:
            url, body = _page(item)
            document = dehusk.clean(body, url=url, headers=item.headers, method=methods.get(site_name(url), default))
            _ = document.text, document.title, document.confidence
    spent["read and clean"] = time.process_time() - start
    return spent


def run_reading(folder: Path) -> float:
    """Only read the pages, as the loop does, and return the CPU seconds."""
    [file] = find_inputs([str(folder)])
    start = time.process_time()
    for record in read_records(file, ReadOptions(LIMIT)):
        if isinstance(record, Record) and not record.skipped:
            _page(record)
    return time.process_time() - start


def _page(record: Record) -> tuple[str, bytes]:
    return record.url, record.body(LIMIT).data


def run_plain_loop_apart(folder: Path) -> dict[str, float]:
    """Run the plain loop in a new process, like the children of the other run."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(run_plain_loop, folder).result()


def run_corpus(folder: Path, out: Path, workers: int) -> Cost:
    """Run `dehusk corpus` and return its cost."""
    return measure([*DEHUSK, "corpus", str(folder), "-o", str(out), "--workers", str(workers), "-q"])


def kill_and_resume(folder: Path, out: Path, wall: float, random: Random) -> list[float]:
    """Run, kill with SIGKILL at five random moments, run to the end; return the moments in seconds."""
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
    measure(command)
    return moments


def output_files(out: Path) -> dict[str, bytes]:
    """Return the content of the output files of a run by name."""
    paths = [*out.glob("pages/*"), *out.glob("sites/*/*"), out / "summary.json"]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in paths}


def lost_or_doubled(out: Path, count: int) -> int:
    """Return how many pages do not occur exactly once."""
    from pyarrow.parquet import read_table

    urls = read_table(out / "pages", columns=["url"])["url"].to_pylist()
    return abs(count - len(urls)) + len(urls) - len(set(urls))


@dataclass
class Round:
    """One measurement of everything; the speed of the machine may change from one to the next."""

    loop: dict[str, float]
    """CPU seconds of the plain loop by activity."""
    reading: float
    """CPU seconds that reading the pages takes, which are part of the loop's."""
    runs: dict[int, Cost]
    """Number of workers -> cost of the run."""


def measure_round(folder: Path, workers: Sequence[int]) -> Round:
    """Run the plain loop, and the corpus with each number of workers into a new folder."""
    loop, reading = run_plain_loop_apart(folder / "in"), run_reading(folder / "in")
    for count in workers:
        shutil.rmtree(folder / f"out{count}", ignore_errors=True)
    runs = {count: run_corpus(folder / "in", folder / f"out{count}", count) for count in workers}
    return Round(loop, reading, runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS, help="numbers of workers to compare")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often to measure; figures are medians")
    parser.add_argument("--seed", type=int, default=1, help="for the order of the pages and the moments of the kills")
    parser.add_argument("--folder", type=Path, help="for the temporary files")
    arguments = parser.parse_args()
    folder = Path(mkdtemp(prefix="dehusk-", dir=arguments.folder))
    random = Random(arguments.seed)
    pages = choose_pages(arguments.data, arguments.pages)
    random.shuffle(pages)
    count, size = len(pages), sum(len(body) for _, body in pages) / 1e6
    write_warcs(folder / "in", pages, 1)
    del pages
    rounds = [measure_round(folder, arguments.workers) for _ in range(arguments.rounds)]
    first, *others = arguments.workers
    moments = kill_and_resume(folder / "in", folder / "killed", rounds[-1].runs[first].wall, random)
    expected = output_files(folder / f"out{first}")
    same = {name: output_files(folder / name) == expected for name in (*(f"out{n}" for n in others), "killed")}
    wrong = lost_or_doubled(folder / "killed", count)
    shutil.rmtree(folder)
    text = (
        f"# Corpora\n\n`python bench/corpus.py DATA --pages {arguments.pages}`, {dt.date.today()}: {count} pages, {size:.0f} MB "
        f"of HTML, in one .warc.gz file, two in five pages from one host; {available()} processors; "
        f"{len(rounds)} rounds, of which these are the medians.\n\n{markdown_table(_rows(rounds))}\n{_EXPLANATION}\n\n"
        f"## A page\n\n{markdown_table(_rows_by_page(rounds, count))}\n"
        f"The output of all runs is {_comparison(all(same[f'out{n}'] for n in others))}. Killed with SIGKILL after "
        f"{', '.join(f'{moment:.1f}' for moment in moments)} s (random, seed {arguments.seed}) and resumed each time: {wrong} "
        f"pages lost or doubled; output is {_comparison(same['killed'])}.\n"
    )
    values = {"pages": count, "mb": size, "rounds": list(map(_values, rounds)), "same": same, "wrong": wrong}
    write_results("corpus", text, values, judges="shipped")


def _values(measured: Round) -> dict[str, object]:
    runs = {
        n: {"wall": cost.wall, "cpu": cost.cpu, "main cpu": cost.main, "busy": cost.busy, "main": cost.own}
        | {"worker": {"largest": cost.largest(), "middle": cost.largest(0.4, 0.6), "end": cost.largest(0.85)}}
        for n, cost in measured.runs.items()
    }
    return {"loop": measured.loop, "reading": measured.reading, "runs": runs}


def _rows_by_page(rounds: Sequence[Round], pages: int) -> list[list[str]]:
    """Return the table of CPU milliseconds a page."""
    reading = median(each.reading for each in rounds)
    cleaning = median(each.loop["read and clean"] for each in rounds) - reading
    over = median(next(iter(each.runs.values())).cpu - sum(each.loop.values()) for each in rounds)
    rows = {"read": reading, "clean": cleaning, "what a run takes over the loop, its start included": over}
    return [["", "CPU ms a page"], *([name, f"{1000 * seconds / pages:.2f}"] for name, seconds in rows.items())]


def _comparison(same: bool) -> str:
    return "identical" if same else "DIFFERENT"


def _rows(rounds: Sequence[Round]) -> list[list[str]]:
    """Return the table: one row for the plain loop, and one for each number of workers."""
    head = ["", "CPU s", "over the loop", "main process", "wall s", "times as fast", "other programs", "MB of a worker"]
    head += ["MB of the main process"]
    parts = {name: median(each.loop[name] for each in rounds) for name in rounds[0].loop}
    label = "plain loop: " + ", ".join(f"{name} {seconds:.1f}" for name, seconds in parts.items())
    rows = [head, [label, f"{median(sum(each.loop.values()) for each in rounds):.1f}", *[""] * (len(head) - 2)]]
    first = next(iter(rounds[0].runs))
    for n in rounds[0].runs:
        costs = [each.runs[n] for each in rounds]
        over = median(each.runs[n].cpu / sum(each.loop.values()) - 1 for each in rounds)
        faster = median(each.runs[first].wall / each.runs[n].wall for each in rounds)
        sizes = [max(cost.largest(*part) for cost in costs) for part in ((0.0, 1.0), (0.4, 0.6), (0.85, 1.0))]
        rows.append(
            [
                f"`--workers {n}`",
                f"{median(cost.cpu for cost in costs):.1f}",
                f"{over:+.1%}",
                f"{median(cost.main for cost in costs):.1f}",
                f"{median(cost.wall for cost in costs):.1f}",
                f"{faster:.2f}",
                f"{median(cost.busy - cost.cpu for cost in costs):.1f}",
                "at most {:.0f}, {:.0f} in the middle, {:.0f} at the end".format(*sizes),
                f"{max(cost.own for cost in costs):.0f}",
            ]
        )
    return rows


if __name__ == "__main__":
    main()
