"""Cost of `dehusk spark` against `dehusk corpus`; both must write the same models and rows."""

import argparse
import datetime as dt
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyspark

from corpus import FILES, PAGES, choose_pages, output_files, write_warcs
from dehusk.base.processes.processors import available
from dehusk.lab.evaluate.text_tables import markdown_table
from processes import DEHUSK, Cost, busy, measure
from sets import write_results

MASTER = "spark://127.0.0.1:17077"
MASTERS = ("local[2]", "local-cluster[2,1,1024]", MASTER)


@contextmanager
def cluster(folder: Path) -> Iterator[None]:
    """Run a master and two workers with one processor and 1 GB each."""
    home = Path(pyspark.__file__).parent
    deploy = [str(home / "bin/spark-class"), "org.apache.spark.deploy"]
    worker = [f"{deploy[1]}.worker.Worker", "-c", "1", "-m", "1g"]
    commands = [
        [f"{deploy[1]}.master.Master", "-h", "127.0.0.1", "-p", "17077", "--webui-port", "18090"],
        *([*worker, "-d", str(folder / f"worker{n}"), MASTER] for n in (1, 2)),
    ]
    environment = {**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    programs = []
    with (folder / "cluster.log").open("w") as log:
        for command in commands:
            programs.append(subprocess.Popen([deploy[0], *command], env=environment, stdout=log, stderr=log))
            time.sleep(5)
        try:
            yield
        finally:
            for program in programs:
                program.terminate()
            for program in programs:
                program.wait()


def run_spark(folder: Path, out: Path, master: str) -> Cost:
    """Run `dehusk spark` and return its cost."""
    settings = ["--conf", "spark.ui.showConsoleProgress=false"]
    if master == MASTER:
        settings += ["--conf", f"spark.pyspark.python={sys.executable}"]
    return measure([*DEHUSK, "spark", str(folder), "-o", str(out), "--master", master, *settings])


def run_standalone(folder: Path, source: str, out: str) -> Cost:
    """Run `dehusk spark` on a cluster of its own; the cost includes the start of the cluster."""
    before = busy()
    with cluster(folder):
        cost = run_spark(folder / source, folder / out, MASTER)
    cost.busy = busy() - before
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--folder", type=Path, help="for the temporary files")
    arguments = parser.parse_args()
    folder = Path(mkdtemp(prefix="dehusk-", dir=arguments.folder))
    pages = choose_pages(arguments.data, arguments.pages)
    write_warcs(folder / "in", pages)
    write_warcs(folder / "few", pages[:FILES])
    count, size = len(pages), sum(len(body) for _, body in pages) / 1e6
    del pages
    local = [*DEHUSK, "corpus", str(folder / "in"), "-o", str(folder / "out0"), "--workers", "2", "-q"]
    costs, starts = {"dehusk corpus --workers 2": measure(local)}, [0.0]
    for number, master in enumerate(MASTERS[:2], 1):
        starts.append(run_spark(folder / "few", folder / f"few{number}", master).busy)
        costs[master] = run_spark(folder / "in", folder / f"out{number}", master)
    starts.append(run_standalone(folder, "few", "few3").busy)
    costs["standalone master, two workers"] = run_standalone(folder, "in", "out3")
    expected = output_files(folder / "out0")
    same = [output_files(folder / f"out{number}") == expected for number in range(4)]
    shutil.rmtree(folder)
    write(costs, starts, same, f"{count} pages, {size:.0f} MB of HTML, in {FILES} .warc.gz files", arguments.pages)


def write(costs: dict[str, Cost], starts: Sequence[float], same: Sequence[bool], files: str, pages: int) -> None:
    base = next(iter(costs.values()))
    head = ["", "CPU s", "of the local run's", "of it to start", "the rest, of the local run's", "wall s"]
    rows = [[*head, "all processes MB", "largest MB", "models and rows"]]
    for (name, cost), start, equal in zip(costs.items(), starts, same, strict=True):
        shares = [cost.busy / base.busy, (cost.busy - start) / base.busy]
        sizes = [f"{cost.together():.0f}", f"{cost.largest():.0f}"]
        comparison = "the same bytes" if equal else "DIFFERENT"
        times = [f"{cost.busy:.1f}", f"{shares[0]:.2f}", f"{start:.1f}" if start else "", f"{shares[1]:.2f}"]
        rows.append([name, *times, f"{cost.wall:.1f}", *sizes, comparison])
    text = (
        f"# Spark\n\n`python bench/spark.py DATA --pages {pages}`, {dt.date.today()}, Spark {pyspark.__version__}: {files}, two "
        f"in five pages from one host; {available()} processors.\n\n{markdown_table(rows)}\n"
        "CPU seconds are the busy time of all processors, including Java and the start of the cluster; nothing else ran. To "
        f"start: the CPU seconds of the same command on {FILES} files with a page each.\n"
    )
    values = {
        name: {"busy": cost.busy, "start": start, "wall": cost.wall, "mb": cost.together()}
        for (name, cost), start in zip(costs.items(), starts, strict=True)
    }
    write_results("spark", text, {"spark": pyspark.__version__, "costs": values, "same": list(same)}, judges="shipped")


if __name__ == "__main__":
    main()
