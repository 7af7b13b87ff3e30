"""`bench/posts.py`: gold posts against the posts of a page."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import dehusk

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import posts
from dehusk.lab.gold.datasets import read_set
from test_posts import SENTENCES, KeepAll, forum_post, page

URL = "https://tea.example/t/1"


def gold_set(folder: Path) -> Path:
    for name in ("html", "gold"):
        (folder / name).mkdir(parents=True)
    users = ["/user/Ada", "Brook", "Nobody", "Chen"]
    rows = [
        {"user": user, "datetime": f"{number + 3} March 2012, 10:0{number}", "link": f"p{number}"}
        for number, user in enumerate(users)
    ]
    (folder / "pages.jsonl").write_text(json.dumps({"id": "a", "url": URL, "posts": rows}))
    (folder / "html" / "a.html").write_text(page(*map(forum_post, range(4))))
    (folder / "gold" / "a.txt").write_text("\n\n".join((*SENTENCES[:3], "Something else entirely was said here")))
    return folder


def test_counts(tmp_path: Path) -> None:
    path = gold_set(tmp_path / "threads")
    sample = next(iter(read_set(path)))
    document = dehusk.clean(sample.data, url=sample.url, method=KeepAll())
    gold = posts.gold_posts(sample, document.page, posts.gold_rows(path)["a"])
    counts = posts.match(document.posts, document.page, gold, URL)
    assert counts == posts.Counts(4, 4, 4, author=3, date=4, text=3, words=3, all=2, links=4, link=4)
    late = [replace(one, date=one.date._replace(value="2012-03-03T09:59"), date_text="") for one in gold]
    assert posts.match(document.posts, document.page, late, URL).date == 0


def test_the_floor_and_the_rival() -> None:
    threads = dehusk.parse(page(*map(forum_post, range(4))), url=URL)
    [whole] = posts.one_post(threads)
    assert all(sentence in whole.text for sentence in SENTENCES[:3])
    alike = posts.siblings_alike(threads)
    assert len(alike) == 4
    assert all(sentence in post.text for sentence, post in zip(SENTENCES[:3], alike, strict=False))
    assert posts.siblings_alike(dehusk.parse("<p>one</p>")) == []
