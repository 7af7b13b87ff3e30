"""Measure whether posts are found with their authors, dates and texts, and whether posts are found where there are none.

The gold of harvest-a has for each post its user (a name, or the address of the profile), its date, often its address, and
its text. Each gold post is compared with one post of the page, that which is most like it. An author is right if the names
are equal or lead to the same address; a date if its text is that of the gold, or if day and minute (where the gold has one)
are equal; a text if more than half of the words are the same (word-bag F1).

The floor takes the page as one post, the rival the elements alike with the most text: those of one parent with the same tag
and class. A post of theirs is by the first link in it, and of the first date.
"""

import datetime as dt
import json
import re
import tarfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urljoin

import numpy as np

from dehusk import Document, Page, Post, clean
from dehusk.about.dates import FoundDate, read_attribute, read_dates, settle_orders
from dehusk.about.posts import find_posts
from dehusk.base.tags import numbers
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set, set_fingerprint
from dehusk.measures.metrics import word_bag
from dehusk.read import decode
from dehusk.read.addresses import Addresses
from sets import data_argument, set_path, write_results

THREADS, OTHERS = "harvest-a", "wcxb-dev"
SAME_TEXT, SAME_WORDS = 0.5, 0.8


@dataclass(frozen=True)
class GoldPost:
    """A post of the gold."""

    user: str
    names: frozenset[str]
    """Folded: the user's name, or the texts of the links to the profile."""
    date: FoundDate
    date_text: str
    link: str | None
    text: str


@dataclass(frozen=True)
class PlainPost:
    """A post of a rival."""

    text: str
    author: str | None
    author_url: str | None
    date: str | None
    date_text: str | None
    permalink: str | None = None


@dataclass
class Counts:
    """Gold posts, and how many of them are found rightly."""

    gold: int = 0
    found: int = 0
    """Posts that dehusk finds on the pages."""
    matched: int = 0
    author: int = 0
    date: int = 0
    text: int = 0
    words: int = 0
    """Texts of which four in five words are the same."""
    all: int = 0
    """Author, date and text."""
    links: int = 0
    """Gold posts with an address."""
    link: int = 0

    def add(self, other: "Counts") -> None:
        """Add other counts to these."""
        for name, value in asdict(other).items():
            setattr(self, name, getattr(self, name) + value)


def gold_rows(path: Path) -> dict[str, list[dict[str, str | None]]]:
    """Return the posts of each page of a set, by its id."""
    if path.is_dir():
        lines = (path / "pages.jsonl").read_text("utf-8").splitlines()
    else:
        with tarfile.open(path) as archive:
            member = next(name for name in archive.getnames() if name.endswith("pages.jsonl"))
            lines = archive.extractfile(member).read().decode().splitlines()  # type: ignore[union-attr]
    return {row["id"]: row["posts"] for row in map(json.loads, lines)}


def gold_posts(sample: Sample, page: Page, rows: list[dict[str, str | None]]) -> list[GoldPost]:
    """Return the posts of a page of harvest-a: the texts are separated by blank lines."""
    texts = (sample.gold or "").strip().split("\n\n")
    dates = [_gold_date(row["datetime"] or "") for row in rows]
    names = _profiles(page, sample.url or "")
    return [
        GoldPost(
            row["user"] or "",
            frozenset({folded(row["user"] or ""), *names.get(urljoin(sample.url or "", row["user"] or ""), ())}),
            date,
            row["datetime"] or "",
            row["link"],
            text,
        )
        for row, date, text in zip(rows, settle_orders(dates, "", None), texts, strict=True)
    ]


def _gold_date(text: str) -> FoundDate:
    return next(iter(read_dates(text)), None) or FoundDate(0, 0, read_attribute(text))


def _profiles(page: Page, url: str) -> dict[str, set[str]]:
    """Return address -> folded texts of the links to it."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in page.nodes_of(numbers("a")).tolist():
        if address := page.attribute(node, "href"):
            found[urljoin(url, address)].add(folded(page.text[page.text_start[node] : page.text_end[node]]))
    return found


def folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def same_author(post: Post | PlainPost, gold: GoldPost, url: str) -> bool:
    named = post.author is not None and folded(post.author) in gold.names
    return named or (post.author_url is not None and post.author_url == urljoin(url, gold.user))


def same_date(post: Post | PlainPost, gold: GoldPost) -> bool:
    shown, sought = folded(post.date_text or ""), folded(gold.date_text)
    if shown and (shown == sought or (gold.date.value is None and (shown in sought or sought in shown))):
        return True
    value, wanted = post.date or "", gold.date.value or ""
    length = 16 if "T" in wanted else 10
    return bool(wanted) and value[:length] == wanted[:length]


def same_text(post: Post | PlainPost, gold: GoldPost) -> float:
    return word_bag(post.text, gold.text).f1


def same_link(post: Post | PlainPost, gold: GoldPost, page: Page) -> bool:
    written, found = gold.link or "", post.permalink or ""
    name = written.rpartition("#")[2]
    return found == Addresses.of(page).resolve(written) or (name != "" and found.endswith(f"#{name}"))


def one_post(page: Page) -> list[PlainPost]:
    """Return the page as one post: the floor."""
    return [_plain_post(page, 0)]


def siblings_alike(page: Page) -> list[PlainPost]:
    """Return the elements of one parent with the same tag and class, two or more, that have the most text: the rival."""
    groups: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for node in np.flatnonzero(~page.is_text).tolist():
        key = int(page.parent[node]), int(page.tag[node]), page.attribute(node, "class") or ""
        groups[key].append(node)
    sizes = {
        key: int((page.text_end[nodes] - page.text_start[nodes]).sum())
        for key, nodes in groups.items()
        if len(nodes) > 1
    }
    return [_plain_post(page, node) for node in groups[max(sizes, key=lambda key: sizes[key])]] if sizes else []


def _plain_post(page: Page, node: int) -> PlainPost:
    links = page.nodes_of(numbers("a"))
    within = links[(links >= node) & (links < page.end[node])].tolist()
    named = next((link for link in within if _text(page, link)), None)
    date = next(iter(read_dates(_text(page, node))), None)
    return PlainPost(
        text=_text(page, node),
        author=None if named is None else _text(page, named),
        author_url=None if named is None else Addresses.of(page).resolve(page.attribute(named, "href") or ""),
        date=date.value if date else None,
        date_text=None,
    )


def _text(page: Page, node: int) -> str:
    return page.text[page.text_start[node] : page.text_end[node]].strip()


RIVALS: dict[str, Callable[[Page], list[PlainPost]]] = {
    "all, the page as one post": one_post,
    "all, siblings alike": siblings_alike,
}


def match(posts: Sequence[Post | PlainPost], page: Page, gold: list[GoldPost], url: str) -> Counts:
    """Return the counts of one page."""
    counts, left = Counts(gold=len(gold), found=len(posts)), list(posts)
    for one in gold:
        counts.links += one.link is not None
        likeness = [
            same_text(post, one) + 0.5 * same_author(post, one, url) + 0.5 * same_date(post, one) for post in left
        ]
        if max(likeness, default=0) < SAME_TEXT:
            continue
        post = left.pop(max(range(len(left)), key=lambda index: likeness[index]))
        author, date, text = same_author(post, one, url), same_date(post, one), same_text(post, one)
        counts.add(
            Counts(
                matched=1,
                author=author,
                date=date,
                text=text > SAME_TEXT,
                words=text > SAME_WORDS,
                all=author and date and text > SAME_TEXT,
                link=one.link is not None and same_link(post, one, page),
            )
        )
    return counts


def pages(data: Path, name: str) -> Iterator[tuple[Sample, Document, float, float]]:
    """Yield the pages of a set, cleaned, with the seconds to clean and to find posts."""
    for sample in read_set(set_path(data, name)):
        start = time.process_time()
        document = clean(decode(sample.bare).text, url=sample.url)
        middle = time.process_time()
        find_posts(document.labels.blocks)
        yield sample, document, middle - start, time.process_time() - middle


def main() -> None:
    data = data_argument(__doc__ or "")
    rows = gold_rows(set_path(data, THREADS))
    by_site: dict[str, Counts] = defaultdict(Counts)
    by_rival: dict[str, Counts] = defaultdict(Counts)
    total, seconds = Counts(), [0.0, 0.0]
    for sample, document, cleaning, finding in pages(data, THREADS):
        page, url = document.page, sample.url or ""
        gold = gold_posts(sample, page, rows[sample.id])
        counts = match(document.posts, page, gold, url)
        for name, find in RIVALS.items():
            by_rival[name].add(match(find(page), page, gold, url))
        by_site[sample.site or ""].add(counts)
        total.add(counts)
        seconds = [seconds[0] + cleaning, seconds[1] + finding]
    with_posts: Counter[str] = Counter()
    of_type: Counter[str] = Counter()
    for sample, document, cleaning, finding in pages(data, OTHERS):
        of_type[sample.type or ""] += 1
        with_posts[sample.type or ""] += bool(document.posts)
        seconds = [seconds[0] + cleaning, seconds[1] + finding]
    write_results("posts", report(total, by_rival, by_site, with_posts, of_type, seconds), {
        "sets": {name: set_fingerprint(set_path(data, name)) for name in (THREADS, OTHERS)},
        "total": asdict(total),
        "rivals": {name: asdict(counts) for name, counts in by_rival.items()},
        "sites": {site: asdict(counts) for site, counts in sorted(by_site.items())},
        "pages with posts": {name: [with_posts[name], of_type[name]] for name in sorted(of_type)},
    }, judges="none")  # fmt: skip


def report(
    total: Counts,
    by_rival: dict[str, Counts],
    by_site: dict[str, Counts],
    with_posts: Counter[str],
    of_type: Counter[str],
    seconds: list[float],
) -> str:
    header = ["site", "gold posts", "posts", "author", "date", "text", "text, F1 > .8", "all three", "address"]
    lines = [
        header,
        *(_row(site, counts) for site, counts in [("all", total), *by_rival.items(), *sorted(by_site.items())]),
    ]
    types = [["type", "pages", "with posts"]]
    types += [[name, str(of_type[name]), str(with_posts[name])] for name in sorted(of_type)]
    return (
        f"# Posts\n\n`python bench/posts.py DATA`, {dt.date.today()}. Share of the gold posts of {THREADS} of which author, "
        f"date, text (word-bag F1 > {SAME_TEXT}), all three, and address are right; of the posts found, "
        f"{total.matched / max(total.found, 1):.3f} are gold posts. The shipped model was trained on some of these pages.\n\n"
        f"{markdown_table(lines)}\n## Pages with posts\n\n{OTHERS}, by type of page.\n\n{markdown_table(types)}\n"
        f"Finding posts takes {100 * seconds[1] / seconds[0]:.0f} % of the time of cleaning on the pages of both sets.\n"
    )


def _row(site: str, counts: Counts) -> list[str]:
    shares = [counts.author, counts.date, counts.text, counts.words, counts.all]
    address = f"{counts.link / counts.links:.3f}" if counts.links else "-"
    return [site, str(counts.gold), str(counts.found), *(f"{share / counts.gold:.3f}" for share in shares), address]


if __name__ == "__main__":
    main()
