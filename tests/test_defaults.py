"""`dehusk.toml`: where it is looked for, what it sets, and one line for whatever is wrong in it."""

import json
from pathlib import Path

import pytest

from command_line import EXAMPLE, dehusk
from dehusk.cli.defaults import find_file

MARKDOWN = dehusk("clean", "-f", "markdown", EXAMPLE).stdout


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "project" / "saved"
    place.mkdir(parents=True)
    (place / "tea.html").write_bytes(EXAMPLE.read_bytes())
    monkeypatch.chdir(place)
    return place


def typed(*arguments: str) -> tuple[int, str, str]:
    done = dehusk(*arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def write(folder: Path, text: str) -> Path:
    (folder / "dehusk.toml").write_text(text, "utf-8")
    return folder / "dehusk.toml"


def test_the_file_gives_what_the_command_line_does_not(folder: Path) -> None:
    file = write(folder.parent, '[clean]\nformat = "markdown"\n[corpus]\nworkers = 1\n')
    plain = typed("--no-defaults", "clean", "tea.html")
    assert plain == typed("--no-defaults", "clean", str(EXAMPLE))
    assert plain[1] != MARKDOWN.decode()
    assert typed("clean", "tea.html") == (0, MARKDOWN.decode(), f"dehusk: options from {file}\n")
    assert typed("clean", "-q", "tea.html") == (0, MARKDOWN.decode(), "")
    assert typed("clean", "-f", "text", "tea.html")[1] == plain[1]
    assert typed("read", "tea.html")[2] == typed("--no-defaults", "read", "tea.html")[2]  # it has no table


def test_a_page_without_a_command_has_the_options_of_clean(folder: Path) -> None:
    write(folder, '[clean]\nformat = "json"\n')
    assert json.loads(typed("tea.html")[1])["status"] == "ok"


def test_the_nearest_file_counts_and_a_repository_ends_the_search(tmp_path: Path, folder: Path) -> None:
    assert find_file(folder) is None
    outer = write(tmp_path, "[clean]\n")
    assert find_file(folder) == outer
    (folder.parent / ".git").mkdir()
    assert find_file(folder) is None
    inner = write(folder.parent, "[clean]\n")
    assert find_file(folder) == inner
    nearest = write(folder, "[clean]\n")
    assert find_file(folder) == nearest


def test_the_user_s_folder_ends_the_search(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outer = write(tmp_path, "[clean]\n")
    monkeypatch.setenv("HOME", str(folder.parent))
    assert find_file(folder) is None
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_file(folder) == outer


def test_paths_are_those_beside_the_file(folder: Path) -> None:
    (folder.parent / "rules.toml").write_text('["*"]\ndrop = ["p"]\n', "utf-8")
    write(folder.parent, '[clean]\nrules = "rules.toml"\n')
    by_file = typed("clean", "tea.html")
    by_option = typed("--no-defaults", "clean", "--rules", "../rules.toml", "tea.html")
    assert by_file[:2] == by_option[:2]
    assert by_file[1] != typed("--no-defaults", "clean", "tea.html")[1]


def test_flags_lists_and_commands_of_groups(folder: Path) -> None:
    file = write(folder, '[clean]\nexplain = true\nset = ["style=whole"]\n[site.learn]\nmost = 3\n')
    expected = typed("--no-defaults", "clean", "--explain", "--set", "style=whole", "tea.html")
    assert typed("clean", "tea.html")[:2] == expected[:2]
    assert typed("site", "learn", "tea.html", "-o", "model")[2].startswith(f"dehusk: options from {file}\n")


@pytest.mark.parametrize("name", ["other.toml", "dehusk.toml"])
def test_another_file_is_named(tmp_path: Path, folder: Path, name: str) -> None:
    write(folder, '[clean]\nformat = "json"\n')
    other = tmp_path / name
    other.write_text('[clean]\nformat = "markdown"\n', "utf-8")
    assert typed("--defaults", str(other), "clean", "tea.html") == (
        0,
        MARKDOWN.decode(),
        f"dehusk: options from {other}\n",
    )


WRONG = {
    '[claen]\nformat = "text"': "unknown command 'claen'. Did you mean clean? Known: ",
    '[clean]\nfromat = "text"': "[clean]: unknown option 'fromat'. Did you mean format? Known: ",
    '[clean]\noutput = "x"': "[clean]: unknown option 'output'. ",
    "[clean]\nprivate = true": "[clean]: unknown option 'private'. ",
    "[clean]\nquiet = true": "[clean]: unknown option 'quiet'. ",
    '[clean]\nexplain = "yes"': "[clean] explain must be true or false",
    "[clean]\nstyle = true": "[clean] style takes a value, not true or false",
    '[clean]\nstyle = ["auto", "whole"]': "[clean] style has one value",
    "[clean]\nstyle = {a = 1}": "[clean] style is no text or number",
    "clean = 3": "clean is a command: write its options under [clean]",
    "[clean": "Expected ']' at the end of a table declaration",
    '[clean]\nstyle = "artical"': "unknown style 'artical'. Did you mean article? ",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_in_a_file_is_one_line(folder: Path, text: str) -> None:
    file = write(folder, text)
    code, out, errors = typed("clean", "tea.html")
    assert (code, out) == (2, "")
    assert WRONG[text] in errors
    assert str(file) in errors
    assert typed("--no-defaults", "clean", "tea.html")[0] == 0


def test_wrong_commands_of_groups_and_both_options(folder: Path) -> None:
    write(folder, "[site.laern]\n")
    assert "[site]: unknown command 'laern'. Did you mean learn? Known: " in typed("site", "show", "x")[2]
    code, _, errors = typed("--no-defaults", "--defaults", "dehusk.toml", "clean", "tea.html")
    assert (code, errors) == (2, "dehusk: --defaults and --no-defaults contradict each other: give one of them\n")
    assert typed("clean", "--help")[2] == ""
