"""Names of files that are not UTF-8, as old archives and other systems leave them: every command takes them."""

import os
import sys
from pathlib import Path

import pytest

from command_line import dehusk

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")

COMMANDS = {
    "clean": ("clean", "-o", "{out}.jsonl"),
    "clean-folder": ("clean", "--output-dir", "{out}"),
    "corpus-parquet": ("corpus", "-o", "{out}"),
    "corpus-jsonl": ("corpus", "-f", "jsonl", "-o", "{out}"),
    "corpus-wet": ("corpus", "-f", "wet", "-o", "{out}"),
    "read": ("read",),
    "site": ("site", "learn", "-o", "{out}"),
    "records-csv": ("records", "-o", "{out}.csv"),
    "records-parquet": ("records", "-o", "{out}.parquet"),
    "toc": ("toc", "-o", "{out}.txt"),
    "vectors-svmlight": ("vectors", "-o", "{out}.svmlight"),
    "vectors-jsonl": ("vectors", "-o", "{out}.jsonl"),
    "vectors-npz": ("vectors", "-o", "{out}.npz"),
    "vectors-parquet": ("vectors", "-o", "{out}.parquet"),
    "colour": ("colour", "-o", "{out}"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder, with a name in Latin-1, of six pages with such names."""
    made = tmp_path / os.fsdecode(b"th\xe9")
    made.mkdir()
    for number in range(6):
        text = f"Tea number {number} is green, and its water should not be hotter than {70 + number} degrees. " * 5
        links = "".join(f"<li><a href=/{number}/{each}>Tea {number} of garden {each}</a>" for each in range(8))
        page = f"<title>Tea {number}</title><h1>Tea {number}</h1><p>{text}</p><ul>{links}</ul>"
        (made / os.fsdecode(b"th\xe9-%d.html" % number)).write_text(page, "utf-8")
    return made


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_command_takes_pages_and_writes_files_whose_names_are_not_utf_8(words, folder):
    output = folder.with_name(os.fsdecode(b"\xe9crit"))
    run = dehusk(*(word.format(out=output) for word in words), folder)
    assert (run.returncode, b"Error" in run.stderr) == (0, False), run.stderr.decode()
    written = [path for path in folder.parent.iterdir() if path != folder]
    assert all(path.name.startswith(output.name) for path in written)
    assert bool(written) == ("{out}" in words[-1])


def test_pages_with_such_names_are_named_in_the_rows(folder):
    lines = dehusk("clean", folder).stdout.decode().splitlines()
    assert [f"th\ufffd-{number}.html" in line for number, line in enumerate(lines)] == [True] * 6
    table = dehusk("records", "-f", "csv", folder).stdout.decode()
    assert all(f"th?-{number}.html" in table for number in range(6))


def test_a_table_with_such_a_name_is_read(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / os.fsdecode(b"\xe9.parquet")
    with path.open("wb") as stream:
        parquet.write_table(arrow.table({"html": ["<p>Pour the water."], "url": ["http://tea.example/"]}), stream)
    run = dehusk("read", path)
    assert (run.returncode, run.stdout.split(b"\t")[1:]) == (0, [b"page", b"18", b"http://tea.example/\n"])


def test_a_name_that_is_too_long_is_named_and_costs_its_page_only(tmp_path: Path) -> None:
    page, long = tmp_path / "tea.html", f"{'a' * 300}.html"
    page.write_text("<p>Tea is steeped for three minutes in water that has just boiled.", "utf-8")
    done = dehusk("clean", page, tmp_path / long, cwd=tmp_path)
    assert (done.returncode, b"Tea is steeped" in done.stdout) == (1, True)
    assert long.encode() in done.stderr
    refused = dehusk("corpus", tmp_path / long, "-o", tmp_path / "out", cwd=tmp_path)
    assert refused.returncode == 2
    assert b"cannot be read: File name too long" in refused.stderr
