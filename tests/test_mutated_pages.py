"""Damaged pages in all formats: a status each, no exception, no dead process, no disagreement of what stands twice.

The pages are those of `fuzz/parser_pages.py`, each known by its number. Numbers that once failed stay in `KNOWN`.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
KNOWN: dict[str, list[int]] = {"damaged": [], "limit": [], "soup": []}
NUMBERS = {"damaged": range(1000, 1120), "limit": range(1000, 1060), "soup": range(1000, 1060)}
CHILD = """
import json, sys
sys.path.insert(0, sys.argv[1])
import dehusk
from parser_pages import PAGES
for kind, numbers in json.loads(sys.argv[2]).items():
    for number in numbers:
        print(kind, number, flush=True)
        document = dehusk.clean(PAGES[kind](number), explain=number % 3 == 0)
        assert document.status != "error", document.message
        for name in ("text", "markdown", "html", "json", "tei"):
            document.render(name).encode()
        document.metadata, document.posts, document.chunks(max_words=50), document.overlay
        json.dumps(document.record(evidence=True), allow_nan=False)
print("done")
"""


@pytest.mark.parametrize("kind", NUMBERS)
def test_damaged_pages(kind: str) -> None:
    numbers = {kind: [*KNOWN[kind], *NUMBERS[kind]]}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(FUZZ), json.dumps(numbers)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout.split("\n")[-2:]) == (0, ["done", ""]), (
        done.stdout[-50:],
        done.stderr[-2000:],
    )
