"""Measure who wrote the questions and answers of Stack Exchange, against the signatures of the pages.

The gold is read with lxml, by rules other than dehusk's profile: of the signatures of a post that with the class `owner`
counts, else the last; the author is its link to a user, else its text. A community wiki has no author. A post is found if a
post of dehusk has the same letters at its start or further on, since a notice of a duplicate may stand before the text. And of threads of all kinds: chunks that begin inside a post that fits a chunk.
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import html as lxml_html

from dehusk import Document, clean
from dehusk.about.posts import find_posts
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set
from sets import data_argument, set_path, write_results

SETS = {"site-android-questions": "layout of 2015", "wcxb-dev": "layout of today"}
THREADS = ("harvest-a", "wcxb-dev")
LETTERS, STARTS, MAX_WORDS = 40, (0, 150, 300), 300
COLUMNS = ("pages", "posts", "found", "right", "wrong", "none", "date")


@dataclass(frozen=True)
class Owned:
    """A question or an answer."""

    author: str | None
    minute: str | None
    text: str


def has(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def owned_posts(data: bytes) -> Iterator[Owned]:
    """Yield the questions and answers of a page of Stack Exchange with their authors."""
    tree = lxml_html.document_fromstring(data, parser=lxml_html.HTMLParser(encoding="utf-8"))
    for post in tree.xpath(f"//*[{has('question')} or {has('answer')}][@id]"):
        body = post.xpath(f".//*[{has('s-prose')} or {has('post-text')}]")
        signatures = post.xpath(f".//*[{has('post-signature')}]")
        if not body or not signatures:
            continue
        signature = next((one for one in signatures if "owner" in one.get("class").split()), signatures[-1])
        names = signature.xpath(f".//*[{has('user-details')}]//a[contains(@href, '/users/')]")
        times = signature.xpath(f".//*[{has('relativetime')}]/@title")
        name = " ".join(names[0].text_content().split()) if names else None
        yield Owned(name or None, times[0][:16].replace(" ", "T") if times else None, letters(body[0].text_content()))


def letters(text: str) -> str:
    return re.sub(r"[\W\d]+", "", text)  # numbers of lists are written, too


def count_page(data: bytes, counts: Counter[str]) -> None:
    """Add the posts of a page, and how many of them dehusk has with the right author and date."""
    gold = [one for one in owned_posts(data) if len(one.text) >= LETTERS]
    if not gold:
        return
    counts["pages"] += 1
    posts = [(letters(post.text), post) for post in clean(data).posts]
    for one in gold:
        counts["posts"] += 1
        found = next((post for text, post in posts if text.startswith(one.text[:LETTERS])), None)
        windows = [one.text[at : at + LETTERS] for at in STARTS if at == 0 or len(one.text) >= at + LETTERS]
        found = found or next((post for text, post in posts if any(window in text for window in windows)), None)
        if found is None:
            continue
        counts["found"] += 1
        counts["none" if found.author is None else "right" if found.author == one.author else "wrong"] += 1
        counts["date"] += (found.date or "")[:16] == one.minute


def divided(document: Document) -> tuple[int, int]:
    """Return how many chunks a thread has, and how many begin inside a post that is no longer than a chunk."""
    written, found = document.labels.written, find_posts(document.labels.blocks)
    if not len(found):
        return 0, 0
    post, words = found.post_of[written], document.labels.blocks.words[written]
    chunks = document.chunks(max_words=MAX_WORDS)
    starts = [int(written.searchsorted(chunk.blocks[0])) for chunk in chunks[1:]]
    inside = [at for at in starts if post[at] == post[at - 1] >= 0]
    return len(chunks), sum(int(words[post == post[at]].sum()) <= MAX_WORDS for at in inside)


def is_thread(sample: Sample) -> bool:
    return sample.type in (None, "", "forum")


def main() -> None:
    data = data_argument(__doc__ or "")
    rows, figures = [["set", "", *COLUMNS]], {}
    for name, layout in SETS.items():
        counts: Counter[str] = Counter()
        for path in sorted(Path(set_path(data, name), "html").iterdir()):
            if b"post-signature" in (page := path.read_bytes()):
                count_page(page, counts)
        figures[name] = {column: counts[column] for column in COLUMNS}
        rows.append([name, layout, *(str(counts[column]) for column in COLUMNS)])
    threads = [
        divided(clean(one.data, url=one.url))
        for name in THREADS
        for one in read_set(set_path(data, name))
        if is_thread(one)
    ]
    chunks, parts = sum(one for one, _ in threads), sum(one for _, one in threads)
    text = (
        f"# Who wrote what\n\n`python bench/owners.py DATA`, {dt.date.today()}. Questions and answers of Stack Exchange by the "
        f"signatures of the pages; none: dehusk names no author, as of community wikis and guests. The profile was written "
        f"with these pages before it.\n\n{markdown_table(rows)}\n"
        f"Chunks of at most {MAX_WORDS} words of the threads of {' and '.join(THREADS)}: {chunks}, of which {parts} begin "
        f"inside a post that fits a chunk.\n"
    )
    write_results("owners", text, {"sets": figures, "chunks": chunks, "divided": parts}, judges="shipped")


if __name__ == "__main__":
    main()
