"""The main experiment of each paper by `dehusk paper`, on the open sets and on generated pages, with the time it takes."""

import argparse
import datetime as dt
import os
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.papers.experiment import PAPERS, Experiment, run_paper
from sets import RESULTS, write_results

GENERATED = "generated pages"


def runs(data: Path) -> dict[str, tuple[Experiment, float]]:
    """Run each paper with each kind of pages; return heading -> report and seconds."""
    found = {}
    for name, paper in PAPERS.items():
        for heading, given in ((name, data), (f"{name}, {GENERATED}", None)):
            if given is None or paper.takes_data:
                start = time.monotonic()
                found[heading] = run_paper(name, given), time.monotonic() - start
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    found = runs(parser.parse_args().data)
    rows = [["experiment", "finding", "seconds"]]
    parts = []
    for heading, (report, seconds) in found.items():
        rows += [[heading, finding.strip("*"), f"{seconds:.0f}"] for finding in report.findings]
        [table] = report.tables.values()
        parts.append(f"## {heading}\n\n{report.about}\n\n{markdown_table(table)}")
        for name, picture in report.pictures.items():
            kind = "-generated" if heading.endswith(GENERATED) else ""
            (RESULTS / f"papers-{Path(name).stem}{kind}.svg").write_text(picture, "utf-8")
    text = (
        f"# The papers' main experiments\n\n`python bench/papers.py DATA`, {dt.date.today()}: `dehusk paper NAME DATA`, and "
        f"without DATA.\n\n{markdown_table(rows)}\n" + "\n".join(parts)
    )
    values = {
        heading: {"tables": dict(report.tables), "seconds": seconds} for heading, (report, seconds) in found.items()
    }
    write_results("papers", text, values, judges="none")


if __name__ == "__main__":
    main()
