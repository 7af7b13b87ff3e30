"""Running a crawl in a process of its own, and going on with one."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from dehusk.crawl.plan import FIXED, OF_SITE, CrawlPlan, entrance
from dehusk.crawl.summary import CrawlSummary
from dehusk.crawl.url_list import read_url_list
from dehusk.errors import ConfigError, DehuskError, InputError

JOB, LIST, ADDRESSES, SUMMARY, LOG = "job.json", "list.txt", "addresses.jsonl", "summary.json", "crawl.log"
FORMAT = 1

Tell = Callable[[dict[str, int]], None]


def crawl(
    url: str | Iterable[str], folder: str | Path, *, plan: CrawlPlan | None = None, tell: Tell | None = None
) -> CrawlSummary:
    """Crawl a site from an entrance URL, or fetch a list of addresses; or go on with what ended early.

    Args:
        url: the entrance; without a scheme it is https. Or the lines of a list, which is fetched as it is: blank ones
            and those that begin with `#` are passed over, no link is followed, redirects are, to any host.
        folder: the job's folder. It holds `pages-00000.warc.gz` and so on (request and response records),
            `addresses.jsonl` (every address and what became of it), `summary.json`, `crawl.log`, `job.json`,
            `frontier.sqlite` and of a list `list.txt`. One that holds the same crawl is gone on with: no page that is
            stored is asked for again, and what is new in a list is added.
        plan: the settings.
        tell: is given how far the crawl is, as `pages`, `waiting` and `of` (the budget), some times a second.

    Returns:
        What came of all runs. An interrupt (SIGINT, SIGTERM) ends a run in good order; its summary's `end` says so.

    Raises:
        InputError: no address, or a folder that holds another crawl or something else.
        ConfigError: a list, and a setting of sites (`OF_SITE`).
        DehuskError: the extra "crawl" is not installed, or the process died; what was stored is kept.
    """
    missing = [name for name in ("scrapy", "warcio") if find_spec(name) is None]
    if missing:
        raise DehuskError(f"crawling needs {' and '.join(missing)}: pip install 'dehusk[crawl]'")
    place, plan = Path(folder), plan or CrawlPlan()
    if isinstance(url, str):
        _prepare(place, entrance(url), plan)
    else:
        _prepare_list(place, read_url_list(url, "the list"), plan)
    with TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "dehusk.crawl.worker", str(place.resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "PYTHONUTF8": "1"},
            process_group=0,  # an interrupt from the terminal is this process's to hand on, once
        )
        _watch(process, tell or (lambda _: None))
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace")
    if process.returncode == 0:
        return CrawlSummary(**json.loads((place / SUMMARY).read_text("utf-8")))
    last = said.strip().splitlines()[-1] if said.strip() else f"exit code {process.returncode}"
    if process.returncode == 2:
        raise InputError(last)
    raise DehuskError(f"the crawl died: {last}; the same call goes on with it")


def write(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it, so that it is never there in part."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(text, "utf-8")
    temporary.replace(path)


def _prepare(folder: Path, url: str, plan: CrawlPlan) -> None:
    """Make the job's folder, or check that it holds this crawl; its settings become those of this run."""
    record: dict[str, Any] = {"format": FORMAT, "url": url, "plan": plan.record()}
    path = folder / JOB
    try:
        if not path.exists() and folder.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is not empty and holds no crawl")
        if path.exists():
            _check(folder, json.loads(path.read_text("utf-8")), record)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SUMMARY).unlink(missing_ok=True)  # it would be of an earlier run
        write(path, json.dumps(record, indent=1) + "\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} cannot be used: {error}") from error


def _prepare_list(folder: Path, addresses: Sequence[str], plan: CrawlPlan) -> None:
    """Make the job's folder for a list, or check that it holds one; the list is that of this run."""
    if useless := [name for name in OF_SITE if getattr(plan, name) != getattr(CrawlPlan(), name)]:
        raise ConfigError(f"crawl: {useless[0]} means nothing for a list, which is fetched as it is")
    _prepare(folder, "", plan)
    try:
        write(folder / LIST, "".join(f"{address}\n" for address in addresses))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} cannot be used: {error}") from error


def _check(folder: Path, stored: Any, wanted: dict[str, Any]) -> None:
    try:
        before = stored["plan"]
        if stored["format"] != FORMAT:
            raise InputError(f"{folder} holds a crawl of another version")
        if stored["url"] != wanted["url"]:
            raise InputError(f"{folder} holds a crawl of {stored['url'] or 'a list'}: choose another folder")
        changed = [name for name in FIXED if before[name] != wanted["plan"][name]]
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder} holds no crawl that can go on: {error!r}") from error
    if changed:
        name = changed[0]
        raise InputError(f"{folder} was begun with {name} {before[name]}: it can only go on with the same")


def _watch(process: subprocess.Popen[bytes], tell: Tell) -> None:
    """Tell how far the process is until it ends; an interrupt ends it in good order, a second one at once."""
    with process:  # which closes its pipes and waits
        assert process.stdout is not None and process.stdin is not None  # noqa: S101, PT018
        try:
            _tell_all(process.stdout, tell)
        except KeyboardInterrupt:
            process.stdin.close()  # it ends when what is under way is done
            try:
                _tell_all(process.stdout, tell)
            except KeyboardInterrupt:
                process.kill()
                raise


def _tell_all(lines: IO[bytes], tell: Tell) -> None:
    for line in lines:
        tell(json.loads(line))
