"""The command line as a user types it."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from command_line import EXAMPLE, dehusk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with five pages in two folders, and a file that is not a page."""
    page = EXAMPLE.read_text("utf-8")
    (tmp_path / "pages" / "deep").mkdir(parents=True)
    for name in ("b.html", "a.htm", "deep/c.html", "deep/a.html"):
        (tmp_path / "pages" / name).write_text(page.replace("green tea", f"{Path(name).stem} tea"), "utf-8")
    (tmp_path / "pages" / "empty.html").write_bytes(b"")
    (tmp_path / "pages" / "notes.txt").write_text("not a page")
    return tmp_path


def test_text_to_standard_output() -> None:
    done = dehusk("clean", EXAMPLE)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert text.startswith("How to brew green tea\n")
    assert "cup 2: 75 °C, 20 s" in text
    for husk in ("Accept all", "You may also like", "All rights reserved", "Contact"):
        assert husk not in text


def test_readme_shows_what_the_command_prints() -> None:
    readme = (EXAMPLE.parents[1] / "README.md").read_text("utf-8")
    shown = dehusk("clean", "-f", "markdown", EXAMPLE).stdout.decode()
    assert shown.strip() in readme


def test_standard_input_and_url() -> None:
    done = dehusk("clean", "-", "-f", "markdown", "--url", "https://tea.example/blog/", given=EXAMPLE.read_bytes())
    assert done.returncode == 0
    assert "[gunpowder](https://tea.example/blog/gunpowder)" in done.stdout.decode()


@pytest.mark.parametrize(
    ("name", "begin"),
    [("text", "How to brew"), ("markdown", "# How to brew"), ("html", "<!DOCTYPE html>"), ("cleaneval", "<h>")],
)
def test_formats(name: str, begin: str) -> None:
    assert dehusk("clean", "-f", name, EXAMPLE).stdout.decode().startswith(begin)


def test_json_has_every_block() -> None:
    record = json.loads(dehusk("clean", "-f", "json", EXAMPLE).stdout)
    assert record["status"] == "ok"
    assert 0 < record["confidence"] <= 1
    texts = {block["text"]: block for block in record["blocks"]}
    assert not texts["Shop"]["kept"]
    assert texts["How to brew green tea"]["kept"]
    block = texts["Sencha: 70 °C for one minute"]
    assert block["xpath"] == "/html/body/main[1]/article[1]/ul[1]/li[1]"
    assert {"label", "probability", "reason", "span"} <= block.keys()
    assert block["reason"]


def test_explain_prints_text_for_a_person() -> None:
    text = dehusk("clean", "--explain", EXAMPLE).stdout.decode()
    assert "keep" in text
    assert "drop" in text
    assert "utf-8 (meta)" in text


def test_many_pages_give_lines_in_order_with_any_number_of_workers(folder: Path) -> None:
    sequential = dehusk("clean", "pages", cwd=folder)
    parallel = dehusk("clean", "pages", "--workers", "2", cwd=folder)
    assert sequential.stdout == parallel.stdout
    assert sequential.returncode == parallel.returncode == 0
    records = [json.loads(line) for line in sequential.stdout.splitlines()]
    assert [record["page"] for record in records] == [
        "pages/a.htm", "pages/b.html", "pages/deep/a.html", "pages/deep/c.html", "pages/empty.html",
    ]  # fmt: skip
    assert [record["status"] for record in records] == ["ok"] * 4 + ["no-content"]
    assert records[1]["text"].startswith("How to brew b tea\n")


def test_output_folder_keeps_names(folder: Path) -> None:
    done = dehusk("clean", "pages/deep", "pages/a.htm", "-f", "markdown", "--output-dir", "out", cwd=folder)
    assert done.returncode == 0
    assert sorted(p.relative_to(folder / "out").as_posix() for p in (folder / "out").rglob("*.*")) == [
        "a-2.md", "a.md", "c.md",
    ]  # fmt: skip
    assert (folder / "out" / "a-2.md").read_text("utf-8").startswith("# How to brew a tea")


def test_output_file_glob_and_list(folder: Path) -> None:
    (folder / "list.txt").write_text("pages/b.html\n\npages/deep/*.html\n")
    done = dehusk("clean", "--list", "list.txt", "-o", "out.jsonl", cwd=folder)
    assert (done.returncode, done.stdout) == (0, b"")
    pages = [json.loads(line)["page"] for line in (folder / "out.jsonl").read_text("utf-8").splitlines()]
    assert pages == ["pages/b.html", "pages/deep/a.html", "pages/deep/c.html"]


def test_each_page_has_its_own_address(folder: Path) -> None:
    (folder / "pages.jsonl").write_text('{"id": "c", "url": "https://tea.example/c/"}\n')
    (folder / "pages" / "deep" / "pages.jsonl").write_text('{"id": "c", "url": "https://tea.example/c/"}\n')
    done = dehusk("clean", "-f", "html", "pages/deep", cwd=folder)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["url"] for record in records] == [None, "https://tea.example/c/"]
    assert "https://tea.example/blog/gunpowder" in records[1]["text"]
    (folder / "list.txt").write_text("pages/b.html\thttps://other.example/b/\npages/deep/c.html\npages/deep/a.html\n")
    done = dehusk("clean", "--list", "list.txt", cwd=folder)
    urls = [json.loads(line)["url"] for line in done.stdout.splitlines()]
    assert urls == ["https://other.example/b/", "https://tea.example/c/", None]


def test_some_pages_failed(folder: Path) -> None:
    (folder / "pages" / "x.html").write_bytes(b"%PDF-1.4 not a page")
    done = dehusk("clean", "pages/b.html", "pages/missing.html", "pages/x.html", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "dehusk: pages/missing.html: error: cannot be read: No such file or directory",
        "dehusk: pages/x.html: not-html: a PDF document",
        "dehusk: 3 pages: 1 ok, 1 error, 1 not-html",
    ]
    assert [json.loads(line)["status"] for line in done.stdout.splitlines()] == ["ok", "error", "not-html"]
    assert dehusk("clean", "-q", "pages/x.html", cwd=folder).stderr == b""


def test_nothing_extracted(folder: Path) -> None:
    done = dehusk("clean", "pages/empty.html", cwd=folder)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode() == "dehusk: pages/empty.html: no-content: the page contains no text\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a PAGE"),
        (("-f", "pdf", "x.html"), "unknown format 'pdf'. Known: text"),
        (("--method", "magic", "x.html"), "unknown method 'magic'. Known: united, "),
        (
            ("--model", "nowhere", "x.html"),
            "unknown model 'nowhere'. Known: united, cleaneval, web; or",
        ),
        (("--model", "wbe", "x.html"), "unknown model 'wbe'. Did you mean web? Known: united, "),
        (("--model", "void", "x.html"), "model void: no card.json in this folder"),
        (("--config", "clean-eval", "x.html"), "unknown configuration 'clean-eval'. Did you mean cleaneval? Known: "),
        (("--config", "void", "x.html"), "configuration void cannot be read: Is a directory"),
        (("--config", "nowhere.toml", "x.html"), "unknown configuration 'nowhere.toml'. Known: "),
        (("--config", "wrong.toml", "x.html"), "unknown key 'crf.fetures'"),
        (("--workers", "0", "x.html"), "0 is not in the range"),
        (("--max-bytes", "0", "x.html"), "0 is not in the range"),
        (("void",), "folder void contains no pages"),
        (("*.nothing",), "no file matches *.nothing"),
        (("-", "-"), "standard input can be read only once"),
        (("--list", "nowhere.txt"), "list nowhere.txt cannot be read"),
        (("-o", "void/x/y", "x.html"), "cannot be written"),
        (("-o", "a", "--output-dir", "b", "x.html"), "cannot be used together"),
        (("--url", "https://tea.example/", "x.html", "x.html"), "--url applies to a single saved page: for"),
        (("--private", "x.html"), "--private applies only to pages that are fetched"),
        (("--url", "https://tea.example/", "https://tea.example/"), "--url applies to a single saved page"),
        (("--url", "https://tea.example/", "void/.."), "--url applies to a single saved page"),
        (("--method", "keep-all", "--model", "web", "x.html"), "has no models"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "void").mkdir()
    (tmp_path / "wrong.toml").write_text("[crf]\nfetures = []\n")
    (tmp_path / "x.html").write_text("<p>x")
    done = dehusk("clean", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
    assert done.stdout == b""


def test_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "folder.html" / "in.html").write_text("<p>x")
    (tmp_path / "link.html").symlink_to(tmp_path / "nowhere.html")
    done = dehusk("clean", "link.html", cwd=tmp_path)
    assert done.returncode == 1
    assert "cannot be read" in done.stderr.decode()


def test_train_evaluate_and_use_a_model(folder: Path) -> None:
    """Train on pages with gold texts, judge, and clean with the model."""
    for number in range(4):
        page = EXAMPLE.read_text("utf-8").replace("tea", f"tea{number}")
        (folder / f"p{number}.html").write_text(page, "utf-8")
        gold = dehusk("clean", "-f", "cleaneval", f"p{number}.html", cwd=folder).stdout
        (folder / f"p{number}.txt").write_bytes(gold)
    trained = dehusk("train", "p*.html", "-o", "model", "--config", "cleaneval", "--c1", "0.1", cwd=folder)
    assert trained.returncode == 0, trained.stderr
    assert b"trained on 4 pages" in trained.stderr
    judged = dehusk("eval", "--model", "model", "p*.html", cwd=folder)
    assert judged.returncode == 0, judged.stderr
    f1 = float(judged.stdout.decode().strip().splitlines()[-1].split("|")[5])
    assert f1 > 0.8
    crossed = dehusk("eval", "--config", "cleaneval", "--folds", "2", "--by", "page", "p*.html", cwd=folder)
    assert crossed.returncode == 0, crossed.stderr
    cleaned = dehusk("clean", "--model", "model", "p1.html", cwd=folder)
    assert b"How to brew green tea1" in cleaned.stdout
    assert b"All rights reserved" not in cleaned.stdout


def test_train_without_gold(folder: Path) -> None:
    done = dehusk("train", "pages/b.html", "-o", "model", cwd=folder)
    assert done.returncode == 2
    assert "neither b.html.anno.json nor b.txt" in done.stderr.decode()


def test_help_names_every_command() -> None:
    text = dehusk("--help").stdout.decode()
    for command in ("clean", "annotate", "train", "eval"):
        assert command in text
        assert "Usage" in dehusk(command, "--help").stdout.decode()
    assert dehusk("--version").stdout.decode().startswith("dehusk, version ")


def test_output_never_overwrites_a_page(folder: Path) -> None:
    page = (folder / "pages" / "b.html").read_bytes()
    same = dehusk("clean", "-f", "html", "pages/b.html", "-o", "pages/b.html", cwd=folder)
    assert same.returncode == 2
    assert "is one of the pages" in same.stderr.decode()
    into = dehusk("clean", "-f", "html", "pages", "--output-dir", "pages", cwd=folder)
    assert into.returncode == 2
    assert "is one of the pages" in into.stderr.decode()
    assert (folder / "pages" / "b.html").read_bytes() == page


def test_standard_input_with_workers() -> None:
    done = dehusk("clean", "--workers", "2", "-", given=EXAMPLE.read_bytes())
    assert done.returncode == 0
    assert done.stdout.decode().startswith("How to brew green tea\n")


def test_a_glob_keeps_folders(folder: Path) -> None:
    assert dehusk("clean", "pages/**/c.html", "--output-dir", "out", cwd=folder).returncode == 0
    assert (folder / "out" / "deep" / "c.txt").is_file()


def test_unwritable_output_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from dehusk.cli import main; main()", "clean", str(EXAMPLE), "-o", "/dev/full"],
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no file that never ends")
@pytest.mark.parametrize("option", ["--rules", "--config", "--list"])
def test_a_file_of_settings_that_never_ends_is_refused(option: str) -> None:
    done = dehusk("clean", option, "/dev/zero", *([] if option == "--list" else [str(EXAMPLE)]))
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert "/dev/zero" in line
    assert line.endswith("cannot be read: larger than 200 MB")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no file that never ends")
@pytest.mark.parametrize("command", [("eval",), ("train", "-o", "model")])
def test_a_page_that_never_ends_has_no_labels(command: tuple[str, ...], tmp_path: Path) -> None:
    done = dehusk(*command, "/dev/zero", cwd=tmp_path)
    assert done.returncode == 2
    assert "has no labels" in done.stderr.decode()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_list_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(f"{EXAMPLE}\n", "utf-8"), daemon=True)
    writer.start()  # which waits for a reader for ever
    done = dehusk("clean", "--list", str(pipe))
    assert done.returncode == 0
    assert json.loads(done.stdout)["page"] == str(EXAMPLE)


def test_annotate_needs_a_terminal() -> None:
    done = dehusk("annotate", EXAMPLE)
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--thesis", "--folds", "3"), "cannot be used together"),
        (("--thesis", "--ablations"), "cannot be used together"),
        (("--seed", "3"), "--seed requires"),
        (("--workers", "3"), "--workers requires"),
        (("--folds", "3", "--workers", "2"), "--workers requires"),
        (("--thesis", "--by", "site"), "--by requires"),
        (("--thesis", "--model", "web"), "use --config instead of --model"),
    ],
)
def test_eval_refuses_options_that_would_be_ignored(arguments: tuple[str, ...], message: str) -> None:
    done = dehusk("eval", *arguments, EXAMPLE)
    assert done.returncode == 2
    assert message in done.stderr.decode()


@pytest.mark.parametrize(("page", "code", "message"), [(str(EXAMPLE), 0, ""), ("-", 2, "standard input is closed")])
def test_closed_standard_input_matters_only_if_it_is_read(page: str, code: int, message: str) -> None:
    command = f'exec "{sys.executable}" -c "from dehusk.cli import main; main()" clean "{page}" <&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60)
    assert done.returncode == code
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_a_part_of_a_text_is_reported_and_counts_as_done(tmp_path: Path) -> None:
    (tmp_path / "part.html").write_text("<p>Green tea is made of leaves that were not oxidized.</p><p>Page 1 of 3</p>")
    done = dehusk("clean", "part.html", "--method", "keep-all", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.decode() == "dehusk: part.html: partial: the page is number 1 of 3\n"
