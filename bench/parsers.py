"""HTML parsers side by side: `python bench/parsers.py DATA --standard wpt_html_tree.json`.

CPU time on 300 WCXB pages, the documents of the web-platform-tests of parsing that each gets right, and tag soup on which
it is alone with its tree. `--standard` is the file of turbohtml's source distribution (`tests/conformance/data`); without
it, the figures of the last report are kept. Each parser runs in a process of its own; `--python html5-parser=PYTHON` names
the Python of another environment for one that cannot stand beside the others.
"""

import argparse
import datetime as dt
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.read.decoding import decode
from dehusk.read.guards import MARKUP, guarded
from dehusk.read.limits import Limits
from parser_trees import PARSERS
from sets import RESULTS, set_path, write_results

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

PAGES, ROUNDS, SEED, SOUPS = 300, 3, 1, 10_000
VOTERS = ("turbohtml", "selectolax", "fast5ever", "justhtml")
"""One parser of each implementation of the standard; resiliparse is built on lexbor, too, and html5lib is of 2020."""
MOST = MARKUP * Limits().nodes


def sources(data: Path) -> list[str]:
    """Return what the parser gets of some pages: decoded, and behind the guards."""
    paths = sorted((set_path(data, "wcxb-dev") / "html").iterdir())
    texts = [decode(path.read_bytes(), None).text for path in random.Random(SEED).sample(paths, PAGES)]
    return [guarded(text, text.encode(), MOST)[0] for text in texts]


def soups() -> list[str]:
    from parser_pages import PAGES as MADE

    return [guarded(text, text.encode(), MOST)[0] for text in map(MADE["soup"], range(SOUPS))]


def documents(file: Path | None) -> list[dict[str, str]]:
    """Return the tests of whole documents that need no scripts."""
    cases = json.loads(file.read_text("utf-8"))["cases"] if file else []
    return [case for case in cases if case["context"] is None and case["scripting"] is not True]


def measured(name: str, python: str, job: Path) -> dict[str, Any] | str:
    """Return the figures of a parser, or why there are none."""
    script = str(Path(__file__).with_name("parser_trees.py"))
    done = subprocess.run([python, script, name, str(job)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        figures: dict[str, Any] = json.loads(done.stdout)
        return figures
    last = (done.stderr.strip().splitlines() or [""])[-1]
    return last if done.returncode > 0 else f"its process was ended by signal {-done.returncode}"


def alone(found: dict[str, dict[str, Any]]) -> dict[str, int]:
    """Count the soups on which a parser's tree is not the one that most implementations give."""
    trees = [found[name]["trees"] for name in VOTERS if name in found]
    votes = [Counter(column).most_common(1)[0] for column in zip(*trees, strict=True)]
    agreed = [tree if count > len(trees) / 2 else None for tree, count in votes]
    return {
        name: sum(right not in (None, own) for right, own in zip(agreed, figures["trees"], strict=True))
        for name, figures in found.items()
    }


def keep_right(found: dict[str, dict[str, Any]], cases: int) -> int:
    """Without tests, take the figures of the last report where the version is the same; return how many tests it had."""
    file = RESULTS / "parsers.json"
    if cases or not file.exists():
        return cases
    last = json.loads(file.read_text("utf-8"))
    for name, figures in found.items():
        before = last["parsers"].get(name, {})
        figures["right"] = before.get("right") if before.get("version") == figures["version"] else None
    return int(last["documents"])


def report(found: dict[str, dict[str, Any]], missing: dict[str, str], documents: int, size: float) -> str:
    rows = [
        ["", "version", "ms", "times turbohtml", f"documents right, of {documents:,}", f"alone on soup, of {SOUPS:,}"]
    ]
    for name, figures in sorted(found.items(), key=lambda item: item[1]["ms"]):
        ratio = figures["ms"] / found["turbohtml"]["ms"]
        right = "" if figures["right"] is None else f"{figures['right']:,}"
        rows.append([name, figures["version"], f"{figures['ms']:.2f}", f"{ratio:.1f}", right, f"{figures['alone']:,}"])
    voters = ", ".join(name for name in VOTERS if name in found)
    head = (
        f"`python bench/parsers.py DATA`, {dt.date.today()}: CPU time a page for parsing alone, {PAGES} WCXB pages of"
        f" {size:.0f} kB, median of {ROUNDS} rounds. Documents of the web-platform-tests, compared by what all parsers can"
        " tell: elements, attributes and texts outside of templates. Tag soup on which a parser has another tree than most"
        f" of {voters}."
    )
    notes = [f"No figures of {name}: {why}" for name, why in missing.items()]
    return "\n\n".join(["# HTML parsers", head, markdown_table(rows).rstrip(), *notes]) + "\n"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--standard", type=Path, help="file of the web-platform-tests of parsing")
    parser.add_argument(
        "--python", action="append", default=[], metavar="PARSER=PYTHON", help="Python that has a parser"
    )
    return parser.parse_args()


def main() -> None:
    given = arguments()
    pages, cases = sources(given.data), documents(given.standard)
    pythons = dict(pair.split("=", 1) for pair in given.python)
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        job.write_text(json.dumps({"pages": pages, "rounds": ROUNDS, "cases": cases, "soups": soups()}), "utf-8")
        results = {name: measured(name, pythons.get(name, sys.executable), job) for name in PARSERS}
    found = {name: result for name, result in results.items() if isinstance(result, dict)}
    missing = {name: result for name, result in results.items() if isinstance(result, str)}
    tests = keep_right(found, len(cases))
    for name, count in alone(found).items():
        found[name]["alone"] = count
        del found[name]["trees"]
    size = sum(len(page.encode()) for page in pages) / PAGES / 1000
    write_results("parsers", report(found, missing, tests, size), {"documents": tests, "parsers": found}, judges="none")


if __name__ == "__main__":
    main()
