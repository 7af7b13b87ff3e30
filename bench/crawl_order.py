"""Articles reached per page fetched: breadth first against along the TOC blocks, on copies of two forum crawls.

The frontier, the guide and the extraction of links are those of `dehusk crawl`; only the fetching is simulated: a URL
whose page is in the set is answered by it, and any other by 404.
"""

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapy.http import HtmlResponse

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.lab.papers.plots import lines
from dehusk.many.crawl.frontier import Frontier, Link, Outcome
from dehusk.many.crawl.guide import NO_GUIDANCE, LinkGuide
from dehusk.many.crawl.plan import BREADTH, CrawlPlan
from dehusk.many.crawl.scope import Scope, parse_link
from dehusk.many.crawl.spider import page_links
from dehusk.many.crawl.summary import FAILED_RESPONSE, PAGE
from sets import RESULTS, data_argument, set_path, write_results


@dataclass(frozen=True)
class Forum:
    """A crawl of a forum: where to start, and which URLs are articles."""

    entrance: str
    article: str
    """Pattern of the URLs of threads and questions."""


FORUMS = {
    "site-asp-forums": Forum("http://forums.asp.net/", r"//[^/]+/(t|p)/\d+(/\d+)?\.aspx"),
    "site-android-questions": Forum("http://android.stackexchange.com/questions", r"//[^/]+/(questions|q|a)/\d+"),
}
BUDGETS = (25, 50, 100, 200, 400)
ORDERS = (BREADTH, "toc")


@dataclass(frozen=True)
class Copy:
    """The pages of a crawl by address."""

    pages: dict[str, tuple[str, bytes]]
    articles: frozenset[str]

    @classmethod
    def read(cls, path: Path, article: str) -> "Copy":
        """Read a set; of pages with the same address, the first counts."""
        pages: dict[str, tuple[str, bytes]] = {}
        for sample in read_set(path):
            if name := address(sample.url or ""):
                pages.setdefault(name, (sample.url or "", sample.data))
        articles = frozenset(name for name, (url, _) in pages.items() if re.search(article, url))
        return cls(pages, articles)

    def starts(self, entrance: str) -> dict[str, str]:
        """Return where crawls start: at the entrance, and at the first article of the set and the first other page."""
        first = {name in self.articles: url for name, (url, _) in reversed(self.pages.items())}
        return {"the entrance": entrance, "an article": first[True], "another page": first[False]}

    def reachable(self, start: str) -> int:
        """Return how many articles a crawl without a budget reaches."""
        found, waiting = set(), [address(start)]
        while waiting:
            name = waiting.pop()
            if name in self.pages and name not in found:
                found.add(name)
                waiting += [address(link.url) for link in links_of(*self.pages[name])]
        return len(found & self.articles)


def address(url: str) -> str:
    """Return the address by which a URL is looked up: its canonical form without scheme, www. and final slash."""
    link = parse_link(url)
    return "" if link is None else re.sub(r"^https?://(www\.)?", "", link.key).rstrip("/")


def links_of(url: str, data: bytes) -> list[Link]:
    """Return the links of a page, as `dehusk crawl` does."""
    return page_links(HtmlResponse(url, headers={"Content-Type": "text/html"}, body=data))[0]


def articles_reached(copy: Copy, start: str, along: str, budget: int) -> list[int]:
    """Return the number of articles among the first n pages, for n from 1 to the budget."""
    plan = CrawlPlan(along=along, pages=budget, per_path=10_000, per_pattern=10_000)
    guide = LinkGuide(along) if along != BREADTH else None
    reached: list[int] = []
    with TemporaryDirectory() as folder:
        frontier = Frontier(Path(folder), Scope(plan, start))
        frontier.add_start([Link(start)])
        while (task := frontier.take()) is not None:
            name = address(task.url)
            if name not in copy.pages:
                frontier.finish(task, Outcome(FAILED_RESPONSE, 404))
                continue
            url, data = copy.pages[name]
            guidance = guide.read(url, data) if guide else NO_GUIDANCE
            outcome = Outcome(PAGE, 200, is_article=guidance.is_article)
            frontier.finish(task, outcome, guidance.marked(links_of(url, data)))
            reached.append((reached[-1] if reached else 0) + (name in copy.articles))
        frontier.close()
    return reached


def at(reached: list[int], pages: int) -> int:
    """Return the number of articles among so many pages; a crawl that ends earlier finds no more."""
    return reached[min(pages, len(reached)) - 1]


def curves(copy: Copy, entrance: str) -> dict[str, dict[str, list[int]]]:
    """Return start -> order -> articles reached."""
    found: dict[str, dict[str, list[int]]] = {}
    for name, start in copy.starts(entrance).items():
        found[name] = {along: articles_reached(copy, start, along, max(BUDGETS)) for along in ORDERS}
    return found


def main() -> None:
    data = data_argument(__doc__ or "")
    rows = [["crawl", "from", "order", *(f"{budget} pages" for budget in BUDGETS)]]
    facts, values, series = [], {}, {}
    for name, forum in FORUMS.items():
        copy = Copy.read(set_path(data, name), forum.article)
        found = curves(copy, forum.entrance)
        for start, of_start in found.items():
            for along, reached in of_start.items():
                rows.append([name, start, along, *(str(at(reached, budget)) for budget in BUDGETS)])
                values[f"{name}, {start}, {along}"] = {budget: at(reached, budget) for budget in BUDGETS}
        for along, reached in found["the entrance"].items():
            series[f"{name.removeprefix('site-')}, {along}"] = list(enumerate(map(float, reached), start=1))
        reachable = copy.reachable(forum.entrance)
        size = f"{len(copy.pages)} pages, {len(copy.articles)} articles"
        facts.append(f"{name}: {size}, {reachable} of them reachable from {forum.entrance}")
    picture = lines(series, title="Articles reached by pages fetched", x_label="pages", y_label="articles")
    (RESULTS / "crawl-order.svg").write_text(picture, "utf-8")
    fingerprints = {name: set_fingerprint(set_path(data, name)) for name in FORUMS}
    text = (
        f"# Order of a crawl\n\n`python bench/crawl_order.py DATA`, {dt.date.today()}; sets identified by the hashes in "
        f"crawl_order.json.\n\nArticles (threads, questions) among the first pages that `dehusk crawl` stores, with "
        f"`--along breadth` and `--along toc`. The picture shows crawls from the entrance. {'; '.join(facts)}. "
        "Only the fetching is simulated, and URLs that are not in the set are answered by 404, which is not a page. "
        "What an article is worth was chosen on site-asp-forums (20, of 5, 10, 20 and 40); on site-android-questions "
        f"10, 20 and 40 give the same.\n\n{markdown_table(rows)}\n![Articles reached by pages fetched](crawl-order.svg)\n"
    )
    write_results("crawl_order", text, {"sets": fingerprints, "articles": values}, judges="none")


if __name__ == "__main__":
    main()
