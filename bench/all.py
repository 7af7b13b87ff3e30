"""Run every bench whose code or data changed, then fill the tables of the documentation from the reports.

`python bench/all.py DATA` can be interrupted and repeated: `bench/results/all.json` keeps, for each bench, the hashes of the
code it ran, of the sets, and of what it wrote, with the date and the time it took. A bench is fresh while these hashes hold.
"""

import argparse
import ast
import datetime as dt
import json
import shlex
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from dehusk.lab.evaluate.text_tables import markdown_table
from hashes import digest, files_hash, package_hash
from result_tables import RESULTS, ROOT, fill_all
from sets import OPEN_SETS, set_path

STATE = RESULTS / "all.json"
BENCH = ROOT / "bench"


@dataclass(frozen=True)
class Bench:
    """A command that writes reports named like it to bench/results."""

    name: str
    """The report without its suffix; pictures begin with it."""
    title: str
    command: str
    """Arguments of Python. DATA stands for the folder of sets, SETS for the open sets with gold texts, WORK for a folder
    where models and predictions remain for later runs."""


BENCHES = (
    Bench("united", "the united labeller", "bench/united.py DATA --models WORK/folds"),
    Bench("unseen", "pages of sites not seen", "bench/unseen.py DATA --models WORK/folds"),
    Bench("papers", "the papers' main experiments", "bench/papers.py DATA"),
    Bench("quality", "Victor on unseen sites", "bench/quality.py DATA"),
    Bench(
        "tools",
        "other tools",
        "-m dehusk bench -q -o WORK/runs.jsonl --sample 100 --report bench/results/tools.md SETS",
    ),
    Bench("prompt", "tokens of a kept fact", "bench/prompt.py DATA"),
    Bench("webmainbench", "WebMainBench", "bench/webmainbench.py DATA"),
    Bench("independent", "two tools without our code", "bench/independent.py DATA"),
    Bench("facts", "facts kept", "bench/facts.py DATA"),
    Bench("completeness", "whole units", "bench/completeness.py DATA"),
    Bench("wholeness", "what a reader would miss", "bench/wholeness.py DATA --models WORK/folds"),
    Bench("markdown_back", "Markdown read back", "bench/markdown_back.py DATA"),
    Bench("structure", "structure in Markdown", "bench/structure.py DATA"),
    Bench("defuddle_structure", "structure of Defuddle's pages", "bench/defuddle_structure.py DATA"),
    Bench("metadata", "metadata", "bench/metadata.py DATA"),
    Bench("posts", "posts", "bench/posts.py DATA"),
    Bench("owners", "who wrote what", "bench/owners.py DATA"),
    Bench("comments", "comments and reviews", "bench/comments.py DATA"),
    Bench("quotes", "quotations", "bench/quotes.py DATA"),
    Bench("facts_and_relations", "facts at the headline", "bench/facts_and_relations.py DATA"),
    Bench("rubric_followed", "the rubric", "bench/rubric_followed.py"),
    Bench("empty_pages", "pages without a kernel", "bench/empty_pages.py DATA --every 2"),
    Bench("page_warnings", "warnings", "bench/page_warnings.py DATA"),
    Bench("reasons", "reasons", "bench/reasons.py DATA"),
    Bench("tei_valid", "TEI", "bench/tei_valid.py DATA"),
    Bench(
        "annotators",
        "agreement of annotators",
        "bench/annotators.py DATA labels/pages.jsonl labels/second-readings.jsonl",
    ),
    Bench("victor", "the thesis", "bench/victor.py DATA"),
    Bench("victor_ideas", "ideas of the thesis", "bench/victor_ideas.py DATA"),
    Bench("ablations", "the thesis's ablations", "bench/ablations.py DATA"),
    Bench("sites", "site methods", "bench/sites.py DATA"),
    Bench("papers_as_evidence", "the papers' methods as evidence", "bench/papers_as_evidence.py DATA"),
    Bench("site_evidence", "the evidence of a site", "bench/site_evidence.py DATA"),
    Bench("structure_tree", "the compressed structure tree", "bench/structure_tree.py DATA"),
    Bench("gold_words", "weights of gold words", "bench/gold_words.py DATA"),
    Bench("shops", "Yi & Liu's experiments on generated shops", "bench/shops.py"),
    Bench("shops_starts", "Yi & Liu's 800 starts of k-means", "bench/shops_starts.py"),
    Bench("universities", "Yi & Liu's design on real pages", "bench/universities.py DATA --texts WORK"),
    Bench("downstream", "mining cleaned pages", "bench/downstream.py DATA --texts WORK"),
    Bench("wisdom", "WISDOM", "bench/wisdom.py DATA"),
    Bench("toc_partial", "TOC blocks of partial crawls", "bench/toc_partial.py DATA"),
    Bench("wisdom_domains", "WISDOM on other domains", "bench/wisdom_domains.py DATA"),
    Bench("wisdom_cost", "cost of WISDOM", "bench/wisdom_cost.py DATA"),
    Bench("alternation", "FindOptimal", "bench/alternation.py DATA"),
    Bench("records", "records of a site", "bench/records.py DATA"),
    Bench("corpus", "corpora", "bench/corpus.py DATA"),
    Bench("spark", "Spark", "bench/spark.py DATA"),
    Bench("scale", "keys of a huge corpus", "bench/scale.py"),
    Bench("crawl", "a crawl of a local site", "bench/crawl.py"),
    Bench("crawl_order", "order of a crawl", "bench/crawl_order.py DATA"),
    Bench("robustness", "malformed pages", "bench/robustness.py"),
    Bench("speed", "speed", "bench/speed.py DATA"),
    Bench("threads", "BLAS threads", "bench/threads.py DATA"),
    Bench("growth", "growth", "bench/growth.py"),
    Bench("isolation", "child processes", "bench/isolation.py DATA"),
    Bench("service", "the HTTP service", "bench/service.py DATA"),
    Bench("parsers", "HTML parsers", "bench/parsers.py DATA"),
    Bench("memory", "memory", "bench/memory.py DATA"),
    Bench("studio", "the studio: the list of pages", "bench/studio.py DATA"),
    Bench("studio-page", "the studio: the view of a page", "bench/studio_page.py"),
    Bench("labelling", "labelling by keyboard", "bench/labelling.py DATA"),
    Bench("memory-at-limit", "memory at the limit", "bench/memory_at_limit.py"),
)


@dataclass(frozen=True)
class State:
    """The hashes that a bench depends on, and of what it wrote."""

    code: str
    data: str
    reports: str


@dataclass(frozen=True)
class Run:
    """The last run of a bench."""

    state: State
    date: str
    seconds: int


@cache
def sets_hash(data: Path) -> str:
    """Return the hash of the sets: of their archives, or of the lists of their pages."""
    sets = sorted(path for path in data.iterdir() if path.name.endswith(".tar.xz") or (path / "pages.jsonl").exists())
    return files_hash([path / "pages.jsonl" if path.is_dir() else path for path in sets])


def modules_of(script: Path) -> set[Path]:
    """Return a script of bench/ and the modules of bench/ that it imports, directly or not."""
    found, waiting = {script}, [script]
    while waiting:
        for node in ast.walk(ast.parse(waiting.pop().read_text("utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            new = {BENCH / f"{name}.py" for name in names if name and (BENCH / f"{name}.py").exists()} - found
            found |= new
            waiting += new
    return found


def state_of(bench: Bench, data: Path) -> State:
    """Return the hashes of a bench as its files are now."""
    script = ROOT / bench.command.split()[0]
    own = sorted(modules_of(script)) if script.exists() else []
    reports = sorted([*RESULTS.glob(f"{bench.name}.*"), *RESULTS.glob(f"{bench.name}-*.svg")])
    return State(
        code=digest(package_hash().encode(), bench.command.encode(), files_hash(own).encode()),
        data=sets_hash(data) if "DATA" in bench.command or "SETS" in bench.command else "",
        reports=files_hash(reports),
    )


def load_runs() -> dict[str, Run]:
    """Return the last run of each bench that has one."""
    records = json.loads(STATE.read_text("utf-8")) if STATE.exists() else {}
    return {name: Run(State(**record.pop("state")), **record) for name, record in records.items()}


def save_runs(runs: dict[str, Run]) -> None:
    """Write the runs, in the order of the benches, and the table of them that the documentation shows."""
    ordered = {bench.name: asdict(runs[bench.name]) for bench in BENCHES if bench.name in runs}
    STATE.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
    rows = [["experiment", "command", "date", "minutes", "code", "sets"]]
    for bench in BENCHES:
        run = runs.get(bench.name)
        facts = [run.date, f"{run.seconds / 60:.0f}", run.state.code, run.state.data] if run else [""] * 4
        is_written = (RESULTS / f"{bench.name}.md").exists()  # a bench whose sets are nowhere writes nothing
        title = f"[{bench.title}]({bench.name}.md)" if is_written else bench.title
        rows.append([title, f"`python {bench.command}`", *facts])
    (RESULTS / "all.md").write_text(f"# Runs of the benches\n\n{markdown_table(rows)}", "utf-8")


def run(bench: Bench, data: Path, work: Path) -> int:
    """Run a bench; return the seconds it took.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    open_sets = shlex.join(str(set_path(data, name)) for name in OPEN_SETS)
    values = {"DATA": shlex.quote(str(data)), "SETS": open_sets, "WORK": shlex.quote(str(work))}
    command = bench.command
    for name, value in values.items():
        command = command.replace(name, value)
    start = time.monotonic()
    subprocess.run([sys.executable, *shlex.split(command)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return round(time.monotonic() - start)


def chosen(names: str | None) -> list[Bench]:
    """Return the benches of some names separated by commas; all of them for None."""
    by_name = {bench.name: bench for bench in BENCHES}
    wanted = list(by_name) if names is None else names.split(",")
    if unknown := [name for name in wanted if name not in by_name]:
        raise SystemExit(f"no bench {', '.join(unknown)}; there are {', '.join(by_name)}")
    return [by_name[name] for name in wanted]


def run_stale(benches: list[Bench], data: Path, work: Path, *, only_list: bool) -> int:
    """Run the benches that are not fresh, or only list all; return how many failed."""
    runs, failed = load_runs(), 0
    for bench in benches:
        last, state = runs.get(bench.name), state_of(bench, data)
        fresh = last is not None and last.state == state
        print(f"{bench.name:16} {'fresh' if fresh else 'stale' if last else 'no run'}", flush=True)
        if fresh or only_list:
            continue
        try:
            seconds = run(bench, data, work)
        except subprocess.CalledProcessError as error:
            print(f"{bench.name}: ended with code {error.returncode}", flush=True)
            failed += 1
            continue
        runs[bench.name] = Run(state_of(bench, data), str(dt.date.today()), seconds)
        save_runs(runs)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--only", metavar="NAMES", help="names of benches, separated by commas; all by default")
    parser.add_argument("--list", action="store_true", help="say which benches are fresh; run none")
    parser.add_argument("--work", type=Path, default=ROOT / "bench" / "work", help="folder of models and predictions")
    arguments = parser.parse_args()
    failed = 0
    if arguments.data is not None:
        data, work = arguments.data.resolve(), arguments.work.resolve()
        failed = run_stale(chosen(arguments.only), data, work, only_list=arguments.list)
    elif arguments.only or arguments.list:
        parser.error("--only and --list need DATA; without DATA, only the tables of the documentation are filled")
    if not arguments.list:
        for page in fill_all():
            print(f"filled the tables of {page.relative_to(ROOT)}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
