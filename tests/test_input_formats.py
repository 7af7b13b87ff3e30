"""Input formats: a new one takes a reader and one line; folders of saved pages are one of them."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import made_sites
from dehusk.base.errors import InputError
from dehusk.cli import command
from dehusk.many.corpus import CorpusJob, run
from dehusk.many.corpus.child_tasks import ChildSettings, make_handler
from dehusk.many.files import formats
from dehusk.many.files.formats import InputFormat
from dehusk.many.files.inputs import find_inputs, read_at, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record

PAGES = made_sites.site(8)
OPTIONS = ReadOptions(100_000)


# A new format: pages separated by form feeds. It would be a module of `many/files/` with this function.


def read_form_feeds(path: Path, options: ReadOptions) -> Iterator[Record | Loss]:
    for number, part in enumerate(path.read_bytes().split(b"\f")):
        url, _, page = part.partition(b"\n")
        if page:
            yield Record(number, number, str(number), url.decode(), page[: options.limit + 1])
        else:
            yield Loss(number, len(part), "a page without content")


TOY = InputFormat("form-feeds", (".pages",), read_form_feeds)  # its line in `FORMATS`


def make_handler_with_toy(settings: ChildSettings) -> Callable[[Any], Any]:
    formats.FORMATS.append(TOY)
    return make_handler(settings)


@pytest.fixture
def toy_file(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(formats, "FORMATS", [*formats.FORMATS, TOY])
    path = tmp_path / "in" / "tea.pages"
    path.parent.mkdir()
    pages = [f"https://tea.example/{number}\n{page}" for number, page in enumerate(PAGES)]
    path.write_text("\f".join([*pages, ""]), "utf-8", newline="")
    return path


def test_a_new_format_is_found_and_read(toy_file):
    [file] = find_inputs([str(toy_file.parent)])
    assert (file.name, file.format) == ("tea.pages", "form-feeds")
    *records, loss = read_records(file, OPTIONS)
    assert [record.raw.decode() for record in records] == PAGES
    assert loss == Loss(8, 0, "a page without content")
    with pytest.raises(
        InputError, match=r"tea\.txt: unsupported file type; supported: .*\.pages, and folders of pages"
    ):
        find_inputs([str(toy_file.rename(toy_file.with_suffix(".txt")))])


def test_a_new_format_is_listed_by_the_command(toy_file, capsys):
    assert command.main(["read", str(toy_file)], standalone_mode=False) == 1
    out, _ = capsys.readouterr()
    assert out.splitlines()[3].split("\t")[1:] == ["page", str(len(PAGES[3])), "https://tea.example/3"]


def test_a_new_format_is_cleaned(toy_file, tmp_path):
    files = find_inputs([str(toy_file)])
    summary = run(CorpusJob(sample=5), files, tmp_path / "out", make_handler=make_handler_with_toy)
    assert (summary.tally.pages, summary.sites, len(summary.tally.losses)) == (8, 1, 1)
    rows = pq.read_table(tmp_path / "out" / "pages" / "tea.pages.parquet").to_pylist()
    assert {(row["status"], row["site_pages"]) for row in rows} == {("ok", 5)}


# folders of saved pages


def save(folder: Path, entries: list[Any] | None = None) -> Path:
    """Save pages in a folder, and describe them in `pages.jsonl`."""
    (folder / "html").mkdir(parents=True)
    for number, page in enumerate(PAGES):
        (folder / "html" / f"{number}.html").write_text(page, "utf-8", newline="")
    (folder / "notes.txt").write_text("not a page")
    if entries is not None:
        (folder / "pages.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), "utf-8")
    return folder


def read_all(folder: Path) -> tuple[list[Record], list[Loss]]:
    [file] = find_inputs([str(folder)])
    items = list(read_records(file, OPTIONS))
    return [item for item in items if isinstance(item, Record)], [item for item in items if isinstance(item, Loss)]


def listed(count: int = len(PAGES)) -> list[dict[str, Any]]:
    return [{"id": str(number), "url": f"https://tea.example/{number}"} for number in range(count)]


def test_pages_in_a_folder_are_read_without_a_list(tmp_path):
    records, losses = read_all(save(tmp_path / "tea"))
    assert [record.raw.decode() for record in records] == PAGES
    assert [record.id for record in records] == [f"html/{number}.html" for number in range(8)]
    assert {(record.url, record.skipped, record.type) for record in records} == {("", "", "file")}
    assert not losses


def test_addresses_come_from_folders_named_like_hosts(tmp_path):
    save(tmp_path / "mirror" / "www.tea.example")
    records, _ = read_all(tmp_path / "mirror")
    assert records[3].url == "http://www.tea.example/html/3.html"


def test_a_list_gives_ids_and_addresses(tmp_path):
    entries = [*listed(6), {"file": "html/6.html", "id": "six", "url": "https://cups.example/6"}]
    records, losses = read_all(save(tmp_path / "tea", entries))
    assert not losses
    assert [record.id for record in records] == [*"012345", "six", "html/7.html"]
    assert [record.url for record in records[5:]] == ["https://tea.example/5", "https://cups.example/6", ""]


def test_what_a_list_names_wrongly_is_reported(tmp_path):
    folder = save(tmp_path / "tea", [*listed(), {"id": "9"}, ["not an object"], {"url": "without id"}])
    (folder / "html" / "0.html").write_bytes(b"")
    records, losses = read_all(folder)
    assert [record.skipped for record in records] == ["an empty file", *[""] * 7]
    assert [loss.message for loss in losses] == [
        "pages.jsonl: line 10 is not a JSON object: list instead of an object",
        "pages.jsonl: line 11 has neither file nor id",
        "pages.jsonl lists '9', but the folder has no such page",
    ]


def test_single_pages_are_read_by_their_numbers(tmp_path):
    [file] = find_inputs([str(save(tmp_path / "tea", listed()))])
    records = list(read_records(file, OPTIONS))
    assert list(read_at(file, [5, 2, 99], OPTIONS)) == [records[5], records[2], None]


def test_a_folder_is_searched_for_files_of_pages_first(tmp_path):
    folder = save(tmp_path / "tea")
    (folder / "more.jsonl").write_text(json.dumps({"html": "<p>tea"}))
    assert [file.name for file in find_inputs([str(folder)])] == ["more.jsonl"]
    (folder / "pages.jsonl").write_text(json.dumps({"html": "<p>tea"}))  # contains pages, does not list them
    assert [file.name for file in find_inputs([str(folder)])] == ["more.jsonl", "pages.jsonl"]
    (folder / "pages.jsonl").write_text(json.dumps({"id": "3"}))
    assert [(file.name, file.format) for file in find_inputs([str(folder)])] == [
        ("more.jsonl", "lines"),
        ("tea", "folder"),
    ]


def test_a_folder_of_pages_is_learned_cleaned_and_resumed(tmp_path):
    folder, out = save(tmp_path / "tea", listed()), tmp_path / "out"
    os.utime(folder / "html" / "3.html", (1_700_000_000, 1_700_000_000))

    def clean() -> tuple[int, list[dict[str, Any]]]:
        summary = run(CorpusJob(sample=5), find_inputs([str(folder)]), out)
        return summary.resumed, pq.read_table(out / "pages" / "tea.parquet").to_pylist()

    resumed, rows = clean()
    assert resumed == 0
    assert [(row["id"], row["url"], row["status"], row["site_pages"]) for row in rows] == [
        (str(number), f"https://tea.example/{number}", "ok", 5) for number in range(8)
    ]
    assert rows[3]["retrieved"] == "2023-11-14T22:13:20Z"
    assert clean()[0] == 1
    (folder / "html" / "3.html").write_text(f"{PAGES[3]}<p>changed", "utf-8")
    assert clean()[0] == 0
    (folder / "pages.jsonl").unlink()
    declared = {f"https://tea.example/page{number}.html" for number in range(8)}
    assert {row["url"] for row in clean()[1]} == declared


def test_the_job_folder_of_a_crawl_is_its_warc_files(tmp_path):
    for name in ("job.json", "addresses.jsonl", "clean.jsonl", "pages-00000.warc.gz"):
        (tmp_path / name).touch()
    assert [file.name for file in find_inputs([str(tmp_path)])] == ["pages-00000.warc.gz"]
    (tmp_path / "job.json").unlink()
    assert len(find_inputs([str(tmp_path)])) == 3
