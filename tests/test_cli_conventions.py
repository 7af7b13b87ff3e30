"""What all commands have in common: version, quiet, near misses, exit codes, signals."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import dehusk as package
from command_line import EXAMPLE, dehusk
from dehusk.cli import command
from dehusk.cli.commands import SUBCOMMANDS
from dehusk.cli.exit_codes import ExitCode, exit_code


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        subcommand = group.get_command(context, name)
        assert subcommand is not None
        if isinstance(subcommand, click.Group):
            yield from commands(subcommand, (*path, name))
        else:
            yield (*path, name), subcommand


COMMANDS = dict(commands(command))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_quiet_and_version(path: tuple[str, ...]) -> None:
    options = {option for parameter in COMMANDS[path].params for option in parameter.opts}
    assert {"-q", "--quiet", "--version"} <= options


@pytest.mark.parametrize(
    "words",
    [
        ("clean", ""),
        ("",),
        ("clean", "--output-dir=", EXAMPLE),
        ("clean", "-o", "", EXAMPLE),
        ("corpus", ".", "-o", ""),
        ("site", "learn", EXAMPLE, "-o", ""),
    ],
)
def test_an_empty_name_is_not_the_current_folder(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(EXAMPLE.read_bytes())
    run = dehusk(*words, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (ExitCode.USAGE, b"")
    assert b"it is empty, perhaps a variable that is not set (the current folder is .)" in run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize(
    "words",
    [("clean", "--favour", "nan", EXAMPLE), ("serve", "--body-timeout", "nan"), ("toc", "--st", "nan", EXAMPLE)],
)
def test_nan_is_no_number(words: tuple[str, ...]) -> None:
    run = dehusk(*words)
    assert (run.returncode, run.stderr.count(b"\n")) == (ExitCode.USAGE, 1)
    assert run.stderr.endswith(b": nan is no number.\n")


def test_the_commands_are_known() -> None:
    assert set(COMMANDS) == {
        ("annotate",), ("bench",), ("clean",), ("corpus",), ("crawl",), ("eval",), ("read",), ("spark",), ("train",),
        ("studio",), ("classify",), ("cluster",), ("colour",), ("paper",), ("records",), ("toc",), ("vectors",),
        ("serve",), ("mcp",),
        ("doctor",), ("completion",), ("man",), ("compare",),
        ("site", "learn"), ("site", "clean"), ("site", "show"), ("sets", "list"), ("sets", "get"), ("sets", "check"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("clean", "gone.html"), 1),
        (("clean", "gone.html", "tea.html"), 1),
        (("clean", "--list", "pages.txt"), 1),
        (("compare", "gone.html", "--with", "turbohtml"), 1),
        (("clean", "--list", "gone.txt"), 2),
        (("read", "gone.warc"), 2),
        (("corpus", "-o", "out", "gone.warc"), 2),
        (("toc", "gone.html"), 2),
        (("records", "gone.html"), 2),
        (("vectors", "gone.html"), 2),
        (("studio", "gone"), 2),
        (("eval", "gone"), 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_missing_page_failed_and_a_missing_input_stops(arguments: tuple[str, ...], code: int, tmp_path: Path) -> None:
    (tmp_path / "pages.txt").write_text("gone.html\ntea.html\n")
    (tmp_path / "tea.html").write_bytes(EXAMPLE.read_bytes())
    done = dehusk(*arguments, cwd=tmp_path)
    assert done.returncode == code
    assert b"gone" in done.stderr


@pytest.mark.parametrize("arguments", [(), ("clean",), ("site",), ("site", "show")])
def test_version(arguments: tuple[str, ...]) -> None:
    done = dehusk(*arguments, "--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"dehusk, version {package.__version__}\n")


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dehusk", "clean", str(EXAMPLE)], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == dehusk("clean", EXAMPLE).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clean", "-f", "marxdown", "x.html"), "unknown format 'marxdown'. Did you mean markdown? Known: text, mark"),
        (("clean", "--method", "unite", "x.html"), "unknown method 'unite'. Did you mean united? Known: "),
        (("clean", "--style", "artical", "x.html"), "unknown style 'artical'. Did you mean article? Known: auto,"),
        (("clean", "--workerz", "x.html"), "No such option '--workerz'. Did you mean '--workers'?"),
        (("corpus", "-f", "json", "x", "-o", "y"), "unknown format 'json'. Did you mean jsonl? Known: parquet,"),
        (("site", "learn", "--by", "hots", "x", "-o", "y"), "unknown value 'hots'. Did you mean host? Known: "),
    ],
)
def test_near_misses_are_answered_with_the_nearest_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = dehusk(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    error = done.stderr.decode()
    assert error.count("\n") == 1
    assert error.startswith(f"dehusk {arguments[0]}")
    assert message in error


def test_a_misspelt_command_is_answered_with_the_nearest() -> None:
    done = dehusk("claen")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        f"dehusk: unknown command 'claen'. Did you mean clean? Known: {', '.join(sorted(SUBCOMMANDS))}\n"
    )


def test_exit_codes() -> None:
    assert exit_code({"ok": 2, "no-content": 1}, 2) == ExitCode.OK == 0
    assert exit_code({"ok": 2, "error": 1}, 2) == ExitCode.SOME_FAILED == 1
    assert exit_code({"ok": 2, "truncated": 1, "error": 0}, 3) == ExitCode.SOME_FAILED
    assert exit_code({"ok": 2, "error": 0}, 2, lost=1) == ExitCode.SOME_FAILED
    assert exit_code({"no-content": 3}, 0) == ExitCode.NOTHING == 3
    assert exit_code({"error": 3}, 0) == ExitCode.SOME_FAILED


def ignore_interrupts() -> None:
    """Do what a shell does to its background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("group", [False, True], ids=["process", "group"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_everything(tmp_path: Path, number: signal.Signals, code: int, workers: int, group: bool) -> None:
    pages = [tmp_path / "1.html", tmp_path / "2.html"]
    for page in pages:
        os.mkfifo(page)
    command = [sys.executable, "-m", "dehusk", "clean", "--workers", str(workers), *map(str, pages)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=ignore_interrupts,  # noqa: PLW1509 (no threads here)
        start_new_session=True,
    ) as process:
        pipes = [os.open(page, os.O_WRONLY) for page in pages[:workers]]  # waits until a process reads the page
        if group:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, b"")
    assert b"Traceback" not in errors
    for pipe in pipes:
        with pytest.raises(BrokenPipeError):
            os.write(pipe, b"x")  # nobody reads the page any more
        os.close(pipe)


def test_a_command_imports_only_what_it_needs() -> None:
    code = f"import sys; from dehusk.cli import command; command(['clean', {str(EXAMPLE)!r}], standalone_mode=False); "
    code += "heavy = ('dehusk.many.corpus', 'dehusk.many.crawl', 'dehusk.lab.train'); "
    code += "print([name for name in sys.modules if name.startswith(heavy)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().splitlines()[-1] == "[]"
