"""The commands `dehusk read` and `dehusk corpus`."""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import dehusk
import made_sites
import warcs
from dehusk.base.errors import ConfigError
from dehusk.cli import command
from dehusk.cli import main as program


def run(*arguments: str) -> int:
    return int(command.main(list(arguments), standalone_mode=False))


def refused(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Return the exit code of the whole program."""
    monkeypatch.setattr("sys.argv", ["dehusk", *arguments])
    with pytest.raises(SystemExit) as ended:
        program()
    return int(ended.value.code or 0)


@pytest.fixture
def tea(tmp_path) -> Path:
    """Write a WARC file with a damaged member, an image and a wrong Content-Encoding."""
    records = [
        *warcs.page_records(3),
        warcs.record(3, warcs.answer(b"\x89PNG", headers="Content-Type: image/png\r\n")),
        warcs.record(
            4, warcs.answer(made_sites.site(5)[4].encode(), headers=warcs.HTML + "Content-Encoding: gzip\r\n")
        ),
        warcs.record(5, warcs.answer(b"<p>a page that will be damaged"), url="https://tea.example/new\tline"),
    ]
    members = [warcs.FORMS[".warc.gz"]([record]) for record in records]
    members[1] = members[1][:40] + bytes(20) + members[1][60:]
    path = tmp_path / "tea.warc.gz"
    path.write_bytes(b"".join(members))
    return path


def test_read_lists_records_and_damage(tea, capsys):
    assert run("read", str(tea)) == 1
    out, err = capsys.readouterr()
    lines = [line.split("\t") for line in out.splitlines()]
    assert [line[1] for line in lines if line[1] != "page"] == ["LOST", "- image/png"]
    assert lines[0] == ["tea.warc.gz:0", "page", str(len(made_sites.site(1)[0])), "https://tea.example/page0.html"]
    assert lines[-2][4] == "not gzip, although a header says so"
    assert "https://tea.example/new" in lines[-1][3]
    assert err == "dehusk: 1 part is damaged or missing\n"


def test_read_prints_json_and_reports_files_without_pages(tea, tmp_path, capsys):
    assert run("read", "-q", "-f", "json", str(tea), "-o", str(tmp_path / "list.jsonl")) == 1
    listed = [json.loads(line) for line in (tmp_path / "list.jsonl").read_text("utf-8").splitlines()]
    assert next(item["lost"] for item in listed if "lost" in item) > 100
    assert [item["number"] for item in listed if item.get("kind") == "response" and not item["damaged"]] == [*range(5)]
    assert capsys.readouterr() == ("", "")
    warcs.write(tmp_path / "whole.warc", warcs.page_records(2))
    assert run("read", str(tmp_path / "whole.warc")) == 0
    warcs.write(tmp_path / "none.warc", [warcs.record(0, b"x", kind="warcinfo")])
    assert run("read", str(tmp_path / "none.warc")) == 3


def test_corpus_writes_rows_and_a_summary(tea, tmp_path, capsys):
    out = tmp_path / "out"
    assert run("corpus", str(tea), "-o", str(out), "--blocks", "--content", "markdown", "--no-sites") == 1
    rows = pq.read_table(out / "pages" / "tea.warc.gz.parquet").to_pylist()
    assert [row["status"] for row in rows if row["status"] != "error"] == ["ok", "ok", "ok", "ok"]
    assert {block["label"] for block in rows[0]["blocks"]} > {"other"}
    summary = capsys.readouterr().err
    assert "1 image/png" in summary
    assert "tea.warc.gz:" in summary
    written = json.loads((out / "summary.json").read_text())
    assert (written["skipped"], len(written["losses"])) == ({"image/png": 1}, 1)
    assert run("corpus", str(tea), "-o", str(out), "--blocks", "--content", "markdown", "--no-sites") == 1
    assert "1 file (1 done by an earlier run)" in capsys.readouterr().err


def test_corpus_writes_metadata_and_any_content(tmp_path):
    path = tmp_path / "tea.jsonl"
    path.write_text("".join(json.dumps({"html": page}) + "\n" for page in made_sites.site(2)), "utf-8")
    out = str(tmp_path / "out")
    assert run("corpus", str(path), "-o", out, "-f", "jsonl", "--metadata", "--content", "tei", "-q") == 0
    rows = [json.loads(line) for line in (tmp_path / "out/pages/tea.jsonl.jsonl").read_text("utf-8").splitlines()]
    pages = [dehusk.clean(page) for page in made_sites.site(2)]
    assert [row["text"] for row in rows] == [page.render("tei") for page in pages]
    facts = [json.loads(json.dumps(page.facts())) for page in pages]
    assert [{name: row[name] for name in facts[0]} for row in rows] == facts
    with pytest.raises(ConfigError, match="content tei is more than text: write it with metadata"):
        run("corpus", str(path), "-o", out, "--content", "tei", "-f", "jsonl")


def test_corpus_reads_named_columns_and_has_the_exit_codes_of_clean(tmp_path, capsys):
    path = tmp_path / "tea.jsonl"
    path.write_text("".join(json.dumps({"page": page}) + "\n" for page in made_sites.site(2)), "utf-8")
    out = str(tmp_path / "out")
    assert run("corpus", str(path), "-o", out, "--html-column", "page", "-f", "jsonl", "-q") == 0
    rows = [json.loads(line) for line in (tmp_path / "out/pages/tea.jsonl.jsonl").read_text("utf-8").splitlines()]
    assert [(row["status"], row["id"], row["host"]) for row in rows] == [("ok", each, "tea.example") for each in "01"]
    path.write_text(json.dumps({"page": "<title>nothing</title><body><img src=a.png>"}) + "\n", "utf-8")
    assert run("corpus", str(path), "-o", out, "--html-column", "page", "-f", "jsonl", "-q") == 3
    assert capsys.readouterr() == ("", "")


def test_wrong_usage_is_one_line_and_exit_code_2(tea, tmp_path, monkeypatch, capsys):
    out = ["-o", str(tmp_path / "out")]
    (tmp_path / "tea.html").write_text("<p>tea")
    for arguments, message in (
        (["corpus", str(tea), *out, "--shard", "3/2"], "'3/2' is not of the form i/n"),
        (["corpus", str(tea), *out, "--method", "alternation"], "compares all pages of a site"),
        (["corpus", str(tea), *out, "--method", "cst", "--no-sites"], "method cst needs sites"),
        (["corpus", str(tmp_path / "none.warc"), *out], "no such file"),
        (["corpus", str(tmp_path / "tea.html"), *out], "tea.html is a single page: pass its folder, or"),
        (["corpus", str(tea)], "Missing option"),
        (["corpus", str(tea), "-o", str(tea / "under")], "cannot be written"),
        (["read", str(tmp_path)[:-1] + "*nothing"], "no file matches"),
    ):
        assert refused(monkeypatch, *arguments) == 2, arguments
        assert message in capsys.readouterr().err
    (tmp_path / "tea.jsonl").write_text('{"a": 1}\n')
    assert refused(monkeypatch, "corpus", str(tmp_path / "tea.jsonl"), *out) == 2
    assert "no column with pages among a" in capsys.readouterr().err


def test_progress_shows_stages_pages_and_statuses(monkeypatch):
    import io

    module = sys.modules["dehusk.cli.corpus"]
    written = io.StringIO()
    written.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", written)
    with module._progress_bar(quiet=False) as watch:
        watch("index", 0, 2, "")
        watch("index", 2, 0, "")
        watch("clean", 0, 30, "")
        for number in range(30):
            watch("clean", 1, 0, "limit" if number == 7 else "ok")
    shown = written.getvalue()
    assert "reading" in shown
    assert "30/30" in shown
    assert "29 ok, 1 limit" in shown
