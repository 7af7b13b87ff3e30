"""Crawls a site, or fetches a list of URLs, into a job folder."""

from collections.abc import Iterable
from pathlib import Path

from dehusk.base.errors import require_type
from dehusk.many.crawl.job_folder import prepare_list, prepare_site
from dehusk.many.crawl.plan import CrawlPlan
from dehusk.many.crawl.start_urls import complete_url, read_url_list
from dehusk.many.crawl.summary import CrawlSummary
from dehusk.many.crawl.worker_process import ProgressCallback, require_libraries, run_worker


def crawl(
    url: str | Iterable[str],
    folder: str | Path,
    *,
    plan: CrawlPlan | None = None,
    progress: ProgressCallback | None = None,
) -> CrawlSummary:
    """Crawl a site from a start URL, or fetch a list of URLs; resume an interrupted crawl.

    Args:
        url: the start URL; the default scheme is https. Or the lines of a list of URLs: blank lines and lines starting
            with `#` are ignored, links are not followed, and redirects are followed to any host.
        folder: the job folder; see `dehusk.many.crawl.job_folder` for its files. A folder with the same crawl is
            resumed: no stored page is requested again, and new URLs in a list are added.
        plan: the settings.
        progress: called several times per second with the number of `pages`, of `waiting` URLs, and the maximum number
            of pages (`of`).

    Returns:
        The counts over all runs. SIGINT and SIGTERM end a run gracefully; the summary's `end` is then "interrupted".

    Raises:
        InputError: `url` is not a web address, or the folder contains another crawl or other files.
        ConfigError: a setting that applies only to sites (`SITE_SETTINGS`) is given for a list.
        MissingExtraError: the extra "crawl" is not installed.
        DehuskError: the crawling process died; the pages stored so far are kept.
    """
    require_libraries()
    require_type(plan, CrawlPlan | None, "plan must be a CrawlPlan")
    job, plan = Path(folder), plan or CrawlPlan()
    if isinstance(url, str):
        prepare_site(job, complete_url(url), plan)
    else:
        prepare_list(job, read_url_list(url, "the list"), plan)
    return run_worker(job, progress)
