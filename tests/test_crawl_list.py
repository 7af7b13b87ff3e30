"""Fetching a list of URLs: any hosts, no links, redirects, and all the rules of a crawl."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from crawl_workers import forked_workers
from dehusk.base.errors import ConfigError, InputError
from dehusk.cli.crawl import crawl_exit_code
from dehusk.many.crawl import CrawlPlan, crawl, stored_pages
from dehusk.many.crawl.frontier import Frontier, Link, Outcome
from dehusk.many.crawl.job_folder import prepare_list
from dehusk.many.crawl.scope import Scope
from dehusk.many.crawl.start_urls import read_url_list
from dehusk.many.crawl.summary import PAGE
from webserver import Answer, Site, page, paths, redirect, serving

__all__ = ["forked_workers"]

QUICK = CrawlPlan(private=True, delay=0, timeout=5)
PLAIN = {"Content-Type": "text/plain"}


def by_name(site: Site) -> str:
    """Return a site's URL under another host name."""
    return site.url.replace("127.0.0.1", "localhost")


def rows(folder: Path) -> dict[str, dict]:
    return {row["url"]: row for row in map(json.loads, (folder / "addresses.jsonl").read_text("utf-8").splitlines())}


def test_only_listed_urls_and_their_redirects_are_fetched(tmp_path: Path) -> None:
    here: dict[str, Answer | str] = {
        "/": page("/linked", "http://second.example/"),
        "/in/in/in/": page(),
        "/list?a=1&b=2": page(),
        "/later": "<meta http-equiv=refresh content='0; url=/linked'><p>later",
        "/gone": Answer("<p>gone", 404),
        "/broken": Answer("<p>oops", 503),
        "/short": Answer(page(), length=5000),
        "/paper.pdf": Answer(b"%PDF", headers={"Content-Type": "application/pdf"}),
        "/robots.txt": Answer("User-agent: *\nDisallow: /secret", headers=PLAIN),
    }
    there = {"/x": page("/linked"), "/moved-here": page(), "/robots.txt": Answer("", 404)}
    with serving(here) as first, serving(there) as second:
        here["/moved"] = redirect(f"{by_name(second)}moved-here")
        here["/closed"] = redirect("/secret")
        names = ["", "in/in/in/", "list?a=1&b=2", "list?b=2&a=1#part", "later", "gone", "broken", "short", "paper.pdf"]
        listed = [first.url + name for name in [*names, "moved", "closed", "secret/x"]]
        summary = crawl(
            [f"{by_name(second)}x", *listed, "", "# a comment", f"  {first.url}\n"], tmp_path / "job", plan=QUICK
        )
    outcomes = {url: (row["state"], row["depth"]) for url, row in rows(tmp_path / "job").items()}
    states = {
        f"{by_name(second)}x": "page",
        f"{by_name(second)}moved-here": "page",
        first.url + "gone": "http-error",
        first.url + "broken": "http-error",
        first.url + "paper.pdf": "not-html",
        first.url + "moved": "redirect",
        first.url + "closed": "redirect",
        first.url + "secret": "robots",
        first.url + "secret/x": "robots",
    } | {first.url + name: "page" for name in ("", "in/in/in/", "list?a=1&b=2", "later", "short")}
    assert outcomes == {url: (state, 0) for url, state in states.items()}
    assert "/linked" not in first.asked + second.asked
    assert Counter(paths(second)) == {"/x": 1, "/moved-here": 1}
    assert Counter(paths(first)).pop("/broken") == 3
    assert first.asked.count("/robots.txt") == second.asked.count("/robots.txt") == 1
    assert (summary.url, summary.end, summary.pages, summary.message) == ("", "complete", 7, "")
    assert (summary.left_out, summary.elsewhere, summary.damaged, crawl_exit_code(summary)) == ({}, {}, 1, 1)


def test_the_limits_of_a_site_do_not_apply_to_a_list_but_its_budget_does(tmp_path: Path) -> None:
    with serving(lambda _: page()) as site:
        listed = [f"{site.url}item?id={number}" for number in range(QUICK.per_path + 5)]
        few = crawl(listed, tmp_path / "job", plan=CrawlPlan(**{**vars(QUICK), "pages": 3}))
        assert (few.pages, few.end, few.waiting, crawl_exit_code(few)) == (3, "pages", len(listed) - 3, 0)
        reports: list[dict[str, int]] = []
        summary = crawl(listed, tmp_path / "job", plan=QUICK, progress=reports.append)
    assert (summary.pages, summary.end) == (len(listed), "complete")
    assert max(Counter(paths(site)).values()) == 1
    assert {report["of"] for report in reports} == {len(listed)}


def test_redirects_from_a_list_end(tmp_path: Path) -> None:
    with serving(lambda path: redirect(f"{path}x")) as site:
        summary = crawl([site.url], tmp_path / "job", plan=QUICK)
    assert (summary.outcomes, summary.left_out, crawl_exit_code(summary)) == ({"redirect": 11}, {"hops": 1}, 3)


def test_private_addresses_in_a_list_are_not_contacted(tmp_path: Path) -> None:
    with serving({"/": page()}) as site:
        summary = crawl([site.url, by_name(site)], tmp_path / "job", plan=CrawlPlan(delay=0, timeout=5))
        assert not site.asked
    assert (summary.outcomes, crawl_exit_code(summary)) == ({"private": 2}, 3)


def test_a_killed_list_resumes_with_new_urls(tmp_path: Path) -> None:
    folder = tmp_path / "job"
    with serving(lambda _: Answer(page(), wait=0.01)) as site:
        listed = [f"{home}{number}" for home in (site.url, by_name(site)) for number in range(40)]
        prepare_list(folder, listed, QUICK)
        with subprocess.Popen(
            [sys.executable, "-m", "dehusk.many.crawl.worker", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as worker:
            deadline = time.monotonic() + 60
            while len(site.asked) < 30 and time.monotonic() < deadline:
                time.sleep(0.005)
            os.kill(worker.pid, signal.SIGKILL)
        assert 30 <= len(site.asked) < len(listed)
        more = [f"{site.url}more", *listed[:-2]]  # URLs no longer listed stay in the job
        summary = crawl(more, folder, plan=QUICK)
        again = crawl(more, folder, plan=QUICK)
    asked = Counter(paths(site))
    assert set(asked) == {*(f"/{number}" for number in range(40)), "/more"}
    assert asked.total() <= len(listed) + 1 + 2 * QUICK.concurrency  # those in progress on two hosts were repeated
    stored = [page_.url for page_ in stored_pages(folder, limit=10**6)]
    assert sorted(stored) == sorted({*listed, *more})
    assert (summary.pages, summary.end) == (again.pages, again.end) == (len(listed) + 1, "complete")


def test_other_folders_and_settings_of_sites_are_refused(tmp_path: Path) -> None:
    with serving({"/": page()}) as site:
        crawl([site.url], tmp_path / "list", plan=QUICK)
        crawl(site.url, tmp_path / "site", plan=QUICK)
        with pytest.raises(InputError, match="contains a crawl of a list"):
            crawl(site.url, tmp_path / "list", plan=QUICK)
        with pytest.raises(InputError, match=f"contains a crawl of {site.url}"):
            crawl([site.url], tmp_path / "site", plan=QUICK)
        with pytest.raises(InputError, match="was started with private True"):
            crawl([site.url], tmp_path / "list")
        for settings in ({"depth": 3}, {"hosts": ("tea.example",)}, {"sitemap": True}, {"per_path": 3}):
            with pytest.raises(ConfigError, match=f"{min(settings)} cannot be used with a list"):
                crawl([site.url], tmp_path / "new", plan=CrawlPlan(**settings))
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "urls contains no URLs"),
        (("", "# only a comment", "  "), "urls contains no URLs"),
        (("http://tea.example/", "", "tea.example"), "urls, line 3: 'tea.example' is not a complete web address"),
        (("ftp://tea.example/",), "urls, line 1: "),
        (("http://tea.example/ cups",), "urls, line 1: "),
        (("http://[x/",), "urls, line 1: "),
        (("http://\\/",), "urls, line 1: "),
        (("http://me:word@tea.example/",), "urls, line 1: URLs with a user name or password are not fetched"),
    ],
)
def test_invalid_lists_are_refused(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as refused:
        read_url_list(lines, "urls")
    assert str(refused.value).startswith(message)


def test_blank_lines_comments_and_duplicates_are_ignored() -> None:
    lines = ["# teas\n", "\thttps://tea.example \r\n", "\n", "https://tea.example/#cups", "https://tea.example/"]
    assert read_url_list(lines, "urls") == ["https://tea.example/", "https://tea.example/#cups"]


def test_hosts_take_turns_up_to_their_concurrency(tmp_path: Path) -> None:
    frontier = Frontier(tmp_path, Scope(CrawlPlan(concurrency=2), ""))
    frontier.add_start([Link(f"http://{host}.example/{number}") for host in "abc" for number in range(4)])
    taken = [frontier.take() for _ in range(6)]
    assert [task.url[7:] for task in taken] == [f"{host}.example/{number}" for number in range(2) for host in "abc"]
    assert frontier.take() is None
    assert frontier.has_next()
    frontier.finish(taken[1], Outcome(PAGE, 200))
    assert frontier.take().url == "http://b.example/2"
    assert frontier.take() is None
    frontier.finish(taken[0], Outcome("redirect", 301), [Link("http://new.example/")])
    assert [frontier.take().url, frontier.take().url] == ["http://a.example/2", "http://new.example/"]
    assert frontier.progress() == {"pages": 1, "waiting": 4, "of": 12}
    frontier.close()
