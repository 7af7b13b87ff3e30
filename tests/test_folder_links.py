"""Links in folders of pages: what leads out of the folder is read only if the user asks for it, by every command."""

import os
from pathlib import Path

import pytest

from command_line import dehusk as run
from dehusk.many.files.inputs import find_inputs, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.read.files import find_pages
from dehusk.read.folder_links import FolderLinks
from dehusk.studio.sources import find_sources

OUTSIDE_TEXT = "The secret word is ginkgo, and it is known to nobody outside of this house. "
PAGE = "<p>A page of its own with enough words to be the content of a page, number {}.</p>"
OUTSIDE = ["pages/away", "pages/secret.html"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with pages, and links to a page and a folder outside of it, to itself, within itself and to devices."""
    pages, outside = tmp_path / "pages", tmp_path / "outside"
    (pages / "deep").mkdir(parents=True)
    (outside / "deep").mkdir(parents=True)
    for number, name in enumerate(("0.html", "1.html", "deep/2.html")):
        (pages / name).write_text(PAGE.format(number), "utf-8")
    (outside / "secret.html").write_text(f"<p>{OUTSIDE_TEXT * 5}", "utf-8")
    (outside / "deep" / "more.html").write_text(f"<p>{OUTSIDE_TEXT * 5}", "utf-8")
    (outside / "loop").symlink_to(outside)
    (pages / "secret.html").symlink_to(outside / "secret.html")
    (pages / "style.css").symlink_to(outside / "secret.html")
    (pages / "away").symlink_to(outside)
    (pages / "loop").symlink_to(".")
    (pages / "again.html").symlink_to("deep/2.html")
    (pages / "self.htm").symlink_to("self.htm")
    os.mkfifo(pages / "pipe.html")
    (tmp_path / "named").symlink_to(pages)
    return tmp_path


def names(links: FolderLinks | None, *arguments: object) -> list[str]:
    return [source.relative for source in find_pages([str(each) for each in arguments], links=links).sources]


def test_links_out_of_a_folder_are_skipped_and_named(folder: Path) -> None:
    links = FolderLinks()
    assert names(links, folder / "pages") == ["0.html", "1.html", "again.html", "deep/2.html", "self.htm"]
    assert links.skipped == {str(folder / name) for name in OUTSIDE}
    assert names(None, folder / "pages") == names(links, folder / "pages")
    assert links.describe().startswith("2 links out of the folder not followed (")
    assert not FolderLinks().describe()


def test_links_are_followed_if_asked(folder: Path) -> None:
    links = FolderLinks(follow=True)
    found = names(links, folder / "pages")
    assert set(found) - {"0.html", "1.html", "again.html", "deep/2.html", "self.htm"} == {
        *("secret.html", "away/secret.html", "away/deep/more.html")
    }
    assert len(found) == len(set(found))
    assert not links.skipped


def test_what_is_named_is_followed(folder: Path) -> None:
    assert names(None, folder / "pages" / "secret.html") == ["secret.html"]
    assert len(names(None, folder / "named")) == 5
    assert len(names(None, folder / "pages" / "away")) == 2


def test_globs_have_the_same_rule(folder: Path) -> None:
    links = FolderLinks()
    assert names(links, folder / "pages" / "*.html") == ["0.html", "1.html", "again.html"]
    assert str(folder / "pages" / "secret.html") in links.skipped
    assert "secret.html" in names(FolderLinks(follow=True), folder / "pages" / "*.html")


def test_folders_of_records(folder: Path) -> None:
    for follow, number in ((False, 5), (True, 8)):
        links = FolderLinks(follow=follow)
        (found,) = find_inputs([str(folder / "pages")], links)
        records = list(read_records(found, ReadOptions(1000)))
        assert len(records) == number
        assert any(b"ginkgo" in getattr(record, "raw", b"") for record in records) == follow
        assert bool(links.skipped) != follow
        assert found.stamp()[0] == find_inputs([str(folder / "pages")], links)[0].stamp()[0]


def test_files_of_pages(folder: Path) -> None:
    (folder / "outside" / "x.jsonl").write_text('{"html": "<p>x"}\n')
    (folder / "pages" / "x.jsonl").symlink_to(folder / "outside" / "x.jsonl")
    (folder / "pages" / "own.jsonl").write_text('{"html": "<p>x"}\n')
    links = FolderLinks()
    assert [file.name for file in find_inputs([str(folder / "pages")], links)] == ["own.jsonl"]
    assert str(folder / "pages" / "x.jsonl") in links.skipped
    assert len(find_inputs([str(folder / "pages")], FolderLinks(follow=True))) == 3
    links = FolderLinks()
    assert "x.jsonl" not in [file.path.name for file in find_sources([str(folder / "pages")], links)]
    assert str(folder / "pages" / "x.jsonl") in links.skipped


@pytest.mark.parametrize(
    "arguments",
    [
        ("clean", "pages"),
        ("clean", "pages/*.html"),
        ("read", "pages"),
        ("site", "learn", "pages", "-o", "model"),
        ("site", "clean", "--site", "pages", "pages"),
        ("site", "show", "pages", "--tree", "pages/0.html"),
        ("toc", "pages"),
        ("vectors", "pages"),
        ("records", "pages"),
        ("records", "--site", "pages"),
        ("colour", "pages", "-o", "coloured"),
        ("corpus", "pages", "-o", "corpus", "-f", "jsonl", "--workers", "1"),
        ("train", "pages", "-o", "trained"),
        ("eval", "pages"),
    ],
    ids=" ".join,
)
def test_every_command_skips_them_and_says_so(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / "pages" / "self.htm").unlink()
    done = run(*arguments, cwd=folder)
    error = done.stderr.decode()
    assert error.count("out of the folder not followed (pages/") == 1
    assert "add --follow-links" in error
    assert b"Traceback" not in done.stderr
    written = b"".join(file.read_bytes() for name in ("corpus", "coloured") for file in (folder / name).rglob("*.*ml*"))
    assert b"ginkgo" not in done.stdout + written
    followed = run(*arguments, "--follow-links", cwd=folder)
    assert b"not followed" not in followed.stderr


def test_the_text_behind_links_is_cleaned_if_asked(folder: Path) -> None:
    assert b"ginkgo" not in run("clean", "pages", cwd=folder).stdout
    assert b"ginkgo" in run("clean", "pages", "--follow-links", cwd=folder).stdout
    assert b"ginkgo" in run("clean", "pages/secret.html", cwd=folder).stdout
    assert run("site", "show", "pages", "--follow-links", cwd=folder).returncode == 2
