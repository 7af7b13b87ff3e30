"""The command line as a newcomer types it: a page without a command, formats by suffix, names from elsewhere."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

import dehusk
from command_line import EXAMPLE
from command_line import dehusk as run_command
from dehusk.cli.commands import SECTIONS, SUBCOMMANDS

TEA = EXAMPLE.read_bytes()
MARKDOWN = dehusk.clean(TEA).markdown


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tea.html").write_bytes(TEA)
    return tmp_path


def typed(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    done = run_command(*arguments, given=stdin)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("arguments", [("tea.html",), ("-q", "tea.html"), ("./tea.html",), ("-f", "md", "tea.html")])
def test_a_page_without_a_command_becomes_markdown(arguments: tuple[str, ...]) -> None:
    assert typed(*arguments) == (0, MARKDOWN, "")


def test_standard_input_without_a_command() -> None:
    assert typed("-", stdin=TEA) == (0, MARKDOWN, "")


def test_a_folder_without_a_command_becomes_lines() -> None:
    Path("saved").mkdir()
    for name in ("a.html", "b.html"):
        Path("saved", name).write_bytes(TEA)
    code, out, err = typed("saved")
    assert (code, err) == (0, "dehusk: 2 pages: 2 ok\n")
    assert [json.loads(line)["text"] for line in out.splitlines()] == [MARKDOWN, MARKDOWN]


def test_an_explanation_and_chunks_without_a_command() -> None:
    assert typed("--explain", "tea.html")[1] == typed("clean", "--explain", "tea.html")[1]
    assert typed("--chunks", "50", "tea.html")[1] == typed("clean", "--chunks", "50", "tea.html")[1]


@pytest.mark.parametrize(
    ("name", "form"), [("x.md", "markdown"), ("X.MD", "markdown"), ("x.json", "json"), ("x.tei.xml", "tei"),
                       ("x.xml", "tei"), ("x.html", "html"), ("x.txt", "text"), ("x.data", "text"), ("x", "text")]
)  # fmt: skip
def test_the_suffix_of_the_output_chooses_the_format(name: str, form: str) -> None:
    assert typed("clean", "tea.html", "-o", name) == (0, "", "")
    assert Path(name).read_text("utf-8") == typed("clean", "-f", form, "tea.html")[1]
    assert typed("clean", "-f", "text", "tea.html", "-o", name)[0] == 0
    assert Path(name).read_text("utf-8") == typed("clean", "-f", "text", "tea.html")[1]


def test_other_programs_write_other_documents() -> None:
    assert typed("clean", "tea.html", "-o", "x.pdf") == (
        2, "", "dehusk clean: x.pdf: dehusk does not write these; pandoc makes them from Markdown\n"
    )  # fmt: skip


def test_csv_is_a_matter_of_records() -> None:
    assert typed("clean", "tea.html", "-o", "x.csv") == (
        2, "", "dehusk clean: x.csv: pages do not become CSV; dehusk records writes a table of them\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "nearest"), [("extract", "clean"), ("convert", "clean"), ("scrape", "crawl"), ("evaluate", "eval"),
                          ("gui", "studio"), ("crwal", "crawl")]
)  # fmt: skip
def test_commands_of_other_tools_lead_to_ours(name: str, nearest: str) -> None:
    code, out, err = typed(name, "x.html")
    assert (code, out) == (2, "")
    assert err.startswith(f"dehusk: unknown command '{name}'. Did you mean {nearest}? Known: ")


def test_help_and_version_are_commands_too() -> None:
    assert typed("help") == typed("--help")
    assert typed("help", "clean") == typed("clean", "--help")
    assert typed("help", "help") == typed("--help")
    assert typed("version") == typed("--version")
    assert typed("color", "--help")[1] == typed("colour", "--help")[1]
    assert typed("clean", "--favor", "1", "tea.html") == typed("clean", "--favour", "1", "tea.html")


def test_the_help_names_every_command_in_a_section_with_a_whole_sentence() -> None:
    help_text = typed("--help")[1]
    assert [name for section in SECTIONS.values() for name in section] == list(SUBCOMMANDS)
    assert all(f"\n{section}:\n" in help_text for section in SECTIONS)
    assert all(f"\n  {name} " in help_text for name in SUBCOMMANDS)
    assert "..." not in help_text.partition("\nClean:\n")[2]


def test_packed_pages_are_read() -> None:
    Path("tea.html.gz").write_bytes(gzip.compress(TEA))
    assert typed("clean", "tea.html.gz") == typed("clean", "tea.html")
    whole = gzip.compress(TEA)
    Path("cut.html.gz").write_bytes(whole[: len(whole) // 2])
    code, out, _ = typed("clean", "cut.html.gz")
    assert code == 0
    assert out.startswith("How to brew green tea")
    Path("none.html.gz").write_bytes(b"no gzip data")
    assert typed("clean", "none.html.gz")[::2] == (
        1, "dehusk: none.html.gz: error: cannot be read: damaged gzip data\n"
    )  # fmt: skip


def test_files_of_many_pages_lead_to_corpus() -> None:
    with zipfile.ZipFile("t.zip", "w") as archive:
        archive.writestr("tea.html", TEA)
    for arguments in (("clean", "t.zip"), ("t.zip",)):
        assert typed(*arguments) == (
            2, "", "dehusk clean: t.zip is a file of many pages: dehusk corpus t.zip -o FOLDER\n"
        )  # fmt: skip


@pytest.mark.parametrize(
    ("page", "hint"),
    [
        ("example.org", "; for the web address, write https://example.org"),
        ("www.example.org/page", "; for the web address, write https://www.example.org/page"),
        ("nosuch.html", ""),
        ("no/such.html", ""),
    ],
)
def test_an_address_without_a_scheme_is_told_how(page: str, hint: str) -> None:
    code, _, err = typed("clean", page)
    assert (code, err) == (1, f"dehusk: {page}: error: cannot be read: No such file or directory{hint}\n")


@pytest.mark.parametrize(
    ("text", "function"),
    [("examples/tea.html", "clean_file"), ("C:\\my pages\\tea.htm", "clean_file"), ("tea.html", "clean_file"),
     ("https://example.org/tea", "clean_url"), (" https://example.org ", "clean_url")],
)  # fmt: skip
def test_a_path_or_an_address_is_no_page(text: str, function: str) -> None:
    document = dehusk.clean(text)
    assert (str(document.status), document.text) == ("not-html", "")
    assert document.message.endswith(f"not a page: call dehusk.{function}")


@pytest.mark.parametrize(
    "text", ["See index.html", "tea", "Tea at https://example.org", "<p>tea.html", "a.html\nb.html"]
)
def test_a_text_that_names_a_page_is_a_page(text: str) -> None:
    assert str(dehusk.clean(text).status) == "ok"


def test_a_declared_address_is_in_all_outputs() -> None:
    page = b"<link rel=canonical href='https://tea.example/green'><h1>Tea</h1><p>Good leaves give three cups of tea."
    document = dehusk.clean(page)
    assert document.metadata.url == "https://tea.example/green"
    assert "url" in document.metadata.guessed
    assert document.record()["url"] == document.chunks()[0].url == "https://tea.example/green"
    assert "url: https://tea.example/green" in document.render("markdown", front_matter="yaml")
    given = dehusk.clean(page, url="https://other.example/")
    assert (given.metadata.url, given.record()["url"], given.chunks()[0].url) == ("https://other.example/",) * 3
    assert "url" not in given.metadata.guessed
    assert dehusk.clean(b"<p>tea").metadata.url is None


def test_ids_of_chunks_stay_where_the_page_declares_its_address() -> None:
    page = b"<link rel=canonical href='https://tea.example/green'><h1>Tea</h1><p>Good leaves give three cups of tea."
    ids = [[chunk.id for chunk in dehusk.clean(source).chunks()] for source in (page, page + b"<!-- changed -->")]
    assert ids[0] == ids[1]
