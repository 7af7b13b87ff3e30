"""The job folder: its files, and the check that it belongs to the requested crawl.

job.json           settings of the last run
frontier.sqlite    the URLs and their states
list.txt           for a list: the URLs of the last run
pages-*.warc.gz    the pages
addresses.jsonl    one line per URL: its outcome
summary.json       counts, written when a run ends
crawl.log          Scrapy's log
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dehusk.base.atomic import write_text
from dehusk.base.errors import ConfigError, InputError
from dehusk.many.crawl.plan import FIXED_SETTINGS, SITE_SETTINGS, CrawlPlan
from dehusk.many.files.inputs import CRAWL_JOB

JOB = CRAWL_JOB
URL_LIST, URL_OUTCOMES, SUMMARY, LOG = "list.txt", "addresses.jsonl", "summary.json", "crawl.log"
OPEN = ".open"
"""Suffix of a WARC file that a crawl is writing, or was writing when it was killed."""
FORMAT = 2


def warc_files(folder: Path) -> list[Path]:
    """Return the WARC files of a job in order, including one that a killed crawl left open."""
    return sorted((*folder.glob("pages-*.warc.gz"), *folder.glob(f"pages-*.warc.gz{OPEN}")))


def prepare_site(folder: Path, url: str, plan: CrawlPlan) -> None:
    """Create the folder of a site's crawl, or check that an existing one belongs to this crawl; store the settings.

    Raises:
        InputError: the folder contains another crawl or other files, or cannot be written.
    """
    record: dict[str, Any] = {"format": FORMAT, "url": url, "plan": plan.record()}
    path = folder / JOB
    try:
        if not path.exists() and folder.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is not empty and contains no crawl: choose another folder")
        if path.exists():
            _check(folder, json.loads(path.read_text("utf-8")), record)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SUMMARY).unlink(missing_ok=True)  # of an earlier run
        write_text(path, json.dumps(record, indent=1) + "\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} cannot be used: {error}") from error


def prepare_list(folder: Path, urls: Sequence[str], plan: CrawlPlan) -> None:
    """Create the folder of a list, or check that an existing one belongs to a list; store the settings and the URLs.

    Raises:
        InputError: the folder contains another crawl or other files, or cannot be written.
        ConfigError: a setting applies only to crawling a site.
    """
    if useless := [name for name in SITE_SETTINGS if getattr(plan, name) != getattr(CrawlPlan(), name)]:
        raise ConfigError(f"crawl: {useless[0]} cannot be used with a list: no links are followed")
    prepare_site(folder, "", plan)
    try:
        write_text(folder / URL_LIST, "".join(f"{url}\n" for url in urls))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} cannot be used: {error}") from error


def _check(folder: Path, stored: Any, requested: dict[str, Any]) -> None:
    try:
        before = stored["plan"]
        if stored["format"] != FORMAT:
            raise InputError(f"{folder} contains a crawl by another version of dehusk: choose another folder")
        if stored["url"] != requested["url"]:
            raise InputError(f"{folder} contains a crawl of {stored['url'] or 'a list'}: choose another folder")
        changed = [name for name in FIXED_SETTINGS if before[name] != requested["plan"][name]]
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder} is not a crawl that can be resumed: {error!r}") from error
    if changed:
        name = changed[0]
        raise InputError(
            f"the crawl in {folder} was started with {name} {before[name]}, which cannot change when it is resumed"
        )
