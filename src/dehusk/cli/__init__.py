"""The `dehusk` command: one thin module per subcommand, over functions that Python code can call as well."""

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import click

from dehusk.base.errors import DehuskError, printable
from dehusk.base.processes.watched import run_watched
from dehusk.cli.commands import LazyGroup
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import add_version, choose_defaults

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}


@click.group(cls=LazyGroup, context_settings=_SETTINGS)
@click.option("-v", "--verbose", is_flag=True, expose_value=False, help="With --version: show what dehusk runs on.")
@click.option("--defaults", metavar="FILE", expose_value=False, callback=choose_defaults, is_eager=True,
              type=click.Path(exists=True, dir_okay=False),
              help="File with values for options of commands. [default: the nearest dehusk.toml]")  # fmt: skip
@click.option("--no-defaults", is_flag=True, expose_value=False, callback=choose_defaults,
              help="Read no dehusk.toml.")  # fmt: skip
def command() -> None:
    """Take the husk off web pages, keep the kernel.

    Exit codes: 0 all pages ok, 1 some pages failed, 2 wrong usage, 3 nothing extracted, 130 interrupted,
    143 terminated.
    """


add_version(command)


_MANY_THREADS = frozenset({"train", "cluster", "classify", "eval", "bench"})
"""Commands that multiply large matrices."""
_WITH_CHILDREN = frozenset({"corpus", "spark", "crawl", "studio", "serve", "mcp"})
"""Commands that parse pages in child processes of their own; the others run in one that may die."""
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def program() -> None:
    """Be the program `dehusk`: run the command in a process that may die, and exit with its code."""
    _exit_after(_run_to_end if _WITH_CHILDREN & set(sys.argv[1:2]) else _run_watched)


def main() -> None:
    """Run the command in this process and exit with its code; print an expected error as one line on standard error."""
    _exit_after(_run_to_end)


def _exit_after(run: Callable[[], int]) -> NoReturn:
    if sys.stdout is None:  # the calling process closed it
        print("dehusk: standard output is closed", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
    if not _MANY_THREADS & set(sys.argv[1:3]) and not any(name in os.environ for name in _THREADS):
        os.environ[_THREADS[0]] = "1"  # numpy, not imported yet, would start threads, and that takes 50 ms
    code = run()
    gc.freeze()  # all is written and closed: the interpreter need not search for cycles three times before it exits
    sys.exit(code)


def _run_watched() -> int:
    return run_watched(_run_to_end, lambda line: _tell(f"dehusk: {line}"))


def _run_to_end() -> int:
    """Run the command and return its exit code, also if a signal ended it."""
    with interruptible() as interruption:
        code = _run()
    return code if interruption.exit_code is None else interruption.exit_code


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        code = command.main(prog_name="dehusk", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except DehuskError as error:
        _tell(f"dehusk: {error}")
        return ExitCode.USAGE
    except BrokenPipeError:
        _discard_output()  # the reader of our output has closed the pipe
        return ExitCode.SOME_FAILED
    except OSError as error:
        _discard_output()
        _tell(f"dehusk: output or input failed: {error.strerror or error}")
        return ExitCode.USAGE
    return code if isinstance(code, int) else ExitCode.OK


def _show(error: click.ClickException) -> None:
    """Print a usage error as one line that starts with the command; for a command without arguments, print its help."""
    context = getattr(error, "ctx", None)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    path = context.command_path if context else "dehusk"
    _tell(f"{path}: {' '.join(error.format_message().split())}")


def _tell(line: str) -> None:
    """Print a line on standard error; `dehusk.cli.output.tell` knows of progress, and takes longer to import."""
    click.echo(printable(line), err=True)


def _discard_output() -> None:
    """Redirect standard output to the null device, so that Python reports no error when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


# ---------------------------------------------------------------- signals

_MOMENT = 0.5  # seconds between two signals that count as two


class TerminatedError(KeyboardInterrupt):
    """SIGTERM was received; code that cleans up after Ctrl-C also cleans up after it."""


class Interruption:
    """Remembers which signal ended the command."""

    exit_code: ExitCode | None = None
    """The signal; None if none was received."""
    _at = 0.0

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGINT."""
        if self._is_first(ExitCode.INTERRUPTED):
            raise KeyboardInterrupt

    def terminate(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGTERM."""
        if self._is_first(ExitCode.TERMINATED):
            raise TerminatedError

    def _is_first(self, code: ExitCode) -> bool:
        """Return whether no signal came a moment ago: a terminal sends one, and the parent forwards its own."""
        before, self._at = self._at, time.monotonic()
        self.exit_code = code
        return self._at - before > _MOMENT


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Raise KeyboardInterrupt on SIGINT and SIGTERM, and afterwards kill the remaining child processes.

    The handlers are installed even if SIGINT is ignored, as it is in a shell's background jobs and under `nohup`,
    because a signal sent to this process is meant for it.
    """
    interruption = Interruption()
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, interruption.interrupt),
        signal.SIGTERM: signal.signal(signal.SIGTERM, interruption.terminate),
    }
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if interruption.exit_code is not None:
            import multiprocessing

            for child in multiprocessing.active_children():
                child.kill()
