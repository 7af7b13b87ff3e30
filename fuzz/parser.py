"""Try pages on the parser as dehusk uses it: `python fuzz/parser.py --seconds 60`; sanitized by `.ci/sanitize-parser`.

Pages are read in child processes, so that a page which ends the process is named and the next ones follow. The exit code
is 1 if a page fails that goes through the guards of `dehusk.read.parse`. The same pages, given to the parser without the
guards, are counted only: they are known to break it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

import turbohtml
from parser_pages import PAGES

from dehusk.read import elements, parse

Use = Callable[[str], object]
_BATCH = 200  # pages that a child reads
_BATCH_SECONDS = 120  # that they may take; a page that never ends is a failure
_SIGNS = ("ERROR: ", "runtime error", "SUMMARY", "    #0 ", "    #1 ", "    #2 ", "Error")


@dataclass
class Outcome:
    """How many pages were read, and what ended the process."""

    pages: int = 0
    failures: list[str] = field(default_factory=list)


def use_tree(text: str) -> turbohtml.Document:
    """Parse, and do what dehusk does with a tree: write it, walk it, and search it."""
    document = turbohtml.parse(text, positions=False, allow_declarative_shadow_roots=False)
    document.serialize()
    "".join(document.serialize_iter())
    for node in document.descendants:
        _ = node.parent
    document.select("[id],[style],[hidden]")
    return document


def read_guarded(text: str) -> None:
    """Read a page as dehusk does; whatever reaches the parser from there is parsed by `use_tree`."""
    elements.parse_document = use_tree
    parse(text).validate()


def try_pages(pages: Iterator[tuple[str, str]], use: Use, *, until: float) -> Outcome:
    """Use named pages in child processes until a time."""
    outcome = Outcome()
    while time.monotonic() < until and (batch := list(islice(pages, _BATCH))):
        while batch:
            done, report = _in_child([text for _, text in batch], use)
            outcome.pages += done
            if report:
                outcome.failures.append(f"{batch[done - 1][0]}: {report}")
            batch = batch[done:]
    return outcome


def _in_child(texts: Sequence[str], use: Use) -> tuple[int, str]:
    """Use texts in a child process; return how many it began, and what it says if it ended before the last was used."""
    with tempfile.TemporaryFile() as log:
        reader, writer = os.pipe()
        if (child := os.fork()) == 0:
            _run_child(texts, use, writer, log.fileno())
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            begun = len(pipe.read())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        log.seek(0)
        said = log.read().decode("utf-8", "replace")
    return max(begun, 1), f"exit code {code}\n{_shortened(said)}" if code else ""


def _run_child(texts: Sequence[str], use: Use, writer: int, log: int) -> None:
    """Use texts, with a byte for each that is begun; never returns."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    signal.alarm(_BATCH_SECONDS)
    try:
        for text in texts:
            os.write(writer, b".")
            use(text)
    except BaseException:  # the parent reports it
        traceback.print_exc()
        os._exit(3)
    os._exit(0)


def _shortened(said: str) -> str:
    lines = [line for line in said.splitlines() if any(sign in line for sign in _SIGNS)]
    return "\n".join(f"    {line.strip()[:160]}" for line in lines[:5])


def _numbered(kind: str, first: int) -> Iterator[tuple[str, str]]:
    return ((f"{kind} {number}", PAGES[kind](number)) for number in count(first))


def _standard_pages(file: Path) -> list[tuple[str, str]]:
    """Return the documents of the web-platform-tests of parsing, as the parser's source distribution has them."""
    cases = [case for case in json.loads(file.read_text("utf-8"))["cases"] if case["context"] is None]
    return [(f"standard {number}", case["data"]) for number, case in enumerate(cases)]


def _report(title: str, outcome: Outcome, shown: int) -> None:
    print(f"{title}: {outcome.pages} pages, {len(outcome.failures)} failures", flush=True)
    for failure in outcome.failures[:shown]:
        print(f"  {failure}", flush=True)


def main(command_line: list[str] | None = None) -> int:
    """Try pages of all kinds through the guards, then those at the limit without."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60, help="for all kinds together (60)")
    parser.add_argument("--first", type=int, default=0, help="number of the first page of each kind (0)")
    parser.add_argument("--standard", type=Path, help="file of the web-platform-tests of parsing, wpt_html_tree.json")
    arguments = parser.parse_args(command_line)
    share, failed = arguments.seconds / (len(PAGES) + 2), False  # pages at the limit take two shares, and one unguarded
    if arguments.standard:
        pages = _standard_pages(arguments.standard)
        outcome = try_pages(iter(pages), read_guarded, until=float("inf"))
        _report("pages of the standard's tests", outcome, shown=5)
        failed |= bool(outcome.failures)
    for kind in PAGES:
        until = time.monotonic() + share * (2 if kind == "limit" else 1)
        outcome = try_pages(_numbered(kind, arguments.first), read_guarded, until=until)
        _report(f"{kind}, through the guards", outcome, shown=5)
        failed |= bool(outcome.failures)
    outcome = try_pages(_numbered("limit", arguments.first), use_tree, until=time.monotonic() + share)
    _report("limit, without the guards (counted only)", outcome, shown=1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
