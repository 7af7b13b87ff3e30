"""Start the process that crawls, report its progress, and end it.

Scrapy runs in a child process, so that its reactor cannot interfere with the caller. When the child's standard input
closes, because of an interrupt or because this process died, the child shuts down gracefully.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from dehusk.base.errors import DehuskError, InputError
from dehusk.base.extras import missing
from dehusk.many.crawl.job_folder import SUMMARY
from dehusk.many.crawl.summary import CrawlSummary

_UNUSABLE = 2  # the exit code of a worker that cannot use its folder
_FAULTS = frozenset(
    getattr(signal, name) for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE") if hasattr(signal, name)
)
_MOST_DEATHS = 20  # of workers in a run

ProgressCallback = Callable[[dict[str, int]], None]
"""Called with `pages`, `waiting` and `of`, as `Frontier.progress` returns them."""


def require_libraries() -> None:
    """Raise MissingExtraError if the extra "crawl" is not installed."""
    for module in ("scrapy", "warcio"):
        if find_spec(module) is None:  # not imported here: Scrapy is needed in the child only
            raise missing(module, extra="crawl", purpose="crawling")


def run_worker(folder: Path, progress: ProgressCallback | None = None) -> CrawlSummary:
    """Run the crawl in a prepared job folder and return its summary.

    Args:
        folder: the job folder.
        progress: called several times per second.

    Raises:
        InputError: the folder cannot be used.
        DehuskError: the process died; the pages stored so far are kept.
    """
    for _ in range(_MOST_DEATHS):
        code, reason = _run_once(folder, progress or (lambda _: None))
        if -code not in _FAULTS:
            break  # otherwise a page ended the process, and the frontier knows which
    if code == 0:
        return CrawlSummary(**json.loads((folder / SUMMARY).read_text("utf-8")))
    if code == _UNUSABLE:
        raise InputError(reason)
    raise DehuskError(f"the crawling process died: {reason}; repeat the command to resume")


def _run_once(folder: Path, progress: ProgressCallback) -> tuple[int, str]:
    """Run the process; return its exit code, and the last line of its errors."""
    with TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "dehusk.many.crawl.worker", str(folder.resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1"},
            process_group=0,  # a terminal's interrupt reaches this process only, which passes it on once
        )
        _watch(process, progress)
        errors.seek(0)
        messages = errors.read().decode("utf-8", "replace").strip().splitlines()
    code = process.returncode
    return code, messages[-1] if messages else f"signal {-code}" if code < 0 else f"exit code {code}"


def _watch(process: subprocess.Popen[bytes], progress: ProgressCallback) -> None:
    """Report progress until the process ends; an interrupt shuts it down gracefully, a second one kills it."""
    with process:  # closes its pipes and waits for it
        assert process.stdout is not None and process.stdin is not None  # noqa: S101, PT018
        try:
            _report(process.stdout, progress)
        except KeyboardInterrupt:
            process.stdin.close()
            try:
                _report(process.stdout, progress)
            except KeyboardInterrupt:
                process.kill()
                raise


def _report(lines: IO[bytes], progress: ProgressCallback) -> None:
    for line in lines:
        progress(json.loads(line))
