"""Cost of `dehusk spark` against `dehusk corpus`; both must write the same models and rows."""

import argparse
import datetime as dt
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyspark

from corpus import FILES, PAGES, choose_pages, output_files, write_warcs
from dehusk.evaluate.text_tables import markdown_table
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--folder", type=Path, help="for the temporary files")
    arguments = parser.parse_args()
    folder = Path(mkdtemp(prefix="dehusk-", dir=arguments.folder))
    pages = choose_pages(arguments.data, arguments.pages)
    write_warcs(folder / "in", pages)
    count, size = len(pages), sum(len(body) for _, body in pages) / 1e6
    del pages
    local = [*DEHUSK, "corpus", str(folder / "in"), "-o", str(folder / "out0"), "--workers", "2", "-q"]
    costs = {"dehusk corpus --workers 2": measure(local)}
    for number, master in enumerate(MASTERS[:2], 1):
        costs[master] = run_spark(folder / "in", folder / f"out{number}", master)
    before = busy()
    with cluster(folder):
        standalone = costs["standalone master, two workers"] = run_spark(folder / "in", folder / "out3", MASTER)
    standalone.busy = busy() - before
    expected = output_files(folder / "out0")
    same = [output_files(folder / f"out{number}") == expected for number in range(4)]
    shutil.rmtree(folder)
    write(costs, same, f"{count} pages, {size:.0f} MB of HTML, in {FILES} .warc.gz files", arguments.pages)


def write(costs: dict[str, Cost], same: list[bool], files: str, pages: int) -> None:
    base = next(iter(costs.values()))
    rows = [["", "CPU s", "of the local run's", "wall s", "all processes MB", "largest MB", "models and rows"]]
    for (name, cost), equal in zip(costs.items(), same, strict=True):
        sizes = [f"{cost.together():.0f}", f"{cost.largest():.0f}"]
        comparison = "the same bytes" if equal else "DIFFERENT"
        rows.append([name, f"{cost.busy:.1f}", f"{cost.busy / base.busy:.2f}", f"{cost.wall:.1f}", *sizes, comparison])
    text = (
        f"# Spark\n\n`python bench/spark.py DATA --pages {pages}`, {dt.date.today()}, Spark {pyspark.__version__}: {files}, two "
        f"in five pages from one host.\n\n{markdown_table(rows)}\n"
        "CPU seconds are the busy time of all processors, including Java and the start of the cluster; nothing else ran.\n"
    )
    values = {name: {"busy": cost.busy, "wall": cost.wall, "mb": cost.together()} for name, cost in costs.items()}
    write_results("spark", text, {"spark": pyspark.__version__, "costs": values, "same": same})


if __name__ == "__main__":
    main()
