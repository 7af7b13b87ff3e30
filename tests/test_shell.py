"""`dehusk completion` and `dehusk man`: what a shell and man read, and where they find it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from command_line import dehusk
from dehusk.cli import command
from dehusk.cli.commands import SUBCOMMANDS
from dehusk.cli.man import manual_page

PLACES = {
    "bash": ".local/share/bash-completion/completions/dehusk",
    "zsh": ".local/share/zsh/site-functions/_dehusk",
    "fish": ".config/fish/completions/dehusk.fish",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "BASH_COMPLETION_USER_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("shell", PLACES)
def test_a_script_is_printed_or_written_where_the_shell_looks(home: Path, shell: str) -> None:
    printed = dehusk("completion", shell)
    assert printed.returncode == 0
    assert f"{shell}_complete" in printed.stdout.decode()
    assert not (home / PLACES[shell]).exists()
    for _ in range(2):  # also over an older one
        done = dehusk("completion", shell, "--install")
        assert (done.returncode, done.stdout) == (0, b"")
        assert f"completion for {shell} is in {home / PLACES[shell]}: " in done.stderr.decode()
        assert (home / PLACES[shell]).read_bytes() == printed.stdout


def test_folders_of_the_user_are_those_of_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    for arguments in (("completion", "zsh"), ("completion", "fish"), ("man",)):
        assert dehusk(*arguments, "--install").returncode == 0
    assert (home / "data/zsh/site-functions/_dehusk").exists()
    assert (home / "config/fish/completions/dehusk.fish").exists()
    assert (home / "data/man/man1/dehusk.1").exists()


def test_an_unknown_shell_and_a_place_that_cannot_be_written(home: Path) -> None:
    done = dehusk("completion", "bsh")
    assert done.returncode == 2
    assert b"unknown shell 'bsh'. Did you mean bash? Known: bash, zsh, fish\n" in done.stderr
    (home / ".local").write_text("a file")
    for arguments in (("completion", "bash"), ("man",)):
        done = dehusk(*arguments, "--install")
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert b" cannot be written: " in done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [(["cle"], ["clean"]), (["site", "le"], ["learn"]), (["clean", "--expl"], ["--explain"]),
     (["clean", "-f", "mark"], ["markdown"]), (["completion", "z"], ["zsh"])],
)  # fmt: skip
def test_bash_completes(home: Path, typed: list[str], completed: list[str]) -> None:
    program = home / "dehusk"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dehusk "$@"\n')
    program.chmod(0o755)
    words = " ".join(["dehusk", *typed])
    script = dehusk("completion", "bash").stdout.decode()
    script += f'\nCOMP_WORDS=({words}); COMP_CWORD={len(typed)}; _dehusk_completion dehusk; echo "${{COMPREPLY[@]}}"'
    environment = {**os.environ, "PATH": f"{home}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True, env=environment, timeout=60)
    assert done.stdout.decode().split() == completed


def test_each_command_has_a_manual_page(home: Path) -> None:
    done = dehusk("man", "--install")
    pages = {path.stem: path.read_text("utf-8") for path in (home / ".local/share/man/man1").iterdir()}
    assert done.returncode == 0
    assert f"{len(pages)} manual pages are in {home}" in done.stderr.decode()
    assert pages.keys() >= {"dehusk", "dehusk-site-learn", *(f"dehusk-{name}" for name in SUBCOMMANDS)}
    for title, page in pages.items():
        assert page.startswith(".TH " + title.upper().replace("-", "\\-") + ' 1 "" "dehusk ')
        assert re.findall(r"^\.SH (.*)", page, re.MULTILINE)[:4] == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"]
        commands = re.findall(r"^\.(\S*)", page, re.MULTILINE)
        assert set(commands) <= {"TH", "SH", "PP", "TP", "nf", "fi"}
        assert commands.count("nf") == commands.count("fi")
    assert "dehusk\\-site\\-learn(1)" in pages["dehusk-site"]
    assert "\\fB\\-\\-favour" in pages["dehusk-clean"]


def test_a_page_of_one_command_is_printed() -> None:
    assert dehusk("man").stdout.startswith(b".TH DEHUSK 1 ")
    assert dehusk("man", "site", "learn").stdout.startswith(b".TH DEHUSK\\-SITE\\-LEARN 1 ")
    done = dehusk("man", "sites")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"unknown command 'sites'. Did you mean site? Known: " in done.stderr
    done = dehusk("man", "site", "--install")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)


MADE = click.Command(
    "made",
    help="Do it.\n\n.dotted \\ text\n'quoted' –\n\n\b\nExamples:\n  .one\n  two",
    params=[click.Argument(["page"]), click.Option(["--it"], help="Do it\nwell.", metavar="X")],
)


def test_what_man_would_obey_is_escaped() -> None:
    page = manual_page(click.Context(MADE, info_name="made")).splitlines()
    assert page[3:] == [
        *(".SH SYNOPSIS", "\\fBmade\\fR [OPTIONS] PAGE"),
        *(".SH DESCRIPTION", "Do it.", ".PP", "\\&.dotted \\e text 'quoted' \\[u2013]", ".PP"),
        *(".nf", "Examples:", "  .one", "  two", ".fi"),
        *(".SH OPTIONS", ".TP", "\\fB\\-\\-it X\\fR", "Do it well."),
        *(".TP", "\\fB\\-\\-help\\fR", "Show this message and exit."),
    ]


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_groff_reads_the_pages_without_a_warning(home: Path) -> None:
    dehusk("man", "--install")
    for path in (home / ".local/share/man/man1").iterdir():
        words = ["groff", "-man", "-Tutf8", "-ww", "-P-c", str(path)]
        done = subprocess.run(words, capture_output=True, check=True, timeout=60)
        assert done.stderr == b""
        assert b"SYNOPSIS" in re.sub(b".\x08", b"", done.stdout)


def test_the_root_is_found_from_a_subcommand() -> None:
    context = click.Context(command, info_name="dehusk")
    assert "dehusk\\-man(1)" in manual_page(context)
