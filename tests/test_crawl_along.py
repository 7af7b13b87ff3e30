"""Crawls along the TOC blocks of a site: what comes first, what a guide learns, and that a crawl resumes as it was."""

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from command_line import dehusk as run
from crawl_workers import forked_workers
from dehusk.base.errors import ConfigError
from dehusk.many.crawl import CrawlPlan, crawl
from dehusk.many.crawl.frontier import ARTICLE_WORTH, Frontier, HostQueues, Link, Outcome
from dehusk.many.crawl.guide import MOST_BYTES, NO_GUIDANCE, Guidance, GuideProcess, LinkGuide
from dehusk.many.crawl.scope import Scope
from dehusk.many.crawl.summary import PAGE, REDIRECT
from made_sites import words
from webserver import serving

__all__ = ["forked_workers"]

HOME = "https://forum.example/"
BOARDS, THREADS = 4, 6
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("login", "help", "about", "terms", "contact"))


def title(board: int, thread: int) -> str:
    return words(1000 + 10 * board + thread, 7)


def html(body: str) -> str:
    return f"<html><body><ul id=menu>{MENU}</ul>{body}<p>All rights reserved.</p></body></html>"


def listing(board: int) -> str:
    """A list of threads: a title, its author and the number of its last page."""
    rows = "".join(
        f"<tr><td><h2><a href=/t/{board}-{number}>{title(board, number)}</a></h2>"
        f"<p><a href=/members/m{board}{number}>member{board}{number}</a></p></td></tr>"
        for number in range(THREADS)
    )
    return html(f"<div><a href=/boards>All boards</a></div><table>{rows}</table>")


def thread(board: int, number: int) -> str:
    text = f"<h1>{title(board, number)}</h1><p>{title(board, number)} {words(5000 + 10 * board + number, 120)}</p>"
    return html(f"<div><a href=/boards>All boards</a></div><div class=post>{text}</div>")


def forum() -> dict[str, str]:
    """A start page that links to all boards late, and to pages of no interest early."""
    boards = "".join(f"<dd><a href=/board/{board}>{words(900 + board, 6)}</a></dd>" for board in range(BOARDS))
    pages = {"/": html(f"<dl>{boards}</dl>"), "/boards": html(f"<dl>{boards}</dl>")}
    for name in ("login", "help", "about", "terms", "contact"):
        pages[f"/{name}"] = html(f"<form>{name}</form>")
    for board in range(BOARDS):
        pages[f"/board/{board}"] = listing(board)
        for number in range(THREADS):
            pages[f"/t/{board}-{number}"] = thread(board, number)
            pages[f"/members/m{board}{number}"] = html(f"<h1>member{board}{number}</h1>")
    return pages


def order(folder: Path, along: str, pages: int) -> list[str]:
    """Return the paths of the pages that a crawl of the forum stores, in their order, without a network."""
    site, stored = forum(), []
    frontier = Frontier(folder, Scope(CrawlPlan(along=along, pages=pages), HOME))
    guide = LinkGuide(along) if along == "toc" else None
    frontier.add_start([Link(HOME)])
    while (task := frontier.take()) is not None:
        path = "/" + task.url.removeprefix(HOME)
        stored.append(path)
        guidance = guide.read(task.url, site[path].encode()) if guide else NO_GUIDANCE
        links = [Link(HOME + href) for href in hrefs(site[path])]
        frontier.finish(task, Outcome(PAGE, 200, is_article=guidance.is_article), guidance.marked(links))
    frontier.close()
    return stored


def hrefs(text: str) -> list[str]:
    return [part.partition(">")[0].removeprefix("/") for part in text.split("href=")[1:]]


def test_threads_come_before_authors_and_the_menu(tmp_path: Path) -> None:
    budget = 1 + BOARDS + BOARDS * THREADS
    (tmp_path / "breadth").mkdir()
    (tmp_path / "toc").mkdir()
    breadth, toc = order(tmp_path / "breadth", "breadth", budget), order(tmp_path / "toc", "toc", budget)
    assert len(breadth) == len(toc) == budget

    def threads(paths: list[str]) -> int:
        return sum(path.startswith("/t/") for path in paths)

    assert threads(toc) == BOARDS * THREADS
    assert threads(breadth) < BOARDS * THREADS * 0.6
    assert not [path for path in toc if path.startswith("/members/")]


def test_everything_is_crawled_in_the_end(tmp_path: Path) -> None:
    assert set(order(tmp_path, "toc", 1000)) == set(forum())


def frontier(folder: Path, along: str = "toc") -> Frontier:
    return Frontier(folder, Scope(CrawlPlan(along=along, concurrency=9), HOME))


def test_places_that_led_to_more_come_first_and_a_resumed_crawl_knows_it(tmp_path: Path) -> None:
    opened = frontier(tmp_path)
    opened.add_start([Link(HOME)])
    names = {"a": 1, "b": 2, "c": 1, "d": 2, "e": 0}
    opened.finish(opened.take(), Outcome(PAGE, 200), [Link(HOME + name, place=at) for name, at in names.items()])
    first = opened.take()
    assert (first.url, first.place) == (HOME + "a", 1)  # both places are worth the same: the order of the page
    opened.finish(first, Outcome(PAGE, 200))
    second = opened.take()
    assert second.url == HOME + "b"
    opened.finish(second, Outcome(PAGE, 200, is_article=True))
    opened.close()
    again = frontier(tmp_path)
    assert [again.take().url for _ in range(3)] == [HOME + name for name in ("d", "c", "e")]
    again.close()


def test_the_other_order_ignores_places(tmp_path: Path) -> None:
    opened = frontier(tmp_path, "breadth")
    opened.add_start([Link(HOME)])
    links = [Link(HOME + "a"), Link(HOME + "b", place=3), Link(HOME + "c"), Link(HOME + "d", place=2)]
    opened.finish(opened.take(), Outcome(PAGE, 200), links)
    assert [opened.take().url for _ in range(2)] == [HOME + "a", HOME + "b"]
    opened.close()


def test_a_waiting_url_is_promoted_when_a_toc_block_links_to_it(tmp_path: Path) -> None:
    opened = frontier(tmp_path)
    opened.add_start([Link(HOME)])
    opened.finish(opened.take(), Outcome(PAGE, 200), [Link(HOME + name) for name in ("a", "b", "c")])
    opened.finish(opened.take(), Outcome(PAGE, 200), [Link(HOME + "c", place=7), Link(HOME + "a", place=7)])
    task = opened.take()
    assert (task.url, task.place) == (HOME + "c", 7)
    opened.finish(task, Outcome(REDIRECT, 301), [Link(HOME + "moved")])
    assert opened.take().place == 7  # the target of a redirect stands where the link stood
    rows = {row["url"]: row["toc"] for row in opened.rows()}
    assert rows == {HOME: False, HOME + "a": False, HOME + "b": False, HOME + "c": True, HOME + "moved": True}
    opened.close()


def test_what_a_place_is_worth() -> None:
    queues = HostQueues([("h", 0, 3, 0), ("h", 1, 2, 0), ("h", 2, 1, 0)], [("h", 1, 4, 4 * ARTICLE_WORTH)])
    assert queues.best("h", by_worth=True) == [1]
    assert queues.best("h", by_worth=False) == [0, 1, 2]
    queues.learn("h", 2, 100 * ARTICLE_WORTH)
    assert queues.best("h", by_worth=True) == [2]
    assert not queues.remove("h", 2)
    assert queues.best("h", by_worth=True) == [1]
    assert (queues.total(), queues.hosts(), bool(queues)) == (5, ["h"], True)
    assert queues.add("other", 0)
    assert queues.remove("other", 0)


def test_a_guide_knows_titles_and_articles() -> None:
    guide, site = LinkGuide("toc"), forum()
    paths = ["/", "/board/0", "/board/1", "/t/0-0", "/t/1-1", "/board/2", "/t/2-2", "/login"]
    read = {path: guide.read(HOME + path[1:], site[path].encode()) for path in paths}
    assert set(read["/board/2"].place_of) == {f"{HOME}t/2-{number}" for number in range(THREADS)}
    assert len(set(read["/board/2"].place_of.values())) == 1
    assert read["/t/2-2"].is_article
    assert not read["/board/2"].is_article
    links = [Link(f"{HOME}t/2-1#top"), Link(f"{HOME}login"), Link("mailto:nobody")]
    at = read["/board/2"].place_of[f"{HOME}t/2-1"]
    assert at > 0
    assert [link.place for link in read["/board/2"].marked(links)] == [at, 0, 0]
    assert NO_GUIDANCE.marked(links) == links


@pytest.mark.parametrize(
    "data", [b"", b"<base href='http://[x'><a href='http://[y'>one two three</a>", b"\x00\xff" * 99]
)
def test_no_page_stops_a_guide(data: bytes) -> None:
    assert isinstance(LinkGuide("toc").read(HOME, data, "text/html; charset=none"), Guidance)


def test_huge_pages_are_not_searched(tmp_path: Path) -> None:
    with closing(GuideProcess(tmp_path, "toc", MOST_BYTES)) as guide:
        assert guide.read(HOME, listing(0).encode() + b" " * MOST_BYTES) == (NO_GUIDANCE, "")
        found = guide.read(HOME, listing(0).encode())
    assert found == (LinkGuide("toc").read(HOME, listing(0).encode()), "")
    assert found[0] != NO_GUIDANCE


DEADLY = {**os.environ, "PYTHONPATH": str(Path(__file__).with_name("deadly"))}
KILLER = "<div>" * 502 + "<table><td><font><table><td></table> <div></font>"
COMMAND = [sys.executable, "-m", "dehusk", "crawl", "--private", "--delay", "0", "--concurrency", "1", "--along", "toc"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the known page may do something else")
def test_pages_that_end_the_guides_process_are_stored_and_do_not_stop_the_crawl(tmp_path: Path) -> None:
    with serving(forum() | {"/board/1": KILLER, "/t/2-2": KILLER.replace("font", "b")}) as site:
        for pages, count in ((12, 12), (100, 47)):  # the second run resumes, with a guide that reads the stored pages
            command = [*COMMAND, site.url, "-o", "job", "--pages", str(pages)]
            done = subprocess.run(command, cwd=tmp_path, env=DEADLY, capture_output=True, text=True, check=False)
            summary = json.loads((tmp_path / "job" / "summary.json").read_text("utf-8"))
            assert summary["outcomes"]["page"] == count, done.stderr
    rows = map(json.loads, (tmp_path / "job" / "addresses.jsonl").read_text("utf-8").splitlines())
    messages = {row["url"].removeprefix(site.url): row["message"] for row in rows if row["message"]}
    died = "not searched for links that lead on: its process died (signal 11)"
    assert messages == {"board/1": died, "t/2-2": died}
    assert not list(tmp_path.rglob("core*"))


def test_a_page_that_ends_the_crawling_process_twice_is_given_up(tmp_path: Path) -> None:
    """Its links are read in the process itself, by another parser; the process is started again."""
    script = tmp_path / "sitecustomize.py"
    script.write_text(
        "import os, signal, sys\n"
        "if any('worker' in argument for argument in sys.orig_argv):\n"
        "    import dehusk.many.crawl.spider as spider\n"
        "    links = spider.page_links\n"
        "    def deadly(response):\n"
        "        if b'KILL' in response.body:\n"
        "            os.kill(os.getpid(), signal.SIGSEGV)\n"
        "        return links(response)\n"
        "    spider.page_links = deadly\n"
    )
    pages = {f"/{name}": html(f"<p>{name}") for name in "abc"} | {"/kill": html("<p>KILL")}
    pages["/"] = html("".join(f"<a href={path}>{path}</a>" for path in ("/a", "/kill", "/b", "/c")))
    with serving(pages) as site:
        command = [*COMMAND[:-2], site.url, "-o", "job"]
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    rows = map(json.loads, (tmp_path / "job" / "addresses.jsonl").read_text("utf-8").splitlines())
    found = {row["url"].removeprefix(site.url): (row["state"], row["message"]) for row in rows}
    assert found["kill"] == ("error", "reading it ended the process")
    assert [found[name][0] for name in ("", "a", "b", "c")] == ["page"] * 4
    assert site.asked.count("/kill") == 2
    assert site.asked.count("/a") == 1


def test_a_crawl_in_parts_stores_the_same_pages_in_the_same_order(tmp_path: Path) -> None:
    plan = {"private": True, "delay": 0, "concurrency": 1, "along": "toc"}

    def stored(folder: Path, url: str) -> list[str]:
        rows = map(json.loads, (folder / "addresses.jsonl").read_text("utf-8").splitlines())
        return sorted(row["url"].removeprefix(url) for row in rows if row["state"] == "page")

    with serving(forum()) as site:
        whole = crawl(site.url, tmp_path / "whole", plan=CrawlPlan(**plan, pages=25))
        asked, site.asked[:] = [path for path in site.asked if path != "/robots.txt"], []
        for pages in (3, 7, 12, 25):
            parts = crawl(site.url, tmp_path / "parts", plan=CrawlPlan(**plan, pages=pages))
    assert asked == [path for path in site.asked if path != "/robots.txt"]
    assert (whole.pages, parts.pages) == (25, 25)
    assert sum(path.startswith("/t/") for path in asked) == 20
    assert stored(tmp_path / "whole", site.url) == stored(tmp_path / "parts", site.url)


def test_bad_orders_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"crawl: unknown order 'depth'.*Known: breadth, toc"):
        CrawlPlan(along="depth")
    with pytest.raises(ConfigError, match="along cannot be used with a list"):
        crawl([HOME], tmp_path / "job", plan=CrawlPlan(along="toc"))
    done = run("crawl", HOME, "-o", "job", "--along", "tok", cwd=tmp_path)
    assert done.returncode == 2
    assert b"unknown order 'tok'" in done.stderr
